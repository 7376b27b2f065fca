//! Games that come with the program, as files: they show, allow and score the same as in Rust.

use overtrick_game::FullGame;
use overtrick_game::Game;
use overtrick_games::colour_blind::ColourBlind;
use overtrick_games::dumbo::Dumbo;
use overtrick_games::euchre::Euchre;
use toml::Table;

use crate::same_game::{ComparedDeals, assert_same, declared, game_file};
use crate::settings::{END_MODE, SharedRules, TIES, WordRule, number};

/// A game in Rust and the file of the same game.
struct Pair {
    file: &'static str,
    rules: SharedRules,
    /// Rules of the game in Rust that are the same in all of this file.
    fixed: &'static str,
    /// Rules that are no options of the file.
    others: &'static [&'static str],
}

const DUMBO: Pair = Pair {
    file: "dumbo.toml",
    rules: SharedRules {
        words: &[
            WordRule {
                rule: "dumbo-exposed",
                option: "face",
                words: &[("before-lead", "up"), ("after-lead", "after-lead"), ("dealer-only", "player")],
            },
            WordRule {
                rule: "first-dealer",
                option: "first-dealer",
                words: &[("seat-0", "seat-0"), ("seat-1", "seat-1"), ("seat-2", "seat-2"), ("random", "random")],
            },
            END_MODE,
            TIES,
        ],
        flags: &["snapping"],
        numbers: &[
            number("target", 1, 100_000),
            number("n-deals", 1, 65_536),
            number("trick-points", -100, 100),
            number("match-bonus", -1000, 1000),
            number("zero-match-bonus", -1000, 1000),
            number("double-match-bonus", -1000, 1000),
            number("tie-score", -1000, 1000),
            number("sweep-score", -1000, 1000),
            number("dumbo-sweep-score", -1000, 1000),
        ],
    },
    fixed: "table = \"round\"",
    others: &["table"],
};

const COLOUR_BLIND: Pair = Pair {
    file: "colour-blind.toml",
    rules: SharedRules {
        words: &[
            WordRule {
                rule: "first-dealer",
                option: "first-dealer",
                words: &[("seat-0", "seat-0"), ("seat-1", "seat-1"), ("seat-2", "seat-2"), ("random", "random")],
            },
            END_MODE,
            TIES,
        ],
        flags: &[],
        numbers: &[
            number("ace-count", 0, 100),
            number("jack-count", 0, 100),
            number("queen-count", 0, 100),
            number("king-count", 0, 100),
            number("lowest-score", -200, 0),
            number("target", 1, 100_000),
            number("n-deals", 1, 65_536),
        ],
    },
    fixed: "players = 3",
    others: &["players", "strip", "last-row-card"],
};

const COLOUR_BLIND_2: Pair = Pair {
    file: "colour-blind-2.toml",
    rules: SharedRules {
        words: &[
            WordRule { rule: "strip", option: "strip", words: &[("789", "7* 8* 9*"), ("JQK", "J* Q* K*")] },
            WordRule {
                rule: "last-row-card",
                option: "last-row-card",
                words: &[("unused", "none"), ("last-trick", "last-trick")],
            },
            WordRule {
                rule: "first-dealer",
                option: "first-dealer",
                words: &[("seat-0", "seat-0"), ("seat-1", "seat-1"), ("random", "random")],
            },
            END_MODE,
            TIES,
        ],
        flags: &[],
        // Counts of courts stay, since the game in Rust refuses others where it leaves courts out.
        numbers: &[
            number("ace-count", 0, 100),
            number("lowest-score", -200, 0),
            number("target", 1, 100_000),
            number("n-deals", 1, 65_536),
        ],
    },
    fixed: "players = 2",
    others: &["players"],
};

const EUCHRE: Pair = Pair {
    file: "euchre.toml",
    rules: SharedRules {
        words: &[
            WordRule { rule: "deck", option: "ranks", words: &[("32", "789TJQKA"), ("24", "9TJQKA")] },
            WordRule {
                rule: "first-dealer",
                option: "first-dealer",
                words: &[
                    ("black-jack", "first-of"),
                    ("seat-0", "seat-0"),
                    ("seat-1", "seat-1"),
                    ("seat-2", "seat-2"),
                    ("random", "random"),
                ],
            },
            END_MODE,
            WordRule {
                rule: "tie-rule",
                option: "ties",
                words: &[("extra-deal", "play-on"), ("highest", "extra-deal")],
            },
        ],
        flags: &["may-discard-upcard", "turned-down-allowed"],
        numbers: &[
            number("make-points", 0, 1000),
            number("march-points", 0, 1000),
            number("euchre-points-each", 0, 1000),
            number("target", 1, 100_000),
            number("n-deals", 1, 65_536),
        ],
    },
    fixed: "",
    others: &[],
};

