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

/// Strengths with their errors. The origin of the strengths is arbitrary.
pub(super) struct Solution {
    /// By player: log-strength.
    pub theta: Vec<f64>,
    /// The covariance of `theta` over groups; `None` with fewer than two groups.
    pub covariance: Option<DMatrix<f64>>,
    /// The covariance of `theta` by the model.
    pub model_covariance: DMatrix<f64>,
    /// The contribution of each group to the error of each log-strength, `H^-1 u_g`: players by groups, if
    /// requested.
    pub pulls: Option<DMatrix<f64>>,
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
    /// largest set. `pulls` is the number of groups, if their contributions to the errors are requested.
    pub fn new(
        players: usize,
        records: &[Record],
        splits: &Splits,
        anchor: Option<usize>,
        pulls: Option<usize>,
    ) -> Result<Solution, FitError> {
        let main = splits.main(anchor).or_else(|| splits.main(None));
        match main.filter(|_| !splits.is_empty()) {
            Some(main) => Solution::of_sets(players, records, splits, main, pulls),
            None => Solution::of_all(players, records, splits.is_empty(), pulls),
        }
    }

    /// Solves for all players together.
    ///
    /// If they are not `joined`, the results determine none of their distances.
    fn of_all(players: usize, records: &[Record], joined: bool, pulls: Option<usize>) -> Result<Solution, FitError> {
        let likelihood = Likelihood::new(players, records);
        let alike = Classes::of_totals(players, records);
        let optimum = optimise(&likelihood, &alike, joined)?;
        let parameters = likelihood.parameters();
        let (meat, groups) = likelihood.score_products(&optimum.parameters);
        let alike_in_groups = alike.within_groups(records);
        let robust = (groups >= 2).then(|| covariance::sandwich(&optimum.inverse, &meat, groups));
        let gamma_variances = robust.as_ref().map(|robust| {
            let variances = parameters.gamma(&robust.diagonal()).into_iter();
            variances.map(|(_, variance)| variance).collect()
        });
        Ok(Solution {
            theta: parameters.theta(&optimum.parameters).to_vec(),
            covariance: robust.map(|robust| alike_in_groups.average_blocks(covariance::of_players(&robust, players))),
            model_covariance: covariance::of_players(&optimum.inverse, players),
            pulls: pulls.map(|groups| pulls_of(&likelihood, &optimum, players, groups)),
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
        pulls: Option<usize>,
    ) -> Result<Solution, FitError> {
        let mut whole = Solution {
            theta: vec![0.0; players],
            covariance: Some(DMatrix::zeros(players, players)),
            model_covariance: DMatrix::zeros(players, players),
            pulls: pulls.map(|groups| DMatrix::zeros(players, groups)),
            gamma: Vec::new(),
            gamma_variances: None,
            log_delta: Vec::new(),
            groups: 0,
            regularised: vec![true; players],
            iterations: 0,
            log_likelihood: 0.0,
        };
        for set in splits.joined.iter().filter(|set| set.len() > 1) {
            let own = Solution::of_all(set.len(), &records::within(records, set), true, pulls)?;
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
        if let Some((pulls, own)) = self.pulls.as_mut().zip(own.pulls.as_ref()) {
            for (group, column) in own.column_iter().enumerate() {
                for (i, &player) in set.iter().enumerate() {
                    pulls[(player, group)] = column[i] - column.mean();
                }
            }
        }
        for (i, &player) in set.iter().enumerate() {
            self.theta[player] = theta[i];
            for (j, &other) in set.iter().enumerate() {
                self.model_covariance[(player, other)] = model[(i, j)];
                if let Some(covariance) = &mut self.covariance {
                    // All results of a small set may be in one group.
                    covariance[(player, other)] = robust.as_ref().unwrap_or(&model)[(i, j)];
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
        let seat_effect = |seat: Option<usize>| {
            let known = self.gamma.iter().find(|&&(own, _)| Some(own) == seat);
            known.map_or(0.0, |&(_, effect)| effect)
        };
        let given = |player: usize, seat: Option<usize>| self.theta[player] + seat_effect(seat);
        let likelihood = Likelihood::of_sets(others.len(), records, |player| set_of[player], given);
        let alike = Classes::of_totals(players, records);
        // Equal records ensure equal places only for players who are alone in their sets.
        let key = |(number, set): (usize, &&Vec<usize>)| match set[..] {
            [player] => (0, alike.of(player)),
            _ => (1, number),
        };
        let alike = Classes::by_key(others.iter().enumerate().map(key).collect());
        let optimum = newton::maximise(&likelihood, &alike, others.len(), DVector::zeros(others.len()));
        let optimum = optimum.ok_or(FitError::NotConverged)?;
        let (meat, groups) = likelihood.score_products(&optimum.parameters);
        let robust = (groups >= 2).then(|| covariance::sandwich(&optimum.inverse, &meat, groups));
        if let Some(pulls) = &mut self.pulls {
            let of_sets = pulls_of(&likelihood, &optimum, others.len(), pulls.ncols());
            for player in 0..players {
                let Some(set) = set_of[player] else { continue };
                for group in 0..pulls.ncols() {
                    pulls[(player, group)] += of_sets[(set, group)];
                }
            }
        }
        for player in 0..players {
            let Some(set) = set_of[player] else { continue };
            self.theta[player] += optimum.parameters[set];
            for other in 0..players {
                let Some(other_set) = set_of[other] else { continue };
                self.model_covariance[(player, other)] += optimum.inverse[(set, other_set)];
                if let Some((covariance, robust)) = self.covariance.as_mut().zip(robust.as_ref()) {
                    covariance[(player, other)] += robust[(set, other_set)];
                }
            }
        }
        self.iterations += optimum.iterations;
        Ok(())
    }
}

/// Returns the contribution of each group to the error of each of the first parameters, to the first order.
fn pulls_of(likelihood: &Likelihood, optimum: &Optimum, parameters: usize, groups: usize) -> DMatrix<f64> {
    let mut pulls = DMatrix::zeros(parameters, groups);
    likelihood.each_group(&optimum.parameters, |group, touched, score| {
        for own in 0..parameters {
            pulls[(own, group)] = touched.iter().map(|&p| optimum.inverse[(own, p)] * score[p]).sum();
        }
    });
    pulls
}

/// Maximises the likelihood with the fewest pseudo-results under which a maximum exists.
///
/// A graph that is not strongly connected rules out a maximum. Even if strengths are connected, tie sizes,
/// seats or both may be separable or confounded. Newton's method then finds no maximum and returns `None`.
fn optimise(likelihood: &Likelihood, alike: &Classes, connected: bool) -> Result<Optimum, FitError> {
    let parameters = likelihood.parameters();
    [0, parameters.players, parameters.len()]
        .into_iter()
        .skip(usize::from(!connected))
        .find_map(|phantoms| newton::maximise(likelihood, alike, phantoms, likelihood.start()))
        // Rounding can keep the search from a maximum that certainly exists. This rarely happens from a
        // second starting point.
        .or_else(|| newton::maximise(likelihood, alike, parameters.len(), DVector::zeros(parameters.len())))
        .ok_or(FitError::NotConverged)
}
