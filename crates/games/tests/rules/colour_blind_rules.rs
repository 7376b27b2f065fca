//! Tests of Colour-blind for three and for two, rule by rule (docs/rules/colour-blind.md).
//!
//! Each test is named after the rule that it shows. Scores, matches and options have a separate file.

use overtrick_cards::table::{Place, Seat};
use overtrick_cards::{Card, CardSet, Deck};
use overtrick_game::{Game, Move, Standing, State, View};
use overtrick_games::colour_blind::{ColourBlind, ColourBlindRules, LastRowCard, ROW, ROW_LAST, Row, Strip, pile};

use crate::fixtures::rules::{arrange, card, cards, deal, dictate, owner, play, play_out, refused, rng};

const P0: Place = Place::Hand0;
const P1: Place = Place::Hand1;
const P2: Place = Place::Hand2;

fn three() -> ColourBlind {
    ColourBlind::new(ColourBlindRules::default()).unwrap()
}

fn two(strip: Strip, last_row_card: LastRowCard) -> ColourBlind {
    ColourBlind::new(ColourBlindRules { players: 2, strip, last_row_card, ..ColourBlindRules::default() }).unwrap()
}

fn all_for_two() -> [ColourBlind; 4] {
    [
        two(Strip::Middle, LastRowCard::Unused),
        two(Strip::Middle, LastRowCard::LastTrick),
        two(Strip::Courts, LastRowCard::Unused),
        two(Strip::Courts, LastRowCard::LastTrick),
    ]
}

/// Makes a deal of the last seat, so that seat 0 leads, in which the hands hold exactly these cards.
///
/// It is the first deal without these cards in its row. The other cards go to a place that is unused with
/// this number of players.
fn hands(game: &ColourBlind, texts: &[&str]) -> State<Row> {
    let seats = game.layout().seats;
    let aside = if seats == 3 { ROW_LAST } else { P2 };
    let wanted = cards(&texts.join(" "));
    let state = (0..).map(|number| deal(game, Seat::new(seats - 1), number)).find(|state| {
        let dealt = Seat::all(seats).fold(CardSet::EMPTY, |all, seat| all | state.table.at(Place::hand(seat)));
        wanted.is_subset(dealt)
    });
    let mut state = state.expect("deals without end");
    let hands: Vec<(Place, &str)> = [P0, P1, P2].into_iter().zip(texts.iter().copied()).collect();
    arrange(&mut state, aside, &hands);
    state
}

/// Returns the player, in order of play, who wins a trick of these cards.
fn winner(game: &ColourBlind, texts: &str) -> usize {
    let mut state = hands(game, &texts.split(' ').collect::<Vec<_>>());
    play(game, &mut state, texts);
    assert_eq!(state.table.tricks_played(), 1);
    state.table.hand_to_move().index()
}

/// Returns the position of the winning card by CB6 and CB7: the highest of any suit, and the last of equals.
fn by_the_book(plays: &[Card]) -> usize {
    (0..plays.len()).max_by_key(|&at| (plays[at].rank(), at)).unwrap()
}

/// Compares every trick of cards of the game's pack, in every order, with the rules.
fn every_trick(game: &ColourBlind) {
    let seats = game.layout().seats;
    let mut empty = deal(game, Seat::new(seats - 1), 0);
    let all: Vec<Card> = game.layout().deck.cards().iter().collect();
    arrange(&mut empty, if seats == 3 { ROW_LAST } else { P2 }, &[(P0, ""), (P1, ""), (P2, "")][..seats]);
    // Tricks of two players have no third card, so one placeholder stands for it.
    let third = if seats == 3 { all.clone() } else { vec![Card::NONE] };
    for &first in &all {
        for &second in all.iter().filter(|&&second| second != first) {
            for &third in third.iter().filter(|&&third| third != first && third != second) {
                let plays = &[(P0, first), (P1, second), (P2, third)][..seats];
                let mut state = empty;
                dictate(game, &mut state, plays);
                let wins = by_the_book(&[first, second, third][..seats]);
                assert_eq!(state.table.hand_to_move(), plays[wins].0, "{plays:?}");
            }
        }
    }
}

