//! Later looks at parameters that changed no deal where tuning started.
//!
//! They may change deals where the search has moved.

use super::constants::LOOK_TIMES;
use super::look::{ParameterLook, When};
use super::objective::{NoResult, TuneObjective};
use super::search::TuneSearch;
use super::setting::Setting;
use super::tuning::{Stage, TuneTask, Tuning, least_to_confirm};

impl Tuning {
    /// Looks at the parameters that have changed no deal so far.
    ///
    /// It returns false if there are no games for a look. Parameters that change a deal are searched from
    /// then on, unless the search is over.
    pub(super) fn look(
        &mut self,
        task: &TuneTask,
        when: When,
        at: &Setting,
        objective: &mut dyn TuneObjective,
    ) -> Result<bool, NoResult> {
        let (dead, all) = (self.dead(), task.start.len());
        let games = |candidates| objective.games(candidates);
        let rest = self.rest_to_find(self.games, least_to_confirm(task, &games));
        let Some(numbers) = ParameterLook::numbers(dead.len(), all, self.budget, rest, &games) else {
            return Ok(false);
        };
        let look = ParameterLook::take(when, at, &dead, (self.numbers_of_pilot(), numbers), objective)?;
        self.games += look.games;
        if when != When::Result {
            look.alive().into_iter().for_each(|number| self.revive(number, task.start[number]));
        }
        self.looks.push(look);
        Ok(true)
    }

    /// Adds a parameter to the search, which was at this place so far.
    fn revive(&mut self, number: usize, place: f64) {
        let at = self.live.partition_point(|&live| live < number);
        self.live.insert(at, number);
        if let Stage::Search(search) = &mut self.stage {
            search.widen(at, place);
        }
    }

    /// Returns whether a look is due now, during the search or after it.
    pub(super) fn is_look_due(&self, search: &TuneSearch, is_over: bool) -> bool {
        let of_search = |look: &&ParameterLook| matches!(look.when, When::Search(_));
        let done = self.looks.iter().filter(of_search).count();
        let passed = |share: &&f64| search.games as f64 >= **share * search.budget as f64;
        let due = LOOK_TIMES.iter().filter(passed).count() + usize::from(is_over);
        let is_fresh = self.looks.last().is_none_or(|look| look.when != When::Search(search.generations));
        done < due && is_fresh
    }

    /// Returns the indices of the parameters that have changed no deal so far.
    pub fn dead(&self) -> Vec<usize> {
        let all = self.pilot.as_ref().map_or(self.live.len(), |pilot| pilot.parameters.len());
        (0..all).filter(|number| !self.live.contains(number)).collect()
    }

    /// Returns the indices of the parameters that changed deals only at the result.
    ///
    /// They were not searched.
    pub fn untried(&self) -> Vec<usize> {
        let at_result = |look: &&ParameterLook| look.when == When::Result;
        self.looks.iter().find(at_result).map_or_else(Vec::new, |look| look.alive())
    }

    /// Returns the number of deals on which parameters that have changed none were tried.
    pub fn deals_looked_at(&self) -> u64 {
        self.pilot.as_ref().map_or(0, |pilot| pilot.numbers) + self.looks.iter().map(|look| look.numbers).sum::<u64>()
    }
}
