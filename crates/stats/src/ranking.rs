//! The order of a variant's bots, by the measure that the tournament is about.
//!
//! Where single deals are simulated the measure is points a deal: how far a bot is ahead of those that it met, at the
//! same tables and over the same deals, so that neither the luck of the cards nor high-scoring deals change it. Where
//! matches are simulated it is matches won, as Elo. Coming first in single deals ranks nobody: losing a little often
//! and winning much at times is no worse than the reverse.

use std::collections::BTreeMap;

use nalgebra::DMatrix;
use overtrick_ratings::{Estimate, Outcome};
use overtrick_strategy::ids::BotId;
use overtrick_tournament::Unit;

use super::contrast::Contrast;
use super::counted::Counted;
use super::direct::Direct;
use super::field::Field;
use super::record::Record;
use super::rows::{RatingRow, ends, figures};
use super::standing::{Estimates, Standing};
use super::wins::won_and_lost;

/// The bots of a variant, best first.
pub(super) struct Ranking<'a> {
    pub(super) counted: &'a Counted<'a>,
    /// Elo in matches: played, or put together from deals.
    pub(super) field: Option<&'a Field>,
    /// By bot that played: points ahead of those that it met, each of them counting as much as the others. In a
    /// gauntlet, where bots do not meet the same others, points ahead of the candidate.
    ahead: BTreeMap<BotId, Contrast>,
    /// How much wider a sequential test makes intervals.
    widening: f64,
    /// Best first.
    pub(super) order: Vec<BotId>,
    /// Who beats whom where they met; bots are numbered by their place in the order.
    pub(super) direct: Direct,
    /// The bots by points ahead, numbered by their place in the order.
    points: Standing,
    /// The bots by Elo, numbered by their place in the order.
    elo: Option<Standing>,
}

impl<'a> Ranking<'a> {
    /// Orders the bots. `outcomes` are how games ended.
    pub(super) fn new(
        counted: &'a Counted<'a>,
        field: Option<&'a Field>,
        outcomes: &[Outcome],
        widening: f64,
    ) -> Ranking<'a> {
        let mut pairs: BTreeMap<(BotId, BotId), Contrast> = BTreeMap::new();
        for (pair, [one, other]) in counted.pairs() {
            pairs.extend(Contrast::new(&one, &other).map(|contrast| (pair, contrast)));
        }
        let mut ahead: BTreeMap<BotId, Contrast> = BTreeMap::new();
        for bot in counted.tournament.bot_ids() {
            let of_each = over_each(bot, &pairs, counted.tournament.candidate);
            ahead.extend(Contrast::average(&of_each).map(|average| (bot, average)));
        }
        let (seed, name) = (counted.tournament.seed, counted.variant);
        let by_elo = field.filter(|_| counted.tournament.unit == Unit::Match);
        let mut order: Vec<BotId> = ahead.keys().copied().collect();
        let value = |bot: BotId| by_elo.map_or_else(|| ahead[&bot].value(), |field| field.elo(bot).mean);
        // Stable: equals stay as configured.
        order.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
        let (met, scaled) = match counted.tournament.unit {
            Unit::Deal => (pairs.clone(), pairs),
            Unit::Match => won_and_lost(outcomes, counted.tally.groups()),
        };
        let between = |pairs: &BTreeMap<(BotId, BotId), Contrast>, a: usize, b: usize| {
            let (a, b) = (order[a], order[b]);
            pairs.get(&(a, b)).cloned().or_else(|| pairs.get(&(b, a)).map(Contrast::reversed))
        };
        let direct = Direct::new(order.len(), |a, b| between(&met, a, b), |a, b| between(&scaled, a, b), seed, name);
        let points = Standing::new(estimates(&ahead, &order, counted, widening), &direct, seed, name);
        let elo = field.map(|field| Standing::new(field.estimates(&order), &direct, seed, &format!("{name} Elo")));
        Ranking { counted, field, ahead, widening, order, direct, points, elo }
    }

    /// The bots by the measure of the tournament, numbered by their place in the order.
    pub(super) fn standing(&self) -> &Standing {
        match self.counted.tournament.unit {
            Unit::Match => self.elo.as_ref().unwrap_or(&self.points),
            Unit::Deal => &self.points,
        }
    }

    /// How far the bot in a place is ahead of those that it met.
    pub(super) fn ahead(&self, place: usize) -> Estimate {
        known(&self.ahead[&self.order[place]], self.widening)
    }

    /// Whether bots did not meet the same others, so that all are compared with the candidate alone.
    pub(super) fn is_by_candidate(&self) -> bool {
        self.counted.tournament.unit == Unit::Deal && self.counted.tournament.candidate.is_some()
    }

    /// The rows of a table, best first; `records` are by bot.
    pub(super) fn rows(&self, records: &[Record]) -> Vec<RatingRow> {
        let tournament = self.counted.tournament;
        let mut rows = Vec::with_capacity(self.order.len());
        for (place, &bot) in self.order.iter().enumerate() {
            let mut row = match self.field {
                Some(field) => field.row(tournament, self.counted.variant, bot, records),
                None => RatingRow {
                    variant: self.counted.variant.to_owned(),
                    bot: tournament.bot(bot).name.clone(),
                    ..RatingRow::default()
                },
            };
            [row.ahead, row.ahead_se, row.ahead_low, row.ahead_high] = figures(Some(self.ahead(place)));
            [row.ahead_all_low, row.ahead_all_high] = ends(self.points.intervals[place]);
            [row.all_low, row.all_high] = ends(self.elo.as_ref().and_then(|elo| elo.intervals[place]));
            if !self.is_by_candidate() {
                row.set_standing(self.standing(), place);
            }
            rows.push(row);
        }
        rows
    }

    /// The p-value of the difference of two bots in matches, corrected for the choice among all pairs.
    pub(super) fn elo_p(&self, a: BotId, b: BotId) -> Option<f64> {
        let place = |bot| self.order.iter().position(|&own| own == bot);
        self.elo.as_ref()?.p[place(a)?][place(b)?]
    }
}

