//! `overtrick explain`: what it writes, what it leaves alone, what it refuses.

use std::fs;

use crate::fixtures::sandbox::{CONFIG, Sandbox, in_a_line, rows};
use overtrick::report::OUTPUTS;

const DOUBLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doubles/double.py");

/// A sandbox after a run in which `rule-based` met `one` and `two`.
fn played() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("t.toml", &CONFIG.replace("\"three\"", "\"rule-based\"").replace("deals = 300", "deals = 60"));
    let (code, _, stderr) = sandbox.run(&["run", "t.toml", "--quiet"]);
    assert_eq!(code, 0, "{stderr}");
    sandbox
}

#[test]
fn an_explanation_is_told_and_written_and_changes_no_byte_of_the_results() {
    let sandbox = played();
    let results = || -> Vec<Vec<u8>> {
        OUTPUTS.iter().map(|output| fs::read(sandbox.path("results/t").join(output.name)).unwrap()).collect()
    };
    let before = results();
    let (code, stdout, stderr) = sandbox.run(&["explain", "results/t", "rule-based", "one"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let text = in_a_line(&stdout);
    assert!(text.starts_with("dumbo: rule-based gains "), "{text}");
    assert!(text.contains("points a deal over one by "), "{text}");
    assert!(text.contains("one was asked at each of rule-based's "), "{text}");
    assert!(text.ends_with("explain.csv and explain.json are in results/t"), "{text}");
    assert!(before == results());
    // Every game that is named can be seen again.
    let lines: Vec<&str> = stdout.lines().collect();
    let games: Vec<&[&str]> = lines.windows(2).filter(|pair| pair[1].contains("overtrick replay ")).collect();
    assert_eq!(games.len(), 2 * 6, "{stdout}");
    let [comment, command] = [0, 1].map(|line| games[0][line].trim());
    let (code, shown, stderr) = sandbox.run(&command.split_whitespace().skip(1).collect::<Vec<_>>());
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(shown.starts_with("dumbo, deal ") && comment.starts_with('+'), "{comment} {shown}");
    // The files hold the margins of pairs.csv to the last digit that is written there.
    let margins: Vec<_> = rows(&sandbox.path("results/t/explain.csv"));
    let pairs = rows(&sandbox.path("results/t/pairs.csv"));
    for variant in ["dumbo", "colour-blind-2"] {
        let of = |row: &&crate::fixtures::sandbox::Row| row["variant"] == variant;
        let margin = margins.iter().filter(of).find(|row| row["table"] == "margin").unwrap();
        let pair = pairs.iter().filter(of).find(|row| row["bot-a"] == "one" && row["bot-b"] == "rule-based").unwrap();
        assert_eq!(format!("-{}", margin["share"]), pair["difference"]);
        let points = |table: &str| -> i64 {
            let own = margins.iter().filter(of).filter(|row| row["table"] == table);
            own.map(|row| row["points"].parse::<i64>().unwrap()).sum()
        };
        for table in ["phase", "choice", "seat", "trick", "longest-suit"] {
            assert_eq!(points(table), points("margin"), "{table} of {variant}");
        }
    }
    // The page of the run shows it.
    assert_eq!(sandbox.run(&["report", "results/t", "--quiet"]).0, 0);
    let page = fs::read_to_string(sandbox.path("results/t/report.html")).unwrap();
    let shown = page.matches(">Where they part</h").count();
    assert!(shown == 2 && page.contains("The numbers, as in explain.csv"), "{shown}");
    let sentence = in_a_line(&stdout).split_once(": ").unwrap().1.split_once(" points").unwrap().0.to_owned();
    assert!(page.contains(&sentence), "{sentence}");
    // The same on any number of threads, wherever it is written, and as a run's earlier explanation it goes away.
    let file = |folder: &str, name: &str| fs::read(sandbox.path(folder).join(name)).unwrap();
    let args = ["explain", "results/t", "rule-based", "one", "--threads", "1", "--out", "new", "--quiet"];
    assert_eq!(sandbox.run(&args), (0, String::new(), String::new()));
    for name in ["explain.csv", "explain.json"] {
        assert!(file("results/t", name) == file("new", name), "{name}");
    }
    for (format, name) in [("csv", "explain.csv"), ("json", "explain.json")] {
        let (code, stdout, _) = sandbox.run(&["explain", "results/t", "rule-based", "one", "--format", format]);
        assert_eq!(code, 0);
        assert!(stdout.into_bytes() == file("new", name), "{format}");
    }
    assert_eq!(sandbox.run(&["run", "t.toml", "--quiet"]).0, 0);
    assert!(!sandbox.path("results/t/explain.csv").exists() && !sandbox.path("results/t/explain.json").exists());
}

#[test]
fn what_cannot_be_explained_gets_one_message_and_no_file() {
    let sandbox = played();
    let refused = |args: &[&str], what: &str| {
        let message = sandbox.refused(&[&["explain"], args].concat());
        assert!(message.contains(what) && message.lines().count() == 1, "{message}");
        assert!(!sandbox.path(args[0]).join("explain.csv").exists());
    };
    refused(
        &["results/t", "rule-base", "one"],
        "error: \"rule-base\" is no bot of this run (did you mean rule-based?)",
    );
    refused(&["results/t", "one", "three"], "error: \"three\" is no bot of this run");
    refused(&["results/t", "one", "one"], "results/t: the two bots are one and the same, one");
    refused(&["nowhere", "one", "two"], "these are no results of `overtrick run`");
    assert!(!sandbox.path("nowhere").exists());
    let run = |lines: &str, bots: &str, out: &str, args: &[&str]| {
        sandbox.write(
            "u.toml",
            &format!("seed = 1\ndeals = 20\n{lines}\nvariants = [\"colour-blind-2\"]\nbots = [{bots}]"),
        );
        let (code, _, stderr) = sandbox.run(&[&["run", "u.toml", "--quiet", "--out", out], args].concat());
        assert_eq!(code, 0, "{stderr}");
    };
    run("", "\"one\", \"two\"", "half", &["--shard", "1/2"]);
    refused(&["half", "one", "two"], "put the shards together");
    run("format = \"mirror\"", "\"one\", \"two\"", "mirror", &[]);
    refused(&["mirror", "one", "two"], "is a mirror, in which no bot met another");
    run("format = \"gauntlet\"\ncandidate = \"one\"", "\"one\", \"two\", \"three\"", "gauntlet", &[]);
    refused(&["gauntlet", "two", "three"], "two and three did not meet in this run: a gauntlet");
    sandbox.write(
        "u.toml",
        "seed = 1\nmatches = 3\nunit = \"match\"\nvariants = [\"colour-blind-2\"]\nbots = [\"one\", \"two\"]",
    );
    assert_eq!(sandbox.run(&["run", "u.toml", "--quiet", "--out", "matches"]).0, 0);
    refused(&["matches", "one", "two"], "is of whole matches");
    sandbox.write("results/t/explain.csv", "variant,bot\n");
    sandbox.write("results/t/explain.json", "{}");
    let message = sandbox.refused(&["report", "results/t"]);
    assert!(message.contains("explain.csv:1: has no column `bot-a`"), "{message}");
    fs::remove_file(sandbox.path("results/t/explain.csv")).unwrap();
    let tally = sandbox.path("results/t/tally.bin");
    let whole = fs::read(&tally).unwrap();
    fs::write(&tally, &whole[..whole.len() / 2]).unwrap();
    refused(&["results/t", "one", "two"], "tally.bin: is damaged");
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    fs::write(&tally, &damaged).unwrap();
    refused(&["results/t", "one", "two"], "tally.bin: is damaged");
    fs::create_dir(sandbox.path("tuned")).unwrap();
    sandbox.write("tuned/tune.csv", "");
    refused(&["tuned", "one", "two"], "holds results of `overtrick tune`; give the folder of a run");
}

#[test]
fn an_unfinished_or_partial_run_says_that_it_is_one() {
    let sandbox = played();
    fs::create_dir(sandbox.path("begun")).unwrap();
    let mut begun = overtrick::run::Snapshot::read(&sandbox.path("results/t/tally.bin")).unwrap().unwrap();
    begun.finished = false;
    begun.runs.truncate(1);
    fs::write(sandbox.path("begun/checkpoint.bin"), begun.to_bytes()).unwrap();
    let (code, stdout, _) = sandbox.run(&["explain", "begun", "rule-based", "one"]);
    assert_eq!(code, 0);
    let text = in_a_line(&stdout);
    assert!(text.starts_with("note: the run is not finished: this explains the deals so far"), "{text}");
    assert!(text.contains("nothing yet of colour-blind-2") && !text.contains("colour-blind-2: "), "{text}");
    let json = fs::read_to_string(sandbox.path("begun/explain.json")).unwrap();
    assert!(json.contains("the run is not finished"));
    for shard in ["1/3", "3/3"] {
        assert_eq!(sandbox.run(&["run", "t.toml", "--quiet", "--shard", shard]).0, 0);
    }
    let parts = ["results/t-1-of-3", "results/t-3-of-3"];
    assert_eq!(sandbox.run(&["merge", parts[0], parts[1], "--partial", "--out", "parts", "--quiet"]).0, 0);
    let (code, stdout, _) = sandbox.run(&["explain", "parts", "rule-based", "one", "--format", "csv"]);
    assert_eq!(code, 0);
    assert!(stdout.starts_with("variant,bot-a,bot-b,table,category,partings,decisions,points,share,low,high\n"));
    let margin = rows(&sandbox.path("parts/explain.csv"))[0]["share"].clone();
    let pairs = rows(&sandbox.path("parts/pairs.csv"));
    let pair = pairs.iter().find(|row| row["bot-a"] == "one" && row["bot-b"] == "rule-based").unwrap();
    assert_eq!(format!("-{margin}"), pair["difference"]);
}

#[test]
fn bots_outside_of_the_process_are_explained_and_explain() {
    let sandbox = Sandbox::new();
    let outside = |how: &str| {
        format!(
            "{{name = {how:?}, strategy = \"process\", parameters = {{command = [\"python3\", \"-S\", {DOUBLE:?}, {how:?}], \
             move-timeout = 600, start-timeout = 600, memory-limit = 256}}}}"
        )
    };
    let bots = [outside("honest"), outside("witness"), "\"rule-based\"".to_owned()].join(", ");
    sandbox
        .write("t.toml", &format!("seed = 2\ndeals = 6\naudit = 0.0\nvariants = [\"colour-blind\"]\nbots = [{bots}]"));
    // Each thread has its processes, which take longest to start.
    assert_eq!(sandbox.run(&["run", "t.toml", "--threads", "1", "--quiet"]).0, 0);
    for (a, b) in [("honest", "rule-based"), ("rule-based", "witness")] {
        let (code, stdout, stderr) = sandbox.run(&["explain", "results/t", a, b, "--threads", "1"]);
        assert_eq!((code, stderr.as_str()), (0, ""));
        assert!(!stdout.contains("note:"), "{stdout}");
        let margin = rows(&sandbox.path("results/t/explain.csv"))[0].clone();
        let pairs = rows(&sandbox.path("results/t/pairs.csv"));
        let pair = pairs
            .iter()
            .find(|row| [a, b].iter().all(|bot| [&row["bot-a"], &row["bot-b"]].contains(&&(*bot).to_owned())));
        let pair = pair.unwrap();
        let sign = if pair["bot-a"] == a { 1.0 } else { -1.0 };
        let number = |text: &str| text.parse::<f64>().unwrap();
        assert_eq!(number(&margin["share"]), sign * number(&pair["difference"]));
        assert!(margin["partings"].parse::<u64>().unwrap() > 0);
    }
    // The two that choose alike are parted by nothing.
    let (code, stdout, _) = sandbox.run(&["explain", "results/t", "honest", "witness", "--threads", "1"]);
    assert_eq!(code, 0);
    assert!(in_a_line(&stdout).contains("honest and witness chose alike at all "), "{stdout}");
}
