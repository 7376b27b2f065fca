//! The rules that end a match and decide who has won it.

use overtrick_cards::Stream;
use overtrick_cards::table::{BySeat, Seat, Teams};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{FieldError, Game, State};

/// Who deals first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
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
    /// Returns the first dealer among `seats` players. `rng` decides where the rule says so.
    pub fn draw(self, seats: usize, rng: impl FnOnce() -> Stream) -> Seat {
        Seat::new(self.fixed().unwrap_or_else(|| rng().random_below(seats as u64) as usize))
    }

    /// Refuses a seat that a game of `seats` players, which are two, does not have; `rule` is its number.
    ///
    /// # Errors
    /// The error of the key `first-dealer`.
    pub fn check(self, seats: usize, rule: &str) -> Result<(), FieldError> {
        if self.fixed() < Some(seats) {
            return Ok(());
        }
        let problem = format!("names a seat that a game for two does not have ({rule})");
        Err(FieldError { key: "first-dealer", problem })
    }

    /// Returns the seat that the rule names, if it names one.
    pub const fn fixed(self) -> Option<usize> {
        match self {
            FirstDealer::Random => None,
            seat => Some(seat as usize),
        }
    }
}

/// The event that ends a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum EndMode {
    /// A player reaches the target.
    Target,
    /// A number of deals has been played.
    Deals,
}

impl EndMode {
    /// Returns the ending of rules with this mode and these values.
    pub const fn ending(self, deals: u32, points: i32, ties: AtTarget) -> Ending {
        match self {
            EndMode::Deals => Ending::Deals(deals),
            EndMode::Target => Ending::Target { points, ties },
        }
    }
}

/// The rule for a match in which the target is reached and two or more players share the highest total.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum TieRule {
    /// The highest total wins; if that is shared, another deal is played.
    HighestThenExtraDeal,
    /// The highest total wins; if that is shared, so is the win.
    HighestThenShared,
    /// The highest total wins; if that is shared, the first of them to the left of the last dealer wins.
    HighestThenSeat,
}

/// The rule for a match to a target that two or more players have reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtTarget {
    /// The highest total wins. The tie rule decides if it is shared.
    Highest(TieRule),
    /// Players who reach it in the same deal play another deal.
    ///
    /// They do so even if one of them has more. From then on, a player who leads alone after a deal wins.
    PlayOn,
    /// The first player at the target to the left of the last declarer wins.
    ///
    /// The totals do not matter.
    LeftOfDeclarer,
}

/// The condition that ends a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// When a player has `points` or more.
    Target {
        /// The total to reach.
        points: i32,
        /// The rule for several players who have reached the target.
        ties: AtTarget,
    },
    /// When a player has `low` or fewer points, or `high` or more.
    ///
    /// In games whose points are bad they count below zero, and `high` is `None`.
    Limits {
        /// The low total that ends the match.
        low: i32,
        /// The high total that ends the match, if there is one.
        high: Option<i32>,
        /// The rule for players who share the highest total, which wins.
        ties: TieRule,
    },
    /// After this number of deals that count. Equal totals share a place.
    Deals(u32),
}

/// The facts about a match's last deal that decide whether the match ends and who wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct DealResult {
    /// The seat that dealt.
    pub dealer: Seat,
    /// The declarer, if there was one.
    pub declarer: Option<Seat>,
    /// The scores of the deal, by seat.
    pub scores: BySeat<i32>,
}

impl DealResult {
    /// Returns the result of a finished deal.
    pub fn of<G: Game>(game: &G, over: &State<G::Public>) -> DealResult {
        let declarer = game.contract_result(over).and_then(|contract_result| contract_result.declarer);
        DealResult { dealer: over.table.dealer(), declarer, scores: game.scores(over) }
    }
}

/// The largest number of deals in a match.
///
/// A longer match, whose players do not approach the target, stops here and is decided by the totals. A
/// shared lead is then shared, unless the tie rule names a winner.
pub const MOST_DEALS: u32 = 1 << 16;

/// The state of a match before a deal, which all players know.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Standing {
    /// The points so far, by seat.
    pub totals: BySeat<i32>,
    /// The number of deals played so far.
    pub deals: u32,
    /// The number of those deals that count towards a fixed number of deals.
    pub counted: u32,
}

