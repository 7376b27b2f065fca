//! The packs that the games are played with.

use std::borrow::Cow;

use super::{CardSet, Rank};

/// A pack: the set of cards that a game is played with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Deck {
    /// 24 cards, nine to ace.
    Short24,
    /// 32 cards, seven to ace.
    Short32,
    /// 40 cards: 52 without the sevens, eights and nines.
    Without789,
    /// 40 cards: 52 without the jacks, queens and kings.
    WithoutCourts,
    /// The full pack of 52.
    Full52,
    /// The full pack and the two jokers.
    Jokers54,
    /// Any other cards. [`Deck::of`] makes it.
    Custom(CardSet),
}

impl Deck {
    /// Every pack with a name, in ascending order of size.
    pub const ALL: [Deck; 6] =
        [Deck::Short24, Deck::Short32, Deck::Without789, Deck::WithoutCourts, Deck::Full52, Deck::Jokers54];

    /// Returns the pack of these cards.
    ///
    /// A pack with a name is found by its cards, so that all games with the same cards share their deals.
    pub fn of(cards: CardSet) -> Deck {
        Deck::ALL.into_iter().find(|deck| deck.cards() == cards).unwrap_or(Deck::Custom(cards))
    }

    /// Returns the cards of the pack.
    pub const fn cards(self) -> CardSet {
        let ranks = match self {
            Deck::Short24 => from(Rank::Nine),
            Deck::Short32 => from(Rank::Seven),
            Deck::Without789 => from(Rank::Two) & !(from(Rank::Seven) & !from(Rank::Ten)),
            Deck::WithoutCourts => from(Rank::Two) & !(from(Rank::Jack) & !from(Rank::Ace)),
            Deck::Full52 | Deck::Jokers54 => from(Rank::Two),
            Deck::Custom(cards) => return cards,
        };
        let jokers = match self {
            Deck::Jokers54 => CardSet::JOKERS.bits(),
            _ => 0,
        };
        CardSet::from_bits(CardSet::of_ranks(ranks).bits() | jokers)
    }

    /// Returns the pack's name in seeds and listings.
    ///
    /// The name of other cards is their set as a hexadecimal number.
    pub fn name(self) -> Cow<'static, str> {
        Cow::Borrowed(match self {
            Deck::Short24 => "24",
            Deck::Short32 => "32",
            Deck::Without789 => "40 (no 7 8 9)",
            Deck::WithoutCourts => "40 (no J Q K)",
            Deck::Full52 => "52",
            Deck::Jokers54 => "54",
            Deck::Custom(cards) => return Cow::Owned(format!("{:016x}", cards.bits())),
        })
    }
}

/// Returns the ranks from `lowest` to the ace, one bit for each.
const fn from(lowest: Rank) -> u16 {
    2 * Rank::Ace.bit() - lowest.bit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_deck_has_its_cards() {
        let sizes = Deck::ALL.map(|deck| deck.cards().len());
        assert_eq!(sizes, [24, 32, 40, 40, 52, 54]);
        let has = |deck: Deck, text: &str| deck.cards().contains(text.parse().unwrap());
        assert!(has(Deck::Short24, "9C") && !has(Deck::Short24, "8C"));
        assert!(has(Deck::Short32, "7S") && !has(Deck::Short32, "6S"));
        assert!(["7D", "8H", "9S"].iter().all(|text| !has(Deck::Without789, text)));
        assert!(["6D", "TH", "KS"].iter().all(|text| has(Deck::Without789, text)));
        assert!(["JD", "QH", "KS"].iter().all(|text| !has(Deck::WithoutCourts, text)));
        assert!(["AD", "TH", "7S"].iter().all(|text| has(Deck::WithoutCourts, text)));
        let custom = Deck::of("AS 2C".parse().unwrap());
        assert_eq!((custom.cards().len(), &*custom.name()), (2, "1000000000000001"));
        assert!(Deck::ALL.into_iter().all(|deck| Deck::of(deck.cards()) == deck));
        assert!(has(Deck::Jokers54, "BJ") && has(Deck::Jokers54, "LJ") && !has(Deck::Full52, "BJ"));
    }
}
