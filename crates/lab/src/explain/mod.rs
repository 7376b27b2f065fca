//! Where two bots part: the decisions at which they choose differently, and the worth of these choices.
//!
//! Every game of a run in which both bots met is replayed:
//!
//! - as it was,
//! - with the second bot in the first's place,
//! - for each decision at which the second would have chosen otherwise, with the first's choices before the
//!   decision and the second's from there on.
//!
//! The worth of the first bot's choice at a decision is in points. It is the amount by which its margin over
//! the second is larger if the second plays on after that choice than after its own.
//!
//! These worths add up from the second bot's game to the game of the run. Over all seatings of a line-up, the
//! margins of the second bot's games cancel. So the worths of all decisions add up to the difference of the
//! two bots in `pairs.csv`. They are whole points, and are divided only once.

mod finding;
mod question;
mod rows;
mod sentence;

use schemars::JsonSchema;
use serde::Serialize;

pub use question::{ExplainError, ExplainQuestion};
pub use rows::{ExplainRow, TellingRow};

use overtrick_stats::{Interval, rows};

/// Where two bots part in a run.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct Explanation {
    /// The bot that is explained.
    pub bot_a: String,
    /// The bot that it is compared with.
    pub bot_b: String,
    /// By variant in which the two met.
    pub variants: Vec<ExplainedVariant>,
    /// The notes that a reader needs, such as that a run is unfinished.
    pub notes: Vec<String>,
}

/// Where two bots part in one variant.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct ExplainedVariant {
    /// The variant.
    pub variant: String,
    /// The largest finding in a sentence.
    pub sentence: String,
    /// How many deal numbers were played again.
    pub deals: u64,
    /// How many games these are.
    pub games: u64,
    /// In how many of them the two part.
    pub parted: u64,
    /// How many decisions the first bot met.
    pub decisions: u64,
    /// At how many of them the second would have chosen otherwise.
    pub differing: u64,
    /// The chairs of the first bot in all games: what points are divided by.
    pub chairs: u64,
    /// The largest finding.
    pub finding: Option<FindingRow>,
    /// The margin, then table by table, the largest share first.
    pub rows: Vec<ExplainRow>,
    /// The games with the largest differences, in both directions.
    pub telling: Vec<TellingRow>,
}

rows! {
    /// A kind of decision that was found in one half of the groups of deals, and measured in the other.
    pub struct FindingRow {
        /// The features of these decisions: table and category.
        conditions: Vec<(&'static str, String)>,
        /// Their worth, in points a deal.
        share: Interval as [share, low, high],
        /// The whole margin on the same deals, in points a deal.
        margin: Interval,
        /// How many such decisions there are, in the half in which it was measured.
        decisions: u64,
    }
}

impl Explanation {
    /// Returns all rows, variant by variant.
    pub fn rows(&self) -> Vec<ExplainRow> {
        self.variants.iter().flat_map(|variant| variant.rows.iter().cloned()).collect()
    }
}
