//! `overtrick run`.

use std::path::{Path, PathBuf};

use super::Ended;
use super::changes::Changes;
use super::checkpoints::CHECKPOINT;
use super::help;
use super::host::{read_config, register};
use super::session::{How, play};
use crate::ids::BotId;
use crate::report;
use crate::run::Shard;
use crate::toml_source::InputError;
use crate::tournament::{Overrides, Tournament};

/// Play a tournament and write its results.
#[derive(clap::Args)]
#[command(after_help = help::examples(&[
    ("A tournament of some seconds", "run configs/quick.toml"),
    ("Go on after Ctrl-C, a crash or a power cut", "run configs/quick.toml --resume"),
    ("One more bot, with another parameter", "run configs/quick.toml --set bold=rule-based:dumbo.ambition=0.4"),
]))]
pub struct Args {
    /// The tournament's config file, or `-` for standard input.
    config: PathBuf,
    /// Use this seed instead of the config's.
    #[arg(long, help_heading = help::PLAYED, value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: Option<u64>,
    /// Play this number of deals in place of the config's.
    ///
    /// Every line-up plays them. In a tournament of matches, the number counts matches.
    #[arg(long, help_heading = help::PLAYED, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    deals: Option<u64>,
    /// Play a part of the deals, for `merge`: 3/8 is the third of eight.
    #[arg(long, help_heading = help::PLAYED, value_name = "K/N")]
    shard: Option<Shard>,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    pub(super) how: How,
}

pub fn run(args: &Args) -> Result<Ended, InputError> {
    let overrides = Overrides { seed: args.seed, numbers: args.deals, changes: args.changes.set.clone() };
    let tournament = Tournament::resolve_with(&read_config(&args.config)?, overrides, &register())?;
    if args.shard.is_some() && tournament.stop.is_some() {
        let problem = "shards have a fixed share of the deals; take `stop` out of the config, or run it whole";
        return Err(InputError::file(&args.config, problem).at_key("stop"));
    }
    if args.shard.is_some() && tournament.faults.limit().is_some() {
        let problem = "no shard knows the faults of the others; choose another policy, or run it whole";
        return Err(InputError::file(&args.config, problem).at_key("faults.policy"));
    }
    let out = args.how.out.clone().unwrap_or_else(|| own_folder(&tournament.out, &tournament.name, args.shard));
    if is_own_config(&out, &args.config) {
        let problem =
            "is the config itself, and the results' config.toml would replace it; choose another folder with --out";
        return Err(InputError::file(&args.config, problem));
    }
    let names: Vec<String> = tournament.bots.iter().map(|bot| bot.name.clone()).collect();
    let blame = |name: &str, problem: String| blamed(&args.config, names.iter().position(|bot| bot == name), problem);
    play(tournament, &args.how, Some(&out), args.shard, &blame)
}

/// Returns the error for a problem with the bot of a number.
fn blamed(config: &Path, bot: Option<usize>, problem: String) -> InputError {
    let bot = BotId::new(bot.expect("bots of the tournament are blamed"));
    let Ok(source) = read_config(config) else {
        return InputError::file(config, problem).at_key(format!("bots #{}", bot.index() + 1));
    };
    if source.table().get("bots").is_some_and(|bots| bots.get(bot.index()).is_none()) {
        return InputError::plain(problem).at_key("--set");
    }
    source.error(&["bots".to_owned(), bot.to_string()], problem)
}

/// Returns whether the folder's config.toml is the config of this run, and not part of results.
fn is_own_config(out: &Path, config: &Path) -> bool {
    let [own, theirs] = [out.join(report::CONFIG), config.to_owned()].map(|file| file.canonicalize().ok());
    own.is_some() && own == theirs && !out.join(report::TALLY).is_file() && !out.join(CHECKPOINT).is_file()
}

/// Returns the folder for results without `--out`: `out` of the config, or else results/`name`.
///
/// Shards get separate folders.
pub(super) fn own_folder(out: &Option<PathBuf>, name: &str, shard: Option<Shard>) -> PathBuf {
    let folder = out.clone().unwrap_or_else(|| PathBuf::from("results").join(name));
    match shard {
        None => folder,
        Some(Shard { number, of }) => PathBuf::from(format!("{}-{number}-of-{of}", folder.display())),
    }
}
