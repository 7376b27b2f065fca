//! Cards that may not be played yet: refusals, and the exact knowledge that plays give.

use std::collections::HashSet;

use overtrick_cards::table::{Place, Seat, Table};
use overtrick_cards::{Card, CardSet, SeedSource, Stream};
use overtrick_game::{Game, Infer, Move, Setup, Standing, State, View, World};
use overtrick_language::{DeclaredGame, DeclaredPublic};
use overtrick_search::worlds::Worlds;

use crate::same_game::{choose, shipped};
use crate::wrong_games::{make, refused};

/// A game like Hearts with twelve cards, so that all worlds can be listed.
const SMALL: &str = "[deck]\nranks = \"QKA\"\n[seats]\nplayers = 4\n[deal]\nhand = 3\n\
    [play]\nleads = \"holder\"\nfirst-card = \"QC\"\n\
    [[play.bar]]\ncards = \"*H QS\"\nwhen = \"first-trick\"\n\
    [[play.bar]]\ncards = \"*H\"\nwhen = \"lead\"\nuntil-played = \"*H\"\n\
    [[play.bar]]\ncards = \"A*\"\nwhen = \"any\"\nuntil-played = \"K*\"\n";

/// The same with a leader by place, who must lead the first card only if they hold it.
fn by_place() -> DeclaredGame {
    make(&SMALL.replace("leads = \"holder\"\n", "")).unwrap()
}

fn stream(purpose: &str, number: u64) -> Stream {
    SeedSource::new(47, purpose, "").stream(number, 0)
}

fn deal(game: &DeclaredGame, number: u64) -> State<DeclaredPublic> {
    game.deal(Setup::single(game, number, false), &mut stream("bars", number))
}

fn card(text: &str) -> Card {
    text.parse().unwrap()
}

#[test]
fn wrong_bars_are_refused() {
    let play = |keys: &str| format!("[seats]\nplayers = 4\n[play]\n{keys}");
    refused(&play("leads = \"holder\""), "t.toml:7: `play.leads`: is the holder of `first-card`, and there is none");
    refused(&play("first-card = \"*C\""), "t.toml:7: `play.first-card`: `*C` names several cards");
    refused(&play("first-card = \"BJ\""), "t.toml:7: `play.first-card`: names BJ, which the deck does not have");
    refused(&play("first-card = \"2C 3C\""), "t.toml:7: `play.first-card`: names 2 cards, and must name one");
    refused(&play("first-card = \"\""), "t.toml:7: `play.first-card`: names 0 cards, and must name one");
    refused(&play("[[play.bar]]\nwhen = \"lead\""), "t.toml:7: `play.bar #1`: needs `cards`: the cards that may not");
    refused(&play("[[play.bar]]\ncards = \"*X\""), "t.toml:8: `play.bar #1.cards`: `*X` names no cards");
    refused(
        &play("[[play.bar]]\ncards = \"*H\"\nwhen = \"led\""),
        "t.toml:9: `play.bar #1.when`: unknown choice `led`",
    );
    refused(
        "[play]\nleads = \"holder\"\nfirst-card = \"2C\"",
        "t.toml:5: `play.leads`: is the holder of 2C, which may lie in no hand; deal all cards or name a player",
    );
    refused(
        "[seats]\nplayers = 3\ndummies = [{ face = \"after-lead\" }]\n[play]\nleads = \"holder\"\nfirst-card = \"2C\"",
        "t.toml:8: `play.leads`: is the holder of 2C, which may lie in a dummy that no one sees yet; set its `face`",
    );
    refused(&play(&"[[play.bar]]\ncards = \"*H\"\n".repeat(9)), "t.toml:7: `play.bar`: are 9, and 8 fit");
}

