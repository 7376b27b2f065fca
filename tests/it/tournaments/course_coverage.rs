//! How often the intervals of curves, and of how matches go, cover the truth in tournaments that are really played: the
//! truth is what all of them say together.

use std::collections::BTreeMap;
use std::path::Path;

use overtrick::run::{Run, Threads};
use overtrick::stats::{Interval, Results};
use overtrick::toml_source::Source;
use overtrick::tournament::{Overrides, Tournament};

/// A figure and its interval.
type Told = (f64, Option<(f64, f64)>);

/// By measure and row.
fn figures(results: &Results) -> BTreeMap<(&'static str, String), Told> {
    let told = |figure: Interval| Some((figure.value?, figure.ends()));
    let mut found = BTreeMap::new();
    for row in &results.curves {
        let name = format!("{} {}", row.bot, row.trick);
        found.extend(told(row.value).map(|told| ((row.measure, name), told)));
    }
    for row in &results.balance {
        for (measure, figures) in [
            ("match-deals", row.match_deals),
            ("match-deals-p95", row.match_deals_p95),
            ("leader-wins", row.leader_wins),
            ("comebacks", row.comebacks),
        ] {
            found.extend(told(figures).map(|told| ((measure, row.bot.clone()), told)));
        }
    }
    found
}

/// By measure: how many intervals there are, and how many of them cover the truth.
type Counts = BTreeMap<&'static str, (usize, usize)>;

/// The results of a tournament of mirrors.
fn results(lines: &str, seed: u64, threads: &Threads) -> Results {
    let source = Source::parse(Path::new("t.toml"), format!("seed = {seed}\nformat = \"mirror\"\n{lines}")).unwrap();
    let tournament = Tournament::resolve(&source, Overrides::default()).unwrap();
    let run = Run::new(tournament.clone()).on(threads).play().unwrap();
    Results::new(&tournament, &[&run.runs[0].tally])
}

/// Plays a tournament with the seeds from 1 to `seeds` and counts.
fn count(counts: &mut Counts, lines: &str, seeds: u64) {
    let threads = Threads::new(2).unwrap();
    let mut by_row: BTreeMap<(&'static str, String), Vec<Told>> = BTreeMap::new();
    for seed in 1..=seeds {
        for (row, told) in figures(&results(lines, seed, &threads)) {
            by_row.entry(row).or_default().push(told);
        }
    }
    for ((measure, row), told) in by_row {
        let mut values: Vec<f64> = told.iter().map(|told| told.0).collect();
        values.sort_by(f64::total_cmp);
        let truth = match measure.starts_with("match-deals") {
            true => values[values.len() / 2],
            false => values.iter().sum::<f64>() / values.len() as f64,
        };
        // Shares that are hardly ever anything but 0 or 1 are covered too often, as everywhere.
        let is_share = !["moves", "match-deals", "match-deals-p95"].contains(&measure);
        if values[0] == values[values.len() - 1] || is_share && !(0.05..=0.95).contains(&truth) {
            continue;
        }
        let intervals: Vec<(f64, f64)> = told.iter().filter_map(|told| told.1).collect();
        let covered = intervals.iter().filter(|(low, high)| *low <= truth && truth <= *high).count();
        println!(
            "{measure} {row}: {truth:.4}, {:.1}% of {}",
            100.0 * covered as f64 / intervals.len() as f64,
            told.len()
        );
        let sums = counts.entry(measure).or_default();
        *sums = (sums.0 + intervals.len(), sums.1 + covered);
    }
}

/// Sees that every measure is covered in 95%, give or take so much; quantiles, which take few values, in no less.
fn check(counts: &Counts, measures: &[&str], give: f64) {
    assert_eq!(counts.keys().copied().collect::<Vec<_>>(), measures);
    for (measure, &(all, covered)) in counts {
        let share = 100.0 * covered as f64 / all as f64;
        println!("{measure}: {share:.1}% of {all}");
        let most = if measure.starts_with("match-deals") { 100.0 } else { 95.0 + give };
        assert!((95.0 - give..=most).contains(&share), "{measure}: {share}");
    }
}

const OF_CURVES: [&str; 4] = ["forced", "lead-changes", "moves", "winner-leads"];
const OF_MATCHES: [&str; 4] = ["comebacks", "leader-wins", "match-deals", "match-deals-p95"];

/// The config lines of a tournament that says something of every curve, and of one that says how matches go.
const LINES: [&str; 2] = [
    "deals = 128\nvariants = [\"euchre-32\"]\nbots = [\"random\", \"rule-based\"]",
    "unit = \"match\"\nmatches = 64\nvariants = [\"euchre-32\"]\nbots = [\"random\"]",
];

#[test]
fn intervals_of_curves_and_of_how_matches_go_lie_around_their_figures() {
    let threads = Threads::new(2).unwrap();
    for (lines, measures) in LINES.into_iter().zip([OF_CURVES, OF_MATCHES]) {
        let found = figures(&results(lines, 1, &threads));
        for measure in measures {
            let of_measure = || found.iter().filter(|((own, _), _)| *own == measure);
            assert!(of_measure().any(|(_, (_, interval))| interval.is_some()), "{measure} has no interval");
            for ((_, row), (value, interval)) in of_measure() {
                let is_around = interval.is_none_or(|(low, high)| low <= *value && *value <= high);
                assert!(is_around, "{measure} {row}: {value} {interval:?}");
            }
        }
        assert_eq!(found, figures(&results(lines, 1, &threads)), "the same deals have the same intervals");
    }
}

#[test]
#[ignore = "long: proves coverage by simulation"]
fn intervals_of_curves_cover_the_truth() {
    let mut counts = Counts::new();
    count(&mut counts, LINES[0], 200);
    check(&counts, &OF_CURVES, 2.5);
}

#[test]
#[ignore = "long: proves coverage by simulation"]
fn intervals_of_how_matches_go_cover_the_truth() {
    let mut counts = Counts::new();
    count(&mut counts, LINES[1], 200);
    counts.retain(|measure, _| OF_MATCHES.contains(measure));
    check(&counts, &OF_MATCHES, 4.0);
}

/// The full form: `cargo test --profile long --test it course_coverage -- --ignored --nocapture`.
#[test]
#[ignore = "long: proves coverage by minutes of simulation"]
fn intervals_of_courses_cover_the_truth_in_full() {
    let mut counts = Counts::new();
    for variant in ["dumbo", "euchre-32", "chameleon", "dummy-whist", "colour-blind-2"] {
        let lines = format!("deals = 200\nvariants = [{variant:?}]\nbots = [\"random\", \"rule-based\"]");
        count(&mut counts, &lines, 400);
    }
    counts.retain(|measure, _| OF_CURVES.contains(measure));
    check(&counts, &OF_CURVES, 2.5);
    let mut counts = Counts::new();
    for variant in ["dumbo", "euchre-32", "chameleon", "dummy-whist", "colour-blind-2"] {
        let lines =
            format!("unit = \"match\"\nmatches = 96\nvariants = [{variant:?}]\nbots = [\"random\", \"rule-based\"]");
        count(&mut counts, &lines, 400);
    }
    counts.retain(|measure, _| OF_MATCHES.contains(measure));
    check(&counts, &OF_MATCHES, 2.5);
}
