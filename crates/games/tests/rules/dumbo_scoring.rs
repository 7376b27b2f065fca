//! Tests of Dumbo's scores.
//!
//! Every way in which thirteen tricks can fall is scored by the program, by a published table and by the
//! words of the rules. Further tests show each exception by its name, and every option that is a number of
//! points.

use std::collections::BTreeMap;

use overtrick_cards::table::{BySeat, Place, Seat};
use overtrick_cards::{CardSet, Deck, Suit};
use overtrick_game::{Describe, Game, Move, State};
use overtrick_games::dumbo::{DUMBO, Dumbo, DumboRules, Outcome, snaps, trick_counts};

use crate::fixtures::rules;
use crate::fixtures::rules::{HANDS, arrange, card, deal, dictate, play_out, rng};

const S0: Seat = Seat::Seat0;
const ASIDE: Place = Place::Pile4;

fn dumbo(rules: DumboRules) -> Dumbo {
    Dumbo::new(rules).unwrap()
}

/// Returns the scores of a deal by the words of the rules, independently of the program.
fn by_the_book(rules: &DumboRules, tricks: [u8; 3], dealer: Seat) -> ([i32; 3], &'static str) {
    let dumbo = 13 - tricks.iter().sum::<u8>();
    let points = tricks.map(|won| rules.trick_points * i32::from(won));
    // E1: a player wins all of them.
    if tricks.contains(&13) {
        return (tricks.map(|won| if won == 13 { rules.sweep_score } else { 0 }), "E1");
    }
    // E2: Dumbo wins all of them, so the dealer led to the last trick for Dumbo.
    if dumbo == 13 {
        let mut scores = [0; 3];
        scores[dealer.index()] = rules.dumbo_sweep_score;
        return (scores, "E2");
    }
    // E4: two players match Dumbo. They forgo the bonus but not their tricks.
    if tricks.iter().filter(|&&won| won == dumbo).count() == 2 {
        let bonus = |won: u8| if won == dumbo { rules.double_match_bonus } else { 0 };
        return (std::array::from_fn(|at| points[at] + bonus(tricks[at])), "E4");
    }
    let level = |at: usize| (0..3).any(|other| other != at && tricks[other] == tricks[at]);
    let scores = std::array::from_fn(|at| match tricks[at] {
        _ if level(at) => rules.tie_score,
        // E3: the only player who wins no trick when Dumbo wins none.
        0 if dumbo == 0 => rules.zero_match_bonus,
        won if won == dumbo => points[at] + rules.match_bonus,
        _ => points[at],
    });
    let [one, two, three] = [0, 1, 2].map(level);
    let label = match (one && two && three, one || two || three, tricks.contains(&dumbo), dumbo) {
        (true, ..) => "B4",
        (_, true, ..) => "B3",
        (_, _, true, 0) => "E3",
        (_, _, true, _) => "B1",
        _ => "B2",
    };
    (scores, label)
}

/// Returns the program's scores of trick counts.
fn scores(rules: &DumboRules, tricks: [u8; 3], dealer: Seat) -> [i32; 3] {
    let dumbo = 13 - tricks.iter().sum::<u8>();
    Seat::THREE.map(|seat| Outcome::of(seat, BySeat::new(tricks), dumbo, dealer).score(rules, tricks[seat.index()]))
}

/// Returns the scores under the published rules, and the label of the table.
fn published(tricks: [u8; 3], dealer: Seat) -> ([i32; 3], &'static str) {
    let rules = DumboRules::default();
    let all = scores(&rules, tricks, dealer);
    assert_eq!(all, by_the_book(&rules, tricks, dealer).0, "{tricks:?}");
    (all, by_the_book(&rules, tricks, dealer).1)
}

/// Makes a finished deal in which the players won these tricks and Dumbo the rest.
///
/// The same cards win every trick, since only the numbers matter.
fn finished(game: &Dumbo, tricks: [u8; 3], dealer: Seat) -> State<()> {
    let mut state = deal(game, dealer, 0);
    arrange(&mut state, ASIDE, &HANDS.map(|hand| (hand, "")));
    let won = [tricks[0], tricks[1], tricks[2], 13 - tricks.iter().sum::<u8>()];
    for (hand, count) in HANDS.into_iter().zip(won) {
        for _ in 0..count {
            let (mut next, mut plays) = (state.table.hand_to_move(), Vec::new());
            for low in ["2C", "3C", "4C", "5C"] {
                plays.push((next, card(if next == hand { "AC" } else { low })));
                next = state.table.after(next);
            }
            dictate(game, &mut state, &plays);
        }
    }
    assert!(game.is_over(&state));
    state
}

