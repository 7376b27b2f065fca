//! What a run leaves behind: files, tables on the terminal, records of single deals.

mod csv;
mod folder;
mod json;
mod record;
mod terminal;

pub use self::csv::to_csv;
pub use folder::OutputFolder;
pub use json::{summary, timing};
pub use record::{record_json, record_text};
pub use terminal::{leaderboard, table, thousands};
