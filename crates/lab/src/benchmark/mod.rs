//! The open benchmark: a fixed panel of opponents in fixed variants, and result files that can be checked.
//!
//! A bot plays a duel with each reference bot in each variant. The definition of the benchmark is data
//! ([`BENCHMARK`]): variants, references, deals, seed and the scale of the score. A result file has integer
//! sums by small parts of the deals, so that a sample of it can be played again
//! ([`Verification`]). The seed of a sealed round is committed to before entries close
//! ([`BenchmarkRound`]).
//!
//! The score of a bot is 0 at the level of one reference and 100 at the level of another. Scores of this form
//! are common for Atari games: Mnih et al. (2015), "Human-level control through deep reinforcement learning",
//! *Nature* 518. Here the mean is taken over opponents and variants.

mod arena;
mod calibration;
mod definition;
mod duel_check;
mod duel_sums;
mod entry;
mod hashing;
mod layout;
mod progress;
mod result_file;
mod round;
mod sampling;
mod scoring;
mod standings;
mod verification;

pub use arena::{BenchmarkArena, BenchmarkControl, BenchmarkPlay};
pub use calibration::check_references;
pub use definition::{BENCHMARK, BenchmarkDefinition, FrozenBot, ScaleEnds};
pub use duel_sums::DuelSums;
pub use entry::{BenchmarkClass, BenchmarkEntry, WasmBudget, check_author};
pub use progress::BenchmarkProgress;
pub use result_file::{BenchmarkId, BenchmarkProgram, BenchmarkResult, ReferenceId};
pub use round::{BenchmarkRound, PlayedRound};
pub use sampling::{ReplaySample, all_parts, samples};
pub use scoring::{BenchmarkRow, BenchmarkScore, ResultScore};
pub use standings::{AuthorRow, StandingRow, Standings};
pub use verification::Verification;
