//! Messages to bots contain what a view contains and nothing else; each line of a bot is read or refused.

use std::sync::Arc;

use crate::fixtures::{battery, each_variant, stream};
use overtrick::game::{FullGame, Move, Setup, Standing, State, View};
use overtrick::games::Visitor;
use overtrick::protocol::{Asked, DealEnd, Decision, FaultKind, Hello, LARGEST_BATCH, Message, Reply, VariantSeen};
use overtrick::table::{Place, Seat};
use proptest::prelude::*;

/// Plays random deals, calling `at` before every move.
fn random_play<G: FullGame>(game: &G, name: &str, deals: u64, mut at: impl FnMut(&State<G::Public>)) {
    for number in 0..deals {
        let mut rng = stream(name, number);
        let setup = Setup::single(game, number, number % 2 == 1);
        let mut state = game.deal(setup, &mut rng);
        game.play_out(&mut state, |state| {
            at(state);
            let legal: Vec<Move> = game.legal(state).iter().collect();
            legal[rng.random_below(legal.len() as u64) as usize]
        });
    }
}

/// A decision as it goes out, with everything fixed that is not of the view.
fn written<G: FullGame>(game: &G, state: &State<G::Public>, seat: Seat) -> String {
    let view = View::new(game, state, &STANDING, seat);
    let mut out = Vec::new();
    Message::Decide(vec![Decision::of(&view, game.legal(state), 7, 3, 1)]).write(&mut out);
    String::from_utf8(out).unwrap()
}

static STANDING: std::sync::LazyLock<Standing> = std::sync::LazyLock::new(Standing::default);

battery!(a_decision_tells_nothing_hidden, game, name, {
    let mut rng = stream("protocol", 0);
    let mut moved = 0;
    random_play(game.as_ref(), name, 12, |state| {
        let seat = state.table.seat_to_move();
        let other = state.redealt(seat, &mut rng);
        moved += usize::from(other != *state);
        assert_eq!(written(game.as_ref(), state, seat), written(game.as_ref(), &other, seat), "{name}");
    });
    assert!(moved > 0, "{name}: nothing is ever hidden");
});

battery!(a_message_in_used_memory_is_as_a_fresh_one, game, name, {
    let (mut asked, mut out) = (Asked::default(), Vec::new());
    random_play(game.as_ref(), name, 4, |state| {
        let seat = state.table.seat_to_move();
        let view = View::new(game.as_ref(), state, &STANDING, seat);
        asked.begin(7);
        asked.add(&view, game.legal(state), 3, 1);
        out.clear();
        asked.write(&mut out);
        assert_eq!(String::from_utf8_lossy(&out), written(game.as_ref(), state, seat), "{name}");
        // The next message has fewer decisions than this one.
        asked.add(&view, game.legal(state), 4, 2);
        assert_eq!(asked.missing(), 2);
    });
});

battery!(decisions_differ_where_views_do, game, name, {
    let mut seen = std::collections::HashMap::new();
    random_play(game.as_ref(), name, 12, |state| {
        let seat = state.table.seat_to_move();
        let facts = View::new(game.as_ref(), state, &STANDING, seat).facts();
        let earlier = seen.entry(written(game.as_ref(), state, seat)).or_insert_with(|| facts.clone());
        assert_eq!(*earlier, facts, "{name}: two views in the same words");
    });
});

battery!(every_place_with_cards_has_a_name_of_its_own, game, name, {
    random_play(game.as_ref(), name, 12, |state| {
        let seat = state.table.seat_to_move();
        let view = View::new(game.as_ref(), state, &STANDING, seat);
        let decision = Decision::of(&view, game.legal(state), 0, 0, 0);
        let laid = Place::ALL.into_iter().filter(|&place| view.count(place) > 0).count();
        assert_eq!(decision.counts.len(), laid, "{name}: {:?}", decision.counts);
        for (place, _) in decision.counts.iter() {
            assert!(Place::ALL.iter().all(|unnamed| unnamed.name() != place), "{name}: {place} has no name");
        }
    });
});

battery!(messages_read_back, game, name, {
    let back = |message: &Message| {
        let mut out = Vec::new();
        message.write(&mut out);
        assert_eq!(out.iter().filter(|&&byte| byte == b'\n').count(), 1, "one line");
        let text = String::from_utf8(out).unwrap();
        assert_eq!(serde_json::from_str::<Message>(&text).unwrap(), *message, "{name}");
    };
    let variant = VariantSeen::of(game.as_ref(), name, name);
    assert!(variant.rules == toml::Table::try_from(game.rules()).unwrap());
    back(&Message::Variant(variant));
    back(&Message::Bye {});
    random_play(game.as_ref(), name, 4, |state| {
        let view = View::new(game.as_ref(), state, &STANDING, state.table.seat_to_move());
        back(&Message::Decide(vec![Decision::of(&view, game.legal(state), 1, 2, 3)]));
    });
});

