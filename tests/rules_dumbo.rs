//! Dumbo, rule by rule: each test is named after the number of the rule that it shows (docs/rules/dumbo.md).

mod common;

use overtrick::cards::{Card, CardSet, Suit};
use overtrick::game::{Ending, Game, Move, Setup, Standing, State, TieRule, View};
use overtrick::games::dumbo::{
    DUMBO, Dumbo, DumboExposed, DumboRules, Outcome, TableShape, square_chairs, trick_counts,
};
use overtrick::table::{BySeat, Place, Seat, Table};

const S0: Seat = Seat::Seat0;
const S1: Seat = Seat::Seat1;
const S2: Seat = Seat::Seat2;
const P0: Place = Place::Hand0;
const P1: Place = Place::Hand1;
const P2: Place = Place::Hand2;

fn dumbo() -> Dumbo {
    Dumbo::new(DumboRules::default()).unwrap()
}

fn card(text: &str) -> Card {
    text.parse().unwrap()
}

fn deal(game: &Dumbo, dealer: Seat, number: u64) -> State<()> {
    game.deal(Setup { dealer, last_deal: false }, &mut common::stream("dumbo rules", number))
}

/// A table with these hands (seats 0 to 2, then Dumbo) and seat 0 as dealer.
fn table(hands: [&str; 4]) -> State<()> {
    let mut table = Table::new(3, S0);
    for (place, cards) in [P0, P1, P2, DUMBO].into_iter().zip(hands) {
        table.lay(place, cards.parse().unwrap());
    }
    table.set_circle(&[P0, P1, DUMBO, P2]);
    table.entrust(DUMBO, S0);
    table.give_turn(P0);
    State { table, public: () }
}

