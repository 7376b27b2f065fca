//! One choice of the next tied set: its normalising constant, mean and covariance.
//!
//! The subsets of one size need not be listed. Their total weight is an elementary symmetric
//! function of the entrants' weights, and how much of it contains one entrant, or two, follows from
//! the same recursion (Gail, Lubin & Rubinstein 1981, "Likelihood calculations for matched
//! case-control studies and survival studies with tied death times", *Biometrika* 68), so the work
//! stays polynomial however many tie. All terms are positive: nothing cancels.

use nalgebra::{DMatrix, DVector};

/// Distribution of the next tied set, in local coordinates: first the `n` entrants standing, where
/// an entrant of a chosen set of size `s` has the value `1/s` and the others 0; then the tie sizes,
/// where the size chosen has the value 1.
pub(super) struct Choice {
    /// Log of the summed weights of all sets.
    pub log_total: f64,
    /// Expected coordinates.
    pub mean: DVector<f64>,
    /// Covariance of the coordinates.
    pub covariance: DMatrix<f64>,
}

impl Choice {
    /// `eta[i]` is the log-strength of entrant `i`; `ties` lists `(size, log delta)` of the tie
    /// sizes that are possible among them.
    pub fn new(eta: &[f64], ties: &[(usize, f64)]) -> Self {
        let n = eta.len();
        let top = eta.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let sizes: Vec<(f64, f64, Sums)> = std::iter::once(&(1, 0.0))
            .chain(ties)
            .map(|&(size, log_delta)| {
                let share = 1.0 / size as f64;
                // Weights relative to the strongest entrant are at most 1.
                let weights: Vec<f64> = eta.iter().map(|e| ((e - top) * share).exp()).collect();
                let sums = Sums::new(&weights, size);
                (share, log_delta + sums.all.ln(), sums)
            })
            .collect();
        let highest = sizes.iter().map(|&(_, log, _)| log).fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = sizes.iter().map(|(_, log, _)| (log - highest).exp()).sum();

        let mut mean = DVector::zeros(n + ties.len());
        let mut second = DMatrix::zeros(n + ties.len(), n + ties.len());
        for (position, (share, log, sums)) in sizes.iter().enumerate() {
            let chance = (log - highest).exp() / total;
            if chance == 0.0 {
                continue; // all sets of this size are out of the floating-point range
            }
            let tie = position.checked_sub(1).map(|tie| n + tie);
            if let Some(tie) = tie {
                mean[tie] = chance;
                second[(tie, tie)] = chance;
            }
            let per_set = chance / sums.all;
            for i in 0..n {
                let once = share * per_set * sums.with[i];
                mean[i] += once;
                second[(i, i)] += share * once;
                if let Some(tie) = tie {
                    second[(i, tie)] = once;
                    second[(tie, i)] = once;
                }
                for j in 0..i {
                    let both = share * share * per_set * sums.with_both[(j, i)];
                    second[(i, j)] += both;
                    second[(j, i)] += both;
                }
            }
        }
        second.ger(-1.0, &mean, &mean, 1.0);
        Self { log_total: top + highest + total.ln(), mean, covariance: second }
    }
}

/// Sums over all subsets of one size of the product of the members' weights.
struct Sums {
    /// Over all of them.
    all: f64,
    /// Over those that contain entrant `i`.
    with: Vec<f64>,
    /// Over those that contain entrants `j` and `i`, at row `j` and column `i > j`.
    with_both: DMatrix<f64>,
}

impl Sums {
    fn new(weights: &[f64], size: usize) -> Self {
        let n = weights.len();
        // The same sums for each size up to the one wanted, over the entrants met so far.
        let mut all = vec![0.0; size + 1];
        all[0] = 1.0;
        let mut with = vec![vec![0.0; n]; size + 1];
        let mut with_both = vec![DMatrix::zeros(n, n); size + 1];
        for (new, &weight) in weights.iter().enumerate() {
            // The larger sizes first, so that they build on smaller sets without the new entrant.
            for s in (1..=size).rev() {
                for i in 0..new {
                    // Two others need a set of three.
                    for j in 0..if s >= 3 { i } else { 0 } {
                        with_both[s][(j, i)] += weight * with_both[s - 1][(j, i)];
                    }
                    with_both[s][(i, new)] = weight * with[s - 1][i];
                    with[s][i] += weight * with[s - 1][i];
                }
                with[s][new] = weight * all[s - 1];
                all[s] += weight * all[s - 1];
            }
        }
        Self { all: all[size], with: with.swap_remove(size), with_both: with_both.swap_remove(size) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every possible set by name, with its log weight and its coordinates.
    fn enumerate(eta: &[f64], ties: &[(usize, f64)]) -> Vec<(f64, DVector<f64>)> {
        let n = eta.len();
        let mut sets = Vec::new();
        for members in 1_usize..1 << n {
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
        let cases: [(usize, &[(usize, f64)]); 6] = [
            (6, &[]),
            (2, &[(2, -0.3)]),
            (3, &[(2, -1.0), (3, 0.5)]),
            (5, &[(2, 0.2), (4, 1.5)]),
            (6, &[(3, 0.7), (6, 2.0)]),
            (6, &[(2, 0.1), (3, 0.2), (4, 0.3), (5, 0.4), (6, 0.5)]),
        ];
        for (n, ties) in cases {
            let choice = Choice::new(&eta[..n], ties);
            let sets = enumerate(&eta[..n], ties);
            let total: f64 = sets.iter().map(|(log, _)| log.exp()).sum();
            let chance = |log: &f64| log.exp() / total;
            let size = n + ties.len();
            let mean = sets.iter().fold(DVector::zeros(size), |sum, (log, x)| sum + chance(log) * x);
            let covariance = sets.iter().fold(DMatrix::zeros(size, size), |sum, (log, x)| {
                sum + chance(log) * (x - &mean) * (x - &mean).transpose()
            });
            assert!((choice.log_total - total.ln()).abs() < 1e-14, "{n} {ties:?}");
            assert!((choice.mean - &mean).amax() < 1e-14, "{n} {ties:?}");
            assert!((choice.covariance - covariance).amax() < 1e-14, "{n} {ties:?}");
        }
    }

    #[test]
    fn a_tie_of_all_fifty_is_as_easy_as_a_win() {
        let eta: Vec<f64> = (0..50).map(|i| f64::from(i % 7) - 3.0).collect();
        let choice = Choice::new(&eta, &[(25, -30.0), (50, 0.0)]);
        let whole: f64 = choice.mean.rows(0, 50).sum();
        assert!((whole - 1.0).abs() < 1e-12, "shares of the chosen set add up to {whole}");
        // Whatever the size, the shares of the chosen set sum to 1, so this sum has no variance.
        assert!(choice.covariance.view((0, 0), (50, 50)).sum().abs() < 1e-12);
    }

    #[test]
    fn hopeless_entrants_do_no_harm() {
        let choice = Choice::new(&[0.0, -1e4], &[(2, -5.0)]);
        assert!(choice.log_total.abs() < 1e-12);
        assert!(choice.mean.iter().chain(choice.covariance.iter()).all(|x| x.is_finite()));
    }
}
