//! The log-likelihood of all records, its derivatives and the scores of groups.
//!
//! Every choice is an exponential family in the parameters, so the data enter only through one
//! statistic (the summed coordinates of what was chosen) and through how often each set of
//! entrants had to be chosen from. Equal choices are merged: the cost of an evaluation depends on
//! the number of different sets, not of games.

use std::collections::{BTreeMap, BTreeSet};

use nalgebra::{DMatrix, DVector};

use super::records::{Placed, Record};
use super::subsets::Choice;

/// Where each parameter stands in the parameter vector: the log-strengths of all players, the
/// effects of all seats but the first, the log deltas of all tie sizes.
pub(super) struct Parameters {
    pub players: usize,
    /// Seats that occur, ascending; none if there are no seat effects.
    seats: Vec<usize>,
    /// Tie sizes that occur, ascending.
    tie_sizes: Vec<usize>,
}

impl Parameters {
    /// Number of parameters.
    pub fn len(&self) -> usize {
        self.first_delta() + self.tie_sizes.len()
    }

    fn first_delta(&self) -> usize {
        self.players + self.seats.len().saturating_sub(1)
    }

    /// The parameters that add up to the log-strength of an entrant.
    fn of_entrant(&self, player: usize, seat: Option<usize>) -> Vec<usize> {
        let effect =
            seat.and_then(|seat| self.seats.binary_search(&seat).ok()).and_then(|position| position.checked_sub(1));
        std::iter::once(player).chain(effect.map(|effect| self.players + effect)).collect()
    }

    /// The parameter of a tie size that occurs.
    fn of_tie(&self, size: usize) -> Option<usize> {
        let position = self.tie_sizes.binary_search(&size).ok()?;
        Some(self.first_delta() + position)
    }

    /// The log-strengths in a parameter vector.
    pub fn theta<'a>(&self, values: &'a DVector<f64>) -> &'a [f64] {
        &values.as_slice()[..self.players]
    }

    /// `(seat, effect)` in a parameter vector, the first seat being zero.
    pub fn gamma(&self, values: &DVector<f64>) -> Vec<(usize, f64)> {
        let effects = values.as_slice()[self.players..self.first_delta()].iter();
        let effects = std::iter::once(&0.0).chain(effects).copied();
        self.seats.iter().copied().zip(effects).collect()
    }

    /// `(tie size, log delta)` in a parameter vector.
    pub fn log_delta(&self, values: &DVector<f64>) -> Vec<(usize, f64)> {
        let deltas = values.as_slice()[self.first_delta()..].iter().copied();
        self.tie_sizes.iter().copied().zip(deltas).collect()
    }
}

/// Entrants from among whom the next tied set is chosen.
struct ChoiceSet {
    /// The parameters that add up to each local coordinate: first the entrants, then the tie sizes
    /// possible among them.
    columns: Vec<Vec<usize>>,
    /// Number of entrants.
    entrants: usize,
    /// How often there was this choice.
    times: f64,
}

impl ChoiceSet {
    /// The distribution of the choice, given the parameters.
    fn choice(&self, parameters: &Parameters, values: &DVector<f64>) -> Choice {
        let sum = |columns: &Vec<usize>| columns.iter().map(|&p| values[p]).sum();
        let locals: Vec<f64> = self.columns.iter().map(sum).collect();
        let (eta, deltas) = locals.split_at(self.entrants);
        let sizes = parameters.tie_sizes.iter().copied();
        let ties: Vec<(usize, f64)> = sizes.zip(deltas.iter().copied()).collect();
        Choice::new(eta, &ties)
    }

    /// `(parameter, local coordinate)` for all parameters that any coordinate depends on.
    fn links(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let locals = self.columns.iter().enumerate();
        locals.flat_map(|(local, columns)| columns.iter().map(move |&p| (p, local)))
    }
}

/// How one record enters.
struct Term {
    /// `(parameter, value)` of the statistic: what was chosen, summed over the choices.
    statistic: Vec<(usize, f64)>,
    /// The sets chosen from.
    sets: Vec<usize>,
    /// `(group, times)`.
    counts: Vec<(usize, u64)>,
}

