//! The trick-taking table that all games are played on.
//!
//! It has the seats, the places where cards lie, the moves, the trick in progress and the record.

mod knowledge;
mod moves;
mod per_player;
mod place;
mod role;
mod seat;
mod sight;
mod teams;
mod trick;

pub use moves::{Move, Moves};
pub use per_player::{MAX_SEATS, Numbered, PerPlayer};
pub use place::Place;
pub use role::{ByRole, Role};
pub use seat::{BySeat, Seat};
pub use sight::SeenPlace;
pub use teams::Teams;
pub use trick::{Play, PlayError, Trick};

use crate::{Card, CardSet, Order};

/// The largest number of cards that can be played in one deal.
pub const MAX_PLAYS: usize = 64;
/// The largest number of calls (bids, discards, announcements) in one deal.
pub const MAX_CALLS: usize = 32;
const MAX_TRICKS: usize = 16;

/// The table of a deal, as plain data that is cheap to copy.
///
/// It holds the place of every card, the seats that see it, the turn, the trick in progress and the record of
/// plays and calls.
///
/// Hidden cards lie in places and nowhere else, so that a view hides them at one point. Discards and sealed
/// calls in the record are the only other hidden information.
// The order of fields is that of memory: every play reads and writes the first two cache lines. Of a byte at a
// multiple of four, the compiler loads all four, which stalls if one was stored just before. So bytes that a play
// writes stand elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Table {
    places: [CardSet; Place::COUNT],
    /// The cards that lie face up, at any place.
    open: CardSet,
    /// The strengths of the cards in the trick in progress, one bit for each.
    ///
    /// The highest bit gives the winner. Comparing cards would be a branch that no processor predicts.
    strengths: u32,
    /// For each seat, one bit for each place that the seat may look into.
    sees: BySeat<u8>,
    /// For each hand, the seat that chooses its cards.
    decider: [Seat; Place::COUNT],
    /// For each hand, the hand that plays after it.
    next: [Place; Place::COUNT],
    /// By hand, the tricks that it has won.
    won: [u8; Place::HANDS],
    /// The number of hands that play to a trick.
    hands: u8,
    trick_length: u8,
    /// The hand whose card or call is due.
    turn: Place,
    led: Card,
    dealer: Seat,
    played: u8,
    tricks: u8,
    called: u8,
    /// The index of the first sealed call. Only the callers know sealed calls.
    sealed: u8,
    leaders: [Place; MAX_TRICKS],
    /// By strength, the hand that last played such a card.
    strongest: [Place; Order::STRENGTHS],
    plays: [Card; MAX_PLAYS],
    calls: [(Seat, Move); MAX_CALLS],
    // Plays do not touch the fields from here on.
    /// By caller, the seat that also knows the cards of the shared calls.
    readers: BySeat<Seat>,
    /// The indices of the first shared call and of the first call after the last.
    shared: [u8; 2],
}

impl Table {
    /// Makes a table without cards for `seats` players.
    ///
    /// Each seat sees its own hand and chooses its cards. Hands play clockwise.
    #[inline(always)]
    pub fn new(seats: usize, dealer: Seat) -> Table {
        let hand = |number: usize| Place::ALL[number % seats];
        Table {
            places: [CardSet::EMPTY; Place::COUNT],
            open: CardSet::EMPTY,
            sees: BySeat::new([1, 2, 4, 8]),
            decider: std::array::from_fn(|number| Seat::new(number % seats)),
            next: std::array::from_fn(|number| hand(number + 1)),
            hands: seats as u8,
            dealer,
            turn: Place::hand(dealer),
            led: Card::NONE,
            strengths: 0,
            strongest: [Place::hand(dealer); Order::STRENGTHS],
            trick_length: 0,
            won: [0; Place::HANDS],
            played: 0,
            tricks: 0,
            called: 0,
            sealed: u8::MAX,
            plays: [Card::NONE; MAX_PLAYS],
            leaders: [Place::hand(dealer); MAX_TRICKS],
            calls: [(dealer, Move::NONE); MAX_CALLS],
            readers: BySeat::full(Seat::ALL),
            shared: [0; 2],
        }
    }

    // These methods lay out a deal.

    /// Lays `cards` at an empty place.
    #[inline]
    pub fn lay(&mut self, place: Place, cards: CardSet) {
        debug_assert!(self.places[place.index()].is_empty());
        self.places[place.index()] = cards;
    }

    /// Moves cards from one place to another. Face-up cards stay face up.
    #[inline]
    pub fn shift(&mut self, cards: CardSet, from: Place, to: Place) {
        debug_assert!(cards.is_subset(self.places[from.index()]));
        self.places[from.index()] -= cards;
        self.places[to.index()] |= cards;
    }

    /// Turns cards face up for all.
    #[inline]
    pub fn expose(&mut self, cards: CardSet) {
        self.open |= cards;
    }

