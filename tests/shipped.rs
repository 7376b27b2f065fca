//! The bots, configs and variants that come with the project.

mod common;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use overtrick::arena::{Control, Overrides, Tournament, run};
use overtrick::game::Game;
use overtrick::games::{Variant, Visitor};
use overtrick::stats::Results;
use overtrick::strategies::Bot;

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
    assert_eq!(written.recipe, common::bot("rule-based", "rule-based", "").recipe);
}

#[test]
fn every_config_and_every_worked_variant_reads() {
    for file in toml_files("configs") {
        Tournament::read(&file, Overrides::default()).unwrap_or_else(|error| panic!("{error}"));
    }
    for file in toml_files("configs/rules") {
        let variant = Variant::read(&file).unwrap_or_else(|error| panic!("{error}"));
        assert_ne!(variant.game.rules(), Variant::preset(&variant.base).unwrap().game.rules());
    }
}

#[test]
fn rule_based_plainly_beats_random_in_every_variant() {
    let mut beaten = 0;
    common::each_variant(|variant| {
        if !plays(&common::bot("a", "rule-based", ""), variant) {
            return;
        }
        beaten += 1;
        let mut tournament = common::tournament(&variant.name, "deals = 400\nformat = \"round-robin\"");
        tournament.bots[0] = common::bot("a", "rule-based", "");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let tally = run(&tournament, 0, &pool, &Control::new(3)).unwrap().tally;
        let results = Results::new(&tournament, &[&tally]);
        // Against each of the two random bots.
        for pair in &results.pairs[..2] {
            let (difference, se) = (pair.difference.0.unwrap(), pair.se.0.unwrap());
            assert!(difference > 10.0 * se, "{}: {difference} with standard error {se}", variant.name);
        }
    });
    assert!(beaten >= 6, "{beaten} variants");
}

/// Whether a bot's strategy knows the game of a variant.
fn plays(bot: &Bot, variant: &Variant) -> bool {
    struct Knows<'a>(&'a Bot);
    impl Visitor for Knows<'_> {
        type Output = bool;
        fn visit<G: Game>(self, _game: &Arc<G>) -> bool {
            self.0.recipe.build::<G>().is_some()
        }
    }
    variant.game.visit(Knows(bot))
}
