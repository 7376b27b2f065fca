//! `overtrick play`: a person at the table, at the other end of a pipe or at a terminal.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::fixtures::each_variant;
use crate::fixtures::sandbox::Sandbox;
use overtrick::cards::{Card, CardSet};
use overtrick::game::{FullGame, Standing, View};
use overtrick::games::{Variant, Visitor};
use overtrick::table::Seat;
use overtrick::tournament::{Seeds, Unit};
use serde_json::Value;

const TERMINAL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/doubles/terminal.py");

/// Plays a variant through a pipe, with the same answer to every question.
fn piped(sandbox: &Sandbox, answer: &str, args: &[&str]) -> String {
    let (code, stdout, stderr) = sandbox.run_on(&format!("{answer}\n").repeat(200), &[&["play"], args].concat());
    assert_eq!((code, stderr.as_str()), (0, ""), "{args:?}: {stdout}");
    stdout
}

/// Plays at a terminal: exit code and screen.
fn at_terminal(sandbox: &Sandbox, answers: &[&str], locale: &str, args: &[&str]) -> (i32, String) {
    let output = std::process::Command::new("python3")
        .current_dir(sandbox.path("."))
        .arg(TERMINAL)
        .arg(serde_json::to_string(answers).unwrap())
        .args([env!("CARGO_BIN_EXE_overtrick"), "play"])
        .args(args)
        .env("LC_ALL", locale)
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

#[test]
fn two_strokes_are_no_card() {
    // That is what the text of a byte looks like that is none.
    let stdout = piped(&Sandbox::new(), "--", &["dumbo", "--seed", "3"]);
    assert!(stdout.contains("\"--\" is no move: type a number from 1 to "), "{stdout}");
    assert!(!stdout.contains("-- is not in the hand"), "{stdout}");
}

/// The cards that a text names: those by themselves, and those of hands by suit.
fn cards(text: &str) -> CardSet {
    let words = |line: &str| line.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').map(str::to_owned).collect();
    let of_line = |line: &str| -> Vec<Card> {
        let words: Vec<String> = words(line);
        let alone = words.iter().filter(|word| word.len() == 2).filter_map(|word| word.parse::<Card>().ok());
        let by_suit = ["S", "H", "D", "C"].iter().all(|suit| words.iter().any(|word| word == suit))
            && !line.trim_start().starts_with(|first: char| first.is_ascii_digit());
        let pairs = words.iter().filter(|word| !word.is_empty()).collect::<Vec<_>>();
        let of_suit = pairs.windows(2).filter(|pair| by_suit && ["S", "H", "D", "C"].contains(&pair[0].as_str()));
        let held =
            of_suit.flat_map(|pair| pair[1].chars().filter_map(|rank| format!("{rank}{}", pair[0]).parse().ok()));
        alone.chain(held).collect()
    };
    // The names of players are no cards.
    text.lines().flat_map(of_line).collect()
}

/// By decision of a seat in a recorded deal: the cards that the seat had seen by then, and the texts of its legal
/// moves.
struct Seen<'a> {
    record: &'a Value,
    seat: Seat,
}

impl Visitor for Seen<'_> {
    type Output = Vec<(CardSet, BTreeSet<String>)>;

    fn visit<G: FullGame>(self, game: &Arc<G>) -> Self::Output {
        let number = |key: &str| self.record[key].as_u64().unwrap();
        let seeds = Seeds::new(number("seed"), self.record["variant"].as_str().unwrap(), game.as_ref(), Unit::Deal);
        let standing = Standing::default();
        let mut state =
            seeds.deal(game.as_ref(), number("deal"), seeds.setup(game.as_ref(), number("deal"), &standing));
        let mut seen = Vec::new();
        for made in self.record["moves"].as_array().unwrap() {
            let view = View::new(game.as_ref(), &state, &standing, self.seat);
            if state.table.seat_to_move() == self.seat {
                let texts = game.legal(&state).iter().map(|made| view.move_text(made).unwrap()).collect();
                seen.push((game.layout().deck.cards() - view.unseen(), texts));
            }
            let chosen = game.read_move(&state, made["move"].as_str().unwrap()).unwrap();
            game.play(&mut state, chosen).unwrap();
        }
        let view = View::new(game.as_ref(), &state, &standing, self.seat);
        seen.push((game.layout().deck.cards() - view.unseen(), BTreeSet::new()));
        seen
    }
}

