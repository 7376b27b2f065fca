//! When a match ends, and who has won it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::cards::Stream;
use crate::table::{BySeat, Seat};

/// Who deals first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FirstDealer {
    /// The first player.
    #[serde(rename = "seat-0")]
    Seat0,
    /// The second player.
    #[serde(rename = "seat-1")]
    Seat1,
    /// The third player.
    #[serde(rename = "seat-2")]
    Seat2,
    /// Anyone, by lot.
    Random,
}

impl FirstDealer {
    /// The first dealer among `seats` players; `luck` decides where the rule leaves it to the lot.
    pub fn draw(self, seats: usize, luck: impl FnOnce() -> Stream) -> Seat {
        Seat::new(match self {
            FirstDealer::Seat0 => 0,
            FirstDealer::Seat1 => 1,
            FirstDealer::Seat2 => 2,
            FirstDealer::Random => luck().below(seats as u64) as usize,
        })
    }

    /// The seat that is fixed by name, if one is.
    pub const fn fixed(self) -> Option<usize> {
        match self {
            FirstDealer::Seat0 => Some(0),
            FirstDealer::Seat1 => Some(1),
            FirstDealer::Seat2 => Some(2),
            FirstDealer::Random => None,
        }
    }
}

/// What ends a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum EndMode {
    /// Somebody reaches the target.
    Target,
    /// A number of deals has been played.
    Deals,
}

impl EndMode {
    /// The ending that rules with this mode and these values give.
    pub const fn ending(self, deals: u32, points: i32, ties: TieRule) -> Ending {
        match self {
            EndMode::Deals => Ending::Deals(deals),
            EndMode::Target => Ending::Target { points, ties },
        }
    }
}

/// What happens when two or more players are level at the top of a match that somebody's target has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum TieRule {
    /// The highest total wins; if that is shared, another deal is played.
    HighestThenExtraDeal,
    /// The highest total wins; if that is shared, so is the win.
    HighestThenShared,
    /// The highest total wins; if that is shared, the first of them to the left of the last dealer wins.
    HighestThenSeat,
}

/// When a match ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// When somebody has `points` or more; `ties` says what a shared lead does then.
    Target {
        /// The total to reach.
        points: i32,
        /// What a shared lead does.
        ties: TieRule,
    },
    /// After so many deals; equal totals share a place.
    Deals(u32),
}

/// A match that no rule ends (a target that nobody comes near) stops after this many deals and is judged by its
/// totals; a lead is shared then unless the rule for ties names a winner.
pub const MOST_DEALS: u32 = 1 << 16;

/// The state of a match before a deal: what every player knows of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Standing {
    /// Points so far, by seat.
    pub totals: BySeat<i32>,
    /// Deals played so far.
    pub deals: u32,
}

impl Ending {
    /// Whether the deal that follows `standing` is known to be the last before it is played.
    pub fn is_last(&self, standing: &Standing) -> bool {
        matches!(self, Ending::Deals(deals) if standing.deals + 1 == *deals)
    }

    /// The places of a match of `seats` players that ends with `standing`, after a deal of `dealer`; `None` if it goes on.
    ///
    /// Place 0 is the winner's; equal places are shared.
    pub fn places(&self, standing: &Standing, dealer: Seat, seats: usize) -> Option<BySeat<u8>> {
        let totals = standing.totals.of(seats);
        let best = totals.iter().copied().max().unwrap_or(0);
        let leaders = totals.iter().filter(|&&total| total == best).count();
        let stopped = standing.deals >= MOST_DEALS;
        match *self {
            Ending::Deals(deals) => (stopped || standing.deals >= deals).then(|| by_totals(totals)),
            Ending::Target { points, .. } if best < points && !stopped => None,
            Ending::Target { ties: TieRule::HighestThenExtraDeal, .. } if leaders > 1 && !stopped => None,
            Ending::Target { ties: TieRule::HighestThenSeat, .. } if leaders > 1 => {
                let winner = (1..=seats)
                    .map(|steps| dealer.left(steps, seats))
                    .find(|seat| totals[seat.index()] == best)
                    .expect("somebody has the best total");
                Some(by_preference(totals, winner))
            }
            Ending::Target { .. } => Some(by_totals(totals)),
        }
    }
}

/// Places by totals, highest first: how many players have more.
fn by_totals(totals: &[i32]) -> BySeat<u8> {
    let mut places = BySeat::default();
    for seat in Seat::all(totals.len()) {
        let own = totals[seat.index()];
        places[seat] = totals.iter().filter(|&&other| other > own).count() as u8;
    }
    places
}

/// Places by totals, but `winner` ahead of those level with him.
fn by_preference(totals: &[i32], winner: Seat) -> BySeat<u8> {
    let mut places = by_totals(totals);
    for seat in Seat::all(totals.len()) {
        if seat != winner && totals[seat.index()] == totals[winner.index()] {
            places[seat] += 1;
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(ending: Ending, totals: [i32; 3], deals: u32) -> Option<[u8; 3]> {
        let standing = Standing { totals: BySeat(totals), deals };
        ending.places(&standing, Seat::new(1), 3).map(|places| places.0)
    }

    fn to_31(ties: TieRule) -> Ending {
        Ending::Target { points: 31, ties }
    }

    #[test]
    fn du24_the_first_to_reach_the_target_wins() {
        let ending = to_31(TieRule::HighestThenExtraDeal);
        assert_eq!(places(ending, [30, 12, 0], 4), None);
        assert_eq!(places(ending, [30, 12, 31], 5), Some([1, 2, 0]));
        assert_eq!(places(ending, [35, 12, 31], 5), Some([0, 2, 1]));
    }

    #[test]
    fn du25_a_shared_lead_at_the_target_follows_the_tie_rule() {
        let level = [33, 12, 33];
        assert_eq!(places(to_31(TieRule::HighestThenExtraDeal), level, 5), None);
        assert_eq!(places(to_31(TieRule::HighestThenShared), level, 5), Some([0, 2, 0]));
        // The dealer was seat 1, so seat 2 comes first.
        assert_eq!(places(to_31(TieRule::HighestThenSeat), level, 5), Some([1, 2, 0]));
        // Level below the top: nothing to break.
        assert_eq!(places(to_31(TieRule::HighestThenSeat), [31, 4, 4], 5), Some([0, 1, 1]));
    }

    #[test]
    fn a_number_of_deals_ends_the_match_and_shares_places() {
        let ending = Ending::Deals(6);
        assert_eq!(places(ending, [90, 12, 90], 5), None);
        assert_eq!(places(ending, [90, 12, 90], 6), Some([0, 2, 0]));
        assert!(ending.is_last(&Standing { totals: BySeat::default(), deals: 5 }));
        assert!(!ending.is_last(&Standing { totals: BySeat::default(), deals: 4 }));
    }

    #[test]
    fn a_match_without_an_end_is_judged_by_its_totals() {
        let ending = to_31(TieRule::HighestThenExtraDeal);
        assert_eq!(places(ending, [1, 2, 2], MOST_DEALS), Some([2, 0, 0]));
        assert_eq!(places(to_31(TieRule::HighestThenSeat), [0, 0, 0], MOST_DEALS), Some([1, 1, 0]));
    }
}
