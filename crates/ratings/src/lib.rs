//! Elo ratings by maximum likelihood from finishing orders of any size, ties included.
//!
//! **Model.** Entrant `e` of a match has the log-strength `eta_e = theta[player] + gamma[seat]`. Places are
//! filled from the top. The next place goes to a set `C` of tied entrants among those still standing, with
//! probability `f(C) / sum_S f(S)`. Here `log f(S) = log_delta[|S|] + mean of eta over S` and
//! `log_delta[1] = 0`. `S` runs over all subsets of those standing whose size is 1 or a tie size that occurs
//! in the data. A size that never occurs counts as impossible.
//!
//! This is the Plackett-Luce model with Davidson-Luce ties (Turner, van Etten, Firth & Kosmidis 2020,
//! "Modelling rankings in R: the PlackettLuce package", *Computational Statistics* 35; Firth, Kosmidis &
//! Turner 2019, "Davidson-Luce model for multi-item choice with ties", arXiv:1909.07123). With two entrants
//! it is Davidson (1970), and without ties Bradley & Terry (1952).
//!
//! **Fit.** Each place is a multinomial logit, so the log-likelihood is concave and Newton's method finds its
//! one maximum. There is no maximum if the results separate a player, a seat or a tie size from the rest with
//! certainty. Pseudo-results then keep everything finite, and move no player whose strength the results
//! determine; see [`Fit::is_regularised`]. Players whom no matches connect have no common scale.
//! [`components()`] separates them, and each component is fitted by itself.
//!
//! **Uncertainty.** The sandwich `V = H^-1 (sum_g u_g u_g') H^-1 G/(G-1)` over the `G` non-empty groups.
//! `u_g` is the score vector of group `g` and `H` the information, both over *all* parameters (White 1982;
//! Cameron & Miller 2015).
//!
//! **Symmetry.** Players whose records are mirror images of each other, such as identical bots in full
//! rotation, get bit for bit the same strength. The symmetry is found in the counts, before any arithmetic
//! that rounds. If their records mirror each other in every single group, the standard error of their
//! difference is exactly zero, too.
//!
//! **Words.** An [`Outcome`] lists the [`Entrant`]s of a match with their places; a player may enter several
//! times. The fit merges equal outcomes into records, whose entrants are sorted by place.
//!
//! Three players:
//!
//! ```
#![doc = include_str!("../examples/rate.rs")]
//! ```

mod bonds;
mod chains;
mod components;
mod connectivity;
mod covariance;
pub mod freedom;
pub mod interval;
mod likelihood;
mod newton;
mod parameters;
mod records;
mod solution;
mod subsets;
mod symmetry;
#[cfg(test)]
mod tests;

use nalgebra::DMatrix;
use statrs::distribution::{ContinuousCDF, Normal};

pub use bonds::Bonds;
pub use components::{Component, components};
pub use connectivity::Splits;
pub use interval::{Estimate, FEWEST_GROUPS, GroupSum, design_effect, grouped_mean, independent_se, student_t_975};
use solution::Solution;

/// Elo points per unit of log-strength: a difference of 400 is odds of ten to one.
pub const ELO_PER_LOG_STRENGTH: f64 = 400.0 / std::f64::consts::LN_10;

/// The most entrants that a match may have.
pub const MOST_ENTRANTS: usize = 50;

/// One participant of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entrant {
    /// Index of the player; the same player may enter a match several times.
    pub player: usize,
    /// The seat taken, if known.
    pub seat: Option<usize>,
}

/// One kind of result, with the number of times that it happened in each group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The participants: 2 to [`MOST_ENTRANTS`] entrants in any order.
    pub entrants: Vec<Entrant>,
    /// The place of each entrant, in the order of `entrants`.
    ///
    /// 0 is best, equal places are a tie, and no place is skipped.
    pub places: Vec<u8>,
    /// `(group, times)`; a group may be listed more than once.
    pub counts: Vec<(usize, u64)>,
}

/// The options of a fit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FitOptions {
    /// Whether to estimate an effect of every seat on strength; the first seat that occurs is fixed at zero.
    pub seat_effects: bool,
    /// The player whose log-strength is fixed at zero; without an anchor, strengths sum to zero.
    pub anchor: Option<usize>,
    /// Whether to keep the influences of groups on strengths ([`Fit::influences`]).
    ///
    /// They are players times groups numbers.
    pub keep_influences: bool,
}

