//! The differences that a run will distinguish from chance, before it plays.

use overtrick_ratings::FEWEST_GROUPS;
use overtrick_ratings::interval::student_t;
use overtrick_tournament::{Format, Tournament};

use super::simultaneous::MISS;

/// The normal quantile of a power of 80%.
const POWER: f64 = 0.841_621_233_572_914_3;
/// A size of differences, in standard deviations of a number, below which a run needs no warning.
///
/// It is a medium effect by Cohen (1988, *Statistical Power Analysis*).
const FINE: f64 = 0.5;

/// Returns a warning about large differences that a run cannot distinguish from chance.
///
/// `None` where the differences are small, with fewer than three bots, or where no bots are compared.
///
/// The size is the difference that is found in 80% of runs, with Bonferroni's correction for all pairs. It is
/// in standard deviations of the contribution of one deal number to a difference. Its size in points is not
/// known before bots have played.
pub fn outlook(tournament: &Tournament) -> Option<String> {
    let bots = tournament.bots.len();
    let pairs = match tournament.format {
        Format::RoundRobin => bots * (bots - 1) / 2,
        Format::Gauntlet => bots - 1,
        _ => return None,
    };
    let numbers = tournament.numbers;
    let groups = tournament.groups.min(numbers as usize);
    let unit = tournament.unit.plural();
    if bots < 3 {
        return None;
    }
    if groups < FEWEST_GROUPS {
        return Some(format!("{numbers} {unit} are too few for any interval; it takes {FEWEST_GROUPS} at least"));
    }
    let size = smallest(pairs, groups, numbers);
    if size <= FINE {
        return None;
    }
    Some(format!(
        "with {numbers} {unit} for {bots} bots, of {pairs} differences only those above about {size:.1} standard deviations of what one of the {unit} \
         adds will be distinguished from chance; with four times as many, those above half of that"
    ))
}

/// Returns the smallest difference that is distinguished from chance in 80% of runs.
fn smallest(pairs: usize, groups: usize, numbers: u64) -> f64 {
    let quantile = student_t(1.0 - MISS / 2.0 / pairs as f64, groups as f64 - 1.0);
    (quantile + POWER) / (numbers as f64).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_much_as_a_table_of_power_says() {
        // One difference, 34 numbers: half a standard deviation in 80% of cases (Cohen 1988, table 2.4.1, has
        // 33.4 for the paired design).
        assert!((smallest(1, 34, 34) - 0.5).abs() < 0.01, "{}", smallest(1, 34, 34));
        assert!(smallest(435, 60, 60) > 0.55 && smallest(435, 256, 6000) < 0.07);
    }
}
