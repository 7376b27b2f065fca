//! Plays the benchmark and writes the result.

use std::path::{Path, PathBuf};

use super::Args;
use super::setup::{FOLDER, Hall, checkpoint_of, definition, entrant, hidden_places};
use crate::benchmark::{
    BenchmarkDefinition, BenchmarkEntry, BenchmarkPlay, BenchmarkProgram, BenchmarkProgress, BenchmarkResult,
    BenchmarkRound, BenchmarkScore, PlayedRound, check_author,
};
use crate::cli::Ended;
use crate::cli::arguments::in_option;
use crate::cli::host::register;
use crate::report::{self, OutputFolder, Screen};
use crate::run::Progress;
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
    let checkpoint = Checkpoint::of(&file, &definition, &bot, played.as_ref());
    let may_replace = args.force || (args.resume && checkpoint.file.is_file());
    let (folder, name) = OutputFolder::claim_file(&file, "--out", may_replace)?;
    let mut progress = checkpoint.begun(args, &definition)?;
    let Some(result) = result(args, &definition, &bot, played, &checkpoint, &mut progress)? else {
        let done = progress.duels.len();
        match done {
            0 => tell!("interrupted: nothing was written"),
            _ => tell!(
                "interrupted after {done} of {} duels: go on with --resume; the checkpoint is {}",
                definition.duels().count(),
                checkpoint.file.display()
            ),
        }
        return Ok(Ended::Interrupted);
    };
    folder.write(&[(&name, result.to_bytes())])?;
    let _ = std::fs::remove_file(&checkpoint.file);
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

/// The file from which a benchmark goes on.
struct Checkpoint {
    file: PathBuf,
    /// The lines that it must have.
    config: String,
}

impl Checkpoint {
    /// Returns the checkpoint of a result.
    fn of(result: &Path, definition: &BenchmarkDefinition, bot: &Bot, round: Option<&PlayedRound>) -> Checkpoint {
        let entry = BenchmarkEntry::new(bot, None, definition.wasm);
        Checkpoint { file: checkpoint_of(result), config: BenchmarkProgress::config(definition, &entry, round) }
    }

    /// Returns the duels that need not be played again.
    ///
    /// # Errors
    /// If the file would be lost, or cannot be used.
    fn begun(&self, args: &Args, definition: &BenchmarkDefinition) -> Result<BenchmarkProgress, InputError> {
        if args.force {
            return Ok(BenchmarkProgress::default());
        }
        let refuse = |problem: String| InputError::file(&self.file, problem);
        match (BenchmarkProgress::load(definition, &self.config, &self.file), args.resume) {
            (Ok(Some(progress)), true) => Ok(progress),
            (Ok(Some(_)), false) => Err(refuse(
                "this benchmark was stopped there: go on with --resume, or start from the beginning with --force"
                    .to_owned(),
            )),
            (Ok(None), is_resumed) => {
                if is_resumed && !args.quiet {
                    tell!("note: there is no checkpoint, so the benchmark starts from the beginning");
                }
                Ok(BenchmarkProgress::default())
            }
            (Err(why), true) => Err(refuse(format!("cannot be resumed from: it {why}"))),
            (Err(why), false) => Err(refuse(format!("would be replaced: it {why}; replace it with --force"))),
        }
    }

    /// Writes the duels so far.
    fn save(&self, progress: &BenchmarkProgress) -> Result<(), InputError> {
        progress.save(&self.config, &self.file).map_err(|error| {
            let problem = format!("the checkpoint cannot be written: {error}; make room and go on with --resume");
            InputError::file(&self.file, problem)
        })
    }
}

/// Plays the duels that are left; `None` if it was stopped.
fn result(
    args: &Args,
    definition: &BenchmarkDefinition,
    bot: &Bot,
    round: Option<PlayedRound>,
    checkpoint: &Checkpoint,
    progress: &mut BenchmarkProgress,
) -> Result<Option<BenchmarkResult>, InputError> {
    let (hall, register) = (Hall::open(args)?, register());
    hall.check_start(args, bot, definition)?;
    let Some(plays) = hall.check_references(definition)? else { return Ok(None) };
    let secret = round.as_ref().map(|round| round.secret);
    let play = BenchmarkPlay { definition, bot, secret, register: &register };
    let save = |progress: &BenchmarkProgress| checkpoint.save(progress);
    let (before, games) = (progress.games(definition), definition.games());
    if !hall.with_display(before, games, args.quiet, |arena| arena.play_all(&play, progress, &save))? {
        return Ok(None);
    }
    let duels = std::mem::take(&mut progress.duels);
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
