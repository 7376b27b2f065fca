//! Runs of a simulation on all cores. The results are those of one core.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Returns the results of `run` for the numbers below `runs`, in their order.
pub fn each<T: Send>(runs: u64, run: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let (next, results) = (AtomicU64::new(0), Mutex::new(Vec::new()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= runs {
                        return;
                    }
                    let result = run(number);
                    results.lock().unwrap().push((number, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap();
    results.sort_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}
