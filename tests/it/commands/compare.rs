//! `overtrick compare`: two runs side by side.

use crate::fixtures::sandbox::{CONFIG, Sandbox};

/// The rows of a comparison as objects.
fn rows(sandbox: &Sandbox, a: &str, b: &str) -> Vec<serde_json::Value> {
    let (code, stdout, stderr) = sandbox.run(&["compare", a, b, "--format", "json"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    serde_json::from_str(&stdout).unwrap()
}

fn run(sandbox: &Sandbox, config: &str, out: &str) {
    sandbox.write("t.toml", config);
    let (code, _, stderr) = sandbox.run(&["run", "t.toml", "--quiet", "--force", "--out", out]);
    assert_eq!((code, stderr.as_str()), (0, ""));
}

#[test]
fn a_run_differs_from_itself_by_exactly_nothing() {
    let sandbox = Sandbox::new();
    run(&sandbox, CONFIG, "a");
    run(&sandbox, &CONFIG.replace("seed", "name = \"again\"\nseed"), "b");
    let rows = rows(&sandbox, "a", "b");
    assert_eq!(rows.len(), 6, "two variants, three bots");
    for row in rows {
        for zero in ["difference", "se"] {
            assert_eq!(row[zero], 0.0, "{row}");
        }
        // That nothing differed in these deals does not say how rarely it does.
        assert!(row["low"].is_null() && row["high"].is_null(), "{row}");
        assert!(row["paired"] == true && row["p"] == 1.0 && row["all-p"] == 1.0, "{row}");
    }
    let (_, table, _) = sandbox.run(&["compare", "a", "b"]);
    assert!(table.contains("0.0000") && !table.contains("± 0") && table.contains("the same"), "{table}");
}

#[test]
fn common_deals_tell_more_than_different_ones() {
    let sandbox = Sandbox::new();
    let config = CONFIG.replace("\"one\"", "{name = \"one\", strategy = \"rule-based\"}").replace("300", "500");
    let config = config.replace(", \"colour-blind-2\"", "");
    let changed =
        config.replace("strategy = \"rule-based\"", "strategy = \"rule-based\", parameters.dumbo.tie-fear = 0.5");
    run(&sandbox, &config, "a");
    run(&sandbox, &changed, "paired");
    run(&sandbox, &changed.replace("seed = 7", "seed = 8"), "apart");
    let of = |rows: Vec<serde_json::Value>| {
        rows.into_iter().find(|row| row["variant-a"] == "dumbo" && row["bot"] == "one").unwrap()
    };
    let (paired, apart) = (of(rows(&sandbox, "a", "paired")), of(rows(&sandbox, "a", "apart")));
    assert!(paired["paired"] == true && apart["paired"] == false);
    let [close, wide] = [&paired, &apart].map(|row| row["se"].as_f64().unwrap());
    assert!(0.0 < close && close < 0.7 * wide, "{close} and {wide}");
    // Each run's mean is what the run reports.
    let bots = std::fs::read_to_string(sandbox.path("paired/bots.csv")).unwrap();
    let mean = |row: &csv::StringRecord| row[4].parse::<f64>().unwrap();
    let mut reader = csv::Reader::from_reader(bots.as_bytes());
    let reported = reader.records().map(Result::unwrap).find(|row| &row[0] == "dumbo" && &row[1] == "one").unwrap();
    assert_eq!(paired["mean-b"].as_f64().unwrap(), mean(&reported));
    let (a, b) = (paired["mean-a"].as_f64().unwrap(), paired["mean-b"].as_f64().unwrap());
    assert!((paired["difference"].as_f64().unwrap() - (b - a)).abs() < 2e-6);
    let (_, csv, _) = sandbox.run(&["compare", "a", "paired", "--format", "csv"]);
    assert!(
        csv.starts_with("variant-a,variant-b,bot,mean-a,mean-b,difference,se,low,high,p,all-p,paired,faults\n"),
        "{csv}"
    );
}

#[test]
fn two_rule_sets_are_compared_in_order() {
    let sandbox = Sandbox::new();
    let only = CONFIG.replace(", \"colour-blind-2\"", "");
    run(&sandbox, &only, "a");
    run(&sandbox, &only.replace("\"dumbo\"", "{name = \"mine\", base = \"dumbo\", rules.match-bonus = 5}"), "b");
    let rows = rows(&sandbox, "a", "b");
    assert_eq!(rows.len(), 3);
    for row in rows {
        assert!(row["variant-a"] == "dumbo" && row["variant-b"] == "mine" && row["paired"] == true);
        assert!(row["high"].as_f64().unwrap() < 0.0, "half the bonus is gone: {row}");
    }
}

#[test]
fn runs_that_cannot_be_compared_are_refused_with_the_reason() {
    let sandbox = Sandbox::new();
    run(&sandbox, CONFIG, "a");
    let refused = |config: String, reason: &str| {
        run(&sandbox, &config, "b");
        let message = sandbox.refused(&["compare", "a", "b"]);
        assert!(message.contains("a and b cannot be compared") && message.contains(reason), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    };
    refused(CONFIG.replace("300", "301"), "one has 300 deals, the other 301, with the same seed");
    refused(CONFIG.replace("seed", "groups = 64\nseed"), "in 256 groups, the other in 64");
    refused(
        CONFIG.replace("deals = 300", "unit = \"match\"\nmatches = 20"),
        "one simulates single deals, the other matches",
    );
    refused(
        CONFIG.replace("seed", "format = \"mirror\"\nseed"),
        "one is a round-robin of 3 bots, the other a mirror of 3",
    );
    let renamed =
        ["one", "two", "three"].map(|name| format!("{{name = \"{name}-b\", strategy = \"random\"}}")).join(", ");
    refused(CONFIG.replace("\"one\", \"two\", \"three\"", &renamed), "no bot in common");
    refused(CONFIG.replace("\"dumbo\", \"colour-blind-2\"", "\"euchre-24\""), "no variant in common");
    let other_game = "{name = \"x\", base = \"euchre-24\"}, {name = \"y\", base = \"dumbo\"}";
    refused(CONFIG.replace("\"dumbo\", \"colour-blind-2\"", other_game), "dumbo and x are different games");
    for (folder, reason) in
        [("nowhere", "nowhere: these are no results of `overtrick run`"), ("bots", "bots: these are no results")]
    {
        assert!(sandbox.refused(&["compare", "a", folder]).contains(reason));
    }
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet", "--shard", "1/2", "--out", "part"]).0, 0);
    assert!(sandbox.refused(&["compare", "a", "part"]).contains("is shard 1/2; put the shards together"));
}