#[test]
fn a_refusal_names_the_bar() {
    let game = shipped("hearts");
    let hands = ["2C AS QS KH 7C", "3C AD 4D AH 2D", "KS QD JD TH 2S", "4C 5D 6D 9H 3D"];
    let mut places = [CardSet::EMPTY; Place::COUNT];
    for (place, hand) in places.iter_mut().zip(hands) {
        *place = hand.split(' ').map(card).collect();
    }
    let mut table = Table::laid(4, Seat::Seat3, &places);
    table.give_turn(Place::Hand0);
    // No cards are passed in deal 12.
    let mut state = State { table, public: deal(&game, 12).public };
    let mut refusal = |text: &str, plays: &[&str]| {
        let error = game.play(&mut state, Move::card(card(text))).unwrap_err();
        for made in plays {
            game.play(&mut state, Move::card(card(made))).unwrap();
        }
        format!("{}: {}", error.rule, error.why)
    };
    assert_eq!(refusal("AS", &["2C", "3C"]), "play.first-card: AS may not be led before 2C");
    assert_eq!(refusal("TH", &["JD"]), "play.bar 1: TH may not be played to the first trick");
    assert_eq!(refusal("5D", &["4C"]), "play.must: 5D does not follow suit to 2C, and the hand can");
    assert_eq!(refusal("9H", &["6D", "QS"]), "play.bar 2: 9H may not be led before one of *H is played");
    assert_eq!(refusal("AH", &["4D", "QD"]), "play.must: AH does not follow suit to 6D, and the hand can");
    assert_eq!(refusal("TH", &["KS", "9H", "AS", "AD"]), "play.bar 2: TH may not be led before one of *H is played");
    // Hearts are broken.
    assert_eq!(game.legal(&state).card_set().to_string(), "KH 7C");
}

/// A hand with nothing else may play barred cards.
#[test]
fn a_bar_needs_another_legal_card() {
    let game = shipped("hearts");
    let mut places = [CardSet::EMPTY; Place::COUNT];
    for (place, hand) in places.iter_mut().zip(["KH AH", "2H 3D", "4H 5H", "6H 7D"]) {
        *place = hand.split(' ').map(card).collect();
    }
    let mut table = Table::laid(4, Seat::Seat3, &places);
    table.give_turn(Place::Hand0);
    let state = State { table, public: deal(&game, 12).public };
    assert_eq!(game.legal(&state).card_set().to_string(), "AH KH");
}

/// Plays deals at random, and shows each state before a move.
fn random_play(game: &DeclaredGame, deals: u64, mut at: impl FnMut(&State<DeclaredPublic>, &State<DeclaredPublic>)) {
    for number in 0..deals {
        let dealt = deal(game, number);
        let (mut state, mut rng) = (dealt, stream("moves", number));
        while !game.is_over(&state) {
            at(&dealt, &state);
            let made = choose(game, &state, &mut rng);
            game.play(&mut state, made).unwrap();
        }
    }
}

#[test]
fn deals_go_back_to_their_openings_and_views_show_no_hidden_card() {
    let standing = Standing::default();
    for game in [shipped("whist"), shipped("hearts"), shipped("sueca"), make(SMALL).unwrap(), by_place()] {
        let (mut moved, mut rng) = (0, stream("hidden", 0));
        random_play(&game, 20, |dealt, state| {
            let mut past = game.opening(state, &mut rng).unwrap();
            assert_eq!(past, *dealt);
            for &(_, made) in state.table.calls() {
                game.play(&mut past, made).unwrap();
            }
            for &made in state.table.plays() {
                game.play(&mut past, Move::card(made)).unwrap();
            }
            assert_eq!(past, *state);
            for seat in Seat::ALL {
                let other = state.redealt(seat, &mut rng);
                moved += usize::from(other != *state);
                let facts = |state| View::new(&game, state, &standing, seat).facts();
                assert_eq!(facts(state), facts(&other));
                if state.table.seat_to_move() == seat {
                    assert_eq!(game.legal(state), game.legal(&other));
                }
                // The cards that may lie at a place depend on the view alone.
                let may = |state| {
                    let view = View::new(&game, state, &standing, seat);
                    Place::ALL.map(|place| game.may_lie(&view, place))
                };
                assert_eq!(may(state), may(&other));
            }
        });
        assert!(moved > 500, "{moved}");
    }
}

