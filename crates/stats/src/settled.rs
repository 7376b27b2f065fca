//! Decides which players' strengths are known from a file of matches, and how well.
//!
//! At the maximum of the likelihood, the score contributions of a player's groups add up to zero. With few
//! groups, all of them are near zero, and the sandwich estimator shows hardly any error. A player with one
//! match would get an interval that covers the truth 40 times in 100.
//!
//! Where each group is a single match of the player, the error by the model is used instead. It assumes that
//! single matches are independent, and they are. It is multiplied by the mean ratio of the sandwich's
//! variance to the model's, over all players with single matches.
//!
//! Where groups are blocks, whose matches share luck, only the sandwich is valid. It is then multiplied by n
//! / (n - 1) for n groups, and Student's t has n - 1 degrees of freedom. Groups of different sizes count as
//! fewer (after Bell & McCaffrey 2002, "Bias reduction in standard errors for linear regression with
//! multi-stage samples", *Survey Methodology* 28(2)). Both methods cover the truth as often as they should
//! from ten groups on.
//!
//! Few results in one direction make a strength look better known than it is. The fewer wins luck has given a
//! player, the lower and the more certain is the estimate. If fewer than four results keep a player together
//! with the others ([`Bonds`]), Student's t has four degrees of freedom for each of them. A single win has a
//! standard error of about 1 in log-odds. Its interval reaches down to a strength that gains a win in one
//! season of sixteen. Simulations of the coverage of these intervals are in docs/statistics.md.

use std::borrow::Cow;
use std::collections::BTreeMap;

use nalgebra::DMatrix;
use overtrick_ratings::interval::{Estimate, student_t_975};
use overtrick_ratings::{Bonds, ELO_PER_LOG_STRENGTH, Entrant, Fit, Outcome};

use super::MatchFile;

/// The fewest groups with matches of a player for an interval of their strength.
pub(super) const FEWEST_OWN_GROUPS: usize = 10;

/// The fewest groups in which a seat must have been ahead of or level with another, and behind or level.
const FEWEST_EACH_WAY: usize = 6;

/// The number of results that keep players together well enough for the normal distribution.
const WELL_BOUND: usize = 4;

/// The degrees of freedom for each result that keeps a player together with the others.
const FREEDOM_OF_RESULT: f64 = 4.0;

/// The least share of the settled players who must be kept together.
///
/// With fewer, their mean would be less well known.
const MIN_SETTLED_SHARE: f64 = 0.8;

/// Whether a player's strength has an interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HasInterval {
    /// The strength and its error are known.
    Settled,
    /// There are too few groups to know its error.
    TooFew,
    /// Results leave it open to one side or both.
    Open,
}

impl HasInterval {
    /// Returns the answer in files.
    pub const fn name(self) -> &'static str {
        match self {
            HasInterval::Settled => "yes",
            HasInterval::TooFew => "too few",
            HasInterval::Open => "open",
        }
    }
}

/// The strengths of players, measured from the anchor or from players whose strength is known.
pub(super) struct Strengths {
    /// By player: log-strength.
    pub theta: Vec<f64>,
    /// By player: Elo.
    pub elo: Vec<Estimate>,
    /// By player: whether the strength is settled.
    pub has_interval: Vec<HasInterval>,
    /// Whether the settled players have mean 0, and not all players.
    pub from_settled: bool,
}

impl Strengths {
    /// Computes the strengths of the players of a fit to `outcomes`; the fit had the same `anchor`.
    pub fn new(fit: &Fit, outcomes: &[Outcome], anchor: Option<usize>) -> Strengths {
        let players = fit.theta().len();
        let played = Participation::of(players, outcomes, |entrant| Some(entrant.player));
        // Only results between joined players say anything about errors.
        let outcomes = match fit.splits().main(anchor) {
            Some(set) if set.len() < players => Cow::Owned(within(outcomes, set)),
            _ => Cow::Borrowed(outcomes),
        };
        let parts = Participation::of(players, &outcomes, |entrant| Some(entrant.player));
        let has_interval = have_intervals(fit, &parts, anchor);
        let settled: Vec<usize> = (0..players).filter(|&player| has_interval[player] == HasInterval::Settled).collect();
        let origin = origin(&settled, players, anchor);
        let mean = origin.iter().map(|&player| fit.theta()[player]).sum::<f64>() / origin.len().max(1) as f64;
        let theta: Vec<f64> = fit.theta().iter().map(|theta| theta - mean).collect();
        let errors = Errors {
            anchor,
            model: variances(fit.model_covariance(), origin),
            robust: fit.covariance().map(|covariance| variances(covariance, origin)),
            groups: fit.groups() as f64,
            bonds: bonds(players, &outcomes, &settled, anchor),
            parts,
            played,
        };
        let inflation =
            Inflation { single: errors.inflation(&settled, true), grouped: errors.inflation(&settled, false) };
        let elo =
            (0..players).map(|player| errors.elo(player, theta[player], has_interval[player], &inflation)).collect();
        let from_settled = !origin.is_empty();
        Strengths { theta, elo, has_interval, from_settled }
    }

