//! How long a run waits for a bot in vain, all in all, before it gives the bot up.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// The time that a run may wait in vain for one bot, shared by all its processes.
#[derive(Clone, Debug)]
pub struct Patience {
    most: Duration,
    /// What is spent of it, in milliseconds.
    spent: Arc<AtomicU64>,
}

impl Patience {
    /// The time that is waited where nothing else is said, in seconds.
    pub const DEFAULT: f64 = 600.0;

    /// So much time, of which nothing is spent yet.
    pub fn of(most: Duration) -> Patience {
        Patience { most, spent: Arc::default() }
    }

    /// Counts a wait in vain.
    pub fn spend(&self, wait: Duration) {
        self.spent.fetch_add(wait.as_millis() as u64, Ordering::Relaxed);
    }

    /// Whether all of it is spent.
    pub fn is_spent(&self) -> bool {
        u128::from(self.spent.load(Ordering::Relaxed)) >= self.most.as_millis()
    }

    /// The whole of it.
    pub fn most(&self) -> Duration {
        self.most
    }
}

impl Default for Patience {
    fn default() -> Patience {
        Patience::of(Duration::from_secs_f64(Patience::DEFAULT))
    }
}

/// What is spent is no setting, so bots with other settings alike are alike.
impl PartialEq for Patience {
    fn eq(&self, other: &Patience) -> bool {
        self.most == other.most
    }
}
