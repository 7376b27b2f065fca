//! The strategies that play on each thread.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::game::{FieldError, FullGame};
use crate::games::Variant;
use crate::strategies::process::ProcessPool;
use crate::strategies::{AnySpec, Bot, BuildContext, random, rule_based};
use crate::strategy::Strategy;

/// The bots of a tournament in one variant.
pub(super) struct Roster<'a> {
    bots: &'a [Bot],
    variant: &'a Variant,
    /// By bot: its processes, if it is outside.
    process_pools: Vec<Option<Arc<ProcessPool>>>,
}

impl<'a> Roster<'a> {
    /// The roster for `threads` threads. No process is started yet. Setting `stop` ends all waiting; logs go to the
    /// folder `logs`.
    pub(super) fn new(
        bots: &'a [Bot],
        variant: &'a Variant,
        threads: usize,
        stop: &Arc<AtomicBool>,
        logs: Option<&Path>,
    ) -> Roster<'a> {
        let process_pool = |bot: &Bot| {
            let params = bot.spec.process()?;
            let log = logs.map(|folder| folder.join(bot.log_name()));
            Some(Arc::new(ProcessPool::new(params, threads, log, Arc::clone(stop))))
        };
        Roster { bots, variant, process_pools: bots.iter().map(process_pool).collect() }
    }

    /// The strategies of the bots for a thread.
    ///
    /// # Errors
    /// If a bot does not play the variant.
    pub(super) fn strategies<G: FullGame>(&self, thread: usize) -> Result<Vec<Box<dyn Strategy<G>>>, FieldError> {
        let build = |(bot, process_pool): (&Bot, &Option<Arc<ProcessPool>>)| {
            let context = BuildContext { process_pool: process_pool.clone(), thread, ..BuildContext::of(self.variant) };
            bot.spec.build::<G>(&context)
        };
        self.bots.iter().zip(&self.process_pools).map(build).collect()
    }
}

/// The strategy that plays on for a bot that has forfeited a deal.
pub(super) fn substitute<G: FullGame>(variant: &Variant) -> Box<dyn Strategy<G>> {
    let context = BuildContext::of(variant);
    let rule_based = AnySpec::RuleBased(rule_based::Params::default());
    let random = AnySpec::Random(random::Params::default());
    let found = [rule_based, random].iter().find_map(|spec| spec.build(&context).ok());
    found.expect("random plays every game")
}
