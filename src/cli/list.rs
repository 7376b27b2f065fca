//! `overtrick list`.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Map, json};

use super::isolation::SandboxArgs;
use super::output_format::{OutputFormat, print_json};
use super::parameters::parameters;
use super::{Ended, help, print};
use crate::games::{GAMES, GameInfo, Variant};
use crate::report::{self, OUTPUTS, Output, Screen};
use crate::strategies::{Bot, Parameter, STRATEGIES, StrategyInfo};
use crate::toml_source::InputError;

/// List games, variants, strategies, bots and more.
#[derive(clap::Args)]
#[command(after_help = help::examples(&[
    ("Games, variants, strategies and bots", "list"),
    ("The parameters of a strategy, or those that a bot declares", "list parameters pimc"),
    ("The files of a run, as rows for a program", "list outputs --format csv"),
]))]
pub struct Args {
    /// The list to print, in place of games, variants, strategies and bots.
    what: Option<What>,
    /// With `parameters`: the strategy or bot that has them, in place of all.
    ///
    /// An external bot, by name or as a .toml file, is started once and says which parameters it has.
    of: Option<String>,
    /// With `parameters`: leave out those that do not matter in this variant.
    ///
    /// The variant is given by name or as a .toml file. An external bot must play it.
    #[arg(long)]
    variant: Option<String>,
    /// Print in this format: tables, or rows for a program.
    ///
    /// CSV holds one list only.
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
    #[command(flatten)]
    pub(super) sandbox: SandboxArgs,
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
    /// The parameters of strategies: kind, default, range, meaning.
    Parameters,
    /// The files that a run writes.
    Outputs,
}

impl What {
    /// The lists that are printed by default.
    const USUAL: [What; 4] = [What::Games, What::Variants, What::Strategies, What::Bots];

    fn name(self) -> String {
        self.to_possible_value().expect("none is skipped").get_name().to_owned()
    }
}

/// A game.
#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) struct GameRow {
    /// The game.
    game: String,
    /// The number of its named variants.
    variants: usize,
    /// The description of the game.
    about: String,
}

/// A named variant.
#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) struct VariantRow {
    /// The variant.
    variant: String,
    /// Its game.
    game: String,
    /// The number of players.
    players: usize,
    /// The deck.
    deck: String,
    /// The number of cards that each player is dealt.
    cards_each: usize,
    /// The description of the variant.
    about: String,
}

/// A strategy that bots can be made of.
#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) struct StrategyRow {
    /// The strategy.
    strategy: String,
    /// The description of the strategy.
    about: String,
}

/// A bot.
#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) struct BotRow {
    /// The bot.
    bot: String,
    /// Its strategy.
    strategy: String,
    /// The file that it is in; `(built in)`, if it needs none.
    file: String,
    /// The description of the bot.
    about: String,
}

/// A file that a run writes.
#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) struct OutputRow {
    /// The file's name.
    output: String,
    /// Whether every run of a configuration gives the same bytes.
    reproducible: bool,
    /// The content of the file.
    about: String,
}

/// The lists that are printed if none is named.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "it stands for the lists in their schema")]
pub(super) struct UsualLists {
    /// The games.
    games: Vec<GameRow>,
    /// The named variants of each game.
    variants: Vec<VariantRow>,
    /// The strategies that bots can be made of.
    strategies: Vec<StrategyRow>,
    /// The bots in the folder `bots`, and those that are built in.
    bots: Vec<BotRow>,
}

/// A list in every output format.
struct Listing {
    text: String,
    csv: Vec<u8>,
    json: serde_json::Value,
}

impl Listing {
    /// Returns the listing of `rows`. `line` returns a row's cells: first the name, last the description.
    fn new<T: Serialize + Default>(headings: &[&str], rows: &[T], line: impl Fn(&T) -> Vec<String>) -> Listing {
        let screen = Screen::current();
        let entry = |row: &T| {
            let cells = line(row);
            let (about, facts) = cells.split_last().expect("a row has cells");
            let facts = facts.iter().zip(headings).skip(1).filter(|(fact, _)| !fact.is_empty());
            let facts: Vec<String> =
                facts.map(|(fact, heading)| format!("{heading} {fact}").trim().to_owned()).collect();
            let facts = if facts.is_empty() { String::new() } else { format!(" ({})", facts.join(", ")) };
            format!("{}\n{}\n", screen.wrap(&format!("{}{facts}", cells[0])), screen.indent(about))
        };
        Listing {
            text: format!("{}:\n{}\n", headings[0], rows.iter().map(entry).collect::<String>()),
            csv: report::to_csv(rows),
            json: json!(rows),
        }
    }
}

