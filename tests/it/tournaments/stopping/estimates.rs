//! The quality of estimates and intervals where a rule has stopped a run.

use std::ops::RangeInclusive;

use overtrick::stats::{
    Contrast, Decision, Estimate, GroupSum, is_precise, next_look, test_state, test_widening, worst_half_width,
};
use overtrick::tournament::{Block, Blocks, Measure, SequentialTest};
use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;
use rayon::prelude::*;

use super::at_most;
use super::sequential::{Rule, until_decided};
use super::sources::*;

/// The estimate of a sum over groups of deal numbers.
#[derive(Clone)]
struct Groups(Vec<GroupSum>, usize);

impl Groups {
    fn new(groups: usize) -> Self {
        Self(vec![GroupSum::default(); groups], 0)
    }

    fn add(&mut self, value: i64) {
        let groups = self.0.len();
        self.0[self.1 % groups] += GroupSum::new(value, 1);
        self.1 += 1;
    }

    /// As the difference from a bot that scores nothing.
    fn contrast(&self) -> Contrast {
        let nothing: Vec<GroupSum> = self.0.iter().map(|group| GroupSum::new(0, group.count)).collect();
        Contrast::new(&self.0, &nothing).unwrap()
    }

    fn estimate(&self) -> Estimate {
        self.contrast().estimate_if_known()
    }
}

fn covers(estimate: &Estimate, truth: f64) -> bool {
    estimate.low().unwrap() <= truth && truth <= estimate.high().unwrap()
}

/// A test whose bounds are `gap` standard deviations of a source apart, with the truth at `place`: 0 is the lower
/// bound, 1 the upper one.
#[derive(Clone, Copy)]
struct Trial<'a> {
    source: &'a Source,
    measure: Measure,
    gap: f64,
    place: f64,
    risks: (f64, f64),
    /// The most blocks.
    most: u64,
}

/// The estimates at the end of a test.
struct AtTheEnd {
    /// How far the estimate lies above the truth, in units of the gap, on average over all ends.
    bias: f64,
    /// The same over those with H1.
    bias_with_h1: f64,
    /// The share of the ends that show an interval.
    shown: f64,
    /// How often the plain 95% interval covers the truth, of those shown.
    plain: f64,
    /// How often the interval that is reported does.
    covered: f64,
    /// How much wider it is on average over all ends.
    widening: f64,
}

impl Trial<'_> {
    fn new(source: &Source, gap: f64, place: f64) -> Trial<'_> {
        Trial { source, measure: Measure::Points, gap, place, risks: (0.05, 0.05), most: 10_000_000 }
    }

    fn test(&self) -> SequentialTest {
        let Trial { source, measure, gap, place, risks: (alpha, beta), .. } = *self;
        let unit = if measure == Measure::Points { source.sd } else { 1.0 };
        let lower = (source.mean / source.sd - place * gap) * unit;
        SequentialTest { measure, lower, upper: lower + gap * unit, alpha, beta }
    }

    fn run(&self, repetitions: u32) -> AtTheEnd {
        let (source, test) = (self.source, self.test());
        let width = self.gap * source.sd;
        let mut rng = Pcg64Mcg::seed_from_u64(20_260_402);
        let (mut all, mut accepted, mut shown, mut covered, mut widenings) = (Vec::new(), Vec::new(), 0, [0; 2], 0.0);
        for _ in 0..repetitions {
            let mut groups = Groups::new(256);
            // Who stops without a decision stops with one that is not counted.
            let rule: Rule = &|blocks| {
                let decision = test_state(test, blocks, source.scale()).decision;
                decision.or((blocks.count >= self.most).then_some(Decision::H0))
            };
            let (decision, blocks) = until_decided(source, rule, &mut rng, |margin| groups.add(margin));
            let estimate = groups.estimate();
            let error = (estimate.mean - source.mean) / width;
            all.push(error);
            if decision == Decision::H1 {
                accepted.push(error);
            }
            let widening = test_widening(test, &blocks, source.scale());
            widenings += widening;
            // Scores of which too few differ have no interval.
            if estimate.half_width.is_some() {
                shown += 1;
                let both = [estimate, estimate.widened(widening)];
                covered = [0, 1].map(|which| covered[which] + u32::from(covers(&both[which], source.mean)));
            }
        }
        let mean = |errors: &[f64]| errors.iter().sum::<f64>() / errors.len() as f64;
        let [plain, covered] = covered.map(|covered| f64::from(covered) / f64::from(shown));
        let [shown, widening] = [f64::from(shown), widenings].map(|sum| sum / f64::from(repetitions));
        AtTheEnd { bias: mean(&all), bias_with_h1: mean(&accepted), shown, plain, covered, widening }
    }
}