    /// Returns the names of the players of this kind.
    pub fn named(&self, file: &MatchFile, which: HasInterval) -> Vec<String> {
        let mut names = Vec::new();
        for (&has_interval, name) in self.has_interval.iter().zip(&file.players) {
            if has_interval == which {
                names.push(name.clone());
            }
        }
        names
    }
}

/// The parts that the errors of strengths are made of.
struct Errors {
    anchor: Option<usize>,
    /// By player: the variance by the model.
    model: Vec<f64>,
    /// By player: the variance by the sandwich; `None` with fewer than two groups.
    robust: Option<Vec<f64>>,
    /// The number of groups of all players.
    groups: f64,
    /// By player: the number of results that keep them together with the others.
    bonds: Vec<usize>,
    /// By player: their groups with results that say something about errors.
    parts: Vec<Participation>,
    /// By player: all their groups.
    played: Vec<Participation>,
}

impl Errors {
    /// Returns the variance of a player by the sandwich; 0 if there is none.
    fn sandwich_variance(&self, player: usize) -> f64 {
        let Some(robust) = &self.robust else { return 0.0 };
        // The sandwich allows for the one degree of freedom that all groups lose together. A player's own
        // groups lose one, too.
        let groups = self.parts[player].effective;
        robust[player] * (groups / (groups - 1.0)) * ((self.groups - 1.0) / self.groups)
    }

    /// Returns the mean ratio of the sandwich's variance to the model's; 1 if there is none.
    ///
    /// It is that of the settled players whose groups are single matches, or whose groups are not.
    fn inflation(&self, settled: &[usize], is_single: bool) -> f64 {
        let mut ratios = Vec::new();
        for &player in settled {
            let is_meant = self.parts[player].single == is_single && Some(player) != self.anchor;
            if is_meant && self.model[player] > 0.0 {
                ratios.push(self.sandwich_variance(player) / self.model[player]);
            }
        }
        if ratios.is_empty() { 1.0 } else { ratios.iter().sum::<f64>() / ratios.len() as f64 }
    }

    /// Returns the Elo of a player.
    fn elo(&self, player: usize, theta: f64, has_interval: HasInterval, inflation: &Inflation) -> Estimate {
        let part = self.parts[player];
        let group_freedom = (part.effective.floor() - 1.0).max(0.0);
        let (mean, groups) = (ELO_PER_LOG_STRENGTH * theta, self.played[player].groups);
        let mut elo = Estimate { mean, se: None, half_width: None, groups, freedom: group_freedom, widening: 1.0 };
        if Some(player) == self.anchor {
            return Estimate { se: Some(0.0), half_width: Some(0.0), ..elo };
        }
        let inflation = if part.single { inflation.single } else { inflation.grouped };
        let variance = match has_interval {
            HasInterval::Open => return elo,
            HasInterval::Settled if !part.single => self.sandwich_variance(player),
            _ => inflation * self.model[player],
        };
        let se = ELO_PER_LOG_STRENGTH * variance.max(0.0).sqrt();
        elo.se = Some(se);
        if has_interval == HasInterval::Settled {
            let bonds = self.bonds[player];
            let bond_freedom = if bonds < WELL_BOUND { FREEDOM_OF_RESULT * bonds as f64 } else { f64::MAX };
            let freedom = if part.single { bond_freedom } else { group_freedom.min(bond_freedom) };
            elo.half_width = Some(se * student_t_975(freedom));
        }
        elo
    }
}

/// The mean ratios of the sandwich's variance to the model's ([`Errors::inflation`]).
struct Inflation {
    /// Of players whose groups are single matches.
    single: f64,
    /// Of the other players.
    grouped: f64,
}

/// Returns the players whose mean strength is 0; none if that is all players, or the anchor has 0.
fn origin(settled: &[usize], players: usize, anchor: Option<usize>) -> &[usize] {
    if anchor.is_some() || settled.len() == players { &[] } else { settled }
}

