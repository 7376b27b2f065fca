//! The order of a variant's bots, by the measure of the tournament.
//!
//! Where single deals are simulated, the measure is points a deal. It is how far a bot is ahead of the bots
//! that it met, at the same tables and over the same deals. So neither the luck of the cards nor high-scoring
//! deals change it. Where matches are simulated, the measure is matches won, as Elo.
//!
//! Bots are not ranked by first places in single deals. A bot that often loses a little and sometimes wins
//! much is no worse than the reverse.

use std::collections::BTreeMap;

use nalgebra::DMatrix;
use overtrick_ratings::{Estimate, Outcome};
use overtrick_strategy::ids::BotId;
use overtrick_tournament::Unit;

use super::contrast::Contrast;
use super::counted::Counted;
use super::direct::Direct;
use super::field::RatedField;
use super::pairwise::{Pairs, judge_pairs};
use super::record::Record;
use super::rows::{Interval, RatingRow};
use super::standing::{Estimates, SimultaneousIntervals, Standing};
use super::wins::{Differences, pair_games};

/// The bots of a variant, best first.
pub(super) struct Ranking<'a> {
    pub(super) counted: &'a Counted<'a>,
    /// Elo in matches: played, or put together from deals.
    pub(super) field: Option<&'a RatedField>,
    /// By bot that played: points ahead of the bots that it met, which all have equal weight.
    ///
    /// In a gauntlet, where bots do not meet the same others, it is points ahead of the candidate.
    ahead: BTreeMap<BotId, Contrast>,
    /// The factor by which a sequential test widens intervals.
    pub(super) widening: f64,
    /// Best first.
    pub(super) order: Vec<BotId>,
    /// The direct comparisons of bots, numbered by their place in the order.
    pub(super) direct: Direct,
    /// Points a deal by pair of bots.
    pub(super) points: Pairs,
    /// Matches won by pair of bots, where matches are played.
    won: Option<Pairs>,
    /// The bots by the measure of the tournament, numbered by their place in the order.
    pub(super) standing: Standing,
    /// By place: points ahead.
    points_intervals: SimultaneousIntervals,
    /// By place: Elo.
    elo_intervals: Option<SimultaneousIntervals>,
}

impl<'a> Ranking<'a> {
    /// Orders the bots. `outcomes` are the ends of games.
    pub(super) fn new(
        counted: &'a Counted<'a>,
        field: Option<&'a RatedField>,
        outcomes: &[Outcome],
        widening: f64,
    ) -> Ranking<'a> {
        let pairs = counted.differences();
        let mut ahead: BTreeMap<BotId, Contrast> = BTreeMap::new();
        for bot in counted.tournament.bot_ids() {
            let of_each = over_each(bot, &pairs, counted.tournament.candidate);
            ahead.extend(Contrast::average(&of_each).map(|average| (bot, average)));
        }
        let (seed, name) = (counted.tournament.seed, counted.variant);
        let by_elo = field.filter(|_| counted.tournament.unit == Unit::Match);
        let mut order: Vec<BotId> = ahead.keys().copied().collect();
        let value = |bot: BotId| by_elo.map_or_else(|| ahead[&bot].value(), |field| field.elo(bot).mean);
        // The sort is stable, so equals stay as configured.
        order.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
        let points = judge_pairs(pairs, widening, seed, name);
        let (won, direct) = match counted.tournament.unit {
            Unit::Deal => {
                let points_of = |pair| points.get(&pair).map(|pair| &pair.contrast);
                (None, Direct::new(&order, &points, points_of, seed, name))
            }
            Unit::Match => {
                let games = pair_games(outcomes, counted.tally.groups());
                let won = judge_pairs(games.won, widening, seed, &format!("{name} matches"));
                let direct = Direct::new(&order, &won, |pair| games.log_odds.get(&pair), seed, name);
                (Some(won), direct)
            }
        };
        let by_points = estimates(&ahead, &order, counted, widening);
        let by_elo = field.map(|field| field.estimates(&order));
        let elo_name = format!("{name} Elo");
        let points_intervals = SimultaneousIntervals::of(&by_points, seed, name);
        let elo_intervals = by_elo.as_ref().map(|by_elo| SimultaneousIntervals::of(by_elo, seed, &elo_name));
        let standing = match (counted.tournament.unit, by_elo, &elo_intervals) {
            (Unit::Match, Some(by_elo), Some(own)) => Standing::new(by_elo, own, &direct, seed, &elo_name),
            _ => Standing::new(by_points, &points_intervals, &direct, seed, name),
        };
        Ranking {
            counted,
            field,
            ahead,
            widening,
            order,
            direct,
            points,
            won,
            standing,
            points_intervals,
            elo_intervals,
        }
    }

    /// Returns the pairs by the measure of the tournament.
    ///
    /// This is points a deal, or the share of matches won less that of matches lost.
    pub(super) fn judged(&self) -> &Pairs {
        self.won.as_ref().unwrap_or(&self.points)
    }

    /// Returns how far the bot in a place is ahead of those that it met.
    pub(super) fn ahead(&self, place: usize) -> Estimate {
        known(&self.ahead[&self.order[place]], self.widening)
    }

    /// Returns whether bots met different others, so that all are compared with the candidate alone.
    pub(super) fn is_by_candidate(&self) -> bool {
        self.counted.tournament.unit == Unit::Deal && self.counted.tournament.candidate.is_some()
    }

    /// Returns the rows of a table, best first; `records` are by bot.
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
            row.faults = self.counted.faults(bot);
            row.ahead = self.ahead(place).into();
            row.ahead_all = Interval::new(row.ahead.value, self.points_intervals.ends[place]);
            row.all = Interval::new(row.elo.value, self.elo_intervals.as_ref().and_then(|elo| elo.ends[place]));
            if !self.is_by_candidate() {
                row.set_standing(&self.standing, place);
            }
            rows.push(row);
        }
        rows
    }

    /// Returns the p-value of the difference of two bots by the measure of the tournament.
    ///
    /// It is corrected for the choice among all pairs.
    pub(super) fn p(&self, a: BotId, b: BotId) -> Option<f64> {
        let place = |bot| self.order.iter().position(|&own| own == bot);
        self.standing.p[place(a)?][place(b)?]
    }
}

/// Returns how far a bot is ahead of each that it met; in a gauntlet, of the candidate alone.
fn over_each(bot: BotId, pairs: &Differences, candidate: Option<BotId>) -> Vec<Contrast> {
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

/// Returns points ahead of bots in this order, with all differences; in a gauntlet, only those from the
/// candidate have intervals.
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
