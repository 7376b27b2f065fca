//! The factor by which an interval must be wider at the end of a sequential test.
//!
//! A test that stops where the results are extreme stops where the estimate is extreme, too. A plain interval
//! then covers the truth too rarely, at worst in 85% of runs. So the ends are found by the method of Siegmund
//! (1978), "Estimation following sequential tests", *Biometrika* 65(2). Outcomes are ordered by the accepted
//! hypothesis and by how soon it was accepted. The lower end is the truth under which an outcome at least as
//! high as the observed outcome has a chance of [`TAIL`]. The upper end is found likewise (Whitehead 1997,
//! *The Design and Analysis of Sequential Clinical Trials*, chapter 5).
//!
//! Chances are those of normal margins of known variance, added up from look to look. See Armitage, McPherson
//! & Rowe (1969), "Repeated significance tests on accumulating data", *Journal of the Royal Statistical
//! Society* A 132.
//!
//! The result is one factor for the plain interval, by the end that is farther from the estimate. Then the
//! two ends miss in 6% of the runs at most, and where only one end ever misses, in 3%.

use overtrick_ratings::interval::{Estimate, GroupSum, NORMAL};
use overtrick_tournament::{Blocks, Measure, SequentialTest};
use statrs::distribution::{ContinuousCDF, Normal};

use super::contrast::Contrast;
use super::counted::Counted;
use super::looks::{FIRST_LOOK, next_look};
use super::roots::bisect;
use super::sequential::{Scale, deviations, test_state, unseen};

/// The chance that an end of the interval misses.
///
/// With 2.5%, a symmetric interval of which only one end ever misses would cover in 97.5%. With 5%, an
/// interval with two such ends would cover in 90%.
const TAIL: f64 = 0.03;
/// The number of standard deviations to either side for which densities are followed.
const REACH: f64 = 7.0;
/// The step at which a density is added up, in standard deviations of the contribution of the next look.
const STEP: f64 = 0.5;

/// Returns the factor by which the 95% interval of the tested difference is wider than by Student's t.
///
/// The run under `test` ended after `blocks`. The factor is 1 where it ended at the first look.
pub fn test_widening(test: SequentialTest, blocks: &Blocks, scale: Scale) -> f64 {
    let n = blocks.count as f64;
    let variance = if blocks.count > FIRST_LOOK { deviations(blocks) / n } else { 0.0 };
    if variance == 0.0 {
        return 1.0;
    }
    let sd = variance.sqrt();
    let mean = blocks.margin as f64 / n / sd;
    // One point in standard deviations.
    let mut point = 1.0;
    // The share that the unknown variance adds to the variance of the measure.
    let mut nuisance = 0.0;
    // The number of blocks that stand for differences not seen.
    let mut unseen_blocks = 0.0;
    match test.measure {
        Measure::Points => {
            point = f64::from(scale.per_point) / sd;
            unseen_blocks = unseen(test, blocks, scale) / variance;
        }
        Measure::Normalised => nuisance = mean * mean / 2.0,
    }
    let gap = (test.upper - test.lower) * point;
    let state = test_state(test, blocks, scale);
    let walk = Walk {
        information: gap * gap / (1.0 + nuisance),
        bounds: [state.lower_bound, state.upper_bound],
        unseen: unseen_blocks,
        count: blocks.count,
        end: n * gap * (mean - (test.upper + test.lower) / 2.0 * point) / (1.0 + nuisance),
    };
    let times = (walk.farther_end() / NORMAL).max(1.0);
    // The mean shares the uncertainty of the normalised measure only as far as the two are correlated.
    (1.0 + (times * times - 1.0) / (1.0 + nuisance)).sqrt()
}

/// The log-likelihood ratio as a random walk.
///
/// With a known variance, its drift and its variance are those of a Brownian motion in the information. The
/// drift is the place of the truth between the hypotheses, from 0 at the lower to 1 at the upper, less a
/// half.
struct Walk {
    /// The information in a block.
    information: f64,
    /// The ratios at which the test ends.
    bounds: [f64; 2],
    /// The bounds are farther by the factor 1 plus this over the number of blocks.
    unseen: f64,
    /// The number of blocks at the end.
    count: u64,
    /// The ratio at the end.
    end: f64,
}

/// Mass at a point.
#[derive(Clone, Copy)]
struct Mass {
    information: f64,
    at: f64,
    mass: f64,
}

impl Mass {
    /// Returns the mass under another drift than the observed drift, by the ratio of their likelihoods.
    fn under(&self, drift: f64, observed: f64) -> f64 {
        self.mass * libm::exp((drift - observed) * (self.at - (drift + observed) / 2.0 * self.information))
    }
}