/// Deals the cards that `seat` cannot see in all ways, and keeps those in which every play so far was legal.
fn worlds_by_replay(game: &DeclaredGame, state: &State<DeclaredPublic>, seat: Seat) -> HashSet<World> {
    let played = state.table.hands_before_play();
    let others: Vec<Place> = [Place::Hand0, Place::Hand1, Place::Hand2, Place::Hand3]
        .into_iter()
        .filter(|hand| *hand != Place::hand(seat))
        .collect();
    let hidden: Vec<Card> = others.iter().flat_map(|hand| state.table.at(*hand).iter()).collect();
    let sizes: Vec<u32> = others.iter().map(|hand| state.table.at(*hand).len()).collect();
    let mut found = HashSet::new();
    let mut ways = vec![[CardSet::EMPTY; 3]];
    for card in &hidden {
        ways = ways
            .into_iter()
            .flat_map(|way| (0..3).map(move |place| (way, place)))
            .filter(|(way, place)| way[*place].len() < sizes[*place])
            .map(|(mut way, place)| {
                way[place] |= CardSet::of(*card);
                way
            })
            .collect();
    }
    for way in ways {
        let (mut before, mut now) = (played, Place::ALL.map(|place| state.table.at(place)));
        for ((hand, cards), number) in others.iter().zip(way).zip(0..3) {
            assert_eq!(cards.len(), sizes[number]);
            before[hand.index()] = (played[hand.index()] - state.table.at(*hand)) | cards;
            now[hand.index()] = cards;
        }
        let mut table = Table::laid(4, state.table.dealer(), &before);
        // Without a play, the turn alone shows who holds the first card.
        let first = game.opening(state, &mut stream("luck", 0)).unwrap().table.hand_to_move();
        table.give_turn(first);
        let opened = State { table, public: deal(game, 0).public };
        let true_leader = game.opening(&opened, &mut stream("luck", 0)).unwrap().table.hand_to_move();
        let mut past = opened;
        let replays = state.table.plays().iter().all(|&made| game.play(&mut past, Move::card(made)).is_ok());
        if replays && true_leader == first {
            found.insert(World::new(now));
        }
    }
    found
}

#[test]
fn worlds_are_all_deals_in_which_each_play_was_legal_and_equally_likely() {
    let standing = Standing::default();
    for game in [make(SMALL).unwrap(), by_place()] {
        let (mut views, mut narrowed, mut square, mut freedom) = (0, 0, 0.0, 0.0);
        random_play(&game, 12, |_, state| {
            for seat in Seat::ALL {
                let wanted = worlds_by_replay(&game, state, seat);
                let view = View::new(&game, state, &standing, seat);
                let worlds = Worlds::new(&view);
                let listed: HashSet<World> = worlds.enumerate_up_to(100_000).unwrap().into_iter().collect();
                assert_eq!(u128::try_from(listed.len()).unwrap(), worlds.count());
                assert_eq!(listed, wanted, "{:?}, {:?}", seat, state.table);
                views += 1;
                // By voids alone there would be more.
                let out = view.shown_out();
                let barred = |hand: Place| {
                    let hidden = view.unseen() - out[hand.index()];
                    view.count(hand) > 0 && hand != Place::hand(seat) && !hidden.is_subset(game.may_lie(&view, hand))
                };
                narrowed +=
                    usize::from([Place::Hand0, Place::Hand1, Place::Hand2, Place::Hand3].into_iter().any(barred));
                if (4..=40).contains(&wanted.len()) {
                    let draws = 20 * wanted.len();
                    let mut counts = std::collections::HashMap::new();
                    let mut rng = stream("draws", views);
                    for _ in 0..draws {
                        *counts.entry(worlds.sample(&mut rng)).or_insert(0.0) += 1.0;
                    }
                    square += wanted
                        .iter()
                        .map(|world| (counts.get(world).unwrap_or(&0.0) - 20.0_f64).powi(2) / 20.0)
                        .sum::<f64>();
                    freedom += wanted.len() as f64 - 1.0;
                }
            }
        });
        assert!(views > 400 && narrowed > 50 && freedom > 500.0, "{views} {narrowed} {freedom}");
        // Four standard deviations of chi-square.
        assert!((square - freedom).abs() < 4.0 * (2.0_f64 * freedom).sqrt(), "{square} {freedom}");
    }
}

