//! The plan of a tally in a tournament.

use super::TallyPlan;
use crate::{Format, Tournament, Unit};

impl TallyPlan<'_> {
    /// Returns the plan of the tally of variant number `variant`.
    pub fn of(tournament: &Tournament, variant: usize) -> TallyPlan<'_> {
        let game = &tournament.variants[variant].game;
        TallyPlan {
            schedule: &tournament.schedules[variant],
            format: tournament.format,
            unit: tournament.unit,
            groups: tournament.groups,
            bots: tournament.bots.len(),
            range: game.score_range(),
            kinds: game.contract_kinds().len(),
            analyse: tournament.analyse,
            is_sampled: tournament.unit == Unit::Deal && tournament.format != Format::Mirror,
        }
    }
}
