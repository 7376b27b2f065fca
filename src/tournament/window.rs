//! Windows: sets of deal numbers that have none in common.

use std::ops::Range;

/// The most numbers of a window: match numbers times 65536 must fit a deal id.
pub(super) const MOST_NUMBERS: u64 = 1 << 40;

/// What deals are played for. Each purpose has numbers of its own, so what was chosen by deals of one window has never
/// seen those of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// Runs: the numbers from 0, which configs, results and `replay` name.
    Run,
    /// Finding out how much is at stake, and how long it will take.
    Pilot,
    /// Searching for something better.
    Search,
    /// Seeing what was found confirmed.
    Confirm,
}

impl Window {
    /// The numbers of a window from its `range.start`th to before its `range.end`th.
    ///
    /// # Panics
    /// If the window has not so many: a window has 2^40.
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
    /// The window.
    pub fn window(&self) -> Window {
        self.window
    }

    /// Their places in the window.
    pub fn within(&self) -> Range<u64> {
        self.range.clone()
    }

    /// The numbers that deals are seeded with.
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
        // The deals of a match are numbered within 16 bits more.
        assert!(ends[3].end <= u64::MAX >> 16);
        assert_eq!(Window::Search.numbers(3..5).within(), 3..5);
    }

    #[test]
    #[should_panic = "a window has"]
    fn a_window_ends() {
        Window::Run.numbers(0..MOST_NUMBERS + 1);
    }
}
