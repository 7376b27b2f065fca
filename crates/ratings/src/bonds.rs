//! Finds the sets of players that enough results keep together.
//!
//! A difference in strength rests on the results between the two sides of every division of the players that
//! separates the two. If one side was ahead of or level with the other in only a few groups, these few alone
//! keep the difference finite. Examples are a single win of a player, or three matches between two clubs.
//!
//! By Menger's theorem (1927) there is no such division if and only if enough paths of results lead from each
//! of the two to the other. The paths are found as flows, by the method of Ford & Fulkerson (1956, "Maximal
//! flow through a network", *Canadian Journal of Mathematics* 8). "Not separated by few results" is an
//! equivalence relation, so it divides the players into sets.

use std::collections::BTreeMap;

use super::Outcome;
use super::components::DisjointSets;

/// By player and other player: the number of groups, up to a limit, in which the first was ahead of or level
/// with the second.
type ResultCounts = BTreeMap<(usize, usize), usize>;

/// The results of each two players.
pub struct Bonds {
    players: usize,
    results: ResultCounts,
}

impl Bonds {
    /// Counts the results of `players` players, up to `most` for each two; results in one group count once.
    pub fn new(players: usize, outcomes: &[Outcome], most: usize) -> Bonds {
        Bonds { players, results: results_of_pairs(outcomes, most) }
    }

    /// Returns the sets of players that at least `least` results keep together.
    ///
    /// Each set is sorted, and sets are in the order of their first players. Two players are in one set if
    /// every division of the players between them has enough results in each direction. A result counts if a
    /// player of one side was ahead of or level with a player of the other. The limit for each two holds
    /// here, too.
    pub fn sets(&self, least: usize) -> Vec<Vec<usize>> {
        let players = self.players;
        let mut sets = DisjointSets::new(players);
        // Most players are bound directly, which leaves a small graph.
        let edges = join_direct(&mut sets, self.results.clone(), least);
        let mut network = Network::new(players, &edges);
        let roots = (0..players).filter(|&player| sets.root(player) == player).collect();
        let mut blocks: Vec<Vec<usize>> = vec![roots];
        while let Some(block) = blocks.pop() {
            let Some(side) = network.part_from_first(&block, least, &mut sets) else { continue };
            // The players joined with the first are on its side and need no second check.
            let roots = block.into_iter().filter(|&node| sets.root(node) == node);
            let (one, other): (Vec<usize>, Vec<usize>) = roots.partition(|&node| side[node]);
            blocks.extend([one, other]);
        }
        let mut found: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for player in 0..players {
            found.entry(sets.root(player)).or_default().push(player);
        }
        found.into_values().collect()
    }
}

/// Joins players who have enough results with each other, and the sets of players who then have enough.
///
/// Returns the results between the sets, by the players who stand for them.
fn join_direct(sets: &mut DisjointSets, mut edges: ResultCounts, least: usize) -> ResultCounts {
    loop {
        let mut joined = false;
        for (&(one, other), &count) in &edges {
            let back = edges.get(&(other, one)).copied().unwrap_or(0);
            if count.min(back) >= least {
                joined |= sets.join(one, other);
            }
        }
        if !joined {
            return edges;
        }
        let mut merged = ResultCounts::new();
        for ((one, other), count) in edges {
            let (one, other) = (sets.root(one), sets.root(other));
            if one != other {
                let sum = merged.entry((one, other)).or_default();
                *sum = (*sum + count).min(least);
            }
        }
        edges = merged;
    }
}

/// The number of groups with a result of one player over another, while groups are counted in order.
#[derive(Default)]
struct GroupsSoFar {
    count: usize,
    last_group: Option<usize>,
}

/// Counts, up to `most`, the groups in which the first player was ahead of or level with the second.
fn results_of_pairs(outcomes: &[Outcome], most: usize) -> ResultCounts {
    let mut by_group: Vec<(usize, usize)> = Vec::new();
    for (number, outcome) in outcomes.iter().enumerate() {
        for &(group, times) in &outcome.counts {
            if times > 0 {
                by_group.push((group, number));
            }
        }
    }
    by_group.sort_unstable();
    let mut counts: BTreeMap<(usize, usize), GroupsSoFar> = BTreeMap::new();
    for (group, number) in by_group {
        let outcome = &outcomes[number];
        for (one, place) in outcome.entrants.iter().zip(&outcome.places) {
            for (other, behind) in outcome.entrants.iter().zip(&outcome.places) {
                if one.player == other.player || place > behind {
                    continue;
                }
                let so_far = counts.entry((one.player, other.player)).or_default();
                if so_far.last_group != Some(group) && so_far.count < most {
                    *so_far = GroupsSoFar { count: so_far.count + 1, last_group: Some(group) };
                }
            }
        }
    }
    counts.into_iter().map(|(pair, so_far)| (pair, so_far.count)).collect()
}

/// Results as a network: edges lead from a player to those they were ahead of or level with.
struct Network {
    /// The edges by node. The numbers of an edge and of its reverse differ only in the last bit.
    edges_of: Vec<Vec<usize>>,
    /// The node to which each edge leads.
    ends: Vec<usize>,
    capacities: Vec<usize>,
}

impl Network {
    fn new(nodes: usize, edges: &ResultCounts) -> Network {
        let mut network = Network { edges_of: vec![Vec::new(); nodes], ends: Vec::new(), capacities: Vec::new() };
        for (&(from, to), &count) in edges {
            network.edges_of[from].push(network.ends.len());
            network.edges_of[to].push(network.ends.len() + 1);
            network.ends.extend([to, from]);
            network.capacities.extend([count, 0]);
        }
        network
    }

