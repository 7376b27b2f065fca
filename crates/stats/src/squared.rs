//! Intervals of a sum of squares of a few effects, such as how far bots or seats are apart.
//!
//! Where the effects are small compared with their errors, such a sum is far from normal. It cannot be below
//! zero, and its standard error is small just where it is too small itself. Over the variance of an effect it
//! has the noncentral chi-squared distribution. The ends of the interval are the noncentralities under which
//! the observed sum has a chance of 2.5% at either end. See Steiger & Fouladi (1997), "Noncentrality interval
//! estimation and the evaluation of statistical models", in *What If There Were No Significance Tests?*.

use statrs::function::gamma::{gamma_lr, ln_gamma};

use super::roots::bisect;

/// The probability that an interval leaves out on each side.
const TAIL: f64 = 0.025;
/// The observed sum, over the variance of an effect, above which the distribution is as good as normal.
const NORMAL_FROM: f64 = 100.0;

/// Returns the 95% interval of the mean of the squares of effects with `freedom` degrees of freedom.
///
/// `raw` is the observed mean, errors included. `se` is its standard error to the first order, √(4 · raw ·
/// variance of an effect / freedom). `None` where the distribution is as good as normal, or if there is no
/// error.
pub(super) fn interval(raw: f64, se: f64, freedom: usize) -> Option<(f64, f64)> {
    let freedom = freedom as f64;
    let variance = freedom * se * se / (4.0 * raw);
    let seen = raw * freedom / variance;
    let end = |chance| noncentrality(seen, freedom, chance) * variance / freedom;
    // `seen` is not a number where there is nothing, and infinite where there is no error.
    (seen <= NORMAL_FROM).then(|| (end(1.0 - TAIL), end(TAIL)))
}

/// Returns the noncentrality under which a value of at most `seen` has this chance; 0 if there is none.
fn noncentrality(seen: f64, freedom: f64, chance: f64) -> f64 {
    if chance_of_less(seen, freedom, 0.0) <= chance {
        return 0.0;
    }
    bisect((0.0, 3.0 * NORMAL_FROM), 50, |middle| chance_of_less(seen, freedom, middle) > chance).0
}

/// Returns the distribution function of the noncentral chi-squared distribution.
///
/// It is a sum of central distributions with 2j more degrees of freedom, with Poisson weights of j.
fn chance_of_less(value: f64, freedom: f64, noncentrality: f64) -> f64 {
    let (half, mean) = (value / 2.0, noncentrality / 2.0);
    if half <= 0.0 {
        return 0.0;
    }
    let last = (mean + 9.0 * mean.sqrt() + 30.0) as usize;
    let mut less = gamma_lr(freedom / 2.0 + last as f64, half);
    let mut sum = 0.0;
    for j in (0..=last).rev() {
        let shape = freedom / 2.0 + j as f64;
        if j < last {
            less += (shape * half.ln() - half - ln_gamma(shape + 1.0)).exp();
        }
        let weight = if mean > 0.0 { j as f64 * mean.ln() - mean - ln_gamma(j as f64 + 1.0) } else { 0.0 };
        sum += if mean > 0.0 || j == 0 { weight.exp() * less } else { 0.0 };
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::super::random::normal;
    use super::*;
    use overtrick_cards::{SeedSource, Stream};

    #[test]
    fn chances_are_those_of_another_implementation() {
        // By scipy 1.17: ncx2.cdf.
        for (freedom, noncentrality, value, expected) in [
            (1.0, 0.5, 2.0, 0.7433025121441785),
            (2.0, 3.0, 5.0, 0.5940608030781964),
            (2.0, 40.0, 30.0, 0.17550529487960084),
            (5.0, 10.0, 20.0, 0.7810703882850357),
            (1.0, 300.0, 350.0, 0.9173978027321049),
        ] {
            let found = chance_of_less(value, freedom, noncentrality);
            assert!((found - expected).abs() < 1e-9, "{freedom}, {noncentrality}, {value}: {found}");
        }
    }

    /// With one and three degrees of freedom the distribution has a closed form in that of a normal variable.
    #[test]
    fn ends_are_those_of_the_closed_forms() {
        // The observed sum is 9 over a variance of 4, and 20 over a variance of a quarter.
        for (raw, se, freedom, expected) in [
            (36.0, 24.0, 1, (4.322887246908, 98.404970911737)),
            (5.0 / 3.0, 5.0_f64.sqrt() / 3.0, 3, (0.401585328659, 3.247381198124)),
        ] {
            let (low, high) = interval(raw, se, freedom).unwrap();
            assert!((low - expected.0).abs() < 1e-8 && (high - expected.1).abs() < 1e-8, "{freedom}: {low} {high}");
        }
        // Nothing but error, and as good as normal.
        assert_eq!(interval(0.01, 0.2, 1).unwrap().0, 0.0);
        assert_eq!(interval(101.0, 2.0 * 101_f64.sqrt(), 1), None);
    }

    /// Counts the intervals of `repetitions` that cover the truth.
    fn covered(freedom: usize, effect: f64, repetitions: u32, rng: &mut Stream) -> u32 {
        // The whole effect is in one direction, since the distribution depends only on the sum of squares.
        let truth = effect * effect / freedom as f64;
        let mut covered = 0;
        for _ in 0..repetitions {
            let mut raw = 0.0_f64;
            for number in 0..freedom {
                let seen = if number == 0 { effect } else { 0.0 } + normal(rng);
                raw += seen * seen / freedom as f64;
            }
            let se = (4.0 * raw / freedom as f64).sqrt();
            let (low, high) = interval(raw, se, freedom).unwrap();
            covered += u32::from(low <= truth && truth <= high);
        }
        covered
    }

    #[test]
    fn a_sample_of_intervals_covers_the_truth() {
        let mut rng = SeedSource::new(20_261_122, "squares", "test").stream(0, 0);
        for freedom in 1..=2 {
            for effect in [0.0, 2.0] {
                let covered = covered(freedom, effect, 25, &mut rng);
                // 95% of 25 are 23.75, give or take 1.1.
                assert!(covered >= 19, "{freedom}, {effect}: {covered}");
            }
        }
    }

    #[test]
    #[ignore = "long: proves coverage by simulation"]
    fn intervals_cover_the_truth_however_small_it_is() {
        let mut rng = SeedSource::new(20_261_122, "squares", "test").stream(0, 0);
        for freedom in 1..=2 {
            for effect in [0.0, 0.3, 0.7, 1.0, 1.5, 2.0, 3.0, 5.0] {
                let covered = covered(freedom, effect, 1000, &mut rng);
                assert!((930..=985).contains(&covered), "{freedom}, {effect}: {covered}");
            }
        }
    }
}
