//! JSON Schemas of the program's JSON output.
//!
//! They are made from the types that are written, with their comments as descriptions, so that they always
//! match the output.

use overtrick_lab::benchmark::BenchmarkResult;
use overtrick_lab::explain::Explanation;
use schemars::JsonSchema;
use schemars::Schema;
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use serde_json::Value;

use super::json::{Summary, Timing};
use super::league_files::LeagueSummary;
use super::log::LogRow;
use super::record::RecordJson;
use super::sweep_files::SweepSummary;
use super::tune_files::TuneSummary;

/// An output in JSON, and the type that its schema is made from.
pub struct OutputSchema {
    /// The name by which the schema is selected.
    pub name: &'static str,
    /// The file, or the command that prints it.
    pub output: &'static str,
    /// The content of the output, in one line.
    pub about: &'static str,
    make: fn() -> Schema,
}

impl OutputSchema {
    /// Describes an output of type `T`.
    pub const fn new<T: JsonSchema>(name: &'static str, output: &'static str, about: &'static str) -> OutputSchema {
        OutputSchema { name, output, about, make: schema::<T> }
    }

    /// Describes a file that is read, by the function that makes its schema.
    pub const fn of_input(
        name: &'static str,
        file: &'static str,
        about: &'static str,
        make: fn() -> Schema,
    ) -> OutputSchema {
        OutputSchema { name, output: file, about, make }
    }

    /// Returns the schema, with the output as its title.
    pub fn schema(&self) -> Schema {
        let mut schema = (self.make)();
        schema.insert("title".to_owned(), format!("overtrick: {}", self.output).into());
        schema
    }
}

/// The outputs that go into files.
pub const FILE_SCHEMAS: [OutputSchema; 9] = [
    OutputSchema::new::<Summary<'_>>(
        "run-summary",
        "summary.json of a run",
        "all tables of a run and everything needed to reproduce them; also of duel and merge",
    ),
    OutputSchema::new::<Timing<'_>>(
        "run-timing",
        "timing.json of a run",
        "how long a run took; also of duel and merge",
    ),
    OutputSchema::new::<TuneSummary<'_>>("tune-summary", "summary.json of a tuning", "what tuning came to"),
    OutputSchema::new::<SweepSummary<'_>>("sweep-summary", "summary.json of a sweep", "what a sweep came to"),
    OutputSchema::new::<LeagueSummary<'_>>(
        "league-summary",
        "summary.json of a league",
        "which bots a league found best",
    ),
    OutputSchema::new::<Explanation>(
        "explain",
        "explain.json, explain --format json",
        "at which decisions two bots part, and what that is worth",
    ),
    OutputSchema::new::<BenchmarkResult>(
        "benchmark-result",
        "the result of benchmark",
        "a bot's sums in each duel, and everything needed to verify them",
    ),
    OutputSchema::new::<LogRow<'_>>("log", "a line of run --log FILE.jsonl", "one seat of one deal"),
    OutputSchema::new::<RecordJson<'_>>(
        "record",
        "a line of replay --format json, play --record FILE",
        "a deal with all that was in it",
    ),
];

/// Returns the schema of a value of type `T` as it is written.
fn schema<T: JsonSchema>() -> Schema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let mut schema = settings.into_generator().into_root_schema_for::<T>();
    RecursiveTransform(tidy).transform(&mut schema);
    schema
}

/// Closes objects whose keys are known, so that an unknown key fails, and puts descriptions on one line.
fn tidy(schema: &mut Schema) {
    if schema.get("properties").is_some() && schema.get("additionalProperties").is_none() {
        schema.insert("additionalProperties".to_owned(), Value::Bool(false));
    }
    if let Some(Value::String(text)) = schema.get_mut("description") {
        *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
}
