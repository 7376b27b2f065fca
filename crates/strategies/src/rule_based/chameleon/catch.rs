//! The chances to catch a misère, suit by suit, from tables of every distribution of a suit.

use std::sync::LazyLock;

use super::side_view::RANKS;

/// The number of cards in a suit.
const CARDS: usize = 8;
/// The bit of the lowest rank in a suit.
const SEVEN: u32 = RANKS.trailing_zeros();
/// The number of rounds if the declarer is never caught.
const NEVER: u8 = u8::MAX;

/// The chance that the others find the way, by the number of rounds until the declarer is caught.
///
/// Set by hand: no comparison of values is recorded.
const FOUND: [f32; CARDS + 1] = [1.0, 0.95, 0.9, 0.8, 0.7, 0.6, 0.6, 0.6, 0.6];

/// Numbers with a digit 1 for each card of a suit, to base 4 and base 3.
///
/// Indexed by the set of cards, one bit each from the seven up.
const DIGITS: [[u16; 256]; 2] = [digits(4), digits(3)];

const fn digits(base: u16) -> [u16; 256] {
    let mut digits = [0; 256];
    let mut cards = 1;
    while cards < 256 {
        digits[cards] = base * digits[cards / 2] + (cards % 2) as u16;
        cards += 1;
    }
    digits
}

/// The precomputed tables.
struct Tables {
    /// The rounds until the declarer is caught.
    ///
    /// Indexed by the holder of each card of a suit, then by the opponent who leads. The holders are: gone,
    /// the declarer, the next hand, the hand after it.
    rounds: Vec<[u8; 2]>,
    /// The danger, by the holder of each card of a suit (gone, the declarer, either opponent).
    danger: Vec<f32>,
    /// The hopes of the opponent at the declarer's left, and of the other opponent.
    hopes: [Hopes; 2],
}

/// The chances to catch the declarer.
///
/// Indexed by the holder of each card of a suit: gone, this opponent, another hand.
struct Hopes {
    suit: Vec<f32>,
    /// The same, by the card that is led now.
    leads: Vec<[f32; CARDS]>,
}

/// The weight of the belief that the declarer holds no dangerous cards, set by hand.
const BELIEF: f32 = 0.6;

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let rounds = rounds_table();
    let danger = danger_table(&rounds);
    let hopes = [0, 1].map(|me| hopes_table(&rounds, &danger, me));
    Tables { rounds, danger, hopes }
});

/// Returns the ranks of a suit as bits from the seven up.
fn bits(ranks: u16) -> usize {
    usize::from(ranks >> SEVEN) % 256
}

/// Returns the index in [`Tables::rounds`] of these holders of a suit.
fn place(declarer: usize, others: [usize; 2]) -> usize {
    let [next, last] = others.map(|cards| usize::from(DIGITS[0][cards]));
    usize::from(DIGITS[0][declarer]) + 2 * next + 3 * last
}

/// Returns the danger of a suit to a misère declarer with `own`, if the opponents may hold `theirs`.
///
/// The chance not to be caught is about e^-danger.
#[inline(always)]
pub(super) fn danger(own: u16, theirs: u16) -> f32 {
    TABLES.danger[ternary(bits(own), bits(theirs))]
}

/// Returns an opponent's chance to catch the declarer in a suit.
///
/// `me` is the opponent's number from the declarer's left (0 or 1), and `mine` their cards.
#[inline(always)]
pub(super) fn hope(me: usize, mine: u16, unseen: u16) -> f32 {
    TABLES.hopes[me].suit[ternary(bits(mine), bits(unseen))]
}

/// Returns the same if they lead the card of rank number `rank`.
#[inline(always)]
pub(super) fn hope_of_lead(me: usize, mine: u16, unseen: u16, rank: usize) -> f32 {
    TABLES.hopes[me].leads[ternary(bits(mine), bits(unseen))][(rank - SEVEN as usize) % CARDS]
}

/// Returns the danger if the opponents, from the declarer's left, hold these cards.
///
/// `leader` is the opponent who leads, if that is known. The danger falls evenly with the number of rounds. The
/// numbers were set by hand.
#[inline(always)]
pub(super) fn danger_between(own: u16, others: [u16; 2], leader: Option<usize>) -> f32 {
    let [first, second] = TABLES.rounds[place(bits(own), others.map(bits))];
    let rounds = match leader {
        Some(0) => first,
        Some(_) => second,
        None => first.min(second),
    };
    if rounds == NEVER { 0.0 } else { 3.2 - 0.4 * f32::from(rounds) }
}

/// Returns each card of a set.
fn each(mut cards: usize) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let card = cards & cards.wrapping_neg();
        cards ^= card;
        (card != 0).then_some(card)
    })
}

/// Returns the highest card of a set that is below `top`.
fn under(cards: usize, top: usize) -> Option<usize> {
    (cards & (top - 1)).checked_ilog2().map(|place| 1 << place)
}

fn rounds_table() -> Vec<[u8; 2]> {
    let mut table = vec![[NEVER; 2]; 1 << (2 * CARDS)];
    // Removing cards gives a smaller index, so the entries of later rounds are already filled in.
    for number in 0..table.len() {
        let mut holders = [0; 4];
        for card in 0..CARDS {
            holders[number >> (2 * card) & 3] |= 1 << card;
        }
        let [_, own, next, last] = holders;
        if own == 0 || next | last == 0 {
            continue;
        }
        let least = |leader: usize, cards: usize| {
            each(cards).map(|led| after_lead(&table, own, [next, last], leader, led)).min().unwrap_or(NEVER)
        };
        let [first, second] = [least(0, next), least(1, last)];
        // An opponent without the suit lets the other opponent lead it.
        table[number] = [if next == 0 { second } else { first }, if last == 0 { first } else { second }];
    }
    table
}

