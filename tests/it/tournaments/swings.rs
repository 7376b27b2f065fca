//! The deals that made the difference, against a pass over the records of all deals.

use std::collections::BTreeMap;
use std::path::Path;

use overtrick::stats::Results;
use overtrick::toml_source::Source;
use overtrick::tournament::{Overrides, Tournament};

use crate::fixtures::{self, records};

/// By bot that was ahead, bot that was behind and number: the mean score of the one less that of the other.
type Differences = BTreeMap<(String, String), Vec<(f64, u64)>>;

/// The differences of every two bots in every deal (or match), worked out from nothing but the records.
fn differences(tournament: &Tournament) -> Differences {
    // By pair and number: for each of the two, the sum of its scores, and the chairs that it had in games with both.
    let mut sums: BTreeMap<(String, String, u64), [(i64, f64); 2]> = BTreeMap::new();
    for record in records(tournament) {
        let number = record.game.unwrap_or(record.deal);
        for ahead in &tournament.bots {
            for behind in tournament.bots.iter().filter(|behind| behind.name != ahead.name) {
                if [ahead, behind].iter().any(|bot| !record.seating.contains(&bot.name)) {
                    continue;
                }
                let sum = sums.entry((ahead.name.clone(), behind.name.clone(), number)).or_default();
                for (name, score) in record.seating.iter().zip(&record.scores) {
                    for (side, bot) in [ahead, behind].into_iter().enumerate() {
                        if *name == bot.name {
                            sum[side].0 += i64::from(*score);
                            // A match has one chair for all its deals.
                            sum[side].1 += f64::from(record.game.is_none() || record.deal == 0);
                        }
                    }
                }
            }
        }
    }
    let mut differences = Differences::new();
    for ((ahead, behind, number), [(one, chairs), (other, others_chairs)]) in sums {
        let difference = one as f64 / chairs - other as f64 / others_chairs;
        differences.entry((ahead, behind)).or_default().push((difference, number));
    }
    for list in differences.values_mut() {
        list.retain(|&(difference, _)| difference > 1e-9);
        // Equal differences may differ in their last bit.
        list.sort_by_key(|&(difference, number)| (-(difference * 1e6).round() as i64, number));
        list.truncate(10);
    }
    differences.retain(|_, list| !list.is_empty());
    differences
}

pub(super) fn check(tournament: &Tournament) -> usize {
    let results = Results::new(tournament, &[&fixtures::play(tournament, 7)]);
    let expected = differences(tournament);
    let mut found: Differences = BTreeMap::new();
    for row in &results.swings {
        let list = found.entry((row.ahead.clone(), row.behind.clone())).or_default();
        list.push((row.difference.0.unwrap(), row.deal));
        assert_eq!((row.variant.as_str(), row.rank), (tournament.variants[0].name.as_str(), list.len()));
    }
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (pair, expected) in expected {
        let found = &found[&pair];
        assert_eq!(found.len(), expected.len(), "{pair:?}");
        for ((one, number), (other, same)) in found.iter().zip(&expected) {
            assert!((one - other).abs() < 1e-9 && number == same, "{pair:?}: {found:?}, {expected:?}");
        }
    }
    results.swings.len()
}

/// A tournament of three bots, one of which knows what it does.
fn field(variant: &str, lines: &str) -> Tournament {
    let mut tournament = fixtures::tournament(variant, lines);
    tournament.bots[0] = fixtures::bot("a", "rule-based", "");
    tournament
}

#[test]
fn they_are_those_of_the_records() {
    for variant in ["dumbo", "euchre-32", "chameleon", "colour-blind-2"] {
        assert!(check(&field(variant, "deals = 60")) > 10, "{variant}");
    }
    check(&field("dumbo", "deals = 30\nformat = \"gauntlet\"\ncandidate = \"b\""));
    assert!(check(&field("dumbo", "unit = \"match\"\nmatches = 25")) > 10);
}

fn duel(variant: &str) -> Tournament {
    let text = format!(
        "seed = 5\nformat = \"duel\"\ndeals = 40\nvariants = [{variant:?}]\nbots = [{{name = \"a\", strategy = \"random\"}}, \
         {{name = \"b\", strategy = \"random\"}}]"
    );
    let source = Source::parse(Path::new("duel.toml"), text).unwrap();
    Tournament::resolve(&source, Overrides::default()).unwrap()
}

#[test]
fn those_of_a_duel_count_all_chairs() {
    for variant in ["dumbo", "humbug"] {
        let mut tournament = duel(variant);
        // Two bots that draw the same lots do the same in the same chairs.
        assert_eq!(check(&tournament), 0);
        tournament.bots[0] = fixtures::bot("a", "rule-based", "");
        // In Humbug no bot is ahead of it in any of these deals.
        assert!(check(&tournament) >= 10);
    }
}

#[test]
fn nobody_is_ahead_of_anybody_in_a_mirror() {
    assert_eq!(check(&field("dumbo", "deals = 20\nformat = \"mirror\"")), 0);
}
