//! The values of the cards of a row, which the winners of tricks take.

use overtrick_cards::table::{BySeat, Seat};
use overtrick_cards::{Card, CardSet, Deck, Suit};
use overtrick_toml::InputError;

use super::card_values::values_by_card;
use super::resolver::Resolver;
use crate::expression::{Circumstances, Expression, IntegerInterval, Name, NameSource, ValueType};
use crate::source::ConditionSetting;

/// The red cards.
pub const RED: CardSet = CardSet::from_bits(CardSet::suit(Suit::Diamonds).bits() | CardSet::suit(Suit::Hearts).bits());
/// The black cards.
pub const BLACK: CardSet = CardSet::from_bits(CardSet::suit(Suit::Clubs).bits() | CardSet::suit(Suit::Spades).bits());

/// The values of the cards of a row.
#[derive(Clone, Debug)]
pub struct RowValues {
    /// The values by card, as they are, and with the colours flipped.
    values: [[i8; 64]; 2],
    flips: Expression,
    /// The remarks above records, with red and with black as the good colour.
    pub remarks: [String; 2],
}

impl RowValues {
    /// Makes the values of a file.
    ///
    /// # Errors
    /// The first wrong key of `score.row-values`.
    pub fn of(resolver: &Resolver<'_>) -> Result<RowValues, InputError> {
        let keys = &resolver.file.keys().score.row_values;
        let base = values_by_card(resolver, &["score", "row-values", "base"], &keys.base)?;
        let mut values = [[0; 64]; 2];
        for card in Deck::Jokers54.cards() {
            let sign = if RED.contains(card) { 1 } else { -1 };
            values[0][card.index()] = sign * base[card.index()];
            values[1][card.index()] = -sign * base[card.index()];
        }
        let mut scopes = resolver.scopes_for_all();
        for (number, text) in ["red", "black"].into_iter().enumerate() {
            let interval = IntegerInterval::new(0, 13);
            let (value_type, source) = (ValueType::Integer, NameSource::Deal(number));
            if !scopes.add(Name { text: text.to_owned(), value_type, interval, source }) {
                let problem = "is the name of a value of the row, too; choose another name";
                return Err(resolver.error(&["options", text], problem));
            }
        }
        let flips = keys.flip_when.as_ref().unwrap_or(&ConditionSetting::Value(false));
        let flips = resolver.condition(&["score", "row-values", "flip-when"], flips, &scopes)?;
        let remark = keys.remark.as_deref().unwrap_or("the good colour is {colour}");
        Ok(RowValues { values, flips, remarks: ["red", "black"].map(|colour| remark.replace("{colour}", colour)) })
    }

    /// Returns whether the colours change their signs in a deal with this row.
    #[inline]
    pub fn flips(&self, row: CardSet) -> bool {
        let count = |colour: CardSet| i32::try_from((row & colour).len()).unwrap_or(0);
        let sides = BySeat::default();
        let at = Circumstances {
            deal: &[count(RED), count(BLACK)],
            seats: &[],
            players: 1,
            dealer: Seat::Seat0,
            declarer: Seat::Seat0,
            sides: &sides,
        };
        self.flips.holds(&at, Seat::Seat0)
    }

    /// Returns the value of each card.
    #[inline]
    pub fn by_card(&self, flipped: bool) -> &[i8; 64] {
        &self.values[usize::from(flipped)]
    }

    /// Returns the value of a card.
    #[inline]
    pub fn value(&self, flipped: bool, card: Card) -> i32 {
        i32::from(self.by_card(flipped)[card.index()])
    }

    /// Returns the sum of the values of cards.
    #[inline]
    pub fn total(&self, flipped: bool, cards: CardSet) -> i32 {
        cards.iter().map(|card| self.value(flipped, card)).sum()
    }

    /// Returns the cards of the colour that counts its values.
    pub fn good(flipped: bool) -> CardSet {
        if flipped { BLACK } else { RED }
    }

    /// Returns an interval with the sums of the values of this number of cards of one colour, or fewer.
    pub fn interval(&self, deck: CardSet, number: usize) -> IntegerInterval {
        let mut sizes: Vec<i64> = deck.iter().map(|card| i64::from(self.value(false, card)).abs()).collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        let most: i64 = sizes.into_iter().take(number).sum();
        IntegerInterval::new(-most, most)
    }
}
