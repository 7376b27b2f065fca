//! Spools of deals for a log, in files in the run's folder. With them an interrupted run can resume, and
//! shards can be merged.
//!
//! There is a file for each variant, and a new one each time that it begins again without a disqualified bot.
//! So an earlier checkpoint still finds the deals that it counted.
//!
//! A deal has 43 bytes, or 50 at a table of four, with numbers in little-endian order. Lists by seat have
//! three values, or four at a table of four:
//!
//! | bytes | of four | content |
//! |---|---|---|
//! | 0-7 | 0-7 | the number of the deal or match |
//! | 8-11 | 8-11 | the line-up |
//! | 12-15 | 12-15 | the deal of the match |
//! | 16-27 | 16-31 | the scores |
//! | 28-36 | 32-43 | the numbers of tricks, those of a dummy's tricks, and the places |
//! | 37-41 | 44-48 | the seating, the dealer, the kind of contract, the declarer, and flags |
//! | 42 | 49 | not used |

use std::ffi::OsStr;
use std::fs::{self, File, OpenOptions};
use std::io::{BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use overtrick_cards::table::{BySeat, Seat};
use overtrick_game::ContractResult;
use overtrick_run::{Observer, SoFar};
use overtrick_strategy::ids::{LineUpId, SeatingId};
use overtrick_toml::InputError;
use overtrick_tournament::{LoggedDeal, VariantRun};

use super::Failure;
use super::row::Names;

/// Returns the number of values in a list by seat, at a table of `seats`.
fn listed(seats: usize) -> usize {
    seats.max(3)
}

/// Returns the size of a deal in bytes, at a table of `seats`.
fn size(seats: usize) -> usize {
    22 + 7 * listed(seats)
}

const HAS_CONTRACT: u8 = 1;
const IS_MADE: u8 = 2;
const IS_EXCEPTIONAL: u8 = 4;
const IS_FORFEITED: u8 = 8;
const HAS_PLACES: u8 = 16;
/// The problem with a spool whose deals cannot be those of the run.
const DAMAGED: &str = "is damaged: it has deals that are none of this run's; play it from the beginning with --log and \
                       --force";

/// The code for no declarer.
const NO_DECLARER: u8 = u8::MAX;

/// Appends the bytes of a deal at a table of `seats`.
fn put(deal: &LoggedDeal, seats: usize, out: &mut Vec<u8>) {
    let places = deal.places.unwrap_or_default();
    let contract = deal.contract.unwrap_or(ContractResult { kind: 0, declarer: None, made: false });
    let declarer = contract.declarer.map_or(NO_DECLARER, |seat| seat.index() as u8);
    let mut flags = 0;
    for (is_set, flag) in [
        (deal.contract.is_some(), HAS_CONTRACT),
        (contract.made, IS_MADE),
        (deal.is_exceptional, IS_EXCEPTIONAL),
        (deal.is_forfeited, IS_FORFEITED),
        (deal.places.is_some(), HAS_PLACES),
    ] {
        if is_set {
            flags |= flag;
        }
    }
    out.extend(deal.number.to_le_bytes());
    out.extend((deal.line_up.index() as u32).to_le_bytes());
    out.extend(deal.deal.to_le_bytes());
    for score in deal.scores.of(listed(seats)) {
        out.extend(score.to_le_bytes());
    }
    for by_seat in [deal.tricks, deal.dummy_tricks, places] {
        out.extend(by_seat.of(listed(seats)));
    }
    out.extend([deal.seating.index() as u8, deal.dealer.index() as u8, contract.kind, declarer, flags, 0]);
}

/// The bytes of a deal that are still to be read.
struct Rest<'a>(&'a [u8]);

impl Rest<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (part, rest) = self.0.split_first_chunk().expect("a deal has a fixed size");
        self.0 = rest;
        *part
    }

    /// Returns a list by seat, at a table of `seats`.
    fn by_seat<T: Default, const N: usize>(&mut self, seats: usize, read: impl Fn([u8; N]) -> T) -> BySeat<T> {
        let mut list = BySeat::default();
        for seat in Seat::all(listed(seats)) {
            list[seat] = read(self.take());
        }
        list
    }
}