/// Whether coverage is as it must be, within three standard errors.
fn is_covered(covered: f64, repetitions: u32) -> bool {
    let error = 3.0 * (0.06 * 0.94 / f64::from(repetitions)).sqrt();
    (0.93 - error..=0.975 + error).contains(&covered)
}

/// A few runs show gross mistakes alone.
#[test]
fn at_the_end_of_a_few_tests_estimates_lean_outwards() {
    let normal = normal();
    for (place, outwards) in [(0.0, -1.0), (1.0, 1.0)] {
        let seen = Trial::new(&normal, 0.1, place).run(200);
        assert!(seen.bias * outwards > 0.0, "{place}: {}", seen.bias);
        assert!(seen.widening > 1.0 && seen.covered >= seen.plain, "{place}: {} {}", seen.covered, seen.plain);
        assert!(is_covered(seen.covered, 200), "{place}: {}", seen.covered);
    }
}

#[test]
#[ignore = "long: proves coverage by simulation"]
fn at_the_end_of_a_test_estimates_lean_outwards_and_intervals_are_wide_enough_for_that() {
    let normal = normal();
    for (place, leaning, plain) in [
        (-1.0, -0.3..-0.05, 0.9..1.0),
        (0.0, -0.3..-0.1, 0.89..0.96),
        (0.15, -0.3..-0.1, 0.85..0.91),
        (0.5, -0.05..0.05, 0.89..0.94),
        (1.0, 0.1..0.3, 0.89..0.96),
    ] {
        let seen = Trial::new(&normal, 0.1, place).run(1000);
        assert!(leaning.contains(&seen.bias), "{place}: {}", seen.bias);
        assert!(plain.contains(&seen.plain), "{place}: {}", seen.plain);
        assert!(is_covered(seen.covered, 1000), "{place}: {}", seen.covered);
    }
    for trial in [
        Trial { measure: Measure::Normalised, ..Trial::new(&normal, 0.1, 0.8) },
        Trial { risks: (0.01, 0.1), ..Trial::new(&normal, 0.1, 0.1) },
        Trial { most: 600, ..Trial::new(&normal, 0.1, 0.8) },
    ] {
        let seen = trial.run(1000);
        assert!(is_covered(seen.covered, 1000), "{:?}: {}", trial.test(), seen.covered);
    }
}

#[test]
fn a_run_that_a_test_ends_at_once_or_never_asks_again_needs_no_wider_interval() {
    let test = SequentialTest { upper: 0.5, ..SequentialTest::default() };
    let blocks = |count: u64, margin: i64| {
        let mut blocks = Blocks::default();
        (0..count).for_each(|number| {
            blocks.add(&Block { margin: margin + 3 - 6 * (number % 2) as i64, ..Block::default() });
        });
        blocks
    };
    let scale = normal().scale();
    assert_eq!(test_widening(test, &blocks(0, 0), scale), 1.0);
    assert_eq!(test_widening(test, &blocks(256, 5), scale), 1.0);
    assert!(test_widening(test, &blocks(2000, 0), scale) > 1.05);
}

/// A row of docs/measurements/statistics-after-a-test.md, or a check that it says nothing on.
struct Row<'a> {
    trial: Trial<'a>,
    /// The bias in tenths of the gap and the coverage of the plain interval in per cent.
    says: Option<(RangeInclusive<i32>, RangeInclusive<i32>)>,
}

impl Row<'_> {
    /// Returns whether the row is as the page says.
    fn holds(&self, seen: &AtTheEnd) -> bool {
        let rounded = |value: f64, parts: f64| (value * parts).round() as i32;
        let is_right = self.says.as_ref().is_none_or(|(leaning, coverage)| {
            leaning.contains(&rounded(seen.bias, 10.0))
                && coverage.contains(&rounded(seen.plain, 100.0))
                && (self.trial.place != 0.0 || (11..=14).contains(&rounded(seen.bias_with_h1, 10.0)))
        });
        is_right && is_covered(seen.covered, (10_000.0 * seen.shown) as u32)
    }

    fn line(&self, seen: &AtTheEnd) -> String {
        let Trial { source, measure, gap, place, risks, most } = self.trial;
        let AtTheEnd { bias, bias_with_h1, shown, plain, covered, widening } = *seen;
        format!(
            "{:12} {measure:?} {risks:?} {most} {gap:4} {place:4}: {bias:+.3} {bias_with_h1:+.3} {shown:.4} {plain:.4} \
             {covered:.4} {widening:.3}",
            source.name
        )
    }
}

