//! `--log`: a row for each deal and seat.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::Path;

use flate2::read::MultiGzDecoder;
use overtrick::tournament::{Overrides, Tournament};
use serde_json::Value;

use crate::fixtures::records;
use crate::fixtures::sandbox::{Sandbox, same_files};

/// All five games, with bots that know what they do.
const GAMES: &str = r#"
seed = 11
deals = 40
variants = ["dumbo", "euchre-32", "dummy-whist", "humbug", "colour-blind-2", "chameleon"]
bots = ["rule-based", "random", "cautious"]
"#;

/// The same with a few quick variants and `deals` deals.
fn few(deals: u32) -> String {
    let all = "\"dumbo\", \"euchre-32\", \"dummy-whist\", \"humbug\", \"colour-blind-2\", \"chameleon\"";
    let few = "\"dumbo\", \"euchre-32\", \"colour-blind-2\"";
    assert!(GAMES.contains(all));
    GAMES.replace(all, few).replace("deals = 40", &format!("deals = {deals}"))
}

type Row = BTreeMap<String, String>;

fn rows(file: &Path) -> Vec<Row> {
    csv::Reader::from_path(file).unwrap().deserialize().map(Result::unwrap).collect()
}

fn text_of(file: &Path) -> String {
    let (mut text, bytes) = (String::new(), fs::read(file).unwrap());
    MultiGzDecoder::new(bytes.as_slice()).read_to_string(&mut text).unwrap();
    text
}

fn play(sandbox: &Sandbox, args: &[&str]) {
    let (code, _, stderr) = sandbox.run(&[&["run"], args].concat());
    assert_eq!((code, stderr.as_str()), (0, ""), "{args:?}");
}

/// The sum of a column of whole numbers.
fn sum<'a>(rows: impl IntoIterator<Item = &'a Row>, column: &str) -> i64 {
    rows.into_iter().map(|row| row[column].parse::<i64>().unwrap()).sum()
}

/// A mean as the tables of results round it.
fn mean(sum: i64, count: usize) -> f64 {
    (sum as f64 / count as f64 * 1e6).round() / 1e6
}

#[test]
fn a_log_adds_up_to_the_tables_of_results() {
    let sandbox = Sandbox::new();
    sandbox.write("games.toml", GAMES);
    play(&sandbox, &["games.toml", "--out", "out", "--log", "deals.csv", "--quiet"]);
    let log = rows(&sandbox.path("deals.csv"));
    let number = |row: &Row, column: &str| row[column].parse::<f64>().unwrap();
    let mut compared = 0;
    for (table, key) in [("bots.csv", "bot"), ("seats.csv", "role")] {
        for line in rows(&sandbox.path("out").join(table)) {
            let of_seat = |row: &Row| line.get("seat").is_none_or(|seat| row["role"] == *seat);
            let of_bot = |row: &Row| line["bot"] == "all" || row["bot"] == line["bot"];
            let own = |row: &&Row| row["variant"] == line["variant"] && of_bot(row) && of_seat(row);
            let own: Vec<&Row> = log.iter().filter(own).collect();
            let count = |result: &str| own.iter().filter(|row| row["result"] == result).count();
            assert_eq!(own.len().to_string(), line["deals"], "{key}: {line:?}");
            assert_eq!(mean(sum(own.iter().copied(), "score"), own.len()), number(&line, "mean"), "{line:?}");
            for result in ["won", "tied", "lost"] {
                assert_eq!(mean(count(result) as i64, own.len()), number(&line, result), "{result}: {line:?}");
            }
            compared += 1;
        }
    }
    assert_eq!(compared, 6 * 3 + (4 * 3 + 2 * 2) * 4);
    for line in rows(&sandbox.path("out/contracts.csv")) {
        let own = log.iter().filter(|row| row["variant"] == line["variant"] && row["contract"] == line["contract"]);
        let (declaring, others): (Vec<&Row>, Vec<&Row>) = own.partition(|row| row["seat"] == row["declarer"]);
        if line["bot"] != "all" || ["chosen", "forced"].contains(&line["contract"].as_str()) || declaring.is_empty() {
            continue;
        }
        let made = declaring.iter().filter(|row| row["made"] == "true").count();
        assert_eq!(declaring.len().to_string(), line["deals"], "{line:?}");
        assert_eq!(mean(made as i64, declaring.len()), number(&line, "made"), "{line:?}");
        for (side, column) in [(&declaring, "declarer"), (&others, "others")] {
            if !line[column].is_empty() {
                assert_eq!(mean(sum(side.iter().copied(), "score"), side.len()), number(&line, column), "{line:?}");
            }
        }
        compared += 1;
    }
    assert!(compared > 90, "{compared}");
    let before = compared;
    for line in rows(&sandbox.path("out/balance.csv")).iter().filter(|line| line["bot"] == "all") {
        let own: Vec<&Row> = log.iter().filter(|row| row["variant"] == line["variant"] && row["seat"] == "0").collect();
        let exceptional = own.iter().filter(|row| row["exceptional"] == "true").count();
        assert_eq!(mean(exceptional as i64, own.len()), number(line, "exceptional"), "{line:?}");
        compared += 1;
    }
    assert_eq!(compared, before + 6);
}

