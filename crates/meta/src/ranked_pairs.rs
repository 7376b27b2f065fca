//! Ranked pairs: the largest majorities first, each unless it contradicts a larger one.
//!
//! See Tideman (1987), "Independence of clones as a criterion for voting rules", *Social Choice and Welfare*
//! 4. Majorities of one size are taken together: each counts unless it contradicts larger ones, or is in a
//! circle with those of its size. So no order of players that votes do not give comes in.

use super::votes::{VoteOrder, Votes};

/// Returns the order by ranked pairs.
///
/// The score of a player is the sum of the majorities that count, between it and the players that are not
/// before it.
pub fn ranked_pairs(votes: &Votes) -> VoteOrder {
    let players = votes.players();
    let mut majorities = Vec::new();
    for winner in 0..players {
        for loser in 0..players {
            let margin = votes.margin(winner, loser);
            if margin > 0.0 {
                majorities.push(Majority { margin, winner, loser });
            }
        }
    }
    majorities.sort_by(|a, b| b.margin.total_cmp(&a.margin));
    let mut counting: Vec<&Majority> = Vec::new();
    let mut is_before = Relation::new(players);
    for equals in majorities.chunk_by(|a, b| a.margin == b.margin) {
        let mut with_all = is_before.clone();
        let mut open = Vec::new();
        for majority in equals {
            if !is_before.holds(majority.loser, majority.winner) {
                with_all.add(majority.winner, majority.loser);
                open.push(majority);
            }
        }
        for majority in open {
            if !with_all.holds(majority.loser, majority.winner) {
                is_before.add(majority.winner, majority.loser);
                counting.push(majority);
            }
        }
    }
    let places = VoteOrder::places_by(players, |one, other| is_before.holds(one, other));
    let mut scores = vec![0.0; players];
    for (score, &place) in scores.iter_mut().zip(&places) {
        let not_before = counting.iter().filter(|majority| places[majority.winner] >= place);
        *score = not_before.map(|majority| majority.margin).sum();
    }
    VoteOrder { places, scores }
}

/// A majority of the votes on two players.
struct Majority {
    margin: f64,
    winner: usize,
    loser: usize,
}

/// A relation of players that holds for the first and third if it holds for each and the second.
#[derive(Clone)]
struct Relation {
    players: usize,
    holds: Vec<bool>,
}

impl Relation {
    fn new(players: usize) -> Relation {
        Relation { players, holds: vec![false; players * players] }
    }

    fn holds(&self, one: usize, other: usize) -> bool {
        self.holds[one * self.players + other]
    }

    /// Adds a pair, with all that follows. Over all pairs, this takes time like the cube of the players.
    fn add(&mut self, one: usize, other: usize) {
        let mut after = self.holds[other * self.players..(other + 1) * self.players].to_vec();
        after[other] = true;
        for from in 0..self.players {
            if (from == one || self.holds(from, one)) && !self.holds(from, other) {
                let own = &mut self.holds[from * self.players..(from + 1) * self.players];
                own.iter_mut().zip(&after).for_each(|(own, after)| *own |= after);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answer() {
        // Of ranked_pairs_test.py of OpenSpiel, with 0 to 3 for w to z.
        let mut votes = Votes::new(4);
        let ballots = [(7, "wxzy"), (2, "wyxz"), (4, "xyzw"), (5, "xzwy"), (1, "ywxz"), (8, "yzwx")];
        for (count, ballot) in ballots {
            let order: Vec<usize> = ballot.chars().map(|name| "wxyz".find(name).unwrap()).collect();
            votes.add_ballot(&order, f64::from(count));
        }
        let found = ranked_pairs(&votes);
        assert_eq!((found.order(), found.places), (vec![0, 1, 2, 3], vec![1, 2, 3, 4]));
        assert_eq!(found.scores, [29.0, 19.0, 3.0, 0.0]);
        assert_eq!(votes.condorcet_winner(), None);
    }

    #[test]
    fn three_hundred_players_are_ordered() {
        let mut votes = Votes::new(300);
        let order: Vec<usize> = (0..300).map(|place| place * 7 % 300).collect();
        votes.add_ballot(&order, 2.0);
        votes.add_ballot(&order.iter().rev().copied().collect::<Vec<_>>(), 1.0);
        assert_eq!(ranked_pairs(&votes).order(), order);
    }

    #[test]
    fn votes_that_do_not_separate_players_leave_them_level() {
        // A circle of equal majorities above a player that loses to all.
        let mut votes = Votes::new(4);
        for (one, other) in [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)] {
            votes.add(one, other, 2.0);
        }
        assert_eq!(ranked_pairs(&votes).places, [1, 1, 1, 4]);
        assert_eq!(ranked_pairs(&Votes::new(3)).places, [1, 1, 1]);
        // Numbers of players do not matter.
        let mut votes = Votes::new(3);
        votes.add_ballot(&[2, 0, 1], 3.0);
        assert_eq!(ranked_pairs(&votes).places, [2, 3, 1]);
        assert_eq!(votes.condorcet_winner(), Some(2));
    }
}
