//! The threads on which runs play.

use std::sync::Arc;

use overtrick_toml::InputError;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// Threads that wait for work.
///
/// Starting them takes longer than playing a hundred deals. A program that plays many short runs keeps them
/// and passes them to each run ([`Run::on`](super::Run::on)). Clones are the same threads.
#[derive(Clone, Debug)]
pub struct Threads {
    pool: Arc<ThreadPool>,
    plays_all: bool,
}

impl Threads {
    /// Starts `count` threads, at least one.
    ///
    /// # Errors
    /// If the system refuses to start them.
    pub fn new(count: usize) -> Result<Threads, InputError> {
        let pool = ThreadPoolBuilder::new().num_threads(count.max(1)).build();
        let pool = pool.map_err(|error| InputError::plain(format!("threads cannot be started: {error}")))?;
        Ok(Threads { pool: Arc::new(pool), plays_all: false })
    }

    /// Starts a thread for each core.
    ///
    /// # Errors
    /// If the system refuses to start them.
    pub fn all() -> Result<Threads, InputError> {
        Threads::new(std::thread::available_parallelism().map_or(1, usize::from))
    }

    /// Returns the same threads, which play every game by itself if `plays_all`.
    ///
    /// By default they share decisions among games of the same cards. The results are the same.
    pub fn playing_all(self, plays_all: bool) -> Threads {
        Threads { plays_all, ..self }
    }

    /// Returns whether every game is played by itself.
    pub fn plays_all(&self) -> bool {
        self.plays_all
    }

    /// Returns the number of threads.
    pub fn count(&self) -> usize {
        self.pool.current_num_threads()
    }

    /// Returns the pool that the threads make.
    pub fn pool(&self) -> &ThreadPool {
        &self.pool
    }
}
