//! Bids and contracts: their ranks, and the calls that make them.

use overtrick_cards::table::Move;
use overtrick_cards::{Strain, Suit};

use super::{ChameleonRules, MoVsSlam};

/// The call "pass": no bid in the auction, or no six in dummy.
pub const PASS: Move = Move::call(0);
/// "Six in dummy" (DC12).
pub const SIX_IN_DUMMY: Move = Move::call(50);
/// The call of a declarer who gives up a worthless hand taken from Dummy (DC14).
pub const CONCEDE: Move = Move::call(51);

/// The lowest number of tricks that can be bid (CH7).
pub const LOWEST: u8 = 6;

/// An undertaking of the declarer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bid {
    /// At least `level` tricks.
    Tricks {
        /// The number of tricks, 6 to 10.
        level: u8,
        /// The trump suit, or no trump, which is possible in a final contract only (CH7, CH14).
        strain: Strain,
    },
    /// No trick at all, without trumps.
    Misere,
    /// Misère with the declarer's hand face up.
    MisereOuverte,
}

const FIRST_BID: u8 = 1;
const MISERE: u8 = 21;
const OUVERTE: u8 = 22;
const FIRST_CONTRACT: u8 = 23;
const MISERE_CONTRACT: u8 = 48;
const OUVERTE_CONTRACT: u8 = 49;
const FIRST_NAME: u8 = 52;
/// The number of bids in the auction: calls 1 to 22.
pub(super) const BIDS: u8 = 22;

impl Bid {
    /// Returns the number of tricks bid, or `None` for a misère.
    #[inline]
    pub const fn level(self) -> Option<u8> {
        match self {
            Bid::Tricks { level, .. } => Some(level),
            _ => None,
        }
    }

    /// Returns the trump suit, or `None` for no trump and for a misère (CH21).
    #[inline]
    pub const fn trump(self) -> Option<Suit> {
        match self {
            Bid::Tricks { strain, .. } => strain.suit(),
            _ => None,
        }
    }

    /// Returns all bids of the auction, in the order of their calls (CH7).
    pub fn all() -> impl Iterator<Item = Bid> {
        Bid::contracts().filter(|bid| !matches!(bid, Bid::Tricks { strain: Strain::NoTrump, .. }))
    }

    /// Returns all possible final contracts (CH14).
    pub fn contracts() -> impl Iterator<Item = Bid> {
        let tricks = (LOWEST..=10).flat_map(|level| Strain::ALL.map(|strain| Bid::Tricks { level, strain }));
        tricks.chain([Bid::Misere, Bid::MisereOuverte])
    }

    /// Returns the call that makes this bid in the auction.
    ///
    /// # Panics
    /// For no trump, which cannot be bid (CH7).
    pub const fn call(self) -> Move {
        match self {
            Bid::Tricks { strain: Strain::NoTrump, .. } => panic!("no trump cannot be bid"),
            Bid::Tricks { level, strain } => Move::call(FIRST_BID + (level - LOWEST) * 4 + strain as u8),
            Bid::Misere => Move::call(MISERE),
            Bid::MisereOuverte => Move::call(OUVERTE),
        }
    }

    /// Returns the bid that a call of the auction makes.
    pub const fn of(call: Move) -> Option<Bid> {
        match call.as_call() {
            Some(number @ FIRST_BID..MISERE) => {
                let nth = number - FIRST_BID;
                Some(Bid::Tricks { level: LOWEST + nth / 4, strain: Strain::ALL[nth as usize % 4] })
            }
            Some(MISERE) => Some(Bid::Misere),
            Some(OUVERTE) => Some(Bid::MisereOuverte),
            _ => None,
        }
    }

    /// Returns the call that announces this bid as the final contract (CH14).
    pub const fn contract_call(self) -> Move {
        match self {
            Bid::Tricks { level, strain } => Move::call(FIRST_CONTRACT + (level - LOWEST) * 5 + strain as u8),
            Bid::Misere => Move::call(MISERE_CONTRACT),
            Bid::MisereOuverte => Move::call(OUVERTE_CONTRACT),
        }
    }

