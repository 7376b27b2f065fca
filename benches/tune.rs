//! How well tuning finds parameters again, from random settings of the rule-based bot, on equal numbers of games.
//!
//! `cargo bench --profile dist --bench tune -- [--alone] [RUNS [GAMES [VARIANT...]]]`: by default 3 runs of 60,000
//! games in each of five variants, compared with the method of chess engines, simultaneous perturbation with the gains
//! of Van den Bergh's formula; `--alone` leaves that out. Regained is the share of the gap between the random start and
//! the bot as it ships, in points a deal over the mixed field, on deals that neither has seen; the median over the
//! runs, and the quartiles.
//!
//! `cargo bench --profile dist --bench tune -- --cma [RUNS [GAMES [VARIANT...]]]`: compared with the usual alternative,
//! CMA-ES with its usual numbers, forty generations, each on fresh deals, and nothing confirmed. Both look for what is
//! most ahead of two of the bot as it ships, so both are measured by that: the points a deal that tuning is ahead of
//! the other, with the standard error over the runs, for what it had found before the confirmation and for what it
//! ended with.
//!
//! `cargo bench --profile dist --bench tune -- --dead [RUNS [GAMES [VARIANT...]]]`: from starts at which parameters are
//! dead, because the bot takes no contract: Chameleon with the highest caution, Euchre with the highest courage, all
//! other parameters at random: by how many points a deal the start, and what tuning ends with, are ahead of two of the
//! bot as it ships. With `--each` also start by start.
//!
//! `--times TIMES`: tuning gets this multiple of the games of CMA-ES: those that it plays in the time of a script, or
//! twice the number where a script plays each of its games twice. `--from SEED`: the first run's seed, 0 if there is
//! none.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use overtrick::cards::SeedSource;
use overtrick::run::Threads;
use overtrick::strategies::{Bot, Register};
use overtrick::toml_source::Source;
use overtrick::tournament::Window;
use overtrick::tune::{Arena, CmaEs, MarginSums, Pilot, Setting, Stage, TuneObjective, TunePlan, TuneTask, Tuning};

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
/// The same where two ways are compared that come to much the same.
const MANY_DEALS: u64 = 10_000;

/// Variants with the parameter and its value with which the bot takes no contract.
const IDLE: [(&str, &str, &str, f64); 2] =
    [("chameleon", "chameleon.", "chameleon.caution", 100.0), ("euchre-32", "euchre.", "euchre.courage", 5.0)];

/// The benchmark to run.
struct Wanted {
    first: u64,
    runs: u64,
    /// Those of the other way; tuning gets `times` as many.
    games: u64,
    times: u64,
    variants: Vec<String>,
}

fn main() {
    let mut words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let [alone, cma, dead, each] =
        ["--alone", "--cma", "--dead", "--each"].map(|option| words.iter().any(|word| word == option));
    let number = |word: &String| word.parse().expect("a number");
    let mut option = |name: &str, default: u64| match words.iter().position(|word| word == name) {
        Some(at) => number(&words.drain(at..at + 2).next_back().expect("a value")),
        None => default,
    };
    let (first, times) = (option("--from", 0), option("--times", 1));
    words.retain(|word| !word.starts_with("--"));
    let (runs, games) = (words.first().map_or(3, number), words.get(1).map_or(60_000, number));
    let wanted = Wanted { first, runs, games, times, variants: words.get(2..).unwrap_or_default().to_vec() };
    match (cma, dead) {
        (true, _) => beside_cma(&wanted),
        (_, true) => revived(&wanted, each),
        _ => regained(&wanted, alone),
    }
}

impl Wanted {
    fn has(&self, variant: &str) -> bool {
        self.variants.is_empty() || self.variants.iter().any(|word| word == variant)
    }

    fn variants(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        VARIANTS.into_iter().filter(|(variant, _)| self.has(variant))
    }

    fn seeds(&self) -> std::ops::Range<u64> {
        self.first..self.first + self.runs
    }
}