/// The places where runs may be under the observed drift.
struct Past {
    /// The runs that had ended before, below and above.
    ended: [Vec<Mass>; 2],
    /// The runs that had not, at the look before the last.
    open: Vec<Mass>,
}

impl Walk {
    /// Returns how far the farther end of the interval is from the estimate, in standard errors.
    fn farther_end(&self) -> f64 {
        let past = self.past();
        f64::max(self.end_distance(&past, false), self.end_distance(&past, true))
    }

    /// Returns how far an end of the interval is from the estimate, in standard errors.
    ///
    /// If `above`, it is the lower end, by outcomes as high or higher; otherwise the upper end.
    fn end_distance(&self, past: &Past, above: bool) -> f64 {
        bisect((0.0, REACH), 30, |errors| self.chance(past, errors, above) > TAIL).1
    }

    /// Returns the observed drift.
    fn drift(&self) -> f64 {
        self.end / (self.information * self.count as f64)
    }

    /// Returns the chance of an outcome at least as extreme as the observed outcome under another drift.
    ///
    /// If `above`, outcomes as high or higher count, and the drift is `errors` standard errors below the
    /// observed drift. Otherwise outcomes as low or lower count, and the drift is above it.
    fn chance(&self, past: &Past, errors: f64, above: bool) -> f64 {
        let seen = self.drift();
        let information = self.information * self.count as f64;
        let side = if above { 1.0 } else { -1.0 };
        let drift = seen - side * errors / information.sqrt();
        let ended: f64 = past.ended[usize::from(above)].iter().map(|one| one.under(drift, seen)).sum();
        let mut beyond = 0.0;
        for one in &past.open {
            let rest = information - one.information;
            let chance = Normal::standard().cdf(side * (one.at + drift * rest - self.end) / rest.sqrt());
            beyond += chance * one.under(drift, seen);
        }
        ended + beyond
    }

    /// Follows the walk, with the observed drift, to the look before its last.
    fn past(&self) -> Past {
        let drift = self.drift();
        let mut past = Past { ended: [vec![], vec![]], open: vec![Mass { information: 0.0, at: 0.0, mass: 1.0 }] };
        let mut done = 0;
        while next_look(done) < self.count && !past.open.is_empty() {
            let look = next_look(done);
            let after = next_look(look).min(self.count);
            let advance = Advance {
                open: &past.open,
                drift,
                information: look as f64 * self.information,
                spread: ((look - done) as f64 * self.information).sqrt(),
            };
            let farther = 1.0 + self.unseen / look as f64;
            let [low, high] = self.bounds.map(|bound| bound * farther);
            let (first, last) = (past.open[0].at, past.open[past.open.len() - 1].at);
            let beyond = REACH * advance.spread + drift.abs() * advance.spread * advance.spread;
            let step = STEP * advance.spread;
            let next_step = STEP * ((after - look) as f64 * self.information).sqrt();
            let below = advance.masses(first - beyond, low, step);
            let above = advance.masses(high, last + beyond, step);
            let open = advance.masses(low, high, next_step);
            past.ended[0].extend(below);
            past.ended[1].extend(above);
            past.open = open;
            done = look;
        }
        past
    }
}

/// The way of the walk from one look to the next.
struct Advance<'a> {
    /// The runs that had not ended at the first look, by place.
    open: &'a [Mass],
    drift: f64,
    /// The information at the second look.
    information: f64,
    /// The standard deviation of the walk between the two.
    spread: f64,
}

impl Advance<'_> {
    /// Returns the runs that arrive between two places, at points that are at most `step` apart.
    fn masses(&self, from: f64, to: f64, step: f64) -> Vec<Mass> {
        let (centre, reach) = (self.drift * self.information, REACH * self.information.sqrt());
        let (from, to) = (from.max(centre - reach), to.min(centre + reach));
        let steps = if from < to { ((to - from) / step).ceil() } else { 0.0 };
        let step = (to - from) / steps;
        let mut masses = Vec::with_capacity(steps as usize);
        for number in 0..steps as usize {
            let at = from + (number as f64 + 0.5) * step;
            let mass = step * density(self.open, at - self.drift * self.spread * self.spread, self.spread);
            masses.push(Mass { information: self.information, at, mass });
        }
        masses
    }
}

/// Returns the density of points that each spread by a normal step.
fn density(open: &[Mass], at: f64, spread: f64) -> f64 {
    let first = open.partition_point(|one| one.at < at - REACH * spread);
    let mut sum = 0.0;
    for one in &open[first..] {
        if one.at > at + REACH * spread {
            break;
        }
        sum += one.mass * libm::exp(-((at - one.at) / spread).powi(2) / 2.0);
    }
    sum / (spread * std::f64::consts::TAU.sqrt())
}

