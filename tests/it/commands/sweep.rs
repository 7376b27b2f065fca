//! `overtrick sweep` as its user meets it: files, sentences, the same bytes each time and as `run` has them, stops and
//! kills.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use overtrick::report::SWEEP_FILES;

use crate::fixtures::sandbox::{Sandbox, in_a_line, rows, wait_for};

const CONFIG: &str = r#"
seed = 7
[sweep]
base = "dumbo"
deals = 400
panel = ["random", "cautious"]
[sweep.axes]
match-bonus = [0, 10, 20]
tie-score = { low = -4, high = 0, steps = 2 }
[sweep.want]
seat-advantage-won = { max = 0.5, bot = "random" }
skill-sd = "more"
"#;

fn sweep(sandbox: &Sandbox, args: &[&str]) {
    let (code, stdout, stderr) = sandbox.run(&[&["sweep", "--quiet"], args].concat());
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (0, "", ""), "{args:?}");
}

/// Checks that two folders hold the same results of a sweep, byte for byte.
fn same_sweep(one: &Path, other: &Path) {
    for name in SWEEP_FILES {
        let read = |folder: &Path| fs::read(folder.join(name)).unwrap();
        assert!(read(one) == read(other), "{name} differs");
    }
}

#[test]
fn a_sweep_leaves_its_files_and_says_what_it_found() {
    let sandbox = Sandbox::new();
    sandbox.write("s.toml", &CONFIG.replace("deals = 400", "deals = 150"));
    let (code, stdout, stderr) = sandbox.run(&["sweep", "s.toml"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let out = sandbox.path("results/s");
    let values = rows(&out.join("sweep.csv"));
    // Six points, of which the base is one; two bots.
    let of = |measure: &str, bot: &str| -> Vec<&std::collections::HashMap<String, String>> {
        values.iter().filter(|row| row["measure"] == measure && row["bot"] == bot).collect()
    };
    let names: Vec<&str> = of("tied", "random").iter().map(|row| row["name"].as_str()).collect();
    assert_eq!(
        names,
        [
            "match-bonus 0, tie-score -4",
            "match-bonus 0",
            "tie-score -4",
            "base",
            "match-bonus 20, tie-score -4",
            "match-bonus 20"
        ]
    );
    assert_eq!((of("skill", "random").len(), of("skill", "cautious").len()), (0, 6));
    let base = of("points", "cautious")[3];
    assert_eq!(
        (base["match-bonus"].as_str(), base["tie-score"].as_str(), base["difference"].as_str()),
        ("10", "0", "")
    );
    for row in of("points", "cautious") {
        let number = |column: &str| row[column].parse::<f64>().unwrap();
        assert!(number("low") < number("value") && number("value") < number("high"), "{row:?}");
        if row["name"] != "base" {
            let apart = number("value") - base["value"].parse::<f64>().unwrap();
            assert!((apart - number("difference")).abs() < 2e-6, "{row:?}");
        }
    }
    // The bonus is worth points to who gets it.
    let effects = rows(&out.join("effects.csv"));
    let effect = |value: &str, column: &str| {
        let is_meant = |row: &&std::collections::HashMap<String, String>| {
            (row["bot"].as_str(), row["measure"].as_str(), row["effect"].as_str()) == ("cautious", "points", "value")
                && (row["axis"].as_str(), row["value"].as_str()) == ("match-bonus", value)
        };
        effects.iter().find(is_meant).unwrap()[column].parse::<f64>().unwrap()
    };
    assert!(effect("20", "low") > 0.0 && effect("0", "high") < 0.0);
    assert_eq!(effects.iter().filter(|row| row["measure"] == "points" && row["bot"] == "cautious").count(), 2 + 1 + 2);
    let unbeaten = rows(&out.join("pareto.csv"));
    assert!(
        !unbeaten.is_empty() && unbeaten.iter().all(|row| row["seat-advantage-won-verdict"] == "met"),
        "{unbeaten:?}"
    );
    let summary: serde_json::Value = serde_json::from_slice(&fs::read(out.join("summary.json")).unwrap()).unwrap();
    assert_eq!(
        (&summary["points"], &summary["base"], &summary["dead"]),
        (&6.into(), &4.into(), &serde_json::json!([]))
    );
    let sentence = summary["sentences"][0].as_str().unwrap();
    assert!(
        sentence.starts_with("seat-advantage-won with ")
            && sentence.ends_with("At the base this is met. It is certainly met under all other rules")
    );
    assert!(in_a_line(&stdout).contains(&in_a_line(sentence)), "{stdout}");
    assert!(stdout.ends_with("\nresults are in results/s\n"), "{stdout}");
    assert!(stdout.lines().all(|line| line.chars().count() <= 80), "{stdout}");
}

/// A sweep over rules that change the deck and the seats, with `deals` deals.
fn players(deals: u32) -> String {
    format!(
        "seed = 3\n[sweep]\nbase = \"colour-blind\"\ndeals = {deals}\npanel = [\"cautious\"]\n[sweep.axes]\n\
         players = [2, 3]\nlowest-score = [-10, 0]\n"
    )
}

/// A sweep over more axes than a grid takes, with `deals` deals.
fn many(deals: u32) -> String {
    format!(
        "seed = 3\n[sweep]\nbase = \"dumbo\"\ndeals = {deals}\npanel = [\"cautious\"]\npoints = 24\n[sweep.axes]\n\
         match-bonus = {{ low = 0, high = 20, steps = 5 }}\ntie-score = [-2, 0]\ntrick-points = [1, 2, 3]\n\
         dumbo-exposed = [\"before-lead\", \"after-lead\"]\n"
    )
}

#[test]
fn a_small_sweep_gives_the_same_bytes_by_its_own_config() {
    let sandbox = Sandbox::new();
    for config in [CONFIG.replace("deals = 400", "deals = 20"), players(20), many(4)] {
        sandbox.write("s.toml", &config);
        sweep(&sandbox, &["s.toml", "--threads", "1", "--out", "one", "--force"]);
        sweep(&sandbox, &["one/config.toml", "--threads", "2", "--out", "again", "--force"]);
        same_sweep(&sandbox.path("one"), &sandbox.path("again"));
    }
    assert_eq!(rows(&sandbox.path("one/effects.csv")).iter().filter(|row| row["measure"] == "points").count(), 9);
    assert!(rows(&sandbox.path("one/sweep.csv")).len() > 24 * 5);
}

#[test]
#[ignore = "long: sweeps nine times"]
fn the_same_sweep_gives_the_same_bytes() {
    let sandbox = Sandbox::new();
    for config in [CONFIG.to_owned(), players(100), many(40)] {
        sandbox.write("s.toml", &config);
        sweep(&sandbox, &["s.toml", "--threads", "1", "--out", "one", "--force"]);
        sweep(&sandbox, &["s.toml", "--threads", "2", "--out", "two", "--force"]);
        same_sweep(&sandbox.path("one"), &sandbox.path("two"));
        sweep(&sandbox, &["one/config.toml", "--out", "again", "--force"]);
        same_sweep(&sandbox.path("one"), &sandbox.path("again"));
    }
    assert_eq!(rows(&sandbox.path("one/effects.csv")).iter().filter(|row| row["measure"] == "points").count(), 9);
    let (one, two) = (rows(&sandbox.path("one/sweep.csv")).len(), rows(&sandbox.path("two/sweep.csv")).len());
    assert!(one == two && one > 24 * 5);
}

#[test]
fn a_sweep_of_one_point_has_what_run_has() {
    let sandbox = Sandbox::new();
    for variant in ["euchre-24", "dummy-chameleon"] {
        let panel = "[\"random\", \"cautious\"]";
        sandbox.write("s.toml", &format!("seed = 5\n[sweep]\nbase = \"{variant}\"\ndeals = 300\npanel = {panel}\n"));
        sandbox.write(
            "r.toml",
            &format!("seed = 5\nformat = \"mirror\"\ndeals = 300\nvariants = [\"{variant}\"]\nbots = {panel}\n"),
        );
        sweep(&sandbox, &["s.toml", "--out", "swept", "--force"]);
        assert_eq!(sandbox.run(&["run", "r.toml", "--out", "ran", "--quiet", "--force"]).0, 0);
        for name in ["seats.csv", "balance.csv"] {
            let read = |folder: &str| fs::read_to_string(sandbox.path(folder).join(name)).unwrap();
            assert_eq!(read("swept"), read("ran"), "{name}");
        }
        // And the figures are those of the table.
        let seats = rows(&sandbox.path("ran/seats.csv"));
        let mut compared = 0;
        for row in rows(&sandbox.path("swept/sweep.csv")) {
            let Some(seat) = row["measure"].strip_prefix("seat-") else { continue };
            // Measures without units and the farthest seat are not in the table.
            let own = seats.iter().find(|own| own["bot"] == row["bot"] && own["seat"] == seat);
            compared += usize::from(own.is_some_and(|own| own["advantage"] == row["value"]));
            assert!(own.is_none_or(|own| own["advantage"] == row["value"]), "{row:?}");
        }
        assert!(compared >= 4, "{compared}");
    }
}

/// Kills a sweep of `deals` deals `kills` times, and goes on with it.
fn check_kills(deals: u32, kills: u32) {
    let sandbox = Sandbox::new();
    sandbox.write("s.toml", &CONFIG.replace("deals = 400", &format!("deals = {deals}")));
    sweep(&sandbox, &["s.toml", "--out", "whole"]);
    sandbox.kill_and_resume(&["sweep", "s.toml", "--out", "out"], "out/sweep.csv", (9, kills));
    same_sweep(&sandbox.path("whole"), &sandbox.path("out"));
    let left = fs::read_dir(sandbox.path("out")).unwrap().count();
    assert_eq!(left, SWEEP_FILES.len());
    // Nothing is lost by accident.
    let finished = sandbox.run(&["sweep", "s.toml", "--out", "out", "--resume"]);
    assert_eq!(finished.1, "nothing to do: out holds the results of this sweep\n");
    sandbox.write("other.toml", &CONFIG.replace("seed = 7", "seed = 8\nname = \"s\""));
    let refused = sandbox.refused(&["sweep", "other.toml", "--out", "out"]);
    assert!(refused.contains("another run") && refused.contains("--force"), "{refused}");
}

#[test]
fn a_sweep_that_is_killed_twice_goes_on() {
    check_kills(100, 2);
}

#[test]
#[ignore = "long: kills a sweep eight times"]
fn a_sweep_that_is_killed_goes_on() {
    check_kills(4000, 8);
}

#[test]
fn ctrl_c_leaves_a_checkpoint() {
    let sandbox = Sandbox::new();
    // Many points, so that it is far from its end after the first of them, however fast it plays.
    let many = CONFIG.replace("[0, 10, 20]", "{ low = 0, high = 990, steps = 100 }");
    sandbox.write("s.toml", &many.replace("deals = 400", "deals = 2000"));
    let child = sandbox
        .command(&["sweep", "s.toml", "--out", "out", "--quiet"])
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_for("a checkpoint", || sandbox.path("out/checkpoint.bin").exists());
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stderr.starts_with("interrupted at point ") && stderr.contains("--resume"), "{stderr}");
    assert!(sandbox.refused(&["sweep", "s.toml", "--out", "out"]).contains("this sweep was stopped there"));
}

#[test]
fn bad_input_is_one_message_and_leaves_nothing() {
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
    let bonus = "match-bonus = [0, 10, 20]";
    refused(bonus, "match-bonnus = [0]", "8: `sweep.axes.match-bonnus`", &["has no rule", "did you mean match-bonus?"]);
    refused(bonus, "match-bonus = [0, 5000]", "8: `sweep.axes.match-bonus`", &["is 5000, but must be -1000 to 1000"]);
    refused(bonus, "match-bonus = []", "8: `sweep.axes.match-bonus`", &["has no values"]);
    refused(bonus, "match-bonus = [\"much\"]", "8: `sweep.axes.match-bonus`", &["is of the wrong kind"]);
    refused(bonus, "match-bonus = [0, 0]", "8: `sweep.axes.match-bonus`", &["has the value 0 twice"]);
    refused(bonus, "match-bonus = 3", "8: `sweep.axes.match-bonus`", &["is neither a list of values nor a table"]);
    let range = "{ low = -4, high = 0, steps = 2 }";
    refused(range, "{ low = 0, high = -4, steps = 2 }", "9: `sweep.axes.tie-score`", &["low must be below high"]);
    refused(range, "{ low = 0, high = 4, steps = 1 }", "9: `sweep.axes.tie-score`", &["has steps = 1"]);
    let many = "{ low = -900, high = 900, steps = 1800 }\ntrick-points = { low = -50, high = 50, steps = 100 }";
    refused(range, many, "7: `sweep.axes`", &["make 540000 points, which would take about ", "at most 10000"]);
    let skill = "skill-sd = \"more\"";
    refused(skill, "luck = \"more\"", "12: `sweep.want.luck`", &["there is no measure \"luck\"", "tied"]);
    refused(skill, "skill-sd = {}", "12: `sweep.want.skill-sd`", &["wants nothing"]);
    refused(skill, "skill-sd = \"plenty\"", "12: `sweep.want.skill-sd`", &["neither \"more\" nor \"less\""]);
    refused("bot = \"random\"", "bot = \"rand\"", "11: `sweep.want.seat-advantage-won`", &["none of the panel"]);
    // Points grow with the size of scores, so who wants them says so.
    refused(skill, "skill = \"more\"", "12: `sweep.want.skill`", &["is in points", "want skill-sd", "in = \"points\""]);
    let worth = "seat-dealer = { max = 0.1 }";
    refused(skill, worth, "12: `sweep.want.seat-dealer`", &["want seat-dealer-won or seat-dealer-sd"]);
    let scale = "skill = { want = \"more\", in = \"tricks\" }";
    refused(skill, scale, "12: `sweep.want.skill`", &["has in = \"tricks\""]);
    let scale = "skill-sd = { want = \"more\", in = \"points\" }";
    refused(skill, scale, "12: `sweep.want.skill-sd`", &["is a measure without units"]);
    let deals = "deals = 400";
    refused(deals, "deals = 400\nmatches = 40", "5: `sweep.deals`", &["does not go with `matches`"]);
    refused(deals, "deals = 400\nunit = \"match\"", "5: `sweep.deals`", &["does not go with `matches`"]);
    refused(deals, "unit = \"match\"", "3: `sweep.matches`", &["is missing: how many matches"]);
    refused("deals = 400", "deals = 0", "5: `sweep.deals`", &["but must be 1 to"]);
    refused("base = \"dumbo\"", "base = \"dunbo\"", "4: `sweep.base`", &["there is no variant", "did you mean dumbo?"]);
    refused("panel = [\"random\", \"cautious\"]", "panel = []", "6: `sweep.panel`", &["is missing"]);
    refused("panel = [\"random\", \"cautious\"]", "", "3: `sweep.panel`", &["is missing"]);
    refused("seed = 7", "", " `seed`", &["is missing: give a whole number"]);
    let absent = "panel = [{ name = \"absent\", strategy = \"process\", parameters = { command = [\"/no/such\"] } }]";
    refused(
        "panel = [\"random\", \"cautious\"]\n",
        &format!("{absent}\n"),
        "11: `sweep.want.seat-advantage-won`",
        &["none"],
    );
}

#[test]
fn what_an_option_is_worth_is_told() {
    let sandbox = Sandbox::new();
    // A bot that may call nothing but the forbidden moves loses nothing; one that may not bid at all wins no contract.
    let config = "seed = 2\n[sweep]\nbase = \"chameleon\"\ndeals = 3000\npanel = [\"rule-based\"]\n[sweep.restrict]\n\
                  bidding = [\"bid *\"]\n\"cheap clubs\" = { bot = \"rule-based\", forbid = [\"bid 6 C\"] }\n";
    sandbox.write("s.toml", config);
    let (code, stdout, stderr) = sandbox.run(&["sweep", "s.toml", "--out", "out"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let values = rows(&sandbox.path("out/sweep.csv"));
    let worth = |name: &str, column: &str| -> f64 {
        values.iter().find(|row| row["measure"] == name).unwrap()[column].parse().unwrap()
    };
    // Ten standard errors.
    assert!(worth("worth bidding", "value") > 10.0 * worth("worth bidding", "se"), "{stdout}");
    assert!(worth("worth cheap clubs", "value").abs() < worth("worth bidding", "value"));
    assert!(in_a_line(&stdout).contains("bidding is worth "), "{stdout}");
    sweep(&sandbox, &["out/config.toml", "--out", "again"]);
    same_sweep(&sandbox.path("out"), &sandbox.path("again"));
    let refused = |to: &str, parts: &[&str]| {
        sandbox.write("bad.toml", &config.replace("[\"bid *\"]", to));
        let message = sandbox.refused(&["sweep", "bad.toml", "--out", "bad"]);
        assert!(message.starts_with("error: bad.toml:7: `sweep.restrict.bidding`: "), "{message}");
        assert!(parts.iter().all(|part| message.contains(part)), "{message}");
    };
    refused("[\"bid 44 swords\"]", &["bid 44 swords"]);
    refused("[]", &["forbids nothing"]);
    refused("{ forbid = [\"pass\"], bot = \"random\" }", &["\"random\" is none of the panel"]);
}

#[test]
fn an_axis_about_matches_has_matches_played() {
    let sandbox = Sandbox::new();
    let config = "seed = 4\n[sweep]\nbase = \"dumbo\"\ndeals = 1500\npanel = [\"random\", \"cautious\"]\n[sweep.axes]\n\
                  target = [11, 61]\n";
    sandbox.write("s.toml", config);
    let (code, stdout, stderr) = sandbox.run(&["sweep", "s.toml", "--out", "out"]);
    assert_eq!(code, 0, "{stderr}");
    assert!(
        stderr.starts_with("note: an axis changes matches alone, so the deals of each point are played as 150 matches"),
        "{stderr}"
    );
    let heading = "dumbo: 3 points, 150 matches at each, bots: random, cautious";
    assert!(stdout.starts_with(heading) && !stdout.contains("changes nothing"), "{stdout}");
    let values = rows(&sandbox.path("out/sweep.csv"));
    let of = |measure: &str, target: &str| -> f64 {
        let is_meant = |row: &&std::collections::HashMap<String, String>| {
            (row["measure"].as_str(), row["target"].as_str(), row["bot"].as_str()) == (measure, target, "cautious")
        };
        values.iter().find(is_meant).unwrap_or_else(|| panic!("no {measure}"))["value"].parse().unwrap()
    };
    assert!(of("match-length", "61") > 2.0 * of("match-length", "11"));
    // The better bot wins more of the longer matches; the shares that seats win beyond an equal share add up to 0.
    assert!(of("skill-won", "61") > of("skill-won", "11"));
    let seats = ["dealer", "forehand", "rearhand"].map(|seat| of(&format!("seat-{seat}-won"), "11"));
    assert!(seats.iter().sum::<f64>().abs() < 3e-6 && seats[0].abs() > 0.0, "{seats:?}");
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(sandbox.path("out/summary.json")).unwrap()).unwrap();
    assert_eq!((&summary["matches"], &summary["deals"]), (&150.into(), &serde_json::Value::Null));
    // The config that is left says what was played, and is played without a note.
    sweep(&sandbox, &["out/config.toml", "--out", "again"]);
    same_sweep(&sandbox.path("out"), &sandbox.path("again"));
    // Who wants single deals has them.
    sandbox.write("deals.toml", &config.replace("deals = 1500", "deals = 60\nunit = \"deal\""));
    let (code, stdout, stderr) = sandbox.run(&["sweep", "deals.toml", "--out", "deals"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.contains("target changes nothing: no deal was different with 11, 61"), "{stdout}");
}

#[test]
fn combinations_that_the_rules_refuse_are_left_out_by_name() {
    let sandbox = Sandbox::new();
    let config = "seed = 4\n[sweep]\nbase = \"dummy-whist\"\ndeals = 20\npanel = [\"cautious\"]\n[sweep.axes]\n\
                  nt-double = [true, false]\ndoubles-stack = [true, false]\n";
    sandbox.write("s.toml", config);
    let (code, stdout, stderr) = sandbox.run(&["sweep", "s.toml", "--out", "out"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let said = in_a_line(&stdout);
    assert!(said.contains("left out, as the rules refuse it ("), "{stdout}");
    assert!(said.contains("): doubles-stack false, nt-double false"), "{stdout}");
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(sandbox.path("out/summary.json")).unwrap()).unwrap();
    let left_out = serde_json::json!(["doubles-stack false, nt-double false"]);
    assert_eq!((&summary["points"], &summary["left-out"]), (&3.into(), &left_out));
    sweep(&sandbox, &["out/config.toml", "--out", "again"]);
    same_sweep(&sandbox.path("out"), &sandbox.path("again"));
    // A value that no combination allows is an error, as before.
    sandbox.write("none.toml", &config.replace("[true, false]\ndoubles", "[1, 2]\ndoubles"));
    assert!(sandbox.refused(&["sweep", "none.toml"]).contains("`sweep.axes.nt-double`"));
}

#[test]
fn no_measure_that_is_wanted_is_left_out_of_a_narrow_terminal() {
    let sandbox = Sandbox::new();
    let wanted =
        ["skill-variance", "seat-advantage-won", "seat-advantage-sd", "seat-dealer-won", "tied", "exceptional"];
    let wishes: String = wanted.iter().map(|measure| format!("{measure} = \"more\"\n")).collect();
    let config = CONFIG.split("[sweep.want]").next().unwrap().replace("deals = 400", "deals = 150");
    sandbox.write("s.toml", &format!("{config}[sweep.want]\n{wishes}"));
    let (code, stdout, stderr) = sandbox.run(&["sweep", "s.toml"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout.lines().all(|line| line.chars().count() <= 80), "{stdout}");
    let tables: Vec<&str> = stdout.lines().take_while(|line| !line.starts_with("largest")).collect();
    for measure in wanted {
        assert!(tables.iter().any(|line| line.contains(measure)), "{measure}: {stdout}");
    }
    // Each effect once, against a value that is named.
    let mut effects: Vec<&str> = stdout.lines().filter(|line| line.contains(" against ")).collect();
    assert!(!effects.is_empty(), "{stdout}");
    let all = effects.len();
    effects.sort_unstable();
    effects.dedup();
    assert!(effects.len() == all && effects.iter().all(|line| !line.contains("match-bonus 10 against")), "{stdout}");
}
