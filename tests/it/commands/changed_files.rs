//! Files that were changed and sealed again: impossible ones are refused.

use std::collections::BTreeMap;
use std::fs;

use crate::fixtures::changes::{kind, others, ways};
use crate::fixtures::mutations::Mutator;
use crate::fixtures::sandbox::Sandbox;
use crate::fixtures::strangers::{Form, made, seal};
use overtrick::run::Snapshot;
use serde::Deserialize;

/// Numbers that a run may have as well: what took how long, what is summed nowhere else, and what differs by so little
/// that nothing else shows it.
const POSSIBLE: &[&str] = &[
    "runs/clocks/decisions",
    "runs/clocks/timed",
    "runs/clocks/counts",
    "runs/clocks/time/secs",
    "runs/clocks/time/nanos",
    "runs/wall/secs",
    "runs/wall/nanos",
    "runs/tally/score_sums/products",
    "runs/tally/contracts/cells/deals",
    "runs/tally/contracts/cells/made",
    "runs/tally/contracts/cells/declarer",
    "runs/tally/contracts/cells/others",
    "runs/tally/all_ends/exceptional",
    "runs/tally/all_ends/passed_out",
    "runs/tally/all_ends/cut_off",
    "runs/tally/all_matches/parted",
    "runs/tally/all_matches/leader_won",
    "runs/tally/all_matches/comebacks",
    "runs/tally/blocks/groups/role_squares",
    "runs/tally/sample/numbers/declarer",
    "runs/tally/curves/by_bot/decisions",
    "runs/tally/curves/by_bot/legal",
    "runs/tally/curves/by_bot/forced",
    "runs/tally/curves/by_bot/wins",
    "runs/tally/all_ends/tied",
    "runs/tally/curves/by_bot/leads",
    "runs/tally/curves/by_deal/deals",
    "runs/tally/curves/by_deal/lead_changes",
    "runs/tally/swings/lists/number",
    "runs/tally/swings/lists/margin",
    "runs/tally/score_sums/cells",
];

/// Changes every number at a step of `step` in each of three tallies. Numbers are taken by their kinds, so that a part
/// of them has as much of each kind as all of them.
fn change_numbers(step: usize) {
    let sandbox = Sandbox::new();
    let file = sandbox.path("tally.bin");
    for snapshot in [made::duel(), made::played(made::MATCHES), made::played(made::THREE)] {
        let mut whole = serde_json::to_value(&snapshot).unwrap();
        let mut found: Vec<(usize, String)> = ways(&whole).into_iter().enumerate().collect();
        found.sort_by_cached_key(|(_, way)| kind(way));
        let (mut refused, mut accepted) = (0, BTreeMap::<String, u32>::new());
        for (turn, way) in found.iter().step_by(step) {
            let own = whole.pointer(way).unwrap().clone();
            for other in others(&own, *turn) {
                *whole.pointer_mut(way).unwrap() = other.clone();
                // A number that the field has no room for cannot be written.
                let Ok(changed) = Snapshot::deserialize(&whole) else { continue };
                fs::write(&file, changed.to_bytes()).unwrap();
                match Snapshot::read(&file) {
                    Ok(_) => *accepted.entry(kind(way)).or_default() += 1,
                    Err(error) => {
                        let message = error.to_string();
                        assert!(message.starts_with(&file.display().to_string()), "{way} {other}: {message}");
                        assert!(message.contains("is damaged") && message.lines().count() == 1, "{message}");
                        refused += 1;
                    }
                }
            }
            *whole.pointer_mut(way).unwrap() = own;
        }
        println!("{} numbers, {refused} changes refused, accepted: {accepted:?}", found.len().div_ceil(step));
        for kind in accepted.keys() {
            let kind = kind.trim_start_matches('/');
            assert!(POSSIBLE.contains(&kind), "{kind}: {accepted:?}");
        }
        assert!(refused > 5 * accepted.values().sum::<u32>(), "{accepted:?}");
    }
}

#[test]
fn a_sample_of_the_numbers_of_a_tally_that_are_changed_is_noticed_or_possible() {
    change_numbers(61);
}

#[test]
#[ignore = "long: changes thousands of numbers, each by itself"]
fn every_number_of_a_tally_that_is_changed_is_noticed_or_possible() {
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
