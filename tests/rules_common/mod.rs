//! What the tests of the rules share: hands laid out by hand, tricks dictated card by card, matches played to their end.
#![allow(dead_code)]

pub mod whist;

use std::path::Path;

use overtrick::arena::{DealRecord, Overrides, Tournament, replay};
use overtrick::cards::{Card, CardSet, Luck, Stream};
use overtrick::game::{Game, IllegalMove, Move, Setup, Standing, State, View};
use overtrick::games::Variant;
use overtrick::input::Source;
use overtrick::strategies::Bot;
use overtrick::table::{Place, Seat};

/// The four places that can be hands.
pub const HANDS: [Place; 4] = [Place::Hand0, Place::Hand1, Place::Hand2, Place::Hand3];

/// The card of a text.
pub fn card(text: &str) -> Card {
    text.parse().unwrap()
}

/// The cards of a text.
pub fn cards(text: &str) -> CardSet {
    text.parse().unwrap()
}

/// A stream of random numbers of the test's own.
pub fn luck(purpose: &str, number: u64) -> Stream {
    Luck::new(1979, purpose, "rules").stream(number, 0)
}

/// Deal `number` of the test's own.
pub fn deal<G: Game>(game: &G, dealer: Seat, number: u64) -> State<G::Public> {
    game.deal(Setup { dealer, last_deal: false }, &mut luck(G::NAME, number))
}

/// Sweeps the cards of `hands` to the place `aside` and gives each of `hands` the cards named, which must be among those swept.
/// Who sits where, who decides and what is exposed stay as the game laid them out.
pub fn arrange<P>(state: &mut State<P>, aside: Place, hands: &[(Place, &str)]) {
    let table = &mut state.table;
    for &(hand, _) in hands {
        table.shift(table.at(hand), hand, aside);
    }
    for &(hand, text) in hands {
        assert!((cards(text) - table.at(aside)).is_empty(), "{text} is not among {}", table.at(aside));
        table.shift(cards(text), aside, hand);
    }
}

/// Lets one trick be played for which every hand gets just one card, in the order of play; every card is legal then. The hands must
/// be empty, and the cards may have been played before: what comes of tricks does not depend on which cards won them.
pub fn dictate<G: Game>(game: &G, state: &mut State<G::Public>, plays: &[(Place, Card)]) {
    for &(hand, card) in plays {
        state.table.lay(hand, CardSet::of(card));
    }
    for &(hand, card) in plays {
        assert_eq!(state.table.hand_to_move(), hand, "out of turn");
        game.try_move(state, Move::card(card)).unwrap_or_else(|error| panic!("{card}: {error}"));
    }
}

