//! Decides which players' strengths are known from a file of matches, and how well.
//!
//! At the maximum of the likelihood the score contributions of a player's groups add up to zero. If there are few
//! groups, all of them are near zero, and the sandwich estimator shows hardly any error: a player with one match would
//! get an interval that covers the truth 40 times in 100.
//!
//! Where each group is a single match of the player, the error by the model is used instead: it assumes that single
//! matches are independent, and they are. It is multiplied by the mean ratio of the sandwich's variance to the model's
//! over all players with single matches. Where groups are blocks, whose matches share luck, only the sandwich is valid.
//! It is then multiplied by n / (n - 1) for n groups, Student's t has n - 1 degrees of freedom, and groups of different
//! sizes count as fewer (after Bell & McCaffrey 2002, "Bias reduction in standard errors for linear regression with
//! multi-stage samples", *Survey Methodology* 28(2)). Both cover the truth as often as they should from ten groups on.

use std::fmt;

use nalgebra::DMatrix;
use overtrick_ratings::interval::{Estimate, student_t_975};
use overtrick_ratings::{ELO_PER_LOG_STRENGTH, Entrant, Fit, Outcome};
use statrs::distribution::{ContinuousCDF, Normal};

use super::MatchFile;

/// The fewest groups in which a player took part from which there is an interval.
pub(super) const FEWEST_OWN_GROUPS: usize = 10;

/// Whether a player's strength is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// The strength and its error are known.
    Settled,
    /// There are too few groups to know its error.
    TooFew,
    /// Results leave it open to one side or both.
    Open,
}

impl fmt::Display for Standing {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Standing::Settled => "yes",
            Standing::TooFew => "too few",
            Standing::Open => "open",
        })
    }
}

/// The strengths of players, measured from the anchor or from players whose strength is known.
pub(super) struct Strengths {
    /// By player: log-strength.
    pub theta: Vec<f64>,
    /// By player: Elo.
    pub elo: Vec<Estimate>,
    /// By player: whether it is settled.
    pub standings: Vec<Standing>,
    /// Whether the mean of the settled players is 0, and not that of all.
    pub from_settled: bool,
}

impl Strengths {
    /// Of the players of a fit to `outcomes`; the fit had the same `anchor`.
    pub fn new(fit: &Fit, outcomes: &[Outcome], anchor: Option<usize>) -> Strengths {
        let players = fit.theta().len();
        let parts = Part::of(players, outcomes, |entrant| Some(entrant.player));
        let standings = standings(fit, &parts, anchor);
        let settled: Vec<usize> = (0..players).filter(|&player| standings[player] == Standing::Settled).collect();
        let from_settled = anchor.is_none() && !settled.is_empty() && settled.len() < players;
        let origin = if from_settled { &settled[..] } else { &[] };
        let model = variances(fit.model_covariance(), origin);
        let robust = fit.covariance().map(|covariance| variances(covariance, origin));
        let whole = fit.groups() as f64;
        // The sandwich has allowed for the one degree of freedom that all groups lose together; a player's own groups
        // lose one, too.
        let own = |player: usize| {
            let groups = parts[player].effective;
            robust.as_ref().map_or(0.0, |robust| robust[player] * (groups / (groups - 1.0)) * ((whole - 1.0) / whole))
        };
        // The mean ratio of the sandwich's variance to the model's, first for players whose groups are not single
        // matches, then for those whose groups are.
        let inflation = [false, true].map(|single| {
            let kind = |player: usize| parts[player].single == single && model[player] > 0.0 && Some(player) != anchor;
            let ratios: Vec<f64> =
                settled.iter().filter(|&&player| kind(player)).map(|&player| own(player) / model[player]).collect();
            if ratios.is_empty() { 1.0 } else { ratios.iter().sum::<f64>() / ratios.len() as f64 }
        });
        let mean = origin.iter().map(|&player| fit.theta()[player]).sum::<f64>() / origin.len().max(1) as f64;
        let theta: Vec<f64> = fit.theta().iter().map(|theta| theta - mean).collect();
        let estimate = |player: usize| {
            let part = parts[player];
            let pooled = (inflation[usize::from(part.single)] * model[player]).max(0.0).sqrt();
            let freedom = part.effective.floor() - 1.0;
            let (se, quantile) = match standings[player] {
                _ if Some(player) == anchor => (Some(0.0), Some(0.0)),
                Standing::Settled if part.single => (Some(pooled), Some(Normal::standard().inverse_cdf(0.975))),
                Standing::Settled => (Some(own(player).max(0.0).sqrt()), Some(student_t_975(freedom))),
                Standing::TooFew => (Some(pooled), None),
                Standing::Open => (None, None),
            };
            let se = se.map(|se| ELO_PER_LOG_STRENGTH * se);
            let half_width = se.zip(quantile).map(|(se, quantile)| se * quantile);
            let mean = ELO_PER_LOG_STRENGTH * theta[player];
            Estimate { mean, se, half_width, groups: part.groups, freedom, widening: 1.0 }
        };
        let elo = (0..players).map(estimate).collect();
        Strengths { theta, elo, standings, from_settled }
    }

