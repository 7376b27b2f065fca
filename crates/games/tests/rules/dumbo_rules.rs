//! Tests of Dumbo's deal and play, rule by rule (docs/rules/dumbo.md).
//!
//! Each test is named after the rule that it shows. The score and the match have separate files.

use overtrick_cards::table::{Place, Seat};
use overtrick_cards::{Card, CardSet, Deck};
use overtrick_game::{Game, Move, Standing, State, View};
use overtrick_games::dumbo::{DUMBO, Dumbo, DumboExposed, DumboRules, snaps};

use crate::fixtures::rules;
use crate::fixtures::rules::{HANDS, arrange, cards, deal, dictate, matches, owner, play, play_out, refused, rng};

const P0: Place = Place::Hand0;
const P1: Place = Place::Hand1;
const P2: Place = Place::Hand2;
/// A place that Dumbo does not use.
const ASIDE: Place = Place::Pile4;

fn dumbo() -> Dumbo {
    Dumbo::new(DumboRules::default()).unwrap()
}

fn exposed(dumbo_exposed: DumboExposed) -> Dumbo {
    Dumbo::new(DumboRules { dumbo_exposed, ..DumboRules::default() }).unwrap()
}

/// Returns the circle of a dealer, in order of play, by the words of DU5.
fn circle(dealer: Seat) -> [Place; 4] {
    match dealer.index() {
        0 => [P0, P1, DUMBO, P2],
        1 => [P1, P2, DUMBO, P0],
        _ => [P2, P0, DUMBO, P1],
    }
}

/// Makes a deal of seat 0 in which the hands, in order of play, hold exactly these cards.
fn hands(game: &Dumbo, texts: [&str; 4]) -> State<()> {
    let mut state = deal(game, Seat::Seat0, 0);
    let [dealer, left, dumbo, right] = texts;
    arrange(&mut state, ASIDE, &[(P0, dealer), (P1, left), (DUMBO, dumbo), (P2, right)]);
    state
}

/// Returns the winner of a trick of these cards, in order of play.
///
/// 0 is the dealer, 1 the player to the dealer's left, 2 Dumbo, and 3 the player to the dealer's right.
fn winner(texts: &str) -> usize {
    winner_under(&dumbo(), texts)
}

fn winner_under(game: &Dumbo, texts: &str) -> usize {
    let split: Vec<&str> = texts.split(' ').collect();
    let mut state = hands(game, split.clone().try_into().unwrap());
    play(game, &mut state, texts);
    let won = circle(Seat::Seat0).map(|hand| state.table.tricks_won(hand));
    assert_eq!(won.iter().sum::<u8>(), 1);
    won.iter().position(|&n| n == 1).unwrap()
}

/// Returns the position of the winning card, by the words of DU13 to DU19.
///
/// That is the last card of the rank led, otherwise the highest card of the suit led.
fn by_the_book(plays: [Card; 4]) -> usize {
    let led = plays[0];
    let snap = (1..4).rev().find(|&at| plays[at].rank() == led.rank());
    let follows = (0..4).filter(|&at| plays[at].suit() == led.suit());
    snap.unwrap_or_else(|| follows.max_by_key(|&at| plays[at].rank()).unwrap())
}

/// Returns how many of Dumbo's cards the three seats see before the first lead, after it, and after Dumbo's
/// play.
///
/// Seat 1 deals.
fn sights(game: &Dumbo) -> [[u32; 3]; 3] {
    let (mut state, standing) = (deal(game, Seat::Seat1, 7), Standing::default());
    [0, 1, 3].map(|plays| {
        while state.table.plays().len() < plays {
            let next = game.legal(&state).iter().next().unwrap();
            game.play(&mut state, next).unwrap();
        }
        Seat::THREE.map(|seat| View::new(game, &state, &standing, seat).cards(DUMBO).len())
    })
}

#[test]
fn du1_three_players_share_one_pack_of_52() {
    let game = dumbo();
    assert_eq!((game.layout().seats, game.layout().deck), (3, Deck::Full52));
    let state = deal(&game, Seat::Seat0, 0);
    let all = HANDS.into_iter().fold(CardSet::EMPTY, |all, hand| all | state.table.at(hand));
    assert_eq!(all, Deck::Full52.cards());
}

