//! A run: which of a tournament's numbers are played, and the file in which their tallies are kept.

mod ledger;
mod shard;
mod staged;

pub use ledger::{Kin, Ledger, Page, different_line};
pub use shard::{Extent, Shard, named};
pub(crate) use staged::stage_file;
pub use staged::sweep;
