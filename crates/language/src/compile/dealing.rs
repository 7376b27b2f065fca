//! The cards that are dealt to hands and other places.

use overtrick_cards::table::Place;
use overtrick_toml::InputError;

use super::deck::DeckOfGame;
use super::resolver::Resolver;
use super::seating::Seating;
use crate::source::{RowLastWord, TurnUpWord};

/// The largest number of tricks that a table has room for.
const MOST_TRICKS: u32 = 16;

/// The most deals after which the sizes of hands repeat.
const MOST_DEALS: usize = 60;

/// The numbers of cards that are dealt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dealing {
    /// By deal of the cycle, the cards of each hand.
    by_deal: Vec<u32>,
    /// The most cards of a hand.
    pub hand: u32,
    /// The fewest cards of a hand.
    pub least_hand: u32,
    /// Whether prizes lie in a row, one for each trick.
    pub row: bool,
    /// Whether a further prize lies face down.
    pub row_last: bool,
    /// Whether the winner of the last trick takes the prize that lies face down.
    pub last_trick_takes: bool,
    /// Whether a card is turned up from the cards that are left.
    pub turned: bool,
    /// Whether the last card of the dealer's hand is turned up.
    pub dealers_last: bool,
    /// The most cards that are left.
    pub rest: u32,
}

impl Dealing {
    /// Makes the dealing of a file.
    ///
    /// # Errors
    /// The first wrong key of the table `deal`.
    pub fn of(resolver: &Resolver<'_>, seating: &Seating, deck: &DeckOfGame) -> Result<Dealing, InputError> {
        let keys = &resolver.file.keys().deal;
        let amount = |key: &'static str, setting| resolver.amount(&["deal", key], setting);
        let row = keys.row.as_ref().map_or(Ok(0), |row| amount("row", row))?;
        let last = match &keys.row_last {
            Some(setting) => resolver.amount(&["deal", "row-last"], setting)?,
            None => 0,
        };
        let last_to = match &keys.row_last_to {
            Some(setting) => resolver.choice(&["deal", "row-last-to"], setting)?,
            None => RowLastWord::None,
        };
        let turn_up = match &keys.turn_up {
            Some(setting) => resolver.choice(&["deal", "turn-up"], setting)?,
            None => TurnUpWord::None,
        };
        let turned = turn_up == TurnUpWord::Next;
        let cards = deck.cards.len();
        let others = u32::try_from(row + last).unwrap_or(0) + u32::from(turned);
        let by_deal = cards_of_hands(resolver, cards, others, seating.hands())?;
        let hand = by_deal.iter().copied().max().unwrap_or(0);
        let least_hand = by_deal.iter().copied().min().unwrap_or(0);
        let dealt = least_hand * u32::try_from(seating.hands()).unwrap_or(1) + others;
        let dealing = Dealing {
            by_deal,
            hand,
            least_hand,
            row: row > 0,
            row_last: last > 0,
            last_trick_takes: last_to == RowLastWord::LastTrick,
            turned,
            dealers_last: turn_up == TurnUpWord::DealersLast,
            rest: cards - dealt,
        };
        dealing.check_row(resolver, seating, u32::try_from(row).unwrap_or(0))?;
        Ok(dealing)
    }

    /// Returns the number of deals after which the sizes of hands repeat.
    pub fn cycle(&self) -> u32 {
        u32::try_from(self.by_deal.len()).unwrap_or(1)
    }

    /// Returns the cards of each hand in a deal.
    #[inline]
    pub fn hand_of(&self, deal: u32) -> u32 {
        // Most games have one size, and a division takes time.
        match self.by_deal[..] {
            [hand] => hand,
            ref all => all[deal as usize % all.len()],
        }
    }

    /// Returns the cards of each hand, by deal of the cycle.
    pub fn by_deal(&self) -> &[u32] {
        &self.by_deal
    }

    /// Returns whether deals differ in the cards of a hand.
    pub fn changes(&self) -> bool {
        self.least_hand != self.hand
    }

    /// Checks that a row has a prize for each trick and finds a place.
    fn check_row(&self, resolver: &Resolver<'_>, seating: &Seating, row: u32) -> Result<(), InputError> {
        let wrong = |key, problem: String| Err(resolver.error(&["deal", key], problem));
        if self.row && self.changes() {
            return wrong("hands", "does not go with a row; set `hand`".to_owned());
        }
        if self.row && row != self.hand {
            return wrong("row", format!("has {row} cards for {} tricks; give each trick one", self.hand));
        }
        if self.row_last && !self.row {
            return wrong("row-last", "lies at the end of a row; set `row`".to_owned());
        }
        if self.last_trick_takes && !self.row_last {
            return wrong("row-last-to", "is for a card that lies face down; set `row-last = 1`".to_owned());
        }
        if self.row && seating.hands() >= Place::HANDS {
            return wrong("row", "finds no place next to four hands; leave out the row".to_owned());
        }
        if self.row && (self.turned || self.rest > 0) {
            let problem = "finds no place next to other cards; leave out `turn-up` and deal all cards";
            return wrong("row", problem.to_owned());
        }
        Ok(())
    }
}

/// Returns the number of cards of each hand, by deal of the cycle, where `others` cards are dealt to other places.
fn cards_of_hands(resolver: &Resolver<'_>, cards: u32, others: u32, hands: usize) -> Result<Vec<u32>, InputError> {
    let keys = &resolver.file.keys().deal;
    let hands = u32::try_from(hands).unwrap_or(1);
    let left = cards.saturating_sub(others);
    let key = if keys.hands.is_empty() { ["deal", "hand"] } else { ["deal", "hands"] };
    let mut by_deal = Vec::new();
    for setting in keys.hand.iter().chain(&keys.hands) {
        by_deal.push(u32::try_from(resolver.amount(&key, setting)?).unwrap_or(0));
    }
    if keys.hand.is_some() && !keys.hands.is_empty() {
        return Err(resolver.error(&key, "stands in place of `hand`; leave one out"));
    }
    if by_deal.len() > MOST_DEALS {
        let problem = format!("has {} numbers, and {MOST_DEALS} fit; leave some out", by_deal.len());
        return Err(resolver.error(&key, problem));
    }
    if by_deal.is_empty() {
        if left == 0 || !left.is_multiple_of(hands) {
            let problem = format!("the {left} cards do not come out even for {hands} hands; set `deal.hand`");
            return Err(resolver.error(&["deal"], problem));
        }
        by_deal.push(left / hands);
    }
    for &hand in &by_deal {
        if hand * hands + others > cards {
            let needed = hand * hands + others;
            let problem = format!("needs {needed} cards, and the deck has {cards}; deal fewer or put ranks back");
            return Err(resolver.error(&key, problem));
        }
        if hand > MOST_TRICKS {
            let problem = format!("gives {hand} tricks, and {MOST_TRICKS} are supported so far; deal fewer cards");
            return Err(resolver.error(&key, problem));
        }
    }
    Ok(by_deal)
}
