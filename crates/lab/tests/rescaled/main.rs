//! Scaling all scores changes nothing that a sweep says.
//!
//! Effects on fairness and skill are found without units.

mod game;

use std::path::Path;

use game::{VARIANTS, register};
use overtrick_lab::sweep::{SweepControl, SweepOutcome, SweepPlan, Sweeping};
use overtrick_run::Threads;
use overtrick_toml::Source;

/// Returns a sweep that was played to its end, and its outcome.
fn swept(config: &str) -> (SweepPlan, SweepOutcome) {
    let source = Source::parse(Path::new("s.toml"), config.to_owned()).unwrap();
    let plan = SweepPlan::resolve(&source, &register()).unwrap();
    let (threads, mut sweeping) = (Threads::new(2).unwrap(), Sweeping::default());
    while !sweeping.is_over(&plan) {
        assert!(sweeping.step(&plan, &threads, &SweepControl::default()).unwrap());
    }
    let outcome = SweepOutcome::new(&plan, &sweeping);
    (plan, outcome)
}

/// The wishes about fairness and skill, without units.
const WANTED: &str = "[sweep.want]\nseat-advantage-won = { max = 0.05 }\nseat-advantage-sd = { max = 0.1 }\n\
                      seat-dealer-won = \"less\"\nskill-sd = \"more\"\nskill-won = { min = 0.6 }\n\
                      skill-variance = \"more\"\ntied = { max = 0.1 }\n";

fn outcome(variant: &str, deals: u32, rules: &str, axes: &str) -> (SweepPlan, SweepOutcome) {
    let config = format!(
        "seed = 5\n[sweep]\nbase = {{ name = \"x\", base = {variant:?}, rules = {{ {rules} }} }}\ndeals = {deals}\n\
         panel = [\"random\", {{ name = \"inside\", strategy = \"inside\" }}]\n[sweep.axes]\n{axes}\n{WANTED}"
    );
    swept(&config)
}

fn is_in_points(measure: &str) -> bool {
    let seat = measure.starts_with("seat-") && !measure.ends_with("-sd") && !measure.ends_with("-won");
    seat || ["points", "skill"].contains(&measure)
}

/// Checks that multiplying all scores changes no verdict, no sentence and no measure without units.
///
/// The factor is that of another sweep, or of another point.
fn check_scales(variant: &str, deals: u32) {
    let axes = "dealer-gift = [0, 2]\nlot = [0, 60]";
    let (plan, once) = outcome(variant, deals, "factor = 1", axes);
    for factor in [2, 10] {
        let (_, other) = outcome(variant, deals, &format!("factor = {factor}"), axes);
        let said = |outcome: &SweepOutcome| (outcome.sentences.clone(), outcome.unbeaten.clone(), outcome.dead.clone());
        assert_eq!(said(&once), said(&other), "{variant} {factor}");
        assert_eq!(once.rows.len(), other.rows.len(), "{variant}");
        for (row, own) in once.rows.iter().zip(&other.rows) {
            assert_eq!((row.point, row.bot, &row.measure), (own.point, own.bot, &own.measure));
            let times = if is_in_points(&row.measure) { f64::from(factor) } else { 1.0 };
            let same = |one: f64, other: f64| (times * one - other).abs() <= 1e-9 * (1.0 + other.abs());
            assert!(same(row.value.value, own.value.value), "{variant} {row:?} {own:?}");
            let ends = [row, own].map(|row| row.value.interval);
            let are_same = match ends {
                [Some(one), Some(other)] => same(one.0, other.0) && same(one.1, other.1),
                [one, other] => one == other,
            };
            assert!(are_same, "{variant} {row:?} {own:?}");
        }
    }
    // With the factor as an axis, no measure without units is different, and no point beats another.
    let (scaled, outcome) = outcome(variant, deals, "factor = 1", "factor = [1, 2, 10]");
    assert_eq!(outcome.unbeaten, [0, 1, 2], "{variant}");
    let skill = scaled.panel.len() - 1;
    for row in outcome.rows.iter().filter(|row| !is_in_points(&row.measure)) {
        // Except for rounding, there is no difference at all.
        let is_same = row.difference.is_none_or(|difference| difference.value.abs() < 1e-9);
        assert!(is_same, "{variant} {row:?}");
    }
    let points: Vec<f64> = outcome
        .rows
        .iter()
        .filter(|row| row.measure == "skill" && row.bot == skill)
        .map(|row| row.value.value)
        .collect();
    assert!((points[2] - 10.0 * points[0]).abs() < 1e-9 && points[0] > 0.0, "{variant} {points:?}");
    assert_eq!(plan.points.len(), 4);
}

