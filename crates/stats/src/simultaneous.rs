//! Intervals that all hold at once.
//!
//! Where many estimates are looked at together, one in twenty 95% intervals misses its truth. So they are widened until
//! all of a family hold at once in 95% of cases: by the quantile of the largest of their Student's t ([`Largest`]).

use nalgebra::DMatrix;
use overtrick_cards::SeedSource;
use overtrick_ratings::interval::student_t_975;

use super::contrast::Contrast;
use super::largest::{Combination, Largest};

/// The chance that an interval of the family misses.
const MISS: f64 = 0.05;

/// An estimate with an interval that holds together with those of its family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Banded {
    /// The estimate.
    pub value: f64,
    /// Its standard error.
    pub se: Option<f64>,
    /// The ends of its interval; `None` where too little is known for one.
    pub interval: Option<(f64, f64)>,
    /// The p-value of the hypothesis that the truth is 0, corrected for the size of the family; `None` without an
    /// interval, but 1 where nothing ever differed.
    pub p: Option<f64>,
}

/// The estimates of a family, each with its simultaneous 95% interval; `seed` and `name` decide the draws. All must be
/// over the same groups.
pub fn simultaneous(family: &[&Contrast], seed: u64, name: &str) -> Vec<Banded> {
    let plain: Vec<_> = family.iter().map(|contrast| contrast.estimate_if_known()).collect();
    let known: Vec<&Contrast> = family
        .iter()
        .zip(&plain)
        .filter(|(_, plain)| plain.half_width.is_some())
        .map(|(contrast, _)| *contrast)
        .collect();
    let largest = (known.len() > 1).then(|| draw_largest(&known, seed, name));
    let mut banded = Vec::with_capacity(family.len());
    for plain in plain {
        // Where nothing hangs on a draw, the quantile is exact. It is never below that of one; draws are not exact.
        let (mut times, mut p) = (1.0, plain.p());
        if let (Some(largest), Some(se), Some(own)) = (&largest, plain.half_width.and(plain.se), p) {
            times = (largest.exceeded_with(MISS) / student_t_975(plain.freedom)).max(1.0);
            p = Some(largest.p(plain.mean / se).max(own));
        }
        let interval = plain.half_width.map(|half| (plain.mean - half * times, plain.mean + half * times));
        banded.push(Banded { value: plain.mean, se: plain.se, interval, p });
    }
    banded
}

/// Draws the largest statistic of a family that is not empty.
fn draw_largest(family: &[&Contrast], seed: u64, name: &str) -> Largest {
    let columns = family[0].errors().count();
    let errors = DMatrix::from_row_iterator(family.len(), columns, family.iter().flat_map(|one| one.errors()));
    let combinations: Vec<Combination> =
        (0..family.len()).filter_map(|row| Combination::new(&errors, vec![(row, 1.0)])).collect();
    let groups = family.iter().map(|one| one.estimate().groups).min().expect("a family");
    let mut stream = SeedSource::new(seed, "simultaneous", name).stream(0, 0);
    Largest::draw(&errors, &combinations, groups, &mut stream)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::normal;
    use overtrick_cards::Stream;

    /// Estimates over 64 groups: noise of their own times `own`, plus noise that all share times `shared`.
    fn family(count: usize, own: f64, shared: f64, stream: &mut Stream) -> Vec<Contrast> {
        let common: Vec<f64> = (0..64).map(|_| normal(stream)).collect();
        let one = |_| {
            let scores: Vec<(i64, u64)> =
                common.iter().map(|common| ((1e6 * (shared * common + own * normal(stream))) as i64, 10)).collect();
            Contrast::of_mean(&scores).unwrap()
        };
        (0..count).map(one).collect()
    }

    #[test]
    fn quantiles_of_the_largest_of_several() {
        let mut stream = SeedSource::new(1, "test", "simultaneous").stream(0, 0);
        let times = |family: &[Contrast]| {
            let refs: Vec<&Contrast> = family.iter().collect();
            let banded = simultaneous(&refs, 1, "x")[0];
            (banded.interval.unwrap().1 - banded.value) / banded.se.unwrap()
        };
        // One: Student's t with 63 degrees of freedom. Ten that share nothing: by Sidak's formula t at 1 - 0.95^(1/10),
        // 2.89; a little less, because all share the variance. Ten that are the same: as one.
        let one = family(1, 1.0, 0.0, &mut stream);
        assert!((times(&one) - 1.998_34).abs() < 1e-4);
        let apart = times(&family(10, 1.0, 0.0, &mut stream));
        assert!((2.78..2.95).contains(&apart), "{apart}");
        let same = times(&family(10, 1e-3, 1.0, &mut stream));
        assert!((1.95..2.06).contains(&same), "{same}");
    }

    /// How many of `count` families have intervals that all hold, with errors of their own and with errors that all
    /// share.
    fn held(count: u64) -> [usize; 2] {
        let mut stream = SeedSource::new(2, "test", "simultaneous").stream(0, 0);
        [(1.0, 0.0), (1.0, 1.0)].map(|(own, shared)| {
            (0..count)
                .filter(|&seed| {
                    let family = family(6, own, shared, &mut stream);
                    let refs: Vec<&Contrast> = family.iter().collect();
                    let banded = simultaneous(&refs, seed, "x");
                    banded.iter().all(|one| one.interval.is_some_and(|(low, high)| low <= 0.0 && high >= 0.0))
                })
                .count()
        })
    }

    #[test]
    fn intervals_of_a_few_families_hold_all_at_once() {
        let held = held(10);
        // 95% of 10 are 9.5, give or take 0.7.
        assert!(held.iter().all(|&held| held >= 7), "{held:?}");
    }

    #[test]
    #[ignore = "long: proves coverage by simulation"]
    fn intervals_hold_all_at_once() {
        let held = held(200);
        // 95% of 200 are 190, give or take 3.1.
        assert!(held.iter().all(|held| (180..=199).contains(held)), "{held:?}");
    }
}