/// Returns the outcomes between the members of a sorted set.
fn within(outcomes: &[Outcome], set: &[usize]) -> Vec<Outcome> {
    let mut within = Vec::new();
    for outcome in outcomes {
        let mut part = Outcome { entrants: Vec::new(), places: Vec::new(), counts: outcome.counts.clone() };
        for (entrant, &place) in outcome.entrants.iter().zip(&outcome.places) {
            if set.binary_search(&entrant.player).is_ok() {
                part.entrants.push(*entrant);
                part.places.push(place);
            }
        }
        if part.entrants.iter().any(|entrant| entrant.player != part.entrants[0].player) {
            within.push(part);
        }
    }
    within
}

/// The groups in which a player took part.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Participation {
    /// The number of groups.
    pub groups: usize,
    /// The number of groups of equal size with the same weight: (sum of matches)^2 / sum of squares.
    effective: f64,
    /// Whether each group was a single match.
    single: bool,
    /// The number of groups in which it was ahead of or level with another, and in which it was behind or
    /// level.
    each_way: [usize; 2],
}

/// A number of matches of one entrant in one group.
struct Played {
    entrant: usize,
    group: usize,
    times: u64,
    /// Whether it was ahead of or level with another, and whether behind or level.
    each_way: [bool; 2],
}

impl Participation {
    /// Returns the participation of entrants, by the number that `key` returns for an entrant.
    pub fn of(keys: usize, outcomes: &[Outcome], key: impl Fn(&Entrant) -> Option<usize>) -> Vec<Participation> {
        let mut played: Vec<Played> = Vec::new();
        for outcome in outcomes {
            for (entrant, each_way) in each_way(outcome, &key) {
                for &(group, times) in &outcome.counts {
                    if times > 0 {
                        played.push(Played { entrant, group, times, each_way });
                    }
                }
            }
        }
        played.sort_unstable_by_key(|one| (one.entrant, one.group));
        let mut parts = vec![Participation::default(); keys];
        for of_one in played.chunk_by(|a, b| a.entrant == b.entrant) {
            let part = &mut parts[of_one[0].entrant];
            let (mut sum, mut squares) = (0.0, 0.0);
            part.single = true;
            for group in of_one.chunk_by(|a, b| a.group == b.group) {
                let size: u64 = group.iter().map(|one| one.times).sum();
                part.groups += 1;
                part.single &= size == 1;
                sum += size as f64;
                squares += (size * size) as f64;
                for (way, count) in part.each_way.iter_mut().enumerate() {
                    *count += usize::from(group.iter().any(|one| one.each_way[way]));
                }
            }
            part.effective = sum * sum / squares;
        }
        parts
    }

    /// Returns whether the groups are too few for an interval.
    pub fn is_small(&self) -> bool {
        self.effective < FEWEST_OWN_GROUPS as f64
    }

    /// Returns whether too few groups went one of the two ways.
    pub fn is_one_sided(&self) -> bool {
        self.each_way.iter().any(|&groups| groups < FEWEST_EACH_WAY)
    }
}

/// Returns for each entrant of a match whether they were ahead of or level with another, and behind or level.
///
/// Entrants are numbered by `key`, and each number occurs once.
fn each_way(outcome: &Outcome, key: impl Fn(&Entrant) -> Option<usize>) -> BTreeMap<usize, [bool; 2]> {
    let mut found: BTreeMap<usize, [bool; 2]> = BTreeMap::new();
    for (own, (entrant, place)) in outcome.entrants.iter().zip(&outcome.places).enumerate() {
        let Some(number) = key(entrant) else { continue };
        let ways = found.entry(number).or_default();
        for (other, (opponent, behind)) in outcome.entrants.iter().zip(&outcome.places).enumerate() {
            if other != own && key(opponent) != Some(number) {
                ways[0] |= place <= behind;
                ways[1] |= place >= behind;
            }
        }
    }
    found
}

