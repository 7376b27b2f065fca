//! Fresh deals for a benchmark.

use super::engine::Workload;
use crate::game::{FullGame, Setup, Standing};
use crate::ids::BotId;
use crate::protocol::DealKey;
use crate::strategy::Pending;
use crate::table::BySeat;
use crate::tournament::Seeds;

/// Fresh single deals, each played once, for a benchmark: nothing is kept but a signature of the results.
pub struct BenchDeals<'a> {
    seeds: &'a Seeds,
    numbers: std::ops::Range<u64>,
    slots: Vec<u64>,
    /// A sum over all deals that does not depend on their order. It changes if any score of any deal changes.
    pub signature: u64,
}

impl<'a> BenchDeals<'a> {
    /// A benchmark of the deals with these numbers.
    pub fn new(seeds: &'a Seeds, numbers: std::ops::Range<u64>) -> BenchDeals<'a> {
        BenchDeals { seeds, numbers, slots: Vec::new(), signature: 0 }
    }

    /// The number and the setup of the next deal.
    #[inline(always)]
    fn next<G: FullGame>(&mut self, game: &G) -> Option<(u64, Setup)> {
        let number = self.numbers.next()?;
        Some((number, self.seeds.setup(game, number, &Standing::default())))
    }
}

impl<G: FullGame> Workload<G> for BenchDeals<'_> {
    fn open(&mut self, game: &G, _slot: usize) -> Option<Pending<G>> {
        let (number, setup) = self.next(game)?;
        self.slots.push(number);
        let state = self.seeds.deal(game, number, setup);
        let bots = BySeat::new([0, 1, 2].map(BotId::new));
        Some(Pending::new(state, Standing::default(), self.seeds.streams(number), bots))
    }

    #[inline]
    fn turn_over(&mut self, game: &G, slot: usize, deal: &mut Pending<G>) -> bool {
        let scores = game.scores(&deal.state);
        let mut word = self.slots[slot];
        for score in scores.into_array() {
            word = (word ^ score as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
        }
        self.signature = self.signature.wrapping_add(word);
        let Some((number, setup)) = self.next(game) else {
            return false;
        };
        self.slots[slot] = number;
        self.seeds.deal_again(game, &mut deal.state, number, setup);
        deal.streams = self.seeds.streams(number);
        true
    }

    fn key(&self, slot: usize, deal: &Pending<G>) -> DealKey {
        self.seeds.deal_key(self.slots[slot], &Standing::default(), deal.bots)
    }

    fn describe(&self, slot: usize) -> String {
        format!("deal {}", self.slots[slot])
    }
}
