//! Verifies a result of someone else.

use std::path::{Path, PathBuf};

use toml::Value;

use super::Args;
use super::setup::{Hall, definition, entrant, hidden_places};
use crate::benchmark::{
    BenchmarkDefinition, BenchmarkEntry, BenchmarkPlay, BenchmarkResult, BenchmarkRound, ReplaySample, Verification,
    all_parts, samples,
};
use crate::cards::SeedSource;
use crate::cli::arguments::nowhere;
use crate::cli::host::register;
use crate::cli::{Ended, print};
use crate::report::{self, thousands};
use crate::strategies::Bot;
use crate::toml_source::{InputError, printable};
use crate::tournament::{Secret, check_eligible};

pub fn verify(args: &Args, file: &Path) -> Result<Ended, InputError> {
    let result = BenchmarkResult::read(file)?;
    let refuse = |error: InputError| error.in_file(file);
    let definition = definition(args)?;
    let round = args.round.as_ref().map(|file| BenchmarkRound::read(file, &definition)).transpose()?;
    let verification = Verification { result: &result, definition: &definition };
    // All that is cheap comes first, without the play of references.
    verification.check_program().map_err(refuse)?;
    verification.check_claims(round.as_ref()).map_err(refuse)?;
    let hidden = hidden_places(round.as_ref(), Some(file));
    let bot = bot(args, file, &hidden, &result, &definition)?;
    verification.check_bot(&BenchmarkEntry::new(&bot, None, definition.wasm)).map_err(refuse)?;
    let hall = Hall::open(args)?;
    let stopped = || {
        tell!("interrupted: nothing is verified");
        Ok(Ended::Interrupted)
    };
    hall.check_start(args, &bot, &definition)?;
    let Some(plays) = hall.check_references(&definition)? else { return stopped() };
    verification.check(&plays, round.as_ref()).map_err(refuse)?;
    let seed = args.seed.map_or_else(drawn_seed, Ok)?;
    let mut stream = SeedSource::new(seed, "benchmark sample", "").stream(0, 0);
    let samples = samples(&definition, args.sample, &mut |below| stream.random_below(below));
    let (register, secret) = (register(), result.round.as_ref().map(|round| round.secret));
    let play = BenchmarkPlay { definition: &definition, bot: &bot, secret, register: &register };
    let games = games(&definition, &samples);
    let is_whole = hall.with_display(0, games, args.quiet, |arena| -> Result<bool, InputError> {
        for &sample in &samples {
            if !verification.replay(arena, &play, sample)? {
                return Ok(false);
            }
        }
        Ok(true)
    });
    if !is_whole.map_err(refuse)? {
        return stopped();
    }
    if !args.quiet {
        let sample = u64::try_from(samples.len()).expect("a count");
        print(&verdict(&verification, round.as_ref(), file, sample, seed));
    }
    Ok(Ended::Done)
}

/// Returns the bot that an argument names, or else the bot of the result's manifest.
///
/// # Errors
/// If the bot needs files and no argument names it, or if it cannot play.
fn bot(
    args: &Args,
    file: &Path,
    hidden: &[PathBuf],
    result: &BenchmarkResult,
    definition: &BenchmarkDefinition,
) -> Result<Bot, InputError> {
    if let Some(text) = &args.bot {
        return entrant(text, definition, hidden);
    }
    let name = &result.bot.name;
    let manifest = result.bot.whole_manifest().ok_or_else(|| {
        let problem = format!(
            "{name} needs its files to play again: name the bot, too, as in `overtrick benchmark {name} --verify`"
        );
        InputError::file(file, problem)
    })?;
    let refuse = |problem: String| InputError::file(file, problem).at_key("bot.manifest");
    let bot = register().find_bot(&nowhere()?, &[], &Value::Table(manifest)).map_err(|error| refuse(error.problem))?;
    check_eligible(&bot, &definition.variants).map_err(refuse)?;
    Ok(bot)
}

/// Returns a seed that no one could know before.
fn drawn_seed() -> Result<u64, InputError> {
    let secret = Secret::draw().map_err(|error| InputError::plain(error.to_string()))?.to_string();
    Ok(u64::from_str_radix(&secret[..15], 16).expect("hexadecimal digits"))
}

/// Returns the number of games in parts of duels.
fn games(definition: &BenchmarkDefinition, samples: &[ReplaySample]) -> u64 {
    let of = |sample: &ReplaySample| {
        definition.games_a_deal(sample.variant) * definition.references[sample.reference].deals / definition.parts
    };
    samples.iter().map(of).sum()
}

/// Returns the sentences on a result that is right as far as it was played again.
fn verdict(
    verification: &Verification<'_>,
    round: Option<&BenchmarkRound>,
    file: &Path,
    sample: u64,
    seed: u64,
) -> String {
    let (result, all) = (verification.result, all_parts(verification.definition));
    let mut text = format!(
        "{}: digest, versions, hashes, score and sums of {} are right\n{} of {} parts were played again with the same \
         sums (chosen by seed {seed})\n",
        file.display(),
        result.bot.name,
        thousands(sample),
        thousands(all)
    );
    if sample < all {
        // The chance that a sample misses all forged parts, if one in ten is forged.
        let missed = 0.9_f64.powi(i32::try_from(sample).unwrap_or(i32::MAX));
        text += &format!(
            "a result with a tenth of its parts forged would pass with a chance of at most {:.2}%\n",
            100.0 * missed
        );
    }
    if let (Some(played), None) = (&result.round, round) {
        text += &format!(
            "note: the commitment was not compared with the public file of round {}: pass it with --round\n",
            printable(&played.name)
        );
    }
    if result.program.commit.as_deref() != report::COMMIT {
        let commit = result.program.commit.as_deref().unwrap_or("an unknown commit");
        text += &format!("note: it was played by a build of {}, and this is another build\n", printable(commit));
    }
    text
}