impl Standing {
    /// Adds a deal with these `scores`. `counts` says whether it counts towards a fixed number of deals.
    pub fn add(&mut self, scores: &BySeat<i32>, counts: bool) {
        self.totals = self.totals.zip(*scores).map(|(total, score)| total + score);
        self.deals += 1;
        self.counted += u32::from(counts);
    }
}

impl Ending {
    /// Returns whether the deal after `standing` is known beforehand to be the last.
    pub fn is_last(&self, standing: &Standing) -> bool {
        matches!(self, Ending::Deals(deals) if standing.counted + 1 == *deals)
    }

    /// Returns whether a finished match was stopped at [`MOST_DEALS`] before its rules ended it.
    pub fn was_cut_off(&self, standing: &Standing, seats: usize) -> bool {
        let totals = standing.totals.of(seats);
        standing.deals >= MOST_DEALS
            && match self {
                Ending::Deals(deals) => standing.counted < *deals,
                Ending::Target { points, .. } => totals.iter().max() < Some(points),
                Ending::Limits { low, high, .. } => totals.iter().all(|&total| !is_outside(total, *low, *high)),
            }
    }

    /// Returns the places of a match that ends with `standing`, or `None` if it goes on.
    ///
    /// The match has these `teams`, or this number of players.
    ///
    /// `last` is the result of the last deal. Place 0 is the winner's. Equal places are shared, and partners
    /// have the place of their side.
    #[inline]
    pub fn places(&self, standing: &Standing, last: &DealResult, teams: impl Into<Teams>) -> Option<BySeat<u8>> {
        let teams = teams.into();
        // Most deals end no match, which this check finds quickly.
        let may_end = match *self {
            Ending::Deals(deals) => standing.counted >= deals,
            Ending::Target { points, .. } => standing.totals.of(teams.count()).iter().any(|&total| total >= points),
            Ending::Limits { low, high, .. } => {
                standing.totals.of(teams.count()).iter().any(|&total| is_outside(total, low, high))
            }
        };
        if may_end || standing.deals >= MOST_DEALS { self.decide(standing, last, teams) } else { None }
    }

    /// Returns the places as in [`places`](Ending::places).
    ///
    /// Partners have the same totals, so the first seat of each team stands for it.
    fn decide(&self, standing: &Standing, last: &DealResult, teams: Teams) -> Option<BySeat<u8>> {
        let team = |seat: Seat| Seat::new(teams.of(seat.index()));
        let last = DealResult { dealer: team(last.dealer), declarer: last.declarer.map(team), ..*last };
        self.decide_alone(standing, &last, teams.count()).map(|places| teams.spread(places))
    }

    /// Returns the places of `seats` players who play for themselves.
    ///
    /// The number of deals or the target has been reached, or the match is stopped.
    fn decide_alone(&self, standing: &Standing, last: &DealResult, seats: usize) -> Option<BySeat<u8>> {
        let totals = standing.totals.of(seats);
        let stopped = standing.deals >= MOST_DEALS;
        let (points, ties) = match *self {
            Ending::Target { points, ties } => (points, ties),
            Ending::Limits { low, ties, .. } => (low, AtTarget::Highest(ties)),
            Ending::Deals(_) => return Some(by(totals)),
        };
        let best = totals.iter().copied().max().unwrap_or(0);
        let alone = totals.iter().filter(|&&total| total == best).count() == 1;
        // Finds the first seat to the left of `of` whose total `meant` accepts. `of` itself comes last.
        let first_left = |of: Seat, meant: &dyn Fn(i32) -> bool| {
            (1..=seats).map(|steps| of.left(steps, seats)).find(|seat| meant(totals[seat.index()]))
        };
        match ties {
            AtTarget::Highest(TieRule::HighestThenExtraDeal) if !alone && !stopped => None,
            AtTarget::Highest(TieRule::HighestThenSeat) if !alone => {
                let winner = first_left(last.dealer, &|total| total == best);
                let key = |seat: Seat| (totals[seat.index()], Some(seat) == winner);
                Some(by(&Seat::all(seats).map(key).collect::<Vec<_>>()))
            }
            AtTarget::PlayOn if !stopped => {
                let before = totals.iter().zip(last.scores.of(seats)).map(|(total, score)| total - score);
                let playing_on = before.max() >= Some(points);
                let arrived = totals.iter().filter(|&&total| total >= points).count();
                let won = if playing_on { alone } else { arrived == 1 };
                won.then(|| by(totals))
            }
            AtTarget::LeftOfDeclarer if best >= points => {
                let winner = first_left(last.declarer.unwrap_or(last.dealer), &|total| total >= points);
                let key = |seat: Seat| (Some(seat) == winner, totals[seat.index()]);
                Some(by(&Seat::all(seats).map(key).collect::<Vec<_>>()))
            }
            _ => Some(by(totals)),
        }
    }
}

