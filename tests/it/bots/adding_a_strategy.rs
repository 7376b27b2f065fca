//! The strategy that docs/adding-a-strategy.md builds: it is what the page shows, and it plays every game.

use std::sync::Arc;

use crate::fixtures::{each_variant, points_among_random, stream};
use crate::plain::{Plain, PlainRules};
use crate::thrifty::Params;
use overtrick::game::{FullGame, Game, Options, Setup, Standing, View};
use overtrick::games::Visitor;
use overtrick::strategies::{BuildContext, StrategySpec};

const PAGE: &str = include_str!("../../../docs/adding-a-strategy.md");

#[test]
fn the_page_shows_the_strategy_that_is_tested() {
    assert!(PAGE.contains(include_str!("../../../examples/outside/thrifty.rs")));
    assert!(PAGE.contains(include_str!("../../../examples/outside/thrifty.toml")));
}

#[test]
fn the_manifest_of_the_page_is_one_of_the_strategy() {
    let table: toml::Table = include_str!("../../../examples/outside/thrifty.toml").parse().unwrap();
    assert_eq!(table["strategy"].as_str(), Some(Params::NAME));
    let params: Params = table["parameters"].clone().try_into().unwrap();
    assert_eq!((params.validate(), params), (Ok(()), Params::default()));
}

#[test]
fn the_register_is_where_the_page_says() {
    let line = "register! {\n    Random(random::Params),\n";
    assert!(PAGE.contains(line) && include_str!("../../../crates/strategies/src/lib.rs").contains(line));
}

/// Plays deals with the strategy in every seat: its moves are legal, and hidden cards do not change them.
struct Play<'a>(&'a str);

impl Visitor for Play<'_> {
    type Output = ();

    fn visit<G: FullGame>(self, game: &Arc<G>) {
        let (game, standing) = (game.as_ref(), Standing::default());
        let mut strategy = Params::default().build::<G>(&BuildContext::default()).unwrap();
        for number in 0..10 {
            let (mut rng, mut own) = (stream(self.0, number), stream("own", number));
            let setup = Setup::single(game, number, false);
            let mut state = game.deal(setup, &mut rng);
            game.play_out(&mut state, |state| {
                let (seat, legal) = (state.table.seat_to_move(), game.legal(state));
                let other = state.redealt(seat, &mut rng);
                let mut choose =
                    |state, own: &mut _| strategy.choose(&View::new(game, state, &standing, seat), legal, own);
                let again = choose(&other, &mut own.clone());
                let chosen = choose(state, &mut own);
                assert_eq!(chosen, again, "{}", self.0);
                chosen
            });
        }
    }
}

#[test]
fn the_strategy_of_the_page_plays_every_game_by_what_it_sees() {
    each_variant(|variant| variant.game.visit(Play(&variant.name)));
}

#[test]
fn greed_wins_tricks() {
    // A point a trick: random players win a third each.
    let game = Plain::new(PlainRules::default()).unwrap();
    let (deals, fair) = (60, 60 * 13 / 3);
    let points = |greed| {
        let strategy = Params { greed }.build::<Plain>(&BuildContext::default()).unwrap();
        points_among_random(&game, strategy, deals)
    };
    let [none, half, full] = [0.0, 0.5, 1.0].map(points);
    assert!(none < half && half < full, "{none} {half} {full}");
    assert!(none * 8 < fair * 7 && full * 6 > fair * 7, "{none} {full}, {fair} being fair");
}
