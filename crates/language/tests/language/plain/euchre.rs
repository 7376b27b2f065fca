//! Four-handed Euchre without going alone, from the rule text at pagat.com/euchre/euchre.html.

use overtrick_cards::SeedSource;
use overtrick_cards::table::{Place, Seat};
use overtrick_game::{Game, Setup};

use super::hands::PlainTrick;
use super::{PlainCard, PlainDeal, below, cards, make_a_move, make_the_move, plain_deal};
use crate::same_game::shipped;

const RANKS: &str = "9TJQKA";

/// Returns the suit of the same colour.
fn other_of_colour(suit: char) -> char {
    match suit {
        'C' => 'S',
        'S' => 'C',
        'D' => 'H',
        _ => 'D',
    }
}

/// Returns the suit that a card belongs to.
fn suit(card: PlainCard, trump: char) -> char {
    if card == ('J', other_of_colour(trump)) { trump } else { card.1 }
}

/// Returns the height of a card in its suit: the two bowers are above the ace.
fn height(card: PlainCard, trump: char) -> usize {
    match card {
        ('J', of) if of == trump => 101,
        ('J', of) if of == other_of_colour(trump) => 100,
        _ => RANKS.find(card.0).unwrap(),
    }
}

/// Returns the cards that the player whose turn it is may play.
fn playable(deal: &PlainDeal, trump: char) -> Vec<PlainCard> {
    let own = deal.own().to_vec();
    let Some(led) = deal.trick.first() else { return own };
    let same: Vec<PlainCard> = own.iter().copied().filter(|card| suit(*card, trump) == suit(*led, trump)).collect();
    if same.is_empty() { own } else { same }
}

/// Plays a card.
fn play(deal: &mut PlainDeal, card: PlainCard, trump: char) {
    if deal.trick.is_empty() {
        deal.leader = deal.turn;
    }
    deal.hands[deal.turn].retain(|own| *own != card);
    deal.trick.push(card);
    deal.turn = (deal.turn + 1) % 4;
    if deal.trick.len() < 4 {
        return;
    }
    let led = suit(deal.trick[0], trump);
    let worth = |card: PlainCard| match suit(card, trump) {
        of if of == trump => 1000 + height(card, trump),
        of if of == led => 1 + height(card, trump),
        _ => 0,
    };
    let best = (0..4).max_by_key(|place| worth(deal.trick[*place])).unwrap();
    let winner = (deal.leader + best) % 4;
    let cards = std::mem::take(&mut deal.trick);
    deal.tricks.push(PlainTrick { winner, cards });
    deal.turn = winner;
}

/// Returns the calls of a player after `passes` passes. The last of all eight may not pass.
fn calls(passes: usize, turned: PlainCard) -> Vec<String> {
    let mut calls = Vec::new();
    if passes < 7 {
        calls.push("pass".to_owned());
    }
    match passes {
        0..4 => calls.push("order-up".to_owned()),
        _ => calls.extend("CDHS".chars().filter(|suit| *suit != turned.1).map(|suit| format!("name {suit}"))),
    }
    calls
}

/// Returns the scores of a finished deal, which `maker` made.
fn scores(deal: &PlainDeal, maker: usize) -> [i32; 4] {
    let won = deal.tricks_of(maker) + deal.tricks_of((maker + 2) % 4);
    let (makers, defenders) = match won {
        5 => (2, 0),
        3 | 4 => (1, 0),
        _ => (0, 2),
    };
    [0, 1, 2, 3].map(|player| if player % 2 == maker % 2 { makers } else { defenders })
}

fn assert_agree(deals: u64) {
    let game = shipped("euchre-4");
    let seeds = ["cards", "moves"].map(|purpose| SeedSource::new(47, purpose, "euchre-4"));
    for number in 0..deals {
        let mut state = game.deal(Setup::single(&game, number, false), &mut seeds[0].stream(number, 0));
        let mut deal = plain_deal(&state);
        let turned = deal.turned.expect("a card is turned up");
        let mut rng = seeds[1].stream(number, 0);
        deal.turn = (deal.dealer + 1) % 4;
        // Random players call soon, so a random number of them pass first, and all rounds are reached.
        let quiet = below(8, &mut rng);
        let mut passed = 0;
        let call = loop {
            let mut wanted = calls(passed, turned);
            let call = match passed < quiet {
                true => make_the_move(&game, &mut state, &mut wanted, &deal, "pass"),
                false => make_a_move(&game, &mut state, &mut wanted, &deal, &mut rng),
            };
            if call != "pass" {
                break call;
            }
            (passed, deal.turn) = (passed + 1, (deal.turn + 1) % 4);
        };
        let maker = deal.turn;
        let trump = if call == "order-up" { turned.1 } else { call.chars().last().unwrap() };
        if call == "order-up" {
            deal.turn = deal.dealer;
            deal.hands[deal.dealer].push(turned);
            let mut wanted: Vec<String> =
                deal.own().iter().map(|card| format!("discard {}{}", card.0, card.1)).collect();
            let made = make_a_move(&game, &mut state, &mut wanted, &deal, &mut rng);
            let discarded = cards(&made["discard ".len()..])[0];
            deal.hands[deal.dealer].retain(|own| *own != discarded);
        }
        deal.turn = (deal.dealer + 1) % 4;
        while !deal.is_over() {
            let mut wanted: Vec<String> =
                playable(&deal, trump).iter().map(|card| format!("{}{}", card.0, card.1)).collect();
            let made = make_a_move(&game, &mut state, &mut wanted, &deal, &mut rng);
            play(&mut deal, cards(&made)[0], trump);
        }
        assert!(game.is_over(&state), "deal {number}");
        let won = [0, 1, 2, 3].map(|seat| usize::from(state.table.tricks_won(Place::hand(Seat::new(seat)))));
        assert_eq!(won, [0, 1, 2, 3].map(|player| deal.tricks_of(player)), "deal {number}, {deal:?}");
        assert_eq!(game.scores(&state).into_array(), scores(&deal, maker), "deal {number}, {deal:?}");
    }
}

#[test]
fn euchre_for_four_from_its_file_is_euchre_as_written_a_second_time() {
    assert_agree(300);
}

#[test]
#[ignore = "long: 10,000 deals"]
fn euchre_for_four_agrees_in_ten_thousand_deals() {
    assert_agree(10_000);
}
