//! The scores of all ways in which the tricks can fall.
//!
//! A processor cannot predict which row of a score fits, so scores are looked up where they are few.

use std::ops::RangeInclusive;

use overtrick_cards::table::{ByRole, BySeat, Place, Role, Seat};

use super::score::{ScoreFacts, ScoreRules};
use super::score_names::ScoreShape;

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
    has_declarer: bool,
    /// The number of players who may be the declarer, or 1 if there is none.
    declarers: usize,
    /// The number of tricks of a hand, from none to all.
    base: usize,
    /// The number of tricks of a deal.
    tricks: u8,
    scores: Vec<ByRole<i32>>,
    exceptional: Vec<bool>,
    range: RangeInclusive<i32>,
}

impl ScoreTable {
    /// Makes the table of a score for deals with this shape, unless it would be too large.
    ///
    /// The score must turn with the dealer, and each trick must be played.
    pub fn of(rules: &ScoreRules, shape: &ScoreShape<'_>) -> Option<ScoreTable> {
        let (players, hands) = (shape.seating.players, shape.seating.hands());
        if shape.row_points.is_some()
            || shape.least_hand != shape.hand
            || shape.bids.is_some()
            || rules.reads_cards()
            || rules.reads_totals()
            || !rules.turns_with_dealer()
        {
            return None;
        }
        let tricks = u8::try_from(shape.hand).ok()?;
        let declarers = if shape.has_declarer { players } else { 1 };
        let base = usize::from(tricks) + 1;
        let exponent = u32::try_from(hands).ok()?.checked_sub(1)?;
        let entries = base.checked_pow(exponent)?.checked_mul(declarers)?;
        if entries > MOST_ENTRIES {
            return None;
        }
        let mut table = ScoreTable {
            players,
            hands,
            has_declarer: shape.has_declarer,
            declarers,
            base,
            tricks,
            scores: vec![ByRole::default(); entries],
            exceptional: vec![false; entries],
            range: 0..=0,
        };
        for entry in 0..entries {
            let Some(facts) = table.facts(entry) else { continue };
            let results = rules.results(&facts);
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
    fn tricks_won(&self, entry: usize) -> Option<[u8; Place::HANDS]> {
        let mut won = [0; Place::HANDS];
        let mut rest = entry;
        for hand in (0..self.hands - 1).rev() {
            won[hand] = u8::try_from(rest % self.base).ok()?;
            rest /= self.base;
        }
        won[self.hands - 1] = self.tricks.checked_sub(won.iter().sum())?;
        Some(won)
    }

    /// Returns the facts of an entry, where seat 0 deals. `None` if tricks cannot fall in this way.
    fn facts(&self, entry: usize) -> Option<ScoreFacts> {
        let won = self.tricks_won(entry / self.declarers)?;
        let declarer = self.has_declarer.then(|| Seat::new(entry % self.declarers));
        Some(ScoreFacts { declarer, ..ScoreFacts::of(Seat::Seat0, won) })
    }

    /// Returns the facts of all ways in which the tricks can fall, where seat 0 deals.
    pub fn all_facts(&self) -> impl Iterator<Item = ScoreFacts> + '_ {
        (0..self.scores.len()).filter_map(|entry| self.facts(entry))
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
        match facts.declarer {
            Some(declarer) => index * self.declarers + Role::of(declarer, facts.dealer, self.players).index(),
            None => index,
        }
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

    /// Returns whether only the tricks of the declarer's side count, and more tricks are never worse for it.
    ///
    /// All others then play against that side, and tricks that go from one of them to another change nothing. With
    /// partners and without a declarer, the dealer's side stands for the declarer's.
    pub fn sets_sides_against_each_other(&self, rules: &ScoreRules) -> bool {
        (0..self.declarers).all(|declarer| self.is_between_sides(declarer, rules.sides()[Seat::new(declarer)]))
    }

    /// Returns the same for one declarer, whose side is `side`.
    fn is_between_sides(&self, declarer: usize, side: u8) -> bool {
        let mut by_tricks: Vec<Option<ByRole<i32>>> = vec![None; self.base];
        for entry in (declarer..self.scores.len()).step_by(self.declarers) {
            let Some(won) = self.tricks_won(entry / self.declarers) else { continue };
            let own =
                (0..self.hands).filter(|hand| side >> hand & 1 == 1).map(|hand| usize::from(won[hand])).sum::<usize>();
            let known = by_tricks[own].get_or_insert(self.scores[entry]);
            if *known != self.scores[entry] {
                return false;
            }
        }
        let lead = |scores: ByRole<i32>| {
            scores.of(self.players).iter().map(|other| scores.of(self.players)[declarer] - other).sum()
        };
        let leads: Vec<i32> = by_tricks.into_iter().flatten().map(lead).collect();
        leads.is_sorted()
    }

    /// Returns the lowest and the highest score, and 0 if it is lower or higher.
    pub fn range(&self) -> RangeInclusive<i32> {
        self.range.clone()
    }
}
