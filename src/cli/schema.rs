//! `overtrick schema`.

use schemars::JsonSchema;
use serde::Serialize;

use super::output_format::{OutputFormat, print_json};
use super::{Ended, bench, check, help, list, rules, solve};
use crate::benchmark::{BenchmarkRow, StandingRow};
use crate::exploit::Exploited;
use crate::language::source::file_schema;
use crate::report::{FILE_SCHEMAS, OutputSchema, Screen};
use crate::stats::{ComparisonRow, Rated};
use crate::strategies::Parameter;
use crate::toml_source::{InputError, did_you_mean};

/// Print the JSON Schema of a file, or list all schemas.
///
/// The schemas follow the draft 2020-12.
#[derive(clap::Args)]
#[command(after_help = help::examples(&[
    ("All schemas, with the outputs that they describe", "schema"),
    ("The schema of summary.json of a run", "schema run-summary"),
]))]
pub struct Args {
    /// The schema to print, in place of the list.
    name: Option<String>,
    /// Print the list in this format. A schema is JSON.
    #[arg(long, value_enum, default_value_t)]
    format: OutputFormat,
}

/// The schemas of output that commands print; the schemas of files come before them.
const PRINTED: [OutputSchema; 18] = [
    OutputSchema::new::<Vec<ComparisonRow>>(
        "compare",
        "compare --format json",
        "the score of each bot in one run and in another",
    ),
    OutputSchema::new::<Rated>("rate", "rate --format json", "ratings of players from a file of matches"),
    OutputSchema::new::<Exploited>(
        "exploit",
        "exploit --format json",
        "what can be won from a bot, and who was tried against it",
    ),
    OutputSchema::new::<Vec<BenchmarkRow>>(
        "benchmark",
        "benchmark --format json",
        "the score of a bot, and its lead over each reference",
    ),
    OutputSchema::new::<Vec<StandingRow>>(
        "benchmark-table",
        "benchmark --table --format json",
        "the results of all bots of a folder",
    ),
    OutputSchema::new::<solve::Solved>(
        "solve",
        "a line of solve",
        "the tricks of each side, and the worth of each card, with all cards known",
    ),
    OutputSchema::new::<check::Trial<'_>>("check", "check --format json", "what trying a bot found"),
    OutputSchema::new::<check::GameTrial<'_>>("check-game", "check GAME --format json", "what playing a game showed"),
    OutputSchema::new::<Vec<bench::Row>>("bench", "bench --format json", "deals a second, by variant"),
    OutputSchema::new::<rules::Rules<'_>>("rules", "rules --format json", "a variant with its rules"),
    OutputSchema::new::<list::UsualLists>("list", "list --format json", "games, variants, strategies and bots"),
    OutputSchema::new::<Vec<list::GameRow>>("list-games", "list games --format json", "the games"),
    OutputSchema::new::<Vec<list::VariantRow>>("list-variants", "list variants --format json", "the named variants"),
    OutputSchema::new::<Vec<list::StrategyRow>>("list-strategies", "list strategies --format json", "the strategies"),
    OutputSchema::new::<Vec<list::BotRow>>("list-bots", "list bots --format json", "the bots"),
    OutputSchema::new::<Vec<Parameter>>(
        "list-parameters",
        "list parameters --format json",
        "the parameters of strategies and of external bots",
    ),
    OutputSchema::new::<Vec<list::OutputRow>>("list-outputs", "list outputs --format json", "the files of a run"),
    OutputSchema::new::<Vec<SchemaRow>>("schema", "schema --format json", "this list"),
];

/// The schemas of files that are read.
const READ: [OutputSchema; 1] =
    [OutputSchema::of_input("game-file", "the file of a game", "a game in TOML, for editors", file_schema)];

/// A schema that there is.
#[derive(Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
struct SchemaRow {
    /// The name to ask for it by.
    schema: String,
    /// The file that it is of, or the command that prints it.
    output: String,
    /// The content of the output.
    about: String,
}

pub fn schema(args: &Args) -> Result<Ended, InputError> {
    let all = || FILE_SCHEMAS.iter().chain(&PRINTED).chain(&READ);
    let Some(name) = &args.name else {
        let row = |output: &OutputSchema| SchemaRow {
            schema: output.name.to_owned(),
            output: output.output.to_owned(),
            about: output.about.to_owned(),
        };
        let rows: Vec<SchemaRow> = all().map(row).collect();
        args.format.print(&rows, || {
            let screen = Screen::current();
            let title = |row: &SchemaRow| screen.wrap(&format!("{} ({})", row.schema, row.output));
            rows.iter().map(|row| format!("{}\n{}\n", title(row), screen.indent(&row.about))).collect()
        });
        return Ok(Ended::Done);
    };
    if args.format == OutputFormat::Csv {
        return Err(InputError::plain("a schema is JSON. Leave out --format csv, or the name for the list"));
    }
    let found = all().find(|output| output.name == name).ok_or_else(|| {
        let (meant, names) = (did_you_mean(name, all().map(|output| output.name)), all().map(|output| output.name));
        let names = names.collect::<Vec<_>>().join(", ");
        InputError::plain(format!("there is no schema {name:?}{meant}. There are {names}"))
    })?;
    print_json(&found.schema());
    Ok(Ended::Done)
}
