//! Checks of the whole numbers of a config.

use std::ops::RangeInclusive;

use overtrick_game::FieldError;
use overtrick_toml::{InputError, Source};

/// Checks that the number at `at` lies in `range`, which has no negative numbers.
///
/// # Errors
/// If it does not, with the range.
pub fn whole_number(
    source: &Source,
    at: &[String],
    number: i64,
    range: RangeInclusive<i64>,
) -> Result<u64, InputError> {
    FieldError::check("", number, range).map_err(|error| source.error(at, error.problem))?;
    Ok(number as u64)
}
