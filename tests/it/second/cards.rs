//! Cards as texts: rank then suit, `TS`, `7D`; the jokers are `BJ` and `LJ`.

pub const SUITS: [&str; 4] = ["C", "D", "H", "S"];

/// The printed rank; of a joker, `B` or `L`.
pub fn rank(card: &str) -> &str {
    &card[..1]
}

/// The printed suit; of a joker `J`, which is no suit.
pub fn suit(card: &str) -> &str {
    &card[1..]
}

pub fn is_joker(card: &str) -> bool {
    card == "BJ" || card == "LJ"
}

pub fn is_red(suit: &str) -> bool {
    suit == "D" || suit == "H"
}

/// How high a card is in the ordinary order, from 2 for a two to 14 for an ace.
pub fn height(card: &str) -> i64 {
    match rank(card) {
        "T" => 10,
        "J" => 11,
        "Q" => 12,
        "K" => 13,
        "A" => 14,
        pips => pips.parse().unwrap_or_else(|_| panic!("{card} has no height")),
    }
}
