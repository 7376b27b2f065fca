//! The file of tallies, from which a run resumes, shards are merged, and two runs are compared.

use std::path::Path;

use overtrick_strategies::Register;
use overtrick_toml::{InputError, Source};
use overtrick_tournament::{Clock, Flaw, OpenNumber, Tournament, VariantRun, ensure};
use serde::{Deserialize, Serialize};

use super::difference::ConfigDifference;
use super::kin_error::KinError;
use super::sealed::{changed, check_header, read_bytes, sealed, unsealed, write_sealed};
use super::shard::Extent;
use super::staged::write_whole;

/// The form of the file, with its version. The word is an older name, which files keep.
const FORM: &str = "ledger 12";

/// The flaw of tallies of other variants, line-ups or numbers.
const DO_NOT_FIT: Flaw = "tallies do not fit its configuration";

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

    /// Writes the snapshot to a file.
    ///
    /// # Errors
    /// The error of the system; the file then stays as it was.
    pub fn write(&self, file: &Path) -> std::io::Result<()> {
        write_whole(file, |out| write_sealed(FORM, self, out))
    }
}

impl Snapshot {
    /// Returns a snapshot of this version, with everything played.
    pub fn finished(config: String, extent: Extent, runs: Vec<VariantRun>) -> Snapshot {
        Snapshot { version: env!("CARGO_PKG_VERSION").to_owned(), config, extent, finished: true, runs }
    }

    /// Returns the content of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        sealed(FORM, self)
    }

    /// Returns the snapshot without times, so that equal runs leave equal files.
    pub fn timeless(mut self) -> Snapshot {
        for run in &mut self.runs {
            run.wall = std::time::Duration::ZERO;
            run.clocks.fill(Clock::default());
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
        let bytes = read_bytes(file).map_err(|error| InputError::unreadable(file, &error))?;
        let Some(bytes) = bytes else { return Ok(None) };
        Snapshot::parse(&bytes, register).map(Some).map_err(|problem| InputError::file(file, problem))
    }

    fn parse(bytes: &[u8], register: &Register) -> Result<Snapshot, String> {
        let snapshot: Snapshot = unsealed(FORM, "file of tallies", bytes)?;
        check_header(&snapshot.version, &snapshot.config, &snapshot.extent)?;
        let resolved = snapshot.resolved(register);
        let mut tournament = resolved.map_err(|_| changed("configuration is invalid"))?;
        // The ids of disqualified bots must be checked before they are used, and the shape of the tallies depends on
        // the bots that are left. Only tallies of the right shape can be summed.
        snapshot.check_runs(&tournament).map_err(changed)?;
        VariantRun::drop_disqualified(&snapshot.runs, &mut tournament);
        for (number, (run, variant)) in snapshot.runs.iter().zip(&tournament.variants).enumerate() {
            let checked = snapshot.check_shape(&tournament, number).and_then(|()| run.check(&tournament, number));
            checked.map_err(|flaw| changed(&format!("{flaw} ({})", variant.name)))?;
        }
        Ok(snapshot)
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
        let mut tournament = self.resolved(register)?;
        VariantRun::drop_disqualified(&self.runs, &mut tournament);
        Ok(tournament)
    }

    /// Returns the tournament with all bots.
    fn resolved(&self, register: &Register) -> Result<Tournament, InputError> {
        let source = Source::parse(Path::new("configuration"), self.config.clone())?;
        Tournament::resolve_with(&source, Default::default(), register)
    }

    /// Checks that there are as many runs as `tournament` allows, and that their disqualified bots are among its
    /// bots.
    fn check_runs(&self, tournament: &Tournament) -> Result<(), Flaw> {
        let (runs, variants) = (self.runs.len(), tournament.variants.len());
        // Shards are merged only when they are finished.
        let may_go_on = !self.finished && !matches!(self.extent, Extent::Partial(_));
        ensure(runs <= variants, DO_NOT_FIT)?;
        ensure(may_go_on || self.finished && runs == variants, DO_NOT_FIT)?;
        let mut disqualified = self.runs.iter().flat_map(|run| &run.disqualified);
        let are_entered = disqualified.all(|(bot, _)| bot.index() < tournament.bots.len());
        ensure(are_entered, "disqualified bots are not among its bots")?;
        // A bot that is disqualified is out of the whole run, which a shard does not have.
        let may_disqualify = tournament.faults.limit().is_some() && matches!(self.extent, Extent::Whole);
        let is_complete = |run: &VariantRun| run.disqualified.is_empty() && !run.is_void;
        ensure(may_disqualify || self.runs.iter().all(is_complete), "disqualified bots are none that its faults allow")
    }

    /// Checks that the tallies of a variant have the shape and the numbers that fit `tournament`.
    fn check_shape(&self, tournament: &Tournament, variant: usize) -> Result<(), Flaw> {
        let run = &self.runs[variant];
        let all = self.extent.span(tournament.numbers);
        let empty = VariantRun::new(tournament, variant, all.start);
        ensure(run.start == all.start && (run.start..=all.end).contains(&run.next), DO_NOT_FIT)?;
        let mut played = run.next - run.start;
        if let Extent::Partial(_) = self.extent {
            // Tallies that lack shards were merged from finished shards, and have gaps.
            played = self.extent.ranges(tournament.numbers).iter().map(|range| range.end - range.start).sum();
        }
        let fits = run.tally.is_like(&empty.tally)
            && run.clocks.len() == empty.clocks.len()
            && run.faults.len() == empty.faults.len()
            && played.checked_sub(run.open.len() as u64) == Some(run.tally.blocks().count)
            && (!self.finished || run.open.is_empty())
            && is_open_part(run, tournament.schedules[variant].games_with_copies());
        ensure(fits, DO_NOT_FIT)
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
        let (theirs, own, remedy) = match ConfigDifference::of(&self.config, &config) {
            None => return Ok(Kin::Same),
            Some(ConfigDifference::Program(bot)) => return Err(KinError::ChangedProgram(bot)),
            Some(ConfigDifference::Line { theirs, own, remedy }) => (theirs, own, remedy),
        };
        let Ok(mut of_length) = self.tournament_with(&tournament.register) else {
            return Err(KinError::OtherRun { theirs, own, remedy });
        };
        let is_shorter = of_length.numbers < tournament.numbers;
        of_length.numbers = tournament.numbers;
        // A run may get longer, so the number of deals is no reason if anything else differs.
        if let Some(ConfigDifference::Line { theirs, own, remedy }) =
            ConfigDifference::of(&of_length.to_toml(), &config)
        {
            return Err(KinError::OtherRun { theirs, own, remedy });
        }
        match extent {
            _ if !is_shorter => Err(KinError::Longer { theirs, own }),
            Extent::Whole => Ok(Kin::Shorter),
            _ => Err(KinError::ShorterPart { theirs, own, extent: extent.clone() }),
        }
    }
}

