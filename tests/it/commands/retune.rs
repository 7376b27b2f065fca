//! `overtrick sweep` with `[sweep.retune]`, as its user meets it: the findings and changes of tuning a bot again for
//! each point, the same bytes each time, kills, bad input.

use std::fs;
use std::path::Path;

use overtrick::report::{RETUNED, SWEEP_FILES};

use crate::fixtures::sandbox::{Row, Sandbox, in_a_line, rows};

/// A bot that calls far too late in Euchre, at any cost of a failed contract.
const CONFIG: &str = r#"
seed = 7
[sweep]
base = "euchre-24"
deals = 400
panel = ["random", { name = "timid", bot = "rule-based", parameters = { euchre = { courage = 4.9 } } }]
[sweep.axes]
euchre-points-each = [1, 2]
[sweep.want]
seat-dealer = { min = -0.3, max = 0.3, in = "points" }
skill-sd = "more"
[sweep.restrict]
naming = ["name *"]
[sweep.retune]
games = 12_000
[sweep.retune.parameters]
"euchre.courage" = { low = 0.0, high = 5.0 }
"#;

/// A bot without a parameter that matters: no deal of this variant is different.
const NOTHING: &str = r#"
seed = 7
[sweep]
base = "euchre-24"
deals = 100
panel = ["rule-based", "random"]
[sweep.axes]
euchre-points-each = [1, 2]
[sweep.retune]
games = 6_000
[sweep.retune.parameters]
"dumbo.ambition" = {}
"#;

/// Rules that change the seats and the deck, and choices, which are a race.
const PLAYERS: &str = r#"
seed = 3
[sweep]
base = "colour-blind"
deals = 50
panel = ["cautious"]
[sweep.axes]
players = [2, 3]
[sweep.retune]
games = 8000
[sweep.retune.parameters]
"colour-blind.spite" = [0.0, 0.55, 1.5]
"#;

/// The first config with `deals` deals and `games` games of tuning.
fn small(deals: u32, games: u32) -> String {
    let config = CONFIG.replace("deals = 400", &format!("deals = {deals}"));
    config.replace("games = 12_000", &format!("games = {games}"))
}

fn number(row: &Row, column: &str) -> f64 {
    row[column].parse().unwrap_or_else(|_| panic!("no number in {column}: {row:?}"))
}

fn sweep(sandbox: &Sandbox, args: &[&str]) {
    let (code, stdout, stderr) = sandbox.run(&[&["sweep", "--quiet"], args].concat());
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (0, "", ""), "{args:?}");
}

/// Checks that two folders hold the same results, byte for byte.
fn same_sweep(one: &Path, other: &Path) {
    for name in SWEEP_FILES.into_iter().chain([RETUNED]) {
        let read = |folder: &Path| fs::read(folder.join(name)).unwrap();
        assert!(read(one) == read(other), "{name} differs");
    }
}

