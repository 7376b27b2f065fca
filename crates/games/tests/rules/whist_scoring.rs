//! Tests of the score and the match of Dummy Whist, rules WH35 to WH45, and of the options in a variant file.

use std::collections::BTreeSet;

use overtrick_cards::table::Place;
use overtrick_game::{AtTarget, Describe, Ending, Game, State, TieRule};
use overtrick_games::whist::{Contracting, DUMMY, DummyWhist};
use overtrick_tournament::DealRecord;

use crate::fixtures::rules::{assert_deals_follow, assert_ends_at_target, by_totals, game, matches, variant};
use crate::fixtures::whist::{bare, win};

const BIDS: [(&str, &str); 4] = [("uptown", "S"), ("downtown", "H"), ("no-trump", "uptown"), ("no-trump", "downtown")];

/// Makes seat 0's contract, in which seat 0 and the dummy together have won `books` tricks.
fn played(bid: &str, name: &str, books: usize) -> State<Contracting> {
    let game: DummyWhist = game("min-bid = 0");
    let mut state = bare(&game, bid, name);
    let own = [Place::Hand0, DUMMY].into_iter().cycle().take(books);
    let others = [Place::Hand1, Place::Hand2, Place::Hand1].into_iter().cycle().take(13 - books);
    win(&game, &mut state, &others.chain(own).collect::<Vec<_>>());
    state
}