/// Returns by player whether the strength is settled.
///
/// It is measured from the anchor or, without one, from the largest set of players that results join.
fn have_intervals(fit: &Fit, parts: &[Participation], anchor: Option<usize>) -> Vec<HasInterval> {
    let main = fit.splits().main(anchor);
    // A distance from an anchor is no better known than the anchor.
    let is_anchor_small = anchor.is_some_and(|anchor| parts[anchor].is_small());
    let mut all = Vec::with_capacity(parts.len());
    for (player, part) in parts.iter().enumerate() {
        let is_in_main = main.is_some_and(|set| set.binary_search(&player).is_ok());
        // Pseudo-results within the set replace information on ties or seats that the results lack.
        all.push(if !is_in_main || fit.is_regularised(player) {
            HasInterval::Open
        } else if part.is_small() || is_anchor_small {
            HasInterval::TooFew
        } else {
            HasInterval::Settled
        });
    }
    let settled = all.iter().filter(|&&one| one == HasInterval::Settled).count();
    // A single player cannot serve as the origin.
    if anchor.is_none() && settled == 1 {
        for one in &mut all {
            if *one == HasInterval::Settled {
                *one = HasInterval::TooFew;
            }
        }
    }
    all
}

/// Returns by player the number of results that keep them together with the others.
///
/// The others are the anchor or, without one, most of the settled players.
fn bonds(players: usize, outcomes: &[Outcome], settled: &[usize], anchor: Option<usize>) -> Vec<usize> {
    let results = Bonds::new(players, outcomes, WELL_BOUND);
    let mut bonds = vec![1; players];
    for least in 1..=WELL_BOUND {
        let sets = results.sets(least);
        let firm = match anchor {
            Some(anchor) => sets.iter().find(|set| set.contains(&anchor)),
            None => sets.iter().rev().max_by_key(|set| settled_in(set, settled)),
        };
        let Some(firm) = firm else { break };
        let is_enough = settled_in(firm, settled) as f64 >= MIN_SETTLED_SHARE * settled.len() as f64;
        if firm.len() < 2 || (anchor.is_none() && !is_enough) {
            break;
        }
        for &player in firm {
            bonds[player] = least;
        }
    }
    bonds
}

/// Returns the number of the settled players in a sorted set.
fn settled_in(set: &[usize], settled: &[usize]) -> usize {
    settled.iter().filter(|player| set.binary_search(player).is_ok()).count()
}

/// Returns the variance of the distance of each player from the mean of those in `origin`.
///
/// Without any, it is the variance in the covariance.
fn variances(covariance: &DMatrix<f64>, origin: &[usize]) -> Vec<f64> {
    let count = origin.len().max(1) as f64;
    let mut with_origin = Vec::with_capacity(covariance.nrows());
    for player in 0..covariance.nrows() {
        let sum: f64 = origin.iter().map(|&other| covariance[(player, other)]).sum();
        with_origin.push(sum / count);
    }
    let of_origin = origin.iter().map(|&player| with_origin[player]).sum::<f64>() / count;
    let mut variances = Vec::with_capacity(covariance.nrows());
    for (player, shared) in with_origin.iter().enumerate() {
        variances.push(covariance[(player, player)] - 2.0 * shared + of_origin);
    }
    variances
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the results of two players who were each ahead of the other in this number of groups.
    fn level(one: usize, other: usize, groups: usize) -> Vec<Outcome> {
        let entrants = [one, other].map(|player| Entrant { player, seat: None }).to_vec();
        let counts: Vec<(usize, u64)> = (0..groups).map(|group| (group, 1)).collect();
        let ahead =
            |places: [u8; 2]| Outcome { entrants: entrants.clone(), places: places.to_vec(), counts: counts.clone() };
        vec![ahead([0, 1]), ahead([1, 0])]
    }

    #[test]
    fn players_are_bound_to_most_of_the_settled_or_to_the_anchor() {
        let outcomes = [level(0, 1, 4), level(1, 2, 4), level(2, 3, 2), level(4, 5, 4)].concat();
        let all = [0, 1, 2, 3, 4, 5];
        // Three of four settled players are too few, and four of five are enough.
        assert_eq!(bonds(6, &outcomes, &[0, 1, 2, 4], None), [1; 6]);
        assert_eq!(bonds(6, &outcomes, &[0, 1, 2], None), [4, 4, 4, 2, 1, 1]);
        assert_eq!(bonds(6, &outcomes, &[0, 1, 2, 3, 4], None), [2, 2, 2, 2, 1, 1]);
        // With an anchor it does not matter how many are settled.
        assert_eq!(bonds(6, &outcomes, &all, Some(4)), [1, 1, 1, 1, 4, 4]);
        assert_eq!(bonds(6, &outcomes, &all, Some(3)), [2, 2, 2, 2, 1, 1]);
        // No one is bound to a player who is alone.
        let alone = [level(0, 1, 4), level(1, 2, 1)].concat();
        assert_eq!(bonds(3, &alone, &[0, 1, 2], Some(2)), [1, 1, 1]);
    }
}
