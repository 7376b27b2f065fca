//! The facts that counters count: finished deals, games and blocks.

use overtrick_cards::table::{ByRole, BySeat, Role, Seat};
use overtrick_game::ContractResult;
use overtrick_strategy::ids::{BotId, GroupId, LineUpId, SeatingId};
use serde::{Deserialize, Serialize};

use super::pattern::Pattern;
use crate::MatchEnd;

/// A finished deal, without its cards.
#[derive(Clone, Copy, Debug)]
pub struct FinishedDeal {
    /// The deal or match number.
    pub number: u64,
    /// The group of the number in the tally.
    pub group: GroupId,
    /// The line-up.
    pub line_up: LineUpId,
    /// The seating by role.
    pub seating: SeatingId,
    /// The number of players.
    pub seats: usize,
    /// The number of teams.
    pub teams: usize,
    /// The seat of the dealer.
    pub dealer: Seat,
    /// By role: the scores.
    pub scores: ByRole<i32>,
    /// By role: the bots.
    pub bots: ByRole<BotId>,
    /// The order of the scores.
    pub outcome: Pattern,
    /// The result of the contract; `None` in games without contracts and in forfeited deals.
    pub contract: Option<ContractResult>,
    /// Whether the game calls the outcome exceptional.
    pub is_exceptional: bool,
    /// Whether the deal ended without a declarer and without a trick.
    pub is_passed_out: bool,
}

/// A finished game: a deal or, in matches, a match.
#[derive(Clone, Copy, Debug)]
pub struct FinishedGame {
    /// The deal or match number.
    pub number: u64,
    /// The group of the number in the tally.
    pub group: GroupId,
    /// The line-up.
    pub line_up: LineUpId,
    /// The seating by role in the first deal.
    pub seating: SeatingId,
    /// The number of players.
    pub seats: usize,
    /// The number of teams.
    pub teams: usize,
    /// The order of the scores or, in matches, of the places.
    pub outcome: Pattern,
    /// The end of the match; `None` for a single deal.
    pub match_end: Option<MatchEnd>,
}

/// The details of a finished deal that take time to find.
///
/// Counters ask for them only in the deals of a run's first numbers.
pub trait DealDetails {
    /// Returns the course of the deal; `None` if it is not known.
    fn course(&mut self) -> Option<DealCourse> {
        None
    }

    /// Returns the losses by the plays of the deal; `None` if they are not known.
    fn judged(&mut self) -> Option<JudgedDeal> {
        None
    }

    /// Returns whether the deal counts towards a fixed number of deals.
    fn counts(&mut self) -> bool {
        true
    }

    /// Returns whether the deal would have counted earlier in the match: see
    /// [`SampledDeal`](super::SampledDeal).
    fn thrown_in_earlier(&mut self) -> Option<bool> {
        None
    }
}

/// The details of a deal of which only the scores are known.
impl DealDetails for () {}

/// The course of one deal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DealCourse {
    /// All decisions, in order.
    pub decisions: Vec<Decision>,
    /// By trick: the seats that lead after it, as a bit set; empty if all are equal.
    pub leaders: Vec<u8>,
    /// The seats with the best score, as a bit set; empty if all are equal.
    pub best: u8,
}

/// A decision in the course of a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The number of the trick, from 1; 0 for calls and discards.
    pub trick: usize,
    /// The seat that decided.
    pub seat: Seat,
    /// The number of legal moves.
    pub legal: u32,
}

/// A deal with analysed cards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct JudgedDeal {
    /// The analysed cards, in order.
    pub plays: Vec<JudgedPlay>,
    /// By seat: whether it plays hands of the declarer's side; false for all seats if there are no sides.
    pub declarers: BySeat<bool>,
}

/// A card that was analysed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgedPlay {
    /// The number of the trick, from 1.
    pub trick: usize,
    /// The seat that played it.
    pub seat: Seat,
    /// The loss in [parts](parts_of_a_point) of a trick or a point.
    pub parts: u32,
}

/// Returns the number of parts of a trick or a point in which losses are counted, with this number of teams.
///
/// A part is the smallest change of a team's lead over the mean of the others: a half with two others, a third
/// with three.
pub const fn parts_of_a_point(teams: usize) -> u32 {
    if teams > 3 { 3 } else { 2 }
}

/// The sums over the games of one block so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// By role: the sum of the scores over all deals.
    pub roles: ByRole<i64>,
    /// In a duel: the points of the first bot minus the points of the second, over all chairs; 0 in other
    /// formats.
    pub margin: i64,
}

impl Block {
    /// Adds a deal with scores and bots by role.
    ///
    /// `sign` is 1 for the first bot of a duel, -1 for the second, and 0 in other formats.
    #[inline]
    pub fn add_deal(&mut self, seats: usize, scores: ByRole<i32>, bots: ByRole<BotId>, sign: impl Fn(BotId) -> i64) {
        for role in Role::all(seats) {
            self.roles[role] += i64::from(scores[role]);
            self.margin += sign(bots[role]) * i64::from(scores[role]);
        }
    }
}
