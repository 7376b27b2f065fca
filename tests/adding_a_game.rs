//! The game that docs/adding-a-game.md builds: it is what the page shows, and it plays.

// The page's code says `crate::`, as it would in the library.
use overtrick::{cards, game, table};

mod common;
mod plain;

use common::stream;
use game::{Game, RuleSet, Setup};
use plain::{Plain, PlainRules};
use table::Seat;

#[test]
fn the_page_shows_the_game_that_is_tested() {
    let page = include_str!("../docs/adding-a-game.md");
    assert!(page.contains(include_str!("plain/mod.rs")));
}

#[test]
fn the_game_of_the_page_plays() {
    let game = Plain::new(PlainRules { trick_points: 2, ..PlainRules::default() }).unwrap();
    assert!(PlainRules { trick_points: -1, ..PlainRules::default() }.validate().is_err());
    for number in 0..50 {
        let mut luck = stream(Plain::NAME, number);
        let mut state = game.deal(Setup { dealer: Seat::new(number as usize % 3), last_deal: false }, &mut luck);
        while !game.is_over(&state) {
            let card = luck.card(game.legal(&state).card_set());
            game.try_move(&mut state, game::Move::card(card)).unwrap();
        }
        assert_eq!(game.scores(&state).0.iter().sum::<i32>(), 26);
    }
}