fn regained(wanted: &Wanted, alone: bool) {
    let (runs, games) = (wanted.runs, wanted.games);
    let threads = Threads::all().expect("threads");
    println!("{games} games a run, {runs} runs; regained of the gap to the bot as it ships, in percent");
    let beside = if alone { "" } else { "   perturbation: median (quartiles)" };
    println!("variant          gap   tune: median (quartiles)   s/run{beside}");
    for (variant, keys) in wanted.variants() {
        let (mut own, mut rival, mut gaps, mut time) = (Vec::new(), Vec::new(), Vec::new(), Duration::ZERO);
        for seed in wanted.seeds() {
            let (plan, shipped) = plan(variant, keys, seed, games, "mixed");
            let mut arena = Arena::new(&plan, &threads, &Arc::default()).unwrap();
            let task = plan.task();
            let began = Instant::now();
            let [_, tuned] = tuned(&task, &mut arena);
            time += began.elapsed();
            let mut candidates = vec![shipped, tuned];
            candidates.extend((!alone).then(|| perturbed(&task, &mut arena, games as f64 * FOUND)));
            let ahead = ahead(&candidates, &task.start, &mut arena, DEALS);
            gaps.push(ahead[0]);
            own.push(100.0 * ahead[1] / ahead[0]);
            rival.extend((!alone).then(|| 100.0 * ahead[2] / ahead[0]));
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

fn revived(wanted: &Wanted, each: bool) {
    let threads = Threads::all().expect("threads");
    println!(
        "{} games a run, {} runs; points a deal ahead of two as shipped: median (quartiles)",
        wanted.games, wanted.runs
    );
    println!("variant          dead           start                    in the end     s/run");
    for (variant, keys, key, value) in IDLE.into_iter().filter(|(variant, ..)| wanted.has(variant)) {
        let (mut starts, mut ends, mut dead, mut took) = (Vec::new(), Vec::new(), Vec::new(), Duration::ZERO);
        for seed in wanted.seeds() {
            let (plan, shipped) = plan_from(variant, keys, seed, wanted.games, "rule-based", Some((key, value)));
            let mut arena = Arena::new(&plan, &threads, &Arc::default()).unwrap();
            let task = plan.task();
            let pilot = Pilot::play(&task.space, &task.start, &mut arena, task.games).unwrap();
            dead.push((task.start.len() - pilot.live().len()) as f64);
            let began = Instant::now();
            let [_, tuned] = tuned(&task, &mut arena);
            took += began.elapsed();
            let ahead = ahead(&[task.start.clone(), tuned.clone()], &shipped, &mut arena, MANY_DEALS);
            if each {
                println!("{variant} {seed}: {:+.3} {:+.3} {}", ahead[0], ahead[1], plan.space.text(&tuned));
            }
            starts.push(ahead[0]);
            ends.push(ahead[1]);
        }
        let figures = |points: Vec<f64>| {
            let [low, median, high] = quartiles(points);
            format!("{median:+.3} ({low:+.3} to {high:+.3})")
        };
        let (dead, seconds) = (quartiles(dead), took.as_secs_f64() / wanted.runs as f64);
        println!("{variant:<14} {:>6}  {:>26}  {:>26}  {seconds:>6.1}", dead[1], figures(starts), figures(ends));
    }
}

fn beside_cma(wanted: &Wanted) {
    let threads = Threads::all().expect("threads");
    let Wanted { games, times, runs, .. } = *wanted;
    println!(
        "{games} games a run, {times} times as many for tune, {runs} runs; points a deal ahead of CMA-ES ± standard error"
    );
    println!("variant          gap             found        in the end   s/run: tune, CMA-ES");
    for (variant, keys) in wanted.variants() {
        let (mut gap, mut found, mut end) = (MarginSums::default(), MarginSums::default(), MarginSums::default());
        let mut took = [Duration::ZERO; 2];
        for seed in wanted.seeds() {
            let (plan, shipped) = plan(variant, keys, seed, games * times, "rule-based");
            let mut arena = Arena::new(&plan, &threads, &Arc::default()).unwrap();
            let task = plan.task();
            let began = Instant::now();
            let [own, confirmed] = tuned(&task, &mut arena);
            took[0] += began.elapsed();
            let began = Instant::now();
            let other = evolved(&task, &mut arena, games);
            took[1] += began.elapsed();
            let ahead = ahead(&[own, confirmed, other, task.start.clone()], &shipped, &mut arena, MANY_DEALS);
            gap.add([-ahead[3]]);
            found.add([ahead[0] - ahead[2]]);
            end.add([ahead[1] - ahead[2]]);
        }
        let told = |sums: &MarginSums| format!("{:+.4} ± {:.4}", sums.mean(), sums.se());
        let [own, other] = took.map(|time| time.as_secs_f64() / runs as f64);
        println!(
            "{variant:<14} {:>5.2}  {:>16}  {:>16}   {own:>8.1} {other:>8.1}",
            gap.mean(),
            told(&found),
            told(&end)
        );
    }
}

/// By candidate: by how many points a deal it is ahead of a setting, on deals that no setting was chosen by.
fn ahead(candidates: &[Setting], setting: &Setting, arena: &mut Arena<'_>, deals: u64) -> Vec<f64> {
    let numbers = Window::Confirm.numbers(1 << 30..(1 << 30) + deals);
    let margins = arena.compare(candidates, setting, numbers).unwrap();
    let mean = |candidate| margins.weighted(candidate, arena.weights()).into_iter().collect::<MarginSums>().mean();
    (0..candidates.len()).map(mean).collect()
}

/// A plan that starts at a random setting, and the point of the bot as it ships.
fn plan(variant: &str, keys: &str, seed: u64, games: u64, against: &str) -> (TunePlan, Setting) {
    plan_from(variant, keys, seed, games, against, None)
}

/// The same, perhaps with one parameter at a separate value.
fn plan_from(
    variant: &str,
    keys: &str,
    seed: u64,
    games: u64,
    against: &str,
    fixed: Option<(&str, f64)>,
) -> (TunePlan, Setting) {
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
    let mut starts: Vec<f64> = ranges.iter().map(|(low, high)| low + (high - low) * uniform()).collect();
    if let Some((key, value)) = fixed {
        let at = own.iter().position(|one| one.parameter == key).expect("a parameter");
        starts[at] = value;
    }
    let set: String =
        own.iter().zip(&starts).map(|(one, value)| format!("{:?} = {value:.4}, ", one.parameter)).collect();
    let tuned: String = own.iter().map(|one| format!("{:?} = {{}}\n", one.parameter)).collect();
    let against = if against == "mixed" { "\"mixed\"".to_owned() } else { format!("[{against:?}]") };
    let text = format!(
        "seed = {seed}\n[tune]\nbot = {{ bot = \"rule-based\", name = \"random-setting\", parameters = {{ {} }} }}\nvariants = \
         [{variant:?}]\ngames = {games}\nagainst = {against}\nunseen = []\n[tune.parameters]\n{tuned}",
        set.trim_end_matches(", ")
    );
    let source = Source::parse(Path::new("bench.toml"), text).unwrap();
    let plan = TunePlan::resolve(&source, &register).unwrap();
    let shipped = Bot::find("rule-based", &[], &register).unwrap().unwrap().spec.parameters();
    let value = |key: &str| {
        key.split('.').fold(None, |at: Option<&toml::Value>, part| match at {
            None => shipped.get(part),
            Some(table) => table.get(part),
        })
    };
    let place = |axis: &overtrick::tune::TuneAxis| {
        axis.values.coordinate(axis.values.nearest(value(&axis.key).unwrap()).unwrap())
    };
    let shipped = plan.space.axes.iter().map(place).collect();
    (plan, shipped)
}

/// Returns the setting that tuning has found before the confirmation, and the one that it ends with: the start if no
/// gain is confirmed.
fn tuned(task: &TuneTask, arena: &mut Arena<'_>) -> [Setting; 2] {
    let mut tuning = Tuning::new(task);
    let mut found = task.start.clone();
    while !tuning.is_over() {
        let was_confirmed = matches!(tuning.stage, Stage::Confirm(_));
        tuning.step(task, arena).unwrap();
        if !was_confirmed {
            found = tuning.best(task);
        }
    }
    let confirmed = tuning.confirmation().filter(|confirm| confirm.gain.is_above_zero());
    [found, confirmed.map_or_else(|| task.start.clone(), |confirm| confirm.best.clone())]
}

/// Returns the setting that CMA-ES finds with its usual numbers: forty generations, each on fresh deals against the
/// start, all games for the search. The mean of the last generation counts, as in pycma's `xfavorite`.
fn evolved(task: &TuneTask, arena: &mut Arena<'_>, games: u64) -> Setting {
    const GENERATIONS: u64 = 40;
    let dimensions = task.space.dimensions();
    let candidates = 4 + (3.0 * (dimensions as f64).ln()) as usize;
    let deals = (games / (GENERATIONS * arena.games(candidates))).max(1);
    let mut search = CmaEs::new(task.start.to_vec(), 0.25);
    let mut stream = SeedSource::new(task.seed, "bench tune", "evolution").stream(0, 0);
    for generation in 0..GENERATIONS {
        let mut sample = || task.space.snap(&search.sample(&vec![0.0; dimensions], &mut stream));
        let points: Vec<Setting> = (0..candidates).map(|_| sample()).collect();
        let numbers = Window::Search.numbers(generation * deals..(generation + 1) * deals);
        let margins = arena.compare(&points, &task.start, numbers).unwrap();
        let sum = |candidate| margins.weighted(candidate, arena.weights()).iter().sum::<f64>();
        let mut order: Vec<(f64, Setting)> =
            points.into_iter().enumerate().map(|(at, point)| (sum(at), point)).collect();
        order.sort_by(|one, other| other.0.total_cmp(&one.0));
        search.learn(&order.into_iter().map(|(_, point)| point).collect::<Vec<_>>());
    }
    task.space.snap(&search.mean)
}

/// Returns the setting that simultaneous perturbation finds: at each step all parameters move by a sixth of their range
/// to either side at once, and both settings play each other on one deal.
fn perturbed(task: &TuneTask, arena: &mut Arena<'_>, games: f64) -> Setting {
    const STEP: f64 = 1.0 / 6.0;
    let pilot = Pilot::play(&task.space, &task.start, arena, task.games).unwrap();
    let live = pilot.live();
    let steps = (games - pilot.games as f64) / arena.games(1) as f64;
    // The gain for which this many steps are enough: 3 time constants of the slowest parameter.
    let bend = |line: &overtrick::tune::PilotLine| -(line.up.mean() + line.down.mean()) / (0.125 * 0.125);
    let bends: f64 = live.iter().map(|&number| bend(&pilot.parameters[number])).sum();
    let curvature = (bends / live.len() as f64).max(1e-3);
    let rate = 3.0 / (2.0 * STEP * curvature * steps);
    let mut point = task.start.to_vec();
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
