//! Tests of sums of contrasts, of their intervals and of rounding.

use super::*;
use overtrick_ratings::{design_effect, grouped_mean};
use rand_core::{Rng, SeedableRng};
use rand_pcg::Pcg64Mcg;

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance, "{a} is not {b}");
}

/// Draws a number from -`spread`..=`spread`.
fn uniform(rng: &mut Pcg64Mcg, spread: i64) -> i64 {
    let faces = 2 * spread as u64 + 1;
    (rng.next_u64() % faces) as i64 - spread
}

#[test]
fn contrasts_over_the_same_groups_are_averaged_and_subtracted_group_by_group() {
    let mut rng = Pcg64Mcg::seed_from_u64(12);
    let side = |rng: &mut Pcg64Mcg| -> Side { (0..40).map(|_| GroupSum::new(uniform(rng, 50), 4)).collect() };
    let (a, b, c) = (side(&mut rng), side(&mut rng), side(&mut rng));
    let [ab, ac, bc] = [(&a, &b), (&a, &c), (&b, &c)].map(|(one, other)| Contrast::new(one, other).unwrap());
    assert_eq!(ab.estimate(), mean_difference(&a, &b).unwrap());
    assert_eq!(ab.reversed().estimate().mean, -ab.estimate().mean);
    // a - c less b - c is a - b.
    let by_way_of_c = ac.less(&bc).estimate();
    close(by_way_of_c.mean, ab.estimate().mean, 1e-12);
    close(by_way_of_c.se.unwrap(), ab.estimate().se.unwrap(), 1e-12);
    // The average of a - b and a - c is a less the average of b and c.
    let average = Contrast::average(&[ab, ac]).unwrap().estimate();
    let twice: Side = a.iter().map(|a| GroupSum::new(2 * a.sum, a.count)).collect();
    let others: Side = b.iter().zip(&c).map(|(b, c)| GroupSum::new(b.sum + c.sum, b.count)).collect();
    let direct = mean_difference(&twice, &others).unwrap();
    close(average.mean, direct.mean / 2.0, 1e-12);
    close(average.se.unwrap(), direct.se.unwrap() / 2.0, 1e-12);
    assert_eq!(Contrast::average(&[]), None);
}

#[test]
fn bots_that_seldom_differ_have_no_interval() {
    let luck = |group: i64| group * 7 % 11;
    let side = |different: i64| -> Side {
        (0..64).map(|group| GroupSum::new(luck(group) + i64::from(group < different), 3)).collect()
    };
    let known = |different: i64| Contrast::new(&side(different), &side(0)).unwrap().estimate_if_known();
    for different in [0, 1, 5] {
        let estimate = known(different);
        assert_eq!((estimate.low(), estimate.high()), (None, None), "{different}");
        assert!(estimate.se.is_some());
    }
    assert_eq!(known(6), mean_difference(&side(6), &side(0)).unwrap());
    assert!(known(6).low().is_some());
    // No result contradicts the equality of bots that never differed. Of bots that differed in a few
    // groups, nothing is known.
    assert_eq!((known(0).p(), known(5).p()), (Some(1.0), None));
    // A third bot differs from both everywhere. Through it, the two are compared with each other.
    let third: Side = (0..64).map(|group| GroupSum::new(luck(group * 5) + 3, 3)).collect();
    let over_third = |different| Contrast::new(&side(different), &third).unwrap();
    assert!(over_third(5).estimate_if_known().low().is_some());
    assert_eq!(over_third(5).less(&over_third(0)).estimate_if_known().low(), None);
    assert!(over_third(6).less(&over_third(0)).estimate_if_known().low().is_some());
}

const ONE: [(i64, u64); 9] = [(3, 2), (8, 2), (4, 2), (1, 2), (0, 0), (2, 1), (9, 3), (4, 4), (5, 1)];
const OTHER: [(i64, u64); 9] = [(1, 1), (2, 2), (7, 2), (1, 2), (0, 0), (2, 2), (9, 3), (0, 4), (5, 2)];

