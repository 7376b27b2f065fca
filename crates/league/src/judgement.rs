//! Judges from the pairs which bots are in the answer, and whether the question is answered.
//!
//! **The k best.** Let `T` be the k bots of highest value, ties broken in any fixed way. Call the event that
//! all intervals of pairs with one bot in `T` and one outside hold at every look *good*. The levels of these
//! `k (N - k)` pairs add up to the error rate, so it is good with the probability asked for. If it is:
//!
//! - *Out is right.* Of the open bots, `m` more are in `T` (induction over the bots settled before). A bot is
//!   out if `m` open bots are certainly better. If it were in `T`, one of these would be outside `T`, and its
//!   pair with the bot would be decided wrongly.
//! - *In is right.* A bot is in if all open bots but `m - 1` others are certainly worse. If it were outside
//!   `T`, one of these would be in `T`, and again that pair would be decided wrongly.
//! - *Close bots may be exchanged.* The answer takes the `m` open bots with the highest means, if each bot
//!   left has at most the value of each bot taken plus the resolution `r`. If a bot `p` taken had less than
//!   the k-th highest value less `r`, then `p` is outside `T`, and a bot `t` of `T` was left. Its value is more
//!   than `r` above that of `p`, against the interval of that pair. In the same way, no bot left has a value
//!   more than `r` above the next highest.
//!
//! **Better than a bot.** The levels of its `N - 1` pairs add up to the error rate. **Ranking.** So do those of
//! all pairs. Each statement is then the statement of one interval.

use crate::pairs::LeaguePairs;
use crate::{BotStatus, LeagueQuestion};

/// The pairs and means that a judgement rests on.
pub(crate) struct Evidence<'a> {
    pub question: LeagueQuestion,
    pub pairs: &'a LeaguePairs,
    /// By bot, its mean margin.
    pub means: &'a [f64],
}

