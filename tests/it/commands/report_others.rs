//! The pages of tuning and of sweeps: whole, safe, with the numbers of the files, refused where these are damaged.

use std::collections::BTreeSet;
use std::fs;
use std::sync::OnceLock;

use crate::fixtures::sandbox::Sandbox;
use crate::fixtures::tunings;

/// A sweep of two rules, one of which takes words.
const SWEEP: &str = r#"
seed = 7
[sweep]
base = "dumbo"
deals = 150
panel = ["random", "cautious"]
[sweep.axes]
match-bonus = [0, 10, 20]
dumbo-exposed = ["before-lead", "after-lead"]
[sweep.want]
seat-advantage-won = { max = 0.2 }
skill-sd = "more"
"#;

/// A file: its path in a sandbox, and what it holds.
type Made = (String, Vec<u8>);

/// A sandbox with finished results in `tuned` and `swept`. They are made once, and copied for each test.
fn done() -> Sandbox {
    static MADE: OnceLock<Vec<Made>> = OnceLock::new();
    let sandbox = Sandbox::new();
    sandbox.write("tune.toml", tunings::CONFIG);
    sandbox.write("sweep.toml", SWEEP);
    for folder in ["tuned", "swept"] {
        fs::create_dir(sandbox.path(folder)).unwrap();
    }
    for (path, bytes) in MADE.get_or_init(make) {
        fs::write(sandbox.path(path), bytes).unwrap();
    }
    sandbox
}

/// Tunes and sweeps.
fn make() -> Vec<Made> {
    let sandbox = Sandbox::new();
    sandbox.write("tune.toml", tunings::CONFIG);
    sandbox.write("sweep.toml", SWEEP);
    tunings::tune(&sandbox, &["tune.toml", "--out", "tuned"]);
    assert_eq!(sandbox.run(&["sweep", "sweep.toml", "--out", "swept", "--quiet"]).0, 0);
    let mut made = Vec::new();
    for folder in ["tuned", "swept"] {
        for entry in fs::read_dir(sandbox.path(folder)).unwrap() {
            let entry = entry.unwrap();
            let path = format!("{folder}/{}", entry.file_name().to_str().unwrap());
            made.push((path, fs::read(entry.path()).unwrap()));
        }
    }
    made
}

fn page(sandbox: &Sandbox, folders: &[&str]) -> String {
    let args = [&["report"], folders, &["--out", "page.html", "--force"]].concat();
    assert_eq!(sandbox.run(&args), (0, "the page is page.html\n".to_owned(), String::new()));
    fs::read_to_string(sandbox.path("page.html")).unwrap()
}

/// Returns each text that stands between two others.
fn between<'a>(page: &'a str, from: &str, to: &str) -> Vec<&'a str> {
    page.split(from).skip(1).map(|rest| rest.split(to).next().unwrap()).collect()
}

/// All cells of the CSV files of a folder, as a page has them.
fn cells(sandbox: &Sandbox, folder: &str) -> BTreeSet<String> {
    let files = fs::read_dir(sandbox.path(folder)).unwrap().map(|entry| entry.unwrap().path());
    let tables = files.filter(|file| file.extension().is_some_and(|ending| ending == "csv"));
    let mut found = BTreeSet::new();
    for file in tables {
        let mut reader = csv::Reader::from_path(file).unwrap();
        for record in reader.records() {
            found.extend(record.unwrap().iter().map(|cell| cell.replace('"', "&quot;").replace('\'', "&#39;")));
        }
    }
    found
}