    /// The names of the players of a standing.
    pub fn named(&self, file: &MatchFile, standing: Standing) -> Vec<String> {
        let players = self.standings.iter().zip(&file.players).filter(|&(&own, _)| own == standing);
        players.map(|(_, name)| name.clone()).collect()
    }
}

/// The groups in which a player took part.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Part {
    /// The number of groups.
    pub groups: usize,
    /// How many groups of equal size would weigh the same: (sum of matches)^2 / sum of squares.
    effective: f64,
    /// Whether each was a single match.
    single: bool,
}

impl Part {
    /// The parts of entrants, by the number that `key` gives an entrant.
    pub fn of(keys: usize, outcomes: &[Outcome], key: impl Fn(&Entrant) -> Option<usize>) -> Vec<Part> {
        let mut played: Vec<(usize, usize, u64)> = Vec::new();
        for outcome in outcomes {
            let mut entrants: Vec<usize> = outcome.entrants.iter().filter_map(&key).collect();
            entrants.sort_unstable();
            entrants.dedup();
            let counts = || outcome.counts.iter().filter(|&&(_, times)| times > 0);
            played
                .extend(entrants.into_iter().flat_map(|one| counts().map(move |&(group, times)| (one, group, times))));
        }
        played.sort_unstable();
        let mut parts = vec![Part::default(); keys];
        for of_one in played.chunk_by(|a, b| a.0 == b.0) {
            let sizes = of_one.chunk_by(|a, b| a.1 == b.1).map(|group| group.iter().map(|&(.., times)| times).sum());
            let sizes: Vec<u64> = sizes.collect();
            let sum = |value: fn(f64) -> f64| sizes.iter().map(|&size| value(size as f64)).sum::<f64>();
            parts[of_one[0].0] = Part {
                groups: sizes.len(),
                effective: sum(|size| size).powi(2) / sum(|size| size * size),
                single: sizes.iter().all(|&size| size == 1),
            };
        }
        parts
    }

    /// Whether these are too few groups for an interval.
    pub fn is_small(&self) -> bool {
        self.effective < FEWEST_OWN_GROUPS as f64
    }
}

/// By player: whether the strength is settled. It is measured from the anchor, or else from the largest set of players
/// that results join.
fn standings(fit: &Fit, parts: &[Part], anchor: Option<usize>) -> Vec<Standing> {
    let joined = &fit.splits().joined;
    let main = match anchor {
        Some(anchor) => joined.iter().find(|set| set.contains(&anchor)),
        // Among equals the first set is taken.
        None => joined.iter().rev().max_by_key(|set| set.len()),
    };
    let main = main.filter(|set| set.len() > 1);
    let few = |player: usize| parts[player].is_small();
    let standing = |player: usize| match main {
        Some(set) if set.binary_search(&player).is_ok() => {
            // What is measured from an anchor is no better known than the anchor.
            if few(player) || anchor.is_some_and(few) { Standing::TooFew } else { Standing::Settled }
        }
        _ => Standing::Open,
    };
    let mut standings: Vec<Standing> = (0..parts.len()).map(standing).collect();
    let settled = standings.iter().filter(|&&standing| standing == Standing::Settled).count();
    // A single player cannot serve as the origin.
    if anchor.is_none() && settled == 1 {
        standings.iter_mut().filter(|standing| **standing == Standing::Settled).for_each(|one| *one = Standing::TooFew);
    }
    standings
}

/// The variance of the distance of each player from the mean of those in `origin`; without any, as the covariance has
/// it.
fn variances(covariance: &DMatrix<f64>, origin: &[usize]) -> Vec<f64> {
    let count = origin.len().max(1) as f64;
    let with_origin: Vec<f64> = (0..covariance.nrows())
        .map(|one| origin.iter().map(|&other| covariance[(one, other)]).sum::<f64>() / count)
        .collect();
    let of_origin = origin.iter().map(|&one| with_origin[one]).sum::<f64>() / count;
    with_origin.iter().enumerate().map(|(one, shared)| covariance[(one, one)] - 2.0 * shared + of_origin).collect()
}
