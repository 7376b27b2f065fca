//! Elo that is put together from single deals, beside matches that were really played.

use crate::fixtures;
use std::path::Path;

use overtrick::games::Variant;
use overtrick::stats::Results;
use overtrick::toml_source::Source;
use overtrick::tournament::{Overrides, Tournament};

/// The rule-based bot with one parameter changed: table, key and value.
type Change = (&'static str, &'static str, f64);

fn manifest(name: &str, change: Option<Change>) -> String {
    let parameters =
        change.map_or(String::new(), |(table, key, value)| format!(", parameters.{table}.{key} = {value:?}"));
    format!("{{ name = {name:?}, strategy = \"rule-based\"{parameters} }}")
}

/// The results of a duel of the changed bot with the plain one.
fn duel(variant: &str, change: Change, lines: &str) -> Results {
    let bots = [manifest("changed", Some(change)), manifest("plain", None)].join(", ");
    let text = format!("format = \"duel\"\n{lines}\nvariants = [{variant:?}]\nbots = [{bots}]");
    let source = Source::parse(Path::new("duel.toml"), text).unwrap();
    let tournament = Tournament::resolve(&source, Overrides::default()).unwrap();
    Results::new(&tournament, &[&fixtures::play(&tournament, 1 << 20)])
}

/// How far the changed bot is ahead, as the headline has it: points a deal, and its Elo with its standard error.
fn ahead(results: &Results) -> (f64, Option<(f64, f64)>) {
    let row = results.ratings.iter().find(|row| row.bot == "changed").unwrap();
    let pair = &results.pairs[0];
    (row.ahead.0.unwrap(), pair.elo_difference.0.zip(pair.elo_se.0))
}

/// By how much more often the changed bot came first in a deal or a match, alone, than the plain one.
fn first_more_often(results: &Results) -> f64 {
    let won = |name| results.bots.iter().find(|row| row.bot == name).unwrap().won.0.unwrap();
    won("changed") - won("plain")
}

/// Searches for bots that come first in more deals and win fewer matches, or the other way round: prints what it finds.
#[test]
#[ignore = "a search, whose findings are cases of the test below"]
fn search_for_bots_whose_finish_in_deals_misleads() {
    const CHANGES: &[(&str, &[Change])] = &[
        (
            "euchre",
            &[
                ("euchre", "courage", 0.8),
                ("euchre", "courage", 1.5),
                ("euchre", "courage", 2.6),
                ("euchre", "courage", 3.2),
                ("euchre", "gift", -1.0),
                ("euchre", "gift", 1.2),
                ("euchre", "ace", 0.2),
                ("euchre", "ace", 1.3),
                ("euchre", "thrift", 0.2),
                ("euchre", "thrift", 1.6),
            ],
        ),
        (
            "dumbo",
            &[
                ("dumbo", "ambition", 0.0),
                ("dumbo", "ambition", 0.5),
                ("dumbo", "ambition", 2.0),
                ("dumbo", "tie-fear", 0.0),
                ("dumbo", "tie-fear", 1.6),
                ("dumbo", "spite", 0.0),
                ("dumbo", "spite", 2.0),
                ("dumbo", "respect", 0.9),
            ],
        ),
        (
            "colour-blind",
            &[
                ("colour-blind", "spite", 0.0),
                ("colour-blind", "spite", 2.0),
                ("colour-blind", "thrift", 0.4),
                ("colour-blind", "thrift", 1.6),
                ("colour-blind", "hope", 0.0),
                ("colour-blind", "hope", 2.0),
                ("colour-blind", "contest", 0.8),
            ],
        ),
        (
            "chameleon",
            &[
                ("chameleon", "caution", -12.0),
                ("chameleon", "caution", 12.0),
                ("chameleon", "caution", 30.0),
                ("chameleon", "respect", 0.2),
                ("chameleon", "respect", 1.0),
                ("chameleon", "spite", 0.0),
                ("chameleon", "talon", 1.2),
                ("chameleon", "talon", 3.0),
                ("chameleon", "misere", 0.4),
                ("chameleon", "misere", 1.6),
                ("chameleon", "hedge", 0.0),
            ],
        ),
        (
            "whist",
            &[
                ("dummy-whist", "surety", 0.15),
                ("dummy-whist", "surety", 0.25),
                ("dummy-whist", "surety", 0.55),
                ("dummy-whist", "envy", 0.0),
                ("dummy-whist", "envy", 8.0),
                ("dummy-whist", "keep", 7.0),
                ("dummy-whist", "keep", 9.5),
                ("dummy-whist", "long", 0.2),
            ],
        ),
    ];
    for variant in Variant::all() {
        let game = match variant.game.name() {
            "dummy-whist" => "whist",
            name => name,
        };
        let (_, changes) = CHANGES.iter().find(|(name, _)| *name == game).expect("changes of the game");
        for &change in *changes {
            let results = duel(&variant.name, change, "seed = 1\ndeals = 2000");
            let ((points, elo), first) = (ahead(&results), first_more_often(&results));
            let row = &results.pairs[0];
            println!(
                "{} {change:?}: points {points:.4} se {:.4}, elo {elo:.1?}, first more often {first:.4}{}",
                variant.name,
                row.se.0.unwrap(),
                if points * first < 0.0 { "  <<<" } else { "" }
            );
        }
    }
}

