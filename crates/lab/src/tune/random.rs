//! Random numbers for tuning.

use overtrick_cards::{SeedSource, Stream};
pub(super) use overtrick_stats::{normal, uniform};

/// Returns the stream for a round of tuning; `purpose` names the stage.
pub fn stream(seed: u64, purpose: &str, round: u64) -> Stream {
    SeedSource::new(seed, "tune", purpose).stream(round, 0)
}
