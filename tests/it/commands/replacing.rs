//! Results and checkpoints that are there already: what a run may replace, and what it replaces with `--force` only.

use std::fs;

use crate::fixtures::sandbox::{CONFIG, Sandbox, same, same_files};
use overtrick::run::Snapshot;

fn snapshot(sandbox: &Sandbox, file: &str) -> Snapshot {
    Snapshot::read(&sandbox.path(file)).unwrap().unwrap()
}

fn run(sandbox: &Sandbox, args: &[&str]) {
    let (code, _, stderr) = sandbox.run(&[&["run", "t.toml", "--quiet"], args].concat());
    assert_eq!((code, stderr.as_str()), (0, ""), "{args:?}");
}

/// A refusal of one line, after which every file in the folder `out` is as it was.
fn refused(sandbox: &Sandbox, args: &[&str], parts: &[&str]) -> String {
    let files = || -> Vec<(String, Vec<u8>)> {
        let entries = fs::read_dir(sandbox.path("out")).unwrap().map(|entry| entry.unwrap().path());
        let mut files: Vec<_> = entries.map(|file| (file.display().to_string(), fs::read(file).unwrap())).collect();
        files.sort();
        files
    };
    let before = files();
    let message = sandbox.refused(&[args, &["--out", "out"]].concat());
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    assert!(files() == before, "{args:?} changed something");
    message
}

#[test]
fn results_are_replaced_by_the_same_run_alone() {
    let sandbox = Sandbox::new();
    run(&sandbox, &["--out", "out"]);
    run(&sandbox, &["--out", "out"]);
    run(&sandbox, &["--out", "eight", "--seed", "8"]);
    let results = "out/tally.bin: the folder holds finished results: ";
    refused(
        &sandbox,
        &["run", "t.toml", "--seed", "8"],
        &[results, "`seed = 7` where this one has `seed = 8`", "--force"],
    );
    refused(&sandbox, &["run", "t.toml", "--deals", "200"], &[results, "`deals = 300`", "--force"]);
    refused(&sandbox, &["run", "t.toml", "--shard", "1/2"], &[results, "the whole run", "--force"]);
    let tally = fs::read(sandbox.path("out/tally.bin")).unwrap();
    fs::write(sandbox.path("out/tally.bin"), &tally[..tally.len() - 1]).unwrap();
    refused(&sandbox, &["run", "t.toml"], &[results, "it is damaged", "--force"]);
    fs::remove_file(sandbox.path("out/tally.bin")).unwrap();
    let nobody = ["out/summary.json: is there already, and no tally.bin says", "--force"];
    refused(&sandbox, &["run", "t.toml"], &nobody);
    refused(&sandbox, &["run", "t.toml", "--resume"], &nobody);
    run(&sandbox, &["--out", "out", "--seed", "8", "--force"]);
    same_files(&sandbox.path("eight"), &sandbox.path("out"));
}

#[test]
fn a_checkpoint_is_gone_on_from_or_given_up_by_name() {
    let sandbox = Sandbox::new();
    run(&sandbox, &["--out", "whole"]);
    run(&sandbox, &["--out", "part", "--deals", "100"]);
    // The checkpoint of a run that is stopped after 100 of 300 deals.
    let stopped = Snapshot {
        finished: false,
        config: snapshot(&sandbox, "whole/tally.bin").config,
        ..snapshot(&sandbox, "part/tally.bin")
    };
    fs::create_dir(sandbox.path("out")).unwrap();
    let again = || fs::write(sandbox.path("out/checkpoint.bin"), stopped.to_bytes()).unwrap();
    again();
    let checkpoint = "out/checkpoint.bin: ";
    refused(&sandbox, &["run", "t.toml"], &[checkpoint, "this run was stopped there", "--resume", "--force"]);
    refused(&sandbox, &["run", "t.toml", "--deals", "400"], &[checkpoint, "this run was stopped there", "--resume"]);
    let message = refused(&sandbox, &["run", "t.toml", "--seed", "8"], &[checkpoint, "would be replaced", "--force"]);
    assert!(!message.contains("--resume"), "{message}");
    fs::write(sandbox.path("out/checkpoint.bin"), "something else").unwrap();
    refused(&sandbox, &["run", "t.toml"], &[checkpoint, "no file of tallies", "--force"]);
    assert!(sandbox.refused(&["run", "t.toml", "--out", "out", "--resume", "--force"]).contains("cannot be used with"));
    run(&sandbox, &["--out", "out", "--force"]);
    same_files(&sandbox.path("whole"), &sandbox.path("out"));
    assert!(!sandbox.path("out/checkpoint.bin").exists());
    // With the results of the same run it is of no more use; that of another run is.
    again();
    run(&sandbox, &["--out", "out"]);
    assert!(!sandbox.path("out/checkpoint.bin").exists());
    again();
    refused(&sandbox, &["run", "t.toml", "--seed", "8"], &[checkpoint, "would be replaced", "--force"]);
}

