//! Games from files in the commands: run, resume, shard, merge, and what they leave.

use std::fs;

use crate::fixtures::sandbox::{Sandbox, same_files};

const DUMBO: &str = include_str!("../../../crates/language/tests/language/games/dumbo.toml");
const EUCHRE: &str = include_str!("../../../crates/language/tests/language/games/euchre.toml");

const CONFIG: &str = "seed = 7\ndeals = 300\nvariants = [\"games/dumbo.toml\", \"quick.toml\", \
    {name = \"other\", base = \"games/dumbo.toml\", rules = {tie-score = 5}}]\nbots = [\"one\", \"two\", \"three\"]\n";

fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("games")).unwrap();
    sandbox.write("games/dumbo.toml", DUMBO);
    sandbox.write("games/euchre.toml", EUCHRE);
    sandbox.write("quick.toml", "name = \"quick\"\nbase = \"games/euchre.toml\"\n[rules]\ntarget = 5\n");
    sandbox.write("t.toml", CONFIG);
    sandbox
}

#[track_caller]
fn run(sandbox: &Sandbox, args: &[&str]) {
    let (code, _, stderr) = sandbox.run(args);
    assert_eq!((code, stderr.as_str()), (0, ""), "{args:?}");
}

#[test]
fn a_run_of_games_from_files_is_repeatable_without_the_files() {
    let sandbox = sandbox();
    for threads in ["1", "2"] {
        run(&sandbox, &["run", "t.toml", "--threads", threads, "--out", threads]);
    }
    same_files(&sandbox.path("1"), &sandbox.path("2"));
    for shard in ["1/2", "2/2"] {
        run(&sandbox, &["run", "t.toml", "--quiet", "--shard", shard, "--out", &shard.replace('/', "-of-")]);
    }
    run(&sandbox, &["merge", "1-of-2", "2-of-2", "--quiet", "--out", "merged"]);
    same_files(&sandbox.path("1"), &sandbox.path("merged"));
    fs::remove_dir_all(sandbox.path("games")).unwrap();
    run(&sandbox, &["run", "1/config.toml", "--quiet", "--out", "again"]);
    same_files(&sandbox.path("1"), &sandbox.path("again"));
    let bots = fs::read_to_string(sandbox.path("1/bots.csv")).unwrap();
    for name in ["dumbo-file,", "quick,", "other,"] {
        assert!(bots.lines().any(|line| line.starts_with(name)), "{name}\n{bots}");
    }
}

#[test]
fn a_run_of_games_from_files_is_resumed() {
    let sandbox = sandbox();
    sandbox.write("t.toml", &CONFIG.replace("deals = 300", "deals = 4000"));
    run(&sandbox, &["run", "t.toml", "--quiet", "--out", "whole"]);
    sandbox.kill_and_resume(
        &["run", "t.toml", "--quiet", "--out", "out", "--checkpoint", "0"],
        "out/summary.json",
        (11, 3),
    );
    same_files(&sandbox.path("whole"), &sandbox.path("out"));
}

#[test]
fn rules_prints_the_options_of_a_file() {
    let sandbox = sandbox();
    let (code, stdout, _) = sandbox.run(&["rules", "games/dumbo.toml"]);
    assert_eq!(code, 0);
    assert!(stdout.contains("base = \"games/dumbo.toml\"") && stdout.contains("tie-score = 0"), "{stdout}");
    sandbox.write("v.toml", &stdout.replace("\"dumbo-file\"", "\"v\"").replace("tie-score = 0", "tie-score = 7"));
    let (code, stdout, stderr) = sandbox.run(&["rules", "v.toml"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.contains("tie-score = 7"), "{stdout}");
}

#[test]
fn rules_prints_the_page_of_a_file_and_of_its_variant() {
    let sandbox = sandbox();
    let (code, stdout, stderr) = sandbox.run(&["rules", "games/dumbo.toml", "--text"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.starts_with("# dumbo-file\n\nWin as many tricks as the dummy"), "{stdout}");
    let rules = "name = \"other\"\nbase = \"games/dumbo.toml\"\n[rules]\nsweep-score = 77\n";
    sandbox.write("v.toml", rules);
    let (code, stdout, _) = sandbox.run(&["rules", "v.toml", "--text"]);
    assert_eq!(code, 0);
    assert!(stdout.starts_with("# other\n") && stdout.contains("| 77 (`sweep-score`) |"), "{stdout}");
}

#[test]
fn an_error_of_a_game_file_names_its_line() {
    let sandbox = sandbox();
    sandbox.write("games/dumbo.toml", &DUMBO.replace("points = \"tie-score\"", "points = \"tie-scor\""));
    let message = sandbox.refused(&["run", "t.toml"]);
    let line = 1 + DUMBO.lines().position(|line| line.contains("points = \"tie-score\"")).unwrap();
    let wanted = format!(
        "error: games/dumbo.toml:{line}: `score.row #7.points`: column 1: `tie-scor` is no name here (did you mean \
         tie-score?)"
    );
    assert!(message.starts_with(&wanted), "{message}");
}
