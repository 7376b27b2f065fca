//! The games against their second, slow implementation: move by move, over every registered variant and over random
//! options.

use crate::second;
use std::path::Path;
use std::sync::Arc;

use crate::fixtures::{each_variant, stream};
use crate::second::fast::{start, texts};
use crate::second::{Places, Second, starts};
use overtrick::cards::{CardSet, Stream};
use overtrick::game::{FullGame, Move, Setup, Standing, State, View};
use overtrick::games::{Variant, Visitor};
use overtrick::table::{Place, Seat};
use overtrick::toml_source::Source;

/// Returns the cards that a seat sees: by hand, and all that it knows elsewhere.
fn sight<G: FullGame>(game: &G, state: &State<G::Public>, seat: Seat) -> (Places, Vec<String>) {
    let standing = Standing::default();
    let view = View::new(game, state, &standing, seat);
    let apart = if G::NAME == "chameleon" && game.layout().seats == 2 { Some(Place::Hand3) } else { None };
    let hands: Vec<Place> = game.hand_names().map(|(_, hand)| hand).collect();
    let by_hand = game.hand_names().map(|(name, hand)| {
        // Dummy's top card is Dummy's, wherever it lies.
        let top = apart.filter(|_| name == "dummy").map_or(CardSet::EMPTY, |place| view.cards(place));
        (name.to_owned(), texts(view.cards(hand) | top))
    });
    let elsewhere = Place::ALL.into_iter().filter(|place| !hands.contains(place) && Some(*place) != apart);
    (by_hand.collect(), texts(elsewhere.fold(CardSet::EMPTY, |all, place| all | view.cards(place))))
}

/// A random move: often a pass, now and then a misère or six in dummy, so that all kinds of contract come up.
fn some_move(texts: &[String], rng: &mut Stream) -> usize {
    let favourite = ["pass", "pass", "pass", "misere", "six-in-dummy", "", ""][rng.random_below(7) as usize];
    let favoured: Vec<usize> = (0..texts.len()).filter(|&at| texts[at].ends_with(favourite)).collect();
    let among: Vec<usize> = if favoured.is_empty() { (0..texts.len()).collect() } else { favoured };
    among[rng.random_below(among.len() as u64) as usize]
}

struct Compare<'a> {
    name: &'a str,
    deals: u64,
}

impl Visitor for Compare<'_> {
    type Output = ();

    fn visit<G: FullGame>(self, game: &Arc<G>) {
        let game = game.as_ref();
        let seats = game.layout().seats;
        for number in 0..self.deals {
            let mut rng = stream(self.name, number);
            let setup = Setup::single(game, number, number / 6 % 2 == 1);
            let mut state = game.deal(setup, &mut rng);
            let start = start(game, setup, &state);
            let mut second = Second::new(&start);
            let mut made: Vec<String> = Vec::new();
            let say = |made: &[String]| format!("{} deal {number}, {start:?}, after {made:?}", self.name);
            while !game.is_over(&state) {
                assert!(!second.is_over(), "{}", say(&made));
                let text = |chosen| game.move_text(&state, chosen).unwrap();
                let sorted = |moves: overtrick::game::Moves| {
                    let mut texts: Vec<(String, Move)> = moves.iter().map(|chosen| (text(chosen), chosen)).collect();
                    texts.sort_by(|a, b| a.0.cmp(&b.0));
                    texts
                };
                let legal = sorted(game.legal(&state));
                let proper: Vec<String> = legal.iter().map(|(text, _)| text.clone()).collect();
                assert_eq!(proper, second.legal(), "{}", say(&made));
                assert_eq!(state.table.seat_to_move().index(), second.seat(), "{}", say(&made));
                let hand = game.layout().hands[state.table.hand_to_move().index()];
                assert_eq!(hand, second.hand(), "{}", say(&made));
                let renege_moves = sorted(game.renege_moves(&state));
                let extra = renege_moves.iter().filter(|(text, _)| !proper.contains(text));
                let mut accepted: Vec<(String, Move)> = legal.iter().chain(extra).cloned().collect();
                accepted.sort_by(|a, b| a.0.cmp(&b.0));
                let all: Vec<String> = accepted.iter().map(|(text, _)| text.clone()).collect();
                assert_eq!(all, second.accepted(), "{}", say(&made));
                for seat in Seat::all(seats) {
                    let (hands, elsewhere) = sight(game, &state, seat);
                    let expected = second.sees(seat.index());
                    let (own, others): (Places, Places) =
                        expected.into_iter().partition(|(name, _)| hands.iter().any(|(hand, _)| hand == name));
                    assert_eq!(hands, own, "seat {} of {}", seat.index(), say(&made));
                    let mut others: Vec<String> = others.into_iter().flat_map(|(_, cards)| cards).collect();
                    others.sort();
                    if G::NAME == "colour-blind" {
                        // Row cards that are won lie open too.
                        assert!(others.iter().all(|card| elsewhere.contains(card)));
                    } else {
                        assert_eq!(elsewhere, others, "seat {} of {}", seat.index(), say(&made));
                    }
                }
                let (text, chosen) = accepted[some_move(&all, &mut rng)].clone();
                game.play(&mut state, chosen).unwrap_or_else(|error| panic!("{error}: {}", say(&made)));
                second.apply(&text);
                made.push(text);
            }
            assert!(second.is_over(), "{}", say(&made));
            let scores: Vec<i64> = game.scores(&state).of(seats).iter().map(|&score| i64::from(score)).collect();
            assert_eq!(scores, second.scores(), "{}", say(&made));
            let name = |place: Place| game.layout().hands[place.index()].to_owned();
            let tricks: Vec<second::Trick> = (state.table.tricks().iter())
                .map(|trick| {
                    let plays = trick.plays.iter().map(|play| (name(play.hand), play.card.to_string())).collect();
                    (plays, name(trick.winner.unwrap()))
                })
                .collect();
            assert_eq!(tricks, second.tricks(), "{}", say(&made));
            let contract = game.contract(&state).map(|contract| {
                let declarer = contract.declarer.map(Seat::index);
                let trump = contract.trump.map(str::to_owned);
                (declarer, contract.level.map(i64::from), trump, contract.kind.to_owned())
            });
            assert_eq!(contract, second.contract(), "{}", say(&made));
        }
    }
}