#[test]
fn numbers_are_those_of_the_files_and_every_chart_has_a_name_and_a_table() {
    let sandbox = done();
    for (folder, least) in [("tuned", 150), ("swept", 600)] {
        let page = page(&sandbox, &[folder]);
        let all = cells(&sandbox, folder);
        let mut checked = 0;
        for block in between(&page, "<summary>The numbers, as in ", "</details>") {
            for row in block.split("<th scope=\"row\"").skip(1) {
                // Numbers stand in cells without a class.
                for cell in row.split("<tr>").next().unwrap().split("<td>").skip(1) {
                    let number = cell.split('<').next().unwrap().trim();
                    assert!(all.contains(number), "{number:?} is in no file of {folder}");
                    checked += 1;
                }
            }
        }
        assert!(checked > least, "{folder}: {checked}");
        let rounded = between(&page, "data-value=\"", "\"");
        assert!(rounded.len() > 5 && rounded.iter().all(|value| all.contains(*value)), "{folder}: {rounded:?}");
        let charts = page.matches("<svg class=\"chart\"").count();
        assert!(charts >= 7, "{folder}: {charts}");
        for part in between(&page, "<section class=\"part\"", "</section>") {
            let is_charted = part.contains("<svg class=\"chart\" role=\"img\"");
            assert!(!is_charted || (part.contains("<desc") && part.contains("<table")), "{part}");
        }
        let ids: Vec<&str> = between(&page, " id=\"", "\"");
        assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "ids are unique");
        let summary: serde_json::Value =
            serde_json::from_slice(&fs::read(sandbox.path(folder).join("summary.json")).unwrap()).unwrap();
        let sentences = summary["sentences"].as_array().cloned().unwrap_or_else(|| vec![summary["sentence"].clone()]);
        assert!(sentences.iter().all(|sentence| page.contains(sentence.as_str().unwrap())), "{sentences:?}");
    }
    let tuned = page(&sandbox, &["tuned"]);
    for part in
        ["Gain at each line-up", "candidate, start, start", "Trajectory of the search", "Response of each parameter"]
    {
        assert!(tuned.contains(part), "{part}");
    }
    assert!(tuned.contains("Changed: euchre.") && tuned.contains("overtrick tune config.toml"));
    let swept = page(&sandbox, &["swept"]);
    for part in [
        "skill-sd against seat-advantage-won",
        "skill-sd: dumbo-exposed by match-bonus",
        "Effects on skill-sd",
        "Along match-bonus",
    ] {
        assert!(swept.contains(part), "{part}");
    }
    assert!(swept.contains("overtrick sweep config.toml"));
}

/// Asks for the pages of finished results in several ways; `again` are the commands that play theirs again for it.
fn check_pages(again: &[&str]) {
    let sandbox = done();
    for (command, folder) in [("tune", "tuned"), ("sweep", "swept")] {
        let config = format!("{command}.toml");
        let report = sandbox.path(folder).join("report.html");
        assert_eq!(sandbox.run(&["report", folder, "--quiet"]), (0, String::new(), String::new()));
        let first = fs::read(&report).unwrap();
        // A finished sweep or tuning is not played again for its page.
        fs::remove_file(&report).unwrap();
        let (code, stdout, _) = sandbox.run(&[command, &config, "--out", folder, "--resume", "--report"]);
        assert!(code == 0 && stdout.starts_with("nothing to do"), "{stdout}");
        assert!(fs::read(&report).unwrap() == first);
        if !again.contains(&command) {
            continue;
        }
        // Results without a page take an earlier one away.
        assert_eq!(sandbox.run(&[command, &config, "--out", folder, "--quiet", "--threads", "1"]).0, 0);
        assert!(!report.exists());
        assert_eq!(sandbox.run(&[command, &config, "--out", folder, "--quiet", "--report"]).0, 0);
        assert!(fs::read(&report).unwrap() == first);
    }
    // Of several, each has a section; runs are welcome among them.
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet"]).0, 0);
    let all = page(&sandbox, &["results/t", "tuned", "swept"]);
    for label in ["t (1: t)</h2>", "tune (2: tuned)</h2>", "sweep (3: swept)</h2>"] {
        assert!(all.contains(label), "{label}");
    }
    assert!(!all.contains("not finished"));
    let ids: Vec<&str> = between(&all, " id=\"", "\"");
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "ids are unique");
    for way_out in ["http:", "https:", " src=", "<link", "@import", "<img", "style=\"", " onclick", "javascript:"] {
        assert!(!all.contains(way_out), "{way_out}");
    }
}

#[test]
fn the_same_results_of_tuning_make_the_same_page_each_time() {
    check_pages(&["tune"]);
}

#[test]
#[ignore = "long: sweeps again and again"]
fn the_same_results_make_the_same_page_whoever_asks() {
    check_pages(&["tune", "sweep"]);
}

