//! Partners: sides of two, their scores, and the card turned up from the dealer's hand.

use overtrick_cards::table::{Place, Seat};
use overtrick_cards::{Card, CardSet, Rank, SeedSource, Suit};
use overtrick_game::{Describe, Game, Infer, Setup, State};
use overtrick_language::{DeclaredGame, DeclaredPublic};

use crate::same_game::{choose, shipped};
use crate::wrong_games::{make, refused};

const PARTNERS: &str = "[seats]\npartners = \"opposite\"\n";

fn deal(game: &DeclaredGame, number: u64) -> State<DeclaredPublic> {
    game.deal(Setup::single(game, number, false), &mut SeedSource::new(47, "partners", "").stream(number, 0))
}

/// Plays a deal at random to its end, and shows each state to `at`.
fn play_out(game: &DeclaredGame, number: u64, mut at: impl FnMut(&State<DeclaredPublic>)) -> State<DeclaredPublic> {
    let mut rng = SeedSource::new(47, "partners' moves", "").stream(number, 0);
    let mut state = deal(game, number);
    while !game.is_over(&state) {
        at(&state);
        let made = choose(game, &state, &mut rng);
        game.play_unchecked(&mut state, made);
    }
    state
}

#[test]
fn partners_score_the_same_by_side_and_by_seat() {
    let score = |score: &str| make(&format!("{PARTNERS}{score}")).unwrap();
    let by_side = score("[score]\n[[score.row]]\npoints = \"mine(tricks)\"");
    let by_seat = score("[score]\nby = \"seat\"\n[[score.row]]\npoints = \"tricks\"");
    let lowered = score("[score]\nby = \"seat\"\nhighest = 6\n[[score.row]]\npoints = \"tricks\"");
    assert!(by_side.layout().partners && by_seat.layout().partners);
    assert_eq!((by_side.score_range(), by_seat.score_range(), lowered.score_range()), (0..=13, 0..=13, 0..=6));
    for number in 0..40 {
        let over = play_out(&by_side, number, |_| ());
        let won = |seat: usize| i32::from(over.table.tricks_won(Place::ALL[seat % 4]));
        let wanted = [0, 1, 2, 3].map(|seat| won(seat) + won(seat + 2));
        assert_eq!(by_side.scores(&over).into_array(), wanted);
        assert_eq!(by_seat.scores(&over).into_array(), wanted);
        assert_eq!(lowered.scores(&over).into_array(), wanted.map(|points| points.min(6)));
    }
}

