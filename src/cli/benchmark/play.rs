//! Plays the benchmark and writes the result.

use std::path::{Path, PathBuf};

use super::Args;
use super::setup::{FOLDER, Hall, definition, entrant, hidden_places};
use crate::benchmark::{
    BenchmarkDefinition, BenchmarkEntry, BenchmarkPlay, BenchmarkProgram, BenchmarkResult, BenchmarkRound,
    BenchmarkScore, PlayedRound, check_author,
};
use crate::cli::Ended;
use crate::cli::arguments::in_option;
use crate::cli::host::register;
use crate::report::{self, OutputFolder, Screen};
use crate::strategies::Bot;
use crate::toml_source::InputError;

pub fn play(args: &Args, text: &str) -> Result<Ended, InputError> {
    let definition = definition(args)?;
    let round = args.round.as_ref().map(|file| BenchmarkRound::read(file, &definition)).transpose()?;
    let played = round.as_ref().map(BenchmarkRound::reveal).transpose()?;
    if let Some(author) = &args.author {
        check_author(author).map_err(|problem| in_option("--author", problem))?;
    }
    let bot = entrant(text, &definition, &hidden_places(round.as_ref(), args.out.as_deref()))?;
    let file = args.out.clone().unwrap_or_else(|| usual_file(&bot, played.as_ref()));
    let (folder, name) = OutputFolder::claim_file(&file, "--out", args.force)?;
    let Some(result) = result(args, &definition, &bot, played)? else {
        tell!("interrupted: nothing was written");
        return Ok(Ended::Interrupted);
    };
    folder.write(&[(&name, result.to_bytes())])?;
    show(args, &definition, &result, &file);
    let faults: u64 = result.duels.iter().map(|duel| duel.faults).sum();
    if faults > 0 {
        tell!("note: {} had {faults} faults. A random legal move was made in place of each decision", bot.name);
        return Ok(Ended::Faulty);
    }
    Ok(Ended::Done)
}

/// Returns the file of a result that no option names.
fn usual_file(bot: &Bot, round: Option<&PlayedRound>) -> PathBuf {
    let folder = Path::new(FOLDER);
    let folder = round.map_or_else(|| folder.to_owned(), |round| folder.join(&round.name));
    folder.join(format!("{}.json", bot.name))
}

/// Plays all duels; `None` if it was stopped.
fn result(
    args: &Args,
    definition: &BenchmarkDefinition,
    bot: &Bot,
    round: Option<PlayedRound>,
) -> Result<Option<BenchmarkResult>, InputError> {
    let (hall, register) = (Hall::open(args)?, register());
    hall.check_start(args, bot, definition)?;
    let Some(plays) = hall.check_references(definition)? else { return Ok(None) };
    let secret = round.as_ref().map(|round| round.secret);
    let play = BenchmarkPlay { definition, bot, secret, register: &register };
    let duels = hall.with_display(definition.games(), args.quiet, |arena| arena.play_all(&play))?;
    let Some(duels) = duels else { return Ok(None) };
    let entry = BenchmarkEntry::new(bot, args.author.clone(), definition.wasm);
    let program = BenchmarkProgram::this(report::COMMIT);
    Ok(Some(BenchmarkResult::new(definition, program, entry, round, &plays, duels)))
}

/// Prints the score, the table, and the place of the file.
fn show(args: &Args, definition: &BenchmarkDefinition, result: &BenchmarkResult, file: &Path) {
    if args.quiet && args.format == crate::cli::output_format::OutputFormat::Text {
        return;
    }
    let score = BenchmarkScore::new(definition, &result.duels);
    args.format.print(&score.rows, || {
        let table = report::benchmark_text(definition, result, &score, Screen::current());
        format!("{table}the result is {}\n", file.display())
    });
}
