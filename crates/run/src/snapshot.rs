//! The file of tallies, from which a run resumes, shards are merged, and two runs are compared.

use std::io::ErrorKind;
use std::path::Path;

use overtrick_cards::SEEDING_VERSION;
use overtrick_strategies::Register;
use overtrick_strategy::ids::BotId;
use overtrick_toml::{InputError, Source};
use overtrick_tournament::{Clock, Tournament, VariantRun};
use serde::{Deserialize, Serialize};

use super::changed_program::changed_program;
use super::kin_error::KinError;
use super::renamed::remedy_for_name;
use super::sealed::{sealed, unsealed};
use super::shard::Extent;
use super::staged::stage_file;

/// The version of the file format.
const FORM: u32 = 10;

/// Tallies, with the tournament to which they belong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The version of the program that played.
    pub version: String,
    /// The tournament's resolved configuration, as TOML.
    pub config: String,
    /// The numbers that the tallies cover.
    pub extent: Extent,
    /// Whether nothing is left to play.
    pub finished: bool,
    /// The results by variant, as far as the run has come.
    pub runs: Vec<VariantRun>,
}

/// The fields of a [`Snapshot`], borrowed for writing.
#[derive(Serialize)]
pub struct SnapshotRef<'a> {
    version: &'a str,
    config: &'a str,
    extent: &'a Extent,
    finished: bool,
    runs: &'a [&'a VariantRun],
}

/// The relation of a snapshot to a run that can use it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kin {
    /// The snapshot is of the same run.
    Same,
    /// The snapshot is of the same run up to a smaller number, from which the run can go on.
    Shorter,
}

impl<'a> SnapshotRef<'a> {
    /// Returns a snapshot of this version. The arguments are the fields of [`Snapshot`].
    pub fn new(config: &'a str, extent: &'a Extent, finished: bool, runs: &'a [&'a VariantRun]) -> SnapshotRef<'a> {
        SnapshotRef { version: env!("CARGO_PKG_VERSION"), config, extent, finished, runs }
    }

    /// Returns the content of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        sealed(&Snapshot::title(), self)
    }

    /// Writes the snapshot to a file.
    ///
    /// The content goes to a temporary file, which is renamed once it is safely on the disk.
    ///
    /// # Errors
    /// The error of the system; the file then stays as it was.
    pub fn write(&self, file: &Path) -> std::io::Result<()> {
        let staged = stage_file(file, &self.to_bytes())?;
        staged.persist(file).map_err(|error| error.error)?;
        Ok(())
    }
}

impl Snapshot {
    /// Returns the first line of a file.
    fn title() -> String {
        format!("overtrick ledger {FORM}, seeding {SEEDING_VERSION}\n")
    }

    /// Returns a snapshot of this version, with everything played.
    pub fn finished(config: String, extent: Extent, runs: Vec<VariantRun>) -> Snapshot {
        Snapshot { version: env!("CARGO_PKG_VERSION").to_owned(), config, extent, finished: true, runs }
    }

