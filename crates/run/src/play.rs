//! Plays a tournament, variant by variant, segment by segment.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use overtrick_stats::{Results, is_look, look, next_look};
use overtrick_toml::InputError;
use overtrick_tournament::{Control, LoggedDeal, PlayOptions, Tournament, Unit, VariantRun, player};

use super::segments::SegmentPlanner;
use super::{Extent, Observer, Segments, Shard, SoFar, Threads};

/// The most deals of a segment if observers want to see them.
///
/// In matches the number is approximate, since their length is not known. Segments of this size take little
/// memory, and threads rarely wait for each other.
const MOST_KEPT_DEALS: u64 = 1 << 16;
/// The approximate number of deals in a match.
const DEALS_OF_MATCH: u64 = 16;

/// A tournament with the settings for playing it.
pub struct Run<'a> {
    tournament: Tournament,
    extent: Extent,
    runs: Vec<VariantRun>,
    /// The threads; `None` until they are needed.
    threads: Option<Threads>,
    /// The number of threads to start; one for each core if `None`.
    count: Option<usize>,
    segments: Segments,
    control: Arc<Control>,
    observers: Vec<&'a mut dyn Observer>,
}

/// The results of a run.
#[derive(Clone)]
#[non_exhaustive]
pub struct RunOutcome {
    /// The tournament, without the bots that were disqualified.
    pub tournament: Tournament,
    /// The numbers that the run covers.
    pub extent: Extent,
    /// Whether everything was played; if not, the run was interrupted.
    pub is_finished: bool,
    /// The results so far, by variant. [`Run::resume`] continues from here.
    pub runs: Vec<VariantRun>,
}

impl RunOutcome {
    /// Returns the results of a run that was played elsewhere, or in parts.
    pub fn new(tournament: Tournament, extent: Extent, is_finished: bool, runs: Vec<VariantRun>) -> RunOutcome {
        RunOutcome { tournament, extent, is_finished, runs }
    }
}

