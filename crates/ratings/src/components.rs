//! Splits a list of matches into components that share no player, directly or through others.
//!
//! Strengths have no common scale without a chain of matches. Differences between components are meaningless,
//! so each component is rated separately.

use super::{FitError, Outcome};

/// Players whom matches connect, with their matches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// The players, ascending, by their number in the whole list.
    pub players: Vec<usize>,
    /// The outcomes between them, in the order of the whole list.
    ///
    /// Their players are numbered by their place in `players`.
    pub outcomes: Vec<Outcome>,
}

/// Returns the components of a list of matches, in the order of their first players.
///
/// A player without a match is a component without outcomes. An outcome that never happened connects no one
/// and is left out.
///
/// # Errors
/// Returns [`FitError::UnknownPlayer`] if an entrant is none of the players.
pub fn components(players: usize, outcomes: &[Outcome]) -> Result<Vec<Component>, FitError> {
    let mut sets = DisjointSets::new(players);
    for (index, outcome) in outcomes.iter().enumerate() {
        if let Some(stranger) = outcome.entrants.iter().find(|entrant| entrant.player >= players) {
            return Err(FitError::UnknownPlayer { outcome: index, player: stranger.player });
        }
        if happened(outcome) {
            for entrant in &outcome.entrants {
                sets.join(outcome.entrants[0].player, entrant.player);
            }
        }
    }
    let mut components: Vec<Component> = Vec::new();
    let mut component_of_root = vec![None; players];
    // By player: their component and their place in it.
    let mut place = Vec::with_capacity(players);
    for player in 0..players {
        let root = sets.root(player);
        let number = *component_of_root[root].get_or_insert(components.len());
        if number == components.len() {
            components.push(Component { players: Vec::new(), outcomes: Vec::new() });
        }
        place.push((number, components[number].players.len()));
        components[number].players.push(player);
    }
    for outcome in outcomes.iter().filter(|outcome| happened(outcome) && !outcome.entrants.is_empty()) {
        let mut own = outcome.clone();
        for entrant in &mut own.entrants {
            entrant.player = place[entrant.player].1;
        }
        components[place[outcome.entrants[0].player].0].outcomes.push(own);
    }
    Ok(components)
}

fn happened(outcome: &Outcome) -> bool {
    outcome.counts.iter().any(|&(_, times)| times > 0)
}

/// Disjoint sets of numbers.
///
/// See Tarjan (1975), "Efficiency of a good but not linear set union algorithm", *Journal of the ACM* 22.
pub(super) struct DisjointSets {
    parents: Vec<usize>,
}

impl DisjointSets {
    /// Returns the numbers below `count`, each in a separate set.
    pub fn new(count: usize) -> DisjointSets {
        DisjointSets { parents: (0..count).collect() }
    }

    /// Returns the number that stands for the set of `member`.
    pub fn root(&mut self, member: usize) -> usize {
        let mut root = member;
        while self.parents[root] != root {
            self.parents[root] = self.parents[self.parents[root]];
            root = self.parents[root];
        }
        root
    }

    /// Joins two sets; returns whether they were different.
    pub fn join(&mut self, one: usize, other: usize) -> bool {
        let (one, other) = (self.root(one), self.root(other));
        // The smaller number stands for both sets.
        self.parents[one.max(other)] = one.min(other);
        one != other
    }
}

#[cfg(test)]
mod tests {
    use super::super::Entrant;
    use super::*;

    /// Builds the outcome of a match from players in finishing order.
    fn order(players: &[usize], times: u64) -> Outcome {
        Outcome {
            entrants: players.iter().map(|&player| Entrant { player, seat: Some(player) }).collect(),
            places: (0..players.len() as u8).collect(),
            counts: vec![(0, times)],
        }
    }

    #[test]
    fn matches_connect_through_others() {
        let outcomes = [order(&[5, 3], 2), order(&[0, 4], 1), order(&[1, 5, 0], 1), order(&[2, 6], 1)];
        let found = components(7, &outcomes).unwrap();
        let players: Vec<&[usize]> = found.iter().map(|component| &component.players[..]).collect();
        assert_eq!(players, [&[0, 1, 3, 4, 5][..], &[2, 6]]);
        let numbers = |component: &Component| -> Vec<Vec<usize>> {
            let of_one = |outcome: &Outcome| outcome.entrants.iter().map(|entrant| entrant.player).collect();
            component.outcomes.iter().map(of_one).collect()
        };
        assert_eq!(numbers(&found[0]), [vec![4, 2], vec![0, 3], vec![1, 4, 0]]);
        assert_eq!(numbers(&found[1]), [[0, 1]]);
        assert_eq!((found[0].outcomes[0].entrants[0].seat, &found[0].outcomes[0].counts), (Some(5), &vec![(0, 2)]));
    }

    #[test]
    fn what_never_happened_connects_no_one() {
        let found = components(3, &[order(&[0, 1], 1), order(&[1, 2], 0)]).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!((&found[1].players, found[1].outcomes.len()), (&vec![2], 0));
        assert_eq!(components(2, &[order(&[0, 2], 1)]), Err(FitError::UnknownPlayer { outcome: 0, player: 2 }));
        assert_eq!(components(0, &[]), Ok(Vec::new()));
    }
}
