//! Spools of deals for a log, in files in the run's folder. With them an interrupted run can resume, and
//! shards can be merged.
//!
//! There is a file for each variant, and a new one each time that it begins again without a disqualified bot.
//! So an earlier checkpoint still finds the deals that it counted.

use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use overtrick_cards::table::{BySeat, Seat};
use overtrick_game::ContractResult;
use overtrick_run::{Observer, SoFar};
use overtrick_strategy::ids::{LineUpId, SeatingId};
use overtrick_toml::InputError;
use overtrick_tournament::{LoggedDeal, VariantRun};

/// The size of a deal in bytes.
const SIZE: usize = 43;

const HAS_CONTRACT: u8 = 1;
const IS_MADE: u8 = 2;
const IS_EXCEPTIONAL: u8 = 4;
const IS_FORFEITED: u8 = 8;
const HAS_PLACES: u8 = 16;
/// The code for no declarer.
const NOBODY: u8 = u8::MAX;

fn to_bytes(deal: &LoggedDeal) -> [u8; SIZE] {
    let mut bytes = [0; SIZE];
    let mut at = 0;
    let mut put = |part: &[u8]| {
        bytes[at..at + part.len()].copy_from_slice(part);
        at += part.len();
    };
    let flag = |is_set, flag| if is_set { flag } else { 0 };
    let contract = deal.contract;
    let flags = [
        flag(contract.is_some(), HAS_CONTRACT),
        flag(contract.is_some_and(|contract| contract.made), IS_MADE),
        flag(deal.is_exceptional, IS_EXCEPTIONAL),
        flag(deal.is_forfeited, IS_FORFEITED),
        flag(deal.places.is_some(), HAS_PLACES),
    ];
    put(&deal.number.to_le_bytes());
    put(&(deal.line_up.index() as u32).to_le_bytes());
    put(&deal.deal.to_le_bytes());
    Seat::ALL.iter().for_each(|&seat| put(&deal.scores[seat].to_le_bytes()));
    Seat::ALL.iter().for_each(|&seat| put(&[deal.tricks[seat]]));
    Seat::ALL.iter().for_each(|&seat| put(&[deal.dummy_tricks[seat]]));
    Seat::ALL.iter().for_each(|&seat| put(&[deal.places.unwrap_or_default()[seat]]));
    let declarer = contract.and_then(|contract| contract.declarer);
    put(&[
        deal.seating.index() as u8,
        deal.dealer.index() as u8,
        contract.map_or(0, |contract| contract.kind),
        declarer.map_or(NOBODY, |seat| seat.index() as u8),
        flags.iter().sum(),
    ]);
    bytes
}

/// Returns `None` if a seat is invalid.
fn of_bytes(bytes: &[u8]) -> Option<LoggedDeal> {
    let mut rest = bytes;
    let mut take = |count: usize| {
        let (part, others) = rest.split_at(count);
        rest = others;
        part
    };
    let number = u64::from_le_bytes(take(8).try_into().expect("eight bytes"));
    let mut take_four = || <[u8; 4]>::try_from(take(4)).expect("four bytes");
    let (line_up, deal) = (u32::from_le_bytes(take_four()), u32::from_le_bytes(take_four()));
    let scores = BySeat::new([take_four(), take_four(), take_four()].map(i32::from_le_bytes));
    let mut by_seat = || BySeat::new(<[u8; 3]>::try_from(take(3)).expect("three bytes"));
    let (tricks, dummy_tricks, places) = (by_seat(), by_seat(), by_seat());
    let [seating, dealer, kind, declarer, flags] = <[u8; 5]>::try_from(take(5)).expect("five bytes");
    let has = |flag| flags & flag != 0;
    let seat = |number: u8| Seat::ALL.get(usize::from(number)).copied();
    let declarer = if declarer == NOBODY { None } else { Some(seat(declarer)?) };
    Some(LoggedDeal {
        number,
        line_up: LineUpId::new(line_up as usize),
        seating: SeatingId::new(seating.into()),
        deal,
        dealer: seat(dealer)?,
        scores,
        tricks,
        dummy_tricks,
        contract: has(HAS_CONTRACT).then_some(ContractResult { kind, declarer, made: has(IS_MADE) }),
        is_exceptional: has(IS_EXCEPTIONAL),
        is_forfeited: has(IS_FORFEITED),
        places: has(HAS_PLACES).then_some(places),
    })
}