/// Returns whether the open numbers are in the run and sorted, and their games exist.
fn is_open_part(run: &VariantRun, games: usize) -> bool {
    let pairs = run.tally.swings().pairs();
    let is_possible = |open: &OpenNumber| {
        (run.start..run.next).contains(&open.number)
            && !open.left.is_empty()
            && open.left.iter().all(|&game| (game as usize) < games)
            && open.left.is_sorted_by(|one, other| one < other)
            && (open.margins.is_empty() || open.margins.len() == pairs)
    };
    run.open.iter().all(is_possible) && run.open.is_sorted_by(|one, other| one.number < other.number)
}

#[cfg(test)]
mod tests {
    use overtrick_strategy::ids::BotId;

    use super::*;
    use crate::Shard;

    fn tournament(more: &str) -> Tournament {
        let bots = "[[bots]]\nname = \"a\"\nstrategy = \"random\"\n[[bots]]\nname = \"b\"\nstrategy = \"random\"\n";
        let text = format!("seed = 1\nformat = \"duel\"\nvariants = [\"double-dummy\"]\n{more}\n{bots}");
        Tournament::resolve(&Source::parse(Path::new("t.toml"), text).unwrap(), Default::default()).unwrap()
    }

    #[test]
    fn open_numbers_are_of_the_run_in_order_and_have_games_left() {
        let tournament = tournament("deals = 20");
        let games = tournament.schedules[0].games_a_number();
        let is_open_part = |open: &[(u64, &[u32])]| {
            let mut run = VariantRun::new(&tournament, 0, 3);
            run.next = 9;
            for &(number, left) in open {
                run.open.push(OpenNumber::new(number, left.to_vec(), Default::default(), Default::default()));
            }
            super::is_open_part(&run, games)
        };
        let last = games as u32 - 1;
        let possible: [&[(u64, &[u32])]; 3] = [&[], &[(3, &[0])], &[(3, &[last]), (8, &[0, last])]];
        for open in possible {
            assert!(is_open_part(open), "{open:?}");
        }
        // Before the run, after it, no game, no such game, a game twice, games out of order, numbers out of order or
        // twice.
        let impossible: [&[(u64, &[u32])]; 8] = [
            &[(2, &[0])],
            &[(9, &[0])],
            &[(3, &[])],
            &[(3, &[last + 1])],
            &[(3, &[0, 0])],
            &[(3, &[last, 0])],
            &[(4, &[0]), (3, &[0])],
            &[(3, &[0]), (3, &[0])],
        ];
        for open in impossible {
            assert!(!is_open_part(open), "{open:?}");
        }
    }