    /// Returns the content of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let runs: Vec<&VariantRun> = self.runs.iter().collect();
        let Snapshot { version, config, extent, .. } = self;
        SnapshotRef { version, config, extent, finished: self.finished, runs: &runs }.to_bytes()
    }

    /// Returns the snapshot without times, so that equal runs leave equal files.
    pub fn timeless(mut self) -> Snapshot {
        for ran in &mut self.runs {
            ran.wall = std::time::Duration::ZERO;
            ran.clocks.fill(Clock::default());
        }
        self
    }

    /// Reads a file; returns `None` if it does not exist.
    ///
    /// # Errors
    /// If the file cannot be read, is no snapshot, was written by another version, or is cut off or damaged.
    pub fn read(file: &Path) -> Result<Option<Snapshot>, InputError> {
        Snapshot::read_with(file, &Register::default())
    }

    /// Reads a file of a run that may use games and strategies of other crates, which `register` holds.
    ///
    /// # Errors
    /// The same as [`Snapshot::read`].
    pub fn read_with(file: &Path, register: &Register) -> Result<Option<Snapshot>, InputError> {
        let bytes = match std::fs::read(file) {
            Ok(bytes) => bytes,
            // If there is a file in place of its folder, there is no snapshot either.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
            Err(error) => return Err(InputError::unreadable(file, &error)),
        };
        Snapshot::parse(&bytes, register).map(Some).map_err(|problem| InputError::file(file, problem))
    }

    fn parse(bytes: &[u8], register: &Register) -> Result<Snapshot, String> {
        let body = unsealed(&Snapshot::title(), "file of tallies", bytes)?;
        let snapshot: Snapshot = postcard::from_bytes(body).map_err(|error| format!("is damaged: {error}"))?;
        snapshot.check_names().map_err(changed)?;
        let source = Source::parse(Path::new("configuration"), snapshot.config.clone());
        let entered = source.and_then(|source| Tournament::resolve_with(&source, Default::default(), register));
        let Ok(mut tournament) = entered else { return Err(changed("configuration is none")) };
        snapshot.drop_disqualified(&mut tournament).map_err(changed)?;
        if !snapshot.fits(&tournament) {
            return Err("is damaged: its tallies do not fit its configuration".to_owned());
        }
        for (number, ran) in snapshot.runs.iter().enumerate() {
            let ranges = match snapshot.extent {
                Extent::Partial(_) => snapshot.extent.ranges(tournament.numbers),
                _ => std::iter::once(ran.start..ran.next).collect(),
            };
            if let Err(flaw) = ran.check(&tournament, number, &ranges) {
                return Err(changed(&format!("{flaw} ({})", tournament.variants[number].name)));
            }
        }
        Ok(snapshot)
    }

    /// Checks the fields that are used before the configuration is read.
    fn check_names(&self) -> Result<(), &'static str> {
        if self.version.contains(char::is_control) {
            return Err("version is none");
        }
        if self.extent.is_possible() { Ok(()) } else { Err("shards are none of a run") }
    }

    /// Removes the disqualified bots from the tournament in which they played.
    fn drop_disqualified(&self, tournament: &mut Tournament) -> Result<(), &'static str> {
        let flaw = "disqualified bots are not among its bots";
        for (variant, ran) in self.runs.iter().enumerate() {
            let bots: Vec<BotId> = ran.disqualified.iter().map(|(bot, _)| *bot).collect();
            let may_be = bots.is_empty() || tournament.faults.limit().is_some();
            let has_variant = variant < tournament.variants.len();
            let are_entered = bots.iter().all(|bot| bot.index() < tournament.bots.len());
            let are_distinct = (1..bots.len()).all(|at| !bots[..at].contains(&bots[at]));
            if !(may_be && has_variant && are_entered && are_distinct) {
                return Err(flaw);
            }
            let dropped: Vec<bool> = bots.into_iter().map(|bot| tournament.drop_bot(variant, bot)).collect();
            let left = dropped.iter().position(|is_dropped| !is_dropped).unwrap_or(dropped.len());
            let is_void = left < dropped.len();
            if is_void != ran.is_void || is_void && (left + 1 < dropped.len() || ran.next != ran.start) {
                return Err(flaw);
            }
        }
        Ok(())
    }

    /// Returns the tournament, without the bots that were disqualified.
    ///
    /// # Errors
    /// If this version does not accept the configuration.
    pub fn tournament(&self) -> Result<Tournament, InputError> {
        self.tournament_with(&Register::default())
    }

    /// Returns the tournament, which may use games and strategies of other crates, held in `register`.
    ///
    /// # Errors
    /// The same as [`Snapshot::tournament`].
    pub fn tournament_with(&self, register: &Register) -> Result<Tournament, InputError> {
        let source = Source::parse(Path::new("configuration"), self.config.clone())?;
        let mut tournament = Tournament::resolve_with(&source, Default::default(), register)?;
        VariantRun::drop_disqualified(&self.runs, &mut tournament);
        Ok(tournament)
    }

    /// Returns whether the tallies have the shape and the numbers that fit `tournament`.
    fn fits(&self, tournament: &Tournament) -> bool {
        // Shards are merged only when they are finished.
        if matches!(self.extent, Extent::Partial(_)) && !self.finished {
            return false;
        }
        let (ran, variants) = (self.runs.len(), tournament.variants.len());
        if ran > variants || self.finished && ran < variants {
            return false;
        }
        (0..ran).all(|variant| self.variant_fits(tournament, variant))
    }

    /// Returns the same for the tally of a variant.
    fn variant_fits(&self, tournament: &Tournament, variant: usize) -> bool {
        let ran = &self.runs[variant];
        let all = self.extent.span(tournament.numbers);
        let empty = VariantRun::new(tournament, variant, all.start);
        if ran.start != all.start || !(ran.start..=all.end).contains(&ran.next) {
            return false;
        }
        let mut played = ran.next - ran.start;
        if let Extent::Partial(_) = self.extent {
            // Tallies that lack shards were merged from finished shards, and have gaps.
            played = self.extent.ranges(tournament.numbers).iter().map(|range| range.end - range.start).sum();
        }
        let is_over = ran.next == all.end || tournament.stop.is_some() || ran.is_void;
        ran.tally.is_like(&empty.tally)
            && ran.tally.blocks().count + ran.open.len() as u64 == played
            && is_open_part(ran, tournament, variant)
            && (!self.finished || ran.open.is_empty() && is_over)
            && ran.clocks.len() == empty.clocks.len()
            && ran.faults.len() == empty.faults.len()
    }

    /// Returns how the snapshot relates to a run of `tournament` over the numbers of `extent`.
    ///
    /// # Errors
    /// The reason why the run cannot use it.
    pub fn kin(&self, tournament: &Tournament, extent: &Extent) -> Result<Kin, KinError> {
        let version = env!("CARGO_PKG_VERSION");
        if self.version != version {
            return Err(KinError::Version(self.version.clone(), version));
        }
        if self.extent != *extent {
            return Err(KinError::Extent(self.extent.clone(), extent.clone()));
        }
        let config = tournament.to_toml();
        let Some((theirs, own)) = different_line(&self.config, &config) else {
            return Ok(Kin::Same);
        };
        if let Some(bot) = changed_program(&self.config, &config) {
            return Err(KinError::ChangedProgram(bot.to_owned()));
        }
        let remedy = remedy_for_name(&self.config, theirs, &config);
        let (theirs, own) = (theirs.to_owned(), own.to_owned());
        if !self.is_shorter(tournament) {
            return Err(KinError::OtherRun { theirs, own, remedy });
        }
        match extent {
            Extent::Whole => Ok(Kin::Shorter),
            _ => Err(KinError::ShorterPart { theirs, own, extent: extent.clone() }),
        }
    }

    /// Returns whether it is of the same run with fewer deals or matches.
    fn is_shorter(&self, tournament: &Tournament) -> bool {
        let Ok(theirs) = self.tournament_with(&tournament.register) else { return false };
        let mut longer = theirs.clone();
        longer.numbers = tournament.numbers;
        theirs.numbers < tournament.numbers && longer.to_toml() == tournament.to_toml()
    }
}

/// Returns the problem with a file that has the right checksum and an impossible content.
fn changed(what: &str) -> String {
    format!("is damaged or was changed: its {what}")
}

/// Returns whether the open numbers are in the run and sorted, and their games exist.
fn is_open_part(ran: &VariantRun, tournament: &Tournament, variant: usize) -> bool {
    let games = tournament.schedules[variant].games_a_number();
    let pairs = ran.tally.swings().pairs();
    for open in &ran.open {
        let has_games = !open.left.is_empty() && open.left.iter().all(|&game| (game as usize) < games);
        let is_possible = (ran.start..ran.next).contains(&open.number)
            && has_games
            && open.left.is_sorted_by(|one, other| one < other)
            && (open.margins.is_empty() || open.margins.len() == pairs);
        if !is_possible {
            return false;
        }
    }
    ran.open.is_sorted_by(|one, other| one.number < other.number)
}

/// Returns the first line in which two texts differ. A missing line is given as "nothing".
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
