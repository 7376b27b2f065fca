//! How far a run plays before it looks up.

use std::time::Duration;

use crate::tournament::VariantRun;

/// No segment should be shorter, whatever is asked for.
const SHORTEST: Duration = Duration::from_millis(20);
/// Nor longer: short enough that little is lost, long enough that threads seldom wait for each other.
const LONGEST: Duration = Duration::from_secs(1);

/// How long the segments of a run are. Between two segments its tallies are those of exactly the numbers so far, so
/// that is where observers are told, and where a run that is interrupted stays. Results do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segments {
    /// About so long, from 20 ms to a second; but every thread has a number at least.
    Lasting(Duration),
    /// So many deal or match numbers: an observer that ends a run ends it at the same number every time.
    Of(u64),
}

impl Default for Segments {
    /// The longest that there are by the clock.
    fn default() -> Segments {
        Segments::Lasting(LONGEST)
    }
}

/// How many numbers the next segment should have, by how long the last one took.
pub(super) struct Lengths {
    segments: Segments,
    /// One for each thread at least, or some would have nothing to do.
    least: u64,
    numbers: u64,
    next: u64,
    wall: Duration,
}

impl Lengths {
    /// At first every thread gets one: nobody knows how long that takes.
    pub(super) fn new(segments: Segments, ran: &VariantRun, threads: u64) -> Lengths {
        Lengths { segments, least: threads, numbers: threads, next: ran.next, wall: ran.wall }
    }

    /// The numbers for the next segment, where `wall` was spent before number `next`.
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

    /// The segments of a run on `threads` threads of which each number takes so long.
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
