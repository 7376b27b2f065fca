//! How well tuning finds parameters again: from random settings of the rule-based bot, on equal numbers of games,
//! beside the way of chess engines, simultaneous perturbation with the gains of Van den Bergh's formula.
//!
//! `cargo bench --bench tune -- [--alone] [RUNS [GAMES [VARIANT...]]]`: by default 3 runs of 60,000 games in each of
//! five variants; `--alone` leaves the other way out. Regained is the share of the gap between the random start and the
//! bot as it ships, in points a deal over the mixed field, on deals that neither has seen; the median over the runs,
//! and the quartiles.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use overtrick::cards::SeedSource;
use overtrick::run::Threads;
use overtrick::strategies::{Bot, Register};
use overtrick::toml_source::Source;
use overtrick::tournament::Window;
use overtrick::tune::{Arena, Objective, Pilot, Plan, Point, Sums, Task, Tuning};

/// The variants, and the keys of the parameters that play them.
const VARIANTS: [(&str, &str); 5] = [
    ("dumbo", "dumbo."),
    ("euchre-32", "euchre."),
    ("dummy-whist", "dummy-whist."),
    ("colour-blind", "colour-blind."),
    ("chameleon", "chameleon."),
];
/// The share of the games that the other way gets: what the confirmation leaves to finding the best.
const FOUND: f64 = 0.75;
/// The deals on which settings are compared in the end.
const DEALS: u64 = 4000;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let alone = std::env::args().any(|word| word == "--alone");
    let number = |place: usize, default: u64| words.get(place).map_or(default, |word| word.parse().expect("a number"));
    let (runs, games) = (number(0, 3), number(1, 60_000));
    let threads = Threads::all().expect("threads");
    println!("{games} games a run, {runs} runs; regained of the gap to the bot as it ships, in percent");
    let beside = if alone { "" } else { "   perturbation: median (quartiles)" };
    println!("variant          gap   tune: median (quartiles)   s/run{beside}");
    for (variant, keys) in VARIANTS {
        if words.len() > 2 && !words[2..].iter().any(|word| word == variant) {
            continue;
        }
        let (mut own, mut rival, mut gaps, mut time) = (Vec::new(), Vec::new(), Vec::new(), Duration::ZERO);
        for seed in 0..runs {
            let (plan, shipped) = plan(variant, keys, seed, games);
            let mut arena = Arena::new(&plan, &threads, &Arc::default()).unwrap();
            let task = plan.task();
            let began = Instant::now();
            let tuned = tuned(&task, &mut arena);
            time += began.elapsed();
            let mut candidates = vec![shipped, tuned];
            candidates.extend((!alone).then(|| perturbed(&task, &mut arena, games as f64 * FOUND)));
            let numbers = Window::Confirm.numbers(1 << 30..(1 << 30) + DEALS);
            let margins = arena.compare(&candidates, &task.start, numbers).unwrap();
            let mean = |candidate| {
                let mut sums = Sums::default();
                sums.add(margins.weighted(candidate, arena.weights()));
                sums.mean()
            };
            gaps.push(mean(0));
            own.push(100.0 * mean(1) / mean(0));
            rival.extend((!alone).then(|| 100.0 * mean(2) / mean(0)));
        }
        let [_, gap, _] = quartiles(gaps);
        let told = |shares: Vec<f64>| {
            let [low, median, high] = quartiles(shares);
            format!("{median:>6.1} ({low:.0} to {high:.0})")
        };
        let (own, seconds) = (told(own), time.as_secs_f64() / runs as f64);
        let beside = if alone { String::new() } else { told(rival) };
        println!("{variant:<14} {gap:>5.2}   {own}   {seconds:>8.1}   {beside}");
    }
}

