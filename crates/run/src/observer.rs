//! Observers, which watch a run from outside.

use overtrick_toml::InputError;
use overtrick_tournament::{LoggedDeal, Tournament, VariantRun};

use super::Extent;

/// A run between two segments.
#[derive(Clone, Copy)]
pub struct SoFar<'a> {
    /// The tournament, without the bots that were disqualified.
    pub tournament: &'a Tournament,
    /// Which numbers are played.
    pub extent: &'a Extent,
    /// The number of the variant that is, or was last, being played.
    pub variant: usize,
    /// By variant: the results so far, for those that have begun.
    pub runs: &'a [&'a VariantRun],
}

/// Watches a run: shows how far it is, keeps what it has, or ends it. It changes no result.
///
/// All methods are called on the thread that called [`Run::play`](super::Run::play), while the other threads wait.
pub trait Observer {
    /// Called when a variant begins or goes on, and again if it begins anew without a bot that was disqualified.
    fn variant_begins(&mut self, _tournament: &Tournament, _variant: usize) {}

    /// Whether it wants to see every deal. Segments are then short.
    fn wants_deals(&self) -> bool {
        false
    }

    /// Called after each segment and before [`segment_ends`](Self::segment_ends) of any observer, if this one wants
    /// deals: those of the segment, by number, line-up, seating and place in their match. They are the last of
    /// `so_far`.
    ///
    /// # Errors
    /// What ends the run.
    fn deals(&mut self, _so_far: &SoFar<'_>, _deals: &[LoggedDeal]) -> Result<(), InputError> {
        Ok(())
    }

    /// Called after each segment.
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

    /// Called if the run is interrupted after something has been played.
    ///
    /// # Errors
    /// The error that [`Run::play`](super::Run::play) then gives.
    fn interrupted(&mut self, _so_far: &SoFar<'_>) -> Result<(), InputError> {
        Ok(())
    }
}
