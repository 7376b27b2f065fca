//! The log-likelihood of all records, its derivatives and the scores of groups.
//!
//! Every choice is an exponential family in the parameters, so the data enter in only two ways. The first is
//! one statistic, the summed coordinates of the chosen sets. The second is the number of times that each set
//! of entrants was chosen from. Equal choices are merged, so the cost of an evaluation depends on the number
//! of different sets, not of games.

use std::collections::BTreeSet;

use nalgebra::{DMatrix, DVector};

use super::chains::{Chain, Sets};
use super::records::{Placed, Record};
use super::subsets::Moments;

/// The place of each parameter in the parameter vector.
///
/// First come the log-strengths of all players, then the effects of all seats but the first, then the log
/// deltas of all tie sizes.
pub(super) struct Parameters {
    pub players: usize,
    /// Seats that occur, ascending; empty without seat effects.
    seats: Vec<usize>,
    /// Tie sizes that occur, ascending.
    tie_sizes: Vec<usize>,
}

impl Parameters {
    /// Finds the parameters of the records of `players` players.
    fn of(players: usize, records: &[Record]) -> Parameters {
        let placed = records.iter().flat_map(|record| &record.order);
        let seats: BTreeSet<usize> = placed.filter_map(|placed| placed.seat).collect();
        let chosen = records.iter().flat_map(|record| record.stages().map(|(_, chosen)| chosen));
        let tie_sizes: BTreeSet<usize> = chosen.filter(|&size| size > 1).collect();
        Parameters { players, seats: seats.into_iter().collect(), tie_sizes: tie_sizes.into_iter().collect() }
    }

    pub fn len(&self) -> usize {
        self.first_delta() + self.tie_sizes.len()
    }

    fn first_delta(&self) -> usize {
        self.players + self.seats.len().saturating_sub(1)
    }

    /// Returns the parameters that add up to the log-strength of an entrant.
    fn of_entrant(&self, player: usize, seat: Option<usize>) -> Vec<usize> {
        let effect =
            seat.and_then(|seat| self.seats.binary_search(&seat).ok()).and_then(|position| position.checked_sub(1));
        std::iter::once(player).chain(effect.map(|effect| self.players + effect)).collect()
    }

    /// Returns the parameter of a tie size; `None` if the size does not occur.
    fn of_tie(&self, size: usize) -> Option<usize> {
        let position = self.tie_sizes.binary_search(&size).ok()?;
        Some(self.first_delta() + position)
    }

    /// Returns the log-strengths in a parameter vector.
    pub fn theta<'a>(&self, values: &'a DVector<f64>) -> &'a [f64] {
        &values.as_slice()[..self.players]
    }

    /// Returns `(seat, effect)` from a parameter vector; the first effect is zero.
    pub fn gamma(&self, values: &DVector<f64>) -> Vec<(usize, f64)> {
        let effects = values.as_slice()[self.players..self.first_delta()].iter();
        let effects = std::iter::once(&0.0).chain(effects).copied();
        self.seats.iter().copied().zip(effects).collect()
    }

    /// Returns `(tie size, log delta)` from a parameter vector.
    pub fn log_delta(&self, values: &DVector<f64>) -> Vec<(usize, f64)> {
        let deltas = values.as_slice()[self.first_delta()..].iter().copied();
        self.tie_sizes.iter().copied().zip(deltas).collect()
    }
}

/// An entrant of any record.
struct Participant {
    /// The part of its log-strength that is given.
    given: f64,
    /// The parameters that add up to the rest.
    columns: Vec<usize>,
}

/// The contribution of one record.
struct Term {
    /// `(parameter, value)` of the statistic, by parameter.
    ///
    /// It has the chosen sets, summed over the choices, for all parameters that any of the choices depends
    /// on.
    statistic: Vec<(usize, f64)>,
    /// The numbers of the sets chosen from.
    sets: Vec<usize>,
    /// `(group, times)`.
    counts: Vec<(usize, u64)>,
}

/// The log-likelihood as a function of the parameters.
pub(super) struct Likelihood {
    parameters: Parameters,
    entrants: Vec<Participant>,
    /// The sets chosen from.
    chains: Vec<Chain>,
    terms: Vec<Term>,
    /// The statistic of all records together, by parameter.
    statistic: DVector<f64>,
}

/// The value and the derivatives at one point.
pub(super) struct Evaluation {
    pub value: f64,
    pub gradient: DVector<f64>,
    /// The information: the negative Hessian.
    pub information: DMatrix<f64>,
}

impl Likelihood {
    /// Builds the likelihood of the records of `players` players.
    pub fn new(players: usize, records: &[Record]) -> Self {
        let parameters = Parameters::of(players, records);
        let mut participants = Vec::new();
        for (player, seat) in entrants(records) {
            participants.push(Participant { given: 0.0, columns: parameters.of_entrant(player, seat) });
        }
        Self::of_participants(parameters, participants, records)
    }

