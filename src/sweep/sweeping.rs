//! A sweep in progress: point after point, each in legs between which it can be stopped.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use super::plan::SweepPlan;
use super::restriction::Restriction;
use crate::games::Variant;
use crate::ids::BotId;
use crate::run::{Progress, Run, RunOutcome, Threads};
use crate::stats::{BalanceMeasure, lead, measures, worth};
use crate::toml_source::InputError;
use crate::tournament::{Control, Format, Schedule, Tournament};

/// The groups over which measures are kept, so that hundreds of points fit the memory.
const GROUPS: usize = 32;

/// What watches a sweep from outside, and may stop it.
#[derive(Debug, Default)]
pub struct SweepControl {
    /// Set to stop: the leg in progress then comes to nothing.
    pub stop: Arc<AtomicBool>,
    /// The games of all legs that are over.
    pub games: AtomicU64,
}

/// What was found out about a point.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PointResult {
    /// What was measured, by bot of the panel.
    pub measures: Vec<BalanceMeasure>,
    /// Its rows of `seats.csv`.
    pub seats: String,
    /// Its rows of `balance.csv`.
    pub balance: String,
}

/// A sweep in progress.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Sweeping {
    /// By point, as far as they are played.
    pub points: Vec<PointResult>,
    /// The number of legs of the last point that are over.
    pub(super) legs: usize,
    /// The games played so far.
    pub games: u64,
    /// The faults of bots so far.
    pub faults: u64,
}

impl Progress for Sweeping {
    const FORM: &'static str = "sweep 1";
    const FILE: &'static str = "checkpoint of a sweep";
}

/// A part of a point that is played in one go.
enum Leg {
    /// Every bot of the panel with itself.
    Mirrors,
    /// A bot of the panel with the one before it.
    Duel(usize),
    /// A bot with copies of itself, and with copies that may use an option which it may not.
    Option(usize),
}

impl Sweeping {
    /// Whether all is played.
    pub fn is_over(&self, plan: &SweepPlan) -> bool {
        self.points.len() == plan.points.len() && self.legs == plan.legs()
    }

    /// Plays a leg of a point: all bots with themselves, or two of them with one another. False if it was stopped;
    /// nothing has changed then.
    ///
    /// # Errors
    /// If no threads can be started.
    pub fn step(&mut self, plan: &SweepPlan, threads: &Threads, control: &SweepControl) -> Result<bool, InputError> {
        let (point, leg) = self.next(plan);
        let played = plan.play(point, leg, threads, control)?;
        if !played.is_finished {
            return Ok(false);
        }
        let Played { outcome, measures, .. } = played;
        if point == self.points.len() {
            self.points.push(PointResult::default());
            self.legs = 0;
        }
        let result = &mut self.points[point];
        if leg == 0 {
            let mut results = outcome.results();
            let name = plan.row_name(point);
            results.seats.iter_mut().for_each(|row| row.variant.clone_from(&name));
            results.balance.iter_mut().for_each(|row| row.variant.clone_from(&name));
            (result.seats, result.balance) = (lines(&results.seats), lines(&results.balance));
        }
        result.measures.extend(measures);
        self.legs += 1;
        self.games += outcome.games_done();
        self.faults += outcome.runs.iter().flat_map(|ran| &ran.faults).map(|faults| faults.count()).sum::<u64>();
        control.games.store(self.games, Ordering::Relaxed);
        Ok(true)
    }

    /// The point and the leg that come next.
    fn next(&self, plan: &SweepPlan) -> (usize, usize) {
        match self.points.len().checked_sub(1) {
            Some(point) if self.legs < plan.legs() => (point, self.legs),
            last => (last.map_or(0, |point| point + 1), 0),
        }
    }
}

/// A leg that was played.
struct Played {
    outcome: RunOutcome,
    is_finished: bool,
    measures: Vec<BalanceMeasure>,
}

impl SweepPlan {
    /// The number of legs of a point.
    fn legs(&self) -> usize {
        self.panel.len() + self.restrictions.len()
    }

    /// The number of all games.
    pub fn games(&self) -> u64 {
        let duels = |variant: &Variant| {
            let seats = variant.game.layout().seats;
            (1u64 << seats) - 2
        };
        let options = |variant: &Variant| self.restrictions.len() as u64 * (variant.game.layout().seats as u64 + 1);
        let games = |variant: &Variant| {
            self.panel.len() as u64 + (self.panel.len() as u64 - 1) * duels(variant) + options(variant)
        };
        self.points.iter().map(|point| self.deals * games(&point.variant)).sum()
    }

    /// The tournament of a leg at a point.
    fn tournament(&self, point: usize, leg: &Leg) -> Tournament {
        // All points go by the base's name, so that bots that draw lots draw the same ones.
        let name = self.points[self.base].variant.name.clone();
        let variant = Variant { name, ..self.points[point].variant.clone() };
        let (format, bots) = match *leg {
            Leg::Mirrors => (Format::Mirror, self.panel.clone()),
            Leg::Duel(bot) => (Format::Duel, self.panel[bot - 1..=bot].to_vec()),
            Leg::Option(number) => {
                let Restriction { restricted, bot, .. } = &self.restrictions[number];
                (Format::Duel, vec![restricted.clone(), self.panel[*bot].clone()])
            }
        };
        let seats = variant.game.layout().seats;
        let mut tournament = Tournament::of(self.seed, format, self.deals, variant, bots, &self.register);
        if let (Leg::Option(_), Ok(tournament)) = (leg, &mut tournament) {
            let alone = [vec![0], vec![1; seats - 1]].concat();
            tournament.schedules =
                vec![Schedule::listed(&[alone, vec![1; seats]], seats).expect("a bot for each chair")];
        }
        tournament.expect("enough bots")
    }

    fn play(&self, point: usize, leg: usize, threads: &Threads, control: &SweepControl) -> Result<Played, InputError> {
        let leg = match leg {
            0 => Leg::Mirrors,
            duel if duel < self.panel.len() => Leg::Duel(duel),
            option => Leg::Option(option - self.panel.len()),
        };
        let tournament = self.tournament(point, &leg);
        let mut own = Control::new(tournament.bots.len(), None);
        own.stop = Arc::clone(&control.stop);
        let outcome = Run::new(tournament).on(threads).control(Arc::new(own)).play()?;
        let (tournament, tally) = (&outcome.tournament, &outcome.runs[0].tally);
        let mut measures = match leg {
            _ if !outcome.is_finished => Vec::new(),
            Leg::Mirrors => measures(tournament, tally),
            Leg::Duel(bot) => {
                let [before, own] = [0, 1].map(BotId::new);
                let skill = lead(tournament, tally, own, before);
                let measure = |contrast| BalanceMeasure { name: "skill".to_owned(), bot: BotId::new(bot), contrast };
                skill.map(measure).into_iter().collect()
            }
            Leg::Option(number) => {
                let bot = self.restrictions[number].bot;
                let name = self.restrictions[number].measure();
                let measure = |contrast| BalanceMeasure { name, bot: BotId::new(bot), contrast };
                worth(tournament, tally).map(measure).into_iter().collect()
            }
        };
        measures.iter_mut().for_each(|measure| measure.contrast = measure.contrast.in_groups(GROUPS));
        Ok(Played { is_finished: outcome.is_finished, outcome, measures })
    }
}

/// Lines of CSV without a header.
fn lines<R: Serialize>(rows: &[R]) -> String {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.serialize(row)).expect("plain rows go into memory");
    String::from_utf8(writer.into_inner().expect("memory takes all")).expect("rows are text")
}
