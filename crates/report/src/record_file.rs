//! Reads records of deals: plays them again from their seed and moves, and checks the results.

use std::path::Path;

use overtrick_cards::table::{BySeat, Seat};
use overtrick_game::{Game, Setup, Standing};
use overtrick_games::{Games, OpenGame, Variant};
use overtrick_toml::{InputError, Source, read_text};
use overtrick_tournament::{Analysis, DealRecord, Heading, Luck, Recording, Seeds, Unit};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use toml::Table;

use super::record_json;

/// A record as written.
type Written = Map<String, Value>;

/// A problem of a record, and the key that has it, if any.
struct Problem {
    key: Option<&'static str>,
    what: String,
}

impl Problem {
    fn new(key: &'static str, what: impl Into<String>) -> Problem {
        Problem { key: Some(key), what: what.into() }
    }
}

/// Reads the records in a file of JSON lines, as `overtrick replay --format json` prints them.
///
/// The file `-` is standard input. With `analyse` their plays get a double-dummy analysis. A record that has
/// an analysis already always gets one.
///
/// # Errors
/// Returns the problem of the first record that cannot be read, or does not follow from its seed and its
/// moves.
pub fn read_records(file: &Path, analyse: bool) -> Result<Vec<DealRecord>, InputError> {
    let text = read_text(file, "save the file as JSON lines in UTF-8")?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let read = |(number, line): (usize, &str)| {
        read(line, analyse).map_err(|Problem { key, what }| {
            let error = InputError::file(file, what).at_line(number + 1);
            match key {
                Some(key) => error.at_key(key),
                None => error,
            }
        })
    };
    let records = lines.map(read).collect::<Result<Vec<_>, _>>()?;
    if records.is_empty() {
        return Err(InputError::file(file, "holds no record of a deal"));
    }
    Ok(records)
}

/// Returns the variant of a record, under the rules that it names.
///
/// # Panics
/// If no built-in game has such rules. Records from [`read_records`] have valid rules.
pub fn recorded_variant(record: &DealRecord) -> Variant {
    let found = variant(&record.variant, record.rules.clone());
    found.unwrap_or_else(|problem| panic!("the rules of {}: {}", record.variant, problem.what))
}

fn read(line: &str, analyse: bool) -> Result<DealRecord, Problem> {
    let written: Written = serde_json::from_str(line).map_err(|error| Problem {
        key: None,
        what: format!("is no record of a deal, which is an object of JSON (column {})", error.column()),
    })?;
    let variant = variant(&field::<String>(&written, "variant")?, field(&written, "rules")?)?;
    let is_judged = |made: &Value| made.get("given-away").is_some();
    let judged = written.get("moves").and_then(Value::as_array).is_some_and(|moves| moves.iter().any(is_judged));
    Again { written: &written, variant: &variant.name, analyse: analyse || judged, compare: judged || !analyse }
        .play(&variant.game.erased())
}

/// Returns the value of a key.
fn field<T: DeserializeOwned>(written: &Written, key: &'static str) -> Result<T, Problem> {
    let value = written.get(key).ok_or_else(|| Problem::new(key, "is missing from this record of a deal"))?;
    T::deserialize(value).map_err(|error| Problem::new(key, format!("is of the wrong kind: {error}")))
}

/// Returns the value of an optional key.
fn optional<T: DeserializeOwned>(written: &Written, key: &'static str) -> Result<Option<T>, Problem> {
    written.contains_key(key).then(|| field(written, key)).transpose()
}

/// Returns the variant with these rules: the built-in variant, or a variant of the game whose rules they are.
fn variant(name: &str, rules: Table) -> Result<Variant, Problem> {
    let games = Games::default();
    let nowhere = Source::parse(Path::new(""), String::new()).map_err(|error| Problem::new("rules", error.problem))?;
    let under = |base: &str| {
        let table = [("name", name.into()), ("base", base.into()), ("rules", rules.clone().into())];
        let table = Table::from_iter(table.map(|(key, value): (_, toml::Value)| (key.to_owned(), value)));
        games.variant(&nowhere, &[], &table)
    };
    if games.names().contains(&name) {
        return under(name).map_err(|error| Problem::new("rules", format!("are not those of {name}: {error}")));
    }
    let found = games.names().into_iter().find_map(|base| under(base).ok());
    found.ok_or_else(|| Problem::new("rules", "are those of no game"))
}

/// A move as written. Its other keys follow from the text.
#[derive(Deserialize)]
struct MadeMove {
    r#move: String,
}

#[derive(Deserialize)]
struct WrittenFault {
    seat: Seat,
    fault: String,
}

/// A record to play again.
struct Again<'a> {
    written: &'a Written,
    variant: &'a str,
    analyse: bool,
    /// Whether all keys of the moves must match.
    compare: bool,
}

