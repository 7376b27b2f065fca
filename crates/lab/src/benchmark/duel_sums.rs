//! The sums of a duel by parts of its deals, as whole numbers.

use overtrick_run::{Observer, SoFar};
use overtrick_toml::InputError;
use overtrick_tournament::LoggedDeal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The results of a duel of the bot with a reference in a variant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct DuelSums {
    /// The variant.
    pub variant: String,
    /// The reference.
    pub reference: String,
    /// The faults of the bot.
    pub faults: u64,
    /// By part: the points of the bot less those of the reference, over all chairs and games.
    pub margins: Vec<i64>,
    /// By part: how often a chair of the bot scored more than a chair of the reference at its table, doubled,
    /// and how often both scored the same.
    pub ahead: Vec<u64>,
}

/// An observer that adds up a duel, by parts of equal length.
pub(super) struct DuelObserver<'a> {
    /// The number of the first deal.
    first: u64,
    /// The number of deals in a part.
    length: u64,
    /// By part: see [`DuelSums`].
    pub(super) margins: Vec<i64>,
    pub(super) ahead: Vec<u64>,
    /// Called with the number of games of each segment.
    on_games: &'a mut dyn FnMut(u64),
}

impl<'a> DuelObserver<'a> {
    /// Returns an observer of `parts` parts of `length` deals, the first of which has the number `first`.
    pub(super) fn new(first: u64, length: u64, parts: u64, on_games: &'a mut dyn FnMut(u64)) -> DuelObserver<'a> {
        let parts = usize::try_from(parts).expect("few parts");
        DuelObserver { first, length, margins: vec![0; parts], ahead: vec![0; parts], on_games }
    }

    /// Adds a game; by seat, `is_bot` says where the bot sat.
    fn add(&mut self, number: u64, is_bot: &[bool], scores: &[i32]) {
        let part = usize::try_from((number - self.first) / self.length).expect("a part of the duel");
        for (&own, &score) in is_bot.iter().zip(scores) {
            self.margins[part] += if own { i64::from(score) } else { -i64::from(score) };
            if !own {
                continue;
            }
            for (_, other) in is_bot.iter().zip(scores).filter(|&(&own, _)| !own) {
                self.ahead[part] += match score.cmp(other) {
                    std::cmp::Ordering::Less => 0,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Greater => 2,
                };
            }
        }
    }
}

impl Observer for DuelObserver<'_> {
    fn wants_deals(&self) -> bool {
        true
    }

    fn deals(&mut self, so_far: &SoFar<'_>, deals: &[LoggedDeal]) -> Result<(), InputError> {
        let schedule = &so_far.tournament.schedules[so_far.variant];
        for deal in deals {
            let bots = schedule.bots(deal.line_up, deal.seating).map(|bot| bot.index() == 0);
            self.add(deal.number, bots.of(schedule.seats), deal.scores.of(schedule.seats));
        }
        (self.on_games)(u64::try_from(deals.len()).expect("a count"));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn margins_are_over_chairs_and_leads_over_pairs_of_chairs() {
        let mut ignore = |_| ();
        let mut sums = DuelObserver::new(100, 10, 2, &mut ignore);
        // Two chairs of the bot with 5 and 1 points, and one of the reference with 3.
        sums.add(100, &[true, false, true], &[5, 3, 1]);
        // One chair of the bot: it is level with one other and ahead of none.
        sums.add(119, &[false, false, true], &[4, 2, 2]);
        assert_eq!((sums.margins, sums.ahead), (vec![5 + 1 - 3, 2 - 4 - 2], vec![2, 1]));
    }
}
