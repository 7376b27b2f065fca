//! The deals in which two bots differ most.

use std::collections::BTreeMap;

use overtrick_strategy::ids::BotId;
use overtrick_tournament::Format;
use schemars::JsonSchema;
use serde::Serialize;

use super::counted::Counted;
use super::figure::Figure;

/// A deal (or match) in which a bot was far ahead of another.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct SwingRow {
    /// The variant.
    pub variant: String,
    /// The bot that was ahead.
    pub ahead: String,
    /// The bot that was behind.
    pub behind: String,
    /// 1 for the deal in which it was farthest ahead; equal ones by their number.
    pub rank: usize,
    /// The number of the deal or match.
    pub deal: u64,
    /// The mean score of the one less that of the other, over all games of this number in which both sat.
    pub difference: Figure,
}

impl Counted<'_> {
    /// Returns the rows of every two bots, in the order of pairs.
    ///
    /// First come the deals in which the first was ahead, then those in which the second was.
    pub(super) fn swing_rows(&self) -> Vec<SwingRow> {
        let mut line_ups: BTreeMap<(BotId, BotId), usize> = BTreeMap::new();
        for members in &self.schedule.line_ups {
            for (at, &a) in members.iter().enumerate() {
                for &b in &members[at + 1..] {
                    *line_ups.entry((a, b)).or_default() += 1;
                }
            }
        }
        // In a duel the two share all chairs, and otherwise each has one. A side of partners counts as one.
        let seats = if self.tournament.format == Format::Duel { self.schedule.seats } else { 2 };
        let chairs_of_two = self.schedule.seatings.len() * seats;
        let mut rows = Vec::new();
        for ((a, b), count) in line_ups {
            let chairs = (count * chairs_of_two) as f64 / 2.0;
            for (ahead, behind) in [(a, b), (b, a)] {
                for (number, swing) in self.tally.swings().of(ahead, behind).iter().enumerate() {
                    rows.push(SwingRow {
                        variant: self.variant.to_owned(),
                        ahead: self.tournament.bot(ahead).name.clone(),
                        behind: self.tournament.bot(behind).name.clone(),
                        rank: number + 1,
                        deal: swing.number,
                        difference: Figure(Some(swing.margin as f64 / chairs)),
                    });
                }
            }
        }
        rows
    }
}
