//! The legs of a point: its parts, between which a sweep can be stopped.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use overtrick_games::Variant;
use overtrick_run::{Run, RunOutcome, Threads};
use overtrick_stats::{BalanceMeasure, Contrast, Lead, lead, measures};
use overtrick_strategies::Bot;
use overtrick_strategy::ids::BotId;
use overtrick_toml::InputError;
use overtrick_tournament::{Control, Flaw, Format, Schedule, Tally, Tournament, ensure, one_against};

use super::plan::SweepPlan;
use super::restriction::Restriction;
use super::retune::{Retune, RetunedBot};
use super::wish::SKILLS;

/// The number of groups over which measures are kept, so that hundreds of points fit into memory.
const GROUPS: usize = 32;

/// A part of a point. Bots are given by their number in the panel.
#[derive(Clone, Debug, PartialEq)]
pub enum Leg {
    /// These bots, each with itself.
    Mirrors(Range<usize>),
    /// A bot against the less skilled bot `before`.
    Duel { bot: usize, before: usize },
    /// A bot that may not use an option, alone among copies of itself that may.
    Option { bot: usize, number: usize },
    /// The tuning of a bot for the rules of the point, in many steps.
    Tuning,
}

/// A leg that was played.
pub struct PlayedLeg {
    pub outcome: RunOutcome,
    pub measures: Vec<BalanceMeasure>,
}

impl SweepPlan {
    /// Returns the legs of a point, in order.
    pub(super) fn legs(&self) -> Vec<Leg> {
        let given = self.given().len();
        let mut legs = vec![Leg::Mirrors(0..given)];
        for bot in 1..given {
            legs.push(Leg::Duel { bot, before: bot - 1 });
        }
        for (number, option) in self.restrictions.iter().enumerate() {
            legs.push(Leg::Option { bot: option.bot, number });
        }
        let Some(Retune { bot: before, .. }) = self.retune else { return legs };
        legs.extend([Leg::Tuning, Leg::Mirrors(given..given + 1)]);
        if before > 0 {
            // Its lead is over the same bot as before tuning.
            legs.push(Leg::Duel { bot: given, before: before - 1 });
        }
        for (number, option) in self.restrictions.iter().enumerate() {
            if option.bot == before {
                legs.push(Leg::Option { bot: given, number });
            }
        }
        legs
    }

    /// Returns the number of all games at the points that are played.
    ///
    /// Tuning may take fewer games than it is given.
    pub fn games(&self) -> u64 {
        let legs = self.legs();
        let mut games = 0;
        for point in self.points_to_play() {
            for leg in &legs {
                games += self.games_of(point, leg);
            }
        }
        games
    }

    /// Returns the number of games of a leg at a point.
    pub(super) fn games_of(&self, point: usize, leg: &Leg) -> u64 {
        let teams = self.points[point].variant.game.layout().teams().count() as u64;
        let each = match leg {
            Leg::Mirrors(bots) => bots.len() as u64,
            Leg::Duel { .. } => (1 << teams) - 2,
            Leg::Option { .. } => teams,
            Leg::Tuning => return self.retune.as_ref().map_or(0, |retune| retune.games),
        };
        self.numbers * each
    }

    /// Checks that the measures are of bots of the panel.
    ///
    /// # Errors
    /// If they are not, with the reason.
    pub(super) fn check_measures(&self, measures: &[BalanceMeasure]) -> Result<(), Flaw> {
        let are_of_panel = measures.iter().all(|measure| measure.bot.index() < self.panel.len());
        ensure(are_of_panel, "measures are not those of its bots")?;
        measures.iter().try_for_each(|measure| measure.contrast.check(GROUPS))
    }

    /// Returns the variant of a point, under the name of the base.
    ///
    /// Random choices of bots depend on the name, so they are the same at all points.
    pub(super) fn variant(&self, point: usize) -> Variant {
        let name = self.points[self.base].variant.name.clone();
        Variant { name, ..self.points[point].variant.clone() }
    }

    /// Returns the panel as it plays at a point; the tuned bot has its old name.
    fn panel_at(&self, retuned: Option<&RetunedBot>) -> Result<Vec<Bot>, InputError> {
        let mut panel = self.panel.clone();
        if let (Some(retune), Some(retuned)) = (&self.retune, retuned) {
            let last = panel.last_mut().expect("it ends with the bot that is tuned");
            *last = retune.bot(retuned)?;
        }
        Ok(panel)
    }

