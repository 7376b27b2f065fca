//! The parts of a declared game from which a player forecasts its scores.

use overtrick_cards::table::{BySeat, Move, Seat};
use overtrick_cards::{Deck, Order};

use super::{DeclaredGame, DeclaredPublic};
use crate::compile::{PlayDuties, ScoreFacts};

/// An amount that players win with cards, and that the score depends on.
#[derive(Clone, Debug)]
pub struct CardAmount {
    /// The index among the named numbers of cards, or `None` for the values of cards.
    pub count: Option<usize>,
    /// By card: the amount that it brings.
    pub by_card: [i32; 64],
}

/// The effects of a call that makes trumps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrumpOffer {
    /// The number of the order that is then in force.
    pub order: usize,
    /// The player who takes the card turned up, and discards.
    pub taker: Option<Seat>,
}

impl DeclaredGame {
    /// Returns the orders: the one in force in all deals, or one for each suit that can be trumps.
    pub fn orders(&self) -> &[Order] {
        &self.orders
    }

    /// Returns the amounts won with cards that the score depends on.
    pub fn card_amounts(&self) -> Vec<CardAmount> {
        let values = self.score.values();
        let mut amounts = Vec::new();
        if values.has_values() && self.score.reads_points() {
            amounts.push(CardAmount { count: None, by_card: [0; 64] });
        }
        for number in (0..values.counts.len()).filter(|number| self.score.reads_count(*number)) {
            amounts.push(CardAmount { count: Some(number), by_card: [0; 64] });
        }
        for amount in &mut amounts {
            for card in Deck::Jokers54.cards() & self.cards {
                amount.by_card[card.index()] = match amount.count {
                    Some(number) => i32::from(values.counts[number].cards.contains(card)),
                    None => values.total([card].into_iter().collect()),
                };
            }
        }
        amounts
    }

    /// Returns whether the score depends on the number of tricks of a hand.
    pub fn counts_tricks(&self) -> bool {
        self.score.reads_tricks()
    }

    /// Returns the scores of a deal that ends with these facts, which may be imagined.
    ///
    /// All tricks must have winners.
    pub fn scores_of(&self, facts: &ScoreFacts) -> BySeat<i32> {
        match &self.table {
            Some(table) => table.scores(facts),
            None => self.score.results(facts).map(|result| result.points),
        }
    }

    /// Returns the value of the prize of each trick, in games with a row; zeros in others.
    pub fn prizes_by_trick(&self, public: &DeclaredPublic) -> [i32; DeclaredPublic::ROW] {
        let mut prizes = [0; DeclaredPublic::ROW];
        if self.dealing.row {
            for (prize, card) in prizes.iter_mut().zip(&public.row[..self.tricks]) {
                *prize = self.row_values.value(public.flipped, *card);
            }
        }
        prizes
    }

    /// Returns the duties of players who do not lead, where following suit is not the only one.
    #[inline(always)]
    pub fn special_duties(&self) -> Option<&PlayDuties> {
        (!self.duties.are_plain()).then_some(&self.duties)
    }

    /// Returns whether players bid or make trumps before the play.
    pub fn has_calls(&self) -> bool {
        self.rounds.is_some() || !self.bids.is_empty()
    }

    /// Returns the number of cards that each player passes before the play.
    pub fn cards_to_pass(&self) -> usize {
        self.passing.as_ref().map_or(0, |passing| passing.cards)
    }

    /// Returns whether each trick wins a prize of a row.
    pub fn has_prizes(&self) -> bool {
        self.dealing.row
    }

    /// Returns the effects of a call that makes trumps now. `None` for a pass, and for calls of other kinds.
    pub fn trump_offer(&self, public: &DeclaredPublic, dealer: Seat, chosen: Move) -> Option<TrumpOffer> {
        let rounds = self.rounds.as_ref()?;
        let call = usize::from(chosen.as_call()?);
        if call == usize::from(crate::compile::PASS_CALL) {
            return None;
        }
        let suit = rounds.calls[call].suit.or(public.trump);
        let round = &rounds.rounds[usize::from(public.round)];
        let taker = round.taker.map(|steps| self.seat(dealer, steps));
        Some(TrumpOffer { order: suit.map_or(0, |suit| suit as usize), taker })
    }
}