/// A line of the table.
///
/// It has Dumbo's tricks, the players' tricks in descending order, and their scores in the same order (none
/// where the dealer matters). The label and the number of orders follow.
struct Line {
    dumbo: u8,
    tricks: Vec<u8>,
    scores: Option<Vec<i32>>,
    label: String,
    orders: usize,
}

fn table() -> Vec<Line> {
    fn numbers<T: std::str::FromStr>(text: &str) -> Option<Vec<T>> {
        text.split(' ').map(|number| number.parse().ok()).collect()
    }
    let lines = include_str!("../../../../tests/data/dumbo_scores.txt").lines().filter(|line| !line.starts_with('#'));
    lines
        .map(|line| {
            let columns: Vec<&str> = line.split(" | ").collect();
            Line {
                dumbo: columns[0].parse().unwrap(),
                tricks: numbers(columns[1]).unwrap(),
                scores: numbers(columns[2]),
                label: columns[3].to_owned(),
                orders: columns[4].parse().unwrap(),
            }
        })
        .collect()
}

#[test]
fn every_result_scores_as_the_table_says_and_as_the_rules_say() {
    let (game, table) = (dumbo(DumboRules::default()), table());
    assert_eq!((table.len(), trick_counts().count()), (123, 560));
    let mut used = vec![0; table.len()];
    for (tricks, dumbo) in trick_counts().map(|(tricks, dumbo)| (tricks.into_array(), dumbo)) {
        let mut descending = tricks;
        descending.sort_unstable_by(|one, other| other.cmp(one));
        let at = table.iter().position(|line| line.dumbo == dumbo && line.tricks == descending);
        let line = &table[at.expect("every result is listed")];
        used[at.unwrap()] += 1;
        for dealer in Seat::THREE {
            let expected: [i32; 3] = std::array::from_fn(|seat| match &line.scores {
                Some(scores) => scores[descending.iter().position(|&won| won == tricks[seat]).unwrap()],
                None if seat == dealer.index() => 13,
                None => 0,
            });
            let (by_outcome, label) = published(tricks, dealer);
            assert_eq!((by_outcome, label), (expected, line.label.as_str()), "{tricks:?} and {dumbo}");
            assert_eq!(game.scores(&finished(&game, tricks, dealer)).into_array(), expected, "{tricks:?} and {dumbo}");
        }
    }
    assert_eq!(used, table.iter().map(|line| line.orders).collect::<Vec<_>>());
}

#[test]
fn the_categories_are_as_many_as_the_page_of_rules_says() {
    let mut ways: BTreeMap<&str, usize> = BTreeMap::new();
    for tricks in trick_counts().map(|(tricks, _)| tricks.into_array()) {
        *ways.entry(published(tricks, S0).1).or_default() += 1;
    }
    let counts: Vec<(&str, usize)> = ways.into_iter().collect();
    let listed = [("B1", 102), ("B2", 264), ("B3", 138), ("B4", 4), ("E1", 3), ("E2", 1), ("E3", 36), ("E4", 12)];
    assert_eq!(counts, listed);
    let page: Vec<&str> =
        include_str!("../../../../docs/rules/dumbo.md").lines().filter(|line| line.starts_with('|')).collect();
    for (label, count) in listed {
        let cell = format!("| {count} |");
        assert!(page.iter().any(|line| line.contains(&cell)), "{label}: the page has no row with {count} ways");
    }
}

#[test]
fn e1_all_thirteen_score_13_and_the_others_nothing() {
    for seat in Seat::THREE {
        for dealer in Seat::THREE {
            let (mut tricks, mut expected) = ([0; 3], [0; 3]);
            (tricks[seat.index()], expected[seat.index()]) = (13, 13);
            assert_eq!(published(tricks, dealer), (expected, "E1"));
        }
    }
}

#[test]
fn e2_dumbos_thirteen_score_13_for_the_dealer() {
    assert_eq!(Seat::THREE.map(|dealer| published([0; 3], dealer).0), [[13, 0, 0], [0, 13, 0], [0, 0, 13]]);
}

