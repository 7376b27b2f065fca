//! Checks that a tally read from a file is one that a run can produce.
//!
//! Counts that are kept in several places must agree, and other counts must be possible for the games played.

use overtrick_cards::table::Role;
use overtrick_strategy::ids::{BotId, GroupId, LineUpId, SeatingId};

use super::Tally;
use super::plan::TallyPlan;
use super::played::{Flaw, PlayedNumbers, ensure};
use crate::Format;

/// The deals, games, ties and scores of a set of cells.
#[derive(Clone, Copy, Default)]
pub(super) struct Sums {
    pub(super) deals: i128,
    pub(super) games: i128,
    pub(super) tied: i128,
    /// By role: the sum of the scores.
    pub(super) scores: [i128; 3],
}

impl Sums {
    pub(super) fn add(&mut self, more: &Sums) {
        self.deals += more.deals;
        self.games += more.games;
        self.tied += more.tied;
        self.scores.iter_mut().zip(more.scores).for_each(|(sum, more)| *sum += more);
    }
}

/// The sums over the deals of a bot.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct BotSums {
    pub(super) deals: i128,
    pub(super) score: i128,
    pub(super) squares: i128,
}

/// The sums that follow from the scores by line-up, which agree with the games that were played.
pub(super) struct Due<'a> {
    pub(super) played: &'a PlayedNumbers<'a>,
    /// By group: the number of numbers whose games are all finished.
    pub(super) closed: Vec<u64>,
    /// By part, then group.
    sections: Vec<Sums>,
    /// By part and role: the sum of the squares of the scores.
    pub(super) squares: Vec<[i128; 3]>,
    /// By bot.
    pub(super) by_bot: Vec<BotSums>,
    /// The points of the first bot minus the points of all others.
    pub(super) ahead: i128,
}

impl<'a> Due<'a> {
    /// Makes the sums of no deals.
    pub(super) fn new(played: &'a PlayedNumbers<'a>) -> Due<'a> {
        let plan = &played.plan;
        Due {
            played,
            closed: played.closed(plan.groups),
            sections: vec![Sums::default(); plan.sections()],
            squares: vec![[0; 3]; plan.parts()],
            by_bot: vec![BotSums::default(); plan.bots],
            ahead: 0,
        }
    }

    /// Adds the sums of a line-up in a seating, over all groups. `squares` has the squares of scores by role.
    pub(super) fn add_seating(&mut self, line_up: LineUpId, seating: SeatingId, sums: &Sums, squares: &[i128]) {
        let part = self.plan().section(line_up, GroupId::default()).part;
        for role in Role::all(self.plan().schedule.seats) {
            let bot = self.plan().schedule.bot_by_role(line_up, seating, role);
            let (score, square) = (sums.scores[role.index()], squares[role.index()]);
            let of_bot = &mut self.by_bot[bot.index()];
            of_bot.deals += sums.deals;
            of_bot.score += score;
            of_bot.squares += square;
            self.squares[part][role.index()] += square;
            self.ahead += if bot.index() == 0 { score } else { -score };
        }
    }

    /// Adds the sums of a line-up in a group, over all seatings.
    pub(super) fn add_group(&mut self, line_up: LineUpId, group: GroupId, sums: &Sums) {
        let index = self.plan().section(line_up, group).index;
        self.sections[index].add(sums);
    }

    pub(super) fn plan(&self) -> &'a TallyPlan<'a> {
        &self.played.plan
    }

    /// Returns, by group, the sums of a part.
    pub(super) fn of_part(&self, part: usize) -> &[Sums] {
        let groups = self.plan().groups;
        &self.sections[part * groups..][..groups]
    }

    /// Returns the sums of a group.
    pub(super) fn of_group(&self, group: GroupId) -> Sums {
        let mut sums = Sums::default();
        for part in 0..self.plan().parts() {
            sums.add(&self.of_part(part)[group.index()]);
        }
        sums
    }

    /// Returns the number of all deals.
    pub(super) fn deals(&self) -> i128 {
        self.sections.iter().map(|sums| sums.deals).sum()
    }

    /// Returns the number of deals of a bot.
    pub(super) fn deals_of(&self, bot: BotId) -> i128 {
        self.by_bot[bot.index()].deals
    }
}

impl Tally {
    /// Checks that the tally is possible for the games in `played`. Its shape must be right.
    ///
    /// # Errors
    /// Returns the flaw.
    pub fn check(&self, played: &PlayedNumbers<'_>) -> Result<(), Flaw> {
        let due = self.score_sums.due(played)?;
        self.check_counters(&due)?;
        let is_duel = played.plan.format == Format::Duel;
        let is_widest = self.swings.widest() == self.blocks.widest_margin;
        ensure(!is_duel || is_widest, "widest margin is that of no deal")?;
        self.check_sample(&due)
    }

    /// Checks that the deals kept singly add up to the scores, if all deals are kept.
    fn check_sample(&self, due: &Due<'_>) -> Result<(), Flaw> {
        let last = due.played.numbers.last().map_or(0, |range| range.end);
        if last == 0 || !self.sample.keeps(last - 1) {
            return Ok(());
        }
        for group in self.group_ids() {
            let numbers: Vec<_> = self.sample.numbers().filter(|&number| self.group(number as u64) == group).collect();
            for (at, (line_up, seating)) in due.plan().schedule.cell_ids().enumerate() {
                for role in Role::all(self.seats()) {
                    let of_number = |&number: &usize| Some(i128::from(self.sample.number(number)?[at].scores[role]));
                    let sum: i128 = numbers.iter().filter_map(of_number).sum();
                    let due = i128::from(self.score(line_up, group, seating, role));
                    ensure(sum == due, "single deals do not add up to its scores")?;
                }
            }
        }
        Ok(())
    }
}
