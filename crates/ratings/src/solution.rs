//! Solves for strengths, one set of players after another.
//!
//! Where results do not join all players both ways, the maximum of the likelihood lies at infinity. A set
//! that was always ahead moves away from the others. In that limit the likelihood falls into parts. A player
//! who is infinitely far ahead is certainly chosen first, which carries no information. The remaining choices
//! are those within sets.
//!
//! So each set is solved by the results between its own members, and no pseudo-result moves them. The
//! distances between sets are open. Pseudo-results place the sets, with the distances within them held fixed.

use nalgebra::{DMatrix, DVector};

use super::connectivity::Splits;
use super::likelihood::Likelihood;
use super::newton::{self, Optimum};
use super::records::{self, Record};
use super::symmetry::Classes;
use super::{FitError, covariance};

/// Strengths with their errors. The origin of the strengths is arbitrary until they are made relative.
#[derive(Clone, Debug)]
pub(super) struct Solution {
    /// By player: log-strength.
    pub theta: Vec<f64>,
    /// The covariance of `theta` over groups; `None` with fewer than two groups.
    pub covariance: Option<DMatrix<f64>>,
    /// The covariance of `theta` by the model.
    pub model_covariance: DMatrix<f64>,
    /// The contribution of each group to the error of each log-strength, `H^-1 u_g`: players by groups, if
    /// requested.
    pub influences: Option<DMatrix<f64>>,
    /// `(seat, effect)`.
    pub gamma: Vec<(usize, f64)>,
    /// By seat, in the order of `gamma`.
    pub gamma_variances: Option<Vec<f64>>,
    /// `(tie size, log delta)`.
    pub log_delta: Vec<(usize, f64)>,
    /// The number of groups that hold results.
    pub groups: usize,
    /// By player: whether their distance from the others rests on pseudo-results.
    pub regularised: Vec<bool>,
    /// The number of steps of Newton's method.
    pub iterations: usize,
    /// Without pseudo-results.
    pub log_likelihood: f64,
}

impl Solution {
    /// Solves for all players.
    ///
    /// If results determine some of their distances, these are measured from the set of `anchor`, or from the
    /// largest set. `influence_groups` is the number of groups, if their influences are requested.
    pub fn new(
        players: usize,
        records: &[Record],
        splits: &Splits,
        anchor: Option<usize>,
        influence_groups: Option<usize>,
    ) -> Result<Solution, FitError> {
        let main = splits.main(anchor).or_else(|| splits.main(None));
        match main {
            Some(main) if !splits.is_empty() => Solution::of_sets(players, records, splits, main, influence_groups),
            _ => Solution::of_all(players, records, splits.is_empty(), influence_groups),
        }
    }

    /// Moves the origin of the strengths to `anchor`, or to their mean.
    pub fn make_relative(&mut self, anchor: Option<usize>) {
        self.theta = covariance::relative_strengths(&self.theta, anchor);
        self.covariance = self.covariance.as_ref().map(|robust| covariance::relative(robust, anchor));
        self.model_covariance = covariance::relative(&self.model_covariance, anchor);
    }

    /// Solves for all players together.
    ///
    /// If they are not `joined`, the results determine none of their distances.
    fn of_all(
        players: usize,
        records: &[Record],
        joined: bool,
        influence_groups: Option<usize>,
    ) -> Result<Solution, FitError> {
        let likelihood = Likelihood::new(players, records);
        let alike = Classes::of_totals(players, records);
        let optimum = optimise(&likelihood, &alike, joined)?;
        let parameters = likelihood.parameters();
        let (robust, groups) = robust_covariance(&likelihood, &optimum);
        let mut of_players = None;
        let mut gamma_variances = None;
        if let Some(robust) = robust {
            let alike_in_groups = alike.within_groups(records);
            of_players = Some(alike_in_groups.average_blocks(covariance::of_players(&robust, players)));
            let variances = parameters.gamma(&robust.diagonal());
            gamma_variances = Some(variances.into_iter().map(|(_, variance)| variance).collect());
        }
        Ok(Solution {
            theta: parameters.theta(&optimum.parameters).to_vec(),
            covariance: of_players,
            model_covariance: covariance::of_players(&optimum.inverse, players),
            influences: influence_groups.map(|groups| influences_of(&likelihood, &optimum, players, groups)),
            gamma: parameters.gamma(&optimum.parameters),
            gamma_variances,
            log_delta: parameters.log_delta(&optimum.parameters),
            groups,
            regularised: vec![optimum.phantoms > 0; players],
            iterations: optimum.iterations,
            log_likelihood: optimum.log_likelihood,
        })
    }

