//! Stopping rules by simulation: error rates and lengths of sequential tests, what an estimate is worth at the end of
//! one, and how often intervals cover the truth where a run stops because they are narrow.
//!
//! In full, with the tables of docs/statistics.md:
//! `cargo test --profile long --test it stopping -- --ignored --nocapture`.

mod estimates;
mod sequential;
mod sources;

/// The largest share of `repetitions` that a probability explains, at three standard errors.
fn at_most(probability: f64, repetitions: u32) -> f64 {
    probability + 3.0 * (probability * (1.0 - probability) / f64::from(repetitions)).sqrt()
}
