//! Bots pair by pair, over the deals in which the two met.

use std::collections::BTreeMap;

use overtrick_ratings::Estimate;
use overtrick_strategy::ids::BotId;

use super::contrast::Contrast;
use super::simultaneous::{Judged, MISS, judge};
use super::wins::Differences;

/// Two bots that met.
pub(super) struct Pair {
    /// How far the first is ahead of the second.
    pub contrast: Contrast,
    /// The same with the interval that holds for this pair alone.
    pub alone: Estimate,
    /// The same with the interval that holds together with those of all pairs.
    pub simultaneous: Judged,
    /// The sign of the difference if it is beyond chance, all pairs at once; otherwise 0.
    pub sign: f64,
}

/// The pairs of bots that met, by the first and the second as configured.
pub(super) type Pairs = BTreeMap<(BotId, BotId), Pair>;

/// Judges all pairs at once.
///
/// `widening` is the factor by which a sequential test widens intervals. `seed` and `name` decide the draws.
pub(super) fn judge_pairs(met: Differences, widening: f64, seed: u64, name: &str) -> Pairs {
    let alone: Vec<Estimate> = met.values().map(|met| met.estimate_if_known().widened(widening)).collect();
    let family: Vec<(&Contrast, Estimate)> = met.values().zip(alone.iter().copied()).collect();
    let judged = judge(&family, seed, &format!("{name} pairs"));
    let count = met.len();
    let mut pairs = Pairs::new();
    for ((key, contrast), (alone, simultaneous)) in met.into_iter().zip(alone.into_iter().zip(judged)) {
        let sign = if is_beyond_chance(&contrast, &simultaneous, count) { contrast.value().signum() } else { 0.0 };
        pairs.insert(key, Pair { contrast, alone, simultaneous, sign });
    }
    pairs
}

/// Returns whether a difference is beyond chance.
///
/// A difference that is the same in every group has no interval. It is judged like a coin that falls the same
/// way in every group (Dixon & Mood 1946).
fn is_beyond_chance(contrast: &Contrast, simultaneous: &Judged, family: usize) -> bool {
    let estimate = contrast.estimate();
    let is_constant = estimate.se == Some(0.0) && estimate.mean != 0.0;
    let is_one_sided = is_constant && f64::powi(0.5, estimate.groups as i32 - 1) * (family as f64) < MISS;
    simultaneous.estimate.interval.map_or(is_one_sided, |_| simultaneous.estimate.excludes_zero())
}

/// Returns the sign of the difference of two bots if it is beyond chance; 0 if it is not, or if they did not
/// meet.
pub(super) fn sign(pairs: &Pairs, a: BotId, b: BotId) -> f64 {
    match pairs.get(&(a, b)) {
        Some(pair) => pair.sign,
        None => pairs.get(&(b, a)).map_or(0.0, |pair| -pair.sign),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::normal;
    use overtrick_cards::SeedSource;
    use overtrick_ratings::GroupSum;

    fn pair(a: usize, b: usize) -> (BotId, BotId) {
        (BotId::new(a), BotId::new(b))
    }

    #[test]
    fn the_bot_that_wins_in_every_group_by_as_much_beats_the_other() {
        let sign = |groups: usize| {
            let constant = Contrast::of_mean(&vec![GroupSum::new(4, 2); groups]).unwrap();
            judge_pairs(BTreeMap::from([(pair(0, 1), constant)]), 1.0, 1, "x")[&pair(0, 1)].sign
        };
        // With one pair, six groups of one sign are beyond chance, five are not.
        assert_eq!([5, 6].map(sign), [0.0, 1.0]);
    }

    #[test]
    fn a_pair_alone_has_its_plain_interval() {
        let mut stream = SeedSource::new(1, "test", "pairwise").stream(0, 0);
        // For these skewed scores, Student's t of a mean would have fewer degrees of freedom.
        let mut score = || GroupSum::new((100.0 * libm::exp(2.0 * normal(&mut stream))) as i64, 10);
        let scores: Vec<GroupSum> = (0..20).map(|_| score()).collect();
        let contrast = Contrast::of_mean(&scores).unwrap();
        let pairs = judge_pairs(BTreeMap::from([(pair(0, 1), contrast.clone())]), 1.5, 1, "x");
        let (own, alone) = (&pairs[&pair(0, 1)], contrast.estimate_if_known().widened(1.5));
        assert_eq!(own.simultaneous.estimate.interval, alone.ends());
        assert_eq!(own.simultaneous.p, alone.p());
    }

    /// A pair that met in few groups has a Student's t with long tails.
    ///
    /// It makes the others harder to see by a little.
    #[test]
    fn a_pair_of_few_groups_does_not_hide_the_others() {
        let mut stream = SeedSource::new(2, "test", "pairwise").stream(0, 0);
        let mut contrast = |groups: usize, ahead: f64| {
            let mut score = |group| {
                let sum = (100.0 * (ahead + normal(&mut stream))) as i64;
                if group < groups { GroupSum::new(sum, 10) } else { GroupSum::default() }
            };
            let scores: Vec<GroupSum> = (0..64).map(&mut score).collect();
            Contrast::of_mean(&scores).unwrap()
        };
        let mut met: BTreeMap<_, _> = (1..6).map(|other| (pair(0, other), contrast(64, 1.0))).collect();
        let half = |pairs: &Pairs| {
            let (low, high) = pairs[&pair(0, 1)].simultaneous.estimate.interval.unwrap();
            (high - low) / 2.0
        };
        let without = half(&judge_pairs(met.clone(), 1.0, 1, "x"));
        met.insert(pair(6, 7), contrast(8, 0.0));
        let with = half(&judge_pairs(met, 1.0, 1, "x"));
        assert!(with < 1.3 * without, "{with} {without}");
    }
}
