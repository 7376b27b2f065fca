//! The strategies that search: the same play everywhere, and play worth its time.

use crate::fixtures;
use std::fmt::Write;

use crate::fixtures::sandbox::{Sandbox, same_files};
use overtrick::strategies::Bot;
use overtrick::tournament::replay;

fn pimc(parameters: &str) -> Bot {
    fixtures::bot("pimc", "pimc", parameters)
}

fn ismcts(parameters: &str) -> Bot {
    fixtures::bot("ismcts", "ismcts", parameters)
}

/// What is chosen rests on sums and comparisons of floating-point numbers, which must come out alike on every machine.
#[test]
fn a_deal_of_every_variant_is_pinned() {
    fixtures::each_variant(|variant| {
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
    });
}

#[test]
fn results_do_not_depend_on_threads() {
    let sandbox = Sandbox::new();
    let variants: Vec<String> = overtrick::games::Variant::all().into_iter().map(|variant| variant.name).collect();
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

/// In so few deals as show it.
#[test]
fn a_little_thought_is_better_than_none() {
    let sandbox = Sandbox::new();
    let thinkers = [
        ("pimc", "worlds = 10, endgame = 2", "rule-based", 60, &["double-dummy", "colour-blind-2", "colour-blind"][..]),
        (
            "ismcts",
            "iterations = 100",
            "random",
            30,
            &["dumbo", "euchre-32", "dummy-whist", "colour-blind", "chameleon"],
        ),
    ];
    for (strategy, parameters, other, deals, variants) in thinkers {
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
            let of =
                |name: &str| row[columns.iter().position(|column| column == name).unwrap()].parse::<f64>().unwrap();
            let (difference, se) = (of("difference"), of("se"));
            assert!(difference > 3.0 * se, "{strategy} in {}: {difference} with standard error {se}", &row[0]);
        }
    }
}
