//! Bids, and the calls that make bids and follow them.

use overtrick_cards::Suit;
use overtrick_cards::table::Move;

use super::WhistRules;

/// The call "pass".
pub const PASS: Move = Move::call(0);
/// In Humbug: play the hand as dealt (HB2).
pub const KEEP: Move = Move::call(31);
/// In Humbug: throw the hand in and take the dead hand (HB2).
pub const EXCHANGE: Move = Move::call(32);

/// The kind of a bid, which is the bid without its number (WH8).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// With a trump suit. High cards win.
    Uptown,
    /// With a trump suit. Low cards win.
    Downtown,
    /// Without a trump suit. High or low is named later.
    NoTrump,
}

impl Kind {
    /// All three kinds, in the order of their calls.
    pub const ALL: [Kind; 3] = [Kind::Uptown, Kind::Downtown, Kind::NoTrump];

    /// Returns the word for the kind.
    pub const fn name(self) -> &'static str {
        ["uptown", "downtown", "no-trump"][self as usize]
    }
}

/// A bid: a kind and a number of books over six.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bid {
    /// The books over six, 0 to 7.
    pub level: u8,
    /// Uptown, downtown or no trump.
    pub kind: Kind,
}

/// The number of different bids.
pub(super) const BIDS: u8 = 24;

const FIRST_BID: u8 = 1;
const FIRST_TRUMP: u8 = FIRST_BID + BIDS;
const UPTOWN: u8 = 29;
const DOWNTOWN: u8 = 30;

impl Bid {
    /// Returns the call that makes the bid.
    pub const fn call(self) -> Move {
        Move::call(FIRST_BID + self.level * 3 + self.kind as u8)
    }

    /// Returns the bid that a call makes.
    pub const fn of(call: Move) -> Option<Bid> {
        match call.as_call() {
            Some(number @ FIRST_BID..FIRST_TRUMP) => {
                let nth = number - FIRST_BID;
                Some(Bid { level: nth / 3, kind: Kind::ALL[nth as usize % 3] })
            }
            _ => None,
        }
    }

    /// Returns all bids, in the order of their calls.
    pub fn all() -> impl Iterator<Item = Bid> {
        (FIRST_BID..FIRST_TRUMP).filter_map(|number| Bid::of(Move::call(number)))
    }

    /// Returns whether the bid betters `best`, the best bid so far (WH10, WH11, WH12).
    pub fn betters(self, best: Bid, rules: &WhistRules) -> bool {
        let same_number = match (self.kind, best.kind) {
            (_, Kind::NoTrump) => false,
            (Kind::NoTrump, _) => true,
            (Kind::Downtown, Kind::Uptown) => rules.downtown_outranks_uptown,
            _ => false,
        };
        self.level > best.level || (self.level == best.level && same_number)
    }
}

/// Returns the call that names a trump suit (WH18).
pub const fn name_trump(suit: Suit) -> Move {
    Move::call(FIRST_TRUMP + suit as u8)
}

/// Returns the call that names the direction after a no-trump bid (WH18).
pub const fn name_direction(downtown: bool) -> Move {
    Move::call(UPTOWN + downtown as u8)
}

/// The calls that name a trump suit.
pub(super) const TRUMPS: u64 = 0b1111 << FIRST_TRUMP;
/// The calls uptown and downtown.
pub(super) const DIRECTIONS: u64 = 1 << UPTOWN | 1 << DOWNTOWN;
/// The calls keep and exchange.
pub(super) const CHOICES: u64 = KEEP.call_bit() | EXCHANGE.call_bit();

/// The content of a naming call: a trump suit, or whether low cards win.
pub(super) enum Named {
    Trump(Suit),
    Direction { downtown: bool },
}

pub(super) fn named(call: Move) -> Option<Named> {
    match call.as_call()? {
        number @ FIRST_TRUMP..UPTOWN => Some(Named::Trump(Suit::ALL[usize::from(number - FIRST_TRUMP)])),
        number @ UPTOWN..=DOWNTOWN => Some(Named::Direction { downtown: number == DOWNTOWN }),
        _ => None,
    }
}

pub(super) fn call_text(call: Move) -> Option<String> {
    if let Some(Bid { level, kind }) = Bid::of(call) {
        return Some(format!("bid {level} {}", kind.name()));
    }
    match named(call) {
        Some(Named::Trump(suit)) => return Some(format!("name {}", suit.letter())),
        Some(Named::Direction { downtown }) => {
            return Some(format!("name {}", if downtown { "downtown" } else { "uptown" }));
        }
        None => {}
    }
    let word = match call {
        PASS => "pass",
        KEEP => "keep",
        EXCHANGE => "exchange",
        _ => return None,
    };
    Some(word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bid(level: u8, kind: Kind) -> Bid {
        Bid { level, kind }
    }

    #[test]
    fn wh10_wh11_more_books_then_no_trump() {
        let rules = WhistRules::default();
        let over = |best: Bid| Bid::all().filter(|bid| bid.betters(best, &rules)).count();
        // Of the 24 bids these are higher: bids of more books, and no trump of the same number over a trump
        // bid.
        assert_eq!(over(bid(1, Kind::Uptown)), 6 * 3 + 1);
        assert_eq!(over(bid(1, Kind::Downtown)), 6 * 3 + 1);
        assert_eq!(over(bid(1, Kind::NoTrump)), 6 * 3);
        assert_eq!(over(bid(7, Kind::NoTrump)), 0);
        assert!(!bid(3, Kind::NoTrump).betters(bid(4, Kind::Uptown), &rules));
    }

    #[test]
    fn wh12_downtown_betters_uptown_only() {
        let rules = WhistRules { downtown_outranks_uptown: true, ..WhistRules::default() };
        assert!(bid(2, Kind::Downtown).betters(bid(2, Kind::Uptown), &rules));
        assert!(!bid(2, Kind::Downtown).betters(bid(2, Kind::Downtown), &rules));
        assert!(!bid(2, Kind::Uptown).betters(bid(2, Kind::Downtown), &rules));
        assert!(!bid(2, Kind::Downtown).betters(bid(2, Kind::NoTrump), &rules));
    }

    #[test]
    fn calls_read_back() {
        for bid in Bid::all() {
            assert_eq!(Bid::of(bid.call()), Some(bid));
        }
        assert_eq!(call_text(bid(4, Kind::NoTrump).call()).as_deref(), Some("bid 4 no-trump"));
        assert_eq!(call_text(name_trump(Suit::Hearts)).as_deref(), Some("name H"));
        assert_eq!(call_text(name_direction(true)).as_deref(), Some("name downtown"));
    }
}
