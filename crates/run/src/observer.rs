//! Observers, which watch a run from outside.

use overtrick_toml::InputError;
use overtrick_tournament::{LoggedDeal, Tournament, VariantRun};

use super::Extent;

/// A run between two segments.
#[derive(Clone, Copy)]
pub struct SoFar<'a> {
    /// The tournament, without the bots that were disqualified.
    pub tournament: &'a Tournament,
    /// The numbers that the run covers.
    pub extent: &'a Extent,
    /// The index of the variant that is being played, or was last.
    pub variant: usize,
    /// The results so far, by variant, for the variants that have begun.
    pub runs: &'a [&'a VariantRun],
}

/// An observer of a run, which shows progress, saves results, or ends the run. It changes no result.
///
/// All methods are called on the thread that called [`Run::play`](super::Run::play), while the other threads wait.
pub trait Observer {
    /// Called when a variant begins or continues, and again when it starts over without a disqualified bot.
    fn variant_begins(&mut self, _tournament: &Tournament, _variant: usize) {}

    /// Returns whether the observer wants to see every deal. Segments are then short.
    fn wants_deals(&self) -> bool {
        false
    }

    /// Called after each segment with its deals, if this observer wants deals.
    ///
    /// The deals are sorted by number, line-up, seating and place in their match, and are the last of
    /// `so_far`. The call comes before [`segment_ends`](Self::segment_ends) of any observer.
    ///
    /// # Errors
    /// An error ends the run.
    fn deals(&mut self, _so_far: &SoFar<'_>, _deals: &[LoggedDeal]) -> Result<(), InputError> {
        Ok(())
    }

    /// Called after each segment.
    ///
    /// # Errors
    /// An error ends the run, for example the error of a file that cannot be written.
    fn segment_ends(&mut self, _so_far: &SoFar<'_>) -> Result<(), InputError> {
        Ok(())
    }

    /// Returns whether the run may go on. Called after every segment; if not, the run is interrupted.
    fn may_go_on(&mut self, _so_far: &SoFar<'_>) -> bool {
        true
    }

    /// Called if the run is interrupted after something has been played.
    ///
    /// # Errors
    /// The error that [`Run::play`](super::Run::play) then returns.
    fn interrupted(&mut self, _so_far: &SoFar<'_>) -> Result<(), InputError> {
        Ok(())
    }
}
