//! Output: files of results, tables on the terminal, records of single deals.

#[cfg(feature = "cli")]
mod balance;
#[cfg(feature = "cli")]
mod comparison;
#[cfg(feature = "cli")]
mod crosstable;
mod csv;
mod effect_name;
mod explain_files;
#[cfg(feature = "cli")]
mod explain_text;
#[cfg(feature = "cli")]
mod exploited;
mod folder;
mod folder_lock;
#[cfg_attr(not(feature = "cli"), allow(dead_code))]
mod format;
#[cfg(feature = "cli")]
mod given_away;
#[cfg(feature = "cli")]
mod html;
mod json;
mod log;
#[cfg(feature = "cli")]
mod rated;
mod record;
mod record_file;
mod results;
#[cfg(feature = "cli")]
mod schema;
#[cfg(feature = "cli")]
mod screen;
mod sweep_files;
#[cfg(feature = "cli")]
mod sweep_text;
#[cfg(feature = "cli")]
mod table;
#[cfg(feature = "cli")]
mod terminal;
mod tune_files;
#[cfg(feature = "cli")]
mod tune_text;
#[cfg(feature = "cli")]
mod variant_results;

/// The commit that the program was built from, followed by `-dirty` if files had been changed since. `None`
/// if it is unknown.
pub const COMMIT: Option<&str> = option_env!("OVERTRICK_COMMIT");

/// The version, with the commit in brackets if it is known.
pub const VERSION: &str = env!("OVERTRICK_VERSION");

pub use self::csv::{no_formula, to_csv};
#[cfg(feature = "cli")]
pub use comparison::comparison;
pub use explain_files::{EXPLAIN_FILES, explain_files};
#[cfg(feature = "cli")]
pub use explain_text::quoted;
#[cfg(feature = "cli")]
pub use explain_text::{explanation, replay_command};
#[cfg(feature = "cli")]
pub use exploited::exploited;
pub use folder::OutputFolder;
#[cfg(feature = "cli")]
pub use format::{thousands, time_text};
#[cfg(feature = "cli")]
pub use html::{ExplanationFiles, PAGE, PageDeals, PageRun, PageSection, SweepResults, TuneResults, html_page};
pub use json::to_json;
#[cfg(feature = "cli")]
pub use json::{AnyObject, sorted};
pub use log::{LogForm, Spool, SpooledRun, write_log};
#[cfg(feature = "cli")]
pub use rated::ratings;
#[cfg(feature = "cli")]
pub use record::{by_suit, contract_text};
pub use record::{record_json, record_text};
pub use record_file::{read_records, recorded_variant};
pub use results::{CONFIG, OUTPUTS, Output, Report, SHARD_OUTPUTS, TALLY, output_names};
#[cfg(feature = "cli")]
pub use schema::{FILE_SCHEMAS, OutputSchema};
#[cfg(feature = "cli")]
pub use screen::Screen;
pub use sweep_files::{POINTS, RETUNED, SWEEP_FILES, sweep_file_names, sweep_files};
#[cfg(feature = "cli")]
pub use sweep_text::sweep_text;
#[cfg(feature = "cli")]
pub use table::Column;
#[cfg(feature = "cli")]
pub use terminal::{leaderboard, table};
pub use tune_files::{TUNE_FILES, tune_files, tune_sentence};
#[cfg(feature = "cli")]
pub use tune_text::{pilot_text, tune_progress, tune_text};