/// Returns the rounds if opponent `leader` leads the card `led`.
///
/// The declarer stays below if possible, and the third hand plays its best card.
fn after_lead(table: &[[u8; 2]], own: usize, others: [usize; 2], leader: usize, led: usize) -> u8 {
    let partner = others[1 - leader];
    let partners = || each(partner).chain((partner == 0).then_some(0));
    let rounds = |played: usize, third: usize| {
        if played > led.max(third) {
            return 1;
        }
        let mut left = others;
        left[leader] ^= led;
        left[1 - leader] ^= third;
        let winner = if third > led { 1 - leader } else { leader };
        table[place(own ^ played, left)][winner].saturating_add(1)
    };
    if leader == 0 {
        // The declarer plays last.
        let ducked = |third: usize| under(own, led.max(third)).map_or(1, |played| rounds(played, third));
        return partners().map(ducked).min().unwrap_or(NEVER);
    }
    let caught = |played: usize| partners().map(|third| rounds(played, third)).min().unwrap_or(NEVER);
    match under(own, led) {
        Some(played) => caught(played),
        None => each(own).map(caught).max().unwrap_or(NEVER),
    }
}

/// Returns the subsets of a set of bits, from the whole set down to the empty one.
fn subsets(of: usize) -> impl Iterator<Item = usize> {
    std::iter::successors(Some(of), move |&part| Some(part.checked_sub(1)? & of))
}

/// Returns the hopes of opponent `me`, by their cards of a suit and the unseen cards.
fn hopes_table(rounds: &[[u8; 2]], danger: &[f32], me: usize) -> Hopes {
    let count = 3usize.pow(CARDS as u32);
    let (mut suit, mut leads) = (vec![0.0; count], vec![[0.0; CARDS]; count]);
    for mine in 0..256usize {
        for unseen in subsets(!mine & 255).filter(|&unseen| unseen != 0) {
            let (mut sum, mut caught, mut by_lead) = (0.0, 0.0, [0.0; CARDS]);
            for own in subsets(unseen) {
                let other = |of: usize| if of == me { mine } else { unseen ^ own };
                let others = [other(0), other(1)];
                let likely = libm::expf(-BELIEF * danger[ternary(own, mine | (unseen ^ own))]);
                sum += likely;
                let [first, second] = rounds[place(own, others)];
                caught += likely * found(first.min(second));
                for (at, by_lead) in by_lead.iter_mut().enumerate().filter(|(at, _)| mine >> at & 1 == 1) {
                    if own != 0 {
                        *by_lead += likely * found(after_lead(rounds, own, others, me, 1 << at));
                    }
                }
            }
            suit[ternary(mine, unseen)] = caught / sum;
            leads[ternary(mine, unseen)] = by_lead.map(|caught| caught / sum);
        }
    }
    Hopes { suit, leads }
}

/// Returns the chance that the others catch the declarer if that takes `rounds` rounds.
fn found(rounds: u8) -> f32 {
    if rounds == NEVER { 0.0 } else { FOUND[usize::from(rounds)] }
}

/// Returns the index of a suit in the tables with three holders.
fn ternary(own: usize, theirs: usize) -> usize {
    usize::from(DIGITS[1][own]) + 2 * usize::from(DIGITS[1][theirs])
}

fn danger_table(rounds: &[[u8; 2]]) -> Vec<f32> {
    let mut table = vec![0.0; 3usize.pow(CARDS as u32)];
    for own in 1..256usize {
        for theirs in subsets(!own & 255).filter(|&theirs| theirs != 0) {
            let mut caught = 0.0;
            for next in subsets(theirs) {
                let [first, second] = rounds[place(own, [next, theirs ^ next])];
                caught += found(first.min(second));
            }
            let chance = caught / (1 << theirs.count_ones()) as f32;
            table[ternary(own, theirs)] = -libm::logf(1.0 - chance);
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use overtrick_cards::CardSet;

    fn ranks(text: &str) -> u16 {
        let cards: CardSet = text.parse().unwrap();
        cards.ranks(0)
    }

    #[test]
    fn a_suit_is_caught_only_by_lower_cards() {
        let between = |own: &str, next: &str, last: &str| danger_between(ranks(own), [ranks(next), ranks(last)], None);
        assert_eq!(between("7C 9C JC KC", "8C TC", "QC AC"), 0.0);
        assert_eq!(between("8C", "7C", "9C"), 0.0);
        assert!(between("9C", "7C", "8C") > 2.0);
        // Both opponents need a second card below the ace.
        assert!(between("7C AC", "8C 9C", "TC JC") > 1.5);
        assert_eq!(between("7C AC", "8C", ""), 0.0);
    }

    #[test]
    fn low_cards_give_hope() {
        let rest = |mine: &str| RANKS & !ranks(mine);
        for me in 0..2 {
            let [low, high] = ["7C 8C", "KC AC"].map(|mine| hope(me, ranks(mine), rest(mine)));
            assert!(low > high, "{low}, {high}");
            let [low, high] =
                [0, CARDS - 1].map(|at| hope_of_lead(me, ranks("7C AC"), rest("7C AC"), SEVEN as usize + at));
            assert!(low > high, "{low}, {high}");
        }
    }
}
