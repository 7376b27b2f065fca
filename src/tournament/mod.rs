//! A tournament: who plays whom, which deals they play, the playing loop, and the tallies.

mod analysis;
mod bench_deals;
mod blocks;
mod clock;
mod config;
mod contracts;
mod eligibility;
mod engine;
mod faults;
mod feed;
mod histogram;
mod replay;
mod roster;
mod runner;
mod sample;
mod schedule;
mod seeds;
mod start_check;
mod stopping_rule;
mod tally;

pub use bench_deals::BenchDeals;
pub use blocks::{Block, Blocks};
pub use clock::Clock;
pub use config::{Overrides, Tournament};
pub use contracts::{ContractCell, Contracts};
pub use engine::{Engine, Feed, IN_FLIGHT};
pub use faults::{FaultAction, FaultPolicy, FaultPosition, Faults, NotedFault};
pub use histogram::Histogram;
pub use replay::{DealRecord, MoveRecord, TrickRecord, replay, replay_each};
pub use runner::{BotProgress, Control, VariantRun, run};
pub use sample::{Sample, SampledDeal};
pub use schedule::{Format, LineUp, Schedule};
pub use seeds::{Seeds, Unit};
pub use start_check::first_start_failure;
pub use stopping_rule::{Measure, SequentialTest, StoppingRule};
pub use tally::{Ends, Pattern, Tally, role_names};
