//! Statistics of a tournament, each formula with its source.
//!
//! The input is tallies and the output is estimates. Results are summed per *group*, a set of deals that
//! shares no deal with any other. Every standard error is taken over groups, so intervals stay valid for any
//! number of replays of the same deal.
//!
//! A *number* is the place of a deal in the schedule or, where matches are played, of a match. Each number is
//! played by every line-up in every seating, and these games are its *block*. A group holds whole blocks. In
//! a [`MatchFile`], a block is a set of matches that share luck.
//!
//! [`grouped_mean`] and [`mean_difference`] turn group sums into means with intervals, and [`fit`] turns
//! finishing orders into Elo ratings. [`Results`] holds the tables that a run reports, and [`Rated`] the
//! ratings of a [`MatchFile`].

mod assembled;
mod balance;
mod ballots;
#[doc(hidden)]
pub mod columns;
mod comparison;
mod comparison_error;
mod conditional;
mod contracts;
mod contrast;
mod counted;
mod curves;
mod cut;
mod deviations;
mod direct;
mod faults;
mod field;
mod figure;
mod given_away;
mod headline;
mod largest;
pub mod looks;
mod match_course;
mod match_file;
mod max_t;
mod measures;
mod meta;
mod nash_mix;
mod options;
mod outlook;
mod pairwise;
mod plausible;
mod random;
mod ranking;
mod rated;
mod record;
mod regularised;
mod resampling;
mod results;
mod roots;
mod rows;
pub mod sequential;
mod settled;
mod share;
mod simultaneous;
mod span;
mod spelling;
mod squared;
mod standing;
mod stop_status;
mod swings;
mod unitless;
mod variance;
mod widening;
mod winner;
mod wins;

pub use comparison::{ComparisonRow, Side, compare};
pub use comparison_error::ComparisonError;
pub use conditional::{given_above, given_below};
pub use contrast::{Contrast, FEWEST_DIFFERENT, mean_difference};
pub use given_away::GivenAwayRow;
pub use headline::p_value_text;
pub use largest::Largest;
pub use looks::{FIRST_LOOK, is_look, is_precise, next_look, worst_half_width};
pub use match_file::MatchFile;
pub use measures::{BalanceMeasure, SEAT_ADVANTAGE, SeatScale, measure_names, measures};
pub use measures::{pair_points, pair_widening};
pub use meta::MetaRow;
pub use outlook::outlook;
pub use overtrick_ratings as ratings;
pub use overtrick_ratings::{
    ELO_PER_LOG_STRENGTH, Entrant, Estimate, FEWEST_GROUPS, Fit, FitError, FitOptions, GroupSum, MOST_ENTRANTS,
    Outcome, Splits, design_effect, fit, grouped_mean, independent_se, interval, student_t_975,
};
pub use plausible::{is_plausible, is_plausible_square};
pub use random::{normal, uniform};
pub use rated::{PlayerRow, Rated, SeatEffectRow};
pub use results::Results;
pub use rows::{
    BalanceRow, BotRow, Bounded, ContractRow, CurveRow, FaultRow, Figure, HeadlineRow, Interval, LookRow, OptionRow,
    PairRow, RatingRow, SeatRow, StopRow,
};
pub use sequential::{Decision, Scale, TestState, test_state};
pub use share::{percent_text, share, worth_showing};
pub use simultaneous::{bonferroni, simultaneous};
pub use spelling::composed;
pub use stop_status::look;
pub use swings::SwingRow;
pub use unitless::{Lead, explained_between, lead};
pub use widening::test_widening;
