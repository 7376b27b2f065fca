//! The state of a league.

use overtrick_cards::SeedSource;
use serde::{Deserialize, Serialize};

use crate::confidence_sequence::{FEWEST_GROUPS, half_width};
use crate::draw::{draw, order};
use crate::group_margins::group_margins;
use crate::judgement::Evidence;
use crate::pair_sums::{MOST_GROUPS, PairSums};
use crate::pairs::LeaguePairs;
use crate::ratings::ValueSums;
use crate::{
    BotStatus, GroupPlan, LeagueError, LeagueOutcome, LeagueQuestion, LeagueSettings, LeagueSpent, LeagueStanding,
    PairDecision, PairMargin, RoundPlan, RoundPoints,
};

/// The fewest deals at the start that measure all bots.
const FULL_DEALS: u64 = 256;

/// After the start, one group of this number measures all bots.
const FULL_EACH: u64 = 16;

/// The fewest groups of a round.
const FEWEST_A_ROUND: u64 = 16;

/// A round is this part of the groups before it, within the fewest and the most.
const GROWTH: u64 = 16;

/// The most groups of a round.
const MOST_A_ROUND: u64 = 4096;

/// A bound of the games and deals of a league.
const MOST_SPENT: u64 = 1 << 60;

/// The state of a league: sums of integers, so that equal rounds lead to equal bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct League {
    settings: LeagueSettings,
    statuses: Vec<BotStatus>,
    /// By bot, its margins in the groups that count for pairs.
    measured: Vec<ValueSums>,
    /// By bot, its margins in the groups that measured all bots.
    rated: Vec<ValueSums>,
    pairs: LeaguePairs,
    /// The number of groups so far.
    groups: u64,
    spent: LeagueSpent,
}

impl League {
    /// Starts a league.
    ///
    /// # Errors
    /// If a setting is out of its range.
    pub fn new(settings: LeagueSettings) -> Result<League, LeagueError> {
        settings.check()?;
        let bots = settings.bots;
        let mut statuses = vec![BotStatus::Open; bots];
        if let LeagueQuestion::BetterThan(than) = settings.question {
            statuses[than] = BotStatus::Reference;
        }
        Ok(League {
            settings,
            statuses,
            measured: vec![ValueSums::default(); bots],
            rated: vec![ValueSums::default(); bots],
            pairs: LeaguePairs::new(bots),
            groups: 0,
            spent: LeagueSpent::default(),
        })
    }

    /// Checks a league that was read from a file, so that no content causes a panic later.
    ///
    /// # Errors
    /// If its parts do not fit each other.
    pub fn check(&self) -> Result<(), LeagueError> {
        self.settings.check()?;
        let bots = self.settings.bots;
        let is_sound = |sums: &ValueSums| sums.is_sound() && sums.groups <= self.groups;
        let spent = self.spent;
        let parts = [
            (self.statuses.len() == bots && self.fits_question(), "its bots"),
            (self.measured.len() == bots && self.measured.iter().all(is_sound), "the margins of its bots"),
            (self.rated.len() == bots && self.rated.iter().all(is_sound), "the ratings of its bots"),
            (self.pairs.is_sound(bots, self.groups), "its pairs"),
            (self.groups <= MOST_GROUPS, "the number of its groups"),
            (
                [spent.rounds, spent.deals, spent.line_ups, spent.games].iter().all(|count| *count <= MOST_SPENT),
                "its games",
            ),
        ];
        for (is_sound, what) in parts {
            if !is_sound {
                return Err(LeagueError::Damaged { what });
            }
        }
        Ok(())
    }

    /// Returns whether the bot that others are compared with is the one of the question.
    fn fits_question(&self) -> bool {
        match self.settings.question {
            LeagueQuestion::BetterThan(than) => self.statuses[than] == BotStatus::Reference,
            _ => true,
        }
    }

    /// Returns the settings.
    pub fn settings(&self) -> &LeagueSettings {
        &self.settings
    }

    /// Returns the deals and games played so far.
    pub fn spent(&self) -> LeagueSpent {
        self.spent
    }

