//! `overtrick merge --partial`: what is left when shards were lost.

use std::fs;

use crate::fixtures::sandbox::{Sandbox, same_files};
use serde_json::{Value, json};

/// A sandbox with four shards of a run of 300 deals, the whole run, and one of the first half of its deals.
fn shards() -> Sandbox {
    let sandbox = Sandbox::new();
    let run = |args: &[&str]| assert_eq!(sandbox.run(&[&["run", "t.toml", "--quiet"], args].concat()).0, 0, "{args:?}");
    for shard in ["1/4", "2/4", "3/4", "4/4"] {
        run(&["--shard", shard, "--out", &shard[..1]]);
    }
    run(&["--out", "whole"]);
    run(&["--out", "half", "--deals", "150"]);
    sandbox
}

fn merge(sandbox: &Sandbox, folders: &[&str], out: &str) -> String {
    let (code, stdout, stderr) = sandbox.run(&[&["merge", "--partial", "--out", out], folders].concat());
    assert_eq!((code, stderr.as_str()), (0, ""));
    stdout
}

fn summary(sandbox: &Sandbox, folder: &str) -> Value {
    serde_json::from_slice(&fs::read(sandbox.path(folder).join("summary.json")).unwrap()).unwrap()
}

#[test]
fn what_is_there_is_put_together_and_says_what_is_in_it() {
    let sandbox = shards();
    let message = sandbox.refused(&["merge", "1", "3", "--out", "some"]);
    assert!(message.contains("shards 2/4, 4/4 are missing") && message.contains("--partial"), "{message}");
    let stdout = merge(&sandbox, &["3", "1"], "some");
    let note = "of the deals 0 to 299 only 0 to 74, 150 to 224 are in these results: shards 1/4, 3/4";
    assert!(
        stdout.contains("note: of the deals 0 to 299 only 0 to 74, 150 to 224 are")
            && stdout.contains("2 shards put together"),
        "{stdout}"
    );
    let some = summary(&sandbox, "some");
    assert_eq!(some["partial"], json!({"shards": ["1/4", "3/4"], "numbers": [[0, 74], [150, 224]]}));
    assert!(some["notes"].as_array().unwrap().contains(&json!(note)));
    assert_eq!(some["variants"][0]["games"], 6 * 150);
    // The first two shards are the first half of the deals.
    merge(&sandbox, &["1", "2"], "first");
    for table in ["bots.csv", "pairs.csv", "seats.csv", "balance.csv"] {
        let read = |folder: &str| fs::read(sandbox.path(folder).join(table)).unwrap();
        assert!(read("first") == read("half"), "{table}");
    }
    // With nothing missing there is nothing to say.
    merge(&sandbox, &["1", "2", "3", "4"], "all");
    same_files(&sandbox.path("whole"), &sandbox.path("all"));
    assert_eq!(summary(&sandbox, "all").get("partial"), None);
}

#[test]
fn partial_results_are_compared_with_those_of_the_same_deals_or_of_others() {
    let sandbox = shards();
    merge(&sandbox, &["1", "2"], "first");
    merge(&sandbox, &["1", "3"], "some");
    let compare = |a: &str, b: &str| sandbox.run(&["compare", a, b, "--format", "json"]);
    for (a, b) in [("first", "half"), ("half", "first"), ("some", "some")] {
        let (code, stdout, _) = compare(a, b);
        let rows: Vec<Value> = serde_json::from_str(&stdout).unwrap();
        assert!(code == 0 && rows.iter().all(|row| row["paired"] == true && row["difference"] == 0.0), "{stdout}");
    }
    for (a, b) in [("some", "half"), ("first", "some")] {
        let message = sandbox.refused(&["compare", a, b]);
        assert!(message.contains("shards are missing") && message.lines().count() == 1, "{message}");
    }
    assert!(sandbox.refused(&["compare", "first", "whole"]).contains("one has 150 deals, the other 300"));
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet", "--seed", "8", "--out", "eight"]).0, 0);
    let (code, stdout, _) = compare("some", "eight");
    assert!(code == 0 && stdout.contains("\"paired\": false"), "{stdout}");
}

#[test]
fn partial_results_are_neither_a_shard_nor_a_run_to_go_on_from() {
    let sandbox = shards();
    merge(&sandbox, &["1", "3"], "some");
    let message = sandbox.refused(&["merge", "some", "2", "4", "--out", "all"]);
    assert!(message.contains("some/tally.bin: is no shard: it holds shards 1/4, 3/4 put together"), "{message}");
    for more in [&[][..], &["--resume"]] {
        let message = sandbox.refused(&[&["run", "t.toml", "--out", "some"], more].concat());
        assert!(message.contains("it is of shards 1/4, 3/4 alone, and this is the whole run"), "{message}");
    }
    let (code, ..) = sandbox.run(&["run", "t.toml", "--quiet", "--deals", "1", "--shard", "1/4", "--out", "none"]);
    assert_eq!(code, 0);
    assert!(
        sandbox
            .refused(&["merge", "none", "--partial", "--out", "out"])
            .contains("there is nothing in shard 1/4 alone")
    );
}
