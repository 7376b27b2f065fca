//! Shuffling and dealing.

use super::rng::DRAWS_A_WORD;
use super::select::{Portable, Select};
use super::{Card, CardSet, Generator, Pcg, Stream};

/// A shuffled pack that is dealt from the top.
///
/// Every order of the pack is equally likely. Cards that are taken together come as a set: their order within
/// a hand does not matter, and drawing an order would only cost time.
pub struct Pack<'a, R = Pcg> {
    rest: CardSet,
    rng: &'a mut Stream<R>,
}

impl<'a, R: Generator> Pack<'a, R> {
    /// Makes a pack of `cards`, shuffled by `rng`.
    pub fn new(cards: CardSet, rng: &'a mut Stream<R>) -> Pack<'a, R> {
        Pack { rest: cards, rng }
    }

    /// Takes the next `count` cards, or all cards left if there are fewer.
    #[inline]
    pub fn take(&mut self, count: u32) -> CardSet {
        let before = self.rest;
        if count >= before.len() {
            self.rest = CardSet::EMPTY;
            return before;
        }
        self.rest = CardSet::from_bits(deplete(before.bits(), count as usize, self.rng));
        before - self.rest
    }

    /// Takes the next card, or returns `None` if the pack is empty.
    pub fn take_one(&mut self) -> Option<Card> {
        self.take(1).first()
    }
}

/// Returns `rest` with `count` of its bits cleared. Every choice of bits is equally likely.
fn deplete(rest: u64, count: usize, rng: &mut Stream<impl Generator>) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if let Some(pdep) = super::select::fast_pdep() {
        #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
        fn fast(rest: u64, count: usize, rng: &mut Stream<impl Generator>, pdep: super::select::Pdep) -> u64 {
            deplete_with(rest, count, rng, pdep)
        }
        // SAFETY: `fast_pdep` detected these features on this processor.
        return unsafe { fast(rest, count, rng, pdep) };
    }
    deplete_with(rest, count, rng, Portable)
}

#[inline(always)]
fn deplete_with(mut rest: u64, count: usize, rng: &mut Stream<impl Generator>, select: impl Select) -> u64 {
    let mut size = u64::from(rest.count_ones());
    let drop = |rest, k| rest ^ select.kth_bit(rest, k);
    let mut left = count;
    // A hand of thirteen takes one whole word of draws and five more. Constant counts let the compiler unroll
    // the loops.
    while left >= DRAWS_A_WORD {
        rest = rng.fold_falling(size, DRAWS_A_WORD, rest, drop);
        left -= DRAWS_A_WORD;
        size -= DRAWS_A_WORD as u64;
    }
    match left {
        0 => rest,
        1 => rng.fold_falling(size, 1, rest, drop),
        2 => rng.fold_falling(size, 2, rest, drop),
        5 => rng.fold_falling(size, 5, rest, drop),
        _ => rng.fold_falling(size, left, rest, drop),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Deck, SeedSource};

    #[test]
    fn a_pack_is_dealt_out_exactly() {
        let mut rng = SeedSource::new(1, "test", "pack").stream(0, 0);
        let mut pack = Pack::new(Deck::Full52.cards(), &mut rng);
        let hands = [pack.take(13), pack.take(13), pack.take(13)];
        let last = pack.take_one().unwrap();
        let rest = pack.take(99);
        assert_eq!(pack.take_one(), None);
        let all = [hands[0], hands[1], hands[2], CardSet::of(last), rest];
        assert_eq!(all.map(CardSet::len), [13, 13, 13, 1, 12]);
        assert_eq!(all.into_iter().fold(CardSet::EMPTY, |a, b| a | b), Deck::Full52.cards());
    }

    #[test]
    fn both_paths_deal_the_same() {
        let rng = SeedSource::new(1, "test", "paths");
        for number in 0..200 {
            let cards = Deck::Jokers54.cards().bits();
            let count = number as usize % 54;
            let (mut one, mut other) = (rng.stream(number, 0), rng.stream(number, 0));
            assert_eq!(deplete(cards, count, &mut one), deplete_with(cards, count, &mut other, Portable));
        }
    }
}
