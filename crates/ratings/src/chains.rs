//! The sets of entrants that choices were made from, strung into chains.
//!
//! Who is left at some stage of a record stood at the stage before, too. So every set is another
//! one with some entrants added, or begins with its own, and sets form chains in which each grows from the
//! one before. A set that occurs in many records stands in one chain only, with how often it occurred.

use std::collections::HashMap;

use super::records::{Placed, Record};

/// Sets that grow one from the other.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Chain {
    /// The entrants of the last set; every set of the chain is made of the first of these.
    pub entrants: Vec<u32>,
    /// The sets, ascending.
    pub links: Vec<Link>,
}

/// One set of a chain: the first entrants, from among whom the next tied set was chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Link {
    /// How many entrants stood.
    pub standing: usize,
    /// How often there was this choice.
    pub times: f64,
    /// The number of the set.
    pub set: usize,
}

/// Sets as they are met in records.
#[derive(Default)]
pub(super) struct Sets {
    sets: Vec<Set>,
    /// The set of given entrants, sorted.
    known: HashMap<Box<[u32]>, usize>,
}

struct Set {
    /// The set that it grew from.
    smaller: Option<usize>,
    /// Those that the smaller one does not have.
    added: Vec<u32>,
    times: f64,
}

impl Sets {
    /// Adds the choices of a record, `number` being the number of an entrant; gives the numbers of their sets.
    pub fn add(&mut self, record: &Record, number: impl Fn(&Placed) -> u32) -> Vec<usize> {
        let times = record.total() as f64;
        let stages: Vec<(&[Placed], usize)> = record.stages().collect();
        let mut sets = Vec::new();
        let mut members: Vec<u32> = Vec::new();
        let mut added = Vec::new();
        // From the last place up.
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

    /// Strings them into chains.
    pub fn into_chains(self) -> Vec<Chain> {
        let mut strung = vec![false; self.sets.len()];
        let mut chains = Vec::new();
        // A set comes after the one that it grew from, so the last that is still loose ends a chain.
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

    /// Records from players in tied groups, best first, each with how often.
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
        // Nobody chooses from 1 alone.
        assert_eq!(numbers, [[0, 1, 2]]);
        let link = |standing, set| Link { standing, times: 5.0, set };
        assert_eq!(chains, [Chain { entrants: vec![1, 0, 3, 2, 4], links: vec![link(3, 0), link(4, 1), link(5, 2)] }]);
    }

    #[test]
    fn equal_sets_are_one() {
        let (numbers, chains) = chains(&[(&[&[0], &[1], &[2]], 1), (&[&[1], &[0], &[2]], 2), (&[&[3], &[2], &[1]], 4)]);
        // {1, 2} is left by 0 and by 3; {0, 1, 2} is left by nobody twice.
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
