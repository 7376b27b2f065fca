//! Duties beyond following suit: refusals, real rules of play, and the exact knowledge that plays give.

use overtrick_cards::table::{Place, Seat, Table};
use overtrick_cards::{Card, CardSet, SeedSource, Stream};
use overtrick_game::{Game, Infer, Move, Setup, Standing, State, View};
use overtrick_language::{DeclaredGame, DeclaredPublic};

use crate::random_games::{ChiSquare, check_contract};
use crate::same_game::choose;
use crate::wrong_games::{make, refused};

/// The duties of some real games.
const SCHNAPSEN: &str = "must = [\"follow\", \"trump\", \"beat\"]";
const PREFERENCE: &str = "must = [\"follow\", \"trump\"]";
const BRISCOLA: &str = "must = []";
const TAROT: &str = "must = [\"follow\", \"trump\", \"beat-if-trump\"]";
const BELOTE: &str = "must = [\"follow\", \"trump\", \"beat-if-trump\"]\npartner-wins = \"free-if-void\"";
const MANILLE: &str = "must = [\"follow\", \"beat\"]\npartner-wins = \"free\"";

fn stream(purpose: &str, number: u64) -> Stream {
    SeedSource::new(47, purpose, "").stream(number, 0)
}

/// Returns a game for four with these duties, with hearts as trumps and partners.
fn with_duties(duties: &str) -> DeclaredGame {
    make(&format!(
        "[seats]\nplayers = 4\npartners = \"opposite\"\n[deal]\nhand = 3\n[deck]\nranks = \"9TJQKA\"\n\
         [trumps]\nsuit = \"H\"\n[play]\n{duties}\n[[score.row]]\npoints = \"mine(tricks)\""
    ))
    .unwrap()
}

fn cards(text: &str) -> CardSet {
    text.split(' ').map(|card| card.parse::<Card>().unwrap()).collect()
}

/// Returns the state after some plays, led by the first hand.
fn after(game: &DeclaredGame, hands: [&str; 4], plays: &str) -> State<DeclaredPublic> {
    let mut places = [CardSet::EMPTY; Place::COUNT];
    for (place, hand) in places.iter_mut().zip(hands) {
        *place = cards(hand);
    }
    let mut table = Table::laid(4, Seat::Seat3, &places);
    table.give_turn(Place::Hand0);
    let public = game.deal(Setup::single(game, 0, false), &mut stream("duties", 0)).public;
    let mut state = State { table, public };
    for play in plays.split_whitespace() {
        game.play(&mut state, Move::card(play.parse().unwrap())).unwrap();
    }
    state
}

/// Checks the cards that the next hand may play.
#[track_caller]
fn may_play(duties: &str, hands: [&str; 4], plays: &str, wanted: &str) {
    let game = with_duties(duties);
    let legal = game.legal(&after(&game, hands, plays)).card_set();
    assert_eq!(legal, cards(wanted), "{duties}, after {plays}: {legal}");
}

#[test]
fn a_hand_that_cannot_follow_must_trump_or_not() {
    // The second hand has no club, and the trumps are hearts.
    let hands = ["9C TC 9D", "TH QH AS", "JC QC 9S", "9H JH AD"];
    for duties in [SCHNAPSEN, PREFERENCE, TAROT, BELOTE, MANILLE] {
        may_play(duties, hands, "9C", "TH QH");
    }
    may_play(BRISCOLA, hands, "9C", "TH QH AS");
    may_play("", hands, "9C", "TH QH AS");
    // The fourth has no club, and an opponent wins by the ten of hearts.
    let hands = ["9C TC 9D", "JC QC 9S", "TH QH AS", "9H JH AD"];
    for duties in [SCHNAPSEN, TAROT, BELOTE, MANILLE] {
        may_play(duties, hands, "9C JC TH", "JH");
    }
    may_play(PREFERENCE, hands, "9C JC TH", "9H JH");
    // Where it cannot beat the queen, it must play a lower trump, but not in Manille.
    for duties in [SCHNAPSEN, PREFERENCE, TAROT, BELOTE] {
        may_play(duties, hands, "9C JC QH", "9H JH");
    }
    may_play(MANILLE, hands, "9C JC QH", "9H JH AD");
}

