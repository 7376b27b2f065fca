//! Rates the bots of a tournament that met, by the matches that they won.

use std::collections::BTreeSet;

use nalgebra::DMatrix;
use overtrick_ratings::{ELO_PER_LOG_STRENGTH, Estimate, Fit, FitError, FitOptions, Outcome, fit};
use overtrick_strategy::ids::BotId;
use overtrick_tournament::{Format, MatchSums, Tournament, Unit};

use super::assembled::Assembled;
use super::contrast::FEWEST_DIFFERENT;
use super::counted::Counted;
use super::direct::Direct;
use super::pairwise::judge_pairs;
use super::record::Record;
use super::regularised;
use super::rows::{Interval, RatingRow};
use super::share::Cluster;
use super::standing::{Estimates, SimultaneousIntervals, Standing};
use super::wins::pair_games;

/// The outcomes of matches, with the number of groups that they are in.
#[derive(Clone, Default)]
pub(super) struct Matches {
    /// The outcomes; their players are the indices of bots.
    pub outcomes: Vec<Outcome>,
    pub groups: usize,
    /// By outcome: the number of matches without shared deals that each of its matches is worth.
    pub worth: Vec<f64>,
    /// By group: the course of the matches that were put together from single deals.
    pub courses: Vec<MatchSums>,
    /// The matches that share deals.
    pub cluster: Cluster,
}

impl Matches {
    /// Returns the matches of a tally: those that were played, or matches put together from its deals.
    ///
    /// `None` where bots met only themselves or there are too few deals.
    pub(super) fn of(counted: &Counted<'_>) -> Option<Matches> {
        if counted.tournament.format == Format::Mirror {
            return None;
        }
        match counted.tournament.unit {
            Unit::Match => {
                let outcomes = counted.outcomes();
                Some(Matches {
                    worth: vec![1.0; outcomes.len()],
                    outcomes,
                    groups: counted.tally.groups(),
                    courses: Vec::new(),
                    cluster: Cluster::of(1),
                })
            }
            Unit::Deal => {
                Assembled::new(counted).map(|Assembled { outcomes, groups, worth, length, courses }| Matches {
                    worth: vec![worth; outcomes.len()],
                    outcomes,
                    groups,
                    courses,
                    // Line-ups and seatings take the same deals, and each deal is in several matches.
                    cluster: Cluster {
                        together: (counted.schedule.games_a_number() as f64 / worth).ceil() as u64,
                        agree: 1.0 / length,
                    },
                })
            }
        }
    }

    /// Adds the matches of another variant, whose deals with the same number may be the same.
    ///
    /// The group of a match is its number modulo the number of groups. If the two numbers of groups differ,
    /// the larger is a multiple of the smaller, and the smaller holds for both.
    pub(super) fn add(&mut self, more: Matches) {
        if self.outcomes.is_empty() {
            *self = more;
            return;
        }
        self.groups = self.groups.min(more.groups);
        self.outcomes.extend(more.outcomes);
        self.worth.extend(more.worth);
        for (group, _) in self.outcomes.iter_mut().flat_map(|outcome| &mut outcome.counts) {
            *group %= self.groups;
        }
    }
}

/// Ratings of the bots that played: all but those that were disqualified.
pub(super) struct RatedField {
    fit: Fit,
    /// By player of the fit: the bot.
    bots: Vec<BotId>,
    /// By player of the fit: whether it was both ahead and behind in enough groups for its error to be known.
    mixed: Vec<bool>,
    anchor: Option<usize>,
    /// The factor by which a sequential test widens intervals.
    widening: f64,
}

