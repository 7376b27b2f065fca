//! `overtrick duel`.

use std::path::Path;

use toml::{Table, Value};

use super::Ended;
use super::run::{How, play};
use crate::ids::BotId;
use crate::toml_source::{InputError, Source};
use crate::tournament::{Overrides, Tournament};

/// Play two bots against each other, without a config file.
#[derive(clap::Args)]
pub struct Args {
    /// A bot, by name or as a .toml file; `overtrick list bots` names those that there are.
    a: String,
    /// The bot that it plays against.
    b: String,
    /// The variant, by name or as a .toml file; `overtrick list variants` names those that there are.
    #[arg(long)]
    variant: String,
    /// How many deals, each in every seating.
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    deals: u64,
    /// Whole matches instead of deals, so many.
    #[arg(long, conflicts_with = "deals", value_parser = clap::value_parser!(u64).range(1..=1 << 40))]
    matches: Option<u64>,
    /// The master seed.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u64).range(0..=i64::MAX as u64))]
    seed: u64,
    #[command(flatten)]
    how: How,
}

pub fn duel(args: &Args) -> Result<Ended, InputError> {
    if args.how.out.is_none() && args.how.resume {
        return Err(InputError::plain("--resume needs --out, the folder that the duel was to leave its results in"));
    }
    let tournament = tournament(args)?;
    let blame = |bot: BotId, problem: String| {
        let argument = if bot.index() == 0 { "A" } else { "B" };
        InputError { key: Some(argument.to_owned()), ..InputError::plain(problem) }
    };
    play(tournament, &args.how, args.how.out.as_deref(), None, &blame)
}

/// The tournament that a config file would describe.
fn tournament(args: &Args) -> Result<Tournament, InputError> {
    let texts = |texts: &[&String]| Value::Array(texts.iter().map(|text| Value::from(text.as_str())).collect());
    let (unit, count, numbers) = match args.matches {
        None => ("deal", "deals", args.deals),
        Some(matches) => ("match", "matches", matches),
    };
    let config = Table::from_iter([
        ("name".to_owned(), Value::from("duel")),
        ("seed".to_owned(), Value::from(args.seed as i64)),
        ("format".to_owned(), Value::from("duel")),
        ("unit".to_owned(), Value::from(unit)),
        (count.to_owned(), Value::from(numbers as i64)),
        ("variants".to_owned(), texts(&[&args.variant])),
        ("bots".to_owned(), texts(&[&args.a, &args.b])),
    ]);
    // Nobody wrote this document, so errors in it are of the arguments.
    let nowhere = Path::new("");
    let config = Source::parse(nowhere, toml::to_string(&config).expect("plain values"))?;
    let mut tournament = Tournament::resolve(&config, Overrides::default()).map_err(|error| {
        if error.file.as_deref() != Some(nowhere) {
            return error;
        }
        let argument = match error.key.as_deref() {
            Some("bots #1") => "A",
            Some("bots #2") => "B",
            _ => "--variant",
        };
        InputError { key: Some(argument.to_owned()), ..InputError::plain(error.problem) }
    })?;
    tournament.name = format!("{}-vs-{}", tournament.bots[0].name, tournament.bots[1].name);
    Ok(tournament)
}
