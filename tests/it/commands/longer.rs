//! A finished run goes on to more deals or matches, and ends as one of that length in one go.

use std::fs;

use crate::fixtures::sandbox::{CONFIG, SECRET, Sandbox, same_files};
use overtrick::run::Snapshot;

fn run(sandbox: &Sandbox, args: &[&str]) -> i32 {
    let (code, _, stderr) = sandbox.run(&[&["run", "t.toml", "--quiet"], args].concat());
    assert_eq!(stderr, "", "{args:?}");
    code
}

#[test]
fn a_finished_run_goes_on_to_more() {
    for unit in ["deals = 300", "unit = \"match\"\nmatches = 40"] {
        let sandbox = Sandbox::new();
        sandbox.write("t.toml", &CONFIG.replace("deals = 300", unit));
        assert_eq!(run(&sandbox, &["--out", "out", "--deals", "30"]), 0);
        let message = sandbox.refused(&["run", "t.toml", "--out", "out"]);
        assert!(
            message.contains("up to fewer") && message.contains("--resume") && message.contains("--force"),
            "{message}"
        );
        // Times are among the results, and go on, too.
        let file = sandbox.path("out/timing.json");
        let mut timing: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        timing["variants"][1]["seconds"] = serde_json::json!(1000.0);
        fs::write(&file, timing.to_string()).unwrap();
        for (deals, threads) in [("35", "2"), ("40", "1")] {
            let more = ["--deals", deals, "--threads", threads];
            assert_eq!(run(&sandbox, &[&["--out", "out", "--resume"], &more[..]].concat()), 0);
            assert_eq!(run(&sandbox, &[&["--out", deals], &more[..]].concat()), 0);
            same_files(&sandbox.path(deals), &sandbox.path("out"));
        }
        let timing: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
        assert!(timing["variants"][1]["seconds"].as_f64().unwrap() > 1000.0, "{timing}");
        let message = sandbox.refused(&["run", "t.toml", "--out", "out", "--resume", "--deals", "39"]);
        assert!(message.contains("finished results") && message.contains("= 40`, and this run has `"), "{message}");
    }
}

#[test]
fn checkpoints_of_shorter_runs_and_of_runs_made_longer_are_gone_on_from() {
    let sandbox = Sandbox::new();
    let snapshot = |folder: &str| Snapshot::read(&sandbox.path(folder).join("tally.bin")).unwrap().unwrap();
    for deals in ["100", "200", "300"] {
        run(&sandbox, &["--out", deals, "--deals", deals]);
    }
    let (short, middle, whole) = (snapshot("100"), snapshot("200"), snapshot("300"));
    let resume = |stopped: &Snapshot| {
        fs::write(sandbox.path("out/checkpoint.bin"), stopped.to_bytes()).unwrap();
        assert_eq!(run(&sandbox, &["--out", "out", "--resume"]), 0);
        same_files(&sandbox.path("300"), &sandbox.path("out"));
        assert!(!sandbox.path("out/checkpoint.bin").exists());
    };
    // Stopped after 100 of 200 deals.
    fs::create_dir(sandbox.path("out")).unwrap();
    resume(&Snapshot { finished: false, config: middle.config, ..short.clone() });
    // Finished with 100, and stopped on the way to 300 after the first variant.
    run(&sandbox, &["--out", "out", "--deals", "100", "--force"]);
    let runs = vec![whole.runs[0].clone(), short.runs[1].clone()];
    resume(&Snapshot { finished: false, config: whole.config, runs, ..short });
}

#[test]
fn a_run_that_may_stop_goes_on_where_its_limit_stopped_it() {
    let sandbox = Sandbox::new();
    let bots = "{name = \"first\", strategy = \"rule-based\"}, {name = \"second\", strategy = \"random\"}";
    for stop in ["{test = {lower = 0.0, upper = 0.2}}", "{half-width = 0.5}"] {
        sandbox.write(
            "t.toml",
            &format!(
                "seed = 3\nformat = \"duel\"\nvariants = [\"dumbo\", \"euchre-24\"]\nstop = {stop}\nbots = [{bots}]\n"
            ),
        );
        run(&sandbox, &["--out", "whole", "--deals", "20000", "--force"]);
        run(&sandbox, &["--out", "out", "--deals", "300", "--force"]);
        run(&sandbox, &["--out", "out", "--deals", "20000", "--resume"]);
        same_files(&sandbox.path("whole"), &sandbox.path("out"));
    }
}

#[test]
fn a_bot_is_disqualified_by_its_faults_before_and_after() {
    let sandbox = Sandbox::new();
    let double = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doubles/double.py");
    let cheat = format!(
        "{{name = \"cheat\", strategy = \"process\", parameters = {{command = [\"python3\", \"-S\", {double:?}, \"cheat\"]}}}}"
    );
    // Two deals, two seatings, two opponents, thirteen tricks: 104 faults; twice as many in four deals.
    for limit in [50, 150] {
        let faults = format!("[faults]\npolicy = \"disqualify\"\nlimit = {limit}\n");
        let bots = CONFIG.replace("\"three\"", &cheat).replace("\"dumbo\", ", "") + &format!("secret = {SECRET:?}\n");
        sandbox.write("t.toml", &format!("{bots}{faults}"));
        assert_eq!(run(&sandbox, &["--out", "whole", "--deals", "4", "--force"]), 1);
        assert_eq!(run(&sandbox, &["--out", "out", "--deals", "2", "--force"]), 1);
        assert_eq!(run(&sandbox, &["--out", "out", "--deals", "4", "--resume"]), 1);
        same_files(&sandbox.path("whole"), &sandbox.path("out"));
    }
}

#[test]
fn a_shard_of_more_deals_is_another_shard() {
    let sandbox = Sandbox::new();
    run(&sandbox, &["--out", "out", "--shard", "1/2"]);
    let message = sandbox.refused(&["run", "t.toml", "--out", "out", "--shard", "1/2", "--deals", "600", "--resume"]);
    assert!(message.contains("shard 1/2 of more has other numbers"), "{message}");
}