/// Plays one trick from these hands in the order dealer, left, Dumbo, right; the hand that wins it.
fn winner(hands: [&str; 4], plays: [&str; 4]) -> Place {
    let game = dumbo();
    let mut state = table(hands);
    for text in plays {
        game.try_move(&mut state, Move::card(card(text))).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
    assert_eq!(state.table.tricks_played(), 1);
    state.table.hand_to_move()
}

fn random_to_the_end(game: &Dumbo, state: &mut State<()>, number: u64) {
    let mut luck = common::stream("dumbo play", number);
    while !game.is_over(state) {
        let chosen = Move::card(luck.card(game.legal(state).card_set()));
        game.try_move(state, chosen).unwrap();
    }
}

#[test]
fn du1_three_players_with_a_pack_of_52() {
    let game = dumbo();
    assert_eq!((game.layout().seats, game.layout().deck.cards().len()), (3, 52));
}

#[test]
fn du2_aces_are_high_and_there_are_no_trumps() {
    let follow = ["KC", "AC", "2C", "QC"];
    assert_eq!(winner(["KC", "AC", "QC", "2C"], follow), P1);
    // A higher card of another suit wins nothing.
    assert_eq!(winner(["3C", "AS", "QD", "2C"], ["3C", "AS", "2C", "QD"]), P0);
}

#[test]
fn du3_four_hands_of_thirteen() {
    let game = dumbo();
    let state = deal(&game, S0, 0);
    for hand in [P0, P1, P2, DUMBO] {
        assert_eq!(state.table.at(hand).len(), 13);
    }
}

#[test]
fn du5_dumbo_plays_third_between_the_dealers_neighbours() {
    let game = dumbo();
    for dealer in Seat::ALL {
        let mut state = deal(&game, dealer, 1);
        let mut order = Vec::new();
        for _ in 0..4 {
            order.push(state.table.hand_to_move());
            let first = game.legal(&state).iter().next().unwrap();
            game.try_move(&mut state, first).unwrap();
        }
        let seat = |steps| Place::hand(dealer.left(steps, 3));
        assert_eq!(order, [seat(0), seat(1), DUMBO, seat(2)]);
    }
}

#[test]
fn du8_the_dealer_plays_dumbos_cards() {
    let game = dumbo();
    for dealer in Seat::ALL {
        let mut state = deal(&game, dealer, 2);
        let mut seen = false;
        while !game.is_over(&state) {
            if state.table.hand_to_move() == DUMBO {
                assert_eq!(state.table.seat_to_move(), dealer);
                seen = true;
            } else {
                assert_eq!(Place::hand(state.table.seat_to_move()), state.table.hand_to_move());
            }
            let last = game.legal(&state).iter().last().unwrap();
            game.try_move(&mut state, last).unwrap();
        }
        assert!(seen);
    }
}

/// How many of Dumbo's cards each seat sees before the first lead and after it; seat 1 deals.
fn sight(exposed: DumboExposed) -> [[u32; 3]; 2] {
    let game = Dumbo::new(DumboRules { dumbo_exposed: exposed, ..DumboRules::default() }).unwrap();
    let mut state = deal(&game, S1, 3);
    let standing = Standing::default();
    let look = |state: &State<()>| Seat::ALL.map(|seat| View::new(&game, state, &standing, seat).cards(DUMBO).len());
    let before = look(&state);
    let lead = game.legal(&state).iter().next().unwrap();
    game.try_move(&mut state, lead).unwrap();
    [before, look(&state)]
}

#[test]
fn du9_dumbo_is_exposed_before_the_lead_by_default() {
    assert_eq!(DumboRules::default().dumbo_exposed, DumboExposed::BeforeLead);
    assert_eq!(sight(DumboExposed::BeforeLead), [[13; 3]; 2]);
}

#[test]
fn du9_dumbo_may_be_exposed_after_the_lead() {
    assert_eq!(sight(DumboExposed::AfterLead), [[0; 3], [13; 3]]);
}

#[test]
fn du9_dumbo_may_be_seen_by_the_dealer_alone() {
    assert_eq!(sight(DumboExposed::DealerOnly), [[0, 13, 0]; 2]);
}

#[test]
fn du11_the_dealer_leads_from_his_own_hand() {
    let game = dumbo();
    for dealer in Seat::ALL {
        let state = deal(&game, dealer, 4);
        assert_eq!(state.table.hand_to_move(), Place::hand(dealer));
        assert_eq!(game.legal(&state).card_set(), state.table.at(Place::hand(dealer)));
    }
}

#[test]
fn du12_suit_must_be_followed_by_players_and_by_dumbo() {
    let game = dumbo();
    let mut state = table(["3C 4D", "5C AS", "7S 8D", "6C KH"]);
    let refused = |state: &mut State<()>, text: &str| {
        let before = *state;
        let error = game.try_move(state, Move::card(card(text))).unwrap_err();
        assert_eq!(*state, before);
        assert_eq!(error.rule, "DU12", "{error}");
        error.to_string()
    };
    game.try_move(&mut state, Move::card(card("3C"))).unwrap();
    assert!(refused(&mut state, "AS").contains("does not follow suit to 3C"));
    assert!(refused(&mut state, "KH").contains("not in the hand"));
    game.try_move(&mut state, Move::card(card("5C"))).unwrap();
    assert_eq!(state.table.hand_to_move(), DUMBO);
    refused(&mut state, "KH");
    game.try_move(&mut state, Move::card(card("6C"))).unwrap();
    // Who cannot follow plays anything.
    assert_eq!(game.legal(&state).len(), 2);
}

#[test]
fn du13_the_highest_card_of_the_suit_led_wins() {
    assert_eq!(winner(["5C", "9C", "JC", "TC"], ["5C", "9C", "TC", "JC"]), P2);
}

#[test]
fn du14_snap_beats_suit_led() {
    assert_eq!(winner(["5C", "AC", "5S", "KC"], ["5C", "AC", "KC", "5S"]), P2);
}

#[test]
fn du15_only_the_rank_led_snaps() {
    // Two kings follow a five: neither snaps the other.
    assert_eq!(winner(["5C", "KS", "KH", "2C"], ["5C", "KS", "2C", "KH"]), P0);
}

#[test]
fn du16_who_can_follow_cannot_snap() {
    let game = dumbo();
    let mut state = table(["5C", "9C 5S", "KC", "2C"]);
    game.try_move(&mut state, Move::card(card("5C"))).unwrap();
    let snap = game.try_move(&mut state, Move::card(card("5S"))).unwrap_err();
    assert_eq!(snap.rule, "DU12");
}

#[test]
fn du17_a_card_of_the_rank_led_snaps_whether_wanted_or_not() {
    // The only card left: it wins.
    assert_eq!(winner(["2C", "2D", "KC", "AC"], ["2C", "2D", "AC", "KC"]), P1);
}

#[test]
fn du18_a_snap_need_not_be_played() {
    let game = dumbo();
    let mut state = table(["5C", "5S 9D", "KC", "2C"]);
    game.try_move(&mut state, Move::card(card("5C"))).unwrap();
    assert_eq!(game.legal(&state).card_set(), "5S 9D".parse().unwrap());
}

#[test]
fn du19_last_snap_wins() {
    assert_eq!(winner(["5C", "5D", "5S", "5H"], ["5C", "5D", "5H", "5S"]), P2);
    assert_eq!(winner(["5C", "5D", "AC", "5H"], ["5C", "5D", "5H", "AC"]), DUMBO);
}

#[test]
fn du21_the_hand_that_won_leads_and_the_dealer_leads_for_dumbo() {
    let game = dumbo();
    let mut state = table(["5C 2D", "6C 3D", "7C 4D", "AC 5D"]);
    for text in ["5C", "6C", "AC", "7C"] {
        game.try_move(&mut state, Move::card(card(text))).unwrap();
    }
    assert_eq!((state.table.hand_to_move(), state.table.seat_to_move()), (DUMBO, S0));
    game.try_move(&mut state, Move::card(card("5D"))).unwrap();
    // The rotation stays that of four players: Dumbo's left is the player on the dealer's right.
    assert_eq!(state.table.hand_to_move(), P2);
}

#[test]
fn du22_dumbos_tricks_count_apart_from_the_dealers() {
    let game = dumbo();
    for number in 0..50 {
        let mut state = deal(&game, S2, number);
        random_to_the_end(&game, &mut state, number);
        let won = |hand| state.table.tricks_won(hand);
        assert_eq!(won(P0) + won(P1) + won(P2) + won(DUMBO), 13);
        let tricks = BySeat([won(P0), won(P1), won(P2)]);
        let expected = Seat::ALL.map(|seat| by_the_book(seat, tricks.0, won(DUMBO), S2));
        assert_eq!(game.scores(&state).0, expected);
    }
}

#[test]
fn du24_and_du25_matches_end_at_the_target() {
    let ties = TieRule::HighestThenExtraDeal;
    assert_eq!(dumbo().ending(), Ending::Target { points: 31, ties });
    let rules = DumboRules { end_mode: overtrick::game::EndMode::Deals, n_deals: 7, ..DumboRules::default() };
    assert_eq!(Dumbo::new(rules).unwrap().ending(), Ending::Deals(7));
}

#[test]
fn du27_square_and_round_table_give_the_same_order_of_play() {
    let game = dumbo();
    for first in Seat::ALL {
        // The chairs by the rule, kept from deal to deal.
        let seat = |steps: usize| Place::hand(first.left(steps, 3));
        let mut chairs = vec![seat(0), seat(1), DUMBO, seat(2)];
        for number in 0..40usize {
            let dealer = first.left(number, 3);
            assert_eq!(chairs, square_chairs(first, number as u64), "deal {number}");
            // Read clockwise from the dealer, they are the order of play at the round table.
            let mut state = deal(&game, dealer, number as u64);
            let start = chairs.iter().position(|&chair| chair == Place::hand(dealer)).unwrap();
            for step in 0..4 {
                assert_eq!(state.table.hand_to_move(), chairs[(start + step) % 4], "deal {number}");
                let first = game.legal(&state).iter().next().unwrap();
                game.try_move(&mut state, first).unwrap();
            }
            // This dealer and the next stay; the third player changes places with Dumbo.
            let third = Place::hand(dealer.left(2, 3));
            for chair in &mut chairs {
                *chair = match *chair {
                    here if here == third => DUMBO,
                    DUMBO => third,
                    stays => stays,
                };
            }
        }
    }
}

#[test]
fn du27_a_square_table_shows_its_chairs() {
    let game = Dumbo::new(DumboRules { table: TableShape::Square, ..DumboRules::default() }).unwrap();
    assert_eq!(game.remarks(&deal(&game, S0, 0), 0), ["chairs clockwise: p0, p1, dummy, p2"]);
    assert_eq!(game.remarks(&deal(&game, S1, 1), 1), ["chairs clockwise: p0, p1, p2, dummy"]);
    assert_eq!(dumbo().remarks(&deal(&dumbo(), S0, 0), 0), Vec::<String>::new());
}

// Scoring (1.4).

/// The score by the words of 1.4, as a second opinion.
fn by_the_book(seat: Seat, tricks: [u8; 3], dumbo: u8, dealer: Seat) -> i32 {
    let own = tricks[seat.index()];
    let others: Vec<u8> = (0..3).filter(|&other| other != seat.index()).map(|other| tricks[other]).collect();
    if own == 13 {
        return 13;
    }
    if others.contains(&13) {
        return 0;
    }
    if dumbo == 13 {
        return if seat == dealer { 13 } else { 0 };
    }
    let matches = |n: u8| n == dumbo;
    let others_matching = others.iter().filter(|&&n| matches(n)).count();
    if usize::from(matches(own)) + others_matching == 2 {
        return i32::from(own);
    }
    if others.contains(&own) {
        return 0;
    }
    i32::from(own)
        + if !matches(own) {
            0
        } else if own == 0 {
            20
        } else {
            10
        }
}

fn scores(tricks: [u8; 3], dumbo: u8, dealer: Seat) -> [i32; 3] {
    let rules = DumboRules::default();
    Seat::ALL.map(|seat| Outcome::of(seat, BySeat(tricks), dumbo, dealer).score(&rules, tricks[seat.index()]))
}

#[test]
fn all_560_results_score_as_the_decision_table_says() {
    let mut orders = 0;
    for line in include_str!("data/dumbo_scores.txt").lines().filter(|line| !line.starts_with('#')) {
        let columns: Vec<&str> = line.split(" | ").collect();
        let numbers = |text: &str| -> Vec<i32> { text.split(' ').map(|n| n.parse().unwrap()).collect() };
        let (dumbo, sorted) = (columns[0].parse::<u8>().unwrap(), numbers(columns[1]));
        let mut here = 0;
        for (tricks, _) in trick_counts().filter(|&(_, d)| d == dumbo) {
            let mut descending = tricks.0.map(i32::from);
            descending.sort_unstable_by(|a, b| b.cmp(a));
            if descending != sorted[..] {
                continue;
            }
            here += 1;
            for dealer in Seat::ALL {
                let expected = Seat::ALL.map(|seat| match columns[2] {
                    "dealer 13" => {
                        if seat == dealer {
                            13
                        } else {
                            0
                        }
                    }
                    listed => {
                        let place = sorted.iter().position(|&n| n == i32::from(tricks[seat])).unwrap();
                        numbers(listed)[place]
                    }
                });
                assert_eq!(scores(tricks.0, dumbo, dealer), expected, "{line}, dealer {}", dealer.index());
                let book = Seat::ALL.map(|seat| by_the_book(seat, tricks.0, dumbo, dealer));
                assert_eq!(book, expected, "{line}");
            }
        }
        assert_eq!(here, columns[4].parse::<i32>().unwrap(), "{line}");
        orders += here;
    }
    assert_eq!((orders, trick_counts().count()), (560, 560));
}

#[test]
fn e1_all_thirteen_tricks_score_13_and_the_others_nothing() {
    assert_eq!(scores([0, 13, 0], 0, S0), [0, 13, 0]);
}

#[test]
fn e2_thirteen_for_dumbo_score_13_for_the_dealer() {
    for dealer in Seat::ALL {
        let mut expected = [0; 3];
        expected[dealer.index()] = 13;
        assert_eq!(scores([0, 0, 0], 13, dealer), expected);
    }
}

#[test]
fn e2_holds_in_a_deal_that_is_played_out() {
    // Dumbo holds all the clubs and gets the lead in the first trick.
    let clubs = (CardSet::suit(Suit::Clubs) - CardSet::of(card("2C"))) | CardSet::of(card("AD"));
    let own = "2D 3D 4D 5D 6D 7D 8D 9D TD JD QD KD 2C".parse::<CardSet>().unwrap();
    let rest = overtrick::cards::Deck::Full52.cards() - clubs - own;
    let one: CardSet = rest.iter().take(13).collect();
    let hands = [own, one, rest - one, clubs].map(|cards| cards.to_string());
    let mut state = table(hands.each_ref().map(String::as_str));
    let game = dumbo();
    game.try_move(&mut state, Move::card(card("2D"))).unwrap();
    let snaps = |led: Card, legal: CardSet| legal & overtrick::games::dumbo::snaps(led);
    while !game.is_over(&state) {
        let legal = game.legal(&state).card_set();
        // Dumbo leads and follows high; nobody else snaps if he can help it.
        let chosen = if state.table.hand_to_move() == DUMBO {
            legal.last().unwrap()
        } else {
            let led = state.table.led();
            (legal - snaps(led, legal)).first().unwrap_or_else(|| legal.first().unwrap())
        };
        game.try_move(&mut state, Move::card(chosen)).unwrap();
    }
    assert_eq!(state.table.tricks_won(DUMBO), 13);
    assert_eq!(game.scores(&state).0, [13, 0, 0]);
    assert!(game.reasons(&state)[0].contains("E2"));
}

#[test]
fn e3_alone_at_zero_with_dumbo_scores_20() {
    assert_eq!(scores([9, 0, 4], 0, S0), [9, 20, 4]);
}

#[test]
fn e4_two_who_match_dumbo_score_a_point_a_trick() {
    assert_eq!(scores([4, 1, 4], 4, S0), [4, 1, 4]);
    assert_eq!(scores([3, 3, 4], 3, S0), [3, 3, 4]);
    assert_eq!(scores([7, 2, 2], 2, S0), [7, 2, 2]);
    assert_eq!(scores([1, 10, 1], 1, S0), [1, 10, 1]);
}

#[test]
fn basic_a_match_alone_scores_ten_more() {
    assert_eq!(scores([3, 5, 2], 3, S0), [13, 5, 2]);
}

#[test]
fn basic_all_different_score_a_point_a_trick() {
    assert_eq!(scores([6, 3, 0], 4, S0), [6, 3, 0]);
}

#[test]
fn basic_two_who_tie_score_nothing() {
    assert_eq!(scores([5, 5, 2], 1, S0), [0, 0, 2]);
}

#[test]
fn basic_three_who_tie_score_nothing() {
    for (own, dumbo) in [(4, 1), (3, 4), (2, 7), (1, 10)] {
        assert_eq!(scores([own; 3], dumbo, S0), [0; 3]);
    }
}

#[test]
fn every_scoring_constant_changes_what_it_is_for_and_nothing_else() {
    let standard = DumboRules::default();
    let changed = |change: fn(&mut DumboRules)| {
        let mut rules = standard.clone();
        change(&mut rules);
        let mut labels: Vec<Outcome> = Vec::new();
        for (tricks, dumbo) in trick_counts() {
            for (seat, dealer) in [(S0, S0), (S0, S1), (S1, S1), (S2, S0)] {
                let outcome = Outcome::of(seat, tricks, dumbo, dealer);
                let moved = outcome.score(&rules, tricks[seat]) != outcome.score(&standard, tricks[seat]);
                if moved && !labels.contains(&outcome) {
                    labels.push(outcome);
                }
            }
        }
        labels.sort_by_key(|outcome| *outcome as u8);
        labels
    };
    use Outcome::{DoubleMatch, DumboSweepDealer, Match, Odd, Plain, Sweep, Tie, ZeroMatch};
    assert_eq!(changed(|rules| rules.sweep_score = 26), [Sweep]);
    assert_eq!(changed(|rules| rules.dumbo_sweep_score = 1), [DumboSweepDealer]);
    assert_eq!(changed(|rules| rules.zero_match_bonus = 1), [ZeroMatch]);
    assert_eq!(changed(|rules| rules.match_bonus = 1), [Match]);
    assert_eq!(changed(|rules| rules.double_match_bonus = 1), [DoubleMatch]);
    assert_eq!(changed(|rules| rules.tie_score = 1), [Tie]);
    assert_eq!(changed(|rules| rules.trick_points = 2), [DoubleMatch, Odd, Match, Plain]);
}
