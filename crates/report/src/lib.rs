//! Output: files of results, tables on the terminal, records of single deals.

mod csv;
mod effect_name;
mod explain_files;
mod folder;
mod folder_lock;
mod format;
mod json;
mod league_files;
mod league_sentence;
mod log;
mod record;
mod record_file;
mod results;
#[cfg(feature = "cli")]
mod schema;
#[cfg(feature = "cli")]
mod show;
mod sweep_files;
mod tune_files;

/// The commit that the program was built from, followed by `-dirty` if files had been changed since. `None`
/// if it is unknown.
pub const COMMIT: Option<&str> = option_env!("OVERTRICK_COMMIT");

/// The version, with the commit in brackets if it is known.
pub const VERSION: &str = env!("OVERTRICK_VERSION");

pub use self::csv::{no_formula, to_csv};
pub use explain_files::{EXPLAIN_FILES, explain_files};
pub use folder::OutputFolder;
pub use json::to_json;
pub use league_files::{LEAGUE_FILES, league_files};
pub use league_sentence::league_sentence;
pub use log::{LogForm, Spool, SpooledRun, write_log};
pub use record::{record_json, record_text};
pub use record_file::{read_records, recorded_variant};
pub use results::{CONFIG, OUTPUTS, Output, Report, SHARD_OUTPUTS, TALLY, output_names};
pub use sweep_files::{POINTS, RETUNED, SWEEP_FILES, sweep_file_names, sweep_files};
pub use tune_files::{TUNE_FILES, tune_files, tune_sentence};
#[cfg(feature = "cli")]
pub use {
    format::thousands,
    json::{AnyObject, sorted},
    record::{by_suit, contract_text},
    schema::{FILE_SCHEMAS, OutputSchema},
    show::*,
};
