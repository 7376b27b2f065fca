//! Elo that is put together from single deals, compared with matches that were really played.

use crate::fixtures::duels::{Change, ahead, duel};
use overtrick::games::Variant;
use overtrick::ids::BotId;
use overtrick::run::Run;
use overtrick::stats::lead;
use overtrick::toml_source::Source;
use overtrick::tournament::{Overrides, Tournament};
use std::path::Path;

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

/// Elo put together from deals less Elo in matches really played, over the standard error of the difference, and
/// both as text.
fn miss(variant: &str, change: Change, deals: u64, matches: u64, pair: usize) -> (String, f64) {
    let (_, told) = ahead(&duel(variant, change, &format!("seed = {}\ndeals = {deals}", 1000 + pair)));
    let unit = "unit = \"match\"";
    let (_, played) = ahead(&duel(variant, change, &format!("seed = {}\n{unit}\nmatches = {matches}", 2000 + pair)));
    let (told, played) = (told.expect("deals enough"), played.expect("matches"));
    let error = told.1.hypot(played.1);
    // Bots that play alike are equal both ways.
    let miss = if told.0 == played.0 { 0.0 } else { (told.0 - played.0) / error };
    (format!("{variant} {change:?}: {told:.1?} for {played:.1?}"), miss)
}

/// The same for changes of these variants.
fn misses(variants: &[Variant], deals: u64, matches: u64, pairs: usize) -> Vec<(String, f64)> {
    let mut misses = Vec::new();
    for variant in variants {
        for pair in 0..pairs {
            misses.push(miss(&variant.name, change(variant.game.name(), pair), deals, matches, pair));
        }
    }
    misses
}

/// The misses of the shipped games whose deals do not depend on the points before them.
fn shipped_misses(deals: u64, matches: u64) -> Vec<(String, f64)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/games");
    let file = |name: &str| folder.join(name).to_string_lossy().into_owned();
    [
        ("hearts.toml", ("declared", "shed", 0.0)),
        ("oh-hell.toml", ("declared", "courage", 0.5)),
        ("sueca.toml", ("declared", "keep", 0.3)),
        ("whist.toml", ("declared", "feed", 0.0)),
    ]
    .map(|(name, change)| miss(&file(name), change, deals, matches, 0))
    .into()
}

/// With the seeds of the test below.
#[test]
fn elo_from_deals_is_elo_in_matches_in_two_variants() {
    let variants = ["euchre-24", "colour-blind-2"].map(|name| Variant::preset(name).unwrap());
    let misses = misses(&variants, 600, 60, 1);
    assert!(misses.iter().all(|(_, miss)| miss.abs() <= 4.0), "{misses:#?}");
}

/// In Hearts each deal of a match is drawn from those at its place in the cycle.
#[test]
fn elo_from_deals_is_elo_in_matches_in_games_from_files() {
    let misses = shipped_misses(400, 30);
    assert!(misses.iter().all(|(_, miss)| miss.abs() <= 4.0), "{misses:#?}");
}

#[test]
#[ignore = "long: plays a thousand matches of games from files"]
fn elo_from_deals_is_elo_in_many_matches_of_games_from_files() {
    let misses = shipped_misses(10_000, 1000);
    println!("{misses:#?}");
    assert!(misses.iter().all(|(_, miss)| miss.abs() <= 3.0), "{misses:#?}");
}

#[test]
fn games_whose_deals_depend_on_the_points_before_them_have_no_elo_from_deals() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/configs/games/spades.toml");
    let text =
        format!("seed = 1\nformat = \"duel\"\ndeals = 20\nvariants = [{file:?}]\nbots = [\"rule-based\", \"random\"]");
    let source = Source::parse(Path::new("t.toml"), text).unwrap();
    let tournament = Tournament::resolve(&source, Overrides::default()).unwrap();
    let results = Run::new(tournament).threads(2).play().unwrap().results();
    assert!(results.notes.iter().any(|note| note.contains("depends on the points before it")), "{:?}", results.notes);
}

#[test]
#[ignore = "long: plays matches of every variant"]
fn elo_from_deals_is_elo_in_matches_in_every_variant() {
    let misses = misses(&Variant::all(), 600, 60, 1);
    assert_eq!(misses.len(), Variant::all().len());
    let far = |limit: f64| misses.iter().filter(|(_, miss)| miss.abs() > limit).count();
    // Of 18, one is beyond two standard errors on average; four are once in a hundred times.
    assert!(far(2.0) <= 4 && far(4.0) == 0, "{misses:#?}");
}

/// The full form: `cargo test --profile long --test it assembled -- --ignored --nocapture thirty`.
#[test]
#[ignore = "long: plays for half an hour"]
fn elo_from_deals_is_elo_in_matches_for_thirty_pairs_of_every_variant() {
    let misses = misses(&Variant::all(), 1500, 150, 30);
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

/// How often intervals of Elo from deals cover what long runs of matches give: `cargo test --profile long --test it
/// assembled -- --ignored --nocapture cover`.
#[test]
#[ignore = "long: plays for half an hour"]
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
            row.elo.ends().map(|(low, high)| (2.0 * low, 2.0 * high))
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

#[test]
fn variants_of_which_no_match_can_be_put_together_are_named() {
    let long = "{ name = \"long\", base = \"dumbo\", rules = { end-mode = \"deals\", n-deals = 60000 } }";
    let text = format!(
        "seed = 1\nformat = \"duel\"\ndeals = 300\nvariants = [\"dumbo\", {long}]\nbots = [\"rule-based\", \"random\"]"
    );
    let source = Source::parse(Path::new("t.toml"), text).unwrap();
    let tournament = Tournament::resolve(&source, Overrides::default()).unwrap();
    let results = Run::new(tournament).threads(2).play().unwrap().results();
    let noted = |text: &str| results.notes.iter().any(|note| note.contains(text));
    assert!(
        noted("long: no Elo") && noted("all: no rating over all variants, as there are no matches to rate by of long"),
        "{:?}",
        results.notes
    );
    // A rating over one of two variants would be taken for one over both.
    assert!(results.ratings.iter().all(|row| row.variant != "all"));
}

/// At a table of two, ratings and a lead differ in ties alone.
#[test]
fn a_lead_has_the_elo_of_matches_of_twelve_deals() {
    let twelve = "{ name = \"twelve\", base = \"colour-blind-2\", rules = { end-mode = \"deals\", n-deals = 12 } }";
    let text = format!(
        "seed = 1\nformat = \"duel\"\ndeals = 2000\nvariants = [{twelve}]\nbots = [\"rule-based\", \"cautious\"]"
    );
    let source = Source::parse(Path::new("t.toml"), text).unwrap();
    let tournament = Tournament::resolve(&source, Overrides::default()).unwrap();
    let outcome = Run::new(tournament.clone()).threads(2).play().unwrap();
    let [ahead, behind] = [BotId::new(0), BotId::new(1)];
    let lead = lead(&tournament, &outcome.runs[0].tally, ahead, behind).expect("they played each other");
    let elo = lead.elo.expect("both win").estimate();
    let results = outcome.results();
    let pair = &results.pairs[0];
    assert!((elo.mean - pair.elo_difference.0.unwrap()).abs() < 0.5, "{elo:?} {pair:?}");
    assert!((elo.se.unwrap() / pair.elo_se.0.unwrap() - 1.0).abs() < 0.05, "{elo:?} {pair:?}");
}
