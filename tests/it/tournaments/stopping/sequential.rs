//! Error rates and lengths of sequential tests.

use overtrick::stats::{Decision, next_look, test_state};
use overtrick::tournament::{Block, Blocks, Measure, SequentialTest};
use rand_core::SeedableRng;
use rand_pcg::Pcg64Mcg;

use super::at_most;
use super::sources::*;

const TRUTHS: [Decision; 2] = [Decision::H0, Decision::H1];
const MEASURES: [Measure; 2] = [Measure::Points, Measure::Normalised];
/// Alpha and beta.
const EVEN: (f64, f64) = (0.05, 0.05);

/// The decision of a test about blocks.
pub type Rule<'a> = &'a dyn Fn(&Blocks) -> Option<Decision>;

/// Draws blocks until the rule decides, at the looks.
pub fn until_decided(source: &Source, rule: Rule, rng: &mut Pcg64Mcg, mut each: impl FnMut(i64)) -> (Decision, Blocks) {
    let mut blocks = Blocks::default();
    loop {
        let look = next_look(blocks.count);
        assert!(look < 10_000_000, "{}: no decision", source.name);
        while blocks.count < look {
            let margin = source.draw(rng);
            blocks.add(&Block { margin, ..Block::default() });
            each(margin);
        }
        if let Some(decision) = rule(&blocks) {
            return (decision, blocks);
        }
    }
}

/// A test in which H0 or H1 holds and whose bounds are `gap` standard deviations apart.
#[derive(Clone, Copy)]
struct Trial<'a> {
    source: &'a Source,
    measure: Measure,
    truth: Decision,
    gap: f64,
    risks: (f64, f64),
    repetitions: u32,
}

/// The outcome: the share of wrong decisions and the mean number of blocks.
struct Outcome {
    wrong: f64,
    blocks: f64,
}

impl Trial<'_> {
    fn test(&self) -> SequentialTest {
        let t = self.source.mean / self.source.sd;
        let (lower, upper) = if self.truth == Decision::H0 { (t, t + self.gap) } else { (t - self.gap, t) };
        let unit = if self.measure == Measure::Points { self.source.sd } else { 1.0 };
        SequentialTest {
            measure: self.measure,
            lower: lower * unit,
            upper: upper * unit,
            alpha: self.risks.0,
            beta: self.risks.1,
        }
    }

    fn outcome(&self) -> Outcome {
        let test = self.test();
        self.outcome_of(&|blocks| test_state(test, blocks, self.source.scale()).decision)
    }

    fn outcome_of(&self, rule: Rule) -> Outcome {
        let mut rng = Pcg64Mcg::seed_from_u64(20_260_401);
        let (mut wrong, mut blocks) = (0, 0);
        for _ in 0..self.repetitions {
            let (decision, seen) = until_decided(self.source, rule, &mut rng, |_| ());
            wrong += u32::from(decision != self.truth);
            blocks += seen.count;
        }
        let n = f64::from(self.repetitions);
        Outcome { wrong: f64::from(wrong) / n, blocks: blocks as f64 / n }
    }

    /// The risk of a wrong decision that the test was to keep to.
    fn risk(&self) -> f64 {
        if self.truth == Decision::H0 { self.risks.0 } else { self.risks.1 }
    }

    /// The mean number of blocks of Wald's test of two means of normal numbers, without overshoot (Wald 1947,
    /// *Sequential Analysis*, chapter 3).
    fn length_by_wald(&self) -> f64 {
        let (alpha, beta) = self.risks;
        let (low, high) = ((beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln());
        let end = match self.truth {
            Decision::H0 => -((1.0 - alpha) * low + alpha * high),
            Decision::H1 => beta * low + (1.0 - beta) * high,
        };
        2.0 * end / self.gap.powi(2)
    }

    /// Whether wrong decisions are no more than the risk explains, at three standard errors.
    fn keeps_to_its_risk(&self, outcome: &Outcome) -> bool {
        outcome.wrong <= at_most(self.risk(), self.repetitions)
    }

    /// Whether the test is about as long as Wald's: looks at two per cent more blocks each overshoot the bounds by some
    /// 15%.
    fn is_as_long_as_it_must_be(&self, outcome: &Outcome) -> bool {
        (1.0..1.25).contains(&self.times_as_long_as_wald(outcome))
    }

    fn times_as_long_as_wald(&self, outcome: &Outcome) -> f64 {
        outcome.blocks / self.length_by_wald()
    }
}