    /// Returns the final contract that a call announces.
    pub const fn of_contract(call: Move) -> Option<Bid> {
        match call.as_call() {
            Some(number @ FIRST_CONTRACT..MISERE_CONTRACT) => {
                let nth = number - FIRST_CONTRACT;
                Some(Bid::Tricks { level: LOWEST + nth / 5, strain: Strain::ALL[nth as usize % 5] })
            }
            Some(MISERE_CONTRACT) => Some(Bid::Misere),
            Some(OUVERTE_CONTRACT) => Some(Bid::MisereOuverte),
            _ => None,
        }
    }

    /// Returns the rank of the bid.
    ///
    /// The order is 6, 7, misère, 8, 9, 10. Misère ouverte is above, below or equal to 10, as the rules say
    /// (CH8, CH9).
    #[inline]
    pub fn rank(self, rules: &ChameleonRules) -> u8 {
        match (self, rules.mo_vs_slam) {
            (Bid::Tricks { level: level @ ..=7, .. }, _) => level - LOWEST,
            (Bid::Misere, _) => 2,
            (Bid::Tricks { level: level @ ..=9, .. }, _) => level - 5,
            (Bid::MisereOuverte, MoVsSlam::SlamHigher) => 5,
            (Bid::Tricks { .. }, _) | (Bid::MisereOuverte, MoVsSlam::Equal) => 6,
            (Bid::MisereOuverte, MoVsSlam::MoHigher) => 7,
        }
    }

    /// Returns whether this bid overcalls `best` at the same number in the other colour (CH10).
    ///
    /// Both must be bids of a suit.
    pub fn recolours(self, best: Bid) -> bool {
        match (self, best) {
            (Bid::Tricks { level: own, strain }, Bid::Tricks { level, strain: other }) => {
                let colours = strain.suit().zip(other.suit());
                own == level && colours.is_some_and(|(suit, other)| suit.is_red() != other.is_red())
            }
            _ => false,
        }
    }

    /// Returns whether a declarer who has bid `bid` may announce this as the contract (CH14-CH17).
    #[inline]
    pub fn confirms_or_raises(self, bid: Bid, rules: &ChameleonRules) -> bool {
        let no_trump_instead =
            matches!(self, Bid::Tricks { strain: Strain::NoTrump, .. }) && self.level() == bid.level();
        self == bid || no_trump_instead || self.rank(rules) > bid.rank(rules)
    }

    /// Returns the contract's score and the points for each opponent's trick (CH23-CH27).
    #[inline]
    pub fn stakes(self, rules: &ChameleonRules) -> (i32, i32) {
        match self {
            Bid::Misere => (rules.misere_score, 0),
            Bid::MisereOuverte => (rules.ouverte_score, 0),
            Bid::Tricks { level, .. } => {
                let row = usize::from(level - LOWEST);
                (rules.level_scores[row], rules.opponent_trick_scores[row])
            }
        }
    }

    /// Returns the text: `7 H`, `7 NT`, `misere`...
    pub(super) fn text(self) -> String {
        match self {
            Bid::Tricks { level, strain } => format!("{level} {strain}"),
            Bid::Misere => "misere".to_owned(),
            Bid::MisereOuverte => "misere-ouverte".to_owned(),
        }
    }

    /// Returns the word for the kind of contract in records.
    pub const fn kind(self) -> &'static str {
        match self {
            Bid::Tricks { strain: Strain::NoTrump, .. } => "no-trump",
            Bid::Tricks { .. } => "suit",
            Bid::Misere => "misere",
            Bid::MisereOuverte => "misere-ouverte",
        }
    }
}

/// Returns the call that names trumps for six in dummy (DC14).
pub const fn name(suit: Suit) -> Move {
    Move::call(FIRST_NAME + suit as u8)
}

/// Returns the suit that such a call names.
pub(super) const fn named(call: Move) -> Option<Suit> {
    match call.as_call() {
        Some(number @ FIRST_NAME..=55) => Some(Suit::ALL[(number - FIRST_NAME) as usize]),
        _ => None,
    }
}