#[test]
fn every_variant_is_played_from_every_seat_and_shows_no_hidden_card() {
    each_variant(|variant| {
        let sandbox = Sandbox::new();
        for seat in 0..variant.game.layout().seats {
            let number = seat.to_string();
            let args = [&variant.name, "--seed", "5", "--deal", "4", "--seat", &number, "--record", "r.jsonl"];
            let shown = piped(&sandbox, "1", &[&args[..], &["--force"]].concat());
            let file = std::fs::read_to_string(sandbox.path("r.jsonl")).unwrap();
            let record: Value = serde_json::from_str(&file).unwrap();
            assert_eq!(record["seating"][seat], "person");
            let seen = variant.game.visit(Seen { record: &record, seat: Seat::new(seat) });
            let parts: Vec<&str> = shown.split("> 1\n").collect();
            assert_eq!(parts.len(), seen.len(), "{}: {shown}", variant.name);
            for (part, (known, legal)) in parts.iter().zip(&seen) {
                let hidden = cards(part) - *known;
                assert!(hidden.is_empty(), "{}, seat {seat}: {hidden} in {part}", variant.name);
                for text in legal {
                    assert!(part.contains(text), "{}: {text} is not in {part}", variant.name);
                }
            }
            let last: Vec<&str> = parts[parts.len() - 1].trim_end().lines().collect();
            let lines = &last[last.len() - variant.game.layout().seats..];
            for (line, score) in lines.iter().zip(record["scores"].as_array().unwrap()) {
                let words: Vec<&str> = line.split_whitespace().collect();
                assert_eq!(words[2], score.to_string(), "{line}");
                assert!(words.len() > 4, "{line} gives no reason");
            }
            // The record reads back as itself, and as the text that a replay shows.
            let (code, again, stderr) = sandbox.run(&["replay", "--record", "r.jsonl", "--format", "json"]);
            assert_eq!((code, stderr.as_str()), (0, ""));
            assert_eq!(again, file, "{}", variant.name);
        }
        let (_, text, _) = sandbox.run(&["replay", "--record", "r.jsonl", "--analyse"]);
        assert!(
            text.starts_with(&format!("{}, deal 4, seed 5\n", variant.name)) && text.contains("analysis: "),
            "{text}"
        );
    });
}

#[test]
fn a_move_is_named_by_number_or_text_and_a_wrong_one_is_asked_again() {
    let sandbox = Sandbox::new();
    let run = |lines: &str, more: &[&str]| {
        let args = ["play", "dumbo", "--seed", "1", "--deal", "2", "--seat", "1"];
        let (code, shown, stderr) = sandbox.run_on(lines, &[&args[..], more].concat());
        assert_eq!(code, 0, "{stderr}");
        (shown, stderr)
    };
    let (shown, _) = run("", &[]);
    let legal = shown.lines().rfind(|line| line.trim_start().starts_with("1 ")).unwrap();
    let words: Vec<&str> = legal.split_whitespace().collect();
    let (second, third) = (words[3], words[5]);
    let (by_number, _) = run("2\n", &[]);
    let (by_text, _) = run(&format!("{}\n", second.to_lowercase()), &[]);
    let played = format!("p1 person: {second}\n");
    assert!(by_number.contains(&played) && by_text.contains(&played), "{by_number}");
    let (shown, _) = run(&format!("\n0\n99\nZZ\n7\u{7}\n?\n{third}\n"), &[]);
    for line in [
        "> \ntype a number from 1 to ",
        "> 0\nthere is no move 0: type a number from 1 to ",
        "> 99\nthere is no move 99: type a number",
        "> ZZ\n\"ZZ\" is no move: type a number",
        "> 7\u{7}\n\"7\\u{7}\" is no move: type",
        "> ?\n\n  ",
        &format!("> {third}\n"),
        &format!("p1 person: {third}\n"),
    ] {
        assert!(shown.contains(line), "{line:?} is not in {shown}");
    }
    let (shown, _) = run("rules\n", &[]);
    let rules = concat!("> rules\n", include_str!("../../../docs/rules/dumbo.md"));
    assert!(shown.contains(rules), "{shown}");
    // A move that the rules forbid comes with the rule.
    let hidden = ["2S", "2H", "2D", "2C", "AS", "AH"].map(|card| format!("{card}\n")).concat();
    let (shown, _) = run(&hidden, &[]);
    assert!(
        shown.contains("is not in the hand that is to play (rule ") || shown.contains("does not follow suit"),
        "{shown}"
    );
}

