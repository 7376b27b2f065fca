//! An exact tally of integer scores, whose size does not grow with the number of deals.

use serde::{Deserialize, Serialize};

/// The number of times that each score of a fixed range occurred.
///
/// Counts are integers. So histograms of parts of a run add up to the histogram of the run in any order.
/// Everything derived from them is the same on every machine.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Histogram {
    /// The lowest score of the range, counted by `counts[0]`.
    lowest: i64,
    /// By index: the number of times that `lowest + index` occurred.
    counts: Vec<u64>,
}

impl Histogram {
    /// Makes an empty histogram of the scores `lowest..=highest`.
    ///
    /// # Panics
    /// If `lowest` exceeds `highest`.
    pub fn new(lowest: i64, highest: i64) -> Self {
        assert!(lowest <= highest, "no score lies in {lowest}..={highest}");
        let size = usize::try_from(highest.abs_diff(lowest)).expect("a range that fits in memory");
        Self { lowest, counts: vec![0; size + 1] }
    }

    /// Counts a score `times` times.
    ///
    /// # Panics
    /// If the score is outside the declared range, which is an error of the game.
    #[inline]
    pub fn add(&mut self, score: i64, times: u64) {
        let index = score.wrapping_sub(self.lowest) as usize;
        match self.counts.get_mut(index) {
            Some(count) => *count += times,
            None => panic!("score {score} outside of the declared range {}..={}", self.lowest, self.highest()),
        }
    }

    /// Adds the counts of another histogram.
    ///
    /// # Panics
    /// If the two have different ranges.
    pub fn merge(&mut self, other: &Self) {
        assert!(
            self.is_like(other),
            "histograms of different ranges: {}..={} and {}..={}",
            self.lowest,
            self.highest(),
            other.lowest,
            other.highest(),
        );
        for (count, more) in self.counts.iter_mut().zip(&other.counts) {
            *count += more;
        }
    }

    /// Clears all counts.
    pub fn clear(&mut self) {
        self.counts.fill(0);
    }

    /// Returns true if it has the same range as `other`.
    pub fn is_like(&self, other: &Self) -> bool {
        (self.lowest, self.counts.len()) == (other.lowest, other.counts.len())
    }

    /// Returns the highest score of the declared range.
    fn highest(&self) -> i64 {
        self.lowest + (self.counts.len() as i64 - 1)
    }

    /// Returns the scores that occurred in ascending order, each with its count.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (i64, u64)> + '_ {
        self.counts
            .iter()
            .enumerate()
            .filter(|&(_, &count)| count > 0)
            .map(|(index, &count)| (self.lowest + index as i64, count))
    }

    /// Returns the number of scores counted.
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// Returns the sum of all scores.
    pub fn sum(&self) -> i128 {
        self.iter().map(|(score, count)| i128::from(score) * i128::from(count)).sum()
    }

    /// Returns the mean score; `None` if nothing was counted.
    pub fn mean(&self) -> Option<f64> {
        let count = self.count();
        (count > 0).then(|| self.sum() as f64 / count as f64)
    }

    /// Returns the sample standard deviation (divisor `count - 1`); `None` for fewer than two scores.
    pub fn sd(&self) -> Option<f64> {
        let mean = self.mean()?;
        let count = self.count();
        let squares: f64 = self.iter().map(|(score, count)| count as f64 * (score as f64 - mean).powi(2)).sum();
        (count > 1).then(|| (squares / (count - 1) as f64).sqrt())
    }

    /// Returns the lowest score that occurred; `None` if nothing was counted.
    pub fn min(&self) -> Option<i64> {
        self.iter().next().map(|(score, _)| score)
    }

    /// Returns the highest score that occurred; `None` if nothing was counted.
    pub fn max(&self) -> Option<i64> {
        self.iter().next_back().map(|(score, _)| score)
    }

    /// Returns the lowest score that at least this share of the scores do not exceed; `None` if nothing was
    /// counted.
    pub fn quantile(&self, share: f64) -> Option<i64> {
        let count = self.count();
        let rank = (share * count as f64).ceil().max(1.0) as u64;
        self.ranked(count.checked_sub(1)?.min(rank - 1))
    }

    /// Returns the median score; `None` if nothing was counted.
    ///
    /// For an even number of scores it is the mean of the two middle ones.
    pub fn median(&self) -> Option<f64> {
        let count = self.count();
        let lower = self.ranked(count.checked_sub(1)? / 2)?;
        let upper = self.ranked(count / 2)?;
        Some((lower as f64 + upper as f64) / 2.0)
    }

    /// Returns the score with `rank` scores below it in sorted order.
    fn ranked(&self, rank: u64) -> Option<i64> {
        let mut seen = 0;
        self.iter()
            .find(|&(_, count)| {
                seen += count;
                seen > rank
            })
            .map(|(score, _)| score)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(scores: &[i64]) -> Histogram {
        let mut histogram = Histogram::new(-5, 10);
        for &score in scores {
            histogram.add(score, 1);
        }
        histogram
    }

    #[test]
    fn moments_and_order_statistics() {
        let scores = of(&[-3, 10, 4, 4, -5, 2]);
        assert_eq!((scores.count(), scores.sum()), (6, 12));
        assert_eq!(scores.mean(), Some(2.0));
        // Deviations: -5, 8, 2, 2, -7, 0.
        assert!((scores.sd().unwrap() - (146.0_f64 / 5.0).sqrt()).abs() < 1e-15);
        assert_eq!((scores.min(), scores.max()), (Some(-5), Some(10)));
        assert_eq!(scores.iter().collect::<Vec<_>>(), [(-5, 1), (-3, 1), (2, 1), (4, 2), (10, 1)]);
    }

    #[test]
    fn the_median_halves_the_scores() {
        assert_eq!(of(&[1, 9, 2]).median(), Some(2.0));
        assert_eq!(of(&[1, 9, 2, 5]).median(), Some(3.5));
        assert_eq!(of(&[-5, -4]).median(), Some(-4.5));
        assert_eq!(of(&[7, 7, 7, 1]).median(), Some(7.0));
    }

    #[test]
    fn nothing_counted_has_no_statistics() {
        let empty = Histogram::new(0, 3);
        assert_eq!((empty.mean(), empty.sd(), empty.median()), (None, None, None));
        assert_eq!((empty.min(), empty.max(), empty.count()), (None, None, 0));
        assert_eq!(of(&[3]).sd(), None);
    }

    #[test]
    fn parts_merge_to_the_whole() {
        let mut part = of(&[1, 2, 2]);
        part.merge(&of(&[2, -5, 10]));
        assert_eq!(part, of(&[10, 2, 2, 1, 2, -5]));
        part.add(0, 1_000_000_000_000);
        assert_eq!(part.count(), 1_000_000_000_006);
        assert_eq!(part.median(), Some(0.0));
    }

    #[test]
    #[should_panic(expected = "score 11 outside of the declared range -5..=10")]
    fn a_score_too_high_is_refused() {
        of(&[11]);
    }

    #[test]
    #[should_panic(expected = "score -6 outside of the declared range -5..=10")]
    fn a_score_too_low_is_refused() {
        of(&[-6]);
    }

    #[test]
    #[should_panic(expected = "histograms of different ranges: -5..=10 and -5..=9")]
    fn different_ranges_do_not_merge() {
        of(&[]).merge(&Histogram::new(-5, 9));
    }
}
