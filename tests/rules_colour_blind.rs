//! Colour-blind, rule by rule: each test is named after the number of the rule that it shows (docs/rules/colour-blind.md).

mod common;

use overtrick::cards::{Card, CardSet, Suit};
use overtrick::game::{Ending, Game, Move, RuleSet, Setup, Standing, State, TieRule, View};
use overtrick::games::colour_blind::{ColourBlind, ColourBlindRules, LastRowCard, ROW, ROW_LAST, Row, Strip, pile};
use overtrick::table::{Place, Seat};

fn three() -> ColourBlind {
    ColourBlind::new(ColourBlindRules::default()).unwrap()
}

fn two(strip: Strip, last_row_card: LastRowCard) -> ColourBlind {
    ColourBlind::new(ColourBlindRules { players: 2, strip, last_row_card, ..ColourBlindRules::default() }).unwrap()
}

fn all_for_two() -> Vec<ColourBlind> {
    let lasts = [LastRowCard::Unused, LastRowCard::LastTrick];
    let strips = [Strip::Middle, Strip::Courts];
    strips.into_iter().flat_map(|strip| lasts.map(|last| two(strip, last))).collect()
}

fn card(text: &str) -> Card {
    text.parse().unwrap()
}

fn deal(game: &ColourBlind, dealer: Seat, number: u64) -> State<Row> {
    game.deal(Setup { dealer, last_deal: false }, &mut common::stream("colour-blind rules", number))
}

fn red(card: Card) -> bool {
    card.suit().unwrap().is_red()
}

/// Plays at random, calling `after` with each trick's number, its winner and the state.
fn play_out(game: &ColourBlind, state: &mut State<Row>, number: u64, mut after: impl FnMut(usize, Seat, &State<Row>)) {
    let mut luck = common::stream("colour-blind play", number);
    while !game.is_over(state) {
        let before = state.table.tricks_played();
        let chosen = Move::card(luck.card(game.legal(state).card_set()));
        game.try_move(state, chosen).unwrap();
        if state.table.tricks_played() > before {
            let winner = state.table.tricks().last().unwrap().winner.unwrap();
            after(before, Seat::new(winner.index()), state);
        }
    }
}

/// The hand whose card wins, by the words of the rules: highest of any suit, of equals the last.
fn by_the_book(plays: &[(Place, Card)]) -> Place {
    let mut best = plays[0];
    for &play in &plays[1..] {
        if play.1.rank() >= best.1.rank() {
            best = play;
        }
    }
    best.0
}

#[test]
fn cb1_thirteen_cards_each_and_thirteen_in_the_row() {
    let game = three();
    let state = deal(&game, Seat::Seat0, 0);
    let places = [Place::Hand0, Place::Hand1, Place::Hand2, ROW];
    assert_eq!(places.map(|place| state.table.at(place).len()), [13; 4]);
    assert!(state.table.at(ROW_LAST).is_empty());
}

#[test]
fn cb2_everybody_sees_the_row_and_its_order() {
    let game = three();
    let state = deal(&game, Seat::Seat0, 1);
    for seat in Seat::ALL {
        let standing = Standing::default();
        let view = View::new(&game, &state, &standing, seat);
        let row: CardSet = view.public().cards().iter().copied().collect();
        assert_eq!((view.cards(ROW), row.len()), (row, 13));
        assert_eq!(view.unseen().len(), 26);
    }
}

#[test]
fn cb3_the_good_colour_is_the_one_the_row_has_more_of() {
    let game = three();
    let mut seen = [false; 2];
    for number in 0..100 {
        let row = deal(&game, Seat::Seat0, number).public;
        let reds = row.cards().iter().filter(|&&card| red(card)).count();
        assert!(row.cards().iter().all(|&card| row.good().contains(card) == (red(card) == (reds > 6))));
        seen[usize::from(reds > 6)] = true;
    }
    assert_eq!(seen, [true; 2]);
}

#[test]
fn cb4_dealers_left_leads() {
    let game = three();
    for dealer in Seat::ALL {
        assert_eq!(deal(&game, dealer, 2).table.hand_to_move(), Place::hand(dealer.left(1, 3)));
    }
}

#[test]
fn cb5_suit_must_be_followed() {
    let game = three();
    let mut refused = 0;
    for number in 0..20 {
        let mut state = deal(&game, Seat::Seat0, number);
        let lead = game.legal(&state).iter().next().unwrap();
        game.try_move(&mut state, lead).unwrap();
        let suit = CardSet::suit(lead.as_card().unwrap().suit().unwrap());
        let hand = state.table.at(state.table.hand_to_move());
        if (hand & suit).is_empty() {
            assert_eq!(game.legal(&state).card_set(), hand);
            continue;
        }
        for wrong in (hand - suit).iter() {
            let before = state;
            let error = game.try_move(&mut state, Move::card(wrong)).unwrap_err();
            assert_eq!((error.rule, state == before), ("CB5", true));
            refused += 1;
        }
    }
    assert!(refused > 100);
}