#[test]
fn du2_ace_high_two_low_and_no_trumps() {
    let suits = ["C", "D", "H", "S"];
    let ranks: Vec<&str> = "2 3 4 5 6 7 8 9 T J Q K A".split(' ').collect();
    for (number, suit) in suits.into_iter().enumerate() {
        let [one, two] = [1, 2].map(|steps| suits[(number + steps) % 4]);
        for next in ranks.windows(2) {
            let (low, high) = (format!("{}{suit}", next[0]), format!("{}{suit}", next[1]));
            // Aces of other suits are not trumps.
            assert_eq!(winner(&format!("{low} A{one} {high} A{two}")), 2, "{low} {high}");
            assert_eq!(winner(&format!("{low} A{one} A{two} {high}")), 3, "{low} {high}");
        }
    }
}

#[test]
fn du3_four_hands_of_thirteen() {
    let state = deal(&dumbo(), Seat::Seat2, 0);
    assert_eq!(HANDS.map(|hand| state.table.at(hand).len()), [13; 4]);
}

#[test]
fn du4_dumbo_lies_opposite_the_dealer() {
    let game = dumbo();
    for dealer in Seat::THREE {
        let table = deal(&game, dealer, 0).table;
        assert_eq!(table.hands_in_trick(), 4);
        // Two places on, in either direction.
        assert_eq!(table.after(table.after(Place::hand(dealer))), DUMBO);
        assert_eq!(table.after(table.after(DUMBO)), Place::hand(dealer));
    }
}

#[test]
fn du5_dealer_left_dumbo_right() {
    let game = dumbo();
    for dealer in Seat::THREE {
        let mut state = deal(&game, dealer, 1);
        let mut order = Vec::new();
        for _ in 0..4 {
            order.push(state.table.hand_to_move());
            let first = game.legal(&state).iter().next().unwrap();
            game.play(&mut state, first).unwrap();
        }
        assert_eq!(order, circle(dealer));
    }
}

#[test]
fn du6_the_deal_passes_to_the_next_player_and_dumbo_is_laid_opposite_him() {
    for records in matches("dumbo", "end-mode = \"deals\"\nn-deals = 7", 3) {
        rules::assert_deals_follow(&records, 0);
        for record in &records {
            // The dealer leads, and Dumbo plays the third card of the first trick.
            let hands: Vec<&str> = record.tricks[0].plays.iter().map(|(hand, _)| *hand).collect();
            let name = |steps: usize| format!("p{}", (record.dealer.index() + steps) % 3);
            assert_eq!(hands, [&name(0), &name(1), "dummy", &name(2)]);
        }
    }
}

#[test]
fn du7_who_deals_first_is_an_option() {
    for (number, rule) in ["seat-0", "seat-1", "seat-2"].into_iter().enumerate() {
        let rules = format!("first-dealer = {rule:?}\nend-mode = \"deals\"\nn-deals = 4");
        matches("dumbo", &rules, 3).iter().for_each(|records| rules::assert_deals_follow(records, number));
    }
    let random = matches("dumbo", "first-dealer = \"random\"\nend-mode = \"deals\"\nn-deals = 1", 60);
    for seat in Seat::THREE {
        let deals = random.iter().filter(|records| records[0].dealer == seat).count();
        // 20 expected. A number outside 6 to 34 occurs less than once in ten thousand.
        assert!((6..=34).contains(&deals), "seat {} deals first in {deals} of 60", seat.index());
    }
}

#[test]
fn du8_dealer_plays_dumbo() {
    let modes = [DumboExposed::BeforeLead, DumboExposed::AfterLead, DumboExposed::DealerOnly];
    for (number, mode) in modes.into_iter().cycle().take(12).enumerate() {
        let (game, dealer) = (exposed(mode), Seat::new(number / 3 % 3));
        let mut turns = 0;
        play_out(&game, &mut deal(&game, dealer, 2), &mut rng("du8", number as u64), |state| {
            let hand = state.table.hand_to_move();
            let decider = if hand == DUMBO { dealer } else { owner(hand) };
            assert_eq!(state.table.seat_to_move(), decider);
            // They see Dumbo's cards when they choose.
            assert_eq!(state.table.seen_at(hand, decider), state.table.at(hand));
            turns += usize::from(hand == DUMBO);
        });
        assert_eq!(turns, 13);
    }
}

