//! Pieces of rounds, which workers on other machines can play.

use overtrick_league::RoundPlan;
use overtrick_tournament::MOST_NUMBERS;
use serde::{Deserialize, Serialize};

use super::plan::LeaguePlan;
use super::played_round::PlayedRound;
use crate::no_result::NoResult;
use crate::pieces::{PlayedPiece, RemoteWork, odd};

/// A round, of which a piece has some deals.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct RoundWork {
    pub round: RoundPlan,
}

impl RemoteWork for RoundWork {
    const PIECE: &'static str = "league-piece 1";
    const ANSWER: &'static str = "league-points 1";
    const KIND: &'static str = "piece of a league";

    type Answer = PlayedRound;
}

impl RoundWork {
    /// Returns whether it can be a round of a plan.
    pub fn is_of(&self, plan: &LeaguePlan) -> bool {
        let size = plan.shape().size;
        let is_line_up = |line_up: &Vec<usize>| {
            line_up.len() == size
                && line_up.windows(2).all(|two| two[0] < two[1])
                && line_up.last().is_some_and(|&last| last < plan.bots.len())
        };
        self.round.groups.iter().all(|group| {
            group.deals.start <= group.deals.end
                && group.deals.end <= MOST_NUMBERS
                && !group.line_ups.is_empty()
                && group.line_ups.len() <= plan.bots.len()
                && group.line_ups.iter().all(is_line_up)
        })
    }

    /// Puts the results of its pieces together, in a league of `bots` bots.
    ///
    /// # Errors
    /// If an answer does not fit the round.
    pub fn whole(&self, pieces: &[PlayedPiece<PlayedRound>], bots: usize) -> Result<PlayedRound, NoResult> {
        let mut whole = PlayedRound::new(&self.round, bots);
        for piece in pieces {
            if !whole.add(&piece.answer) {
                return Err(odd::<RoundWork>("has other line-ups"));
            }
        }
        Ok(whole)
    }
}
