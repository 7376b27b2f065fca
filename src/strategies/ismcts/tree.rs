//! The tree of moves: its nodes lie in one vector that is used again for every decision.

use crate::game::{Move, Moves};
use crate::table::{BySeat, Seat};

/// The number of a node in the vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(u32);

impl NodeId {
    /// The node of the position before the first move.
    pub(super) const ROOT: NodeId = NodeId(0);
    const NONE: NodeId = NodeId(u32::MAX);
}

/// A node: the results after one move.
struct Node {
    made: Move,
    by: Seat,
    visits: u32,
    /// How often the move was legal when its parent was left.
    available: u32,
    /// The rewards of `by`, summed.
    total: f64,
    first_child: NodeId,
    next_sibling: NodeId,
}

impl Node {
    fn new(made: Move, by: Seat, next_sibling: NodeId) -> Node {
        Node { made, by, visits: 0, available: 1, total: 0.0, first_child: NodeId::NONE, next_sibling }
    }

    fn mean(&self) -> f64 {
        self.total / f64::from(self.visits)
    }
}

/// The variance of the rewards of a seat, updated with each reward (Welford 1962).
#[derive(Clone, Copy, Debug, Default)]
struct Spread {
    count: u32,
    mean: f64,
    squares: f64,
}

impl Spread {
    fn add(&mut self, value: f64) {
        self.count += 1;
        let off = value - self.mean;
        self.mean += off / f64::from(self.count);
        self.squares += off * (value - self.mean);
    }

    fn deviation(&self) -> f64 {
        (self.squares / f64::from(self.count.max(1))).sqrt()
    }
}

/// The tree of moves that all worlds share.
pub(super) struct Tree {
    nodes: Vec<Node>,
    spread: BySeat<Spread>,
    exploration: f64,
}

impl Tree {
    /// An empty tree; `exploration` is the factor of the second term of [`Tree::select`].
    pub(super) fn new(exploration: f64) -> Tree {
        Tree { nodes: Vec::new(), spread: BySeat::default(), exploration }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::new(Move::NONE, Seat::Seat0, NodeId::NONE));
        self.spread = BySeat::default();
    }

    fn children(&self, parent: NodeId) -> impl Iterator<Item = (NodeId, &Node)> {
        let node = |id: NodeId| self.nodes.get(id.0 as usize).map(|node| (id, node));
        std::iter::successors(node(self.nodes[parent.0 as usize].first_child), move |(_, child)| {
            node(child.next_sibling)
        })
    }

    /// The best of the children of `parent` whose moves are among `legal`, counted as available once more, and the
    /// moves among `legal` that have no child yet.
    ///
    /// Best is the highest upper confidence bound (UCB1, Auer et al. 2002) with the availability in place of the
    /// parent's visits (Cowling et al. 2012): mean + exploration × deviation × sqrt(ln available / visits). The
    /// deviation is that of all rewards of the seat to move in this search, so that it fits what is at stake now and
    /// not the range of scores that the game allows.
    pub(super) fn select(&mut self, parent: NodeId, legal: Moves) -> (Option<NodeId>, Moves) {
        let mut untried = legal;
        let mut best = None;
        let mut most = f64::NEG_INFINITY;
        let mut id = self.nodes[parent.0 as usize].first_child;
        while id != NodeId::NONE {
            let child = &mut self.nodes[id.0 as usize];
            if legal.contains(child.made) {
                untried = untried.without(child.made);
                child.available += 1;
                let visits = f64::from(child.visits);
                let wide = self.exploration * self.spread[child.by].deviation();
                let bound = child.mean() + wide * (libm::log(f64::from(child.available)) / visits).sqrt();
                if bound > most {
                    (best, most) = (Some(id), bound);
                }
            }
            id = child.next_sibling;
        }
        (best, untried)
    }

    /// Adds a child for a move.
    pub(super) fn add(&mut self, parent: NodeId, made: Move, by: Seat) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let first = std::mem::replace(&mut self.nodes[parent.0 as usize].first_child, id);
        self.nodes.push(Node::new(made, by, first));
        id
    }

    /// The move that led to a node.
    pub(super) fn made(&self, id: NodeId) -> Move {
        self.nodes[id.0 as usize].made
    }

    /// Adds the rewards of one iteration to the nodes on its path.
    pub(super) fn reward(&mut self, path: &[NodeId], rewards: &BySeat<f64>) {
        for id in path {
            let node = &mut self.nodes[id.0 as usize];
            node.visits += 1;
            node.total += rewards[node.by];
        }
        self.spread.iter_mut().for_each(|(seat, spread)| spread.add(rewards[seat]));
    }

    /// The move at the root that was made most often; among equals, the one with the best mean.
    pub(super) fn most_visited(&self) -> Option<Move> {
        let better = |one: &Node, other: &Node| (one.visits, one.mean()) > (other.visits, other.mean());
        let children = self.children(NodeId::ROOT).map(|(_, child)| child);
        children.reduce(|best, child| if better(child, best) { child } else { best }).map(|best| best.made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_spread_is_the_standard_deviation() {
        let mut spread = Spread::default();
        [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().for_each(|value| spread.add(value));
        assert!((spread.deviation() - 2.0).abs() < 1e-12 && (spread.mean - 5.0).abs() < 1e-12);
    }

    #[test]
    fn moves_that_are_seldom_legal_are_not_held_to_have_been_tried_too_little() {
        let (often, rare) = (Move::call(1), Move::call(2));
        let mut tree = Tree::new(1.0);
        tree.clear();
        let children = [often, rare].map(|made| tree.add(NodeId::ROOT, made, Seat::Seat0));
        // Equal means and a spread; then `often` is available far oftener than `rare`, with as many visits.
        for child in children {
            for reward in [0.0, 1.0] {
                tree.reward(&[NodeId::ROOT, child], &BySeat::new([reward, 0.0, 0.0]));
            }
        }
        for _ in 0..50 {
            assert_eq!(tree.select(NodeId::ROOT, Moves::calls(0b10)), (Some(children[0]), Moves::NONE));
        }
        let (chosen, untried) = tree.select(NodeId::ROOT, Moves::calls(0b1110));
        assert_eq!((chosen, untried), (Some(children[0]), Moves::calls(0b1000)));
        // A child whose reward is known is selected again.
        for _ in 0..20 {
            tree.reward(&[NodeId::ROOT, children[1]], &BySeat::new([1.0, 0.0, 0.0]));
        }
        assert_eq!(tree.most_visited(), Some(rare));
        tree.clear();
        assert_eq!((tree.most_visited(), tree.select(NodeId::ROOT, Moves::calls(6))), (None, (None, Moves::calls(6))));
    }
}
