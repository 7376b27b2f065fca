//! The Nash mix of bots, with intervals over groups of deals.
//!
//! The mix is that of [`nash_average`]. Its weights are no smooth function of the differences, and a weight may
//! be zero. So the intervals are percentiles over [resamples](Resampling) of groups.

use overtrick_cards::Stream;
use overtrick_meta::{NashAverage, PairTable, nash_average};

use super::contrast::Contrast;
use super::figure::Interval;
use super::resampling::{Resampling, percentiles};

/// The most bots for which a mix is computed.
pub(super) const MOST_MIXED: usize = 40;

/// A bot's part in the Nash mix.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct MixPart {
    /// Its weight in the mix.
    pub weight: Interval,
    /// The share of resamples in which it is in the mix; `None` where there are no intervals.
    pub chosen: Option<f64>,
    /// How far it is ahead of the mix.
    pub skill: Interval,
}

/// Returns the part of each bot in the mix.
///
/// `pairs` has how far each bot is ahead of each later one, by the first and then the second. `widening` is the
/// factor by which a sequential test widens intervals. There are no intervals with fewer than eight groups in
/// which something was counted, or if too little is known of a pair. `None` if rounding prevents a mix.
pub(super) fn mix_parts(bots: usize, pairs: &[Contrast], widening: f64, stream: &mut Stream) -> Option<Vec<MixPart>> {
    let values: Vec<f64> = pairs.iter().map(Contrast::value).collect();
    let average = mix(bots, &values)?;
    let mut parts = Vec::with_capacity(bots);
    for bot in 0..bots {
        let [weight, skill] = [average.weights[bot], average.values[bot]].map(|value| Interval::new(Some(value), None));
        parts.push(MixPart { weight, chosen: None, skill });
    }
    let Some(resampling) = Resampling::of(pairs, widening) else { return Some(parts) };
    let drawn = resampling.each(stream, |differences| mix(bots, differences))?;
    for (bot, part) in parts.iter_mut().enumerate() {
        let chosen = drawn.iter().filter(|drawn| drawn.is_in_mix(bot)).count();
        part.chosen = Some(chosen as f64 / drawn.len() as f64);
        part.weight = percentiles(average.weights[bot], drawn.iter().map(|drawn| drawn.weights[bot]));
        part.skill = percentiles(average.values[bot], drawn.iter().map(|drawn| drawn.values[bot]));
    }
    Some(parts)
}