/// Returns a deal at a table of `seats` from its bytes; `None` if a seat is invalid.
fn of_bytes(bytes: &[u8], seats: usize) -> Option<LoggedDeal> {
    let mut rest = Rest(bytes);
    let number = u64::from_le_bytes(rest.take());
    let line_up = u32::from_le_bytes(rest.take());
    let deal = u32::from_le_bytes(rest.take());
    let scores = rest.by_seat(seats, i32::from_le_bytes);
    let [tricks, dummy_tricks, places] = [(); 3].map(|()| rest.by_seat(seats, |[value]| value));
    let [seating, dealer, kind, declarer, flags] = rest.take();
    let declarer = if declarer == NO_DECLARER { None } else { Some(seat(declarer)?) };
    let has = |flag: u8| flags & flag != 0;
    let made = has(IS_MADE);
    Some(LoggedDeal {
        number,
        line_up: LineUpId::new(line_up as usize),
        seating: SeatingId::new(seating.into()),
        deal,
        dealer: seat(dealer)?,
        scores,
        tricks,
        dummy_tricks,
        contract: if has(HAS_CONTRACT) { Some(ContractResult { kind, declarer, made }) } else { None },
        is_exceptional: has(IS_EXCEPTIONAL),
        is_forfeited: has(IS_FORFEITED),
        places: if has(HAS_PLACES) { Some(places) } else { None },
    })
}

fn seat(number: u8) -> Option<Seat> {
    Seat::ALL.get(usize::from(number)).copied()
}

/// Returns the file of a variant that was begun again `restarts` times.
fn file_of(folder: &Path, variant: usize, restarts: usize) -> PathBuf {
    let again = if restarts == 0 { String::new() } else { format!("-{}", restarts + 1) };
    folder.join(format!("deals-{}{again}.rows", variant + 1))
}

/// Returns all spools in a folder.
fn spools(folder: &Path) -> Vec<PathBuf> {
    let mut spools = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return spools };
    for entry in entries.flatten() {
        if is_spool(&entry.file_name()) {
            spools.push(entry.path());
        }
    }
    spools
}

fn is_spool(name: &OsStr) -> bool {
    let name = name.to_str().unwrap_or_default();
    let Some(rest) = name.strip_prefix("deals-") else { return false };
    let Some(numbers) = rest.strip_suffix(".rows") else { return false };
    numbers.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-')
}

/// The spool of a run's deals.
pub struct Spool {
    folder: PathBuf,
    open: Option<OpenSpool>,
}

/// The file in use.
struct OpenSpool {
    file: File,
    variant: usize,
    restarts: usize,
}

impl Spool {
    /// Makes a spool in the folder of a run, which must exist.
    pub fn new(folder: &Path) -> Spool {
        Spool { folder: folder.to_owned(), open: None }
    }

    /// Returns the first of the spools in a folder.
    pub fn find(folder: &Path) -> Option<PathBuf> {
        spools(folder).into_iter().min()
    }

    /// Removes the spools in a folder. It is harmless if one cannot be removed.
    pub fn remove(folder: &Path) {
        for file in spools(folder) {
            let _ = fs::remove_file(file);
        }
    }

    /// Opens the file to continue after `before` bytes. Later deals, which a killed run has written, are
    /// dropped.
    fn file(&mut self, variant: usize, restarts: usize, before: u64) -> std::io::Result<&mut File> {
        let is_open = self.open.as_ref().is_some_and(|open| open.variant == variant && open.restarts == restarts);
        if !is_open {
            let name = file_of(&self.folder, variant, restarts);
            let mut file = OpenOptions::new().create(true).truncate(false).write(true).open(name)?;
            file.set_len(before)?;
            file.seek(SeekFrom::End(0))?;
            self.open = Some(OpenSpool { file, variant, restarts });
        }
        Ok(&mut self.open.as_mut().expect("it was opened").file)
    }
}

impl Observer for Spool {
    fn wants_deals(&self) -> bool {
        true
    }

