//! Move-count trees: how many ways there are to go on from fixed positions, by depth, as the data file says, as the
//! games count them and as the second, slow implementation counts them.

use std::sync::Arc;

use crate::fixtures::stream;
use crate::second::Second;
use crate::second::fast::start;
use overtrick::game::{FullGame, Move, Setup, State};
use overtrick::games::{Variant, Visitor};
use overtrick::table::Seat;

const POSITIONS: &str = include_str!("../../data/perft.txt");

/// A line of the data file: `variant deal dealer last-deal | moves, separated by commas | counts by depth`.
struct Position<'a> {
    variant: &'a str,
    number: u64,
    setup: Setup,
    moves: Vec<&'a str>,
    counts: Vec<u64>,
}

fn positions() -> impl Iterator<Item = Position<'static>> {
    POSITIONS.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let [head, moves, counts] = line.split(" | ").collect::<Vec<_>>()[..] else { panic!("three parts: {line}") };
        let [variant, number, dealer, last] = head.split(' ').collect::<Vec<_>>()[..] else { panic!("four: {head}") };
        let setup = Setup { dealer: Seat::new(dealer.parse().unwrap()), last_deal: last == "last", ..Setup::default() };
        let counts = counts.split(' ').map(|count| count.parse().unwrap()).collect();
        Position { variant, number: number.parse().unwrap(), setup, moves: moves.split(", ").collect(), counts }
    })
}

/// The number of ways to make `depth` moves; a deal that is over has none.
fn fast<G: FullGame>(game: &G, state: &State<G::Public>, depth: usize) -> u64 {
    let moves =
        |state: &State<G::Public>| if game.is_over(state) { Vec::new() } else { game.legal(state).iter().collect() };
    let chosen: Vec<Move> = moves(state);
    if depth == 1 {
        return chosen.len() as u64;
    }
    chosen
        .into_iter()
        .map(|chosen| {
            let mut next = *state;
            game.play(&mut next, chosen).unwrap();
            fast(game, &next, depth - 1)
        })
        .sum()
}

/// The same by the second implementation.
fn slow(deal: &Second, depth: usize) -> u64 {
    let texts = deal.legal();
    if depth == 1 {
        return texts.len() as u64;
    }
    texts
        .iter()
        .map(|text| {
            let mut next = deal.clone();
            next.apply(text);
            slow(&next, depth - 1)
        })
        .sum()
}

struct Count<'a>(&'a Position<'a>);

impl Visitor for Count<'_> {
    type Output = ();

    fn visit<G: FullGame>(self, game: &Arc<G>) {
        let Position { variant, number, setup, moves, counts } = self.0;
        let mut state = game.deal(*setup, &mut stream(variant, *number));
        let mut second = Second::new(&start(game.as_ref(), *setup, &state));
        for text in moves {
            let chosen = game.read_move(&state, text).unwrap_or_else(|| panic!("{variant} {number}: {text}"));
            game.play(&mut state, chosen).unwrap();
            second.apply(text);
        }
        for (depth, &count) in (1..).zip(counts) {
            assert_eq!(fast(game.as_ref(), &state, depth), count, "{variant} {number} to depth {depth}, fast");
            assert_eq!(slow(&second, depth), count, "{variant} {number} to depth {depth}, slow");
        }
    }
}

#[test]
fn moves_branch_as_counted() {
    for position in positions() {
        Variant::preset(position.variant).unwrap().game.visit(Count(&position));
    }
}

#[test]
fn every_variant_has_positions() {
    for name in Variant::names() {
        assert!(positions().filter(|position| position.variant == name).count() >= 3, "{name}");
    }
}