// Two deals, of which one is the last of a match.
battery!(answers_are_matched_and_judged, game, name, {
    random_play(game.as_ref(), name, 2, |state| {
        let view = View::new(game.as_ref(), state, &STANDING, state.table.seat_to_move());
        let legal = game.legal(state);
        let ask = || Asked::new((40..42).map(|id| Decision::of(&view, legal, id, 0, 0)).collect());
        for (candidate, text) in Move::all().filter_map(|chosen| Some((chosen, view.move_text(chosen)?))) {
            let mut asked = ask();
            asked.take(format!("{{\"moves\":[[41,{text:?}]]}}").as_bytes()).unwrap();
            assert_eq!((asked.missing(), asked.chosen(0, &view, legal)), (1, None));
            let taken = legal.contains(candidate) || view.renege_moves().contains(candidate);
            match asked.chosen(1, &view, legal).unwrap() {
                Ok(chosen) => assert!(chosen == candidate && taken, "{name}: {text}"),
                Err(fault) => assert!(fault.kind == FaultKind::IllegalMove && !taken, "{name}: {fault}"),
            }
        }
    });
});

#[test]
fn the_end_of_a_deal_shows_all_hands_and_scores() {
    struct Ends;
    impl Visitor for Ends {
        type Output = ();
        fn visit<G: FullGame>(self, game: &Arc<G>) {
            let mut rng = stream("ends", 0);
            let dealt = game.deal(Setup::default(), &mut rng);
            let mut over = dealt;
            game.play_out(&mut over, |state| game.legal(state).iter().next().unwrap());
            let end = DealEnd::of(game.as_ref(), &dealt, &over, Seat::new(1), 9);
            assert_eq!(end.scores, game.scores(&over).of(game.layout().seats));
            for (name, place) in game.hand_names() {
                assert_eq!(end.hands[name], game.dealt_hand(&dealt, place).sorted());
            }
            assert_eq!(end.hands.len(), game.layout().hands.len());
        }
    }
    each_variant(|variant| variant.game.visit(Ends));
}

fn kind<T: std::fmt::Debug>(result: Result<T, overtrick::protocol::Fault>) -> FaultKind {
    result.unwrap_err().kind
}

#[test]
fn handshakes_that_cannot_be_taken_up_are_refused() {
    let hello = |rest: &str| Hello::read(format!("{{\"hello\":{{\"name\":\"x\",{rest}}}}}").as_bytes());
    let least = hello("\"protocol\":1,\"variants\":[\"all\"]").unwrap();
    assert!(least.batch.0 == 1 && least.deals);
    assert!(hello("\"protocol\":1,\"variants\":[\"all\"],\"batch\":64,\"deals\":false").is_ok());
    for rest in [
        "\"protocol\":2,\"variants\":[\"all\"]".to_owned(),
        "\"protocol\":1,\"variants\":[]".to_owned(),
        "\"protocol\":1".to_owned(),
        "\"protocol\":1,\"variants\":[\"all\"],\"batch\":0".to_owned(),
        format!("\"protocol\":1,\"variants\":[\"all\"],\"batch\":{}", LARGEST_BATCH + 1),
    ] {
        assert_eq!(kind(hello(&rest)), FaultKind::WrongHandshake, "{rest}");
    }
    assert_eq!(kind(Hello::read(b"ready")), FaultKind::WrongHandshake);
    assert_eq!(kind(Hello::read(b"{\"moves\":[]}")), FaultKind::WrongHandshake);
    assert_eq!(kind(Hello::read(b"\xff")), FaultKind::NotUtf8);
}

#[test]
fn a_bot_plays_the_variants_games_and_bases_that_it_names() {
    let variant = |name: &str| {
        struct Seen(String);
        impl Visitor for Seen {
            type Output = VariantSeen;
            fn visit<G: FullGame>(self, game: &Arc<G>) -> VariantSeen {
                VariantSeen::of(game.as_ref(), &self.0, "euchre-24")
            }
        }
        overtrick::games::Variant::preset("euchre-24").unwrap().game.visit(Seen(name.to_owned()))
    };
    let hello = |name: &str| {
        Hello::read(format!("{{\"hello\":{{\"name\":\"x\",\"protocol\":1,\"variants\":[{name:?}]}}}}").as_bytes())
            .unwrap()
    };
    for (named, plays) in [("mine", true), ("euchre-24", true), ("euchre", true), ("all", true), ("euchre-32", false)] {
        assert_eq!(hello(named).plays(&variant("mine")), plays, "{named}");
    }
}

/// Two decisions, 5 and 6, of which neither is looked at.
fn two() -> Asked {
    struct Two;
    impl Visitor for Two {
        type Output = Asked;
        fn visit<G: FullGame>(self, game: &Arc<G>) -> Asked {
            let state = game.deal(Setup::default(), &mut stream("two", 0));
            let view = View::new(game.as_ref(), &state, &STANDING, state.table.seat_to_move());
            Asked::new((5..7).map(|id| Decision::of(&view, game.legal(&state), id, 0, 0)).collect())
        }
    }
    overtrick::games::Variant::preset("dumbo").unwrap().game.visit(Two)
}

