//! When strengths can be told apart by finite amounts.

use super::records::Record;

/// Whether the graph "finished ahead of, or tied with" joins every player to every other.
///
/// If it does not, the players fall into two sets of which one always finished ahead of the other
/// (or which never met): moving the sets apart never makes the results less likely, so that no
/// finite maximum of the likelihood exists, or no unique one (Ford 1957, "Solution of a ranking
/// problem from binary comparisons", *American Mathematical Monthly* 64; Hunter 2004, "MM algorithms
/// for generalized Bradley-Terry models", *Annals of Statistics* 32).
pub(super) fn strongly_connected(players: usize, records: &[Record]) -> bool {
    let mut ahead = vec![vec![false; players]; players];
    for record in records {
        for a in &record.order {
            for b in &record.order {
                ahead[a.player][b.player] |= a.place <= b.place;
            }
        }
    }
    reaches_all(players, |a, b| ahead[a][b]) && reaches_all(players, |a, b| ahead[b][a])
}

/// Whether all nodes can be reached from the first.
fn reaches_all(nodes: usize, edge: impl Fn(usize, usize) -> bool) -> bool {
    let mut reached = vec![false; nodes];
    reached[0] = true;
    let mut frontier = vec![0];
    while let Some(from) = frontier.pop() {
        for (to, reached) in reached.iter_mut().enumerate() {
            if !*reached && edge(from, to) {
                *reached = true;
                frontier.push(to);
            }
        }
    }
    reached.iter().all(|&reached| reached)
}

#[cfg(test)]
mod tests {
    use super::super::records::{Placed, Record};
    use super::*;

    /// A record of (player, place).
    fn order(order: &[(usize, u8)]) -> Record {
        let order = order.iter().map(|&(player, place)| Placed { place, player, seat: None });
        Record { order: order.collect(), counts: vec![(0, 1)] }
    }

    #[test]
    fn a_cycle_of_wins_connects() {
        let cycle = [order(&[(0, 0), (1, 1)]), order(&[(1, 0), (2, 1)]), order(&[(2, 0), (0, 1)])];
        assert!(strongly_connected(3, &cycle));
        assert!(!strongly_connected(3, &cycle[..2]));
    }

    #[test]
    fn a_tie_connects_both_ways() {
        assert!(strongly_connected(2, &[order(&[(0, 0), (1, 0)])]));
        assert!(!strongly_connected(3, &[order(&[(0, 0), (1, 0), (2, 1)])]));
    }

    #[test]
    fn the_last_must_get_ahead_of_somebody() {
        let wins = [order(&[(0, 0), (1, 1), (2, 2)]), order(&[(1, 0), (0, 1), (2, 2)])];
        assert!(!strongly_connected(3, &wins));
        let revenge = [&wins[..], &[order(&[(2, 0), (1, 1)])]].concat();
        assert!(strongly_connected(3, &revenge));
    }

    #[test]
    fn beating_oneself_connects_nobody_else() {
        assert!(!strongly_connected(2, &[order(&[(0, 0), (0, 1), (1, 2)])]));
        assert!(strongly_connected(2, &[order(&[(0, 0), (1, 1), (0, 2)])]));
    }
}
