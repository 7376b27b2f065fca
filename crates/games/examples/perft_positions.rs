//! Prints lines for `tests/data/perft.txt`: positions of a variant and their numbers of move sequences.
//!
//! A deal is either played at random until few cards are left, or begun with two moves.
//!
//! Run `cargo run --release --example perft_positions -- VARIANT`, or omit the name for all variants.

use std::sync::Arc;

use overtrick_cards::SeedSource;
use overtrick_cards::table::Seat;
use overtrick_game::{FullGame, Move, Setup, State};
use overtrick_games::{Variant, Visitor};

/// Returns the number of ways to make `depth` moves. A finished deal has none.
fn leaves<G: FullGame>(game: &G, state: &State<G::Public>, depth: usize) -> u64 {
    if game.is_over(state) {
        return 0;
    }
    let legal = game.legal(state);
    if depth == 1 {
        return legal.len().into();
    }
    let after = |chosen| {
        let mut next = *state;
        game.play_unchecked(&mut next, chosen);
        leaves(game, &next, depth - 1)
    };
    legal.iter().map(after).sum()
}

struct Print<'a>(&'a str);

impl Visitor for Print<'_> {
    type Output = ();

    fn visit<G: FullGame>(self, game: &Arc<G>) {
        let (name, seats) = (self.0, game.layout().seats);
        for number in 0..4u64 {
            let setup =
                Setup { dealer: Seat::new(number as usize % seats), last_deal: number >= 2, ..Setup::default() };
            let mut rng = SeedSource::new(20_261_121, name, "test").stream(number, 0);
            let mut state = game.deal(setup, &mut rng);
            let mut moves = Vec::new();
            // Either two moves, or play until at most three cards are left.
            let calls = if number.is_multiple_of(2) { usize::MAX } else { 2 };
            while !game.is_over(&state) {
                let hand = state.table.at(state.table.hand_to_move()).len();
                if moves.len() >= calls || (state.table.tricks_played() > 0 && hand <= 3) {
                    break;
                }
                let legal: Vec<Move> = game.legal(&state).iter().collect();
                let first = rng.random_below(3) == 0;
                let chosen = if first { legal[0] } else { legal[rng.random_below(legal.len() as u64) as usize] };
                moves.push(game.move_text(&state, chosen).expect("a legal move has a text"));
                game.play_unchecked(&mut state, chosen);
            }
            let deepest = if calls == 2 { 3 } else { 12 };
            let counts: Vec<String> = (1..=deepest)
                .map(|depth| leaves(game.as_ref(), &state, depth))
                .take_while(|count| (1..20_000).contains(count))
                .map(|count| count.to_string())
                .collect();
            let (dealer, last) = (setup.dealer.index(), if setup.last_deal { "last" } else { "-" });
            println!("{name} {number} {dealer} {last} | {} | {}", moves.join(", "), counts.join(" "));
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let variants = match std::env::args().nth(1) {
        Some(name) => vec![Variant::named(&name)?],
        None => Variant::all(),
    };
    variants.iter().for_each(|variant| variant.game.visit(Print(&variant.name)));
    Ok(())
}