#[test]
fn a_scaling_of_all_scores_changes_no_verdict_in_dumbo() {
    check_scales(VARIANTS[0], 160);
}

#[test]
fn a_scaling_of_all_scores_changes_no_verdict_in_euchre() {
    check_scales(VARIANTS[1], 160);
}

#[test]
fn a_scaling_of_all_scores_changes_no_verdict_in_dummy_whist() {
    check_scales(VARIANTS[2], 160);
}

#[test]
fn a_scaling_of_all_scores_changes_no_verdict_in_colour_blind() {
    check_scales(VARIANTS[3], 160);
}

#[test]
fn a_scaling_of_all_scores_changes_no_verdict_in_chameleon() {
    check_scales(VARIANTS[4], 160);
}

/// Checks that the difference of a point from the base certainly has this sign, on every measure.
fn check_sign(variant: &str, axes: &str, measures: &[&str], sign: f64, deals: u32) {
    // At the base, half of the deals go by lot, so that skill can rise and fall.
    let (_, outcome) = outcome(variant, deals, "lot = 50", axes);
    for measure in measures {
        let found = outcome.rows.iter().rfind(|row| row.measure == *measure && row.difference.is_some());
        let row = found.unwrap_or_else(|| panic!("{variant} {axes}: no {measure}"));
        let (low, high) = row.difference.and_then(|difference| difference.interval).expect("there are enough deals");
        assert!(sign * low > 0.0 && sign * high > 0.0, "{variant} {axes}: {measure} {low} to {high}");
    }
}

/// Checks three planted effects on fairness and three on skill.
fn check_planted(variant: &str, gift: i32, deals: u32) {
    for (seat, sign) in [("dealer", 1), ("forehand", 1), ("rearhand", -1)] {
        let measures = [format!("seat-{seat}-won"), format!("seat-{seat}-sd")];
        let measures = measures.each_ref().map(String::as_str);
        check_sign(variant, &format!("{seat}-gift = [0, {}]", sign * gift), &measures, f64::from(sign), deals);
    }
    let skills = ["skill-sd", "skill-won", "skill-variance", "skill-elo"];
    for (lot, sign) in [(20, 1.0), (75, -1.0), (90, -1.0)] {
        let few = if lot == 90 { &skills[..3] } else { &skills };
        check_sign(variant, &format!("lot = [50, {lot}]"), few, sign, deals);
    }
}

#[test]
#[ignore = "long: sweeps five games six times"]
fn planted_effects_are_found_without_units() {
    for (variant, gift) in VARIANTS.into_iter().zip([3, 1, 2, 6, 20]) {
        check_planted(variant, gift, 4000);
    }
}

/// With a factor that grows while skill falls, points rise, and measures without units fall.
#[test]
fn points_rise_where_skill_falls() {
    let config = "seed = 5\n[sweep]\nbase = \"rescaled-dumbo\"\ndeals = 400\n\
                  panel = [\"random\", { name = \"inside\", strategy = \"inside\" }]\n[sweep.axes]\nfactor = [1, 10]\n\
                  lot = [0, 75]\n";
    let (plan, outcome) = swept(config);
    let point = (0..plan.points.len()).find(|&point| plan.point_name(point) == "factor 10, lot 75").unwrap();
    let difference = |measure: &str| {
        let row = outcome.rows.iter().find(|row| row.point == point && row.bot == 1 && row.measure == measure);
        row.and_then(|row| row.difference?.interval).unwrap_or_else(|| panic!("no {measure}"))
    };
    assert!(difference("skill").0 > 0.0, "{:?}", difference("skill"));
    for measure in ["skill-sd", "skill-won", "skill-variance"] {
        assert!(difference(measure).1 < 0.0, "{measure}: {:?}", difference(measure));
    }
}