#[test]
fn a_hand_that_can_follow_must_beat_or_not() {
    let hands = ["JC TC 9D", "TH 9C AC", "QC KC 9S", "9H JH AD"];
    for duties in [SCHNAPSEN, MANILLE] {
        may_play(duties, hands, "JC", "AC");
    }
    for duties in [PREFERENCE, TAROT, BELOTE] {
        may_play(duties, hands, "JC", "9C AC");
    }
    may_play(BRISCOLA, hands, "JC", "TH 9C AC");
    may_play("must = [\"beat\"]", hands, "JC", "TH AC");
    may_play("must = [\"beat\"]", hands, "JC TH", "QC KC 9S");
    // In a trick of trumps, all but Preference ask for a higher one.
    let hands = ["JH TC 9D", "TH 9H QH", "KH AH 9S", "9C AC AD"];
    for duties in [SCHNAPSEN, TAROT, BELOTE, MANILLE] {
        may_play(duties, hands, "JH", "QH");
    }
    may_play(PREFERENCE, hands, "JH", "TH 9H QH");
    // A card of the suit led cannot beat a trump.
    let hands = ["9C TC 9D", "TH QH AS", "JC QC 9S", "9H JH AD"];
    may_play(SCHNAPSEN, hands, "9C TH", "JC QC");
}

#[test]
fn a_partner_who_wins_frees_as_the_key_says() {
    // The first hand's king wins, and its partner can follow.
    let hands = ["KC TC 9D", "9C TH QH", "QC AC 9S", "9H JH AD"];
    may_play(MANILLE, hands, "KC 9C", "QC AC");
    may_play("must = [\"follow\", \"beat\"]\npartner-wins = \"free-if-void\"", hands, "KC 9C", "AC");
    may_play(SCHNAPSEN, hands, "KC 9C", "AC");
    // The partner cannot follow.
    let hands = ["KC TC 9D", "9C TH QH", "KH AH 9S", "9H JH AD"];
    for duties in [BELOTE, MANILLE] {
        may_play(duties, hands, "KC 9C", "KH AH 9S");
    }
    may_play(TAROT, hands, "KC 9C", "KH AH");
    // A partner's trump in a trick of trumps is beaten in Belote, and not in Manille.
    let hands = ["QH TC 9D", "9H TH 9C", "KH JH 9S", "QC JC AD"];
    may_play(BELOTE, hands, "QH 9H", "KH");
    may_play(MANILLE, hands, "QH 9H", "KH JH");
    // An opponent took over.
    let hands = ["QC TC 9D", "KC TH 9H", "AC 9C 9S", "QH JC AD"];
    may_play(MANILLE, hands, "QC KC", "AC");
}

/// A joker that leads sets no suit, and every card beats it.
#[test]
fn a_card_that_sets_no_suit_obliges_to_nothing() {
    let game = make(
        "[seats]\nplayers = 4\n[deal]\nhand = 3\n[deck]\nranks = \"9TJQKA\"\njokers = 1\n[trumps]\nsuit = \"H\"\n\
         [play]\nmust = [\"follow\", \"trump\", \"beat\"]",
    )
    .unwrap();
    let hands = ["BJ TC 9D", "9C TH QH", "KH AC 9S", "9H JH AD"];
    assert_eq!(game.legal(&after(&game, hands, "BJ")).card_set(), cards("9C TH QH"));
    assert_eq!(game.legal(&after(&game, hands, "BJ 9C")).card_set(), cards("AC"));
    assert_eq!(game.legal(&after(&game, hands, "BJ 9C AC")).card_set(), cards("9H JH"));
    // Nor does it win a trick, or follow suit.
    let hands = ["TC KC 9D", "9C BJ QH", "KH AC 9S", "9H JH AD"];
    assert_eq!(game.legal(&after(&game, hands, "TC")).card_set(), cards("9C"));
}

#[test]
fn a_refusal_names_the_duty() {
    let hands = ["JC TC 9D", "TH 9C AC", "9S AS TS", "9H JH AD"];
    let refusal = |duties: &str, plays: &str, card: &str| {
        let game = with_duties(duties);
        let error = game.play(&mut after(&game, hands, plays), Move::card(card.parse().unwrap())).unwrap_err();
        format!("{}: {}", error.rule, error.why)
    };
    assert_eq!(refusal(SCHNAPSEN, "JC", "TH"), "play.must: TH does not follow suit to JC, and the hand can");
    assert_eq!(refusal(SCHNAPSEN, "JC", "9C"), "play.must: 9C does not beat JC, and the hand can");
    assert_eq!(refusal(SCHNAPSEN, "JC AC 9S", "AD"), "play.must: AD is no trump, and the hand has one");
    assert_eq!(refusal("must = [\"beat\"]", "JC TH AS", "9H"), "play.must: 9H does not beat TH, and the hand can");
    assert_eq!(refusal(SCHNAPSEN, "JC", "KD"), "play: KD is not in the hand that is to play");
    assert_eq!(refusal(BRISCOLA, "JC", "KD"), "play: KD is not in the hand that is to play");
    // Bars come after the duties.
    let barred = "must = []\n[[play.bar]]\ncards = \"*C\"";
    assert_eq!(refusal(barred, "", "JC"), "play.bar 1: JC may not be played");
    assert_eq!(refusal(barred, "9D", "AC"), "play.bar 1: AC may not be played");
}

