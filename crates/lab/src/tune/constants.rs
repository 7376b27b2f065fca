//! The constants of tuning, in the order of the stages.
//!
//! Each line says the meaning, the unit if there is one, and the source in parentheses:
//!
//! - `cma`: comparisons with CMA-ES by `benches/tune.rs`, on other starts than those of
//!   docs/measurements/tuning-cma.md
//! - `engines`: the synthetic engines of tests/it/tournaments/tuning.rs, of which 95% of 200 must end within
//!   half an Elo of the best
//! - `dead`: docs/measurements/tuning-dead-parameters.md, which has starts where these values matter
//! - the name of a paper
//! - `choice`: a judgement. No comparison of values is recorded.

use std::ops::RangeInclusive;

use overtrick_stats::ratings::freedom::FEWEST_SCORES;

// Limits of a plan.

/// The largest number of games of a plan. (choice)
pub const MOST_GAMES: i64 = 1 << 40;
/// More games than any tuning plays, so that sums of them do not overflow.
pub const MOST_PLAYED: u64 = 1 << 60;
/// The largest number of values of a parameter that is tuned in steps. (choice)
pub const MOST_STEPS: f64 = 1e6;
/// The fewest values of a number between its limits; rounded, so that a manifest shows few digits. (choice)
pub const FEWEST_STEPS: f64 = 2000.0;
/// The largest number of values with which a search heeds the distance between them. (choice)
pub const MOST_COARSE: usize = 64;
/// The largest number of settings that are all raced, if there are only choices. (choice)
pub const MOST_RACED_CHOICES: usize = 256;
/// The largest number of settings that are all raced, with numbers among them. (choice)
pub const MOST_RACED: usize = 32;
/// The multiple of the fewest games of a race with which settings with numbers are raced. (choice)
pub const RACE_GAMES: u64 = 4;

// Shares of the budget.

/// The share of the budget for pilot, search and surface together. (cma)
pub const FIND_SHARE: f64 = 0.85;
/// The share of the budget for the search, with the settings tried before it. (engines)
pub const SEARCH_SHARE: f64 = 0.75;
/// The largest share of the budget for a confirmation, if a small budget leaves it too little. (cma)
pub const MOST_CONFIRM_SHARE: f64 = 0.25;
/// The share of the budget that a race may take. (choice)
pub const RACE_SHARE: f64 = 0.5;
/// The share of the confirmation in which the result meets the start. (choice)
pub const FINAL_SHARE: f64 = 0.75;
/// The games of the search in games that finding the best takes, if only a precision is given. (choice)
pub const SEARCH_ROOM: f64 = 2.0;
/// The share of the games in which the result may meet unseen bots. (choice)
pub const UNSEEN_SHARE: f64 = 0.1;
/// The largest number of deals with each unseen bot in a variant. (choice)
pub const MOST_UNSEEN_DEALS: u64 = 2000;

// Playing.

/// The parts of a comparison for each thread, so that no thread waits long for the others. (choice)
pub const PARTS_A_THREAD: u64 = 4;
/// The deals that show how widely the scores of a variant spread. (choice)
pub const SPREAD_DEALS: u64 = 256;
/// The groups of deals in which margins are kept; a surface has its error over these. (choice)
pub const TRIAL_GROUPS: usize = 16;
/// The two-sided 95% quantile of the normal distribution, in standard errors.
pub const TWO_SIDED: f64 = 1.96;

// Pilot, and probes of parameters that changed no deal.

/// The length of a step up or down, as a share of the range. (choice)
pub const PILOT_STEP: f64 = 0.125;
/// The fewest and the most deal numbers of a pilot. (choice)
pub const PILOT_NUMBERS: RangeInclusive<u64> = 16..=512;
/// The share of the budget that a pilot may take. (choice)
pub const PILOT_SHARE: f64 = 0.05;
/// The share of the budget that a probe may take. (dead)
pub const PROBE_SHARE: f64 = 0.01;
/// The share of the budget that a probe may take while no parameter has changed a deal. (dead)
pub const PROBE_SHARE_OF_ALL: f64 = 0.1;
/// The fewest and the most deal numbers of a probe. (dead)
pub const PROBE_NUMBERS: RangeInclusive<u64> = 16..=1024;
/// The number of best settings from all over the space at which there is a probe. (dead)
pub const PROBED_CANDIDATES: usize = 4;
/// The shares of the search after which there is a probe; there is another at its end. (dead)
pub const PROBE_TIMES: [f64; 2] = [0.25, 0.5];

// Settings from all over the space.

/// The number of settings that are tried for each parameter, up to the most in all. (engines)
pub const START_CANDIDATES_A_PARAMETER: usize = 4;
/// The largest number of settings that are tried; fewer take fewer games. (cma)
pub const MOST_START_CANDIDATES: usize = 16;
/// The least lead over the start, in standard errors, of a setting at which the search begins. (cma)
pub const CLEARLY_BETTER: f64 = 2.0;

// Search.

