//! The course of a league: its state, and its next round.

use overtrick_league::{BotStatus, League, LeagueOutcome};
use overtrick_run::Progress;
use overtrick_tournament::{Flaw, ensure};
use serde::{Deserialize, Serialize};

use super::arena::LeagueArena;
use super::piece::RoundWork;
use super::plan::LeaguePlan;
use super::played_round::BotFaults;
use crate::no_result::NoResult;
use crate::pieces::odd;

/// A league in progress, as its checkpoint has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Leaguing {
    /// The rounds so far.
    pub league: League,
    /// By bot: the faults so far.
    pub faults: Vec<BotFaults>,
}

impl Leaguing {
    /// Starts a league.
    pub fn new(plan: &LeaguePlan) -> Leaguing {
        let league = League::new(plan.settings()).expect("a plan that was checked");
        Leaguing { league, faults: vec![BotFaults::default(); plan.bots.len()] }
    }

    /// Plays a round, and decides what can be decided. Returns false if the league is over.
    ///
    /// # Errors
    /// If it was stopped, if a bot or a worker cannot play, or if the deals are used up. Nothing has changed then.
    pub fn step(&mut self, arena: &LeagueArena<'_>) -> Result<bool, NoResult> {
        let Some(round) = self.league.plan() else { return Ok(false) };
        let mut played = arena.play(&round)?;
        let faults = std::mem::take(&mut played.faults);
        // Points played here are never too many. Those of a worker may be any numbers.
        if self.league.add(&played.into_points(&round)).is_err() {
            return Err(odd::<RoundWork>("has more points than games give"));
        }
        for (sum, faults) in self.faults.iter_mut().zip(faults) {
            sum.add(faults);
        }
        Ok(true)
    }

    /// Returns the answer so far.
    pub fn answer(&self) -> LeagueOutcome {
        self.league.outcome()
    }

    /// Returns the number of bots of which it is open whether they are in the answer.
    pub fn open_bots(&self) -> usize {
        self.league.standings().iter().filter(|standing| standing.status == BotStatus::Open).count()
    }

    /// Returns the number of faults of all bots.
    pub fn all_faults(&self) -> u64 {
        self.faults.iter().map(|faults| faults.count()).sum()
    }
}

impl Progress for Leaguing {
    type Plan = LeaguePlan;

    const FORM: &'static str = "league 1";
    const FILE: &'static str = "checkpoint of a league";

    fn check(&self, plan: &LeaguePlan) -> Result<(), Flaw> {
        let is_own = *self.league.settings() == plan.settings() && self.faults.len() == plan.bots.len();
        ensure(is_own, "settings are not those of its plan")?;
        ensure(self.faults.iter().all(|faults| faults.are_possible()), "faults are more than any bots have")?;
        ensure(self.league.check().is_ok(), "rounds are not those of any league")
    }
}
