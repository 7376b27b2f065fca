//! Orders of cards from files equal those of the games in Rust.

use std::path::Path;

use overtrick_cards::{Card, CardSet, Order, Suit};
use overtrick_game::{Game, Setup, State};
use overtrick_games::chameleon::{Chameleon, ChameleonRules};
use overtrick_games::colour_blind::{ColourBlind, ColourBlindRules};
use overtrick_games::dumbo::{Dumbo, DumboRules};
use overtrick_games::euchre::{Euchre, EuchreRules};
use overtrick_games::whist::{DummyWhist, WhistRules};
use overtrick_language::compile::{DeckOfGame, Resolver, TrumpSource, order_with, trump_source};
use overtrick_language::source::GameFile;

/// Returns whether the same cards follow and the same cards win. The numbers of strengths may differ.
fn is_same_order(one: &Order, other: &Order, cards: CardSet) -> bool {
    let compared = |order: &Order, led: Card, a: Card, b: Card| {
        let (a, b) = (order.strength(led, a), order.strength(led, b));
        (a.cmp(&b), a == 0)
    };
    cards.iter().all(|led| {
        one.follow(led) & cards == other.follow(led) & cards
            && cards.iter().all(|a| cards.iter().all(|b| compared(one, led, a, b) == compared(other, led, a, b)))
    })
}

/// Reads the deck and the order of a file with these keys.
fn read(keys: &str) -> Result<(CardSet, Order), String> {
    let text = format!("game = \"test\"\nabout = \"a test\"\nsource = \"none\"\n{keys}");
    let file = GameFile::parse(Path::new("t.toml"), text).map_err(|error| error.to_string())?;
    let values = file.defaults();
    let resolver = Resolver { file: &file, values: &values };
    let deck = DeckOfGame::of(&resolver).map_err(|error| error.to_string())?;
    let source = trump_source(&resolver).map_err(|error| error.to_string())?;
    let TrumpSource::Fixed(trump) = source else { panic!("{keys}") };
    let order = order_with(&resolver, &deck, trump).map_err(|error| error.to_string())?;
    Ok((deck.cards, order))
}

#[track_caller]
fn agree(keys: &str, cards: CardSet, order: &Order) {
    let (deck, own) = read(keys).unwrap_or_else(|error| panic!("{keys}: {error}"));
    assert_eq!(deck, cards, "{keys}");
    assert!(is_same_order(&own, order, cards), "{keys}");
    // The comparison is sharp: other orders differ.
    let (_, other) = read("[trumps]\nsuit = \"C\"\ntop = \"AD\"").unwrap();
    assert!(!is_same_order(&other, order, cards), "{keys}");
}

/// Returns the order that is in force when a deal of a game without calls begins.
fn order_at_once<G: Game>(game: &G) -> &Order {
    let mut rng = overtrick_cards::SeedSource::new(1, "test", "orders").stream(0, 0);
    let state: State<G::Public> = game.deal(Setup::default(), &mut rng);
    game.order(&state).unwrap()
}

/// Runs `check` with the letter of each suit.
fn each_suit(mut check: impl FnMut(Suit)) {
    Suit::ALL.into_iter().for_each(&mut check);
}

#[test]
fn orders_of_dumbo() {
    for snapping in [true, false] {
        let game = Dumbo::new(DumboRules { snapping, ..DumboRules::default() }).unwrap();
        agree(&format!("[trumps]\nsnap = {snapping}"), game.layout().deck.cards(), order_at_once(&game));
    }
}

#[test]
fn orders_of_colour_blind() {
    for (rules, deck) in [
        ("", ""),
        ("players = 2", "without = \"7* 8* 9*\""),
        ("players = 2", "ranks = \"23456TJQKA\""),
        ("players = 2\nstrip = \"JQK\"", "without = \"J* Q* K*\""),
    ] {
        let game = ColourBlind::new(rules_of::<ColourBlindRules>(rules)).unwrap();
        let keys = format!("[deck]\n{deck}\n[trumps]\ncompete = \"all\"");
        agree(&keys, game.layout().deck.cards(), order_at_once(&game));
    }
}

/// Reads rules that differ from the defaults.
fn rules_of<R: serde::de::DeserializeOwned>(text: &str) -> R {
    toml::from_str(text).unwrap()
}

#[test]
fn orders_of_euchre() {
    for (deck, ranks) in [(32, "789TJQKA"), (24, "9TJQKA")] {
        let game = Euchre::new(EuchreRules { deck, ..EuchreRules::default() }).unwrap();
        each_suit(|suit| {
            let keys = format!("[deck]\nranks = \"{ranks}\"\n[trumps]\nsuit = \"{}\"\ntop = \"J. J~\"", suit.letter());
            agree(&keys, game.layout().deck.cards(), game.order_of(suit));
        });
    }
}

#[test]
fn orders_of_dummy_whist() {
    let game = DummyWhist::new(rules_of::<WhistRules>("jokers = true")).unwrap();
    let cards = game.layout().deck.cards();
    for (downtown, ranks) in [(false, "23456789TJQKA"), (true, "KQJT98765432A")] {
        let deck = format!("[deck]\njokers = 2\nranks = \"{ranks}\"\n");
        each_suit(|suit| {
            let keys = format!("{deck}[trumps]\nsuit = \"{}\"\ntop = \"BJ LJ\"", suit.letter());
            agree(&keys, cards, game.order_of(Some(suit), downtown));
        });
        agree(&deck, cards, game.order_of(None, downtown));
    }
}

