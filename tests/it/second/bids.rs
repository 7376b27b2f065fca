//! Chameleon's bids and contracts.

use super::Start;
use super::cards::is_red;

/// A bid in the auction, or a contract.
#[derive(Clone, PartialEq)]
pub enum Bid {
    /// A number of tricks, and a suit or `NT`.
    Tricks(i64, String),
    Misere,
    Ouverte,
}

impl Bid {
    pub fn text(&self) -> String {
        match self {
            Bid::Tricks(number, suit) => format!("{number} {suit}"),
            Bid::Misere => "misere".to_string(),
            Bid::Ouverte => "misere-ouverte".to_string(),
        }
    }

    pub fn parse(text: &str) -> Bid {
        match text {
            "misere" => Bid::Misere,
            "misere-ouverte" => Bid::Ouverte,
            _ => {
                let (number, suit) = text.split_once(' ').expect("a number and a suit");
                Bid::Tricks(number.parse().expect("a number of tricks"), suit.to_string())
            }
        }
    }
}

/// CH8, CH9: what the order of bids goes by.
fn rank(start: &Start, bid: &Bid) -> i64 {
    match bid {
        Bid::Tricks(number, _) => 10 * number,
        Bid::Misere => 75,
        Bid::Ouverte => match start.text("mo-vs-slam").as_str() {
            "mo-higher" => 105,
            "equal" => 100,
            "slam-higher" => 95,
            other => panic!("mo-vs-slam = {other}"),
        },
    }
}

/// Whether a bid may follow those made so far.
pub fn may_bid(start: &Start, bids: &[(usize, Bid)], bid: &Bid) -> bool {
    let Some((_, best)) = bids.last() else { return true };
    if rank(start, bid) > rank(start, best) {
        return true;
    }
    // CH10: the first suit of a number may be overcalled once, in the other colour.
    let (Bid::Tricks(number, suit), Bid::Tricks(best_number, best_suit)) = (bid, best) else { return false };
    let bids_of_number = bids.iter().filter(|(_, bid)| matches!(bid, Bid::Tricks(n, _) if n == number));
    number == best_number && is_red(suit) != is_red(best_suit) && bids_of_number.count() == 1
}

/// CH14 to CH17: whether the declarer may announce this contract.
pub fn may_contract(start: &Start, bid: &Bid, contract: &Bid) -> bool {
    let adds_no_trump = match (contract, bid) {
        (Bid::Tricks(number, suit), Bid::Tricks(bid_number, _)) => number == bid_number && suit == "NT",
        _ => false,
    };
    contract == bid || rank(start, contract) > rank(start, bid) || adds_no_trump
}

/// Both misères, and every number of tricks in every one of these suits.
pub fn all(suits: &[&str]) -> Vec<Bid> {
    let mut bids = vec![Bid::Misere, Bid::Ouverte];
    for number in 6..=10 {
        bids.extend(suits.iter().map(|suit| Bid::Tricks(number, suit.to_string())));
    }
    bids
}