/// Returns whether a total ends a match with these limits.
fn is_outside(total: i32, low: i32, high: Option<i32>) -> bool {
    total <= low || high.is_some_and(|high| total >= high)
}

/// Returns, for each seat, the number of players with a higher key.
fn by<T: Ord>(keys: &[T]) -> BySeat<u8> {
    let place = |own: &T| keys.iter().filter(|&other| other > own).count() as u8;
    BySeat::from_fn(|seat| keys.get(seat.index()).map_or(0, place))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(ending: Ending, totals: [i32; 3], deals: u32) -> Option<[u8; 3]> {
        let standing = Standing { totals: BySeat::new(totals), deals, counted: deals };
        let last = DealResult { dealer: Seat::new(1), ..DealResult::default() };
        ending.places(&standing, &last, 3).map(|places| places.into_array())
    }

    fn to_31(ties: TieRule) -> Ending {
        Ending::Target { points: 31, ties: AtTarget::Highest(ties) }
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
        // A tie below the top needs no rule.
        assert_eq!(places(to_31(TieRule::HighestThenSeat), [31, 4, 4], 5), Some([0, 1, 1]));
    }

    #[test]
    fn eu28_two_at_the_target_in_one_deal_play_on_until_somebody_leads_alone() {
        let ending = Ending::Target { points: 10, ties: AtTarget::PlayOn };
        let places = |before: [i32; 3], scores: [i32; 3]| {
            let totals = BySeat::new([0, 1, 2].map(|seat| before[seat] + scores[seat]));
            let last = DealResult { scores: BySeat::new(scores), ..DealResult::default() };
            ending.places(&Standing { totals, deals: 9, counted: 9 }, &last, 3).map(|places| places.into_array())
        };
        assert_eq!(places([9, 9, 4], [0, 1, 0]), Some([1, 0, 2]));
        // 10-11, both reached in this deal: another deal follows.
        assert_eq!(places([8, 9, 4], [2, 2, 0]), None);
        // From then on a player who leads alone wins, even a third player.
        assert_eq!(places([10, 11, 8], [0, 1, 0]), Some([1, 0, 2]));
        assert_eq!(places([10, 11, 8], [1, 0, 0]), None);
        assert_eq!(places([10, 11, 9], [0, 0, 3]), Some([2, 1, 0]));
    }

    #[test]
    fn wh45_left_of_the_declarer_comes_first_at_the_target() {
        let ending = Ending::Target { points: 21, ties: AtTarget::LeftOfDeclarer };
        let last = DealResult { declarer: Some(Seat::new(0)), ..DealResult::default() };
        let places = |totals| {
            let standing = Standing { totals: BySeat::new(totals), deals: 9, counted: 9 };
            ending.places(&standing, &last, 3).map(|places| places.into_array())
        };
        assert_eq!(places([20, 21, 24]), Some([2, 0, 1]));
        assert_eq!(places([20, 19, 24]), Some([1, 2, 0]));
        assert_eq!(places([20, 19, 20]), None);
    }

    #[test]
    fn the_match_ends_with_a_loss_and_the_highest_total_wins() {
        let ending = |ties| Ending::Limits { low: -100, high: None, ties };
        assert_eq!(places(ending(TieRule::HighestThenExtraDeal), [-99, -3, 0], 4), None);
        assert_eq!(places(ending(TieRule::HighestThenExtraDeal), [-100, -3, -7], 5), Some([2, 0, 1]));
        assert_eq!(places(ending(TieRule::HighestThenExtraDeal), [-100, -7, -7], 5), None);
        assert_eq!(places(ending(TieRule::HighestThenShared), [-100, -7, -7], 5), Some([2, 0, 0]));
        // The dealer was seat 1, so seat 2 comes first.
        assert_eq!(places(ending(TieRule::HighestThenSeat), [-100, -7, -7], 5), Some([2, 1, 0]));
        let cut = |totals| Standing { totals: BySeat::new(totals), deals: MOST_DEALS, counted: MOST_DEALS };
        assert!(ending(TieRule::HighestThenShared).was_cut_off(&cut([-99, 0, 0]), 3));
        assert!(!ending(TieRule::HighestThenShared).was_cut_off(&cut([-100, 0, 0]), 3));
    }

    #[test]
    fn the_match_ends_at_either_limit() {
        let ending = Ending::Limits { low: -500, high: Some(500), ties: TieRule::HighestThenExtraDeal };
        assert_eq!(places(ending, [-499, 499, 0], 4), None);
        assert_eq!(places(ending, [-500, 499, 0], 5), Some([2, 0, 1]));
        assert_eq!(places(ending, [-499, 500, 510], 5), Some([2, 1, 0]));
        assert_eq!(places(ending, [-500, 510, 510], 5), None);
        let cut = |totals| Standing { totals: BySeat::new(totals), deals: MOST_DEALS, counted: MOST_DEALS };
        assert!(ending.was_cut_off(&cut([-499, 499, 0]), 3));
        assert!(!ending.was_cut_off(&cut([-500, 0, 0]), 3) && !ending.was_cut_off(&cut([0, 500, 0]), 3));
    }

    #[test]
    fn partners_share_the_place_of_their_side() {
        let standing = |totals| Standing { totals: BySeat::new(totals), deals: 9, counted: 9 };
        let places = |ending: Ending, totals| {
            let last = DealResult { dealer: Seat::Seat2, declarer: Some(Seat::Seat3), ..DealResult::default() };
            ending.places(&standing(totals), &last, Teams::PARTNERS).map(|places| places.into_array())
        };
        assert_eq!(places(Ending::Deals(9), [7, 5, 7, 5]), Some([0, 1, 0, 1]));
        assert_eq!(places(Ending::Deals(9), [7, 7, 7, 7]), Some([0, 0, 0, 0]));
        assert_eq!(places(to_31(TieRule::HighestThenExtraDeal), [20, 31, 20, 31]), Some([1, 0, 1, 0]));
        assert_eq!(places(to_31(TieRule::HighestThenExtraDeal), [31, 31, 31, 31]), None);
        // The dealer sits at seat 2, so the side of seat 3 is the first to the left.
        assert_eq!(places(to_31(TieRule::HighestThenSeat), [31, 31, 31, 31]), Some([1, 0, 1, 0]));
        // Seat 3 declared, so the other side is the first to the left.
        let to_declarer = Ending::Target { points: 21, ties: AtTarget::LeftOfDeclarer };
        assert_eq!(places(to_declarer, [22, 25, 22, 25]), Some([0, 1, 0, 1]));
    }

    #[test]
    fn four_players_have_places_of_their_own() {
        let standing = Standing { totals: BySeat::new([4, 9, 4, 1]), deals: 6, counted: 6 };
        let places = Ending::Deals(6).places(&standing, &DealResult::default(), 4);
        assert_eq!(places.map(|places| places.into_array()), Some([1, 0, 1, 3]));
    }

    #[test]
    fn a_number_of_deals_ends_the_match_and_shares_places() {
        let ending = Ending::Deals(6);
        assert_eq!(places(ending, [90, 12, 90], 5), None);
        assert_eq!(places(ending, [90, 12, 90], 6), Some([0, 2, 0]));
        assert!(ending.is_last(&Standing { totals: BySeat::default(), deals: 5, counted: 5 }));
        assert!(!ending.is_last(&Standing { totals: BySeat::default(), deals: 5, counted: 4 }));
    }

    #[test]
    fn a_match_without_an_end_is_judged_by_its_totals() {
        let ending = to_31(TieRule::HighestThenExtraDeal);
        assert_eq!(places(ending, [1, 2, 2], MOST_DEALS), Some([2, 0, 0]));
        assert_eq!(places(to_31(TieRule::HighestThenSeat), [0, 0, 0], MOST_DEALS), Some([1, 1, 0]));
    }
}
