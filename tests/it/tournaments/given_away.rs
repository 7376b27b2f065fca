//! Tricks that plays gave away, as a run counts them, against those in the records of the same deals.

use std::collections::BTreeMap;

use overtrick::stats::Results;
use overtrick::tournament::{DealRecord, Unit};

use crate::fixtures;

/// By bot, role and trick (0 for all): deals, cards that were judged, tricks given away.
type Losses = BTreeMap<(String, &'static str, usize), (u64, u64, u64)>;

/// The losses of a deal whose plays were judged.
fn add(losses: &mut Losses, record: &DealRecord) {
    if !record.is_judged() {
        return;
    }
    let seats = record.seating.len();
    let cards = record.tricks[0].plays.len();
    let declarer = record.contract.and_then(|contract| contract.declarer);
    for seat in 0..seats {
        let role = ["dealer", "forehand", "rearhand"][(seat + seats - record.dealer.index()) % seats];
        let side = if declarer.is_some_and(|declarer| declarer.index() == seat) { "declarer" } else { "defender" };
        for role in ["all", role, side] {
            let of_seat = |trick| (record.seating[seat].clone(), role, trick);
            // A trick has a row if a card to it was judged, over all deals in which one might have been.
            (0..=16).for_each(|trick| losses.entry(of_seat(trick)).or_default().0 += 1);
            let judged = record.moves.iter().filter_map(|made| Some((made.seat.index(), made.given_away?)));
            for (at, (_, tricks)) in judged.enumerate().filter(|(_, (by, _))| *by == seat) {
                for trick in [0, 1 + at / cards] {
                    let sums = losses.get_mut(&of_seat(trick)).unwrap();
                    (sums.1, sums.2) = (sums.1 + 1, sums.2 + u64::from(tricks));
                }
            }
        }
    }
}

fn check(variant: &str, lines: &str) {
    let mut tournament = fixtures::tournament(variant, lines);
    tournament.bots[0] = fixtures::bot("a", "rule-based", "");
    let results = Results::new(&tournament, &[&fixtures::play(&tournament, 7)]);
    let mut expected = Losses::new();
    for record in fixtures::judged(&tournament) {
        let number = if tournament.unit == Unit::Match { record.game.unwrap() } else { record.deal };
        if number < tournament.analyse {
            add(&mut expected, &record);
        }
    }
    expected.retain(|_, (_, plays, _)| *plays > 0);
    assert_eq!(results.given_away.len(), expected.len(), "{variant}");
    assert!(expected.values().any(|(_, _, tricks)| *tricks > 0), "{variant}: nothing was given away");
    for row in &results.given_away {
        let (deals, plays, tricks) = expected[&(row.bot.clone(), row.role, row.trick.unwrap_or(0))];
        assert_eq!((row.deals, row.plays, row.unit), (deals, plays, "tricks"), "{variant} {row:?}");
        let mean = row.given_away.value.unwrap();
        assert!((mean - tricks as f64 / deals as f64).abs() < 1e-12, "{variant} {row:?} {tricks}");
        let is_within = |(low, high): (f64, f64)| low <= mean && mean <= high;
        assert!(row.given_away.ends().is_none_or(is_within), "{variant} {row:?}");
    }
}

#[test]
fn what_plays_gave_away_is_what_the_records_say_in_two_variants() {
    for variant in ["euchre-24", "humbug"] {
        check(variant, "deals = 4\nanalyse = 3");
    }
}

#[test]
#[ignore = "long: judges every play of whole deals with dummies and of matches"]
fn what_plays_gave_away_is_what_the_records_of_the_deals_say() {
    for variant in ["euchre-24", "humbug", "chameleon-variant", "dummy-chameleon"] {
        check(variant, "deals = 4\nanalyse = 3");
    }
    for variant in ["dummy-whist-jokers", "double-dummy"] {
        check(variant, "deals = 2\nanalyse = 1");
    }
    check("euchre-32", "unit = \"match\"\nmatches = 8\ngroups = 8\nanalyse = 2");
}

/// Checks what is given away in some deals of games without sides.
fn check_points(variants: &[&str], deals: u64) {
    let tricks = 13;
    for &variant in variants {
        let mut tournament = fixtures::tournament(variant, &format!("deals = {deals}\nanalyse = {deals}"));
        tournament.bots[0] = fixtures::bot("a", "pimc", "worlds = 5");
        let results = Results::new(&tournament, &[&fixtures::play(&tournament, 7)]);
        let rows = || results.given_away.iter().filter(|row| row.role == "all");
        assert!(rows().all(|row| row.unit == "points"), "{variant}");
        let of = |bot: &str, trick| rows().find(|row| row.bot == bot && row.trick == trick);
        for bot in ["a", "b"] {
            // Who has one card left gives nothing away; all of the last tricks are judged, in which a hand of each
            // player and perhaps a dummy plays.
            let last = of(bot, Some(tricks)).unwrap();
            assert_eq!(last.given_away.value, Some(0.0), "{variant} {last:?}");
            let hands = if variant == "dumbo" { last.deals / 3 } else { 0 };
            assert_eq!(last.plays, last.deals + hands, "{variant} {last:?}");
            let before = of(bot, Some(tricks - 2)).unwrap();
            assert_eq!(before.plays, last.plays, "{variant} {before:?}");
            assert!(of(bot, Some(2)).is_none(), "{variant}");
        }
        let [searched, random] = ["a", "b"].map(|bot| of(bot, None).unwrap().given_away.value.unwrap());
        assert!(searched < random, "{variant}: {searched} {random}");
    }
}

#[test]
fn points_are_given_away_in_the_last_tricks_of_a_game_for_two() {
    check_points(&["colour-blind-2"], 4);
}

#[test]
#[ignore = "long: judges the last tricks of games for three"]
fn points_are_given_away_in_the_last_tricks_of_games_without_sides() {
    check_points(&["dumbo", "colour-blind", "colour-blind-2"], 10);
}

#[test]
fn nothing_is_judged_unless_that_was_asked_for() {
    let tournament = fixtures::tournament("euchre-24", "deals = 4");
    assert!(Results::new(&tournament, &[&fixtures::play(&tournament, 7)]).given_away.is_empty());
    assert!(!tournament.to_toml().contains("analyse"));
}
