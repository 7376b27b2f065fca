//! Finds cards that make a difference: the lowest of several equivalent cards represents them all.

use overtrick_cards::CardSet;

use super::position::{Frame, TRUMP};

/// The lowest bit of every lane of a word, and the highest bit, which no card has.
const LOWEST: u64 = 0x0001_0001_0001_0001;
const HIGHEST: u64 = LOWEST << 15;

/// Returns the cards of `cards` that represent all equivalent cards.
///
/// Two cards of a suit are equivalent if no other hand's card in play is between them. They also are if
/// neither beats the best card on the table. The lowest represents the others. `all` are the cards in play,
/// and `led` is the suit led. `best` is the strength of the best card on the table, or 0 without one.
///
/// All suits are computed together, a lane each of a word, without a branch that depends on cards.
#[inline(always)]
pub(super) fn distinct(frame: Frame, cards: CardSet, all: CardSet, led: Option<usize>, best: u8) -> CardSet {
    let (mine, all) = (frame.word(cards), frame.word(all));
    let losing = losing(frame.trump(), led, best);
    let lost = mine & losing;
    let lowest = lost & !((lost | HIGHEST) - LOWEST);
    // Of the other cards, neighbours are equivalent unless a wall is between them: another hand's card.
    let wall = all & !mine | losing | HIGHEST;
    let after_wall = wall << 1 | 1;
    // Cards that are gone are no wall. The sum carries the mark after a wall over them to the next card in
    // play.
    let gone = !(wall | mine);
    let first = after_wall | (gone + (after_wall & gone));
    let jokers = if frame.trump().is_some() { CardSet::EMPTY } else { cards & CardSet::JOKERS };
    frame.cards(lowest | mine & !losing & first) | jokers
}

/// Returns the places in a word of the cards that lose a trick.
///
/// `led` was led, and the best card on the table has strength `best`.
#[inline(always)]
fn losing(trump: Option<usize>, led: Option<usize>, best: u8) -> u64 {
    let Some(led) = led else { return 0 };
    let below = |height: u8, suit: usize| ((1 << height.min(TRUMP)) - 1) << (16 * suit);
    let lane = |suit: usize| 0xFFFF << (16 * suit);
    let mut losing = !lane(led) | below(best, led);
    if let Some(trump) = trump {
        losing = losing & !lane(trump) | below(best.saturating_sub(TRUMP), trump);
    }
    losing
}

#[cfg(test)]
mod tests {
    use super::*;
    use overtrick_cards::Suit::{self, Diamonds, Hearts, Spades};

    #[test]
    fn the_lowest_of_cards_that_do_the_same_stands_for_all() {
        let cards = |text: &str| text.parse::<CardSet>().unwrap();
        let choose = |frame: Frame, mine: &str, others: &str, led: Option<Suit>, best: u8| {
            let (mine, others) = (cards(mine), cards(others));
            distinct(frame, mine, mine | others, led.map(|suit| suit as usize), best).to_string()
        };
        let no_trump = Frame::new(None, false);
        // For a lead, cards are equivalent if only cards that are gone are between them.
        assert_eq!(choose(no_trump, "AS QS JS 9S 5H 4D", "KS TS", None, 0), "AS JS 9S 5H 4D");
        assert_eq!(choose(no_trump, "AS QS JS 9S 5H 4D", "KS", None, 0), "AS 9S 5H 4D");
        // Cards below the best card, here the king, are equivalent. So are the cards of each other suit.
        assert_eq!(choose(no_trump, "AS QS JS 9S", "TS", Some(Spades), 12), "AS 9S");
        assert_eq!(choose(no_trump, "AS QS 9D 4D", "KS 7D", Some(Hearts), 12), "QS 4D");
        // Trumps are distinct, unless a higher trump is on the table.
        let diamonds = Frame::new(Some(Diamonds), false);
        assert_eq!(choose(diamonds, "AS QS 9D 4D", "KS 7D", Some(Hearts), 12), "QS 9D 4D");
        assert_eq!(choose(diamonds, "AS QS 9D 4D", "KS 7D", Some(Hearts), TRUMP + 9), "QS 4D");
        // Downtown the king is the lowest card. Jokers are trumps, or else belong to no suit.
        assert_eq!(choose(Frame::new(None, true), "KS 2S", "AS", None, 0), "KS");
        assert_eq!(choose(diamonds, "BJ LJ 2S", "", None, 0), "LJ 2S");
        assert_eq!(choose(no_trump, "BJ LJ 2S", "", None, 0), "BJ LJ 2S");
    }
}
