//! Checks, before the first deal, that all bots start.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use rayon::prelude::*;

use crate::game::FullGame;
use crate::games::{Variant, Visitor};
use crate::ids::BotId;
use crate::protocol::VariantSeen;
use crate::strategies::Bot;
use crate::strategies::process::{StartFailure, start_check};

/// Starts every bot that is outside of the process once, on the threads of `pool`, and ends it again. Gives the first
/// bot that does not start or does not play all of `variants`. Setting `stop` ends all waiting; the result then means
/// nothing.
pub(crate) fn first_start_failure(
    bots: &[Bot],
    variants: &[Variant],
    pool: &rayon::ThreadPool,
    stop: &Arc<AtomicBool>,
) -> Option<(BotId, StartFailure)> {
    let seen = |variant: &Variant| variant.game.visit(Seen(variant));
    let variants: Vec<VariantSeen> = variants.iter().map(seen).collect();
    let try_out = |(number, bot): (usize, &Bot)| {
        let lost = bot.spec.absence();
        let no_show = match lost {
            Some(fault) => StartFailure { fault, words: String::new() },
            None => start_check(bot.spec.process()?, &variants, stop).err()?,
        };
        Some((BotId::new(number), no_show))
    };
    pool.install(|| bots.par_iter().enumerate().find_map_first(try_out))
}

struct Seen<'a>(&'a Variant);

impl Visitor for Seen<'_> {
    type Output = VariantSeen;
    fn visit<G: FullGame>(self, game: &Arc<G>) -> VariantSeen {
        VariantSeen::of(game.as_ref(), &self.0.name, &self.0.base)
    }
}
