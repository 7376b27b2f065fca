//! The threads that runs play on.

use std::sync::Arc;

use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::toml_source::InputError;

/// Threads that wait for work. To start them takes longer than to play a hundred deals, so a program that plays many
/// short runs keeps them and hands them to each ([`Run::on`](super::Run::on)); clones are the same threads.
#[derive(Clone, Debug)]
pub struct Threads(Arc<ThreadPool>);

impl Threads {
    /// So many threads, one at least.
    ///
    /// # Errors
    /// If the system does not give them.
    pub fn new(count: usize) -> Result<Threads, InputError> {
        let pool = ThreadPoolBuilder::new().num_threads(count.max(1)).build();
        let pool = pool.map_err(|error| InputError::plain(format!("threads cannot be started: {error}")))?;
        Ok(Threads(Arc::new(pool)))
    }

    /// A thread for each core.
    ///
    /// # Errors
    /// If the system does not give them.
    pub fn all() -> Result<Threads, InputError> {
        Threads::new(std::thread::available_parallelism().map_or(1, usize::from))
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.0.current_num_threads()
    }

    pub(super) fn pool(&self) -> &ThreadPool {
        &self.0
    }
}
