//! Runs that stop when they know enough.

use crate::fixtures::sandbox::{Sandbox, in_a_line, same_files};

fn duel(stop: &str, first: &str) -> String {
    format!(
        "seed = 3\nformat = \"duel\"\nvariants = [\"dumbo\", \"euchre-24\"]\nstop = {stop}\n\
         bots = [{{name = \"first\", strategy = \"{first}\"}}, {{name = \"second\", strategy = \"random\"}}]\n"
    )
}

/// The summary of the run in `folder`.
fn summary(sandbox: &Sandbox, folder: &str) -> serde_json::Value {
    serde_json::from_slice(&std::fs::read(sandbox.path(folder).join("summary.json")).unwrap()).unwrap()
}

/// The looks at a variant, which must be all from the first to where it stopped, and end as it did.
fn looks<'a>(summary: &'a serde_json::Value, stop: &serde_json::Value) -> Vec<&'a serde_json::Value> {
    let all = summary["looks"].as_array().unwrap().iter();
    let looks: Vec<_> = all.filter(|look| look["variant"] == stop["variant"]).collect();
    let mut done = 0;
    for look in &looks {
        done = overtrick::stats::next_look(done);
        assert_eq!(look["blocks"], done);
    }
    let last = looks[looks.len() - 1];
    for column in ["blocks", "half-width", "llr"] {
        assert_eq!(last[column], stop[column], "{column}");
    }
    looks
}

#[test]
fn a_run_stops_when_every_difference_is_known_well_enough() {
    let sandbox = Sandbox::new();
    let bots = "{name = \"a\", strategy = \"rule-based\"}, {name = \"b\", strategy = \"random\"}, \
                {name = \"c\", strategy = \"rule-based\", parameters.dumbo.ambition = 0.2}";
    let config = format!("seed = 3\nvariants = [\"dumbo\"]\nstop = {{half-width = 0.15}}\nbots = [{bots}]\n");
    sandbox.write("t.toml", &config);
    for (threads, out) in [("1", "one"), ("2", "two")] {
        let (code, stdout, stderr) = sandbox.run(&["run", "t.toml", "--threads", threads, "--out", out]);
        assert_eq!((code, stderr.as_str()), (0, ""));
        assert!(stdout.contains("stopped after") && in_a_line(&stdout).contains("± 0.15 was asked for"), "{stdout}");
    }
    same_files(&sandbox.path("one"), &sandbox.path("two"));
    let summary = summary(&sandbox, "one");
    let stop = &summary["stops"][0];
    let widest = stop["half-width"].as_f64().unwrap();
    assert!(stop["stopped"] == true && (0.13..=0.15).contains(&widest), "{stop}");
    let wide = |look: &&serde_json::Value| look["half-width"].as_f64().is_none_or(|half| half > 0.15);
    let looks = looks(&summary, stop);
    assert!(looks.len() > 20 && looks[..looks.len() - 1].iter().filter(|look| wide(look)).count() > 20);
    // It is the widest of those in the table.
    let widths = summary["pairs"].as_array().unwrap().iter();
    let widths = widths.map(|pair| (pair["high"].as_f64().unwrap() - pair["low"].as_f64().unwrap()) / 2.0);
    assert!((widths.fold(0.0, f64::max) - widest).abs() < 2e-6);
    assert_eq!(summary["variants"][0]["games"].as_u64().unwrap(), 6 * stop["blocks"].as_u64().unwrap());
    // A limit that comes first.
    let (code, stdout, _) = sandbox.run(&["run", "t.toml", "--deals", "600", "--out", "limit"]);
    assert!(code == 0 && stdout.contains("not stopped after 600 deals"), "{stdout}");
}

#[test]
fn a_test_decides_a_duel_in_each_variant_by_itself() {
    let sandbox = Sandbox::new();
    for (measure, bounds) in [("points", "lower = 0.0, upper = 0.2"), ("normalised", "lower = 0.0, upper = 0.1")] {
        let stop = format!("{{test = {{measure = \"{measure}\", {bounds}}}}}");
        for (first, accepted, rejected) in [("rule-based", "H1", "H0"), ("random", "H0", "H1")] {
            sandbox.write("t.toml", &duel(&stop, first));
            for (threads, out) in [("1", "one"), ("2", "two")] {
                let (code, stdout, stderr) =
                    sandbox.run(&["run", "t.toml", "--threads", threads, "--out", out, "--force"]);
                assert_eq!((code, stderr.as_str()), (0, ""));
                assert!(in_a_line(&stdout).contains(&format!("the test rejects {rejected}")), "{stdout}");
            }
            same_files(&sandbox.path("one"), &sandbox.path("two"));
            let summary = summary(&sandbox, "one");
            for stop in summary["stops"].as_array().unwrap() {
                assert!(stop["accepted"] == accepted && stop["stopped"] == true, "{stop}");
                let [llr, low, high] = ["llr", "lower-bound", "upper-bound"].map(|bound| stop[bound].as_f64().unwrap());
                assert!((high - 19.0f64.ln()).abs() < 1e-6 && (low + high).abs() < 1e-6);
                assert!(if accepted == "H1" { llr >= high } else { llr <= low }, "{stop}");
                for look in looks(&summary, stop).iter().rev().skip(1) {
                    assert!((low..high).contains(&look["llr"].as_f64().unwrap()), "{look}");
                }
                let pair =
                    summary["pairs"].as_array().unwrap().iter().find(|p| p["variant"] == stop["variant"]).unwrap();
                assert_eq!(pair["difference"], stop["difference"]);
            }
        }
    }
}

