//! The search to the end of a deal against an enumeration of every line, in every registered variant.

use std::sync::Arc;

use crate::fixtures::four_whist::FourWhist;
use crate::fixtures::{each_variant, stream};
use overtrick::game::{FullGame, Move, Setup, State};
use overtrick::games::{Variant, Visitor};
use overtrick::search::{Endgame, Payoff};
use overtrick::table::{BySeat, Place, Seat, Teams};

/// Returns the worth of the deal, by trying everything; `lines` counts the lines to the end.
fn enumerated<G: FullGame>(game: &G, state: &State<G::Public>, spite: f32, lines: &mut u64) -> BySeat<f32> {
    if game.is_over(state) {
        *lines += 1;
        let (seats, partners) = (game.layout().seats, game.layout().partners);
        let scores = game.scores(state);
        return BySeat::from_fn(|seat| {
            if seat.index() >= seats {
                return 0.0;
            }
            let is_own = |other: &Seat| *other == seat || partners && other.index() % 2 == seat.index() % 2;
            let others: Vec<i32> = Seat::all(seats).filter(|other| !is_own(other)).map(|other| scores[other]).collect();
            scores[seat] as f32 - spite / others.len() as f32 * others.iter().sum::<i32>() as f32
        });
    }
    let seat = state.table.seat_to_move();
    let mut all = Vec::new();
    for candidate in game.legal(state).iter() {
        let mut after = *state;
        game.play(&mut after, candidate).unwrap();
        all.push(enumerated(game, &after, spite, lines));
    }
    let most = all.iter().map(|worth| worth[seat]).fold(f32::NEG_INFINITY, f32::max);
    *all.iter().find(|worth| worth[seat] == most).unwrap()
}

/// A deal of random play with `left` cards in the fullest hand, at any card of a trick; `None` if it ended before.
fn ending<G: FullGame>(game: &G, number: u64, left: u32) -> Option<State<G::Public>> {
    let mut rng = stream("endgame", number);
    let setup = Setup::single(game, number, number % 2 == 1);
    let mut state = game.deal(setup, &mut rng);
    let mut extra = rng.random_below(3);
    loop {
        if game.is_over(&state) {
            return None;
        }
        let cards = state.table.circle().map(|hand: Place| state.table.at(hand).len()).max()?;
        if cards <= left {
            if extra == 0 {
                return Some(state);
            }
            extra -= 1;
        }
        let legal: Vec<Move> = game.legal(&state).iter().collect();
        game.play_unchecked(&mut state, legal[rng.random_below(legal.len() as u64) as usize]);
    }
}

struct Check(String, f32);

impl Visitor for Check {
    /// How many endings there were, and how many of them had more than one line.
    type Output = [u64; 2];

    fn visit<G: FullGame>(self, game: &Arc<G>) -> [u64; 2] {
        let Check(name, spite) = self;
        let payoff = Payoff::new(game.layout().teams(), spite);
        let mut found = [0; 2];
        for state in (0..60).filter_map(|number| ending(game.as_ref(), number, 3)) {
            let mut lines = 0;
            let expected = enumerated(game.as_ref(), &state, spite, &mut lines);
            let mut search = Endgame::new(game.as_ref(), payoff, u64::MAX);
            let worth = search.worth(&state).expect("no budget runs out");
            assert_eq!(worth, expected, "{name}: spite {spite}");
            let used = u64::MAX - search.budget();
            // Just enough is enough, and one less is not.
            assert_eq!(Endgame::new(game.as_ref(), payoff, used).worth(&state), Some(expected), "{name}");
            assert_eq!(Endgame::new(game.as_ref(), payoff, used - 1).worth(&state), None, "{name}");
            found = [found[0] + 1, found[1] + u64::from(lines > 1)];
        }
        found
    }
}

#[test]
fn everybody_gets_what_trying_every_line_gives_him() {
    each_variant(|variant: &Variant| {
        for spite in [1.0, 0.0, 0.5] {
            let [endings, open] = variant.game.visit(Check(variant.name.clone(), spite));
            assert!(endings >= 20 && open >= 15, "{}: {endings} endings, {open} open", variant.name);
        }
    });
}

#[test]
fn four_players_get_what_trying_every_line_gives_them() {
    for (partners, spite) in [(false, 1.0), (false, 0.0), (true, 1.0), (true, 0.0), (true, 0.5)] {
        let game = FourWhist::of(partners);
        let [endings, open] = Check(format!("four-whist {partners}"), spite).visit(&Arc::new(game));
        assert!(endings >= 20 && open >= 15, "{endings} endings, {open} open");
    }
}

/// Returns the positions that a search visits in some endings.
fn nodes<G: FullGame>(game: &G, teams: Teams, spite: f32, left: u32) -> u64 {
    let mut search = Endgame::new(game, Payoff::new(teams, spite), u64::MAX);
    for state in (0..20).filter_map(|number| ending(game, number, left)) {
        search.worth(&state).unwrap();
    }
    u64::MAX - search.budget()
}

/// Two opposed players spare each other what neither would allow, and so do two sides.
#[test]
fn opposed_players_look_at_fewer_positions() {
    struct Nodes(f32);
    impl Visitor for Nodes {
        type Output = u64;
        fn visit<G: FullGame>(self, game: &Arc<G>) -> u64 {
            nodes(game.as_ref(), Teams::alone(2), self.0, 5)
        }
    }
    let game = Variant::preset("colour-blind-2").unwrap().game;
    let (pruned, whole) = (game.visit(Nodes(1.0)), game.visit(Nodes(0.0)));
    assert!(2 * pruned < whole, "{pruned} of {whole}");
    let [pruned, whole] = [1.0, 0.0].map(|spite| nodes(&FourWhist::of(true), Teams::PARTNERS, spite, 3));
    assert!(2 * pruned < whole, "{pruned} of {whole}");
}