/// The reason why no ratings could be computed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// There are no players to rate.
    #[error("there are no players to rate")]
    NoPlayers,
    /// A player took part in no match.
    #[error("player {player} took part in no match")]
    NeverPlayed {
        /// Index of the player.
        player: usize,
    },
    /// The anchor is not one of the players.
    #[error("the anchor, player {anchor}, is not one of the players")]
    UnknownAnchor {
        /// Index of the requested anchor.
        anchor: usize,
    },
    /// An entrant is not one of the players.
    #[error("outcome {outcome}: player {player} is not one of the players")]
    UnknownPlayer {
        /// Index of the outcome.
        outcome: usize,
        /// Index of the player.
        player: usize,
    },
    /// A count is for a group beyond the number of groups.
    #[error("outcome {outcome}: group {group} is not one of the groups")]
    UnknownGroup {
        /// Index of the outcome.
        outcome: usize,
        /// Index of the group.
        group: usize,
    },
    /// The number of entrants is below 2 or above [`MOST_ENTRANTS`].
    #[error("outcome {outcome}: {entrants} entrants where 2 to 50 are possible")]
    EntrantCount {
        /// Index of the outcome.
        outcome: usize,
        /// Number of entrants.
        entrants: usize,
    },
    /// There is not one place for each entrant, or a place is skipped.
    #[error("outcome {outcome}: the places are not dense ranks from 0, one for each entrant")]
    Places {
        /// Index of the outcome.
        outcome: usize,
    },
    /// Seat effects were requested, but a seat is missing.
    #[error("outcome {outcome}: an entrant without a seat, but seat effects were asked for")]
    MissingSeat {
        /// Index of the outcome.
        outcome: usize,
    },
    /// No matches connect two players, directly or through others; see [`components()`].
    #[error("no matches connect players {} and {}, so they have no common scale", .players[0], .players[1])]
    Apart {
        /// One player of either side.
        players: [usize; 2],
    },
    /// Newton's method failed even with pseudo-results, because counts differ greatly in magnitude.
    #[error("the ratings did not converge")]
    NotConverged,
}

/// Fitted ratings, with players indexed as in the outcomes.
#[derive(Clone, Debug)]
pub struct Fit {
    solution: Solution,
    splits: Splits,
}

/// Fits strengths to outcomes.
///
/// `players` is the number of players, each of whom must have played. `all_groups` is the number of groups,
/// some of which may be empty. The order of the outcomes, and of the entrants in an outcome, does not matter.
/// Equal outcomes may be listed together or separately.
///
/// # Errors
/// Returns a [`FitError`] if an outcome is malformed, a player took part in no outcome, or no matches connect
/// some players.
pub fn fit(players: usize, all_groups: usize, outcomes: &[Outcome], options: &FitOptions) -> Result<Fit, FitError> {
    let anchor = options.anchor;
    if let Some(anchor) = anchor
        && anchor >= players
    {
        return Err(FitError::UnknownAnchor { anchor });
    }
    let records = records::canonical(players, all_groups, outcomes, options.seat_effects)?;
    let splits = Splits::of(players, &records);
    if let [one, other, ..] = &splits.apart[..] {
        return Err(FitError::Apart { players: [one[0], other[0]] });
    }
    let mut solution =
        Solution::new(players, &records, &splits, anchor, options.keep_influences.then_some(all_groups))?;
    solution.make_relative(anchor);
    Ok(Fit { solution, splits })
}

impl Fit {
    /// Returns the log-strength of each player; they sum to zero, or the anchor's is zero.
    pub fn theta(&self) -> &[f64] {
        &self.solution.theta
    }

    /// Returns the Elo of a player with its standard error and interval over groups.
    ///
    /// The error is that of the distance to the average player or, with an anchor, to the anchor. The
    /// anchor's own Elo and error are zero. To compare two players use [`Fit::difference`].
    pub fn elo(&self, player: usize) -> Estimate {
        let variance = self.solution.covariance.as_ref().map(|v| v[(player, player)]);
        self.estimate(self.solution.theta[player], variance)
    }

    /// Returns the Elo of `a` less the Elo of `b`, with standard error and interval over groups.
    pub fn difference(&self, a: usize, b: usize) -> Estimate {
        let variance = self.solution.covariance.as_ref().map(|v| (v[(a, a)] + v[(b, b)]) - (v[(a, b)] + v[(b, a)]));
        self.estimate(self.solution.theta[a] - self.solution.theta[b], variance)
    }

    /// Converts a value and its variance from units of log-strength to Elo.
    fn estimate(&self, value: f64, variance: Option<f64>) -> Estimate {
        let se = variance.map(|v| ELO_PER_LOG_STRENGTH * v.max(0.0).sqrt());
        Estimate::from_groups(ELO_PER_LOG_STRENGTH * value, se, self.solution.groups)
    }