#[test]
fn du9_before_lead_the_default_shows_dumbo_to_all_from_the_start() {
    assert_eq!(DumboRules::default().dumbo_exposed, DumboExposed::BeforeLead);
    assert_eq!(sights(&exposed(DumboExposed::BeforeLead)), [[13; 3], [13; 3], [12; 3]]);
}

#[test]
fn du9_after_lead_shows_dumbo_to_nobody_before_the_first_card_and_to_all_after() {
    assert_eq!(sights(&exposed(DumboExposed::AfterLead)), [[0; 3], [13; 3], [12; 3]]);
}

#[test]
fn du9_dealer_only_shows_dumbo_to_nobody_else() {
    assert_eq!(sights(&exposed(DumboExposed::DealerOnly)), [[0, 13, 0], [0, 13, 0], [0, 12, 0]]);
}

#[test]
fn du9_what_is_not_seen_is_unknown() {
    // A seat does not see the two or three hands that it may not look into.
    for (mode, unseen) in [
        (DumboExposed::BeforeLead, [26, 26, 26]),
        (DumboExposed::AfterLead, [39, 39, 39]),
        (DumboExposed::DealerOnly, [26, 39, 39]),
    ] {
        let game = exposed(mode);
        let (state, standing) = (deal(&game, Seat::Seat0, 3), Standing::default());
        assert_eq!(Seat::THREE.map(|seat| View::new(&game, &state, &standing, seat).unseen().len()), unseen);
    }
}

#[test]
fn du11_dealer_leads_from_his_own_hand() {
    let game = dumbo();
    for dealer in Seat::THREE {
        let state = deal(&game, dealer, 4);
        assert_eq!(state.table.hand_to_move(), Place::hand(dealer));
        assert_eq!(game.legal(&state).card_set(), state.table.at(Place::hand(dealer)));
        let of_dumbo = state.table.at(DUMBO).first().unwrap().to_string();
        assert!(refused(&game, &mut state.clone(), &of_dumbo).why.contains("not in the hand"));
    }
}

#[test]
fn du12_all_see_the_trick_that_they_must_follow() {
    let game = dumbo();
    let mut state = hands(&game, ["3C", "5C", "2C", "4C"]);
    let seen = |state: &State<()>| {
        let standing = Standing::default();
        let trick = |seat| View::new(&game, state, &standing, seat).trick();
        let [one, two, three] = Seat::THREE.map(trick);
        assert!(one == two && two == three);
        one.iter().map(|play| (play.hand, play.card.to_string())).collect::<Vec<_>>()
    };
    assert_eq!(seen(&state), []);
    play(&game, &mut state, "3C 5C");
    let wanted = [(HANDS[0], "3C"), (HANDS[1], "5C")].map(|(hand, card)| (hand, card.to_owned()));
    assert_eq!(seen(&state), wanted);
    play(&game, &mut state, "2C 4C");
    assert_eq!(seen(&state), []);
}

#[test]
fn du12_follow_suit_is_enforced_for_players() {
    let game = dumbo();
    let mut state = hands(&game, ["3C", "5C KC AS 3D", "2C", "4C"]);
    play(&game, &mut state, "3C");
    assert_eq!(game.legal(&state).card_set(), cards("5C KC"));
    for text in ["AS", "3D"] {
        let error = refused(&game, &mut state, text);
        assert_eq!(error.rule, "DU12");
        assert!(error.to_string().contains("DU12") && error.why.contains("follow suit to 3C"), "{error}");
    }
}