/// Returns by player whether it was both ahead and behind often enough for its error to be known.
///
/// Each way, it takes at least [`FEWEST_DIFFERENT`] groups in which the player was ahead of (or behind) or
/// level with another player. It also takes matches worth at least the same number without shared deals. If a
/// player loses all but a few matches, their strength rests on these few, and its error is hardly known.
fn mixed(players: usize, outcomes: &[Outcome], worth: &[f64]) -> Vec<bool> {
    let was_ahead_often = compared_often(players, outcomes, worth, u8::le);
    let was_behind_often = compared_often(players, outcomes, worth, u8::ge);
    was_ahead_often.into_iter().zip(was_behind_often).map(|(ahead, behind)| ahead && behind).collect()
}

/// Returns by player whether `compares` held often enough for their place and that of another player.
fn compared_often(players: usize, outcomes: &[Outcome], worth: &[f64], compares: fn(&u8, &u8) -> bool) -> Vec<bool> {
    let mut groups = vec![BTreeSet::new(); players];
    let mut matches = vec![0.0; players];
    for (outcome, worth) in outcomes.iter().zip(worth) {
        let worth = worth * outcome.counts.iter().map(|&(_, count)| count).sum::<u64>() as f64;
        for (own, (entrant, place)) in outcome.entrants.iter().zip(&outcome.places).enumerate() {
            let mut others = outcome.places.iter().enumerate().filter(|&(other, _)| other != own);
            if others.any(|(_, other)| compares(place, other)) {
                groups[entrant.player].extend(outcome.counts.iter().map(|&(group, _)| group));
                matches[entrant.player] += worth;
            }
        }
    }
    let is_enough = |(groups, matches): (BTreeSet<usize>, f64)| {
        groups.len() >= FEWEST_DIFFERENT && matches >= FEWEST_DIFFERENT as f64
    };
    groups.into_iter().zip(matches).map(is_enough).collect()
}

impl RatedField {
    /// Rates bots by matches, with intervals `widening` times wider.
    pub(super) fn rate(
        tournament: &Tournament,
        matches: &Matches,
        seat_effects: bool,
        widening: f64,
    ) -> Result<RatedField, FitError> {
        let entrants = matches.outcomes.iter().flat_map(|outcome| &outcome.entrants);
        let bots: BTreeSet<BotId> = entrants.map(|one| BotId::new(one.player)).collect();
        let bots: Vec<BotId> = bots.into_iter().collect();
        let player = |bot: BotId| bots.binary_search(&bot).ok();
        let mut outcomes = matches.outcomes.clone();
        for entrant in outcomes.iter_mut().flat_map(|outcome| &mut outcome.entrants) {
            entrant.player = player(BotId::new(entrant.player)).expect("it is one of them");
        }
        // Without the anchor, the mean of the others is 0.
        let anchor = tournament.anchor.and_then(player);
        let fitted =
            fit(bots.len(), matches.groups, &outcomes, &FitOptions { seat_effects, anchor, keep_influences: true });
        let mixed = mixed(bots.len(), &outcomes, &matches.worth);
        fitted.map(|fit| RatedField { fit, bots, mixed, anchor, widening })
    }

    fn player(&self, bot: BotId) -> usize {
        self.bots.binary_search(&bot).expect("the bot played")
    }

    /// Returns whether the rating of any bot rests on pseudo-results.
    pub(super) fn is_regularised(&self) -> bool {
        self.fit.regularised()
    }

    /// Returns the Elo of a bot.
    pub(super) fn elo(&self, bot: BotId) -> Estimate {
        let player = self.player(bot);
        // Elo is over the anchor, or over the mean of all.
        let rests_on_few = match self.anchor {
            Some(anchor) => player != anchor && !(self.mixed[player] && self.mixed[anchor]),
            None => self.mixed.contains(&false),
        };
        self.known(self.fit.elo(player), self.is_open(player), rests_on_few)
    }

    /// Returns whether the Elo of a player, or its origin, rests on pseudo-results.
    fn is_open(&self, player: usize) -> bool {
        match self.anchor {
            Some(anchor) => self.fit.is_regularised(player) || self.fit.is_regularised(anchor),
            None => self.is_regularised(),
        }
    }

