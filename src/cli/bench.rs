//! `overtrick bench`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{Ended, print};
use crate::arena::{Engine, Fresh, Seeds, Unit};
use crate::game::Game;
use crate::games::{Variant, Visitor};
use crate::input::InputError;
use crate::report::table;
use crate::strategies::{AnyRecipe, Scene, random};

/// Deals in one measured round.
const ROUND: u64 = 200_000;
/// Rounds; the median is reported.
const ROUNDS: u64 = 7;

/// Measure deals a second on one core with random bots.
#[derive(clap::Args)]
pub struct Args {
    /// Only this variant, by name or file.
    #[arg(long)]
    variant: Option<String>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// What a variant's benchmark found.
struct Measured {
    /// The median over rounds.
    median: Duration,
    /// The fastest round.
    best: Duration,
    /// Changes if any score of any deal changes.
    signature: u64,
}

struct Measure<'a>(&'a str);

impl Visitor for Measure<'_> {
    type Output = Measured;

    fn visit<G: Game>(self, game: &Arc<G>) -> Measured {
        let seeds = Seeds::new(1, self.0, game.as_ref(), Unit::Deal);
        let random = AnyRecipe::Random(random::Params::default());
        let strategies =
            (0..3).map(|_| random.build::<G>(&Scene::default()).expect("random plays every game")).collect();
        let mut engine = Engine::new(game.as_ref(), strategies);
        let never = AtomicBool::new(false);
        let mut signature = 0u64;
        let mut times: Vec<Duration> = (0..ROUNDS)
            .map(|round| {
                let mut deals = Fresh::new(&seeds, round * ROUND..(round + 1) * ROUND);
                let start = Instant::now();
                engine.play(&mut deals, &never);
                let time = start.elapsed();
                signature = signature.wrapping_add(deals.signature);
                time
            })
            .collect();
        times.sort_unstable();
        Measured { median: times[times.len() / 2], best: times[0], signature }
    }
}

pub fn bench(args: &Args) -> Result<Ended, InputError> {
    let variants = match &args.variant {
        Some(name) => vec![Variant::named(name)?],
        None => Variant::all(),
    };
    let rate = |time: Duration| (ROUND as f64 / time.as_secs_f64()).round();
    let measured: Vec<(Variant, Measured)> = variants
        .into_iter()
        .map(|variant| {
            let measured = variant.game.visit(Measure(&variant.name));
            (variant, measured)
        })
        .collect();
    if args.json {
        let row = |(variant, measured): &(Variant, Measured)| {
            json!({
                "variant": variant.name,
                "deals-per-second": rate(measured.median),
                "deals-per-second-best": rate(measured.best),
                "signature": format!("{:016x}", measured.signature),
            })
        };
        let rows: Vec<_> = measured.iter().map(row).collect();
        print(&format!("{}\n", serde_json::to_string_pretty(&rows).expect("plain values")));
    } else {
        let row = |(variant, measured): &(Variant, Measured)| {
            let millions = |time| format!("{:.3}", rate(time) / 1e6);
            vec![
                variant.name.clone(),
                format!("{:016x}", measured.signature),
                millions(measured.median),
                millions(measured.best),
            ]
        };
        let headings = ["variant", "signature", "million deals a second (median)", "(best)"];
        print(&format!("{}\n", table(&headings, 2, measured.iter().map(row))));
    }
    Ok(Ended::Done)
}
