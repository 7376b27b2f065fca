//! Plays a tournament, variant by variant, segment by segment.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use overtrick_stats::{Results, look, next_look};
use overtrick_toml::InputError;
use overtrick_tournament::{Control, Tournament, Unit, VariantRun, player};

use super::segments::Lengths;
use super::{Extent, Observer, Segments, Shard, SoFar, Threads};

/// The most deals of a segment if observers want to see them.
///
/// In matches the number is approximate, since their length is not known. Segments of this size take little
/// memory, and threads rarely wait for each other.
const KEPT: u64 = 1 << 16;
/// The least length of a segment whose games must be spread over processes and that cannot be broken off.
const SPREAD: u64 = 1 << 10;
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
        if !is_finished && runs.iter().any(|ran| ran.next > ran.start) {
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
            let stopped = self.is_stopped();
            let ran = &mut self.runs[variant];
            let Some(bot) = ran.beyond_limit(&self.tournament).filter(|_| !stopped) else {
                return Ok(());
            };
            self.control.take_back(ran.games(&self.tournament.schedules[variant]));
            ran.disqualify(&mut self.tournament, variant, bot);
        }
    }

    /// Continues a variant until it ends or a bot has too many faults.
    fn play_segments(&mut self, variant: usize, threads: &Threads) -> Result<(), InputError> {
        let Run { tournament, extent, runs, segments, control, observers, .. } = self;
        let (tournament, extent, end) = (&*tournament, &*extent, extent.span(tournament.numbers).end);
        observers.iter_mut().for_each(|observer| observer.variant_begins(tournament, variant));
        let (before, now) = runs.split_at_mut(variant);
        // A run that resumes one with fewer numbers may also have results of later variants.
        let (ran, after) = now.split_first_mut().expect("the variant was there, or has just been added");
        let mut lengths = Lengths::new(*segments, ran, threads.count() as u64);
        let keeps_deals = observers.iter().any(|observer| observer.wants_deals());
        let most = if keeps_deals { most_numbers(tournament, variant) } else { u64::MAX };
        // Deals are passed on in order, and the first faults decide on disqualification: both need whole numbers.
        let breaks_off = !keeps_deals && tournament.faults.limit().is_none();
        // If it may break off, a run with external bots need not know in advance how far it gets.
        let is_spread = tournament.has_processes();
        let mut player = player(tournament, variant, threads.pool(), control, ran, keeps_deals);
        loop {
            let done = ran.next - ran.start;
            let has_rule = tournament.stop.is_some();
            // Rules are checked at fixed looks only, so that the end of a run depends on its deals alone.
            let is_look = has_rule && done > 0 && next_look(done - 1) == done && ran.open.is_empty();
            if ran.is_void || ran.beyond_limit(tournament).is_some() || ran.next == end && ran.open.is_empty() {
                return Ok(());
            }
            if is_look {
                let (look, is_met) = look(tournament, variant, &ran.tally);
                // A run that was interrupted here may already have the look.
                if ran.looks.last().is_none_or(|last| last.blocks < look.blocks) {
                    ran.looks.push(look);
                }
                if is_met {
                    return Ok(());
                }
            }
            let length = lengths.after(ran.next, ran.wall).min(most);
            let length = match (is_spread, breaks_off) {
                (false, _) => length,
                (true, true) => u64::MAX,
                // Only a few numbers at first, since a bot that fails at everything takes long.
                (true, false) if ran.next == ran.start => length,
                (true, false) => length.max(SPREAD.min(most)),
            };
            let segment = end.min(ran.next.saturating_add(length));
            // Open numbers belong to the next look.
            let goal = next_look(if ran.open.is_empty() { done } else { done - 1 });
            let segment = if has_rule { segment.min(ran.start + goal) } else { segment };
            if !player.play_to(segment, breaks_off, ran) {
                return Ok(());
            }
            if !observers.is_empty() {
                let all: Vec<&VariantRun> = before.iter().chain([&*ran]).chain(&*after).collect();
                let so_far = SoFar { tournament, extent, variant, runs: &all };
                if keeps_deals {
                    let deals = player.take_deals();
                    let mut wanting = observers.iter_mut().filter(|observer| observer.wants_deals());
                    wanting.try_for_each(|observer| observer.deals(&so_far, &deals))?;
                }
                observers.iter_mut().try_for_each(|observer| observer.segment_ends(&so_far))?;
                if !observers.iter_mut().all(|observer| observer.may_go_on(&so_far)) {
                    control.stop.store(true, Ordering::Relaxed);
                    return Ok(());
                }
            }
        }
    }
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
    let games: u64 = tournament.schedules.iter().map(|schedule| schedule.games_a_number() as u64).sum();
    games * (numbers.end - numbers.start)
}

/// Returns the most numbers of a segment whose deals are kept.
fn most_numbers(tournament: &Tournament, variant: usize) -> u64 {
    let games = tournament.schedules[variant].games_a_number() as u64;
    match tournament.unit {
        Unit::Deal => (KEPT / games).max(1),
        Unit::Match => (KEPT / DEALS_OF_MATCH / games).max(1),
    }
}

/// Returns the number of games in `runs`.
fn games_done(tournament: &Tournament, runs: &[VariantRun]) -> u64 {
    runs.iter().zip(&tournament.schedules).map(|(ran, schedule)| ran.games(schedule)).sum()
}