    /// Returns the Elo of bot `a` less that of bot `b`.
    pub(super) fn difference(&self, a: BotId, b: BotId) -> Estimate {
        let [a, b] = [a, b].map(|bot| self.player(bot));
        let is_open = self.fit.is_regularised(a) || self.fit.is_regularised(b);
        self.known(self.fit.difference(a, b), is_open, !(self.mixed[a] && self.mixed[b]))
    }

    /// Drops the error of an estimate that rests on pseudo-results, and the interval if it rests on few
    /// groups.
    fn known(&self, estimate: Estimate, is_open: bool, rests_on_few: bool) -> Estimate {
        let se = estimate.se.filter(|_| !is_open);
        let half_width = estimate.half_width.filter(|_| se.is_some() && !rests_on_few);
        Estimate { se, half_width, ..estimate }.widened(self.widening)
    }

    /// Returns the p-value of the difference of two bots, by the statistic of its interval.
    ///
    /// There is no interval where it rests on few groups or on pseudo-results. But these still show whether
    /// one bot is better, if not by how much.
    pub(super) fn p(&self, a: BotId, b: BotId) -> Option<f64> {
        self.tested(a, b).p()
    }

    /// Returns the Elo of bot `a` less that of bot `b`, for p-values.
    fn tested(&self, a: BotId, b: BotId) -> Estimate {
        self.fit.difference(self.player(a), self.player(b)).widened(self.widening)
    }

    /// Returns the bots that were rated, best first; equals as configured.
    pub(super) fn order(&self) -> Vec<BotId> {
        let mut order = self.bots.clone();
        order.sort_by(|&a, &b| self.elo(b).mean.total_cmp(&self.elo(a).mean));
        order
    }

    /// Returns the ratings of bots in this order, with all differences.
    pub(super) fn estimates(&self, order: &[BotId]) -> Estimates {
        let influences = self.fit.influences().expect("they were asked for");
        // Elo is over the anchor, or over the mean of all.
        let origin = |group: usize| match self.anchor {
            Some(anchor) => influences[(anchor, group)],
            None => influences.column(group).mean(),
        };
        let influence = |place: usize, group: usize| influences[(self.player(order[place]), group)] - origin(group);
        let errors = DMatrix::from_fn(order.len(), influences.ncols(), |place, group| {
            ELO_PER_LOG_STRENGTH * influence(place, group)
        });
        let over = |&a: &BotId| order.iter().map(|&b| self.difference(a, b)).collect();
        let tested = |&a: &BotId| order.iter().map(|&b| self.tested(a, b)).collect();
        Estimates {
            values: order.iter().map(|&bot| self.elo(bot)).collect(),
            errors,
            over: order.iter().map(over).collect(),
            tested: order.iter().map(tested).collect(),
        }
    }

    /// Returns the reason why pseudo-results were added, if they were.
    pub(super) fn note(&self, tournament: &Tournament) -> Option<String> {
        regularised::note(&self.fit, |player| &tournament.bot(self.bots[player]).name)
    }

    /// Returns the rating of one bot; `records` are by bot.
    pub(super) fn row(&self, tournament: &Tournament, variant: &str, bot: BotId, records: &[Record]) -> RatingRow {
        let elo = self.elo(bot);
        let played = |count: u64| (tournament.unit == Unit::Match).then_some(count);
        let record = records[bot.index()];
        RatingRow {
            variant: variant.to_owned(),
            bot: tournament.bot(bot).name.clone(),
            elo: elo.into(),
            games: played(record.games()),
            won: played(record.won),
            tied: played(record.tied),
            lost: played(record.lost),
            regularised: self.is_open(self.player(bot)),
            elo_from: tournament.unit.plural(),
            ..RatingRow::default()
        }
    }