    /// Solves for each set separately, then places all others against the `main` set.
    fn of_sets(
        players: usize,
        records: &[Record],
        splits: &Splits,
        main: &[usize],
        influence_groups: Option<usize>,
    ) -> Result<Solution, FitError> {
        let mut whole = Solution {
            theta: vec![0.0; players],
            covariance: Some(DMatrix::zeros(players, players)),
            model_covariance: DMatrix::zeros(players, players),
            influences: influence_groups.map(|groups| DMatrix::zeros(players, groups)),
            gamma: Vec::new(),
            gamma_variances: None,
            log_delta: Vec::new(),
            groups: 0,
            regularised: vec![true; players],
            iterations: 0,
            log_likelihood: 0.0,
        };
        for set in splits.joined.iter().filter(|set| set.len() > 1) {
            let own = Solution::of_all(set.len(), &records::within(records, set), true, influence_groups)?;
            whole.insert(set, &own);
            if set == main {
                for (&player, &regularised) in set.iter().zip(&own.regularised) {
                    whole.regularised[player] = regularised;
                }
                if own.covariance.is_none() {
                    whole.covariance = None;
                }
                (whole.gamma, whole.gamma_variances, whole.log_delta) = (own.gamma, own.gamma_variances, own.log_delta);
                whole.groups = own.groups;
            }
        }
        whole.place(records, splits, main)?;
        Ok(whole)
    }

    /// Copies the distances of a set's members from their mean, with their errors.
    fn insert(&mut self, set: &[usize], own: &Solution) {
        let theta = covariance::relative_strengths(&own.theta, None);
        let model = covariance::relative(&own.model_covariance, None);
        let robust = own.covariance.as_ref().map(|robust| covariance::relative(robust, None));
        // All results of a small set may be in one group.
        let robust = robust.as_ref().unwrap_or(&model);
        if let (Some(influences), Some(own)) = (&mut self.influences, &own.influences) {
            for (group, column) in own.column_iter().enumerate() {
                for (i, &player) in set.iter().enumerate() {
                    influences[(player, group)] = column[i] - column.mean();
                }
            }
        }
        for (i, &player) in set.iter().enumerate() {
            self.theta[player] = theta[i];
            for (j, &other) in set.iter().enumerate() {
                self.model_covariance[(player, other)] = model[(i, j)];
                if let Some(covariance) = &mut self.covariance {
                    covariance[(player, other)] = robust[(i, j)];
                }
            }
        }
        self.iterations += own.iterations;
        self.log_likelihood += own.log_likelihood;
    }

    /// Places all sets but the `main` set.
    ///
    /// Each gets half a win and half a loss against a phantom of the mean strength of the main set. Errors
    /// are those that would hold if the main set were known exactly.
    fn place(&mut self, records: &[Record], splits: &Splits, main: &[usize]) -> Result<(), FitError> {
        let players = self.theta.len();
        let others: Vec<&Vec<usize>> = splits.joined.iter().filter(|set| *set != main).collect();
        let mut set_of = vec![None; players];
        for (number, set) in others.iter().enumerate() {
            for &player in *set {
                set_of[player] = Some(number);
            }
        }
        let given = |player: usize, seat: Option<usize>| self.theta[player] + self.seat_effect(seat);
        let likelihood = Likelihood::of_sets(others.len(), records, |player| set_of[player], given);
        let alike = Classes::of_totals(players, records);
        // Equal records ensure equal places only for players who are alone in their sets.
        let mut keys = Vec::with_capacity(others.len());
        for (number, set) in others.iter().enumerate() {
            keys.push(if let [player] = set[..] { (0, alike.class_of[player]) } else { (1, number) });
        }
        let alike = Classes::by_key(keys);
        let optimum = newton::maximise(&likelihood, &alike, others.len(), DVector::zeros(others.len()));
        self.move_sets(&set_of, &likelihood, &optimum.ok_or(FitError::NotConverged)?);
        Ok(())
    }

