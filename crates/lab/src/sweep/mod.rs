//! Sweeps: the effects of changes of rules on a game.
//!
//! - A [`SweepPlan`] names a base variant, [`SweepAxis`]es (rules and the values that they take), a panel of
//!   bots, and wishes for measures.
//! - [`Sweeping`] plays every point of the design and keeps its measures. Wherever the deck is the same, the
//!   deals are too.
//! - With [`Retune`], a bot is tuned again for each point.
//! - [`SweepOutcome`] has the results: values, differences from the base, and effects of rules, with
//!   intervals that all hold at once. It also has the wishes that are met, and the points that no other
//!   beats.

mod axis;
mod bonferroni_family;
mod by_point;
mod csv_rows;
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
mod sweep_keys;
mod sweeping;
mod wish;

pub use axis::{SweepAxis, value_text};
pub use csv_rows::CsvRows;
pub use design::{GRID_AXES, SweepPoint};
pub use effects::{Effect, ValueChange};
pub use outcome::SweepOutcome;
pub use pareto::unbeaten;
pub use plan::SweepPlan;
pub use points::LeftOut;
pub use restriction::Restriction;
pub use retune::{Retune, RetunedBot};
pub use rows::{EffectRow, SweepRow};
pub use sweeping::{PointResult, SweepControl, Sweeping};
pub use wish::{JudgedWish, Judgement, SweepWish, Wanted, WishVerdict};