impl Again<'_> {
    fn play(self, game: &OpenGame) -> Result<DealRecord, Problem> {
        let (written, seats) = (self.written, game.layout().seats);
        let seed = field(written, "seed")?;
        let (of_match, deal) = (optional::<u64>(written, "match")?, field::<u64>(written, "deal")?);
        let dealer = Some(field::<Seat>(written, "dealer")?).filter(|dealer| dealer.index() < seats);
        let dealer = dealer.ok_or_else(|| Problem::new("dealer", format!("is no seat of {}", self.variant)))?;
        let by_seat = |key: &'static str, length: usize| {
            (length == seats)
                .then_some(())
                .ok_or_else(|| Problem::new(key, format!("has {length} players for {seats} seats")))
        };
        let seating: Vec<String> = field(written, "seating")?;
        by_seat("seating", seating.len())?;
        let totals: Vec<i32> = field(written, "totals-before")?;
        by_seat("totals-before", totals.len())?;
        // A number that no tournament has would be dealt as another.
        let too_high = |key| Problem::new(key, "is higher than a tournament's can be");
        let (unit, number, deals) = match of_match {
            None if deal >= 1 << 48 => return Err(too_high("deal")),
            None => (Unit::Deal, deal, 0),
            Some(number) if number >= 1 << 48 => return Err(too_high("match")),
            Some(number) => (Unit::Match, number, u16::try_from(deal).map_err(|_| too_high("deal"))?.into()),
        };
        let totals = BySeat::from_fn(|seat: Seat| totals.get(seat.index()).copied().unwrap_or_default());
        let standing = Standing { totals, deals, counted: 0 };
        let setup = Setup { dealer, last_deal: optional(written, "last-deal")?.unwrap_or_default() };
        let luck = Luck { seed, secret: optional(written, "secret")? };
        let seeds = Seeds::new(luck, self.variant, game, unit);
        let mut recording = Recording::with(game, &seeds, number, &standing, setup);
        let dealt: Map<String, Value> = field(written, "hands")?;
        let is_dealt = recording.hands().into_iter().all(|(hand, cards)| {
            let texts = cards.sorted().iter().map(|card| Value::from(card.to_string())).collect();
            dealt.get(hand) == Some(&Value::Array(texts))
        });
        if !is_dealt {
            let what = "are not what this version deals from this seed and this number; it shows no others";
            return Err(Problem::new("hands", what));
        }
        let mut analysis = self.analyse.then(Analysis::new);
        for (number, MadeMove { r#move: text }) in field::<Vec<MadeMove>>(written, "moves")?.iter().enumerate() {
            let wrong = |why: String| Problem::new("moves", format!("move {} cannot be made: {why}", number + 1));
            let chosen = recording.read_move(text).ok_or_else(|| wrong(format!("{text:?} is no move")))?;
            recording.make(chosen, analysis.as_mut()).map_err(|error| wrong(error.to_string()))?;
        }
        if !recording.is_over() {
            return Err(Problem::new("moves", "end before the deal does"));
        }
        let faults: Vec<WrittenFault> = optional(written, "faults")?.unwrap_or_default();
        let faults: Vec<(Seat, String)> =
            faults.into_iter().map(|WrittenFault { seat, fault }| (seat, fault)).collect();
        let heading = Heading { variant: self.variant, luck, seating: &seating };
        let finished = |forfeited| recording.finish(heading, faults.clone(), forfeited).0;
        let scores: Vec<i32> = field(written, "scores")?;
        let played = finished(BySeat::default());
        // A seat that forfeited the deal has the lowest score instead of the score by the moves.
        let lowest = *game.score_range().start();
        let forfeited = |seat: Seat| {
            let (said, played) = (scores.get(seat.index()), played.scores.get(seat.index()));
            said != played && said == Some(&lowest) && faults.iter().any(|(faulty, _)| *faulty == seat)
        };
        let mut record = finished(BySeat::from_fn(forfeited));
        record.places = optional(written, "places")?;
        self.check(&record)?;
        Ok(record)
    }
}

impl Again<'_> {
    /// Checks that a record is equal to the record as written.
    fn check(&self, record: &DealRecord) -> Result<(), Problem> {
        let again: Written = serde_json::from_str(&record_json(record)).expect("a record is JSON");
        // In this order the first key that differs is the cause.
        for key in KEYS {
            if (key != "moves" || self.compare) && again.get(key) != self.written.get(key) {
                let what = "is not what the rest of the record gives";
                return Err(Problem::new(key, what));
            }
        }
        Ok(())
    }
}

/// The keys of a record that follow from others.
const KEYS: [&str; 11] = [
    "schema-version",
    "players",
    "hands",
    "table",
    "rules",
    "moves",
    "tricks",
    "contract",
    "tricks-won",
    "scores",
    "totals-after",
];
