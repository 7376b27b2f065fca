//! The total time that a run waits for a bot in vain before it gives the bot up.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The time that a run may wait in vain for one bot, shared by all its processes.
#[derive(Clone, Debug)]
pub struct Patience {
    most: Duration,
    /// The time spent so far, in milliseconds.
    spent: Arc<AtomicU64>,
}

impl Patience {
    /// The default time, in seconds.
    pub const DEFAULT: f64 = 600.0;

    /// Returns a patience of `most`, of which nothing is spent yet.
    pub fn of(most: Duration) -> Patience {
        Patience { most, spent: Arc::default() }
    }

    /// Adds a wait in vain.
    pub fn spend(&self, wait: Duration) {
        self.spent.fetch_add(wait.as_millis() as u64, Ordering::Relaxed);
    }

    /// Returns whether all the time is spent.
    pub fn is_spent(&self) -> bool {
        u128::from(self.spent.load(Ordering::Relaxed)) >= self.most.as_millis()
    }

    /// Returns the whole time.
    pub fn most(&self) -> Duration {
        self.most
    }
}

impl Default for Patience {
    fn default() -> Patience {
        Patience::of(Duration::from_secs_f64(Patience::DEFAULT))
    }
}

/// Ignores the time spent, which is not a setting: bots with equal settings are equal.
impl PartialEq for Patience {
    fn eq(&self, other: &Patience) -> bool {
        self.most == other.most
    }
}
