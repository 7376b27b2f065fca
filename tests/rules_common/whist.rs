//! What the tests of the whist family share.

use overtrick::cards::{Card, Suit};
use overtrick::game::{Game, State};
use overtrick::games::whist::{Contracting, DISCARDED, DUMMY, DummyWhist, Phase};
use overtrick::table::{Place, Seat};

use super::{HANDS, arrange, card, deal, dictate, say};

/// A place that these games have no use for.
pub const ASIDE: Place = Place::Aside5;
/// The order of play in Dummy Whist when seat 0 is declarer: he, his left, the dummy, his right.
pub const CIRCLE: [Place; 4] = [Place::Hand0, Place::Hand1, DUMMY, Place::Hand2];

/// Deal `number`, in which seat 0 speaks first and plays the contract that he bids and names: "2 no-trump", "uptown". In Humbug
/// both keep their hands.
pub fn contract(game: &DummyWhist, number: u64, bid: &str, name: &str) -> State<Contracting> {
    let seats = game.layout().seats;
    let mut state = deal(game, Seat::new(seats - 1), number);
    if state.public.phase() == Phase::Choice {
        say(game, &mut state, "keep, keep");
    }
    say(game, &mut state, &format!("bid {bid}{}", ", pass".repeat(seats - 1)));
    while state.public.phase() == Phase::Discard {
        let first = game.legal(&state).iter().next().unwrap();
        game.try_move(&mut state, first).unwrap();
    }
    say(game, &mut state, &format!("name {name}"));
    state
}

/// The same with empty hands, for tricks to be dictated.
pub fn bare(game: &DummyWhist, bid: &str, name: &str) -> State<Contracting> {
    let mut state = contract(game, 0, bid, name);
    arrange(&mut state, ASIDE, &HANDS.map(|hand| (hand, "")));
    state
}

/// Seat 0's contract in Dummy Whist with hands of just these cards, in the order of play.
pub fn hands(game: &DummyWhist, bid: &str, name: &str, texts: [&str; 4]) -> State<Contracting> {
    let mut state = bare(game, bid, name);
    // Cards that are wanted may have been discarded.
    let discarded = state.table.at(DISCARDED);
    state.table.shift(discarded, DISCARDED, ASIDE);
    let hands: Vec<(Place, &str)> = CIRCLE.into_iter().zip(texts).collect();
    arrange(&mut state, ASIDE, &hands);
    state
}

/// Lets these hands win one trick each. The hands must be empty.
pub fn win(game: &DummyWhist, state: &mut State<Contracting>, winners: &[Place]) {
    for &winner in winners {
        let mut hand = state.table.hand_to_move();
        let mut plays = Vec::new();
        for other in ["2S", "3S", "4S", "5S"].into_iter().take(state.table.hands_in_trick()) {
            // The ace is the best card of its suit in both directions.
            plays.push((hand, card(if hand == winner { "AS" } else { other })));
            hand = state.table.after(hand);
        }
        dictate(game, state, &plays);
    }
}

/// Every trump suit, no trump last, with how it is bid for and what is named, in the direction meant.
pub fn declarations(downtown: bool) -> Vec<(Option<Suit>, &'static str, &'static str)> {
    let direction = if downtown { "downtown" } else { "uptown" };
    let suits = Suit::ALL.map(|suit| (Some(suit), direction, Suit::name(Some(suit))));
    suits.into_iter().chain([(None, "no-trump", direction)]).collect()
}

/// The position of the winning card by the words of WH20 to WH27.
pub fn by_the_book(plays: &[Card], trump: Option<Suit>, downtown: bool) -> usize {
    let order = if downtown { "A23456789TJQK" } else { "AKQJT98765432" };
    let worst_to_best = |at: usize| {
        let text = plays[at].to_string();
        std::cmp::Reverse(order.find(&text[..1]))
    };
    let find = |text: &str| plays.iter().position(|play| play.to_string() == text);
    let best_of = |suit: Option<Suit>| {
        (0..plays.len()).filter(|&at| suit.is_some() && plays[at].suit() == suit).max_by_key(|&at| worst_to_best(at))
    };
    let joker = trump.and_then(|_| find("BJ").or(find("LJ")));
    let led = plays.iter().find_map(|play| play.suit());
    joker.or(best_of(trump)).or(best_of(led)).expect("a natural card was played")
}
