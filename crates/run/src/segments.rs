//! The length of a run's segments.

use std::time::Duration;

use overtrick_tournament::VariantRun;

/// The shortest time for a segment.
const SHORTEST: Duration = Duration::from_millis(20);
/// The longest time for a segment: an interruption then loses little, and threads rarely wait for each other.
const LONGEST: Duration = Duration::from_secs(1);
/// The largest factor between the lengths of two consecutive segments, since times vary.
const MOST_CHANGE: u64 = 8;
/// The least length of a segment with games spread over processes, if it cannot be broken off.
const LEAST_SPREAD: u64 = 1 << 10;

/// The length of a run's segments.
///
/// Between two segments the tallies cover exactly the numbers so far. Observers are called there, and an
/// interrupted run stops there. Results do not depend on the length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segments {
    /// Segments of about this time, from 20 ms to a second, with at least one number for every thread.
    Lasting(Duration),
    /// Segments of this number of deals or matches, so that an observer ends a run at the same number every time.
    Of(u64),
}

impl Default for Segments {
    /// Returns the longest segments by time.
    fn default() -> Segments {
        Segments::Lasting(LONGEST)
    }
}

/// The rule that finds the length of the next segment from the time of the last.
pub(super) struct SegmentPlanner {
    segments: Segments,
    threads: u64,
    /// The length of the last segment.
    length: u64,
    /// The number before which the last segment ended.
    last_number: u64,
    /// The time that the run had taken by then.
    last_wall: Duration,
    /// The most numbers of a segment.
    pub(super) most: u64,
    /// Whether a segment may be broken off.
    pub(super) breaks_off: bool,
    /// Whether games are spread over processes.
    pub(super) is_spread: bool,
}

impl SegmentPlanner {
    /// Returns a rule for a run that has taken `last_wall` up to `last_number`.
    ///
    /// It begins with one number for every thread, since the time for a number is not known yet.
    pub(super) fn new(segments: Segments, threads: u64, last_number: u64, last_wall: Duration) -> SegmentPlanner {
        SegmentPlanner {
            segments,
            threads,
            length: threads,
            last_number,
            last_wall,
            most: u64::MAX,
            breaks_off: false,
            is_spread: false,
        }
    }

    /// Returns the length of the segment that follows.
    pub(super) fn next_length(&mut self, run: &VariantRun) -> u64 {
        let length = self.timed_length(run.next, run.wall).min(self.most);
        if !self.is_spread {
            return length;
        }
        // If it may break off, a run with external bots need not know in advance how far it gets.
        if self.breaks_off {
            return u64::MAX;
        }
        // Only a few numbers at first, since a bot that fails at everything takes long.
        if run.next == run.start { length } else { length.max(LEAST_SPREAD.min(self.most)) }
    }

    /// Returns the length that fits, if the run took `wall` up to `number`.
    fn timed_length(&mut self, number: u64, wall: Duration) -> u64 {
        let target = match self.segments {
            Segments::Lasting(target) => target.clamp(SHORTEST, LONGEST),
            Segments::Of(numbers) => return numbers.max(1),
        };
        let (numbers, took) = (number - self.last_number, wall - self.last_wall);
        if numbers > 0 {
            let fitting = numbers as f64 * target.as_secs_f64() / took.as_secs_f64().max(1e-6);
            let fitting = (fitting as u64).clamp(self.length / MOST_CHANGE, self.length * MOST_CHANGE);
            self.length = fitting.max(1).next_multiple_of(self.threads);
        }
        (self.last_number, self.last_wall) = (number, wall);
        self.length
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the first `count` lengths of a run on `threads` threads, where each number takes `each`.
    fn lengths(segments: Segments, threads: u64, each: Duration, count: usize) -> Vec<u64> {
        let (mut next, mut wall) = (0, Duration::ZERO);
        let mut planner = SegmentPlanner::new(segments, threads, next, wall);
        let length = |_| {
            let numbers = planner.timed_length(next, wall);
            next += numbers;
            wall += each * numbers as u32 / threads as u32;
            numbers
        };
        (0..count).map(length).collect()
    }

    #[test]
    fn segments_take_a_second_but_leave_no_thread_without_work() {
        let segments = Segments::default();
        assert_eq!(lengths(segments, 2, Duration::from_secs(30), 3), [2, 2, 2]);
        assert_eq!(lengths(segments, 3, Duration::from_millis(200), 4), [3, 15, 15, 15]);
        assert_eq!(lengths(segments, 1, Duration::from_millis(1), 6), [1, 8, 64, 512, 1000, 1000]);
    }

    #[test]
    fn segments_of_a_length_have_it_whatever_the_clock_says() {
        assert_eq!(lengths(Segments::Of(50), 2, Duration::from_secs(30), 3), [50, 50, 50]);
        assert_eq!(lengths(Segments::Of(0), 2, Duration::ZERO, 2), [1, 1]);
    }
}
