//! Tests that intervals cover the truth as often as they claim to.

use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

use super::*;

/// Returns the thirteen finishing orders of three, as places, with their chances under the model.
fn chances(theta: [f64; 3], log_delta: [f64; 2]) -> Vec<([u8; 3], f64)> {
    let weight = |set: &[usize]| -> f64 {
        let mean = set.iter().map(|&i| theta[i]).sum::<f64>() / set.len() as f64;
        let delta = if set.len() > 1 { log_delta[set.len() - 2] } else { 0.0 };
        (mean + delta).exp()
    };
    let total = |standing: &[&[usize]]| standing.iter().map(|set| weight(set)).sum::<f64>();
    let all: [&[usize]; 7] = [&[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]];
    let first = total(&all);
    let mut orders = vec![([0, 0, 0], weight(&[0, 1, 2]) / first)];
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let mut tied_first = [0; 3];
        tied_first[i] = 1;
        orders.push((tied_first, weight(&[j, k]) / first));
        let rest = total(&[&[j], &[k], &[j, k]]);
        let second: [(&[usize], u8, u8); 3] = [(&[j], 1, 2), (&[k], 2, 1), (&[j, k], 1, 1)];
        for (set, place_of_j, place_of_k) in second {
            let mut places = [0; 3];
            (places[j], places[k]) = (place_of_j, place_of_k);
            orders.push((places, weight(&[i]) / first * weight(set) / rest));
        }
    }
    orders
}

/// Counts the intervals of `repetitions` that cover the true Elo differences 0-1, 0-2 and 1-2.
///
/// Returns the counts of robust intervals and of intervals by the model. There are 40 groups of 6 matches.
/// With probability `shared` a match takes the common luck of its group instead of separate luck. This leaves
/// the chances of each match unchanged.
fn coverage(repetitions: usize, shared: f64, seed: u64) -> ([usize; 3], [usize; 3]) {
    let theta = [0.5, -0.1, -0.4];
    let orders = chances(theta, [-1.2, -1.8]);
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut uniform = move || (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
    let (mut robust, mut by_model) = ([0; 3], [0; 3]);
    for _ in 0..repetitions {
        let mut outcomes: Vec<Outcome> = orders.iter().map(|(places, _)| seated(&[0, 1, 2], places, &[])).collect();
        for group in 0..40 {
            let common = uniform();
            for _ in 0..6 {
                let mut drawn = if uniform() < shared { common } else { uniform() };
                let happened = orders.iter().position(|(_, chance)| {
                    drawn -= chance;
                    drawn < 0.0
                });
                outcomes[happened.unwrap_or(0)].counts.push((group, 1));
            }
        }
        let fit = plain(3, 40, &outcomes);
        for (pair, (a, b)) in [(0, 1), (0, 2), (1, 2)].into_iter().enumerate() {
            let truth = ELO_PER_LOG_STRENGTH * (theta[a] - theta[b]);
            let found = fit.difference(a, b);
            robust[pair] += usize::from(found.low().unwrap() <= truth && truth <= found.high().unwrap());
            let v = fit.model_covariance();
            let se = ELO_PER_LOG_STRENGTH * (v[(a, a)] + v[(b, b)] - 2.0 * v[(a, b)]).sqrt();
            by_model[pair] += usize::from((found.mean - truth).abs() <= 1.96 * se);
        }
    }
    (robust, by_model)
}

#[test]
fn the_chances_of_the_simulation_add_up() {
    let total: f64 = chances([0.5, -0.1, -0.4], [-1.2, -1.8]).iter().map(|(_, p)| p).sum();
    close(total, 1.0, 1e-15);
}

#[test]
fn a_sample_of_elo_intervals_covers_the_truth_over_independent_deals_and_over_shared_ones() {
    // 95% of 300 are 285, with a standard deviation of 3.8.
    let is_honest = |covered: &usize| (270..=298).contains(covered);
    let (robust, by_model) = coverage(300, 0.0, 1);
    assert!(robust.iter().all(is_honest) && by_model.iter().all(is_honest), "{robust:?} {by_model:?}");
    let (robust, by_model) = coverage(300, 0.6, 2);
    assert!(robust.iter().all(is_honest), "{robust:?}");
    assert!(by_model.iter().all(|&covered| covered < 262), "{by_model:?}");
}

#[test]
#[ignore = "long: proves coverage by simulation"]
fn elo_intervals_cover_the_truth_over_independent_deals() {
    let (robust, by_model) = coverage(2_000, 0.0, 1);
    assert!(robust.iter().all(|covered| (1_860..=1_940).contains(covered)), "{robust:?}");
    assert!(by_model.iter().all(|covered| (1_860..=1_940).contains(covered)), "{by_model:?}");
}

#[test]
#[ignore = "long: proves coverage by simulation"]
fn elo_intervals_cover_the_truth_over_shared_deals() {
    let (robust, by_model) = coverage(2_000, 0.6, 2);
    assert!(robust.iter().all(|covered| (1_860..=1_940).contains(covered)), "{robust:?}");
    // The intervals that take the same results as independent claim far too much.
    assert!(by_model.iter().all(|&covered| covered < 1_700), "{by_model:?}");
}
