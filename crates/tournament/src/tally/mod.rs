//! The tally of results: integer sums, whose size does not grow with the number of deals.
//!
//! A tally is a list of counters: see [`Tally`].

mod blocks;
mod clock;
mod contracts;
mod copies;
mod counter;
mod curves;
mod ends;
mod faults;
mod finished;
mod given_away;
mod histogram;
mod matches;
mod pattern;
mod plan;
mod plan_of;
mod reading;
mod sample;
mod scores;
mod sums;
mod swings;

use overtrick_strategy::ids::{GroupId, LineUpId};
use serde::{Deserialize, Serialize};

use super::{Flaw, Schedule};
use counter::Counter;
use plan::{Section, Sections};
use scores::ScoreSums;

pub use blocks::{Blocks, GroupBlocks};
pub use clock::Clock;
pub use contracts::{ContractCell, Contracts};
pub use copies::{Copies, CopyCell};
pub use curves::{BotPoint, Curves, DealPoint};
pub use ends::Ends;
pub use faults::{FaultPosition, Faults, NotedFault};
pub use finished::{
    Block, DealCourse, DealDetails, Decision, FinishedDeal, FinishedGame, JudgedDeal, JudgedPlay, parts_of_a_point,
};
pub use given_away::{GivenAway, Loss};
pub use histogram::Histogram;
pub use matches::MatchSums;
pub use pattern::Pattern;
pub use plan::TallyPlan;
pub use sample::{Sample, SampledDeal};
pub use swings::{Margins, Swing, Swings};

