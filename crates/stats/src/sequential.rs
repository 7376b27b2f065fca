//! The generalised sequential probability ratio test on the margins of blocks.
//!
//! It decides whether the first bot of a duel is ahead of the second by `lower` or by `upper`.
//!
//! By Wald (1945), "Sequential tests of statistical hypotheses", *Annals of Mathematical Statistics* 16(2),
//! the test goes on until the log-likelihood ratio of the two hypotheses leaves an interval. The interval is
//! from ln(beta / (1 - alpha)) to ln((1 - beta) / alpha). Where the hypotheses leave something open, here the
//! variance, each takes the value under which the data are likeliest. See Li, Liu & Ying (2014), "Generalized
//! sequential probability ratio test for separate families of hypotheses", *Sequential Analysis* 33(4).
//!
//! Chess engines are tested in this way: see Van den Bergh, "A practical introduction to the GSPRT" and
//! "Comments on normalized Elo" (<https://www.cantate.be/Fishtest/>). This module uses its approximation by
//! the first two moments.

use overtrick_tournament::{Blocks, Measure, SequentialTest};

use super::looks::FIRST_LOOK;

/// The conversion of margins of blocks to points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// The margin that makes a difference of one point a deal.
    ///
    /// It is the number of chairs that each bot has in a block. That is 2 at a table of two, and 9 in the six
    /// mixed seatings at a table of three.
    pub per_point: u32,
    /// The highest score of a deal so far less the lowest, over all seats.
    pub spread: u32,
}

/// The hypothesis that a test has accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The difference is `lower`, or less: accepted with probability at most beta where it is `upper`.
    H0,
    /// The difference is `upper`, or more: accepted with probability at most alpha where it is `lower`.
    H1,
}

/// The state of a test.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TestState {
    /// The log-likelihood ratio of H1 to H0; always finite.
    pub llr: f64,
    /// The ratio at or below which H0 is accepted: ln(beta / (1 - alpha)).
    pub lower_bound: f64,
    /// The ratio at or above which H1 is accepted: ln((1 - beta) / alpha).
    pub upper_bound: f64,
    /// The decision, if there is one.
    pub decision: Option<Decision>,
}

/// Returns the state of `test` after `blocks`.
///
/// Ask only at the looks of [`next_look`](super::next_look), in the order of deals. There is no decision
/// before [`FIRST_LOOK`] blocks. Blocks that are all equal lead to the hypothesis that is nearer to them, and
/// if both are equally near, to none.
pub fn test_state(test: SequentialTest, blocks: &Blocks, scale: Scale) -> TestState {
    let lower_bound = libm::log(test.beta / (1.0 - test.alpha));
    let upper_bound = libm::log((1.0 - test.beta) / test.alpha);
    let llr = match test.measure {
        _ if blocks.count == 0 => 0.0,
        Measure::Points => ratio_of_means(test, blocks, scale),
        Measure::Normalised => ratio_of_normalised_means(test, blocks),
    };
    let decision = match blocks.count {
        ..FIRST_LOOK => None,
        _ if llr <= lower_bound => Some(Decision::H0),
        _ if llr >= upper_bound => Some(Decision::H1),
        _ => None,
    };
    TestState { llr, lower_bound, upper_bound, decision }
}

/// Returns the summed squares of a few blocks with the largest possible margin.
///
/// If their number is expected, the chance to see none of them is the smaller of alpha and beta. Without
/// them, a test of means between bots that rarely differ could end before it has seen a difference. It could
/// also miss the rare large difference that outweighs many small ones.
pub(super) fn unseen(test: SequentialTest, blocks: &Blocks, scale: Scale) -> f64 {
    let largest = blocks.widest_margin.max(scale.spread.into()).max(1) as f64;
    -libm::log(test.alpha.min(test.beta)) * largest * largest
}

