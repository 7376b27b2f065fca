//! Tests of the play of three-handed Euchre, rule by rule (docs/rules/euchre.md).
//!
//! Each test is named after the rule that it shows.

use overtrick_cards::table::{Place, Seat};
use overtrick_cards::{Card, Deck, Suit};
use overtrick_game::{Game, State};
use overtrick_games::euchre::{Euchre, Making, Phase, STOCK};

use crate::fixtures::rules::{
    arrange, card, cards, deal, dictate, game, owner, play, play_out, refused, refused_move, rng, say,
};

const P0: Place = Place::Hand0;
const P1: Place = Place::Hand1;
const P2: Place = Place::Hand2;
const HANDS: [Place; 3] = [P0, P1, P2];

fn euchre() -> Euchre {
    game("")
}

/// Makes a deal of this dealer with this up-card, in which the hands from seat 0 on hold exactly these cards.
fn hands(game: &Euchre, dealer: Seat, up_card: &str, texts: [&str; 3]) -> State<Making> {
    let turned = |state: &State<Making>| state.public.up_card() == card(up_card);
    let mut state = (0..).map(|number| deal(game, dealer, number)).find(turned).expect("deals without end");
    arrange(&mut state, STOCK, &[(P0, texts[0]), (P1, texts[1]), (P2, texts[2])]);
    state
}

/// Makes such a deal of seat 2, so that seat 0 leads. The seven of clubs is turned down and hearts are named.
fn hearts(game: &Euchre, texts: [&str; 3]) -> State<Making> {
    let mut state = hands(game, Seat::Seat2, "7C", texts);
    say(game, &mut state, "pass, pass, pass, name H");
    state
}

/// The trumps of each suit from the best down, by the words of EU17.
const TRUMPS: [(Suit, &str); 4] = [
    (Suit::Clubs, "JC JS AC KC QC TC 9C 8C 7C"),
    (Suit::Diamonds, "JD JH AD KD QD TD 9D 8D 7D"),
    (Suit::Hearts, "JH JD AH KH QH TH 9H 8H 7H"),
    (Suit::Spades, "JS JC AS KS QS TS 9S 8S 7S"),
];

/// Returns the position of the winning card by the words of EU17 to EU22.
///
/// That is the best trump, otherwise the highest card of the suit led.
fn by_the_book(plays: &[Card], trumps: &str) -> usize {
    let text = |at: usize| plays[at].to_string();
    let best_trump = (0..plays.len()).filter(|&at| trumps.contains(&text(at))).min_by_key(|&at| trumps.find(&text(at)));
    let follows = (0..plays.len()).filter(|&at| plays[at].suit() == plays[0].suit());
    best_trump.unwrap_or_else(|| follows.min_by_key(|&at| "AKQJT987".find(&text(at)[..1])).unwrap())
}

#[test]
fn eu17_eu18_eu22_every_trick_falls_to_the_best_trump_or_the_highest_of_the_suit_led() {
    let game: Euchre = game("turned-down-allowed = true");
    let all: Vec<Card> = Deck::Short32.cards().iter().collect();
    for (trump, trumps) in TRUMPS {
        let mut empty = deal(&game, Seat::Seat2, 0);
        say(&game, &mut empty, &format!("pass, pass, pass, name {}", trump.letter()));
        arrange(&mut empty, STOCK, &HANDS.map(|hand| (hand, "")));
        for &first in &all {
            for &second in all.iter().filter(|&&second| second != first) {
                for &third in all.iter().filter(|&&third| third != first && third != second) {
                    let plays = [(P0, first), (P1, second), (P2, third)];
                    let mut state = empty;
                    dictate(&game, &mut state, &plays);
                    let wins = by_the_book(&[first, second, third], trumps);
                    assert_eq!(state.table.hand_to_move(), HANDS[wins], "{plays:?} with {trump:?}");
                }
            }
        }
    }
}

