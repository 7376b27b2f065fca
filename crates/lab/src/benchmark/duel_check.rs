//! Checks the values of a result or a checkpoint: each must be the expected one, and sums must be possible.

use std::fmt::Display;

use overtrick_toml::InputError;

use super::definition::BenchmarkDefinition;
use super::duel_sums::DuelSums;

/// The most decisions of a player in a game, far above those of any variant. Each has one fault at most.
const MOST_DECISIONS: u64 = 1000;
/// The most characters of a value that an error quotes.
pub(super) const MOST_QUOTED: usize = 200;

/// Returns the error for a value of a result that is not the expected one.
pub(super) fn differs(what: &str, theirs: impl Display, own: impl Display) -> InputError {
    let quoted = |value: String| value.chars().take(MOST_QUOTED).collect::<String>();
    let (theirs, own) = (quoted(theirs.to_string()), quoted(own.to_string()));
    InputError::plain(format!("is {theirs} in this result, and should be {own}")).at_key(quoted(what.to_owned()))
}

/// Checks that a value of a result is the expected one.
pub(super) fn same<T: PartialEq + Display>(what: &str, theirs: &T, own: &T) -> Result<(), InputError> {
    if theirs == own { Ok(()) } else { Err(differs(what, theirs, own)) }
}

/// Checks that sums are those of a duel, with all parts, possible, and small enough to be added.
///
/// # Errors
/// The value that differs.
pub(super) fn check_duel(
    definition: &BenchmarkDefinition,
    variant: usize,
    reference: usize,
    sums: &DuelSums,
) -> Result<(), InputError> {
    let own = [&definition.variants[variant].name, &definition.references[reference].bot.name];
    let what = format!("duels: {} with {}", own[0], own[1]);
    same(&what, &format!("{} with {}", sums.variant, sums.reference), &format!("{} with {}", own[0], own[1]))?;
    let own_parts = usize::try_from(definition.parts).expect("few parts");
    for parts in [sums.margins.len(), sums.ahead.len()] {
        same(&format!("{what}, parts"), &parts, &own_parts)?;
    }
    let games = definition.games_of(variant, reference);
    let seats = definition.seats(variant);
    // No seat wins or loses more points than this in a deal.
    let (most_points, most_ahead) = (32_767 * games * seats, 2 * games * (seats - 1));
    let is_possible = sums.margins.iter().all(|margin| margin.unsigned_abs() <= most_points)
        && sums.faults <= MOST_DECISIONS * games * seats
        && sums.ahead.iter().all(|&ahead| ahead <= most_ahead);
    if is_possible { Ok(()) } else { Err(InputError::plain("has sums that no games make").at_key(&what)) }
}
