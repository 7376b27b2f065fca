//! Files that were changed and sealed again: they are refused, or used without a panic.

use std::fs;
use std::panic::catch_unwind;

use crate::fixtures::changes::{kind, others, ways};
use crate::fixtures::mutations::Mutator;
use crate::fixtures::sandbox::Sandbox;
use crate::fixtures::strangers::{Form, made, read, seal};
use overtrick::run::Snapshot;
use serde::Deserialize;

/// Changes every number at a step of `step` in each of three tallies, from which a run then goes on. Numbers are taken
/// by their kinds, so that a part of them has as much of each kind as all of them.
fn change_numbers(step: usize) {
    for snapshot in [made::duel(), made::played(made::MATCHES), made::played(made::THREE)] {
        let mut whole = serde_json::to_value(&snapshot).unwrap();
        let mut found: Vec<(usize, String)> = ways(&whole).into_iter().enumerate().collect();
        found.sort_by_cached_key(|(_, way)| kind(way));
        let (mut refused, mut accepted) = (0, 0);
        for (turn, way) in found.iter().step_by(step) {
            let own = whole.pointer(way).unwrap().clone();
            for other in others(&own, *turn) {
                *whole.pointer_mut(way).unwrap() = other.clone();
                // A number that the field has no room for cannot be written.
                let Ok(changed) = Snapshot::deserialize(&whole) else { continue };
                let body = made::body(Form::Tally, &changed.to_bytes());
                let is_accepted = catch_unwind(|| read("tally", &body)).unwrap_or_else(|_| panic!("{way}: {other}"));
                *if is_accepted { &mut accepted } else { &mut refused } += 1;
            }
            *whole.pointer_mut(way).unwrap() = own;
        }
        println!("{} numbers, {refused} changes refused, {accepted} accepted", found.len().div_ceil(step));
        assert!(refused > 0 && accepted > 0, "{refused} and {accepted}");
    }
}

#[test]
fn a_sample_of_the_numbers_of_a_tally_that_are_changed_breaks_nothing() {
    change_numbers(61);
}

#[test]
#[ignore = "long: changes thousands of numbers, each by itself"]
fn every_number_of_a_tally_that_is_changed_breaks_nothing() {
    change_numbers(1);
}

/// The program itself, which would panic where a tally cannot be.
#[test]
fn commands_refuse_a_tally_that_cannot_be_and_resume_none() {
    let sandbox = Sandbox::new();
    for out in ["a", "b"] {
        assert_eq!(sandbox.run(&["run", "t.toml", "--quiet", "--deals", "12", "--out", out]).0, 0);
    }
    let sound = fs::read(sandbox.path("a/tally.bin")).unwrap();
    let corpus = [made::body(Form::Tally, &sound)];
    let mut mutator = Mutator::new(&corpus, 3);
    let mut refused = 0;
    while refused < 12 {
        fs::write(sandbox.path("a/tally.bin"), seal(Form::Tally, &mutator.next())).unwrap();
        let (code, _, stderr) = sandbox.run(&["compare", "a", "b"]);
        assert!(!stderr.contains("panicked") && (code == 0 || code == 2), "{stderr}");
        if code == 0 {
            continue;
        }
        refused += 1;
        assert!(stderr.starts_with("error: a/tally.bin: ") && stderr.lines().count() == 1, "{stderr}");
        let message = sandbox.refused(&["run", "t.toml", "--deals", "20", "--out", "a", "--resume"]);
        assert!(message.contains("a/tally.bin") && message.lines().count() == 1, "{message}");
    }
}
