//! The choices of a chain: their normalising constants, means and covariances.
//!
//! The subsets of one size need not be listed. Their total weight is an elementary symmetric function of the
//! entrants' weights. The same recursion gives the part of it that contains a given entrant, or two given
//! entrants. See Gail, Lubin & Rubinstein (1981), "Likelihood calculations for matched case-control studies
//! and survival studies with tied death times", *Biometrika* 68. So the work stays polynomial for ties of any
//! size. All terms are positive, so nothing cancels.
//!
//! Work that the sets of a chain share is done once for all of them. A subset with entrants `i` and `j`, who
//! joined in this order, has members who joined before `j` and members who joined later. The sums over the
//! earlier members are the same for every set of the chain. The sums over the later members are taken over
//! all sets at once, from the last to join backwards.

use super::chains::Link;

/// The distributions of the next tied set in all choices of a chain.
///
/// Local coordinates are first the entrants: an entrant of a chosen set of size `s` has the value `1/s`, and
/// the others have 0. Then come the tie sizes possible among them: the chosen size has the value 1.
#[derive(Default)]
pub(super) struct Moments {
    locals: usize,
    /// The log of the summed weights of all sets, summed over choices.
    pub log_total: f64,
    /// Expected coordinates, choice by choice.
    means: Vec<f64>,
    /// Covariance of the coordinates, summed over choices: row by row up to the diagonal; empty unless
    /// requested.
    pub covariance: Vec<f64>,
    /// The sums for size 1 and for each tie size.
    sizes: Vec<Sums>,
    /// Choice by choice: the chance of each size.
    chances: Vec<f64>,
    /// Choice by choice, for one size: the chance of a set over its weight.
    each: Vec<f64>,
}

impl Moments {
    /// Computes the moments of a chain whose entrants have the log-strengths `eta`.
    ///
    /// `ties` lists `(size, log delta)` by size.
    pub fn take(&mut self, eta: &[f64], links: &[Link], ties: &[(usize, f64)], covariance: bool) {
        let possible = ties.partition_point(|&(size, _)| size <= eta.len());
        self.locals = eta.len() + possible;
        // Weights relative to the middle leave the same room above and below.
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for &eta in eta {
            low = low.min(eta);
            high = high.max(eta);
        }
        let middle = (low + high) / 2.0;
        self.sizes.resize_with(1 + possible, Sums::default);
        self.sizes[0].take(1, 0.0, eta, middle);
        for (sums, &(size, log_delta)) in self.sizes[1..].iter_mut().zip(ties) {
            sums.take(size, log_delta, eta, middle);
        }
        self.choose(links, middle);
        self.means.clear();
        self.means.resize(links.len() * self.locals, 0.0);
        self.covariance.clear();
        self.covariance.resize(if covariance { self.locals * (self.locals + 1) / 2 } else { 0 }, 0.0);
        for size in 0..self.sizes.len() {
            self.add(size, links, eta.len());
        }
        self.centre(links);
    }

    /// Returns the number of local coordinates.
    pub fn locals(&self) -> usize {
        self.locals
    }

    /// Returns the expected coordinates in a choice.
    pub fn mean(&self, link: usize) -> &[f64] {
        &self.means[link * self.locals..][..self.locals]
    }

    /// Computes the chances of the sizes.
    fn choose(&mut self, links: &[Link], middle: f64) {
        self.log_total = 0.0;
        self.chances.clear();
        for link in links {
            let first = self.chances.len();
            let mut highest = f64::NEG_INFINITY;
            for sums in &self.sizes {
                let log = sums.log_delta + sums.of_first(link.standing)[sums.size].ln();
                highest = highest.max(log);
                self.chances.push(log);
            }
            let chances = &mut self.chances[first..];
            let mut total = 0.0;
            for chance in &mut *chances {
                *chance = (*chance - highest).exp();
                total += *chance;
            }
            for chance in chances {
                *chance /= total;
            }
            self.log_total += link.times * (middle + highest + total.ln());
        }
    }

