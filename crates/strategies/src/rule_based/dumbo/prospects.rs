//! The chances of cards to win a trick at some time, and their sums by hand.

use std::cell::OnceCell;

use overtrick_cards::table::Place;
use overtrick_cards::{Card, CardSet};

const HANDS: usize = Place::HANDS;
const TRICKS: usize = 13;

/// The maximum number of hands that share the unseen cards.
const PARTS: usize = 3;

/// The number of holdings of a suit; see [`Prospects`].
const HOLDINGS: usize = 2 << TRICKS;

/// A bit at the low end of each suit.
const LOWEST: u64 = CardSet::of_ranks(1).bits();

/// The chances of cards, by their places among the remaining cards of their suit.
pub(super) struct Prospects {
    /// The chance that a card ever wins a trick.
    ///
    /// Indexed by the numbers of higher and of lower cards of its suit in other hands.
    chance: [[f32; TRICKS + 1]; TRICKS + 1],
    /// The sums of chances, by the number of hands that share a holding minus 1, then by holding.
    ///
    /// A holding has a bit for each remaining card of the suit, lowest first, set if it contains the card. A
    /// set bit above them marks the end.
    sums: [OnceCell<Box<[f32; HOLDINGS]>>; PARTS],
}

impl Prospects {
    /// Returns the table for `trust`, the exponent that favours the top cards.
    pub(super) fn new(trust: f32) -> Prospects {
        // One card is added on each side, so that even a lone card of a suit neither certainly wins nor
        // certainly loses.
        let chance = |above: usize, below: usize| (below as f32 + 1.0) / (above + below + 2) as f32;
        // The platform's power function may differ in the last bit, and play must not depend on the machine.
        let trusted = |above, below| libm::powf(chance(above, below), trust);
        let by_below = |above: usize| std::array::from_fn(|below| trusted(above, below));
        let chance = std::array::from_fn(by_below);
        Prospects { chance, sums: [const { OnceCell::new() }; PARTS] }
    }

    /// Returns the sums for holdings that `parts` hands share, computed on the first call.
    #[inline(always)]
    fn sums_of(&self, parts: usize) -> &[f32; HOLDINGS] {
        let parts = parts.clamp(1, PARTS);
        self.sums[parts - 1].get_or_init(|| all_sums(&self.chance, parts))
    }

    /// Returns the chance of a card in a hand with `own`, where `all` are the remaining cards.
    #[inline(always)]
    pub(super) fn of(&self, card: Card, own: CardSet, all: CardSet) -> f32 {
        let others = (all - own) & CardSet::lane(card.lane());
        let above = (others & CardSet::above(card)).len() as usize;
        let below = others.len() as usize - above;
        self.chance[above.min(TRICKS)][below.min(TRICKS)]
    }

    /// Returns, by holding, the sum of the chances of its cards.
    ///
    /// The last holding is shared equally by `parts` hands.
    #[inline(always)]
    pub(super) fn sums(&self, held: [CardSet; HANDS + 1], parts: usize) -> [f32; HANDS + 1] {
        let all = held.into_iter().fold(CardSet::EMPTY, |all, cards| all | cards);
        let squeeze = Squeeze::new(all);
        // The set bit above the cards.
        let end = squeeze.of(all) + LOWEST;
        let mut sums = [0.0; HANDS + 1];
        let (one, shared) = (self.sums_of(1), self.sums_of(parts));
        for (owner, sum) in sums.iter_mut().enumerate() {
            let table = if owner == HANDS { shared } else { one };
            let holdings = squeeze.of(held[owner]) | end;
            for suit in 0..4 {
                *sum += table[(holdings >> (16 * suit)) as usize % HOLDINGS];
            }
        }
        sums
    }
}

/// Returns the sums of the chances of all holdings that `parts` hands share equally.
#[cold]
fn all_sums(chance: &[[f32; TRICKS + 1]; TRICKS + 1], parts: usize) -> Box<[f32; HOLDINGS]> {
    let mut sums = Box::new([0.0; HOLDINGS]);
    for cards in 0..=TRICKS {
        for held in 0..=cards {
            let others = cards - held.div_ceil(parts);
            HoldingSums { chance, sums: &mut sums, parts, others }.fill(1, cards, held, 0.0);
        }
    }
    sums
}