/// Compares a log with the records of all its deals, in their order.
fn equals_the_records(config: &str, games: &[&str]) {
    let sandbox = Sandbox::new();
    for variant in games {
        let text = format!("variants = [\"{variant}\"]\n{config}");
        sandbox.write("one.toml", &text);
        play(&sandbox, &["one.toml", "--out", "out", "--log", "deals.csv", "--quiet", "--force"]);
        let log = rows(&sandbox.path("deals.csv"));
        let tournament = Tournament::read(&sandbox.path("one.toml"), Overrides::default()).unwrap();
        let seats = tournament.schedules[0].seats;
        let records = records(&tournament);
        let mut has_dummies = false;
        assert_eq!(log.len(), records.len() * seats, "{variant}");
        for (row, (record, seat)) in
            log.iter().zip(records.iter().flat_map(|record| (0..seats).map(move |seat| (record, seat))))
        {
            let hands = record.tricks_won.iter().map(|(_, tricks)| u64::from(*tricks)).sum::<u64>();
            let of_deal = log.iter().filter(|other| {
                ["match", "deal", "line-up", "seating"].iter().all(|column| other[*column] == row[*column])
            });
            assert_eq!(sum(of_deal, "tricks") as u64, hands, "{variant}: {row:?}");
            let optional = |value: Option<String>| value.unwrap_or_default();
            let expected = [
                ("variant", record.variant.clone()),
                ("match", optional(record.game.map(|number| number.to_string()))),
                ("deal", record.deal.to_string()),
                ("dealer", record.dealer.index().to_string()),
                ("seat", seat.to_string()),
                ("bot", record.seating[seat].clone()),
                ("score", record.scores[seat].to_string()),
                ("place", optional(record.places.as_ref().map(|places| (places[seat] + 1).to_string()))),
                ("declarer", optional(record.contract.and_then(|own| own.declarer).map(|own| own.index().to_string()))),
            ];
            for (column, value) in expected {
                assert_eq!(row[column], value, "{variant}, {column}: {row:?}");
            }
            // Without those of the dummy that it plays, a seat's tricks are those of its hand.
            let [tricks, of_dummy] = ["tricks", "dummy-tricks"].map(|column| row[column].parse::<u8>().unwrap());
            assert_eq!(tricks - of_dummy, record.tricks_won[seat].1, "{variant}: {row:?}");
            has_dummies |= of_dummy > 0;
        }
        assert_eq!(has_dummies, records.iter().any(|record| record.tricks_won.len() > seats), "{variant}");
    }
}

#[test]
fn every_row_equals_the_record_of_its_deal() {
    let config = "seed = 4\ndeals = 3\nbots = [\"rule-based\", \"random\", \"cautious\"]\n";
    let games =
        ["dumbo", "euchre-24", "dummy-whist-jokers", "double-dummy", "humbug", "colour-blind", "dummy-chameleon"];
    equals_the_records(config, &games);
    let matches = "seed = 4\nunit = \"match\"\nmatches = 2\nbots = [\"random\", \"cautious\"]\nformat = \"duel\"\n";
    equals_the_records(matches, &["dumbo", "colour-blind-2", "dummy-chameleon"]);
}

