//! Tests of Chameleon's scores, rules CH23 to CH28 and CH31.
//!
//! Every result is compared with tables that follow the words of the rules.

use overtrick_cards::table::{Place, Seat};
use overtrick_game::{Describe, Game};
use overtrick_games::chameleon::Chameleon;

use crate::fixtures::chameleon::{
    Deal, any, chameleon, contracted, contracts, deal, last_deal, number, say, splits, tricks, win,
};

const HANDS: [Place; 3] = [Place::Hand0, Place::Hand1, Place::Hand2];

/// Constants that differ from the text and from each other.
const ODD: &str = "level-scores = [11, 22, 33, 44, 55]\nopponent-trick-scores = [9, 8, 7, 6, 5]\nmisere-score = 66\n\
                   ouverte-score = 77\nlast-deal-variant = true\nlast-deal-points = 3\nlast-deal-dealer-par = 6\n\
                   last-deal-opponent-par = 1";

/// A row of a table of scores: a number, the declarer's gain or loss, and the score of another player's
/// trick.
type Row = (&'static str, i32, i32);

/// The scores of the rules.
const TABLE: [Row; 7] = [
    ("6", 36, 4),
    ("7", 49, 3),
    ("8", 64, 2),
    ("9", 81, 1),
    ("10", 100, 0),
    ("misere", 50, 0),
    ("misere-ouverte", 100, 0),
];

/// The scores of [`ODD`].
const ODD_TABLE: [Row; 7] = [
    ("6", 11, 9),
    ("7", 22, 8),
    ("8", 33, 7),
    ("9", 44, 6),
    ("10", 55, 5),
    ("misere", 66, 0),
    ("misere-ouverte", 77, 0),
];

/// Makes a deal of seat `dealer` in which `declarer` plays this contract.
fn playing(game: &Chameleon, dealer: usize, declarer: usize, contract: &str) -> Deal {
    let mut state = deal(game, dealer, 1);
    let bid = match contract.ends_with("NT") {
        true => format!("{} C", number(contract)),
        false => contract.to_owned(),
    };
    let steps = (declarer + 3 - dealer) % 3;
    let bidding = ["pass, pass, {}", "{}, pass, pass", "pass, {}, pass"][steps].replace("{}", &format!("bid {bid}"));
    contracted(game, &mut state, &bidding, contract);
    assert_eq!(state.public.declarer(), Some(Seat::new(declarer)));
    state
}

/// Compares every result of every contract, for every dealer and declarer, with the table.
fn check(rules: &str, table: &[Row], opponents_always_score: bool) {
    let game = chameleon(rules);
    for contract in contracts() {
        let &(_, stake, trick) = table.iter().find(|row| row.0 == number(&contract)).unwrap();
        for (dealer, declarer) in (0..3).flat_map(|dealer| (0..3).map(move |declarer| (dealer, declarer))) {
            let start = playing(&game, dealer, declarer, &contract);
            for won in splits(10) {
                let mut state = start;
                win(&game, &mut state, &tricks(&[(HANDS[0], won[0]), (HANDS[1], won[1]), (HANDS[2], won[2])]));
                let made = match number(&contract).parse::<usize>() {
                    Ok(needed) => won[declarer] >= needed,
                    Err(_) => won[declarer] == 0,
                };
                let mut wanted =
                    won.map(|tricks| if made || opponents_always_score { trick * tricks as i32 } else { 0 });
                wanted[declarer] = if made { stake } else { -stake };
                assert_eq!(game.scores(&state).into_array(), wanted, "{contract}, {declarer} declares: {won:?}");
                let contract_result = game.contract_result(&state).unwrap();
                assert_eq!((contract_result.declarer, contract_result.made), (Some(Seat::new(declarer)), made));
                let kind = game.contract_kinds()[usize::from(contract_result.kind)].name.clone();
                let strain = if contract.ends_with("NT") { "no-trump" } else { "suit" };
                let wanted = if contract.starts_with('m') {
                    contract.clone()
                } else {
                    format!("{} {strain}", number(&contract))
                };
                assert_eq!(kind, wanted);
                let reasons = game.reasons(&state);
                let verdict = if made { "made" } else { "failed" };
                assert!(
                    reasons.iter().all(|reason| reason.contains(&contract) && reason.contains(verdict)),
                    "{reasons:?}"
                );
            }
        }
    }
}

#[test]
fn ch23_to_ch27_every_result_of_every_contract() {
    check("", &TABLE, true);
}

#[test]
fn ch23_to_ch27_every_constant_is_an_option() {
    check(ODD, &ODD_TABLE, true);
}

#[test]
fn ch25_the_opponents_may_score_only_if_the_declarer_makes_it() {
    check("opponents-score-on-failure = false", &TABLE, false);
    check(&format!("opponents-score-on-failure = false\n{ODD}"), &ODD_TABLE, false);
}

/// Returns the scores of seats 0, 1 and 2 if seat 1 plays the contract and they win these tricks.
fn scores(rules: &str, contract: &str, won: [usize; 3]) -> [i32; 3] {
    let game = chameleon(rules);
    let mut state = playing(&game, 0, 1, contract);
    win(&game, &mut state, &tricks(&[(HANDS[0], won[0]), (HANDS[1], won[1]), (HANDS[2], won[2])]));
    game.scores(&state).into_array()
}

#[test]
fn ch23_the_square_of_the_tricks_bid_and_nothing_for_overtricks() {
    for (level, square) in [(6, 36), (7, 49), (8, 64), (9, 81), (10, 100)] {
        for won in 0..=10 {
            let wanted = if won >= level { square } else { -square };
            assert_eq!(scores("", &format!("{level} S"), [10 - won, won, 0])[1], wanted);
            assert_eq!(scores("", &format!("{level} NT"), [10 - won, won, 0])[1], wanted);
        }
    }
}

#[test]
fn ch24_each_opponent_scores_the_tricks_that_he_takes_himself() {
    // The example of the text: three points a trick against a contract of seven.
    assert_eq!(scores("", "7 H", [2, 7, 1]), [6, 49, 3]);
    assert_eq!(scores("", "7 H", [0, 7, 3]), [0, 49, 9]);
    assert_eq!(scores("", "6 NT", [4, 6, 0]), [16, 36, 0]);
}

#[test]
fn ch25_also_when_the_declarer_fails() {
    assert_eq!(scores("", "7 H", [3, 6, 1]), [9, -49, 3]);
    assert_eq!(scores("opponents-score-on-failure = true", "7 H", [3, 6, 1]), [9, -49, 3]);
    assert_eq!(scores("opponents-score-on-failure = false", "7 H", [3, 6, 1]), [0, -49, 0]);
    // Nothing changes when the contract is made.
    assert_eq!(scores("opponents-score-on-failure = false", "7 H", [2, 7, 1]), [6, 49, 3]);
}

#[test]
fn ch25_the_reason_for_nothing_is_the_option() {
    let game = chameleon("opponents-score-on-failure = false");
    let mut state = playing(&game, 0, 1, "7 H");
    win(&game, &mut state, &tricks(&[(HANDS[0], 3), (HANDS[1], 6), (HANDS[2], 1)]));
    let reasons = game.reasons(&state);
    assert!(reasons[1].contains("CH23") && reasons[0].contains("CH25") && reasons[2].contains("CH25"), "{reasons:?}");
}

#[test]
fn ch26_tricks_against_a_slam_bring_nothing() {
    assert_eq!(scores("", "10 S", [4, 0, 6]), [0, -100, 0]);
    assert_eq!(scores("", "10 NT", [0, 10, 0]), [0, 100, 0]);
}

#[test]
fn ch27_a_misere_fails_with_the_first_trick_and_brings_the_others_nothing() {
    for (contract, stake) in [("misere", 50), ("misere-ouverte", 100)] {
        assert_eq!(scores("", contract, [4, 0, 6]), [0, stake, 0]);
        for won in 1..=10 {
            assert_eq!(scores("", contract, [10 - won, won, 0]), [0, -stake, 0]);
        }
    }
}

#[test]
fn ch28_it_is_the_final_contract_that_counts() {
    let game = chameleon("");
    for (bid, contract, wanted) in [
        ("6 S", "8 H", [4, 64, 0]),
        ("6 S", "6 NT", [8, 36, 0]),
        ("7 C", "misere", [0, -50, 0]),
        ("6 C", "9 NT", [2, -81, 0]),
    ] {
        let mut state = deal(&game, 0, 2);
        contracted(&game, &mut state, &format!("bid {bid}, pass, pass"), contract);
        win(&game, &mut state, &tricks(&[(HANDS[0], 2), (HANDS[1], 8)]));
        assert_eq!(game.scores(&state).into_array(), wanted, "{bid}, then {contract}");
    }
}

/// Checks every result of a last deal that all have passed.
fn check_last(rules: &str, dealer_par: usize, others_par: usize, points: i32) {
    let game = chameleon(rules);
    for dealer in 0..3 {
        let mut start = last_deal(&game, dealer, 3);
        say(&game, &mut start, "pass, pass, pass");
        any(&game, &mut start, 1);
        for won in splits(10) {
            let mut state = start;
            win(&game, &mut state, &tricks(&[(HANDS[0], won[0]), (HANDS[1], won[1]), (HANDS[2], won[2])]));
            let wanted: [i32; 3] = std::array::from_fn(|seat| {
                let par = if seat == dealer { dealer_par } else { others_par };
                if won[seat] > par { points * (won[seat] - par) as i32 } else { 0 }
            });
            assert_eq!(game.scores(&state).into_array(), wanted, "{dealer} dealt: {won:?}");
            let contract_result = game.contract_result(&state).unwrap();
            assert_eq!(game.contract_kinds()[usize::from(contract_result.kind)].name, "last-deal");
            assert_eq!((contract_result.declarer, contract_result.made), (None, false));
            assert!(game.reasons(&state).iter().all(|reason| reason.contains("CH31")));
        }
    }
}

#[test]
fn ch31_five_points_for_each_trick_above_par() {
    check_last("last-deal-variant = true", 4, 3, 5);
    check_last(ODD, 6, 1, 3);
    check_last("last-deal-variant = true\nlast-deal-dealer-par = 10\nlast-deal-opponent-par = 0", 10, 0, 5);
}

#[test]
fn ch30_a_last_deal_that_somebody_bids_in_is_like_any_other() {
    let game = chameleon("last-deal-variant = true");
    let mut state = last_deal(&game, 0, 4);
    contracted(&game, &mut state, "pass, pass, bid 6 S", "6 S");
    win(&game, &mut state, &tricks(&[(HANDS[0], 6), (HANDS[1], 4)]));
    assert_eq!(game.scores(&state).into_array(), [36, 16, 0]);
}

#[test]
fn the_range_of_scores_follows_the_constants() {
    for (rules, range) in [
        // Ten tricks against six score 40, a slam 100.
        ("", -100..=100),
        ("opponent-trick-scores = [40, 3, 2, 1, 0]", -100..=400),
        ("level-scores = [0, 0, 0, 0, 0]\nouverte-score = 0", -50..=50),
        ("players = 2\nconcession = 500", -500..=100),
        ("last-deal-variant = true\nlast-deal-points = 100\nlast-deal-opponent-par = 0", -100..=1000),
    ] {
        assert_eq!(chameleon(rules).score_range(), range, "{rules}");
    }
}
