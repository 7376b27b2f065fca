//! Sweeps: what a change of rules does to a game.
//!
//! A [`SweepPlan`] names a base variant, [`Axis`]es (rules and the values that they take), a panel of bots and what is
//! wanted. [`Sweeping`] plays every point of the design, each with the same deals wherever the deck is the same, and
//! keeps of each what is measured. With [`Retune`] a bot is tuned anew for each point. [`SweepOutcome`] says what came
//! out: values and differences from the base with intervals that all hold at once, effects of rules and of two
//! together, which wishes are met, and the points that no other beats.

mod apart;
mod axis;
mod by_point;
mod design;
mod effects;
mod extent;
mod farthest;
mod leg;
mod outcome;
mod pareto;
mod plan;
mod points;
mod restriction;
mod retune;
mod retuned_sentence;
mod rows;
mod seats;
mod sentence;
mod surface;
mod sweeping;
mod tables;
mod wish;

pub use axis::Axis;
pub use design::{GRID_AXES, Point};
pub use effects::Effect;
pub use outcome::SweepOutcome;
pub use pareto::unbeaten;
pub use plan::SweepPlan;
pub use points::LeftOut;
pub use restriction::Restriction;
pub use retune::{Retune, Retuned};
pub use rows::{EffectRow, SweepRow};
pub use sweeping::{PointResult, SweepControl, Sweeping};
pub use wish::{Judged, Judgement, Verdict, Wanted, Wish};
