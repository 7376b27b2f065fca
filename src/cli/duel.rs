//! `overtrick duel`.

use std::path::Path;

use toml::{Table, Value};

use super::changes::Changes;
use super::session::{How, play};
use super::{Ended, argument};
use crate::toml_source::{InputError, Source};
use crate::tournament::{BotChange, Overrides, Tournament};

/// Play two bots against each other, without a config file.
#[derive(clap::Args)]
pub struct Args {
    /// A bot, by name or as a .toml file; `overtrick list bots` names those that there are. It may be one that --set
    /// makes.
    a: String,
    /// The bot that it plays against.
    b: String,
    /// The variant, by name or as a .toml file; `overtrick list variants` names those that there are.
    #[arg(long)]
    variant: String,
    /// How many deals, each in every seating.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    deals: u64,
    /// How many whole matches, instead of deals.
    #[arg(long, conflicts_with = "deals", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    matches: Option<u64>,
    /// The master seed.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: u64,
    #[command(flatten)]
    changes: Changes,
    #[command(flatten)]
    how: How,
}

pub fn duel(args: &Args) -> Result<Ended, InputError> {
    if args.how.out.is_none() && args.how.resume {
        return Err(InputError::plain("--resume needs --out, the folder that the duel was to leave its results in"));
    }
    let tournament = tournament(args)?;
    let first = tournament.bots[0].name.clone();
    let blame = |name: &str, problem: String| argument(if name == first { "A" } else { "B" }, problem);
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
                (Some("bots #1" | "bots #1.name"), ..) => argument("A", error.problem),
                (Some("bots #2" | "bots #2.name"), ..) => argument("B", error.problem),
                (Some("bots"), ..) => argument("--set", error.problem + ". The new bot must be one of the two"),
                _ => argument("--variant", error.problem),
            }
        })?;
    tournament.name = format!("{}-vs-{}", tournament.bots[0].name, tournament.bots[1].name);
    Ok(tournament)
}

fn owned((key, text): (&str, &str)) -> (String, Value) {
    (key.to_owned(), Value::from(text))
}
