//! The log-likelihood of all records, its derivatives and the scores of groups.
//!
//! Every choice is an exponential family in the parameters, so the data enter in only two ways. The first is
//! one statistic, the summed coordinates of the chosen sets. The second is the number of times that each set
//! of entrants was chosen from. Equal choices are merged, so the cost of an evaluation depends on the number
//! of different sets, not of games.

use std::collections::BTreeSet;

use nalgebra::{DMatrix, DVector};

use super::chains::{Chain, Link, Sets};
use super::parameters::Parameters;
use super::records::{Placed, Record, add_up};
use super::subsets::Moments;

/// An entrant of any record.
struct Participant {
    /// The part of its log-strength that is given.
    given: f64,
    /// The parameters that add up to the rest.
    columns: Vec<usize>,
}

impl Participant {
    /// Returns its log-strength under these parameters.
    fn strength(&self, values: &DVector<f64>) -> f64 {
        let mut strength = self.given;
        for &parameter in &self.columns {
            strength += values[parameter];
        }
        strength
    }
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

/// The number of times that a term happened in a group.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct TermCount {
    group: usize,
    term: usize,
    times: u64,
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
        let parameters = Parameters::of_strengths(sets);
        let mut participants = Vec::new();
        for (player, seat) in entrants(records) {
            let columns = set_of(player).into_iter().collect();
            participants.push(Participant { given: given(player, seat), columns });
        }
        Self::of_participants(parameters, participants, records)
    }

    /// Builds the likelihood from `participants` in the order of [`entrants`].
    fn of_participants(parameters: Parameters, participants: Vec<Participant>, records: &[Record]) -> Self {
        let entrants = entrants(records);
        let number = |placed: &Placed| number_of(&entrants, placed);
        let mut sets = Sets::default();
        let mut terms: Vec<Term> = Vec::new();
        let mut summed = DVector::zeros(parameters.len());
        for record in records {
            let statistic = statistic(&parameters, record, |placed| &participants[number(placed) as usize].columns[..]);
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
        self.links().map(|link| link.times).sum()
    }

    /// Returns all choices.
    fn links(&self) -> impl Iterator<Item = &Link> {
        self.chains.iter().flat_map(|chain| &chain.links)
    }

    /// Returns the point where the search for the maximum starts.
    ///
    /// Strengths are equal there, and every tie size is about as common as in the data. Among many entrants
    /// this is far from zero, because there are many ways to tie.
    pub fn start(&self) -> DVector<f64> {
        let mut start = DVector::zeros(self.parameters.len());
        let first_delta = self.parameters.first_delta();
        let tied: f64 = self.statistic.as_slice()[first_delta..].iter().sum();
        let single = self.choices() - tied;
        if single <= 0.0 {
            return start;
        }
        let winners: f64 = self.links().map(|link| link.times * link.standing as f64).sum();
        for (position, &size) in self.parameters.tie_sizes.iter().enumerate() {
            let mut sets = 0.0;
            for link in self.links().filter(|link| link.standing >= size) {
                sets += link.times * ways(link.standing, size);
            }
            let p = first_delta + position;
            start[p] = (self.statistic[p] / single * winners / sets).ln();
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
        let strengths: Vec<f64> = self.entrants.iter().map(|entrant| entrant.strength(values)).collect();
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
                    for &p in *parameters {
                        gradient[p] -= link.times * mean;
                    }
                }
            }
            add_covariances(&mut half, columns, &moments.covariance);
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
                for &q in touched {
                    column[q] += score[p] * score[q];
                }
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
        let mut counts: Vec<TermCount> = Vec::new();
        for (number, term) in self.terms.iter().enumerate() {
            for &(group, times) in &term.counts {
                counts.push(TermCount { group, term: number, times });
            }
        }
        counts.sort_unstable();
        let mut score = vec![0.0; values.len()];
        let mut last_group = vec![None; values.len()];
        for counts in counts.chunk_by(|one, next| one.group == next.group) {
            let group = counts[0].group;
            // Every match may be a group, and each group may have a part in only a few parameters.
            let mut touched = Vec::new();
            for count in counts {
                for &(p, value) in &scores[count.term] {
                    if last_group[p].replace(group) != Some(group) {
                        score[p] = 0.0;
                        touched.push(p);
                    }
                    score[p] += count.times as f64 * value;
                }
            }
            take(group, &touched, &score);
        }
    }

    /// Returns by term its part of the gradient each time: `(parameter, value)`.
    fn scores(&self, values: &DVector<f64>) -> Vec<Vec<(usize, f64)>> {
        let mut scores: Vec<Vec<(usize, f64)>> = self.terms.iter().map(|term| term.statistic.clone()).collect();
        let sets = self.chains.iter().map(|chain| chain.links.len()).sum();
        let mut choosers = vec![Vec::new(); sets];
        for (number, term) in self.terms.iter().enumerate() {
            for &set in &term.sets {
                choosers[set].push(number);
            }
        }
        self.each_chain(values, false, |chain, columns, moments| {
            for (number, link) in chain.links.iter().enumerate() {
                for &term in &choosers[link.set] {
                    subtract_means(&mut scores[term], columns, moments.mean(number));
                }
            }
        });
        scores
    }
}