    /// Builds the likelihood of the places of `sets` sets of players with known inner distances.
    ///
    /// It leaves out a constant. `set_of` returns the set of a player, if it is one of these. `given` returns
    /// the log-strength of an entrant without the place of their set. Ties are split evenly, since they are
    /// between members of one set.
    pub fn of_sets(
        sets: usize,
        records: &[Record],
        set_of: impl Fn(usize) -> Option<usize>,
        given: impl Fn(usize, Option<usize>) -> f64,
    ) -> Self {
        let parameters = Parameters { players: sets, seats: Vec::new(), tie_sizes: Vec::new() };
        let mut participants = Vec::new();
        for (player, seat) in entrants(records) {
            participants
                .push(Participant { given: given(player, seat), columns: set_of(player).into_iter().collect() });
        }
        Self::of_participants(parameters, participants, records)
    }

    /// Builds the likelihood from `participants` in the order of [`entrants`].
    fn of_participants(parameters: Parameters, participants: Vec<Participant>, records: &[Record]) -> Self {
        let entrants = entrants(records);
        let number = |placed: &Placed| {
            let number = entrants.binary_search(&(placed.player, placed.seat));
            number.expect("an entrant of a record") as u32
        };
        let mut sets = Sets::default();
        let mut terms: Vec<Term> = Vec::new();
        let mut summed = DVector::zeros(parameters.len());
        for record in records {
            let columns = |placed: &Placed| &participants[number(placed) as usize].columns[..];
            let statistic = statistic(&parameters, record, columns);
            for &(parameter, value) in &statistic {
                summed[parameter] += record.total() as f64 * value;
            }
            terms.push(Term { statistic, sets: sets.add(record, number), counts: record.counts.clone() });
        }
        Self { parameters, entrants: participants, chains: sets.into_chains(), terms, statistic: summed }
    }

    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Returns the number of choices made in all records.
    pub fn choices(&self) -> f64 {
        self.chains.iter().flat_map(|chain| &chain.links).map(|link| link.times).sum()
    }

    /// Returns the point where the search for the maximum starts.
    ///
    /// Strengths are equal there, and every tie size is about as common as in the data. Among many entrants
    /// this is far from zero, because there are many ways to tie.
    pub fn start(&self) -> DVector<f64> {
        let mut start = DVector::zeros(self.parameters.len());
        let tied = |p: usize| self.statistic[p];
        let single = self.choices() - (self.parameters.first_delta()..self.parameters.len()).map(tied).sum::<f64>();
        let links = || self.chains.iter().flat_map(|chain| &chain.links);
        let winners: f64 = links().map(|link| link.times * link.standing as f64).sum();
        for &size in &self.parameters.tie_sizes {
            let p = self.parameters.of_tie(size).expect("a tie size that occurs");
            let ways = |n: usize| (0..size).map(|i| (n as f64 - i as f64) / (i + 1) as f64).product::<f64>();
            let sets: f64 =
                links().filter(|link| link.standing >= size).map(|link| link.times * ways(link.standing)).sum();
            if single > 0.0 {
                start[p] = (tied(p) / single * winners / sets).ln();
            }
        }
        start
    }

    /// Calls `show` for every chain.
    ///
    /// It gets the parameters behind the local coordinates of the chain, and the distributions of its
    /// choices.
    fn each_chain(&self, values: &DVector<f64>, covariance: bool, mut show: impl FnMut(&Chain, &[&[usize]], &Moments)) {
        let ties = self.parameters.log_delta(values);
        let of_tie: Vec<[usize; 1]> = (self.parameters.first_delta()..self.parameters.len()).map(|p| [p]).collect();
        let strength = |entrant: &Participant| entrant.columns.iter().fold(entrant.given, |sum, &p| sum + values[p]);
        let strengths: Vec<f64> = self.entrants.iter().map(strength).collect();
        let (mut eta, mut columns) = (Vec::new(), Vec::new());
        let mut moments = Moments::default();
        for chain in &self.chains {
            eta.clear();
            columns.clear();
            for &entrant in &chain.entrants {
                eta.push(strengths[entrant as usize]);
                columns.push(&self.entrants[entrant as usize].columns[..]);
            }
            columns.extend(of_tie.iter().map(|column| &column[..]));
            moments.take(&eta, &chain.links, &ties, covariance);
            columns.truncate(moments.locals());
            show(chain, &columns, &moments);
        }
    }

