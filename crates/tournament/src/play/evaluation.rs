//! Plays deals from code, without the threads, files and reports of a run.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use overtrick_game::{FieldError, FullGame};
use overtrick_games::{Variant, Visitor};
use overtrick_strategies::Bot;
use overtrick_toml::InputError;

use super::engine::Engine;
use super::fault_book::FaultBook;
use super::roster::Roster;
use super::scheduled::Scheduled;
use super::sink::{ResultSink, ScoreSink, Scored};
use super::source::{DealSource, SharedNumbers};
use super::stems::Stems;
use crate::{FaultPolicy, Faults, Numbers, Schedule, Seeds, Unit};

/// The deals to play: variant, bots and seed.
///
/// They are the deals that a run of this variant, unit and seed plays under the same numbers.
///
/// ```
/// use overtrick_game::FullGame;
/// use overtrick_games::Variant;
/// use overtrick_strategies::{Bot, Register};
/// use overtrick_tournament::{Evaluation, PlayedDeal, ResultSink, Schedule, Unit, Window};
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
/// let (variant, plays_all) = (&variant, false);
/// let evaluation = Evaluation { variant, unit: Unit::Deal, seed: 1, bots: &bots, schedule: &schedule, plays_all };
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
    /// Whether every game is played by itself, and none together with others of its number. Results do not
    /// depend on it.
    pub plays_all: bool,
}

/// The bots of an evaluation, ready to play on the calling thread. External bots keep their processes from
/// call to call.
pub trait EvaluationPlayer<S: ResultSink> {
    /// Plays all games of these numbers into `sink`, and returns the faults of each bot. After a fault a
    /// random legal move is made.
    fn play(&mut self, numbers: Numbers, sink: &mut S) -> Vec<Faults>;
}

impl<'a> Evaluation<'a> {
    /// Builds the strategies.
    ///
    /// # Errors
    /// If a bot cannot play the variant. The error names the parameter that causes it, if any.
    pub fn player<S: ResultSink>(self) -> Result<Box<dyn EvaluationPlayer<S> + 'a>, FieldError> {
        self.variant.game.visit(EvaluationVisitor { evaluation: self, sink: std::marker::PhantomData })
    }

    /// Builds the strategies for a sink of scores. The player ends within a moment once `stop` is set, and
    /// its results are then invalid.
    ///
    /// # Errors
    /// If a bot cannot play the variant. The error names the variant, and the parameter that causes it, if
    /// any.
    pub fn score_player(self, stop: &Arc<AtomicBool>) -> Result<Box<dyn ScorePlayer + Send + 'a>, InputError> {
        self.audited_score_player(stop, 0.0)
    }

    /// Builds the strategies as [`score_player`](Evaluation::score_player) does, and audits external bots.
    ///
    /// A share `audit` of their decisions is asked again, of a process that has heard of no deal. Another answer is
    /// a fault.
    ///
    /// # Errors
    /// If a bot cannot play the variant.
    pub fn audited_score_player(
        self,
        stop: &Arc<AtomicBool>,
        audit: f64,
    ) -> Result<Box<dyn ScorePlayer + Send + 'a>, InputError> {
        let variant = &self.variant.name;
        let player = self.variant.game.visit(OpenForScores { evaluation: self, stop: Arc::clone(stop), audit });
        player.map_err(|error| {
            let key = if error.key.is_empty() { String::new() } else { format!("`{}` ", error.key) };
            InputError::plain(format!("{variant}: {key}{}", error.problem))
        })
    }
}

/// The bots of an evaluation, as in [`EvaluationPlayer`], for any sink of scores.
pub trait ScorePlayer {
    /// Plays all games of these numbers into `sink`, and returns the faults of each bot. After a fault a
    /// random legal move is made.
    fn play(&mut self, numbers: Numbers, sink: &mut dyn ScoreSink) -> Vec<Faults>;

    /// Plays all games of another schedule of the same bots, like [`play`](ScorePlayer::play).
    fn play_other(&mut self, schedule: &Schedule, numbers: Numbers, sink: &mut dyn ScoreSink) -> Vec<Faults>;
}

