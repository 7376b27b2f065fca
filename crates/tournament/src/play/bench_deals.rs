//! Fresh deals for a benchmark.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use overtrick_cards::table::{BySeat, Seat};
use overtrick_game::{FullGame, Setup, Standing};
use overtrick_games::{Variant, Visitor};
use overtrick_strategies::random::Random;
use overtrick_strategy::ids::BotId;
use overtrick_strategy::protocol::DealKey;
use overtrick_strategy::{Pending, Strategy};

use super::engine::{Engine, Workload};
use crate::{Seeds, Unit};

/// Fresh single deals for a benchmark, each played once. Only a signature of the results is kept.
pub struct BenchDeals<'a> {
    seeds: &'a Seeds,
    numbers: std::ops::Range<u64>,
    slots: Vec<u64>,
    /// An order-independent sum over all deals, which changes if any score changes.
    pub signature: u64,
}

impl<'a> BenchDeals<'a> {
    /// Makes a benchmark of the deals with these numbers.
    pub fn new(seeds: &'a Seeds, numbers: std::ops::Range<u64>) -> BenchDeals<'a> {
        BenchDeals { seeds, numbers, slots: Vec::new(), signature: 0 }
    }

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
        let bots = BySeat::from_fn(|seat: Seat| BotId::new(seat.index()));
        Some(Pending::new(state, Standing::default(), self.seeds.streams(number), bots))
    }

    #[inline]
    fn turn_over(&mut self, game: &G, slot: usize, deal: &mut Pending<G>) -> bool {
        let scores = game.scores(&deal.state);
        let mut word = self.slots[slot];
        let has_fourth = game.layout().seats > 3;
        for (seat, &score) in scores.iter() {
            // Signatures of games for two have always folded in a third score, of 0.
            if seat != Seat::Seat3 || has_fourth {
                word = (word ^ score as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
            }
        }
        self.signature = self.signature.wrapping_add(word);
        let Some((number, setup)) = self.next(game) else { return false };
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

/// Plays `rounds` rounds of `round` deals of a variant, with random bots on the calling thread. Returns the
/// time of each round, and a signature that changes if any score of any deal changes.
pub fn measure_random(variant: &Variant, rounds: u64, round: u64) -> (Vec<Duration>, u64) {
    variant.game.visit(Measure { variant: &variant.name, rounds, round })
}

struct Measure<'a> {
    variant: &'a str,
    rounds: u64,
    round: u64,
}

impl Visitor for Measure<'_> {
    type Output = (Vec<Duration>, u64);

    fn visit<G: FullGame>(self, game: &Arc<G>) -> (Vec<Duration>, u64) {
        let seeds = Seeds::new(1, self.variant, game.as_ref(), Unit::Deal);
        let mut strategies: Vec<Box<dyn Strategy<G>>> = Vec::new();
        for _ in Seat::all(game.layout().seats) {
            strategies.push(Box::new(Random));
        }
        let mut engine = Engine::new(strategies);
        let never = AtomicBool::new(false);
        let mut signature = 0u64;
        let mut times = Vec::new();
        for number in 0..self.rounds {
            let mut deals = BenchDeals::new(&seeds, number * self.round..(number + 1) * self.round);
            let start = Instant::now();
            engine.play(game, &mut deals, &never);
            times.push(start.elapsed());
            signature = signature.wrapping_add(deals.signature);
        }
        (times, signature)
    }
}
