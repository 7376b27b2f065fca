//! The tree of moves. Its nodes are in one vector, which is reused for every decision.

use overtrick_cards::Stream;
use overtrick_cards::select::Portable;
use overtrick_cards::table::{BySeat, Seat};
use overtrick_game::{Move, Moves};
use overtrick_strategy::pick;

/// The index of a node in the vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeId(u32);

impl NodeId {
    /// The node of the position before the first move.
    pub(super) const ROOT: NodeId = NodeId(0);
    const NONE: NodeId = NodeId(u32::MAX);
}

/// A node: a move and its results.
struct Node {
    made: Move,
    by: Seat,
    visits: u32,
    /// How often the move was legal when its parent was left, counted since the node exists.
    available: u32,
    /// The sum of the rewards of `by`.
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

/// The variance of a seat's rewards, updated with each reward (Welford 1962).
#[derive(Clone, Copy, Debug, Default)]
struct RewardSpread {
    count: u32,
    mean: f64,
    squares: f64,
}

impl RewardSpread {
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
    spread: BySeat<RewardSpread>,
    exploration: f64,
    prior: f64,
}

impl Tree {
    /// Returns an empty tree; [`Tree::step`] explains `exploration` and `prior`.
    pub(super) fn new(exploration: f64, prior: f64) -> Tree {
        Tree { nodes: Vec::new(), spread: BySeat::default(), exploration, prior }
    }

    /// Removes all nodes except a new root.
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

    /// Returns the node of the best `legal` move of `by` at `parent`, and whether the node is new.
    ///
    /// `usual` is the move of a trusted player, if there is one.
    ///
    /// The best move has the highest upper confidence bound (UCB1, Auer et al. 2002). The parent's visits are
    /// replaced by the availability (Cowling et al. 2012): mean + exploration × deviation × sqrt(ln available
    /// / visits). The deviation is taken over all rewards of the seat to move in this search. So it fits the
    /// current stakes, not the game's range of scores.
    ///
    /// Every move starts as if it had been made once, for the mean of all rewards of the seat. The usual move
    /// gets an additional prior × deviation / visits (progressive bias, Chaslot et al. 2008). So the tree
    /// first grows where play is likely, and untried moves wait until their bound is the highest.
    pub(super) fn step(
        &mut self,
        parent: NodeId,
        legal: Moves,
        by: Seat,
        usual: Option<Move>,
        rng: &mut Stream,
    ) -> (NodeId, bool) {
        let (mean, deviation) = (self.spread[by].mean, self.spread[by].deviation());
        let wide = self.exploration * deviation;
        let bias = |made: Move| if Some(made) == usual { self.prior * deviation } else { 0.0 };
        let Node { visits, first_child, .. } = self.nodes[parent.0 as usize];
        let (mut best, mut most) = (None, f64::NEG_INFINITY);
        let (mut untried, mut id) = (legal, first_child);
        while id != NodeId::NONE {
            let child = &mut self.nodes[id.0 as usize];
            if legal.contains(child.made) {
                untried = untried.without(child.made);
                child.available += 1;
                let visits = f64::from(child.visits + 1);
                let exploration = (libm::log(f64::from(child.available + 1)) / visits).sqrt();
                let bound = (child.total + mean + bias(child.made)) / visits + wide * exploration;
                if bound > most {
                    (best, most) = (Some(id), bound);
                }
            }
            id = child.next_sibling;
        }
        let fresh = mean + wide * libm::log(f64::from(visits + 1)).sqrt();
        let usual = usual.filter(|usual| untried.contains(*usual));
        let made = match (best, usual) {
            (_, Some(usual)) if fresh + bias(usual) >= most => usual,
            (Some(best), _) if untried.is_empty() || most > fresh => return (best, false),
            _ => pick(untried, rng, Portable),
        };
        (self.add(parent, made, by), true)
    }

    /// Adds a child for a move.
    fn add(&mut self, parent: NodeId, made: Move, by: Seat) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        let first = std::mem::replace(&mut self.nodes[parent.0 as usize].first_child, id);
        self.nodes.push(Node::new(made, by, first));
        id
    }

    /// Returns the move that led to a node.
    pub(super) fn made(&self, id: NodeId) -> Move {
        self.nodes[id.0 as usize].made
    }

    /// Adds the rewards of one iteration to the nodes on its path from the root.
    pub(super) fn reward(&mut self, path: &[NodeId], rewards: &BySeat<f64>) {
        self.nodes[NodeId::ROOT.0 as usize].visits += 1;
        for id in path {
            let node = &mut self.nodes[id.0 as usize];
            node.visits += 1;
            node.total += rewards[node.by];
        }
        self.spread.iter_mut().for_each(|(seat, spread)| spread.add(rewards[seat]));
    }

