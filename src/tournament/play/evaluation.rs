//! Plays a few deals from code, without the threads, files and reports of a run.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::engine::Engine;
use super::fault_book::FaultBook;
use super::roster::Roster;
use super::scheduled::Scheduled;
use super::sink::ResultSink;
use super::source::{Counter, DealSource};
use crate::game::{FieldError, FullGame};
use crate::games::{Variant, Visitor};
use crate::strategies::Bot;
use crate::toml_source::InputError;
use crate::tournament::{FaultPolicy, Faults, Numbers, Schedule, Seeds, Unit};

/// The deals to play: variant, bots and seed. They are the deals that a run of this variant, unit and seed plays under
/// the same numbers.
///
/// ```
/// use overtrick::game::FullGame;
/// use overtrick::games::Variant;
/// use overtrick::strategies::{Bot, Register};
/// use overtrick::tournament::{Evaluation, PlayedDeal, ResultSink, Schedule, Unit, Window};
///
/// /// By how much the first bot is ahead of the second, over all deals.
/// #[derive(Default)]
/// struct Ahead(i32);
///
/// impl ResultSink for Ahead {
///     fn add<G: FullGame>(&mut self, deal: &PlayedDeal<'_, G>) {
///         for (bot, score) in deal.bots.of(2).iter().zip(deal.scores.of(2)) {
///             self.0 += if bot.index() == 0 { *score } else { -score };
///         }
///     }
/// }
///
/// let variant = Variant::preset("humbug")?;
/// let register = Register::default();
/// let bots = [Bot::find("rule-based", &[], &register)??, Bot::find("random", &[], &register)??];
/// let schedule = Schedule::listed(&[vec![0, 1]], 2).unwrap();
/// let evaluation = Evaluation { variant: &variant, unit: Unit::Deal, seed: 1, bots: &bots, schedule: &schedule };
/// let mut ahead = Ahead::default();
/// evaluation.player()?.play(Window::Search.numbers(0..200), &mut ahead);
/// assert!(ahead.0 > 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Evaluation<'a> {
    /// The variant.
    pub variant: &'a Variant,
    /// Whether single deals or matches are played.
    pub unit: Unit,
    /// The master seed.
    pub seed: u64,
    /// The bots, which the schedule names by id.
    pub bots: &'a [Bot],
    /// The line-ups and seatings.
    pub schedule: &'a Schedule,
}

/// The bots of an evaluation, ready to play on the calling thread. Those outside of the process stay the same processes
/// from call to call.
pub trait EvaluationPlayer<S: ResultSink> {
    /// Plays all games of these numbers into `sink`, and gives the faults of each bot; after a fault a random legal
    /// move is made.
    fn play(&mut self, numbers: Numbers, sink: &mut S) -> Vec<Faults>;
}

impl<'a> Evaluation<'a> {
    /// Builds the strategies.
    ///
    /// # Errors
    /// If a bot does not play the variant: the parameter to blame, if one is.
    pub fn player<S: ResultSink>(self) -> Result<Box<dyn EvaluationPlayer<S> + 'a>, FieldError> {
        self.open(&Arc::default())
    }

    /// The same for a player that ends within a moment once `stop` is set; what it has played then means nothing. The
    /// error names the variant.
    pub(crate) fn player_until<S: ResultSink>(
        self,
        stop: &Arc<AtomicBool>,
    ) -> Result<Box<dyn EvaluationPlayer<S> + 'a>, InputError> {
        let variant = &self.variant.name;
        self.open(stop).map_err(|error| {
            let key = if error.key.is_empty() { String::new() } else { format!("`{}` ", error.key) };
            InputError::plain(format!("{variant}: {key}{}", error.problem))
        })
    }

    fn open<S: ResultSink>(self, stop: &Arc<AtomicBool>) -> Result<Box<dyn EvaluationPlayer<S> + 'a>, FieldError> {
        let stop = Arc::clone(stop);
        self.variant.game.visit(Open { evaluation: self, stop, sink: std::marker::PhantomData })
    }
}

struct Open<'a, S> {
    evaluation: Evaluation<'a>,
    stop: Arc<AtomicBool>,
    sink: std::marker::PhantomData<S>,
}

impl<'a, S: ResultSink> Visitor for Open<'a, S> {
    type Output = Result<Box<dyn EvaluationPlayer<S> + 'a>, FieldError>;

    fn visit<G: FullGame>(self, game: &Arc<G>) -> Self::Output {
        let Evaluation { variant, unit, seed, bots, schedule } = self.evaluation;
        let stop = self.stop;
        let engine = Engine::new(Roster::new(bots, variant, 1, &stop, None).strategies(0)?);
        let seeds = Arc::new(Seeds::new(seed, &variant.name, game.as_ref(), unit));
        Ok(Box::new(Player { game: Arc::clone(game), variant, bots: bots.len(), schedule, seeds, engine, stop }))
    }
}

struct Player<'a, G: FullGame> {
    game: Arc<G>,
    variant: &'a Variant,
    bots: usize,
    schedule: &'a Schedule,
    seeds: Arc<Seeds>,
    engine: Engine<G>,
    stop: Arc<AtomicBool>,
}

impl<G: FullGame, S: ResultSink> EvaluationPlayer<S> for Player<'_, G> {
    fn play(&mut self, numbers: Numbers, sink: &mut S) -> Vec<Faults> {
        let counter = Arc::new(Counter::default());
        let range = numbers.absolute();
        // All in one chunk: nobody else takes any.
        let chunk = (range.end - range.start).max(1);
        counter.set(range, chunk, u64::MAX);
        let source = DealSource::new(Arc::clone(&self.seeds), self.schedule, counter);
        let faults = FaultBook::new(FaultPolicy::default(), self.bots);
        let mut games = Scheduled::new(&self.variant.name, source, sink, faults);
        self.engine.play(&self.game, &mut games, &self.stop);
        games.faults.take()
    }
}