impl<'a> Run<'a> {
    /// Returns a run of a whole tournament, with a thread for each core and no observers.
    pub fn new(tournament: Tournament) -> Run<'a> {
        let control = Arc::new(Control::new(tournament.bots.len(), None));
        Run {
            tournament,
            extent: Extent::Whole,
            runs: Vec::new(),
            threads: None,
            count: None,
            segments: Segments::default(),
            control,
            observers: Vec::new(),
        }
    }

    /// Sets the number of threads to start for this run, at least one. Results do not depend on it.
    pub fn threads(self, count: usize) -> Run<'a> {
        Run { threads: None, count: Some(count), ..self }
    }

    /// Plays on existing threads, which saves starting them for each of many short runs.
    pub fn on(self, threads: &Threads) -> Run<'a> {
        Run { threads: Some(threads.clone()), ..self }
    }

    /// Plays only a part of the numbers.
    ///
    /// Rules that stop a run early or disqualify bots judge the part by itself. A run with such rules should
    /// not be cut into shards.
    pub fn shard(self, shard: Shard) -> Run<'a> {
        Run { extent: Extent::Shard(shard), ..self }
    }

    /// Sets the length of the segments.
    pub fn segments(self, segments: Segments) -> Run<'a> {
        Run { segments, ..self }
    }

    /// Continues from `runs`, the results of an earlier run of the same tournament or shard, or of one with
    /// fewer numbers.
    ///
    /// [`Snapshot::kin`](super::Snapshot::kin) checks that. Bots that it disqualified stay out.
    pub fn resume(mut self, runs: Vec<VariantRun>) -> Run<'a> {
        VariantRun::drop_disqualified(&runs, &mut self.tournament);
        Run { runs, ..self }
    }

    /// Lets other threads control the run through `control`, which must be made for this run alone.
    ///
    /// Its `stop` ends the run within a moment.
    pub fn control(self, control: Arc<Control>) -> Run<'a> {
        Run { control, ..self }
    }

    /// Adds an observer, which is called after those added before.
    pub fn observer(mut self, observer: &'a mut dyn Observer) -> Run<'a> {
        self.observers.push(observer);
        self
    }

    /// Returns the tournament, without the bots that were disqualified.
    pub fn tournament(&self) -> &Tournament {
        &self.tournament
    }

    /// Returns the number of games of the run if nothing stops it early, including games already played.
    pub fn games(&self) -> u64 {
        games(&self.tournament, &self.extent)
    }

    /// Returns the number of games already played.
    pub fn games_done(&self) -> u64 {
        games_done(&self.tournament, &self.runs)
    }

    /// Plays all remaining games.
    ///
    /// A variant ends at its last number, at a stopping rule, or at a stop by `control` or an observer. A
    /// variant in which a bot has too many faults is played again without that bot.
    ///
    /// # Errors
    /// If no threads can be started, or the error of an observer.
    pub fn play(mut self) -> Result<RunOutcome, InputError> {
        let threads = self.started()?;
        self.control.add_games(self.games_done());
        let mut last = 0;
        for variant in 0..self.tournament.variants.len() {
            if self.is_stopped() {
                break;
            }
            last = variant;
            self.play_variant(variant, &threads)?;
        }
        let is_finished = !self.is_stopped();
        let Run { tournament, extent, runs, mut observers, .. } = self;
        if !is_finished && runs.iter().any(|run| run.next > run.start) {
            let all: Vec<&VariantRun> = runs.iter().collect();
            let so_far = SoFar { tournament: &tournament, extent: &extent, variant: last, runs: &all };
            observers.iter_mut().try_for_each(|observer| observer.interrupted(&so_far))?;
        }
        Ok(RunOutcome { tournament, extent, is_finished, runs })
    }

    /// Returns the threads of the run, and starts them first if necessary.
    fn started(&self) -> Result<Threads, InputError> {
        match (&self.threads, self.count) {
            (Some(threads), _) => Ok(threads.clone()),
            (None, Some(count)) => Threads::new(count),
            (None, None) => Threads::all(),
        }
    }

    fn is_stopped(&self) -> bool {
        self.control.stop.load(Ordering::Relaxed)
    }

    /// Continues a variant. If a bot is disqualified, plays the whole variant again without that bot.
    fn play_variant(&mut self, variant: usize, threads: &Threads) -> Result<(), InputError> {
        if self.runs.len() == variant {
            let start = self.extent.span(self.tournament.numbers).start;
            self.runs.push(VariantRun::new(&self.tournament, variant, start));
        }
        loop {
            self.play_segments(variant, threads)?;
            if self.is_stopped() {
                return Ok(());
            }
            let run = &mut self.runs[variant];
            let Some(bot) = run.beyond_limit(&self.tournament) else { return Ok(()) };
            self.control.take_back(run.games(&self.tournament.schedules[variant]));
            run.disqualify(&mut self.tournament, variant, bot);
        }
    }

    /// Continues a variant until it ends or a bot has too many faults.
    fn play_segments(&mut self, variant: usize, threads: &Threads) -> Result<(), InputError> {
        let Run { tournament, extent, runs, segments, control, observers, .. } = self;
        let (tournament, extent, end) = (&*tournament, &*extent, extent.span(tournament.numbers).end);
        observers.iter_mut().for_each(|observer| observer.variant_begins(tournament, variant));
        let (before, now) = runs.split_at_mut(variant);
        // A run that resumes one with fewer numbers may also have results of later variants.
        let (run, after) = now.split_first_mut().expect("the variant was there, or has just been added");
        let keeps_deals = observers.iter().any(|observer| observer.wants_deals());
        let mut planner = SegmentPlanner::new(*segments, threads.count() as u64, run.next, run.wall);
        planner.is_spread = tournament.has_external_bots();
        // Deals are passed on in order, and the first faults decide on disqualification: both need whole numbers.
        planner.breaks_off = !keeps_deals && tournament.faults.limit().is_none();
        if keeps_deals {
            planner.most = most_numbers(tournament, variant);
        }
        let options = PlayOptions { keeps_deals, plays_all: threads.plays_all() };
        let mut player = player(tournament, variant, threads.pool(), control, run, options);
        while !is_over(tournament, run, end) && !take_due_look(tournament, variant, run) {
            let target = next_target(tournament, run, end, planner.next_length(run));
            if !player.play_to(target, planner.breaks_off, run) {
                return Ok(());
            }
            if observers.is_empty() {
                continue;
            }
            let deals = if keeps_deals { player.take_deals() } else { Vec::new() };
            let all: Vec<&VariantRun> = before.iter().chain([&*run]).chain(&*after).collect();
            if !notify(observers, &SoFar { tournament, extent, variant, runs: &all }, &deals)? {
                control.stop.store(true, Ordering::Relaxed);
                return Ok(());
            }
        }
        Ok(())
    }
}

/// Returns whether nothing of a variant is left to play before number `end`, or a bot has too many faults.
fn is_over(tournament: &Tournament, run: &VariantRun, end: u64) -> bool {
    run.is_void || run.beyond_limit(tournament).is_some() || run.next == end && run.open.is_empty()
}

