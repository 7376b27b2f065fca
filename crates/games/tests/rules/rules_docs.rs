//! Tests of the pages of rules against the program.
//!
//! Every rule has its number, every option its key and default, and every variant its name.

use std::fs;
use std::path::Path;

use overtrick_games::Variant;

struct Page {
    file: &'static str,
    /// The preset of the default rules.
    preset: &'static str,
    /// The place where the rules were published.
    source: &'static str,
    /// The letters and the number of rules of each series, in the page's order.
    series: &'static [(&'static str, usize)],
}

const PAGES: [Page; 5] = [
    Page { file: "dumbo.md", preset: "dumbo", source: "David Parlett", series: &[("DU", 27)] },
    Page { file: "euchre.md", preset: "euchre-32", source: "gamerules.com", series: &[("EU", 29)] },
    Page {
        file: "dummy-whist.md",
        preset: "dummy-whist",
        source: "\"Dummy whist\" of Wikipedia",
        series: &[("WH", 45), ("DD", 9), ("HB", 11)],
    },
    Page { file: "colour-blind.md", preset: "colour-blind", source: "David Parlett", series: &[("CB", 20)] },
    Page { file: "chameleon.md", preset: "chameleon", source: "pagat.com", series: &[("CH", 31), ("DC", 26)] },
];

fn page(name: &str) -> String {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/rules").join(name);
    fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Returns the rows of the page's tables, as cells.
fn rows(page: &str) -> Vec<Vec<&str>> {
    let lines = page.lines().filter(|line| line.starts_with('|'));
    lines.map(|line| line.trim_matches('|').split(" | ").map(str::trim).collect()).collect()
}

#[test]
fn every_rule_is_there_once_and_has_a_mark() {
    let legend = page("README.md");
    for Page { file, series, .. } in PAGES {
        let text = page(file);
        for (letters, count) in series {
            let numbers: Vec<Vec<&str>> = rows(&text).into_iter().filter(|row| row[0].starts_with(letters)).collect();
            let expected: Vec<String> = (1..=*count).map(|number| format!("{letters}{number}")).collect();
            assert_eq!(numbers.iter().map(|row| row[0]).collect::<Vec<_>>(), expected, "{file}");
            for row in numbers {
                for mark in row.last().unwrap().split(", ") {
                    assert!(legend.contains(&format!("**{mark}**")), "{file}: {} is marked {mark:?}", row[0]);
                }
            }
        }
    }
}

#[test]
fn every_option_stands_with_its_default() {
    for Page { file, preset, .. } in PAGES {
        let text = page(file);
        let options = text.split("## Options").nth(1).unwrap_or_else(|| panic!("{file} lists no options"));
        for (key, value) in Variant::preset(preset).unwrap().game.rules() {
            let key = format!("`{key}`");
            let table = rows(options);
            let row = table.iter().find(|row| row[0].contains(&key)).unwrap_or_else(|| panic!("{file} lacks {key}"));
            // A row may have several keys with their defaults in the same order. The default of a single key
            // may be a list.
            let keys: Vec<&str> = row[0].split(", ").collect();
            let defaults: Vec<&str> = if keys.len() == 1 { vec![row[1]] } else { row[1].split(", ").collect() };
            let at = keys.iter().position(|own| *own == key).unwrap();
            assert_eq!(defaults[at].trim_matches('`'), value.to_string(), "{file}: the default of {key}");
        }
    }
}

#[test]
fn every_option_on_a_page_exists() {
    for Page { file, preset, .. } in PAGES {
        let (text, rules) = (page(file), Variant::preset(preset).unwrap().game.rules());
        let options = text.split("## Options").nth(1).unwrap();
        for row in rows(options).iter().filter(|row| row[0].starts_with('`')) {
            for key in row[0].split(", ") {
                assert!(rules.contains_key(key.trim_matches('`')), "{file}: there is no option {key}");
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
    for Page { file, source, .. } in PAGES {
        assert!(page(file).contains(source), "{file}");
    }
}