#[test]
fn cb6_the_highest_card_of_any_suit_wins_and_cb7_of_equals_the_last() {
    let (mut off_suit, mut equals) = (0, 0);
    for (game, number) in (0..60).map(|number| (three(), number)) {
        let mut state = deal(&game, Seat::Seat0, number);
        play_out(&game, &mut state, number, |trick, winner, state| {
            let played = &state.table.tricks()[trick].plays;
            let plays: Vec<(Place, Card)> = played.iter().map(|play| (play.hand, play.card)).collect();
            assert_eq!(Place::hand(winner), by_the_book(&plays));
            let best = plays.iter().map(|(_, card)| card.rank()).max().unwrap();
            let winning = plays.iter().find(|(hand, _)| *hand == Place::hand(winner)).unwrap().1;
            off_suit += usize::from(winning.suit() != plays[0].1.suit());
            equals += usize::from(plays.iter().filter(|(_, card)| card.rank() == best).count() > 1);
        });
    }
    assert!(off_suit > 20 && equals > 20, "{off_suit} {equals}");
}

#[test]
fn cb8_the_winner_takes_the_next_row_card_and_leads() {
    let game = three();
    for number in 0..20 {
        let mut state = deal(&game, Seat::Seat1, number);
        let row = *state.public.cards();
        play_out(&game, &mut state, number, |trick, winner, state| {
            assert!(state.table.at(pile(winner)).contains(row[trick]));
            assert_eq!(state.table.at(ROW).len() as usize, 12 - trick);
            assert_eq!(state.table.hand_to_move(), Place::hand(winner));
        });
        assert!(state.table.at(ROW).is_empty());
    }
}

#[test]
fn cb10_and_cb11_good_cards_count_for_and_bad_ones_against_but_never_below_zero() {
    let value = |card: Card| match &card.to_string()[..1] {
        "A" => 1,
        "T" => 10,
        "J" => 11,
        "Q" => 12,
        "K" => 13,
        pip => pip.parse::<i32>().unwrap(),
    };
    let (mut floored, mut positive) = (0, 0);
    for game in std::iter::once(three()).chain(all_for_two()) {
        for number in 0..60 {
            let mut state = deal(&game, Seat::Seat0, number);
            let row = state.public;
            play_out(&game, &mut state, number, |_, _, _| {});
            for seat in Seat::all(game.layout().seats) {
                let won = state.table.at(pile(seat));
                let count: i32 =
                    won.iter().map(|card| if row.good().contains(card) { value(card) } else { -value(card) }).sum();
                assert_eq!(game.scores(&state)[seat], count.max(0));
                floored += usize::from(count < 0);
                positive += usize::from(count > 0);
            }
        }
    }
    assert!(floored > 50 && positive > 50);
}

#[test]
fn cb11_an_option_lets_scores_go_below_zero() {
    let rules = ColourBlindRules { lowest_score: -2000, ..ColourBlindRules::default() };
    let game = ColourBlind::new(rules).unwrap();
    let lowest = (0..50).map(|number| {
        let mut state = deal(&game, Seat::Seat0, number);
        play_out(&game, &mut state, number, |_, _, _| {});
        *game.scores(&state).0.iter().min().unwrap()
    });
    let lowest = lowest.min().unwrap();
    assert!(lowest < 0 && game.score_range().contains(&lowest));
}

#[test]
fn cb13_and_cb14_a_match_goes_to_100_and_a_shared_lead_to_another_deal() {
    assert_eq!(three().ending(), Ending::Target { points: 100, ties: TieRule::HighestThenExtraDeal });
}

#[test]
fn cb15_for_two_the_pack_has_40_cards_in_the_same_order() {
    let middle = two(Strip::Middle, LastRowCard::Unused);
    let courts = two(Strip::Courts, LastRowCard::Unused);
    let ranks = |game: &ColourBlind| {
        let clubs = game.layout().deck.cards() & CardSet::suit(Suit::Clubs);
        clubs.sorted().iter().map(|card| card.to_string().remove(0)).collect::<String>()
    };
    assert_eq!((ranks(&middle), ranks(&courts)), ("AKQJT65432".into(), "AT98765432".into()));
    for game in [middle, courts] {
        let order = game.order(&deal(&game, Seat::Seat0, 0)).unwrap().clone();
        let clubs = game.layout().deck.cards() & CardSet::suit(Suit::Clubs);
        let strengths: Vec<u8> = clubs.iter().map(|card| order.strength(card, card)).collect();
        assert!(strengths.is_sorted());
    }
}

