//! Pages of deals: what `replay --html` writes, and the tricks given away on pages of runs.

use std::fs;

use serde_json::Value;

use crate::fixtures::sandbox::{CONFIG, Sandbox};

/// A sandbox whose first variant has plays between two sides.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let bots = CONFIG.replace("\"three\"", "\"rule-based\"");
    sandbox.write("t.toml", &bots.replace("\"dumbo\"", "\"euchre-32\""));
    sandbox
}

const DEAL: [&str; 6] = ["replay", "t.toml", "--variant", "euchre-32", "--deal", "3"];

/// Returns the page that `replay` writes.
fn page(sandbox: &Sandbox, args: &[&str]) -> String {
    let (code, stdout, stderr) = sandbox.run(&[args, &["--html", "new/p.html", "--force"]].concat());
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (0, "the page is new/p.html\n", ""));
    fs::read_to_string(sandbox.path("new/p.html")).unwrap()
}

/// Returns the data that the viewers of a page show.
fn data(page: &str) -> Vec<Value> {
    let sources = page.split("class=\"deal-data\">").skip(1);
    sources.map(|rest| serde_json::from_str(rest.split("</script>").next().unwrap()).unwrap()).collect()
}

/// The texts of the games, as readers without a script see them.
fn texts(page: &str) -> String {
    let texts = page.split("<details class=\"game\" open>").skip(1);
    let texts = texts.map(|rest| rest.split("<pre tabindex=\"0\">").nth(1).unwrap().split("</pre>").next().unwrap());
    texts.map(|text| format!("{text}\n")).collect::<String>().replace("&#39;", "'")
}

/// The digits of tricks given away by a record of JSON, as a viewer has them.
fn lost(record: &Value) -> String {
    let moves = record["moves"].as_array().unwrap().iter();
    moves.map(|made| made.get("given-away").map_or("-".to_owned(), Value::to_string)).collect()
}

