//! Runs that are killed at any moment and gone on with, with bots of every kind in the field: in the process, outside
//! of it, and as WebAssembly modules.

use std::fs;
use std::process::Stdio;
use std::time::Duration;

use crate::fixtures::sandbox::{SECRET, Sandbox, same_files};
use overtrick::run::Snapshot;

/// Counts of the moments that the kills of a test met.
#[derive(Debug, Default)]
struct Kills {
    /// Before there was a checkpoint of the run.
    early: u32,
    /// While a file was being written: its part was there.
    writing: u32,
    /// With numbers of which some games were over and some left.
    inside: u32,
    /// Between two numbers.
    between: u32,
    /// After the run was over, which then began again.
    late: u32,
    /// Runs that came to their end, all with the same bytes.
    runs: u32,
}

/// A field of every kind of bot that this program has.
fn sandbox(deals: u32) -> Sandbox {
    let sandbox = Sandbox::new();
    let double = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doubles/double.py");
    sandbox.write(
        "bots/odd.toml",
        &format!(
            "name = \"odd\"\nstrategy = \"process\"\n[parameters]\ncommand = [\"python3\", \"-S\", {double:?}, \"odd\"]\n\
             move-timeout = 600.0\nstart-timeout = 600.0\n"
        ),
    );
    #[cfg(feature = "wasm")]
    {
        use crate::fixtures::wasm::{REMEMBERS, binary, text};
        fs::write(sandbox.path("bots/two.wasm"), binary(&text("", REMEMBERS))).unwrap();
        let manifest = "name = \"two\"\nstrategy = \"wasm\"\n[parameters]\nmodule = \"two.wasm\"\n";
        sandbox.write("bots/two.toml", manifest);
    }
    sandbox.write(
        "t.toml",
        &format!(
            "seed = 3\nsecret = {SECRET:?}\ndeals = {deals}\ngroups = 8\nvariants = [\"euchre-24\", \"dumbo\"]\n\
             bots = [\"odd\", \"two\", \"rule-based\"]\n"
        ),
    );
    sandbox
}

/// Kills runs of `count` deals `times` times, at moments that follow from `seed`.
fn killed(count: u32, seed: u64, times: u32) -> Kills {
    let sandbox = sandbox(count);
    let (code, _, stderr) = sandbox.run(&["run", "t.toml", "--quiet", "--out", "whole"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let (mut kills, mut moment, mut before) = (Kills::default(), seed, 0);
    let checkpoint = sandbox.path("out/checkpoint.bin");
    let deals = |snapshot: &Snapshot| snapshot.runs.iter().map(|ran| ran.deals).sum::<u64>();
    let mut ended = |sandbox: &Sandbox| {
        same_files(&sandbox.path("whole"), &sandbox.path("out"));
        fs::remove_dir_all(sandbox.path("out")).unwrap();
        kills.runs += 1;
    };
    let mut met = Kills::default();
    for kill in 0..times {
        moment = moment * 75 % 65_537;
        let threads = if kill % 2 == 0 { "1" } else { "2" };
        let args = ["run", "t.toml", "--quiet", "--out", "out", "--resume", "--checkpoint", "0", "--threads", threads];
        let mut child = sandbox.command(&args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        // Half of the kills come at any moment, the others only when the run has got further than the last.
        let saved = || Snapshot::read(&checkpoint).unwrap_or_else(|error| panic!("{error}"));
        while kill % 2 == 1
            && saved().is_none_or(|snapshot| deals(&snapshot) <= before)
            && child.try_wait().unwrap().is_none()
        {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_micros(moment * if kill % 2 == 1 { 4 } else { 16 }));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!stderr.contains("panicked") && !stderr.contains("error"), "{stderr}");
        if output.status.success() {
            met.late += 1;
            before = 0;
            ended(&sandbox);
            continue;
        }
        let files = fs::read_dir(sandbox.path("out")).into_iter().flatten();
        let is_part = |name: String| name.ends_with(".part");
        met.writing += u32::from(files.flatten().any(|file| is_part(file.file_name().into_string().unwrap())));
        match saved() {
            Some(snapshot) => {
                let now = deals(&snapshot);
                assert!(now >= before, "{now} deals after {before}");
                before = now;
                let is_inside = snapshot.runs.iter().any(|ran| !ran.open.is_empty());
                *(if is_inside { &mut met.inside } else { &mut met.between }) += 1;
            }
            None => met.early += 1,
        }
    }
    let (code, _, stderr) = sandbox.run(&["run", "t.toml", "--quiet", "--out", "out", "--resume"]);
    assert_eq!(code, 0, "{stderr}");
    ended(&sandbox);
    Kills { runs: kills.runs, ..met }
}

#[test]
fn a_run_with_bots_of_every_kind_that_is_killed_ends_as_one_that_was_not() {
    let kills = killed(8, 11, 2);
    println!("{kills:?}");
    assert!(kills.runs > 0);
}

/// The full form: `cargo test --features wasm --test it killed -- --ignored --nocapture`.
#[test]
#[ignore = "long: a hundred kills take a few minutes"]
fn a_run_that_is_killed_a_hundred_times_ends_as_one_that_was_not() {
    let kills = killed(160, 12, 100);
    println!("{kills:?}");
    assert!(kills.inside + kills.between > 30, "{kills:?}");
}