/// Kills a run of at most `deals` deals `kills` times, and goes on with it.
fn check_kills(deals: u32, kills: u32) {
    let (sandbox, deals) = (Sandbox::new(), deals.to_string());
    // Close bounds around equals, so that it takes long.
    let stop = "{test = {lower = -0.02, upper = 0.02, alpha = 0.01, beta = 0.01}}";
    let bots = "bots = [{name = \"first\", strategy = \"rule-based\"}, \
                {name = \"second\", strategy = \"rule-based\", parameters.dumbo.tie-fear = 0.6}]";
    sandbox.write("t.toml", &format!("seed = 3\nformat = \"duel\"\nvariants = [\"dumbo\"]\nstop = {stop}\n{bots}\n"));
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet", "--deals", &deals, "--out", "whole"]).0, 0);
    for _ in 0..kills {
        let args = ["run", "t.toml", "--quiet", "--deals", &deals, "--out", "out", "--resume", "--checkpoint", "0"];
        let mut child = sandbox.command(&args).stderr(std::process::Stdio::null()).spawn().unwrap();
        std::thread::sleep(std::time::Duration::from_millis(150));
        child.kill().unwrap();
        child.wait().unwrap();
    }
    assert_eq!(sandbox.run(&["run", "t.toml", "--deals", &deals, "--out", "out", "--resume"]).0, 0);
    same_files(&sandbox.path("whole"), &sandbox.path("out"));
}

#[test]
fn a_short_run_that_stops_early_can_be_resumed() {
    check_kills(500, 2);
}

#[test]
#[ignore = "long: plays tens of thousands of deals twice"]
fn a_run_that_stops_early_can_be_resumed() {
    check_kills(40_000, 4);
}

#[test]
fn stopping_rules_that_make_no_sense_are_refused() {
    let sandbox = Sandbox::new();
    let refused = |stop: &str, parts: &[&str]| {
        sandbox.write("t.toml", &duel(stop, "random"));
        let message = sandbox.refused(&["run", "t.toml"]);
        assert!(parts.iter().all(|part| message.contains(part)) && message.lines().count() == 1, "{message}");
        assert!(message.starts_with("error: t.toml:4: "), "{message}");
    };
    refused("{}", &["`stop`", "give `half-width` or `test`"]);
    refused("{half-width = 0.0}", &["`stop.half-width`", "above 0"]);
    refused("{half-width = nan}", &["`stop.half-width`"]);
    refused("{half-width = 0.1}\ngroups = 31", &["`stop.half-width`", "needs 32 groups", "`groups` is 31"]);
    refused("{width = 1}", &["`stop.width`", "unknown key"]);
    refused("{test = {lower = 0.1, upper = 0.1}}", &["`stop.test.upper`", "above `lower`"]);
    refused("{test = {}}", &["`stop.test.upper`"]);
    refused("{test = {upper = 1.0, alpha = 0.5}}", &["`stop.test.alpha`", "below 0.5"]);
    refused("{test = {upper = 1.0, beta = 0.0}}", &["`stop.test.beta`"]);
    refused("{test = {upper = inf}}", &["`stop.test.upper`", "but must be"]);
    refused("{test = {upper = 1.0, measure = \"elo\"}}", &["`stop.test.measure`", "`points`"]);
    let robin = |stop: &str, format: &str| {
        sandbox.write("t.toml", &duel(stop, "random").replace("format = \"duel\"", format));
        sandbox.refused(&["run", "t.toml"])
    };
    assert!(robin("{test = {upper = 1.0}}", "format = \"mirror\"").contains("it needs format = \"duel\""));
    assert!(robin("{half-width = 1.0}", "format = \"mirror\"").contains("there are none in format"));
    sandbox.write("t.toml", &duel("{half-width = 1.0}", "random"));
    assert!(sandbox.refused(&["run", "t.toml", "--shard", "1/2"]).contains("`stop`: shards have a fixed share"));
}
