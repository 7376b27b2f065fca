//! The bots, configs and variants that come with the project.

use crate::fixtures;
use std::path::{Path, PathBuf};

use overtrick::games::Variant;
use overtrick::league::LeaguePlan;
use overtrick::stats::Results;
use overtrick::strategies::{Bot, Register};
use overtrick::toml_source::Source;
use overtrick::tournament::{Overrides, Tournament};
use overtrick::tune::TunePlan;

fn toml_files(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    assert!(!files.is_empty(), "nothing in {folder}");
    files
}

#[test]
fn every_bot_is_named_after_its_file() {
    for file in toml_files("bots") {
        let bot = Bot::read(&file).unwrap();
        assert_eq!(file.file_stem().unwrap().to_string_lossy(), bot.name);
        assert!(!bot.about.is_empty(), "{} says nothing about itself", bot.name);
    }
}

#[test]
fn the_rule_based_manifest_writes_out_the_defaults() {
    let written = Bot::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("bots/rule-based.toml")).unwrap();
    assert_eq!(written.spec, fixtures::bot("rule-based", "rule-based", "").spec);
}

#[test]
fn every_config_and_every_worked_variant_reads() {
    for file in toml_files("configs") {
        let source = Source::read(&file).unwrap();
        let read = if source.table().contains_key("tune") {
            TunePlan::read(&file, &Register::default()).map(|_| ())
        } else if source.table().contains_key("league") {
            LeaguePlan::read(&file, &Register::default()).map(|_| ())
        } else {
            Tournament::read(&file, Overrides::default()).map(|_| ())
        };
        read.unwrap_or_else(|error| panic!("{error}"));
    }
    for file in toml_files("configs/rules") {
        let variant = Variant::read(&file).unwrap_or_else(|error| panic!("{error}"));
        assert_ne!(variant.game.rules(), Variant::preset(&variant.base).unwrap().game.rules());
    }
}

#[test]
fn rule_based_plainly_beats_random_in_every_variant() {
    fixtures::each_variant(|variant| {
        let mut tournament = fixtures::tournament(&variant.name, "deals = 100\nformat = \"round-robin\"");
        tournament.bots[0] = fixtures::bot("a", "rule-based", "");
        let tally = fixtures::play(&tournament, 100);
        let results = Results::new(&tournament, &[&tally]);
        // Against each of the two random bots.
        for pair in &results.pairs[..2] {
            let (difference, se) = (pair.difference.value.unwrap(), pair.difference.se.unwrap());
            assert!(difference > 10.0 * se, "{}: {difference} with standard error {se}", variant.name);
        }
    });
}

/// Checks that the rule-based bot makes most of the contracts that it chooses, in `random` deals against two random
/// bots and in `itself` deals against itself.
fn check_contracts(variant: &Variant, [random, itself]: [u32; 2]) {
    for (deals, strategies) in [(random, ["rule-based", "random", "random"]), (itself, ["rule-based"; 3])] {
        let mut tournament = fixtures::tournament(&variant.name, &format!("deals = {deals}"));
        for (bot, strategy) in tournament.bots.iter_mut().zip(strategies) {
            *bot = fixtures::bot(&bot.name.clone(), strategy, "");
        }
        let tally = fixtures::play(&tournament, 400);
        let results = Results::new(&tournament, &[&tally]);
        let chosen = results.contracts.iter().find(|row| row.contract == "chosen" && row.bot == "a");
        if let Some(made) = chosen.map(|row| row.made.value.unwrap()) {
            assert!(made > 0.5, "{}: {made}", variant.name);
        } else {
            let contracts = variant.game.contract_kinds().iter().any(|kind| kind.forced == Some(false));
            assert!(!contracts || variant.name == "humbug-turn-up", "{}: nothing chosen", variant.name);
        }
    }
}

#[test]
fn rule_based_makes_most_of_the_contracts_that_it_chooses_in_a_few_variants() {
    for name in ["dumbo", "euchre-24", "colour-blind", "chameleon", "dummy-chameleon"] {
        check_contracts(&Variant::preset(name).unwrap(), [100, 60]);
    }
}

#[test]
#[ignore = "long: plays more than a thousand deals of every variant"]
fn rule_based_makes_more_of_the_contracts_that_it_chooses_than_it_fails() {
    fixtures::each_variant(|variant| check_contracts(variant, [1200, 400]));
}
