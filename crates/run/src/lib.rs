//! Plays a tournament, or a part of its numbers, in a run that can be stopped and resumed.
//!
//! ```
//! use std::path::Path;
//!
//! use overtrick_tournament::{Overrides, Tournament};
//! use overtrick_toml::Source;
//! use overtrick_run::Run;
//!
//! let config = r#"
//!     seed = 1
//!     format = "duel"
//!     deals = 200
//!     variants = ["euchre-24"]
//!     bots = ["rule-based", "random"]
//! "#;
//! let source = Source::parse(Path::new("duel.toml"), config.to_owned())?;
//! let tournament = Tournament::resolve(&source, Overrides::default())?;
//! let results = Run::new(tournament).threads(2).play()?.results();
//! println!("{}", results.headlines[0].text);
//! assert_eq!(results.ratings[0].bot, "rule-based");
//! # Ok::<(), overtrick_toml::InputError>(())
//! ```
//!
//! A run goes in [`Segments`]. Between two of them its tallies cover exactly the numbers so far, regardless
//! of which threads played them. There the run may stop, and there [`Observer`]s see how far it is. An
//! observer is a progress bar, for example, or a writer of checkpoints, which puts the tallies into a
//! [`Snapshot`]. [`Extent`] says which numbers are played.

mod changed_program;
mod difference;
mod kin_error;
mod observer;
mod play;
mod renamed;
mod saved;
mod sealed;
mod segments;
mod shard;
mod snapshot;
mod staged;
mod threads;

pub use difference::{ConfigDifference, different_line};
pub use kin_error::KinError;
pub use observer::{Observer, SoFar};
pub use play::{Run, RunOutcome};
pub use renamed::name_of;
pub use saved::{Progress, Saved};
pub use sealed::{sealed, unsealed};
pub use segments::Segments;
pub use shard::{Extent, Partial, Shard, named};
pub use snapshot::{Kin, Snapshot, SnapshotRef};
pub use staged::{remove_staged, stage_file, write_whole};
pub use threads::Threads;
