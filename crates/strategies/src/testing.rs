//! Helpers for the tests of searching strategies.

use overtrick_cards::SeedSource;
use overtrick_cards::table::Seat;
use overtrick_game::{FullGame, Setup, Standing, View};
use overtrick_strategy::Strategy;

use super::random::Random;

/// Returns whether two strategies choose differently with the same random numbers.
///
/// They play at seat 0 against random players. Of the first `deals` deals, those after the first difference
/// are not played.
pub(super) fn disagree<G: FullGame>(
    game: &G,
    deals: u64,
    mut one: Box<dyn Strategy<G>>,
    mut other: Box<dyn Strategy<G>>,
) -> bool {
    let standing = Standing::default();
    for number in 0..deals {
        let mut found = false;
        let stream = |purpose| SeedSource::new(1, "test", purpose).stream(number, 0);
        let (mut own, mut rng) = (stream("own"), stream("others"));
        let setup = Setup::single(game, number, false);
        let mut state = game.deal(setup, &mut stream("cards"));
        game.play_out(&mut state, |state| {
            let (seat, legal) = (state.table.seat_to_move(), game.legal(state));
            let view = View::new(game, state, &standing, seat);
            if seat != Seat::Seat0 {
                return Random.choose(&view, legal, &mut rng);
            }
            let second = other.choose(&view, legal, &mut own.clone());
            let first = one.choose(&view, legal, &mut own);
            found |= first != second;
            first
        });
        if found {
            return true;
        }
    }
    false
}
