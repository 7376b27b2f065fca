//! What a run leaves behind: files, tables on the terminal, records of single deals.

mod balance;
mod comparison;
mod crosstable;
mod csv;
mod folder;
mod format;
mod json;
mod rated;
mod record;
mod results;
mod screen;
mod terminal;

pub use self::csv::to_csv;
pub use comparison::comparison;
pub use folder::OutputFolder;
pub use format::{thousands, time_text};
pub use json::to_json;
pub use rated::ratings;
pub use record::{record_json, record_text};
pub use results::{FILES, TALLY, contents};
pub use screen::{Column, Screen};
pub use terminal::{leaderboard, table};
