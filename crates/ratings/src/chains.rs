//! Chains of the sets of entrants that choices were made from.
//!
//! An entrant who is left at some stage of a record also stood at every stage before. So each set either
//! begins a chain or is a smaller set with some entrants added. The sets form chains in which each set grows
//! from the previous one. A set that occurs in many records stands in only one chain, together with its
//! number of occurrences.

use std::collections::HashMap;

use super::records::{Placed, Record};

/// Sets that grow one from the other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Chain {
    /// The entrants of the last set; every set of the chain consists of the first of these.
    pub entrants: Vec<u32>,
    /// The sets, smallest first.
    pub links: Vec<Link>,
}

/// One set of a chain: the first entrants, from whom the next tied set was chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Link {
    /// The number of entrants in the set.
    pub standing: usize,
    /// The number of times that this choice was made.
    pub times: f64,
    pub set: usize,
}

/// The sets found in records so far.
#[derive(Default)]
pub(super) struct Sets {
    sets: Vec<Set>,
    /// The number of a set by its sorted entrants.
    known: HashMap<Box<[u32]>, usize>,
}

struct Set {
    /// The set that this set grew from.
    smaller: Option<usize>,
    /// The entrants that the smaller set does not have.
    added: Vec<u32>,
    times: f64,
}

impl Sets {
    /// Adds the choices of a record and returns the numbers of their sets; `number` numbers the entrants.
    pub fn add(&mut self, record: &Record, number: impl Fn(&Placed) -> u32) -> Vec<usize> {
        let times = record.total() as f64;
        let stages: Vec<(&[Placed], usize)> = record.stages().collect();
        let mut sets = Vec::new();
        let mut members: Vec<u32> = Vec::new();
        let mut added = Vec::new();
        for &(standing, chosen) in stages.iter().rev() {
            for entrant in standing[..chosen].iter().map(&number) {
                added.push(entrant);
                members.insert(members.partition_point(|&member| member < entrant), entrant);
            }
            if standing.len() == 1 {
                continue; // no choice, but part of the next
            }
            let set = self.known.get(&members[..]).copied().unwrap_or_else(|| {
                self.known.insert(members.as_slice().into(), self.sets.len());
                self.sets.push(Set { smaller: sets.last().copied(), added: added.clone(), times: 0.0 });
                self.sets.len() - 1
            });
            self.sets[set].times += times;
            sets.push(set);
            added.clear();
        }
        sets
    }

    /// Strings the sets into chains.
    pub fn into_chains(self) -> Vec<Chain> {
        let mut strung = vec![false; self.sets.len()];
        let mut chains = Vec::new();
        // A set comes after the set that it grew from, so the last loose set ends a chain.
        for last in (0..self.sets.len()).rev() {
            if strung[last] {
                continue;
            }
            let mut path = vec![last];
            path.extend(std::iter::successors(self.sets[last].smaller, |&set| self.sets[set].smaller));
            let mut chain = Chain { entrants: Vec::new(), links: Vec::new() };
            for set in path.into_iter().rev() {
                chain.entrants.extend(&self.sets[set].added);
                if !std::mem::replace(&mut strung[set], true) {
                    chain.links.push(Link { standing: chain.entrants.len(), times: self.sets[set].times, set });
                }
            }
            chains.push(chain);
        }
        chains
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds chains of records, each given as tied groups, best first, and a count.
    fn chains(records: &[(&[&[usize]], u64)]) -> (Vec<Vec<usize>>, Vec<Chain>) {
        let mut sets = Sets::default();
        let add = |&(groups, times): &(&[&[usize]], u64)| {
            let placed = |(place, group): (usize, &&[usize])| {
                let placed = |&player: &usize| Placed { place: place as u8, player, seat: None };
                group.iter().map(placed).collect::<Vec<_>>()
            };
            let order = groups.iter().enumerate().flat_map(placed).collect();
            sets.add(&Record { order, counts: vec![(0, times)] }, |placed| placed.player as u32)
        };
        let numbers = records.iter().map(add).collect();
        (numbers, sets.into_chains())
    }

    #[test]
    fn a_record_is_a_chain() {
        let (numbers, chains) = chains(&[(&[&[4], &[2], &[0, 3], &[1]], 5)]);
        // With 1 alone there is no choice.
        assert_eq!(numbers, [[0, 1, 2]]);
        let link = |standing, set| Link { standing, times: 5.0, set };
        assert_eq!(chains, [Chain { entrants: vec![1, 0, 3, 2, 4], links: vec![link(3, 0), link(4, 1), link(5, 2)] }]);
    }

    #[test]
    fn equal_sets_are_one() {
        let (numbers, chains) = chains(&[(&[&[0], &[1], &[2]], 1), (&[&[1], &[0], &[2]], 2), (&[&[3], &[2], &[1]], 4)]);
        // {1, 2} is left by 0 and by 3. {0, 1, 2} is never left by one player twice.
        assert_eq!(numbers, [[0, 1], [2, 1], [0, 3]]);
        let chain = |entrants: &[u32], links: &[(usize, f64, usize)]| Chain {
            entrants: entrants.to_vec(),
            links: links.iter().map(|&(standing, times, set)| Link { standing, times, set }).collect(),
        };
        let expected = [
            chain(&[2, 1, 3], &[(2, 5.0, 0), (3, 4.0, 3)]),
            chain(&[2, 0], &[(2, 2.0, 2)]),
            chain(&[2, 1, 0], &[(3, 3.0, 1)]),
        ];
        assert_eq!(chains, expected);
    }
}
