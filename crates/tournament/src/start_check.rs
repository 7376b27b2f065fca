//! Checks that all bots start, before the first deal.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use overtrick_external::process::{StartFailure, start_check};
use overtrick_games::Variant;
use overtrick_strategies::Bot;
use overtrick_strategy::ids::BotId;
use overtrick_strategy::protocol::VariantSeen;
use rayon::prelude::*;

/// Starts every external bot once, on the threads of `pool`, and ends it again.
///
/// Returns the first bot that does not start or does not play all of `variants`. Setting `stop` ends all
/// waiting, and the result is then invalid.
pub fn first_start_failure(
    bots: &[Bot],
    variants: &[Variant],
    pool: &rayon::ThreadPool,
    stop: &Arc<AtomicBool>,
) -> Option<(BotId, StartFailure)> {
    let seen = |variant: &Variant| VariantSeen::of(variant.game.erased().as_ref(), &variant.name, &variant.base);
    let variants: Vec<VariantSeen> = variants.iter().map(seen).collect();
    let try_out = |(number, bot): (usize, &Bot)| {
        if stop.load(Ordering::Relaxed) {
            return None;
        }
        let lost = bot.spec.absence();
        let no_show = match lost {
            Some(fault) => StartFailure { fault, words: String::new() },
            None => start_check(bot.spec.process()?, &variants, stop).err()?,
        };
        Some((BotId::new(number), no_show))
    };
    pool.install(|| bots.par_iter().enumerate().find_map_first(try_out))
}
