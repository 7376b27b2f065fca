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
    let mut records = Vec::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        records.push(read(line, analyse).map_err(|error| error.in_file(file).at_line(number + 1))?);
    }
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
    found.unwrap_or_else(|error| panic!("the rules of {}: {}", record.variant, error.problem))
}

fn read(line: &str, analyse: bool) -> Result<DealRecord, InputError> {
    let written: Written = serde_json::from_str(line).map_err(|error| {
        InputError::plain(format!("is no record of a deal, which is an object of JSON (column {})", error.column()))
    })?;
    let variant = variant(&field::<String>(&written, "variant")?, field(&written, "rules")?)?;
    let judged = is_judged(&written);
    let again =
        Again { written: &written, variant: &variant.name, analyse: analyse || judged, compare: judged || !analyse };
    again.play(&variant.game.erased())
}

/// Returns whether a move of a record has an analysis.
fn is_judged(written: &Written) -> bool {
    let Some(Value::Array(moves)) = written.get("moves") else { return false };
    moves.iter().any(|made| made.get("given-away").is_some())
}

/// Returns the error for a key of a record.
fn error_at(key: &str, problem: impl Into<String>) -> InputError {
    InputError::plain(problem).at_key(key)
}

/// Returns the value of a key.
fn field<T: DeserializeOwned>(written: &Written, key: &'static str) -> Result<T, InputError> {
    let value = written.get(key).ok_or_else(|| error_at(key, "is missing from this record of a deal"))?;
    T::deserialize(value).map_err(|error| error_at(key, format!("is of the wrong kind: {error}")))
}

/// Returns the value of an optional key.
fn optional<T: DeserializeOwned>(written: &Written, key: &'static str) -> Result<Option<T>, InputError> {
    written.contains_key(key).then(|| field(written, key)).transpose()
}

