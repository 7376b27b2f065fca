//! Reads a CSV file of matches between any players, with a row for each player of each match.
//!
//! The rows of a match need not be adjacent. The order of rows and of columns makes no difference.

use std::collections::HashMap;
use std::path::Path;

use csv::{ErrorKind, ReaderBuilder, StringRecord, Trim};
use overtrick_ratings::{Entrant, MOST_ENTRANTS, Outcome};
use overtrick_toml::{InputError, did_you_mean, line_of, read_text};

/// The most players that are rated together.
///
/// The fit takes memory by the square of their number, and time by the cube.
const MOST_PLAYERS: usize = 3_000;

/// The largest score.
///
/// Beyond it, 64-bit floating-point numbers no longer distinguish neighbouring whole numbers.
const FARTHEST_SCORE: f64 = ((1_u64 << 53) - 1) as f64;

const MATCH: &str = "match";
const PLAYER: &str = "player";
const SCORE: &str = "score";
const BLOCK: &str = "block";
const SEAT: &str = "seat";
/// The columns that a file may have; the first three are required.
const COLUMNS: [&str; 5] = [MATCH, PLAYER, SCORE, BLOCK, SEAT];

/// The first line that errors recommend.
const EXAMPLE: &str = "a first line such as `match,player,score`";

/// The question of errors about a match whose rows do not fit together.
const TWO_MATCHES: &str = "does the name belong to two matches?";

/// Matches, as read from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchFile {
    /// The names of the players, sorted; outcomes number players by this order.
    pub players: Vec<String>,
    /// The names of the seats, whole numbers before other names; empty if the file has no seats.
    pub seats: Vec<String>,
    /// The matches, with groups numbered by their first appearance.
    pub outcomes: Vec<Outcome>,
    /// The number of groups: blocks or, in a file without blocks, matches.
    pub groups: usize,
    /// The names of unknown columns.
    pub ignored: Vec<String>,
}

impl MatchFile {
    /// Reads a file, or standard input if it is `-`.
    ///
    /// # Errors
    /// Returns the fault, with its line and column.
    pub fn read(file: &Path) -> Result<MatchFile, InputError> {
        let text = read_text(file, "save the file as CSV in UTF-8")?;
        Source { file, text: &text }.matches()
    }
}

#[derive(Clone, Copy)]
struct Source<'a> {
    file: &'a Path,
    text: &'a str,
}

impl Source<'_> {
    fn matches(self) -> Result<MatchFile, InputError> {
        let mut reader = ReaderBuilder::new().trim(Trim::All).from_reader(self.text.as_bytes());
        let columns = self.columns(reader.headers().map_err(|error| self.unreadable(&error))?)?;
        let mut rows = Rows::default();
        let mut record = StringRecord::new();
        while reader.read_record(&mut record).map_err(|error| self.unreadable(&error))? {
            rows.add(self, &columns, &record)?;
        }
        Ok(MatchFile { ignored: columns.ignored, ..rows.finish(self)? })
    }

    /// Returns the line of the record that begins at byte `at`.
    ///
    /// Empty lines before the record count as part of it.
    fn line(self, at: usize) -> usize {
        let rest = &self.text[at..];
        line_of(self.text, at + rest.len() - rest.trim_start_matches(['\r', '\n']).len())
    }

    /// Returns the error for the record that begins at byte `at`.
    fn fault(self, at: usize, problem: impl Into<String>) -> InputError {
        InputError::file(self.file, problem).at_line(self.line(at))
    }

    fn unreadable(self, error: &csv::Error) -> InputError {
        let at = error.position().map_or(0, |position| position.byte() as usize);
        let problem = match error.kind() {
            ErrorKind::UnequalLengths { expected_len, len, .. } => format!(
                "has {len} fields where the first line has {expected_len}; a field with a comma in it stands in \"quotes\""
            ),
            _ => error.to_string(),
        };
        self.fault(at, problem)
    }

    /// Finds the columns in the first line.
    fn columns(self, header: &StringRecord) -> Result<Columns, InputError> {
        if header.is_empty() {
            let problem = format!("is empty; it needs {EXAMPLE} and a row for each player of each match");
            return Err(InputError::file(self.file, problem));
        }
        let mut found = [None; COLUMNS.len()];
        let mut ignored = Vec::new();
        for (place, name) in header.iter().enumerate() {
            let Some(column) = COLUMNS.iter().position(|known| *known == name) else {
                ignored.push(quoted(name));
                continue;
            };
            if found[column].replace(place).is_some() {
                let problem = format!("has the column `{name}` twice; leave one out");
                return Err(self.fault(start(header), problem));
            }
        }
        let [of_match, player, score, block, seat] = found;
        Ok(Columns {
            of_match: of_match.ok_or_else(|| self.missing(header, MATCH))?,
            player: player.ok_or_else(|| self.missing(header, PLAYER))?,
            score: score.ok_or_else(|| self.missing(header, SCORE))?,
            block,
            seat,
            ignored,
        })
    }

    /// Returns the error for a column that the first line lacks.
    fn missing(self, header: &StringRecord, column: &str) -> InputError {
        let there = header.iter().map(quoted).collect::<Vec<_>>().join(", ");
        let problem =
            format!("the column `{column}` is missing; there is {there}, and the file needs {EXAMPLE}, with commas");
        self.fault(start(header), problem)
    }

    /// Returns a field of a row; it may not be empty, or have characters that no name has.
    fn field<'r>(self, record: &'r StringRecord, place: usize, column: &'static str) -> Result<&'r str, InputError> {
        let text = &record[place];
        let problem = if text.is_empty() {
            "is empty; every row needs one".to_owned()
        } else if text.contains('\n') {
            format!("has a line break in it, {}; is a quotation mark missing?", quoted(text))
        } else if text.contains(char::is_control) {
            // A terminal would execute control characters.
            format!("is {}, which has a control character; write it without", quoted(text))
        } else {
            return Ok(text);
        };
        Err(self.fault(start(record), problem).at_key(column))
    }
}

