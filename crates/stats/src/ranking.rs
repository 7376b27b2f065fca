//! The headline of a variant: who is ahead of whom, by the measure that the tournament is about.
//!
//! Where single deals are simulated the measure is points a deal: how far a bot is ahead of those that it met, at the
//! same tables and over the same deals, so that neither the luck of the cards nor high-scoring deals change it. Where
//! matches are simulated it is matches won, as Elo. Coming first in single deals ranks nobody: losing a little often
//! and winning much seldom is no worse than the reverse.

use std::collections::BTreeMap;

use overtrick_ratings::Estimate;
use overtrick_strategy::ids::BotId;
use overtrick_tournament::{Format, Unit};

use super::contrast::Contrast;
use super::counted::Counted;
use super::field::Field;
use super::record::Record;
use super::rows::figures;
use super::rows::{Figure, HeadlineRow, RatingRow};

/// The bots of a variant, best first.
pub(super) struct Ranking<'a> {
    counted: &'a Counted<'a>,
    /// Elo in matches: played, or put together from deals.
    field: Option<&'a Field>,
    /// By bot that played: points ahead of those that it met, each of them counting as much as the others. In a
    /// gauntlet, where bots do not meet the same others, points ahead of the candidate.
    ahead: BTreeMap<BotId, Contrast>,
    /// How much wider a sequential test makes intervals.
    widening: f64,
    /// Best first.
    order: Vec<BotId>,
}

