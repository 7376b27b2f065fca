//! Racing: candidates play in rounds, and those that fall behind are dropped.
//!
//! There are two rules for dropping:
//!
//! - Sequential halving keeps the better half after each round. It fits any number of games. See Karnin, Koren
//!   & Somekh (2013), "Almost optimal exploration in multi-armed bandits", *International Conference on Machine
//!   Learning* 30.
//! - A confidence sequence shows which candidates are certainly behind. It takes as many games as that takes.
//!   See Waudby-Smith, Arbour, Sinha, Kennedy & Ramdas (2024), "Time-uniform central limit theory and
//!   asymptotic confidence sequences", *Annals of Statistics* 52(6), theorem 2.2.

use crate::margin_sums::MarginSums;

/// The number of margins after which intervals of confidence sequences are narrowest.
const NARROWEST: f64 = 2000.0;

/// Returns the number of candidates that are left after a round of `count` candidates.
pub fn half(count: usize) -> usize {
    count.div_ceil(2)
}

/// Returns by round the number of candidates that play, down to a single one.
pub fn halvings(candidates: usize) -> Vec<usize> {
    let next = |&count: &usize| (count > 1).then(|| half(count));
    std::iter::successors((candidates > 0).then_some(candidates), next).collect()
}

/// Sorts candidates by their mean margin, the highest first; equals keep their order.
pub fn rank<T>(candidates: &mut [T], mean: impl Fn(&T) -> f64) {
    candidates.sort_by(|one, other| mean(other).total_cmp(&mean(one)));
}

/// Returns the half-width of the interval of a mean in a confidence sequence.
///
/// The intervals after any numbers of margins hold together, except with probability `level`.
pub fn sequential_half_width(sums: &MarginSums, level: f64) -> f64 {
    let count = sums.count as f64;
    // The authors' choice for intervals that are narrowest after `NARROWEST` margins.
    let log = -2.0 * libm::log(level);
    let rho_squared = (log + libm::log(log + 1.0)) / NARROWEST;
    let times = count * rho_squared + 1.0;
    let width = 2.0 * times / (count * count * rho_squared) * libm::log(times.sqrt() / level);
    (sums.variance() * width).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use overtrick_cards::SeedSource;
    use overtrick_stats::normal;

    /// Returns the number of runs with an interval at any look that does not hold.
    fn misses(runs: u64) -> usize {
        let looks: Vec<u64> =
            (0..40).map(|look| (128.0 * 1.2f64.powi(look)) as u64).filter(|look| *look < 20_000).collect();
        (0..runs)
            .filter(|&run| {
                let mut noise = SeedSource::new(run, "tune", "test race").stream(0, 0);
                let mut sums = MarginSums::default();
                looks.iter().any(|&look| {
                    sums.add((sums.count..look).map(|_| normal(&mut noise)).collect::<Vec<_>>());
                    sums.mean().abs() > sequential_half_width(&sums, 0.05)
                })
            })
            .count()
    }

    #[test]
    fn halvings_end_with_one() {
        assert_eq!(halvings(16), [16, 8, 4, 2, 1]);
        assert_eq!(halvings(5), [5, 3, 2, 1]);
        assert!(halvings(0).is_empty());
    }

    #[test]
    fn intervals_of_a_few_runs_hold_at_every_look() {
        let misses = misses(100);
        // At most 5%, with room for three standard errors of 100 runs.
        assert!(misses <= 11, "{misses}");
    }

    #[test]
    #[ignore = "long: proves coverage by simulation"]
    fn intervals_hold_at_every_look() {
        let misses = misses(600);
        // At most 5%, with room for two and a half standard errors of 600 runs.
        assert!(misses <= 43, "{misses}");
    }
}
