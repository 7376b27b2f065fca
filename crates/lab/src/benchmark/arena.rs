//! Plays the duels of a benchmark, whole or in part.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use overtrick_run::{Observer, Run, Threads};
use overtrick_strategies::{Bot, Register};
use overtrick_toml::InputError;
use overtrick_tournament::{Control, Format, Secret, Tournament, VariantRun};

use super::definition::{BenchmarkDefinition, FrozenBot};
use super::duel_sums::{DuelObserver, DuelSums};
use super::progress::BenchmarkProgress;

/// The means to watch a benchmark from outside and to stop it.
#[derive(Debug, Default)]
pub struct BenchmarkControl {
    /// Set to stop; what is in progress is then discarded.
    pub stop: Arc<AtomicBool>,
    /// The number of games played so far.
    pub games: AtomicU64,
}

impl BenchmarkControl {
    fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// A bot on the deals of a benchmark.
pub struct BenchmarkPlay<'a> {
    /// The benchmark.
    pub definition: &'a BenchmarkDefinition,
    /// The bot.
    pub bot: &'a Bot,
    /// The secret of a round, which the cards then follow from in addition to the seed.
    pub secret: Option<Secret>,
    /// The games and strategies.
    pub register: &'a Register,
}

/// The threads on which duels are played.
pub struct BenchmarkArena<'a> {
    /// The threads.
    pub threads: &'a Threads,
    /// The control.
    pub control: &'a BenchmarkControl,
    /// Called with the number of games played so far, about once a second.
    pub on_games: &'a dyn Fn(u64),
}

/// A duel with the numbers of its deals.
struct NumberedDuel {
    tournament: Tournament,
    first: u64,
}

impl BenchmarkPlay<'_> {
    /// Returns the number of deals in a part of a duel with a reference.
    pub(super) fn part_length(&self, reference: &FrozenBot) -> u64 {
        reference.deals / self.definition.parts
    }

    /// Returns the duel in a variant with a reference, over some of its parts.
    fn duel(&self, variant: usize, reference: usize, parts: &Range<u64>) -> NumberedDuel {
        let reference = &self.definition.references[reference];
        let length = self.part_length(reference);
        let numbers = reference.first + parts.start * length..reference.first + parts.end * length;
        let bots = vec![self.bot.clone(), reference.bot.clone()];
        let mut duel = duel(self.definition, variant, numbers, bots, self.register);
        duel.tournament.secret = self.secret;
        duel
    }
}

/// Returns a duel in a variant of a benchmark, on deals with these numbers.
fn duel(
    definition: &BenchmarkDefinition,
    variant: usize,
    numbers: Range<u64>,
    bots: Vec<Bot>,
    register: &Register,
) -> NumberedDuel {
    let variant = definition.variants[variant].clone();
    let tournament = Tournament::of(definition.seed, Format::Duel, numbers.end, variant, bots, register);
    NumberedDuel { tournament: tournament.expect("a duel has two bots"), first: numbers.start }
}

impl BenchmarkArena<'_> {
    /// Plays all duels of a bot that are left, and calls `save` after each; `false` if it was stopped.
    ///
    /// # Errors
    /// If a bot cannot play, or the error of `save`.
    pub fn play_all(
        &self,
        play: &BenchmarkPlay<'_>,
        progress: &mut BenchmarkProgress,
        save: &dyn Fn(&BenchmarkProgress) -> Result<(), InputError>,
    ) -> Result<bool, InputError> {
        self.control.games.store(progress.games(play.definition), Ordering::Relaxed);
        for (variant, reference) in play.definition.duels().skip(progress.duels.len()) {
            let Some(sums) = self.play(play, variant, reference, 0..play.definition.parts)? else { return Ok(false) };
            progress.duels.push(sums);
            save(progress)?;
        }
        Ok(true)
    }

    /// Plays some parts of a duel; `None` if it was stopped.
    ///
    /// # Errors
    /// If a bot cannot play.
    pub fn play(
        &self,
        play: &BenchmarkPlay<'_>,
        variant: usize,
        reference: usize,
        parts: Range<u64>,
    ) -> Result<Option<DuelSums>, InputError> {
        let duel = play.duel(variant, reference, &parts);
        let length = play.part_length(&play.definition.references[reference]);
        let mut count = |games| {
            let before = self.control.games.fetch_add(games, Ordering::Relaxed);
            (self.on_games)(before + games);
        };
        let mut observer = DuelObserver::new(duel.first, length, parts.end - parts.start, &mut count);
        let Some(run) = self.run(duel, &mut observer)? else { return Ok(None) };
        Ok(Some(DuelSums {
            variant: play.definition.variants[variant].name.clone(),
            reference: play.definition.references[reference].bot.name.clone(),
            faults: run.faults[0].count(),
            margins: observer.margins,
            ahead: observer.ahead,
        }))
    }

    /// Plays the calibration of a reference in a variant with another bot; `false` if it was stopped.
    pub(super) fn calibrate(
        &self,
        definition: &BenchmarkDefinition,
        variant: usize,
        [reference, other]: [&FrozenBot; 2],
        observer: &mut dyn Observer,
    ) -> Result<bool, InputError> {
        let bots = vec![reference.bot.clone(), other.bot.clone()];
        let duel = duel(definition, variant, 0..reference.calibration, bots, &Register::default());
        Ok(self.run(duel, observer)?.is_some())
    }

    /// Plays a duel in view of an observer; `None` if it was stopped.
    fn run(&self, duel: NumberedDuel, observer: &mut dyn Observer) -> Result<Option<VariantRun>, InputError> {
        if self.control.is_stopped() {
            return Ok(None);
        }
        let NumberedDuel { tournament, first } = duel;
        let mut control = Control::new(tournament.bots.len(), None);
        control.stop = Arc::clone(&self.control.stop);
        let begun = vec![VariantRun::new(&tournament, 0, first)];
        let run = Run::new(tournament).on(self.threads).control(Arc::new(control)).resume(begun).observer(observer);
        let mut outcome = run.play()?;
        Ok(outcome.is_finished.then(|| outcome.runs.swap_remove(0)))
    }
}
