//! How many decisions a second the example bots make, and what batches gain: the whole way, from the harness's view to
//! the move that it makes. Unbatched is one decision a line, one answer a line. First harness and bot share one core;
//! then they may use all, so that without batches each waits for the other to be woken up.
//!
//! `cargo build --profile dist -p overtrick-strategy --example highlow && cargo bench --profile dist --bench bots`

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use overtrick::game::FullGame;
use overtrick::games::{Variant, Visitor};
use overtrick::protocol::{Message, VariantSeen};
use overtrick::strategies::process::trial::Trial;
use overtrick::strategies::process::{Params, Session};

const VARIANTS: [&str; 5] = ["dumbo", "euchre-24", "dummy-whist", "colour-blind", "chameleon"];
/// Deals side by side, more than a message holds decisions.
const DEALS: u64 = 256;
/// Rounds, of which the fastest counts: others may use the core, too.
const ROUNDS: u64 = 7;

/// Decisions a second, with this number of them in a message.
struct Rate<'a> {
    session: &'a mut Session,
    variant: &'a str,
    batch: usize,
    round: u64,
}

impl Visitor for Rate<'_> {
    type Output = f64;
    fn visit<G: FullGame>(self, game: &Arc<G>) -> f64 {
        let trial = Trial::new(game.as_ref(), self.variant);
        let first = self.round * DEALS;
        // The deals are made before the clock runs; the bot also gets the variant before.
        let start = Instant::now();
        let played = trial.play(self.session, first..first + DEALS, self.batch);
        let time = start.elapsed();
        assert!(played.end.is_none() && played.illegal.is_empty(), "{:?} {:?}", played.end, played.illegal);
        played.decisions() as f64 / time.as_secs_f64()
    }
}

struct Tell<'a>(&'a mut Session, &'a str);

impl Visitor for Tell<'_> {
    type Output = ();
    fn visit<G: FullGame>(self, game: &Arc<G>) {
        self.0.tell(&Message::Variant(VariantSeen::of(game.as_ref(), self.1, self.1))).expect("the bot listens");
    }
}

fn measure(name: &str, command: Vec<String>) {
    let mut session = match Session::start(&Params { command, ..Params::default() }, None, &Default::default()) {
        Ok(session) => session,
        Err(fault) => return println!("{name}: {fault}"),
    };
    let batch = session.hello().batch.0 as usize;
    for variant in VARIANTS {
        let game = Variant::preset(variant).expect("a preset").game;
        game.visit(Tell(&mut session, variant));
        let mut best = [0.0, 0.0];
        for round in 0..ROUNDS {
            for (batch, best) in [batch, 1].into_iter().zip(&mut best) {
                let rate = game.visit(Rate { session: &mut session, variant, batch, round });
                *best = f64::max(*best, rate);
            }
        }
        let [batched, single] = best;
        println!("{name:<14}{variant:<14}{batch:>8}{batched:>14.0}{single:>14.0}{:>8.1}", batched / single);
    }
    session.close(Duration::from_secs(2));
}

fn main() {
    // Words after `--` name bots to measure; cargo adds an option.
    let named: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    // The examples lie in the folder of this program.
    let here = std::env::current_exe().expect("a program");
    let example = here.parent().and_then(Path::parent).expect("target/release/deps").join("examples/highlow");
    on_cores(|cores| {
        println!("{:<14}{:<14}{:>8}{:>14}{:>14}{:>8}", cores, "variant", "batch", "batched/s", "unbatched/s", "ratio");
        let python =
            |bot| (bot, vec!["python3".to_owned(), folder.join("bots/examples").join(bot).display().to_string()]);
        let bots = [python("simple.py"), python("counting.py"), ("highlow", vec![example.display().to_string()])];
        for (bot, command) in
            bots.into_iter().filter(|(bot, _)| named.is_empty() || named.iter().any(|name| name == bot))
        {
            measure(bot, command);
        }
    });
}

/// Calls `measure` on one core and on all, each by its name.
#[cfg(target_os = "linux")]
fn on_cores(measure: impl Fn(&str)) {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
    let all = sched_getaffinity(None).expect("the cores of this process");
    let mut one = CpuSet::new();
    one.set(sched_getcpu());
    for (cores, set) in [("one core", one), ("all cores", all)] {
        // Children inherit it.
        sched_setaffinity(None, &set).expect("a core that this process has");
        measure(cores);
    }
}

/// Elsewhere a process cannot be kept on a core.
#[cfg(not(target_os = "linux"))]
fn on_cores(measure: impl Fn(&str)) {
    measure("all cores");
}
