//! `overtrick solve`: deals from a file.

use crate::fixtures::sandbox::Sandbox;
use serde_json::{Value, json};

/// The answers to some lines.
fn solve(lines: &[Value]) -> Vec<Value> {
    let sandbox = Sandbox::new();
    sandbox.write("deals.jsonl", &lines.iter().map(|line| format!("{line}\n\n")).collect::<String>());
    let (code, stdout, stderr) = sandbox.run(&["solve", "deals.jsonl"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// `line` with some keys changed.
fn with(line: &Value, changes: &Value) -> Value {
    let mut line = line.clone();
    changes.as_object().unwrap().iter().for_each(|(key, value)| line[key] = value.clone());
    line
}

fn duel() -> Value {
    json!({"hands": {"a": ["AS", "2H"], "b": ["KS", "3H"]}, "sides": [["a"], ["b"]], "leader": "a"})
}

#[test]
fn tricks_and_what_each_card_is_worth() {
    let finesse = json!({
        "hands": {"west": ["KS", "JS", "9H"], "north": ["AS", "QS", "8H"], "east": ["2S", "3S", "AH"], "south": ["4S", "5S", "6H"]},
        "sides": [["north", "south"], ["west", "east"]],
        "leader": "south",
        "trump": null,
    });
    let answers = solve(&[finesse.clone(), with(&finesse, &json!({"leader": "east"}))]);
    assert_eq!(answers[0], json!({"tricks": [2, 1], "turn": "south", "moves": {"4S": 2, "5S": 2, "6H": 1}}));
    assert_eq!(answers[1]["turn"], "east");
    // Counted for the side to move.
    assert_eq!((&answers[1]["tricks"], &answers[1]["moves"]["AH"]), (&json!([1, 2]), &json!(2)));
}

#[test]
fn every_key_makes_a_difference() {
    let tricks = |changes: Value| solve(&[with(&duel(), &changes)])[0]["tricks"].clone();
    assert_eq!(tricks(json!({})), json!([1, 1]));
    assert_eq!(tricks(json!({"order": "low"})), json!([2, 0]));
    // The second hand takes the ace with a trump.
    let ruff = json!({"hands": {"a": ["AS"], "b": ["3H"]}});
    let alone = |key: &str, value: Value| with(&ruff, &json!({key: value}));
    // No trump, also as records write it.
    for none in [Value::Null, json!("NT")] {
        assert_eq!(tricks(alone("trump", none)), json!([1, 0]));
    }
    assert_eq!(tricks(alone("trump", json!("H"))), json!([0, 1]));
    // The jack of diamonds is a heart.
    let jacks = json!({"hands": {"a": ["AD", "9C"], "b": ["JD", "AC"]}, "trump": "H"});
    assert_eq!(tricks(jacks.clone()), json!([1, 1]));
    assert_eq!(tricks(with(&jacks, &json!({"bowers": true}))), json!([0, 2]));
    // The ace can be thrown away.
    let rid = json!({"hands": {"a": ["AS", "2H"], "b": ["3H", "4H"]}});
    assert_eq!(tricks(rid.clone()), json!([1, 1]));
    assert_eq!(tricks(with(&rid, &json!({"misere": true}))), json!([0, 2]));
    let begun = json!({"hands": {"a": ["2H"], "b": ["KS", "3H"]}, "trick": ["AS"]});
    assert_eq!(solve(&[with(&duel(), &begun)])[0], json!({"tricks": [1, 1], "turn": "b", "moves": {"KS": 1}}));
    // With a joker thrown under the nine of clubs the four wins.
    let jokers = json!({"hands": {"a": ["9C", "3C"], "b": ["BJ", "4C"]}});
    assert_eq!(tricks(jokers.clone()), json!([2, 0]));
    assert_eq!(tricks(with(&jokers, &json!({"jokers": "any-time"}))), json!([1, 1]));
}

#[test]
fn hands_play_in_the_order_in_which_they_are_written() {
    // The nine falls under the ten if its holder plays before the one with the ace, who then must not take the trick
    // from their partner.
    let three = |hands: &str| {
        let sandbox = Sandbox::new();
        let sides = r#""sides": [["a"], ["b", "c"]], "leader": "b""#;
        sandbox.write("deals.jsonl", &format!("{{\"hands\": {{{hands}}}, {sides}}}"));
        let (code, stdout, _) = sandbox.run(&["solve", "deals.jsonl"]);
        assert_eq!(code, 0);
        serde_json::from_str::<Value>(&stdout).unwrap()["tricks"].clone()
    };
    let (a, b, c) = (r#""a": ["KS", "JS"]"#, r#""b": ["2S", "3S"]"#, r#""c": ["AS", "QS"]"#);
    assert_eq!(three(&format!("{a}, {b}, {c}")), json!([1, 1]));
    assert_eq!(three(&format!("{a}, {c}, {b}")), json!([0, 2]));
}

#[test]
fn deals_may_come_from_standard_input() {
    let sandbox = Sandbox::new();
    let (code, stdout, stderr) = sandbox.run_on(&format!("{}\n", duel()), &["solve", "-"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert_eq!(serde_json::from_str::<Value>(&stdout).unwrap(), solve(&[duel()])[0]);
    let (_, table, _) = sandbox.run_on(&format!("{}\n", duel()), &["solve", "-", "--format", "text"]);
    assert!(table.contains("tricks of the sides") && !table.contains('{'), "{table}");
    let (code, _, stderr) = sandbox.run_on("\n{}", &["solve", "-"]);
    assert_eq!((code, stderr.starts_with("error: standard input:2: `hands`: is missing")), (2, true), "{stderr}");
}

#[test]
fn bad_lines_are_refused_with_line_and_key() {
    let sandbox = Sandbox::new();
    let good = duel().to_string();
    let refused = |line: &str, key: &str, problem: &str| {
        sandbox.write("deals.jsonl", &format!("{good}\n{line}\n"));
        let message = sandbox.refused(&["solve", "deals.jsonl"]);
        assert_eq!(message.lines().count(), 1, "{message}");
        let start = if key.is_empty() { "deals.jsonl:2: ".to_owned() } else { format!("deals.jsonl:2: `{key}`: ") };
        assert!(message.starts_with(&format!("error: {start}")) && message.contains(problem), "{message}");
    };
    refused("{", "", "column");
    refused("[1]", "", "JSON object");
    let changed =
        |changes: Value, key: &str, problem: &str| refused(&with(&duel(), &changes).to_string(), key, problem);
    let without = |gone: &str| {
        let mut line = duel();
        line.as_object_mut().unwrap().remove(gone);
        refused(&line.to_string(), gone, "is missing");
    };
    ["hands", "sides", "leader"].into_iter().for_each(without);
    changed(json!({"trumps": "S"}), "trumps", "unknown key `trumps` (did you mean trump?)");
    changed(json!({"trump": "N"}), "trump", "unknown choice `N`");
    changed(json!({"bowers": true, "trump": "NT"}), "bowers", "needs a trump suit");
    changed(json!({"order": "middle"}), "order", "unknown choice `middle`");
    changed(json!({"bowers": 1}), "bowers", "expected true or false");
    changed(json!({"bowers": true}), "bowers", "needs a trump suit");
    changed(json!({"bowers": true, "trump": "S", "order": "low"}), "bowers", "`order`");
    changed(json!({"bowers": true, "trump": "S", "hands": {"a": ["AS", "BJ"], "b": ["KS", "3H"]}}), "bowers", "jokers");
    changed(json!({"trick": ["1H"]}), "trick", "`1H` is no card");
    changed(json!({"trick": ["AD", "KD"]}), "trick", "is over");
    changed(json!({"trick": ["AD"]}), "hands.b", "has 2 cards and should have 3");
    changed(json!({"hands": {"a": ["AS", "2H"], "b": ["KS"]}}), "hands.b", "has 1 cards and should have 2");
    changed(json!({"hands": {"a": ["AS", "2H"], "b": ["AS", "3H"]}}), "hands", "AS is there twice");
    changed(json!({"hands": {"a": ["AS", "AS"], "b": ["KS", "3H"]}}), "hands.a", "AS twice");
    changed(json!({"hands": {"a": ["AS"]}, "sides": [["a"], []]}), "hands", "has 1. A trick takes 2, 3 or 4");
    changed(json!({"hands": {}, "sides": [[], []]}), "hands", "has 0. A trick takes 2, 3 or 4");
    changed(json!({"hands": ["AS"]}), "hands", "an object");
    changed(json!({"leader": "c"}), "leader", "\"c\" is none of the hands. They are a, b");
    changed(json!({"sides": [["a"], ["b", "c"]]}), "sides", "\"c\" is none of the hands");
    changed(json!({"sides": [["a"], []]}), "sides", "has b 0 times");
    changed(json!({"sides": [["a", "b"], ["b"]]}), "sides", "has b 2 times");
    changed(json!({"sides": [["a"]]}), "sides", "");
    refused(&good.replacen("\"b\":", "\"a\":", 1), "hands.a", "is there twice");
    refused(&format!("{},{}", &good[..good.len() - 1], &good[1..]), "", "duplicate field");
    // A three-card trick in which a player could have followed suit.
    let reneged = json!({
        "hands": {"a": ["KS"], "b": ["QS"], "c": ["2H", "3H"]}, "sides": [["a"], ["b", "c"]], "leader": "a", "trick": ["AS", "2D"],
    });
    refused(&reneged.to_string(), "trick", "2D does not follow suit, and b still could");
    assert!(sandbox.refused(&["solve", "nothing.jsonl"]).contains("there is no such file"));
}