#[test]
fn a_page_shows_the_deals_that_the_command_prints() {
    let sandbox = sandbox();
    let how = [&DEAL[..], &["--count", "3"]].concat();
    let shown = page(&sandbox, &how);
    assert!(shown == page(&sandbox, &how));
    assert_eq!(texts(&shown), sandbox.run(&how).1);
    let viewers = data(&shown);
    let ids: Vec<&str> = viewers.iter().map(|viewer| viewer["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["r1-0-7-d3", "r1-0-7-d4", "r1-0-7-d5"]);
    assert!(
        shown.contains("<li><a href=\"#r1-0\">euchre-32</a></li>") && shown.contains("Shown: 3 deals of euchre-32.")
    );
    assert!(
        !shown.contains("tricks given away: ") && viewers.iter().all(|viewer| viewer["games"][0].get("lost").is_none())
    );
    // Its command makes it again by the config that it holds.
    let command =
        "replay config.toml --variant euchre-32 --deal 3 --count 3 --lineup one,two,rule-based --html deals.html";
    assert!(shown.contains(&format!(">overtrick {command}</pre>")), "{shown}");
    let config =
        shown.split("config.toml</summary><pre tabindex=\"0\">").nth(1).unwrap().split("</pre>").next().unwrap();
    sandbox.write("config.toml", &config.replace("&quot;", "\"").replace("&#39;", "'"));
    assert_eq!(sandbox.run(&command.split(' ').collect::<Vec<_>>()).0, 0);
    assert!(shown == fs::read_to_string(sandbox.path("deals.html")).unwrap());
    // The policy is that of every page.
    assert!(shown.contains("content=\"default-src &#39;none&#39;; style-src &#39;sha256-"));
}

#[test]
fn tricks_given_away_are_on_the_page_that_asks_for_them() {
    let sandbox = sandbox();
    let how = [&DEAL[..], &["--count", "5", "--analyse"]].concat();
    let shown = page(&sandbox, &how);
    let printed = sandbox.run(&how).1;
    assert_eq!(texts(&shown), printed);
    let records = sandbox.run(&[&how[..], &["--format", "json"]].concat()).1;
    let records: Vec<Value> = records.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let viewers = data(&shown);
    let mut total = 0;
    for (viewer, record) in viewers.iter().zip(&records) {
        assert_eq!(viewer["games"][0]["lost"], lost(record).as_str());
        let by = |seat: usize| {
            let own = record["moves"].as_array().unwrap().iter().filter(|made| made["seat"] == seat);
            own.filter_map(|made| made.get("given-away")?.as_u64()).sum::<u64>()
        };
        let [one, two, three] = [0, 1, 2].map(by);
        total += one + two + three;
        assert!(printed.contains(&format!("given away: p0 {one}, p1 {two}, p2 {three}\n")), "{printed}");
        assert!(shown.contains(&format!("{}; tricks given away: {one}<", record["scores"][0])), "{shown}");
    }
    assert!(total > 0 && viewers.len() == 5, "{total}");
    assert!(shown.contains("Plays that gave away tricks are marked"));
    let other = ["replay", "t.toml", "--variant", "colour-blind-2", "--deal", "3", "--analyse"];
    assert!(page(&sandbox, &other).contains("There was no play between two sides to judge."));
}

#[test]
fn records_make_a_page_too() {
    let sandbox = sandbox();
    let json = [&DEAL[..], &["--count", "2", "--analyse", "--format", "json"]].concat();
    let deals = sandbox.run(&json).1;
    // The same deal by others, a match, and a name that is not to be trusted.
    let others = [&DEAL[..], &["--lineup", "two,one,rule-based", "--format", "json"]].concat();
    let others = sandbox.run(&others).1.replace("\"two\"", "\"</script><b>\u{202e}\"");
    let matches = CONFIG.replace("deals = 300", "unit = \"match\"\nmatches = 2");
    sandbox.write("m.toml", &matches);
    let of_match = ["replay", "m.toml", "--variant", "dumbo", "--deal", "1", "--format", "json"];
    let of_match = sandbox.run(&of_match).1;
    sandbox.write("r.jsonl", &format!("{deals}{of_match}{others}"));
    let shown = page(&sandbox, &["replay", "--record", "r.jsonl"]);
    assert!(shown == page(&sandbox, &["replay", "--record", "r.jsonl"]));
    let viewers = data(&shown);
    let ids: Vec<&str> = viewers.iter().map(|viewer| viewer["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["r1-0-7-d3", "r1-0-7-d4", "r1-1-7-m1"]);
    let games: Vec<usize> = viewers.iter().map(|viewer| viewer["games"].as_array().unwrap().len()).collect();
    assert_eq!(games, [2, 1, of_match.lines().count()]);
    let first: Value = serde_json::from_str(deals.lines().next().unwrap()).unwrap();
    assert_eq!(viewers[0]["games"][0]["lost"], lost(&first).as_str());
    assert!(viewers[0]["games"][1].get("lost").is_none());
    assert!(shown.contains("&lt;/script&gt;&lt;b&gt;⟨U+202E⟩") && !shown.contains("</script><b>"));
    // There is no config to play them by.
    assert!(!shown.contains("How to get it again") && viewers.iter().all(|viewer| viewer["config"] == false));
}

#[test]
fn what_cannot_be_a_page_is_refused_and_writes_nothing() {
    let sandbox = sandbox();
    let refused = |args: &[&str], what: &str| {
        let message = sandbox.refused(&[&DEAL[..], args].concat());
        assert!(message.contains(what), "{message}");
    };
    refused(&["--html", "p.html", "--format", "json"], "cannot be used with");
    fs::create_dir(sandbox.path("folder")).unwrap();
    refused(&["--html", "folder"], "--html");
    refused(&["--html", "new/p.html", "--lineup", "one,two,nobody"], "no bot of this tournament");
    sandbox.write("r.jsonl", "{}\n");
    let message = sandbox.refused(&["replay", "--record", "r.jsonl", "--html", "new/p.html"]);
    assert!(message.contains("r.jsonl") && !sandbox.path("new").exists(), "{message}");
}

#[test]
fn the_page_of_a_run_judges_plays_when_that_is_asked() {
    let sandbox = sandbox();
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet"]).0, 0);
    let report = |args: &[&str]| {
        let (code, _, stderr) = sandbox.run(&[&["report", "results/t"], args].concat());
        assert_eq!((code, stderr.as_str()), (0, ""));
        fs::read_to_string(sandbox.path("results/t/report.html")).unwrap()
    };
    let plain = report(&[]);
    assert!(
        !plain.contains("tricks given away: ")
            && data(&plain).iter().all(|viewer| viewer["games"][0].get("lost").is_none())
    );
    let judged = report(&["--analyse"]);
    assert!(judged == report(&["--analyse"]));
    assert!(judged.contains("There was no play between two sides to judge."));
    let mut marked = 0;
    for viewer in data(&judged).iter().filter(|viewer| viewer["shared"]["variant"] == "euchre-32") {
        let number = viewer["shared"]["deal"].to_string();
        for game in viewer["games"].as_array().unwrap() {
            let seated: Vec<&str> =
                game["rest"]["seating"].as_array().unwrap().iter().map(|bot| bot.as_str().unwrap()).collect();
            let how = ["--lineup", &seated.join(","), "--analyse", "--format", "json"];
            let record = sandbox.run(&[&DEAL[..5], &[&number], &how[..]].concat()).1;
            let lost = lost(&serde_json::from_str(&record).unwrap());
            if lost.contains('0') {
                assert_eq!(game["lost"], lost.as_str());
                marked += usize::from(lost.contains(|digit| digit > '0'));
            }
        }
    }
    assert!(marked > 0);
}
