//! `overtrick rate`.

use std::path::{Path, PathBuf};

use super::output_format::OutputFormat;
use super::{Ended, print};
use crate::report::{self, OutputFolder};
use crate::stats::{MatchFile, PlayerRow, Rated, composed};
use crate::toml_source::{InputError, did_you_mean};

/// Rate the players of any matches: Elo with intervals, from a CSV file.
///
/// A row is one player's part in one match. Columns, in any order: match (its name), player, score (a number; higher is
/// better, equal is a tie); if you like, block (matches that share luck, such as those played with the same cards;
/// without it, every match is taken to be independent of the others) and seat (what each seat is worth is then
/// estimated, too). Other columns are passed over. A match has 2 to 50 players.
#[derive(clap::Args)]
pub struct Args {
    /// The file of matches; - for standard input.
    file: PathBuf,
    /// The player whose Elo is set to 0. Without it, the mean of all is 0.
    #[arg(long, value_name = "PLAYER")]
    anchor: Option<String>,
    /// How to print: tables, the rows of the players, or everything as an object.
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
    /// Write to this file instead of printing.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file of --out if it is there already.
    #[arg(long, requires = "out")]
    force: bool,
}

/// From this number of players, rating takes long enough for a message.
const MANY: usize = 1000;

pub fn rate(args: &Args) -> Result<Ended, InputError> {
    let file = MatchFile::read(&args.file)?;
    let anchor = args.anchor.as_deref().map(|name| find(&file, name, &args.file)).transpose()?;
    let out = args.out.as_deref().map(|out| claim(out, args)).transpose()?;
    if file.players.len() >= MANY {
        tell!("rating {} players; this may take a minute", report::thousands(file.players.len() as u64));
    }
    let rated =
        Rated::new(&file, anchor).map_err(|error| InputError::file(&args.file, format!("cannot be rated: {error}")))?;
    let bytes = match args.format {
        OutputFormat::Text => report::ratings(&rated).into_bytes(),
        OutputFormat::Csv => report::to_csv(&without_formulas(&rated.players)),
        OutputFormat::Json => report::to_json(&rated),
    };
    match out {
        Some((folder, name)) => folder.write(&[(&name, bytes)])?,
        None => print(&String::from_utf8(bytes).expect("text")),
    }
    // The text has the notes below its table.
    if args.format != OutputFormat::Text || args.out.is_some() {
        rated.notes.iter().for_each(|note| tell!("note: {note}"));
    }
    Ok(Ended::Done)
}

/// Returns the rows with names that no spreadsheet takes for formulas.
fn without_formulas(players: &[PlayerRow]) -> Vec<PlayerRow> {
    let mut rows = players.to_vec();
    for row in &mut rows {
        row.player = report::no_formula(&row.player);
    }
    if rows.iter().zip(players).any(|(row, player)| row.player != player.player) {
        tell!(
            "note: names that begin as formulas of spreadsheets do have a ' before them; --format json has them plain"
        );
    }
    rows
}

/// Returns the number of a player.
fn find(file: &MatchFile, name: &str, path: &Path) -> Result<usize, InputError> {
    file.players.binary_search_by(|player| player.as_str().cmp(name)).map_err(|_| {
        if let Some(alike) = file.players.iter().find(|player| composed(player) == composed(name)) {
            let problem = format!(
                "has no player {name} in this spelling to be the anchor, but one that looks alike, with accents in the \
                 letters or after them (Unicode's forms NFC and NFD); copy the name from the file: {alike}"
            );
            return InputError::file(path, problem);
        }
        let some: Vec<&str> = file.players.iter().take(10).map(String::as_str).collect();
        let more = if file.players.len() > some.len() { "..." } else { "" };
        let meant = did_you_mean(name, file.players.iter().map(String::as_str));
        let problem = format!("has no player {name:?} to be the anchor{meant}; it has {}{more}", some.join(", "));
        InputError::file(path, problem)
    })
}

/// Checks that the output file can be written and is not the input file.
fn claim(out: &Path, args: &Args) -> Result<(OutputFolder, String), InputError> {
    let same = |one: &Path| std::fs::canonicalize(one).ok();
    if same(out).is_some_and(|out| Some(out) == same(&args.file)) {
        return Err(InputError::file(out, "is the file to be rated; choose another with --out"));
    }
    OutputFolder::claim_file(out, "--out", args.force)
}
