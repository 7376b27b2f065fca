//! The file that holds tallies: what a run resumes from, what a shard leaves for a merge, what two runs are compared by.
//!
//! A line of text says what it is and which version wrote it; a checksum and the length of the rest follow, so that a file that
//! is damaged or cut off is told from a sound one.

use std::path::Path;

use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_128;

use super::folder::stage_file;
use crate::arena::{Clock, Ran, Tournament};
use crate::cards::SEEDING_VERSION;
use crate::input::{InputError, Source};

/// The version of this form.
const FORM: u32 = 3;
/// The checksum and the length.
const SEAL: usize = 16 + 8;

/// Which part of the deal or match numbers a run plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Which one, counted from 1.
    pub number: u32,
    /// Of how many.
    pub of: u32,
}

impl Shard {
    /// The numbers that it plays of all from 0 to `numbers`.
    pub fn range(self, numbers: u64) -> std::ops::Range<u64> {
        let bound = |part: u32| (u128::from(numbers) * u128::from(part) / u128::from(self.of)) as u64;
        bound(self.number - 1)..bound(self.number)
    }
}

impl std::fmt::Display for Shard {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}/{}", self.number, self.of)
    }
}

impl std::str::FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let parts = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if 1 <= number && number <= of => Ok(Shard { number, of }),
            _ => Err("write it as 3/8: the third of eight".to_owned()),
        }
    }
}

/// Tallies with the tournament that they belong to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ledger {
    /// The version of the program that played.
    pub version: String,
    /// The tournament's resolved configuration, as TOML.
    pub config: String,
    /// Which part of the numbers these are; all of them if none is named.
    pub shard: Option<Shard>,
    /// Whether nothing is left to play.
    pub finished: bool,
    /// By variant, as far as the run has come.
    pub runs: Vec<Ran>,
}

/// A ledger to be written: the same fields, borrowed.
#[derive(Serialize)]
pub struct Page<'a> {
    version: &'a str,
    config: &'a str,
    shard: Option<Shard>,
    finished: bool,
    runs: &'a [&'a Ran],
}

impl<'a> Page<'a> {
    /// A page of this version's; the rest is as in [`Ledger`].
    pub fn new(config: &'a str, shard: Option<Shard>, finished: bool, runs: &'a [&'a Ran]) -> Page<'a> {
        Page { version: env!("CARGO_PKG_VERSION"), config, shard, finished, runs }
    }

    /// The content of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let body = postcard::to_stdvec(self).expect("plain values");
        let mut bytes = Ledger::title().into_bytes();
        bytes.extend(xxh3_128(&body).to_le_bytes());
        bytes.extend((body.len() as u64).to_le_bytes());
        bytes.extend(body);
        bytes
    }

    /// Puts the ledger into a file: under a temporary name first, then safely on the disk, then under its own.
    ///
    /// # Errors
    /// What the system says; the file is then as it was.
    pub fn write(&self, file: &Path) -> std::io::Result<()> {
        let staged = stage_file(file, &self.to_bytes())?;
        staged.persist(file).map_err(|error| error.error)?;
        Ok(())
    }
}

impl Ledger {
    /// The first line of a file.
    fn title() -> String {
        format!("overtrick ledger {FORM}, seeding {SEEDING_VERSION}\n")
    }

    /// The results of this version, all played.
    pub fn finished(config: String, shard: Option<Shard>, runs: Vec<Ran>) -> Ledger {
        Ledger { version: env!("CARGO_PKG_VERSION").to_owned(), config, shard, finished: true, runs }
    }

    /// The content of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let runs: Vec<&Ran> = self.runs.iter().collect();
        let Ledger { version, config, .. } = self;
        Page { version, config, shard: self.shard, finished: self.finished, runs: &runs }.to_bytes()
    }

    /// The same without what depends on the clock, so that equal runs leave equal files.
    pub fn timeless(mut self) -> Ledger {
        for ran in &mut self.runs {
            ran.wall = std::time::Duration::ZERO;
            ran.clocks.fill(Clock::default());
        }
        self
    }

