//! Checks numbers that were read from a file.

/// A bound that no score and no mean of scores reaches.
///
/// Squares of numbers below it can be added up.
const FARTHEST: f64 = 1e15;

/// Returns whether a number can be a score, a margin or a mean of these.
pub fn is_plausible(value: f64) -> bool {
    value.abs() <= FARTHEST
}

/// Returns whether a number can be a mean of squares of such numbers.
pub fn is_plausible_square(value: f64) -> bool {
    (0.0..=FARTHEST * FARTHEST).contains(&value)
}