/// Makes the tally of a list of counters, which are called statically.
macro_rules! counters {
    ($($(#[$doc:meta])* $visible:vis $name:ident: $counter:ty,)*) => {
        /// The results of one variant.
        ///
        /// Deals and games are counted by group (deal or match number modulo the number of groups).
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub struct Tally {
            $($(#[$doc])* $name: $counter,)*
        }

        impl Tally {
            $(/// Returns a counter.
            ///
            $(#[$doc])*
            $visible fn $name(&self) -> &$counter {
                &self.$name
            })*

            /// Makes an empty tally.
            ///
            /// # Panics
            /// If there are more than 65,536 groups.
            pub fn new(plan: &TallyPlan<'_>) -> Tally {
                assert!(
                    plan.groups <= GroupId::LAST.index() + 1,
                    "{} groups are more than there are ids for",
                    plan.groups
                );
                Tally { $($name: Counter::new(plan),)* }
            }

            /// Adds a deal. `details` finds what counters ask of the first deals.
            #[inline(always)]
            pub fn add_deal(&mut self, deal: &FinishedDeal, details: &mut impl DealDetails) {
                let section = self.section(deal.line_up, deal.group);
                $(self.$name.add_deal(section, deal, details);)*
            }

            /// Adds a game, a deal or a match, whose deals have been added.
            #[inline(always)]
            pub fn add_game(&mut self, game: &FinishedGame) {
                let section = self.section(game.line_up, game.group);
                $(self.$name.add_game(section, game);)*
            }

            /// Adds the finished block of a number, with the [margins](Swings) of every two bots.
            #[inline(always)]
            pub fn add_block(&mut self, number: u64, sums: &Block, margins: &[i64]) {
                let group = self.group(number);
                $(self.$name.add_block(number, group, sums, margins);)*
            }

            /// Adds another tally of the same schedule.
            pub fn merge(&mut self, other: &Tally) {
                $(self.$name.merge(&other.$name);)*
            }

            /// Clears the tally.
            pub fn clear(&mut self) {
                $(self.$name.clear();)*
            }

            /// Returns true if it has the shape of the `empty` tally, so that the two can be merged.
            pub fn is_like(&self, empty: &Tally) -> bool {
                $(self.$name.is_like(&empty.$name))&&*
            }

            /// Checks that nothing in it can break what reads it. Its shape must be right.
            ///
            /// # Errors
            /// Returns the flaw.
            pub fn check(&self, plan: &TallyPlan<'_>) -> Result<(), Flaw> {
                $(self.$name.check(plan)?;)*
                Ok(())
            }
        }
    };
}

// The order is that of the bytes in files. A public counter can be read by that name.
counters! {
    /// The scores and the outcomes of games.
    score_sums: ScoreSums,
    /// The sums over contracts.
    pub contracts: Contracts,
    /// The ends of deals.
    all_ends: Sections<Ends>,
    /// The course of matches.
    all_matches: Sections<MatchSums>,
    /// The sums over blocks.
    pub blocks: Blocks,
    /// The single deals that are kept, from which matches are assembled.
    pub sample: Sample,
    /// The course of the first deals from trick to trick, by bot.
    pub curves: Curves,
    /// The deals in which two bots differ most.
    pub swings: Swings,
    /// The losses by the plays of the first deals, by bot.
    pub given_away: GivenAway,
    /// The margins of line-ups in which a bot sits twice, which no other counter counts.
    pub copies: Copies,
}

impl Tally {
    /// Returns the size of a tally's cells in bytes.
    pub fn bytes(schedule: &Schedule, groups: usize, bots: usize, kinds: usize) -> usize {
        let cells = schedule.cells() * groups * scores::width(schedule.seats, schedule.teams.count());
        let copies = schedule.line_ups_with_copies() - schedule.line_ups.len();
        cells * size_of::<i64>() + Contracts::bytes(groups, bots, kinds) + Copies::bytes(copies, groups)
    }

    /// Adds a game of the line-up with this number among those in which a bot sits twice.
    pub(crate) fn add_copy(&mut self, copy: usize, number: u64, margin: i64) {
        let group = self.group(number);
        self.copies.add(copy, group, margin);
    }

    /// Returns the group of a deal or match number.
    #[inline]
    pub fn group(&self, number: u64) -> GroupId {
        GroupId::new((number % self.score_sums.groups as u64) as usize)
    }

    /// Returns the section of a line-up in a group.
    #[inline]
    fn section(&self, line_up: LineUpId, group: GroupId) -> Section {
        let groups = self.score_sums.groups;
        let part = if self.all_ends.0.len() == groups { 0 } else { line_up.index() };
        Section::new(part, group, groups)
    }
}

#[cfg(test)]
mod tests {
    use overtrick_cards::table::{ByRole, Role, Seat};
    use overtrick_game::ContractResult;
    use overtrick_strategy::ids::{BotId, SeatingId};

    use super::plan::plan;
    use super::*;
    use crate::Format;

    /// Returns a deal with these scores and bots, dealt by seat 0.
    pub(super) fn finished(number: u64, seats: usize, scores: ByRole<i32>, bots: ByRole<BotId>) -> FinishedDeal {
        FinishedDeal {
            number,
            group: GroupId::default(),
            line_up: LineUpId::default(),
            seating: SeatingId::default(),
            seats,
            teams: seats,
            dealer: Seat::Seat0,
            scores,
            bots,
            outcome: Pattern::of(scores, seats),
            contract: None,
            is_exceptional: number.is_multiple_of(3),
            is_passed_out: number.is_multiple_of(5),
        }
    }

    /// Returns the game that is this deal.
    fn game(deal: &FinishedDeal) -> FinishedGame {
        let &FinishedDeal { number, group, line_up, seating, seats, teams, outcome, .. } = deal;
        FinishedGame { number, group, line_up, seating, seats, teams, outcome, match_end: None }
    }

    #[test]
    fn far_scores_of_many_deals_do_not_overflow() {
        let schedule = Schedule::new(Format::Duel, 2, None, 2).unwrap();
        let mut tally = Tally::new(&TallyPlan { range: -100_000..=100_000, ..plan(&schedule, 2, 1) });
        let (line_up, group, seating) = (LineUpId::default(), GroupId::default(), SeatingId::default());
        let (scores, bots) = (ByRole::new([-100_000, 100_000, 0]), ByRole::new([0, 1, 0].map(BotId::new)));
        tally.add_deal(&finished(0, 2, scores, bots), &mut ());
        // A trillion deals.
        for _ in 0..40 {
            tally.merge(&tally.clone());
        }
        let square = 10_i128.pow(10) << 40;
        assert_eq!(tally.role_square(line_up, seating, Role::Forehand), square);
        assert_eq!(tally.ends(None, group).squares, ByRole::new([square, square]));
        let difference = tally.square(line_up, seating, ByRole::new([1.0, -1.0, 0.0]));
        assert_eq!(difference, 4.0 * square as f64);
    }

    #[test]
    fn tallies_add_up_in_any_order() {
        let schedule = Schedule::new(Format::RoundRobin, 4, None, 3).unwrap();
        let empty = Tally::new(&plan(&schedule, 4, 4));
        let (mut all, unplayed) = (empty.clone(), empty.clone());
        let mut parts = [empty.clone(), empty];
        for number in 0..40u64 {
            let scores = ByRole::new([(number % 7) as i32, -(number as i32 % 3), 20]);
            let declarer = Seat::THREE.get(number as usize % 4).copied();
            let deal = FinishedDeal {
                group: all.group(number),
                line_up: LineUpId::new(number as usize % 4),
                seating: SeatingId::new(number as usize % 6),
                contract: Some(ContractResult { kind: (number % 2) as u8, declarer, made: number % 5 == 0 }),
                ..finished(number, 3, scores, ByRole::new([0, 1, 3].map(BotId::new)))
            };
            let mut block = Block::default();
            block.add_deal(3, scores, deal.bots, |bot| bot.index() as i64 - 1);
            for tally in [&mut all, &mut parts[(number % 3 == 0) as usize]] {
                tally.add_deal(&deal, &mut ());
                tally.add_game(&game(&deal));
                tally.add_block(number, &block, &[number as i64 - 20]);
            }
        }
        let [mut one, mut other] = parts;
        let first = one.clone();
        one.merge(&other);
        other.merge(&first);
        assert_eq!(one, all);
        assert_eq!(other, all);
        assert_eq!(all.scores(BotId::new(3)).count(), 40);
        assert!(one.is_like(&unplayed));
        one.clear();
        assert_eq!(one, unplayed);
        // Every fourth deal has no declarer. Seat 2 (bot 3) declares every fourth from the third, and makes
        // numbers 10 and 30.
        let sum = |pick: &dyn Fn(Option<BotId>, usize) -> bool| -> (i64, i64) {
            let cells = all.group_ids().map(|group| all.contracts().sum(group, pick));
            cells.fold((0, 0), |(deals, made), cell| (deals + cell.deals, made + cell.made))
        };
        let third = Some(BotId::new(3));
        assert_eq!(sum(&|_, _| true), (40, 8));
        assert_eq!(sum(&|bot, _| bot.is_none()), (10, 2));
        assert_eq!(sum(&|bot, _| bot == third), (10, 2));
        assert_eq!(sum(&|bot, kind| bot == third && kind == 1), (0, 0));
        let cell = all.contracts().sum(GroupId::new(2), |bot, _| bot == third);
        assert_eq!(cell.declarer, 20 * cell.deals);
        let games = |(l, s)| all.group_ids().map(|group| all.games(l, group, s).sum::<u64>()).sum::<u64>();
        assert_eq!(schedule.cell_ids().map(games).sum::<u64>(), 40);
    }
}
