//! Every registered variant, all of it: each call, each kind of contract made and failed, each exposure and each
//! exceptional score is reached in play, but for those that a variant cannot have. A new variant is covered by being
//! registered; what it cannot have goes into a table below with the reason.

use crate::fixtures;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::fixtures::{each_variant, stream};
use overtrick::cards::{Card, CardSet, Stream};
use overtrick::game::{FullGame, Move, Setup, Standing, State, View};
use overtrick::games::Visitor;
use overtrick::strategies::BuildContext;
use overtrick::strategy::Strategy;
use overtrick::table::Place;

/// Deals for each thing that is aimed at, at the most.
const PATIENCE: u64 = 4000;

/// Things that a variant cannot have: the variants (all whose name begins so), how the things begin, and why.
const IMPOSSIBLE: &[(&[&str], &[&str], &str)] = &[
    (
        &["dummy-whist", "double-dummy", "humbug"],
        &["call bid 0", "made 0 ", "failed 0 "],
        "the lowest bid is one book (WH9)",
    ),
    (&["dummy-whist", "double-dummy"], &["call keep", "call exchange"], "no hands are exchanged but in Humbug (HB2)"),
    (&["dummy-whist", "double-dummy", "humbug="], &["nobody turn-up"], "trumps come from an auction (HB7)"),
    (
        &["humbug-turn-up"],
        &["call pass", "call bid", "call name", "made ", "failed "],
        "trumps are turned up; there is no auction and nobody is declarer (HB7)",
    ),
    (
        &["chameleon"],
        &["call six-in-dummy", "call concede", "call name", "failed conceded"],
        "there is no Dummy with three players (DC12)",
    ),
    (&["chameleon="], &["nobody last-deal"], "hands that all pass are thrown in, in the last deal too (CH6)"),
    (&["dummy-chameleon="], &["nobody last-deal"], "hands that all pass are thrown in, in the last deal too (DC18)"),
];

fn impossible(variant: &str, thing: &str) -> bool {
    let fits = |name: &&str| match name.strip_suffix('=') {
        Some(whole) => variant == whole,
        None => variant.starts_with(name),
    };
    // Nor, for the reason of the table, has a declarer among three Dummy's hand.
    let in_dummy = variant.starts_with("chameleon") && thing.ends_with("(in dummy)");
    in_dummy
        || IMPOSSIBLE.iter().any(|(variants, things, _)| {
            variants.iter().any(fits) && things.iter().any(|start| thing.starts_with(start))
        })
}

/// Returns the cards turned up in the deals of a variant, and when: everything that ever lies face up, and what is
/// covered again.
fn exposures(variant: &str) -> &'static [&'static str] {
    match variant {
        "dumbo" => &["dealt: dummy"],
        "dummy-whist" | "dummy-whist-downtown" => &["bid: dummy", "pass: dummy"],
        "dummy-whist-jokers" => &["discard: dummy"],
        "double-dummy" => &["bid: dummy0", "bid: dummy1", "pass: dummy0", "pass: dummy1"],
        "humbug" => &[],
        "humbug-turn-up" => &["dealt: dealer's card"],
        "chameleon" => &["contract: declarer's hand", "contract: opponent's hand"],
        "chameleon-variant" => {
            &["contract: declarer's hand", "contract: opponent's hand", "covered after discard", "pass: dealer's card"]
        }
        "dummy-chameleon" => &["contract: declarer's hand", "contract: dummy", "contract: opponent's hand"],
        "dummy-chameleon-variant" => {
            &["contract: declarer's hand", "contract: dummy", "contract: opponent's hand", "pass: aside"]
        }
        name if name.starts_with("euchre") => &["dealt: aside"],
        name if name.ends_with("last-card") => &["dealt: aside", "last trick: aside"],
        name if name.starts_with("colour-blind") => &["dealt: aside"],
        name => panic!("{name} has no list of exposures here: write one"),
    }
}

