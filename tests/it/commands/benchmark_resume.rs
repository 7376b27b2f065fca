//! A benchmark that was stopped goes on from its checkpoint.

use std::fs;
use std::process::{Command, Stdio};

use overtrick::benchmark::BenchmarkResult;

use crate::fixtures::sandbox::{Sandbox, wait_for};

const SMALL: &str = include_str!("../../data/definition/small.toml");

/// The place of the checkpoint of `a.json`.
const CHECKPOINT: &str = "a.checkpoint";

/// Returns the arguments of the benchmark of a bot into `a.json`.
fn benchmark<'a>(bot: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["benchmark", bot, "--definition", "small.toml", "--out", "a.json"], more].concat()
}

/// Stops a benchmark with Ctrl-C when it has a checkpoint; returns its last words.
fn interrupted(sandbox: &Sandbox) -> String {
    let mut command = sandbox.command(&benchmark("cautious", &["--threads", "1"]));
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    wait_for("a checkpoint", || sandbox.path(CHECKPOINT).exists());
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn a_benchmark_goes_on_where_it_was_stopped() {
    let sandbox = Sandbox::new();
    // The last reference has deals for an hour. A bot finishes the first duel in a moment.
    let at = SMALL.rfind("deals = 40").unwrap();
    let long = format!("{}deals = 40_000_000\nfirst = 1000{}", &SMALL[..at], &SMALL[at + "deals = 40".len()..]);
    sandbox.write("small.toml", &long);
    let words = interrupted(&sandbox);
    let rest = ": go on with --resume; the checkpoint is a.checkpoint\n";
    assert!(words.starts_with("interrupted after 1 of 4 duels") && words.ends_with(rest), "{words}");
    assert!(!sandbox.path("a.json").exists());
    let refused = |args: &[&str], part: &str| {
        let message = sandbox.refused(args);
        assert!(message.lines().count() == 1 && message.contains(part), "{part}: {message}");
    };
    refused(&benchmark("cautious", &[]), "a.checkpoint: this benchmark was stopped there: go on with --resume");
    refused(&benchmark("random", &[]), "a.checkpoint: would be replaced: it is of another plan: it has `bot = ");
    refused(&benchmark("random", &["--resume"]), "a.checkpoint: cannot be resumed from: it is of another plan");
    let sound = fs::read(sandbox.path(CHECKPOINT)).unwrap();
    fs::write(sandbox.path(CHECKPOINT), &sound[..sound.len() - 9]).unwrap();
    refused(&benchmark("cautious", &["--resume"]), "its length is wrong");
}

#[test]
fn duels_of_a_checkpoint_are_not_played_again() {
    use overtrick::benchmark::{BenchmarkDefinition, BenchmarkProgress};
    use overtrick::run::Progress;
    use overtrick::strategies::Register;

    let sandbox = Sandbox::new();
    sandbox.write("small.toml", SMALL);
    assert_eq!(sandbox.run(&benchmark("cautious", &["--quiet"])), (0, String::new(), String::new()));
    let bytes = fs::read(sandbox.path("a.json")).unwrap();
    let whole = BenchmarkResult::read(&sandbox.path("a.json")).unwrap();
    let definition = BenchmarkDefinition::read(&sandbox.path("small.toml"), &Register::default()).unwrap();
    let config = BenchmarkProgress::config(&definition, &whole.bot, None);
    let begun = |duels: &[_]| {
        fs::remove_file(sandbox.path("a.json")).unwrap();
        BenchmarkProgress { duels: duels.to_vec() }.save(&config, &sandbox.path(CHECKPOINT)).unwrap();
        let (code, _, stderr) = sandbox.run(&benchmark("cautious", &["--resume"]));
        assert_eq!((code, stderr.as_str()), (0, ""));
        assert!(!sandbox.path(CHECKPOINT).exists());
        fs::read(sandbox.path("a.json")).unwrap()
    };
    for count in [0, 1, 3, 4] {
        assert_eq!(begun(&whole.duels[..count]), bytes, "{count}");
    }
    // Sums that are not those of the games stay as the checkpoint has them.
    let mut other = whole.duels[..1].to_vec();
    other[0].margins[0] += 1;
    assert_ne!(begun(&other), bytes);
    let resumed = BenchmarkResult::read(&sandbox.path("a.json")).unwrap();
    assert_eq!((&resumed.duels[..1], &resumed.duels[1..]), (&other[..], &whole.duels[1..]));
    // Without a checkpoint, the whole is played, and a note says so.
    fs::remove_file(sandbox.path("a.json")).unwrap();
    let (code, _, stderr) = sandbox.run(&benchmark("cautious", &["--resume"]));
    let note = "note: there is no checkpoint, so the benchmark starts from the beginning\n";
    assert_eq!((code, stderr.as_str()), (0, note));
    assert_eq!(fs::read(sandbox.path("a.json")).unwrap(), bytes);
}
