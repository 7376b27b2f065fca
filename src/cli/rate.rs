//! `overtrick rate`.

use std::path::{Path, PathBuf};

use super::output_format::OutputFormat;
use super::{Ended, help, print};
use crate::report::{self, OutputFolder};
use crate::stats::{MatchFile, PlayerRow, Rated, composed};
use crate::toml_source::{InputError, did_you_mean};

/// Rate the players of any matches, from a CSV file.
///
/// The ratings are Elo with intervals. A row of the file is the part of one player in one match. A match has
/// 2 to 50 players. The file has these columns, in any order. Others are passed over.
///
/// - match: the name of the match
///
/// - player: the name of the player
///
/// - score: a number. The higher score wins, and equal scores are a tie
///
/// - block (optional): matches that share luck, such as those played with the same cards. By default all
///   matches are independent
///
/// - seat (optional): the worth of each seat is then estimated, too
#[derive(clap::Args)]
#[command(after_help = help::examples(&[
    ("Elo with intervals", "rate matches.csv"),
    ("A player with Elo 0, and the rows in a file", "rate matches.csv --anchor Ada --format csv --out elo.csv"),
]))]
pub struct Args {
    /// The file of matches, or `-` for standard input.
    file: PathBuf,
    /// Give this player the Elo 0, in place of the mean of all.
    #[arg(long, value_name = "PLAYER")]
    anchor: Option<String>,
    /// Print in this format: tables, the rows of the players, or an object with all.
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
    /// Write to this file instead of printing.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the file of --out if it exists.
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
        tell!("rating {} players. This may take a minute", report::thousands(file.players.len() as u64));
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
            "note: names that begin as formulas of spreadsheets do have a ' before them. `--format json` has them plain"
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
                 letters or after them (Unicode's forms NFC and NFD). Copy the name from the file: {alike}"
            );
            return InputError::file(path, problem);
        }
        let some: Vec<&str> = file.players.iter().take(10).map(String::as_str).collect();
        let more = if file.players.len() > some.len() { "..." } else { "" };
        let meant = did_you_mean(name, file.players.iter().map(String::as_str));
        let problem = format!("has no player {name:?} to be the anchor{meant}. It has {}{more}", some.join(", "));
        InputError::file(path, problem)
    })
}

/// Checks that the output file can be written and is not the input file.
fn claim(out: &Path, args: &Args) -> Result<(OutputFolder, String), InputError> {
    let same = |one: &Path| std::fs::canonicalize(one).ok();
    if same(out).is_some_and(|out| Some(out) == same(&args.file)) {
        return Err(InputError::file(out, "is the file to be rated. Choose another with --out"));
    }
    OutputFolder::claim_file(out, "--out", args.force)
}
