//! Seeded deals for the tests of the games.

use overtrick_cards::SeedSource;
use overtrick_cards::table::{BySeat, Seat};
use overtrick_game::{FullGame, Move, Moves, Setup, Standing, View};
use overtrick_strategy::Strategy;

use crate::random::Random;

/// Plays deal `number` with a bot for each seat, and passes every decision to `see`.
fn play<G: FullGame>(
    game: &G,
    number: u64,
    bots: &mut [&mut dyn Strategy<G>],
    mut see: impl FnMut(&View<'_, G>, Moves, Move),
) -> BySeat<i32> {
    let seats = game.layout().seats;
    let dealer = Seat::new(number as usize % seats);
    let setup = Setup { dealer, ..Setup::default() };
    let mut state = game.deal(setup, &mut SeedSource::new(1, "test", "cards").stream(number, 0));
    let mut rng = SeedSource::new(1, "test", "strategy").stream(number, 0);
    let standing = Standing::default();
    game.play_out(&mut state, |state| {
        let seat = state.table.seat_to_move();
        let legal = game.legal(state);
        let view = View::new(game, state, &standing, seat);
        let chosen = bots[seat.index()].choose(&view, legal, &mut rng);
        assert!(legal.contains(chosen));
        see(&view, legal, chosen);
        chosen
    });
    game.scores(&state)
}

/// Returns the average lead of a strategy over random players, per deal.
///
/// The strategy plays each of the first `deals` deals from every seat.
pub(super) fn lead_over_random<G: FullGame, S: Strategy<G>>(game: &G, deals: u64, make: impl Fn() -> S) -> f64 {
    let seats = game.layout().seats;
    let mut lead = 0.0;
    for number in 0..deals {
        for own in 0..seats {
            let mut strategy = make();
            let mut random = [Random, Random, Random];
            let [a, b, c] = &mut random;
            let mut bots: [&mut dyn Strategy<G>; 3] = [a, b, c];
            bots[own] = &mut strategy;
            let scores = play(game, number, &mut bots, |_, _, _| ());
            let sum: i32 = scores.of(seats).iter().sum();
            let score = scores[Seat::new(own)];
            lead += f64::from(score) - f64::from(sum - score) / (seats - 1) as f64;
        }
    }
    lead / (deals * seats as u64) as f64
}

/// Shows every decision of a strategy that plays the first `deals` deals at seat 0 against random players.
pub(super) fn watch<G: FullGame>(
    game: &G,
    deals: u64,
    strategy: &mut impl Strategy<G>,
    mut see: impl FnMut(&View<'_, G>, Moves, Move),
) {
    for number in 0..deals {
        watch_deal(game, number, strategy, &mut see);
    }
}

/// Shows every decision of a strategy that plays a deal at seat 0 against random players.
fn watch_deal<G: FullGame>(
    game: &G,
    number: u64,
    strategy: &mut impl Strategy<G>,
    mut see: impl FnMut(&View<'_, G>, Moves, Move),
) {
    let bots: &mut [&mut dyn Strategy<G>] = &mut [strategy, &mut Random, &mut Random, &mut Random];
    play(game, number, bots, |view, legal, chosen| {
        if view.seat() == Seat::Seat0 {
            see(view, legal, chosen);
        }
    });
}

/// Returns whether a second strategy would choose differently in any decision of the first.
///
/// The first strategy plays the first `deals` deals at seat 0 against random players, up to the first such
/// decision's deal.
pub(super) fn changes_choices<G: FullGame>(
    game: &G,
    deals: u64,
    one: &mut impl Strategy<G>,
    other: &mut impl Strategy<G>,
) -> bool {
    let mut rng = SeedSource::new(1, "test", "other").stream(0, 0);
    for number in 0..deals {
        let mut found = false;
        watch_deal(game, number, one, |view, legal, chosen| {
            found |= other.choose(view, legal, &mut rng) != chosen;
        });
        if found {
            return true;
        }
    }
    false
}
