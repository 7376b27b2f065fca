//! The method of Schulze: a player is before another if it has the stronger path to it.
//!
//! The strength of a path of majorities is that of its weakest step, and the strength of a step is the number
//! of votes for it. See Schulze (2011), "A new monotonic, clone-independent, reversal symmetric, and
//! Condorcet-consistent single-winner election method", *Social Choice and Welfare* 36.

use super::votes::{VoteOrder, Votes};

/// Returns the order by the method of Schulze.
///
/// The score of a player is the sum of the votes for each player before the next, from it to the last.
pub fn schulze(votes: &Votes) -> VoteOrder {
    let players = votes.players();
    let mut strengths = vec![vec![0.0; players]; players];
    for (one, row) in strengths.iter_mut().enumerate() {
        for (other, strength) in row.iter_mut().enumerate() {
            if votes.margin(one, other) > 0.0 {
                *strength = votes.preferred(one, other);
            }
        }
    }
    for by in 0..players {
        for from in 0..players {
            for to in 0..players {
                let way = f64::min(strengths[from][by], strengths[by][to]);
                if from != to && way > strengths[from][to] {
                    strengths[from][to] = way;
                }
            }
        }
    }
    let places = VoteOrder::places_by(players, |one, other| strengths[one][other] > strengths[other][one]);
    let mut found = VoteOrder { places, scores: vec![0.0; players] };
    for pair in found.order().windows(2).rev() {
        let (one, next) = (pair[0], pair[1]);
        let votes = if found.places[one] < found.places[next] { votes.preferred(one, next) } else { 0.0 };
        found.scores[one] = found.scores[next] + votes;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_answer() {
        // The example of Schulze (2011), with 0 to 4 for A to E.
        let mut votes = Votes::new(5);
        let ballots = [
            (5, "ACBED"),
            (5, "ADECB"),
            (8, "BEDAC"),
            (3, "CABED"),
            (7, "CAEBD"),
            (2, "CBADE"),
            (7, "DCEBA"),
            (8, "EBADC"),
        ];
        for (count, ballot) in ballots {
            let order: Vec<usize> = ballot.chars().map(|name| "ABCDE".find(name).unwrap()).collect();
            votes.add_ballot(&order, f64::from(count));
        }
        let found = schulze(&votes);
        let names: String = found.order().iter().map(|&player| "ABCDE".as_bytes()[player] as char).collect();
        assert_eq!(names, "EACBD");
        let scores: Vec<f64> = found.order().iter().map(|&player| found.scores[player]).collect();
        assert_eq!(scores, [111.0, 88.0, 62.0, 33.0, 0.0]);
    }

    #[test]
    fn players_without_votes_share_a_place() {
        assert_eq!(schulze(&Votes::new(3)), VoteOrder { places: vec![1, 1, 1], scores: vec![0.0; 3] });
    }
}
