//! The speed of games from files, and of the same games in Rust, with random bots.
//!
//! Both play the same deals in turn, round by round, so that a drift of the machine's speed meets both alike.
//!
//! `cargo bench --profile dist --bench declared`; a number behind `--` is that of the deals in a round.

use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use overtrick::game::{FullGame, Game};
use overtrick::games::colour_blind::{ColourBlind, ColourBlindRules};
use overtrick::games::dumbo::{Dumbo, DumboRules};
use overtrick::games::euchre::{Euchre, EuchreRules};
use overtrick::language::DeclaredGame;
use overtrick::strategies::{BuildContext, StrategySpec, random};
use overtrick::tournament::{BenchDeals, Engine, Seeds, Unit};

/// The deals in a round, unless the command line says another number.
const DEALS: u64 = 240_000;
const ROUNDS: u64 = 15;

/// A game with the engine that plays it.
struct Contender<'a, G: FullGame> {
    game: &'a G,
    seeds: Seeds,
    engine: Engine<G>,
    signature: u64,
}

impl<'a, G: FullGame> Contender<'a, G> {
    fn new(game: &'a G) -> Contender<'a, G> {
        let build =
            |_| random::Params::default().build::<G>(&BuildContext::default()).expect("random plays every game");
        let engine = Engine::new((0..game.layout().seats).map(build).collect());
        // The name is that of the variant, so both draw the same numbers.
        Contender { game, seeds: Seeds::new(1, "the same", game, Unit::Deal), engine, signature: 0 }
    }

    /// Plays a round, and returns millions of deals a second.
    fn round(&mut self, round: u64, deals: u64) -> f64 {
        let start = Instant::now();
        let mut source = BenchDeals::new(&self.seeds, round * deals..(round + 1) * deals);
        self.engine.play(self.game, &mut source, &AtomicBool::new(false));
        self.signature ^= black_box(source.signature);
        deals as f64 / start.elapsed().as_secs_f64() / 1e6
    }
}

fn median(mut rates: Vec<f64>) -> f64 {
    rates.sort_by(f64::total_cmp);
    rates[rates.len() / 2]
}

fn compare<G: FullGame>(rust: &G, file: &str, deals: u64) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/language/tests/language/games").join(file);
    let declared = DeclaredGame::read(&path).expect("a game");
    let (mut one, mut other) = (Contender::new(rust), Contender::new(&declared));
    let (mut fast, mut slow, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        // Each goes first in every second round.
        let (first, second);
        if round.is_multiple_of(2) {
            first = one.round(round, deals);
            second = other.round(round, deals);
        } else {
            second = other.round(round, deals);
            first = one.round(round, deals);
        }
        fast.push(first);
        slow.push(second);
        ratios.push(second / first);
    }
    assert_eq!(one.signature, other.signature, "both play the same");
    println!(
        "{file:<24} in Rust {:6.3}, from the file {:6.3} million deals a second, ratio {:5.3}",
        median(fast),
        median(slow),
        median(ratios)
    );
}

fn main() {
    // cargo adds an option.
    let deals = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(DEALS);
    compare(&Dumbo::new(DumboRules::default()).expect("default rules"), "dumbo.toml", deals);
    compare(&Euchre::new(EuchreRules::default()).expect("default rules"), "euchre.toml", deals);
    compare(&ColourBlind::new(ColourBlindRules::default()).expect("default rules"), "colour-blind.toml", deals);
}
