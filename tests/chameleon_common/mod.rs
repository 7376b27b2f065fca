//! What the tests of Chameleon share: moves as texts, hands laid out card by card, tricks won as wanted, and who sees what.
#![allow(dead_code)]

use overtrick::cards::{Card, CardSet, Suit};
use overtrick::game::{Game, IllegalMove, Setup, Standing, State, View};
use overtrick::games::chameleon::{Bidding, Chameleon, DUMMY, TALON_NEXT, TALON_TOP};
use overtrick::table::{Place, Seat};

use crate::rules_common::{cards, dictate, luck};

pub type Deal = State<Bidding>;

/// The game with these rules, TOML over the defaults.
pub fn chameleon(rules: &str) -> Chameleon {
    Chameleon::new(toml::from_str(rules).unwrap()).unwrap()
}

/// Deal `number` of the test's own; seat `dealer` deals.
pub fn deal(game: &Chameleon, dealer: usize, number: u64) -> Deal {
    game.deal(Setup { dealer: Seat::new(dealer), last_deal: false }, &mut luck("chameleon", number))
}

/// The same as the last deal of a match.
pub fn last_deal(game: &Chameleon, dealer: usize, number: u64) -> Deal {
    game.deal(Setup { dealer: Seat::new(dealer), last_deal: true }, &mut luck("chameleon", number))
}

/// The cards of a short text: a word for each suit, its letter and then its ranks, such as "SAKQ HJ7".
pub fn held(text: &str) -> CardSet {
    let card = |suit: char| move |rank: char| format!("{rank}{suit}").parse::<Card>().unwrap();
    text.split(' ').flat_map(|word| word[1..].chars().map(card(word.chars().next().unwrap()))).collect()
}

/// Lays the cards of a deal out anew: the three hands as [`held`] reads them, then the two cards of the talon.
pub fn lay_out(state: &mut Deal, hands: [&str; 3], talon: [&str; 2]) {
    let table = &mut state.table;
    for place in Place::ALL {
        table.shift(table.at(place), place, Place::Aside7);
    }
    let hands = [Place::Hand0, Place::Hand1, Place::Hand2].into_iter().zip(hands.map(held));
    for (place, cards) in hands.chain([TALON_TOP, TALON_NEXT].into_iter().zip(talon.map(cards))) {
        table.shift(cards, Place::Aside7, place);
    }
    assert!(table.at(Place::Aside7).is_empty() && table.at(Place::Hand0).len() == 10, "not a whole deal");
}