#[test]
fn the_end_of_input_leaves_without_a_record() {
    let sandbox = Sandbox::new();
    for lines in ["", "1\n1", "1\nquit\n1\n1\n", "\u{0}\n"] {
        let args = ["play", "euchre-32", "--seed", "3", "--record", "r.jsonl"];
        let (code, shown, stderr) = sandbox.run_on(lines, &args);
        assert_eq!(code, 0, "{shown}");
        assert!(shown.ends_with("\nyou left before the deal was over\n"), "{shown}");
        assert_eq!(stderr, "note: no deal was played to its end, so no record is written\n");
        assert!(!sandbox.path("r.jsonl").exists());
    }
    // Deals that were played to their end are kept.
    let args = ["play", "humbug-turn-up", "--seed", "3", "--deals", "9", "--record", "r.jsonl"];
    let (code, shown, stderr) = sandbox.run_on(&"1\n".repeat(20), &args);
    assert_eq!((code, stderr.as_str()), (0, ""), "{shown}");
    assert_eq!(std::fs::read_to_string(sandbox.path("r.jsonl")).unwrap().lines().count(), 1);
    assert!(shown.contains("  total after 1 deals: "), "{shown}");
}

#[test]
fn the_same_answers_give_the_same_deal_with_bots_that_think_and_programs() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "bots/x.py",
        "import json, sys\nfor line in sys.stdin:\n    message = json.loads(line)\n    \
         if 'hello' in message:\n        print(json.dumps({'hello': {'name': 'x', 'protocol': 1, 'variants': ['all']}}), flush=True)\n    \
         if 'decide' in message:\n        \
         print(json.dumps({'moves': [[d['id'], d['legal'][0]] for d in message['decide']]}), flush=True)\n",
    );
    let process = "strategy = \"process\"\n[parameters]\nmove-timeout = 600\nstart-timeout = 600\n";
    sandbox.write("bots/x.toml", &format!("name = \"x\"\n{process}command = [\"python3\", \"-S\", \"x.py\"]\n"));
    let args = ["chameleon", "--with", "pimc-20,x", "--seed", "9", "--seat", "0", "--record"];
    let first = piped(&sandbox, "1", &[&args[..], &["one.jsonl"]].concat());
    assert_eq!(piped(&sandbox, "1", &[&args[..], &["two.jsonl"]].concat()), first);
    let read = |name: &str| std::fs::read(sandbox.path(name)).unwrap();
    assert_eq!(read("one.jsonl"), read("two.jsonl"));
    // A program that does not start is reported, and its moves are made at random.
    sandbox.write("bots/y.toml", &format!("name = \"y\"\n{process}command = [\"./no-such-program\"]\n"));
    let shown = piped(&sandbox, "1", &["humbug", "--with", "y", "--seed", "2", "--record", "y.jsonl"]);
    assert!(shown.contains(" no-start: ") && shown.contains(". A random move is made for it\n"), "{shown}");
    let (_, again, _) = sandbox.run(&["replay", "--record", "y.jsonl", "--format", "json"]);
    assert_eq!(again.into_bytes(), read("y.jsonl"));
}