/// Returns the variant with these rules: the built-in variant, or a variant of the game whose rules they are.
fn variant(name: &str, rules: Table) -> Result<Variant, InputError> {
    let games = Games::default();
    let nowhere = Source::parse(Path::new(""), String::new())?;
    let under = |base: &str| {
        let table = [("name", name.into()), ("base", base.into()), ("rules", rules.clone().into())];
        let table = Table::from_iter(table.map(|(key, value): (_, toml::Value)| (key.to_owned(), value)));
        games.variant(&nowhere, &[], &table)
    };
    if games.names().contains(&name) {
        return under(name).map_err(|error| error_at("rules", format!("are not those of {name}: {error}")));
    }
    let found = games.names().into_iter().find_map(|base| under(base).ok());
    found.ok_or_else(|| error_at("rules", "are those of no game"))
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

/// The place of a deal in a tournament, from which its cards follow.
struct DealId {
    unit: Unit,
    /// The number of the deal, or of the match that it belongs to.
    index: u64,
    /// The number of deals before it in the match.
    deals_before: u32,
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
    fn play(self, game: &OpenGame) -> Result<DealRecord, InputError> {
        let written = self.written;
        let seed = field(written, "seed")?;
        let id = self.deal_id()?;
        let dealer: Seat = field(written, "dealer")?;
        if dealer.index() >= game.layout().seats {
            return Err(error_at("dealer", format!("is not a seat of {}", self.variant)));
        }
        let seating: Vec<String> = self.by_seat("seating", game)?;
        let totals: Vec<i32> = self.by_seat("totals-before", game)?;
        let totals = BySeat::from_fn(|seat: Seat| totals.get(seat.index()).copied().unwrap_or_default());
        let standing = Standing { totals, deals: id.deals_before, counted: 0 };
        let luck = Luck { seed, secret: optional(written, "secret")? };
        let seeds = Seeds::new(luck, self.variant, game, id.unit);
        let last_deal = optional(written, "last-deal")?.unwrap_or_default();
        let setup = Setup { dealer, last_deal, ..seeds.setup(game, id.index, &standing) };
        let mut recording = Recording::with(game, &seeds, id.index, &standing, setup);
        self.check_hands(&recording)?;
        self.make_moves(&mut recording)?;
        let heading = Heading { variant: self.variant, luck, seating: &seating };
        let record = self.finish(game, &recording, heading)?;
        self.check(&record)?;
        Ok(record)
    }

    fn deal_id(&self) -> Result<DealId, InputError> {
        // A number that no tournament has would be dealt as another.
        let too_high = |key| error_at(key, "is higher than a tournament's can be");
        let of_match = optional::<u64>(self.written, "match")?;
        let deal = field::<u64>(self.written, "deal")?;
        let (unit, key, index) = match of_match {
            Some(number) => (Unit::Match, "match", number),
            None => (Unit::Deal, "deal", deal),
        };
        if index >= 1 << 48 {
            return Err(too_high(key));
        }
        let mut deals_before = 0;
        if unit == Unit::Match {
            deals_before = u16::try_from(deal).map_err(|_| too_high("deal"))?.into();
        }
        Ok(DealId { unit, index, deals_before })
    }

    /// Returns the value of a key that has a value for each seat.
    fn by_seat<T: DeserializeOwned>(&self, key: &'static str, game: &OpenGame) -> Result<Vec<T>, InputError> {
        let (values, seats) = (field::<Vec<T>>(self.written, key)?, game.layout().seats);
        if values.len() != seats {
            return Err(error_at(key, format!("has {} players for {seats} seats", values.len())));
        }
        Ok(values)
    }

    /// Checks that the cards were dealt as written.
    fn check_hands(&self, recording: &Recording<'_, OpenGame>) -> Result<(), InputError> {
        let dealt: Map<String, Value> = field(self.written, "hands")?;
        for (hand, cards) in recording.hands() {
            let texts = cards.sorted().iter().map(|card| Value::from(card.to_string())).collect();
            if dealt.get(hand) != Some(&Value::Array(texts)) {
                let problem = "differ from the cards that this version deals for this seed and number; the record may \
                               come from another version";
                return Err(error_at("hands", problem));
            }
        }
        Ok(())
    }

    /// Makes the moves as written.
    fn make_moves(&self, recording: &mut Recording<'_, OpenGame>) -> Result<(), InputError> {
        let mut analysis = self.analyse.then(Analysis::new);
        for (number, MadeMove { r#move: text }) in field::<Vec<MadeMove>>(self.written, "moves")?.iter().enumerate() {
            let wrong = |why: String| error_at("moves", format!("move {} cannot be made: {why}", number + 1));
            let chosen = recording.read_move(text).ok_or_else(|| wrong(format!("{text:?} is no move")))?;
            recording.make(chosen, analysis.as_mut()).map_err(|error| wrong(error.to_string()))?;
        }
        if !recording.is_over() {
            return Err(error_at("moves", "end before the deal does"));
        }
        Ok(())
    }

    /// Returns the record with the faults as written and the seats that forfeited the deal.
    fn finish(
        &self,
        game: &OpenGame,
        recording: &Recording<'_, OpenGame>,
        heading: Heading<'_>,
    ) -> Result<DealRecord, InputError> {
        let faults: Vec<WrittenFault> = optional(self.written, "faults")?.unwrap_or_default();
        let faults: Vec<(Seat, String)> = faults.into_iter().map(|fault| (fault.seat, fault.fault)).collect();
        let scores: Vec<i32> = field(self.written, "scores")?;
        let (played, ..) = recording.finish(heading, faults.clone(), BySeat::default());
        // A seat that forfeited the deal has the lowest score instead of the score by the moves.
        let lowest = *game.score_range().start();
        let forfeited = BySeat::from_fn(|seat: Seat| {
            let (said, by_moves) = (scores.get(seat.index()), played.scores.get(seat.index()));
            said != by_moves && said == Some(&lowest) && faults.iter().any(|(faulty, _)| *faulty == seat)
        });
        let (mut record, ..) = recording.finish(heading, faults, forfeited);
        record.places = optional(self.written, "places")?;
        Ok(record)
    }

    /// Checks that a record is equal to the record as written.
    fn check(&self, record: &DealRecord) -> Result<(), InputError> {
        let again: Written = serde_json::from_str(&record_json(record)).expect("a record is JSON");
        // In this order the first key that differs is the cause.
        for key in KEYS {
            if (key != "moves" || self.compare) && again.get(key) != self.written.get(key) {
                return Err(error_at(key, "is not what the rest of the record gives"));
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