    /// Returns the effect of a seat on strength; 0 for a seat without one.
    fn seat_effect(&self, seat: Option<usize>) -> f64 {
        let known = self.gamma.iter().find(|&&(own, _)| Some(own) == seat);
        known.map_or(0.0, |&(_, effect)| effect)
    }

    /// Adds the places of sets to the strengths of their members, with their errors.
    fn move_sets(&mut self, set_of: &[Option<usize>], likelihood: &Likelihood, optimum: &Optimum) {
        let (robust, _) = robust_covariance(likelihood, optimum);
        let mut of_sets = None;
        if let Some(influences) = &self.influences {
            of_sets = Some(influences_of(likelihood, optimum, optimum.parameters.len(), influences.ncols()));
        }
        for (player, set) in set_of.iter().enumerate() {
            let Some(set) = *set else { continue };
            self.theta[player] += optimum.parameters[set];
            if let (Some(influences), Some(of_sets)) = (&mut self.influences, &of_sets) {
                for group in 0..influences.ncols() {
                    influences[(player, group)] += of_sets[(set, group)];
                }
            }
            for (other, other_set) in set_of.iter().enumerate() {
                let Some(other_set) = *other_set else { continue };
                self.model_covariance[(player, other)] += optimum.inverse[(set, other_set)];
                if let (Some(covariance), Some(robust)) = (&mut self.covariance, &robust) {
                    covariance[(player, other)] += robust[(set, other_set)];
                }
            }
        }
        self.iterations += optimum.iterations;
    }
}

/// Returns the covariance of all parameters over groups, and the number of groups that hold results.
///
/// The covariance is `None` with fewer than two groups.
fn robust_covariance(likelihood: &Likelihood, optimum: &Optimum) -> (Option<DMatrix<f64>>, usize) {
    let (meat, groups) = likelihood.score_products(&optimum.parameters);
    if groups < 2 {
        return (None, groups);
    }
    (Some(covariance::sandwich(&optimum.inverse, &meat, groups)), groups)
}

/// Returns the contribution of each group to the error of each of the first parameters, to the first order.
fn influences_of(likelihood: &Likelihood, optimum: &Optimum, parameters: usize, groups: usize) -> DMatrix<f64> {
    let mut influences = DMatrix::zeros(parameters, groups);
    likelihood.each_group(&optimum.parameters, |group, touched, score| {
        for own in 0..parameters {
            influences[(own, group)] = touched.iter().map(|&p| optimum.inverse[(own, p)] * score[p]).sum();
        }
    });
    influences
}

/// Maximises the likelihood with the fewest pseudo-results under which a maximum exists.
///
/// A graph that is not strongly connected rules out a maximum. Even if strengths are connected, tie sizes,
/// seats or both may be separable or confounded. Newton's method then finds no maximum and returns `None`.
fn optimise(likelihood: &Likelihood, alike: &Classes, connected: bool) -> Result<Optimum, FitError> {
    let parameters = likelihood.parameters();
    let (players, all) = (parameters.players, parameters.len());
    let numbers: &[usize] = if connected { &[0, players, all] } else { &[players, all] };
    for &phantoms in numbers {
        if let Some(optimum) = newton::maximise(likelihood, alike, phantoms, likelihood.start()) {
            return Ok(optimum);
        }
    }
    // Rounding can keep the search from a maximum that certainly exists. This rarely happens from a second
    // starting point.
    let second = newton::maximise(likelihood, alike, all, DVector::zeros(all));
    second.ok_or(FitError::NotConverged)
}