/// Takes the look that is due, if one is, and records it. Returns whether a stopping rule is met.
///
/// Rules are checked at fixed looks only, so that the end of a run depends on its deals alone.
fn take_due_look(tournament: &Tournament, variant: usize, run: &mut VariantRun) -> bool {
    if tournament.stop.is_none() || !run.open.is_empty() || !is_look(run.next - run.start) {
        return false;
    }
    let (look, is_met) = look(tournament, variant, &run.tally);
    // A run that was interrupted here may already have the look.
    if run.looks.last().is_none_or(|last| last.blocks < look.blocks) {
        run.looks.push(look);
    }
    is_met
}

/// Returns the number before which the next segment of about `length` numbers ends.
fn next_target(tournament: &Tournament, run: &VariantRun, end: u64, length: u64) -> u64 {
    let target = end.min(run.next.saturating_add(length));
    if tournament.stop.is_none() {
        return target;
    }
    let done = run.next - run.start;
    // Open numbers belong to the next look.
    target.min(run.start + next_look(if run.open.is_empty() { done } else { done - 1 }))
}

/// Passes the state of the run and the deals of the segment to the observers; returns whether it may go on.
fn notify(observers: &mut [&mut dyn Observer], so_far: &SoFar<'_>, deals: &[LoggedDeal]) -> Result<bool, InputError> {
    let mut wanting = observers.iter_mut().filter(|observer| observer.wants_deals());
    wanting.try_for_each(|observer| observer.deals(so_far, deals))?;
    observers.iter_mut().try_for_each(|observer| observer.segment_ends(so_far))?;
    Ok(observers.iter_mut().all(|observer| observer.may_go_on(so_far)))
}

impl RunOutcome {
    /// Computes the tables of results.
    pub fn results(&self) -> Results {
        let mut results = Results::of_runs(&self.tournament, &self.runs);
        results.notes.extend(self.extent.note(self.tournament.numbers, self.tournament.unit));
        results
    }

    /// Returns the number of games that the run would have had without an early stop.
    pub fn games(&self) -> u64 {
        games(&self.tournament, &self.extent)
    }

    /// Returns the number of games that were played.
    pub fn games_done(&self) -> u64 {
        games_done(&self.tournament, &self.runs)
    }
}

/// Returns the number of games of a tournament among the numbers of `extent`.
fn games(tournament: &Tournament, extent: &Extent) -> u64 {
    let numbers = extent.span(tournament.numbers);
    let games: u64 = tournament.schedules.iter().map(|schedule| schedule.games_with_copies() as u64).sum();
    games * (numbers.end - numbers.start)
}

/// Returns the most numbers of a segment whose deals are kept.
fn most_numbers(tournament: &Tournament, variant: usize) -> u64 {
    let games = tournament.schedules[variant].games_with_copies() as u64;
    let deals = if tournament.unit == Unit::Match { DEALS_OF_MATCH } else { 1 };
    (MOST_KEPT_DEALS / deals / games).max(1)
}

