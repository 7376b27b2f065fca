//! The rows of a sweep's tables.

use overtrick_stats::Banded;

use super::effects::Effect;

/// A measure at a point, as a bot of the panel plays.
#[derive(Clone, Debug)]
pub struct SweepRow {
    /// The number of the point.
    pub point: usize,
    /// The number of the bot in the panel.
    pub bot: usize,
    /// What is measured.
    pub measure: String,
    /// Its value; the intervals of all points hold at once.
    pub value: Banded,
    /// Its difference from the base, on the same deals where the deck is the same; the intervals of all points hold at
    /// once.
    pub difference: Option<Banded>,
    /// What tuning changed: the difference from the bot as it was before, at the same point on the same deals; the
    /// intervals of all points hold at once. Nothing for bots that are not tuned anew.
    pub change: Option<Banded>,
}

/// An effect on a measure.
#[derive(Clone, Debug)]
pub struct EffectRow {
    /// The number of the bot in the panel.
    pub bot: usize,
    /// What is measured.
    pub measure: String,
    /// Which effect.
    pub effect: Effect,
    /// Its size; the intervals of all effects on this measure hold at once.
    pub size: Banded,
}