/// The effect of a run's sequential test on its intervals.
pub(super) struct Widening {
    times: f64,
    /// The difference that the test is about; `None` without a test.
    difference: Option<Contrast>,
}

impl Widening {
    /// Returns the widening of the intervals of a variant.
    pub(super) fn of(counted: &Counted<'_>) -> Widening {
        let Some(test) = counted.tournament.stop.and_then(|stop| stop.test) else {
            return Widening { times: 1.0, difference: None };
        };
        let times = test_widening(test, counted.tally.blocks(), counted.scale());
        let pair = counted.pairs().into_values().next();
        Widening { times, difference: pair.and_then(|[one, other]| Contrast::new(&one, &other)) }
    }

    /// Returns the factor for measures of how far one bot is ahead, such as the difference of the two bots.
    pub(super) fn times(&self) -> f64 {
        self.times
    }

    /// Returns the factor for several variants together, each of which had its own test.
    pub(super) fn together(all: &[Widening]) -> f64 {
        (all.iter().map(|one| one.times * one.times).sum::<f64>() / all.len() as f64).sqrt()
    }

    /// Widens the interval of a mean from these groups, as far as its error is that of the difference.
    pub(super) fn widen(&self, mean: Estimate, groups: &[GroupSum]) -> Estimate {
        mean.widened(self.times_of(groups))
    }

    /// Returns the factor for a mean or a share from these groups, as far as its error is that of the
    /// difference.
    pub(super) fn times_of(&self, groups: &[GroupSum]) -> f64 {
        let mut correlation = 0.0;
        if let Some(difference) = &self.difference
            && let Some(own) = Contrast::of_mean(groups)
        {
            correlation = difference.correlation(&own).unwrap_or(0.0);
        }
        (1.0 + correlation * correlation * (self.times * self.times - 1.0)).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The error of chances, which are 0.0026 off at most here: densities are added up in coarse steps.
    const ROUGHLY: f64 = 4e-3;

    /// The points at which an integral is summed, between two bounds.
    fn points(low: f64, high: f64) -> impl Iterator<Item = (f64, f64)> {
        let step = (high - low) / 400.0;
        (0..400).map(move |number| (low + (f64::from(number) + 0.5) * step, step))
    }

    fn normal_density(x: f64, variance: f64) -> f64 {
        (-x * x / (2.0 * variance)).exp() / (std::f64::consts::TAU * variance).sqrt()
    }

    /// Returns the chance of an outcome as high as the walk's, or higher, where it ends at its third look.
    ///
    /// It is the integral over the places at both looks before, without the shift of densities to another drift.
    fn chance_of_higher(walk: &Walk, drift: f64) -> f64 {
        let looks = [FIRST_LOOK, next_look(FIRST_LOOK), walk.count];
        let [first, second, last] = looks.map(|look| look as f64 * walk.information);
        let cdf = |x: f64, variance: f64| Normal::standard().cdf(x / variance.sqrt());
        let bound = |number: usize, look: usize| walk.bounds[number] * (1.0 + walk.unseen / looks[look] as f64);
        let mut chance = cdf(drift * first - bound(1, 0), first);
        for (at, step) in points(bound(0, 0), bound(1, 0)) {
            let mass = step * normal_density(at - drift * first, first);
            let rest = second - first;
            chance += mass * cdf(at + drift * rest - bound(1, 1), rest);
            for (then, step) in points(bound(0, 1), bound(1, 1)) {
                let mass = mass * step * normal_density(then - at - drift * rest, rest);
                chance += mass * cdf(then + drift * (last - second) - walk.end, last - second);
            }
        }
        chance
    }

    #[test]
    fn chances_are_those_of_the_integral_over_all_looks() {
        let count = next_look(next_look(FIRST_LOOK));
        for (unseen, end) in [(0.0, 3.1), (40.0, 3.6), (0.0, -3.3)] {
            let walk = Walk { information: 0.012, bounds: [-2.9, 2.9], unseen, count, end };
            let past = walk.past();
            let information = walk.information * count as f64;
            for errors in [0.0, 1.0, 2.5] {
                let wanted = chance_of_higher(&walk, (end - errors * information.sqrt()) / information);
                let found = walk.chance(&past, errors, true);
                assert!((found - wanted).abs() < ROUGHLY, "{end} less {errors}: {found} is not {wanted}");
                // Outcomes as low as this one or lower are all others.
                let wanted = 1.0 - chance_of_higher(&walk, (end + errors * information.sqrt()) / information);
                let found = walk.chance(&past, errors, false);
                assert!((found - wanted).abs() < ROUGHLY, "{end} and {errors}: {found} is not {wanted}");
            }
        }
    }
}