/// Returns the log-likelihood ratio of two means mu of normal margins: n/2 ln(s0^2 / s1^2).
///
/// The likeliest variance for a mean is the mean square about it, s^2 = v + (m - mu)^2. The squares of
/// [`unseen`] blocks are added to the sum of squares.
fn ratio_of_means(test: SequentialTest, blocks: &Blocks, scale: Scale) -> f64 {
    let n = blocks.count as f64;
    let mean = blocks.margin as f64 / n;
    let deviations = deviations(blocks) + unseen(test, blocks, scale);
    let [lower, upper] =
        [test.lower, test.upper].map(|bound| deviations + n * (mean - bound * f64::from(scale.per_point)).powi(2));
    n / 2.0 * libm::log(lower / upper)
}

/// Returns the log-likelihood ratio of two quotients t of mean and standard deviation of normal margins.
///
/// With q the mean square of the margins and u = 1/sigma, the log-likelihood of t is n (ln u - q u^2 / 2 + m
/// t u - t^2 / 2) and a constant. It is concave in u. Its maximum, the positive root of q u^2 - m t u - 1 =
/// 0, is w / sqrt(q). Here w = (r t + sqrt(r^2 t^2 + 4)) / 2 and r = m / sqrt(q), so that ln w = asinh(r t /
/// 2).
fn ratio_of_normalised_means(test: SequentialTest, blocks: &Blocks) -> f64 {
    let n = blocks.count as f64;
    // Margins that are all 0 have mean 0 at any scale.
    let r = if blocks.margin == 0 { 0.0 } else { blocks.margin as f64 / (n * blocks.margin_squares as f64).sqrt() };
    let [lower, upper] = [test.lower, test.upper].map(|t| {
        let log_w = libm::asinh(r * t / 2.0);
        log_w + r * t * libm::exp(log_w) / 2.0 - t * t / 2.0
    });
    n * (upper - lower)
}