/// The figures of docs/measurements/statistics-after-a-test.md.
#[test]
#[ignore = "long: proves coverage by several minutes of simulation"]
fn bias_in_full() {
    let (normal, euchre, far_ahead, whist, exponential) = (normal(), euchre(), far_ahead(), whist(), exponential());
    let mut rows = Vec::new();
    for source in [&normal, &euchre] {
        for gap in [0.1, 0.05] {
            for (place, leaning, coverage) in [
                (-9.0, -3..=0, 93..=97),
                (-3.0, -3..=0, 93..=97),
                (-1.0, -3..=0, 93..=97),
                (-0.5, -3..=0, 93..=97),
                (0.0, -3..=-2, 91..=95),
                (0.1, -3..=-1, 86..=94),
                (0.2, -3..=-1, 84..=92),
                (0.25, -2..=-1, 86..=91),
                (0.5, 0..=0, 90..=93),
                (0.75, 1..=2, 86..=91),
                (0.85, 1..=3, 84..=92),
                (1.0, 2..=3, 91..=95),
                (1.5, 0..=3, 93..=97),
                (2.0, 0..=3, 93..=97),
                (4.0, 0..=3, 93..=97),
            ] {
                rows.push(Row { trial: Trial::new(source, gap, place), says: Some((leaning, coverage)) });
            }
        }
    }
    for (source, measure, gap, risks, most) in [
        (&normal, Measure::Normalised, 0.1, (0.05, 0.05), 10_000_000),
        (&far_ahead, Measure::Normalised, 0.2, (0.05, 0.05), 10_000_000),
        (&euchre, Measure::Normalised, 0.1, (0.05, 0.05), 10_000_000),
        (&normal, Measure::Points, 0.1, (0.01, 0.1), 10_000_000),
        (&normal, Measure::Points, 0.2, (0.001, 0.001), 10_000_000),
        (&normal, Measure::Points, 0.1, (0.05, 0.05), 600),
        (&whist, Measure::Points, 0.1, (0.05, 0.05), 10_000_000),
        (&exponential, Measure::Points, 0.1, (0.05, 0.05), 10_000_000),
    ] {
        for place in [-1.0, 0.0, 0.15, 0.3, 0.5, 0.7, 0.85, 1.0, 2.0] {
            let trial = Trial { measure, risks, most, ..Trial::new(source, gap, place) };
            rows.push(Row { trial, says: None });
        }
    }
    let seen: Vec<AtTheEnd> = rows.par_iter().map(|row| row.trial.run(10_000)).collect();
    let mut wrong = Vec::new();
    for (row, seen) in rows.iter().zip(&seen) {
        println!("{}", row.line(seen));
        wrong.extend((!row.holds(seen)).then(|| row.line(seen)));
    }
    assert!(wrong.is_empty(), "not as the page says: {wrong:#?}");
}

/// Draws until the precision is reached, and reports each stop.
fn stops(source: &Source, groups: usize, half_width: f64, repetitions: u32, mut at: impl FnMut(&Estimate, usize)) {
    let mut rng = Pcg64Mcg::seed_from_u64(20_260_403);
    for _ in 0..repetitions {
        let mut seen = Groups::new(groups);
        let estimate = loop {
            let look = next_look(seen.1 as u64) as usize;
            while seen.1 < look {
                seen.add(source.draw(&mut rng));
            }
            let contrast = seen.contrast();
            if is_precise(half_width, worst_half_width([&contrast]), look as u64, groups, source.spread) {
                break contrast.estimate_if_known();
            }
        };
        at(&estimate, seen.1);
    }
}

/// Returns the half-width that takes about `numbers` numbers.
fn half_width(source: &Source, numbers: f64) -> f64 {
    1.97 * source.sd / numbers.sqrt()
}

/// How often the interval at a stop covers the truth, where there is one.
#[derive(Default)]
struct AtStops {
    covered: u32,
    /// The stops with an interval.
    shown: u32,
    /// The draws of all runs.
    draws: usize,
}

impl AtStops {
    fn of(source: &Source, groups: usize, half_width: f64, repetitions: u32) -> AtStops {
        let mut seen = AtStops::default();
        stops(source, groups, half_width, repetitions, |estimate, draws| {
            let covers = estimate.half_width.map(|_| covers(estimate, source.mean));
            seen.covered += u32::from(covers == Some(true));
            seen.shown += u32::from(covers.is_some());
            seen.draws += draws;
        });
        seen
    }