#[test]
fn du12_follow_suit_is_enforced_for_dumbo_too() {
    let game = dumbo();
    let mut state = hands(&game, ["3C", "5C", "2C AH 3S", "4C"]);
    play(&game, &mut state, "3C 5C");
    assert_eq!((state.table.hand_to_move(), game.legal(&state).card_set()), (DUMBO, cards("2C")));
    assert_eq!(refused(&game, &mut state, "AH").rule, "DU12");
    assert_eq!(refused(&game, &mut state, "3S").rule, "DU12");
}

#[test]
fn du12_a_hand_that_cannot_follow_plays_anything() {
    let game = dumbo();
    let void = "AH 3S 9D";
    let mut state = hands(&game, ["3C", void, "2D 4S", "4C"]);
    play(&game, &mut state, "3C");
    assert_eq!(game.legal(&state).card_set(), cards(void));
    play(&game, &mut state, "9D");
    // The card led must be followed, not the last card played.
    assert_eq!(game.legal(&state).card_set(), cards("2D 4S"));
}

#[test]
fn du13_highest_of_the_suit_led_wins() {
    assert_eq!(winner("5C 9C TC JC"), 3);
    assert_eq!(winner("AC 9C TC JC"), 0);
    assert_eq!(winner("5C AS AD 6C"), 3);
}

#[test]
fn du14_snap_beats_suit_led() {
    assert_eq!(winner("5C AC KC 5S"), 3);
    assert_eq!(winner("5C 5S KC AC"), 1);
    // An ace snaps, too.
    assert_eq!(winner("AC KC AD QC"), 2);
}

#[test]
fn du14_without_snapping_the_highest_of_the_suit_led_wins() {
    let game = Dumbo::new(DumboRules { snapping: false, ..DumboRules::default() }).unwrap();
    for (texts, winner) in [("5C AC KC 5S", 1), ("5C 5S KC AC", 3), ("5C 5D 5H 5S", 0), ("5C AS AD 6C", 3)] {
        assert_eq!(winner_under(&game, texts), winner, "{texts}");
    }
    // A hand that cannot follow may still play any card, and nothing else changes.
    let mut state = hands(&game, ["5C", "5S 9D", "KC", "2C"]);
    play(&game, &mut state, "5C");
    assert_eq!(game.legal(&state).card_set(), cards("5S 9D"));
    play(&game, &mut state, "5S KC 2C");
    assert_eq!(state.table.tricks_won(DUMBO), 1);
}

#[test]
fn du15_followers_do_not_snap_each_other() {
    assert_eq!(winner("5C KS 2C KH"), 0);
    assert_eq!(winner("5C 9C 9S 9H"), 1);
    // A card of the rank that is winning does not snap, either.
    assert_eq!(winner("5C KC KS 2C"), 1);
}

#[test]
fn du16_a_snap_is_legal_only_for_a_hand_that_cannot_follow() {
    let game = dumbo();
    let mut legal_snaps = 0;
    for number in 0..60 {
        let mut state = deal(&game, Seat::Seat0, number);
        play_out(&game, &mut state, &mut rng("du16", number), |state| {
            let led = state.table.led();
            if led == Card::NONE {
                return;
            }
            let hand = state.table.at(state.table.hand_to_move());
            assert!(snaps(led).iter().all(|snap| snap.rank() == led.rank() && snap.suit() != led.suit()));
            if !(game.legal(state).card_set() & snaps(led)).is_empty() {
                assert!(hand.iter().all(|held| held.suit() != led.suit()));
                legal_snaps += 1;
            }
        });
    }
    assert!(legal_snaps > 100);
}

#[test]
fn du17_a_snap_wins_even_if_nobody_wants_it() {
    // Each hand has one card. The snap of the dealer's right wins the trick.
    assert_eq!(winner("2C AC KC 2D"), 3);
}

#[test]
fn du18_a_snap_need_not_be_played() {
    let game = dumbo();
    let mut state = hands(&game, ["5C", "5S 9D", "KC", "2C"]);
    play(&game, &mut state, "5C");
    assert_eq!(game.legal(&state).card_set(), cards("5S 9D"));
    play(&game, &mut state, "9D KC 2C");
    assert_eq!(state.table.tricks_won(DUMBO), 1);
}

