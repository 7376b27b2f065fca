//! Worlds: the true arrangement is one of them, all that are drawn fit, and all that fit are drawn equally often, in
//! every registered variant at every turn.
//!
//! Whether a world fits is decided here in another way than in the program: a world fits if every card played so far
//! was a legal play in it, and no card that the seat has seen lies where it cannot have got.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::fixtures::{each_variant, stream};
use overtrick::cards::{Card, CardSet, Stream};
use overtrick::game::{FullGame, Game, Move, Moves, Setup, Standing, State, View, World};
use overtrick::games::dumbo::{Dumbo, DumboRules};
use overtrick::games::{Variant, Visitor};
use overtrick::search::worlds::{self, Worlds};
use overtrick::table::{Place, Seat, Table};
use overtrick::toml_source::Source;
use statrs::distribution::{ChiSquared, ContinuousCDF};

/// The chance that a true sampler fails at one state; there are fewer than a hundred times as many states.
const TAIL: f64 = 1e-6;

/// Further rules that hide more than the presets do: a base, and what differs.
const HIDING: &[(&str, &str)] = &[
    ("dumbo", "dumbo-exposed = \"dealer-only\""),
    ("euchre-24", "may-discard-upcard = true"),
    ("dummy-whist-jokers", "dummy-discard = \"blind\"\nnt-joker-play = \"any-time\""),
    ("dummy-whist", "allow-renege = true"),
    ("humbug", "humbug-choice = \"simultaneous\""),
    ("dummy-chameleon", "dummy-exposed = \"before-talon\""),
];

/// Does something for every registered variant and those that hide more.
fn each_hiding_variant(mut check: impl FnMut(&Variant)) {
    each_variant(&mut check);
    for (base, rules) in HIDING {
        let text = format!("name = \"hiding\"\nbase = {base:?}\n[rules]\n{rules}");
        let source = Source::parse(Path::new("hiding.toml"), text).unwrap();
        check(&Variant::from_table(&source, &[], source.table()).unwrap());
    }
}

/// A deal up to some turn.
struct Turn<'a, P> {
    now: &'a State<P>,
    /// Every card played so far, with the state in which it was.
    played: &'a [(State<P>, Move)],
    /// By seat, a card that it could see once: the places, a bit each, where the card can have gone when it was hidden.
    seen_once: &'a BTreeMap<(Seat, Card), u8>,
}