/// Plays every bid with every number of books once. All rules score these results.
fn all_results() -> Vec<(i32, &'static str, i32, State<Contracting>)> {
    let results =
        (0..=7).flat_map(|level| BIDS.map(|bid| (level, bid))).flat_map(|bid| (0..=13).map(move |n| (bid, n)));
    let play = |((level, (kind, name)), books): ((i32, (&str, &'static str)), i32)| {
        played(&format!("{level} {kind}"), name, books as usize)
    };
    results.map(|result| (result.0.0, result.0.1.0, result.1, play(result))).collect()
}

/// Checks every result. `score` returns the declarer's and each opponent's score for a bid and its books.
fn assert_scores(rules: &str, score: impl Fn(i32, &str, i32) -> (i32, i32)) {
    let game: DummyWhist = game(&format!("min-bid = 0\n{rules}"));
    let mut found = BTreeSet::new();
    for (level, kind, books, state) in all_results() {
        let (declarer, each) = score(level, kind, books);
        assert_eq!(
            game.scores(&state).into_array(),
            [declarer, each, each],
            "{level} {kind}, {books} books under {rules}"
        );
        assert_eq!(game.contract_result(&state).unwrap().made, books >= 6 + level);
        let rule = if books >= 6 + level { "(WH36)" } else { "(WH37)" };
        assert!(game.reasons(&state).iter().all(|reason| reason.contains(rule)));
        found.extend([declarer, each]);
    }
    assert_eq!(game.score_range(), *found.first().unwrap()..=*found.last().unwrap(), "{rules}");
}

/// The score of a bid that fails, by its books: uptown or downtown, and no trump.
const SET: [[i32; 2]; 8] = [[0, 0], [1, 2], [2, 4], [3, 6], [4, 8], [5, 10], [6, 12], [14, 28]];
/// The score of 6 to 13 books for a bid below seven that is made: uptown or downtown, and no trump.
const MADE: [[i32; 2]; 8] = [[0, 0], [1, 2], [2, 4], [3, 6], [4, 8], [5, 10], [6, 12], [7, 14]];
/// The score of thirteen books if seven were bid.
const BOSTON: [i32; 2] = [14, 28];

#[test]
fn wh35_wh36_wh37_wh38_wh39_wh40_wh41_the_score_of_every_result() {
    assert_scores("", |level, kind, books| {
        let no_trump = usize::from(kind == "no-trump");
        match (level, books) {
            (7, 13) => (BOSTON[no_trump], 0),
            _ if books >= 6 + level => (MADE[books as usize - 6][no_trump], 0),
            _ => (0, SET[level as usize][no_trump]),
        }
    });
}

#[test]
fn wh41_four_no_trump_counts_eight_either_way() {
    let game: DummyWhist = game("");
    let scores = |bid: &str, name: &str, books| game.scores(&played(bid, name, books)).into_array();
    for name in ["uptown", "downtown"] {
        assert_eq!(scores("4 no-trump", name, 10), [8, 0, 0]);
        assert_eq!(scores("4 no-trump", name, 9), [0, 8, 8]);
    }
    // Thirteen books on a lower bid score seven points (WH38).
    assert_eq!(scores("1 uptown", "S", 13), [7, 0, 0]);
    assert_eq!(scores("7 downtown", "S", 13), [14, 0, 0]);
}

/// Checks the factors of contracts: plain, no trump, seven, seven no trump.
fn assert_factors(rules: &str, factors: [i32; 4]) {
    assert_scores(rules, |level, kind, books| {
        let factor = factors[usize::from(level == 7) * 2 + usize::from(kind == "no-trump")];
        if books >= 6 + level { ((books - 6) * factor, 0) } else { (0, level * factor) }
    });
}

#[test]
fn wh39_wh40_wh42_each_double_is_an_option() {
    assert_factors("", [1, 2, 2, 4]);
    assert_factors("doubles-stack = false", [1, 2, 2, 2]);
    assert_factors("boston-bid-double = false", [1, 2, 1, 2]);
    assert_factors("nt-double = false", [1, 1, 2, 2]);
    assert_factors("boston-bid-double = false\nnt-double = false", [1; 4]);
    assert_factors("double-factor = 3", [1, 3, 3, 9]);
    assert_factors("double-factor = 3\ndoubles-stack = false", [1, 3, 3, 3]);
    assert_factors("double-factor = 1", [1; 4]);
}

#[test]
fn wh37_wh43_who_pays_for_a_failed_bid_is_an_option() {
    for (word, own, others) in [("opponents-gain", 0, 1), ("declarer-loses", -1, 0), ("both", -1, 1)] {
        assert_scores(&format!("set-penalty = {word:?}"), |level, kind, books| {
            let no_trump = usize::from(kind == "no-trump");
            let set = SET[level as usize][no_trump];
            match (level, books) {
                (7, 13) => (BOSTON[no_trump], 0),
                _ if books >= 6 + level => (MADE[books as usize - 6][no_trump], 0),
                _ => (own * set, others * set),
            }
        });
    }
}

#[test]
fn wh36_wh37_what_a_book_counts_is_an_option() {
    let plain = "boston-bid-double = false\nnt-double = false";
    for (book, set) in [(5, 1), (1, 5), (0, 2), (3, 0)] {
        assert_scores(&format!("{plain}\nbook-points = {book}\nset-points = {set}"), |level, _, books| {
            if books >= 6 + level { ((books - 6) * book, 0) } else { (0, level * set) }
        });
    }
}

#[test]
fn reasons_tell_what_doubled_a_score() {
    let game: DummyWhist = game("");
    let notes = [("3 uptown", "S", 9, None), ("3 no-trump", "uptown", 8, Some("times 2"))];
    let sevens = [("7 downtown", "S", 13, Some("times 2")), ("7 no-trump", "downtown", 0, Some("times 4"))];
    for (bid, name, books, note) in notes.into_iter().chain(sevens) {
        for reason in game.reasons(&played(bid, name, books)) {
            assert_eq!(reason.contains("times"), note.is_some(), "{reason}");
            assert!(reason.contains(bid) && reason.contains(note.unwrap_or_default()), "{reason}");
        }
    }
}

#[test]
fn wh44_by_default_a_match_goes_to_21() {
    let ending = |rules: &str| game::<DummyWhist>(rules).ending();
    let highest = AtTarget::Highest(TieRule::HighestThenExtraDeal);
    assert_eq!(ending(""), Ending::Target { points: 21, ties: highest });
    assert_eq!(ending("target = 7\ntie-rule = \"extra-deal\""), Ending::Target { points: 7, ties: AtTarget::PlayOn });
    let left = Ending::Target { points: 21, ties: AtTarget::LeftOfDeclarer };
    assert_eq!(ending("tie-rule = \"left-of-declarer\""), left);
    assert_eq!(ending("end-mode = \"deals\"\nn-deals = 9\ntie-rule = \"extra-deal\""), Ending::Deals(9));
    for records in matches("dummy-whist", "end-mode = \"deals\"\nn-deals = 5\ntarget = 1", 20) {
        assert_eq!(records.len(), 5);
        assert_deals_follow(&records, 0);
    }
}

/// Returns the totals at or above the target after a deal, in descending order.
fn at_target(record: &DealRecord, target: i32) -> Vec<i32> {
    let mut reached: Vec<i32> = record.totals_after.iter().copied().filter(|&total| total >= target).collect();
    reached.sort_by_key(|&total| -total);
    reached
}

#[test]
fn wh45_by_default_the_highest_total_wins_and_level_totals_play_on() {
    let (mut level, mut unlike) = (0, 0);
    for name in ["dummy-whist", "dummy-whist-jokers", "dummy-whist-downtown"] {
        for records in matches(name, "target = 15", 300) {
            assert_ends_at_target(&records, 15, true);
            assert_deals_follow(&records, 0);
            let last = records.last().unwrap();
            assert_eq!(last.places, Some(by_totals(&last.totals_after)));
            for record in &records {
                if let [best, next, ..] = at_target(record, 15)[..] {
                    level += usize::from(best == next);
                    unlike += usize::from(best > next && record.places.is_some());
                }
            }
        }
    }
    assert!(level > 10 && unlike > 10, "{level} {unlike}");
}

#[test]
fn wh45_or_two_at_the_target_play_on() {
    let (mut unlike, mut long) = (0, 0);
    for records in matches("dummy-whist", "target = 15\ntie-rule = \"extra-deal\"", 600) {
        let mut playing_on = false;
        for (number, record) in records.iter().enumerate() {
            let reached = at_target(record, 15);
            let alone = reached.len() == 1 || reached.len() > 1 && reached[0] > reached[1];
            let ends = if playing_on { alone } else { reached.len() == 1 };
            assert_eq!(ends, number + 1 == records.len(), "{:?} in deal {number}", record.totals_after);
            long += usize::from(playing_on && !ends);
            unlike += usize::from(!playing_on && !ends && alone);
            playing_on |= reached.len() > 1;
        }
        let last = records.last().unwrap();
        assert_eq!(last.places, Some(by_totals(&last.totals_after)));
    }
    assert!(unlike > 10 && long > 10, "{unlike} {long}");
}

#[test]
fn wh45_or_the_first_to_the_left_of_the_declarer_wins() {
    let mut lower = 0;
    for records in matches("dummy-whist", "target = 15\ntie-rule = \"left-of-declarer\"", 600) {
        assert_ends_at_target(&records, 15, false);
        let last = records.last().unwrap();
        let (places, totals) = (last.places.clone().unwrap(), &last.totals_after);
        let declarer = last.contract.unwrap().declarer.unwrap().index();
        let from_left = [1, 2, 3].map(|steps| (declarer + steps) % 3);
        let winner = *from_left.iter().find(|&&seat| totals[seat] >= 15).unwrap();
        let behind: Vec<usize> = (0..3).filter(|&seat| seat != winner).collect();
        let rest = by_totals(&[totals[behind[0]], totals[behind[1]]]);
        assert_eq!(places[winner], 0);
        assert_eq!([places[behind[0]], places[behind[1]]], [rest[0] + 1, rest[1] + 1], "{totals:?}");
        lower += usize::from(totals.iter().any(|&total| total > totals[winner]));
    }
    assert!(lower > 10, "{lower}");
}

#[test]
fn every_option_keeps_to_its_range() {
    let ranges = [
        ("min-bid", 0, 7),
        ("double-factor", 1, 20),
        ("book-points", 0, 100),
        ("set-points", 0, 100),
        ("target", 1, 100_000),
        ("n-deals", 1, 65_536),
        ("renege-tricks", 0, 13),
        ("one-keeps-factor", 1, 100),
        ("both-keep-factor", 1, 100),
    ];
    for (key, low, high) in ranges {
        let needs = match key {
            "renege-tricks" => "allow-renege = true\n",
            "one-keeps-factor" | "both-keep-factor" => "form = \"humbug\"\n",
            _ => "",
        };
        let read = |value: i64| variant("dummy-whist", &format!("{needs}{key} = {value}"));
        for value in [low, high] {
            assert_eq!(read(value).unwrap().game.rules()[key].as_integer(), Some(value));
        }
        for value in [low - 1, high + 1] {
            let refused = read(value).err().expect(key);
            // A negative value is not a value of an unsigned key, so its message names no range.
            let wanted = if value < 0 { key } else { &format!("must be {low} to {high}") };
            assert!(refused.contains(key) && refused.contains(wanted), "{refused}");
        }
    }
    let words = [
        ("form", "humburg"),
        ("dummy-discard", "none"),
        ("nt-joker-play", "never"),
        ("set-penalty", "no-one"),
        ("renege-mode", "keep"),
        ("defender-dummy-exposed", "never"),
        ("humbug-choice", "dealer-first"),
        ("trump-method", "cut"),
        ("first-dealer", "seat-3"),
        ("end-mode", "never"),
        ("tie-rule", "highest-then-shared"),
    ];
    for (key, bad) in words {
        assert!(variant("dummy-whist", &format!("{key} = {bad:?}")).err().expect(key).contains(key));
    }
    let rules = variant("dummy-whist", "").unwrap().game.rules();
    let switches = ["jokers", "downtown-outranks-uptown", "allow-renege"];
    let doubles = ["boston-bid-double", "nt-double", "doubles-stack"];
    assert!(switches.iter().all(|&key| rules[key].as_bool() == Some(false)));
    assert!(doubles.iter().all(|&key| rules[key].as_bool() == Some(true)));
    // Nothing is missing above.
    assert_eq!(rules.len(), ranges.len() + words.len() + switches.len() + doubles.len());
}

#[test]
fn an_option_without_a_meaning_is_refused_with_what_it_needs() {
    let [jokers, renege] = ["jokers = true", "allow-renege = true"];
    let [double_dummy, humbug] = ["form = \"double-dummy\"", "form = \"humbug\""];
    let turn_up = "form = \"humbug\"\ntrump-method = \"turn-up\"";
    // The option, rules under which it has no effect, and rules under which it has.
    let cases = [
        ("jokers = true", &[double_dummy, humbug, turn_up][..], &[""][..], "dummy-whist"),
        ("dummy-discard = \"blind\"", &["", double_dummy, humbug], &[jokers], "jokers"),
        ("nt-joker-play = \"any-time\"", &["", double_dummy, humbug], &[jokers], "jokers"),
        ("defender-dummy-exposed = \"after-declaration\"", &["", jokers, humbug], &[double_dummy], "double-dummy"),
        ("humbug-choice = \"simultaneous\"", &["", double_dummy], &[humbug, turn_up], "humbug"),
        ("trump-method = \"turn-up\"", &["", jokers, double_dummy], &[humbug], "humbug"),
        ("one-keeps-factor = 3", &["", jokers, double_dummy], &[humbug, turn_up], "humbug"),
        ("both-keep-factor = 3", &["", jokers, double_dummy], &[humbug, turn_up], "humbug"),
        ("min-bid = 2", &[turn_up], &["", double_dummy, humbug], "auction"),
        ("downtown-outranks-uptown = true", &[turn_up], &["", double_dummy, humbug], "auction"),
        ("set-penalty = \"both\"", &[turn_up], &["", double_dummy, humbug], "auction"),
        ("boston-bid-double = false", &[turn_up], &["", double_dummy, humbug], "auction"),
        ("nt-double = false", &[turn_up], &["", double_dummy, humbug], "auction"),
        ("doubles-stack = false", &[turn_up], &["", double_dummy, humbug], "auction"),
        ("double-factor = 3", &[turn_up], &["", double_dummy, humbug], "auction"),
        ("set-points = 3", &[turn_up], &["", double_dummy, humbug], "auction"),
        ("renege-tricks = 1", &["", jokers, humbug], &[renege], "allow-renege"),
        ("renege-mode = \"forfeit\"", &["", jokers, humbug], &[renege], "allow-renege"),
        ("first-dealer = \"seat-2\"", &[double_dummy, humbug, turn_up], &["", jokers], "two"),
        ("book-points = 2", &[], &["", jokers, double_dummy, humbug, turn_up], ""),
        ("allow-renege = true", &[], &["", jokers, double_dummy, humbug, turn_up], ""),
    ];
    for (option, idle, counts, needs) in cases {
        let key = option.split(' ').next().unwrap();
        for rules in idle {
            let refused = variant("dummy-whist", &format!("{rules}\n{option}")).err().expect(option);
            assert!(refused.contains(&format!("`rules.{key}`")) && refused.contains(needs), "{refused}");
        }
        for rules in counts {
            variant("dummy-whist", &format!("{rules}\n{option}")).unwrap_or_else(|error| panic!("{error}"));
        }
    }
}
