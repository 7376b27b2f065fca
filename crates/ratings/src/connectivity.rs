//! Checks whether results determine finite strengths.
//!
//! In the graph "finished ahead of, or tied with", every player must reach every other player. Otherwise the
//! players fall into two sets of which one always finished ahead of the other, or which never met. Moving
//! these sets apart never makes the results less likely, so the likelihood has no finite maximum, or no
//! unique maximum. See Ford (1957), "Solution of a ranking problem from binary comparisons", *American
//! Mathematical Monthly* 64, and Hunter (2004), "MM algorithms for generalized Bradley-Terry models", *Annals
//! of Statistics* 32.

use super::records::Record;

/// The sets of players whose results leave their strength open in some direction.
///
/// The lists `ahead`, `behind` and `apart` are empty if a finite maximum may exist.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Splits {
    /// Joined sets that no other player ever finished ahead of or tied with.
    pub ahead: Vec<Vec<usize>>,
    /// Joined sets whose members never finished ahead of or tied with any other player.
    pub behind: Vec<Vec<usize>>,
    /// Sets that never met; empty if all players are in one set.
    pub apart: Vec<Vec<usize>>,
    /// All joined sets, each sorted; a single set of all players if a finite maximum may exist.
    pub joined: Vec<Vec<usize>>,
}

impl Splits {
    /// Finds the splits in the results of `players` players.
    pub(super) fn of(players: usize, records: &[Record]) -> Splits {
        let mut ahead = vec![vec![false; players]; players];
        for record in records {
            for a in &record.order {
                for b in &record.order {
                    ahead[a.player][b.player] |= a.place <= b.place;
                }
            }
        }
        let set_of = joined(players, |a, b| ahead[a][b]);
        let joined_sets = sets(&set_of);
        let mut above = vec![false; joined_sets.len()];
        let mut below = vec![false; joined_sets.len()];
        for (a, row) in ahead.iter().enumerate() {
            for b in (0..players).filter(|&b| row[b] && set_of[a] != set_of[b]) {
                above[set_of[a]] = true;
                below[set_of[b]] = true;
            }
        }
        let mut splits =
            Splits { apart: sets(&joined(players, |a, b| ahead[a][b] || ahead[b][a])), ..Splits::default() };
        if splits.apart.len() < 2 {
            splits.apart.clear();
        }
        for (number, set) in joined_sets.iter().enumerate() {
            if above[number] && !below[number] {
                splits.ahead.push(set.clone());
            }
            if below[number] && !above[number] {
                splits.behind.push(set.clone());
            }
        }
        splits.ahead.sort_unstable();
        splits.behind.sort_unstable();
        splits.apart.sort_unstable();
        splits.joined = joined_sets;
        splits.joined.sort_unstable();
        splits
    }

    /// Returns the set that distances are measured from.
    ///
    /// It is the set of `anchor` or, without an anchor, the first of the largest sets. `None` if it has no
    /// other player, so that results determine no distance.
    pub fn main(&self, anchor: Option<usize>) -> Option<&[usize]> {
        let set = match anchor {
            Some(anchor) => self.joined.iter().find(|set| set.contains(&anchor)),
            None => self.joined.iter().rev().max_by_key(|set| set.len()),
        }?;
        if set.len() > 1 { Some(set) } else { None }
    }

    /// Returns whether results leave no set open, so that a finite maximum may exist.
    pub fn is_empty(&self) -> bool {
        // Among sets that met, at least one has no set above it.
        self.ahead.is_empty() && self.apart.is_empty()
    }
}

/// Returns the members of each set, from the set of each member.
fn sets(set_of: &[usize]) -> Vec<Vec<usize>> {
    let mut sets = vec![Vec::new(); set_of.iter().max().map_or(0, |last| last + 1)];
    for (member, &set) in set_of.iter().enumerate() {
        sets[set].push(member);
    }
    sets
}

/// Returns for each node the number of its strong component.
///
/// The strong component of a node is the nodes that it reaches and that reach it. See Sharir (1981), "A
/// strong-connectivity algorithm and its applications in data flow analysis", *Computers & Mathematics with
/// Applications* 7.
fn joined(nodes: usize, edge: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut order = Vec::new();
    let mut reached = vec![false; nodes];
    for node in 0..nodes {
        depth_first(node, &edge, &mut reached, &mut |done| order.push(done));
    }
    let mut component = vec![0; nodes];
    let mut reached = vec![false; nodes];
    let mut components = 0;
    for &node in order.iter().rev() {
        if !reached[node] {
            depth_first(node, &|a, b| edge(b, a), &mut reached, &mut |done| component[done] = components);
            components += 1;
        }
    }
    component
}

/// Visits every unvisited node that `first` reaches, each after the nodes that it reaches.
fn depth_first(
    first: usize,
    edge: &impl Fn(usize, usize) -> bool,
    reached: &mut [bool],
    visit: &mut impl FnMut(usize),
) {
    if std::mem::replace(&mut reached[first], true) {
        return;
    }
    // The nodes on the way, each with the next node to try from it.
    let mut path = vec![(first, 0)];
    while let Some((node, next)) = path.last_mut() {
        let node = *node;
        match (*next..reached.len()).find(|&to| !reached[to] && edge(node, to)) {
            Some(to) => {
                *next = to + 1;
                reached[to] = true;
                path.push((to, 0));
            }
            None => {
                visit(node);
                path.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::records::{Placed, Record};
    use super::*;

    /// Builds a record from `(player, place)`.
    fn order(order: &[(usize, u8)]) -> Record {
        let order = order.iter().map(|&(player, place)| Placed { place, player, seat: None });
        Record { order: order.collect(), counts: vec![(0, 1)] }
    }

    fn strongly_connected(players: usize, records: &[Record]) -> bool {
        Splits::of(players, records).is_empty()
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

    #[test]
    fn splits_name_who_is_open_to_which_side() {
        // Player 3 beats the circle of 0, 1 and 2. The circle beats 5, who ties with 4. Players 6 and 7 meet
        // only each other.
        let records = [
            order(&[(3, 0), (0, 1), (1, 2)]),
            order(&[(1, 0), (2, 1)]),
            order(&[(2, 0), (0, 1)]),
            order(&[(2, 0), (5, 1)]),
            order(&[(4, 0), (5, 0)]),
            order(&[(6, 0), (7, 0)]),
        ];
        let apart = vec![vec![0, 1, 2, 3, 4, 5], vec![6, 7]];
        let joined = vec![vec![0, 1, 2], vec![3], vec![4, 5], vec![6, 7]];
        assert_eq!(Splits::of(8, &records), Splits { ahead: vec![vec![3]], behind: vec![vec![4, 5]], apart, joined });
        let joined = vec![vec![0], vec![1], vec![2]];
        let chain = Splits { ahead: vec![vec![1]], behind: vec![vec![0]], apart: Vec::new(), joined };
        assert_eq!(Splits::of(3, &records[1..3]), chain);
        assert!(Splits::of(1, &[]).is_empty());
    }
}