/// Makes these moves, texts with commas between them, by whoever's turn it is.
pub fn say(game: &Chameleon, state: &mut Deal, texts: &str) {
    for text in texts.split(", ").filter(|text| !text.is_empty()) {
        let chosen = game.read_move(state, text).unwrap_or_else(|| panic!("{text} is no move"));
        game.try_move(state, chosen).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

/// Tries a move that must be refused, and sees that nothing changed and that the message names the move and the rule.
pub fn refuse(game: &Chameleon, state: &Deal, text: &str) -> IllegalMove {
    let mut after = *state;
    let chosen = game.read_move(state, text).unwrap_or_else(|| panic!("{text} is no move"));
    let error = game.try_move(&mut after, chosen).expect_err(text);
    assert!(after == *state, "the refused {text} left a trace");
    assert!(error.why.contains(text) && error.to_string().contains(error.rule), "{text}: {error}");
    error
}

/// The legal moves as texts, in their order.
pub fn open(game: &Chameleon, state: &Deal) -> Vec<String> {
    game.legal(state).iter().map(|legal| game.move_text(state, legal).unwrap()).collect()
}

/// Makes the first legal move so many times.
pub fn any(game: &Chameleon, state: &mut Deal, times: usize) {
    for _ in 0..times {
        let first = game.legal(state).iter().next().expect("a legal move");
        game.try_move(state, first).unwrap();
    }
}

/// A deal in which `bid` buys the talon for the first of the moves, two cards are discarded and `contract` announced.
pub fn contracted(game: &Chameleon, state: &mut Deal, bidding: &str, contract: &str) {
    say(game, state, bidding);
    any(game, state, 2);
    say(game, state, &format!("contract {contract}"));
}

/// How many cards of a place each seat sees.
pub fn sights(game: &Chameleon, state: &Deal, place: Place) -> Vec<u32> {
    let standing = Standing::default();
    Seat::all(game.layout().seats).map(|seat| View::new(game, state, &standing, seat).cards(place).len()).collect()
}

/// Lets the hands win the tricks that are left, one after the other, whatever was dealt: scores depend on nothing else.
pub fn win(game: &Chameleon, state: &mut Deal, winners: &[Place]) {
    for place in [Place::Hand0, Place::Hand1, Place::Hand2] {
        state.table.shift(state.table.at(place), place, TALON_TOP);
    }
    let suit = state.public.trump().unwrap_or(Suit::Spades).letter();
    for &winner in winners {
        let mut losers = ["7", "8"].into_iter();
        let mut hand = state.table.hand_to_move();
        let plays: Vec<(Place, Card)> = (0..state.table.hands_in_trick())
            .map(|_| {
                let own = hand;
                hand = state.table.after(hand);
                let rank = if own == winner { "A" } else { losers.next().unwrap() };
                (own, format!("{rank}{suit}").parse().unwrap())
            })
            .collect();
        dictate(game, state, &plays);
        assert_eq!(state.table.hand_to_move(), winner);
    }
    assert!(game.is_over(state));
}

/// So many tricks for each of these hands, in this order.
pub fn tricks(counts: &[(Place, usize)]) -> Vec<Place> {
    counts.iter().flat_map(|&(hand, count)| std::iter::repeat_n(hand, count)).collect()
}

/// Every way in which `sum` tricks can fall to three hands.
pub fn splits(sum: usize) -> impl Iterator<Item = [usize; 3]> {
    (0..=sum).flat_map(move |a| (0..=sum - a).map(move |b| [a, b, sum - a - b]))
}

/// The 27 contracts as texts.
pub fn contracts() -> Vec<String> {
    let tricks = (6..=10).flat_map(|level| ["C", "D", "H", "S", "NT"].map(|trump| format!("{level} {trump}")));
    tricks.chain(["misere", "misere-ouverte"].map(str::to_owned)).collect()
}

/// What a bid or a contract is for: its number, or which misère.
pub fn number(bid: &str) -> &str {
    bid.split(' ').next().unwrap()
}

/// Bids from the lowest up, equals side by side, by the words of CH8 and of the three readings of CH9.
pub fn ladder(mo_vs_slam: &str) -> Vec<&'static [&'static str]> {
    let top: &[&[&str]] = match mo_vs_slam {
        "mo-higher" => &[&["10"], &["misere-ouverte"]],
        "equal" => &[&["10", "misere-ouverte"]],
        _ => &[&["misere-ouverte"], &["10"]],
    };
    let low: [&[&str]; 5] = [&["6"], &["7"], &["misere"], &["8"], &["9"]];
    [&low, top].concat()
}

/// How high a bid or a contract stands there.
pub fn step(ladder: &[&[&str]], bid: &str) -> usize {
    ladder.iter().position(|equals| equals.contains(&number(bid))).unwrap()
}

/// The contracts open to a declarer who has bid this, by the words of CH14 to CH17.
pub fn raises(ladder: &[&[&str]], bid: &str) -> Vec<String> {
    let mut open = contracts();
    open.retain(|contract| {
        let no_trump = contract.ends_with("NT") && number(contract) == number(bid);
        contract == bid || no_trump || step(ladder, contract) > step(ladder, bid)
    });
    open.into_iter().map(|contract| format!("contract {contract}")).collect()
}

/// What a declarer and his opponent score for every result, against the words of CH23 to CH27 and DC10.
pub fn check_scores(game: &Chameleon, declarer: usize, start: &Deal, contract: &str) {
    for [own, others, dummys] in splits(10) {
        let mut state = *start;
        win(
            game,
            &mut state,
            &tricks(&[(Place::ALL[declarer], own), (Place::ALL[1 - declarer], others), (DUMMY, dummys)]),
        );
        let level = number(contract).parse::<i32>().ok();
        let made = level.map_or(own == 0, |level| own as i32 >= level);
        let stake = match (level, contract) {
            (Some(level), _) => level * level,
            (_, "misere") => 50,
            _ => 100,
        };
        let mut wanted = [0; 3];
        wanted[declarer] = if made { stake } else { -stake };
        wanted[1 - declarer] = level.map_or(0, |level| (10 - level) * others as i32);
        assert_eq!(game.scores(&state).0, wanted, "{contract}: {own} {others} {dummys}");
        let undertaking = game.undertaking(&state).unwrap();
        assert_eq!((undertaking.declarer, undertaking.made), (Some(Seat::new(declarer)), made));
        let kind = &game.contract_kinds()[usize::from(undertaking.kind)].name;
        assert_eq!(kind.ends_with(" (in dummy)"), state.public.in_dummy(), "{kind}");
        assert_eq!(number(kind), number(contract));
    }
}
