//! Every game held as one of another crate is held plays as it does by itself.

use crate::fixtures::{bot, each_variant, random_bots, stream, tournament};
use overtrick::game::{Describe, FullGame, Game, Infer, Move, Setup, Standing, State, View};
use overtrick::games::{AnyGame, OpenGame, OpenPublic, Variant};
use overtrick::protocol::VariantSeen;
use overtrick::report::record_json;
use overtrick::run::Run;
use overtrick::table::{Place, Seat};
use overtrick::tournament::{Tournament, replay};

/// A variant of each game, of those that are searched quickly.
const QUICK: [&str; 5] = ["dumbo", "euchre-24", "humbug", "colour-blind-2", "chameleon"];

fn again<G: FullGame>(game: &G) -> G {
    G::new(game.rules().clone()).unwrap()
}

/// Does something with a game of this crate by its type. A visitor would be compiled for open games, too, and those are
/// not held in one another.
macro_rules! by_type {
    ($game:expr, $work:expr) => {
        match $game {
            AnyGame::Dumbo(game) => $work(&**game),
            AnyGame::Euchre(game) => $work(&**game),
            AnyGame::DummyWhist(game) => $work(&**game),
            AnyGame::ColourBlind(game) => $work(&**game),
            AnyGame::Chameleon(game) => $work(&**game),
            AnyGame::Declared(_) | AnyGame::Open(_) => unreachable!("it is one of this crate's"),
        }
    };
}

/// The same game, held as one of another crate is.
fn held(game: &AnyGame) -> AnyGame {
    fn held<G: FullGame>(game: &G) -> AnyGame {
        AnyGame::open(again(game))
    }
    by_type!(game, held)
}

/// A tournament of a variant, and the same with its game held so.
fn both(variant: &str, lines: &str) -> [Tournament; 2] {
    let mut own = tournament(variant, lines);
    own.bots[0] = bot("a", "rule-based", "");
    let mut open = own.clone();
    open.variants[0].game = held(&open.variants[0].game);
    [own, open]
}

#[test]
fn a_tournament_has_the_same_tallies() {
    each_variant(|variant| {
        for unit in ["deals = 40", "unit = \"match\"\nmatches = 3"] {
            let played = both(&variant.name, unit).map(|tournament| {
                let config = tournament.to_toml();
                (config, Run::new(tournament).threads(2).play().unwrap().runs.swap_remove(0).tally)
            });
            assert!(played[0] == played[1], "{}: {unit}", variant.name);
        }
    });
}

/// Compares the records of some deals, whose plays are judged if `analyse` says so.
fn compare_records(variant: &Variant, deals: u64, analyse: bool) {
    let [own, open] = both(&variant.name, "deals = 5").map(|tournament| {
        let records = (0..deals).flat_map(|number| replay(&tournament, 0, number, &random_bots(variant), analyse));
        records.map(|record| record_json(&record)).collect::<Vec<_>>()
    });
    assert_eq!(own, open, "{}", variant.name);
}

#[test]
fn records_say_the_same_and_in_a_few_variants_what_was_given_away() {
    each_variant(|variant| {
        compare_records(variant, 3, false);
        if QUICK.contains(&variant.name.as_str()) {
            compare_records(variant, 1, true);
        }
    });
}

#[test]
#[ignore = "long: judges every play of five deals of every variant"]
fn records_say_the_same() {
    each_variant(|variant| compare_records(variant, 5, true));
}

/// Compares a deal in which two of the bots search.
fn compare_search(variant: &Variant) {
    let mut played = both(&variant.name, "deals = 1");
    for tournament in &mut played {
        tournament.bots[1] = bot("b", "pimc", "worlds = 4\nrollout = \"rule-based\"\ntrust = 0.5");
        tournament.bots[2] = bot("c", "ismcts", "iterations = 20\nrollout = \"random\"");
    }
    let [own, open] = played.map(|tournament| Run::new(tournament).threads(1).play().unwrap().runs);
    assert!(own[0].tally == open[0].tally, "{}", variant.name);
}

#[test]
fn search_finds_the_same_in_a_few_variants() {
    QUICK.iter().for_each(|name| compare_search(&Variant::preset(name).unwrap()));
}

#[test]
#[ignore = "long: searches in every variant"]
fn search_finds_the_same() {
    each_variant(compare_search);
}