/// Returns the Nash average of bots with these differences.
fn mix(bots: usize, differences: &[f64]) -> Option<NashAverage> {
    let mut next = differences.iter().copied();
    nash_average(&PairTable::new(bots, |_, _| next.next().expect("a difference for each pair")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::normal;
    use overtrick_cards::SeedSource;
    use overtrick_ratings::GroupSum;

    /// Steps of a circle that give its bots the weights 0.5, 0.3 and 0.2.
    ///
    /// Each has the weight of the step between the other two. A fourth bot is 1 behind each of them.
    const CIRCLE: [(usize, usize, f64); 6] =
        [(0, 1, 0.2), (0, 2, -0.3), (0, 3, 1.0), (1, 2, 0.5), (1, 3, 1.0), (2, 3, 1.0)];

    /// Draws the pairs of the circle over groups, with errors that a bot shares in its pairs.
    ///
    /// `noise` is the standard error of a difference.
    fn drawn(groups: usize, noise: f64, stream: &mut Stream) -> Vec<Contrast> {
        let mut form = || normal(stream) * noise * (groups as f64 / 3.0).sqrt();
        let forms: Vec<[f64; 4]> = (0..groups).map(|_| [(); 4].map(|()| form())).collect();
        let mut pairs = Vec::new();
        for (one, other, ahead) in CIRCLE {
            let mut sum = |form: &[f64; 4]| {
                let own = normal(stream) * noise * (groups as f64 / 3.0).sqrt();
                GroupSum::new((1e6 * (ahead + form[one] - form[other] + own)) as i64, 30)
            };
            let sums: Vec<GroupSum> = forms.iter().map(&mut sum).collect();
            pairs.push(Contrast::of_mean(&sums).unwrap().times(30.0 / 1e6));
        }
        pairs
    }

    /// Counts the intervals that hold: of three weights, and of the skill of the fourth bot.
    fn held(runs: u64, groups: usize, noise: f64) -> (usize, usize) {
        let (mut weights, mut skills) = (0, 0);
        for seed in 0..runs {
            let mut stream = SeedSource::new(seed, "test", "nash-mix").stream(0, 0);
            let pairs = drawn(groups, noise, &mut stream);
            let parts = mix_parts(4, &pairs, 1.0, &mut stream).unwrap();
            let is_held = |interval: &Interval, truth: f64| {
                let (low, high) = interval.ends().unwrap();
                low <= truth && truth <= high
            };
            let truths = parts.iter().zip([0.5, 0.3, 0.2]);
            weights += truths.filter(|(part, truth)| is_held(&part.weight, *truth)).count();
            skills += usize::from(is_held(&parts[3].skill, -1.0));
        }
        (weights, skills)
    }

    #[test]
    fn weights_of_a_circle_are_covered() {
        let (weights, skills) = held(20, 32, 0.05);
        // 95% of 60 are 57, give or take 1.7 or more, as the three of a run go together; 95% of 20 are 19.
        assert!((50..=60).contains(&weights) && skills >= 16, "{weights} {skills}");
    }

    #[test]
    #[ignore = "long: proves coverage by simulation"]
    fn weights_of_a_circle_are_covered_over_few_and_many_groups() {
        let mut all = Vec::new();
        for (groups, noise) in [(8, 0.03), (16, 0.05), (64, 0.02), (64, 0.05), (256, 0.08)] {
            let (weights, skills) = held(480, groups, noise);
            println!("{groups} groups, noise {noise}: {weights} of 1440 weights, {skills} of 480 skills");
            all.push((weights, skills));
        }
        for (weights, skills) in all {
            // Of 360 weights, 325 to 356; 95% of 480 are 456, give or take 4.8.
            assert!((1300..=1424).contains(&weights) && skills >= 440, "{weights} {skills}");
        }
    }

    #[test]
    fn too_few_groups_have_a_mix_without_intervals() {
        let mut stream = SeedSource::new(1, "test", "nash-mix").stream(0, 0);
        for (groups, has_intervals) in [(7, false), (8, true)] {
            let parts = mix_parts(4, &drawn(groups, 0.01, &mut stream), 1.0, &mut stream).unwrap();
            for (part, weight) in parts.iter().zip([0.5, 0.3, 0.2, 0.0]) {
                assert!((part.weight.value.unwrap() - weight).abs() < 0.1, "{part:?}");
                assert_eq!([part.weight, part.skill].map(|it| it.ends().is_some()), [has_intervals; 2]);
                assert_eq!(part.chosen.is_some(), has_intervals);
            }
            assert!(parts[3].chosen.is_none_or(|chosen| chosen == 0.0));
        }
    }

    #[test]
    fn a_bot_that_is_entered_twice_changes_no_other_interval() {
        let stream = || SeedSource::new(2, "test", "nash-mix").stream(0, 0);
        let pairs = drawn(32, 0.05, &mut stream());
        let alone = mix_parts(4, &pairs, 1.0, &mut stream()).unwrap();
        let pair = |one: usize, other: usize| {
            let place = CIRCLE.iter().position(|&(a, b, _)| (a, b) == (one, other));
            place.map(|place| pairs[place].clone())
        };
        let mut with_copy = Vec::new();
        for one in 0..5 {
            for other in one + 1..5 {
                let [a, b] = [one, other].map(|bot| if bot == 4 { 0 } else { bot });
                let nothing = || pairs[0].less(&pairs[0]);
                let found = pair(a, b).or_else(|| pair(b, a).map(|pair| pair.reversed()));
                with_copy.push(found.unwrap_or_else(nothing));
            }
        }
        let twice = mix_parts(5, &with_copy, 1.0, &mut stream()).unwrap();
        let is_close = |one: Interval, other: Interval| {
            let ends = |it: Interval| [it.value, it.low, it.high].map(Option::unwrap);
            ends(one).iter().zip(ends(other)).all(|(one, other)| (one - other).abs() < 1e-9)
        };
        for bot in 1..4 {
            assert!(is_close(alone[bot].weight, twice[bot].weight) && is_close(alone[bot].skill, twice[bot].skill));
            assert_eq!(alone[bot].chosen, twice[bot].chosen);
        }
        assert!(is_close(twice[0].weight, twice[4].weight));
        assert!(is_close(twice[0].weight, alone[0].weight.map(|weight| weight / 2.0)));
    }
}
