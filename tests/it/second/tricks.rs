//! The cards on the table, and the play of tricks.

use super::cards::suit;
use super::{Start, Trick};

/// The place of discards that no seat made.
pub const DISCARDED: &str = "discarded";

/// The place where the discards of a seat lie.
pub fn discards_of(seat: usize) -> String {
    format!("{DISCARDED} by {seat}")
}

pub fn is_discards(place: &str) -> bool {
    place.starts_with(DISCARDED)
}

/// The name of a seat's own hand.
pub fn own(seat: usize) -> String {
    format!("p{seat}")
}

pub fn is_hand(place: &str) -> bool {
    place.starts_with('p') || place.starts_with("dummy") || place.starts_with("dead")
}

/// The seat that a hand's name ends with.
pub fn seat_of(hand: &str) -> usize {
    hand[hand.len() - 1..].parse().unwrap_or_else(|_| panic!("the hand {hand} belongs to no seat"))
}

/// Where every card lies.
#[derive(Clone)]
pub struct Table {
    /// The hands, in the order of the deal, then everything else.
    pub places: Vec<(String, Vec<String>)>,
    /// The hands that play, clockwise, the next to play first.
    pub order: Vec<String>,
    /// The trick in progress.
    pub trick: Vec<(String, String)>,
    pub done: Vec<Trick>,
}

impl Table {
    pub fn new(start: &Start) -> Table {
        Table { places: start.hands.clone(), order: Vec::new(), trick: Vec::new(), done: Vec::new() }
    }

    pub fn cards(&self, place: &str) -> Vec<String> {
        self.places.iter().find(|(name, _)| name == place).map_or(Vec::new(), |(_, cards)| cards.clone())
    }

    /// Lays cards at a place, which is made if need be.
    pub fn add(&mut self, place: &str, cards: Vec<String>) {
        match self.places.iter_mut().find(|(name, _)| name == place) {
            Some((_, there)) => there.extend(cards),
            None => self.places.push((place.to_string(), cards)),
        }
    }

    pub fn remove(&mut self, place: &str, card: &str) {
        let (_, cards) = self.places.iter_mut().find(|(name, _)| name == place).expect("no such place");
        let at = cards.iter().position(|there| there == card).unwrap_or_else(|| panic!("no {card} in {place}"));
        cards.remove(at);
    }

    pub fn shift(&mut self, card: &str, from: &str, to: &str) {
        self.remove(from, card);
        self.add(to, vec![card.to_string()]);
    }

    /// Makes all cards of two places change places.
    pub fn swap(&mut self, one: &str, other: &str) {
        let (ones, others) = (self.cards(one), self.cards(other));
        for (name, cards) in &mut self.places {
            if name == one {
                *cards = others.clone();
            } else if name == other {
                *cards = ones.clone();
            }
        }
    }

    /// The hand that plays next.
    pub fn turn(&self) -> String {
        self.order[0].clone()
    }

    /// Begins the play: the hands clockwise, the leader first.
    pub fn begin(&mut self, order: Vec<String>) {
        self.order = order;
    }

    /// Plays a card from the hand whose turn it is. True if that completes the trick, which then wants a winner.
    pub fn play(&mut self, card: &str) -> bool {
        let hand = self.turn();
        self.remove(&hand, card);
        self.trick.push((hand, card.to_string()));
        self.order.rotate_left(1);
        self.trick.len() == self.order.len()
    }

    /// Ends the trick: its winner leads to the next.
    pub fn finish(&mut self, winner: &str) {
        self.done.push((std::mem::take(&mut self.trick), winner.to_string()));
        while self.order[0] != winner {
            self.order.rotate_left(1);
        }
    }

    /// Whether all cards have been played.
    pub fn is_played_out(&self) -> bool {
        self.trick.is_empty() && self.order.iter().all(|hand| self.cards(hand).is_empty())
    }

    /// How many tricks a hand has won.
    pub fn won(&self, hand: &str) -> i64 {
        self.done.iter().filter(|(_, winner)| winner == hand).count() as i64
    }
}

/// The cards with which a hand may play to a trick: those of the suit led, or all if it has none or leads.
pub fn follow(hand: &[String], led: Option<&str>, suit_of: impl Fn(&str) -> String) -> Vec<String> {
    let same: Vec<String> = hand.iter().filter(|card| led == Some(suit_of(card).as_str())).cloned().collect();
    if same.is_empty() { hand.to_vec() } else { same }
}

/// The same by printed suits, in the trick of a table: the cards that may be played now.
pub fn follow_printed(table: &Table) -> Vec<String> {
    let led = table.trick.first().map(|(_, card)| suit(card));
    follow(&table.cards(&table.turn()), led, |card| suit(card).to_string())
}

/// The hand that played the strongest card; of equals the last.
pub fn strongest(trick: &[(String, String)], strength: impl Fn(&str) -> i64) -> String {
    let mut best = &trick[0];
    for play in trick {
        if strength(&play.1) >= strength(&best.1) {
            best = play;
        }
    }
    best.0.clone()
}
