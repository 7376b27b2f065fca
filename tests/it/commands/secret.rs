//! Runs with bots from outside: their cards come from a secret, and no process meets a deal twice.

use std::collections::HashMap;
use std::path::Path;

use sha2::{Digest, Sha256};

use crate::fixtures::sandbox::{SECRET, Sandbox, same_files};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doubles");

/// A bot of tests/doubles/curious.py with the settings that make it more than honest.
fn curious(name: &str, settings: &str) -> String {
    format!(
        "{{name = {name:?}, strategy = \"process\", parameters = {{command = [\"python3\", \"-S\", \"{FOLDER}/curious.py\"], \
         move-timeout = 600, start-timeout = 600, settings = {{{settings}}}}}}}"
    )
}

fn write(sandbox: &Sandbox, deals: u32, lines: &str, bots: &[String]) {
    let bots = bots.join(", ");
    let text = format!("seed = 3\ndeals = {deals}\n{lines}\nvariants = [\"colour-blind-2\"]\nbots = [{bots}]\n");
    sandbox.write("t.toml", &text);
}

fn fine(sandbox: &Sandbox, args: &[&str]) -> (String, String) {
    let (code, stdout, stderr) = sandbox.run(args);
    assert_eq!(code, 0, "{args:?}: {stderr}");
    (stdout, stderr)
}

fn text(sandbox: &Sandbox, file: &str) -> String {
    std::fs::read_to_string(sandbox.path(file)).unwrap()
}

fn config(sandbox: &Sandbox, folder: &str) -> toml::Table {
    text(sandbox, &format!("{folder}/config.toml")).parse().unwrap()
}

#[test]
fn a_secret_is_drawn_shown_by_its_hash_and_told_at_the_end() {
    let sandbox = Sandbox::new();
    write(&sandbox, 30, "", &["\"one\"".to_owned(), curious("x", "")]);
    let (_, said) = fine(&sandbox, &["run", "t.toml", "--out", "a"]);
    let secret = config(&sandbox, "a")["secret"].as_str().unwrap().to_owned();
    let hash: String = Sha256::digest(&secret).iter().map(|byte| format!("{byte:02x}")).collect();
    assert!(said.contains(&hash) && !said.contains(&secret), "{said}");
    assert_eq!(text(&sandbox, "a/secret-hash.txt"), format!("{hash}\n"));
    let summary: serde_json::Value = serde_json::from_str(&text(&sandbox, "a/summary.json")).unwrap();
    assert_eq!(summary["secret-hash"], hash);
    // The finished config gives the same bytes, on any number of threads; another run has other cards.
    fine(&sandbox, &["run", "a/config.toml", "--out", "again", "--threads", "1", "--quiet"]);
    same_files(&sandbox.path("a"), &sandbox.path("again"));
    fine(&sandbox, &["run", "t.toml", "--out", "b", "--quiet"]);
    assert_ne!(config(&sandbox, "b")["secret"].as_str(), Some(secret.as_str()));
    assert_ne!(text(&sandbox, "a/seats.csv"), text(&sandbox, "b/seats.csv"));
    // Results are not replaced by those of another secret.
    let message = sandbox.refused(&["run", "t.toml", "--out", "a", "--quiet"]);
    assert!(message.contains("another secret") && message.contains("a/config.toml"), "{message}");
    assert!(!message.contains(&secret), "{message}");
    fine(&sandbox, &["run", "t.toml", "--out", "a", "--force", "--quiet"]);
    assert_ne!(config(&sandbox, "a")["secret"].as_str(), Some(secret.as_str()));
}

#[test]
fn bots_of_the_program_need_no_secret() {
    let sandbox = Sandbox::new();
    let (_, said) = fine(&sandbox, &["run", "t.toml", "--out", "a"]);
    assert!(!said.contains("secret"), "{said}");
    let config = config(&sandbox, "a");
    assert!(!config.contains_key("secret") && !config.contains_key("audit"));
    assert!(!sandbox.path("a/secret-hash.txt").exists());
}

#[test]
fn shards_are_told_of_a_secret_to_share() {
    let sandbox = Sandbox::new();
    let bots = ["\"one\"".to_owned(), curious("x", "")];
    write(&sandbox, 30, "", &bots);
    let message = sandbox.refused(&["run", "t.toml", "--shard", "1/2"]);
    let (_, given) = message.split_once("secret = \"").expect("one to copy");
    assert!(message.starts_with("error: `secret`: is missing"), "{message}");
    write(&sandbox, 30, &format!("secret = \"{}\"", &given[..32]), &bots);
    fine(&sandbox, &["run", "t.toml", "--out", "whole", "--quiet"]);
    for (shard, out) in [("1/2", "one"), ("2/2", "two")] {
        fine(&sandbox, &["run", "t.toml", "--shard", shard, "--out", out, "--quiet"]);
    }
    fine(&sandbox, &["merge", "one", "two", "--out", "merged", "--quiet"]);
    same_files(&sandbox.path("whole"), &sandbox.path("merged"));
    let names = |folder: &str| -> Vec<_> {
        let entries = std::fs::read_dir(sandbox.path(folder)).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<_> = entries.collect();
        names.sort();
        names
    };
    assert_eq!(names("whole"), names("merged"));
    assert_eq!(text(&sandbox, "whole/secret-hash.txt"), text(&sandbox, "merged/secret-hash.txt"));
    // Nor is the hash of another run left behind.
    write(&sandbox, 30, "", &["\"one\"".to_owned(), "\"two\"".to_owned()]);
    for (shard, out) in [("1/2", "one"), ("2/2", "two")] {
        fine(&sandbox, &["run", "t.toml", "--shard", shard, "--out", out, "--force", "--quiet"]);
    }
    fine(&sandbox, &["merge", "one", "two", "--out", "merged", "--force", "--quiet"]);
    assert!(!sandbox.path("merged/secret-hash.txt").exists());
    for (line, problem) in [
        ("secret = \"0123\"", "t.toml:3: `secret`: is no secret"),
        ("audit = 1.5", "t.toml:3: `audit`: is 1.5, but must be 0 to 1"),
    ] {
        write(&sandbox, 30, line, &bots);
        let message = sandbox.refused(&["run", "t.toml"]);
        assert!(message.contains(problem), "{message}");
    }
}

