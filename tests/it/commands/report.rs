//! The page of a run: whole, safe, the same for the same results, and with the numbers of the files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use base64::Engine as _;
use sha2::{Digest, Sha256};

use crate::fixtures::sandbox::{CONFIG, Sandbox};

/// A run of a small config, and its page.
fn played(sandbox: &Sandbox, args: &[&str]) -> String {
    let (code, _, stderr) = sandbox.run(&[&["run", "t.toml", "--quiet"], args].concat());
    assert_eq!(code, 0, "{stderr}");
    page(sandbox, "results/t")
}

fn page(sandbox: &Sandbox, folder: &str) -> String {
    let (code, stdout, stderr) = sandbox.run(&["report", folder]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(stdout, format!("the page is {folder}/report.html\n"));
    fs::read_to_string(sandbox.path(folder).join("report.html")).unwrap()
}

/// A sandbox whose bots are not all alike: those that are have no deals that make a difference.
fn unequal() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("t.toml", &CONFIG.replace("\"three\"", "\"rule-based\""));
    sandbox
}

/// Returns each text that stands between two others.
fn between<'a>(page: &'a str, from: &str, to: &str) -> Vec<&'a str> {
    page.split(from).skip(1).map(|rest| rest.split(to).next().unwrap()).collect()
}

#[test]
fn the_same_results_make_the_same_page() {
    let sandbox = unequal();
    let one = played(&sandbox, &["--threads", "1"]);
    assert!(one == page(&sandbox, "results/t"));
    fs::remove_dir_all(sandbox.path("results")).unwrap();
    assert!(one == played(&sandbox, &["--threads", "2"]));
    assert_eq!(
        sandbox.run(&["report", "results/t", "--out", "new/p.html", "--quiet"]),
        (0, String::new(), String::new())
    );
    assert!(one == fs::read_to_string(sandbox.path("new/p.html")).unwrap());
    // A run without it takes the page of earlier results away, one with it writes the same.
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet"]).0, 0);
    assert!(!sandbox.path("results/t/report.html").exists());
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet", "--report"]).0, 0);
    assert!(one == fs::read_to_string(sandbox.path("results/t/report.html")).unwrap());
}

#[test]
fn its_policy_admits_its_own_style_and_script_alone() {
    let sandbox = Sandbox::new();
    let page = played(&sandbox, &[]);
    let hash = |from: &str, to: &str| {
        let found = between(&page, from, to);
        assert_eq!(found.len(), 1, "{from}");
        base64::engine::general_purpose::STANDARD.encode(Sha256::digest(found[0]))
    };
    let (style, script) = (hash("<style>", "</style>"), hash("<script>", "</script>"));
    let policy = format!(
        "content=\"default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; base-uri 'none'; form-action 'none'\""
    );
    let policy = policy.replace('\'', "&#39;");
    assert!(page.contains(&policy), "{policy}");
    for way_out in ["http:", "https:", " src=", "<link", "@import", "<img", "style=\"", " onclick", "javascript:"] {
        assert!(!page.contains(way_out), "{way_out}");
    }
}

