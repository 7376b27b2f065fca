//! Plays the line-ups of a round, on all threads or on other machines.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use overtrick_cards::table::Teams;
use overtrick_league::{GroupPlan, RoundPlan};
use overtrick_run::Threads;
use overtrick_toml::InputError;
use overtrick_tournament::{DealScores, Evaluation, MOST_NUMBERS, Schedule, ScorePlayer, ScoreSink, Unit, Window};
use rayon::prelude::*;

use super::chairs::chairs_of;
use super::piece::RoundWork;
use super::plan::LeaguePlan;
use super::played_round::{BotFaults, PlayedRound};
use crate::no_result::NoResult;
use crate::pieces::{RemotePlay, RemoteWorkers};

/// The parts of a round for each thread, so that no thread waits long for the others. (choice)
const PARTS_A_THREAD: usize = 4;

/// The share of the decisions of external bots that are asked again.
///
/// A group asks for about a hundred decisions of each bot, and each group with such a decision starts a process. At
/// this share most groups start none, and the first groups ask several decisions again. (choice)
const AUDIT: f64 = 0.001;

/// The means to watch a league from outside and to stop it.
#[derive(Debug, Default)]
pub struct LeagueControl {
    /// Set to stop; the round in progress is then discarded.
    pub stop: Arc<AtomicBool>,
    /// The number of games played so far.
    pub games: AtomicU64,
}

/// The tables at which the line-ups of a league play.
pub struct LeagueArena<'a> {
    plan: &'a LeaguePlan,
    threads: Threads,
    control: Arc<LeagueControl>,
    /// The players that wait for a part of a round. External bots keep their processes from part to part.
    waiting: Mutex<Vec<Box<dyn ScorePlayer + Send + 'a>>>,
    /// The workers that play large rounds, if there are any.
    remote: Option<RemotePlay>,
}

impl<'a> LeagueArena<'a> {
    /// Returns the tables of a league, which play on these threads.
    pub fn new(plan: &'a LeaguePlan, threads: &Threads, control: &Arc<LeagueControl>) -> LeagueArena<'a> {
        let (threads, control) = (threads.clone(), Arc::clone(control));
        LeagueArena { plan, threads, control, waiting: Mutex::default(), remote: None }
    }

    /// Has workers play large rounds in pieces; results do not depend on it.
    pub fn with_workers(self, workers: Arc<dyn RemoteWorkers>) -> LeagueArena<'a> {
        let config = self.plan.to_toml();
        LeagueArena { remote: Some(RemotePlay { workers, config }), ..self }
    }

    /// Plays a round.
    ///
    /// # Errors
    /// If it was stopped, if a bot cannot play, or if the deals are used up.
    pub(super) fn play(&self, round: &RoundPlan) -> Result<PlayedRound, NoResult> {
        self.go_on()?;
        let deals = round.deals();
        if deals.end > MOST_NUMBERS {
            let problem =
                "the league has used up its 2^40 deals; give it fewer games, a higher resolution or another seed";
            return Err(InputError::plain(problem).into());
        }
        let played = match self.played_remotely(round)? {
            Some(played) => played,
            None => self.play_here(round, &deals)?,
        };
        self.control.games.fetch_add(round.games, Ordering::Relaxed);
        Ok(played)
    }

    fn go_on(&self) -> Result<(), NoResult> {
        if self.control.stop.load(Ordering::Relaxed) { Err(NoResult::Stopped) } else { Ok(()) }
    }

    /// Returns the results of a round, if workers play it.
    fn played_remotely(&self, round: &RoundPlan) -> Result<Option<PlayedRound>, NoResult> {
        let Some(remote) = &self.remote else { return Ok(None) };
        let deals = round.deals();
        let games = round.games / (deals.end - deals.start).max(1);
        let work = RoundWork { round: round.clone() };
        let pieces = remote.play(&work, &Window::Run.numbers(deals), games, &self.control.stop)?;
        pieces.map(|pieces| work.whole(&pieces, self.plan.bots.len())).transpose()
    }