impl Pair {
    /// Compares games under these rules.
    fn compare<G: FullGame>(&self, rules: Table, plan: &ComparedDeals) {
        let file = game_file(self.file);
        let rules: G::Rules = rules.try_into().unwrap();
        let all = Table::try_from(&rules).unwrap();
        let game = declared(&file, &self.rules.options(&all, self.others));
        assert_same(&G::new(rules).unwrap(), &game, plan);
    }

    /// Compares random settings of all options.
    fn compare_settings<G: FullGame>(&self, settings: u64, deals: u64) {
        for setting in 0..settings {
            let mut rules = self.rules.random(setting);
            rules.extend(self.fixed.parse::<Table>().unwrap());
            let numbers = setting * deals..(setting + 1) * deals;
            self.compare::<G>(rules, &ComparedDeals { numbers, closely: 5, same_sides: false });
        }
    }

    /// Compares the presets that the file can play, of which there are `number`. The defaults of both are the same.
    fn compare_presets<G: FullGame>(&self, number: usize, deals: u64, closely: u64) {
        let fixed: Table = self.fixed.parse().unwrap();
        let mut found = 0;
        for preset in G::PRESETS {
            let rules: Table = preset.rules.parse().unwrap();
            let whole = Table::try_from(rules.clone().try_into::<G::Rules>().unwrap()).unwrap();
            if fixed.iter().all(|(rule, value)| whole.get(rule) == Some(value)) {
                self.compare::<G>(rules, &ComparedDeals { numbers: 0..deals, closely, same_sides: true });
                found += 1;
            }
        }
        assert_eq!(found, number, "{}", self.file);
        let mut rules: Table = fixed;
        rules = Table::try_from(rules.try_into::<G::Rules>().unwrap()).unwrap();
        let defaults = declared(&game_file(self.file), &Table::new());
        assert_eq!(defaults.rules().0, self.rules.options(&rules, self.others), "{}", self.file);
    }
}

#[test]
fn dumbo_from_a_file_is_dumbo() {
    DUMBO.compare_presets::<Dumbo>(1, 1_000, 100);
    DUMBO.compare_settings::<Dumbo>(30, 5);
}

#[test]
fn colour_blind_from_files_is_colour_blind() {
    COLOUR_BLIND.compare_presets::<ColourBlind>(1, 500, 100);
    COLOUR_BLIND.compare_settings::<ColourBlind>(25, 5);
    COLOUR_BLIND_2.compare_presets::<ColourBlind>(4, 200, 50);
    COLOUR_BLIND_2.compare_settings::<ColourBlind>(25, 5);
}

#[test]
fn euchre_from_a_file_is_euchre() {
    EUCHRE.compare_presets::<Euchre>(2, 1_000, 50);
    EUCHRE.compare_settings::<Euchre>(50, 10);
}

#[test]
#[ignore = "long: 100,000 deals of each preset"]
fn games_from_files_are_the_same_in_100_000_deals() {
    DUMBO.compare_presets::<Dumbo>(1, 100_000, 500);
    COLOUR_BLIND.compare_presets::<ColourBlind>(1, 100_000, 500);
    COLOUR_BLIND_2.compare_presets::<ColourBlind>(4, 100_000, 500);
    EUCHRE.compare_presets::<Euchre>(2, 100_000, 200);
}

#[test]
#[ignore = "long: 500 settings of each file"]
fn games_from_files_are_the_same_in_500_settings() {
    DUMBO.compare_settings::<Dumbo>(500, 50);
    COLOUR_BLIND.compare_settings::<ColourBlind>(500, 50);
    COLOUR_BLIND_2.compare_settings::<ColourBlind>(500, 50);
    EUCHRE.compare_settings::<Euchre>(500, 100);
}
