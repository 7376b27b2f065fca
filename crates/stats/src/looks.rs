//! Decides when a run may stop.
//!
//! This module has the looks at which a stopping rule is asked, and checks whether the estimates are precise
//! enough. Deals are taken in order, and a stopping rule is asked only at fixed numbers of them. So the place
//! where a run stops depends on its deals alone, not on threads or timing.

use super::contrast::Contrast;

/// The number of deal numbers (or blocks) before the first look.
///
/// From fewer, the variance of skewed scores is hardly known.
pub const FIRST_LOOK: u64 = 256;

/// The expected number of events above which seeing none has a chance below 5%: -ln 0.05.
///
/// This is the "rule of three" of Hanley & Lippman-Hand (1983), "If nothing goes wrong, is everything all
/// right?", *JAMA* 249(13).
const RULE_OF_THREE: f64 = 3.0;

/// The fewest deal numbers with a difference between two bots for a run to stop by precision.
///
/// Bots that never differed need none. From fewer, the spread is that of a handful of deals
/// (docs/statistics.md).
const FEWEST_DIFFERENCES: f64 = 30.0;

/// Returns the next look after `done` numbers.
///
/// The first look is 256, and each is a fiftieth more than the previous look. The looks are the same wherever
/// a run is resumed. They are rare enough to cost next to nothing: some 600 up to a hundred million.
pub fn next_look(done: u64) -> u64 {
    let mut look = FIRST_LOOK;
    while look <= done {
        look = look.saturating_add(look / 50);
        if look == u64::MAX {
            break;
        }
    }
    look
}

/// Returns whether stopping rules are asked after this number of deal or match numbers.
pub fn is_look(done: u64) -> bool {
    done > 0 && next_look(done - 1) == done
}

/// Returns whether a run is precise enough to stop.
///
/// The run must know the difference of every pair of bots to within `half_width`. It has played `numbers`
/// deal numbers in `groups` groups, with this [`worst_half_width`].
///
/// Every group must have two numbers. With fewer, the spread over groups rests on single deals, and a run
/// would stop where the spread is small by error.
///
/// Deals that were never seen must also be too rare to matter. After n numbers, an event that did not occur
/// has a chance below 3/n, with 95% confidence. No deal moves a difference by more than `spread`, the highest
/// score of a deal so far less the lowest. So two bots that never differed are equal to within `half_width`,
/// too.
pub fn is_precise(half_width: f64, worst: Option<f64>, numbers: u64, groups: usize, spread: u32) -> bool {
    let unseen = RULE_OF_THREE * f64::from(spread) / numbers as f64;
    numbers / 2 >= groups as u64 && unseen <= half_width && worst.is_some_and(|worst| worst <= half_width)
}

/// Returns the widest half-width of the pairs.
///
/// `None` if there is no pair, or if too little was seen of some pair. That is, its bots differed, but in
/// fewer than about thirty deal numbers.
pub fn worst_half_width<'a>(pairs: impl IntoIterator<Item = &'a Contrast>) -> Option<f64> {
    let mut worst: Option<f64> = None;
    for pair in pairs {
        let half_width = half_width(pair)?;
        worst = Some(worst.map_or(half_width, |worst| worst.max(half_width)));
    }
    worst
}

/// Returns the half-width of a pair; `None` if its bots differed in too few deal numbers.
fn half_width(pair: &Contrast) -> Option<f64> {
    let differences = pair.differences();
    // Bots that never differed are equal, as far as is known.
    if differences == 0.0 {
        return Some(0.0);
    }
    if differences < FEWEST_DIFFERENCES {
        return None;
    }
    pair.estimate().half_width
}

#[cfg(test)]
mod tests {
    use super::*;
    use overtrick_ratings::GroupSum;

    #[test]
    fn looks_are_the_same_from_wherever_one_goes_on() {
        assert_eq!([0, 255, 256, 260, 261].map(next_look), [256, 256, 261, 261, 266]);
        let mut looks = vec![next_look(0)];
        while looks[looks.len() - 1] < 100_000_000 {
            looks.push(next_look(looks[looks.len() - 1]));
        }
        assert!((600..700).contains(&looks.len()), "{}", looks.len());
        for pair in looks.windows(2) {
            let growth = pair[1] as f64 / pair[0] as f64;
            assert!(growth > 1.0 && growth <= 1.02, "{pair:?}");
            assert_eq!(next_look(pair[0] + (pair[1] - pair[0]) / 2), pair[1]);
        }
        assert_eq!(next_look(u64::MAX), u64::MAX);
    }

    #[test]
    fn the_worst_pair_decides() {
        // Two bots that differ by `points` in the first `different` of 256 groups, in alternating directions.
        let pair = |points: i64, different: i64| {
            let score = |group| if group < different { points * (1 - group % 2 * 2) } else { 0 };
            let side: Vec<GroupSum> = (0..256).map(|group| GroupSum::new(score(group), 10)).collect();
            Contrast::new(&side, &[GroupSum::new(0, 10); 256]).unwrap()
        };
        let half_width = |points, different| pair(points, different).estimate().half_width;
        assert_eq!(worst_half_width(&[]), None);
        assert_eq!(worst_half_width(&[pair(1, 256), pair(3, 256), pair(2, 256)]), half_width(3, 256));
        assert_eq!(worst_half_width(&[pair(0, 0), pair(1, 100)]), half_width(1, 100));
        // 28 groups differ in about 29.7 numbers, 29 groups in 30.8.
        assert_eq!(worst_half_width(&[pair(3, 256), pair(1, 28)]), None);
        assert_eq!(worst_half_width(&[pair(1, 28), pair(3, 256)]), None);
        assert_eq!(worst_half_width(&[pair(3, 256), pair(1, 29)]), half_width(3, 256));
    }

    #[test]
    fn precision_waits_for_two_numbers_a_group_and_for_what_was_not_seen() {
        let is_precise = |worst, numbers, groups, spread| is_precise(0.1, worst, numbers, groups, spread);
        assert!(is_precise(Some(0.1), 512, 256, 1));
        assert!(!is_precise(Some(0.1001), 512, 256, 1));
        assert!(!is_precise(None, 512, 256, 1));
        assert!(!is_precise(Some(0.1), 511, 256, 1));
        // Identical bots in a game with scores from 0 to 28: 3 * 28 / 0.1 deals.
        assert!(!is_precise(Some(0.0), 839, 256, 28));
        assert!(is_precise(Some(0.0), 840, 256, 28));
        assert!(!is_precise(Some(0.0), 0, 0, 28));
        assert!(!is_precise(Some(0.0), 0, 0, 0));
    }
}
