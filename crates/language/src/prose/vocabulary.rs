//! The names of expressions in words.

use std::collections::BTreeMap;

use overtrick_toml::InputError;

use crate::expression::{ExpressionError, ExpressionWords, NameWords, SeatWords, in_words};
use crate::source::{ConditionSetting, OptionValue};

use super::facts::GameFacts;

/// The names that the expressions of a score use, with their words.
pub(super) struct Vocabulary<'a> {
    facts: &'a GameFacts<'a>,
    seats: SeatWords,
    /// The names of `let`, and whether each is a condition.
    lets: BTreeMap<String, bool>,
}

/// Returns the words of an option with this value.
fn option_words(name: &str, value: &OptionValue) -> NameWords {
    match value {
        OptionValue::Integer(value) => NameWords::Fixed(format!("{value} (`{name}`)")),
        OptionValue::Truth(value) => NameWords::Condition {
            holds: format!("the option `{name}` is true (it is {value})"),
            fails: format!("the option `{name}` is false (it is {value})"),
        },
        OptionValue::Word(word) => NameWords::Fixed(format!("{word} (`{name}`)")),
    }
}

fn of_seat(noun: &str) -> NameWords {
    NameWords::OfSeat { noun: noun.to_owned(), article: true }
}

impl<'a> Vocabulary<'a> {
    /// Makes the names of a game without those of `let`. `by_side` says whether rows are asked by side.
    pub(super) fn of(facts: &'a GameFacts<'a>, by_side: bool) -> Vocabulary<'a> {
        let partners = facts.seating.partners;
        let seats = SeatWords {
            subject: if by_side { "the side" } else { "the player" },
            own: match (partners, by_side) {
                (true, true) => "the side",
                (true, false) => "both partners",
                (false, _) => "the player",
            },
            others: if partners { "the other side" } else { "the other players" },
        };
        Vocabulary { facts, seats, lets: BTreeMap::new() }
    }

    /// Returns the seat for which rows are asked.
    pub(super) fn subject(&self) -> &'static str {
        self.seats.subject
    }

    /// Adds a name of `let`.
    pub(super) fn add(&mut self, name: &str, is_condition: bool) {
        self.lets.insert(name.to_owned(), is_condition);
    }

    fn name(&self, name: &str) -> NameWords {
        let file = self.facts.resolver.file;
        if let Some(is_condition) = self.lets.get(name) {
            return match is_condition {
                true => {
                    NameWords::Condition { holds: format!("`{name}` holds"), fails: format!("`{name}` does not hold") }
                }
                false => NameWords::OfSeat { noun: format!("`{name}`"), article: false },
            };
        }
        if let Some(value) = self.facts.resolver.values.get(name) {
            return option_words(name, value);
        }
        if file.keys().score.counts.contains_key(name) {
            return of_seat(&format!("number of `{name}`"));
        }
        let has_row = self.facts.dealing.row;
        match name {
            "tricks" => of_seat("number of tricks"),
            "dealer" => NameWords::Verb { holds: "deals", fails: "does not deal" },
            "declarer" => NameWords::Verb { holds: "declares", fails: "does not declare" },
            "defender" => NameWords::Verb { holds: "defends", fails: "does not defend" },
            "bid" => of_seat("bid"),
            "total" => of_seat("total before the deal"),
            "points" if has_row => of_seat("value of the prizes won"),
            "points" => of_seat("value of the cards won"),
            "good" => of_seat("value of the good prizes won"),
            "bad" => of_seat("value of the bad prizes won"),
            "red" => NameWords::Fixed("the number of red cards in the row".to_owned()),
            "black" => NameWords::Fixed("the number of black cards in the row".to_owned()),
            "hand" if self.facts.dealing.changes() => NameWords::Fixed(self.facts.cards_of_hand()),
            "hand" => NameWords::Fixed(format!("{} (the cards of a hand)", self.facts.dealing.hand)),
            "players" => NameWords::Fixed(format!("{} (the players)", self.facts.seating.players)),
            dummy => NameWords::Fixed(format!("the number of tricks of `{dummy}`")),
        }
    }

    /// Returns an expression in words. `key` is its place in the file.
    pub(super) fn words(&self, key: &[&str], text: &str) -> Result<ExpressionWords, InputError> {
        let wrong = |error: ExpressionError| self.facts.resolver.error(key, error.to_string());
        // An equals sign before an expression has no meaning.
        in_words(text.strip_prefix('=').unwrap_or(text), &|name| self.name(name), self.seats).map_err(wrong)
    }

    /// Returns a condition in words, or none if it always holds.
    pub(super) fn condition(&self, key: &[&str], of: &ConditionSetting) -> Result<Option<String>, InputError> {
        match of {
            ConditionSetting::Value(true) => Ok(None),
            ConditionSetting::Value(false) => Ok(Some("never".to_owned())),
            ConditionSetting::Text(text) => self.words(key, text).map(|words| Some(words.text)),
        }
    }
}
