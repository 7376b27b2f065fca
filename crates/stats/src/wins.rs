//! Wins and losses of each pair of bots against each other.

use std::collections::BTreeMap;

use overtrick_ratings::{GroupSum, Outcome};
use overtrick_strategy::ids::BotId;

use super::contrast::Contrast;

/// How far the first of each two bots is ahead of the second.
pub(super) type Differences = BTreeMap<(BotId, BotId), Contrast>;

/// The games between each two bots.
#[derive(Default)]
pub(super) struct PairGames {
    /// The share of games that the first bot won less the share that it lost.
    ///
    /// It won if it finished ahead of the second, and lost if it finished behind.
    pub won: Differences,
    /// The logarithm of the odds of these two results, where both happened often enough.
    ///
    /// Under the model of the ratings these odds are those of the two strengths, regardless of ties.
    pub log_odds: Differences,
}

/// Returns the wins and losses of each pair of bots.
///
/// They are by group, whose number is taken modulo `groups`.
pub(super) fn pair_games(outcomes: &[Outcome], groups: usize) -> PairGames {
    let mut counts = BTreeMap::new();
    for outcome in outcomes {
        for (one, place) in outcome.entrants.iter().zip(&outcome.places) {
            for (other, others) in outcome.entrants.iter().zip(&outcome.places) {
                if one.player >= other.player {
                    continue;
                }
                let pair = (BotId::new(one.player), BotId::new(other.player));
                let empty = || (vec![GroupSum::default(); groups], vec![[0; 2]; groups]);
                let (signs, sides) = counts.entry(pair).or_insert_with(empty);
                for &(group, games) in &outcome.counts {
                    let ahead = if place < others { games } else { 0 };
                    let behind = if place > others { games } else { 0 };
                    signs[group % groups] += GroupSum::new(ahead as i64 - behind as i64, games);
                    sides[group % groups][0] += ahead;
                    sides[group % groups][1] += behind;
                }
            }
        }
    }
    let mut games = PairGames::default();
    for (pair, (signs, sides)) in counts {
        games.won.extend(Contrast::of_signs(&signs).map(|contrast| (pair, contrast)));
        games.log_odds.extend(Contrast::log_odds(&sides).map(|contrast| (pair, contrast)));
    }
    games
}
