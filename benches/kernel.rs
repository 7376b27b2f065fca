//! How much of the bare speed of playing cards is left once it goes through games, views and strategies.
//!
//! The kernel deals 52 cards to four hands and plays 13 random legal no-trump tricks on bit sets, and does nothing
//! else: no game, no record, no score, one stream of random numbers for everything, the fastest generator that makes 64
//! bits at once. In the same run, random bots play Dumbo through the same `Strategy` interface as any bot, from the
//! shuffle to the score. Both run in turn, round by round, so that a drift of the machine's speed meets both alike.
//!
//! `cargo bench --profile dist --bench kernel`; a number behind `--` is that of the deals in a round.

use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use overtrick::cards::select::{Portable, Select};
use overtrick::cards::{Deck, Suit};
use overtrick::game::Game;
use overtrick::games::dumbo::{Dumbo, DumboRules};
use overtrick::strategies::{BuildContext, StrategySpec, random};
use overtrick::tournament::{BenchDeals, Engine, Seeds, Unit};
use rand_core::Rng;
use rand_pcg::Mcg128Xsl64;

/// The deals in a round, unless the command line says another number.
const DEALS: u64 = 240_000;
const ROUNDS: usize = 9;

/// `N` deals side by side, all in step; returns something that depends on every trick.
#[inline(always)]
fn kernel<const N: usize>(deals: u64, rng: &mut Mcg128Xsl64, select: impl Select) -> u64 {
    let lanes = Suit::ALL.map(|suit| overtrick::cards::CardSet::suit(suit).bits());
    let mut signature = 0;
    for _ in 0..deals / N as u64 {
        let mut hands = [[0u64; 4]; N];
        let mut rest = [Deck::Full52.cards().bits(); N];
        for hand in 0..3 {
            let before = rest;
            for size in (0..13).map(|card| 52 - 13 * hand as u64 - card) {
                for rest in &mut rest {
                    let k = (u128::from(rng.next_u64()) * u128::from(size)) >> 64;
                    *rest ^= select.kth_bit(*rest, k as u64);
                }
            }
            for (hands, (before, rest)) in hands.iter_mut().zip(before.iter().zip(&rest)) {
                hands[hand] = before ^ rest;
            }
        }
        for (hands, rest) in hands.iter_mut().zip(rest) {
            hands[3] = rest;
        }
        let mut leaders = [0usize; N];
        for _ in 0..13 {
            let mut words: [u64; N] = std::array::from_fn(|_| rng.next_u64());
            let mut led = [0u64; N];
            let mut keys = [[0u64; 4]; N];
            for position in 0..4 {
                for deal in 0..N {
                    let hand = &mut hands[deal][(leaders[deal] + position) & 3];
                    let follow = *hand & led[deal];
                    let legal = if follow == 0 { *hand } else { follow };
                    // Four draws out of one word.
                    let wide = u128::from(words[deal]) * u128::from(legal.count_ones());
                    words[deal] = wide as u64;
                    let card = select.kth_bit(legal, (wide >> 64) as u64);
                    *hand ^= card;
                    if position == 0 {
                        led[deal] = lanes[card.trailing_zeros() as usize / 16];
                    }
                    keys[deal][position] = card & led[deal];
                }
            }
            for deal in 0..N {
                // The winner by two comparisons of what is left of the cards in the suit led.
                let [a, b, c, d] = keys[deal];
                let winner = usize::from((b | d) > (a | c)) + 2 * usize::from((c | d) > (a | b));
                leaders[deal] = (leaders[deal] + winner) & 3;
                signature = u64::rotate_left(signature, 5) ^ leaders[deal] as u64;
            }
        }
    }
    signature
}

/// The kernel with the best selection of this machine.
fn run_kernel<const N: usize>(deals: u64, rng: &mut Mcg128Xsl64) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if let Some(pdep) = overtrick::cards::select::fast_pdep() {
        #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
        fn fast<const N: usize>(deals: u64, rng: &mut Mcg128Xsl64, pdep: overtrick::cards::select::Pdep) -> u64 {
            kernel::<N>(deals, rng, pdep)
        }
        // SAFETY: `fast_pdep` saw these features on this processor.
        return unsafe { fast::<N>(deals, rng, pdep) };
    }
    kernel::<N>(deals, rng, Portable)
}

type Kernel = fn(u64, &mut Mcg128Xsl64) -> u64;

/// Millions of deals a second.
fn rate(deals: u64, work: impl FnOnce()) -> f64 {
    let start = Instant::now();
    work();
    deals as f64 / start.elapsed().as_secs_f64() / 1e6
}

fn median(rates: &mut [f64]) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

fn main() {
    // cargo adds an option.
    let deals = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(DEALS);
    let mut rng = Mcg128Xsl64::new(0x2026_1121);
    let game = Dumbo::new(DumboRules::default()).expect("default rules");
    let seeds = Seeds::new(1, "dumbo", &game, Unit::Deal);
    let build =
        |_| random::Params::default().build::<Dumbo>(&BuildContext::default()).expect("random plays every game");
    let mut engine = Engine::new((0..game.layout().seats).map(build).collect());
    let never = AtomicBool::new(false);
    let kernels: [(usize, Kernel); 5] = [
        (1, run_kernel::<1>),
        (2, run_kernel::<2>),
        (4, run_kernel::<4>),
        (8, run_kernel::<8>),
        (16, run_kernel::<16>),
    ];
    let mut rates = vec![Vec::new(); kernels.len() + 1];
    for round in 0..ROUNDS as u64 {
        for ((_, kernel), rates) in kernels.iter().zip(&mut rates) {
            rates.push(rate(deals, || {
                black_box(kernel(deals, &mut rng));
            }));
        }
        rates[kernels.len()].push(rate(deals, || {
            let mut source = BenchDeals::new(&seeds, round * deals..(round + 1) * deals);
            engine.play(&game, &mut source, &never);
            black_box(source.signature);
        }));
    }
    let mut medians: Vec<f64> = rates.iter_mut().map(|rates| median(rates)).collect();
    let own = medians.pop().expect("a rate");
    for ((side_by_side, _), rate) in kernels.iter().zip(&medians) {
        println!("kernel, {side_by_side:>2} deals side by side   {rate:6.3} million deals a second");
    }
    let best = medians.into_iter().fold(0.0, f64::max);
    println!("dumbo, random bots             {own:6.3} million deals a second");
    println!("ratio to the best kernel       {:6.3}", own / best);
}
