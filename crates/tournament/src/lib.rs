//! Tournaments: line-ups and seatings, the deals that they play, the playing loop and the tallies.

mod bot_change;
mod config;
mod eligibility;
mod fault_policy;
mod flaw;
mod header;
mod isolation;
mod look;
mod lookup;
mod memory;
mod open_number;
mod play;
mod program;
mod run_keys;
mod schedule;
mod schedule_copies;
mod schedule_error;
mod secret;
mod seeds;
mod sizes;
mod start_check;
mod stopping_rule;
mod tally;
mod variant_run;
mod whole_number;
mod window;
mod written_for;

pub use bot_change::BotChange;
pub use config::{Overrides, Tournament};
pub use eligibility::check_eligible;
pub use fault_policy::{FaultAction, FaultPolicy};
pub use flaw::{Flaw, ensure};
pub use header::Header;
pub use isolation::{hide, isolation_of};
pub use look::Look;
pub use lookup::{find_variant, resolve};
pub use open_number::OpenNumber;
pub use play::{Analysis, Heading, PlayOptions, Recording, Shadow, player};
pub use play::{
    BenchDeals, BotProgress, Control, DealRecord, DealScores, DealSight, Engine, Evaluation, EvaluationPlayer, GameId,
    IN_FLIGHT, LoggedDeal, MatchEnd, MoveRecord, Partings, PlayedDeal, ResultSink, ScorePlayer, ScoreSink, SightStep,
    TellingGame, TrickRecord, Workload, Worth, measure_random, replay, replay_each, sight,
};
pub use program::{BotProblem, Programs, seal_program, settle_programs};
pub use schedule::{Format, LineUp, Schedule, one_against};
pub use schedule_copies::CopyLineUp;
pub use schedule_error::ScheduleError;
pub use secret::{DrawError, Luck, ParseSecretError, Secret};
pub use seeds::{Seeds, Unit};
pub use start_check::first_start_failure;
pub use stopping_rule::{Measure, SequentialTest, StoppingRule};
pub use tally::{
    Block, Blocks, BotPoint, Clock, ContractCell, Contracts, Copies, CopyCell, Curves, DealCourse, DealDetails,
    DealPoint, Decision, Ends, FaultPosition, Faults, FinishedDeal, FinishedGame, GivenAway, GroupBlocks, Histogram,
    JudgedDeal, JudgedPlay, Loss, Margins, MatchSums, NotedFault, Pattern, Sample, SampledDeal, Swing, Swings, Tally,
    TallyPlan, parts_of_a_point,
};
pub use variant_run::VariantRun;
pub use whole_number::whole_number;
pub use window::MOST_NUMBERS;
pub use window::{Numbers, Window};
