//! Results and checkpoints that are there already: what a run may replace, and what it must be told to.

mod desk;

use std::fs;

use desk::{Desk, SAME, same_files};
use overtrick::run::Ledger;

fn ledger(desk: &Desk, file: &str) -> Ledger {
    Ledger::read(&desk.path(file)).unwrap().unwrap()
}

fn run(desk: &Desk, args: &[&str]) {
    let (code, _, stderr) = desk.run(&[&["run", "t.toml", "--quiet"], args].concat());
    assert_eq!((code, stderr.as_str()), (0, ""), "{args:?}");
}

/// A refusal of one line, after which every file in the folder `out` is as it was.
fn refused(desk: &Desk, args: &[&str], parts: &[&str]) -> String {
    let files = || -> Vec<(String, Vec<u8>)> {
        let entries = fs::read_dir(desk.path("out")).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = entries.map(|file| (file.display().to_string(), fs::read(file).unwrap())).collect();
        files.sort();
        files
    };
    let before = files();
    let message = desk.refused(&[args, &["--out", "out"]].concat());
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    assert!(files() == before, "{args:?} changed something");
    message
}

#[test]
fn results_are_replaced_by_the_same_run_alone() {
    let desk = Desk::new();
    run(&desk, &["--out", "out"]);
    run(&desk, &["--out", "out"]);
    run(&desk, &["--out", "eight", "--seed", "8"]);
    let results = "out/tally.bin: the folder holds finished results: ";
    refused(
        &desk,
        &["run", "t.toml", "--seed", "8"],
        &[results, "`seed = 7` where this one has `seed = 8`", "--force"],
    );
    refused(&desk, &["run", "t.toml", "--deals", "200"], &[results, "`deals = 300`", "--force"]);
    refused(&desk, &["run", "t.toml", "--shard", "1/2"], &[results, "the whole run", "--force"]);
    let tally = fs::read(desk.path("out/tally.bin")).unwrap();
    fs::write(desk.path("out/tally.bin"), &tally[..tally.len() - 1]).unwrap();
    refused(&desk, &["run", "t.toml"], &[results, "it is cut off", "--force"]);
    fs::remove_file(desk.path("out/tally.bin")).unwrap();
    let nobody = ["out/summary.json: is there already, and no tally.bin says", "--force"];
    refused(&desk, &["run", "t.toml"], &nobody);
    refused(&desk, &["run", "t.toml", "--resume"], &nobody);
    run(&desk, &["--out", "out", "--seed", "8", "--force"]);
    same_files(&desk.path("eight"), &desk.path("out"));
}

#[test]
fn a_checkpoint_is_gone_on_from_or_given_up_by_name() {
    let desk = Desk::new();
    run(&desk, &["--out", "whole"]);
    run(&desk, &["--out", "part", "--deals", "100"]);
    // What a run that is stopped after 100 of 300 deals leaves.
    let stopped =
        Ledger { finished: false, config: ledger(&desk, "whole/tally.bin").config, ..ledger(&desk, "part/tally.bin") };
    fs::create_dir(desk.path("out")).unwrap();
    let again = || fs::write(desk.path("out/checkpoint.bin"), stopped.to_bytes()).unwrap();
    again();
    let checkpoint = "out/checkpoint.bin: ";
    refused(&desk, &["run", "t.toml"], &[checkpoint, "this run was stopped there", "--resume", "--force"]);
    refused(&desk, &["run", "t.toml", "--deals", "400"], &[checkpoint, "this run was stopped there", "--resume"]);
    let message = refused(&desk, &["run", "t.toml", "--seed", "8"], &[checkpoint, "would be replaced", "--force"]);
    assert!(!message.contains("--resume"), "{message}");
    fs::write(desk.path("out/checkpoint.bin"), "something else").unwrap();
    refused(&desk, &["run", "t.toml"], &[checkpoint, "no file of tallies", "--force"]);
    assert!(desk.refused(&["run", "t.toml", "--out", "out", "--resume", "--force"]).contains("cannot be used with"));
    run(&desk, &["--out", "out", "--force"]);
    same_files(&desk.path("whole"), &desk.path("out"));
    assert!(!desk.path("out/checkpoint.bin").exists());
    // Beside the results of the same run it is of no more use; that of another run is.
    again();
    run(&desk, &["--out", "out"]);
    assert!(!desk.path("out/checkpoint.bin").exists());
    again();
    refused(&desk, &["run", "t.toml", "--seed", "8"], &[checkpoint, "would be replaced", "--force"]);
}

#[test]
fn a_merge_replaces_the_same_results_alone() {
    let desk = Desk::new();
    run(&desk, &["--out", "whole"]);
    run(&desk, &["--out", "out", "--seed", "8"]);
    for shard in ["1/2", "2/2"] {
        run(&desk, &["--shard", shard, "--out", &shard[..1]]);
    }
    let seeds = ["out/tally.bin: the folder holds finished results", "`seed = 8`", "--force"];
    refused(&desk, &["merge", "1", "2"], &seeds);
    for more in [&["--force"][..], &[]] {
        let (code, _, stderr) = desk.run(&[&["merge", "1", "2", "--out", "out", "--quiet"], more].concat());
        assert_eq!((code, stderr.as_str()), (0, ""));
        same_files(&desk.path("whole"), &desk.path("out"));
    }
    assert!(SAME.iter().all(|name| desk.path("out").join(name).exists()));
}