#[test]
fn rows_of_sides_may_name_values_of_a_seat_only_in_sums() {
    let row = |row: &str| format!("{PARTNERS}[score]\n{row}");
    for differing in [
        "[[score.row]]\npoints = \"tricks\"",
        "[[score.row]]\nwhen = \"dealer\"",
        "let = [\"own = tricks + 1\"]\n[[score.row]]\npoints = \"own\"",
        "[[score.row]]\npoints = \"same(tricks)\"",
        "[[score.row]]\npoints = \"if mine(tricks) > 6 then tricks else 0\"",
    ] {
        let key = if differing.contains("when") { "when" } else { "points" };
        let found = make(&row(differing)).err().unwrap();
        assert!(found.contains(&format!("`score.row #1.{key}`: differs between partners")), "{found}");
    }
    for same in [
        "[[score.row]]\npoints = \"mine(tricks) - others(tricks) + best(tricks) + count(tricks > 3)\"",
        "let = [\"own = mine(tricks)\"]\n[[score.row]]\nwhen = \"own = 13 and any(dealer)\"\npoints = \"same(own)\"",
        "[[score.row]]\nfor = \"dealer\"\npoints = 3",
    ] {
        make(&row(same)).unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn a_row_for_the_dealer_is_for_the_side() {
    let game = make(&format!("{PARTNERS}[[score.row]]\nfor = \"dealer\"\npoints = 3")).unwrap();
    let over = play_out(&game, 1, |_| ());
    assert_eq!(game.scores(&over).into_array(), [0, 3, 0, 3]);
    let game = make(&format!("{PARTNERS}[score]\nby = \"seat\"\n[[score.row]]\nfor = \"dealer\"\npoints = 3")).unwrap();
    assert_eq!(game.scores(&over).into_array(), [0, 3, 0, 3]);
}

#[test]
fn wrong_partners_are_refused() {
    refused(
        "[seats]\nplayers = 3\npartners = \"opposite\"",
        "t.toml:6: `seats.partners`: face each other at a table of 4, and this is one of 3; leave out `partners`",
    );
    refused("[score]\nby = \"seat\"\n[[score.row]]", "t.toml:5: `score.by`: does nothing without partners; set");
    refused("[trumps]\nsuit = \"turned\"", "t.toml:5: `trumps.suit`: is that of a card turned up; set `deal.turn-up`");
    refused(
        "[deck]\njokers = 1\n[deal]\nhand = 13\nturn-up = \"next\"\n[trumps]\nsuit = \"turned\"",
        "t.toml:10: `trumps.suit`: is decided in each deal, and that takes a deck with four suits and without",
    );
    refused(
        "[deal]\nhand = 13\nturn-up = \"dealers-last\"\n[trumps]\nsuit = \"rounds\"\nrounds = [{ call = \"x\" }]",
        "t.toml:6: `deal.turn-up`: lies in a hand, and trumps are made with a card of the table; set \"next\"",
    );
}

#[test]
fn the_dealers_last_card_is_seen_by_all_and_stays_in_the_hand() {
    let game = shipped("whist");
    let mut trumps = [0; 4];
    for number in 0..100 {
        let dealt = deal(&game, number);
        let turned = dealt.public.turned().expect("a card is turned up");
        let dealer = Place::hand(dealt.table.dealer());
        assert!(dealt.table.at(dealer).contains(turned) && dealt.table.at(dealer).len() == 13);
        for seat in Seat::ALL {
            let shown = if Place::hand(seat) == dealer { dealt.table.at(dealer) } else { CardSet::of(turned) };
            assert_eq!(dealt.table.seen_at(dealer, seat), shown);
        }
        let suit = turned.suit().unwrap();
        trumps[suit as usize] += 1;
        assert_eq!(game.trumps(&dealt), CardSet::suit(suit));
        let led = Suit::ALL.into_iter().find(|led| *led != suit).map(|led| Card::new(Rank::Ace, led)).unwrap();
        let order = game.order(&dealt).unwrap();
        assert!(order.strength(led, turned) > order.strength(led, led));
        assert_eq!(game.remarks(&dealt, number), [format!("the dealer's {turned} is turned up")]);
        assert_eq!(game.public_extras(&dealt.public).up_card, Some(turned));
        assert!(game.asides(&dealt, &dealt).is_empty());
        play_out(&game, number, |state| {
            let opened = game.opening(state, &mut SeedSource::new(1, "", "").stream(0, 0)).unwrap();
            assert_eq!(opened, dealt);
        });
    }
    assert!(trumps.iter().all(|deals| *deals > 10), "{trumps:?}");
}

/// The card that is turned up is any card of the deck, equally often.
#[test]
fn the_dealers_last_card_is_any_card() {
    let game = shipped("whist");
    let mut counts = [0_u32; 64];
    for number in 0..5_200 {
        counts[deal(&game, number).public.turned().unwrap().index()] += 1;
    }
    let square = |count: &u32| (f64::from(*count) - 100.0).powi(2) / 100.0;
    let chi: f64 = counts.iter().filter(|count| **count > 0).map(square).sum();
    assert_eq!(counts.iter().filter(|count| **count > 0).count(), 52);
    // The 99.9% point of chi-square with 51 degrees of freedom is 87.97.
    assert!(chi < 87.97, "{chi}");
}

#[test]
fn the_sides_of_the_solver_are_known_where_only_their_tricks_count() {
    let game = shipped("whist");
    let sides = game.sides(&deal(&game, 0)).expect("whist is a game of two sides");
    assert_eq!((sides.declarers, sides.to_lose), ([true, false, true, false], false));
    let with = |row: &str| make(&format!("{PARTNERS}[[score.row]]\npoints = \"{row}\"")).unwrap();
    assert!(with("mine(tricks)").sides(&deal(&game, 0)).is_some());
    for other in
        ["13 - mine(tricks)", "best(tricks)", "if mine(tricks) = 6 then 9 else mine(tricks)", "mine(tricks * tricks)"]
    {
        let game = with(other);
        assert_eq!(game.sides(&deal(&game, 0)), None, "{other}");
    }
}
