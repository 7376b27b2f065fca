//! Pieces of comparisons, which workers on other machines can play.

use serde::{Deserialize, Serialize};

use super::objective::TuneMargins;
use super::plan::TunePlan;
use super::setting::Setting;
use crate::no_result::NoResult;
use crate::pieces::{PlayedPiece, RemoteWork, odd};

/// The settings that are compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Comparison {
    /// Settings with another setting, at the tables of the plan.
    Settings { candidates: Vec<Setting>, incumbent: Setting },
    /// A setting with the start, in the company of a bot that tuning has not met, in one variant.
    Unseen { candidate: Setting, bot: usize, variant: usize },
}

/// The result of a comparison, or of a piece of one.
#[derive(Serialize, Deserialize)]
pub(super) struct PlayedComparison {
    pub margins: TuneMargins,
    /// The number of faults of bots.
    pub faults: u64,
}

impl RemoteWork for Comparison {
    const PIECE: &'static str = "piece 1";
    const ANSWER: &'static str = "margins 1";
    const KIND: &'static str = "piece of tuning";

    type Answer = PlayedComparison;
}

impl Comparison {
    fn candidates(&self) -> usize {
        match self {
            Comparison::Settings { candidates, .. } => candidates.len(),
            Comparison::Unseen { .. } => 1,
        }
    }

    /// Returns whether it can be a comparison of a plan.
    pub fn is_of(&self, plan: &TunePlan) -> bool {
        let is_setting = |point: &Setting| point.is_of(plan.space.dimensions());
        match self {
            Comparison::Settings { candidates, incumbent } => {
                !candidates.is_empty() && candidates.iter().chain([incumbent]).all(is_setting)
            }
            Comparison::Unseen { candidate, bot, variant } => {
                is_setting(candidate) && *bot < plan.unseen.len() && *variant < plan.variants.len()
            }
        }
    }

    /// Puts the results of its pieces together, of `count` deal numbers at `tables` tables.
    ///
    /// # Errors
    /// If an answer does not fit its piece.
    pub fn whole(
        &self,
        pieces: &[PlayedPiece<PlayedComparison>],
        tables: usize,
        count: u64,
    ) -> Result<PlayedComparison, NoResult> {
        let like = |count: u64| TuneMargins::new(self.candidates(), tables, count as usize);
        let mut whole = PlayedComparison { margins: like(count), faults: 0 };
        for PlayedPiece { numbers, answer } in pieces {
            if !answer.margins.is_like(&like(numbers.end - numbers.start)) {
                return Err(odd::<Comparison>("has other deals"));
            }
            whole.margins.put(numbers.start as usize, &answer.margins);
            whole.faults = whole.faults.saturating_add(answer.faults);
        }
        Ok(whole)
    }
}