    /// Adds the sets of one size to the means and to the second moments.
    fn add(&mut self, number: usize, links: &[Link], entrants: usize) {
        let sizes = self.sizes.len();
        let sums = &mut self.sizes[number];
        let size = sums.size;
        let share = 1.0 / size as f64;
        self.each.clear();
        for (link, chances) in links.iter().zip(self.chances.chunks_exact(sizes)) {
            let chance = chances[number];
            self.each.push(if chance == 0.0 { 0.0 } else { chance / sums.of_first(link.standing)[size] });
        }
        let tie = number.checked_sub(1).map(|tie| entrants + tie);
        let has_pairs = tie.is_some() && !self.covariance.is_empty();
        if has_pairs {
            sums.look_ahead(entrants, links, &self.each);
        }
        let mut next = 0;
        for entrant in 0..entrants {
            if has_pairs {
                let row = &mut self.covariance[row(entrant)..][..entrant];
                sums.add_pairs(entrant, share * share, row);
            }
            sums.join(entrant);
            if next == links.len() || links[next].standing != entrant + 1 {
                continue;
            }
            let (times, chance, each) = (links[next].times, self.chances[next * sizes + number], self.each[next]);
            let mean = &mut self.means[next * self.locals..][..self.locals];
            next += 1;
            for (i, (weight, others)) in sums.weights.iter().zip(&sums.without[size - 1]).enumerate() {
                let part = share * each * weight * others;
                mean[i] += part;
                if !self.covariance.is_empty() {
                    self.covariance[row(i) + i] += times * share * part;
                    if let Some(tie) = tie {
                        self.covariance[row(tie) + i] += times * part;
                    }
                }
            }
            if let Some(tie) = tie {
                mean[tie] = chance;
                if !self.covariance.is_empty() {
                    self.covariance[row(tie) + tie] += times * chance;
                }
            }
        }
    }

    /// Turns second moments into covariances.
    fn centre(&mut self, links: &[Link]) {
        if self.covariance.is_empty() {
            return;
        }
        for (mean, link) in self.means.chunks_exact(self.locals).zip(links) {
            for (i, &own) in mean.iter().enumerate() {
                if own == 0.0 {
                    continue;
                }
                let own = link.times * own;
                for (second, other) in self.covariance[row(i)..].iter_mut().zip(&mean[..=i]) {
                    *second -= own * other;
                }
            }
        }
    }
}

/// Returns the index at which row `i` of a triangle begins.
fn row(i: usize) -> usize {
    i * (i + 1) / 2
}

/// Sums over all subsets of one size of the product of the members' weights.
///
/// The weight of an entrant is its strength to the power of one over the size.
#[derive(Default)]
struct Sums {
    size: usize,
    log_delta: f64,
    /// By entrant.
    weights: Vec<f64>,
    /// For the first 0, 1, 2... entrants: the sums over their subsets of size 0 to `size`.
    first: Vec<f64>,
    /// For all entrants from each entrant on: weighted sums over their subsets of size 0 to `size - 2`.
    ///
    /// A sum has a weight for each choice in which they stood, and is summed over these choices. The weight
    /// is the number of times that the choice was made, times the chance of a set over its weight.
    later: Vec<f64>,
    /// By size of the subset below `size`, for each entrant `i` that has joined: the sum over the subsets
    /// without `i`.
    without: Vec<Vec<f64>>,
    /// Buffer for a row of pairs.
    pairs: Vec<f64>,
}

impl Sums {
    /// Returns the sums over the subsets of the first entrants.
    fn of_first(&self, entrants: usize) -> &[f64] {
        &self.first[entrants * (self.size + 1)..][..self.size + 1]
    }

    fn take(&mut self, size: usize, log_delta: f64, eta: &[f64], middle: f64) {
        (self.size, self.log_delta) = (size, log_delta);
        self.weights.clear();
        self.weights.extend(eta.iter().map(|eta| ((eta - middle) / size as f64).exp()));
        self.first.clear();
        self.first.push(1.0);
        self.first.resize((eta.len() + 1) * (size + 1), 0.0);
        for (entrant, weight) in self.weights.iter().enumerate() {
            let (before, after) = self.first[entrant * (size + 1)..].split_at_mut(size + 1);
            after[0] = 1.0;
            for s in 1..=size {
                after[s] = before[s] + weight * before[s - 1];
            }
        }
        self.without.resize_with(size, Vec::new);
        self.without.iter_mut().for_each(Vec::clear);
    }

