//! The rows of a sweep's tables.

use overtrick_stats::Bounded;

use super::effects::Effect;

/// A measure of a bot of the panel at a point.
#[derive(Clone, Debug)]
pub struct SweepRow {
    /// The number of the point.
    pub point: usize,
    /// The number of the bot in the panel.
    pub bot: usize,
    /// The name of the measure.
    pub measure: String,
    /// Its value; the intervals of all points hold at once.
    pub value: Bounded,
    /// Its difference from the base, on the same deals if the deck is the same.
    ///
    /// The intervals of all points hold at once.
    pub difference: Option<Bounded>,
    /// The change by tuning: the difference from the original bot, at the same point on the same deals.
    ///
    /// The intervals of all points hold at once. `None` for bots that are not tuned.
    pub change: Option<Bounded>,
}

/// An effect on a measure.
#[derive(Clone, Debug)]
pub struct EffectRow {
    /// The number of the bot in the panel.
    pub bot: usize,
    /// The name of the measure.
    pub measure: String,
    /// The effect.
    pub effect: Effect,
    /// Its size; the intervals of all effects on this measure hold at once.
    pub size: Bounded,
}