/// Checks tests of each source with each of these gaps and numbers of repetitions.
fn check_error_rates(sources: &[Source], gaps: &[(f64, u32)]) {
    for source in sources {
        for measure in MEASURES {
            for truth in TRUTHS {
                for &(gap, repetitions) in gaps {
                    let trial = Trial { source, measure, truth, gap, risks: EVEN, repetitions };
                    let outcome = trial.outcome();
                    assert!(
                        trial.keeps_to_its_risk(&outcome),
                        "{}, {measure:?}, {truth:?}, {gap}: {}",
                        source.name,
                        outcome.wrong
                    );
                }
            }
        }
    }
}

#[test]
fn error_rates_of_a_few_tests_keep_to_alpha_and_beta() {
    check_error_rates(&[normal(), euchre()], &[(0.1, 400)]);
}

#[test]
#[ignore = "long: proves risks by simulation"]
fn error_rates_keep_to_alpha_and_beta() {
    let mut sources = vec![normal(), slams(1000)];
    sources.extend([exponential(), euchre(), whist()].into_iter().flat_map(|source| [source.mirrored(), source]));
    check_error_rates(&sources, &[(0.1, 2000), (0.05, 500)]);
}

#[test]
fn lengths_of_a_few_tests_are_those_of_wald() {
    let source = normal();
    for truth in TRUTHS {
        let trial =
            Trial { source: &source, measure: Measure::Points, truth, gap: 0.05, risks: EVEN, repetitions: 400 };
        let times = trial.times_as_long_as_wald(&trial.outcome());
        assert!((0.9..1.35).contains(&times), "{truth:?}: {times}");
    }
}

#[test]
#[ignore = "long: proves lengths by simulation"]
fn lengths_are_those_of_wald() {
    let (level, ahead) = (normal(), far_ahead());
    for (source, measure) in [(&level, Measure::Points), (&level, Measure::Normalised), (&ahead, Measure::Points)] {
        for truth in TRUTHS {
            for risks in [EVEN, (0.1, 0.01)] {
                let trial = Trial { source, measure, truth, gap: 0.05, risks, repetitions: 1000 };
                let outcome = trial.outcome();
                let what = format!("{}, {measure:?}, {truth:?}, {risks:?}", source.name);
                assert!(trial.keeps_to_its_risk(&outcome), "{what}: {}", outcome.wrong);
                assert!(trial.is_as_long_as_it_must_be(&outcome), "{what}: {}", outcome.blocks);
            }
        }
    }
}

/// The tests above can distinguish a right test from a wrong one.
#[test]
fn a_wrong_variance_or_wrong_bounds_would_show() {
    let source = &normal();
    for measure in MEASURES {
        for truth in TRUTHS {
            let trial = Trial { source, measure, truth, gap: 0.1, risks: EVEN, repetitions: 1000 };
            let test = trial.test();
            let with_variance = |times: f64| {
                trial.outcome_of(&|blocks| {
                    let margin_squares = (blocks.margin_squares as f64 * times) as i128;
                    let mut wrong = blocks.clone();
                    wrong.margin_squares = margin_squares;
                    test_state(test, &wrong, source.scale()).decision
                })
            };
            if measure == Measure::Points {
                assert!(!trial.keeps_to_its_risk(&with_variance(0.5)));
                assert!(!trial.is_as_long_as_it_must_be(&with_variance(1.5)));
            }
            let risks = if truth == Decision::H0 { (0.02, 0.1) } else { (0.1, 0.02) };
            let trial = Trial { risks, ..trial };
            let swapped = Trial { risks: (risks.1, risks.0), ..trial }.outcome();
            assert!(!trial.keeps_to_its_risk(&swapped));
        }
    }
}

#[test]
#[ignore = "long: proves risks by a few minutes of simulation"]
fn error_rates_in_full() {
    let mut sources = vec![normal(), slams(100), slams(1000)];
    sources.extend([exponential(), euchre(), whist()].into_iter().flat_map(|source| [source.mirrored(), source]));
    for source in &sources {
        for gap in [0.2, 0.1, 0.05, 0.02] {
            let mut line = format!("{:22} {gap:4}", source.name);
            for measure in MEASURES {
                for truth in TRUTHS {
                    let trial = Trial { source, measure, truth, gap, risks: EVEN, repetitions: 10_000 };
                    let outcome = trial.outcome();
                    line += &format!(" | {:.4} {:6.0}", outcome.wrong, outcome.blocks);
                    assert!(trial.keeps_to_its_risk(&outcome) || source.name.starts_with("28"), "{line}");
                    assert!(outcome.wrong < 0.09, "{line}");
                }
            }
            println!("{line}");
        }
    }
}
