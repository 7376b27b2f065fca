//! The course of matches: their length in deals, and the worth of being ahead at half time.

use std::collections::BTreeSet;

use overtrick_ratings::GroupSum;
use overtrick_tournament::MatchSums;

use super::rows::Interval;
use super::share::{Cluster, share_of};

/// Figures of the matches of a variant.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MatchCourse {
    /// The number of deals that half of the matches do not exceed.
    pub median: Interval,
    /// The number of deals that 95% of the matches do not exceed.
    pub p95: Interval,
    /// Share of matches that the leader at half time won, of those not level then.
    pub leader_wins: Interval,
    /// Share of the same matches that the last player at half time won.
    pub comebacks: Interval,
}

impl MatchCourse {
    /// Computes the figures from the sums of each group; `cluster` describes the matches that share deals.
    pub fn new(groups: &[MatchSums], cluster: Cluster) -> MatchCourse {
        let (mut leader_wins, mut comebacks) = (Vec::new(), Vec::new());
        for sums in groups {
            leader_wins.push(GroupSum::of_events(sums.leader_won, sums.parted));
            comebacks.push(GroupSum::of_events(sums.comebacks, sums.parted));
        }
        MatchCourse {
            median: quantile(groups, 0.5, cluster),
            p95: quantile(groups, 0.95, cluster),
            leader_wins: share_of(&leader_wins, cluster, 1.0).into(),
            comebacks: share_of(&comebacks, cluster, 1.0).into(),
        }
    }
}

/// Returns the number of deals that a share of the matches do not exceed.
///
/// Its interval is that of the share of matches that are no longer, read off at both ends. See Woodruff
/// (1952), "Confidence intervals for medians and other position measures", *Journal of the American
/// Statistical Association* 47.
fn quantile(groups: &[MatchSums], part: f64, cluster: Cluster) -> Interval {
    let lengths: BTreeSet<u32> = groups.iter().flat_map(|sums| sums.lengths.keys().copied()).collect();
    let matches: u64 = groups.iter().map(MatchSums::matches).sum();
    let at = |part: f64| {
        let due = (part * matches as f64).ceil().max(1.0) as i64;
        lengths.iter().copied().find(|&deals| GroupSum::total(&no_longer(groups, deals)).sum >= due)
    };
    let Some(value) = at(part) else { return Interval::default() };
    let ends = share_of(&no_longer(groups, value), cluster, 1.0).and_then(|share| {
        let (low, high) = share.interval?;
        let ends = (at((part - share.value + low).max(0.0))?, at((part - share.value + high).min(1.0))?);
        Some((f64::from(ends.0), f64::from(ends.1)))
    });
    Interval::new(Some(f64::from(value)), ends)
}

/// Returns by group the matches of at most this number of deals, and all matches.
fn no_longer(groups: &[MatchSums], deals: u32) -> Vec<GroupSum> {
    groups.iter().map(|sums| GroupSum::of_events(sums.up_to(deals), sums.matches())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_and_their_intervals_are_lengths_that_occurred() {
        // Sixteen groups with a match of each length from 1 to 19, and one much longer match.
        let group = || {
            let mut sums = MatchSums::default();
            (1..=19).chain([400]).for_each(|deals| sums.add_match(deals, &[1, 0], &[0, 1]));
            sums
        };
        let groups: Vec<MatchSums> = (0..16).map(|_| group()).collect();
        let course = MatchCourse::new(&groups, Cluster::of(20));
        assert_eq!((course.median.value, course.p95.value), (Some(10.0), Some(19.0)));
        assert_eq!((course.leader_wins.value, course.comebacks.value), (Some(1.0), Some(0.0)));
        let (value, (low, high)) = course.median.value.zip(course.median.ends()).unwrap();
        // Groups that are all alike count as one match each, so the ends lie far out.
        assert!(low < value && value < high && low >= 5.0 && high <= 16.0, "{:?}", course.median);
        assert!(course.p95.high.unwrap() >= 19.0);
        // Too few groups have no interval, no matches no value.
        let few = MatchCourse::new(&groups[..7], Cluster::of(20));
        assert_eq!(few.median, Interval::new(Some(10.0), None));
        assert_eq!(MatchCourse::new(&[], Cluster::of(20)).p95, Interval::default());
    }
}