fn sums(groups: [(i64, u64); 9]) -> [GroupSum; 9] {
    groups.map(|(sum, count)| GroupSum::new(sum, count))
}

#[test]
fn a_mean_and_a_difference_of_means_are_those_of_the_groups() {
    let [one, other] = [ONE, OTHER].map(|groups| Contrast::of_mean(&sums(groups)).unwrap());
    let mean = grouped_mean(&sums(ONE)).unwrap();
    assert!((one.value() - mean.mean).abs() < 1e-15);
    assert!((one.estimate().se.unwrap() - mean.se.unwrap()).abs() < 1e-15);
    let difference = Contrast::sum(&[(1.0, &one), (-1.0, &other)]).estimate();
    let expected = mean_difference(&sums(ONE), &sums(OTHER)).unwrap();
    assert!((difference.mean - expected.mean).abs() < 1e-15);
    assert!((difference.se.unwrap() - expected.se.unwrap()).abs() < 1e-15);
    assert!(Contrast::sum(&[(1.0, &one), (-1.0, &one)]).is_nothing() && !one.is_nothing());
    assert_eq!(Contrast::of_mean(&[GroupSum::default()]), None);
}

#[test]
fn estimates_that_share_no_deals_are_independent() {
    let [one, other] = [ONE, OTHER].map(|groups| Contrast::of_mean(&sums(groups)).unwrap());
    let apart = Contrast::sum(&[(1.0, &one.among(0, 2)), (-1.0, &other.among(1, 2))]);
    assert_eq!(one.in_groups(3).estimate().groups, 3);
    let coarse = Contrast::of_mean(&[0, 1, 2].map(|rest| {
        let own: Side = sums(ONE).into_iter().skip(rest).step_by(3).collect();
        GroupSum::total(&own)
    }));
    assert!((one.in_groups(3).estimate().se.unwrap() - coarse.unwrap().estimate().se.unwrap()).abs() < 1e-15);
    let squares = |estimate: &Contrast| estimate.errors().map(|error| error * error).sum::<f64>();
    assert!((squares(&apart) - squares(&one) - squares(&other)).abs() < 1e-15);
    assert_eq!(apart.value(), one.value() - other.value());
}

#[test]
fn log_odds_are_those_of_both_counts() {
    // 24 and 12: the value is ln 2. Where groups are single cases, the standard error is that of
    // independent cases, sqrt(1/24 + 1/12).
    let single: Vec<[u64; 2]> = (0..36).map(|case| if case < 24 { [1, 0] } else { [0, 1] }).collect();
    let odds = Contrast::log_odds(&single).unwrap().estimate();
    close(odds.mean, 2f64.ln(), 1e-12);
    close(odds.se.unwrap(), (36.0 / 35.0 * (1.0 / 24.0 + 1.0 / 12.0_f64)).sqrt(), 1e-12);
    assert_eq!(Contrast::log_odds(&[[5, 1]; 5]), None);
}

#[test]
fn equal_groups_have_no_spread_but_for_rounding() {
    // With a share of 15/22 in every group, the last bits differ.
    for (one, all) in [(15, 22), (1, 3), (7, 55)] {
        let group = |g: u64| GroupSum::of_events(one * (15 + g % 2), all * (15 + g % 2));
        let groups: Side = (0..32).map(group).collect();
        let estimate = Contrast::of_mean(&groups).unwrap().estimate();
        assert_eq!((estimate.se, estimate.half_width), (Some(0.0), None), "{one}/{all}");
    }
}

