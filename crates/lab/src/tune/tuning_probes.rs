//! Later probes of parameters that changed no deal where tuning started.
//!
//! They may change deals where the search has moved.

use overtrick_tournament::Window;

use super::constants::PROBE_TIMES;
use super::objective::{TuneObjective, numbers_from};
use super::probe::{ParameterProbe, ProbeTime};
use super::search::TuneSearch;
use super::setting::Setting;
use super::task::TuneTask;
use super::tuning::{Stage, Tuning};
use crate::no_result::NoResult;

impl Tuning {
    /// Probes the parameters that have changed no deal so far.
    ///
    /// It returns false if there are no games for a probe. Parameters that change a deal are searched from
    /// then on, unless the search is over.
    pub(super) fn probe(
        &mut self,
        task: &TuneTask,
        time: ProbeTime,
        at: &Setting,
        objective: &mut dyn TuneObjective,
    ) -> Result<bool, NoResult> {
        let (dead, all) = (self.dead(), task.start.len());
        let games = |candidates| objective.games(candidates);
        let left = self.games_left(task, objective);
        let Some(numbers) = ParameterProbe::numbers(dead.len(), all, self.budget, left, &games) else {
            return Ok(false);
        };
        let numbers = numbers_from(Window::Pilot, self.numbers_of_pilot(), numbers)?;
        let probe = ParameterProbe::play(time, at, &dead, numbers, objective)?;
        self.games += probe.games;
        if time != ProbeTime::Result {
            probe.alive().into_iter().for_each(|axis| self.revive(axis, task.start[axis]));
        }
        self.probes.push(probe);
        Ok(true)
    }

    /// Adds a parameter to the search, which had this coordinate so far.
    fn revive(&mut self, axis: usize, coordinate: f64) {
        let at = self.live.partition_point(|&live| live < axis);
        self.live.insert(at, axis);
        if let Stage::Search(search) = &mut self.stage {
            search.widen(at, coordinate);
        }
    }

    /// Returns whether a probe is due now, during the search or after it.
    pub(super) fn is_probe_due(&self, search: &TuneSearch, is_over: bool) -> bool {
        let of_search = |probe: &&ParameterProbe| matches!(probe.time, ProbeTime::Search(_));
        let done = self.probes.iter().filter(of_search).count();
        let passed = |share: &&f64| search.games as f64 >= **share * search.budget as f64;
        let due = PROBE_TIMES.iter().filter(passed).count() + usize::from(is_over);
        let is_fresh = self.probes.last().is_none_or(|probe| probe.time != ProbeTime::Search(search.generations));
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
        let at_result = |probe: &&ParameterProbe| probe.time == ProbeTime::Result;
        self.probes.iter().find(at_result).map_or_else(Vec::new, ParameterProbe::alive)
    }

    /// Returns the number of deals on which parameters that have changed none were tried.
    pub fn deals_probed(&self) -> u64 {
        let probed: u64 = self.probes.iter().map(|probe| probe.numbers).sum();
        self.pilot.as_ref().map_or(0, |pilot| pilot.numbers) + probed
    }
}
