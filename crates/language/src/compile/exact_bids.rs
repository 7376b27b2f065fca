//! Bids of an exact number of tricks.

use overtrick_cards::table::{BySeat, Seat};
use overtrick_toml::InputError;

use super::dealing::Dealing;
use super::resolver::Resolver;
use super::seating::{Seating, role_steps};
use crate::source::{AmountSetting, AuctionWord};

/// The bid of a player who has not bid yet.
pub const NO_BID: i8 = -1;

/// Bids of an exact number of tricks, each heard by all, in a deal with one number of tricks.
#[derive(Clone, Debug)]
pub struct ExactBids {
    /// The number of seats from the dealer to the first bidder.
    pub first: usize,
    /// The lowest bid.
    pub low: i8,
    /// The highest bid.
    pub high: i8,
    /// The number that the bids of all may not sum to.
    sum_not: Option<i32>,
    /// The most that partners may bid together.
    side_most: Option<i32>,
}

impl ExactBids {
    /// Makes the bids of a file, by deal of the cycle. There are none in games without bids.
    ///
    /// # Errors
    /// The first wrong key of the table `auction`.
    pub fn by_deal(
        resolver: &Resolver<'_>,
        seating: &Seating,
        dealing: &Dealing,
    ) -> Result<Vec<ExactBids>, InputError> {
        let mut by_deal = Vec::new();
        for hand in dealing.by_deal() {
            by_deal.extend(ExactBids::of(resolver, seating, *hand)?);
        }
        Ok(by_deal)
    }

    /// Makes the bids of a deal, if there are any. `hand` is the number of tricks.
    fn of(resolver: &Resolver<'_>, seating: &Seating, hand: u32) -> Result<Option<ExactBids>, InputError> {
        let keys = &resolver.file.keys().auction;
        let style = match &keys.style {
            Some(style) => resolver.choice(&["auction", "style"], style)?,
            None => AuctionWord::None,
        };
        let first = role_steps(resolver, &["auction", "first"], &keys.first, 1, seating.players)?;
        let (low, high) = levels(resolver, hand)?;
        let sum_not = optional(resolver, &["auction", "sum-not"], &keys.sum_not, hand)?;
        let side_most = optional(resolver, &["auction", "side-most"], &keys.side_most, hand)?;
        if style == AuctionWord::None {
            // An option may choose the style.
            let used = keys.first.is_some() || !keys.levels.is_empty() || sum_not.is_some() || side_most.is_some();
            let problem = "does nothing without bids; set `style = \"exact\"`";
            return if used && keys.style.is_none() { Err(resolver.error(&["auction"], problem)) } else { Ok(None) };
        }
        let at_sum = |problem: &str| Err(resolver.error(&["auction", "sum-not"], problem));
        if sum_not.is_some() && low == high {
            return at_sum("leaves the last bidder no bid; give `levels` two numbers or leave it out");
        }
        if sum_not.is_some() && side_most.is_some() {
            return at_sum("may leave the last bidder no bid next to `side-most`; leave one out");
        }
        if side_most.is_some() && !seating.partners {
            let problem = "does nothing without partners; set `seats.partners`";
            return Err(resolver.error(&["auction", "side-most"], problem));
        }
        if side_most.is_some_and(|most| most < 2 * low) {
            let problem = format!("is less than two bids of {low}; raise it or lower `levels`");
            return Err(resolver.error(&["auction", "side-most"], problem));
        }
        let level = |level: i32| i8::try_from(level).unwrap_or(0);
        Ok(Some(ExactBids { first, low: level(low), high: level(high), sum_not, side_most }))
    }

    /// Returns the bid that `sum-not` forbids after these bids.
    fn forbidden_by_sum(&self, players: usize, bids: &BySeat<i8>) -> Option<i32> {
        let made: Vec<i32> = Seat::all(players).map(|seat| i32::from(bids[seat])).filter(|bid| *bid >= 0).collect();
        let is_last = made.len() + 1 == players;
        self.sum_not.filter(|_| is_last).map(|sum| sum - made.iter().sum::<i32>())
    }

    /// Returns the highest bid that `side-most` allows after the partner's bid.
    fn most_by_side(&self, partner: i8) -> i32 {
        let partner = if partner == NO_BID { self.low } else { partner };
        self.side_most.map_or(i32::MAX, |most| most - i32::from(partner))
    }

    /// Returns the legal bids of a seat, one bit for each.
    pub fn legal(&self, seat: Seat, players: usize, bids: &BySeat<i8>) -> u64 {
        let most = i32::from(self.high).min(self.most_by_side(bids[seat.left(players / 2, players)]));
        let forbidden = self.forbidden_by_sum(players, bids);
        (i32::from(self.low)..=most).filter(|bid| Some(*bid) != forbidden).map(|bid| 1 << bid).sum()
    }

    /// Returns the key and the reason that forbid a bid.
    pub fn refusal(&self, bid: i32, seat: Seat, players: usize, bids: &BySeat<i8>) -> (&'static str, String) {
        if !(i32::from(self.low)..=i32::from(self.high)).contains(&bid) {
            return ("auction.levels", format!("bids are {} to {}", self.low, self.high));
        }
        let most = self.most_by_side(bids[seat.left(players / 2, players)]);
        if bid > most {
            return ("auction.side-most", format!("the partner leaves at most {most}"));
        }
        ("auction.sum-not", format!("the bids of all may not sum to {}", self.sum_not.unwrap_or(0)))
    }
}

fn optional<const LOW: i32, const HIGH: i32>(
    resolver: &Resolver<'_>,
    key: &[&str],
    setting: &Option<AmountSetting<LOW, HIGH>>,
    hand: u32,
) -> Result<Option<i32>, InputError> {
    setting.as_ref().map(|setting| resolver.amount_of_deal(key, setting, hand)).transpose()
}

/// Returns the lowest and the highest bid.
fn levels(resolver: &Resolver<'_>, hand: u32) -> Result<(i32, i32), InputError> {
    let key = ["auction", "levels"];
    let tricks = i32::try_from(hand).unwrap_or(0);
    let (low, high) = match &resolver.file.keys().auction.levels[..] {
        [] => return Ok((0, tricks)),
        [low, high] => (resolver.amount_of_deal(&key, low, hand)?, resolver.amount_of_deal(&key, high, hand)?),
        other => return Err(resolver.error(&key, format!("has {} numbers; write [low, high]", other.len()))),
    };
    if low > high {
        return Err(resolver.error(&key, format!("is empty, since {low} is above {high}; swap them")));
    }
    if high > tricks {
        let remedy = if resolver.file.keys().deal.hands.is_empty() { "lower it" } else { "write \"=hand\"" };
        return Err(resolver.error(&key, format!("has {high}, and there are {tricks} tricks; {remedy}")));
    }
    Ok((low, high))
}