/// Plays random deals and shows every turn. In every third deal the players would rather make their lowest call, so
/// that auctions pass out.
fn each_turn<G: FullGame>(game: &G, name: &str, deals: u64, mut at: impl FnMut(Turn<'_, G::Public>)) {
    let seats = game.layout().seats;
    for number in 0..deals {
        let mut rng = stream(name, number);
        let setup = Setup::single(game, number, number % 2 == 1);
        let mut now = game.deal(setup, &mut rng);
        let (mut played, mut seen_once) = (Vec::new(), BTreeMap::new());
        while !game.is_over(&now) {
            at(Turn { now: &now, played: &played, seen_once: &seen_once });
            let legal = game.legal(&now);
            let call = Moves::calls(legal.call_bits()).iter().next();
            let chosen = match call {
                Some(call) if number % 3 == 0 && rng.random_below(8) > 0 => call,
                _ => {
                    let renege_moves = game.renege_moves(&now);
                    let tempted = !renege_moves.is_empty() && rng.random_below(8) == 0;
                    random(if tempted { renege_moves } else { legal }, &mut rng)
                }
            };
            let before = now;
            game.play(&mut now, chosen).expect("a legal move is accepted");
            if now.table.plays().len() > before.table.plays().len() {
                played.push((before, chosen));
            }
            for seat in Seat::all(seats) {
                note_hidden(&before.table, &now.table, seat, &mut seen_once);
            }
        }
    }
}

/// A random move.
fn random(legal: Moves, rng: &mut Stream) -> Move {
    let which = rng.random_below(legal.len().into()) as usize;
    legal.iter().nth(which).expect("a legal move")
}

/// Notes where cards can have gone that `seat` saw before a move and cannot see after it: they lie where they were or
/// in a place that has gained cards.
fn note_hidden(before: &Table, after: &Table, seat: Seat, seen_once: &mut BTreeMap<(Seat, Card), u8>) {
    let bits =
        |which: &dyn Fn(Place) -> bool| Place::ALL.map(|place| u8::from(which(place)) << place.index()).iter().sum();
    let gained: u8 = bits(&|place| after.at(place).len() > before.at(place).len());
    let lost: u8 = bits(&|place| after.at(place).len() < before.at(place).len());
    for ((_, _), places) in seen_once.iter_mut().filter(|((whose, _), places)| *whose == seat && **places & lost > 0) {
        *places |= gained;
    }
    let hidden = hidden(after, seat).into_iter().fold(CardSet::EMPTY, |all, cards| all | cards);
    for place in Place::ALL {
        for card in (before.seen_at(place, seat) & hidden).iter() {
            seen_once.insert((seat, card), gained | 1 << place.index());
        }
    }
}

/// By place: the cards that a seat cannot see.
fn hidden(table: &Table, seat: Seat) -> [CardSet; Place::COUNT] {
    Place::ALL.map(|place| table.at(place) - table.seen_at(place, seat))
}

/// Whether the cards may lie as in `world`, for all that `seat` knows.
fn possible<G: FullGame>(game: &G, turn: &Turn<'_, G::Public>, seat: Seat, world: &World) -> bool {
    let table = &turn.now.table;
    let standing = Standing::default();
    let view = View::new(game, turn.now, &standing, seat);
    let gone = hidden(table, seat);
    let come = Place::ALL.map(|place| world.at(place) - table.seen_at(place, seat));
    let places = || Place::ALL.into_iter().zip(gone.into_iter().zip(come));
    // The same cards in all, as many at each place, and those that are seen.
    let all = come.iter().fold(CardSet::EMPTY, |all, &cards| all | cards);
    let lie_right = places().all(|(place, (gone, come))| {
        gone.len() == come.len()
            && world.at(place) == ((table.at(place) - gone) | come)
            && come.is_subset(game.may_lie(&view, place))
    });
    if !lie_right || all != gone.iter().fold(CardSet::EMPTY, |all, &cards| all | cards) {
        return false;
    }
    let mut seen_once = turn.seen_once.iter().filter(|((whose, _), _)| *whose == seat);
    if !seen_once
        .all(|((_, card), &at)| places().all(|(to, (_, come))| at >> to.index() & 1 == 1 || !come.contains(*card)))
    {
        return false;
    }
    turn.played.iter().all(|(then, play)| {
        let mut state = *then;
        let cards = places().map(|(place, (gone, come))| (then.table.at(place) - gone) | come);
        let cards: Vec<CardSet> = cards.collect();
        state.table.rearrange(seat, &cards.try_into().expect("every place"));
        game.legal(&state).contains(*play) || game.renege_moves(&state).contains(*play)
    })
}

/// Checks the worlds of 20 deals at every turn whose number `step` divides.
pub struct Fit<'a> {
    pub name: &'a str,
    pub step: usize,
}

/// Where worlds can differ.
#[derive(Default)]
pub struct Found {
    /// The worlds that were drawn and are not the true one.
    pub other_than_true: usize,
    /// The lists of few worlds.
    pub listed: usize,
}

impl Visitor for Fit<'_> {
    type Output = Found;

    fn visit<G: FullGame>(self, game: &Arc<G>) -> Found {
        let (game, mut found, mut number) = (game.as_ref(), Found::default(), 0_usize);
        let mut rng = stream("worlds", 0);
        each_turn(game, self.name, 20, |turn| {
            number += 1;
            if number.is_multiple_of(self.step) {
                for seat in Seat::all(game.layout().seats) {
                    check_worlds(game, self.name, &turn, seat, &mut rng, &mut found);
                }
            }
        });
        found
    }
}