/// A plan that starts at a random setting, and the point of the bot as it ships.
fn plan(variant: &str, keys: &str, seed: u64, games: u64) -> (Plan, Point) {
    let register = Register::default();
    let own: Vec<_> = register
        .list_parameters("rule-based")
        .unwrap()
        .into_iter()
        // Two of them are asked in Humbug and with trumps turned up alone.
        .filter(|one| one.parameter.starts_with(keys) && !one.parameter.contains(".keep"))
        .collect();
    let mut stream = SeedSource::new(seed, "bench tune", variant).stream(0, 0);
    let mut uniform = || (stream.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
    let ranges: Vec<(f64, f64)> = own.iter().map(|one| (one.low.unwrap(), one.high.unwrap())).collect();
    let starts: Vec<f64> = ranges.iter().map(|(low, high)| low + (high - low) * uniform()).collect();
    let set: String =
        own.iter().zip(&starts).map(|(one, value)| format!("{:?} = {value:.4}, ", one.parameter)).collect();
    let tuned: String = own.iter().map(|one| format!("{:?} = {{}}\n", one.parameter)).collect();
    let text = format!(
        "seed = {seed}\n[tune]\nbot = {{ bot = \"rule-based\", name = \"random-setting\", parameters = {{ {} }} }}\nvariants = \
         [{variant:?}]\ngames = {games}\nunseen = []\n[tune.parameters]\n{tuned}",
        set.trim_end_matches(", ")
    );
    let source = Source::parse(Path::new("bench.toml"), text).unwrap();
    let plan = Plan::resolve(&source, &register).unwrap();
    let shipped = Bot::find("rule-based", &[], &register).unwrap().unwrap().spec.parameters();
    let value = |key: &str| {
        key.split('.').fold(None, |at: Option<&toml::Value>, part| match at {
            None => shipped.get(part),
            Some(table) => table.get(part),
        })
    };
    let place =
        |axis: &overtrick::tune::Axis| axis.values.place(axis.values.nearest(value(&axis.key).unwrap()).unwrap());
    let shipped = plan.space.axes.iter().map(place).collect();
    (plan, shipped)
}

/// What tuning ends with: the start if no gain is confirmed.
fn tuned(task: &Task, arena: &mut Arena<'_>) -> Point {
    let mut tuning = Tuning::new(task);
    while !tuning.is_over() {
        tuning.step(task, arena).unwrap();
    }
    let confirmed = tuning.confirmation().filter(|confirm| confirm.gain.is_above_zero());
    confirmed.map_or_else(|| task.start.clone(), |confirm| confirm.best.clone())
}

/// What simultaneous perturbation finds: at each step all parameters move by a sixth of their range to either side at
/// once, and both settings play each other on one deal.
fn perturbed(task: &Task, arena: &mut Arena<'_>, games: f64) -> Point {
    const STEP: f64 = 1.0 / 6.0;
    let pilot = Pilot::play(&task.space, &task.start, arena, task.games).unwrap();
    let live = pilot.live();
    let steps = (games - pilot.games as f64) / arena.games(1) as f64;
    // The gain for which this many steps are enough: 3 time constants of the slowest parameter.
    let bend = |line: &overtrick::tune::PilotLine| -(line.up.mean() + line.down.mean()) / (0.125 * 0.125);
    let bends: f64 = live.iter().map(|&number| bend(&pilot.parameters[number])).sum();
    let curvature = (bends / live.len() as f64).max(1e-3);
    let rate = 3.0 / (2.0 * STEP * curvature * steps);
    let mut point = task.start.clone();
    let mut stream = SeedSource::new(task.seed, "bench tune", "perturbation").stream(0, 0);
    // Eight deals at a time keep the threads busy; there are still hundreds of perturbations.
    let (mut next, mut left) = (0, steps as u64);
    while left > 0 {
        let deals = left.min(8);
        let signs: Vec<f64> = point.iter().map(|_| if stream.next_u64() >> 63 == 0 { 1.0 } else { -1.0 }).collect();
        let moved = |side: f64| {
            let mut moved = point.clone();
            live.iter()
                .for_each(|&number| moved[number] = (point[number] + side * STEP * signs[number]).clamp(0.0, 1.0));
            task.space.snap(&moved)
        };
        let numbers = Window::Search.numbers(next..next + deals);
        let margins = arena.compare(&[moved(1.0)], &moved(-1.0), numbers).unwrap();
        let sum: f64 = margins.weighted(0, arena.weights()).iter().sum();
        for &number in &live {
            point[number] = (point[number] + (rate * sum * signs[number]).clamp(-0.1, 0.1)).clamp(0.0, 1.0);
        }
        next += deals;
        left -= deals;
    }
    task.space.snap(&point)
}

/// The quartiles of some numbers.
fn quartiles(mut numbers: Vec<f64>) -> [f64; 3] {
    numbers.sort_by(f64::total_cmp);
    [0.25, 0.5, 0.75].map(|share| numbers[((numbers.len() - 1) as f64 * share).round() as usize])
}