    /// Returns the most visited move at the root, if it is clearly ahead of the `usual` move.
    ///
    /// It must be ahead by more than `errors` standard errors. Otherwise the result is the usual move.
    pub(super) fn winner(&self, usual: Option<Move>, errors: f64) -> Option<Move> {
        let best = self.most_visited()?;
        let Some(usual) = self.children(NodeId::ROOT).map(|(_, child)| child).find(|child| Some(child.made) == usual)
        else {
            return Some(best.made);
        };
        let visits = [best, usual].map(|node| 1.0 / f64::from(node.visits));
        let error = self.spread[best.by].deviation() * (visits[0] + visits[1]).sqrt();
        Some(if best.mean() - usual.mean() > errors * error { best.made } else { usual.made })
    }

    /// Returns the most visited child of the root; of equal children, the one with the best mean.
    fn most_visited(&self) -> Option<&Node> {
        let better = |one: &Node, other: &Node| (one.visits, one.mean()) > (other.visits, other.mean());
        let children = self.children(NodeId::ROOT).map(|(_, child)| child);
        children.reduce(|best, child| if better(child, best) { child } else { best })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use overtrick_cards::SeedSource;

    #[test]
    fn the_spread_is_the_standard_deviation() {
        let mut spread = RewardSpread::default();
        [2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0].into_iter().for_each(|value| spread.add(value));
        assert!((spread.deviation() - 2.0).abs() < 1e-12 && (spread.mean - 5.0).abs() < 1e-12);
    }

    /// Returns a tree with a child for each of `moves`, each with rewards 0 and 1.
    fn grown(prior: f64, moves: &[Move]) -> (Tree, Vec<NodeId>) {
        let mut tree = Tree::new(1.0, prior);
        tree.clear();
        let children: Vec<NodeId> = moves.iter().map(|made| tree.add(NodeId::ROOT, *made, Seat::Seat0)).collect();
        for child in &children {
            for reward in [0.0, 1.0] {
                tree.reward(&[*child], &BySeat::new([reward, 0.0, 0.0]));
            }
        }
        (tree, children)
    }

    #[test]
    fn moves_that_are_seldom_legal_are_not_held_to_have_been_tried_too_little() {
        let (often, rare) = (Move::call(1), Move::call(2));
        let (mut tree, children) = grown(0.0, &[often, rare]);
        let mut rng = SeedSource::new(1, "test", "tree").stream(0, 0);
        let mut step =
            |tree: &mut Tree, calls| tree.step(NodeId::ROOT, Moves::calls(calls), Seat::Seat0, None, &mut rng);
        // `often` is available much more often than `rare`, with the same number of visits.
        for _ in 0..50 {
            assert_eq!(step(&mut tree, 0b10), (children[0], false));
        }
        assert_eq!(step(&mut tree, 0b110), (children[0], false));
        // A child with a known reward is selected again.
        for _ in 0..20 {
            tree.reward(&[children[1]], &BySeat::new([1.0, 0.0, 0.0]));
        }
        assert_eq!(tree.winner(None, 0.0), Some(rare));
        assert_eq!(step(&mut tree, 0b100), (children[1], false));
        tree.clear();
        assert_eq!(tree.winner(None, 0.0), None);
        let (_, is_new) = step(&mut tree, 0b110);
        assert!(is_new);
    }

    #[test]
    fn the_usual_move_is_made_first_and_others_once_they_may_be_better() {
        let moves = [1, 2, 3].map(Move::call);
        let usual = moves[1];
        let (mut tree, _) = grown(4.0, &[moves[0]]);
        let mut rng = SeedSource::new(1, "test", "tree").stream(0, 0);
        let mut made = Vec::new();
        for _ in 0..40 {
            let (node, _) = tree.step(NodeId::ROOT, Moves::calls(0b1110), Seat::Seat0, Some(usual), &mut rng);
            made.push(tree.made(node));
            tree.reward(&[node], &BySeat::new([0.5, 0.0, 0.0]));
        }
        assert_eq!(made[..4], [usual; 4]);
        assert!(moves.iter().all(|other| made.contains(other)), "{made:?}");
        assert_eq!(tree.winner(None, 0.0), Some(usual), "it is worth as much as the others");
        // Another move must be better by more than chance allows.
        for _ in 0..60 {
            let (node, _) = tree.step(NodeId::ROOT, Moves::calls(0b10), Seat::Seat0, Some(usual), &mut rng);
            tree.reward(&[node], &BySeat::new([0.6, 0.0, 0.0]));
        }
        assert_eq!([0.0, 100.0].map(|errors| tree.winner(Some(usual), errors).unwrap()), [moves[0], usual]);
    }
}
