//! Three processes that beat one another in a circle: the cycle is named, and three equal processes are in none.

use std::path::Path;

use overtrick::run::Run;
use overtrick::stats::{MetaRow, Results};
use overtrick::toml_source::Source;
use overtrick::tournament::{Overrides, Tournament};

/// Plays deals among bots of tests/doubles/circle.py with these roles.
fn played(roles: [&str; 3], deals: u64, seed: u64) -> Results {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doubles/circle.py");
    let mut bots = Vec::new();
    for (salt, (name, role)) in ["first", "second", "third"].iter().zip(roles).enumerate() {
        bots.push(format!(
            "{{ name = {name:?}, strategy = \"process\", parameters = {{ command = [\"python3\", \"-S\", {file:?}], \
             start-timeout = 600, move-timeout = 600, settings = {{ role = {role:?}, salt = {salt} }} }} }}"
        ));
    }
    let text = format!(
        "seed = {seed}\nsecret = \"{seed:032x}\"\ndeals = {deals}\nvariants = [\"colour-blind-2\"]\nbots = [{}]",
        bots.join(", ")
    );
    let source = Source::parse(Path::new("circle.toml"), text).unwrap();
    let tournament = Tournament::resolve(&source, Overrides::default()).unwrap();
    let results = Run::new(tournament).threads(2).play().unwrap().results();
    assert!(results.faults.is_empty(), "{:?}", results.faults);
    results
}

const CIRCLE: [&str; 3] = ["paper", "rock", "scissors"];

/// Returns the row of the variant as a whole.
fn whole(results: &Results) -> &MetaRow {
    results.meta.iter().find(|row| row.bot == "all").expect("all bots met")
}

/// Returns the smallest step of the circle, and the size of steps that the run has the power to name.
fn steps(results: &Results) -> (f64, f64) {
    let differences = results.pairs.iter().map(|row| row.difference.value.unwrap().abs());
    (differences.fold(f64::INFINITY, f64::min), whole(results).nameable.0.expect("it is known"))
}

#[test]
fn a_circle_of_processes_is_named() {
    let results = played(CIRCLE, 80, 1);
    let row = whole(&results);
    for step in ["first beats second", "second beats third", "third beats first"] {
        assert!(row.cycle.contains(step), "{row:?} {:?}", results.pairs);
    }
    assert_eq!(results.headlines[0].cycle.len(), 3);
    assert!(row.one_number_p.0.unwrap() < 0.01);
    let (smallest, nameable) = steps(&results);
    assert!(nameable < smallest, "{smallest} {nameable}");
    // All are in the mix, and none is ahead of it.
    for bot in results.meta.iter().filter(|row| row.bot != "all") {
        assert_eq!((bot.chosen.0, bot.skill.value), (Some(1.0), Some(0.0)), "{bot:?}");
        assert!(bot.weight.low.unwrap() > 0.05 && bot.weight.high.unwrap() < 0.7, "{bot:?}");
    }
}

#[test]
#[ignore = "long: plays 200 tournaments of processes"]
fn circles_are_named_in_95_of_100_runs_and_equals_in_5_at_most() {
    let (mut circles, mut equals, mut least, mut largest) = (0, 0, f64::INFINITY, 0.0_f64);
    for seed in 0..100 {
        let results = played(CIRCLE, 80, 1000 + seed);
        circles += usize::from(!whole(&results).cycle.is_empty());
        let (smallest, nameable) = steps(&results);
        (least, largest) = (least.min(smallest), largest.max(nameable));
        let results = played(["paper"; 3], 80, 2000 + seed);
        equals += usize::from(!whole(&results).cycle.is_empty());
    }
    println!(
        "{circles} of 100 circles, {equals} of 100 equals; steps of {least} and more; nameable {largest} and less"
    );
    assert!(largest < least, "a run of this size has the power: {largest} {least}");
    assert!(circles >= 95 && equals <= 5, "{circles} {equals}");
}