    /// Returns the next round; `None` if the question is answered or no more games may be played.
    pub fn plan(&self) -> Option<RoundPlan> {
        if self.is_answered() {
            return None;
        }
        let first = self.full_groups();
        let mut wanted = (self.groups / GROWTH).clamp(FEWEST_A_ROUND, MOST_A_ROUND);
        wanted = wanted.min(MOST_GROUPS.saturating_sub(self.groups));
        if self.groups < first {
            wanted = wanted.min(first - self.groups);
        }
        let seeds = SeedSource::new(self.settings.seed, "league", "line-ups");
        let most = self.settings.most_games.unwrap_or(MOST_SPENT).saturating_sub(self.spent.games);
        let mut round = RoundPlan { round: self.spent.rounds + 1, groups: Vec::new(), games: 0 };
        for number in self.groups..self.groups + wanted {
            let group = self.group(number, &seeds);
            let games = round.games + self.settings.group_games(group.line_ups.len());
            if games > most {
                break;
            }
            round.games = games;
            round.groups.push(group);
        }
        (!round.groups.is_empty()).then_some(round)
    }

    /// Plans a group.
    fn group(&self, number: u64, seeds: &SeedSource) -> GroupPlan {
        let is_full = number < self.full_groups() || number.is_multiple_of(FULL_EACH);
        let mut in_play = Vec::with_capacity(self.settings.bots);
        for status in &self.statuses {
            in_play.push(match status {
                BotStatus::Open | BotStatus::Reference => true,
                BotStatus::In(_) | BotStatus::Out(_) => is_full,
            });
        }
        let drawn = draw(&order(self.settings.bots, seeds, number), self.settings.shape.size, &in_play);
        let deals = self.settings.group_deals;
        GroupPlan {
            number,
            deals: number * deals..(number + 1) * deals,
            is_full,
            line_ups: drawn.line_ups,
            measured_in: drawn.measured_in,
        }
    }

    /// Returns the number of groups at the start that measure all bots. No look comes before their end.
    fn full_groups(&self) -> u64 {
        FULL_DEALS.div_ceil(self.settings.group_deals).max(FEWEST_GROUPS)
    }

    /// Adds the points of the planned round, and decides what can be decided.
    ///
    /// # Errors
    /// If the points are not those of the planned round, or a group is missing. The league is then unchanged.
    pub fn add(&mut self, points: &RoundPoints) -> Result<(), LeagueError> {
        let refused = LeagueError::Points { round: self.spent.rounds + 1 };
        let Some(plan) = self.plan() else { return Err(refused) };
        if points.round != plan.round || points.groups.len() != plan.groups.len() {
            return Err(refused);
        }
        let mut margins = Vec::with_capacity(plan.groups.len());
        for (group, points) in plan.groups.iter().zip(&points.groups) {
            let of_group = points.as_ref().and_then(|points| group_margins(group, points));
            margins.push(of_group.ok_or_else(|| refused.clone())?);
        }
        for (group, margins) in plan.groups.iter().zip(&margins) {
            self.add_group(group, margins);
        }
        self.spent.rounds += 1;
        self.spent.games += plan.games;
        if self.groups >= self.full_groups() {
            self.look();
        }
        Ok(())
    }

    fn add_group(&mut self, group: &GroupPlan, margins: &[Option<i64>]) {
        // Later full groups are for ratings alone: in their tables close bots meet different opponents, whose luck
        // would drown the small spread of such pairs.
        let is_for_pairs = !group.is_full || group.number < self.full_groups();
        for (bot, margin) in margins.iter().enumerate() {
            let Some(margin) = *margin else { continue };
            if group.is_full {
                self.rated[bot].add(margin);
            }
            if is_for_pairs {
                self.measured[bot].add(margin);
            }
        }
        if is_for_pairs {
            self.pairs.add(margins);
        }
        self.groups += 1;
        self.spent.deals += self.settings.group_deals;
        self.spent.line_ups += self.settings.group_line_ups(group.line_ups.len());
    }