    /// Finds a division that parts the first node of a block from another, with too few paths in one direction.
    ///
    /// Returns by node whether it is on one side. Nodes before the other are joined with the first. `None` if
    /// all are.
    fn part_from_first(&mut self, block: &[usize], least: usize, sets: &mut DisjointSets) -> Option<Vec<bool>> {
        let (&first, others) = block.split_first()?;
        for &other in others {
            let side = self.few_paths(first, other, least).or_else(|| self.few_paths(other, first, least));
            if side.is_some() {
                return side;
            }
            sets.join(first, other);
        }
        None
    }

    /// Finds a division between two nodes that fewer than `least` paths cross.
    ///
    /// Returns by node whether it is on the side of `from`, or `None` if at least `least` paths lead to `to`.
    fn few_paths(&mut self, from: usize, to: usize, least: usize) -> Option<Vec<bool>> {
        let full = self.capacities.clone();
        let mut paths = 0;
        let mut few = None;
        while paths < least {
            let came_by = self.search(from);
            if came_by[to].is_none() {
                let mut side: Vec<bool> = came_by.iter().map(Option::is_some).collect();
                side[from] = true;
                few = Some(side);
                break;
            }
            paths += self.fill(from, to, &came_by);
        }
        self.capacities = full;
        few
    }

    /// Searches from `from` along edges that can carry more; returns by node the edge that led to it.
    fn search(&self, from: usize) -> Vec<Option<usize>> {
        let mut came_by = vec![None; self.edges_of.len()];
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            for &edge in &self.edges_of[node] {
                let end = self.ends[edge];
                if self.capacities[edge] > 0 && end != from && came_by[end].is_none() {
                    came_by[end] = Some(edge);
                    queue.push_back(end);
                }
            }
        }
        came_by
    }

    /// Fills the path by which a search reached `to`; returns the amount that it carries.
    fn fill(&mut self, from: usize, to: usize, came_by: &[Option<usize>]) -> usize {
        let mut path = Vec::new();
        let mut node = to;
        while node != from {
            let edge = came_by[node].expect("the search came by");
            path.push(edge);
            node = self.ends[edge ^ 1];
        }
        let carried = path.iter().map(|&edge| self.capacities[edge]).min().unwrap_or(0);
        for edge in path {
            self.capacities[edge] -= carried;
            self.capacities[edge ^ 1] += carried;
        }
        carried
    }
}

#[cfg(test)]
mod tests {
    use super::super::Entrant;
    use super::*;

    fn bound_sets(players: usize, outcomes: &[Outcome], least: usize) -> Vec<Vec<usize>> {
        Bonds::new(players, outcomes, 32).sets(least)
    }

    /// Builds matches of two from `(winner, loser, times)`, each match in a separate group.
    fn wins(list: &[(usize, usize, usize)]) -> Vec<Outcome> {
        let mut group = 0;
        let mut outcomes = Vec::new();
        for &(winner, loser, times) in list {
            let entrants = [winner, loser].map(|player| Entrant { player, seat: None }).to_vec();
            let counts = (group..group + times).map(|group| (group, 1)).collect();
            outcomes.push(Outcome { entrants, places: vec![0, 1], counts });
            group += times;
        }
        outcomes
    }

    #[test]
    fn a_chain_holds_by_its_weakest_link() {
        let chain = wins(&[(0, 1, 19), (1, 0, 3), (1, 2, 19), (2, 1, 1), (2, 3, 9), (3, 2, 9)]);
        assert_eq!(bound_sets(4, &chain, 1), [[0, 1, 2, 3]]);
        assert_eq!(bound_sets(4, &chain, 2), [[0, 1], [2, 3]]);
        assert_eq!(bound_sets(4, &chain, 4), [vec![0], vec![1], vec![2, 3]]);
    }

    #[test]
    fn results_over_others_count() {
        // No two have three results each way, but there are three paths around the circle and back.
        let circle = wins(&[(0, 1, 2), (1, 2, 2), (2, 0, 2), (1, 0, 1), (2, 1, 1), (0, 2, 1)]);
        assert_eq!(bound_sets(3, &circle, 3), [[0, 1, 2]]);
        assert_eq!(bound_sets(3, &circle, 4), [[0], [1], [2]]);
    }

    #[test]
    fn few_matches_between_clubs_part_them() {
        let mut list = Vec::new();
        for club in [[0, 1, 2], [3, 4, 5]] {
            for one in club {
                list.extend(club.iter().filter(|&&other| other != one).map(|&other| (one, other, 8)));
            }
        }
        list.extend([(0, 3, 2), (4, 1, 3)]);
        assert_eq!(bound_sets(6, &wins(&list), 2), [[0, 1, 2, 3, 4, 5]]);
        assert_eq!(bound_sets(6, &wins(&list), 3), [[0, 1, 2], [3, 4, 5]]);
    }

    #[test]
    fn a_group_counts_once_and_ties_both_ways() {
        let entrants = || [0, 1].map(|player| Entrant { player, seat: None }).to_vec();
        let tie = |counts: Vec<(usize, u64)>| Outcome { entrants: entrants(), places: vec![0, 0], counts };
        assert_eq!(bound_sets(2, &[tie(vec![(0, 5), (1, 1)]), tie(vec![(1, 7)])], 2), [[0, 1]]);
        assert_eq!(bound_sets(2, &[tie(vec![(0, 5), (1, 0)]), tie(vec![(0, 7)])], 2), [[0], [1]]);
        assert_eq!(bound_sets(1, &[], 3), [[0]]);
    }
}
