//! Random game files that cover the language: each plays, or is refused by name.

mod expressions;
mod keys;
mod score;

use overtrick_cards::{SeedSource, Stream};
use toml::{Table, Value};

/// The letters of ranks, lowest first.
const RANKS: &str = "23456789TJQKA";

/// A random game, while its file is written.
pub struct GameMaker {
    rng: Stream,
    game: Table,
    shape: MadeShape,
}

/// The parts of a game that other parts depend on.
#[derive(Default)]
struct MadeShape {
    players: i64,
    dummies: Vec<String>,
    partners: bool,
    /// The cards of the deck, two letters each.
    deck: Vec<String>,
    ranks: String,
    hand: i64,
    row: bool,
    /// Whether a card of the table is turned up.
    turned: bool,
    declarer: bool,
    bids: bool,
    /// The names of numbers that differ between partners, and of those that do not.
    numbers: [Vec<String>; 2],
    /// The same for names of conditions.
    conditions: [Vec<String>; 2],
}

impl GameMaker {
    /// Returns the game of a number.
    pub fn game(number: u64) -> Table {
        let rng = SeedSource::new(47, "made games", "").stream(number, 0);
        let mut maker = GameMaker { rng, game: Table::new(), shape: MadeShape::default() };
        maker.set("game", format!("made-{number}"));
        maker.set("about", "a random game");
        maker.set("source", "the generator of the tests");
        if maker.chance(30) {
            maker.set("language", 1);
            maker.set("cite.follow", "R1");
            maker.set("cite.turn", "R2");
        }
        maker.deck();
        maker.seats();
        maker.deal();
        maker.trumps();
        maker.passing();
        maker.auction();
        maker.play();
        maker.score();
        maker.ending();
        // Last, so that the rest is the same with and without them.
        maker.duties();
        maker.game
    }

    /// Returns a number below `size`.
    fn below(&mut self, size: usize) -> usize {
        usize::try_from(self.rng.random_below(u64::try_from(size).unwrap())).unwrap()
    }

    fn within(&mut self, low: i64, high: i64) -> i64 {
        low + i64::try_from(self.below(usize::try_from(high - low + 1).unwrap())).unwrap()
    }

    /// Returns true in this percentage of all cases.
    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'t>(&mut self, words: &[&'t str]) -> &'t str {
        let place = self.below(words.len());
        words[place]
    }

    /// Sets a key: a path with dots.
    fn set(&mut self, path: &str, value: impl Into<Value>) {
        set_in(&mut self.game, path, value.into());
    }

    /// Adds a table to a list at a key.
    fn push(&mut self, path: &str, table: Table) {
        let mut list = match get(&self.game, path) {
            Some(Value::Array(list)) => list.clone(),
            _ => Vec::new(),
        };
        list.push(Value::Table(table));
        self.set(path, Value::Array(list));
    }

    /// Adds an option with this default, and returns the text that stands for it.
    fn option(&mut self, default: Value, more: &[(&str, Value)]) -> Value {
        let number = get(&self.game, "options").and_then(Value::as_table).map_or(0, Table::len);
        let name = format!("o{number}");
        self.set(&format!("options.{name}.default"), default);
        self.set(&format!("options.{name}.about"), "a random option");
        for (key, value) in more {
            self.set(&format!("options.{name}.{key}"), value.clone());
        }
        Value::from(format!("={name}"))
    }

    /// Returns a number, or an option of numbers within `low` to `high`.
    fn amount(&mut self, value: i64, low: i64, high: i64) -> Value {
        if !self.chance(20) {
            return Value::Integer(value);
        }
        let range = Value::from(vec![low.max(value - 2), high.min(value + 2)]);
        let mut more = vec![("range", range)];
        if value % 2 == 0 && self.chance(50) {
            more.push(("step", Value::Integer(2)));
        }
        self.option(Value::Integer(value), &more)
    }

    /// Returns a truth value, or an option or condition that has it.
    fn flag(&mut self) -> Value {
        let value = self.chance(50);
        match self.below(6) {
            0 => self.option(Value::Boolean(value), &[]),
            1 => {
                let option = self.option(Value::Boolean(!value), &[]);
                Value::from(format!("=not {}", &option.as_str().unwrap()[1..]))
            }
            _ => Value::Boolean(value),
        }
    }

    /// Returns a word of these, or an option of them.
    fn word(&mut self, words: &[&str]) -> Value {
        let word = self.pick(words);
        self.word_or_option(word, words)
    }

    fn word_or_option(&mut self, word: &str, words: &[&str]) -> Value {
        if !self.chance(20) {
            return Value::from(word);
        }
        self.option(Value::from(word), &[("values", Value::from(words.to_vec()))])
    }

    /// Returns a text, or an option that has it as its only word.
    fn text(&mut self, text: &str) -> Value {
        if self.chance(10) { self.word_or_option(text, &[text]) } else { Value::from(text) }
    }

    /// Returns patterns of a few cards of the deck.
    fn cards(&mut self) -> String {
        let mut patterns = Vec::new();
        for _ in 0..=self.below(3) {
            let place = self.below(self.shape.deck.len());
            let card = self.shape.deck[place].clone();
            let is_joker = card.ends_with('J') && !"CDHS".contains(&card[1..]);
            patterns.push(match self.below(3) {
                _ if is_joker => card,
                0 => card,
                1 => format!("*{}", &card[1..]),
                _ => format!("{}*", &card[..1]),
            });
        }
        patterns.join(" ")
    }

    /// Returns a card of the deck.
    fn card(&mut self) -> String {
        let place = self.below(self.shape.deck.len());
        self.shape.deck[place].clone()
    }
}

/// Returns the value at a path with dots.
pub fn get<'t>(table: &'t Table, path: &str) -> Option<&'t Value> {
    match path.split_once('.') {
        None => table.get(path),
        Some((first, rest)) => table.get(first)?.as_table().and_then(|inner| get(inner, rest)),
    }
}

fn set_in(table: &mut Table, path: &str, value: Value) {
    match path.split_once('.') {
        None => {
            table.insert(path.to_owned(), value);
        }
        Some((first, rest)) => {
            let inner = table.entry(first.to_owned()).or_insert_with(|| Value::Table(Table::new()));
            set_in(inner.as_table_mut().unwrap(), rest, value);
        }
    }
}
