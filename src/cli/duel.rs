//! `overtrick duel`.

use std::path::Path;

use toml::Value;

use super::Ended;
use super::arguments::in_option;
use super::changes::Changes;
use super::help;
use super::session::{How, play};
use crate::toml_source::{InputError, Source};
use crate::tournament::{BotChange, Overrides, Tournament};

/// Play two bots against each other, without a config file.
#[derive(clap::Args)]
#[command(after_help = help::examples(&[
    ("10,000 deals, each in every seating", "duel cautious rule-based --variant dumbo"),
    ("Whole matches, and the results in a folder", "duel pimc-20 rule-based --variant euchre-24 --matches 50 --out duel"),
    ("A bot against itself with another parameter",
     "duel bold rule-based --variant dumbo --set bold=rule-based:dumbo.ambition=0.4"),
]))]
pub struct Args {
    /// A bot, by name or as a .toml file.
    ///
    /// `overtrick list bots` lists the names. It may be a bot that --set makes.
    a: String,
    /// The bot that it plays against.
    b: String,
    /// Play this variant, by name or as a .toml file.
    ///
    /// `overtrick list variants` lists the names.
    #[arg(long, help_heading = help::PLAYED)]
    variant: String,
    /// Play this number of deals, each in every seating.
    #[arg(long, help_heading = help::PLAYED, default_value_t = 10_000)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    deals: u64,
    /// Play this number of whole matches in place of deals.
    #[arg(long, help_heading = help::PLAYED, conflicts_with = "deals")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    matches: Option<u64>,
    /// Deal from this master seed.
    #[arg(long, help_heading = help::PLAYED, default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: u64,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    pub(super) how: How,
}

/// The name of the config that stands for the arguments, which no file has.
const NO_FILE: &str = "";

impl Args {
    /// Returns the first change that makes a bot of this name from another bot.
    fn maker(&self, name: &str) -> Option<&BotChange> {
        self.changes.set.iter().find(|change| change.bot() == name && change.base().is_some())
    }

    /// Returns one of the two bots as a config writes it.
    ///
    /// A name that a change makes stands for the bot that the change starts from.
    fn entry(&self, name: &str) -> String {
        match self.maker(name).and_then(BotChange::base) {
            None => in_toml(name),
            Some(base) => format!("{{ bot = {}, name = {} }}", in_toml(base), in_toml(name)),
        }
    }

    /// Returns a change for the bots of that config, which may have the new bot already.
    fn settled(&self, change: &BotChange) -> BotChange {
        let is_entered = [&self.a, &self.b].into_iter().any(|side| side == change.bot());
        match self.maker(change.bot()) {
            Some(first) if is_entered && first.base() == change.base() => change.without_base(),
            _ => change.clone(),
        }
    }

    /// Returns an error of that config, which users do not see, as one of the arguments.
    fn blame(&self, error: InputError) -> InputError {
        if error.file.as_deref() != Some(Path::new(NO_FILE)) {
            return error;
        }
        match (error.key.as_deref(), self.maker(&self.a), self.maker(&self.b)) {
            (Some("bots #1.bot"), Some(change), _) | (Some("bots #2.bot"), _, Some(change)) => {
                change.error(error.problem)
            }
            // The problem names the bot.
            (Some("bots #1" | "bots #1.name" | "bots #2" | "bots #2.name"), ..) => InputError::plain(error.problem),
            (Some("bots"), ..) => in_option("--set", error.problem + ". The new bot must be one of the two"),
            _ => in_option("--variant", error.problem),
        }
    }
}

pub fn duel(args: &Args) -> Result<Ended, InputError> {
    if args.how.out.is_none() && args.how.resume {
        return Err(InputError::plain("--resume needs --out, the folder that the duel was to leave its results in"));
    }
    let tournament = tournament(args)?;
    let blame = |_: &str, problem: String| InputError::plain(problem);
    play(tournament, &args.how, args.how.out.as_deref(), None, &blame)
}

/// Returns the tournament that a config file would describe.
fn tournament(args: &Args) -> Result<Tournament, InputError> {
    let (unit, count, numbers) = match args.matches {
        None => ("deal", "deals", args.deals),
        Some(matches) => ("match", "matches", matches),
    };
    let ([a, b], variant) = ([&args.a, &args.b].map(|name| args.entry(name)), in_toml(&args.variant));
    let config = format!(
        "name = \"duel\"\nseed = {}\nformat = \"duel\"\nunit = \"{unit}\"\n{count} = {numbers}\n\
         variants = [{variant}]\nbots = [{a}, {b}]\n",
        args.seed
    );
    let config = Source::parse(Path::new(NO_FILE), config)?;
    let changes = args.changes.set.iter().map(|change| args.settled(change)).collect();
    let overrides = Overrides { changes, ..Overrides::default() };
    let mut tournament = Tournament::resolve(&config, overrides).map_err(|error| args.blame(error))?;
    tournament.name = format!("{}-vs-{}", tournament.bots[0].name, tournament.bots[1].name);
    Ok(tournament)
}

/// Returns a text as TOML writes it.
fn in_toml(text: &str) -> String {
    Value::from(text).to_string()
}