/// Plays at random to the end, and returns the winner of each trick.
fn winners(game: &ColourBlind, state: &mut State<Row>, number: u64) -> Vec<Seat> {
    play_out(game, state, &mut rng("winners", number), |_| {});
    state.table.tricks().iter().map(|trick| owner(trick.winner.unwrap())).collect()
}

#[test]
fn cb1_three_hands_of_thirteen_and_a_row_of_thirteen() {
    let game = three();
    assert_eq!((game.layout().seats, game.layout().deck), (3, Deck::Full52));
    let state = deal(&game, Seat::Seat0, 0);
    let places = [P0, P1, P2, ROW];
    assert_eq!(places.map(|place| state.table.at(place).len()), [13; 4]);
    let all = places.into_iter().fold(CardSet::EMPTY, |all, place| all | state.table.at(place));
    assert_eq!(all, Deck::Full52.cards());
}

#[test]
fn cb2_everybody_knows_the_row_and_its_order() {
    let game = three();
    let (state, standing) = (deal(&game, Seat::Seat0, 1), Standing::default());
    for seat in Seat::THREE {
        let view = View::new(&game, &state, &standing, seat);
        let in_order: CardSet = view.public().cards().iter().copied().collect();
        assert_eq!((in_order.len(), view.cards(ROW)), (13, in_order));
        // Only the hands of the two others are unknown.
        assert_eq!(view.unseen().len(), 26);
        assert!((view.unseen() & (view.own() | in_order)).is_empty());
    }
}

#[test]
fn cb3_the_colour_with_more_row_cards_is_good() {
    let game = three();
    let mut reds_of = [0; 14];
    for number in 0..2000 {
        let row = deal(&game, Seat::Seat0, number).public;
        let is_red = |card: &Card| card.to_string().ends_with(['D', 'H']);
        let reds = row.cards().iter().filter(|card| is_red(card)).count();
        for card in Deck::Full52.cards().iter() {
            assert_eq!(row.good().contains(card), is_red(&card) == (reds >= 7), "{card} with {reds} red");
        }
        reds_of[reds] += 1;
    }
    // Close cases occurred in both directions.
    assert!(reds_of[6] > 100 && reds_of[7] > 100, "{reds_of:?}");
}

#[test]
fn cb4_dealers_left_leads() {
    let game = three();
    let leaders = Seat::THREE.map(|dealer| deal(&game, dealer, 2).table.hand_to_move());
    assert_eq!(leaders, [P1, P2, P0]);
    // The others follow to the left.
    let mut state = hands(&game, &["2C", "3C", "4C"]);
    for hand in [P0, P1, P2] {
        assert_eq!(state.table.hand_to_move(), hand);
        let next = game.legal(&state).iter().next().unwrap();
        game.play(&mut state, next).unwrap();
    }
    assert_eq!(state.table.tricks_played(), 1);
}

#[test]
fn cb5_follow_suit_is_enforced() {
    let game = three();
    let mut state = hands(&game, &["3C", "5C KC AS 3D", "4C AH"]);
    play(&game, &mut state, "3C");
    assert_eq!(game.legal(&state).card_set(), cards("5C KC"));
    for text in ["AS", "3D"] {
        let error = refused(&game, &mut state, text);
        assert_eq!(error.rule, "CB5");
        assert!(error.to_string().contains("CB5") && error.why.contains("follow suit to 3C"), "{error}");
    }
    play(&game, &mut state, "KC");
    assert_eq!(refused(&game, &mut state, "AH").rule, "CB5");
}

#[test]
fn cb5_a_hand_that_cannot_follow_plays_anything() {
    let game = three();
    let mut state = hands(&game, &["3C", "AS 3D 9H", "4C AH"]);
    play(&game, &mut state, "3C");
    assert_eq!(game.legal(&state).card_set(), cards("AS 3D 9H"));
    play(&game, &mut state, "AS");
    // The card led must be followed, not the last card played.
    assert_eq!(game.legal(&state).card_set(), cards("4C"));
}

#[test]
fn cb6_highest_card_of_any_suit_wins() {
    let game = three();
    assert_eq!(winner(&game, "TC JS QD"), 2);
    assert_eq!(winner(&game, "TC AS QC"), 1);
    assert_eq!(winner(&game, "AC KS 2C"), 0);
    // Aces are high here, although they count 1.
    assert_eq!(winner(&game, "2C AD KC"), 1);
}