fn compare_every_variant(deals: u64) {
    each_variant(|variant| variant.game.visit(Compare { name: &variant.name, deals }));
}

/// The deals have every dealer, in last deals and in others.
#[test]
fn every_variant_plays_a_sample_of_deals_as_its_second_implementation() {
    compare_every_variant(24);
}

#[test]
#[ignore = "long: 150 deals of every variant"]
fn every_variant_plays_as_its_second_implementation() {
    compare_every_variant(150);
}

/// The variant with random options, those that are refused as idle put back; the options as text.
fn random_variant(game: &str, base: &str, rng: &mut Stream) -> (Variant, String) {
    let options: toml::Table = starts::options(game).parse().unwrap();
    let mut rules = toml::Table::new();
    for (key, values) in &options {
        let values = values.as_array().unwrap();
        rules.insert(key.clone(), values[rng.random_below(values.len() as u64) as usize].clone());
    }
    loop {
        let text = format!("name = \"tested\"\nbase = {base:?}\n[rules]\n{rules}");
        let source = Source::parse(Path::new("tested.toml"), text).unwrap();
        let refused = match Variant::from_table(&source, &[], source.table()) {
            Ok(variant) => return (variant, rules.to_string()),
            Err(error) => error.to_string(),
        };
        let idle = options.keys().find(|key| refused.contains(&format!("`rules.{key}`")));
        let key = idle.unwrap_or_else(|| panic!("{refused}"));
        let usual = options[key].as_array().unwrap()[0].clone();
        assert_ne!(rules.insert(key.clone(), usual.clone()), Some(usual), "{refused}");
    }
}

/// Compares `count` variants with random options of each game.
fn compare_random_options(count: usize) {
    for (game, base) in [
        ("dumbo", "dumbo"),
        ("euchre", "euchre-32"),
        ("dummy-whist", "dummy-whist"),
        ("colour-blind", "colour-blind"),
        ("chameleon", "chameleon"),
    ] {
        let mut rng = stream(game, 0);
        for _ in 0..count {
            let (variant, rules) = random_variant(game, base, &mut rng);
            variant.game.visit(Compare { name: &format!("{game} with {rules}"), deals: 13 });
        }
    }
}

#[test]
fn a_sample_of_random_options_plays_as_its_second_implementation() {
    compare_random_options(4);
}

#[test]
#[ignore = "long: 60 variants with random options of each game"]
fn random_options_play_as_their_second_implementation() {
    compare_random_options(60);
}