    /// Reads a file; `None` if there is none.
    ///
    /// # Errors
    /// If it cannot be read, is none of ours, was written by another version, is cut off or damaged.
    pub fn read(file: &Path) -> Result<Option<Ledger>, InputError> {
        let bytes = match std::fs::read(file) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(InputError::file(file, format!("cannot be read: {error}"))),
        };
        Ledger::parse(&bytes).map(Some).map_err(|problem| InputError::file(file, problem))
    }

    fn parse(bytes: &[u8]) -> Result<Ledger, String> {
        let line = bytes.iter().position(|&byte| byte == b'\n').and_then(|end| bytes.split_at_checked(end + 1));
        let ours = |line: &[u8]| line.starts_with(b"overtrick ");
        let Some((line, rest)) = line.filter(|(line, _)| ours(line)) else {
            return Err("is no file of tallies that overtrick wrote".to_owned());
        };
        if line != Ledger::title().as_bytes() {
            let [theirs, own] =
                [line, Ledger::title().as_bytes()].map(|line| String::from_utf8_lossy(line).trim_end().to_owned());
            return Err(format!(
                "was written by another version that this one cannot read (\"{theirs}\", not \"{own}\")"
            ));
        }
        let Some((seal, body)) = rest.split_at_checked(SEAL) else {
            return Err("is cut off".to_owned());
        };
        let (sum, length) = seal.split_at(16);
        match length.try_into().map(u64::from_le_bytes) {
            Ok(length) if length == body.len() as u64 => {}
            _ => return Err("is cut off, or has more in it than was written".to_owned()),
        }
        if sum != xxh3_128(body).to_le_bytes() {
            return Err("is damaged: its checksum is wrong".to_owned());
        }
        let ledger: Ledger = postcard::from_bytes(body).map_err(|error| format!("is damaged: {error}"))?;
        let shaped = ledger.tournament().is_ok_and(|tournament| ledger.fits(&tournament));
        if shaped { Ok(ledger) } else { Err("is damaged: its tallies do not fit its configuration".to_owned()) }
    }

    /// The tournament, without the bots that were disqualified.
    ///
    /// # Errors
    /// If this version does not take the configuration.
    pub fn tournament(&self) -> Result<Tournament, InputError> {
        let source = Source::parse(Path::new("configuration"), self.config.clone())?;
        let mut tournament = Tournament::resolve(&source, Default::default())?;
        tournament.drop_disqualified(&self.runs);
        Ok(tournament)
    }

    /// Whether the tallies have the shape that those of `tournament` have, and its numbers.
    fn fits(&self, tournament: &Tournament) -> bool {
        let all = self.shard.map_or(0..tournament.numbers, |shard| shard.range(tournament.numbers));
        let fits = |(number, ran): (usize, &Ran)| {
            let empty = Ran::new(tournament, number, all.start);
            ran.start == all.start
                && (ran.start..=all.end).contains(&ran.next)
                && ran.tally.is_like(&empty.tally)
                && ran.tally.blocks().count == ran.next - ran.start
                && ran.clocks.len() == empty.clocks.len()
                && ran.faults.len() == empty.faults.len()
        };
        let variants = tournament.variants.len();
        let count = if self.finished { self.runs.len() == variants } else { self.runs.len() <= variants };
        count && self.runs.iter().enumerate().all(fits)
    }

    /// Why it is not of the run with this configuration and shard; `None` if it is.
    pub fn is_foreign(&self, config: &str, shard: Option<Shard>) -> Option<String> {
        let version = env!("CARGO_PKG_VERSION");
        if self.version != version {
            return Some(format!("it was written by version {}, and this is {version}", self.version));
        }
        if self.shard != shard {
            let name =
                |shard: Option<Shard>| shard.map_or("the whole run".to_owned(), |shard| format!("shard {shard}"));
            return Some(format!("it is of {}, and this is {}", name(self.shard), name(shard)));
        }
        different_line(&self.config, config)
            .map(|(theirs, own)| format!("it is of another run: it has `{theirs}` where this one has `{own}`"))
    }
}

/// The first line in which two texts differ; nothing stands for a line that is not there.
pub fn different_line<'a>(one: &'a str, other: &'a str) -> Option<(&'a str, &'a str)> {
    let (mut one, mut other) = (one.lines(), other.lines());
    loop {
        match (one.next(), other.next()) {
            (None, None) => return None,
            (a, b) if a == b => {}
            (a, b) => return Some((a.unwrap_or("nothing"), b.unwrap_or("nothing"))),
        }
    }
}
