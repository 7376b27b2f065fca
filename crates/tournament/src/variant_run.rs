//! The state of the run of one variant.

use std::time::Duration;

use overtrick_strategy::ids::BotId;
use serde::{Deserialize, Serialize};

use super::sizes::IntegerSizes;
use super::{Clock, Faults, Flaw, Look, OpenNumber, Schedule, Tally, TallyPlan, Tournament, ensure};

/// The state of the run of one variant: the results of the numbers from `start` to before `next`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct VariantRun {
    /// The first number.
    pub start: u64,
    /// The first number that has not been begun.
    pub next: u64,
    /// The numbers below `next` with unfinished games, in ascending order.
    pub open: Vec<OpenNumber>,
    /// The results.
    pub tally: Tally,
    /// The number of deals played.
    pub deals: u64,
    /// By bot: the times of its decisions, over all threads.
    pub clocks: Vec<Clock>,
    /// By bot: its faults.
    pub faults: Vec<Faults>,
    /// The bots that were disqualified, with the faults that led to it. Deals that they played do not count.
    pub disqualified: Vec<(BotId, Faults)>,
    /// In a run that may stop early: the state of its stopping rules at each evaluation.
    pub looks: Vec<Look>,
    /// Whether too few bots are left to play.
    pub is_void: bool,
    /// The wall-clock time that the run took.
    pub wall: Duration,
}

impl VariantRun {
    /// Makes an empty run of variant number `variant`, whose first number will be `start`.
    pub fn new(tournament: &Tournament, variant: usize, start: u64) -> VariantRun {
        let bots = tournament.bots.len();
        VariantRun {
            start,
            next: start,
            open: Vec::new(),
            tally: Tally::new(&TallyPlan::of(tournament, variant)),
            deals: 0,
            clocks: vec![Clock::default(); bots],
            faults: vec![Faults::new(tournament.faults); bots],
            disqualified: Vec::new(),
            looks: Vec::new(),
            is_void: false,
            wall: Duration::ZERO,
        }
    }

    /// Checks that nothing in the run can break what reads it, and the sums that are cheap.
    ///
    /// The shape of its tally must be right, and `tournament` must be without the disqualified bots. A run that
    /// passes may still be made up.
    ///
    /// # Errors
    /// Returns the flaw.
    pub fn check(&self, tournament: &Tournament, variant: usize) -> Result<(), Flaw> {
        ensure(IntegerSizes::are_small(self), "numbers are too large")?;
        self.tally.check(&TallyPlan::of(tournament, variant))?;
        self.tally.check_sums(&tournament.schedules[variant], &self.open)?;
        self.clocks.iter().try_for_each(Clock::check)?;
        self.all_faults().try_for_each(|faults| faults.check(tournament.bots.len()))
    }

    /// Returns the faults of all bots, with those of the disqualified ones.
    fn all_faults(&self) -> impl Iterator<Item = &Faults> {
        self.faults.iter().chain(self.disqualified.iter().map(|(_, faults)| faults))
    }

    /// Returns true if any bot has had a fault.
    pub fn has_faults(&self) -> bool {
        self.all_faults().any(|faults| faults.count() > 0)
    }

    /// Returns the number of its finished games.
    pub fn games(&self, schedule: &Schedule) -> u64 {
        let left: usize = self.open.iter().map(|open| open.left.len()).sum();
        (self.next - self.start) * schedule.games_with_copies() as u64 - left as u64
    }

    /// Returns the first bot that has had too many faults for the tournament's policy.
    pub fn beyond_limit(&self, tournament: &Tournament) -> Option<BotId> {
        let limit = tournament.faults.limit()?;
        self.faults.iter().position(|faults| faults.count() >= limit).map(BotId::new)
    }

    /// Removes from a tournament the bots that were disqualified in the runs of its variants.
    pub fn drop_disqualified(runs: &[VariantRun], tournament: &mut Tournament) {
        for (variant, run) in runs.iter().enumerate() {
            for &(bot, _) in &run.disqualified {
                tournament.drop_bot(variant, bot);
            }
        }
    }

    /// Begins variant number `variant` again without a bot that has had too many faults.
    pub fn disqualify(&mut self, tournament: &mut Tournament, variant: usize, bot: BotId) {
        let faults = self.faults[bot.index()].clone().decisive();
        let mut disqualified = std::mem::take(&mut self.disqualified);
        disqualified.push((bot, faults));
        let is_void = !tournament.drop_bot(variant, bot);
        *self = VariantRun { disqualified, is_void, ..VariantRun::new(tournament, variant, self.start) };
    }
}
