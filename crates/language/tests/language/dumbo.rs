//! Dumbo as a file plays and scores as in Rust.

use overtrick_cards::{SeedSource, Stream};
use overtrick_game::Game;
use overtrick_games::dumbo::{Dumbo, DumboRules};
use toml::{Table, Value};

use crate::same_game::{assert_same, declared, draw, game_file};

/// A rule whose values are words, and its option in the file.
struct WordRule {
    rule: &'static str,
    option: &'static str,
    /// The words in Rust, each with the word in the file.
    words: &'static [(&'static str, &'static str)],
}

const WORDS: [WordRule; 3] = [
    WordRule {
        rule: "dumbo-exposed",
        option: "face",
        words: &[("before-lead", "up"), ("after-lead", "after-lead"), ("dealer-only", "player")],
    },
    WordRule {
        rule: "tie-rule",
        option: "ties",
        words: &[
            ("highest-then-extra-deal", "extra-deal"),
            ("highest-then-shared", "shared"),
            ("highest-then-seat", "seat"),
        ],
    },
    WordRule { rule: "end-mode", option: "end-mode", words: &[("target", "target"), ("deals", "deals")] },
];

/// Returns the options of the file that say the same as these rules.
fn options(rules: &DumboRules) -> Table {
    let mut table = Table::try_from(rules).unwrap();
    assert_eq!(table.remove("table"), Some(Value::from("round")), "the file has no square table");
    for WordRule { rule, option, words } in WORDS {
        let word = table.remove(rule).unwrap();
        let (_, ours) = words.iter().find(|(rust, _)| Some(*rust) == word.as_str()).unwrap();
        table.insert(option.to_owned(), Value::from(*ours));
    }
    table
}

/// Draws rules.
fn random_rules(rng: &mut Stream) -> DumboRules {
    let mut table = Table::new();
    for WordRule { rule, words, .. } in WORDS {
        let place = usize::try_from(draw(rng, 0, words.len() as i64 - 1)).unwrap();
        table.insert(rule.to_owned(), Value::from(words[place].0));
    }
    let dealer = ["seat-0", "seat-1", "seat-2", "random"][usize::try_from(draw(rng, 0, 3)).unwrap()];
    table.insert("first-dealer".to_owned(), Value::from(dealer));
    table.insert("snapping".to_owned(), Value::from(draw(rng, 0, 1) == 1));
    for (rule, low, high) in [
        ("target", 1, 100_000),
        ("n-deals", 1, 65_536),
        ("trick-points", -100, 100),
        ("match-bonus", -1000, 1000),
        ("zero-match-bonus", -1000, 1000),
        ("double-match-bonus", -1000, 1000),
        ("tie-score", -1000, 1000),
        ("sweep-score", -1000, 1000),
        ("dumbo-sweep-score", -1000, 1000),
    ] {
        table.insert(rule.to_owned(), Value::from(draw(rng, low, high)));
    }
    table.try_into().unwrap()
}

fn compare_settings(settings: u64, deals: u64) {
    let file = game_file("dumbo.toml");
    for setting in 0..settings {
        let rules = random_rules(&mut SeedSource::new(47, "settings", "dumbo").stream(setting, 0));
        let game = declared(&file, &options(&rules));
        let rust = Dumbo::new(rules).unwrap();
        assert_same(&rust, &game, setting * deals..(setting + 1) * deals, 5);
        assert_eq!(rust.score_range(), game.score_range());
    }
}

fn compare_presets(deals: u64) {
    let file = game_file("dumbo.toml");
    // The only preset has the default rules, and so has the file.
    assert_eq!(Dumbo::PRESETS.len(), 1);
    let rules: DumboRules = toml::from_str(Dumbo::PRESETS[0].rules).unwrap();
    assert_eq!(options(&rules), declared(&file, &Table::new()).rules().0);
    assert_same(&Dumbo::new(rules).unwrap(), &declared(&file, &Table::new()), 0..deals, 100);
}

#[test]
fn dumbo_from_a_file_is_dumbo() {
    compare_presets(3_000);
}

#[test]
fn dumbo_from_a_file_has_all_options_of_dumbo() {
    compare_settings(50, 5);
}

#[test]
#[ignore = "long: 100,000 deals"]
fn dumbo_from_a_file_is_dumbo_in_100_000_deals() {
    compare_presets(100_000);
}

#[test]
#[ignore = "long: 500 settings"]
fn dumbo_from_a_file_has_all_options_of_dumbo_in_500_settings() {
    compare_settings(500, 200);
}