/// The log-likelihood as a function of the parameters.
pub(super) struct Likelihood {
    parameters: Parameters,
    sets: Vec<ChoiceSet>,
    terms: Vec<Term>,
    /// The statistic of all records together, by parameter.
    statistic: DVector<f64>,
}

/// Value and derivatives at one point.
pub(super) struct Evaluation {
    /// Log-likelihood.
    pub value: f64,
    /// Its gradient.
    pub gradient: DVector<f64>,
    /// The information: its negative Hessian.
    pub information: DMatrix<f64>,
}

impl Likelihood {
    /// The likelihood of the records of `players` players.
    pub fn new(players: usize, records: &[Record]) -> Self {
        let placed = records.iter().flat_map(|record| &record.order);
        let seats: BTreeSet<usize> = placed.filter_map(|placed| placed.seat).collect();
        let chosen = records.iter().flat_map(|record| record.stages().map(|(_, chosen)| chosen));
        let tie_sizes: BTreeSet<usize> = chosen.filter(|&size| size > 1).collect();
        let mut likelihood = Self {
            parameters: Parameters {
                players,
                seats: seats.into_iter().collect(),
                tie_sizes: tie_sizes.into_iter().collect(),
            },
            sets: Vec::new(),
            terms: Vec::new(),
            statistic: DVector::zeros(0),
        };
        likelihood.statistic = DVector::zeros(likelihood.parameters.len());
        let mut known = BTreeMap::new();
        for record in records {
            likelihood.add(record, &mut known);
        }
        likelihood
    }

    /// Adds a record; `known` finds the set of given entrants.
    fn add(&mut self, record: &Record, known: &mut BTreeMap<Vec<(usize, Option<usize>)>, usize>) {
        let times = record.total() as f64;
        let mut term = Term { statistic: Vec::new(), sets: Vec::new(), counts: record.counts.clone() };
        for (standing, chosen) in record.stages().filter(|(standing, _)| standing.len() > 1) {
            let mut entrants: Vec<_> = standing.iter().map(|p| (p.player, p.seat)).collect();
            entrants.sort_unstable();
            let set = *known.entry(entrants).or_insert_with_key(|entrants| {
                self.sets.push(choice_set(&self.parameters, entrants));
                self.sets.len() - 1
            });
            self.sets[set].times += times;
            term.sets.push(set);
            let share = 1.0 / chosen as f64;
            for &Placed { player, seat, .. } in &standing[..chosen] {
                let columns = self.parameters.of_entrant(player, seat);
                term.statistic.extend(columns.iter().map(|&p| (p, share)));
            }
            term.statistic.extend(self.parameters.of_tie(chosen).map(|p| (p, 1.0)));
        }
        for &(parameter, value) in &term.statistic {
            self.statistic[parameter] += times * value;
        }
        self.terms.push(term);
    }

    /// Which parameters there are.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Number of choices made in all records.
    pub fn choices(&self) -> f64 {
        self.sets.iter().map(|set| set.times).sum()
    }

    /// The log-likelihood and its derivatives.
    pub fn evaluate(&self, values: &DVector<f64>) -> Evaluation {
        let mut value = self.statistic.dot(values);
        let mut gradient = self.statistic.clone();
        let mut information = DMatrix::zeros(values.len(), values.len());
        for set in &self.sets {
            let choice = set.choice(&self.parameters, values);
            value -= set.times * choice.log_total;
            for (p, local) in set.links() {
                gradient[p] -= set.times * choice.mean[local];
                for (q, other) in set.links() {
                    information[(p, q)] += set.times * choice.covariance[(local, other)];
                }
            }
        }
        Evaluation { value, gradient, information }
    }

    /// `sum_g u_g u_g'` over the groups that hold results, `u_g` being the group's part of the
    /// gradient, and the number of these groups.
    pub fn score_products(&self, values: &DVector<f64>) -> (DMatrix<f64>, usize) {
        let expected: Vec<Choice> = self.sets.iter().map(|set| set.choice(&self.parameters, values)).collect();
        let mut groups: BTreeMap<usize, Vec<(&Term, f64)>> = BTreeMap::new();
        for term in &self.terms {
            for &(group, times) in &term.counts {
                groups.entry(group).or_default().push((term, times as f64));
            }
        }
        let mut products = DMatrix::zeros(values.len(), values.len());
        for terms in groups.values() {
            let mut score = DVector::<f64>::zeros(values.len());
            for &(term, times) in terms {
                for &(p, value) in &term.statistic {
                    score[p] += times * value;
                }
                for &set in &term.sets {
                    for (p, local) in self.sets[set].links() {
                        score[p] -= times * expected[set].mean[local];
                    }
                }
            }
            products.ger(1.0, &score, &score, 1.0);
        }
        (products, groups.len())
    }
}

