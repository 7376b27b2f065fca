//! Votes between each two players.

use super::pair_table::PairTable;

/// The votes that prefer each player to each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Votes {
    players: usize,
    /// By two players: the votes that prefer the first.
    preferred: Vec<f64>,
}

impl Votes {
    /// Returns no votes on this number of players.
    pub fn new(players: usize) -> Votes {
        Votes { players, preferred: vec![0.0; players * players] }
    }

    /// Adds votes that prefer a player to another.
    pub fn add(&mut self, one: usize, other: usize, votes: f64) {
        self.preferred[one * self.players + other] += votes;
    }

    /// Adds votes for an order of players, the best first.
    pub fn add_ballot(&mut self, order: &[usize], votes: f64) {
        for (place, &one) in order.iter().enumerate() {
            for &other in &order[place + 1..] {
                self.add(one, other, votes);
            }
        }
    }

    /// Returns the number of players.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Returns the votes that prefer a player to another.
    pub fn preferred(&self, one: usize, other: usize) -> f64 {
        self.preferred[one * self.players + other]
    }

    /// Returns the votes that prefer a player to another, less those that do not.
    pub fn margin(&self, one: usize, other: usize) -> f64 {
        self.preferred(one, other) - self.preferred(other, one)
    }

    /// Returns the margins of all pairs.
    pub fn margins(&self) -> PairTable {
        PairTable::new(self.players, |one, other| self.margin(one, other))
    }

    /// Returns the player that a majority prefers to each other player, if there is one.
    ///
    /// This is the winner of Condorcet (1785).
    pub fn condorcet_winner(&self) -> Option<usize> {
        let beats_all = |one: &usize| (0..self.players).all(|other| other == *one || self.margin(*one, other) > 0.0);
        (0..self.players).find(beats_all)
    }
}

/// An order of players by votes.
#[derive(Clone, Debug, PartialEq)]
pub struct VoteOrder {
    /// By player: its place, 1 for the first. Players that votes do not separate share a place.
    pub places: Vec<usize>,
    /// By player: a score of the method, which is 0 for the last.
    pub scores: Vec<f64>,
}

impl VoteOrder {
    /// Returns the players, the best first, and those of one place by their numbers.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.places.len()).collect();
        order.sort_by_key(|&player| self.places[player]);
        order
    }

    /// Returns the places of players by a relation that is an order of some of them.
    ///
    /// The place is one more than the number of players that are better.
    pub(crate) fn places_by(players: usize, is_better: impl Fn(usize, usize) -> bool) -> Vec<usize> {
        let mut places = vec![1; players];
        for (player, place) in places.iter_mut().enumerate() {
            *place += (0..players).filter(|&other| is_better(other, player)).count();
        }
        places
    }
}