#[test]
fn cb7_of_equally_high_cards_the_last_wins() {
    let game = three();
    assert_eq!(winner(&game, "TC TS 4D"), 1);
    assert_eq!(winner(&game, "TC 4D TS"), 2);
    assert_eq!(winner(&game, "4C TD TS"), 2);
    assert_eq!(winner(&game, "TC TD TS"), 2);
    assert_eq!(winner(&game, "TC TH TD"), 2);
    // Equal cards below the highest do not matter.
    assert_eq!(winner(&game, "KC TD TS"), 0);
}

#[test]
fn cb6_and_cb7_hold_in_every_trick_of_three_cards() {
    every_trick(&three());
}

#[test]
fn cb8_the_winner_takes_the_next_row_card_and_leads() {
    let game = three();
    for number in 0..30 {
        let mut state = deal(&game, Seat::new(number as usize % 3), number);
        let row = *state.public.cards();
        let mut won = [CardSet::EMPTY; 3];
        let mut last = 0;
        play_out(&game, &mut state, &mut rng("cb8", number), |state| {
            let tricks = state.table.tricks_played();
            if tricks > last {
                last = tricks;
                let leader = owner(state.table.hand_to_move());
                assert_eq!(state.table.tricks()[tricks - 1].winner, Some(Place::hand(leader)));
                won[leader.index()] = won[leader.index()] | CardSet::of(row[tricks - 1]);
            }
            assert_eq!(state.table.at(ROW), row[last..].iter().copied().collect());
            for (seat, won) in Seat::THREE.into_iter().zip(won) {
                // The cards lie face up before the winner, so all seats see them.
                assert!(Seat::THREE.into_iter().all(|other| state.table.seen_at(pile(seat), other) == won));
            }
        });
        assert!(state.table.at(ROW).is_empty());
        assert_eq!(Seat::THREE.map(|seat| state.table.at(pile(seat)).len()).iter().sum::<u32>(), 13);
    }
}

#[test]
fn cb9_the_cards_of_tricks_belong_to_nobody() {
    let game = three();
    let mut state = deal(&game, Seat::Seat0, 5);
    let row: CardSet = state.public.cards().iter().copied().collect();
    winners(&game, &mut state, 5);
    // Only the row still lies on the table. The 39 cards played count for no player.
    assert_eq!((state.table.cards(), state.table.plays().len()), (row, 39));
}

#[test]
fn cb15_sevens_eights_and_nines_are_left_out_or_else_the_courts() {
    let clubs = |game: &ColourBlind| {
        let of_suit = |suit: char| {
            let of_pack = game.layout().deck.cards().iter().map(|card| card.to_string());
            of_pack.filter(|text| text.ends_with(suit)).map(|text| text[..1].to_owned()).collect::<String>()
        };
        assert!(['D', 'H', 'S'].iter().all(|&suit| of_suit(suit) == of_suit('C')));
        of_suit('C')
    };
    let ranks = all_for_two().each_ref().map(clubs);
    assert_eq!(ranks, ["23456TJQKA", "23456TJQKA", "23456789TA", "23456789TA"]);
    assert_eq!(ColourBlindRules::default().strip, Strip::Middle);
}

#[test]
fn cb15_the_cards_that_are_left_keep_their_order() {
    let [middle, _, courts, _] = all_for_two();
    for (game, ranks) in [(middle, "23456TJQKA"), (courts, "23456789TA")] {
        for pair in ranks.as_bytes().windows(2) {
            let [low, high] = [0, 1].map(|at| char::from(pair[at]));
            assert_eq!(winner(&game, &format!("{low}C {high}C")), 1);
            assert_eq!(winner(&game, &format!("{high}C {low}C")), 0);
        }
    }
}

#[test]
fn cb16_thirteen_each_and_thirteen_of_fourteen_row_cards_face_up() {
    for game in all_for_two() {
        assert_eq!(game.layout().seats, 2);
        let (state, standing) = (deal(&game, Seat::Seat0, 3), Standing::default());
        assert_eq!([P0, P1, P2, ROW, ROW_LAST].map(|place| state.table.at(place).len()), [13, 13, 0, 13, 1]);
        for seat in Seat::all(2) {
            let view = View::new(&game, &state, &standing, seat);
            assert_eq!((view.cards(ROW).len(), view.count(ROW_LAST)), (13, 1));
            assert!(view.cards(ROW_LAST).is_empty());
            // The last card may be any unseen card.
            assert_eq!(view.unseen(), state.table.at(Place::hand(seat.left(1, 2))) | state.table.at(ROW_LAST));
        }
    }
}

