//! Books and scores: contracts made and set, doubles, and the cost of reneges.

use std::ops::RangeInclusive;

use overtrick_cards::CardSet;
use overtrick_cards::table::{BySeat, Seat};
use overtrick_game::{Game, State};

use super::{Contracting, DummyWhist, Kind, SetPenalty, WhistRules};
use crate::whist::RenegeMode;

/// The number of books that a bid does not count (WH8).
pub(super) const SIX: i32 = 6;

impl WhistRules {
    /// Returns the factor of a contract's score, without the choices of Humbug (WH39-WH42).
    pub(super) fn doubled(&self, level: u8, no_trump: bool) -> i32 {
        let both = [no_trump && self.nt_double, level == 7 && self.boston_bid_double];
        let doubles = both.into_iter().filter(|&counts| counts).count() as u32;
        self.double_factor.pow(if self.doubles_stack { doubles } else { doubles.min(1) })
    }

    /// Returns the factor of scores if `kept` players keep their hands (HB6). It is 1 in the other games.
    pub(super) fn kept_factor(&self, kept: u8) -> i32 {
        match kept {
            0 => 1,
            1 => self.one_keeps_factor,
            _ => self.both_keep_factor,
        }
    }

    /// Returns the scores of the declarer and of each other player for `books` books.
    ///
    /// The bid is of `level`.
    ///
    /// The choices of Humbug are not included (WH35-WH42).
    pub fn contract_scores(&self, level: u8, no_trump: bool, books: i32) -> [i32; 2] {
        let factor = self.doubled(level, no_trump);
        let level = i32::from(level);
        if books >= SIX + level {
            return [self.book_points * (books - SIX) * factor, 0];
        }
        let penalty = self.set_points * level * factor;
        match self.set_penalty {
            SetPenalty::OpponentsGain => [0, penalty],
            SetPenalty::DeclarerLoses => [-penalty, 0],
            SetPenalty::Both => [-penalty, penalty],
        }
    }
}

impl DummyWhist {
    /// Returns the books of the declarer's side and of the other side, after the cost of reneges.
    ///
    /// Where trumps are turned up there is no declarer, and the sides are seat 0 and seat 1.
    pub fn books(&self, state: &State<Contracting>) -> [i32; 2] {
        let side = |seat: Seat| usize::from(seat != state.public.declarer);
        let mut books = [0; 2];
        for hand in state.table.circle() {
            books[side(state.table.decider(hand))] += i32::from(state.table.tricks_won(hand));
        }
        if self.rules.allow_renege {
            for seat in self.reneges(state) {
                let side = side(seat);
                let lost = books[side].min(i32::from(self.rules.renege_tricks));
                books[side] -= lost;
                if self.rules.renege_mode == RenegeMode::Transfer {
                    books[1 - side] += lost;
                }
            }
        }
        books
    }

    /// Returns the seats that reneged, in the order of play.
    ///
    /// The deal must be over, because later cards show that a hand could have followed suit (WH31). A dummy
    /// cannot renege (WH33).
    pub fn reneges(&self, state: &State<Contracting>) -> Vec<Seat> {
        let order = self.order_in_play(&state.public);
        let tricks = state.table.tricks();
        let plays =
            || tricks.iter().enumerate().flat_map(|(number, trick)| trick.plays.iter().map(move |p| (number, p)));
        let mut found = Vec::new();
        for (number, trick) in tricks.iter().enumerate() {
            let mut follow = CardSet::EMPTY;
            for play in &trick.plays {
                let held: CardSet =
                    plays().filter(|(later, p)| *later >= number && p.hand == play.hand).map(|(_, p)| p.card).collect();
                let free = self.anytime(&state.public).contains(play.card);
                let refused = !follow.contains(play.card) && !follow.is_disjoint(held) && !free;
                if refused && play.hand.index() < self.layout.seats {
                    found.push(state.table.decider(play.hand));
                }
                if follow.is_empty() {
                    follow = order.follow(play.card);
                }
            }
        }
        found
    }

    pub(super) fn score(&self, state: &State<Contracting>) -> BySeat<i32> {
        let Contracting { declarer, bid, kept, .. } = state.public;
        let factor = self.rules.kept_factor(kept);
        let books = self.books(state);
        let [own, others] = match bid {
            Some(bid) => self.rules.contract_scores(bid.level, bid.kind == Kind::NoTrump, books[0]),
            // Where trumps were turned up, each side scores its books over six (HB7).
            None => books.map(|books| self.rules.book_points * (books - SIX).max(0)),
        };
        BySeat::from_fn(|seat| match seat {
            seat if seat.index() >= self.layout.seats => 0,
            seat if seat == declarer => own * factor,
            _ => others * factor,
        })
    }

    /// Returns the lowest and the highest score of a seat in a deal.
    pub(super) fn extreme_scores(&self) -> RangeInclusive<i32> {
        let (mut low, mut high) = (0, 0);
        let levels = if self.rules.turns_up() { 0..=0 } else { self.rules.min_bid..=7 };
        for (level, no_trump) in levels.flat_map(|level| [(level, false), (level, !self.rules.turns_up())]) {
            for books in 0..=13 {
                for score in self.rules.contract_scores(level, no_trump, books) {
                    low = low.min(score);
                    high = high.max(score);
                }
            }
        }
        let most = match self.rules.form {
            super::Form::Humbug => (0..=2).map(|kept| self.rules.kept_factor(kept)).max().unwrap_or(1),
            _ => 1,
        };
        low * most..=high * most
    }
}