#[test]
fn its_numbers_are_those_of_the_files() {
    let sandbox = unequal();
    let page = played(&sandbox, &[]);
    let mut checked = 0;
    for block in between(&page, "<summary>The numbers, as in ", "</details>") {
        let file = block.split('<').next().unwrap();
        let text = fs::read_to_string(sandbox.path("results/t").join(file)).unwrap();
        let cells: BTreeSet<&str> = text.lines().flat_map(|line| line.split(',')).collect();
        for row in between(block, "<tr><th scope=\"row\"", "</tr>") {
            for cell in row.split("<td").skip(1) {
                let number = cell.split('>').nth(1).unwrap().split('<').next().unwrap().trim();
                assert!(cells.contains(number), "{number:?} is not in {file}");
                checked += 1;
            }
        }
    }
    assert!(checked > 500, "{checked}");
    let files = ["bots", "ratings", "pairs", "seats", "contracts", "balance", "curves", "swings"];
    let all: BTreeSet<String> = files
        .iter()
        .flat_map(|name| {
            let text = fs::read_to_string(sandbox.path(&format!("results/t/{name}.csv"))).unwrap();
            text.lines().flat_map(|line| line.split(',')).map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    // Rounded numbers are those of the files, too.
    let rounded = between(&page, "data-value=\"", "\"");
    assert!(rounded.len() > 60, "{}", rounded.len());
    let counted = between(&page, "<summary>The numbers, from the tallies", "</details>").concat();
    // A difference seen from the other side has the other sign.
    let (crossed, turned) =
        (between(&page, "Every bot against every other", "<details")[0], |value: &str| match value.strip_prefix('-') {
            Some(rest) => rest.to_owned(),
            None => format!("-{value}"),
        });
    for value in rounded.iter().filter(|value| !counted.contains(**value)) {
        let is_crossed = crossed.contains(&format!("data-value=\"{value}\""));
        assert!(all.contains(*value) || (is_crossed && all.contains(&turned(value))), "{value:?}");
    }
    // So each two bots are there twice.
    assert_eq!(between(crossed, "data-value=\"", "\"").len(), 6);
    // Each sentence of the terminal is on it.
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(sandbox.path("results/t/summary.json")).unwrap()).unwrap();
    for headline in summary["headlines"].as_array().unwrap() {
        let text = headline["text"].as_str().unwrap().replace('>', "&gt;").replace('<', "&lt;");
        assert!(page.contains(&text), "{text}");
    }
}

#[test]
fn deals_are_those_that_replay_shows() {
    let sandbox = unequal();
    let page = played(&sandbox, &[]);
    let games = between(&page, "<pre tabindex=\"0\">dumbo, deal ", "</pre>");
    assert!(games.len() >= 6, "{}", games.len());
    for game in &games[..6] {
        let number = game.split(',').next().unwrap();
        let seated: Vec<&str> =
            (game.lines().skip(1).take(3)).map(|line| line.split_whitespace().nth(1).unwrap()).collect();
        let (_, shown, _) = sandbox.run(&[
            "replay",
            "results/t/config.toml",
            "--variant",
            "dumbo",
            "--deal",
            number,
            "--lineup",
            &seated.join(","),
        ]);
        assert_eq!(shown.trim_end(), format!("dumbo, deal {game}").trim_end().replace("&gt;", ">"));
    }
}

/// A config of bots that differ.
const RANKED: &str = "seed = 7\ndeals = 300\nvariants = [\"dumbo\", \"colour-blind-2\"]\nbots = [\"random\", \"cautious\", \"rule-based\"]\n";

/// The rows of a file of results, by the names of its columns.
fn rows(sandbox: &Sandbox, file: &str) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_path(sandbox.path("results/t").join(file)).unwrap();
    reader.deserialize().map(|row| row.unwrap()).collect()
}

#[test]
fn a_summary_over_all_variants_comes_first() {
    let sandbox = Sandbox::new();
    sandbox.write("t.toml", RANKED);
    let page = played(&sandbox, &[]);
    let summaries = between(&page, "<section class=\"part\" id=\"r1-summary\">", "</section>");
    assert_eq!(summaries.len(), 1);
    let before = page.split("id=\"r1-summary\"").next().unwrap();
    assert!(!before.contains("class=\"variant\"") && !before.contains("<table"), "something comes before the summary");
    let mut checked = 0;
    for rating in rows(&sandbox, "ratings.csv").iter().filter(|row| row["variant"] != "all") {
        let row = between(summaries[0], &format!(">{}</a>", rating["variant"]), "</tr>")[0];
        assert!(row.contains(&format!("data-value=\"{}\"", rating["ahead"])), "{rating:?} is not in {row}");
        checked += 1;
    }
    assert_eq!(checked, 6);
    // A single variant needs none.
    sandbox.write("t.toml", &RANKED.replace(", \"colour-blind-2\"", ""));
    assert!(!played(&sandbox, &["--force"]).contains("r1-summary"));
}

#[test]
fn the_first_deals_are_between_the_best() {
    let sandbox = Sandbox::new();
    sandbox.write("t.toml", RANKED);
    let page = played(&sandbox, &[]);
    let ratings = rows(&sandbox, "ratings.csv");
    for variant in ["dumbo", "colour-blind-2"] {
        let section = between(&page, &format!("-h\">{variant}</h3>"), "<h3")[0];
        let best: Vec<&str> =
            ratings.iter().filter(|row| row["variant"] == variant).map(|row| row["bot"].as_str()).collect();
        let article = between(section, "<article class=\"deal\"", "</article>")[0];
        let sentences = between(article, "<p>On average over its games, ", ":");
        let both = |one: &str, other: &str| {
            let ends = (format!("{one} scored "), format!(" points more than {other}"));
            sentences.iter().any(|sentence| sentence.starts_with(&ends.0) && sentence.ends_with(&ends.1))
        };
        assert!(both(best[0], best[1]) || both(best[1], best[0]), "{best:?}: {}", &article[..400]);
    }
    // In a game for two, no other bot sits there.
    let section = between(&page, "-h\">colour-blind-2</h3>", "</main>")[0];
    let article = between(section, "<article class=\"deal\"", "</article>")[0];
    assert!(!article.contains("data-bot=\"random\""));
}