#[test]
fn equal_sums_differ_by_exactly_nothing() {
    let groups: Side = (1..20).map(|g| GroupSum::new(g * 7 - 50, (g % 5 + 1) as u64)).collect();
    let none = mean_difference(&groups, &groups).unwrap();
    assert_eq!((none.mean, none.se, none.half_width), (0.0, Some(0.0), None));
    // Neither does a constant difference that no binary fraction can hold.
    let side = |score: i64| -> Side { (1..20).map(|g| GroupSum::new(score * g, 3 * g as u64)).collect() };
    let third = mean_difference(&side(1), &side(0)).unwrap();
    assert_eq!(third.se, Some(0.0));
    assert_eq!(design_effect(1.0, 0.0), None);
}

/// Plays two bots in 40 groups of 3 to 8 deals each, with the same luck in every deal of a group.
///
/// Bot a has a true mean of 0 and bot b of -1; b also responds twice to the luck.
fn shared_luck(rng: &mut Pcg64Mcg) -> Vec<(i64, i64, u64)> {
    (0..40)
        .map(|_| {
            let luck = uniform(rng, 4);
            let count = 3 + rng.next_u64() % 6;
            let mut sums = (0, 0);
            for _ in 0..count {
                sums.0 += luck + uniform(rng, 3);
                sums.1 += 2 * luck + uniform(rng, 3) - 1;
            }
            (sums.0, sums.1, count)
        })
        .collect()
}

type Side = Vec<GroupSum>;

fn sides(groups: &[(i64, i64, u64)]) -> (Side, Side) {
    groups.iter().map(|&(a, b, n)| (GroupSum::new(a, n), GroupSum::new(b, n))).unzip()
}

#[test]
fn with_equal_counts_a_difference_of_means_is_the_mean_difference() {
    let mut rng = Pcg64Mcg::seed_from_u64(11);
    let groups = shared_luck(&mut rng);
    let (a, b) = sides(&groups);
    let differences: Side = groups.iter().map(|&(a, b, n)| GroupSum::new(a - b, n)).collect();
    let paired = grouped_mean(&differences).unwrap();
    let difference = mean_difference(&a, &b).unwrap();
    close(difference.mean, paired.mean, 1e-12);
    close(difference.se.unwrap(), paired.se.unwrap(), 1e-12);
    // Twice the units with the same mean change nothing.
    let twice: Side = b.iter().map(|b| GroupSum::new(2 * b.sum, 2 * b.count)).collect();
    close(mean_difference(&a, &twice).unwrap().se.unwrap(), paired.se.unwrap(), 1e-12);
}

#[test]
fn intervals_cover_the_truth_over_shared_deals() {
    const REPETITIONS: usize = 2_000;
    let mut rng = Pcg64Mcg::seed_from_u64(20_260_101);
    let (mut mean_covered, mut difference_covered) = (0, 0);
    for _ in 0..REPETITIONS {
        let groups = shared_luck(&mut rng);
        let covers = |e: Estimate, truth| usize::from(e.low().unwrap() <= truth && truth <= e.high().unwrap());
        let (a, b) = sides(&groups);
        mean_covered += covers(grouped_mean(&a).unwrap(), 0.0);
        let difference = mean_difference(&a, &b).unwrap();
        difference_covered += covers(difference, 1.0);
    }
    let accepted = REPETITIONS * 93 / 100..=REPETITIONS * 97 / 100;
    assert!(accepted.contains(&mean_covered), "{mean_covered}");
    assert!(accepted.contains(&difference_covered), "{difference_covered}");
}

#[test]
fn groups_that_are_put_together_add_up() {
    let one = Contrast::of_mean(&sums(ONE)).unwrap();
    let merged = one.in_groups(3);
    for group in 0..3 {
        let own = |all: &[f64]| all.iter().skip(group).step_by(3).sum::<f64>();
        let errors: Vec<f64> = one.errors.iter().map(|error| error.unwrap_or(0.0)).collect();
        close(merged.values[group], own(&one.values), 1e-15);
        close(merged.errors[group].unwrap(), own(&errors), 1e-15);
    }
    assert_eq!(merged.value(), one.value());
}