#[test]
fn cb17_the_face_up_cards_alone_make_a_colour_good() {
    let red = |card: &Card| card.suit().unwrap().is_red();
    for game in all_for_two() {
        let mut level = 0;
        for number in 0..400 {
            let state = deal(&game, Seat::Seat0, number);
            let reds = state.public.cards().iter().filter(|card| red(card)).count();
            assert_eq!(state.public.good().contains(card("AH")), reds >= 7);
            assert_eq!(state.public.good().contains(card("AS")), reds <= 6);
            let last = state.table.at(ROW_LAST).first().unwrap();
            level += usize::from(reds + usize::from(red(&last)) == 7);
        }
        // With the last card it would have been seven of each colour.
        assert!(level > 50, "{level}");
    }
}

#[test]
fn cb18_by_default_the_last_card_is_not_taken_nor_seen() {
    assert_eq!(ColourBlindRules::default().last_row_card, LastRowCard::Unused);
    for game in [two(Strip::Middle, LastRowCard::Unused), two(Strip::Courts, LastRowCard::Unused)] {
        let mut state = deal(&game, Seat::Seat0, 4);
        let last = state.table.at(ROW_LAST);
        winners(&game, &mut state, 4);
        assert_eq!(state.table.at(ROW_LAST), last);
        let standing = Standing::default();
        assert!(Seat::all(2).all(|seat| View::new(&game, &state, &standing, seat).cards(ROW_LAST).is_empty()));
        assert_eq!(Seat::all(2).map(|seat| state.table.at(pile(seat)).len()).sum::<u32>(), 13);
    }
}

#[test]
fn cb19_the_last_card_may_go_to_the_winner_of_the_last_trick() {
    for game in [two(Strip::Middle, LastRowCard::LastTrick), two(Strip::Courts, LastRowCard::LastTrick)] {
        let mut won_by = [0; 2];
        for number in 0..40 {
            let mut state = deal(&game, Seat::new(number as usize % 2), number);
            let (row, last) = (*state.public.cards(), state.table.at(ROW_LAST));
            play_out(&game, &mut state, &mut rng("winners", number), |state| {
                // It is hidden from both until the last trick is over.
                assert!(Seat::all(2).all(|seat| state.table.seen_at(ROW_LAST, seat).is_empty()));
                assert_eq!(state.table.at(ROW_LAST), last);
            });
            let winner = owner(state.table.tricks()[12].winner.unwrap());
            won_by[winner.index()] += 1;
            // The winner takes two cards with that trick, and both seats see them.
            let two = last.with(row[12]);
            assert!(Seat::all(2).all(|seat| two.is_subset(state.table.seen_at(pile(winner), seat))));
            assert!(state.table.at(ROW_LAST).is_empty());
        }
        assert!(won_by.iter().all(|&deals| deals > 0));
    }
}

#[test]
fn cb20_the_non_dealer_leads_to_tricks_of_two() {
    for game in all_for_two() {
        let leaders = [Seat::Seat0, Seat::Seat1].map(|dealer| deal(&game, dealer, 6).table.hand_to_move());
        assert_eq!(leaders, [P1, P0]);
        let mut state = deal(&game, Seat::Seat1, 7);
        assert_eq!(winners(&game, &mut state, 7).len(), 13);
        assert!(state.table.tricks().iter().all(|trick| trick.plays.len() == 2));
    }
}

#[test]
fn cb20_of_two_equals_the_second_wins() {
    for game in all_for_two() {
        assert_eq!(winner(&game, "TC TD"), 1);
        assert_eq!(winner(&game, "TD TC"), 1);
        every_trick(&game);
    }
}

#[test]
fn nothing_is_ever_called() {
    let game = three();
    play_out(&game, &mut deal(&game, Seat::Seat0, 8), &mut rng("calls", 0), |state| {
        assert_eq!(game.legal(state).call_bits(), 0);
        assert!(game.play(&mut state.clone(), Move::call(0)).is_err());
    });
}