#[test]
fn answers_come_in_any_order_and_faulty_lines_count_for_nothing() {
    let mut asked = two();
    asked.take(b"{\"moves\":[]}").unwrap();
    asked.take(b"{\"moves\":[[6,\"AH\"]]}").unwrap();
    assert_eq!(asked.missing(), 1);
    for (line, expected) in [
        (&b"{\"moves\":[[5,\"AH\"],[6,\"AH\"]]}"[..], FaultKind::WrongId),
        (b"{\"moves\":[[5,\"AH\"],[5,\"AH\"]]}", FaultKind::WrongId),
        (b"{\"moves\":[[5,\"AH\"],[7,\"AH\"]]}", FaultKind::WrongId),
        (b"{\"moves\":[[4,\"AH\"]]}", FaultKind::WrongId),
        (b"{\"moves\":[[18446744073709551615,\"AH\"]]}", FaultKind::WrongId),
        (b"{\"moves\":[[-5,\"AH\"]]}", FaultKind::Garbage),
        (b"{\"moves\":[[5,\"AH\"]]} and more", FaultKind::Garbage),
        (b"{\"move\":[[5,\"AH\"]]}", FaultKind::Garbage),
        (b"{\"hello\":{\"name\":\"x\",\"protocol\":1,\"variants\":[\"all\"]}}", FaultKind::Garbage),
        (b"", FaultKind::Garbage),
        (b"{\"moves\":[[5,\"\xc3\x28\"]]}", FaultKind::NotUtf8),
    ] {
        assert_eq!(kind(asked.take(line)), expected, "{}", line.escape_ascii());
        assert_eq!(asked.missing(), 1, "{}", line.escape_ascii());
    }
    asked.take(b"{\"moves\":[[5,\"AH\"]]}\r").unwrap();
    assert_eq!(asked.missing(), 0);
}

proptest! {
    #[test]
    fn no_bytes_make_the_parser_panic(line in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Hello::read(&line);
        let _ = two().take(&line);
    }

    #[test]
    fn no_lines_that_look_right_make_the_parser_panic(
        line in r#"\{"(moves|hello)":[\[\]{}"0-9a-zA-Z,:. \\u-]{0,80}\}"#,
        ids in prop::collection::vec((4_u64..8, "\\PC{0,12}"), 0..4),
    ) {
        let _ = Hello::read(line.as_bytes());
        let _ = two().take(line.as_bytes());
        let count = ids.len();
        let moves = ids.into_iter().map(|(id, text)| (id, text.into())).collect();
        let mut asked = two();
        let accepted = asked.take(&serde_json::to_vec(&Reply::Moves(moves)).unwrap()).is_ok();
        prop_assert_eq!(asked.missing(), if accepted { 2 - count } else { 2 });
    }
}

/// The messages of the docs: one deal of each game, from its first variant, as the seat sees it that makes the fourth
/// move from the end of the second trick.
fn example() -> String {
    struct Example(String);
    impl Visitor for Example {
        type Output = String;
        fn visit<G: FullGame>(self, game: &Arc<G>) -> String {
            let mut rng = stream("docs", 1);
            let dealt = game.deal(Setup::default(), &mut rng);
            let (mut state, mut shown) = (dealt, None);
            game.play_out(&mut state, |state| {
                if state.table.tricks_played() == 1 && state.table.trick_length() == 1 {
                    shown = Some(*state);
                }
                let legal: Vec<Move> = game.legal(state).iter().collect();
                // Bids rather than passes, so that there is something to see.
                legal[legal.len() / 2]
            });
            let shown = shown.expect("there is a second trick");
            let seat = shown.table.seat_to_move();
            let view = |state| View::new(game.as_ref(), state, &STANDING, seat);
            let messages = [
                Message::Variant(VariantSeen::of(game.as_ref(), &self.0, &self.0)),
                Message::Deal(overtrick::protocol::DealStart::of(&view(&dealt), 12)),
                Message::Decide(vec![Decision::of(&view(&shown), game.legal(&shown), 301, 12, 2_718_281_828)]),
                Message::End(DealEnd::of(game.as_ref(), &dealt, &state, seat, 12)),
            ];
            let mut out = Vec::new();
            messages.iter().for_each(|message| message.write(&mut out));
            format!("### {}\n\n```json\n{}```\n", G::NAME, String::from_utf8(out).unwrap())
        }
    }
    let first = |game: &overtrick::games::GameInfo| {
        let name = game.presets[0].name;
        overtrick::games::Variant::preset(name).unwrap().game.visit(Example(name.to_owned()))
    };
    overtrick::games::GAMES.iter().map(first).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_examples_in_the_docs_are_real() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/protocol.md");
    let text = std::fs::read_to_string(file).unwrap();
    let (before, _) = text.split_once("### ").expect("the examples stand at the end");
    let right = format!("{before}{}", example());
    if std::env::var_os("INSTA_UPDATE").is_some_and(|update| update == "always") {
        return std::fs::write(file, &right).unwrap();
    }
    assert!(right == text, "docs/protocol.md has old examples: INSTA_UPDATE=always cargo test --test it protocol");
}
