//! Cards that a player knows where it may not look: those that it passed to another.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::contract::{Blind, Leaks, check_views, random_play, specs};
use crate::fixtures::passing::{PASSED, Passing, PassingRules};
use crate::fixtures::stream;
use crate::searching::worlds::{Even, Fit};
use overtrick::cards::CardSet;
use overtrick::game::{Game, Move, Standing, State, View};
use overtrick::games::Visitor;
use overtrick::search::worlds::Worlds;
use overtrick::table::{Place, Seat};

fn passing() -> Arc<Passing> {
    Arc::new(Passing::new(PassingRules {}).unwrap())
}

/// Returns the cards that a seat passed, from the whole record.
fn passed(state: &State<()>, by: Seat) -> CardSet {
    let calls = state.table.calls().iter().filter(|(seat, _)| *seat == by);
    calls.map(|(_, call)| call.to_card()).collect()
}

/// Does something in each state after the passing.
fn each_state_of_play(deals: u64, mut at: impl FnMut(&State<()>)) {
    random_play(passing().as_ref(), "passing", deals, |state, over| {
        if !over && state.table.calls().len() == 3 * PASSED {
            at(state);
        }
    });
}

#[test]
fn who_passes_a_card_knows_where_it_lies_and_who_gets_it_knows_from_whom() {
    let (game, standing) = (passing(), Standing::default());
    each_state_of_play(20, |state| {
        for seat in Seat::all(3) {
            let view = View::new(game.as_ref(), state, &standing, seat);
            let [left, right] = [1, 2].map(|steps| seat.left(steps, 3));
            assert_eq!(view.cards(Place::hand(left)), passed(state, seat) & state.table.at(Place::hand(left)));
            assert!(view.cards(Place::hand(right)).is_empty());
            for ((caller, call), true_call) in view.calls().into_iter().zip(state.table.calls()) {
                assert_eq!(call, (caller != left).then_some(true_call.1), "{seat:?} reads a call of {caller:?}");
            }
        }
    });
}

#[test]
fn hidden_cards_show_in_no_view_and_no_choice() {
    let game = passing();
    check_views(game.as_ref(), "passing");
    for spec in specs() {
        Blind { name: "passing", spec, leaks: Leaks { deals: 3, step: 2, redeals: 2 } }.visit(&game);
    }
}

#[test]
fn worlds_leave_known_cards_where_they_lie_and_are_equally_likely() {
    let game = passing();
    let found = Fit { name: "passing", step: 1 }.visit(&game);
    assert!(found.other_than_true > 100 && found.listed > 100, "{} {}", found.other_than_true, found.listed);
    let ruled_out = Even("passing").visit(&game);
    assert!(ruled_out.iter().sum::<usize>() > 0, "no states with voids");
    let (standing, mut rng) = (Standing::default(), stream("known", 0));
    let mut known = 0;
    each_state_of_play(5, |state| {
        for seat in Seat::all(3) {
            let view = View::new(game.as_ref(), state, &standing, seat);
            let left = Place::hand(seat.left(1, 3));
            let world = Worlds::new(&view).sample(&mut rng);
            assert!(view.cards(left).is_subset(world.at(left)));
            known += view.cards(left).len();
        }
    });
    assert!(known > 100, "{known}");
}

/// In an imagined deal, the others know cards of that deal.
#[test]
fn imagined_players_know_the_cards_that_they_would_have_passed() {
    let (game, standing) = (passing(), Standing::default());
    let mut rng = stream("imagined", 0);
    let mut guesses: BTreeMap<String, u32> = BTreeMap::new();
    each_state_of_play(40, |state| {
        for seat in Seat::all(3) {
            let view = View::new(game.as_ref(), state, &standing, seat);
            let imagined = view.imagine(&Worlds::new(&view).sample(&mut rng));
            let [left, right] = [1, 2].map(|steps| seat.left(steps, 3));
            // The left neighbour passed two to the right one, which has them or has played them.
            let guessed = passed(&imagined, left);
            let had = imagined.table.hands_before_play()[Place::hand(right).index()];
            assert_eq!((guessed.len() as usize, guessed.is_subset(had)), (PASSED, true));
            assert!(guessed.is_disjoint(passed(state, seat)));
            assert_eq!([seat, right].map(|by| passed(&imagined, by)), [seat, right].map(|by| passed(state, by)));
            let theirs = View::new(game.as_ref(), &imagined, &standing, left);
            assert_eq!(theirs.cards(Place::hand(right)), guessed & imagined.table.at(Place::hand(right)));
            assert!(
                theirs
                    .calls()
                    .iter()
                    .any(|(_, call)| call.is_some_and(|call| call == Move::card(guessed.first().unwrap())))
            );
            guessed.iter().for_each(|card| *guesses.entry(card.to_string()).or_default() += 1);
        }
    });
    // High and low cards are guessed alike, so all are.
    assert_eq!(guesses.len(), 24, "{guesses:?}");
}