    /// The coverage, and whether it is from 93 to 97.5%, give or take three standard errors.
    fn coverage(&self) -> (f64, bool) {
        let shown = f64::from(self.shown);
        let coverage = f64::from(self.covered) / shown;
        let error = 3.0 * (0.05 * 0.95 / shown).sqrt();
        (coverage, (0.93 - error..=0.975 + error).contains(&coverage))
    }
}

/// A few runs show gross mistakes alone.
#[test]
fn intervals_cover_the_truth_where_a_few_runs_are_narrow_enough_to_stop() {
    let source = dumbo_scores();
    for groups in [256, 32] {
        let seen = AtStops::of(&source, groups, half_width(&source, 300.0), 200);
        let (coverage, holds) = seen.coverage();
        assert!(holds && seen.shown > 100, "{groups}: {coverage} of {}", seen.shown);
    }
}

#[test]
#[ignore = "long: proves coverage by simulation"]
fn intervals_cover_the_truth_where_they_are_narrow_enough_to_stop() {
    let sources = [dumbo_scores(), chameleon_scores(), exponential(), euchre(), whist(), slams(100)];
    for (source, groups) in sources.iter().flat_map(|source| [(source, 256), (source, 32)]) {
        for numbers in [300.0, 1000.0] {
            let seen = AtStops::of(source, groups, half_width(source, numbers), 1000);
            let (coverage, holds) = seen.coverage();
            assert!(holds && seen.shown > 800, "{}, {groups}, {numbers}: {coverage} of {}", source.name, seen.shown);
        }
    }
}

/// How many runs stop without having seen a difference, of two bots that differ by a little more than the half-width,
/// in deals too rare to be seen soon.
fn unseen(repetitions: u32) -> u32 {
    let source = slams(1000);
    let mut unseen = 0;
    stops(&source, 256, 0.99 * source.mean, repetitions, |estimate, _| unseen += u32::from(estimate.mean == 0.0));
    unseen
}

#[test]
fn few_runs_of_a_hundred_stop_for_want_of_having_seen_a_difference() {
    let unseen = unseen(100);
    assert!(f64::from(unseen) / 100.0 <= at_most(0.05, 100), "{unseen}");
}

#[test]
#[ignore = "long: proves a risk by simulation"]
fn a_run_seldom_stops_for_want_of_having_seen_a_difference() {
    let unseen = unseen(1000);
    assert!(f64::from(unseen) / 1000.0 <= at_most(0.05, 1000), "{unseen}");
}

/// The share of intervals that cover the truth after a fixed number of draws in 256 groups.
fn coverage_without_a_stop(source: &Source, numbers: usize, repetitions: u32) -> f64 {
    let mut rng = Pcg64Mcg::seed_from_u64(20_260_404);
    let (mut covered, mut shown) = (0, 0);
    for _ in 0..repetitions {
        let mut seen = Groups::new(256);
        (0..numbers).for_each(|_| seen.add(source.draw(&mut rng)));
        let estimate = seen.estimate();
        if estimate.half_width.is_some() {
            shown += 1;
            covered += u32::from(covers(&estimate, source.mean));
        }
    }
    f64::from(covered) / f64::from(shown)
}

/// The coverage at a stop by precision, as docs/measurements/statistics-precision.md has it.
#[test]
#[ignore = "long: proves coverage by a minute of simulation"]
fn precision_in_full() {
    let mut wrong = Vec::new();
    for source in [dumbo_scores(), chameleon_scores(), exponential(), euchre(), whist(), slams(100), slams(1000)] {
        let fixed = [512, 1000, 4000].map(|numbers| coverage_without_a_stop(&source, numbers, 10_000));
        println!("{:16} without a stop {fixed:.4?}", source.name);
        for groups in [256, 32] {
            let mut line = format!("{:16} {groups:3}", source.name);
            let at_stop = [300.0, 1000.0, 4000.0].map(|numbers| {
                let seen = AtStops::of(&source, groups, half_width(&source, numbers), 10_000);
                let (coverage, holds) = seen.coverage();
                line += &format!(" | {coverage:.4} {:6.0} {:5}", seen.draws as f64 / 1e4, seen.shown);
                holds
            });
            println!("{line}");
            wrong.extend(at_stop.contains(&false).then_some(line));
        }
    }
    assert!(wrong.is_empty(), "not as the page says: {wrong:#?}");
}