/// The rules that scores are given under, as reasons cite them, and scores that only exceptional results bring.
fn scored(variant: &str) -> (&'static [&'static str], &'static [i32]) {
    match variant {
        // Nothing; all 13 tricks; alone in matching Dumbo at four, and at zero.
        "dumbo" => (&["B1", "B2", "B3, B4", "E1", "E2", "E3", "E4"], &[0, 10 + 4, 13, 20]),
        // Nothing, made, euchred, march.
        name if name.starts_with("euchre") => (&["EU23", "EU24", "EU24, EU25"], &[0, 1, 2, 3]),
        name if name.starts_with("colour-blind") => (&["CB11"], &[0]),
        // A Boston at no trump counts twice double, made and set; with both hands kept that fourfold.
        name if name.starts_with("dummy-whist") || name == "double-dummy" => {
            (&["WH36", "WH37", "WH39-WH42"], &[0, 1, 2, 14, 28])
        }
        "humbug" => (&["HB6", "WH36", "WH37", "WH39-WH42"], &[0, 1, 2, 4, 14, 28, 56, 112]),
        "humbug-turn-up" => (&["HB6", "HB7"], &[0, 1, 7]),
        "chameleon" => (&["CH23", "CH24", "CH27", "CH6"], &LEVELS),
        "chameleon-variant" => (&["CH23", "CH24", "CH27", "CH31", "CH6"], &LEVELS),
        "dummy-chameleon" => (&["CH23", "CH24", "CH27", "DC14", "DC18"], &LEVELS),
        "dummy-chameleon-variant" => (&["CH23", "CH24", "CH27", "DC14", "DC18", "DC25"], &LEVELS),
        name => panic!("{name} has no list of scores here: write one"),
    }
}

const LEVELS: [i32; 12] = [36, 49, 64, 81, 100, 50, -36, -49, -64, -81, -100, -50];

