//! Checkpoints of tuning and of sweeps that were changed and sealed again: they are refused, or work goes on from them
//! without a panic.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::fixtures::changes::{kind, other_floats, others, ways};
use crate::fixtures::sandbox::Sandbox;
use crate::fixtures::strangers::objective::go_on;
use crate::fixtures::strangers::{Form, seal, threads};
use overtrick::run::{Progress, Shard};
use overtrick::strategies::Register;
use overtrick::sweep::{SweepControl, SweepOutcome, SweepPlan, Sweeping};
use overtrick::toml_source::Source;
use overtrick::tune::{TunePlan, TuneSnapshot, Tuning};

/// The steps that a checkpoint that is accepted goes on for.
const STEPS: usize = 30;

/// A number that stands in no checkpoint, in whose place any bits can be put.
const MARK: f64 = 0.091_234_567_891_234_57;

/// The most numbers of a kind that are changed.
const MOST: usize = 25;

/// Returns numbers of a value, of each kind a limited number, from all over it.
fn some_ways(value: &serde_json::Value) -> Vec<String> {
    let mut kinds: BTreeMap<String, Vec<String>> = BTreeMap::new();
    ways(value).into_iter().for_each(|way| kinds.entry(kind(&way)).or_default().push(way));
    kinds
        .into_values()
        .flat_map(|own| own.iter().step_by(own.len().div_ceil(MOST)).cloned().collect::<Vec<_>>())
        .collect()
}

/// The bytes behind the seal.
fn body<P: Serialize>(config: &str, progress: &P) -> Vec<u8> {
    postcard::to_stdvec(&(env!("CARGO_PKG_VERSION"), config, progress)).unwrap()
}

/// The bytes of a checkpoint in which the number at a place of its text is another one, and the name of that.
fn changed<P: Serialize + DeserializeOwned>(
    config: &str,
    whole: &serde_json::Value,
    way: &str,
    turn: usize,
) -> Vec<(String, Vec<u8>)> {
    let with = |other: serde_json::Value| {
        let mut changed = whole.clone();
        *changed.pointer_mut(way).unwrap() = other;
        // A number that the field has no room for cannot be written.
        serde_json::from_value::<P>(changed).ok().map(|progress| body(config, &progress))
    };
    let number = whole.pointer(way).unwrap();
    if let Some(float) = number.as_f64().filter(|_| number.is_f64()) {
        let marked = with(MARK.into()).unwrap();
        let at = marked.windows(8).position(|bytes| bytes == MARK.to_le_bytes()).unwrap();
        let put = |other: f64| {
            let mut bytes = marked.clone();
            bytes[at..at + 8].copy_from_slice(&other.to_le_bytes());
            (other.to_string(), bytes)
        };
        return other_floats(float, turn).into_iter().map(put).collect();
    }
    others(number, turn).into_iter().filter_map(|other| Some((other.to_string(), with(other)?))).collect()
}

/// The numbers of a checkpoint that are changed: the first of them, and the step from one to the next.
#[derive(Clone, Copy)]
struct Sample {
    first: usize,
    step: usize,
}

impl Sample {
    /// A sample at a place of a run, with other numbers at other places.
    fn at(place: usize, step: usize) -> Sample {
        Sample { first: 7 * place % step, step }
    }
}

/// Changes numbers of a checkpoint in turn; gives how many changes were refused. From the accepted ones work must go on
/// without a panic.
fn change_each<P: Progress + Serialize + DeserializeOwned>(
    (plan, config, form): (&P::Plan, &str, Form),
    (name, sample): (&str, Sample),
    progress: &P,
    go_on: impl Fn(P),
) -> u32 {
    let sandbox = Sandbox::new();
    let file = sandbox.path("checkpoint.bin");
    let load = |body: &[u8]| {
        fs::write(&file, seal(form, body)).unwrap();
        P::load(plan, config, &file).map(|progress| progress.expect("there is a file"))
    };
    // As it is, it is accepted.
    load(&body(config, progress)).unwrap_or_else(|why| panic!("{name}: {why}"));
    let whole = serde_json::to_value(progress).unwrap();
    let (mut refused, mut accepted, mut count) = (0, 0, 0);
    let found = some_ways(&whole);
    for (turn, way) in found.iter().enumerate().skip(sample.first).step_by(sample.step) {
        count += 1;
        for (other, body) in changed::<P>(config, &whole, way, turn) {
            match load(&body) {
                Ok(progress) => {
                    accepted += 1;
                    let gone_on = catch_unwind(AssertUnwindSafe(|| go_on(progress)));
                    gone_on.unwrap_or_else(|_| panic!("{name}{way}: {other}"));
                }
                Err(why) => {
                    assert!(why.starts_with("is damaged") && !why.contains('\n'), "{name}{way}: {why}");
                    refused += 1;
                }
            }
        }
    }
    println!("{name}: {count} numbers, {refused} changes refused, {accepted} accepted");
    refused
}

