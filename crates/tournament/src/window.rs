//! Windows: disjoint sets of deal numbers.

use std::ops::Range;

use serde::{Deserialize, Serialize};

/// The most numbers of a window. A match number times 65536 must fit a deal id.
pub const MOST_NUMBERS: u64 = 1 << 40;

/// The purpose of deals.
///
/// Each purpose has separate deal numbers. So a choice made on deals of one window can be confirmed on fresh
/// deals of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Window {
    /// Runs: the numbers from 0, as in configs, results and `replay`.
    Run,
    /// Deals that measure the spread of scores and the time to play.
    Pilot,
    /// Deals for a search, for instance for better parameters.
    Search,
    /// Deals that confirm the result of a search.
    Confirm,
}

impl Window {
    /// Returns the numbers of a window from its `range.start`th to before its `range.end`th.
    ///
    /// # Panics
    /// If the range goes beyond the window, which has 2^40 numbers.
    pub fn numbers(self, range: Range<u64>) -> Numbers {
        assert!(range.end <= MOST_NUMBERS, "a window has {MOST_NUMBERS} numbers");
        Numbers { window: self, range }
    }
}

/// Deal or match numbers of one window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbers {
    window: Window,
    range: Range<u64>,
}

impl Numbers {
    /// Returns the window.
    pub fn window(&self) -> Window {
        self.window
    }

    /// Returns the positions of the numbers in the window, from 0.
    pub fn within(&self) -> Range<u64> {
        self.range.clone()
    }

    /// Returns the numbers that deals are seeded with.
    pub fn absolute(&self) -> Range<u64> {
        let start = self.window as u64 * MOST_NUMBERS;
        start + self.range.start..start + self.range.end
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_have_no_number_in_common() {
        let windows = [Window::Run, Window::Pilot, Window::Search, Window::Confirm];
        let ends: Vec<Range<u64>> = windows.map(|window| window.numbers(0..MOST_NUMBERS).absolute()).into();
        assert_eq!(ends[0], 0..MOST_NUMBERS);
        assert!(ends.windows(2).all(|pair| pair[0].end == pair[1].start));
        // The deals of a match are numbered within 16 more bits.
        assert!(ends[3].end <= u64::MAX >> 16);
        assert_eq!(Window::Search.numbers(3..5).within(), 3..5);
    }

    #[test]
    #[should_panic = "a window has"]
    fn a_window_ends() {
        Window::Run.numbers(0..MOST_NUMBERS + 1);
    }
}