    #[test]
    fn disqualified_bots_are_bots_of_a_whole_run_whose_faults_allow_it() {
        let flaw = |tournament: &Tournament, extent: Extent, bot: usize| {
            let mut run = VariantRun::new(tournament, 0, 0);
            run.disqualified.push((BotId::new(bot), run.faults[0].clone()));
            let snapshot = Snapshot::finished(tournament.to_toml(), extent, vec![run]);
            snapshot.check_runs(tournament).err()
        };
        let shard = Extent::Shard(Shard { number: 1, of: 2 });
        let strict = tournament("deals = 20\nfaults = { policy = \"disqualify\", limit = 3 }");
        let not_allowed = Some("disqualified bots are none that its faults allow");
        assert_eq!(flaw(&strict, Extent::Whole, 1), None);
        assert_eq!(flaw(&strict, Extent::Whole, 2), Some("disqualified bots are not among its bots"));
        assert_eq!(flaw(&strict, shard, 1), not_allowed);
        assert_eq!(flaw(&tournament("deals = 20"), Extent::Whole, 1), not_allowed);
    }

    /// Changes a sound snapshot of 20 deals, and returns what is wrong with it then.
    fn flaw_of(extent: Extent, is_finished: bool, change: impl FnOnce(&mut Snapshot)) -> Option<Flaw> {
        let tournament = tournament("deals = 20");
        let whole = crate::Run::new(tournament.clone()).threads(1).play().unwrap();
        let mut snapshot = Snapshot::finished(tournament.to_toml(), extent, whole.runs);
        snapshot.finished = is_finished;
        change(&mut snapshot);
        snapshot.check_runs(&tournament).and_then(|()| snapshot.check_shape(&tournament, 0)).err()
    }

    #[test]
    fn snapshots_have_the_numbers_and_shapes_of_their_run() {
        let open = |number| OpenNumber::new(number, vec![0], Default::default(), Default::default());
        let whole = |is_finished, change: fn(&mut Snapshot)| flaw_of(Extent::Whole, is_finished, change);
        for is_finished in [true, false] {
            assert_eq!(whole(is_finished, |_| ()), None);
            let fits_not = Some(DO_NOT_FIT);
            assert_eq!(whole(is_finished, |snapshot| snapshot.runs[0].start = 1), fits_not);
            assert_eq!(whole(is_finished, |snapshot| snapshot.runs[0].next = 21), fits_not);
            assert_eq!(whole(is_finished, |snapshot| snapshot.runs[0].next = 19), fits_not);
            assert_eq!(whole(is_finished, |snapshot| drop(snapshot.runs[0].faults.pop())), fits_not);
            assert_eq!(whole(is_finished, |snapshot| drop(snapshot.runs[0].clocks.pop())), fits_not);
            assert_eq!(whole(is_finished, |snapshot| snapshot.runs.push(snapshot.runs[0].clone())), fits_not);
        }
        // An open number is not counted yet, and a finished run has none.
        assert_eq!(flaw_of(Extent::Whole, false, |snapshot| snapshot.runs[0].open.push(open(19))), Some(DO_NOT_FIT));
        let less = |is_finished| {
            flaw_of(Extent::Whole, is_finished, |snapshot| {
                let tournament = tournament("deals = 20");
                let shorter = crate::Run::new(self::tournament("deals = 19")).threads(1).play().unwrap();
                snapshot.runs[0] = shorter.runs[0].clone();
                snapshot.runs[0].next = 20;
                assert!(snapshot.check_shape(&tournament, 0).is_err(), "a number is neither counted nor open");
                snapshot.runs[0].open.push(open(19));
            })
        };
        assert_eq!((less(false), less(true)), (None, Some(DO_NOT_FIT)));
        // No run of a finished snapshot may be missing.
        assert_eq!((flaw_of_runs(true), flaw_of_runs(false)), (Some(DO_NOT_FIT), None));
    }

    /// Returns what is wrong with a snapshot that has no runs yet.
    fn flaw_of_runs(is_finished: bool) -> Option<Flaw> {
        let tournament = tournament("deals = 20");
        let mut snapshot = Snapshot::finished(tournament.to_toml(), Extent::Whole, Vec::new());
        snapshot.finished = is_finished;
        snapshot.check_runs(&tournament).err()
    }
}