fn tune_plan(text: &str) -> TunePlan {
    TunePlan::resolve(&Source::parse(Path::new("t.toml"), text.to_owned()).unwrap(), &Register::default()).unwrap()
}

/// Changes numbers at a step of `step`, at the beginning of each stage, in the middle of it and at its end.
fn change_tuning(plan: &TunePlan, step: usize) {
    let config = plan.to_toml();
    let mut tuning = Tuning::new(&plan.task());
    let mut all = vec![tuning.clone()];
    while go_on(plan, &mut tuning, 1, threads()) > 0 {
        all.push(tuning.clone());
    }
    let mut stages: BTreeMap<&str, Vec<Tuning>> = BTreeMap::new();
    for tuning in all {
        stages.entry(tuning.stage.name()).or_default().push(tuning);
    }
    let (mut refused, mut count) = (0, 0);
    for (stage, own) in stages {
        let mut places = vec![0, own.len() / 2, own.len() - 1];
        places.dedup();
        for place in places {
            let snapshot = TuneSnapshot { tuning: own[place].clone(), faults: 0 };
            let more = |mut snapshot: TuneSnapshot| {
                go_on(plan, &mut snapshot.tuning, STEPS, threads());
            };
            let name = format!("{stage} {place}");
            let sample = Sample::at(count, step);
            refused += change_each((plan, &config, Form::Tuning), (&name, sample), &snapshot, more);
            count += 1;
        }
    }
    assert!(refused > 0);
}

#[test]
fn a_sample_of_the_numbers_of_a_search_that_are_changed_breaks_nothing() {
    change_tuning(&tune_plan(include_str!("../../data/tune/small.toml")), 23);
}

#[test]
#[ignore = "long: changes hundreds of numbers, each by itself"]
fn every_number_of_a_search_that_is_changed_breaks_nothing() {
    change_tuning(&tune_plan(include_str!("../../data/tune/small.toml")), 1);
}

#[test]
fn every_number_of_a_race_that_is_changed_breaks_nothing() {
    let race = "seed = 7\n[tune]\nbots = [\"random\", \"cautious\", \"rule-based\"]\nvariants = [\"dumbo\"]\n";
    change_tuning(&tune_plan(&format!("{race}games = 20000\n")), 1);
    change_tuning(&tune_plan(&format!("{race}precision = 0.1\n")), 1);
}

/// A text that a message repeats could contain escape codes for the terminal.
#[test]
fn a_checkpoint_whose_version_or_plan_is_no_text_is_refused_in_a_line() {
    let plan = tune_plan(include_str!("../../data/tune/small.toml"));
    let (config, snapshot) = (plan.to_toml(), TuneSnapshot { tuning: Tuning::new(&plan.task()), faults: 0 });
    let sandbox = Sandbox::new();
    let file = sandbox.path("checkpoint.bin");
    for (version, theirs) in [("0\n1", config.clone()), ("0", format!("\u{1b}[2J{config}"))] {
        let body = postcard::to_stdvec(&(version, theirs, &snapshot)).unwrap();
        fs::write(&file, seal(Form::Tuning, &body)).unwrap();
        let why = TuneSnapshot::load(&plan, &config, &file).unwrap_err();
        assert_eq!(why, "is damaged or was changed: its version or configuration has control characters");
    }
}

/// Two bots, an option and a bot that is tuned again: every kind of leg.
const SWEEP: &str = r#"
seed = 7
[sweep]
base = "euchre-24"
deals = 40
panel = ["random", { name = "timid", bot = "rule-based", parameters = { euchre = { courage = 4.9 } } }]
[sweep.axes]
euchre-points-each = [1, 2]
[sweep.restrict]
naming = ["name *"]
[sweep.retune]
games = 4000
[sweep.retune.parameters]
"euchre.courage" = { low = 0.0, high = 5.0 }
"#;

