//! Statistics of a league: many bots, one question, and a fraction of the games of a round-robin.
//!
//! This crate plays nothing and reads no files. [`League`] is the state of a league. It plans a round
//! ([`League::plan`]), takes the points of that round ([`League::add`]) and answers the question
//! ([`League::outcome`]).
//!
//! **Value.** The value of a bot is the mean of its points a game, less the mean of the points of the other
//! bots of its line-up. The mean goes over all line-ups of the bot with other bots of the league, all equally
//! likely. This is the number that a round-robin of the same bots estimates. Bots that dropped out stay
//! opponents, so the value of a bot does not depend on who is still in.
//!
//! **Groups.** The deals come in groups of a few numbers. The line-ups of a group are drawn at random, and all
//! of them play all its numbers. Within a group the opponents of a bot are a uniformly random set of other
//! bots. So the margin of a bot over a group has its value as mean, at any state of the league. Groups are
//! independent of each other, and are the unit of every interval.
//!
//! **Decisions.** Two bots are compared by the differences of their margins in the groups that measured both.
//! Each pair has a confidence sequence ([`confidence_sequence`]), which holds at every look. The levels of
//! the pairs that matter add up to the error rate of the answer ([`LeagueQuestion`]).
//!
//! **Ratings.** The first 256 deals measure all bots, and so does every sixteenth group after them. Ratings rest
//! on these groups alone ([`League::standings`]). Their number does not depend on which bots were dropped.
//! Ratings of all groups would show bots as they looked when they left, which is worse than they are.
//!
//! ```
//! use overtrick_league::{League, LeagueQuestion, LeagueSettings, LineUpShape, RoundPoints};
//!
//! let shape = LineUpShape { size: 2, seats: 2, games: 2 };
//! let settings = LeagueSettings { resolution: 0.01, ..LeagueSettings::new(3, shape, LeagueQuestion::Best, 1) };
//! let mut league = League::new(settings)?;
//! while let Some(plan) = league.plan() {
//!     let mut points = RoundPoints::new(&plan);
//!     for (index, group) in plan.groups.iter().enumerate() {
//!         // Play the line-ups of the group over its deals. Here bot 2 wins a point in each game.
//!         let games = i64::try_from(group.deals.end - group.deals.start)? * 2;
//!         let of = |bot: &usize| if *bot == 2 { games } else { 0 };
//!         points.set(index, group.line_ups.iter().map(|line_up| line_up.iter().map(of).collect()).collect());
//!     }
//!     league.add(&points)?;
//! }
//! assert_eq!(league.outcome().bots, [2]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod confidence_sequence;
mod draw;
mod group_margins;
mod judgement;
mod league;
mod league_error;
mod pair_sums;
mod pairs;
mod plan;
mod question;
mod ratings;
mod round_points;
mod settings;
mod standing;

pub use league::League;
pub use league_error::LeagueError;
pub use plan::{GroupPlan, RoundPlan};
pub use question::LeagueQuestion;
pub use round_points::RoundPoints;
pub use settings::{LeagueSettings, LineUpShape};
pub use standing::{BotStatus, LeagueOutcome, LeagueSpent, LeagueStanding, PairDecision, PairMargin};
