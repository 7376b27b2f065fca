//! What steers and watches a run from outside.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::tournament::VariantRun;

/// What the threads of a run report while they play.
pub(super) struct Progress {
    /// Games done.
    pub(super) games: AtomicU64,
    /// By bot: the sum of its scores and the number of its deals.
    pub(super) scores: Vec<(AtomicI64, AtomicU64)>,
}

impl Progress {
    fn new(bots: usize) -> Progress {
        Progress { games: AtomicU64::new(0), scores: (0..bots).map(|_| Default::default()).collect() }
    }
}

/// What steers and watches a run from outside.
pub struct Control {
    /// Set to stop the run within a moment.
    pub stop: Arc<AtomicBool>,
    /// The folder for the logs of bots outside of the process; without one they are not kept.
    logs: Option<PathBuf>,
    pub(super) progress: Progress,
    /// By bot, up to the last segment of the variant in progress.
    pace: Mutex<Vec<BotProgress>>,
}

/// How a bot is doing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BotProgress {
    /// The mean score of a deal, over all variants so far.
    pub mean: Option<f64>,
    /// The mean time of a decision.
    pub time: Duration,
    /// Faults.
    pub faults: u64,
}

impl Control {
    /// The control of a run with so many bots; what those outside of the process write to their standard error goes
    /// into files in `logs`.
    pub fn new(bots: usize, logs: Option<PathBuf>) -> Control {
        let pace = Mutex::new(vec![BotProgress::default(); bots]);
        Control { stop: Arc::default(), logs, progress: Progress::new(bots), pace }
    }

    /// By bot: how it is doing.
    pub fn pace(&self) -> Vec<BotProgress> {
        let mut pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for (pace, (sum, deals)) in pace.iter_mut().zip(&self.progress.scores) {
            let deals = deals.load(Ordering::Relaxed);
            pace.mean = (deals > 0).then(|| sum.load(Ordering::Relaxed) as f64 / deals as f64);
        }
        pace
    }

    /// The folder for the logs of bots outside of the process.
    pub(super) fn logs(&self) -> Option<&Path> {
        self.logs.as_deref()
    }

    /// Takes in how a variant goes.
    pub(super) fn take(&self, ran: &VariantRun) {
        let mut pace = self.pace.lock().unwrap_or_else(PoisonError::into_inner);
        for (pace, (clock, faults)) in pace.iter_mut().zip(ran.clocks.iter().zip(&ran.faults)) {
            (pace.time, pace.faults) = (clock.mean(), faults.count());
        }
    }

    /// Counts games that were done before the control was made.
    pub fn add_games(&self, games: u64) {
        self.progress.games.fetch_add(games, Ordering::Relaxed);
    }

    /// Forgets games that are to be played again.
    pub fn take_back(&self, games: u64) {
        self.progress.games.fetch_sub(games, Ordering::Relaxed);
    }

    /// How many games are done, or nearly so.
    pub fn games_done(&self) -> u64 {
        self.progress.games.load(Ordering::Relaxed)
    }
}
