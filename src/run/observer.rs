//! Who watches a run from outside.

use super::Extent;
use crate::toml_source::InputError;
use crate::tournament::{Tournament, VariantRun};

/// A run between two segments.
#[derive(Clone, Copy)]
pub struct SoFar<'a> {
    /// The tournament, without the bots that were disqualified.
    pub tournament: &'a Tournament,
    /// Which numbers are played.
    pub extent: &'a Extent,
    /// The number of the variant that is, or was last, being played.
    pub variant: usize,
    /// By variant, as far as the run has come.
    pub runs: &'a [&'a VariantRun],
}

/// Watches a run: shows how far it is, keeps what it has, or ends it. It changes no result.
///
/// All is said on the thread that [`Run::play`](super::Run::play) was called on, while the others wait.
pub trait Observer {
    /// A variant begins or goes on. It is said again if the variant begins anew without a bot that was disqualified.
    fn variant_begins(&mut self, _tournament: &Tournament, _variant: usize) {}

    /// A segment has been played.
    ///
    /// # Errors
    /// What ends the run, such as a file that cannot be written.
    fn segment_ends(&mut self, _so_far: &SoFar<'_>) -> Result<(), InputError> {
        Ok(())
    }

    /// Whether the run may go on; asked after every segment. If not, it is interrupted.
    fn may_go_on(&mut self, _so_far: &SoFar<'_>) -> bool {
        true
    }

    /// The run was interrupted, with something played.
    ///
    /// # Errors
    /// What the caller of the run is to know.
    fn interrupted(&mut self, _so_far: &SoFar<'_>) -> Result<(), InputError> {
        Ok(())
    }
}
