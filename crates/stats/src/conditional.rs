//! Estimates that are shown because they passed a test, conditional on that.
//!
//! A reader who claims a gain only where its interval lies above 0 selects estimates that came out well. The
//! usual interval of such a claim is too high, and the more so the smaller the gain. If there is no gain,
//! every such interval is too high. Given that it passed, an estimate follows a normal distribution without
//! its lower part. The ends of the interval are the truths for which the observed estimate lies in the outer
//! 2.5% of that distribution. This interval covers the truth in 95% of the claims. See Zhong & Prentice
//! (2008), "Bias-reduced estimators and confidence intervals for odds ratios in genome-wide association
//! studies", *Biostatistics* 9(4).
//!
//! If an estimate has hardly passed, such an interval has no useful lower end. So truths are left out from
//! which the estimate would be more than 3.3 standard errors off. This happens once in 1,000 estimates, and
//! everything is conditional on it. These are the hybrid intervals of Andrews, Kitagawa & McCloskey (2024),
//! "Inference on winners", *Quarterly Journal of Economics* 139(1). The reported estimate is their
//! median-unbiased estimate, which is too high as often as too low.
//!
//! If an estimate has hardly passed, both this estimate and the upper end may lie far below the observed
//! value. Then the interval ends at the observed value, and covers more.

use overtrick_ratings::interval::NORMAL;
use statrs::distribution::Normal;

use super::cut::Cut;
use super::figure::Bounded;

/// The share of estimates too far off to be considered, and their distance in standard errors.
const FAR: f64 = 0.001;
const FARTHEST: f64 = 3.290_526_731_491_926;

/// Corrects an estimate for the condition that it was above `least`.
///
/// `half_width` is half the width of the usual 95% interval.
pub fn given_above(mean: f64, half_width: f64, least: f64) -> Bounded {
    let se = half_width / NORMAL;
    let cut = Cut { errors: Normal::standard(), lowest: (least - mean) / se, highest: f64::INFINITY, reach: FARTHEST };
    let [value, low, high] = cut.corrected(mean, se, FAR);
    Bounded { value, se: None, interval: Some((low, high.max(mean))) }
}

/// Corrects an estimate for the condition that it was below `most`.
///
/// `half_width` is half the width of the usual 95% interval.
pub fn given_below(mean: f64, half_width: f64, most: f64) -> Bounded {
    let mirrored = given_above(-mean, half_width, -most);
    let interval = mirrored.interval.map(|(low, high)| (-high, -low));
    Bounded { value: -mirrored.value, se: None, interval }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal;
    use overtrick_cards::SeedSource;

    /// Sums over claims. Estimates have standard error 1 and are claimed where they are above 1.96.
    #[derive(Default)]
    struct Claims {
        count: f64,
        covered: f64,
        plainly: f64,
        below: f64,
        shown: f64,
    }

    fn claims(truth: f64, estimates: u64) -> Claims {
        let mut stream = SeedSource::new(7, "test", "conditional").stream(truth.to_bits(), 0);
        let mut claims = Claims::default();
        for _ in 0..estimates {
            let seen = truth + normal(&mut stream);
            if seen > NORMAL {
                let held = given_above(seen, NORMAL, NORMAL);
                let (low, high) = held.interval.unwrap();
                claims.count += 1.0;
                claims.covered += f64::from(u8::from(low <= truth && truth <= high));
                claims.plainly += f64::from(u8::from((seen - truth).abs() <= NORMAL));
                claims.below += f64::from(u8::from(held.value <= truth));
                claims.shown += held.value;
            }
        }
        claims
    }

    #[test]
    fn far_from_the_test_it_is_the_usual_interval() {
        let held = given_above(30.0, 2.0, 2.0);
        let (low, high) = held.interval.unwrap();
        // The ends lie a little closer, because the farthest estimates are left out.
        assert!((held.value - 30.0).abs() < 1e-6, "{held:?}");
        assert!((low - 28.0).abs() < 0.02 && (high - 32.0).abs() < 0.02, "{held:?}");
        let other = given_below(-30.0, 2.0, -2.0);
        assert_eq!((other.value, other.interval), (-held.value, Some((-high, -low))));
    }

    #[test]
    fn what_has_hardly_passed_may_be_nothing() {
        let held = given_above(1.0, 0.98, 0.98);
        let (low, high) = held.interval.unwrap();
        assert!(low < 0.0 && held.value < 0.2 && high > held.value && high < 1.98, "{held:?}");
        let low = |x| given_above(f64::from(x) / 100.0, NORMAL, NORMAL).interval.unwrap().0;
        let ends: Vec<f64> = (197..500).map(low).collect();
        assert!(ends.windows(2).all(|pair| pair[0] < pair[1]), "what was seen farther up lies higher");
    }

    /// Without a gain the usual interval covers none of the claims.
    #[test]
    fn intervals_hold_given_that_a_gain_is_claimed() {
        for (truth, estimates) in [(0.0, 40_000), (1.0, 8_000), (2.0, 3_000), (4.0, 3_000)] {
            let claims = claims(truth, estimates);
            let share = claims.covered / claims.count;
            let room = 3.0 * (0.05 * 0.95 / claims.count).sqrt();
            assert!(share > 0.93 - room && share < 0.98 + room, "{truth}: {share} of {}", claims.count);
            let (below, room) = (claims.below / claims.count, 1.5 / claims.count.sqrt());
            assert!((below - 0.5).abs() < 0.02 + room, "{truth}: {below} of {}", claims.count);
            assert!(truth > 0.0 || claims.plainly == 0.0);
        }
    }

    #[test]
    #[ignore = "long: proves coverage by simulation"]
    fn intervals_hold_given_a_claim_in_full() {
        for truth in [-0.5, 0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0] {
            let claims = claims(truth, 500_000);
            let [covered, plainly, below, shown] =
                [claims.covered, claims.plainly, claims.below, claims.shown].map(|part| part / claims.count);
            println!("{truth}: {covered:.4} (usual {plainly:.4}), {below:.3} below, shown {shown:.3}");
            // Below 0, a claim is one in hundreds of estimates, and the farthest estimates are part of the
            // claims.
            assert!(covered > if truth < 0.0 { 0.88 } else { 0.94 } && covered < 0.98, "{truth}: {covered}");
        }
    }
}
