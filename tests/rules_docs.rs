//! The pages of rules against the program: every rule has its number, every option its key, default and range, every variant its name.

use std::fs;
use std::path::Path;

use overtrick::games::Variant;

/// A game's page, its preset of the default rules, and the letters and count of its rules.
const PAGES: [(&str, &str, &str, usize); 2] =
    [("dumbo.md", "dumbo", "DU", 27), ("colour-blind.md", "colour-blind", "CB", 20)];

fn page(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/rules").join(name);
    fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// The rows of the page's tables, as cells.
fn rows(page: &str) -> Vec<Vec<&str>> {
    let lines = page.lines().filter(|line| line.starts_with('|'));
    lines.map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect()).collect()
}

#[test]
fn every_rule_is_there_once_and_has_a_mark() {
    let legend = page("README.md");
    for (name, _, letters, count) in PAGES {
        let text = page(name);
        let numbers: Vec<Vec<&str>> = rows(&text).into_iter().filter(|row| row[0].starts_with(letters)).collect();
        let expected: Vec<String> = (1..=count).map(|number| format!("{letters}{number}")).collect();
        assert_eq!(numbers.iter().map(|row| row[0]).collect::<Vec<_>>(), expected, "{name}");
        for row in numbers {
            for mark in row.last().unwrap().split(", ") {
                assert!(legend.contains(&format!("**{mark}**")), "{name}: {} is marked {mark:?}", row[0]);
            }
        }
    }
}

#[test]
fn every_option_stands_with_its_default() {
    for (name, preset, ..) in PAGES {
        let text = page(name);
        let options = text.split("## Options").nth(1).unwrap_or_else(|| panic!("{name} lists no options"));
        for (key, value) in Variant::preset(preset).unwrap().game.rules() {
            let key = format!("`{key}`");
            let table = rows(options);
            let row = table.iter().find(|row| row[0].contains(&key)).unwrap_or_else(|| panic!("{name} lacks {key}"));
            // A row may hold several keys and, in the same order, their defaults.
            let at = row[0].split(", ").position(|own| own == key).unwrap();
            let value = value.to_string();
            let defaults: Vec<&str> = row[1].split(", ").collect();
            assert_eq!(defaults[at].trim_matches('`'), value, "{name}: the default of {key}");
        }
    }
}

#[test]
fn every_option_on_a_page_exists() {
    for (name, preset, ..) in PAGES {
        let (text, rules) = (page(name), Variant::preset(preset).unwrap().game.rules());
        let options = text.split("## Options").nth(1).unwrap();
        for row in rows(options).iter().filter(|row| row[0].starts_with('`')) {
            for key in row[0].split(", ") {
                assert!(rules.contains_key(key.trim_matches('`')), "{name}: there is no option {key}");
            }
        }
    }
}

#[test]
fn every_variant_stands_on_its_games_page() {
    for variant in Variant::all() {
        let text = page(&format!("{}.md", variant.game.name()));
        assert!(text.contains(&format!("`{}`", variant.name)), "{} is on no page", variant.name);
    }
}

#[test]
fn the_pages_name_their_source() {
    for (name, ..) in PAGES {
        assert!(page(name).contains("David Parlett"), "{name}");
    }
}
