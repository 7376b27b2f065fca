//! The controls of a run, by which other threads stop it and follow its progress.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::VariantRun;

/// The counts that the threads of a run update while they play.
pub(super) struct Progress {
    /// The number of finished games.
    pub(super) games: AtomicU64,
    /// By bot: the sum of its scores and the number of its deals.
    pub(super) scores: Vec<(AtomicI64, AtomicU64)>,
}

impl Progress {
    fn new(bots: usize) -> Progress {
        Progress { games: AtomicU64::new(0), scores: (0..bots).map(|_| Default::default()).collect() }
    }
}

/// The controls of a run, shared with other threads.
pub struct Control {
    /// Stops the run within a moment when set.
    pub stop: Arc<AtomicBool>,
    /// The folder for the logs of external bots. Without a folder no logs are kept.
    logs: Option<PathBuf>,
    pub(super) progress: Progress,
    /// By bot: its figures up to the last segment of the current variant.
    bots: Mutex<Vec<BotProgress>>,
}

/// The figures of a bot so far.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BotProgress {
    /// The mean score of a deal, over all variants so far; `None` before the first deal.
    pub mean: Option<f64>,
    /// The mean time of a decision.
    pub time: Duration,
    /// The number of faults.
    pub faults: u64,
}

impl Control {
    /// Makes the controls of a run with `bots` bots. The standard error of external bots goes into files in
    /// `logs`.
    pub fn new(bots: usize, logs: Option<PathBuf>) -> Control {
        let progress = Progress::new(bots);
        Control { stop: Arc::default(), logs, progress, bots: Mutex::new(vec![BotProgress::default(); bots]) }
    }

    /// Returns, by bot, its figures so far.
    pub fn bot_progress(&self) -> Vec<BotProgress> {
        let mut bots = self.bots.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for (bot, (sum, deals)) in bots.iter_mut().zip(&self.progress.scores) {
            let deals = deals.load(Ordering::Relaxed);
            bot.mean = (deals > 0).then(|| sum.load(Ordering::Relaxed) as f64 / deals as f64);
        }
        bots
    }

    /// Returns the folder for the logs of external bots.
    pub(super) fn logs(&self) -> Option<&Path> {
        self.logs.as_deref()
    }

    /// Updates the figures of the bots from the run of a variant.
    pub(super) fn take(&self, run: &VariantRun) {
        let mut bots = self.bots.lock().unwrap_or_else(PoisonError::into_inner);
        for (bot, (clock, faults)) in bots.iter_mut().zip(run.clocks.iter().zip(&run.faults)) {
            (bot.time, bot.faults) = (clock.mean(), faults.count());
        }
    }

    /// Counts games that were finished before the controls were made.
    pub fn add_games(&self, games: u64) {
        self.progress.games.fetch_add(games, Ordering::Relaxed);
    }

    /// Subtracts games that will be played again from the count.
    pub fn take_back(&self, games: u64) {
        self.progress.games.fetch_sub(games, Ordering::Relaxed);
    }

    /// Returns the number of finished games, which may lag behind a little.
    pub fn games_done(&self) -> u64 {
        self.progress.games.load(Ordering::Relaxed)
    }
}