impl<'a> Ranking<'a> {
    pub(super) fn new(counted: &'a Counted<'a>, field: Option<&'a Field>, widening: f64) -> Ranking<'a> {
        let contrast = |(pair, [one, other]): (_, [Vec<(i64, u64)>; 2])| Some((pair, Contrast::new(&one, &other)?));
        let pairs: BTreeMap<(BotId, BotId), Contrast> = counted.pairs().into_iter().filter_map(contrast).collect();
        let ahead = |bot: BotId| {
            let met = |(&(a, b), contrast): (&(BotId, BotId), &Contrast)| {
                let (own, other) = match bot {
                    bot if bot == a => (contrast.clone(), b),
                    bot if bot == b => (contrast.reversed(), a),
                    _ => return None,
                };
                match counted.tournament.candidate {
                    None => Some(own),
                    Some(candidate) if other == candidate => Some(own),
                    // The candidate is not compared with itself: the difference is zero.
                    Some(candidate) if bot == candidate => Some(own.less(&own)),
                    Some(_) => None,
                }
            };
            Some((bot, Contrast::average(&pairs.iter().filter_map(met).collect::<Vec<_>>())?))
        };
        let ahead: BTreeMap<BotId, Contrast> = counted.tournament.bot_ids().filter_map(ahead).collect();
        let mut order: Vec<BotId> = ahead.keys().copied().collect();
        let value = |bot: BotId| match (counted.tournament.unit, field) {
            (Unit::Match, Some(field)) => field.elo(bot).mean,
            _ => ahead[&bot].estimate().mean,
        };
        // Stable: equals stay as configured.
        order.sort_by(|&a, &b| value(b).total_cmp(&value(a)));
        Ranking { counted, field, ahead, widening, order }
    }

    /// How far a bot is ahead of those that it met.
    fn ahead(&self, bot: BotId) -> Estimate {
        match self.counted.tournament.candidate {
            // The candidate's difference from itself is exactly zero.
            Some(candidate) if candidate == bot => self.ahead[&bot].estimate(),
            _ => self.ahead[&bot].estimate_if_known().widened(self.widening),
        }
    }

    /// How far a bot is ahead of another, by points over those that each of them met.
    fn over(&self, a: BotId, b: BotId) -> Estimate {
        self.ahead[&a].less(&self.ahead[&b]).estimate_if_known().widened(self.widening)
    }

    /// The probability that the first of two bots is the better, by the measure of the headline.
    fn superiority(&self, a: BotId, b: BotId) -> Option<f64> {
        match self.counted.tournament.unit {
            Unit::Deal => self.over(a, b).superiority(),
            Unit::Match => self.field?.superiority(a, b),
        }
    }

    /// The rows of a table, best first; `records` are by bot.
    pub(super) fn rows(&self, records: &[Record]) -> Vec<RatingRow> {
        let row = |(place, &bot): (usize, &BotId)| {
            let [ahead, ahead_se, ahead_low, ahead_high] = figures(Some(self.ahead(bot)));
            let next = self.order.get(place + 1);
            let rating = self.field.map(|field| field.row(self.counted.tournament, self.counted.variant, bot, records));
            RatingRow {
                superiority_over_next: Figure(next.and_then(|&next| self.superiority(bot, next))),
                ahead,
                ahead_se,
                ahead_low,
                ahead_high,
                ..rating.unwrap_or_else(|| RatingRow {
                    variant: self.counted.variant.to_owned(),
                    bot: self.counted.tournament.bot(bot).name.clone(),
                    ..RatingRow::default()
                })
            }
        };
        self.order.iter().enumerate().map(row).collect()
    }

    /// The result of the variant in one sentence; `None` if no two bots met.
    pub(super) fn headline(&self) -> Option<HeadlineRow> {
        let [first, second, ..] = self.order[..] else { return None };
        let duel = self.counted.tournament.format == Format::Duel;
        if let (Unit::Deal, Some(candidate)) = (self.counted.tournament.unit, self.counted.tournament.candidate) {
            let text = self.of_candidate(candidate);
            return Some(HeadlineRow { variant: self.counted.variant.to_owned(), text });
        }
        let text = match (self.counted.tournament.unit, self.field) {
            (Unit::Match, Some(field)) => self.in_matches(field, first, second, duel),
            _ => self.in_points(first, second, duel),
        };
        Some(HeadlineRow { variant: self.counted.variant.to_owned(), text })
    }

    fn name(&self, bot: BotId) -> &str {
        &self.counted.tournament.bot(bot).name
    }

    fn in_points(&self, first: BotId, second: BotId, duel: bool) -> String {
        let [one, other] = [first, second].map(|bot| self.name(bot));
        let over_field = self.ahead(first);
        // In a duel each bot has met only the other.
        let over_next = if duel { over_field } else { self.over(first, second) };
        let whom = if duel { other } else { "those it met" };
        let by = format!("ahead of {whom} by {} points a deal", plus_minus(&over_field, 3));
        let sure = chance(over_next.superiority(), &if duel { ahead() } else { better_than(other) });
        let text = match verdict(&over_next) {
            Verdict::Same => format!("{one} and {other} cannot be told apart: they scored exactly alike"),
            Verdict::Unknown if over_field.half_width.is_some() => {
                format!(
                    "{one} is first, {by}; it differs from {other}, the next, in too few deals to say how sure that is"
                )
            }
            Verdict::Unknown => format!("{one} is {by}, over too few deals to say how sure that is"),
            Verdict::Open if duel => {
                format!("in points a deal {one} and {other} cannot be told apart yet: {one} is {by}{sure}")
            }
            Verdict::Open => format!("{one} is first, {by}, but cannot be told apart from {other} yet{sure}"),
            Verdict::Ahead if duel => format!("{one} is {by}{sure}"),
            Verdict::Ahead => format!("{one} is first, {by}{sure}"),
        };
        let elo = self.field.filter(|_| duel).map(|field| field.difference(first, second));
        let is_ahead = matches!(verdict(&over_next), Verdict::Ahead);
        match elo.filter(|elo| elo.half_width.is_some()) {
            Some(elo) if over_next.mean != 0.0 && over_next.half_width.is_some() => {
                format!("{text}; {}", worth(one, other, is_ahead, &elo))
            }
            _ => text,
        }
    }

    /// How the candidate of a gauntlet fared.
    fn of_candidate(&self, candidate: BotId) -> String {
        let [mut ahead, mut behind, mut open, mut unknown] = [(); 4].map(|()| Vec::new());
        for &bot in self.order.iter().filter(|&&bot| bot != candidate) {
            let over = self.ahead[&bot].reversed().estimate_if_known();
            let by = Estimate { mean: over.mean.abs(), ..over };
            let by = format!("{} by {} points a deal", self.name(bot), plus_minus(&by, 3));
            match over.low().zip(over.high()) {
                Some((low, _)) if low > 0.0 => ahead.push(by),
                Some((_, high)) if high < 0.0 => behind.push(by),
                None if over.mean != 0.0 => unknown.push(self.name(bot).to_owned()),
                _ => open.push(self.name(bot).to_owned()),
            }
        }
        let part = |how: &str, bots: Vec<String>| match bots.len() {
            0 => None,
            1 | 2 => Some(format!("{how} {}", bots.join(" and "))),
            more => Some(format!("{how} {more} bots")),
        };
        let parts = [
            part("ahead of", ahead),
            part("behind", behind),
            part("not to be told apart from", open),
            part("told apart by too few deals from", unknown),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        format!("{}, the candidate, is {}", self.name(candidate), parts.join("; "))
    }

    fn in_matches(&self, field: &Field, first: BotId, second: BotId, duel: bool) -> String {
        let [one, other] = [first, second].map(|bot| self.name(bot));
        let over_next = field.difference(first, second);
        let next = if duel { "" } else { ", the next," };
        let by = format!("ahead of {other}{next} by {} Elo in matches", plus_minus(&over_next, 0));
        let sure = chance(field.superiority(first, second), &ahead());
        match verdict(&over_next) {
            Verdict::Same => format!("{one} and {other} cannot be told apart: they won exactly as many matches"),
            Verdict::Unknown if field.is_regularised() => {
                format!("{one} is first; by how much, these matches do not tell, as some bots never lost or never won")
            }
            Verdict::Unknown if sure.is_empty() => {
                format!("{one} is {by}, over too few matches to say how sure that is")
            }
            Verdict::Unknown => format!("{one} is {by}, though few of them tell by how much{sure}"),
            Verdict::Open => format!("{one} and {other} cannot be told apart yet: {one} is {by}{sure}"),
            Verdict::Ahead => format!("{one} is {by}{sure}"),
        }
    }
}

/// The statement that an interval supports.
enum Verdict {
    /// The two are equal in everything that was played.
    Same,
    /// There is no interval.
    Unknown,
    /// The interval holds 0.
    Open,
    /// The interval does not hold 0.
    Ahead,
}

fn verdict(ahead: &Estimate) -> Verdict {
    match ahead.low() {
        _ if ahead.mean == 0.0 && ahead.se == Some(0.0) => Verdict::Same,
        None => Verdict::Unknown,
        Some(low) if low <= 0.0 => Verdict::Open,
        Some(_) => Verdict::Ahead,
    }
}

fn plus_minus(estimate: &Estimate, decimals: usize) -> String {
    match estimate.half_width {
        Some(half) => format!("{:.decimals$} ± {half:.decimals$}", estimate.mean),
        None => format!("{:.decimals$}", estimate.mean),
    }
}

/// A sentence on what the difference of two bots in a duel means in whole matches. `elo` is that of the first bot,
/// which is ahead in points; `is_ahead` says whether that is beyond chance.
fn worth(one: &str, other: &str, is_ahead: bool, elo: &Estimate) -> String {
    let by = plus_minus(&Estimate { mean: elo.mean.abs(), ..*elo }, 0);
    let winner = if elo.mean > 0.0 { one } else { other };
    match (verdict(&Estimate { mean: elo.mean.abs(), ..*elo }), is_ahead) {
        (Verdict::Ahead, true) if elo.mean > 0.0 => format!("in whole matches that is worth {by} Elo"),
        (Verdict::Ahead, true) => format!("yet in whole matches {winner} is ahead, by {by} Elo"),
        (Verdict::Ahead, false) => format!("in whole matches {winner} is ahead, by {by} Elo"),
        (_, true) => format!("in whole matches they cannot be told apart yet ({winner} is ahead by {by} Elo)"),
        (_, false) => format!("nor can they in whole matches ({winner} is ahead by {by} Elo)"),
    }
}

fn ahead() -> String {
    "it is ahead".to_owned()
}

fn better_than(next: &str) -> String {
    format!("it is better than {next}, the next")
}

fn chance(chance: Option<f64>, that: &str) -> String {
    chance.map_or(String::new(), |chance| format!("; chance that {that}: {}", chance_text(chance)))
}

/// A chance in per cent, never shown as 0% or 100%.
pub fn chance_text(chance: f64) -> String {
    match chance * 100.0 {
        percent if percent > 99.9 => "> 99.9%".to_owned(),
        percent if percent < 0.1 => "< 0.1%".to_owned(),
        percent => format!("{percent:.1}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_and_matches_are_two_things() {
        let said = |mean, half_width, is_ahead| {
            let elo = Estimate {
                mean,
                se: Some(1.0),
                half_width: Some(half_width),
                groups: 64,
                freedom: 63.0,
                widening: 1.0,
            };
            worth("one", "two", is_ahead, &elo)
        };
        assert_eq!(said(30.0, 8.0, true), "in whole matches that is worth 30 ± 8 Elo");
        assert_eq!(said(-30.0, 8.0, true), "yet in whole matches two is ahead, by 30 ± 8 Elo");
        assert_eq!(said(-30.0, 8.0, false), "in whole matches two is ahead, by 30 ± 8 Elo");
        assert_eq!(said(5.0, 8.0, true), "in whole matches they cannot be told apart yet (one is ahead by 5 ± 8 Elo)");
        assert_eq!(said(-5.0, 8.0, false), "nor can they in whole matches (two is ahead by 5 ± 8 Elo)");
    }

    #[test]
    fn a_chance_is_never_quite_sure() {
        let chances = [1.0, 0.99999, 0.999, 0.5, 0.001, 0.0].map(chance_text);
        assert_eq!(chances, ["> 99.9%", "> 99.9%", "99.9%", "50.0%", "0.1%", "< 0.1%"]);
    }
}