#[test]
fn a_merge_replaces_the_same_results_alone() {
    let sandbox = Sandbox::new();
    run(&sandbox, &["--out", "whole"]);
    run(&sandbox, &["--out", "out", "--seed", "8"]);
    for shard in ["1/2", "2/2"] {
        run(&sandbox, &["--shard", shard, "--out", &shard[..1]]);
    }
    let seeds = ["out/tally.bin: the folder holds finished results", "`seed = 8`", "--force"];
    refused(&sandbox, &["merge", "1", "2"], &seeds);
    for more in [&["--force"][..], &[]] {
        let (code, _, stderr) = sandbox.run(&[&["merge", "1", "2", "--out", "out", "--quiet"], more].concat());
        assert_eq!((code, stderr.as_str()), (0, ""));
        same_files(&sandbox.path("whole"), &sandbox.path("out"));
    }
    assert!(same().iter().all(|name| sandbox.path("out").join(name).exists()));
}

#[test]
fn a_config_is_not_replaced_by_that_of_its_results() {
    let sandbox = Sandbox::new();
    let config = CONFIG.replace("300", "4");
    sandbox.write("config.toml", &config);
    for args in [&["--out", "."][..], &["--out", ".", "--force"]] {
        let message = sandbox.refused(&[&["run", "config.toml"], args].concat());
        assert!(message.contains("is the config itself") && message.contains("--out"), "{message}");
        assert_eq!(std::fs::read_to_string(sandbox.path("config.toml")).unwrap(), config);
    }
    sandbox.write("t.toml", &format!("name = \"..\"\n{config}"));
    let message = sandbox.refused(&["run", "t.toml"]);
    assert!(message.starts_with("error: t.toml:1: `name`: \"..\" is no name"), "{message}");
    // The config of results may be run into their folder.
    sandbox.write("t.toml", &config);
    assert_eq!(sandbox.run(&["run", "t.toml", "--out", "out", "--quiet"]).0, 0);
    assert_eq!(sandbox.run(&["run", "out/config.toml", "--out", "out", "--quiet"]).0, 0);
}

#[test]
fn more_bots_than_can_be_counted_are_refused_with_a_remedy() {
    let sandbox = Sandbox::new();
    let bots: Vec<String> = (0..200).map(|number| format!("{{name = \"b{number}\", strategy = \"random\"}}")).collect();
    sandbox.write("t.toml", &format!("seed = 1\ndeals = 1\nvariants = [\"dumbo\"]\nbots = [{}]\n", bots.join(", ")));
    let message = sandbox.refused(&["run", "t.toml"]);
    assert!(
        message.contains("t.toml:4: `bots`: make 1313400 line-ups") && message.contains("choose a `format`"),
        "{message}"
    );
}

#[test]
fn a_file_that_an_option_names_is_replaced_with_force_alone() {
    let sandbox = Sandbox::new();
    run(&sandbox, &["--out", "out"]);
    sandbox.write("m.csv", "match,player,score\n1,A,1\n1,B,0\n2,A,0\n2,B,1\n");
    let commands: [(&[&str], &str); 4] = [
        (&["rate", "m.csv"], "--out"),
        (&["replay", "t.toml", "--variant", "dumbo", "--deal", "3"], "--html"),
        (&["report", "out"], "--out"),
        (&["play", "dumbo", "--seed", "1"], "--record"),
    ];
    let read = || fs::read_to_string(sandbox.path("mine")).unwrap();
    for (command, option) in commands {
        sandbox.write("mine", "of another program");
        let args = [command, &[option, "mine"]].concat();
        let message = sandbox.refused(&args);
        let known =
            format!("error: mine: `{option}`: is there already; choose another file with {option}, or replace ");
        assert!(message.starts_with(&known) && message.ends_with("--force\n"), "{message}");
        assert_eq!(read(), "of another program", "{args:?}");
        let (code, _, stderr) = sandbox.run_on(&"1\n".repeat(200), &[&args[..], &["--force"]].concat());
        assert_eq!(code, 0, "{args:?}: {stderr}");
        assert_ne!(read(), "of another program", "{args:?}");
    }
    // The page among the results is always that of the results.
    for _ in 0..2 {
        assert_eq!(sandbox.run(&["report", "out", "--quiet"]), (0, String::new(), String::new()));
    }
}
