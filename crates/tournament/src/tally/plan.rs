//! The shape of a tally, and its sections.

use std::ops::RangeInclusive;

use overtrick_strategy::ids::{GroupId, LineUpId};
use serde::{Deserialize, Serialize};

use crate::{Format, Schedule, Unit};

/// The facts of a tournament that decide the shape of a variant's tally.
#[derive(Clone)]
pub struct TallyPlan<'a> {
    /// The line-ups and seatings.
    pub schedule: &'a Schedule,
    /// The format of the tournament.
    pub format: Format,
    /// Whether games are deals or matches.
    pub unit: Unit,
    /// The number of groups, at most 65,536.
    pub groups: usize,
    /// The number of bots.
    pub bots: usize,
    /// The range of scores of a deal.
    pub range: RangeInclusive<i32>,
    /// The number of kinds of contract.
    pub kinds: usize,
    /// The number of numbers whose plays are analysed.
    pub analyse: u64,
    /// Whether the first deals are kept singly, so that matches can be assembled from them.
    pub is_sampled: bool,
}

impl TallyPlan<'_> {
    /// Returns the number of parts.
    ///
    /// Each line-up of a single bot is a part, since such line-ups have nothing in common. All other line-ups
    /// are one part.
    pub(super) fn parts(&self) -> usize {
        if self.schedule.members() == 1 { self.schedule.line_ups.len() } else { 1 }
    }

    /// Returns the number of sections: a section is a part in a group.
    pub(super) fn sections(&self) -> usize {
        self.parts() * self.groups
    }
}

/// The section of a tally that a deal or a game belongs to: a part and a group.
#[derive(Clone, Copy)]
pub(super) struct Section {
    pub(super) part: usize,
    pub(super) group: GroupId,
    /// The index among all sections: by part, then group.
    pub(super) index: usize,
}

impl Section {
    /// Returns the section of a part and a group; there are `groups` groups.
    #[inline]
    pub(super) fn new(part: usize, group: GroupId, groups: usize) -> Section {
        Section { part, group, index: part * groups + group.index() }
    }
}

/// The values of all sections: by part, then group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Sections<T>(pub(super) Vec<T>);

impl<T> Sections<T> {
    /// Returns the values of a group, over all parts or of the part that is `line_up`.
    pub(super) fn of(&self, line_up: Option<LineUpId>, group: GroupId, groups: usize) -> impl Iterator<Item = &T> {
        let parts = self.0.chunks(groups).enumerate();
        let parts = parts.filter(move |&(part, _)| line_up.is_none_or(|line_up| line_up.index() == part));
        parts.map(move |(_, values)| &values[group.index()])
    }
}

/// Returns a plan for tests, in which scores are from -3 to 20.
#[cfg(test)]
pub(super) fn plan(schedule: &Schedule, bots: usize, groups: usize) -> TallyPlan<'_> {
    TallyPlan {
        schedule,
        format: Format::RoundRobin,
        unit: Unit::Deal,
        groups,
        bots,
        range: -3..=20,
        kinds: 2,
        analyse: 0,
        is_sampled: false,
    }
}
