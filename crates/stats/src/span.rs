//! How far the cards of a deal decide who wins it.

use overtrick_cards::table::MAX_SEATS;
use overtrick_ratings::interval::{Estimate, GroupSum, grouped_mean};

use super::counted::{Counted, WIN};
use super::rows::{Figure, Interval};

/// The spread of the chance to win over deals.
///
/// A seat's chance in a deal is the share of the games with that deal that it wins, by all bots in all
/// seatings. A shared win counts as a part of one. Partners count as one seat.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Span {
    /// The root of the mean square of the difference from an equal chance for every seat, with its interval.
    pub win_sd: Interval,
    /// From the chance that 5% of seats in deals do not exceed to the chance that 95% do not.
    pub span: Figure,
}

impl Span {
    /// Computes the spread from the deals that a tally kept one by one; empty where a deal is played once.
    pub fn new(counted: &Counted<'_>) -> Span {
        let (games, teams) = (counted.schedule.games_a_number(), counted.schedule.teams.count());
        let sample = counted.tally.sample();
        let mut groups = vec![GroupSum::default(); counted.tally.groups()];
        let mut chances = vec![0_u64; games * WIN as usize + 1];
        if games < 2 {
            return Span::default();
        }
        for number in sample.numbers() {
            let mut wins = [0_i64; MAX_SEATS];
            for game in sample.number(number).unwrap_or_default() {
                let scores = game.scores.of(teams);
                let highest = scores.iter().max();
                let winners = scores.iter().filter(|&score| Some(score) == highest).count() as i64;
                for (wins, score) in wins.iter_mut().zip(scores) {
                    *wins += if Some(score) == highest { WIN / winners } else { 0 };
                }
            }
            let group = &mut groups[counted.tally.group(number as u64).index()];
            for wins in &wins[..teams] {
                chances[*wins as usize] += 1;
                *group += GroupSum::new((teams as i64 * wins - games as i64 * WIN).pow(2), 1);
            }
        }
        let unit = (teams * games) as f64 * WIN as f64;
        let cases = GroupSum::total(&groups).count;
        let mean = grouped_mean(&groups).map(|mean| mean.if_known(cases));
        let squares = Interval::new(mean.map(|mean| mean.mean), mean.and_then(|mean| of_square(&mean)));
        let chance = |share: f64| Some(quantile(&chances, cases, share)? as f64 / (games as f64 * WIN as f64));
        Span {
            win_sd: squares.map(|square| square.max(0.0).sqrt() / unit),
            span: Figure(chance(0.95).zip(chance(0.05)).map(|(high, low)| high - low)),
        }
    }
}

/// Returns the index that a share of the cases does not exceed, from the number of cases with each index.
fn quantile(counts: &[u64], cases: u64, share: f64) -> Option<usize> {
    let due = (share * cases as f64).ceil().max(1.0) as u64;
    let mut seen = 0;
    for (index, count) in counts.iter().enumerate() {
        seen += count;
        if seen >= due {
            return Some(index);
        }
    }
    None
}

/// Returns the interval of a mean of squares, from the error of its logarithm by linearisation.
///
/// A mean of squares is skewed, its logarithm hardly (Miller 1974, "The jackknife: a review", *Biometrika*
/// 61, of variances). `None` without an interval.
fn of_square(mean: &Estimate) -> Option<(f64, f64)> {
    let times = libm::exp(mean.half_width? / mean.mean);
    Some((mean.mean / times, mean.mean * times))
}