/// Checks what a seat can know of the worlds at a turn.
fn check_worlds<G: FullGame>(
    game: &G,
    name: &str,
    turn: &Turn<'_, G::Public>,
    seat: Seat,
    rng: &mut Stream,
    found: &mut Found,
) {
    let standing = Standing::default();
    let view = View::new(game, turn.now, &standing, seat);
    let worlds = Worlds::new(&view);
    let truth = World::of(&turn.now.table);
    assert!(possible(game, turn, seat, &truth) && worlds.fits(&truth), "{name}: the truth fits");
    assert!(worlds.count() > 0);

    let own = stream("own", rng.next_u64());
    let world = worlds.sample(&mut own.clone());
    assert!(possible(game, turn, seat, &world) && worlds.fits(&world), "{name}: {world:?}");
    found.other_than_true += usize::from(world.places() != truth.places());

    let few = worlds.enumerate_up_to(100);
    if let Some(few) = &few {
        found.listed += 1;
        let calls = if view.has_sealed_call() { u128::from(game.sealed_calls().len()) } else { 1 };
        assert_eq!(few.len() as u128, worlds.count() * calls, "{name}");
        let fits = |world: &World| possible(game, turn, seat, world) && worlds.fits(world);
        assert!(few.iter().all(fits) && few.contains(&world), "{name}");
        let different = |nth: usize| few[..nth].iter().all(|other| *other != few[nth]);
        assert!((0..few.len()).all(different), "{name}");
    } else {
        assert!(worlds.count() * 3 > 100, "{name}");
    }

    let mut imagined = view.imagine(&world);
    assert_eq!(World::of(&imagined.table).places(), world.places());
    assert_eq!(View::new(game, &imagined, &standing, seat).facts(), view.facts(), "{name}");
    if turn.now.table.seat_to_move() == seat {
        assert_eq!(game.legal(&imagined), game.legal(turn.now), "{name}");
    }

    // The same from a deal that differs in what the seat does not see. Nothing keeps that deal from being impossible.
    let elsewhere = turn.now.redealt(seat, rng);
    let view = View::new(game, &elsewhere, &standing, seat);
    assert_eq!(worlds::sample(&view, &mut own.clone()), world, "{name}: a world shows a hidden card");
    assert_eq!(Worlds::new(&view).enumerate_up_to(100), few, "{name}: the list shows a hidden card");
    assert_eq!(view.imagine(&world), imagined, "{name}: an imagined deal shows a hidden card");
    let any = World::of(&elsewhere.table);
    assert_eq!(worlds.fits(&any), possible(game, turn, seat, &any), "{name}: {any:?}");

    game.play_out(&mut imagined, |state| random(game.legal(state), rng));
    let scores = game.scores(&imagined);
    assert!(scores.of(game.layout().seats).iter().all(|score| game.score_range().contains(score)));
}

/// No number of hands or turns of a deal divides the step, so every seat and every stage of a deal has its turn.
#[test]
fn worlds_fit_in_a_sample_of_turns() {
    let mut all = Found::default();
    each_hiding_variant(|variant| {
        let found = variant.game.visit(Fit { name: &variant.name, step: 19 });
        all.other_than_true += found.other_than_true;
        all.listed += found.listed;
    });
    assert!(all.other_than_true > 0 && all.listed > 0);
}

#[test]
#[ignore = "long: the worlds of every seat at every turn of 20 deals of each variant"]
fn worlds_fit_and_can_be_played_on_and_show_nothing() {
    each_hiding_variant(|variant| {
        let found = variant.game.visit(Fit { name: &variant.name, step: 1 });
        assert!(found.other_than_true > 0, "{}: nothing is ever uncertain", variant.name);
        assert!(found.listed > 0, "{}: few worlds are never left", variant.name);
    });
}

