//! Limits on the memory of a tournament, checked before any of it is allocated.

use overtrick_game::FieldError;
use overtrick_games::Variant;

use super::{Format, Schedule, Tally};

/// The most memory for the tally of one variant on one thread, in bytes. Groups are halved until it fits.
const TALLY_BYTES: usize = 64 << 20;
/// The size above which a tally is refused, even with the smallest number of groups, in bytes.
const MOST_BYTES: usize = 1 << 30;

/// The size above which the tallies of all variants are refused, in bytes.
const MOST_BYTES_IN_ALL: usize = 4_000_000_000;
/// The most variants of a tournament. Each takes memory for its tables of cards, and a part of every result.
const MOST_VARIANTS: usize = 1000;
/// The bytes that a pair of bots takes on a thread.
///
/// They hold the deals that decided between the two, and the margins of deals in flight.
const BYTES_A_PAIR: usize = 560;

/// Checks the numbers of variants and bots, before any of them is read.
///
/// # Errors
/// Returns the key that names too many.
pub(super) fn check_numbers(variants: usize, bots: usize, format: Format) -> Result<(), FieldError> {
    if variants > MOST_VARIANTS {
        let problem =
            format!("names {variants} variants, and a tournament takes at most {MOST_VARIANTS}; play several");
        return Err(FieldError { key: "variants", problem });
    }
    let pairs = bots.saturating_mul(bots.saturating_sub(1)) / 2;
    let bytes = pairs.saturating_mul(BYTES_A_PAIR);
    // In a mirror no two bots meet.
    if format == Format::Mirror || bytes <= MOST_BYTES {
        return Ok(());
    }
    let problem = format!(
        "names {bots} bots, each two of which are compared: these {pairs} pairs take {:.1} GB on each thread; enter \
         fewer bots, or play several tournaments",
        gigabytes(bytes)
    );
    Err(FieldError { key: "bots", problem })
}

/// Checks that there is memory for the tally of each variant, and for all tallies together.
///
/// # Errors
/// Returns the key that names too many.
pub(super) fn check_tallies(
    groups: usize,
    variants: &[Variant],
    schedules: &[Schedule],
    bots: usize,
) -> Result<(), FieldError> {
    let bytes = largest_tally(groups, variants, schedules, bots);
    if bytes > MOST_BYTES {
        let line_ups = schedules.iter().map(Schedule::line_ups_with_copies).max().unwrap_or(0);
        let problem = format!(
            "make {line_ups} line-ups, whose counts take {:.1} GB on each thread; enter fewer bots, or choose a \
             `format` with fewer line-ups",
            gigabytes(bytes)
        );
        return Err(FieldError { key: "bots", problem });
    }
    let bytes: usize = tallies(groups, variants, schedules, bots).sum();
    if bytes <= MOST_BYTES_IN_ALL {
        return Ok(());
    }
    let problem = format!(
        "are too many for this number of bots: the counts of all take {:.1} GB. Play them in several tournaments",
        gigabytes(bytes)
    );
    Err(FieldError { key: "variants", problem })
}

fn gigabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e9
}

/// Returns the largest number of groups, at most `asked`, whose tallies fit into memory.
pub(super) fn affordable_groups(asked: usize, variants: &[Variant], schedules: &[Schedule], bots: usize) -> usize {
    let mut groups = asked;
    while groups > 8 && largest_tally(groups, variants, schedules, bots) > TALLY_BYTES {
        groups = (groups / 2).max(8);
    }
    groups
}

/// Returns the memory of the largest tally of a variant, in bytes.
fn largest_tally(groups: usize, variants: &[Variant], schedules: &[Schedule], bots: usize) -> usize {
    tallies(groups, variants, schedules, bots).max().unwrap_or(0)
}

/// Returns, by variant, the memory of its tally in bytes.
fn tallies(groups: usize, variants: &[Variant], schedules: &[Schedule], bots: usize) -> impl Iterator<Item = usize> {
    let kinds = variants.iter().map(|variant| variant.game.contract_kinds().len());
    schedules.iter().zip(kinds).map(move |(schedule, kinds)| Tally::bytes(schedule, groups, bots, kinds))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_bots_or_variants_are_refused_by_their_numbers() {
        let refused = |variants, bots, format| {
            let error = check_numbers(variants, bots, format).unwrap_err();
            format!("{}: {}", error.key, error.problem)
        };
        let bots = refused(1, 10_000, Format::Gauntlet);
        assert!(bots.starts_with("bots: names 10000 bots") && bots.contains("49995000 pairs take 28.0 GB"), "{bots}");
        let variants = refused(5_000, 2, Format::Duel);
        assert!(variants.starts_with("variants: names 5000 variants"), "{variants}");
        for (bots, format) in [(1_000, Format::RoundRobin), (60_000, Format::Mirror), (0, Format::Duel)] {
            check_numbers(1_000, bots, format).unwrap();
        }
    }
}
