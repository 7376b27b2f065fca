//! Positions and tricks in the search, and playing a card.

use super::lanes::{self, SUITS};
use super::position::Position;

/// A position before a lead.
#[derive(Clone, Copy)]
pub(super) struct Spot<const N: usize> {
    pub(super) hands: [u64; N],
    /// The number of cards of each hand in each suit, in four bits each.
    ///
    /// The numbers of a suit are together, hand by hand.
    pub(super) lengths: u64,
    pub(super) leader: usize,
    /// The number of tricks to come.
    pub(super) left: u32,
}

/// A trick in progress.
#[derive(Clone, Copy)]
pub(super) struct CurrentTrick<const N: usize> {
    /// The cards, in playing order.
    pub(super) cards: [u64; N],
    pub(super) played: usize,
    /// The lane that must be followed, if any.
    pub(super) led: u64,
    /// The best card and the hand that played it. 0 if no card can win.
    pub(super) best: u64,
    pub(super) winner: usize,
    /// The lowest card of the winner that was as good as the best.
    pub(super) floor: u64,
}

impl<const N: usize> CurrentTrick<N> {
    #[inline(always)]
    pub(super) fn led_by(leader: usize) -> CurrentTrick<N> {
        CurrentTrick { cards: [0; N], played: 0, led: 0, best: 0, winner: leader, floor: 0 }
    }
}

impl<const N: usize> Spot<N> {
    /// Returns the position and its trick in progress.
    ///
    /// All hands have played the cards of the trick.
    pub(super) fn start(position: &Position) -> (Spot<N>, CurrentTrick<N>) {
        let hands: [u64; N] = std::array::from_fn(|hand| position.hands[hand]);
        let mut spot = Spot { hands, lengths: 0, leader: position.leader, left: u32::from(position.tricks_left()) };
        let leader = position.leader;
        let mut trick = CurrentTrick::led_by(leader);
        // Puts the cards of the trick back into the hands, so that the lengths count them. They are played
        // again below.
        for step in 0..position.played {
            spot.hands[(leader + step) % N] |= position.trick[step];
        }
        for hand in 0..N {
            for suit in 0..4 {
                let cards = spot.hands[hand] & lanes::lane(suit);
                spot.lengths |= u64::from(cards.count_ones()) << (16 * suit + 4 * hand);
            }
        }
        for step in 0..position.played {
            spot.play(&mut trick, position.trick[step], position.trumps);
        }
        (spot, trick)
    }

    /// Plays a card from the hand whose turn it is.
    #[inline(always)]
    pub(super) fn play(&mut self, trick: &mut CurrentTrick<N>, card: u64, trumps: u64) {
        let hand = (self.leader + trick.played) % N;
        let cards = self.hands[hand];
        if trick.led == 0 && card & SUITS != 0 {
            trick.led = lanes::lane_of(card);
        }
        let worth = card & (trick.led | trumps);
        // If no card can win, the last card does.
        if worth >= trick.best {
            trick.best = worth;
            trick.winner = hand;
            trick.floor = lanes::lowest_equal(cards, card);
        }
        trick.cards[trick.played] = card;
        trick.played += 1;
        self.hands[hand] = cards ^ card;
        if card & SUITS != 0 {
            self.lengths -= 1 << ((card.trailing_zeros() & 48) + 4 * hand as u32);
        }
    }

    /// Returns the position after `trick`, in which the remaining cards have closed up.
    ///
    /// Also returns the cards of the trick, each where it lay once the cards before it were gone.
    #[inline(always)]
    pub(super) fn after(&self, trick: &CurrentTrick<N>) -> (Spot<N>, [u64; N]) {
        let mut next = Spot { leader: trick.winner, left: self.left - 1, ..*self };
        let mut gone = trick.cards;
        for step in 0..N {
            let card = gone[step];
            for hand in &mut next.hands {
                *hand = lanes::close_up(*hand, card);
            }
            for later in &mut gone[step + 1..] {
                *later = lanes::close_up(*later, card);
            }
        }
        (next, gone)
    }
}