fn sweep_plan() -> SweepPlan {
    SweepPlan::resolve(&Source::parse(Path::new("s.toml"), SWEEP.to_owned()).unwrap(), &Register::default()).unwrap()
}

/// The shards that `merge` puts together are read as a checkpoint is.
#[test]
fn every_number_of_a_shard_of_a_sweep_that_is_changed_breaks_nothing() {
    let shard = Some(Shard { number: 2, of: 2 });
    let mut plan = sweep_plan();
    plan.shard = shard;
    let mut sweeping = Sweeping::new(shard);
    while !sweeping.is_over(&plan) {
        assert!(sweeping.step(&plan, threads(), &SweepControl::default()).unwrap());
    }
    // Another shard is none of its plan, and a whole sweep is none of one; it says which it is.
    let sandbox = Sandbox::new();
    let (file, config) = (sandbox.path("points.bin"), plan.to_toml());
    for (theirs, why) in [
        (Some(Shard { number: 1, of: 2 }), "is of shard 1/2, and this is shard 2/2"),
        (None, "is of the whole run, and this is shard 2/2"),
        (Some(Shard { number: 3, of: 2 }), "is damaged or was changed: its shard numbers are impossible"),
        (Some(Shard { number: 0, of: 0 }), "is damaged or was changed: its shard numbers are impossible"),
    ] {
        let mut sweeping = sweeping.clone();
        sweeping.shard = theirs;
        sweeping.save(&config, &file).unwrap();
        assert_eq!(Sweeping::load(&plan, &config, &file).unwrap_err(), why);
    }
    let whole = serde_json::to_value(&sweeping).unwrap();
    let numbers: Vec<String> = some_ways(&whole).into_iter().filter(|way| !way.starts_with("/shard")).collect();
    let mut refused = 0;
    for (turn, way) in numbers.iter().enumerate() {
        for (_, body) in changed::<Sweeping>(&config, &whole, way, turn) {
            fs::write(&file, seal(Form::Sweeping, &body)).unwrap();
            match Sweeping::load(&plan, &config, &file) {
                // All that is accepted goes into a whole.
                Ok(sweeping) => {
                    let own = sweeping.unwrap();
                    drop(Sweeping::merged([own.clone(), own]));
                }
                Err(why) => {
                    assert!(why.starts_with("is damaged") && !why.contains('\n'), "{way}: {why}");
                    refused += 1;
                }
            }
        }
    }
    assert!(refused > 0);
}

/// Changes numbers at a step of `step`, at some places of a sweep.
fn change_sweep(step: usize) {
    let plan = sweep_plan();
    let config = plan.to_toml();
    let go = |sweeping: &mut Sweeping| sweeping.step(&plan, threads(), &SweepControl::default()).unwrap();
    let mut all = vec![Sweeping::default()];
    while all.last().is_some_and(|last| !last.is_over(&plan)) {
        let mut next = all[all.len() - 1].clone();
        assert!(go(&mut next));
        all.push(next);
    }
    // Simultaneous intervals take thousands of draws, so not every outcome is worked out.
    let outcomes = Cell::new(0);
    let go_on = |mut sweeping: Sweeping| match sweeping.is_over(&plan) {
        true if outcomes.replace(outcomes.get() + 1) % 8 == 0 => drop(SweepOutcome::new(&plan, &sweeping)),
        true => {}
        false => assert!(go(&mut sweeping)),
    };
    for (count, place) in [0, 1, 4, 6, all.len() / 2, all.len() - 1].into_iter().enumerate() {
        let (name, sample) = (format!("step {place}"), Sample::at(count, step));
        change_each((&plan, &config, Form::Sweeping), (&name, sample), &all[place], go_on);
    }
}

#[test]
fn a_sample_of_the_numbers_of_a_sweep_that_are_changed_breaks_nothing() {
    change_sweep(8);
}

#[test]
#[ignore = "long: changes hundreds of numbers, each by itself"]
fn every_number_of_a_sweep_that_is_changed_breaks_nothing() {
    change_sweep(1);
}