/// The sums over holdings with equal numbers of cards, each shared equally by `parts` hands.
struct HoldingSums<'a> {
    chance: &'a [[f32; TRICKS + 1]; TRICKS + 1],
    sums: &'a mut [f32; HOLDINGS],
    parts: usize,
    /// The number of cards of the suit that a hand does not hold.
    others: usize,
}

impl HoldingSums<'_> {
    /// Fills in the holdings that begin with `top`, whose sum is `sum`.
    ///
    /// They continue with `cards` more places, of which `held` are set.
    fn fill(&mut self, top: usize, cards: usize, held: usize, sum: f32) {
        if cards == 0 {
            self.sums[top] = sum;
            return;
        }
        if held < cards {
            self.fill(2 * top, cards - 1, held, sum);
        }
        if held > 0 {
            let own_above = top.count_ones() as usize - 1;
            let above = (top.ilog2() as usize - own_above / self.parts).min(self.others);
            self.fill(2 * top + 1, cards - 1, held - 1, sum + self.chance[above][self.others - above]);
        }
    }
}

/// Moves the cards of a set to the low end of their suits, without gaps.
struct Squeeze {
    all: u64,
    /// By binary digit of the distance: the cards that move by it, in their places at that step.
    movers: [u64; 4],
}

impl Squeeze {
    /// Returns a squeeze for sets of these cards.
    #[inline(always)]
    fn new(all: CardSet) -> Squeeze {
        // Shifts to the left must leave the suit's lowest bits empty.
        const KEPT: [u64; 4] = [LOWEST * 0xFFFE, LOWEST * 0xFFFC, LOWEST * 0xFFF0, LOWEST * 0xFF00];
        let all = all.bits();
        let (mut cards, mut movers) = (all, [0; 4]);
        // A bit for each place with a gap next below it.
        let mut gaps = !cards << 1 & KEPT[0];
        for (digit, movers) in movers.iter_mut().enumerate() {
            // The parity of the number of gaps below each place.
            let mut odd = gaps;
            for (doubling, kept) in KEPT.into_iter().enumerate() {
                odd ^= odd << (1 << doubling) & kept;
            }
            *movers = odd & cards;
            cards = cards ^ *movers | *movers >> (1 << digit);
            // Every other gap counts for the next digit.
            gaps &= !odd;
        }
        Squeeze { all, movers }
    }

    #[inline(always)]
    fn of(&self, cards: CardSet) -> u64 {
        let mut cards = cards.bits() & self.all;
        for (digit, movers) in self.movers.into_iter().enumerate() {
            let moved = cards & movers;
            cards = cards ^ moved | moved >> (1 << digit);
        }
        cards
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cards_are_squeezed_together() {
        let cards = |text: &str| text.parse::<CardSet>().unwrap();
        let squeeze = Squeeze::new(cards("AS TS 9S 2S KH 3D 2D AC"));
        for (some, squeezed) in [("AS 9S", "5S 3S"), ("KH 3D", "2H 3D"), ("TS 2S 2D AC", "4S 2S 2D 2C"), ("", "")] {
            assert_eq!(squeeze.of(cards(some)), cards(squeezed).bits(), "{some}");
        }
    }

    #[test]
    fn sums_are_of_the_cards() {
        let cards = |text: &str| text.parse::<CardSet>().unwrap();
        let prospects = Prospects::new(4.6);
        let held = [cards("AS 2S KH"), cards("KS"), CardSet::EMPTY, CardSet::EMPTY, cards("QS JS TS 9H 8H")];
        let all = held.into_iter().fold(CardSet::EMPTY, |all, cards| all | cards);
        let sums = prospects.sums(held, 2);
        for hand in 0..HANDS {
            let sum: f32 = held[hand].iter().map(|card| prospects.of(card, held[hand], all)).sum();
            assert!((sums[hand] - sum).abs() < 1e-6, "hand {hand}");
        }
        // Of any two unseen cards, one is in the other hand.
        let chance = |above: usize, below: usize| prospects.chance[above][below];
        let shared = chance(2, 2) + chance(3, 1) + chance(3, 1) + chance(1, 1) + chance(2, 0);
        assert!((sums[HANDS] - shared).abs() < 1e-6, "{} is not {shared}", sums[HANDS]);
    }
}
