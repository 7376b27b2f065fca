//! The totals at half time of a match whose length is not known before its end.

use std::collections::VecDeque;

use overtrick_cards::table::BySeat;

/// The totals of a match so far, as many of them as half time may still be at: after half of the deals played, rounded
/// down.
#[derive(Clone, Debug)]
pub struct HalfTime {
    deals: u32,
    /// The totals from half time so far to the last deal.
    totals: VecDeque<BySeat<i32>>,
}

impl Default for HalfTime {
    fn default() -> HalfTime {
        HalfTime { deals: 0, totals: VecDeque::from([BySeat::default()]) }
    }
}

impl HalfTime {
    /// Forgets the match: another begins.
    pub fn begin(&mut self) {
        self.deals = 0;
        self.totals.clear();
        self.totals.push_back(BySeat::default());
    }

    /// Adds a deal, after which these are the totals.
    #[inline]
    pub fn add(&mut self, totals: BySeat<i32>) {
        self.deals += 1;
        self.totals.push_back(totals);
        if self.deals.is_multiple_of(2) {
            self.totals.pop_front();
        }
    }

    /// The totals at half time, were the last deal that of the match.
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
