//! The strategies that search: the same play everywhere, and play worth its time.

use crate::fixtures;
use std::fmt::Write;

use crate::fixtures::sandbox::{Sandbox, same_files};
use overtrick::games::Variant;
use overtrick::strategies::Bot;
use overtrick::tournament::replay;

fn pimc(parameters: &str) -> Bot {
    fixtures::bot("pimc", "pimc", parameters)
}

fn ismcts(parameters: &str) -> Bot {
    fixtures::bot("ismcts", "ismcts", parameters)
}

/// Variants of every game in which searching takes a moment.
const QUICK: [&str; 10] = [
    "dumbo",
    "euchre-32",
    "euchre-24",
    "double-dummy",
    "humbug",
    "colour-blind",
    "colour-blind-2",
    "colour-blind-2-courts-last-card",
    "chameleon",
    "dummy-chameleon",
];

/// Compares a deal with the one that was recorded. The choice rests on sums and comparisons of floating-point numbers,
/// which must come out alike on every machine.
fn check_pinned(variant: &Variant) {
    let tournament = fixtures::tournament(&variant.name, "deals = 1");
    let mut bots = vec![
        pimc("worlds = 12\ntrust = 0.9"),
        ismcts("iterations = 200"),
        fixtures::bot("rule-based", "rule-based", ""),
    ];
    bots.truncate(variant.game.layout().seats);
    let mut text = String::new();
    for record in replay(&tournament, 0, 0, &bots, false) {
        let moves: Vec<&str> = record.moves.iter().map(|made| made.text.as_str()).collect();
        writeln!(text, "{}\nscores {:?}", moves.join(" "), record.scores).unwrap();
    }
    insta::assert_snapshot!(variant.name.clone(), text);
}

#[test]
fn a_deal_of_every_game_is_pinned() {
    QUICK.into_iter().for_each(|name| check_pinned(&Variant::preset(name).unwrap()));
}

#[test]
#[ignore = "long: searches in every variant"]
fn a_deal_of_every_variant_is_pinned() {
    fixtures::each_variant(check_pinned);
}

/// Plays three deals of these variants on one thread and on three.
fn check_threads(variants: &[String]) {
    let sandbox = Sandbox::new();
    sandbox.write(
        "t.toml",
        &format!(
            r#"
            seed = 3
            deals = 3
            variants = {variants:?}
            bots = [
                {{ name = "pimc", strategy = "pimc", parameters = {{ worlds = 3, endgame = 2, trust = 0.9 }} }},
                {{ name = "ismcts", strategy = "ismcts", parameters = {{ iterations = 25 }} }},
                {{ name = "rule-based", strategy = "rule-based" }},
            ]"#
        ),
    );
    for threads in ["1", "3"] {
        let (code, _, stderr) = sandbox.run(&["run", "t.toml", "--threads", threads, "--out", threads, "--quiet"]);
        assert_eq!((code, stderr.as_str()), (0, ""));
    }
    same_files(&sandbox.path("1"), &sandbox.path("3"));
}

#[test]
fn results_do_not_depend_on_threads_in_a_few_variants() {
    check_threads(&["euchre-24", "colour-blind-2", "dummy-chameleon"].map(str::to_owned));
}

#[test]
#[ignore = "long: searches in every variant"]
fn results_do_not_depend_on_threads() {
    let variants: Vec<String> = Variant::all().into_iter().map(|variant| variant.name).collect();
    check_threads(&variants);
}

/// A bot that searches, and the bot that it must beat.
#[derive(Clone, Copy)]
struct Duel {
    strategy: &'static str,
    parameters: &'static str,
    other: &'static str,
}

const PIMC: Duel = Duel { strategy: "pimc", parameters: "worlds = 10, endgame = 2", other: "rule-based" };
const ISMCTS: Duel = Duel { strategy: "ismcts", parameters: "iterations = 100", other: "random" };

/// Checks that a bot that searches is ahead of the other in this number of deals of each variant.
fn check_better(Duel { strategy, parameters, other }: Duel, deals: u32, variants: &[&str]) {
    let sandbox = Sandbox::new();
    sandbox.write(
        "t.toml",
        &format!(
            r#"
            seed = 4
            deals = {deals}
            format = "duel"
            variants = {variants:?}
            bots = [
                {{ name = "thinker", strategy = "{strategy}", parameters = {{ {parameters} }} }},
                {{ name = "{other}", strategy = "{other}" }},
            ]"#
        ),
    );
    let (code, _, stderr) = sandbox.run(&["run", "t.toml", "--quiet", "--out", strategy]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    let mut pairs = csv::Reader::from_path(sandbox.path(strategy).join("pairs.csv")).unwrap();
    let columns = pairs.headers().unwrap().clone();
    let rows: Vec<csv::StringRecord> = pairs.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), variants.len());
    for row in rows {
        let of = |name: &str| row[columns.iter().position(|column| column == name).unwrap()].parse::<f64>().unwrap();
        let (difference, se) = (of("difference"), of("se"));
        assert!(difference > 3.0 * se, "{strategy} in {}: {difference} with standard error {se}", &row[0]);
    }
}

#[test]
fn a_little_thought_is_better_than_none_in_a_quick_variant() {
    check_better(PIMC, 20, &["colour-blind-2"]);
    check_better(ISMCTS, 15, &["euchre-32"]);
}

#[test]
#[ignore = "long: plays hundreds of deals with bots that search"]
fn a_little_thought_is_better_than_none() {
    let many = ["dumbo", "euchre-32", "dummy-whist", "colour-blind", "chameleon"];
    check_better(PIMC, 60, &["double-dummy", "colour-blind-2", "colour-blind"]);
    check_better(ISMCTS, 30, &many);
}
