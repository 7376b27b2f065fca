//! Games from files leave the same records as in Rust, but for the names of games and of rules.

use std::path::Path;

use overtrick::report::record_json;
use overtrick::tournament::replay;
use serde_json::Value;

use crate::fixtures;

/// The records of deals, without the names and rules of the game.
fn records(variant: &str, unit: &str, strategy: &str, numbers: u64) -> Vec<Value> {
    let mut tournament = fixtures::tournament(variant, unit);
    // The random numbers of bots follow from the name.
    tournament.variants[0].name = "same".to_owned();
    let bots: Vec<_> = ["a", "b", "c"].map(|name| fixtures::bot(name, strategy, "")).into();
    let bots = &bots[..tournament.variants[0].game.layout().seats];
    let mut all = Vec::new();
    for record in (0..numbers).flat_map(|number| replay(&tournament, 0, number, bots, false)) {
        let mut json: Value = serde_json::from_str(&record_json(&record)).unwrap();
        let keys = json.as_object_mut().unwrap();
        assert!(keys.remove("rules").is_some());
        all.push(json);
    }
    all
}

#[test]
fn records_of_games_from_files_are_those_of_the_games_in_rust() {
    let folder = Path::new(fixtures::FILE_GAMES);
    for (variant, file) in [
        ("dumbo", "dumbo.toml"),
        ("colour-blind", "colour-blind.toml"),
        ("colour-blind-2", "colour-blind-2.toml"),
        ("euchre-32", "euchre.toml"),
    ] {
        let file = folder.join(file);
        for (unit, numbers) in [("deals = 60", 60), ("unit = \"match\"\nmatches = 3", 3)] {
            let (rust, own) =
                (records(variant, unit, "random", numbers), records(&file.to_string_lossy(), unit, "random", numbers));
            assert!(rust.len() >= numbers as usize);
            assert_eq!(rust, own, "{variant}");
        }
    }
}