/// Checks that all forms of the log of a run have the same rows.
fn check_forms(config: &str) {
    let sandbox = Sandbox::new();
    sandbox.write("games.toml", config);
    let log = |threads: &str, name: &str| {
        play(&sandbox, &["games.toml", "--out", threads, "--threads", threads, "--log", name, "--quiet", "--force"]);
        fs::read(sandbox.path(name)).unwrap()
    };
    for form in ["csv", "csv.gz", "jsonl", "jsonl.gz"] {
        let [one, other] = ["1", "3"].map(|threads| log(threads, &format!("{threads}.{form}")));
        assert!(one == other, "{form}");
    }
    same_files(&sandbox.path("1"), &sandbox.path("3"));
    let plain = fs::read_to_string(sandbox.path("1.csv")).unwrap();
    assert_eq!(text_of(&sandbox.path("1.csv.gz")), plain);
    let lines = fs::read_to_string(sandbox.path("1.jsonl")).unwrap();
    assert_eq!(text_of(&sandbox.path("1.jsonl.gz")), lines);
    let objects: Vec<serde_json::Map<String, Value>> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let rows = rows(&sandbox.path("1.csv"));
    assert_eq!(objects.len(), rows.len());
    for (object, row) in objects.iter().zip(&rows) {
        let text = |value: &Value| match value {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        assert_eq!(&object.iter().map(|(key, value)| (key.clone(), text(value))).collect::<Row>(), row);
    }
    // Without a log the results are the same.
    play(&sandbox, &["games.toml", "--out", "without", "--quiet"]);
    same_files(&sandbox.path("1"), &sandbox.path("without"));
    assert!(fs::read_dir(sandbox.path("1")).unwrap().all(|entry| !entry.unwrap().path().ends_with("deals-1.rows")));
}

#[test]
fn all_forms_have_the_same_rows_and_any_number_of_threads_the_same_bytes_in_a_few_variants() {
    check_forms(&few(12));
}

#[test]
#[ignore = "long: plays nine runs of every game"]
fn all_forms_have_the_same_rows_and_any_number_of_threads_the_same_bytes() {
    check_forms(GAMES);
}

/// Kills a run with a log `kills` times, and cuts it into shards.
fn check_kills(config: &str, kills: u32) {
    let sandbox = Sandbox::new();
    sandbox.write("long.toml", config);
    play(&sandbox, &["long.toml", "--out", "whole", "--log", "whole.csv.gz", "--quiet"]);
    let whole = fs::read(sandbox.path("whole.csv.gz")).unwrap();
    let args = ["run", "long.toml", "--out", "out", "--log", "killed.csv.gz", "--quiet", "--checkpoint", "0"];
    sandbox.kill_and_resume(&args, "killed.csv.gz", (5, kills));
    assert!(fs::read(sandbox.path("killed.csv.gz")).unwrap() == whole);
    same_files(&sandbox.path("whole"), &sandbox.path("out"));
    for shard in ["1/3", "2/3", "3/3"] {
        play(&sandbox, &["long.toml", "--shard", shard, "--out", &shard[..1], "--log", "m.csv.gz", "--quiet"]);
    }
    assert!(!sandbox.path("m.csv.gz").exists());
    let (code, stdout, _) = sandbox.run(&["merge", "3", "1", "2", "--out", "merged", "--log", "m.csv.gz"]);
    assert!(code == 0 && stdout.contains("the log is m.csv.gz"), "{stdout}");
    assert!(fs::read(sandbox.path("m.csv.gz")).unwrap() == whole);
}

#[test]
fn a_log_survives_two_kills_and_shards() {
    check_kills(&few(200), 2);
}

#[test]
#[ignore = "long: kills a run of every game six times"]
fn a_log_survives_kills_and_shards() {
    check_kills(&GAMES.replace("deals = 40", "deals = 500"), 6);
}

#[test]
fn what_would_lose_or_lack_deals_is_refused() {
    let sandbox = Sandbox::new();
    for (name, part) in [("deals.txt", ".jsonl.gz"), ("deals", "end it with"), ("none/../..", "--log")] {
        let message = sandbox.refused(&["run", "t.toml", "--log", name]);
        assert!(message.contains(part) && message.lines().count() == 1, "{message}");
    }
    let message = sandbox.refused(&["duel", "random", "one", "--variant", "dumbo", "--log", "d.csv"]);
    assert!(message.contains("--out"), "{message}");
    sandbox.write("mine.csv", "of somebody else");
    let message = sandbox.refused(&["run", "t.toml", "--log", "mine.csv"]);
    assert!(message.contains("mine.csv") && message.contains("--force"), "{message}");
    assert_eq!(fs::read_to_string(sandbox.path("mine.csv")).unwrap(), "of somebody else");
    assert!(!sandbox.path("results").exists());
    // A run that was begun without a log cannot end with one.
    play(&sandbox, &["t.toml", "--out", "out", "--quiet"]);
    let more = ["run", "t.toml", "--deals", "400", "--out", "out", "--resume", "--log", "d.csv"];
    let message = sandbox.refused(&more);
    assert!(message.contains("deals-1.rows") && message.contains("--log and --force"), "{message}");
    let message = sandbox.refused(&["run", "t.toml", "--out", "out", "--resume", "--log", "d.csv"]);
    assert!(message.contains("d.csv") && message.contains("--force"), "{message}");
    // Nor shards of which one kept no deals.
    play(&sandbox, &["t.toml", "--shard", "1/2", "--out", "1", "--quiet", "--log", "d.csv"]);
    play(&sandbox, &["t.toml", "--shard", "2/2", "--out", "2", "--quiet"]);
    let message = sandbox.refused(&["merge", "1", "2", "--out", "both", "--log", "d.csv"]);
    assert!(message.contains("2/deals-1.rows"), "{message}");
    assert!(!sandbox.path("d.csv").exists());
}