#[test]
fn cb16_for_two_thirteen_of_the_fourteen_row_cards_are_face_up() {
    for game in all_for_two() {
        let state = deal(&game, Seat::Seat0, 3);
        assert_eq!([ROW, ROW_LAST].map(|place| state.table.at(place).len()), [13, 1]);
        let standing = Standing::default();
        for seat in Seat::all(2) {
            let view = View::new(&game, &state, &standing, seat);
            assert_eq!(view.cards(ROW).len(), 13);
            assert!(view.cards(ROW_LAST).is_empty() && view.count(ROW_LAST) == 1);
            // The opponent's hand and the last card.
            assert_eq!(view.unseen().len(), 14);
        }
    }
}

#[test]
fn cb17_the_good_colour_is_decided_by_the_face_up_cards_alone() {
    let game = two(Strip::Middle, LastRowCard::LastTrick);
    let mut level = 0;
    for number in 0..300 {
        let state = deal(&game, Seat::Seat0, number);
        let last = state.table.at(ROW_LAST).first().unwrap();
        let reds = state.public.cards().iter().filter(|&&card| red(card)).count();
        let good_is_red = state.public.good().contains(card("AH"));
        assert_eq!(good_is_red, reds > 6);
        // With the last card counted the colours would sometimes be level.
        level += usize::from(reds + usize::from(red(last)) == 7);
    }
    assert!(level > 30);
}

#[test]
fn cb18_the_last_card_is_not_taken() {
    let game = two(Strip::Middle, LastRowCard::Unused);
    let mut state = deal(&game, Seat::Seat0, 4);
    play_out(&game, &mut state, 4, |_, _, _| {});
    assert_eq!(state.table.at(ROW_LAST).len(), 1);
    assert_eq!(Seat::all(2).map(|seat| state.table.at(pile(seat)).len()).sum::<u32>(), 13);
}

#[test]
fn cb19_the_last_card_may_go_to_the_winner_of_the_last_trick() {
    let (mut good, mut bad) = (0, 0);
    for number in 0..40 {
        let game = two(Strip::Courts, LastRowCard::LastTrick);
        let mut state = deal(&game, Seat::Seat0, number);
        let last = state.table.at(ROW_LAST).first().unwrap();
        let mut winner = Seat::Seat0;
        play_out(&game, &mut state, number, |_, seat, _| winner = seat);
        assert!(state.table.at(ROW_LAST).is_empty());
        assert!(state.table.at(pile(winner)).contains(last));
        // Everybody sees it then.
        let standing = Standing::default();
        let other = winner.left(1, 2);
        assert!(View::new(&game, &state, &standing, other).cards(pile(winner)).contains(last));
        if state.public.good().contains(last) { good += 1 } else { bad += 1 }
    }
    assert!(good > 0 && bad > 0);
}

#[test]
fn cb20_for_two_the_non_dealer_leads_and_equals_go_to_the_second() {
    let mut equals = 0;
    for game in all_for_two() {
        for (number, dealer) in [(5, Seat::Seat0), (6, Seat::Seat1), (7, Seat::Seat0), (8, Seat::Seat1)] {
            let mut state = deal(&game, dealer, number);
            assert_eq!(state.table.hand_to_move(), Place::hand(dealer.left(1, 2)));
            play_out(&game, &mut state, number, |trick, winner, state| {
                let plays = &state.table.tricks()[trick].plays;
                if plays[0].card.rank() == plays[1].card.rank() {
                    assert_eq!(Place::hand(winner), plays[1].hand);
                    equals += 1;
                }
            });
        }
    }
    assert!(equals > 3);
}

#[test]
fn options_that_mean_nothing_are_refused() {
    let refused = |rules: ColourBlindRules| rules.validate().unwrap_err().to_string();
    let standard = ColourBlindRules::default;
    assert!(refused(ColourBlindRules { strip: Strip::Courts, ..standard() }).starts_with("`strip`"));
    let last = ColourBlindRules { last_row_card: LastRowCard::LastTrick, ..standard() };
    assert!(refused(last).starts_with("`last-row-card`"));
    assert_eq!(refused(ColourBlindRules { players: 4, ..standard() }), "`players` is 4; it runs from 2 to 3");
    let third = overtrick::game::FirstDealer::Seat2;
    assert!(refused(ColourBlindRules { players: 2, first_dealer: third, ..standard() }).starts_with("`first-dealer`"));
}

#[test]
fn every_count_changes_what_its_cards_are_worth() {
    let row = deal(&three(), Seat::Seat0, 0).public;
    let worth = |game: &ColourBlind, text: &str| game.worth(&row, card(text)).abs();
    let rules = ColourBlindRules {
        ace_count: 14,
        jack_count: 20,
        queen_count: 30,
        king_count: 40,
        ..ColourBlindRules::default()
    };
    let game = ColourBlind::new(rules).unwrap();
    assert_eq!(["AH", "JH", "QH", "KH", "TH", "2H"].map(|text| worth(&game, text)), [14, 20, 30, 40, 10, 2]);
    assert_eq!(["AH", "JH", "QH", "KH", "TH", "2H"].map(|text| worth(&three(), text)), [1, 11, 12, 13, 10, 2]);
}
