//! `overtrick list`.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::{Ended, print};
use crate::games::{GAMES, Variant};
use crate::input::InputError;
use crate::report::table;
use crate::strategies::{Bot, STRATEGIES};

/// List what there is: games, variants, strategies, bots; all of them if none is named.
#[derive(clap::Args)]
pub struct Args {
    what: Option<What>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum What {
    /// The games.
    Games,
    /// The named variants of each game.
    Variants,
    /// The strategies that bots can be made of.
    Strategies,
    /// The bots in the folder `bots`, and those that are built in.
    Bots,
}

pub fn list(args: &Args) -> Result<Ended, InputError> {
    let wanted = |what: What| args.what.is_none_or(|named| named == what);
    if wanted(What::Games) {
        let row = |game: &crate::games::GameInfo| {
            vec![game.name.to_owned(), game.presets.len().to_string(), game.about.to_owned()]
        };
        show(&["game", "variants", "what it is"], GAMES.iter().map(row));
    }
    if wanted(What::Variants) {
        let row = |variant: Variant| {
            let layout = variant.game.layout();
            vec![
                variant.name,
                variant.game.name().to_owned(),
                layout.seats.to_string(),
                layout.deck.name().to_owned(),
                layout.cards_each.to_string(),
                variant.about,
            ]
        };
        let headings = ["variant", "game", "players", "deck", "cards each", "what it is"];
        show(&headings, Variant::all().into_iter().map(row));
    }
    if wanted(What::Strategies) {
        let row = |strategy: &crate::strategies::StrategyInfo| vec![strategy.name, strategy.about];
        show(&["strategy", "what it does"], STRATEGIES.iter().map(row));
    }
    if wanted(What::Bots) {
        let rows =
            bots()?.into_iter().map(|(place, bot)| vec![bot.name, bot.recipe.name().to_owned(), place, bot.about]);
        show(&["bot", "strategy", "file", "what it is"], rows);
    }
    Ok(Ended::Done)
}

fn show<S: Into<String>>(headings: &[&str], rows: impl IntoIterator<Item = Vec<S>>) {
    print(&format!("{}\n", table(headings, headings.len(), rows)));
}

/// The bots in the folder `bots` of the working folder, with their files, then those that are built in and that no file there replaces.
fn bots() -> Result<Vec<(String, Bot)>, InputError> {
    let folder = Path::new("bots");
    let mut files: Vec<PathBuf> = match std::fs::read_dir(folder) {
        Ok(entries) => entries.flatten().map(|entry| entry.path()).collect(),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Vec::new(),
        Err(error) => return Err(InputError::unreadable(folder, &error)),
    };
    files.retain(|file| file.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    let read = |file: &PathBuf| Bot::read(file).map(|bot| (file.display().to_string(), bot));
    let mut bots = files.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    let replaced = |bot: &Bot| files.iter().any(|file| file.file_stem().is_some_and(|name| name == bot.name.as_str()));
    bots.extend(Bot::built_in().filter(|bot| !replaced(bot)).map(|bot| ("(built in)".to_owned(), bot)));
    Ok(bots)
}