/// How a deal is steered: calls that are preferred, and hands that try to win.
#[derive(Clone, Default)]
struct Plan {
    /// Calls that are made as soon as they are legal, those before others first.
    calls: Vec<String>,
    /// Whether to pass every other time where nothing is preferred.
    shy: bool,
    /// Play at random, or to let some hands win and others not.
    play: Aim,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Aim {
    #[default]
    Random,
    /// The hands of these numbers, as bits, try to win and the others not to.
    Hands(u8),
    /// The declarer makes the contract by all means.
    Made,
    /// The declarer is to fail in the contract.
    Failed,
}

/// The things that were reached.
#[derive(Default)]
struct Reached {
    things: BTreeSet<String>,
    exposed: BTreeSet<String>,
    rules: BTreeSet<String>,
    scores: BTreeSet<i32>,
}

/// Plays a deal by a plan, or lets a strategy play it.
fn play<G: FullGame>(
    game: &G,
    plan: &Plan,
    number: u64,
    rng: &mut Stream,
    mut strategy: Option<&mut Box<dyn Strategy<G>>>,
    reached: &mut Reached,
) {
    let seats = game.layout().seats;
    let setup = Setup::single(game, number, number / 6 % 2 == 1);
    let mut state = game.deal(setup, rng);
    let mut open = CardSet::EMPTY;
    note_exposed(game, &state, "dealt", &mut open, reached);
    while !game.is_over(&state) {
        let (legal, seat) = (game.legal(&state), state.table.seat_to_move());
        let chosen = match &mut strategy {
            Some(strategy) => strategy.choose(&View::new(game, &state, &Standing::default(), seat), legal, rng),
            None => choose(game, &state, plan, rng),
        };
        let text = game.move_text(&state, chosen).unwrap();
        game.play(&mut state, chosen).unwrap_or_else(|error| panic!("{}: {error}", G::NAME));
        let table = &state.table;
        let when = match text.split_once(' ') {
            Some((word, _)) => word,
            None if chosen.as_call().is_some() => &text,
            None if table.plays().len() == 1 => "lead",
            None if game.is_over(&state) => "last trick",
            None if table.trick_length() == 0 && table.tricks_played() == 1 => "first trick",
            None => "play",
        };
        note_exposed(game, &state, when, &mut open, reached);
        if chosen.as_call().is_some() {
            reached.things.insert(format!("call {text}"));
        }
    }
    if let Some(contract_result) = game.contract_result(&state) {
        let kind = &game.contract_kinds()[usize::from(contract_result.kind)].name;
        let verdict = match contract_result.declarer {
            None => "nobody",
            Some(_) if contract_result.made => "made",
            Some(_) => "failed",
        };
        reached.things.insert(format!("{verdict} {kind}"));
    }
    reached.scores.extend(game.scores(&state).of(seats));
    for reason in game.reasons(&state) {
        let cited =
            reason.split('(').skip(1).filter_map(|rest| rest.split_once(')')).map(|(inside, _)| inside.to_owned());
        reached.rules.extend(cited.filter(|inside| inside.starts_with(char::is_alphabetic)));
    }
}

/// Notes what a move has turned up or covered, whose it is and when.
fn note_exposed<G: FullGame>(
    game: &G,
    state: &State<G::Public>,
    when: &str,
    open: &mut CardSet,
    reached: &mut Reached,
) {
    let table = &state.table;
    let face_up = table.open() & table.cards();
    let declarer = game.contract(state).and_then(|contract| contract.declarer);
    for place in Place::ALL {
        let cards = table.at(place);
        let new = (cards & face_up) - *open;
        if !new.is_empty() {
            let hands = game.layout().hands;
            let whole = if new == cards { "hand" } else { "card" };
            let whose = match (hands.get(place.index()), declarer) {
                (None, _) => "aside".to_owned(),
                (Some(name), _) if place.index() >= game.layout().seats => (*name).to_owned(),
                (_, Some(seat)) if Place::hand(seat) == place => format!("declarer's {whole}"),
                (_, Some(_)) => format!("opponent's {whole}"),
                (_, None) if Place::hand(table.dealer()) == place => format!("dealer's {whole}"),
                (_, None) => format!("player's {whole}"),
            };
            reached.exposed.insert(format!("{when}: {whose}"));
        }
        if !((cards & *open) - face_up).is_empty() {
            reached.exposed.insert(format!("covered after {when}"));
        }
    }
    *open = face_up;
}

fn choose<G: FullGame>(game: &G, state: &State<G::Public>, plan: &Plan, rng: &mut Stream) -> Move {
    let legal = game.legal(state);
    let moves: Vec<Move> = legal.iter().collect();
    let any = moves[rng.random_below(moves.len() as u64) as usize];
    if legal.call_bits() == 0 {
        return card_of(game, state, plan.play).unwrap_or(any);
    }
    let text = |chosen: Move| game.move_text(state, chosen).unwrap_or_default();
    let preferred = plan.calls.iter().find_map(|call| moves.iter().copied().find(|&own| text(own) == *call));
    preferred.unwrap_or(if plan.shy && rng.random_below(2) == 0 { moves[0] } else { any })
}

/// The card that serves an aim; `None` where any will do.
fn card_of<G: FullGame>(game: &G, state: &State<G::Public>, aim: Aim) -> Option<Move> {
    let (table, order) = (&state.table, game.order(state)?);
    let of_declarer = |hand: Place| {
        let contract = game.contract(state)?;
        let none = contract.kind.starts_with("misere");
        Some((table.decider(hand) == contract.declarer?) != none)
    };
    let tries = |hand: Place| match aim {
        Aim::Random => None,
        Aim::Hands(hands) => Some(hands >> hand.index() & 1 == 1),
        Aim::Made => of_declarer(hand),
        Aim::Failed => of_declarer(hand).map(|tries| !tries),
    };
    let to_win = tries(table.hand_to_move())?;
    let strength = |card: Card| order.strength(if table.led() == Card::NONE { card } else { table.led() }, card);
    let (winning, needed) = table.winning().map_or((None, 0), |(hand, best)| (Some(hand), best));
    let among = game.legal(state).card_set().iter();
    let low = |card: &Card| (strength(*card), card.rank());
    let card = if to_win && winning.and_then(tries) != Some(true) {
        among.clone().filter(|&card| strength(card) > needed).max_by_key(low).or_else(|| among.min_by_key(low))
    } else if winning.is_some() && !to_win {
        // Rid of the highest that does not win.
        among.clone().filter(|&card| strength(card) < needed).max_by_key(low).or_else(|| among.min_by_key(low))
    } else {
        among.min_by_key(low)
    };
    card.map(Move::card)
}

/// The calls that lead to a kind of contract.
fn calls_to(kind: &str) -> Vec<String> {
    let texts = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let plain = kind.trim_end_matches(" (forced)").trim_end_matches(" (in dummy)");
    let bid = format!("bid {plain}");
    let contract = match plain.split_once(' ') {
        Some((level, "suit")) => format!("contract {level} S"),
        Some((level, "no-trump")) => format!("contract {level} NT"),
        _ => format!("contract {plain}"),
    };
    match kind {
        "passed-out" | "last-deal" => texts(&["pass"]),
        "conceded" => texts(&["concede", "six-in-dummy", "pass"]),
        _ if kind.ends_with("(in dummy)") => texts(&[&contract, "name S", "six-in-dummy", "pass"]),
        _ if kind.ends_with("(forced)") => texts(&["pass", &bid]),
        // Whist first, then Chameleon, where a six becomes anything.
        _ => texts(&[&contract, &bid, "bid 6 S", "bid 6 C", "pass"]),
    }
}

/// The trials for one variant.
struct Trials<'a, G: FullGame> {
    game: &'a G,
    name: &'a str,
    number: u64,
    reached: Reached,
}

impl<G: FullGame> Trials<'_, G> {
    /// Plays deals by the plans, one after the other and round again, until `done`.
    fn until(&mut self, what: &str, plans: &[Plan], done: impl Fn(&Reached) -> bool) {
        for trial in 0.. {
            if done(&self.reached) {
                return;
            }
            assert!(trial < PATIENCE, "{}: {what} was not reached in {trial} deals", self.name);
            self.play(&plans[trial as usize % plans.len()]);
        }
    }

    fn play(&mut self, plan: &Plan) {
        let mut rng = stream(self.name, self.number);
        play(self.game, plan, self.number, &mut rng, None, &mut self.reached);
        self.number += 1;
    }
}

