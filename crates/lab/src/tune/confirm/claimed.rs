//! Estimates of a match at single tables, given that a gain over all of them is claimed.

use overtrick_stats::{Bounded, given_above, given_below};

use super::Confirm;

impl Confirm {
    /// Returns the estimate of the margins at a table, given a claimed gain over all tables.
    ///
    /// `None` if no gain is claimed, or if nothing is known of that table.
    ///
    /// The claim says that the gain is above a bound. Hold fixed the part of the gain that does not follow
    /// the margins of the table. Then the gain rises or falls with these margins, so they lie above or below
    /// a bound. This is the truncation of Lee, Sun, Sun & Taylor 2016, "Exact post-selection inference",
    /// *Annals of Statistics* 44, for one test.
    pub fn claimed_at(&self, table: usize) -> Option<Bounded> {
        let above = self.gain.mean() - self.gain.half_width()?;
        let (sums, count) = (&self.tables[table], self.gain.count as f64);
        let half = sums.half_width().filter(|_| above > 0.0)?;
        let common = (self.with_gain[table] / count - sums.mean() * self.gain.mean()) * count / (count - 1.0);
        let slope = common / sums.variance();
        let edge = sums.mean() - above / slope;
        Some(match slope {
            slope if slope > 0.0 => given_above(sums.mean(), half, edge),
            slope if slope < 0.0 => given_below(sums.mean(), half, edge),
            _ => Bounded { value: sums.mean(), se: None, interval: sums.interval() },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{ConfirmPhase, MarginSums, TuneMargins};
    use super::*;
    use crate::tune::random::{normal, stream};

    /// Returns a match at two tables whose margins have these means and a negative correlation.
    fn matched(truths: [f64; 2], seed: u64) -> Confirm {
        const NUMBERS: usize = 160;
        let mut confirm = Confirm {
            start: vec![0.0].into(),
            best: vec![1.0].into(),
            phase: ConfirmPhase::Final,
            changed: vec![0],
            worth: vec![MarginSums::default()],
            is_set_back: vec![false],
            simplified: vec![1.0].into(),
            simplified_cost: MarginSums::default(),
            ahead: MarginSums::default(),
            tables: vec![MarginSums::default(); 2],
            with_gain: vec![0.0; 2],
            gain: MarginSums::default(),
            next: 0,
            end: 0,
            games: 0,
            budget: 0,
            precision: None,
        };
        let mut noise = stream(seed, "test confirm", 0);
        let mut margins = TuneMargins::new(1, 2, NUMBERS);
        for number in 0..NUMBERS {
            let [common, first, second] = [0; 3].map(|_| normal(&mut noise));
            margins.at_mut(0, 0)[number] = truths[0] + common + first;
            margins.at_mut(0, 1)[number] = truths[1] - 0.3 * common + 2.0 * second;
        }
        confirm.learn(&margins, &[0.5, 0.5]);
        confirm
    }

    /// Returns the number of gains claimed in `matches` matches, and the shares of intervals that hold.
    ///
    /// The shares are by table, and of the matches with a claim.
    fn held(truths: [f64; 2], matches: u64) -> (usize, [f64; 2]) {
        let (mut claimed, mut holds) = (0, [0.0; 2]);
        for seed in 0..matches {
            let confirm = matched(truths, seed);
            if confirm.gain.claimed().is_some() {
                claimed += 1;
                for (table, holds) in holds.iter_mut().enumerate() {
                    let row = confirm.claimed_at(table).expect("what is known of a claim");
                    let (low, high) = row.interval.expect("what is known of a claim");
                    *holds += f64::from(u8::from((low..=high).contains(&truths[table])));
                }
            } else {
                assert!((0..2).all(|table| confirm.claimed_at(table).is_none()));
            }
        }
        (claimed, holds.map(|holds| holds / claimed as f64))
    }

    #[test]
    fn what_is_said_of_tables_holds_given_the_claim() {
        let (claimed, shares) = held([0.3, -0.1], 1500);
        assert!(claimed > 100 && shares.iter().all(|share| *share > 0.88), "{shares:?} of {claimed}");
    }

    #[test]
    #[ignore = "long: proves coverage by simulation"]
    fn what_is_said_of_tables_holds_given_claims_of_all_kinds() {
        for truths in [[0.0, 0.0], [0.1, 0.1], [0.3, -0.1], [-0.2, 0.4], [0.6, 0.0]] {
            let (claimed, shares) = held(truths, 30_000);
            println!("{truths:?}: {shares:?} of {claimed}");
            assert!(claimed > 400 && shares.iter().all(|share| *share > 0.92), "{truths:?}: {shares:?} of {claimed}");
        }
    }

    #[test]
    fn at_one_table_it_is_what_holds_of_the_gain() {
        let mut confirm = matched([0.9, 0.9], 1);
        let (sums, count) = (confirm.gain, confirm.gain.count as f64);
        // All margins are of one table.
        confirm.tables = vec![sums];
        confirm.with_gain = vec![sums.variance() * (count - 1.0) + count * sums.mean().powi(2)];
        let [own, gain] = [confirm.claimed_at(0).unwrap(), confirm.gain.claimed().unwrap()];
        let [(own_low, own_high), (low, high)] = [own, gain].map(|one| one.interval.unwrap());
        let pairs = [(own.value, gain.value), (own_low, low), (own_high, high)];
        assert!(pairs.iter().all(|(one, other)| (one - other).abs() < 1e-9), "{own:?} {gain:?}");
    }
}