/// The leader of hearts before they are broken has nothing else.
#[test]
fn a_forbidden_play_shows_the_hand() {
    let game = shipped("hearts");
    let mut shown = 0;
    let standing = Standing::default();
    random_play(&game, 200, |_, state| {
        let table = &state.table;
        let hearts = |card: &Card| card.suit() == Some(overtrick_cards::Suit::Hearts);
        let first = table.plays().iter().position(hearts);
        if first.is_some_and(|first| first % 4 == 0 && first + 1 == table.plays().len()) {
            let leader = table.leader(table.tricks_played());
            let view = View::new(&game, state, &standing, table.seat_to_move());
            let may = game.may_lie(&view, leader) & view.unseen();
            assert!(may.is_subset(CardSet::suit(overtrick_cards::Suit::Hearts)), "{may}");
            shown += 1;
        }
    });
    assert!(shown > 0, "{shown}");
}

#[test]
fn penalties_end_a_match_at_their_total() {
    let ending = |keys: &str| {
        make(&format!("[seats]\nplayers = 4\n[score]\npenalty = true\n{keys}"))
            .map(|game| (game.ending(), game.score_range()))
    };
    let row = "[[score.row]]\npoints = \"tricks\"";
    let shared = overtrick_game::TieRule::HighestThenShared;
    let found = ending(&format!("{row}\n[match]\ntarget = 50\nties = \"shared\"")).unwrap();
    assert_eq!(found, (overtrick_game::Ending::Limits { low: -50, high: None, ties: shared }, -13..=0));
    let error = ending(&format!("{row}\n[match]\ntarget = 50\nties = \"play-on\"")).unwrap_err();
    assert!(error.contains("`match.ties`: is for a match that only a reached target ends"), "{error}");
    // The limits are those of the score.
    let found = ending(&format!("lowest = -5\n{row}\n[match]\nend = \"deals\"\ndeals = 3")).unwrap();
    assert_eq!(found, (overtrick_game::Ending::Deals(3), -5..=0));
}

#[test]
fn wrong_values_of_cards_are_refused() {
    let score = |keys: &str| format!("[seats]\nplayers = 4\n[score]\n{keys}\n[[score.row]]\npoints = 1");
    refused(&score("values = { \"AX\" = 1 }"), "t.toml:7: `score.values.AX`: `AX` names no cards");
    refused(
        &score("values = { \"A*\" = 1, \"AS\" = 2 }"),
        "t.toml:7: `score.values.AS`: names AS, which another pattern",
    );
    refused(&score("values = { \"A*\" = 101 }"), "t.toml:7: `score.values.A*`: is 101, and must be -100 to 100");
    refused(&score("counts = { Hearts = \"*H\" }"), "t.toml:7: `score.counts.Hearts`: is no name; use small letters");
    refused(&score("counts = { tricks = \"*H\" }"), "t.toml:7: `score.counts.tricks`: has a meaning already");
    refused(&score("counts = { hearts = \"*X\" }"), "t.toml:7: `score.counts.hearts`: `*X` names no cards");
    let nine: Vec<String> = (0..9).map(|number| format!("c{number} = \"*H\"")).collect();
    refused(&score(&format!("counts = {{ {} }}", nine.join(", "))), "t.toml:7: `score.counts`: has 9 names, and 8 fit");
    refused(
        "[seats]\nplayers = 3\n[deal]\nrow = 13\nhand = 13\n[score]\nvalues = { \"A*\" = 1 }\nrow = [{ points = \"points\" }]",
        "t.toml:10: `score.values`: are of cards won in tricks, and prizes lie in a row",
    );
}