#[test]
fn who_answers_by_what_it_remembers_is_found_out() {
    let sandbox = Sandbox::new();
    let bots = [curious("honest", ""), curious("moody", "moody = true")];
    write(&sandbox, 60, &format!("audit = 0.2\nsecret = {SECRET:?}"), &bots);
    let (code, stdout, _) = sandbox.run(&["run", "t.toml", "--out", "out"]);
    assert_eq!(code, 1);
    assert!(stdout.contains("faults of moody: ") && stdout.contains("irreproducible"), "{stdout}");
    let mut reader = csv::Reader::from_path(sandbox.path("out/bots.csv")).unwrap();
    let rows: Vec<HashMap<String, String>> = reader.deserialize().map(Result::unwrap).collect();
    let row = |bot: &str| rows.iter().find(|row| row["bot"] == bot).unwrap();
    assert_eq!(row("honest")["faults"], "0");
    let found: u64 = row("moody")["faults"].parse().unwrap();
    // A fifth of 60 deals in two seatings with thirteen decisions, of which half have a choice and change their answer.
    assert!((50..=312).contains(&found), "{found}");
    // No bot is asked again where that was not wanted.
    write(&sandbox, 60, &format!("audit = 0.0\nsecret = {SECRET:?}"), &bots);
    assert_eq!(sandbox.run(&["run", "t.toml", "--out", "none", "--quiet"]).0, 0);
}

/// Returns the guesses of a spy: the cards, the right ones among them, and how many chance would have made right.
fn guesses(file: &Path) -> (f64, f64, f64) {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    text.lines().fold((0.0, 0.0, 0.0), |(cards, right, chance), line| {
        let figures: Vec<f64> = line.split(' ').map(|figure| figure.parse().unwrap()).collect();
        (cards + figures[0], right + figures[1], chance + figures[2])
    })
}

/// Plays a spy and another bot of the same kind. Gives its guesses, and by how many standard errors it is ahead.
fn spied(sandbox: &Sandbox, how: &str, other: &str) -> ((f64, f64, f64), f64) {
    let report = sandbox.path(&format!("{how}.txt"));
    let bots =
        [curious("spy", &format!("spy = {how:?}, report = {report:?}")), curious("other", other), "\"one\"".into()];
    let bots = bots.join(", ");
    // With a secret that is given, no run is an unlucky one by chance.
    let text = format!(
        "seed = 3\nsecret = {SECRET:?}\ndeals = 2000\naudit = 0.0\nvariants = [\"colour-blind\"]\nbots = [{bots}]\n"
    );
    sandbox.write("t.toml", &text);
    fine(sandbox, &["run", "t.toml", "--out", how, "--quiet", "--threads", "2", "--sandbox", "none"]);
    let mut pairs = csv::Reader::from_path(sandbox.path(how).join("pairs.csv")).unwrap();
    let rows: Vec<HashMap<String, String>> = pairs.deserialize().map(Result::unwrap).collect();
    let names =
        |row: &&HashMap<String, String>| [&row["bot-a"], &row["bot-b"]].map(|name| name == "spy" || name == "other");
    let row = rows.iter().find(|row| names(row) == [true, true]).unwrap();
    let of = |column: &str| row[column].parse::<f64>().unwrap();
    let sign = if row["bot-a"] == "spy" { 1.0 } else { -1.0 };
    (guesses(&report), sign * of("difference") / of("se"))
}

#[test]
#[ignore = "long: plays thousands of deals with bots outside of the process"]
fn who_compares_the_hands_that_it_meets_learns_nothing() {
    let sandbox = Sandbox::new();
    let unknown = sandbox.path("chance.txt");
    let ((cards, right, chance), gain) = spied(&sandbox, "twins", &format!("spy = \"chance\", report = {unknown:?}"));
    assert!(cards > 50_000.0, "{cards} cards guessed");
    // The larger part of ten cards or so has a variance of less than 1.5.
    let error = (1.5 * cards / 10.0).sqrt();
    assert!((right - chance).abs() < 4.0 * error, "{right} right of {cards}, {chance} by chance");
    assert!(gain.abs() < 3.5, "ahead by {gain} standard errors");
}

#[test]
#[ignore = "long: plays thousands of deals with bots outside of the process"]
fn who_remembers_all_deals_meets_none_again() {
    let sandbox = Sandbox::new();
    let ((cards, ..), gain) = spied(&sandbox, "memory", "");
    assert!(cards == 0.0 && gain.abs() < 3.5, "{cards} cards guessed, ahead by {gain} standard errors");
}

#[test]
#[ignore = "long: plays thousands of deals with bots outside of the process"]
fn who_looks_for_the_master_seed_finds_none() {
    let sandbox = Sandbox::new();
    let ((cards, ..), gain) = spied(&sandbox, "seeds", "");
    assert!(cards == 0.0 && gain.abs() < 3.5, "{cards} cards guessed, ahead by {gain} standard errors");
    // Of 156,000 decisions a few may have one of the 72,000 numbers in its list by chance: about three.
    let found = std::fs::read_to_string(sandbox.path("seeds.txt.seeds")).unwrap_or_default();
    assert!(found.lines().count() < 15, "{found}");
}