/// Returns a note on ignored columns, if there are any, so that a misspelt name is noticed.
pub(super) fn ignored(names: &[String]) -> Option<String> {
    let name = |name: &String| format!("{name}{}", did_you_mean(name.trim_matches('"'), [BLOCK, SEAT]));
    let names = names.iter().map(name).collect::<Vec<_>>().join(", ");
    (!names.is_empty()).then(|| format!("columns that mean nothing here were passed over: {names}"))
}

/// Returns the byte at which a record begins.
fn start(record: &StringRecord) -> usize {
    record.position().map_or(0, |position| position.byte() as usize)
}

/// Quotes a text for a message, shortened.
///
/// It may be very long: a quotation mark that is never closed puts the rest of a file into one field.
fn quoted(text: &str) -> String {
    let short: String = text.chars().take(60).collect();
    format!("{short:?}{}", if short.len() < text.len() { "..." } else { "" })
}

/// The index of each column in a row.
struct Columns {
    of_match: usize,
    player: usize,
    score: usize,
    block: Option<usize>,
    seat: Option<usize>,
    /// The names of the other columns, which are ignored.
    ignored: Vec<String>,
}

/// Names, numbered in the order of their appearance.
#[derive(Default)]
struct Names(HashMap<Box<str>, usize>);

impl Names {
    fn number(&mut self, name: &str) -> usize {
        if let Some(&number) = self.0.get(name) {
            return number;
        }
        let fresh = self.0.len();
        self.0.insert(name.into(), fresh);
        fresh
    }

    /// Returns the names sorted by a key, and for each number its place among them.
    fn sorted<K: Ord>(self, key: impl Fn(&str) -> K) -> (Vec<String>, Vec<usize>) {
        let mut names: Vec<(Box<str>, usize)> = self.0.into_iter().collect();
        names.sort_by_cached_key(|(name, _)| (key(name), name.clone()));
        let mut places = vec![0; names.len()];
        for (place, &(_, number)) in names.iter().enumerate() {
            places[number] = place;
        }
        (names.into_iter().map(|(name, _)| name.into()).collect(), places)
    }
}

struct Row {
    at: usize,
    player: usize,
    seat: Option<usize>,
    score: f64,
}

/// The rows so far.
#[derive(Default)]
struct Rows {
    names: Names,
    players: Names,
    seats: Names,
    blocks: Names,
    /// By match: its block and its rows.
    matches: Vec<(usize, Vec<Row>)>,
}

