//! Wins and losses of each pair of bots against each other.

use std::collections::BTreeMap;

use overtrick_ratings::Outcome;
use overtrick_strategy::ids::BotId;

use super::contrast::Contrast;

/// By pair of bots.
pub(super) type Pairs = BTreeMap<(BotId, BotId), Contrast>;

/// Returns two figures of each pair.
///
/// The first is the share of games in which the first bot finished ahead of the second, less the share in
/// which it finished behind. The second is the logarithm of the odds of these two results, where both
/// happened often enough. Under the model of the ratings these odds are those of the two strengths,
/// regardless of ties.
pub(super) fn won_and_lost(outcomes: &[Outcome], groups: usize) -> (Pairs, Pairs) {
    let mut counts: BTreeMap<(BotId, BotId), Vec<Counts>> = BTreeMap::new();
    for outcome in outcomes {
        for (one, place) in outcome.entrants.iter().zip(&outcome.places) {
            for (other, others) in outcome.entrants.iter().zip(&outcome.places) {
                if one.player >= other.player {
                    continue;
                }
                let pair = (BotId::new(one.player), BotId::new(other.player));
                let by_group = counts.entry(pair).or_insert_with(|| vec![Counts::default(); groups]);
                for &(group, games) in &outcome.counts {
                    by_group[group].games += games;
                    by_group[group].ahead += if place < others { games } else { 0 };
                    by_group[group].behind += if place > others { games } else { 0 };
                }
            }
        }
    }
    let (mut shares, mut odds) = (BTreeMap::new(), BTreeMap::new());
    for (pair, counts) in counts {
        let (mut signs, mut sides) = (Vec::new(), Vec::new());
        for one in counts {
            signs.push((one.ahead as i64 - one.behind as i64, one.games));
            sides.push((one.ahead, one.behind));
        }
        shares.extend(Contrast::of_signs(&signs).map(|contrast| (pair, contrast)));
        odds.extend(Contrast::log_odds(&sides).map(|contrast| (pair, contrast)));
    }
    (shares, odds)
}

/// Returns the same games in `groups` groups: each group becomes part of the group of its number modulo
/// `groups`.
pub(super) fn in_groups(outcomes: &[Outcome], groups: usize) -> Vec<Outcome> {
    let mut folded = outcomes.to_vec();
    for (group, _) in folded.iter_mut().flat_map(|outcome| &mut outcome.counts) {
        *group %= groups;
    }
    folded
}

/// The results of games between two bots.
#[derive(Clone, Copy, Default)]
struct Counts {
    games: u64,
    ahead: u64,
    behind: u64,
}