#[test]
fn worlds_that_go_wrong_in_a_single_respect_do_not_fit() {
    let game = Dumbo::new(DumboRules::default()).unwrap();
    let mut rng = stream("wrong", 0);
    let standing = Standing::default();
    each_turn(&game, "wrong", 2, |turn| {
        // Before any player has shown out.
        if turn.now.table.tricks_played() > 0 {
            return;
        }
        for seat in Seat::THREE {
            let view = View::new(&game, turn.now, &standing, seat);
            let worlds = Worlds::new(&view);
            let world = worlds.sample(&mut rng);
            let hands = [0, 1, 2].map(|steps| Place::hand(seat.left(steps, 3)));
            let [own, left, right] = hands.map(|hand| CardSet::of(world.at(hand).first().expect("a card")));
            // By hand, from the seat's own: a card taken away, and one put there.
            let fits = |changes: [(CardSet, CardSet); 3]| {
                let mut places = *world.places();
                for (hand, (gone, come)) in hands.into_iter().zip(changes) {
                    places[hand.index()] = (places[hand.index()] - gone) | come;
                }
                worlds.fits(&World::new(places))
            };
            let none = CardSet::EMPTY;
            assert!(fits([(none, none); 3]));
            assert!(fits([(none, none), (left, right), (right, left)]));
            assert!(!fits([(own, none), (none, none), (none, none)]), "an own card too few");
            assert!(!fits([(none, left), (none, none), (none, none)]), "an own card too many");
            assert!(!fits([(none, none), (left, none), (none, none)]), "a hidden card too few");
            assert!(!fits([(none, none), (left, none), (none, left)]), "wrong counts");
            assert!(!fits([(none, none), (left, right), (none, none)]), "a card in two places");
            assert!(!fits([(own, left), (left, own), (none, none)]), "an own card elsewhere");
        }
    });
}

/// Every way to lay the cards that `seat` cannot see into the places where they lie, rules or no rules.
fn arrangements(table: &Table, seat: Seat) -> Vec<World> {
    let gone = hidden(table, seat);
    let mut all = vec![Place::ALL.map(|place| table.seen_at(place, seat))];
    for card in gone.iter().flat_map(|cards| cards.iter()) {
        let mut longer = Vec::new();
        for places in all {
            for place in Place::ALL {
                if places[place.index()].len() < table.at(place).len() {
                    let mut with = places;
                    with[place.index()] |= CardSet::of(card);
                    longer.push(with);
                }
            }
        }
        all = longer;
    }
    all.into_iter().map(World::new).collect()
}

/// How many of them there are, unless they are very many.
fn number_of_arrangements(table: &Table, seat: Seat) -> u64 {
    let mut placed = 0;
    let mut number: u64 = 1;
    for cards in hidden(table, seat) {
        for k in 1..=u64::from(cards.len()) {
            placed += 1;
            number = number.saturating_mul(placed) / k;
        }
    }
    number
}

/// The chance that counts of equally likely outcomes are as uneven as these.
fn evenness(counts: impl ExactSizeIterator<Item = u64> + Clone) -> f64 {
    let freedom = counts.len() as f64 - 1.0;
    let expected = counts.clone().sum::<u64>() as f64 / counts.len() as f64;
    let statistic: f64 = counts.map(|count| (count as f64 - expected).powi(2) / expected).sum();
    ChiSquared::new(freedom).unwrap().sf(statistic)
}

/// Checks that worlds are drawn equally often in a few states of a game. Returns how many of them had worlds ruled out,
/// in two places and in more.
pub struct Even<'a>(pub &'a str);

impl Visitor for Even<'_> {
    type Output = [usize; 2];

    fn visit<G: FullGame>(self, game: &Arc<G>) -> [usize; 2] {
        let (game, name) = (game.as_ref(), self.0);
        let mut rng = stream("even", 0);
        let mut ruled_out = [0; 2];
        // How many states of a kind are still wanted: by whether worlds are ruled out, and whether in more than two
        // places.
        let mut wanted = [[1, 2], [4, 6]];
        each_turn(game, name, 150, |turn| {
            for seat in Seat::all(game.layout().seats) {
                let table = &turn.now.table;
                let number = number_of_arrangements(table, seat);
                let places = hidden(table, seat).iter().filter(|cards| !cards.is_empty()).count();
                if !(3..4000).contains(&number) || wanted == [[0; 2]; 2] {
                    continue;
                }
                let standing = Standing::default();
                let view = View::new(game, turn.now, &standing, seat);
                let worlds = Worlds::new(&view);
                let wanted = &mut wanted[usize::from(worlds.count() < number.into())][usize::from(places > 2)];
                if *wanted == 0 || !(2..=1200).contains(&worlds.count()) {
                    continue;
                }
                let mut fitting = arrangements(table, seat);
                assert_eq!(fitting.len() as u64, number);
                fitting.retain(|world| possible(game, &turn, seat, world));
                assert_eq!(worlds.count(), fitting.len() as u128, "{name}: {number} without rules");

                let key = |world: &World| world.places().map(CardSet::bits);
                let mut drawn: BTreeMap<_, u64> = fitting.iter().map(|world| (key(world), 0)).collect();
                for _ in 0..20 * fitting.len() {
                    *drawn.get_mut(&key(&worlds.sample(&mut rng))).expect("only worlds that fit") += 1;
                }
                let evenness = evenness(drawn.values().copied());
                assert!(evenness > TAIL, "{name}: {} worlds of {number}, {evenness:.1e}", fitting.len());
                *wanted -= 1;
                ruled_out[usize::from(places > 2)] += usize::from(fitting.len() as u64 != number);
            }
        });
        ruled_out
    }
}