#[test]
fn a_bot_that_is_tuned_anew_is_measured_before_and_after() {
    let sandbox = Sandbox::new();
    sandbox.write("s.toml", &small(150, 6_000));
    let (code, stdout, stderr) = sandbox.run(&["sweep", "s.toml"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let out = sandbox.path("results/s");
    // A bot that calls so late has much to gain.
    let found = rows(&out.join(RETUNED));
    assert_eq!(found.iter().map(|row| row["name"].as_str()).collect::<Vec<_>>(), ["euchre-points-each 1", "base"]);
    for row in &found {
        assert_eq!((row["bot"].as_str(), row["better"].as_str()), ("timid", "yes"));
        assert_eq!(row["euchre.courage-before"], "4.9");
        assert!(number(row, "euchre.courage-after") < 4.0, "{row:?}");
        assert!(number(row, "gain-low") > 0.0 && number(row, "gain") < number(row, "gain-high"), "{row:?}");
        assert!(number(row, "deals") >= 64.0);
    }
    let values = rows(&out.join("sweep.csv"));
    let of = |bot: &str, measure: &str| -> Vec<&Row> {
        values.iter().filter(|row| row["bot"] == bot && row["measure"] == measure).collect()
    };
    let after: Vec<&Row> = values.iter().filter(|row| row["bot"] == "timid*").collect();
    for row in &after {
        let before = of("timid", &row["measure"]).into_iter().find(|other| other["point"] == row["point"]);
        let Some(before) = before else {
            assert_eq!(row["measure"], "skill-elo");
            continue;
        };
        assert_eq!(before["change"], "");
        // Where either bot wins next to nothing, it has no Elo.
        if row["change"].is_empty() {
            assert_eq!(row["measure"], "skill-elo");
            continue;
        }
        assert!((number(row, "value") - number(before, "value") - number(row, "change")).abs() < 2e-6, "{row:?}");
        let has_ends = !row["change-low"].is_empty();
        assert!(!has_ends || number(row, "change-low") <= number(row, "change"), "{row:?}");
    }
    let measures =
        ["seat-dealer", "seat-dealer-sd", "seat-dealer-won", "seat-advantage", "seat-advantage-won", "tied", "made"];
    for measure in
        measures.into_iter().chain(["skill", "skill-sd", "skill-won", "worth naming", "used naming", "moves"])
    {
        assert_eq!((of("timid*", measure).len(), of("timid", measure).len()), (2, 2), "{measure}");
    }
    // Who knows when to call makes more of the contracts.
    assert!(of("timid*", "made").iter().all(|row| number(row, "change-low") > 0.0));
    assert!(rows(&out.join("effects.csv")).iter().any(|row| row["bot"] == "timid*"));
    assert_eq!(rows(&out.join("seats.csv")).iter().filter(|row| row["bot"] == "timid*").count(), 2 * 3);
    let summary: serde_json::Value = serde_json::from_slice(&fs::read(out.join("summary.json")).unwrap()).unwrap();
    let retuned = serde_json::json!({ "bot": "timid", "as": "timid*", "better": [1, 2] });
    assert_eq!((&summary["retuned"], &summary["wishes"][0]["bot"]), (&retuned, &"timid*".into()));
    let said = in_a_line(&stdout);
    let sentences: Vec<&str> =
        summary["sentences"].as_array().unwrap().iter().map(|sentence| sentence.as_str().unwrap()).collect();
    assert!(sentences.iter().all(|sentence| said.contains(&in_a_line(sentence))), "{stdout}");
    let sentence = "timid* is timid tuned for the rules of each point: better at 2 of 2 points, each by a test for \
                    that point alone; as it came out, most at ";
    assert!(said.contains(sentence), "{stdout}");
    assert!(said.contains("retuned for its rules, timid makes seat-dealer "), "{stdout}");
    assert!(stdout.lines().all(|line| line.chars().count() <= 80), "{stdout}");
}

#[test]
fn where_nothing_is_found_the_bot_stays_as_it_is() {
    let sandbox = Sandbox::new();
    sandbox.write("s.toml", NOTHING);
    let (code, stdout, stderr) = sandbox.run(&["sweep", "s.toml", "--out", "out"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    for row in rows(&sandbox.path("out/retuned.csv")) {
        assert_eq!((row["better"].as_str(), row["deals"].as_str(), row["gain"].as_str()), ("no", "0", ""));
        assert_eq!(row["dumbo.ambition-before"], row["dumbo.ambition-after"]);
    }
    let values = rows(&sandbox.path("out/sweep.csv"));
    let of = |bot: &str| -> Vec<(String, String, String)> {
        let own = values.iter().filter(|row| row["bot"] == bot);
        own.map(|row| (row["point"].clone(), row["measure"].clone(), row["value"].clone())).collect()
    };
    // The first of the panel has no lead over any bot, before or after.
    assert_eq!(of("rule-based"), of("rule-based*"));
    assert!(values.iter().filter(|row| row["bot"] == "rule-based*").all(|row| row["change"] == "0.0"));
    let sentence = "each point; no improvement was found, so it stays as it is everywhere";
    assert!(in_a_line(&stdout).contains(sentence), "{stdout}");
}

#[test]
fn a_small_retuned_sweep_gives_the_same_bytes_by_its_own_config() {
    let sandbox = Sandbox::new();
    for config in [small(40, 3_600), PLAYERS.replace("deals = 50", "deals = 10").replace("8000", "5000")] {
        sandbox.write("s.toml", &config);
        sweep(&sandbox, &["s.toml", "--threads", "1", "--out", "one", "--force"]);
        sweep(&sandbox, &["one/config.toml", "--threads", "2", "--out", "again", "--force"]);
        same_sweep(&sandbox.path("one"), &sandbox.path("again"));
    }
}

#[test]
#[ignore = "long: tunes for each point, again and again"]
fn the_same_retuned_sweep_gives_the_same_bytes() {
    let sandbox = Sandbox::new();
    for config in [CONFIG, PLAYERS] {
        sandbox.write("s.toml", config);
        sweep(&sandbox, &["s.toml", "--threads", "1", "--out", "one", "--force"]);
        sweep(&sandbox, &["s.toml", "--threads", "2", "--out", "two", "--force"]);
        same_sweep(&sandbox.path("one"), &sandbox.path("two"));
        sweep(&sandbox, &["one/config.toml", "--out", "again", "--force"]);
        same_sweep(&sandbox.path("one"), &sandbox.path("again"));
    }
}

#[test]
fn what_the_panel_does_without_is_as_if_there_were_no_retuning() {
    let sandbox = Sandbox::new();
    let config = small(100, 3_600);
    let plain = config.split("[sweep.retune]").next().unwrap();
    sandbox.write("s.toml", &config);
    for out in ["one", "two"] {
        sweep(&sandbox, &["s.toml", "--out", out]);
    }
    // A file of before does not stay behind.
    sandbox.write("s.toml", plain);
    sweep(&sandbox, &["s.toml", "--out", "two", "--force"]);
    assert!(!sandbox.path("two").join(RETUNED).exists());
    let values = |folder: &str| -> Vec<[String; 4]> {
        // In a few deals, the bot tuned for its rules may have a contract that this one never has.
        let own = |row: &Row| row["bot"] == "timid" && row["value"] != "0.0";
        let rows = rows(&sandbox.path(folder).join("sweep.csv")).into_iter().filter(own);
        rows.map(|row| ["measure", "value", "se", "low"].map(|column| row[column].clone())).collect()
    };
    let one = values("one");
    assert!(one.len() > 20, "{one:?}");
    assert_eq!(one, values("two"));
}

/// Kills a sweep `kills` times, and goes on with it.
fn check_kills(config: &str, kills: u32) {
    let sandbox = Sandbox::new();
    sandbox.write("s.toml", config);
    sweep(&sandbox, &["s.toml", "--out", "whole"]);
    sandbox.kill_and_resume(&["sweep", "s.toml", "--out", "out"], "out/sweep.csv", (11, kills));
    same_sweep(&sandbox.path("whole"), &sandbox.path("out"));
    assert_eq!(fs::read_dir(sandbox.path("out")).unwrap().count(), SWEEP_FILES.len() + 1);
}

#[test]
fn a_small_retuned_sweep_that_is_killed_goes_on() {
    check_kills(&small(40, 6_000), 1);
}

#[test]
#[ignore = "long: kills a sweep six times"]
fn a_retuned_sweep_that_is_killed_goes_on() {
    check_kills(&small(400, 60_000), 6);
}

#[test]
fn bad_retuning_is_one_message_and_leaves_nothing() {
    let refused = |from: &str, to: &str, place: &str, parts: &[&str]| {
        assert_eq!(CONFIG.matches(from).count(), 1, "{from}");
        let sandbox = Sandbox::new();
        sandbox.write("s.toml", &CONFIG.replace(from, to));
        let files = || fs::read_dir(sandbox.path("")).unwrap().count();
        let before = files();
        let message = sandbox.refused(&["sweep", "s.toml"]);
        assert_eq!(message.lines().count(), 1, "{message}");
        assert!(message.starts_with(&format!("error: s.toml:{place}: ")), "not at {place}: {message}");
        assert!(parts.iter().all(|part| message.contains(part)), "{parts:?}: {message}");
        assert_eq!(files(), before, "something was left behind");
    };
    let games = "games = 12_000";
    refused(games, "games = 0", "15: `sweep.retune.games`", &["is 0, but must be 1 to"]);
    refused(games, "games = 100", "15: `sweep.retune.games`", &["this takes at least", "or fewer parameters"]);
    refused(games, "", "14: `sweep.retune.games`", &["is missing: how many games"]);
    refused(games, "gmaes = 1", "15: `sweep.retune.gmaes`", &["unknown key", "did you mean games?"]);
    let named = |bot: &str| format!("{games}\nbot = \"{bot}\"");
    refused(games, &named("rule-based"), "16: `sweep.retune.bot`", &["none of the panel: random, timid"]);
    refused(games, &named("timid*"), "16: `sweep.retune.bot`", &["none of the panel: random, timid"]);
    refused(games, &named("random"), "16: `sweep.retune.bot`", &["random has no parameters to tune"]);
    let courage = "\"euchre.courage\" = { low = 0.0, high = 5.0 }";
    let at = "17: `sweep.retune.parameters.euchre.courage`";
    refused(courage, "", "16: `sweep.retune.parameters`", &["is missing: which parameters are tried?"]);
    refused(courage, "\"euchre.courage\" = { low = 5.0, high = 0.0 }", at, &["`low` must be below `high`"]);
    refused(courage, "\"euchre.courage\" = 3", at, &["neither a table"]);
    let misspelt = "17: `sweep.retune.parameters.euchre.corage`";
    refused(courage, "\"euchre.corage\" = {}", misspelt, &["has no parameter", "did you mean euchre.courage?"]);
    let sandbox = Sandbox::new();
    let alone = "seed = 1\n[sweep]\nbase = \"dumbo\"\ndeals = 9\npanel = [\"random\"]\n[sweep.retune]\ngames = 99\n";
    sandbox.write("s.toml", alone);
    let message = sandbox.refused(&["sweep", "s.toml"]);
    assert!(message.contains("`sweep.retune.bot`: is missing, and no bot of the panel has parameters"), "{message}");
}
