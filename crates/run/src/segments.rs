//! The length of a run's segments.

use std::time::Duration;

use overtrick_tournament::VariantRun;

/// The shortest time for a segment.
const SHORTEST: Duration = Duration::from_millis(20);
/// The longest time for a segment: an interruption then loses little, and threads rarely wait for each other.
const LONGEST: Duration = Duration::from_secs(1);

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

/// The rule that finds the length of the next segment from the time that the last one took.
pub(super) struct Lengths {
    segments: Segments,
    /// The fewest numbers of a segment: one for each thread.
    least: u64,
    numbers: u64,
    next: u64,
    wall: Duration,
}

impl Lengths {
    /// Returns lengths that begin with one number for every thread, since the time for a number is not known yet.
    pub(super) fn new(segments: Segments, run: &VariantRun, threads: u64) -> Lengths {
        Lengths { segments, least: threads, numbers: threads, next: run.next, wall: run.wall }
    }

    /// Returns the count of numbers for the next segment, if the run took `wall` up to number `next`.
    pub(super) fn after(&mut self, next: u64, wall: Duration) -> u64 {
        let length = match self.segments {
            Segments::Lasting(length) => length.clamp(SHORTEST, LONGEST),
            Segments::Of(numbers) => return numbers.max(1),
        };
        let (numbers, took) = (next - self.next, wall - self.wall);
        if numbers > 0 {
            let fitting = numbers as f64 * length.as_secs_f64() / took.as_secs_f64().max(1e-6);
            let fitting = (fitting as u64).clamp(self.numbers / 8, self.numbers * 8);
            self.numbers = fitting.max(1).next_multiple_of(self.least);
        }
        (self.next, self.wall) = (next, wall);
        self.numbers
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the first `count` lengths of a run on `threads` threads, where each number takes `each`.
    fn lengths(segments: Segments, threads: u64, each: Duration, count: usize) -> Vec<u64> {
        let mut lengths = Lengths { segments, least: threads, numbers: threads, next: 0, wall: Duration::ZERO };
        let (mut next, mut wall) = (0, Duration::ZERO);
        let length = |_| {
            let numbers = lengths.after(next, wall);
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
