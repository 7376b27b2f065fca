//! Tuning: finds the parameters with which a bot plays best, and measures how much they gain.
//!
//! A [`TunePlan`] says which parameters are tuned, at which tables, and for how many games. [`Tuning`] goes
//! through the stages in steps: the pilot, the [`TuneSearch`], the [`Surface`] and the confirmation
//! ([`Confirm`]). With few settings, a [`TuneRace`] replaces all stages before the confirmation. The stages
//! ask a [`TuneObjective`] how far settings are ahead of one another. It is the [`Arena`], which plays the
//! games, or has [`RemoteWorkers`] play pieces of them.

mod arena;
mod cmaes;
mod confirm;
mod constants;
mod field;
mod line_ups;
mod objective;
mod outcome;
mod parameters;
mod part;
mod piece;
mod pilot;
mod plan;
mod probe;
mod quadratic;
mod race;
mod random;
mod search;
mod setting;
mod sizing;
mod snapshot;
mod space;
mod start_candidates;
mod surface;
mod task;
mod trial;
mod tune_keys;
mod tuning;
mod tuning_check;
mod tuning_probes;
mod unseen;
mod without_config;
mod worker;

pub use arena::{Arena, TuneControl};
pub use cmaes::CmaEs;
pub use confirm::Confirm;
pub use field::{Chair, FieldTable};
pub use line_ups::against_itself;
pub use objective::{TuneMargins, TuneObjective};
pub use outcome::{ConfirmRow, OptimumRow, TuneOutcome, trial_rows};
pub use parameters::{read as read_parameters, space as read_space, to_table as parameters_to_table};
pub use pilot::{Pilot, PilotLine};
pub use plan::TunePlan;
pub use probe::{ParameterProbe, ProbeTime};
pub use quadratic::Region;
pub use race::TuneRace;
pub use search::TuneSearch;
pub use setting::Setting;
pub use sizing::Sizing;
pub use snapshot::TuneSnapshot;
pub use space::{ParameterValues, Space, TuneAxis};
pub use start_candidates::StartCandidates;
pub use surface::{FittedSurface, FittedValue, Interaction, ParameterOptimum, Surface};
pub use task::TuneTask;
pub use trial::TuneTrial;
pub use tune_keys::whole_games;
pub use tuning::{GainForecast, Stage, TrialRound, Tuning};
pub use without_config::TuneRequest;
pub use worker::play_piece;

pub use crate::margin_sums::MarginSums;
pub use crate::no_result::NoResult;
pub use crate::pieces::RemoteWorkers;