/// How far a bot is ahead of each that it met; in a gauntlet, of the candidate alone.
fn over_each(bot: BotId, pairs: &BTreeMap<(BotId, BotId), Contrast>, candidate: Option<BotId>) -> Vec<Contrast> {
    let mut of_each = Vec::new();
    for (&(a, b), contrast) in pairs {
        let (own, other) = match bot {
            bot if bot == a => (contrast.clone(), b),
            bot if bot == b => (contrast.reversed(), a),
            _ => continue,
        };
        match candidate {
            Some(candidate) if other == candidate => of_each.push(own),
            // The candidate is not compared with itself: the difference is zero.
            Some(candidate) if bot == candidate => of_each.push(own.less(&own)),
            Some(_) => {}
            None => of_each.push(own),
        }
    }
    of_each
}

fn known(contrast: &Contrast, widening: f64) -> Estimate {
    contrast.estimate_if_known().widened(widening)
}

/// Points ahead of bots in this order, with all differences; in a gauntlet with those from the candidate alone.
fn estimates(ahead: &BTreeMap<BotId, Contrast>, order: &[BotId], counted: &Counted<'_>, widening: f64) -> Estimates {
    let own: Vec<&Contrast> = order.iter().map(|bot| &ahead[bot]).collect();
    let columns = counted.tally.groups();
    let errors = DMatrix::from_row_iterator(own.len(), columns, own.iter().flat_map(|contrast| contrast.errors()));
    let mut over = Vec::with_capacity(own.len());
    for (one, &bot) in own.iter().zip(order) {
        let mut row = Vec::with_capacity(own.len());
        for (other, &against) in own.iter().zip(order) {
            let mut estimate = known(&one.less(other), widening);
            if counted.tournament.candidate.is_some_and(|candidate| candidate != bot && candidate != against) {
                estimate.half_width = None;
            }
            row.push(estimate);
        }
        over.push(row);
    }
    let values = own.iter().map(|contrast| known(contrast, widening)).collect();
    Estimates { values, errors, tested: over.clone(), over }
}