#[test]
fn damaged_results_get_one_message_and_no_page() {
    let sandbox = done();
    let refused = |folder: &str, parts: &[&str]| {
        let message = sandbox.refused(&["report", folder]);
        assert!(
            parts.iter().all(|part| message.contains(part)) && message.lines().count() == 1,
            "{parts:?}: {message}"
        );
        assert!(!sandbox.path(folder).join("report.html").exists());
    };
    // A file of results with a change, and what is then said.
    let with = |folder: &str, name: &str, change: &dyn Fn(String) -> String, parts: &[&str]| {
        let file = sandbox.path(folder).join(name);
        let whole = fs::read_to_string(&file).unwrap();
        let changed = change(whole.clone());
        assert!(changed != whole, "nothing changed in {name}");
        fs::write(&file, changed).unwrap();
        refused(folder, &[&[name], parts].concat());
        fs::write(&file, whole).unwrap();
    };
    let replaced = |from: &'static str, to: &'static str| move |text: String| text.replacen(from, to, 1);
    for (folder, command, names) in [
        ("tuned", "tune", &["best.toml", "optimum.csv", "confirm.csv", "tune.csv", "summary.json", "config.toml"][..]),
        ("swept", "sweep", &["sweep.csv", "effects.csv", "pareto.csv", "seats.csv", "summary.json", "config.toml"][..]),
    ] {
        let again = format!("overtrick {command} CONFIG --force");
        for name in names {
            let file = sandbox.path(folder).join(name);
            let whole = fs::read(&file).unwrap();
            fs::remove_file(&file).unwrap();
            refused(folder, &[&format!("{name}: is missing among these results"), &again]);
            fs::write(&file, whole).unwrap();
        }
        with(folder, "summary.json", &|text| text[..text.len() / 2].to_owned(), &["is no JSON", &again]);
        with(folder, "summary.json", &|_| "[1]".to_owned(), &["is no summary of `overtrick"]);
        with(
            folder,
            "summary.json",
            &replaced("\"schema-version\": 3", "\"schema-version\": 4"),
            &["has schema-version 4"],
        );
        with(folder, "config.toml", &replaced("seed = 7", "seed = 8"), &["its seed is 8, and there it is 7"]);
        with(folder, "config.toml", &|_| "seed = ".to_owned(), &["is no TOML"]);
    }
    with("tuned", "confirm.csv", &replaced("gain,se", "grain,se"), &[":1: has no column `gain`"]);
    with("tuned", "confirm.csv", &replaced("gain,,,", "gain,,,x"), &[":2: `deals`: has \"x"]);
    with("tuned", "optimum.csv", &replaced("parameter", "rule"), &["has no column `parameter`"]);
    with("tuned", "tune.csv", &replaced("euchre.ace", "euchre.face"), &["has no column `euchre.ace`"]);
    with("tuned", "tune.csv", &|text| text + "search,1\n", &["a row has 2 cells instead of"]);
    with("tuned", "tune.csv", &|text| text.replacen(",0,0\n", ",NaN,0\n", 1), &["`margin`: has \"NaN\""]);
    with(
        "tuned",
        "confirm.csv",
        &|text| text.lines().take(2).map(|line| line.to_owned() + "\n").collect(),
        &["gains are others"],
    );
    with("swept", "sweep.csv", &replaced("match-bonus,", "bonus,"), &["has no column `match-bonus`"]);
    with("swept", "sweep.csv", &replaced("\n1,", "\n77,"), &["there is no point \"77\""]);
    with("swept", "sweep.csv", &|text| text.replace(",random,", ",somebody,"), &["there is no bot \"somebody\""]);
    with("swept", "effects.csv", &replaced(",size,", ",length,"), &["has no column `size`"]);
    with("swept", "pareto.csv", &|text| text.lines().next().unwrap().to_owned() + "\n", &["its points are others"]);
    fs::copy(sandbox.path("swept/sweep.csv"), sandbox.path("tuned/sweep.csv")).unwrap();
    refused("tuned", &["`overtrick tune` and of `overtrick sweep` mixed", "--out"]);
    fs::remove_file(sandbox.path("tuned/sweep.csv")).unwrap();
    page(&sandbox, &["tuned", "swept"]);
}

#[test]
fn what_is_not_finished_is_told_how_to_go_on() {
    let sandbox = Sandbox::new();
    for (command, title) in [("tune", "tuning 2"), ("sweep", "sweep 3"), ("league", "league 1")] {
        fs::create_dir(sandbox.path(command)).unwrap();
        sandbox.write(&format!("{command}/checkpoint.bin"), &format!("overtrick {title}, seeding 1\nand so on"));
        let message = sandbox.refused(&["report", command]);
        let expected = format!("{command}: holds `overtrick {command}` that is not finished");
        assert!(message.contains(&expected) && message.contains("CONFIG --resume`"), "{message}");
        assert!(!sandbox.path(command).join("report.html").exists());
    }
}

