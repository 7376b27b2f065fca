//! Rules of games in Rust, the options of files that say the same, and random values of both.

use overtrick_cards::{SeedSource, Stream};
use toml::{Table, Value};

/// A rule whose values are words, and its option in the file.
pub struct WordRule {
    pub rule: &'static str,
    pub option: &'static str,
    /// The words in Rust, each with the word in the file.
    pub words: &'static [(&'static str, &'static str)],
}

/// A rule whose values are numbers, and its range. The option has the same name.
pub struct NumberRule {
    pub rule: &'static str,
    pub low: i64,
    pub high: i64,
}

pub const fn number(rule: &'static str, low: i64, high: i64) -> NumberRule {
    NumberRule { rule, low, high }
}

/// Words that are the same in both.
pub const END_MODE: WordRule =
    WordRule { rule: "end-mode", option: "end-mode", words: &[("target", "target"), ("deals", "deals")] };

/// The effect of a shared lead at the target.
pub const TIES: WordRule = WordRule {
    rule: "tie-rule",
    option: "ties",
    words: &[
        ("highest-then-extra-deal", "extra-deal"),
        ("highest-then-shared", "shared"),
        ("highest-then-seat", "seat"),
    ],
};

/// The rules that a file has as options.
pub struct SharedRules {
    pub words: &'static [WordRule],
    pub flags: &'static [&'static str],
    pub numbers: &'static [NumberRule],
}

impl SharedRules {
    /// Returns the options of the file that say the same as `rules`. Rules that are no options must be in `others`.
    pub fn options(&self, rules: &Table, others: &[&str]) -> Table {
        let mut options = Table::new();
        for (rule, value) in rules {
            let word = self.words.iter().find(|word| word.rule == rule);
            match word {
                Some(WordRule { option, words, .. }) => {
                    let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
                    let found = words.iter().find(|(rust, _)| *rust == value);
                    let (_, ours) = found.unwrap_or_else(|| panic!("{rule} = {value}"));
                    options.insert((*option).to_owned(), Value::from(*ours));
                }
                None if others.contains(&rule.as_str()) => {}
                None => {
                    options.insert(rule.clone(), value.clone());
                }
            }
        }
        options
    }

    /// Draws the rules number `setting`.
    pub fn random(&self, setting: u64) -> Table {
        let mut rng = SeedSource::new(47, "settings", self.numbers[0].rule).stream(setting, 0);
        let mut table = Table::new();
        for WordRule { rule, words, .. } in self.words {
            let place = usize::try_from(draw(&mut rng, 0, words.len() as i64 - 1)).unwrap();
            let word = words[place].0;
            // A number stands for a number.
            let value = word.parse().map_or(Value::from(word), Value::Integer);
            table.insert((*rule).to_owned(), if *rule == "strip" { Value::from(word) } else { value });
        }
        for rule in self.flags {
            table.insert((*rule).to_owned(), Value::from(draw(&mut rng, 0, 1) == 1));
        }
        for NumberRule { rule, low, high } in self.numbers {
            table.insert((*rule).to_owned(), Value::from(draw(&mut rng, *low, *high)));
        }
        table
    }
}

/// Draws a number of a range.
fn draw(rng: &mut Stream, low: i64, high: i64) -> i64 {
    low + i64::try_from(rng.random_below(u64::try_from(high - low + 1).unwrap())).unwrap()
}