#[test]
fn e3_alone_at_zero_with_dumbo_scores_20() {
    assert_eq!(published([9, 0, 4], S0), ([9, 20, 4], "E3"));
    assert_eq!(published([0, 1, 12], S0), ([20, 1, 12], "E3"));
    // The player is alone at zero, but Dumbo is not at zero.
    assert_eq!(published([9, 0, 3], S0), ([9, 0, 3], "B2"));
}

#[test]
fn e3_two_at_zero_leave_all_thirteen_to_the_third() {
    assert_eq!(published([0, 13, 0], S0), ([0, 13, 0], "E1"));
}

#[test]
fn e4_two_who_match_dumbo_score_their_tricks_alone() {
    for (match_, third) in [(4, 1), (3, 4), (2, 7), (1, 10)] {
        for at in 0..3 {
            let mut tricks = [match_; 3];
            tricks[at] = third;
            assert_eq!(published(tricks, S0), (tricks.map(i32::from), "E4"));
        }
    }
}

#[test]
fn b1_a_match_alone_scores_ten_more() {
    assert_eq!(published([3, 5, 2], S0), ([13, 5, 2], "B1"));
    assert_eq!(published([1, 0, 11], S0), ([11, 0, 11], "B1"));
}

#[test]
fn b2_all_different_score_their_tricks() {
    assert_eq!(published([6, 3, 0], S0), ([6, 3, 0], "B2"));
}

#[test]
fn b3_two_level_players_score_nothing() {
    assert_eq!(published([5, 5, 2], S0), ([0, 0, 2], "B3"));
    assert_eq!(published([12, 0, 0], S0), ([12, 0, 0], "B3"));
}

#[test]
fn b4_three_level_players_score_nothing() {
    for tricks in 1..=4 {
        assert_eq!(published([tricks; 3], S0), ([0; 3], "B4"));
    }
}

/// Plays a deal at random, with as few snaps as possible, until its score has the label.
fn played_until(game: &Dumbo, dealt: State<()>, label: &str) -> State<()> {
    let tries = (0..20_000).map(|number| {
        let (mut state, mut rng) = (dealt, rng(label, number));
        game.play_out(&mut state, |state| {
            let legal = game.legal(state).card_set();
            let quiet = legal - snaps(state.table.led());
            Move::card(rng.card(if quiet.is_empty() { legal } else { quiet }))
        });
        state
    });
    let won = |state: &State<()>| HANDS.map(|hand| state.table.tricks_won(hand));
    tries.into_iter().find(|state| published([0, 1, 2].map(|at| won(state)[at]), S0).1 == label).expect(label)
}

#[test]
fn e1_comes_about_in_a_deal_that_is_played() {
    // Each hand has a whole suit, so the leader wins as long as there is no snap.
    let mut state = deal(&dumbo(DumboRules::default()), S0, 0);
    let suits = Suit::ALL.map(|suit| CardSet::suit(suit).to_string());
    arrange(&mut state, ASIDE, &std::array::from_fn::<_, 4, _>(|at| (HANDS[at], suits[at].as_str())));
    let game = dumbo(DumboRules::default());
    let over = played_until(&game, state, "E1");
    assert_eq!(game.scores(&over).into_array(), [13, 0, 0]);
    let others = "0 tricks, Dumbo 0: another player won all 13 tricks (E1)";
    assert_eq!(game.reasons(&over), ["13 tricks, Dumbo 0: all 13 tricks (E1)", others, others]);
}

#[test]
fn e2_comes_about_in_a_deal_that_is_played() {
    // The dealer must lead under Dumbo's clubs. Then Dumbo leads all of them, and the ace of diamonds.
    let dumbos = CardSet::suit(Suit::Clubs).without(card("2C")).with(card("AD"));
    let [hearts, spades] = [Suit::Hearts, Suit::Spades].map(|suit| CardSet::suit(suit).to_string());
    let dealers = Deck::Full52.cards() - dumbos - CardSet::suit(Suit::Hearts) - CardSet::suit(Suit::Spades);
    let (dealers, dumbos) = (dealers.to_string(), dumbos.to_string());
    let game = dumbo(DumboRules::default());
    let mut state = deal(&game, S0, 0);
    let [p0, p1, p2, _] = HANDS;
    arrange(&mut state, ASIDE, &[(p0, &dealers), (p1, &hearts), (p2, &spades), (DUMBO, &dumbos)]);
    rules::play(&game, &mut state, "2C");
    let over = played_until(&game, state, "E2");
    assert_eq!(game.scores(&over).into_array(), [13, 0, 0]);
    // The dealer led to the last trick, for Dumbo.
    let tricks = over.table.tricks();
    assert_eq!((tricks[12].plays[0].hand, over.table.decider(DUMBO)), (DUMBO, S0));
    let others = "0 tricks, Dumbo 13: Dumbo won all 13 tricks (E2)";
    let dealers = "0 tricks, Dumbo 13: Dumbo won all 13 tricks and this player dealt (E2)";
    assert_eq!(game.reasons(&over), [dealers, others, others]);
}

