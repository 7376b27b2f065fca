//! The pairs of a variant, seen from either side.

use std::collections::BTreeMap;

use overtrick_stats::Interval;

use super::source::Row;

/// The pairs of a variant by their bots.
pub(super) struct Meetings<'a>(BTreeMap<(&'a str, &'a str), Row<'a>>);

/// A pair, seen from one of its bots.
pub(super) struct Meeting<'a> {
    row: Row<'a>,
    /// Whether it is seen from the second bot of the row.
    is_turned: bool,
}

impl<'a> Meetings<'a> {
    /// Makes the meetings in these rows of `pairs.csv`.
    pub(super) fn of(pairs: &[Row<'a>]) -> Meetings<'a> {
        Meetings(pairs.iter().map(|row| ((row.text("bot-a"), row.text("bot-b")), *row)).collect())
    }

    /// Returns the pair of two bots, seen from `one`; `None` if they never met.
    pub(super) fn between(&self, one: &str, other: &str) -> Option<Meeting<'a>> {
        if let Some(row) = self.0.get(&(one, other)) {
            return Some(Meeting { row: *row, is_turned: false });
        }
        self.0.get(&(other, one)).map(|row| Meeting { row: *row, is_turned: true })
    }
}

impl Meeting<'_> {
    /// Returns the lead of the first bot over the second, with its interval for all pairs at once.
    pub(super) fn difference(&self) -> Interval {
        let difference = self.row.interval_of("difference", "all-");
        if self.is_turned { difference.turned() } else { difference }
    }

    /// Returns the difference as in its file, with the sign that it has from this side.
    pub(super) fn exact(&self) -> String {
        let text = self.row.text("difference");
        if self.is_turned { negated(text) } else { text.to_owned() }
    }

    /// Returns true if the difference could be chance.
    pub(super) fn is_open(&self) -> bool {
        self.difference().may_be_zero()
    }

    /// Returns true if the first bot is behind the second by more than chance.
    pub(super) fn is_behind(&self) -> bool {
        !self.is_open() && self.difference().value.is_some_and(|value| value < 0.0)
    }
}

/// Returns a number from a file, seen from the other side.
fn negated(text: &str) -> String {
    match text.strip_prefix('-') {
        Some(rest) => rest.to_owned(),
        None if text.parse().is_ok_and(|value: f64| value == 0.0) => text.to_owned(),
        None => format!("-{text}"),
    }
}
