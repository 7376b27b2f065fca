//! How many decisions a second a WebAssembly module makes on one core, with all of the playing loop: a simple one that
//! writes nothing, one that counts in its memory, which is put back each time, and one with a larger memory; and how
//! much fuel a second of running takes.
//!
//! `cargo bench --profile dist --features wasm --bench wasm`

use std::sync::Arc;
use std::time::Instant;

use overtrick::game::FullGame;
use overtrick::games::{Variant, Visitor};
use overtrick::strategies::{Bot, BuildContext};
use overtrick::toml_source::Source;
use overtrick::tournament::{BenchDeals, Engine, Seeds, Unit};

const VARIANTS: [&str; 5] = ["dumbo", "euchre-24", "dummy-whist", "colour-blind", "chameleon"];
const DEALS: u64 = 2000;
/// Rounds, of which the fastest counts: others may use the core, too.
const ROUNDS: u64 = 5;

const BY_SEED: &str = "(i32.rem_u (i32.load offset=4 (local.get $at)) (i32.load8_u offset=24 (local.get $at)))";
const STORE: &str = "(i32.store (i32.const 8) (i32.add (i32.load (i32.const 8)) (i32.const 1)))";
const LOOP: &str = "(local $n i32) (loop $l (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br_if $l (i32.lt_u (local.get $n) (i32.const 20000))))";

/// A bot that chooses by the instructions `decide`, with this number of pages of memory.
fn bot(name: &str, pages: u32, decide: &str) -> Bot {
    let text = format!(
        "(module (memory (export \"memory\") {pages})
            (func (export \"overtrick_version\") (result i32) (i32.const 1))
            (func (export \"overtrick_buffer\") (param i32) (result i32) (i32.const 1024))
            (func (export \"overtrick_decide\") (param $at i32) (result i32) {decide} {BY_SEED}))"
    );
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("bot.wasm"), wat::parse_str(text).expect("a module")).expect("a file");
    let manifest = format!("name = {name:?}\nstrategy = \"wasm\"\n[parameters]\nmodule = \"bot.wasm\"\n");
    let source = Source::parse(&folder.path().join("x.toml"), manifest).expect("TOML");
    Bot::from_table(&source, &[], source.table()).expect("a bot")
}

/// Decisions, and the seconds that they take.
struct Rate<'a>(&'a Bot, &'a Variant, u64);

impl Visitor for Rate<'_> {
    type Output = (u64, f64);
    fn visit<G: FullGame>(self, game: &Arc<G>) -> (u64, f64) {
        let Rate(bot, variant, deals) = self;
        let seeds = Seeds::new(1, &variant.name, game.as_ref(), Unit::Deal);
        let build = || bot.spec.build::<G>(&BuildContext::of(variant)).expect("it plays every variant");
        let mut engine = Engine::new((0..3).map(|_| build()).collect());
        let mut work = BenchDeals::new(&seeds, 0..deals);
        let start = Instant::now();
        engine.play(game.as_ref(), &mut work, &Default::default());
        let time = start.elapsed().as_secs_f64();
        (engine.take_clocks().iter().map(|clock| clock.decisions).sum(), time)
    }
}

/// The fastest of some rounds.
fn best(bot: &Bot, variant: &Variant, deals: u64) -> (u64, f64) {
    let rounds = (0..ROUNDS).map(|_| variant.game.visit(Rate(bot, variant, deals)));
    rounds.min_by(|one, other| one.1.total_cmp(&other.1)).expect("there are rounds")
}

fn main() {
    let bots = [bot("simple", 1, ""), bot("stores-64-KiB", 1, STORE), bot("stores-1-MiB", 16, STORE)];
    for name in VARIANTS {
        let variant = Variant::preset(name).expect("a preset");
        let rate = |bot: &Bot| {
            let (decisions, seconds) = best(bot, &variant, DEALS);
            format!("{}: {:.0}", bot.name, decisions as f64 / seconds)
        };
        println!("{name}, decisions a second: {}", bots.iter().map(rate).collect::<Vec<_>>().join(", "));
    }
    // Twenty thousand turns of five instructions.
    let (decisions, seconds) = best(&bot("loop", 1, LOOP), &Variant::preset("dumbo").expect("a preset"), 5);
    let turns = 20_000.0 * decisions as f64 / seconds;
    println!("turns of a loop of five instructions a second: {turns:.0}");
}