/// Bots that come first in more deals than the plain one and win fewer matches: the variant, the change, and so many matches that show it to ten
/// standard errors.
const MISLEADING: &[(&str, Change, u64)] = &[
    ("euchre-32", ("euchre", "courage", 1.5), 1600),
    ("euchre-32", ("euchre", "courage", 0.8), 250),
    ("euchre-32", ("euchre", "gift", -1.0), 400),
    ("euchre-24", ("euchre", "courage", 0.8), 300),
    ("dummy-whist", ("dummy-whist", "surety", 0.15), 300),
    ("dummy-whist-downtown", ("dummy-whist", "surety", 0.15), 1200),
    ("chameleon", ("chameleon", "misere", 0.4), 800),
    ("chameleon-variant", ("chameleon", "misere", 0.4), 800),
];

#[test]
fn the_headline_names_who_wins_matches_not_who_comes_first_in_deals() {
    for &(variant, change, matches) in MISLEADING {
        let told = duel(variant, change, "seed = 1\ndeals = 2000");
        let played = duel(variant, change, &format!("seed = 2\nunit = \"match\"\nmatches = {matches}"));
        let case = format!("{variant} {change:?}");
        let (_, in_matches) = ahead(&played);
        let (elo, se) = in_matches.unwrap();
        assert!(elo < -10.0 * se, "{case}: {elo} ± {se} in matches");
        assert!(first_more_often(&told) > 0.02, "{case} comes first more often");
        let (points, in_matches) = ahead(&told);
        assert!(points < 0.0 && in_matches.unwrap().0 < 0.0, "{case}: {points} points, {in_matches:?} Elo");
        for results in [&told, &played] {
            assert!(
                results.headlines[0].text.starts_with("plain is ahead of changed by"),
                "{}",
                results.headlines[0].text
            );
            let order: Vec<&str> = results.ratings.iter().map(|row| row.bot.as_str()).collect();
            assert_eq!(order, ["plain", "changed"], "{case}");
            assert!(results.ratings[0].superiority_over_next.0.unwrap() > 0.5);
            let pair = &results.pairs[0];
            assert!(pair.difference.0.unwrap() < 0.0 && pair.superiority.0.unwrap() < 0.5, "{case}");
        }
    }
}