impl Evidence<'_> {
    /// Settles the bots that can be settled in this round.
    pub fn settle(&self, statuses: &mut [BotStatus], round: u64) {
        match self.question {
            LeagueQuestion::Best => self.settle_top(1, statuses, round),
            LeagueQuestion::Top(count) => self.settle_top(count, statuses, round),
            LeagueQuestion::BetterThan(other) => self.settle_better(other, statuses, round),
            LeagueQuestion::Ranking => self.settle_ranking(statuses, round),
        }
    }

    /// Returns the bots of the answer, best first; `None` if the question is not answered.
    pub fn answer(&self, statuses: &[BotStatus]) -> Option<Vec<usize>> {
        match self.question {
            LeagueQuestion::Best => self.answer_top(1, statuses),
            LeagueQuestion::Top(count) => self.answer_top(count, statuses),
            LeagueQuestion::BetterThan(_) => {
                let settled = self.sorted(statuses, is_in);
                (!settled.is_empty() || !statuses.contains(&BotStatus::Open)).then_some(settled)
            }
            LeagueQuestion::Ranking => (!statuses.contains(&BotStatus::Open)).then(|| self.ranked(statuses)),
        }
    }

    /// Returns the bots that would be the answer by their means alone, best first.
    pub fn best_guess(&self, statuses: &[BotStatus]) -> Vec<usize> {
        let count = match self.question {
            LeagueQuestion::Best => 1,
            LeagueQuestion::Top(count) => count,
            LeagueQuestion::BetterThan(_) => return self.sorted(statuses, is_in),
            LeagueQuestion::Ranking => return self.ranked(statuses),
        };
        let mut bots = self.possible(statuses);
        bots.truncate(count);
        bots
    }

    /// Returns the bots that may be in the answer, best first: those in, then those open.
    pub fn possible(&self, statuses: &[BotStatus]) -> Vec<usize> {
        if self.question == LeagueQuestion::Ranking {
            return self.ranked(statuses);
        }
        let mut bots = self.sorted(statuses, is_in);
        bots.extend(self.sorted(statuses, is_open));
        bots
    }

    /// Returns all bots in the order of the table.
    pub fn order(&self, statuses: &[BotStatus]) -> Vec<usize> {
        if self.question == LeagueQuestion::Ranking {
            return self.ranked(statuses);
        }
        let mut bots: Vec<usize> = (0..statuses.len()).collect();
        bots.sort_by(|&one, &other| {
            class(statuses[one]).cmp(&class(statuses[other])).then(self.means[other].total_cmp(&self.means[one]))
        });
        bots
    }

    /// Returns the bots whose status is chosen, the highest mean first.
    fn sorted(&self, statuses: &[BotStatus], is_chosen: fn(BotStatus) -> bool) -> Vec<usize> {
        let mut bots: Vec<usize> = (0..statuses.len()).filter(|&bot| is_chosen(statuses[bot])).collect();
        bots.sort_by(|&one, &other| self.means[other].total_cmp(&self.means[one]));
        bots
    }

    fn settle_top(&self, count: usize, statuses: &mut [BotStatus], round: u64) {
        // One bot at a time, since each changes who is open.
        while let Some((bot, status)) = self.next_of_top(count, statuses, round) {
            statuses[bot] = status;
        }
    }

    /// Returns a bot that is certainly in or out, if there is one.
    fn next_of_top(&self, count: usize, statuses: &[BotStatus], round: u64) -> Option<(usize, BotStatus)> {
        let open = self.sorted(statuses, is_open);
        let places = count.saturating_sub(self.sorted(statuses, is_in).len());
        for &bot in &open {
            let better = open.iter().filter(|&&other| other != bot && self.pairs.is_above(other, bot)).count();
            let worse = open.iter().filter(|&&other| other != bot && self.pairs.is_above(bot, other)).count();
            if better >= places {
                return Some((bot, BotStatus::Out(round)));
            }
            if worse + places >= open.len() {
                return Some((bot, BotStatus::In(round)));
            }
        }
        None
    }

    fn answer_top(&self, count: usize, statuses: &[BotStatus]) -> Option<Vec<usize>> {
        let mut answer = self.sorted(statuses, is_in);
        let open = self.sorted(statuses, is_open);
        let (taken, left) = open.split_at(count.saturating_sub(answer.len()).min(open.len()));
        let is_within = |&one: &usize| left.iter().all(|&other| self.pairs.is_within(other, one));
        if !taken.iter().all(is_within) {
            return None;
        }
        answer.extend(taken);
        Some(answer)
    }

    fn settle_better(&self, than: usize, statuses: &mut [BotStatus], round: u64) {
        for (bot, status) in statuses.iter_mut().enumerate().filter(|(_, status)| **status == BotStatus::Open) {
            if self.pairs.is_above(bot, than) {
                *status = BotStatus::In(round);
            } else if self.pairs.is_within(bot, than) {
                *status = BotStatus::Out(round);
            }
        }
    }

    fn settle_ranking(&self, statuses: &mut [BotStatus], round: u64) {
        let bots = self.sorted(statuses, |_| true);
        for &bot in &bots {
            let is_settled = |&other: &usize| other == bot || self.pairs.is_settled(bot, other);
            if statuses[bot] == BotStatus::Open && bots.iter().all(is_settled) {
                statuses[bot] = BotStatus::In(round);
            }
        }
    }

    /// Returns the bots in an order that no decided pair contradicts, by means where none says more.
    ///
    /// Decided pairs may contradict each other, with at most the error rate. Then means decide.
    fn ranked(&self, statuses: &[BotStatus]) -> Vec<usize> {
        let mut left = self.sorted(statuses, |_| true);
        let mut ranked = Vec::with_capacity(left.len());
        while !left.is_empty() {
            let is_first = |bot: &usize| !left.iter().any(|other| other != bot && self.pairs.is_above(*other, *bot));
            let next = left.iter().position(is_first).unwrap_or(0);
            ranked.push(left.remove(next));
        }
        ranked
    }
}

fn is_in(status: BotStatus) -> bool {
    matches!(status, BotStatus::In(_))
}

fn is_open(status: BotStatus) -> bool {
    status == BotStatus::Open
}

/// Returns the place of a status in the order of the table.
fn class(status: BotStatus) -> u8 {
    match status {
        BotStatus::In(_) => 0,
        BotStatus::Open | BotStatus::Reference => 1,
        BotStatus::Out(_) => 2,
    }
}