    /// Computes `later` from the choices and, for `each` of them, the chance of a set over its weight.
    fn look_ahead(&mut self, entrants: usize, links: &[Link], each: &[f64]) {
        let width = self.size - 1;
        self.later.clear();
        self.later.resize((entrants + 1) * width, 0.0);
        let mut choices = links.iter().zip(each).rev().peekable();
        for entrant in (0..=entrants).rev() {
            let (here, after) = self.later[entrant * width..].split_at_mut(width);
            if let Some(weight) = self.weights.get(entrant) {
                here[0] = after[0];
                for s in 1..width {
                    here[s] = after[s] + weight * after[s - 1];
                }
            }
            if let Some((link, each)) = choices.next_if(|(link, _)| link.standing == entrant) {
                here[0] += link.times * each;
            }
        }
    }

    /// Adds `factor` times the summed weight of the sets that hold both the next entrant and an earlier
    /// entrant.
    ///
    /// `row` has an entry for each earlier entrant.
    fn add_pairs(&mut self, entrant: usize, factor: f64, row: &mut [f64]) {
        self.pairs.clear();
        self.pairs.resize(entrant, 0.0);
        let later = self.later[(entrant + 1) * (self.size - 1)..][..self.size - 1].iter().rev();
        for (later, without) in later.zip(&self.without) {
            for (sum, without) in self.pairs.iter_mut().zip(without) {
                *sum += later * without;
            }
        }
        let factor = factor * self.weights[entrant];
        for ((sum, pair), weight) in row.iter_mut().zip(&self.pairs).zip(&self.weights) {
            *sum += factor * weight * pair;
        }
    }

