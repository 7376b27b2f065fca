//! Files and folders with names that shells and people like: spaces and brackets, `~`, and configs that were renamed.

use std::fs;

use overtrick::run::{Progress, Snapshot};
use overtrick::strategies::Register;
use overtrick::sweep::{SweepPlan, Sweeping};

use crate::fixtures::sandbox::{CONFIG, Sandbox, same_files};

fn run(sandbox: &Sandbox, args: &[&str]) {
    let (code, _, stderr) = sandbox.run(&[&["run", "--quiet"], args].concat());
    assert_eq!((code, stderr.as_str()), (0, ""), "{args:?}");
}

#[test]
fn a_config_may_have_any_name_that_leaves_letters_or_digits() {
    let sandbox = Sandbox::new();
    // As editors on Windows write it.
    sandbox.write("my config (2).toml", &format!("\u{feff}{CONFIG}"));
    run(&sandbox, &["my config (2).toml"]);
    let config = fs::read_to_string(sandbox.path("results/my-config-2/config.toml")).unwrap();
    assert!(config.contains("name = \"my-config-2\"\n"), "{config}");
    sandbox.write("(?).toml", CONFIG);
    let message = sandbox.refused(&["run", "(?).toml"]);
    assert!(message.starts_with("error: (?).toml: `name`: is missing") && message.contains("name = "), "{message}");
}

#[test]
fn a_tilde_is_the_home_folder_in_configs_and_has_a_remedy_on_the_command_line() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("home")).unwrap();
    sandbox.write("home/mine.toml", "name = \"mine\"\nstrategy = \"random\"\n");
    let config = CONFIG.replace("\"three\"", "\"~/mine.toml\"");
    sandbox.write("t.toml", &format!("out = \"~/a/results\"\n{config}"));
    let home = sandbox.path("home");
    let at_home = |args: &[&str]| {
        let output = sandbox.command(args).env("HOME", &home).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    assert_eq!(at_home(&["run", "t.toml", "--quiet"]), (Some(0), String::new()));
    assert!(sandbox.path("home/a/results/bots.csv").is_file() && !sandbox.path("~").exists());
    for (args, full) in [
        (&["run", "t.toml", "--out=~/b"][..], "home/b"),
        (&["run", "t.toml", "--force", "--log=~/b/deals.csv"], "home/b/deals.csv"),
        (&["run", "~/t.toml"], "home/t.toml"),
        (&["report", "home/a/results", "--out=~/page.html"], "home/page.html"),
    ] {
        let (code, message) = at_home(args);
        let remedy = format!(
            " `~` is replaced by shells only, where it begins a word: write {}\n",
            sandbox.path(full).display()
        );
        assert!(code == Some(2) && message.lines().count() == 1 && message.ends_with(&remedy), "{message}");
        assert!(!sandbox.path("~").exists(), "{args:?}");
    }
}

#[test]
fn a_renamed_config_finds_its_checkpoint_or_says_how_to() {
    let sandbox = Sandbox::new();
    run(&sandbox, &["t.toml", "--out", "whole"]);
    run(&sandbox, &["t.toml", "--out", "part", "--deals", "100"]);
    // The checkpoint of a run that is stopped after 100 of 300 deals.
    let snapshot = |file: &str| Snapshot::read(&sandbox.path(file)).unwrap().unwrap();
    let config = snapshot("whole/tally.bin").config;
    let stopped = Snapshot { finished: false, config, ..snapshot("part/tally.bin") };
    fs::create_dir_all(sandbox.path("results/t")).unwrap();
    fs::write(sandbox.path("results/t/checkpoint.bin"), stopped.to_bytes()).unwrap();
    fs::rename(sandbox.path("t.toml"), sandbox.path("u.toml")).unwrap();
    let message = sandbox.refused(&["run", "u.toml", "--resume"]);
    let remedy = "write `name = \"t\"` into the config and give --out results/t; ";
    assert!(message.starts_with("error: results/t/checkpoint.bin: ") && message.contains(remedy), "{message}");
    assert!(!sandbox.path("results/u").exists());
    // In the folder itself, too, the name is named as what to put right.
    let message = sandbox.refused(&["run", "u.toml", "--resume", "--out", "results/t"]);
    assert!(message.contains("; if only the config was renamed, write `name = \"t\"` into it"), "{message}");
    // Another run has no checkpoint there.
    let args = ["run", "u.toml", "--resume", "--seed", "8", "--quiet", "--out", "results/other"];
    assert_eq!(sandbox.run(&args).0, 0);
    sandbox.write("u.toml", &format!("name = \"t\"\n{CONFIG}"));
    run(&sandbox, &["u.toml", "--resume", "--out", "results/t"]);
    same_files(&sandbox.path("whole"), &sandbox.path("results/t"));
    assert!(!sandbox.path("results/t/checkpoint.bin").exists());
}

#[test]
fn a_renamed_sweep_finds_its_checkpoint_or_says_how_to() {
    let sandbox = Sandbox::new();
    let text =
        "seed = 7\n[sweep]\nbase = \"dumbo\"\ndeals = 4\npanel = [\"random\"]\n[sweep.axes]\nmatch-bonus = [0, 10]\n";
    sandbox.write("s.toml", text);
    let plan = SweepPlan::read(&sandbox.path("s.toml"), &Register::default()).unwrap();
    fs::create_dir_all(sandbox.path("results/s")).unwrap();
    Sweeping::new(None).save(&plan.to_toml(), &sandbox.path("results/s/checkpoint.bin")).unwrap();
    sandbox.write("u.toml", text);
    let message = sandbox.refused(&["sweep", "u.toml", "--resume"]);
    assert!(
        message.starts_with("error: results/s/checkpoint.bin: ") && message.contains("`name = \"s\"`"),
        "{message}"
    );
    let message = sandbox.refused(&["sweep", "u.toml", "--resume", "--out", "results/s"]);
    assert!(message.contains("; if only the config was renamed, write `name = \"s\"` into it"), "{message}");
    assert_eq!(sandbox.run(&["sweep", "u.toml", "--quiet"]), (0, String::new(), String::new()));
}
