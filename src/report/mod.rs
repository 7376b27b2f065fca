//! What a run leaves behind: files, tables on the terminal, records of single deals.

mod balance;
mod comparison;
mod csv;
mod folder;
mod json;
mod ledger;
mod rated;
mod record;
mod results;
mod terminal;

pub use self::csv::to_csv;
pub use comparison::comparison;
pub use folder::OutputFolder;
pub use json::to_json;
pub use ledger::{Ledger, Page, Shard, different_line};
pub use rated::ratings;
pub use record::{record_json, record_text};
pub use results::{FILES, TALLY, contents};
pub use terminal::{leaderboard, table, thousands, time_text};