/// Returns the file of a variant that was begun again `restarts` times.
fn file_of(folder: &Path, variant: usize, restarts: usize) -> PathBuf {
    let again = if restarts == 0 { String::new() } else { format!("-{}", restarts + 1) };
    folder.join(format!("deals-{}{again}.rows", variant + 1))
}

/// Returns all spools in a folder.
fn spools(folder: &Path) -> impl Iterator<Item = PathBuf> {
    let is_spool = |file: &PathBuf| {
        let name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let numbers = name.strip_prefix("deals-").and_then(|rest| rest.strip_suffix(".rows"));
        numbers.is_some_and(|numbers| numbers.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-'))
    };
    fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).filter(is_spool)
}

/// The spool of a run's deals.
pub struct Spool {
    folder: PathBuf,
    /// The file in use, with its variant and the number of restarts.
    open: Option<(File, usize, usize)>,
}

impl Spool {
    /// Makes a spool in the folder of a run, which must exist.
    pub fn new(folder: &Path) -> Spool {
        Spool { folder: folder.to_owned(), open: None }
    }

    /// Returns the first of the spools in a folder.
    pub fn find(folder: &Path) -> Option<PathBuf> {
        spools(folder).min()
    }

    /// Removes the spools in a folder. It is harmless if one cannot be removed.
    pub fn remove(folder: &Path) {
        spools(folder).for_each(|file| drop(fs::remove_file(file)));
    }

    /// Opens the file to continue after `before` deals. Later deals, which a killed run has written, are
    /// dropped.
    fn file(&mut self, variant: usize, restarts: usize, before: u64) -> std::io::Result<&mut File> {
        if self.open.as_ref().is_none_or(|(_, of, begun)| (*of, *begun) != (variant, restarts)) {
            let name = file_of(&self.folder, variant, restarts);
            let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(name)?;
            file.set_len(before * SIZE as u64)?;
            file.seek(SeekFrom::End(0))?;
            self.open = Some((file, variant, restarts));
        }
        Ok(&mut self.open.as_mut().expect("it was opened").0)
    }
}

impl Observer for Spool {
    fn wants_deals(&self) -> bool {
        true
    }

    fn deals(&mut self, so_far: &SoFar<'_>, deals: &[LoggedDeal]) -> Result<(), InputError> {
        let (variant, ran) = (so_far.variant, so_far.runs[so_far.variant]);
        let (restarts, before) = (ran.disqualified.len(), ran.deals - deals.len() as u64);
        let bytes: Vec<u8> = deals.iter().flat_map(to_bytes).collect();
        let written = self.file(variant, restarts, before).and_then(|file| file.write_all(&bytes));
        written.map_err(|error| unwritten(&file_of(&self.folder, variant, restarts), &error))
    }
}

fn unwritten(name: &Path, error: &std::io::Error) -> InputError {
    let problem = format!("deals cannot be written: {error}; make room and go on with --resume");
    InputError::file(name, problem).by_system(error)
}

/// The spools of a run or a shard.
pub struct SpooledRun {
    folder: PathBuf,
    /// By variant: the number of restarts, and the number of deals that count.
    variants: Vec<(usize, u64)>,
}

