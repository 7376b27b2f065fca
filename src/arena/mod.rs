//! The arena: who plays whom, which deals they play, the playing loop, and the tallies.

mod analysis;
mod audition;
mod blocks;
mod cast;
mod clock;
mod config;
mod contracts;
mod engine;
mod faults;
mod feed;
mod fit;
mod fresh;
mod histogram;
mod replay;
mod runner;
mod sample;
mod schedule;
mod seeds;
mod stop;
mod tally;

pub use audition::first_no_show;
pub use blocks::{Block, Blocks};
pub use clock::Clock;
pub use config::{Overrides, Tournament};
pub use contracts::{ContractCell, Contracts};
pub use engine::{Engine, Feed, IN_FLIGHT};
pub use faults::{FaultPolicy, Faults, Moment, NotedFault, Redress};
pub use fresh::Fresh;
pub use histogram::Histogram;
pub use replay::{DealRecord, MoveRecord, TrickRecord, replay, replay_each};
pub use runner::{Control, Pace, Ran, run};
pub use sample::{Sample, SampledDeal};
pub use schedule::{Format, LineUp, Schedule};
pub use seeds::{Seeds, Unit};
pub use stop::{Measure, SequentialTest, Stop};
pub use tally::{Ends, Pattern, Tally, role_names};