impl Rows {
    fn add(&mut self, source: Source, columns: &Columns, record: &StringRecord) -> Result<(), InputError> {
        let at = start(record);
        let name = source.field(record, columns.of_match, MATCH)?;
        let player = source.field(record, columns.player, PLAYER)?;
        let score = source.field(record, columns.score, SCORE)?;
        let score = self::score(score).map_err(|problem| source.fault(at, problem).at_key(SCORE))?;
        let mut block = name;
        if let Some(place) = columns.block {
            block = source.field(record, place, BLOCK)?;
        }
        let mut seat = None;
        if let Some(place) = columns.seat {
            seat = Some(source.field(record, place, SEAT)?);
        }

        let number = self.names.number(name);
        if number == self.matches.len() {
            self.matches.push((self.blocks.number(block), Vec::new()));
        }
        let (own_block, rows) = &mut self.matches[number];
        let row =
            Row { at, player: self.players.number(player), seat: seat.map(|seat| self.seats.number(seat)), score };
        if *own_block != self.blocks.number(block) {
            let line = source.line(rows[0].at);
            let problem = format!(
                "is {}, but the match {} is in another block on line {line}; a match is in one block, or {TWO_MATCHES}",
                quoted(block),
                quoted(name)
            );
            return Err(source.fault(at, problem).at_key(BLOCK));
        }
        if let Some(other) = rows.iter().find(|other| row.seat.is_some() && other.seat == row.seat) {
            let line = source.line(other.at);
            let problem = format!(
                "is {}, where another player sits already in match {} (line {line}); {TWO_MATCHES}",
                quoted(seat.unwrap_or_default()),
                quoted(name)
            );
            return Err(source.fault(at, problem).at_key(SEAT));
        }
        if let Some(other) = rows.iter().find(|other| row.seat.is_none() && other.player == row.player) {
            let line = source.line(other.at);
            let problem = format!(
                "{} is in match {} already (line {line}); {TWO_MATCHES} If one player had several seats, add a column `seat`",
                quoted(player),
                quoted(name)
            );
            return Err(source.fault(at, problem).at_key(PLAYER));
        }
        if rows.len() == MOST_ENTRANTS {
            let problem = format!("{} has more than {MOST_ENTRANTS} players; {TWO_MATCHES}", quoted(name));
            return Err(source.fault(at, problem).at_key(MATCH));
        }
        rows.push(row);
        Ok(())
    }

    fn finish(self, source: Source) -> Result<MatchFile, InputError> {
        if self.matches.is_empty() {
            return Err(InputError::file(source.file, "has no rows; it needs one for each player of each match"));
        }
        if let Some((_, rows)) = self.matches.iter().find(|(_, rows)| rows.len() == 1) {
            let problem = format!("has this one player only. A match has 2 to {MOST_ENTRANTS}, each in a separate row");
            return Err(source.fault(rows[0].at, problem).at_key(MATCH));
        }
        let (players, player) = self.players.sorted(|_| ());
        if players.len() > MOST_PLAYERS {
            let problem = format!("has {} players; at most {MOST_PLAYERS} are rated together", players.len());
            return Err(InputError::file(source.file, problem));
        }
        let (seats, seat) = self.seats.sorted(|name| name.parse::<i64>().map_or((1, 0), |number| (0, number)));
        let mut outcomes = Vec::with_capacity(self.matches.len());
        for (group, rows) in self.matches {
            outcomes.push(outcome(group, &rows, &player, &seat));
        }
        Ok(MatchFile { players, seats, outcomes, groups: self.blocks.0.len(), ignored: Vec::new() })
    }
}

/// Returns the outcome of a match of `group`; `player` and `seat` are their places among the sorted names.
fn outcome(group: usize, rows: &[Row], player: &[usize], seat: &[usize]) -> Outcome {
    let mut scores: Vec<f64> = rows.iter().map(|row| row.score).collect();
    scores.sort_by(|a, b| b.total_cmp(a));
    scores.dedup();
    let mut outcome = Outcome { entrants: Vec::new(), places: Vec::new(), counts: vec![(group, 1)] };
    for row in rows {
        outcome.entrants.push(Entrant { player: player[row.player], seat: row.seat.map(|number| seat[number]) });
        outcome.places.push(scores.iter().take_while(|&&score| score > row.score).count() as u8);
    }
    outcome
}

/// Reads a score.
fn score(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(score) if score.abs() <= FARTHEST_SCORE => Ok(score),
        Ok(score) if score.is_finite() => Err(format!(
            "is {text}, so far from 0 that neighbours cannot be distinguished, but must be -{FARTHEST_SCORE} to {FARTHEST_SCORE}"
        )),
        _ => Err(format!("is {}; write a number such as 12 or -3.5", quoted(text))),
    }
}
