//! Intervals that all hold at once.
//!
//! Where many estimates are considered together, one in twenty 95% intervals misses its truth. So they are
//! widened until all of a family hold at once in 95% of cases. The factor is the quantile of the largest of
//! their Student's t ([`MaxT`]). An estimate with skewed groups, such as the share of a rare contract, gets a
//! still wider interval. Its Student's t has fewer degrees of freedom.

use nalgebra::DMatrix;
use overtrick_cards::SeedSource;
use overtrick_ratings::freedom::{freedom, is_enough};
use overtrick_ratings::interval::{Estimate, student_t, student_t_975};

use super::contrast::Contrast;
use super::figure::Bounded;
use super::max_t::{Combination, MaxT};

/// The chance that something of a family is wrong.
pub(super) const MISS: f64 = 0.05;

/// An estimate of a family with its p-value.
pub(super) struct Judged {
    /// The estimate, with an interval that holds together with those of its family.
    pub estimate: Bounded,
    /// The p-value of the hypothesis that the truth is 0, corrected for the size of the family.
    ///
    /// `None` without an interval, but 1 where the estimate is exactly 0.
    pub p: Option<f64>,
}

/// Returns the estimates of a family, each with its simultaneous 95% interval.
///
/// `seed` and `name` decide the draws. All estimates must be over the same groups.
pub fn simultaneous(family: &[&Contrast], seed: u64, name: &str) -> Vec<Bounded> {
    let family: Vec<(&Contrast, Estimate)> = family.iter().map(|&contrast| (contrast, known(contrast))).collect();
    judge(&family, seed, name).into_iter().map(|judged| judged.estimate).collect()
}

/// Judges a family of estimates by widening their intervals until all hold at once.
///
/// Each contrast comes with the estimate that holds for it alone. A family of one keeps that estimate.
pub(super) fn judge(family: &[(&Contrast, Estimate)], seed: u64, name: &str) -> Vec<Judged> {
    let known: Vec<(&Contrast, Estimate)> =
        family.iter().filter(|(_, alone)| alone.half_width.is_some()).copied().collect();
    let largest = (known.len() > 1).then(|| draw_largest(&known, seed, name));
    let mut judged = Vec::with_capacity(family.len());
    for &(_, alone) in family {
        // A single estimate needs no draw, so its quantile is exact. In a family neither figure may fall
        // below that of one estimate, since draws are not exact.
        let (mut times, mut p) = (1.0, alone.p());
        if let (Some(largest), Some(se), Some(own)) = (&largest, alone.half_width.and(alone.se), p) {
            times = (largest.exceeded_with(MISS) / student_t_975(alone.groups as f64 - 1.0)).max(1.0);
            p = Some(largest.p(alone.mean / (se * alone.widening)).max(own));
        }
        let interval = alone.widened(times).ends();
        judged.push(Judged { estimate: Bounded { value: alone.mean, se: alone.se, interval }, p });
    }
    judged
}

/// Returns an estimate with the degrees of freedom that the skewness of its groups leaves.
///
/// It has no interval where these are too few, or where the groups hardly differ.
fn known(contrast: &Contrast) -> Estimate {
    let plain = contrast.estimate();
    let freedom = freedom(contrast.known_errors());
    let skewed = Estimate::with_freedom(plain.mean, plain.se, plain.groups, freedom);
    let is_known = contrast.estimate_if_known().half_width.is_some() && is_enough(freedom);
    if is_known { skewed } else { Estimate { half_width: None, ..skewed } }
}

/// Returns the interval of an estimate that is one of `count`, all of which hold at once.
///
/// Each misses with a chance of a twentieth over their number (Bonferroni 1936). `None` where too little is
/// known for an interval.
///
/// # Panics
/// If `count` is 0.
pub fn bonferroni(contrast: &Contrast, count: usize) -> Option<(f64, f64)> {
    assert!(count > 0, "it is one of them");
    let estimate = known(contrast);
    estimate.half_width?;
    let half = student_t(1.0 - MISS / 2.0 / count as f64, estimate.freedom) * estimate.se?;
    Some((estimate.mean - half, estimate.mean + half))
}