#[test]
fn wrong_duties_are_refused() {
    let play = |keys: &str| format!("[seats]\nplayers = 4\n[play]\n{keys}");
    let sides = |keys: &str| format!("[seats]\nplayers = 4\npartners = \"opposite\"\n[play]\n{keys}");
    refused(&play("must = [\"folow\"]"), "t.toml:7: `play.must`: unknown choice `folow`");
    refused(&play("must = \"follow\""), "t.toml:7: `play.must`: ");
    refused(&play("must = [\"beat\", \"beat\"]"), "t.toml:7: `play.must`: has \"beat\" twice; leave one out");
    refused(
        &play("must = [\"beat\", \"follow\"]"),
        "t.toml:7: `play.must`: has \"follow\" after \"beat\"; put it first",
    );
    refused(
        &play("must = [\"trump\"]"),
        "t.toml:7: `play.must`: has \"trump\" for hands that cannot follow suit; put \"follow\" first",
    );
    refused(
        &play("must = [\"follow\", \"beat\", \"beat-if-trump\"]"),
        "t.toml:7: `play.must`: has \"beat\" and \"beat-if-trump\", of which the first covers the other; leave one out",
    );
    refused(
        &play("must = [\"follow\", \"beat\"]\npartner-wins = \"free\""),
        "t.toml:8: `play.partner-wins`: does nothing without partners; set `seats.partners`",
    );
    refused(
        &sides("partner-wins = \"free\""),
        "t.toml:8: `play.partner-wins`: does nothing without a duty after \"follow\"; add one to `must` or leave it out",
    );
    refused(
        &sides("must = [\"beat\"]\npartner-wins = \"free-if-void\""),
        "t.toml:9: `play.partner-wins`: is for hands that cannot follow suit; put \"follow\" first in `must`",
    );
    assert!(make(&play("must = []")).is_ok());
}

/// Returns a game with twelve to sixteen cards, so that all worlds can be listed.
fn small(duties: &str, more: &str) -> DeclaredGame {
    let partners = if duties.contains("partner-wins") { "opposite" } else { "none" };
    make(&format!(
        "[deck]\nranks = \"JQKA\"\n[seats]\nplayers = 4\npartners = \"{partners}\"\n[deal]\nhand = 3\n\
         [trumps]\nsuit = \"H\"\n{more}\n[play]\n{duties}\n[[score.row]]\npoints = \"mine(tricks)\""
    ))
    .unwrap()
}

const ALL: [&str; 7] = [SCHNAPSEN, PREFERENCE, BRISCOLA, TAROT, BELOTE, MANILLE, "must = [\"beat-if-trump\"]"];

#[test]
fn worlds_are_all_deals_in_which_each_play_was_legal_and_equally_likely() {
    let mut test = ChiSquare::default();
    for duties in ALL {
        test.add(&small(duties, ""), 4);
        test.add(&small(&format!("{duties}\n[[play.bar]]\ncards = \"A*\"\nwhen = \"lead\""), "snap = true"), 3);
    }
    test.check(200);
}

#[test]
fn views_and_legal_moves_show_nothing_hidden() {
    for duties in ALL {
        assert!(check_contract(&small(duties, ""), 6) > 50, "{duties}");
    }
}

/// A card that does not follow suit shows a void only where players must follow.
#[test]
fn plays_show_more_and_less_than_voids() {
    let standing = Standing::default();
    let mut narrowed = 0;
    for number in 0..40 {
        for (duties, shows_voids) in [(BRISCOLA, false), (SCHNAPSEN, true)] {
            let game = small(duties, "");
            let mut state = game.deal(Setup::single(&game, number, false), &mut stream("shown", number));
            let mut rng = stream("moves", number);
            while !game.is_over(&state) {
                let view = View::new(&game, &state, &standing, state.table.seat_to_move());
                let out = view.shown_out();
                assert!(shows_voids || out.iter().all(|cards| cards.is_empty()));
                for hand in [Place::Hand0, Place::Hand1, Place::Hand2, Place::Hand3] {
                    let known = view.unseen() - game.may_lie(&view, hand) - out[hand.index()];
                    assert!(shows_voids || known.is_empty());
                    narrowed += usize::from(!known.is_empty());
                }
                let made = choose(&game, &state, &mut rng);
                game.play(&mut state, made).unwrap();
            }
        }
    }
    assert!(narrowed > 50, "{narrowed}");
}

/// The solver knows plain tricks alone.
#[test]
fn other_duties_have_no_sides_for_the_solver() {
    for (duties, has_sides) in [("", true), ("must = [\"follow\"]", true), (PREFERENCE, false), (BRISCOLA, false)] {
        let game = with_duties(duties);
        let state = game.deal(Setup::single(&game, 0, false), &mut stream("sides", 0));
        assert_eq!(game.sides(&state).is_some(), has_sides, "{duties}");
    }
}