/// Returns the number of games in `runs`.
fn games_done(tournament: &Tournament, runs: &[VariantRun]) -> u64 {
    runs.iter().zip(&tournament.schedules).map(|(run, schedule)| run.games(schedule)).sum()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use overtrick_toml::Source;
    use overtrick_tournament::OpenNumber;

    use super::*;
    use crate::Snapshot;

    /// An observer that notes where segments end, and stops the run after some of them.
    struct Stopper {
        ends: Vec<u64>,
        most: usize,
    }

    impl Observer for Stopper {
        fn may_go_on(&mut self, so_far: &SoFar<'_>) -> bool {
            self.ends.push(so_far.runs[0].next);
            self.ends.len() < self.most
        }
    }

    /// Makes a duel of 290 deals, each with two games.
    fn duel(more: &str) -> Tournament {
        let bots = r#"["random", { name = "other", strategy = "random" }]"#;
        let text =
            format!("seed = 5\nformat = \"duel\"\ndeals = 290\nvariants = [\"double-dummy\"]\nbots = {bots}\n{more}");
        Tournament::resolve(&Source::parse(Path::new("t.toml"), text).unwrap(), Default::default()).unwrap()
    }

    const NEVER: &str = "stop = { half-width = 0.0001 }";

    /// Goes on from `runs` in segments of this length, at most some of them.
    ///
    /// Returns the games that were done before, the outcome, and the ends of the segments.
    fn played(tournament: Tournament, runs: &[VariantRun], length: u64, most: usize) -> (u64, RunOutcome, Vec<u64>) {
        let mut stopper = Stopper { ends: Vec::new(), most };
        let run = Run::new(tournament).resume(runs.to_vec()).threads(1).segments(Segments::Of(length));
        let done = run.games_done();
        let outcome = run.observer(&mut stopper).play().unwrap();
        (done, outcome, stopper.ends)
    }

    #[test]
    fn segments_end_at_looks_and_a_run_goes_on_from_each() {
        let timeless = |outcome: RunOutcome| {
            Snapshot::finished(outcome.tournament.to_toml(), Extent::Whole, outcome.runs).timeless()
        };
        let (_, whole, ends) = played(duel(NEVER), &[], 100, usize::MAX);
        assert_eq!(ends, [100, 200, 256, 261, 266, 271, 276, 281, 286, 290]);
        let looks: Vec<u64> = whole.runs[0].looks.iter().map(|look| look.blocks).collect();
        assert_eq!(looks, ends[2..9]);
        assert_eq!((whole.is_finished, whole.games(), whole.games_done()), (true, 580, 580));
        let whole = timeless(whole);
        for most in 1..=5 {
            let (_, stopped, before) = played(duel(NEVER), &[], 100, most);
            assert_eq!((stopped.is_finished, before.as_slice()), (false, &ends[..most]));
            let games = 2 * before[most - 1];
            assert_eq!(stopped.games_done(), games);
            let (done, resumed, after) = played(duel(NEVER), &stopped.runs, 100, usize::MAX);
            assert_eq!((done, after.as_slice()), (games, &ends[most..]));
            assert!(timeless(resumed) == whole, "stopped after {most} segments");
        }
    }

    #[test]
    fn a_run_without_rules_that_stop_it_takes_no_looks() {
        let (_, whole, ends) = played(duel(""), &[], 64, usize::MAX);
        assert_eq!((ends, whole.runs[0].looks.len()), (vec![64, 128, 192, 256, 290], 0));
    }

    #[test]
    fn open_numbers_belong_to_the_look_that_follows_them() {
        let (plain, stopping) = (duel(""), duel(NEVER));
        for start in [0, 1000] {
            let mut run = VariantRun::new(&stopping, 0, start);
            run.next = start + 256;
            let target = |tournament, run: &VariantRun| next_target(tournament, run, 5000, 100) - start;
            assert_eq!((target(&stopping, &run), target(&plain, &run)), (261, 356));
            run.open.push(OpenNumber::new(start + 255, vec![0], Default::default(), Default::default()));
            assert_eq!((target(&stopping, &run), target(&plain, &run)), (256, 356));
        }
    }

    #[test]
    fn a_run_plays_on_the_threads_that_it_is_given() {
        let threads = Threads::new(3).unwrap().playing_all(true);
        let started = Run::new(duel("")).on(&threads).started().unwrap();
        assert_eq!((started.count(), started.plays_all()), (3, true));
        let started = Run::new(duel("")).on(&threads).threads(2).started().unwrap();
        assert_eq!((started.count(), started.plays_all()), (2, false));
    }

    /// An observer that counts how often it hears of an interruption.
    #[derive(Default)]
    struct Interruptions(usize);

    impl Observer for Interruptions {
        fn interrupted(&mut self, _: &SoFar<'_>) -> Result<(), InputError> {
            self.0 += 1;
            Ok(())
        }
    }

    #[test]
    fn an_interruption_is_one_only_after_a_deal() {
        let stopped = |runs: &[VariantRun]| {
            let mut interruptions = Interruptions::default();
            let run = Run::new(duel("")).resume(runs.to_vec()).threads(1);
            run.control.stop.store(true, Ordering::Relaxed);
            let outcome = run.observer(&mut interruptions).play().unwrap();
            assert!(!outcome.is_finished);
            interruptions.0
        };
        let (_, begun, _) = played(duel(""), &[], 100, 1);
        assert_eq!((stopped(&[]), stopped(&begun.runs)), (0, 1));
        let unplayed = VariantRun::new(&duel(""), 0, 0);
        assert_eq!(stopped(&[unplayed]), 0);
    }

    #[test]
    fn segments_keep_fewer_numbers_of_matches_than_of_deals() {
        let of = |more: &str| most_numbers(&duel(more), 0);
        assert_eq!(of(""), MOST_KEPT_DEALS / 2);
        let text = "seed = 5\nunit = \"match\"\nmatches = 10\nformat = \"duel\"\nvariants = [\"double-dummy\"]\n\
                    bots = [\"random\", \"rule-based\"]";
        let matches = Source::parse(Path::new("t.toml"), text.to_owned()).unwrap();
        let matches = Tournament::resolve(&matches, Default::default()).unwrap();
        assert_eq!(most_numbers(&matches, 0), MOST_KEPT_DEALS / DEALS_OF_MATCH / 2);
    }
}
