//! The tables of a run as people see them, at 80 and at 120 columns.

use std::path::Path;

use overtrick::report::{Screen, leaderboard};
use overtrick::run::Run;
use overtrick::stats::Results;
use overtrick::toml_source::Source;
use overtrick::tournament::{Overrides, Tournament};

const RULE_BASED: &str = "{ name = \"rule-based\", strategy = \"rule-based\" }";
const RANDOM: &str = "{ name = \"random\", strategy = \"random\" }";
const CAREFUL: &str = "{ name = \"careful\", strategy = \"rule-based\", parameters.euchre.courage = 2.7, parameters.dumbo.tie-fear = 1.2 }";

fn results(lines: &str, bots: &[&str]) -> (Tournament, Results) {
    let text = format!("seed = 7\n{lines}\nbots = [{}]", bots.join(", "));
    let source = Source::parse(Path::new("tables.toml"), text).unwrap();
    let tournament = Tournament::resolve(&source, Overrides::default()).unwrap();
    let outcome = Run::new(tournament).threads(2).play().unwrap();
    let results = outcome.results();
    (outcome.tournament, results)
}

/// Returns the tables that are printed at both widths; no line is longer.
fn at_both_widths((tournament, results): &(Tournament, Results)) -> String {
    let at = |width: usize| {
        let text = leaderboard(tournament, results, Screen { width, ascii: false });
        for line in text.lines() {
            assert!(line.chars().count() <= width, "{width}: {line}");
        }
        format!("--- {width} columns{text}")
    };
    format!("{}\n{}", at(80), at(120))
}

#[test]
fn a_duel_ends_with_one_sentence() {
    insta::assert_snapshot!(at_both_widths(&results(
        "format = \"duel\"\ndeals = 800\nvariants = [\"euchre-32\"]",
        &[RULE_BASED, RANDOM]
    )));
}

#[test]
fn a_round_robin_has_a_crosstable() {
    let lines = "deals = 400\nvariants = [\"dumbo\", \"euchre-24\"]";
    insta::assert_snapshot!(at_both_widths(&results(lines, &[RULE_BASED, CAREFUL, RANDOM])));
}

#[test]
fn matches_are_ranked_by_matches() {
    let lines = "unit = \"match\"\nmatches = 40\nvariants = [\"euchre-32\"]";
    insta::assert_snapshot!(at_both_widths(&results(lines, &[RULE_BASED, CAREFUL, RANDOM])));
}

#[test]
fn a_gauntlet_says_that_the_bots_met_different_opponents() {
    let lines = "format = \"gauntlet\"\ncandidate = \"careful\"\ndeals = 300\nvariants = [\"colour-blind-2\"]";
    insta::assert_snapshot!(at_both_widths(&results(lines, &[RULE_BASED, CAREFUL, RANDOM])));
}

#[test]
fn mirrors_rank_nobody() {
    let lines = "format = \"mirror\"\ndeals = 300\nvariants = [\"euchre-32\"]";
    insta::assert_snapshot!(at_both_widths(&results(lines, &[RULE_BASED, CAREFUL])));
    let one = results("format = \"mirror\"\ndeals = 300\nvariants = [\"euchre-32\"]", &[RULE_BASED]);
    insta::assert_snapshot!("a_mirror_of_one", at_both_widths(&one));
}

#[test]
fn a_bot_with_faults_is_marked_in_every_table() {
    let (tournament, mut results) = results("deals = 300\nvariants = [\"dumbo\"]", &[RULE_BASED, CAREFUL, RANDOM]);
    let row = results.bots.iter_mut().find(|row| row.bot == "careful").unwrap();
    (row.faults, row.fault_kinds) = (1200, "crash 1200".to_owned());
    let text = leaderboard(&tournament, &results, Screen { width: 80, ascii: false });
    let lines: Vec<&str> = text.lines().filter(|line| line.contains("careful")).collect();
    // The sentence names the first and the second without a mark; the line below the tables says what the mark means.
    assert!(lines.iter().all(|line| !line.starts_with('│') || line.contains("careful (!)")), "{text}");
    assert!(lines.iter().filter(|line| line.contains("careful (!)")).count() >= 4, "{text}");
    assert!(text.contains("(!) faults of careful: 1 200 (crash 1200)"), "{text}");
}

#[test]
fn bots_that_score_alike_cannot_be_told_apart() {
    let twin = RULE_BASED.replace("name = \"rule-based\"", "name = \"twin\"");
    let (_, same) = results("format = \"duel\"\ndeals = 100\nvariants = [\"dumbo\"]", &[RULE_BASED, &twin]);
    assert_eq!(same.headlines[0].text, "rule-based and twin cannot be distinguished: they scored exactly alike");
    let (_, few) = results("format = \"duel\"\ndeals = 5\nvariants = [\"dumbo\"]", &[RULE_BASED, RANDOM]);
    assert!(few.headlines[0].text.ends_with("over too few deals to say how sure that is"), "{}", few.headlines[0].text);
}

/// Checks the tables of `count` bots with long names in these variants.
fn check_crowd(count: u32, variants: &[&str]) {
    let names: Vec<String> = (0..count)
        .map(|bot| format!("{{ name = \"a-bot-with-a-very-long-name-{bot}\", strategy = \"random\" }}"))
        .collect();
    let bots: Vec<&str> = names.iter().map(String::as_str).collect();
    for variant in variants {
        at_both_widths(&results(&format!("deals = 16\nvariants = [{variant:?}]"), &bots));
    }
}

#[test]
fn more_bots_than_columns_fit_with_their_long_names() {
    check_crowd(10, &["dumbo"]);
}

#[test]
#[ignore = "long: plays 220 line-ups of twelve bots"]
fn crowds_with_long_names_fit_too() {
    check_crowd(12, &["dumbo", "dummy-whist"]);
}

#[test]
fn without_utf_8_there_is_nothing_but_ascii() {
    let (tournament, results) = results("deals = 100\nvariants = [\"chameleon\"]", &[RULE_BASED, CAREFUL, RANDOM]);
    let text = leaderboard(&tournament, &results, Screen { width: 80, ascii: true });
    assert!(text.is_ascii() && text.lines().all(|line| line.len() <= 80), "{text}");
}