/// Returns the sum of squared deviations from the mean.
///
/// Taken about the integer next to the mean, it loses no digit and is exactly 0 if all margins are equal.
pub(super) fn deviations(blocks: &Blocks) -> f64 {
    let count = i128::from(blocks.count);
    let (near, rest) = (blocks.margin.div_euclid(count), blocks.margin.rem_euclid(count));
    let about_near = blocks.margin_squares - near * blocks.margin - near * rest;
    (about_near as f64 - rest as f64 * (rest as f64 / count as f64)).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::next_look;
    use overtrick_tournament::Block;

    const ONE_POINT: Scale = Scale { per_point: 1, spread: 0 };

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b}");
    }

    fn blocks(margins: impl IntoIterator<Item = (i64, u64)>) -> Blocks {
        let mut blocks = Blocks::default();
        for (margin, count) in margins {
            (0..count).for_each(|_| blocks.add(&Block { margin, ..Block::default() }));
        }
        blocks
    }

    fn test(measure: Measure, lower: f64, upper: f64) -> SequentialTest {
        SequentialTest { measure, lower, upper, alpha: 0.05, beta: 0.05 }
    }

    /// Builds blocks from the numbers of pairs of chess games.
    ///
    /// `counts` is by the points of the first engine in a pair, 0 to 2 in halves. A margin is how far it is
    /// ahead, in half points.
    fn pairs(counts: [u64; 5]) -> Blocks {
        blocks((-2..=2).zip(counts))
    }

    /// Tests of Stockfish on fishtest.org with the ratios that it printed.
    #[test]
    fn published_ratios_of_normalised_tests() {
        // Normalised Elo is 800 / ln 10 times mean over standard deviation of a game, and a pair has two
        // games.
        let per_elo = 2_f64.sqrt() * 10_f64.ln() / 800.0;
        let published = [
            // official-stockfish/Stockfish pull requests 6019 (twice), 3784, 6285 and 6036
            ([320, 12431, 27275, 12858, 316], 0.0, 2.0, 2.95),
            ([197, 45541, 117_722, 46579, 228], 0.5, 2.5, 2.96),
            ([282, 11637, 27003, 12044, 274], 0.0, 2.5, 2.94),
            ([289, 26459, 62934, 26379, 331], -1.75, 0.25, 2.94),
            ([1, 1098, 3954, 1346, 1], 0.5, 2.5, 2.94),
        ];
        for (counts, lower, upper, llr) in published {
            let test = test(Measure::Normalised, lower * per_elo, upper * per_elo);
            close(test_state(test, &pairs(counts), ONE_POINT).llr, llr, 0.01);
        }
    }

    #[test]
    fn published_ratios_of_tests_of_means() {
        let published = [
            // official-stockfish/Stockfish pull requests 3209 (twice), 3098 (twice) and 2493 (twice)
            ([253, 4282, 17604, 4431, 286], -0.25, 1.25, 2.94),
            ([58, 3302, 33130, 3518, 84], 0.25, 1.25, 2.97),
            ([491, 7345, 29693, 7670, 465], -0.25, 1.25, 2.96),
            ([53, 2220, 21459, 2445, 47], 0.25, 1.25, 2.97),
            ([424, 2948, 5832, 3045, 460], -1.0, 3.0, 2.94),
            ([1284, 17437, 55536, 18085, 1292], 0.0, 2.0, 2.94),
        ];
        // Half points ahead a game.
        let ahead = |elo: f64| 2.0 / (1.0 + 10_f64.powf(-elo / 400.0)) - 1.0;
        for (counts, lower, upper, llr) in published {
            let test = test(Measure::Points, ahead(lower), ahead(upper));
            close(test_state(test, &pairs(counts), Scale { per_point: 2, spread: 1 }).llr, llr, 0.01);
        }
    }

    /// Returns the maximum over the standard deviation, by ternary search.
    fn maximum(likelihood: impl Fn(f64) -> f64) -> f64 {
        let (mut low, mut high) = (-20.0, 20.0);
        for _ in 0..200 {
            let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if likelihood(f64::exp(a)) < likelihood(f64::exp(b)) {
                low = a;
            } else {
                high = b;
            }
        }
        likelihood(f64::exp(low))
    }

    #[test]
    fn closed_forms_are_the_maxima_of_the_likelihoods() {
        let samples: [&[i64]; 6] =
            [&[3, -1, 4, 1, -5, 9, 2, -6, 5, 3, 5], &[-40, -41, -39, -40], &[0, 0, 0, 7], &[0; 5], &[1, -1], &[-12; 3]];
        for sample in samples {
            let blocks = blocks(sample.iter().map(|&margin| (margin, 1)));
            let normal = |x: f64, mean: f64, sigma: f64| -sigma.ln() - ((x - mean) / sigma).powi(2) / 2.0;
            let sum = |mean: f64, sigma: f64| sample.iter().map(|&x| normal(x as f64, mean, sigma)).sum::<f64>();
            for (lower, upper) in [(0.0, 0.1), (-0.3, 0.2), (-2.0, -1.0), (0.5, 3.0)] {
                let scale = Scale { per_point: 9, spread: 4 };
                let largest = sample.iter().fold(4, |largest, x| largest.max(x.abs())) as f64;
                let unseen = 20_f64.ln() * largest.powi(2);
                let of_mean = |bound: f64| maximum(|sigma| sum(9.0 * bound, sigma) - unseen / (2.0 * sigma * sigma));
                let llr = test_state(test(Measure::Points, lower, upper), &blocks, scale).llr;
                close(llr, of_mean(upper) - of_mean(lower), 1e-9 * llr.abs().max(1.0));
                if sample != [0; 5] {
                    let normalised = |t: f64| maximum(|sigma| sum(t * sigma, sigma));
                    let llr = test_state(test(Measure::Normalised, lower, upper), &blocks, scale).llr;
                    close(llr, normalised(upper) - normalised(lower), 1e-9 * llr.abs().max(1.0));
                }
            }
        }
    }

    #[test]
    fn bounds_are_those_of_wald() {
        let test = SequentialTest { measure: Measure::Points, lower: 0.0, upper: 1.0, alpha: 0.1, beta: 0.02 };
        let state = test_state(test, &Blocks::default(), ONE_POINT);
        close(state.lower_bound, (0.02_f64 / 0.9).ln(), 1e-15);
        close(state.upper_bound, (0.98_f64 / 0.1).ln(), 1e-15);
        assert_eq!((state.llr, state.decision), (0.0, None));
    }

    #[test]
    fn no_decision_from_too_few_blocks() {
        for measure in [Measure::Points, Measure::Normalised] {
            let test = test(measure, 0.0, 0.5);
            let margins = |count: u64| blocks([(0, count / 2), (2, count - count / 2)]);
            assert_eq!(test_state(test, &margins(255), ONE_POINT).decision, None);
            assert!(test_state(test, &margins(255), ONE_POINT).llr > 3.0);
            assert_eq!(test_state(test, &margins(256), ONE_POINT).decision, Some(Decision::H1));
            let mirrored = blocks([(0, 128), (-2, 128)]);
            assert_eq!(test_state(test, &mirrored, ONE_POINT).decision, Some(Decision::H0));
        }
    }

    /// Asks at every look until there is a decision, with blocks that all have the same margin.
    fn constant(test: SequentialTest, margin: i64, scale: Scale) -> (u64, Option<Decision>) {
        let mut done = 0;
        loop {
            done = next_look(done);
            let blocks = Blocks {
                count: done,
                margin: i128::from(margin) * i128::from(done),
                margin_squares: i128::from(margin * margin) * i128::from(done),
                widest_margin: margin.unsigned_abs(),
                ..Blocks::default()
            };
            let state = test_state(test, &blocks, scale);
            assert!(state.llr.is_finite());
            if state.decision.is_some() || done > 10_000_000 {
                return (done, state.decision);
            }
        }
    }

    #[test]
    fn identical_bots_are_decided_for_the_hypothesis_that_is_nearer_to_nothing() {
        let whist = Scale { per_point: 9, spread: 28 };
        for (measure, bound) in [(Measure::Points, 0.01), (Measure::Normalised, 0.05)] {
            let (blocks, decision) = constant(test(measure, 0.0, bound), 0, whist);
            assert_eq!(decision, Some(Decision::H0));
            assert!(blocks < 3000, "{blocks}");
            assert_eq!(constant(test(measure, -bound, 0.0), 0, whist), (blocks, Some(Decision::H1)));
            assert_eq!(constant(test(measure, -bound, bound), 0, whist).1, None);
            assert_eq!(constant(test(measure, bound, 2.0 * bound), 0, whist).1, Some(Decision::H0));
        }
        // A decision needs no spread of scores.
        assert_eq!(constant(test(Measure::Points, 0.0, 1.0), 0, ONE_POINT), (256, Some(Decision::H0)));
    }

    #[test]
    fn the_same_margin_in_every_block_is_decided_for_the_nearer_hypothesis() {
        for scale in [ONE_POINT, Scale { per_point: 1, spread: 3 }] {
            for (margin, decision) in [(-5, Decision::H0), (2, Decision::H0), (3, Decision::H1), (9, Decision::H1)] {
                assert_eq!(constant(test(Measure::Points, 2.0, 3.0), margin, scale).1, Some(decision));
            }
            // A margin without variance is more than any number of standard deviations.
            assert_eq!(constant(test(Measure::Normalised, 2.0, 3.0), 1, scale).1, Some(Decision::H1));
            assert_eq!(constant(test(Measure::Normalised, 2.0, 3.0), -1, scale).1, Some(Decision::H0));
        }
    }

    #[test]
    fn extremes_stay_finite() {
        for measure in [Measure::Points, Measure::Normalised] {
            for (lower, upper) in [(-1e6, 1e6), (0.0, 1e-12), (999_999.0, 1e6), (-1e6, -999_999.0)] {
                let test = SequentialTest { measure, lower, upper, alpha: 1e-6, beta: 0.499 };
                for spread in [0, u32::MAX] {
                    for sample in
                        [vec![(0, 300)], vec![(1, 300)], vec![(i64::from(i32::MIN), 150), (i64::from(i32::MAX), 150)]]
                    {
                        let state = test_state(test, &blocks(sample), Scale { per_point: u32::MAX, spread });
                        assert!(state.llr.is_finite(), "{test:?} {state:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn deviations_lose_no_digit() {
        let far = 1_000_000_007;
        close(deviations(&blocks([(far - 1, 3), (far, 1), (far + 2, 3)])), 15.0 - 9.0 / 7.0, 1e-12);
        close(deviations(&blocks([(-far - 1, 3), (-far, 1), (-far + 2, 3)])), 15.0 - 9.0 / 7.0, 1e-12);
        assert_eq!(deviations(&blocks([(far, 7)])), 0.0);
    }
}
