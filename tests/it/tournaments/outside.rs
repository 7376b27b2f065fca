//! A game, a strategy and an output of another crate, which this one is to the library: examples/outside has them.

use std::path::Path;

use overtrick::cards::Stream;
use overtrick::game::{FieldError, FullGame, Game, Move, Moves, Options, View};
use overtrick::games::Variant;
use overtrick::report::{OUTPUTS, Report, output_names};
use overtrick::run::{Extent, Kin, KinError, Run, Segments, Shard, Snapshot};
use overtrick::strategies::{BuildContext, Register, StrategySpec};
use overtrick::strategy::Strategy;
use overtrick::toml_source::{InputError, Source};
use overtrick::tournament::{Overrides, Tournament, replay};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::markdown;
use crate::plain::Plain;
use crate::thrifty;

/// The parameters of a strategy for Plain alone.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct LowestParams {}

impl Options for LowestParams {
    fn validate(&self) -> Result<(), FieldError> {
        Ok(())
    }
}

impl StrategySpec for LowestParams {
    const NAME: &'static str = "lowest";
    const ABOUT: &'static str = "plays its lowest card; plays plain";

    fn build<G: FullGame>(&self, context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError> {
        context.only_for(Lowest).ok_or_else(|| context.does_not_play::<G>())
    }
}

struct Lowest;

impl Strategy<Plain> for Lowest {
    fn choose(&mut self, view: &View<'_, Plain>, legal: Moves, _rng: &mut Stream) -> Move {
        // Its view is of Plain itself.
        assert_eq!(view.game().score_range(), 0..=13 * view.game().rules().trick_points);
        let strength = |card: &_| view.order().expect("there always is one").strength(*card, *card);
        Move::card(legal.card_set().iter().min_by_key(strength).expect("there is a legal card"))
    }
}

fn register() -> Register {
    Register::default()
        .game::<Plain>()
        .unwrap()
        .strategy::<thrifty::Params>()
        .unwrap()
        .strategy::<LowestParams>()
        .unwrap()
}

const CONFIG: &str = r#"
name = "outside"
seed = 3
deals = 60
variants = [
    "plain",
    "dumbo",
    {name = "double", base = "plain", rules = {trick-points = 2}},
]
bots = [
    {name = "thrifty", strategy = "thrifty"},
    {name = "meek", strategy = "thrifty", parameters = {greed = 0.0}},
    {name = "chance", strategy = "random"},
]
"#;

fn resolve(config: &str) -> Result<Tournament, InputError> {
    let source = Source::parse(Path::new("outside.toml"), config.to_owned())?;
    Tournament::resolve_with(&source, Overrides::default(), &register())
}

#[test]
fn all_three_of_another_crate_take_part_in_a_tournament() {
    let outcome = Run::new(resolve(CONFIG).unwrap()).threads(2).play().unwrap();
    let folder = tempfile::tempdir().unwrap();
    Report::new(&outcome).write(folder.path(), &[markdown::BOTS]).unwrap();
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    let table = String::from_utf8(read("bots.md")).unwrap();
    let mean = |variant: &str, bot: &str| -> f64 {
        let row = table.lines().find(|row| row.starts_with(&format!("| {variant} | {bot} |"))).unwrap();
        row.split('|').nth(3).unwrap().trim().parse().unwrap()
    };
    for (variant, all) in [("plain", 13.0), ("double", 26.0)] {
        let points = ["thrifty", "meek", "chance"].map(|bot| mean(variant, bot));
        assert!((points.iter().sum::<f64>() - all).abs() < 0.01, "{points:?}");
        assert!(points[0] > points[1] && points[0] > points[2], "{variant}: {points:?}");
    }
    assert!(table.contains("| dumbo | thrifty |"));
    // Our own files are all there, and describe the game.
    assert!(output_names().iter().all(|name| !read(name).is_empty()));
    let summary: serde_json::Value = serde_json::from_slice(&read("summary.json")).unwrap();
    assert_eq!(summary["variants"][0]["game"], "plain");
    // A program that knows the game reads the tallies; others cannot.
    let tallies = folder.path().join("tally.bin");
    let snapshot = Snapshot::read_with(&tallies, &register()).unwrap().unwrap();
    assert_eq!(snapshot.kin(&outcome.tournament, &outcome.extent), Ok(Kin::Same));
    let half = Extent::Shard(Shard { number: 1, of: 2 });
    assert_eq!(snapshot.kin(&outcome.tournament, &half), Err(KinError::Extent(Extent::Whole, half)));
    assert!(Snapshot::read(&tallies).is_err());
}

#[test]
fn results_do_not_depend_on_threads_and_come_again_from_the_resolved_configuration() {
    let play = |config: &str, threads, segment| {
        let run = Run::new(resolve(config).unwrap()).threads(threads).segments(Segments::Of(segment));
        let outcome = run.play().unwrap();
        let report = Report::new(&outcome);
        OUTPUTS.iter().filter(|output| output.is_reproducible).map(|output| (output.write)(&report)).collect::<Vec<_>>()
    };
    let once = play(CONFIG, 1, 60);
    assert!(once == play(CONFIG, 3, 7));
    assert!(once == play(&resolve(CONFIG).unwrap().to_toml(), 2, 60));
}

#[test]
fn a_strategy_for_one_game_of_another_crate_plays_that_alone() {
    let lowest = CONFIG.replace(r#"strategy = "random""#, r#"strategy = "lowest""#);
    let refused = resolve(&lowest).err().unwrap().to_string();
    let expected = "outside.toml:13: `bots #3`: chance: the strategy `lowest` does not play dumbo; `random` plays";
    assert!(refused.starts_with(expected), "{refused}");
    let tournament = resolve(&lowest.replace("    \"dumbo\",\n", "")).unwrap();
    let record = replay(&tournament, 0, 0, &tournament.bots, false).remove(0);
    assert_eq!((record.variant.as_str(), record.seating[0].as_str()), ("plain", "thrifty"));
    let outcome = Run::new(tournament).threads(1).play().unwrap();
    let mean = |bot: usize| outcome.results().bots[bot].mean.value.unwrap();
    assert!(mean(2) < mean(0), "{} {}", mean(2), mean(0));
}

#[test]
fn strategies_of_this_crate_play_a_game_of_another() {
    let searching = CONFIG.replace("    \"dumbo\",\n", "").replace("deals = 60", "deals = 4").replace(
        r#"{name = "chance", strategy = "random"}"#,
        r#"{name = "chance", strategy = "pimc", parameters = {worlds = 10, rollout = "random"}}"#,
    );
    let outcome = Run::new(resolve(&searching).unwrap()).threads(1).play().unwrap();
    let bots = outcome.results().bots;
    assert!(bots[2].mean.value > bots[1].mean.value, "{:?} {:?}", bots[2].mean, bots[1].mean);
    for (strategy, problem) in [
        (
            "rule-based",
            "`rule-based` does not play plain; `random` plays every game, and so do `pimc` and `ismcts` with `rollout = \"random\"`",
        ),
        ("pimc", "asks for a rule-based player, and plain has none: write \"random\" (variant plain, bot chance)"),
    ] {
        let refused = resolve(&CONFIG.replace(r#""random""#, &format!("{strategy:?}"))).err().unwrap().to_string();
        assert!(refused.ends_with(problem), "{refused}");
    }
}

#[test]
fn mistakes_are_named_where_they_stand_as_with_ours() {
    for (from, to, expected) in [
        (
            "trick-points = 2",
            "trick-points = 101",
            "outside.toml:8: `variants #3.rules.trick-points`: is 101, but must be 0 to 100",
        ),
        ("trick-points = 2", "trick-point = 2", "outside.toml:8: `variants #3.rules.trick-point`: unknown key"),
        ("greed = 0.0", "greed = 1.5", "outside.toml:12: `bots #2.parameters.greed`: is 1.5, but must be 0 to 1"),
        ("greed = 0.0", "greet = 0.0", "outside.toml:12: `bots #2.parameters.greet`: unknown key"),
        (
            "\"plain\",",
            "\"plane\",",
            "outside.toml:6: `variants #1`: there is no variant \"plane\" (did you mean plain?)",
        ),
        (
            "strategy = \"thrifty\"}",
            "strategy = \"thirfty\"}",
            "outside.toml:11: `bots #1.strategy`: there is no strategy \"thirfty\" (did you mean thrifty?)",
        ),
        (
            "\"double\"",
            "\"plain\"",
            "outside.toml:8: `variants #3.name`: \"plain\" is a variant that comes with overtrick",
        ),
    ] {
        assert!(CONFIG.contains(from));
        let refused = resolve(&CONFIG.replacen(from, to, 1)).err().unwrap().to_string();
        assert!(refused.starts_with(expected), "{refused}");
    }
    // Who has not added them does not know them.
    let source = Source::parse(Path::new("outside.toml"), CONFIG.to_owned()).unwrap();
    let unknown = Tournament::resolve(&source, Overrides::default()).err().unwrap().to_string();
    assert!(unknown.starts_with("outside.toml:6: `variants #1`: there is no variant \"plain\""), "{unknown}");
}

#[test]
fn names_that_are_taken_are_refused() {
    let problem = |register: Result<Register, InputError>| register.err().unwrap().problem;
    assert!(problem(register().game::<Plain>()).starts_with("there is a game \"plain\" already"));
    let strategy = problem(register().strategy::<overtrick::strategies::random::Params>());
    assert!(strategy.starts_with("there is a strategy \"random\" already"), "{strategy}");
    let outcome = Run::new(resolve(CONFIG).unwrap()).threads(1).play().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let write =
        |name| Report::new(&outcome).write(folder.path(), &[overtrick::report::Output { name, ..markdown::BOTS }]);
    assert!(write("bots.csv").unwrap_err().problem.starts_with("there are two outputs \"bots.csv\""));
    assert!(write("../bots.md").unwrap_err().problem.contains("is no name"));
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is half-written");
}

#[test]
fn the_rules_print_with_their_comments() {
    let variant: Variant = register().games().preset("plain").unwrap();
    let text = variant.to_toml();
    assert!(text.starts_with("# plain: thirteen tricks, a point each.\n") && text.contains("# Points for each trick"));
    let source = Source::parse(Path::new("plain.toml"), text).unwrap();
    let back = register().games().variant(&source, &[], source.table()).unwrap();
    assert_eq!(back.game.rules(), variant.game.rules());
    assert_eq!(register().list_parameters("thrifty").unwrap()[0].parameter, "greed");
}
