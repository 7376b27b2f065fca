//! The house rules that can be counted: no two files import each other, comments end at column 120 and call a player
//! *they*, README shows the example that runs.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// All files below a folder with this ending.
pub fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.extension().is_some_and(|extension| extension == ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn sources() -> Vec<PathBuf> {
    ["src", "crates", "tests", "benches", "examples", "fuzz"]
        .iter()
        .flat_map(|folder| files(&Path::new(ROOT).join(folder), "rs"))
        .collect()
}

/// A module by the names that lead to it.
type Module = Vec<String>;

/// The `src` folders of the front and of every crate.
fn source_folders() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(ROOT).join("src")];
    for entry in std::fs::read_dir(Path::new(ROOT).join("crates")).unwrap() {
        folders.push(entry.unwrap().path().join("src"));
    }
    folders
}

/// The modules of a crate, with their text up to their unit tests. The root has no names.
fn modules(src: &Path) -> BTreeMap<Module, String> {
    let module = |file: &PathBuf| {
        let inside = file.strip_prefix(src).unwrap().with_extension("");
        let mut names: Module = inside.iter().map(|name| name.to_str().unwrap().to_owned()).collect();
        if ["mod", "lib"].contains(&names.last().unwrap().as_str()) {
            names.pop();
        }
        let text = std::fs::read_to_string(file).unwrap();
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap().to_owned();
        (names, text)
    };
    files(src, "rs").iter().map(module).filter(|(names, _)| names != &["main"]).collect()
}

/// The paths that a text imports, braces multiplied out; `exported` asks for `pub use` alone.
fn imports(text: &str, exported: bool) -> Vec<Module> {
    let mut paths = Vec::new();
    for (start, _) in text.match_indices("use ") {
        let line = &text[text[..start].rfind('\n').map_or(0, |end| end + 1)..start];
        let is_statement = line.trim().is_empty() || line.trim().starts_with("pub");
        if is_statement && (!exported || line.trim().starts_with("pub")) {
            let statement: String = text[start + 4..].split(';').next().unwrap().split_whitespace().collect();
            multiply_out("", &statement, &mut paths);
        }
    }
    paths.iter().map(|path| path.split("::").map(str::to_owned).collect()).collect()
}

fn multiply_out(before: &str, path: &str, paths: &mut Vec<String>) {
    let Some((first, inner)) = path.split_once('{') else {
        paths.push(format!("{before}{path}"));
        return;
    };
    let (mut depth, mut start, inner) = (0, 0, &inner[..inner.len() - 1]);
    for (at, letter) in inner.char_indices().chain([(inner.len(), ',')]) {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                if start < at {
                    multiply_out(&format!("{before}{first}"), &inner[start..at], paths);
                }
                start = at + 1;
            }
            _ => {}
        }
    }
}

/// The module in which what `path` names is defined, seen from the module `from`; `None` if it is of another crate.
fn home(modules: &BTreeMap<Module, String>, from: &Module, path: &[String]) -> Option<Module> {
    let (mut here, mut rest) = match path[0].as_str() {
        "crate" => (Module::new(), &path[1..]),
        "super" => (from[..from.len() - 1].to_vec(), &path[1..]),
        "self" => (from.clone(), &path[1..]),
        name if modules.contains_key(&[&from[..], &[name.to_owned()]].concat()) => (from.clone(), path),
        _ => return None,
    };
    while let Some(name) = rest.first() {
        let inner = [&here[..], std::slice::from_ref(name)].concat();
        if name == "super" {
            here.pop();
        } else if modules.contains_key(&inner) {
            here = inner;
        } else {
            let exports = modules.get(&here).map_or(Vec::new(), |text| imports(text, true));
            let export = exports.iter().find(|export| export.last() == Some(name));
            return Some(export.and_then(|export| home(modules, &here, export)).unwrap_or(here));
        }
        rest = &rest[1..];
    }
    Some(here)
}

#[test]
fn no_two_files_import_each_other_even_by_way_of_others() {
    let mut count = 0;
    for folder in source_folders() {
        count += imports_one_way(&folder);
    }
    assert!(count > 500, "imports are found");
}

/// Checks that no two files of a crate import each other, and returns the number of imports.
fn imports_one_way(src: &Path) -> usize {
    let modules = modules(src);
    let mut imported: BTreeMap<&Module, BTreeSet<Module>> = BTreeMap::new();
    for (module, text) in &modules {
        let homes = imports(text, false).into_iter().filter_map(|path| home(&modules, module, &path));
        // The items of a folder's file are there for the files in it, and it gathers theirs.
        let others = homes.filter(|home| !module.starts_with(home) && !home.starts_with(module));
        imported.insert(module, others.collect());
    }
    // Modules that import nothing that is left are put away, until none is left or a circle is.
    let mut left: BTreeSet<&Module> = modules.keys().collect();
    loop {
        let free = |module: &&Module| imported[*module].iter().all(|other| !left.contains(other));
        let put_away: Vec<&Module> = left.iter().copied().filter(|module| free(module)).collect();
        if put_away.is_empty() {
            break;
        }
        put_away.iter().for_each(|module| {
            left.remove(*module);
        });
    }
    let names: Vec<String> = left.iter().map(|module| module.join("/")).collect();
    assert!(names.is_empty(), "{}: these import each other, or what does: {names:?}", src.display());
    imported.values().map(BTreeSet::len).sum()
}

#[test]
fn comments_end_at_column_120_and_call_a_player_they() {
    for file in sources() {
        let text = std::fs::read_to_string(&file).unwrap();
        for (number, line) in (1..).zip(text.lines()) {
            let place = || format!("{}:{number}: {line}", file.strip_prefix(ROOT).unwrap().display());
            let Some(comment) = line.trim_start().strip_prefix("//") else { continue };
            assert!(line.chars().count() <= 120, "{}", place());
            let mut words = comment.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '`');
            assert!(
                !words.any(|word| ["he", "his", "him", "himself"].contains(&word.to_lowercase().as_str())),
                "{}",
                place()
            );
        }
    }
}

#[test]
fn readme_shows_the_example_that_runs() {
    let readme = std::fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    assert!(readme.contains(include_str!("../../examples/play_a_tournament.rs")));
}
