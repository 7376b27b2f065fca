//! What several test files need.
#![allow(dead_code)]

use std::path::Path;

use overtrick::arena::{Overrides, Tally, Tournament};
use overtrick::cards::{Luck, Stream};
use overtrick::game::{Game, Move, Moves, Setup, Standing, State, View};
use overtrick::games::Variant;
use overtrick::input::Source;
use overtrick::run::{Run, Segments};
use overtrick::strategies::Bot;
use overtrick::strategies::random::Random;
use overtrick::strategy::Strategy;
use overtrick::table::Seat;

/// Does something for every registered variant.
pub fn each_variant(mut check: impl FnMut(&Variant)) {
    let variants = Variant::all();
    assert!(!variants.is_empty());
    variants.iter().for_each(&mut check);
}

/// A stream of random numbers of the test's own.
pub fn stream(purpose: &str, number: u64) -> Stream {
    Luck::new(20_261_121, purpose, "test").stream(number, 0)
}

/// The first of some moves.
pub fn lowest_bits(legal: Moves) -> Move {
    legal.iter().next().expect("a legal move")
}

/// The state with the cards that `seat` cannot see dealt out anew among the places where they lie.
pub fn redealt<P: Copy>(state: &State<P>, seat: Seat, luck: &mut Stream) -> State<P> {
    let mut other = *state;
    other.table.redeal_hidden(seat, |cards| {
        for last in (1..cards.len()).rev() {
            cards.swap(last, luck.below(last as u64 + 1) as usize);
        }
    });
    other
}

/// What a strategy scores in some deals from seat 0, among random players.
pub fn points_among_random<G: Game>(game: &G, mut strategy: Box<dyn Strategy<G>>, deals: u64) -> i32 {
    let standing = Standing::default();
    let mut points = 0;
    for number in 0..deals {
        let [mut cards, mut own, mut others] = ["cards", "own", "others"].map(|purpose| stream(purpose, number));
        let dealer = Seat::new(number as usize % game.layout().seats);
        let mut state = game.deal(Setup { dealer, last_deal: false }, &mut cards);
        while !game.is_over(&state) {
            let (seat, legal) = (state.table.seat_to_move(), game.legal(&state));
            let view = View::new(game, &state, &standing, seat);
            let chosen = match seat {
                Seat::Seat0 => strategy.choose(&view, legal, &mut own),
                _ => Random.choose(&view, legal, &mut others),
            };
            game.try_move(&mut state, chosen).unwrap();
        }
        points += game.scores(&state)[Seat::Seat0];
    }
    points
}

/// A bot from its parts; `parameters` is TOML.
pub fn bot(name: &str, strategy: &str, parameters: &str) -> Bot {
    let text = format!("name = {name:?}\nstrategy = {strategy:?}\n[parameters]\n{parameters}");
    let source = Source::parse(Path::new("test.toml"), text).unwrap();
    Bot::from_table(&source, &[], source.table()).unwrap()
}

/// Random bots for every seat of a variant.
pub fn random_bots(variant: &Variant) -> Vec<Bot> {
    (0..variant.game.layout().seats).map(|seat| bot(&format!("random-{seat}"), "random", "")).collect()
}

/// The tally of a tournament's first variant, played on two threads in segments of so many numbers.
pub fn play(tournament: &Tournament, segment: u64) -> Tally {
    let run = Run::new(tournament.clone()).threads(2).segments(Segments::Of(segment));
    run.play().unwrap().runs.swap_remove(0).tally
}

/// A round-robin of three bots over one variant, with further config lines.
pub fn tournament(variant: &str, lines: &str) -> Tournament {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.toml");
    let text = format!(
        "seed = 5\n{lines}\nvariants = [{variant:?}]\nbots = [{{name = \"a\", strategy = \"random\"}}, \
         {{name = \"b\", strategy = \"random\"}}, {{name = \"c\", strategy = \"random\"}}]\n"
    );
    std::fs::write(&file, text).unwrap();
    Tournament::read(&file, Overrides::default()).unwrap()
}