pub fn list(args: &Args) -> Result<Ended, InputError> {
    if args.what != Some(What::Parameters)
        && let Some(name) = args.of.as_ref().or(args.variant.as_ref())
    {
        return Err(InputError::plain(format!("{name:?} goes with `list parameters` only. Leave it out")));
    }
    let kinds = args.what.map_or(What::USUAL.to_vec(), |what| vec![what]);
    if args.format == OutputFormat::Csv && args.what.is_none() {
        let names = What::USUAL.map(What::name).join(", ");
        return Err(InputError::plain(format!("CSV holds one table. Name the list: {names}, parameters or outputs")));
    }
    let mut listings = Vec::new();
    for &what in &kinds {
        let Some(listing) = listing(what, args)? else { return Ok(Ended::Interrupted) };
        listings.push(listing);
    }
    match args.format {
        OutputFormat::Text => listings.iter().for_each(|listing| print(&listing.text)),
        OutputFormat::Csv => listings.iter().for_each(|listing| print(&String::from_utf8_lossy(&listing.csv))),
        OutputFormat::Json if args.what.is_some() => listings.iter().for_each(|listing| print_json(&listing.json)),
        OutputFormat::Json => {
            let named = kinds.iter().zip(listings).map(|(what, listing)| (what.name(), listing.json));
            print_json(&Map::from_iter(named));
        }
    }
    Ok(Ended::Done)
}

/// Returns a list; `None` if the command was stopped.
fn listing(what: What, args: &Args) -> Result<Option<Listing>, InputError> {
    Ok(Some(match what {
        What::Games => {
            let row = |game: &GameInfo| GameRow {
                game: game.name.to_owned(),
                variants: game.presets.len(),
                about: game.about.to_owned(),
            };
            let rows: Vec<GameRow> = GAMES.iter().map(row).collect();
            let variants = |count: usize| if count == 1 { "1 variant".to_owned() } else { format!("{count} variants") };
            let line = |row: &GameRow| vec![row.game.clone(), variants(row.variants), row.about.clone()];
            Listing::new(&["game", "", "what it is"], &rows, line)
        }
        What::Variants => {
            let rows: Vec<VariantRow> = Variant::all().into_iter().map(variant_row).collect();
            let line = |row: &VariantRow| {
                let (players, cards) = (format!("{} players", row.players), format!("{} cards each", row.cards_each));
                vec![row.variant.clone(), row.game.clone(), players, row.deck.clone(), cards, row.about.clone()]
            };
            Listing::new(&["variant", "game", "", "deck", "", "what it is"], &rows, line)
        }
        What::Strategies => {
            let row =
                |info: &StrategyInfo| StrategyRow { strategy: info.name.to_owned(), about: info.about.to_owned() };
            let rows: Vec<StrategyRow> = STRATEGIES.iter().map(row).collect();
            let line = |row: &StrategyRow| vec![row.strategy.clone(), row.about.clone()];
            Listing::new(&["strategy", "what it does"], &rows, line)
        }
        What::Bots => {
            let row = |(file, bot): (String, Bot)| BotRow {
                bot: bot.name,
                strategy: bot.spec.name().to_owned(),
                file,
                about: bot.about,
            };
            let rows: Vec<BotRow> = bots()?.into_iter().map(row).collect();
            let line = |row: &BotRow| vec![row.bot.clone(), row.strategy.clone(), row.file.clone(), row.about.clone()];
            Listing::new(&["bot", "strategy", "file", "what it is"], &rows, line)
        }
        What::Parameters => {
            let Some(rows) = parameters(args.of.as_deref(), args.variant.as_deref())? else { return Ok(None) };
            let line = |row: &Parameter| {
                let range = row.low.zip(row.high).map_or(String::new(), |(low, high)| format!("{low} to {high}"));
                let [kind, default, about] = [&row.kind, &row.default, &row.about].map(String::clone);
                vec![row.parameter.clone(), row.strategy.clone(), kind, default, range, about]
            };
            Listing::new(&["parameter", "of", "kind:", "default", "range", "what it means"], &rows, line)
        }
        What::Outputs => {
            let row = |output: &Output| OutputRow {
                output: output.name.to_owned(),
                reproducible: output.is_reproducible,
                about: output.about.to_owned(),
            };
            let rows: Vec<OutputRow> = OUTPUTS.iter().map(row).collect();
            Listing::new(&["output", "what it holds"], &rows, |row| vec![row.output.clone(), row.about.clone()])
        }
    }))
}

fn variant_row(variant: Variant) -> VariantRow {
    let layout = variant.game.layout();
    VariantRow {
        game: variant.game.name().to_owned(),
        players: layout.seats,
        deck: layout.deck.name().into_owned(),
        cards_each: layout.cards_each,
        variant: variant.name,
        about: variant.about,
    }
}

/// Returns the bots in the folder `bots` of the working folder, with their files, then the built-in bots.
///
/// Built-in bots that a file there replaces are left out.
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