/// Draws the largest statistic of a family that is not empty.
fn draw_largest(family: &[(&Contrast, Estimate)], seed: u64, name: &str) -> MaxT {
    let columns = family[0].0.errors().count();
    let errors = DMatrix::from_row_iterator(family.len(), columns, family.iter().flat_map(|(one, _)| one.errors()));
    let mut combinations = Vec::with_capacity(family.len());
    for (row, (_, alone)) in family.iter().enumerate() {
        combinations.extend(Combination::new(&errors, vec![(row, 1.0)], alone.groups));
    }
    MaxT::draw(&errors, &combinations, &mut SeedSource::new(seed, "simultaneous", name).stream(0, 0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::{normal, uniform};
    use overtrick_cards::Stream;
    use overtrick_ratings::GroupSum;

    /// Draws estimates over 64 groups: own noise times `own`, plus noise that all share times `shared`.
    fn family(count: usize, own: f64, shared: f64, stream: &mut Stream) -> Vec<Contrast> {
        let common: Vec<f64> = (0..64).map(|_| normal(stream)).collect();
        let one = |_| {
            let mut score = |common: &f64| GroupSum::new((1e6 * (shared * common + own * normal(stream))) as i64, 10);
            let scores: Vec<GroupSum> = common.iter().map(&mut score).collect();
            Contrast::of_mean(&scores).unwrap()
        };
        (0..count).map(one).collect()
    }

    #[test]
    fn quantiles_of_the_largest_of_several() {
        let mut stream = SeedSource::new(1, "test", "simultaneous").stream(0, 0);
        let times = |family: &[Contrast]| {
            let refs: Vec<&Contrast> = family.iter().collect();
            let first = simultaneous(&refs, 1, "x")[0];
            (first.interval.unwrap().1 - first.value) / first.se.unwrap()
        };
        // For one estimate: Student's t with 63 degrees of freedom, or slightly fewer for skewness by chance.
        // For ten that share nothing: by Sidak's formula t at 1 - 0.95^(1/10), 2.89; a little less, because
        // all share the variance. For ten equal estimates: as for one.
        let one = family(1, 1.0, 0.0, &mut stream);
        let student = student_t_975(freedom(one[0].known_errors()));
        assert!((times(&one) - student).abs() < 1e-4 && (1.998_34..2.01).contains(&student), "{student}");
        let apart = times(&family(10, 1.0, 0.0, &mut stream));
        assert!((2.78..2.95).contains(&apart), "{apart}");
        let same = times(&family(10, 1e-3, 1.0, &mut stream));
        assert!((1.95..2.06).contains(&same), "{same}");
    }

    /// Draws the worth of an event under two rules, in 2,000 deals over 32 groups.
    ///
    /// The event happens in about one of `one_in` deals, and twice as often under the second rule. Half of
    /// the events of the first rule also happen under the second. An event is worth a point, and in one case
    /// of ten `most` points.
    fn rare(one_in: f64, most: i64, stream: &mut Stream) -> [Contrast; 2] {
        let mut groups = [[GroupSum::default(); 32]; 2];
        for deal in 0..2000 {
            let luck = uniform(stream) * one_in;
            let worth = if uniform(stream) < 0.1 { most } else { 1 };
            for (groups, happens) in groups.iter_mut().zip([luck < 1.0, (0.5..2.5).contains(&luck)]) {
                groups[deal % 32] += GroupSum::new(if happens { worth } else { 0 }, 1);
            }
        }
        groups.map(|groups| Contrast::of_mean(&groups).unwrap())
    }

    /// Counts, of `count` pairs, the intervals of their difference and those of them that cover it.
    ///
    /// The first counts are with the degrees of freedom that the skewness leaves, the second with all.
    fn covered(one_in: f64, most: i64, count: usize, stream: &mut Stream) -> [(usize, usize); 2] {
        let truth = (0.9 + 0.1 * most as f64) / one_in;
        let mut found = [(0, 0); 2];
        for seed in 0..count {
            let [one, other] = rare(one_in, most, stream);
            let difference = other.less(&one);
            let plain = difference.estimate_if_known();
            let plain = plain.half_width.map(|half| (plain.mean - half, plain.mean + half));
            let known = simultaneous(&[&difference], seed as u64, "x")[0].interval;
            for ((have, cover), interval) in found.iter_mut().zip([known, plain]) {
                *have += usize::from(interval.is_some());
                *cover += usize::from(interval.is_some_and(|(low, high)| low <= truth && truth <= high));
            }
        }
        found
    }

    #[test]
    fn differences_of_rare_measures_have_fewer_degrees_of_freedom() {
        let mut stream = SeedSource::new(6, "test", "simultaneous").stream(0, 0);
        let [(have, cover), (all, _)] = covered(50.0, 10, 20, &mut stream);
        assert!(have <= all && cover * 10 >= have * 8, "{have} {cover} {all}");
    }

    #[test]
    #[ignore = "long: proves coverage by simulation"]
    fn differences_of_rare_measures_are_covered() {
        let mut stream = SeedSource::new(7, "test", "simultaneous").stream(0, 0);
        for (one_in, most) in [(50.0, 1), (200.0, 1), (800.0, 1), (12.5, 10), (25.0, 10), (50.0, 10)] {
            let [(have, cover), (all, plain)] = covered(one_in, most, 2000, &mut stream);
            let share = |cover: usize, have: usize| 100.0 * cover as f64 / have.max(1) as f64;
            println!(
                "one in {one_in}, {most} at most: {have} of 2000 have one, {:.1}% cover; all degrees of freedom: {all}, \
                 {:.1}%",
                share(cover, have),
                share(plain, all)
            );
            // Where half of all have no interval, the others saw nothing large.
            assert!(have < 1400 || cover as f64 >= 0.93 * have as f64, "{one_in}, {most}: {cover} of {have}");
        }
    }

    /// Counts the families of `count` whose intervals all hold.
    ///
    /// The first count is with separate errors, the second with errors that all share, too.
    fn held(count: u64) -> [usize; 2] {
        let mut stream = SeedSource::new(2, "test", "simultaneous").stream(0, 0);
        [(1.0, 0.0), (1.0, 1.0)].map(|(own, shared)| {
            (0..count)
                .filter(|&seed| {
                    let family = family(6, own, shared, &mut stream);
                    let refs: Vec<&Contrast> = family.iter().collect();
                    let known = simultaneous(&refs, seed, "x");
                    known.iter().all(|one| one.interval.is_some_and(|(low, high)| low <= 0.0 && high >= 0.0))
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

    #[test]
    fn intervals_of_bonferroni_share_the_chance_to_miss() {
        let mut stream = SeedSource::new(2, "test", "simultaneous").stream(0, 0);
        let one = &family(1, 1.0, 0.0, &mut stream)[0];
        let estimate = known(one);
        for (count, quantile) in [(1, 0.975), (10, 0.9975)] {
            let (low, high) = bonferroni(one, count).unwrap();
            let half = student_t(quantile, estimate.freedom) * estimate.se.unwrap();
            assert!((low - (estimate.mean - half)).abs() < 1e-12 && (high - (estimate.mean + half)).abs() < 1e-12);
        }
        let equal = Contrast::of_mean(&[GroupSum::new(3, 3); 64]).unwrap();
        assert_eq!(bonferroni(&equal, 1), None);
    }
}