impl SpooledRun {
    /// Returns the spools of a run with these results so far.
    pub fn of<'a>(folder: &Path, runs: impl IntoIterator<Item = &'a VariantRun>) -> SpooledRun {
        let variants = runs.into_iter().map(|ran| (ran.disqualified.len(), ran.deals)).collect();
        SpooledRun { folder: folder.to_owned(), variants }
    }

    /// Flushes all deals so far to the disk. Only then may a checkpoint that counts them be written.
    ///
    /// # Errors
    /// If the system cannot.
    pub fn sync(&self) -> Result<(), InputError> {
        for (variant, &(restarts, deals)) in self.variants.iter().enumerate() {
            if deals > 0 {
                let name = file_of(&self.folder, variant, restarts);
                let synced = OpenOptions::new().write(true).open(&name).and_then(|file| file.sync_all());
                synced.map_err(|error| unwritten(&name, &error))?;
            }
        }
        Ok(())
    }

    /// Checks that all deals that count are in the files.
    ///
    /// # Errors
    /// Returns the first file that lacks some, for instance because the run was begun without a log.
    pub fn check(&self) -> Result<(), InputError> {
        for (variant, &(restarts, deals)) in self.variants.iter().enumerate() {
            let file = file_of(&self.folder, variant, restarts);
            let length = match fs::metadata(&file) {
                Ok(data) => data.len(),
                Err(error) if error.kind() == ErrorKind::NotFound => 0,
                Err(error) => {
                    return Err(InputError::file(&file, format!("cannot be read: {error}")).by_system(&error));
                }
            };
            if length < deals * SIZE as u64 {
                let problem = "deals that were played are not in it, so there can be no log of all: was part of the run \
                               played without --log? Play it from the beginning with --log and --force";
                return Err(InputError::file(&file, problem));
            }
        }
        Ok(())
    }

    /// Calls `take` with the deals of a variant in order, at most `most` at a time. All deals must be
    /// `possible`.
    pub(super) fn read<E: From<InputError>>(
        &self,
        variant: usize,
        most: usize,
        possible: impl Fn(&LoggedDeal) -> bool,
        mut take: impl FnMut(Vec<LoggedDeal>) -> Result<(), E>,
    ) -> Result<(), E> {
        let Some(&(restarts, mut left)) = self.variants.get(variant) else { return Ok(()) };
        if left == 0 {
            return Ok(());
        }
        let name = file_of(&self.folder, variant, restarts);
        let failed =
            |error: std::io::Error| InputError::file(&name, format!("cannot be read: {error}")).by_system(&error);
        let mut file = BufReader::new(File::open(&name).map_err(failed)?);
        while left > 0 {
            let count = left.min(most as u64) as usize;
            let mut bytes = vec![0; count * SIZE];
            file.read_exact(&mut bytes).map_err(failed)?;
            let deals = bytes.chunks_exact(SIZE).map(|bytes| of_bytes(bytes).filter(&possible));
            let damaged = || {
                let problem = "is damaged: it has deals that are none of this run's; play it from the beginning with \
                               --log and --force";
                InputError::file(&name, problem)
            };
            take(deals.collect::<Option<_>>().ok_or_else(damaged)?)?;
            left -= count as u64;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deals_come_back_as_they_were_spooled() {
        let plain = LoggedDeal {
            number: u64::MAX - 3,
            line_up: LineUpId::new(70_000),
            seating: SeatingId::new(5),
            deal: 65_541,
            dealer: Seat::new(2),
            scores: BySeat::new([-1_000_000, 0, 7]),
            tricks: BySeat::new([13, 0, 4]),
            dummy_tricks: BySeat::new([5, 0, 0]),
            contract: None,
            is_exceptional: false,
            is_forfeited: false,
            places: None,
        };
        let contract = ContractResult { kind: 200, declarer: Some(Seat::new(1)), made: true };
        let passed = ContractResult { kind: 0, declarer: None, made: false };
        let deals = [
            plain,
            LoggedDeal { contract: Some(contract), is_exceptional: true, ..plain },
            LoggedDeal { contract: Some(passed), places: Some(BySeat::new([2, 0, 1])), ..plain },
            LoggedDeal { is_forfeited: true, places: Some(BySeat::default()), ..plain },
        ];
        for deal in deals {
            assert_eq!(of_bytes(&to_bytes(&deal)), Some(deal));
        }
    }
}
