//! The memory that a tournament takes: what would take too much is refused before any of it is taken.

use overtrick_game::FieldError;
use overtrick_games::Variant;

use super::{Format, Schedule, Tally};

/// The most memory that the tally of one variant may take on one thread; groups are halved until it fits.
const TALLY_BYTES: usize = 64 << 20;
/// The memory above which it is refused, with as few groups as there can be.
const MOST_BYTES: usize = 1 << 30;

/// The memory above which the tallies of all variants are refused.
const MOST_BYTES_IN_ALL: usize = 4_000_000_000;
/// The most variants of a tournament: each takes memory for its tables of cards, and a part of every result.
const MOST_VARIANTS: usize = 1000;
/// The bytes that two bots take on a thread: their deals that made the difference, and their margins in deals in
/// flight.
const BYTES_A_PAIR: usize = 560;

/// Checks the numbers of variants and bots, before any of them is looked at.
///
/// # Errors
/// The key with too many.
pub(super) fn check_numbers(variants: usize, bots: usize, format: Format) -> Result<(), FieldError> {
    if variants > MOST_VARIANTS {
        let problem =
            format!("names {variants} variants, and a tournament takes at most {MOST_VARIANTS}; play several");
        return Err(FieldError { key: "variants", problem });
    }
    let pairs = bots.saturating_mul(bots.saturating_sub(1)) / 2;
    let bytes = pairs.saturating_mul(BYTES_A_PAIR);
    // In a mirror no two meet.
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

/// Checks that there is memory for the tallies of each variant and of all.
///
/// # Errors
/// The key with too many.
pub(super) fn check_tallies(
    groups: usize,
    variants: &[Variant],
    schedules: &[Schedule],
    bots: usize,
) -> Result<(), FieldError> {
    let bytes = largest_tally(groups, variants, schedules, bots);
    if bytes > MOST_BYTES {
        let line_ups = schedules.iter().map(|schedule| schedule.line_ups.len()).max().unwrap_or(0);
        let problem = format!(
            "make {line_ups} line-ups, whose counts take {:.1} GB on each thread; enter fewer bots, or let one meet \
             the others with format = \"gauntlet\"",
            gigabytes(bytes)
        );
        return Err(FieldError { key: "bots", problem });
    }
    let bytes: usize = tallies(groups, variants, schedules, bots).sum();
    if bytes <= MOST_BYTES_IN_ALL {
        return Ok(());
    }
    let problem = format!(
        "are too many for so many bots: the counts of all take {:.1} GB; play them in several tournaments",
        gigabytes(bytes)
    );
    Err(FieldError { key: "variants", problem })
}

fn gigabytes(bytes: usize) -> f64 {
    bytes as f64 / 1e9
}

/// The number of groups, at most `asked`, whose tallies fit the memory.
pub(super) fn affordable_groups(asked: usize, variants: &[Variant], schedules: &[Schedule], bots: usize) -> usize {
    let mut groups = asked;
    while groups > 8 && largest_tally(groups, variants, schedules, bots) > TALLY_BYTES {
        groups = (groups / 2).max(8);
    }
    groups
}

/// The memory that the largest tally of a variant takes with so many groups.
fn largest_tally(groups: usize, variants: &[Variant], schedules: &[Schedule], bots: usize) -> usize {
    tallies(groups, variants, schedules, bots).max().unwrap_or(0)
}

/// By variant: the memory that its tally takes.
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