#[test]
fn folders_without_results_get_one_message_and_no_page() {
    let sandbox = Sandbox::new();
    let refused = |folder: &str, what: &str| {
        let message = sandbox.refused(&["report", folder]);
        assert!(message.contains(what) && message.lines().count() == 1, "{message}");
        assert!(!sandbox.path(folder).join("report.html").exists());
    };
    refused("nowhere", "holds no results of a run");
    assert!(!sandbox.path("nowhere").exists());
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet"]).0, 0);
    let tally = sandbox.path("results/t/tally.bin");
    let whole = fs::read(&tally).unwrap();
    fs::write(&tally, &whole[..whole.len() / 2]).unwrap();
    refused("results/t", "tally.bin: is damaged");
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    fs::write(&tally, &damaged).unwrap();
    refused("results/t", "tally.bin: is damaged");
    fs::write(&tally, "something else").unwrap();
    refused("results/t", "tally.bin: is no file of tallies");
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet", "--shard", "1/2"]).0, 0);
    refused("results/t-1-of-2", "put the shards together");
    let message = sandbox.refused(&["run", "t.toml", "--shard", "1/2", "--report"]);
    assert!(message.contains("--report"), "{message}");
}

#[test]
fn an_unfinished_run_says_that_it_is_one_and_several_have_a_section_each() {
    let sandbox = Sandbox::new();
    let finished = played(&sandbox, &[]);
    assert!(!finished.contains("not finished"));
    // The files that are left where a run is killed between its checkpoint and its results.
    fs::create_dir(sandbox.path("begun")).unwrap();
    let mut begun = overtrick::run::Snapshot::read(&sandbox.path("results/t/tally.bin")).unwrap().unwrap();
    begun.finished = false;
    begun.runs.truncate(1);
    fs::write(sandbox.path("begun/checkpoint.bin"), begun.to_bytes()).unwrap();
    let unfinished = page(&sandbox, "begun");
    assert!(unfinished.contains("This run is not finished."));
    assert!(unfinished.contains("300 deals of dumbo.") && !unfinished.contains("<h3 id=\"r1-1-h\">"));
    assert_eq!(sandbox.run(&["report", "results/t", "begun", "--out", "both.html"]).0, 0);
    let both = fs::read_to_string(sandbox.path("both.html")).unwrap();
    assert!(both.contains("t (1: t)</h2>") && both.contains("t (2: begun)</h2>"));
    let ids: Vec<&str> = between(&both, " id=\"", "\"");
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len(), "ids are unique");
}

#[test]
fn texts_of_others_are_shown_as_text() {
    let sandbox = Sandbox::new();
    let variant = "name = \"mine\"\nabout = \"<script>alert(1)</script> \\\"'& \\u202Eabc\\u0007\"\nbase = \"dumbo\"\n";
    sandbox.write("mine.toml", variant);
    sandbox.write("t.toml", &CONFIG.replace("\"dumbo\", \"colour-blind-2\"", "\"mine.toml\""));
    let page = played(&sandbox, &[]);
    assert!(page.contains("&lt;script&gt;alert(1)&lt;/script&gt; &quot;&#39;&amp; ⟨U+202E⟩abc⟨U+0007⟩"));
    assert!(!page.contains("<script>alert") && !page.contains(['\u{202e}', '\u{7}']));
}

/// The page of a run of `count` bots.
fn page_of(count: u32) -> String {
    let sandbox = Sandbox::new();
    let names: Vec<String> = (0..count).map(|number| format!("bot-{number}")).collect();
    let bots =
        names.iter().map(|name| format!("{{ name = {name:?}, strategy = \"random\" }}")).collect::<Vec<_>>().join(", ");
    let config = format!("seed = 1\ndeals = 8\nvariants = [\"colour-blind-2\"]\nbots = [{bots}]\n");
    sandbox.write("t.toml", &config);
    played(&sandbox, &[])
}

#[test]
fn the_first_of_some_bots_are_on_the_page() {
    let page = page_of(40);
    assert!(page.contains("The first 24 of 40 bots; all are in pairs.csv."));
    assert!(page.contains("156 more rows are in pairs.csv.") && !page.contains("more rows are in bots.csv"));
}

#[test]
#[ignore = "long: plays with 300 bots"]
fn many_bots_leave_a_page_that_can_be_sent() {
    let page = page_of(300);
    assert!(page.len() < 5_000_000, "{}", page.len());
    assert!(page.contains("180 more rows are in bots.csv and ratings.csv."));
    assert!(page.contains("The first 24 of 300 bots; all are in pairs.csv."));
}