#[test]
fn deals_played_at_random_score_by_the_book() {
    let game = dumbo(DumboRules::default());
    let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
    for number in 0..4000 {
        let dealer = Seat::new(number as usize % 3);
        let mut state = deal(&game, dealer, number);
        play_out(&game, &mut state, &mut rng("scores", number), |_| {});
        let tricks = [0, 1, 2].map(|at| state.table.tricks_won(HANDS[at]));
        let (expected, label) = by_the_book(game.rules(), tricks, dealer);
        assert_eq!(game.scores(&state).into_array(), expected, "{tricks:?}");
        *seen.entry(label).or_default() += 1;
    }
    // The other labels are too rare for random play.
    assert!(["B1", "B2", "B3", "B4", "E3", "E4"].iter().all(|label| seen.contains_key(label)), "{seen:?}");
}

/// Returns the labels whose scores differ from the published rules after `change`.
fn labels_changed_by(change: impl Fn(&mut DumboRules)) -> Vec<&'static str> {
    let mut rules = DumboRules::default();
    change(&mut rules);
    let game = dumbo(rules.clone());
    let mut labels = Vec::new();
    let (mut low, mut high) = (i32::MAX, i32::MIN);
    for tricks in trick_counts().map(|(tricks, _)| tricks.into_array()) {
        for dealer in Seat::THREE {
            let (expected, label) = by_the_book(&rules, tricks, dealer);
            assert_eq!(scores(&rules, tricks, dealer), expected, "{tricks:?}");
            (low, high) = (low.min(*expected.iter().min().unwrap()), high.max(*expected.iter().max().unwrap()));
            if expected != published(tricks, dealer).0 && !labels.contains(&label) {
                labels.push(label);
            }
        }
    }
    assert_eq!(game.score_range(), low..=high, "of {rules:?}");
    labels.sort_unstable();
    labels
}

#[test]
fn every_scoring_option_changes_its_own_results_and_no_others() {
    assert_eq!(labels_changed_by(|_| {}), Vec::<&str>::new());
    assert_eq!(labels_changed_by(|rules| rules.trick_points = 2), ["B1", "B2", "B3", "E3", "E4"]);
    assert_eq!(labels_changed_by(|rules| rules.match_bonus = -7), ["B1"]);
    assert_eq!(labels_changed_by(|rules| rules.zero_match_bonus = 33), ["E3"]);
    assert_eq!(labels_changed_by(|rules| rules.double_match_bonus = 5), ["E4"]);
    assert_eq!(labels_changed_by(|rules| rules.tie_score = -3), ["B3", "B4"]);
    assert_eq!(labels_changed_by(|rules| rules.sweep_score = 26), ["E1"]);
    assert_eq!(labels_changed_by(|rules| rules.dumbo_sweep_score = -13), ["E2"]);
}

#[test]
fn scoring_options_together_score_by_the_book_in_finished_deals() {
    let rules = DumboRules {
        trick_points: -2,
        match_bonus: 101,
        zero_match_bonus: 203,
        double_match_bonus: 307,
        tie_score: -401,
        sweep_score: 503,
        dumbo_sweep_score: -601,
        ..DumboRules::default()
    };
    let game = dumbo(rules.clone());
    for tricks in trick_counts().map(|(tricks, _)| tricks.into_array()) {
        for dealer in Seat::THREE {
            let state = finished(&game, tricks, dealer);
            assert_eq!(game.scores(&state).into_array(), by_the_book(&rules, tricks, dealer).0, "{tricks:?}");
        }
    }
    assert_eq!(game.score_range(), -601..=503);
}
