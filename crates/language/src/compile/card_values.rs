//! The values of cards that are won in tricks, and the numbers of some of them.

use std::collections::BTreeMap;

use overtrick_cards::table::BySeat;
use overtrick_cards::{CardSet, Deck};
use overtrick_toml::InputError;

use super::cards;
use super::resolver::Resolver;
use crate::expression::IntegerInterval;
use crate::source::AmountSetting;

/// The largest number of names in `counts`.
pub(super) const MOST_COUNTS: usize = 8;

/// Cards whose number has a name.
#[derive(Clone, Debug)]
pub struct CardCount {
    /// The name.
    pub name: String,
    /// The cards.
    pub cards: CardSet,
}

/// The amounts that each seat has won with cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WonAmounts {
    /// The values of the cards.
    pub points: BySeat<i32>,
    /// The numbers of cards that have a name, in the order of [`CardValues::counts`].
    pub counts: [BySeat<i32>; MOST_COUNTS],
}

/// The values of cards that are won in tricks, and the numbers of some of them.
#[derive(Clone, Debug, Default)]
pub struct CardValues {
    /// The cards of each value other than 0.
    values: Vec<(i32, CardSet)>,
    /// The cards whose numbers have a name.
    pub counts: Vec<CardCount>,
}

/// Reads values by pattern of cards, as values by card.
///
/// # Errors
/// If a pattern is wrong, or if two name the same card.
pub(super) fn values_by_card(
    resolver: &Resolver<'_>,
    key: &[&str],
    patterns: &BTreeMap<String, AmountSetting<-100, 100>>,
) -> Result<[i8; 64], InputError> {
    let mut values = [0; 64];
    let mut known = CardSet::EMPTY;
    for (pattern, setting) in patterns {
        let at = [key, &[pattern.as_str()]].concat();
        // The deck may lack cards under some values of the options.
        let named = cards::card_set(pattern, Deck::Jokers54.cards()).map_err(|problem| resolver.error(&at, problem))?;
        if let Some(card) = (named & known).first() {
            return Err(resolver.error(&at, format!("names {card}, which another pattern names; name it once")));
        }
        known |= named;
        let value = i8::try_from(resolver.amount(&at, setting)?).unwrap_or(0);
        for card in named {
            values[card.index()] = value;
        }
    }
    Ok(values)
}

impl CardValues {
    /// Makes the values of a file. `deck` has the cards that can be won.
    ///
    /// # Errors
    /// The first wrong key of `score.values` and `score.counts`.
    pub fn of(resolver: &Resolver<'_>, deck: CardSet) -> Result<CardValues, InputError> {
        let keys = &resolver.file.keys().score;
        let by_card = values_by_card(resolver, &["score", "values"], &keys.values)?;
        let mut values: BTreeMap<i32, CardSet> = BTreeMap::new();
        for card in deck {
            *values.entry(i32::from(by_card[card.index()])).or_insert(CardSet::EMPTY) |= CardSet::of(card);
        }
        values.remove(&0);
        if keys.counts.len() > MOST_COUNTS {
            let problem = format!("has {} names, and {MOST_COUNTS} fit; leave out some", keys.counts.len());
            return Err(resolver.error(&["score", "counts"], problem));
        }
        let mut counts = Vec::new();
        for (name, text) in &keys.counts {
            let key = ["score", "counts", name.as_str()];
            let text = resolver.text(&key, text)?;
            let cards = cards::card_set(text, deck).map_err(|problem| resolver.error(&key, problem))?;
            counts.push(CardCount { name: name.clone(), cards });
        }
        Ok(CardValues { values: values.into_iter().collect(), counts })
    }

    /// Returns whether cards have values.
    pub fn has_values(&self) -> bool {
        !self.values.is_empty()
    }

    /// Returns whether the score depends on the cards won.
    #[inline(always)]
    pub fn read_cards(&self) -> bool {
        !self.values.is_empty() || !self.counts.is_empty()
    }

    /// Returns the amounts of the cards that each seat has won.
    pub fn won(&self, cards: BySeat<CardSet>) -> WonAmounts {
        let mut amounts = WonAmounts { points: cards.map(|cards| self.total(cards)), ..WonAmounts::default() };
        for (number, count) in amounts.counts.iter_mut().zip(&self.counts) {
            *number = cards.map(|cards| i32::try_from((cards & count.cards).len()).unwrap_or(0));
        }
        amounts
    }

    /// Returns the sum of the values of cards.
    pub fn total(&self, cards: CardSet) -> i32 {
        self.values.iter().map(|(value, of)| value * i32::try_from((cards & *of).len()).unwrap_or(0)).sum()
    }

    /// Returns an interval with the sums of the values of all sets of cards.
    pub fn interval(&self) -> IntegerInterval {
        let sum_of = |meant: fn(i64) -> bool| {
            let all = self.values.iter().map(|(value, cards)| (i64::from(*value), i64::from(cards.len())));
            all.filter(|(value, _)| meant(*value)).map(|(value, number)| value * number).sum::<i64>()
        };
        IntegerInterval::new(sum_of(|value| value < 0), sum_of(|value| value > 0))
    }
}