#[test]
fn orders_of_chameleon() {
    let game = Chameleon::new(ChameleonRules::default()).unwrap();
    let cards = game.layout().deck.cards();
    each_suit(|suit| {
        let keys = format!("[deck]\nranks = \"789TJQKA\"\n[trumps]\nsuit = \"{}\"", suit.letter());
        agree(&keys, cards, game.order_of(Some(suit)));
    });
    agree("[deck]\nranks = \"789TJQKA\"", cards, game.order_of(None));
}

#[test]
fn jacks_may_be_a_suit_and_suits_may_have_other_ranks() {
    let card = |text: &str| text.parse::<Card>().unwrap();
    let (deck, order) = read("[deck]\nranks = \"789QKTAJ\"\n[trumps]\ntop = \"JC JS JH JD\"").unwrap();
    assert_eq!((order.follow(card("JD")) & deck).to_string(), "JS JH JD JC");
    assert_eq!((order.follow(card("7D")) & deck).to_string(), "AD KD QD TD 9D 8D 7D");
    let wins = |led: &str, one: &str, other: &str| {
        let [led, one, other] = [led, one, other].map(card);
        order.strength(led, one) > order.strength(led, other)
    };
    assert!(wins("7D", "TD", "KD") && wins("7D", "JD", "AD") && wins("JD", "JC", "JS") && wins("JD", "JD", "AD"));
    let (_, order) =
        read("[deck]\nsuit-ranks = { H = \"A23456789TJQK\" }\n[trumps]\nsuit = \"S\"\nranks = \"K23456789TJQA\"")
            .unwrap();
    let stronger = |led: &str, one: &str, other: &str| {
        let [led, one, other] = [led, one, other].map(card);
        order.strength(led, one) > order.strength(led, other)
    };
    assert!(stronger("5H", "2H", "AH") && stronger("5D", "AD", "2D") && stronger("5D", "2S", "KS"));
    assert!(stronger("5D", "KS", "AD") && !stronger("5D", "AH", "2D"));
}

#[test]
fn wrong_decks_and_orders_name_the_key() {
    for (keys, message) in [
        (
            "[deck]\nranks = \"AK1\"",
            "t.toml:5: `deck.ranks`: has `1`, which is no rank; write letters of 23456789TJQKA",
        ),
        ("[deck]\nranks = \"AKA\"", "t.toml:5: `deck.ranks`: has A twice; leave one out"),
        ("[deck]\nsuits = \"CX\"", "t.toml:5: `deck.suits`: has `X`, which is no suit; write letters of CDHS"),
        ("[deck]\nsuits = \"\"", "t.toml:5: `deck.suits`: has no suit; write letters of CDHS"),
        (
            "[deck]\nranks = \"89T\"\nwithout = \"7C\"",
            "t.toml:6: `deck.without`: names 7C, which the deck does not have; leave it out",
        ),
        ("[deck]\nwithout = \"**\"", "t.toml:5: `deck.without`: leaves no card; leave some in"),
        ("[deck]\njokers = 3", "t.toml:5: `deck.jokers`: is 3, and must be 0 to 2"),
        ("[deck]\njokers = true", "t.toml:5: `deck.jokers`: is of the wrong kind"),
        ("[deck]\njokers = \"2\"", "t.toml:5: `deck.jokers`: is the text \"2\"; write a number, or \"=NAME\""),
        ("[deck.suit-ranks]\nX = \"AK\"", "t.toml:5: `deck.suit-ranks.X`: has `X`, which is no suit"),
        ("[deck.suit-ranks]\nCD = \"AK\"", "t.toml:5: `deck.suit-ranks.CD`: is no suit; write C, D, H or S"),
        (
            "[deck.suit-ranks]\nC = \"AK\"",
            "t.toml:5: `deck.suit-ranks.C`: leaves out 2, which the deck has; give it a place",
        ),
        (
            "[deck]\nranks = \"AK\"\nsuit-ranks = { C = \"AKQ\" }",
            "t.toml:6: `deck.suit-ranks.C`: has Q, which the deck does not have; leave it out",
        ),
        ("[trumps]\ntop = \"JC JC\"", "t.toml:5: `trumps.top`: has JC twice; leave one out"),
        ("[trumps]\ntop = \"J*\"", "t.toml:5: `trumps.top`: `J*` names several cards, and their order is unknown"),
        ("[trumps]\ntop = \"J.\"", "t.toml:5: `trumps.top`: `J.` refers to a trump suit, and there is none"),
        ("[trumps]\nsuit = \"X\"", "t.toml:5: `trumps.suit`: unknown choice `X`"),
        ("[trumps]\nsuit = 3", "t.toml:5: `trumps.suit`: is of the wrong kind"),
        ("[trumps]\nranks = \"AK\"", "t.toml:5: `trumps.ranks`: is for a trump suit, and there is none"),
        (
            "[trumps]\nsuit = \"S\"\nsnap = true\ntop = \"2H 3H 4H 5H 6H\"",
            "t.toml:7: `trumps.top`: has 32 strengths in a trick, and 31 fit; shorten `top` or the ranks",
        ),
        (
            "[trumps]\nsnap = true\ncompete = \"all\"",
            "t.toml:5: `trumps.snap`: does nothing where cards of all suits compete",
        ),
    ] {
        let found = read(keys).err().unwrap_or_else(|| panic!("{keys}"));
        assert!(found.starts_with(message), "{keys}\n{found}\n{message}");
    }
}