#[test]
fn du19_last_snap_wins() {
    assert_eq!(winner("5C 5D 5H AC"), 2);
    assert_eq!(winner("5C 5H AC 5D"), 3);
    // With three snaps, their order counts, not their suits.
    for order in ["5D 5H 5S", "5S 5H 5D", "5H 5S 5D"] {
        assert_eq!(winner(&format!("5C {order}")), 3, "{order}");
    }
}

#[test]
fn du13_to_du19_hold_in_tricks_of_any_four_cards() {
    let game = dumbo();
    let mut rng = rng("four cards", 0);
    let mut empty = deal(&game, Seat::Seat0, 0);
    arrange(&mut empty, ASIDE, &HANDS.map(|hand| (hand, "")));
    let mut with_snaps = [0; 4];
    for _ in 0..60_000 {
        let mut pack = Deck::Full52.cards();
        let plays: [Card; 4] = std::array::from_fn(|_| {
            let next = rng.card(pack);
            pack -= CardSet::of(next);
            next
        });
        let mut state = empty;
        let in_order = circle(Seat::Seat0);
        dictate(&game, &mut state, &std::array::from_fn::<_, 4, _>(|at| (in_order[at], plays[at])));
        assert_eq!(state.table.hand_to_move(), in_order[by_the_book(plays)], "{plays:?}");
        with_snaps[plays[1..].iter().filter(|play| play.rank() == plays[0].rank()).count()] += 1;
    }
    // Three snaps occur once in 22100 tricks.
    assert!(with_snaps.iter().all(|&tricks| tricks > 0), "{with_snaps:?}");
}

#[test]
fn du20_nobody_has_to_say_snap() {
    let game = dumbo();
    for number in 0..20 {
        play_out(&game, &mut deal(&game, Seat::Seat0, number), &mut rng("du20", number), |state| {
            // There is no call to make.
            assert_eq!(game.legal(state).call_bits(), 0);
            assert!(game.play(&mut state.clone(), Move::call(0)).is_err());
        });
    }
}

#[test]
fn du21_winner_leads() {
    let game = dumbo();
    for number in 0..40 {
        let dealer = Seat::new(number as usize % 3);
        let mut state = deal(&game, dealer, number);
        play_out(&game, &mut state, &mut rng("du21", number), |_| {});
        let (mut leader, order) = (Place::hand(dealer), circle(dealer));
        for trick in state.table.tricks() {
            let start = order.iter().position(|&hand| hand == leader).unwrap();
            let hands: Vec<Place> = trick.plays.iter().map(|play| play.hand).collect();
            assert_eq!(hands, [0, 1, 2, 3].map(|step| order[(start + step) % 4]));
            let plays: Vec<Card> = trick.plays.iter().map(|play| play.card).collect();
            leader = hands[by_the_book(plays.try_into().unwrap())];
            assert_eq!(trick.winner, Some(leader));
        }
    }
}

#[test]
fn du21_dealer_leads_for_dumbo() {
    let game = dumbo();
    let mut state = hands(&game, ["5C 2D", "6C 3D", "AC 5D", "7C 4D"]);
    play(&game, &mut state, "5C 6C AC 7C");
    assert_eq!((state.table.hand_to_move(), state.table.seat_to_move()), (DUMBO, Seat::Seat0));
    play(&game, &mut state, "5D");
    // Dumbo plays like a fourth player, so the dealer's right comes next.
    assert_eq!(state.table.hand_to_move(), P2);
}

#[test]
fn du22_dumbos_tricks_are_not_the_dealers() {
    let game = dumbo();
    let mut state = hands(&game, ["5C 2D", "6C 3D", "AC 5D", "7C 4D"]);
    play(&game, &mut state, "5C 6C AC 7C 5D 4D 2D 3D");
    assert_eq!([DUMBO, P0].map(|hand| state.table.tricks_won(hand)), [2, 0]);
    let standing = Standing::default();
    assert_eq!(View::new(&game, &state, &standing, Seat::Seat1).tricks_won(DUMBO), 2);
}