    /// Returns the rows of a table by Elo of these matches, best first.
    pub(super) fn rows(&self, tournament: &Tournament, variant: &str, matches: &Matches) -> Vec<RatingRow> {
        let records = Record::all(tournament.bots.len(), &matches.outcomes);
        let order = self.order();
        let (seed, names) = (tournament.seed, format!("{variant} matches"));
        let games = pair_games(&matches.outcomes, matches.groups);
        let won = judge_pairs(games.won, self.widening, seed, &names);
        let direct = Direct::new(&order, &won, |pair| games.log_odds.get(&pair), seed, variant);
        let estimates = self.estimates(&order);
        let intervals = SimultaneousIntervals::of(&estimates, seed, variant);
        let standing = Standing::new(estimates, &intervals, &direct, seed, variant);
        let mut rows = Vec::with_capacity(order.len());
        for (place, &bot) in order.iter().enumerate() {
            let mut row = self.row(tournament, variant, bot, &records);
            row.set_standing(&standing, place);
            row.all = Interval::new(row.elo.value, intervals.ends[place]);
            rows.push(row);
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use overtrick_ratings::Entrant;

    #[test]
    fn who_wins_in_a_few_groups_only_rests_on_these() {
        let entrant = |player| Entrant { player, seat: None };
        let outcome = |winner: usize, groups: std::ops::Range<usize>| Outcome {
            entrants: vec![entrant(winner), entrant(1 - winner)],
            places: vec![0, 1],
            counts: groups.map(|group| (group, 3)).collect(),
        };
        // A player who wins in only five groups has won too rarely, and a player who loses in only five has
        // lost too rarely.
        let upsets = |groups| mixed(2, &[outcome(0, 0..64), outcome(1, 0..groups)], &[1.0; 2]);
        assert_eq!([upsets(0), upsets(5), upsets(6)], [[false; 2], [false; 2], [true; 2]]);
        // A shared place counts both as ahead and as behind.
        let level = Outcome { places: vec![0, 0], ..outcome(0, 0..6) };
        assert_eq!(mixed(2, &[outcome(0, 0..64), level], &[1.0; 2]), [true; 2]);
        // 192 matches were put together from deals that would make five matches, had each deal been used
        // once.
        let together = [outcome(0, 0..64), outcome(1, 0..64)];
        let worth = |all: f64| mixed(2, &together, &[all / 192.0; 2]);
        assert_eq!([worth(5.0), worth(6.0)], [[false; 2], [true; 2]]);
    }

    #[test]
    fn who_is_better_is_known_sooner_than_by_how_much() {
        let entrant = |player| Entrant { player, seat: None };
        let outcome = |winner: usize, loser: usize, groups: std::ops::Range<usize>| Outcome {
            entrants: vec![entrant(winner), entrant(loser)],
            places: vec![0, 1],
            counts: groups.map(|group| (group, 1)).collect(),
        };
        let field = |bots: usize, outcomes: &[Outcome]| RatedField {
            fit: fit(bots, 64, outcomes, &FitOptions::default()).unwrap(),
            bots: (0..bots).map(BotId::new).collect(),
            mixed: mixed(bots, outcomes, &vec![1.0; outcomes.len()]),
            anchor: None,
            widening: 1.0,
        };
        let [a, b, c] = [0, 1, 2].map(BotId::new);
        // Zero to five upsets make no difference to who is better.
        for upsets in [0, 1, 3, 5] {
            let field = field(2, &[outcome(0, 1, upsets..64), outcome(1, 0, 0..upsets)]);
            assert_eq!(field.difference(a, b).half_width, None, "{upsets}");
            assert!(field.p(a, b).unwrap() < 0.002, "{upsets}");
        }
        // Both lose to a third player. Three upsets and two say next to nothing about which is better.
        let beaten = [outcome(2, 0, 3..64), outcome(0, 2, 0..3), outcome(2, 1, 2..64), outcome(1, 2, 0..2)];
        let field = field(3, &beaten);
        assert_eq!(field.difference(a, b).half_width, None);
        assert!((0.1..0.9).contains(&field.p(a, b).unwrap()), "{:?}", field.p(a, b));
        assert!(field.p(c, a).unwrap() < 0.002);
    }
}