#[test]
fn texts_of_others_are_shown_as_text() {
    let sandbox = done();
    let hostile = "<script>alert(1)</script>\u{202e}\u{7}&'";
    let shown = "&lt;script&gt;alert(1)&lt;/script&gt;⟨U+202E⟩⟨U+0007⟩&amp;&#39;";
    let replace = |name: &str, from: &str, to: &str| {
        let text = fs::read_to_string(sandbox.path(name)).unwrap();
        assert!(text.contains(from), "{name}");
        sandbox.write(name, &text.replace(from, to));
    };
    let escaped = serde_json::to_string(hostile).unwrap();
    let escaped = escaped.trim_matches('"');
    for name in ["optimum.csv", "tune.csv"] {
        replace(&format!("tuned/{name}"), "euchre.ace", hostile);
    }
    replace("tuned/summary.json", "timid", escaped);
    for name in ["sweep.csv", "effects.csv", "pareto.csv"] {
        replace(&format!("swept/{name}"), "match-bonus", hostile);
        if name != "pareto.csv" {
            replace(&format!("swept/{name}"), "cautious", &format!("c{hostile}"));
        }
    }
    replace("swept/summary.json", "match-bonus", escaped);
    replace("swept/summary.json", "cautious", &format!("c{escaped}"));
    let page = page(&sandbox, &["tuned", "swept"]);
    assert!(page.matches(shown).count() > 50, "{}", page.matches(shown).count());
    assert!(!page.contains("<script>alert") && !page.contains(['\u{202e}', '\u{7}']));
}

#[test]
fn races_surfaces_and_bots_tuned_anew_have_their_pages() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "race.toml",
        "seed = 7\n[tune]\nbots = [\"random\", \"cautious\"]\nvariants = [\"euchre-24\"]\ngames = 12000\n",
    );
    tunings::tune(&sandbox, &["race.toml", "--out", "race", "--report"]);
    let race = page(&sandbox, &["race"]);
    assert!(race.contains("How far each setting is ahead of the start") && !race.contains("Trajectory"));
    let head = "seed = 3\n[sweep]\nbase = \"colour-blind-2\"\ndeals = 60\npanel = [\"cautious\"]\n";
    let anew = "[sweep.axes]\nlowest-score = [-10, 0]\n[sweep.retune]\ngames = 3000\n[sweep.retune.parameters]\n\
                \"colour-blind.hope\" = {}\n";
    sandbox.write("s.toml", &format!("{head}{anew}"));
    assert_eq!(sandbox.run(&["sweep", "s.toml", "--out", "anew", "--quiet", "--report"]).0, 0);
    let swept = page(&sandbox, &["anew"]);
    assert!(swept.contains("At best play") && swept.contains("cautious*") && swept.contains("colour-blind.hope"));
    // More rules than a grid takes; and no rule at all.
    let many = "seed = 3\n[sweep]\nbase = \"dumbo\"\ndeals = 20\npanel = [\"cautious\"]\npoints = 24\n[sweep.axes]\n\
                match-bonus = { low = 0, high = 20, steps = 5 }\ntie-score = [-2, 0]\ntrick-points = [1, 2, 3]\n\
                dumbo-exposed = [\"before-lead\", \"after-lead\"]\n";
    let none = "seed = 3\n[sweep]\nbase = \"dumbo\"\ndeals = 20\npanel = [\"cautious\"]\n";
    for (config, part) in [(many, "Along trick-points"), (none, "at one point")] {
        sandbox.write("s.toml", config);
        assert_eq!(sandbox.run(&["sweep", "s.toml", "--out", "swept", "--quiet", "--force"]).0, 0);
        assert!(page(&sandbox, &["swept"]).contains(part), "{part}");
    }
}

/// Checks the page of a sweep over `values` values of a rule and two of another.
fn check_many_points(values: u32) {
    let sandbox = Sandbox::new();
    let range = format!("{{ low = 0, high = {}, steps = {values} }}", values - 1);
    sandbox.write("s.toml", &SWEEP.replace("deals = 150", "deals = 4").replace("[0, 10, 20]", &range));
    assert_eq!(sandbox.run(&["sweep", "s.toml", "--out", "swept", "--quiet"]).0, 0);
    let page = page(&sandbox, &["swept"]);
    assert!(page.len() < 5_000_000, "{}", page.len());
    let rows = between(&page, "<caption>Each set of rules", "</table>")[0].matches("<tr>").count();
    assert_eq!(rows, 2 * values as usize + 1);
}

#[test]
fn some_points_have_a_row_each_on_their_page() {
    check_many_points(30);
}

#[test]
#[ignore = "long: plays 500 points"]
fn many_points_leave_a_page_that_can_be_sent() {
    check_many_points(250);
}