    /// Turns cards face down again. Only seats that may look into their place then see them.
    #[inline]
    pub fn cover(&mut self, cards: CardSet) {
        self.open -= cards;
    }

    /// Lets a seat look into a place.
    pub fn show(&mut self, place: Place, seat: Seat) {
        self.sees[seat] |= 1 << place.index();
    }

    /// Lets `seat` choose the cards of a hand.
    #[inline(always)]
    pub fn entrust(&mut self, hand: Place, seat: Seat) {
        self.decider[hand.index()] = seat;
    }

    /// Sets the hands that play tricks, and their cyclic order.
    #[inline(always)]
    pub fn set_circle(&mut self, circle: &[Place]) {
        self.hands = circle.len() as u8;
        for (position, hand) in circle.iter().enumerate() {
            self.next[hand.index()] = circle[(position + 1) % circle.len()];
        }
    }

    /// Makes it a hand's turn to call or to lead.
    #[inline(always)]
    pub fn give_turn(&mut self, hand: Place) {
        self.turn = hand;
        self.leaders[self.tricks as usize % MAX_TRICKS] = hand;
    }

    // These methods record calls and plays.

    /// Records a call of the seat whose turn it is. The game passes the turn on.
    pub fn call(&mut self, call: Move) {
        self.calls[self.called as usize] = (self.seat_to_move(), call);
        self.called += 1;
    }

    /// Hides every later call from all seats but its caller, until [`Table::unseal`].
    pub fn seal(&mut self) {
        self.sealed = self.called;
    }

    /// Makes sealed calls public.
    pub fn unseal(&mut self) {
        self.sealed = u8::MAX;
    }

    /// Plays a card from the hand whose turn it is and passes the turn on.
    ///
    /// The turn passes clockwise, or to the winner if the card completes the trick. Returns that winner.
    #[inline(always)]
    pub fn play(&mut self, card: Card, order: &Order) -> Option<Place> {
        let hand = self.turn;
        let cards = &mut self.places[hand.index()];
        *cards -= CardSet::of(card);
        let played = self.played as usize;
        self.played = (played + 1) as u8;
        self.plays[played & (MAX_PLAYS - 1)] = card;
        // If the card led sets no suit, the next card does.
        let led = if order.follow(self.led).is_empty() { card } else { self.led };
        let length = self.trick_length;
        let strength = order.strength(led, card);
        let strengths = self.strengths | (1 << strength);
        self.strongest[strength as usize] = hand;
        if length + 1 < self.hands {
            self.led = led;
            self.strengths = strengths;
            self.trick_length = length + 1;
            self.turn = self.next[hand.index()];
            return None;
        }
        let winner = self.strongest[31 - strengths.leading_zeros() as usize];
        self.won[winner.index() % Place::HANDS] += 1;
        self.tricks += 1;
        // After the last trick that has room, no hand leads.
        if let Some(leader) = self.leaders.get_mut(self.tricks as usize) {
            *leader = winner;
        }
        self.turn = winner;
        self.led = Card::NONE;
        self.strengths = 0;
        self.trick_length = 0;
        Some(winner)
    }

    /// Counts tricks that are not played out as won by a hand.
    pub fn claim(&mut self, hand: Place, tricks: u8) {
        self.won[hand.index() % Place::HANDS] += tricks;
        self.tricks += tricks;
    }

    // These methods read the table, including hidden cards. Strategies get a view instead.

    /// Returns the cards that lie at a place.
    #[inline(always)]
    pub fn at(&self, place: Place) -> CardSet {
        self.places[place.index()]
    }

    /// Returns the cards that lie face up.
    pub fn open(&self) -> CardSet {
        self.open
    }

    /// Returns the seat that deals.
    #[inline(always)]
    pub fn dealer(&self) -> Seat {
        self.dealer
    }

    /// Returns the hand whose card or call is due.
    #[inline(always)]
    pub fn hand_to_move(&self) -> Place {
        self.turn
    }

    /// Returns the seat that decides for the hand to move.
    #[inline(always)]
    pub fn seat_to_move(&self) -> Seat {
        self.decider[self.turn.index()]
    }

    /// Returns the seat that chooses the cards of a hand.
    pub fn decider(&self, hand: Place) -> Seat {
        self.decider[hand.index()]
    }

    /// Returns the hand that plays after `hand`.
    pub fn after(&self, hand: Place) -> Place {
        self.next[hand.index()]
    }

    /// Returns the hands that play tricks, in playing order from the hand of seat 0.
    pub fn circle(&self) -> impl Iterator<Item = Place> + use<> {
        let (next, hands) = (self.next, usize::from(self.hands));
        std::iter::successors(Some(Place::Hand0), move |hand| Some(next[hand.index()])).take(hands)
    }

    /// Returns the number of hands that play to a trick.
    pub fn hands_in_trick(&self) -> usize {
        self.hands as usize
    }