    /// Returns the log-likelihood and its derivatives.
    pub fn evaluate(&self, values: &DVector<f64>) -> Evaluation {
        let mut value = self.statistic.dot(values);
        let mut gradient = self.statistic.clone();
        // Holds one order of each two coordinates, so that the sum with its transpose has both.
        let mut half = DMatrix::<f64>::zeros(values.len(), values.len());
        self.each_chain(values, true, |chain, columns, moments| {
            value -= moments.log_total;
            for (number, link) in chain.links.iter().enumerate() {
                for (parameters, mean) in columns.iter().zip(moments.mean(number)) {
                    parameters.iter().for_each(|&p| gradient[p] -= link.times * mean);
                }
            }
            let mut rest = &moments.covariance[..];
            for (i, parameters) in columns.iter().enumerate() {
                let (row, others) = rest.split_at(i + 1);
                for &p in *parameters {
                    let mut sums = half.column_mut(p);
                    for (covariance, parameters) in row.iter().zip(&columns[..i]) {
                        parameters.iter().for_each(|&q| sums[q] += covariance);
                    }
                    parameters.iter().for_each(|&q| sums[q] += row[i] / 2.0);
                }
                rest = others;
            }
        });
        let information = &half + half.transpose();
        Evaluation { value, gradient, information }
    }

    /// Returns `sum_g u_g u_g'` over the groups that hold results, and the number of these groups.
    ///
    /// `u_g` is the group's part of the gradient.
    pub fn score_products(&self, values: &DVector<f64>) -> (DMatrix<f64>, usize) {
        let mut products = DMatrix::<f64>::zeros(values.len(), values.len());
        let mut groups = 0;
        self.each_group(values, |_, touched, score| {
            for &p in touched {
                let mut column = products.column_mut(p);
                touched.iter().for_each(|&q| column[q] += score[p] * score[q]);
            }
            groups += 1;
        });
        (products, groups)
    }

    /// Calls `take` for each group that holds results, in order.
    ///
    /// It gets the number of the group, the parameters in which the group's part of the gradient is not zero,
    /// and that part by parameter.
    pub fn each_group(&self, values: &DVector<f64>, mut take: impl FnMut(usize, &[usize], &[f64])) {
        let scores = self.scores(values);
        let mut counts: Vec<(usize, usize, u64)> = Vec::new();
        for (number, term) in self.terms.iter().enumerate() {
            counts.extend(term.counts.iter().map(|&(group, times)| (group, number, times)));
        }
        counts.sort_unstable();
        let mut score = vec![0.0; values.len()];
        let mut last_group = vec![None; values.len()];
        for counts in counts.chunk_by(|(group, ..), (next, ..)| group == next) {
            // Every match may be a group, and each group may have a part in only a few parameters.
            let mut touched = Vec::new();
            for &(group, term, times) in counts {
                for &(p, value) in &scores[term] {
                    if last_group[p].replace(group) != Some(group) {
                        score[p] = 0.0;
                        touched.push(p);
                    }
                    score[p] += times as f64 * value;
                }
            }
            take(counts[0].0, &touched, &score);
        }
    }

    /// Returns by term its part of the gradient each time: `(parameter, value)`.
    fn scores(&self, values: &DVector<f64>) -> Vec<Vec<(usize, f64)>> {
        let mut scores: Vec<Vec<(usize, f64)>> = self.terms.iter().map(|term| term.statistic.clone()).collect();
        let sets = self.chains.iter().map(|chain| chain.links.len()).sum();
        let mut choosers = vec![Vec::new(); sets];
        for (number, term) in self.terms.iter().enumerate() {
            term.sets.iter().for_each(|&set| choosers[set].push(number));
        }
        self.each_chain(values, false, |chain, columns, moments| {
            for (number, link) in chain.links.iter().enumerate() {
                for &term in &choosers[link.set] {
                    for (parameters, mean) in columns.iter().zip(moments.mean(number)) {
                        for p in parameters.iter().filter(|_| *mean != 0.0) {
                            let place = scores[term].binary_search_by_key(p, |&(p, _)| p);
                            scores[term][place.expect("a parameter of the term")].1 -= mean;
                        }
                    }
                }
            }
        });
        scores
    }
}

/// Returns the entrants of records, each player in each seat once, sorted.
fn entrants(records: &[Record]) -> Vec<(usize, Option<usize>)> {
    let placed = records.iter().flat_map(|record| &record.order);
    let entrants: BTreeSet<_> = placed.map(|placed| (placed.player, placed.seat)).collect();
    entrants.into_iter().collect()
}

/// Sums the chosen sets of a record over its choices, by parameter.
///
/// `columns` returns the parameters of an entrant.
fn statistic<'a>(
    parameters: &Parameters,
    record: &Record,
    columns: impl Fn(&Placed) -> &'a [usize],
) -> Vec<(usize, f64)> {
    let ties = (2..=record.order.len()).filter_map(|size| parameters.of_tie(size));
    let mut statistic: Vec<(usize, f64)> = ties.map(|p| (p, 0.0)).collect();
    for (standing, chosen) in record.stages() {
        // With one entrant left there is no choice.
        let share = if standing.len() > 1 { 1.0 / chosen as f64 } else { 0.0 };
        for placed in &standing[..chosen] {
            statistic.extend(columns(placed).iter().map(|&p| (p, share)));
        }
        statistic.extend(parameters.of_tie(chosen).map(|p| (p, 1.0)));
    }
    statistic.sort_by_key(|&(p, _)| p);
    statistic.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    statistic
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
        // With a single group, the product of the only score with itself is that of the gradient.
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
