//! The state of the run of one variant.

use std::ops::Range;
use std::time::Duration;

use overtrick_strategies::Bot;
use overtrick_strategy::ids::BotId;
use serde::{Deserialize, Serialize};

use super::tally::{Flaw, OpenSums, PlayedNumbers, ensure};
use super::{
    Clock, FaultPosition, Faults, Format, Look, NotedFault, OpenNumber, Schedule, Tally, TallyPlan, Tournament, Unit,
};

/// Longer than any run takes: a thousand years.
const LONGEST: Duration = Duration::from_secs(1000 * 366 * 24 * 3600);

/// More than the decisions of any game.
const MOST_DECISIONS: u64 = 1 << 20;

/// Returns true if these bots can have had `faults` faults in `games` games.
pub fn can_be_faults<'a>(faults: u64, games: u64, bots: impl IntoIterator<Item = &'a Bot>) -> bool {
    faults == 0 || faults / MOST_DECISIONS <= games && bots.into_iter().any(|bot| bot.spec.may_fault())
}

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

    /// Checks that the run is possible for variant number `variant` over the numbers `ranges`.
    ///
    /// The shape of its tally must be right, and `tournament` must be without the disqualified bots.
    ///
    /// # Errors
    /// Returns the flaw.
    pub fn check(&self, tournament: &Tournament, variant: usize, ranges: &[Range<u64>]) -> Result<(), Flaw> {
        let open: Vec<OpenSums<'_>> = self.open.iter().map(OpenNumber::as_sums).collect();
        let played = PlayedNumbers { plan: TallyPlan::of(tournament, variant), numbers: ranges, open: &open };
        self.tally.check(&played)?;
        let deals = |group| u128::from(self.tally.ends(None, group).deals);
        let all: u128 = self.tally.group_ids().map(deals).sum();
        ensure(u128::from(self.deals) == all, "deals are not as many as its tallies have")?;
        ensure(self.wall <= LONGEST, "time is longer than any run's")?;
        self.clocks.iter().try_for_each(Clock::check)?;
        let seats = tournament.schedules[variant].seats;
        let is_place = |position: &FaultPosition, fault: &NotedFault| {
            let bots = fault.bots.of(seats);
            ranges.iter().any(|range| range.contains(&position.number))
                && fault.seat.index() < seats
                && bots.iter().all(|bot| bot.index() <= tournament.bots.len())
                && !fault.what.contains(char::is_control)
        };
        for (bot, faults) in tournament.bots.iter().zip(&self.faults) {
            faults.check(tournament.faults, false, is_place)?;
            ensure(faults.count() == 0 || bot.spec.may_fault(), "faults are those of a bot that can have none")?;
        }
        // They had their faults at numbers that are not counted.
        let is_anywhere = |_: &FaultPosition, fault: &NotedFault| !fault.what.contains(char::is_control);
        for (_, faults) in &self.disqualified {
            faults.check(tournament.faults, true, is_anywhere)?;
        }
        self.check_looks(tournament)
    }

    /// Checks that the looks belong to the tournament's stopping rule.
    fn check_looks(&self, tournament: &Tournament) -> Result<(), Flaw> {
        let rule = tournament.stop.unwrap_or_default();
        let is_sound = |look: &Look| {
            look.blocks <= self.next - self.start
                && look.half_width.is_none_or(|half_width| half_width >= 0.0 && rule.half_width.is_some())
                && look.llr.is_none_or(|llr| !llr.is_nan() && rule.test.is_some())
        };
        let is_in_order = self.looks.is_sorted_by(|one, other| one.blocks < other.blocks);
        let may_look = self.looks.is_empty() || tournament.stop.is_some();
        let are_sound = may_look && is_in_order && self.looks.iter().all(is_sound);
        ensure(are_sound, "looks are not those of its stopping rule")
    }

    /// Returns true if any bot has had a fault.
    pub fn has_faults(&self) -> bool {
        self.faults.iter().chain(self.disqualified.iter().map(|(_, faults)| faults)).any(|faults| faults.count() > 0)
    }

    /// Returns the number of its finished games.
    pub fn games(&self, schedule: &Schedule) -> u64 {
        let left: usize = self.open.iter().map(|open| open.left.len()).sum();
        (self.next - self.start) * schedule.games_a_number() as u64 - left as u64
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