    /// Plays some deals of a round in this process.
    ///
    /// # Errors
    /// If it was stopped, or if a bot cannot play.
    pub(super) fn play_here(&self, round: &RoundPlan, deals: &Range<u64>) -> Result<PlayedRound, NoResult> {
        let indices: Vec<usize> = (0..round.groups.len()).collect();
        // Processes take long to start, so there are fewer parts.
        let parts = self.threads.count() * if self.plan.has_external() { 1 } else { PARTS_A_THREAD };
        let jobs: Vec<&[usize]> = indices.chunks(indices.len().div_ceil(parts).max(1)).collect();
        let play = |part: &&[usize]| self.play_part(round, part, deals);
        let played: Vec<PlayedRound> =
            self.threads.pool().install(|| jobs.par_iter().map(play).collect::<Result<_, _>>())?;
        let mut whole = PlayedRound::new(round, self.plan.bots.len());
        for part in &played {
            assert!(whole.add(part), "points of a few deals");
        }
        Ok(whole)
    }

    /// Plays the groups with these indices, as far as they have these deals.
    fn play_part(&self, round: &RoundPlan, groups: &[usize], deals: &Range<u64>) -> Result<PlayedRound, NoResult> {
        let waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut player = waiting.map_or_else(|| self.player(), Ok)?;
        let mut played = PlayedRound::new(round, self.plan.bots.len());
        for &index in groups {
            let group = &round.groups[index];
            let numbers = group.deals.start.max(deals.start)..group.deals.end.min(deals.end);
            if numbers.is_empty() {
                continue;
            }
            self.go_on()?;
            let tables = Tables::of(group, self.plan.teams());
            let mut sink = GroupSink { group, tables: tables.a_line_up, points: played.group_mut(index) };
            let faults = player.play_other(&tables.schedule, Window::Run.numbers(numbers), &mut sink);
            for (sum, faults) in played.faults.iter_mut().zip(faults) {
                sum.add(BotFaults::from(&faults));
            }
        }
        // After a stop, the points are incomplete.
        self.go_on()?;
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push(player);
        Ok(played)
    }

    /// Builds the strategies of all bots.
    fn player(&self) -> Result<Box<dyn ScorePlayer + Send + 'a>, NoResult> {
        let LeaguePlan { variant, seed, bots, any_line_up, .. } = self.plan;
        let plays_all = self.threads.plays_all();
        let evaluation = Evaluation { variant, unit: Unit::Deal, seed: *seed, bots, schedule: any_line_up, plays_all };
        evaluation.audited_score_player(&self.control.stop, AUDIT).map_err(NoResult::Failed)
    }
}

/// The schedule of the line-ups of a group.
struct Tables {
    schedule: Schedule,
    /// The number of its line-ups for each line-up of the group.
    a_line_up: usize,
}

impl Tables {
    fn of(group: &GroupPlan, teams: Teams) -> Tables {
        let mut chairs = Vec::new();
        for line_up in &group.line_ups {
            chairs.extend(chairs_of(line_up, teams.count()));
        }
        let schedule = Schedule::listed(&chairs, teams).expect("a bot for every chair");
        Tables { schedule, a_line_up: chairs.len() / group.line_ups.len() }
    }
}

/// A sink that adds up the points of each bot of each line-up of a group.
struct GroupSink<'s> {
    group: &'s GroupPlan,
    /// The number of tables for each line-up.
    tables: usize,
    points: &'s mut [Vec<i64>],
}

impl ScoreSink for GroupSink<'_> {
    fn add(&mut self, deal: DealScores<'_>) {
        let line_up = deal.id.line_up.index() / self.tables;
        for (bot, &score) in deal.bots.iter().zip(deal.scores) {
            let member = self.group.line_ups[line_up].iter().position(|&own| own == bot.index());
            self.points[line_up][member.expect("a bot of the line-up")] += i64::from(score);
        }
    }
}
