//! The questions that a league answers.

use serde::{Deserialize, Serialize};

/// The question of a league.
///
/// With the error rate `e` and the resolution `r`, each answer has a guarantee. It holds at every look at
/// once, except with probability `e`. *The k best* are those of highest value, ties broken in any fixed way.
///
/// | question | guarantee of the answer |
/// |---|---|
/// | `Top(k)`, `Best` | each bot of the answer has a value of at least the k-th highest less `r` |
/// | | each other bot has a value of at most the next highest, the (k+1)-th, plus `r` |
/// | | a bot marked in is one of the k best, and a bot marked out is not |
/// | `BetterThan(x)` | each bot of the answer has a higher value than `x` |
/// | | a bot marked out has at most the value of `x` plus `r` |
/// | `Ranking` | no bot has a value more than `r` above that of a bot ranked before it |
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LeagueQuestion {
    /// Which are the best `k` bots?
    Top(usize),
    /// Which bot is the best?
    Best,
    /// Is any bot better than this one, and which?
    BetterThan(usize),
    /// In which order do the bots rank?
    Ranking,
}

impl LeagueQuestion {
    /// Returns the number of pairs whose intervals the answer for `bots` bots relies on.
    ///
    /// For the k best these are the pairs of one of them and one of the others. It is not known which pairs
    /// these are, but it is fixed before the first deal.
    pub fn pairs(self, bots: usize) -> usize {
        let others = bots.saturating_sub(1);
        match self {
            LeagueQuestion::Top(count) => count * bots.saturating_sub(count),
            LeagueQuestion::Best | LeagueQuestion::BetterThan(_) => others,
            LeagueQuestion::Ranking => bots * others / 2,
        }
    }
}