    /// Lets the next entrant join.
    fn join(&mut self, entrant: usize) {
        let weight = self.weights[entrant];
        for s in (0..self.size).rev() {
            if s > 0 {
                let (smaller, larger) = self.without.split_at_mut(s);
                for (sum, less) in larger[0].iter_mut().zip(&smaller[s - 1]) {
                    *sum += weight * less;
                }
            }
            let own = self.of_first(entrant)[s];
            self.without[s].push(own);
        }
    }
}

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, DVector};

    use super::*;

    /// Returns the log total, means and covariance of a chain with these `(standing, times)`.
    fn moments(eta: &[f64], links: &[(usize, f64)], ties: &[(usize, f64)]) -> (f64, Vec<DVector<f64>>, DMatrix<f64>) {
        let links: Vec<Link> = links.iter().map(|&(standing, times)| Link { standing, times, set: 0 }).collect();
        let mut moments = Moments::default();
        // Nothing may remain of an earlier, larger chain.
        moments.take(&[1.0; 9], &[Link { standing: 9, times: 1.0, set: 0 }; 2], &[(2, 0.0), (3, 0.0), (4, 0.0)], true);
        moments.take(eta, &links, ties, true);
        let n = moments.locals;
        let means: Vec<_> = (0..links.len()).map(|link| DVector::from_row_slice(moments.mean(link))).collect();
        let entry = |i: usize, j: usize| moments.covariance[row(i.max(j)) + i.min(j)];
        let found = (moments.log_total, means, DMatrix::from_fn(n, n, entry));
        // Means do not depend on whether covariances are requested.
        moments.take(eta, &links, ties, false);
        assert!((0..links.len()).all(|link| moments.mean(link) == found.1[link].as_slice()));
        assert!(moments.covariance.is_empty());
        found
    }

    /// Lists every set that can be chosen from the first `standing`, with its log weight and its coordinates.
    fn enumerate(eta: &[f64], standing: usize, ties: &[(usize, f64)]) -> Vec<(f64, DVector<f64>)> {
        let n = eta.len();
        let mut sets = Vec::new();
        for members in 1_usize..1 << standing {
            let size = members.count_ones() as usize;
            let tie = ties.iter().position(|&(s, _)| s == size);
            if size > 1 && tie.is_none() {
                continue;
            }
            let mut coordinates = DVector::zeros(n + ties.len());
            let mut log_weight = 0.0;
            for i in (0..n).filter(|i| members >> i & 1 == 1) {
                coordinates[i] = 1.0 / size as f64;
                log_weight += eta[i] / size as f64;
            }
            if let Some(tie) = tie {
                coordinates[n + tie] = 1.0;
                log_weight += ties[tie].1;
            }
            sets.push((log_weight, coordinates));
        }
        sets
    }

    #[test]
    fn recursion_agrees_with_enumeration() {
        let eta = [0.3, -1.2, 2.5, 0.0, -0.4, 1.1];
        /// Sizes, each with the number of times that it is left, or with its log delta.
        type Sizes = &'static [(usize, f64)];
        let cases: [(Sizes, Sizes); 8] = [
            (&[(6, 1.0)], &[]),
            (&[(2, 3.0)], &[(2, -0.3)]),
            (&[(2, 1.0), (3, 2.0)], &[(2, -1.0), (3, 0.5)]),
            (&[(5, 1.0)], &[(2, 0.2), (4, 1.5)]),
            (&[(3, 4.0), (6, 1.0)], &[(3, 0.7), (6, 2.0)]),
            (&[(2, 1.0), (3, 2.0), (4, 3.0), (5, 4.0), (6, 5.0)], &[]),
            (&[(2, 2.0), (4, 1.0), (5, 7.0), (6, 3.0)], &[(2, 0.1), (3, 0.2), (4, 0.3), (5, 0.4), (6, 0.5)]),
            (&[(3, 2.0), (4, 1.0), (6, 3.0)], &[(4, 40.0), (5, -40.0)]),
        ];
        for (links, ties) in cases {
            let n = links.last().unwrap().0;
            let (log_total, means, covariance) = moments(&eta[..n], links, ties);
            let mut expected = (0.0, DMatrix::zeros(n + ties.len(), n + ties.len()));
            for (&(standing, times), found) in links.iter().zip(means) {
                let sets = enumerate(&eta[..n], standing, ties);
                let total: f64 = sets.iter().map(|(log, _)| log.exp()).sum();
                let chance = |log: &f64| log.exp() / total;
                let mean = sets.iter().fold(DVector::zeros(n + ties.len()), |sum, (log, x)| sum + chance(log) * x);
                assert!((found - &mean).amax() < 1e-14, "{links:?} {ties:?}");
                expected.0 += times * total.ln();
                for (log, x) in &sets {
                    expected.1 += times * chance(log) * (x - &mean) * (x - &mean).transpose();
                }
            }
            assert!((log_total - expected.0).abs() < 1e-12, "{links:?} {ties:?}");
            assert!((covariance - expected.1).amax() < 1e-13, "{links:?} {ties:?}");
        }
    }

    #[test]
    fn a_tie_of_all_fifty_is_as_easy_as_a_win() {
        let eta: Vec<f64> = (0..50).map(|i| f64::from(i % 7) - 3.0).collect();
        let (_, means, covariance) = moments(&eta, &[(25, 2.0), (50, 1.0)], &[(25, -30.0), (50, 0.0)]);
        for mean in means {
            let whole: f64 = mean.rows(0, 50).sum();
            assert!((whole - 1.0).abs() < 1e-12, "shares of the chosen set add up to {whole}");
        }
        // For any size, the shares of the chosen set sum to 1, so this sum has no variance.
        assert!(covariance.view((0, 0), (50, 50)).sum().abs() < 1e-12);
    }

    #[test]
    fn hopeless_entrants_do_no_harm() {
        for eta in [[0.0, -1e3], [-1e3, 0.0], [1e3, 0.0]] {
            let (log_total, means, covariance) = moments(&eta, &[(2, 1.0)], &[(2, -5.0)]);
            assert!((log_total - eta[0].max(eta[1])).abs() < 1e-12);
            assert!(means[0].iter().chain(covariance.iter()).all(|x| x.is_finite()));
        }
    }
}