/// Everything there could be to reach: the calls, and the kinds of contract with and without a declarer.
fn everything<G: FullGame>(game: &G) -> Vec<String> {
    let calls = (0..64).filter_map(|call| game.call_text(call)).map(|text| format!("call {text}"));
    let kinds: Vec<String> = game.contract_kinds().into_iter().map(|kind| kind.name).collect();
    let verdicts = |kind: &String| match kind.as_str() {
        "turn-up" | "passed-out" | "last-deal" => vec![format!("nobody {kind}")],
        "conceded" => vec![format!("failed {kind}")],
        _ => vec![format!("made {kind}"), format!("failed {kind}")],
    };
    calls.chain(kinds.iter().flat_map(verdicts)).collect()
}

fn check<G: FullGame>(game: &G, name: &str) {
    let mut trials = Trials { game, name, number: 0, reached: Reached::default() };
    for _ in 0..150 {
        trials.play(&Plan::default());
    }
    // The rule-based strategy, in games that it plays.
    if let Ok(mut strategy) = fixtures::bot("rules", "rule-based", "").spec.build::<G>(&BuildContext::default()) {
        for number in 0..40 {
            let mut rng = stream(name, 1 << 32 | number);
            play(game, &Plan::default(), number, &mut rng, Some(&mut strategy), &mut trials.reached);
        }
    }
    for thing in everything(game).iter().filter(|thing| !impossible(name, thing)) {
        let (word, what) = thing.split_once(' ').unwrap();
        let play = if word == "made" { Aim::Made } else { Aim::Failed };
        let calls = if word == "call" { vec![what.to_owned()] } else { calls_to(what) };
        trials.until(thing, &[Plan { calls, shy: true, play }], |reached| reached.things.contains(thing));
    }
    // Results: some hands win all that they can, in a contract and without.
    let hands: Vec<Plan> = (1..15)
        .flat_map(|hands| {
            [vec![], vec!["pass".to_owned()]].map(|calls| Plan { calls, shy: true, play: Aim::Hands(hands) })
        })
        .collect();
    let (rules, scores) = scored(name);
    let highest = ["bid 7 no-trump", "bid 7 uptown"].into_iter().flat_map(|bid| {
        let calls = vec!["keep".to_owned(), bid.to_owned(), "pass".to_owned()];
        [Aim::Made, Aim::Failed].map(|play| Plan { calls: calls.clone(), shy: true, play })
    });
    let plans: Vec<Plan> = hands.iter().cloned().chain(highest).collect();
    for rule in rules {
        trials.until(&format!("a score by {rule}"), &plans, |reached| reached.rules.contains(*rule));
    }
    for score in scores {
        trials.until(&format!("a score of {score}"), &plans, |reached| reached.scores.contains(score));
    }
    for exposure in exposures(name) {
        trials.until(exposure, &plans, |reached| reached.exposed.contains(*exposure));
    }
    // And nothing that cannot be.
    let Reached { things, exposed, rules: cited, .. } = trials.reached;
    for thing in things {
        assert!(!impossible(name, &thing), "{name}: {thing} is said to be impossible");
    }
    assert_eq!(exposed, exposures(name).iter().map(|text| (*text).to_owned()).collect(), "{name}");
    assert_eq!(cited, rules.iter().map(|rule| (*rule).to_owned()).collect(), "{name}");
}

struct Check(String);

impl Visitor for Check {
    type Output = ();
    fn visit<G: FullGame>(self, game: &Arc<G>) {
        check(game.as_ref(), &self.0);
    }
}

#[test]
fn every_variant_shows_all_of_its_calls_contracts_exposures_and_scores() {
    each_variant(|variant| variant.game.visit(Check(variant.name.clone())));
}

#[test]
fn what_is_said_to_be_impossible_is_something_of_the_variant() {
    struct Things;
    impl Visitor for Things {
        type Output = Vec<String>;
        fn visit<G: FullGame>(self, game: &Arc<G>) -> Vec<String> {
            everything(game.as_ref())
        }
    }
    let mut unused: BTreeSet<(usize, &str)> = IMPOSSIBLE
        .iter()
        .enumerate()
        .flat_map(|(row, (_, things, _))| things.iter().map(move |&thing| (row, thing)))
        .collect();
    each_variant(|variant| {
        let things = variant.game.visit(Things);
        unused.retain(|&(row, start)| {
            let fits = IMPOSSIBLE[row].0.iter().any(|name| variant.name.starts_with(name.trim_end_matches('=')));
            !(fits && things.iter().any(|thing| thing.starts_with(start)))
        });
    });
    assert!(unused.is_empty(), "{unused:?}");
}
