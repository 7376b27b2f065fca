//! `overtrick duel`.

use std::path::Path;

use toml::{Table, Value};

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
    // A name that a change creates stands for the bot that the change starts from. Later changes apply to
    // that bot.
    let sides = [&args.a, &args.b];
    let maker = |name: &str| args.changes.set.iter().find(|change| change.bot() == name && change.base().is_some());
    let bot = |text: &String| match maker(text).and_then(BotChange::base) {
        None => Value::from(text.as_str()),
        Some(base) => Value::Table(Table::from_iter([("bot", base), ("name", text)].map(owned))),
    };
    let settled = |change: &BotChange| match maker(change.bot()) {
        Some(first) if sides.iter().any(|side| *side == change.bot()) && first.base() == change.base() => {
            change.without_base()
        }
        _ => change.clone(),
    };
    let config = Table::from_iter([
        ("name".to_owned(), Value::from("duel")),
        ("seed".to_owned(), Value::from(args.seed as i64)),
        ("format".to_owned(), Value::from("duel")),
        ("unit".to_owned(), Value::from(unit)),
        (count.to_owned(), Value::from(numbers as i64)),
        ("variants".to_owned(), Value::from(vec![args.variant.as_str()])),
        ("bots".to_owned(), Value::Array(sides.map(bot).into())),
    ]);
    // This document is not a user's file, so its errors concern the arguments.
    let nowhere = Path::new("");
    let config = Source::parse(nowhere, toml::to_string(&config).expect("plain values"))?;
    let changes = args.changes.set.iter().map(settled).collect();
    let mut tournament =
        Tournament::resolve(&config, Overrides { changes, ..Overrides::default() }).map_err(|error| {
            if error.file.as_deref() != Some(nowhere) {
                return error;
            }
            match (error.key.as_deref(), maker(&args.a), maker(&args.b)) {
                (Some("bots #1.bot"), Some(change), _) | (Some("bots #2.bot"), _, Some(change)) => {
                    change.error(error.problem)
                }
                // The problem names the bot.
                (Some("bots #1" | "bots #1.name" | "bots #2" | "bots #2.name"), ..) => InputError::plain(error.problem),
                (Some("bots"), ..) => in_option("--set", error.problem + ". The new bot must be one of the two"),
                _ => in_option("--variant", error.problem),
            }
        })?;
    tournament.name = format!("{}-vs-{}", tournament.bots[0].name, tournament.bots[1].name);
    Ok(tournament)
}

fn owned((key, text): (&str, &str)) -> (String, Value) {
    (key.to_owned(), Value::from(text))
}
