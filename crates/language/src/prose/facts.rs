//! The values of a file's keys, each with the option that it comes from.

use std::fmt;

use overtrick_toml::InputError;
use serde::de::DeserializeOwned;

use crate::compile::{Dealing, DeckOfGame, Resolver, Seating, TrumpSource, trump_source};
use crate::source::{AmountSetting, ChoiceSetting, FlagSetting, GameFile, OptionValues};

use super::wording;

/// A value of a key, with a note of the option that it comes from.
#[derive(Clone, Debug)]
pub(super) struct Stated<T> {
    pub(super) value: T,
    /// Empty, or a space and the option in brackets.
    pub(super) note: String,
}

/// Returns the note on an expression of options.
fn note(text: &str) -> String {
    format!(" (`{}`)", text.trim_start_matches('=').trim())
}

impl Stated<i32> {
    /// Returns a number of things: "13 cards (`cards`)".
    pub(super) fn counted(&self, thing: &str) -> String {
        format!("{}{}", wording::counted(i64::from(self.value), thing), self.note)
    }
}

impl<T: fmt::Display> fmt::Display for Stated<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}{}", self.value, self.note)
    }
}

/// A game as its page of rules describes it.
pub(super) struct GameFacts<'a> {
    pub(super) resolver: Resolver<'a>,
    pub(super) deck: DeckOfGame,
    pub(super) seating: Seating,
    pub(super) dealing: Dealing,
    pub(super) trumps: TrumpSource,
}

impl<'a> GameFacts<'a> {
    /// Reads the facts of a file under values of its options.
    pub(super) fn of(file: &'a GameFile, values: &'a OptionValues) -> Result<GameFacts<'a>, InputError> {
        let resolver = Resolver { file, values };
        let deck = DeckOfGame::of(&resolver)?;
        let seating = Seating::of(&resolver, deck.cards)?;
        let dealing = Dealing::of(&resolver, &seating, &deck)?;
        Ok(GameFacts { resolver, deck, seating, dealing, trumps: trump_source(&resolver)? })
    }

    /// Returns a number, or the default without a key.
    pub(super) fn amount<const LOW: i32, const HIGH: i32>(
        &self,
        key: &[&str],
        setting: &Option<AmountSetting<LOW, HIGH>>,
        default: i32,
    ) -> Result<Stated<i32>, InputError> {
        Ok(match setting {
            None => Stated { value: default, note: String::new() },
            Some(AmountSetting::Value(value)) => Stated { value: *value, note: String::new() },
            Some(setting @ AmountSetting::Text(text)) => {
                Stated { value: self.resolver.amount(key, setting)?, note: note(text) }
            }
        })
    }

    /// Returns the number of cards of each hand in a deal.
    pub(super) fn cards_of_hand(&self) -> String {
        if self.dealing.changes() { "the number of cards of a hand".to_owned() } else { self.dealing.hand.to_string() }
    }

    /// Returns a number that may depend on the cards of each hand in the deal.
    pub(super) fn amount_of_deal<const LOW: i32, const HIGH: i32>(
        &self,
        key: &[&str],
        setting: &AmountSetting<LOW, HIGH>,
    ) -> Result<String, InputError> {
        let AmountSetting::Text(text) = setting else {
            return Ok(self.resolver.amount_of_deal(key, setting, self.dealing.hand)?.to_string());
        };
        let mut values = Vec::new();
        for hand in self.dealing.by_deal() {
            values.push(self.resolver.amount_of_deal(key, setting, *hand)?);
        }
        let is_hand = text.trim_start_matches('=').trim() == "hand";
        Ok(match values[0] {
            _ if is_hand => self.cards_of_hand(),
            value if values.iter().all(|other| *other == value) => format!("{value}{}", note(text)),
            _ => format!(
                "the value of{}, where `hand` is the number of cards of a hand",
                note(text).replace(['(', ')'], "")
            ),
        })
    }

    /// Returns a truth value, or the default without a key.
    pub(super) fn flag(
        &self,
        key: &[&str],
        setting: &Option<FlagSetting>,
        default: bool,
    ) -> Result<Stated<bool>, InputError> {
        Ok(match setting {
            None => Stated { value: default, note: String::new() },
            Some(FlagSetting::Value(value)) => Stated { value: *value, note: String::new() },
            Some(setting @ FlagSetting::Text(text)) => {
                Stated { value: self.resolver.flag(key, setting)?, note: note(text) }
            }
        })
    }

    /// Returns a word, or the default without a key.
    pub(super) fn choice<T: Copy + DeserializeOwned>(
        &self,
        key: &[&str],
        setting: &Option<ChoiceSetting<T>>,
        default: T,
    ) -> Result<Stated<T>, InputError> {
        Ok(match setting {
            None => Stated { value: default, note: String::new() },
            Some(ChoiceSetting::Value(value)) => Stated { value: *value, note: String::new() },
            Some(setting @ ChoiceSetting::Text(text)) => {
                Stated { value: self.resolver.choice(key, setting)?, note: note(text) }
            }
        })
    }

    /// Returns a text, or the default without a key.
    pub(super) fn text(&self, key: &[&str], text: Option<&str>, default: &str) -> Result<Stated<String>, InputError> {
        let Some(text) = text else { return Ok(Stated { value: default.to_owned(), note: String::new() }) };
        let note = if text.starts_with('=') { note(text) } else { String::new() };
        Ok(Stated { value: self.resolver.text(key, text)?.to_owned(), note })
    }

    /// Returns cards in words.
    pub(super) fn cards(&self, key: &[&str], text: Option<&str>) -> Result<String, InputError> {
        let text = self.text(key, text, "")?;
        Ok(format!("{}{}", wording::cards(&text.value), text.note))
    }
}