    /// Returns the card that set the suit of the trick in progress, or [`Card::NONE`] before the lead.
    #[inline]
    pub fn led(&self) -> Card {
        self.led
    }

    /// Returns the hand that is winning the trick in progress, and the strength of its card.
    ///
    /// `None` before the lead.
    pub fn winning(&self) -> Option<(Place, u8)> {
        let best = self.strengths.checked_ilog2()? as u8;
        Some((self.strongest[best as usize], best))
    }

    /// Returns the number of cards in the trick in progress.
    #[inline]
    pub fn trick_length(&self) -> usize {
        self.trick_length as usize
    }

    /// Returns the number of tricks that a hand has won.
    #[inline(always)]
    pub fn tricks_won(&self, hand: Place) -> u8 {
        debug_assert!(hand.index() < Place::HANDS, "only hands win tricks");
        self.won[hand.index() % Place::HANDS]
    }

    /// Returns the number of completed tricks.
    #[inline(always)]
    pub fn tricks_played(&self) -> usize {
        self.tricks as usize
    }

    /// Returns the cards played so far, in order.
    #[inline]
    pub fn plays(&self) -> &[Card] {
        &self.plays[..self.played as usize]
    }

    /// Returns the calls so far, in order, each with its caller.
    ///
    /// Some seats may not see the card of a discard: see [`Table::hides_call`].
    pub fn calls(&self) -> &[(Seat, Move)] {
        &self.calls[..self.called as usize]
    }

    /// Returns whether call `number`, counted from 0, is hidden from all seats but its caller.
    pub fn is_sealed(&self, number: usize) -> bool {
        number >= usize::from(self.sealed)
    }

    /// Returns the cards by place, with every played card back in the hand that played it.
    pub fn hands_before_play(&self) -> [CardSet; Place::COUNT] {
        let mut places = self.places;
        for (number, cards) in self.plays().chunks(self.hands as usize).enumerate() {
            let mut hand = self.leaders[number];
            for &card in cards {
                places[hand.index()] |= CardSet::of(card);
                hand = self.next[hand.index()];
            }
        }
        places
    }

    /// Makes a table for `seats` players with these cards by place and an empty record.
    pub fn laid(seats: usize, dealer: Seat, places: &[CardSet; Place::COUNT]) -> Table {
        Table { places: *places, ..Table::new(seats, dealer) }
    }

    /// Returns the hand that led to trick `number`, counted from 0, or leads to it next.
    ///
    /// After the last trick that is its winner.
    pub fn leader(&self, number: usize) -> Place {
        self.leaders.get(number).copied().unwrap_or(self.turn)
    }

    /// Returns the cards that still lie at a place.
    pub fn cards(&self) -> CardSet {
        self.places.iter().fold(CardSet::EMPTY, |all, &cards| all | cards)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Deck;

    /// Tables are copied in search, and many deals are in flight at a time. Of these bytes, 6 are for games whose
    /// players know cards that lie where they may not look. No play reads or writes them.
    #[test]
    fn a_table_is_small() {
        assert!(size_of::<Table>() <= 296, "{}", size_of::<Table>());
    }

    /// The winner of the last trick that has room leads to no trick, and least of all to the first.
    #[test]
    fn a_deal_may_have_as_many_tricks_as_the_table_has_room_for() {
        let mut places = [CardSet::EMPTY; Place::COUNT];
        for (number, card) in Deck::Full52.cards().iter().take(2 * MAX_TRICKS).enumerate() {
            places[number / MAX_TRICKS] |= CardSet::of(card);
        }
        // Each card of the second hand beats each of the first.
        let order = Order::new(|card: Card| card.suit(), |_, card| if places[1].contains(card) { 2 } else { 1 });
        let mut table = Table::laid(2, Seat::Seat1, &places);
        table.give_turn(Place::Hand0);
        while table.tricks_played() < MAX_TRICKS {
            let card = table.legal_plays(&order).card_set().first().expect("a hand has a card for each trick");
            table.play(card, &order);
        }
        assert_eq!(table.leader(0), Place::Hand0);
        assert_eq!(table.hands_before_play(), places);
        let tricks = table.tricks();
        assert_eq!(tricks.len(), MAX_TRICKS);
        assert_eq!(tricks[MAX_TRICKS - 1].winner, Some(Place::Hand1));
        assert_eq!(table.leader(MAX_TRICKS), Place::Hand1);
    }

    #[test]
    fn claimed_tricks_are_counted_for_their_winner() {
        let mut table = Table::new(3, Seat::Seat0);
        table.claim(Place::Hand1, 2);
        table.claim(Place::Hand1, 3);
        table.claim(Place::Hand2, 1);
        let won = [Place::Hand0, Place::Hand1, Place::Hand2].map(|hand| table.tricks_won(hand));
        assert_eq!((won, table.tricks_played()), ([0, 5, 1], 6));
    }
}