/// The set of the given entrants, not yet met in any record.
fn choice_set(parameters: &Parameters, entrants: &[(usize, Option<usize>)]) -> ChoiceSet {
    let players = entrants.iter().map(|&(player, seat)| parameters.of_entrant(player, seat));
    let possible = parameters.tie_sizes.iter().take_while(|&&size| size <= entrants.len());
    let ties = possible.filter_map(|&size| parameters.of_tie(size)).map(|p| vec![p]);
    ChoiceSet { columns: players.chain(ties).collect(), entrants: entrants.len(), times: 0.0 }
}

#[cfg(test)]
mod tests {
    use super::super::records::canonical;
    use super::super::{Entrant, Outcome};
    use super::*;

    /// Three players on four seats, some of them twice in a match, with ties of two and three.
    fn likelihood() -> Likelihood {
        let outcome = |seats: &[(usize, usize)], places: &[u8], counts: &[(usize, u64)]| Outcome {
            entrants: seats.iter().map(|&(player, seat)| Entrant { player, seat: Some(seat) }).collect(),
            places: places.to_vec(),
            counts: counts.to_vec(),
        };
        let outcomes = [
            outcome(&[(0, 0), (1, 1), (2, 3)], &[0, 1, 2], &[(0, 3), (1, 2)]),
            outcome(&[(1, 0), (2, 1), (1, 3)], &[1, 0, 1], &[(0, 1), (2, 2)]),
            outcome(&[(2, 0), (2, 1), (0, 3), (1, 4)], &[0, 1, 0, 0], &[(1, 2)]),
            outcome(&[(0, 1), (2, 0)], &[1, 0], &[(2, 5)]),
        ];
        Likelihood::new(3, &canonical(3, 3, &outcomes, true).unwrap())
    }

    fn somewhere() -> DVector<f64> {
        DVector::from_vec(vec![0.4, -0.7, 0.2, 0.3, -0.5, 0.9, -1.1, 0.6])
    }

    #[test]
    fn derivatives_agree_with_finite_differences() {
        let likelihood = likelihood();
        let at = somewhere();
        assert_eq!(likelihood.parameters().len(), at.len());
        let here = likelihood.evaluate(&at);
        let h = 1e-5;
        for p in 0..at.len() {
            let mut shift = DVector::zeros(at.len());
            shift[p] = h;
            let (after, before) = (likelihood.evaluate(&(&at + &shift)), likelihood.evaluate(&(&at - &shift)));
            let slope = (after.value - before.value) / (2.0 * h);
            assert!((slope - here.gradient[p]).abs() < 1e-8, "{p}: {slope}");
            let curvature = (before.gradient - after.gradient) / (2.0 * h);
            let error = (curvature - here.information.column(p)).amax();
            assert!(error < 1e-8, "{p}: {error}");
        }
    }

    #[test]
    fn shifting_all_strengths_changes_nothing() {
        let likelihood = likelihood();
        let at = somewhere();
        let mut shifted = at.clone();
        shifted.rows_mut(0, 3).add_scalar_mut(2.5);
        let (here, there) = (likelihood.evaluate(&at), likelihood.evaluate(&shifted));
        assert!((here.value - there.value).abs() < 1e-12);
        assert!(here.gradient.rows(0, 3).sum().abs() < 1e-12);
    }

    #[test]
    fn scores_of_groups_make_up_the_gradient() {
        // In one group, the product of the only score with itself is that of the gradient.
        let mut likelihood = likelihood();
        let at = somewhere();
        for term in &mut likelihood.terms {
            term.counts.iter_mut().for_each(|count| count.0 = 7);
        }
        let gradient = likelihood.evaluate(&at).gradient;
        let (products, groups) = likelihood.score_products(&at);
        assert_eq!(groups, 1);
        assert!((products - &gradient * gradient.transpose()).amax() < 1e-11);
    }
}