#[test]
fn a_terminal_shows_colours_and_hears_ctrl_c_and_ctrl_d() {
    let sandbox = Sandbox::new();
    let args = ["dummy-whist", "--seed", "4", "--record", "r.jsonl"];
    let (code, screen) = at_terminal(&sandbox, &["1\n"], "C", &args);
    assert_eq!(code, 0, "{screen}");
    assert!(screen.contains("\u{1b}[1myour move>\u{1b}[0m ") && screen.contains("\u{1b}[31m"), "{screen}");
    assert!(screen.is_ascii() && screen.lines().last().unwrap().contains("p2 "), "{screen}");
    assert!(sandbox.path("r.jsonl").exists());
    // The terminal has shown what was typed, and nothing shows it twice.
    assert!(screen.contains("\u{1b}[0m 1\r\n") && !screen.contains("1\r\n1\r\n"), "{screen}");
    std::fs::remove_file(sandbox.path("r.jsonl")).unwrap();
    for (key, expected) in [("\u{3}", 130), ("\u{4}", 0)] {
        for answers in [&[key][..], &["1\n", key], &["1\n", "oops\n", key]] {
            let (code, screen) = at_terminal(&sandbox, answers, "C.UTF-8", &args[..3]);
            assert_eq!(code, expected, "{screen}");
            assert!(screen.ends_with("\r\nyou left before the deal was over\r\n"), "{screen}");
        }
    }
}

#[test]
fn what_cannot_be_played_is_refused_in_a_line() {
    let sandbox = Sandbox::new();
    sandbox.write("mine.toml", "name = \"mine\"\nbase = \"dumbo\"\n[rules]\nmatch-bonu = 3\n");
    sandbox.write("bots/two.toml", "name = \"two\"\nstrategy = \"restricted\"\n[parameters]\nforbid = [\"pass\"]\n");
    for (args, expected) in [
        (&["dumb"][..], "error: there is no variant \"dumb\" (did you mean dumbo?)"),
        (
            &["mine.toml"],
            "error: mine.toml:4: `rules.match-bonu`: unknown key `match-bonu` (did you mean match-bonus?)",
        ),
        (&["dumbo", "--with", "tow,oen"], "error: `--with`: there is no bot \"tow\""),
        (&["dumbo", "--with", "one,one,one"], "error: `--with`: names 3 bots, but dumbo seats 2 in addition to you"),
        (&["humbug", "--with", "one,one"], "error: `--with`: names 2 bots, but humbug seats 1 in addition to you"),
        (&["humbug", "--seat", "2"], "error: `--seat`: humbug has seats 0 to 1"),
        (&["dumbo", "--with", "two"], "error: `--with`: two: `parameters.forbid` has \"pass\", which no move of dumbo"),
        (
            &["dumbo", "--record", "bots"],
            "error: ./bots: is a folder where a file must go; choose another file with --record",
        ),
        (&["dumbo", "--record", "t.toml/r"], "error: t.toml: results cannot be written there: "),
    ] {
        let message = sandbox.refused(&[&["play"], args].concat());
        assert!(message.starts_with(expected) && message.lines().count() == 1, "{args:?}: {message}");
    }
}

/// A sandbox with tournaments of deals and of matches in these variants, and of deals under changed rules. Checks that
/// records of each read back.
fn read_back(names: &[String]) -> Sandbox {
    let sandbox = Sandbox::new();
    let bots = "bots = [\"one\", \"rule-based\", \"two\"]";
    sandbox.write("mine.toml", "name = \"mine\"\nbase = \"dummy-chameleon-variant\"\n[rules]\nmisere-score = 77\n");
    sandbox
        .write("deals.toml", &format!("seed = 8\ndeals = 9\nvariants = [\"mine.toml\", {}]\n{bots}\n", listed(names)));
    sandbox.write(
        "matches.toml",
        &format!("seed = 8\nunit = \"match\"\nmatches = 9\nvariants = [{}]\n{bots}\n", listed(names)),
    );
    let mine = "mine".to_owned();
    for (config, name) in
        names.iter().flat_map(|name| [("deals.toml", name), ("matches.toml", name)]).chain([("deals.toml", &mine)])
    {
        let how: &[&str] = if config == "deals.toml" { &["--count", "3", "--analyse"] } else { &[] };
        let args = ["replay", config, "--variant", name, "--deal", "1", "--format", "json"];
        let (_, records, _) = sandbox.run(&[&args[..], how].concat());
        let (code, again, stderr) = sandbox.run_on(&records, &["replay", "--record", "-", "--format", "json"]);
        assert_eq!((code, stderr.as_str()), (0, ""), "{config} {name}");
        assert_eq!(again, records, "{config} {name}");
    }
    sandbox
}