    fn look(&mut self) {
        let round = self.spent.rounds;
        self.pairs.look(self.pair_level(), self.settings.resolution * self.unit(), round);
        let means = self.means();
        let evidence = Evidence { question: self.settings.question, pairs: &self.pairs, means: &means };
        evidence.settle(&mut self.statuses, round);
    }

    /// Returns the level of the confidence sequence of each pair.
    pub fn pair_level(&self) -> f64 {
        self.settings.error / self.settings.question.pairs(self.settings.bots) as f64
    }

    /// Returns the margin over a group of a bot that is one point a game ahead.
    fn unit(&self) -> f64 {
        let shape = self.settings.shape;
        (shape.size - 1) as f64 * shape.seats_a_bot() * self.settings.group_deals as f64
    }

    fn means(&self) -> Vec<f64> {
        self.measured.iter().map(ValueSums::mean).collect()
    }

    fn is_answered(&self) -> bool {
        let means = self.means();
        self.groups >= self.full_groups() && self.evidence(&means).answer(&self.statuses).is_some()
    }

    fn evidence<'a>(&'a self, means: &'a [f64]) -> Evidence<'a> {
        Evidence { question: self.settings.question, pairs: &self.pairs, means }
    }

    /// Returns the answer so far.
    pub fn outcome(&self) -> LeagueOutcome {
        let means = self.means();
        let evidence = self.evidence(&means);
        let is_answered = self.is_answered();
        let answer = evidence.answer(&self.statuses).filter(|_| is_answered);
        LeagueOutcome {
            is_answered,
            bots: answer.unwrap_or_else(|| evidence.best_guess(&self.statuses)),
            possible: evidence.possible(&self.statuses),
            is_out_of_games: !is_answered && self.plan().is_none(),
        }
    }

    /// Returns the table of the league, best first.
    ///
    /// Bots that are in come first, then open ones, then those that are out, each by their mean over the deals
    /// that compared them with others. A ranking is in an order that no decided pair contradicts.
    pub fn standings(&self) -> Vec<LeagueStanding> {
        let (means, unit) = (self.means(), self.unit());
        let mut standings = Vec::with_capacity(self.settings.bots);
        for bot in self.evidence(&means).order(&self.statuses) {
            standings.push(LeagueStanding {
                bot,
                status: self.statuses[bot],
                rating: self.rated[bot].estimate(unit),
                mean: means[bot] / unit,
                deals: self.measured[bot].groups * self.settings.group_deals,
            });
        }
        standings
    }

    /// Returns the pairs of which one bot is better by their interval, by round, then by bots.
    pub fn decisions(&self) -> Vec<PairDecision> {
        let mut decisions = Vec::new();
        for second in 1..self.settings.bots {
            for first in 0..second {
                let Some(decision) = self.pairs.state(first, second).decision else { continue };
                let at_decision = self.margin(&decision.sums, decision.largest, decision.is_first);
                let (better, worse) = if decision.is_first { (first, second) } else { (second, first) };
                decisions.push(PairDecision { better, worse, round: decision.round, at_decision });
            }
        }
        decisions.sort_by_key(|decision| (decision.round, decision.better, decision.worse));
        decisions
    }

    /// Returns the value of `one` less the value of `other`.
    ///
    /// # Panics
    /// If there is no such bot, or both are the same.
    pub fn pair(&self, one: usize, other: usize) -> PairMargin {
        assert!(one != other, "a pair is two bots");
        let state = self.pairs.state(one.min(other), one.max(other));
        self.margin(&state.sums, self.pairs.largest(), one < other)
    }

    fn margin(&self, sums: &PairSums, largest: i64, is_first: bool) -> PairMargin {
        let differences = sums.differences(largest);
        let margin = differences.mean / self.unit();
        PairMargin {
            margin: if is_first { margin } else { -margin },
            half_width: half_width(&differences, self.pair_level()).map(|half| half / self.unit()),
            deals: sums.groups * self.settings.group_deals,
        }
    }
}