/// The first step size, as a share of the range. (choice)
pub const FIRST_SPREAD: f64 = 0.25;
/// The spread of all parameters, as a share of the range, below which the search is over. (choice)
pub const LAST_SPREAD: f64 = 0.01;
/// The smallest and the largest step size, as shares of a parameter's range. (choice)
pub const STEP_SIZES: RangeInclusive<f64> = 0.004..=0.5;
/// The largest covariance; a step is at most the cube over the smallest step size, and paths a few steps.
pub const LARGEST_COVARIANCE: f64 = 1e12;
/// The fewest and the most deal numbers of the first generation. (cma)
pub const FIRST_BLOCK: RangeInclusive<u64> = 4..=256;
/// The generations that the budget is meant for, if their blocks do not grow. (choice)
pub const GENERATIONS: u64 = 60;
/// The fewest generations for which growing blocks leave room; a few cannot even out their noise. (cma)
pub const FEWEST_GENERATIONS: u64 = 40;
/// The fewest generations still to come, after any number of them. (choice)
pub const FEWEST_TO_COME: u64 = 5;
/// The share of the longest block above which a block has no room to grow. (cma)
pub const GROWN: f64 = 0.7;
/// The rank correlations of two halves of the deals between which blocks keep their length. (choice)
pub const AGREEMENT: RangeInclusive<f64> = 0.5..=0.8;
/// The factor by which a block grows. (choice)
pub const BLOCK_GROWTH: f64 = 1.5;
/// The factor by which a block shrinks. (choice)
pub const BLOCK_SHRINKAGE: f64 = 0.8;
/// The mean spread of candidates, squared and relative to chance, below which their order is noise. (cma)
pub const NOISE: f64 = 1.2;
/// The fewest generations that show noise, and the last ones that show a misfit. (cma)
pub const NOISY: usize = 6;
/// The largest mean variance off a quadratic that is chance, in squared errors of a margin. (cma)
pub const SEARCH_MISFIT: f64 = 1.0;
/// The share of the generations, the last ones, whose middles are averaged and a quadratic corrects. (cma)
pub const AVERAGED: f64 = 0.5;
/// The share of the generations, the last ones, whose middles are averaged without a correction. (cma)
pub const AVERAGED_ALONE: f64 = 0.25;
/// The lead of the middle over the incumbent, in standard errors, with which it takes its place. (choice)
pub const NEW_INCUMBENT: f64 = 2.0;
/// The reach of the quadratic that takes noise out of an order, in deviations of the candidates. (cma)
pub const ORDER_REACH: f64 = 3.0;
/// The reach of the quadratic that corrects the result, in deviations of the candidates. (cma)
pub const FOUND_REACH: f64 = 1.5;
/// The least reach of both, as a share of the range. (cma)
pub const LEAST_REACH: f64 = 0.05;

// The fit of a quadratic.

/// The least density in a local fit; trials that are farther away do not count. (choice)
pub const LEAST_DENSITY: f64 = 1e-4;
/// The fewest trials for each term of a local fit, counted by how near they are. (choice)
pub const LEAST_ROWS: f64 = 1.2;
/// The deals that the common variance counts for against a trial's own variance. (choice)
pub const COMMON_DEALS: f64 = 32.0;

// Surface.

/// By round: its share of the rest of the budget; the first rounds find the size of the region. (choice)
pub const ROUND_SHARES: [f64; 5] = [0.08, 0.1, 0.2, 0.45, 0.9];
/// The share of a round that finds slopes; the rest finds curvatures. (choice)
pub const SLOPES_SHARE: f64 = 0.45;
/// The ratio of a curvature to its error that decides the size of the region. (choice)
pub const CLEAR_CURVATURE: f64 = 4.0;
/// The half-widths of the first region, in deviations of the search's last candidates. (choice)
pub const FIRST_REACH: f64 = 2.0;
/// The smallest half-width of the first region, as a share of the range. (choice)
pub const LEAST_HALF: f64 = 0.1;
/// The factors of a half-width between which the next region lies. (choice)
pub const RESIZING: RangeInclusive<f64> = 0.5..=2.0;
/// The factor by which a region that is too wide for a quadratic narrows at least. (choice)
pub const NARROWING: f64 = 0.7;
/// The misfit, in standard errors, above which the region is too wide for a quadratic. (choice)
pub const SURFACE_MISFIT: f64 = 3.0;
/// The place of the result between the search's finding, at 0, and the surface's best, at 1. (cma)
pub const BETWEEN: f64 = 0.3;
/// The largest error that is due to rounding, in points a deal.
pub const ROUNDING: f64 = 1e-9;

// Race.

/// The largest probability that the best setting is dropped. (choice)
pub const RACE_LEVEL: f64 = 0.05;
/// The deal numbers after which the first settings may be dropped, and the fewest of a round. (choice)
pub const LEAST_ROUND: u64 = 128;
/// The factor by which a round increases the number of deals. (choice)
pub const RACE_GROWTH: f64 = 1.25;

// Confirmation.

/// The probability that any change that does not matter is said to matter. (choice)
pub const CONFIRM_LEVEL: f64 = 0.05;
/// The one-sided 95% quantile for the cost of setting changes back together. (Blackwelder 1982)
pub const ONE_SIDED: f64 = 1.645;
/// The share of the budget for setting back each parameter alone. (choice)
pub const SET_BACK_SHARE: f64 = 0.15;
/// The share of the budget for setting back several parameters together. (choice)
pub const SIMPLIFIED_SHARE: f64 = 0.1;
/// The slices of a comparison between which a run can stop, unless they are too short or too long. (choice)
pub const SLICES: u64 = 8;
/// The largest count of deal numbers of a slice. (choice)
pub const LONGEST_SLICE: u64 = 1 << 14;
/// The deals that a precision takes, relative to those that the variance so far implies. (choice)
pub const PRECISION_ROOM: f64 = 1.1;
/// The fewest deal numbers of a comparison. (choice)
pub const FEWEST_NUMBERS: u64 = 48;
/// The fewest deal numbers of the match with the start, whose interval needs them.
pub const FEWEST_OF_FINAL: u64 = FEWEST_SCORES;