    fn deals(&mut self, so_far: &SoFar<'_>, deals: &[LoggedDeal]) -> Result<(), InputError> {
        let (variant, run) = (so_far.variant, so_far.runs[so_far.variant]);
        let (restarts, seats) = (run.disqualified.len(), run.tally.seats());
        let before = (run.deals - deals.len() as u64) * size(seats) as u64;
        let mut bytes = Vec::with_capacity(deals.len() * size(seats));
        for deal in deals {
            put(deal, seats, &mut bytes);
        }
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
    variants: Vec<SpooledVariant>,
}

/// The spool of a variant that has begun.
struct SpooledVariant {
    restarts: usize,
    /// The number of deals that count.
    deals: u64,
    seats: usize,
}

impl SpooledRun {
    /// Returns the spools of a run with these results so far.
    pub fn of<'a>(folder: &Path, runs: impl IntoIterator<Item = &'a VariantRun>) -> SpooledRun {
        let spooled = |run: &VariantRun| SpooledVariant {
            restarts: run.disqualified.len(),
            deals: run.deals,
            seats: run.tally.seats(),
        };
        SpooledRun { folder: folder.to_owned(), variants: runs.into_iter().map(spooled).collect() }
    }

    /// Flushes all deals so far to the disk. Only then may a checkpoint that counts them be written.
    ///
    /// # Errors
    /// If the system cannot.
    pub fn sync(&self) -> Result<(), InputError> {
        for (variant, &SpooledVariant { restarts, deals, .. }) in self.variants.iter().enumerate() {
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
        for (variant, &SpooledVariant { restarts, deals, seats }) in self.variants.iter().enumerate() {
            let file = file_of(&self.folder, variant, restarts);
            let length = match fs::metadata(&file) {
                Ok(data) => data.len(),
                Err(error) if error.kind() == ErrorKind::NotFound => 0,
                Err(error) => return Err(InputError::unreadable(&file, &error)),
            };
            if length < deals * size(seats) as u64 {
                let problem = "deals that were played are not in it, so there can be no log of all: was part of the run \
                               played without --log? Play it from the beginning with --log and --force";
                return Err(InputError::file(&file, problem));
            }
        }
        Ok(())
    }

    /// Calls `take` with the deals of a variant in order, at most `most` at a time.
    pub(super) fn read(
        &self,
        names: &Names<'_>,
        most: usize,
        mut take: impl FnMut(Vec<LoggedDeal>) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let Some(&SpooledVariant { restarts, deals: mut left, seats }) = self.variants.get(names.index) else {
            return Ok(());
        };
        if left == 0 {
            return Ok(());
        }
        let name = file_of(&self.folder, names.index, restarts);
        let failed =
            |error: std::io::Error| InputError::file(&name, format!("cannot be read: {error}")).by_system(&error);
        let mut file = BufReader::new(File::open(&name).map_err(failed)?);
        while left > 0 {
            let count = left.min(most as u64) as usize;
            let mut bytes = vec![0; count * size(seats)];
            file.read_exact(&mut bytes).map_err(failed)?;
            let mut deals = Vec::with_capacity(count);
            for bytes in bytes.chunks_exact(size(seats)) {
                match of_bytes(bytes, seats) {
                    Some(deal) if names.has(&deal) => deals.push(deal),
                    _ => return Err(InputError::file(&name, DAMAGED).into()),
                }
            }
            take(deals)?;
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
            for (seats, size) in [(2, 43), (3, 43), (4, 50)] {
                let mut bytes = Vec::new();
                put(&deal, seats, &mut bytes);
                assert_eq!((bytes.len(), of_bytes(&bytes, seats)), (size, Some(deal)));
            }
        }
        let of_four = LoggedDeal {
            dealer: Seat::Seat3,
            scores: BySeat::new([-1, 2, -3, 4]),
            tricks: BySeat::new([1, 2, 3, 7]),
            places: Some(BySeat::new([2, 1, 3, 0])),
            ..plain
        };
        let mut bytes = Vec::new();
        put(&of_four, 4, &mut bytes);
        assert_eq!(of_bytes(&bytes, 4), Some(of_four));
    }
}
