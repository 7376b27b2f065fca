//! Numbers that were read from a file.

/// No score, nor a mean of scores, is as far from 0; squares of what is nearer can be added up.
const FARTHEST: f64 = 1e15;

/// Whether a number can be a score, a margin or a mean of such.
pub fn is_plausible(value: f64) -> bool {
    value.abs() <= FARTHEST
}

/// Whether a number can be a mean of squares of such.
pub fn is_plausible_square(value: f64) -> bool {
    (0.0..=FARTHEST * FARTHEST).contains(&value)
}