/// Plays these cards, one after the other, by whoever's turn it is.
pub fn play<G: Game>(game: &G, state: &mut State<G::Public>, texts: &str) {
    for text in texts.split_whitespace() {
        game.try_move(state, Move::card(card(text))).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

/// Tries a card that must be refused, and sees that nothing changed.
pub fn refused<G: Game>(game: &G, state: &mut State<G::Public>, text: &str) -> IllegalMove {
    let before = *state;
    let error = game.try_move(state, Move::card(card(text))).expect_err(text);
    assert!(*state == before, "the refused {text} left a trace");
    error
}

/// The game under these rules, in TOML.
pub fn game<G: Game>(rules: &str) -> G {
    G::new(toml::from_str(rules).unwrap()).unwrap()
}

/// Makes these moves, in text form and parted by commas, by whoever's turn it is.
pub fn say<G: Game>(game: &G, state: &mut State<G::Public>, texts: &str) {
    for text in texts.split(", ") {
        let chosen = game.read_move(state, text).unwrap_or_else(|| panic!("{text} is no move here"));
        game.try_move(state, chosen).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

/// Tries a move, in text form, that must be refused, sees that nothing changed and gives the rule that the refusal names.
pub fn refused_move<G: Game>(game: &G, state: &State<G::Public>, text: &str) -> &'static str {
    let chosen = game.read_move(state, text).unwrap_or_else(|| panic!("{text} is no move here"));
    let mut tried = *state;
    let error = game.try_move(&mut tried, chosen).expect_err(text);
    assert!(tried == *state, "the refused {text} left a trace");
    assert!(error.why.starts_with(text), "{error}");
    error.rule
}

/// The texts of the legal moves, cards first.
pub fn legal_texts<G: Game>(game: &G, state: &State<G::Public>) -> Vec<String> {
    game.legal(state).iter().map(|chosen| game.move_text(state, chosen).unwrap()).collect()
}

/// What each seat sees of the cards at a place.
pub fn seen<G: Game>(game: &G, state: &State<G::Public>, place: Place) -> Vec<CardSet> {
    let standing = Standing::default();
    Seat::all(game.layout().seats).map(|seat| View::new(game, state, &standing, seat).cards(place)).collect()
}

/// How each seat knows the last call: `None` if it only knows that there was one.
pub fn last_call<G: Game>(game: &G, state: &State<G::Public>) -> Vec<Option<Move>> {
    let standing = Standing::default();
    let known = |seat| View::new(game, state, &standing, seat).calls().last().expect("somebody has called").1;
    Seat::all(game.layout().seats).map(known).collect()
}

/// Plays at random to the end, calling `each` before every move.
pub fn play_out<G: Game>(
    game: &G,
    state: &mut State<G::Public>,
    luck: &mut Stream,
    mut each: impl FnMut(&State<G::Public>),
) {
    while !game.is_over(state) {
        each(state);
        let legal = game.legal(state);
        let chosen = legal.iter().nth(luck.below(u64::from(legal.len())) as usize).expect("there is a legal move");
        game.try_move(state, chosen).expect("a legal move is accepted");
    }
}

/// The seat whose own hand this is.
pub fn owner(hand: Place) -> Seat {
    Seat::new(hand.index())
}

/// The variant with these rules, TOML over the preset `base`.
pub fn variant(base: &str, rules: &str) -> Result<Variant, String> {
    let text = format!("name = \"tested\"\nbase = {base:?}\n[rules]\n{rules}");
    let source = Source::parse(Path::new("tested.toml"), text).unwrap();
    Variant::from_table(&source, &[], source.table()).map_err(|error| error.to_string())
}

/// Matches of random bots under these rules, as a tournament plays them: the records of each.
pub fn matches(base: &str, rules: &str, count: u64) -> Vec<Vec<DealRecord>> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("matches.toml");
    let bots = ["a", "b", "c"].map(|name| format!("[[bots]]\nname = {name:?}\nstrategy = \"random\"\n")).concat();
    let variant = format!("[[variants]]\nname = \"tested\"\nbase = {base:?}\n[variants.rules]\n{rules}\n");
    std::fs::write(&file, format!("seed = 3\nunit = \"match\"\nmatches = 1\n{variant}{bots}")).unwrap();
    let tournament = Tournament::read(&file, Overrides::default()).unwrap();
    let seats = tournament.variants[0].game.layout().seats;
    let bots: Vec<Bot> = tournament.bots[..seats].to_vec();
    (0..count).map(|number| replay(&tournament, 0, number, &bots, false)).collect()
}

/// The places by totals: how many have more.
pub fn by_totals(totals: &[i32]) -> Vec<u8> {
    totals.iter().map(|own| totals.iter().filter(|other| *other > own).count() as u8).collect()
}

/// Checks that the deals of a match follow one another: the dealer moves on by one, and totals carry over.
pub fn assert_deals_follow(records: &[DealRecord], first_dealer: usize) {
    let seats = records[0].scores.len();
    let mut totals = vec![0; seats];
    for (number, record) in records.iter().enumerate() {
        assert_eq!(record.dealer.index(), (first_dealer + number) % seats, "deal {number}");
        assert_eq!(record.totals_before, totals);
        totals.iter_mut().zip(&record.scores).for_each(|(total, score)| *total += score);
        assert_eq!(record.totals_after, totals);
        assert_eq!(record.places.is_some(), number + 1 == records.len(), "deal {number} of {}", records.len());
    }
}

/// Checks a match to a target: it ends with the first deal after which somebody has reached it and, where a shared lead calls for
/// another deal, leads alone.
pub fn assert_ends_at_target(records: &[DealRecord], target: i32, extra_deals: bool) {
    for (number, record) in records.iter().enumerate() {
        let best = *record.totals_after.iter().max().unwrap();
        let leaders = record.totals_after.iter().filter(|&&total| total == best).count();
        let ends = best >= target && (leaders == 1 || !extra_deals);
        assert_eq!(ends, number + 1 == records.len(), "{:?} in deal {number}", record.totals_after);
    }
}