    /// Returns the likelihood that player `a` is stronger than player `b`.
    ///
    /// It is the normal distribution function at the difference over its standard error. Without any
    /// uncertainty it is 1 or 0, and 0.5 for equals. `None` if fewer than two groups hold results, so that
    /// there is no standard error.
    pub fn likelihood_of_superiority(&self, a: usize, b: usize) -> Option<f64> {
        let difference = self.difference(a, b);
        let se = difference.se?;
        Some(if difference.mean == 0.0 { 0.5 } else { Normal::standard().cdf(difference.mean / se) })
    }

    /// Returns `(seat, effect on log-strength)`, by seat; the first effect is zero.
    ///
    /// Empty without seat effects.
    pub fn gamma(&self) -> &[(usize, f64)] {
        &self.solution.gamma
    }

    /// Returns `(seat, effect)` in Elo, by seat, with standard error and interval over groups.
    ///
    /// An effect is the distance to the first seat, whose own effect and error are zero. Empty without seat
    /// effects.
    pub fn seat_effects(&self) -> Vec<(usize, Estimate)> {
        let mut effects = Vec::with_capacity(self.solution.gamma.len());
        for (number, &(seat, gamma)) in self.solution.gamma.iter().enumerate() {
            let variance = self.solution.gamma_variances.as_ref().map(|variances| variances[number]);
            effects.push((seat, self.estimate(gamma, variance)));
        }
        effects
    }

    /// Returns `(tie size, log delta)`, by size, for each tie size from 2 up in the data.
    pub fn log_delta(&self) -> &[(usize, f64)] {
        &self.solution.log_delta
    }

    /// Returns the covariance of `theta` over groups: players by players, in squared units of log-strength.
    ///
    /// `None` if fewer than two groups hold results.
    pub fn covariance(&self) -> Option<&DMatrix<f64>> {
        self.solution.covariance.as_ref()
    }

    /// Returns the covariance of `theta` if the model held and all results were independent.
    ///
    /// This is the inverse of the information, shaped like [`Fit::covariance`].
    pub fn model_covariance(&self) -> &DMatrix<f64> {
        &self.solution.model_covariance
    }

    /// Returns the contribution of each group to the error of each log-strength: players by groups.
    ///
    /// `None` unless requested by [`FitOptions::keep_influences`]. Only differences between players are meaningful.
    pub fn influences(&self) -> Option<&DMatrix<f64>> {
        self.solution.influences.as_ref()
    }

    /// Returns the number of groups that hold results.
    ///
    /// Where results do not join all players, only results between players of the set that distances are
    /// measured from ([`Splits::main`]) count.
    pub fn groups(&self) -> usize {
        self.solution.groups
    }

    /// Returns whether pseudo-results were added for any player; see [`Fit::is_regularised`].
    pub fn regularised(&self) -> bool {
        self.solution.regularised.contains(&true)
    }

    /// Returns whether the rating of a player rests on pseudo-results.
    ///
    /// More exactly, whether the distance of the player from the joined players does, because the likelihood
    /// alone has no maximum.
    ///
    /// Each set of joined players is fitted by the results within it. Every other set is then placed by half
    /// a win and half a loss against a phantom of the mean strength of [`Splits::main`]. This moves no one in
    /// the main set. Without a main set, every player gets half a win and half a loss against a phantom of
    /// log-strength zero.
    ///
    /// That is not enough if tie sizes or seats are still separable or confounded within a set. Then every
    /// player of the set gets half a win and half a loss, too. If that does not suffice either, every tie
    /// size gets half a tie and half none, at even odds. Every seat but the first gets half a win and half a
    /// loss against the first. This keeps every figure finite, and pulls it a little towards zero.
    pub fn is_regularised(&self, player: usize) -> bool {
        self.solution.regularised[player]
    }

    /// Returns whether pseudo-results were added for every player.
    pub fn is_all_regularised(&self) -> bool {
        !self.solution.regularised.contains(&false)
    }

    /// Returns the sets of players whose strengths have no finite maximum, if pseudo-results were added for
    /// that.
    pub fn splits(&self) -> &Splits {
        &self.splits
    }

    /// Returns the number of Newton steps taken.
    pub fn iterations(&self) -> usize {
        self.solution.iterations
    }

    /// Returns the log-likelihood of the results at the fit, without pseudo-results.
    pub fn log_likelihood(&self) -> f64 {
        self.solution.log_likelihood
    }
}