/// By game: its table of parameters, and some of them with the ends between which they are changed.
type Space = (&'static str, &'static [(&'static str, f64, f64)]);

fn space(game: &str) -> Space {
    match game {
        "dumbo" => (
            "dumbo",
            &[
                ("spite", 0.0, 0.8),
                ("ambition", 0.0, 2.0),
                ("tie-fear", 0.0, 2.0),
                ("top-trust", 1.0, 6.0),
                ("respect", 0.0, 1.0),
                ("snap-fear", 0.0, 3.0),
            ],
        ),
        "euchre" => (
            "euchre",
            &[
                ("courage", 1.0, 3.0),
                ("gift", -1.0, 1.5),
                ("ace", 0.0, 1.5),
                ("ruff", 0.0, 1.0),
                ("draw", 0.0, 1.0),
                ("thrift", 0.0, 1.6),
            ],
        ),
        "colour-blind" => (
            "colour-blind",
            &[
                ("thrift", 0.2, 1.8),
                ("spite", 0.0, 2.0),
                ("hope", 0.0, 2.0),
                ("respect", 0.0, 0.8),
                ("contest", 0.3, 1.0),
                ("thrift", 0.1, 1.6),
            ],
        ),
        "chameleon" => (
            "chameleon",
            &[
                ("talon", 0.8, 3.2),
                ("caution", -20.0, 30.0),
                ("respect", 0.0, 1.0),
                ("spite", 0.0, 2.0),
                ("hedge", 0.0, 60.0),
                ("misere", 0.3, 2.0),
            ],
        ),
        _ => (
            "dummy-whist",
            &[
                ("surety", 0.1, 0.7),
                ("envy", 0.0, 10.0),
                ("keep", 7.0, 10.0),
                ("slow", 0.0, 1.0),
                ("long", 0.0, 1.0),
                ("ruff", 0.0, 1.0),
            ],
        ),
    }
}

/// One of thirty changes: five values of each of six parameters.
fn change(game: &str, number: usize) -> Change {
    let (table, parameters) = space(game);
    let (key, low, high) = parameters[number % parameters.len()];
    (table, key, low + (high - low) * (number / parameters.len()) as f64 / 4.0)
}

/// Elo put together from deals less Elo in matches really played, over what that may be off by, for changes of every variant.
fn misses(deals: u64, matches: u64, pairs: usize) -> Vec<(String, f64)> {
    let mut misses = Vec::new();
    for variant in Variant::all() {
        for pair in 0..pairs {
            let change = change(variant.game.name(), pair);
            let lines = |unit: &str, count: u64, seed: usize| {
                format!("seed = {seed}\nunit = {unit:?}\n{unit}{} = {count}", if unit == "deal" { "s" } else { "es" })
            };
            let (_, told) = ahead(&duel(&variant.name, change, &lines("deal", deals, 1000 + pair)));
            let (_, played) = ahead(&duel(&variant.name, change, &lines("match", matches, 2000 + pair)));
            let (told, played) = (told.expect("deals enough"), played.expect("matches"));
            let error = told.1.hypot(played.1);
            // Bots that play alike are equal both ways.
            let miss = if told.0 == played.0 { 0.0 } else { (told.0 - played.0) / error };
            misses.push((format!("{} {change:?}: {told:.1?} for {played:.1?}", variant.name), miss));
        }
    }
    misses
}

#[test]
fn elo_from_deals_is_elo_in_matches_in_every_variant() {
    let misses = misses(600, 60, 1);
    assert_eq!(misses.len(), Variant::all().len());
    let far = |limit: f64| misses.iter().filter(|(_, miss)| miss.abs() > limit).count();
    // Of 18, one is beyond two standard errors on average; four are once in a hundred times.
    assert!(far(2.0) <= 4 && far(4.0) == 0, "{misses:#?}");
}

/// The full form: `cargo test --release --test it assembled -- --ignored --nocapture thirty`.
#[test]
#[ignore = "plays for half an hour"]
fn elo_from_deals_is_elo_in_matches_for_thirty_pairs_of_every_variant() {
    let misses = misses(1500, 150, 30);
    let within = misses.iter().filter(|(_, miss)| miss.abs() <= 1.97).count() as f64 / misses.len() as f64;
    let mean = misses.iter().map(|(_, miss)| miss).sum::<f64>() / misses.len() as f64;
    for (case, miss) in misses.iter().filter(|(_, miss)| miss.abs() > 2.5) {
        println!("{case}: {miss:.2} standard errors");
    }
    println!(
        "{} cases, {:.1}% within their intervals, {mean:.2} standard errors off on average",
        misses.len(),
        100.0 * within
    );
    assert!((0.92..=0.98).contains(&within));
}

/// How often intervals of Elo from deals cover what long runs of matches give: `cargo test --release --test it assembled -- --ignored --nocapture cover`.
#[test]
#[ignore = "plays for half an hour"]
fn intervals_of_elo_from_deals_cover_elo_in_matches() {
    const REPETITIONS: u64 = 400;
    for (variant, change, deals, matches) in [
        ("euchre-32", ("euchre", "courage", 1.5), 300, 20_000),
        ("euchre-32", ("euchre", "courage", 1.5), 1500, 20_000),
        ("dumbo", ("dumbo", "spite", 0.0), 300, 8_000),
        ("colour-blind-2", ("colour-blind", "thrift", 0.5), 200, 20_000),
        ("chameleon", ("chameleon", "talon", 1.2), 150, 12_000),
    ] {
        let (_, played) = ahead(&duel(variant, change, &format!("seed = 1\nunit = \"match\"\nmatches = {matches}")));
        let (truth, truth_se) = played.unwrap();
        let told = (0..REPETITIONS).map(|seed| {
            let results = duel(variant, change, &format!("seed = {}\ndeals = {deals}", 100 + seed));
            let row = results.ratings.iter().find(|row| row.bot == "changed").unwrap();
            // Of two bots each has half of the difference.
            row.low.0.zip(row.high.0).map(|(low, high)| (2.0 * low, 2.0 * high))
        });
        let intervals: Vec<(f64, f64)> = told.flatten().collect();
        let covered = intervals.iter().filter(|(low, high)| (*low..=*high).contains(&truth)).count();
        let width = intervals.iter().map(|(low, high)| high - low).sum::<f64>() / intervals.len() as f64;
        let share = covered as f64 / intervals.len() as f64;
        println!(
            "{variant} {change:?}, {deals} deals: truth {truth:.1} ± {truth_se:.1}, {} intervals of ± {:.1} on average, {:.1}% cover it",
            intervals.len(),
            width / 2.0,
            100.0 * share
        );
        assert!((0.91..=0.985).contains(&share));
    }
}
