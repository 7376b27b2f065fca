//! The scores of all ways in which the tricks can fall.
//!
//! A processor cannot predict which row of a score fits, so scores are looked up where they are few.

use std::ops::RangeInclusive;

use overtrick_cards::table::{ByRole, BySeat, Place, Role, Seat};

use super::score::{ScoreFacts, ScoreRules};

/// The largest number of entries.
const MOST_ENTRIES: usize = 1 << 16;

/// The scores by the tricks of each hand but the last.
///
/// Players are counted from the dealer. The tricks of the last hand follow from the others.
#[derive(Clone, Debug)]
pub struct ScoreTable {
    players: usize,
    /// The number of hands, with dummies.
    hands: usize,
    /// The number of tricks of a hand, from none to all.
    base: usize,
    scores: Vec<ByRole<i32>>,
    exceptional: Vec<bool>,
    range: RangeInclusive<i32>,
}

impl ScoreTable {
    /// Makes the table of a score for deals of so many tricks, unless it would be too large.
    ///
    /// The score must turn with the dealer.
    pub fn of(rules: &ScoreRules, players: usize, hands: usize, tricks: u8) -> Option<ScoreTable> {
        let base = usize::from(tricks) + 1;
        let exponent = u32::try_from(hands).ok()?.checked_sub(1)?;
        let entries = base.checked_pow(exponent).filter(|entries| *entries <= MOST_ENTRIES)?;
        let mut table = ScoreTable {
            players,
            hands,
            base,
            scores: vec![ByRole::default(); entries],
            exceptional: vec![false; entries],
            range: 0..=0,
        };
        for entry in 0..entries {
            let Some(won) = table.tricks(entry, tricks) else { continue };
            let results = rules.results(&ScoreFacts { dealer: Seat::Seat0, won });
            for (role, seat) in Role::all(players).zip(Seat::all(players)) {
                let points = results[seat].points;
                table.scores[entry][role] = points;
                table.exceptional[entry] |= results[seat].exceptional;
                table.range = points.min(*table.range.start())..=points.max(*table.range.end());
            }
        }
        Some(table)
    }

    /// Returns the tricks by hand of an entry, where seat 0 deals.
    fn tricks(&self, entry: usize, all: u8) -> Option<[u8; Place::HANDS]> {
        let mut won = [0; Place::HANDS];
        let mut rest = entry;
        for hand in (0..self.hands - 1).rev() {
            won[hand] = u8::try_from(rest % self.base).ok()?;
            rest /= self.base;
        }
        won[self.hands - 1] = all.checked_sub(won.iter().sum())?;
        Some(won)
    }

    #[inline]
    fn index(&self, facts: &ScoreFacts) -> usize {
        let mut index = 0;
        // The last of the players is left out if there are no dummies.
        for steps in 0..self.players.min(self.hands - 1) {
            index = index * self.base + usize::from(facts.won[facts.dealer.left(steps, self.players).index()]);
        }
        for hand in self.players..self.hands - 1 {
            index = index * self.base + usize::from(facts.won[hand]);
        }
        index
    }

    /// Returns the scores by seat.
    #[inline]
    pub fn scores(&self, facts: &ScoreFacts) -> BySeat<i32> {
        self.scores[self.index(facts)].by_seat(facts.dealer, self.players)
    }

    /// Returns whether a row that counts at any seat is exceptional.
    #[inline]
    pub fn is_exceptional(&self, facts: &ScoreFacts) -> bool {
        self.exceptional[self.index(facts)]
    }

    /// Returns the lowest and the highest score, and 0 if it is lower or higher.
    pub fn range(&self) -> RangeInclusive<i32> {
        self.range.clone()
    }
}
