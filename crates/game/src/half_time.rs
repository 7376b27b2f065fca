//! The totals at half time of a match whose length is not known in advance.

use std::collections::VecDeque;

use overtrick_cards::table::BySeat;

/// The totals of a match that can still be the totals at half time.
///
/// Half time is after half of the deals played, rounded down.
#[derive(Clone, Debug)]
pub struct HalfTime {
    deals: u32,
    /// The totals from the current half time to the last deal.
    totals: VecDeque<BySeat<i32>>,
}

impl Default for HalfTime {
    fn default() -> HalfTime {
        HalfTime { deals: 0, totals: VecDeque::from([BySeat::default()]) }
    }
}

impl HalfTime {
    /// Begins another match and forgets this one.
    pub fn begin(&mut self) {
        self.deals = 0;
        self.totals.clear();
        self.totals.push_back(BySeat::default());
    }

    /// Adds a deal that led to these totals.
    #[inline]
    pub fn add(&mut self, totals: BySeat<i32>) {
        self.deals += 1;
        self.totals.push_back(totals);
        if self.deals.is_multiple_of(2) {
            self.totals.pop_front();
        }
    }

    /// Returns the totals at half time if the match ended with the last deal.
    pub fn totals(&self) -> BySeat<i32> {
        self.totals.front().copied().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_time_is_after_half_of_the_deals() {
        let mut half_time = HalfTime::default();
        for _ in 0..2 {
            let mut seen = vec![half_time.totals()[overtrick_cards::table::Seat::Seat0]];
            for deal in 1..=7 {
                half_time.add(BySeat::new([deal, 0, 0]));
                seen.push(half_time.totals()[overtrick_cards::table::Seat::Seat0]);
            }
            assert_eq!(seen, [0, 0, 1, 1, 2, 2, 3, 3]);
            half_time.begin();
        }
    }
}
