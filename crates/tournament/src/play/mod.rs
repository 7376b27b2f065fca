//! Playing: where deals come from, the loop that plays them, where their results go.

mod analysis;
mod bench_deals;
mod control;
mod counting;
mod engine;
mod evaluation;
mod fault_book;
mod logged;
mod pace;
mod partings;
mod player;
mod recording;
mod replay;
mod retrace;
mod roster;
mod scheduled;
mod shadow;
mod sight;
mod sink;
mod situation;
mod source;
mod spread;

pub use analysis::Analysis;
pub use bench_deals::{BenchDeals, measure_random};
pub use control::{BotProgress, Control};
pub use engine::{Engine, IN_FLIGHT, Workload};
pub use evaluation::{Evaluation, EvaluationPlayer, ScorePlayer};
pub use logged::LoggedDeal;
pub use partings::{Partings, TellingGame, Worth};
pub use player::player;
pub use recording::{DealRecord, MoveRecord, TrickRecord};
pub use recording::{Heading, Recording};
pub use replay::{replay, replay_each};
pub use shadow::Shadow;
pub use sight::{DealSight, SightStep, sight};
pub use sink::{DealScores, GameId, MatchEnd, PlayedDeal, ResultSink, ScoreSink};