/// Changes a record of `deals.toml` in euchre-32 in each way that shows.
fn check_changed_records(sandbox: &Sandbox) {
    let args = ["replay", "deals.toml", "--variant", "euchre-32", "--deal", "1", "--format", "json"];
    let (_, record, _) = sandbox.run(&args);
    let value: Value = serde_json::from_str(&record).unwrap();
    let with = |key: &str, new: Value| {
        let mut changed = value.clone();
        changed[key] = new;
        format!("{record}\n{changed}\n")
    };
    let without = |key: &str| {
        let mut changed = value.clone();
        changed.as_object_mut().unwrap().remove(key);
        changed.to_string()
    };
    let mut rules = value["rules"].clone();
    rules["march-points"] = 4.into();
    let mut moves = value["moves"].clone();
    moves[3]["move"] = "2S".into();
    let half: Value = value["moves"].as_array().unwrap()[..5].to_vec().into();
    for (text, expected) in [
        (String::new(), "r.jsonl: holds no record of a deal"),
        ("[1]\n".to_owned(), "r.jsonl:1: is no record of a deal, which is an object of JSON (column "),
        ("{\"variant\"\n".to_owned(), "r.jsonl:1: is no record of a deal, which is an object of JSON (column "),
        (without("seed"), "r.jsonl:1: `seed`: is missing from this record of a deal"),
        (without("moves"), "r.jsonl:1: `moves`: is missing from this record of a deal"),
        (with("seed", "x".into()), "r.jsonl:3: `seed`: is of the wrong kind: "),
        (
            with("seed", 9.into()),
            "r.jsonl:3: `hands`: differ from the cards that this version deals for this seed and number",
        ),
        (with("deal", u64::MAX.into()), "r.jsonl:3: `deal`: is higher than a tournament's can be"),
        (with("dealer", 3.into()), "r.jsonl:3: `dealer`: is not a seat of euchre-32"),
        (with("dealer", 4.into()), "r.jsonl:3: `dealer`: is of the wrong kind: there is no seat 4"),
        (with("seating", serde_json::json!(["a"])), "r.jsonl:3: `seating`: has 1 players for 3 seats"),
        (with("rules", rules), "r.jsonl:3: `rules`: are not those of euchre-32: "),
        (with("rules", serde_json::json!({ "x": 1 })), "r.jsonl:3: `rules`: are not those of euchre-32: "),
        (with("variant", "other".into()), "-"),
        (with("moves", moves), "r.jsonl:3: `moves`: move 4 cannot be made: "),
        (with("moves", half), "r.jsonl:3: `moves`: end before the deal does"),
        (with("scores", serde_json::json!([5, 5, 5])), "r.jsonl:3: `scores`: is not what the rest of the record gives"),
        (with("schema-version", 2.into()), "r.jsonl:3: `schema-version`: is not what the rest of the record gives"),
    ] {
        sandbox.write("r.jsonl", &text);
        if expected == "-" {
            // Under another name they are rules of one's own.
            assert_eq!(sandbox.run(&["replay", "--record", "r.jsonl"]).0, 0);
            continue;
        }
        let message = sandbox.refused(&["replay", "--record", "r.jsonl"]);
        assert!(message.starts_with(&format!("error: {expected}")) && message.lines().count() == 1, "{message}");
    }
    let message = sandbox.refused(&["replay", "deals.toml", "--record", "r.jsonl"]);
    assert!(message.contains("cannot be used with"), "{message}");
}

#[test]
fn records_of_a_few_variants_read_back_and_changes_are_named() {
    let names = ["dumbo", "euchre-32", "humbug", "colour-blind-2", "chameleon"].map(str::to_owned);
    check_changed_records(&read_back(&names));
}

#[test]
#[ignore = "long: reads records of every variant"]
fn records_of_every_variant_read_back_and_what_was_changed_is_told() {
    let names: Vec<String> = Variant::all().into_iter().map(|variant| variant.name).collect();
    check_changed_records(&read_back(&names));
}

/// Names as a list of TOML has them.
fn listed(names: &[String]) -> String {
    names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
}