#[test]
fn eu19_the_left_bower_follows_to_trumps_and_not_to_its_printed_suit() {
    let game = euchre();
    // Diamonds are led: the ace must follow, and the left bower must not.
    let mut with_bower = hearts(&game, ["KD", "JD AD 7S", "8D"]);
    play(&game, &mut with_bower, "KD");
    assert_eq!(refused(&game, &mut with_bower, "JD").rule, "EU21");
    assert_eq!(game.legal(&with_bower).card_set(), cards("AD"));
    // Without another diamond the hand is free.
    let mut bower_alone = hearts(&game, ["KD", "JD 7S", "8D"]);
    play(&game, &mut bower_alone, "KD");
    assert_eq!(game.legal(&bower_alone).card_set(), cards("JD 7S"));
    play(&game, &mut bower_alone, "JD 8D");
    assert_eq!(bower_alone.table.hand_to_move(), P1);
    // Trumps are led: the bower must follow.
    let mut trumps_led = hearts(&game, ["9H", "JD AD 7S", "8D"]);
    play(&game, &mut trumps_led, "9H");
    assert_eq!(refused(&game, &mut trumps_led, "AD").rule, "EU21");
    assert_eq!(game.legal(&trumps_led).card_set(), cards("JD"));
    // The bower is led: trumps must follow, and diamonds must not.
    let mut bower_led = hearts(&game, ["JD", "7H AD", "AH KD"]);
    play(&game, &mut bower_led, "JD");
    assert_eq!(game.legal(&bower_led).card_set(), cards("7H"));
    play(&game, &mut bower_led, "7H AH");
    assert_eq!(bower_led.table.hand_to_move(), P0);
}

#[test]
fn eu20_dealers_left_leads_whoever_made_trumps() {
    let game = euchre();
    for (dealer, passes) in Seat::THREE.into_iter().flat_map(|dealer| (0..6).map(move |passes| (dealer, passes))) {
        let mut state = deal(&game, dealer, 9);
        (0..passes).for_each(|_| say(&game, &mut state, "pass"));
        while state.public.phase() != Phase::Play {
            let last = game.legal(&state).iter().last().unwrap();
            game.play(&mut state, last).unwrap();
        }
        assert_eq!(state.public.maker(), Some(dealer.left(passes % 3 + 1, 3)));
        let forehand = dealer.left(1, 3);
        assert_eq!(state.table.hand_to_move(), Place::hand(forehand));
        let of_next = state.table.at(Place::hand(dealer.left(2, 3))).first().unwrap().to_string();
        assert_eq!(refused(&game, &mut state, &of_next).rule, "EU20");
        for text in ["pass", "order-up", "name H"] {
            assert_eq!(refused_move(&game, &state, text), "EU20");
        }
        play_out(&game, &mut state, &mut rng("eu20", passes as u64), |_| {});
        let tricks = state.table.tricks();
        assert_eq!(tricks.len(), 5);
        let mut leader = Place::hand(forehand);
        for trick in tricks {
            let order = trick.plays.iter().map(|play| owner(play.hand));
            assert!(order.eq([0, 1, 2].map(|steps| owner(leader).left(steps, 3))));
            leader = trick.winner.unwrap();
        }
        assert_eq!(refused(&game, &mut state, "AH").rule, "EU20");
    }
}

#[test]
fn eu21_follow_suit_or_play_anything() {
    let game = euchre();
    let mut state = hearts(&game, ["KS 9D", "AS 7S 9H", "TD 8H QD"]);
    play(&game, &mut state, "KS");
    assert_eq!(refused(&game, &mut state, "9H").rule, "EU21");
    assert_eq!(game.legal(&state).card_set(), cards("AS 7S"));
    // A low card is legal, and trumping is not a duty.
    play(&game, &mut state, "7S");
    assert_eq!(game.legal(&state).card_set(), cards("TD 8H QD"));
    play(&game, &mut state, "QD");
    assert_eq!(state.table.hand_to_move(), P0);
}

#[test]
fn eu29_a_revoke_is_never_taken() {
    let (game, mut refusals) = (euchre(), 0);
    for number in 0..40 {
        let mut state = deal(&game, Seat::Seat0, number);
        play_out(&game, &mut state, &mut rng("eu29", number), |state| {
            if state.public.phase() == Phase::Play {
                let hand = state.table.at(state.table.hand_to_move());
                for revoke in (hand - game.legal(state).card_set()).iter() {
                    assert_eq!(refused(&game, &mut state.clone(), &revoke.to_string()).rule, "EU21");
                    refusals += 1;
                }
            }
        });
    }
    assert!(refusals > 100, "{refusals}");
}