struct EvaluationVisitor<'a, S> {
    evaluation: Evaluation<'a>,
    sink: std::marker::PhantomData<S>,
}

impl<'a, S: ResultSink> Visitor for EvaluationVisitor<'a, S> {
    type Output = Result<Box<dyn EvaluationPlayer<S> + 'a>, FieldError>;

    fn visit<G: FullGame>(self, game: &Arc<G>) -> Self::Output {
        Ok(Box::new(SinkPlayer::new(self.evaluation, game, Arc::default(), 0.0)?))
    }
}

struct OpenForScores<'a> {
    evaluation: Evaluation<'a>,
    stop: Arc<AtomicBool>,
    audit: f64,
}

impl<'a> Visitor for OpenForScores<'a> {
    type Output = Result<Box<dyn ScorePlayer + Send + 'a>, FieldError>;

    fn visit<G: FullGame>(self, game: &Arc<G>) -> Self::Output {
        Ok(Box::new(SinkPlayer::new(self.evaluation, game, self.stop, self.audit)?))
    }
}

struct SinkPlayer<'a, G: FullGame> {
    game: Arc<G>,
    evaluation: Evaluation<'a>,
    seeds: Arc<Seeds>,
    engine: Engine<G>,
    stems: Stems<G>,
    stop: Arc<AtomicBool>,
}

impl<'a, G: FullGame> SinkPlayer<'a, G> {
    fn new(
        evaluation: Evaluation<'a>,
        game: &Arc<G>,
        stop: Arc<AtomicBool>,
        audit: f64,
    ) -> Result<SinkPlayer<'a, G>, FieldError> {
        let Evaluation { variant, unit, seed, bots, schedule, plays_all } = evaluation;
        let engine = Engine::new(Roster::new(bots, variant, 1, &stop, None).audited(audit).strategies(0)?);
        let stems = Stems::new(schedule, unit, &engine).allowed(!plays_all);
        let seeds = Arc::new(Seeds::new(seed, &variant.name, game.as_ref(), unit));
        Ok(SinkPlayer { game: Arc::clone(game), evaluation, seeds, engine, stems, stop })
    }

    /// Plays all games of these numbers, of another schedule if it is given.
    fn play_into(&mut self, other: Option<&Schedule>, numbers: Numbers, sink: &mut impl ResultSink) -> Vec<Faults> {
        let Evaluation { variant, unit, bots, schedule, plays_all, .. } = self.evaluation;
        let mut other_stems = other.map(|other| Stems::new(other, unit, &self.engine).allowed(!plays_all));
        let stems = other_stems.as_mut().unwrap_or(&mut self.stems);
        let shared = Arc::new(SharedNumbers::default());
        let range = numbers.absolute();
        // All numbers are in one chunk, because no other thread takes any.
        let chunk = (range.end - range.start).max(1);
        shared.set(range, chunk, u64::MAX);
        let source = DealSource::new(Arc::clone(&self.seeds), other.unwrap_or(schedule), shared);
        let faults = FaultBook::new(FaultPolicy::default(), bots.len());
        let mut games = Scheduled::new(&variant.name, source, sink, faults);
        stems.play(&self.game, &mut self.engine, &mut games, &self.stop);
        if games.has_audited() {
            games.ask_again(&self.game, &mut self.engine);
        }
        games.faults.take()
    }
}

impl<G: FullGame, S: ResultSink> EvaluationPlayer<S> for SinkPlayer<'_, G> {
    fn play(&mut self, numbers: Numbers, sink: &mut S) -> Vec<Faults> {
        self.play_into(None, numbers, sink)
    }
}

impl<G: FullGame> ScorePlayer for SinkPlayer<'_, G> {
    fn play(&mut self, numbers: Numbers, sink: &mut dyn ScoreSink) -> Vec<Faults> {
        self.play_into(None, numbers, &mut Scored(sink))
    }

    fn play_other(&mut self, schedule: &Schedule, numbers: Numbers, sink: &mut dyn ScoreSink) -> Vec<Faults> {
        self.play_into(Some(schedule), numbers, &mut Scored(sink))
    }
}