/// Checks each variant with one of these names, or all.
fn check_evenness(names: Option<&[&str]>) -> [usize; 2] {
    let mut ruled_out = [0; 2];
    each_hiding_variant(|variant| {
        if names.is_none_or(|names| names.contains(&variant.name.as_str())) {
            let here = variant.game.visit(Even(&variant.name));
            ruled_out.iter_mut().zip(here).for_each(|(all, here)| *all += here);
        }
    });
    ruled_out
}

#[test]
fn worlds_that_fit_are_drawn_equally_often_in_a_few_variants() {
    let ruled_out = check_evenness(Some(&["dumbo", "euchre-24", "chameleon"]));
    assert!(ruled_out.iter().sum::<usize>() > 0, "no states with voids");
}

#[test]
#[ignore = "long: draws worlds in all variants and in some that hide more"]
fn all_worlds_that_fit_are_drawn_equally_often() {
    let ruled_out = check_evenness(None);
    assert!(ruled_out.iter().all(|&states| states >= 4), "too few states with voids: {ruled_out:?}");
}

#[test]
fn discards_on_record_follow_the_cards() {
    let cards = |text: &str| text.parse::<CardSet>().unwrap();
    let [own, other, third] = [Seat::new(0), Seat::new(1), Seat::new(2)];
    let mut table = Table::new(3, own);
    table.lay(Place::Hand0, cards("AS KS QS JS"));
    table.lay(Place::Hand1, cards("AH KH"));
    table.lay(Place::Hand2, cards("AD KD"));
    table.show(Place::Pile6, own);
    table.call(Move::call(0));
    for discard in ["QS", "JS"] {
        table.call(Move::card(discard.parse().unwrap()));
        table.shift(cards(discard), Place::Hand0, Place::Pile6);
    }
    let discards =
        |table: &Table| -> Vec<Card> { table.calls().iter().filter_map(|(_, call)| call.as_card()).collect() };
    let by_place = |texts: [&str; 3], discarded: &str| {
        let mut places = [CardSet::EMPTY; Place::COUNT];
        places[..3].copy_from_slice(&texts.map(cards));
        places[Place::Pile6.index()] = cards(discarded);
        places
    };
    // To another seat the discards may be any cards.
    let mut imagined = table;
    imagined.rearrange(other, &by_place(["AS QS", "AH KH", "JS KD"], "AD KS"));
    assert_eq!(discards(&imagined), ["AD".parse().unwrap(), "KS".parse().unwrap()]);
    assert_eq!(imagined.calls()[0], (own, Move::call(0)));
    assert_eq!(imagined.at(Place::Pile6), cards("AD KS"));
    // To who made them they are what they are.
    let mut imagined = table;
    imagined.rearrange(own, &by_place(["AS KS", "AD KH", "AH KD"], "QS JS"));
    assert_eq!(discards(&imagined), discards(&table));
    // And to one who sees where they lie.
    table.show(Place::Pile6, third);
    imagined = table;
    imagined.rearrange(third, &by_place(["AS KH", "AH KS", "AD KD"], "QS JS"));
    assert_eq!(discards(&imagined), discards(&table));
}
