//! Tables for the terminal, and pages of results.

mod balance;
mod benchmark_text;
mod comparison;
mod crosstable;
mod explain_text;
mod exploited;
mod format;
mod given_away;
mod html;
mod league_text;
mod one_number;
mod rated;
mod screen;
mod sweep_text;
mod table;
mod terminal;
mod tune_text;
mod variant_results;

pub use benchmark_text::{benchmark_text, standings_text};
pub use comparison::comparison;
pub use explain_text::{explanation, quoted, replay_command};
pub use exploited::exploited;
pub use format::time_text;
pub use html::{
    BenchmarkPage, ExplanationFiles, PAGE, PageDeals, PageRun, PageSection, SweepResults, TuneResults, html_page,
};
pub use league_text::{league_progress, league_text};
pub use rated::ratings;
pub use screen::Screen;
pub use sweep_text::sweep_text;
pub use table::Column;
pub use terminal::{leaderboard, table};
pub use tune_text::{pilot_text, tune_progress, tune_text};