/// Sees that a deal, as the game by itself and as an open game has it, answers all questions alike.
fn compare<G: FullGame>(game: &G, open: &OpenGame, state: &State<G::Public>, held: &State<OpenPublic>) {
    let standing = Standing::default();
    assert!(state.table == held.table && format!("{:?}", state.public) == format!("{:?}", held.public));
    assert_eq!(game.order(state).is_some(), open.order(held).is_some());
    assert_eq!(game.anytime(&state.public), open.anytime(&held.public));
    assert_eq!(game.sides(state), open.sides(held));
    assert_eq!(game.contract(state), open.contract(held));
    assert_eq!(game.public_extras(&state.public), open.public_extras(&held.public));
    assert_eq!(game.renege_moves(state), open.renege_moves(held));
    let luck = || stream("luck", 0);
    let own = game.opening(state, &mut luck()).map(|opening| opening.table);
    assert_eq!(own, open.opening(held, &mut luck()).map(|opening| opening.table));
    for seat in Seat::all(game.layout().seats) {
        let (view, seen) = (View::new(game, state, &standing, seat), View::new(open, held, &standing, seat));
        assert_eq!(view.shown_out(), seen.shown_out());
        for place in Place::ALL {
            assert_eq!(game.may_lie(&view, place), open.may_lie(&seen, place));
        }
        assert_eq!(OpenGame::view::<G>(&seen).unwrap().facts(), view.facts());
    }
    if game.is_over(state) {
        let scores = game.scores(state);
        assert!(open.is_over(held) && open.scores(held) == scores);
        assert_eq!(game.reasons(state), open.reasons(held));
        assert_eq!(game.is_exceptional(state, &scores), open.is_exceptional(held, &scores));
        assert_eq!(game.contract_result(state), open.contract_result(held));
        assert_eq!(
            (game.counts(state), game.thrown_in_earlier(state)),
            (open.counts(held), open.thrown_in_earlier(held))
        );
        return;
    }
    assert_eq!(game.legal(state), open.legal(held));
    for chosen in Move::all() {
        let text = game.move_text(state, chosen);
        assert_eq!(text, open.move_text(held, chosen));
        let Some(text) = text else { continue };
        assert_eq!(game.read_move(state, &text), open.read_move(held, &text));
        if !game.legal(state).contains(chosen) {
            assert_eq!(game.play(&mut { *state }, chosen), open.play(&mut { *held }, chosen));
        }
    }
}

/// Plays some deals both ways side by side.
fn play_both<G: FullGame>(variant: &Variant, game: &G) {
    let open = OpenGame::of(again(game));
    let named = |game| VariantSeen::of(game, &variant.name, &variant.base);
    assert_eq!(VariantSeen::of(&open, &variant.name, &variant.base), named(game));
    assert_eq!((game.sealed_calls(), game.contract_kinds()), (open.sealed_calls(), open.contract_kinds()));
    assert_eq!(game.single_deals_are_last(), open.single_deals_are_last());
    for place in Place::ALL {
        assert_eq!(game.aside_name(place), open.aside_name(place));
    }
    for number in 1..3 {
        let luck = || stream(&variant.name, number);
        assert_eq!(game.first_dealer(luck), open.first_dealer(luck));
        let setup = Setup::single(game, number, number == 2);
        let (mut state, mut held) = (game.deal(setup, &mut luck()), open.deal(setup, &mut luck()));
        let (dealt, laid_out, mut choices) = (state, held, stream("choices", number));
        assert_eq!(game.remarks(&dealt, number), open.remarks(&laid_out, number));
        while !game.is_over(&state) {
            compare(game, &open, &state, &held);
            let legal = game.legal(&state);
            let nth = choices.random_below(legal.len().into()) as usize;
            let chosen = legal.iter().nth(nth).unwrap();
            assert_eq!((game.play(&mut state, chosen), open.play(&mut held, chosen)), (Ok(()), Ok(())));
        }
        compare(game, &open, &state, &held);
        for (_, hand) in game.hand_names() {
            assert_eq!(game.dealt_hand(&dealt, hand), open.dealt_hand(&laid_out, hand));
        }
        assert_eq!(game.asides(&dealt, &state), open.asides(&laid_out, &held));
    }
}

#[test]
fn it_answers_every_question_alike() {
    each_variant(|variant| by_type!(&variant.game, |game| play_both(variant, game)));
}

#[test]
fn its_rules_print_with_their_comments() {
    each_variant(|variant| {
        let open = Variant { game: held(&variant.game), ..variant.clone() };
        assert_eq!(open.to_toml(), variant.to_toml());
        assert_eq!((open.game.layout(), open.game.ending()), (variant.game.layout(), variant.game.ending()));
    });
}