/// The calls after six in dummy: name a suit, or concede.
pub(super) const NAME_OR_CONCEDE: u64 = 0b1111 << FIRST_NAME | CONCEDE.call_bit();
/// Six in dummy, or pass.
pub(super) const SIX_OR_PASS: u64 = SIX_IN_DUMMY.call_bit() | PASS.call_bit();

pub(super) fn call_text(call: Move) -> Option<String> {
    if let Some(bid) = Bid::of(call) {
        return Some(format!("bid {}", bid.text()));
    }
    if let Some(contract) = Bid::of_contract(call) {
        return Some(format!("contract {}", contract.text()));
    }
    if let Some(suit) = named(call) {
        return Some(format!("name {}", suit.letter()));
    }
    let word = match call {
        PASS => "pass",
        SIX_IN_DUMMY => "six-in-dummy",
        CONCEDE => "concede",
        _ => return None,
    };
    Some(word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn suit_bid(level: u8, suit: Suit) -> Bid {
        Bid::Tricks { level, strain: suit.into() }
    }

    fn rules(mo_vs_slam: MoVsSlam) -> ChameleonRules {
        ChameleonRules { mo_vs_slam, ..ChameleonRules::default() }
    }

    #[test]
    fn ch7_there_are_22_bids_and_27_contracts() {
        assert_eq!(Bid::all().count(), 22);
        assert_eq!(Bid::contracts().count(), 27);
        for bid in Bid::all() {
            assert_eq!(Bid::of(bid.call()), Some(bid));
        }
        for contract in Bid::contracts() {
            assert_eq!(Bid::of_contract(contract.contract_call()), Some(contract));
        }
    }

    #[test]
    fn ch8_ranks_follow_the_relative_scores_of_contracts_just_made() {
        // 20 N - 100 for N tricks and 50 for misère, as the lost table must have had.
        let relative = |bid: Bid| match bid {
            Bid::Tricks { level, .. } => 20 * i32::from(level) - 100,
            Bid::Misere => 50,
            Bid::MisereOuverte => 100,
        };
        let rules = rules(MoVsSlam::Equal);
        for (a, b) in Bid::contracts().flat_map(|a| Bid::contracts().map(move |b| (a, b))) {
            assert_eq!(a.rank(&rules).cmp(&b.rank(&rules)), relative(a).cmp(&relative(b)), "{a:?} {b:?}");
        }
    }

    #[test]
    fn ch9_misere_ouverte_against_ten() {
        let ten = suit_bid(10, Suit::Clubs);
        let beats = |rule| Bid::MisereOuverte.rank(&rules(rule)).cmp(&ten.rank(&rules(rule))) as i8;
        assert_eq!([MoVsSlam::MoHigher, MoVsSlam::Equal, MoVsSlam::SlamHigher].map(beats), [1, 0, -1]);
        let nine = suit_bid(9, Suit::Clubs);
        assert!(Bid::MisereOuverte.rank(&rules(MoVsSlam::SlamHigher)) > nine.rank(&rules(MoVsSlam::SlamHigher)));
    }

    #[test]
    fn ch17_final_contracts() {
        let rules = rules(MoVsSlam::MoHigher);
        let open = |bid: Bid| Bid::contracts().filter(|contract| contract.confirms_or_raises(bid, &rules)).count();
        assert_eq!(open(suit_bid(6, Suit::Spades)), 24);
        assert_eq!(open(Bid::MisereOuverte), 1);
        // 10 S: itself, 10 no trump, misère ouverte.
        assert_eq!(open(suit_bid(10, Suit::Spades)), 3);
        // Misère: itself, 8 to 10 in any strain, misère ouverte.
        assert_eq!(open(Bid::Misere), 1 + 15 + 1);
        let seven = suit_bid(7, Suit::Spades);
        assert!(Bid::Misere.confirms_or_raises(seven, &rules));
        assert!(!Bid::Misere.confirms_or_raises(suit_bid(8, Suit::Spades), &rules));
        assert!(!Bid::Tricks { level: 7, strain: Strain::NoTrump }.confirms_or_raises(Bid::Misere, &rules));
    }
}
