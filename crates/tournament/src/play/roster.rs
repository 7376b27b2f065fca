//! The strategies that play on each thread.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use overtrick_external::BuildContext;
use overtrick_external::process::ProcessPool;
use overtrick_game::{FieldError, FullGame};
use overtrick_games::Variant;
use overtrick_strategies::{AnySpec, Bot, random, rule_based};
use overtrick_strategy::Strategy;

use crate::Schedule;

/// The bots of a tournament in one variant.
pub(super) struct Roster<'a> {
    bots: &'a [Bot],
    variant: &'a Variant,
    /// By bot: its processes, if it runs outside the Overtrick process.
    process_pools: Vec<Option<Arc<ProcessPool>>>,
    /// The share of decisions of external bots that are asked again.
    audit: f64,
}

impl<'a> Roster<'a> {
    /// Makes the roster for `threads` threads. No process is started yet. Setting `stop` ends all waiting,
    /// and logs go to the folder `logs`.
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
        Roster { bots, variant, process_pools: bots.iter().map(process_pool).collect(), audit: 0.0 }
    }

    /// Prepares the roster for games whose results count.
    ///
    /// Bots that sit more than once at a table get a process for each seat. A share of the decisions of
    /// external bots are asked again.
    pub(super) fn guarded(mut self, schedule: &Schedule, audit: f64) -> Roster<'a> {
        if schedule.seats_bots_twice() {
            let apart = |pool: Arc<ProcessPool>| {
                let pool = Arc::into_inner(pool).expect("no strategy has been made yet");
                Arc::new(pool.by_seat(schedule.seats))
            };
            self.process_pools = self.process_pools.into_iter().map(|pool| pool.map(apart)).collect();
        }
        Roster { audit, ..self }
    }

    /// Asks a share `audit` of the decisions of external bots again.
    pub(super) fn audited(self, audit: f64) -> Roster<'a> {
        Roster { audit, ..self }
    }

    /// Builds the strategies of the bots for a thread.
    ///
    /// # Errors
    /// If a bot cannot play the variant.
    pub(super) fn strategies<G: FullGame>(&self, thread: usize) -> Result<Vec<Box<dyn Strategy<G>>>, FieldError> {
        let build = |(bot, process_pool): (&Bot, &Option<Arc<ProcessPool>>)| {
            let (process_pool, audit) = (process_pool.clone(), self.audit);
            let context = BuildContext { process_pool, thread, audit, ..BuildContext::of(self.variant) };
            bot.spec.build::<G>(&context)
        };
        self.bots.iter().zip(&self.process_pools).map(build).collect()
    }
}

/// Builds the strategy that plays on for a bot that has forfeited a deal.
pub(super) fn substitute<G: FullGame>(variant: &Variant) -> Box<dyn Strategy<G>> {
    let context = BuildContext::of(variant);
    let rule_based = AnySpec::RuleBased(rule_based::Params::default());
    let random = AnySpec::Random(random::Params::default());
    let found = [rule_based, random].iter().find_map(|spec| spec.build(&context).ok());
    found.expect("random plays every game")
}
