//! Confidence sequences, looked at after every group.

use overtrick_cards::{SeedSource, Stream};
use overtrick_league::confidence_sequence::{Differences, FEWEST_DIFFERENT, half_width};

use crate::made_up::{normal, uniform};
use crate::parallel;

/// A distribution of differences with mean 0.
struct Law {
    name: &'static str,
    draw: fn(&mut Stream) -> f64,
}

/// Returns a number of the lognormal distribution with the logarithm's standard deviation 1, less its mean.
fn lognormal(stream: &mut Stream) -> f64 {
    libm::exp(normal(stream)) - libm::exp(0.5)
}

/// Returns a number of Student's t with 3 degrees of freedom.
fn heavy(stream: &mut Stream) -> f64 {
    let squares: f64 = (0..3).map(|_| normal(stream).powi(2)).sum();
    normal(stream) / (squares / 3.0).sqrt()
}

/// Returns 0, or with this probability a gain of 3 or more often a loss of 1.
fn rare(stream: &mut Stream, chance: f64) -> f64 {
    if uniform(stream) >= chance {
        return 0.0;
    }
    if uniform(stream) < 0.25 { 3.0 } else { -1.0 }
}

/// Returns the sum of four differences of deals.
fn group_of(stream: &mut Stream, deal: fn(&mut Stream) -> f64) -> f64 {
    (0..4).map(|_| deal(stream)).sum()
}

const LAWS: [Law; 8] = [
    Law { name: "normal", draw: normal },
    Law { name: "Student's t, 3 degrees of freedom", draw: heavy },
    Law { name: "lognormal, single deals", draw: lognormal },
    Law { name: "lognormal, groups of four deals", draw: |stream| group_of(stream, lognormal) },
    Law { name: "90% zeros, single deals", draw: |stream| rare(stream, 0.1) },
    Law { name: "90% zeros, groups of four deals", draw: |stream| group_of(stream, |stream| rare(stream, 0.1)) },
    Law { name: "98% zeros, single deals", draw: |stream| rare(stream, 0.02) },
    Law { name: "98% zeros, groups of four deals", draw: |stream| group_of(stream, |stream| rare(stream, 0.02)) },
];

/// Returns whether an interval of the run excludes 0 after any of the groups.
fn misses(law: &Law, run: u64, groups: u64, level: f64) -> bool {
    let mut stream = SeedSource::new(run, "league", law.name).stream(0, 0);
    let mut different = 0;
    let (mut sum, mut squares, mut cubes) = (0.0_f64, 0.0_f64, 0.0_f64);
    for group in 1..=groups {
        let difference = (law.draw)(&mut stream);
        different += u64::from(difference != 0.0);
        sum += difference;
        squares += difference.powi(2);
        cubes += difference.powi(3);
        let count = group as f64;
        let mean = sum / count;
        // No interval is narrower than two standard errors. This saves most of the time.
        if mean.abs() * count <= 2.0 * (squares - sum * mean).max(0.0).sqrt() && different >= FEWEST_DIFFERENT {
            continue;
        }
        let differences = Differences {
            groups: group,
            different,
            mean,
            squares: (squares - sum * mean).max(0.0),
            cubes: cubes - 3.0 * mean * squares + 2.0 * count * mean.powi(3),
            largest: 12.0,
        };
        if half_width(&differences, level).is_some_and(|half| mean.abs() > half) {
            return true;
        }
    }
    false
}

/// Returns the number of runs that miss, by law.
fn all_misses(runs: u64, groups: u64, level: f64) -> Vec<u64> {
    LAWS.iter().map(|law| parallel::each(runs, |run| u64::from(misses(law, run, groups, level))).iter().sum()).collect()
}

#[test]
fn a_few_sequences_hold_at_every_look() {
    for (law, misses) in LAWS.iter().zip(all_misses(100, 400, 0.05)) {
        // At most 5%, with room for three standard errors of 100 runs.
        assert!(misses <= 11, "{}: {misses}", law.name);
    }
}

#[test]
#[ignore = "long: proves coverage at every look by simulation"]
fn ten_thousand_sequences_hold_at_every_look() {
    println!("| differences | missed at 5% | missed at 0.1% |\n|---|---|---|");
    let (usual, small) = (all_misses(10_000, 5_000, 0.05), all_misses(10_000, 5_000, 0.001));
    for ((law, usual), small) in LAWS.iter().zip(&usual).zip(&small) {
        println!("| {} | {:.2}% | {:.2}% |", law.name, *usual as f64 / 100.0, *small as f64 / 100.0);
    }
    for ((law, usual), small) in LAWS.iter().zip(&usual).zip(&small) {
        assert!(*usual <= 500, "{}: {usual} of 10,000 at 5%", law.name);
        // Ten are expected at most, and 22 or more have a probability of 1 in 1,000.
        assert!(*small <= 21, "{}: {small} of 10,000 at 0.1%", law.name);
    }
}