    /// Returns the tournament of a leg at a point.
    pub(super) fn tournament(&self, point: usize, leg: &Leg, panel: &[Bot]) -> Result<Tournament, InputError> {
        let variant = self.variant(point);
        let teams = variant.game.layout().teams();
        let (format, bots) = match leg {
            Leg::Mirrors(bots) => (Format::Mirror, panel[bots.clone()].to_vec()),
            Leg::Duel { bot, before } => (Format::Duel, vec![panel[*before].clone(), panel[*bot].clone()]),
            Leg::Option { bot, number } => {
                let restricted = self.restrictions[*number].restricted(&panel[*bot], &self.register)?;
                (Format::Duel, vec![restricted, panel[*bot].clone()])
            }
            Leg::Tuning => unreachable!("tuning is no tournament"),
        };
        let tournament = Tournament::of(self.seed, format, self.numbers, variant, bots, &self.register);
        let mut tournament = tournament.expect("enough bots");
        tournament.unit = self.unit;
        if let Leg::Option { .. } = leg {
            let alone = one_against(0, 1, teams);
            tournament.schedules = vec![Schedule::listed(&[alone], teams).expect("a bot for each chair")];
        }
        Ok(tournament)
    }

    /// Plays a leg other than tuning; `None` if it was stopped.
    ///
    /// `retuned` is the result of tuning at the point, once it is over.
    pub(super) fn play(
        &self,
        point: usize,
        leg: &Leg,
        retuned: Option<&RetunedBot>,
        threads: &Threads,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<PlayedLeg>, InputError> {
        let tournament = self.tournament(point, leg, &self.panel_at(retuned)?)?;
        let mut control = Control::new(tournament.bots.len(), None);
        control.stop = Arc::clone(stop);
        let outcome = Run::new(tournament).on(threads).control(Arc::new(control)).play()?;
        if !outcome.is_finished {
            return Ok(None);
        }
        let Some(mut measures) = self.measured(leg, &outcome, threads, stop) else { return Ok(None) };
        for measure in &mut measures {
            measure.contrast = measure.contrast.in_groups(GROUPS);
        }
        Ok(Some(PlayedLeg { outcome, measures }))
    }

    /// Returns the measures of a leg that was played; `None` if counting for them was stopped.
    fn measured(
        &self,
        leg: &Leg,
        outcome: &RunOutcome,
        threads: &Threads,
        stop: &AtomicBool,
    ) -> Option<Vec<BalanceMeasure>> {
        let (tournament, tally) = (&outcome.tournament, &outcome.runs[0].tally);
        let mut found = Vec::new();
        match leg {
            Leg::Mirrors(bots) => {
                found = measures(tournament, tally);
                for measure in &mut found {
                    measure.bot = BotId::new(bots.start + measure.bot.index());
                }
            }
            Leg::Duel { bot, .. } => {
                if let Some(lead) = ahead(tournament, tally) {
                    found = of_skill(lead, *bot);
                }
            }
            Leg::Option { bot, number } => {
                let option = &self.restrictions[*number];
                if let Some(lead) = ahead(tournament, tally) {
                    found = of_option(option, lead, *bot);
                }
                let used = option.used(tournament, threads, stop);
                // A count that was stopped is incomplete.
                if stop.load(Ordering::Relaxed) {
                    return None;
                }
                if let Some(used) = used {
                    found.push(measure(option.used_measure(), *bot, used));
                }
            }
            Leg::Tuning => unreachable!("tuning is no tournament"),
        }
        Some(found)
    }
}

/// Returns how far the second of two bots is ahead of the first.
fn ahead(tournament: &Tournament, tally: &Tally) -> Option<Lead> {
    lead(tournament, tally, BotId::new(1), BotId::new(0))
}

fn measure(name: String, bot: usize, contrast: Contrast) -> BalanceMeasure {
    BalanceMeasure { name, bot: BotId::new(bot), contrast }
}

/// Returns the measures of skill for a lead over the previous bot of the panel.
fn of_skill(lead: Lead, bot: usize) -> Vec<BalanceMeasure> {
    let Lead { points, deviations, won, variance, elo } = lead;
    let mut measures = Vec::new();
    for (name, contrast) in SKILLS.into_iter().zip([Some(points), deviations, won, variance, elo]) {
        measures.extend(contrast.map(|contrast| measure(name.to_owned(), bot, contrast)));
    }
    measures
}

/// Returns the measures of an option's worth, for a lead over a copy that may not use it.
fn of_option(option: &Restriction, lead: Lead, bot: usize) -> Vec<BalanceMeasure> {
    let [points, deviations, _] = option.measures();
    let mut measures = vec![measure(points, bot, lead.points)];
    measures.extend(lead.deviations.map(|contrast| measure(deviations, bot, contrast)));
    measures
}
