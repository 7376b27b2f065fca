//! Games with keys left out, exchanged and set to other values: each plays or is refused in one line.

use std::path::Path;
use std::sync::Arc;

use overtrick_cards::{SeedSource, Stream};
use overtrick_language::source::GameFile;
use overtrick_language::{DeclaredGame, rules_page};
use toml::{Table, Value};

use crate::made::GameMaker;

/// Values at which something may end, and of kinds that a key does not take.
fn ends() -> Vec<Value> {
    let numbers = [i64::MIN, -1, 0, 1, 14, 27, 1 << 20, i64::MAX].map(Value::Integer);
    let texts =
        ["", "=", "=o0", "=nothing", "**", "QS QS", "tricks", "mine(mine(tricks))", "1 div 0", "\u{1F0A1}", "{", "{s}"];
    let others = [Value::Boolean(true), Value::Float(f64::NAN), Value::Array(Vec::new()), Value::Table(Table::new())];
    numbers.into_iter().chain(texts.map(Value::from)).chain(others).collect()
}

/// A value of a file by its place: keys and numbers of a list.
type ValuePlace = Vec<String>;

/// Adds the places of all values below `value`.
fn add_places(value: &Value, at: &ValuePlace, places: &mut Vec<ValuePlace>) {
    let mut add = |key: String, inner: &Value| {
        let place = [at.as_slice(), &[key]].concat();
        places.push(place.clone());
        add_places(inner, &place, places);
    };
    match value {
        Value::Table(table) => table.iter().for_each(|(key, inner)| add(key.clone(), inner)),
        Value::Array(list) => list.iter().enumerate().for_each(|(number, inner)| add(number.to_string(), inner)),
        _ => {}
    }
}

/// Returns the value at a place.
fn value_at<'v>(value: &'v mut Value, place: &[String]) -> &'v mut Value {
    let Some((first, rest)) = place.split_first() else { return value };
    let inner = match value {
        Value::Array(list) => &mut list[first.parse::<usize>().unwrap()],
        other => other.as_table_mut().unwrap().get_mut(first).unwrap(),
    };
    value_at(inner, rest)
}

fn remove(value: &mut Value, place: &[String]) {
    let (last, outer) = place.split_last().unwrap();
    match value_at(value, outer) {
        Value::Array(list) => drop(list.remove(last.parse().unwrap())),
        other => drop(other.as_table_mut().unwrap().remove(last)),
    }
}

fn pick<T: Clone>(list: &[T], rng: &mut Stream) -> T {
    list[usize::try_from(rng.random_below(u64::try_from(list.len()).unwrap())).unwrap()].clone()
}

/// Changes a value of a game: leaves it out, sets it to an end, or takes that of another place or game.
fn change(game: &mut Value, other: &mut Value, rng: &mut Stream) {
    let (mut places, mut others) = (Vec::new(), Vec::new());
    add_places(game, &Vec::new(), &mut places);
    add_places(other, &Vec::new(), &mut others);
    let place = pick(&places, rng);
    match rng.random_below(4) {
        0 => remove(game, &place),
        1 => *value_at(game, &place) = pick(&ends(), rng),
        2 => {
            // A key of the same name takes a value that it may have.
            let alike: Vec<ValuePlace> = others.iter().filter(|other| other.last() == place.last()).cloned().collect();
            let from = pick(if alike.is_empty() { &others } else { &alike }, rng);
            *value_at(game, &place) = value_at(other, &from).clone();
        }
        _ => {
            let from = pick(&others, rng);
            *value_at(game, &place) = value_at(other, &from).clone();
        }
    }
}

/// Reads a file, plays a deal and prints its rules. Returns whether it is a game.
fn plays(text: &str) -> bool {
    let read = GameFile::parse(Path::new("t.toml"), text.to_owned()).and_then(|file| {
        let values = file.defaults();
        DeclaredGame::of(Arc::new(file), &values)
    });
    match read {
        Ok(game) => {
            assert_eq!(game.survey(1, 0, 1).deals, 1);
            rules_page(&game, "test").unwrap_or_else(|error| panic!("{error}"));
            true
        }
        Err(error) => {
            let error = error.to_string();
            assert!(error.starts_with("t.toml:") && !error.contains('\n') && error.len() < 2_000, "{error}");
            false
        }
    }
}

/// Mutates `count` random games, and those that come with the program.
fn check_mutations(count: u64) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs/games");
    let mut games: Vec<Table> = (0..30).map(GameMaker::game).collect();
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files.collect();
    files.sort();
    games.extend(files.iter().map(|file| toml::from_str::<Table>(&std::fs::read_to_string(file).unwrap()).unwrap()));
    let mut playing = 0;
    for number in 0..count {
        let mut rng = SeedSource::new(47, "mutated games", "").stream(number, 0);
        let (mut game, mut other) = (Value::Table(pick(&games, &mut rng)), Value::Table(pick(&games, &mut rng)));
        for _ in 0..=rng.random_below(2) {
            change(&mut game, &mut other, &mut rng);
        }
        let text = toml::to_string(&game).unwrap();
        let read = std::panic::catch_unwind(|| plays(&text));
        playing += u64::from(read.unwrap_or_else(|_| panic!("mutation {number}:\n{text}")));
    }
    // Some mutations play, and some are refused.
    assert!(20 * playing > count && 20 * playing < 19 * count, "{playing} of {count}");
}

#[test]
fn some_mutations_of_games_play_or_are_refused_in_one_line() {
    check_mutations(300);
}

#[test]
#[ignore = "long: reads 10,000 mutations of games, and plays a deal of those that are games"]
fn mutations_of_games_play_or_are_refused_in_one_line() {
    check_mutations(10_000);
}