/// Adds the covariances of the local coordinates of a chain, with one order of each two.
///
/// `columns` are the parameters behind the coordinates, and `covariance` is a triangle, row by row.
fn add_covariances(sums: &mut DMatrix<f64>, columns: &[&[usize]], covariance: &[f64]) {
    let mut rest = covariance;
    for (i, parameters) in columns.iter().enumerate() {
        let (row, others) = rest.split_at(i + 1);
        for &p in *parameters {
            let mut sums = sums.column_mut(p);
            for (covariance, parameters) in row.iter().zip(&columns[..i]) {
                for &q in *parameters {
                    sums[q] += covariance;
                }
            }
            for &q in *parameters {
                sums[q] += row[i] / 2.0;
            }
        }
        rest = others;
    }
}

/// Subtracts the expected coordinates of a choice from the `(parameter, value)` of a term.
fn subtract_means(score: &mut [(usize, f64)], columns: &[&[usize]], means: &[f64]) {
    for (parameters, &mean) in columns.iter().zip(means) {
        if mean == 0.0 {
            continue;
        }
        for parameter in *parameters {
            let place = score.binary_search_by_key(parameter, |&(own, _)| own);
            score[place.expect("a parameter of the term")].1 -= mean;
        }
    }
}

/// Returns the number of ways to choose `size` of `standing` entrants.
fn ways(standing: usize, size: usize) -> f64 {
    (0..size).map(|i| (standing as f64 - i as f64) / (i + 1) as f64).product()
}

/// Returns the entrants of records, each player in each seat once, sorted.
fn entrants(records: &[Record]) -> Vec<(usize, Option<usize>)> {
    let mut entrants = BTreeSet::new();
    for record in records {
        entrants.extend(record.order.iter().map(|placed| (placed.player, placed.seat)));
    }
    Vec::from_iter(entrants)
}

/// Returns the place of an entrant of a record in [`entrants`].
fn number_of(entrants: &[(usize, Option<usize>)], placed: &Placed) -> u32 {
    let number = entrants.binary_search(&(placed.player, placed.seat));
    number.expect("an entrant of a record") as u32
}

/// Sums the chosen sets of a record over its choices, by parameter.
///
/// `columns` returns the parameters of an entrant.
fn statistic<'a>(
    parameters: &Parameters,
    record: &Record,
    columns: impl Fn(&Placed) -> &'a [usize],
) -> Vec<(usize, f64)> {
    let mut statistic = Vec::new();
    for size in 2..=record.order.len() {
        statistic.extend(parameters.of_tie(size).map(|p| (p, 0.0)));
    }
    for (standing, chosen) in record.stages() {
        // With one entrant left there is no choice.
        let share = if standing.len() > 1 { 1.0 / chosen as f64 } else { 0.0 };
        for placed in &standing[..chosen] {
            statistic.extend(columns(placed).iter().map(|&p| (p, share)));
        }
        statistic.extend(parameters.of_tie(chosen).map(|p| (p, 1.0)));
    }
    statistic.sort_by_key(|&(p, _)| p);
    add_up(statistic)
}

#[cfg(test)]
mod tests;
