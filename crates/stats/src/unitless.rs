//! Measures without units, which stay the same if all scores are scaled.
//!
//! Points depend on how large scores are as much as on who plays better. So a lead is also given in other
//! measures:
//!
//! - over the standard deviation of scores, the standardised mean difference (Cohen 1988, *Statistical Power
//!   Analysis for the Behavioral Sciences*, chapter 2);
//! - as a share of the games won;
//! - as a share of the variance of scores;
//! - as Elo in matches that have the same number of deals, regardless of the scores of a deal.

use std::f64::consts::LN_10;

use overtrick_cards::table::Role;
use overtrick_game::Ending;
use overtrick_ratings::GroupSum;
use overtrick_strategy::ids::{BotId, LineUpId, SeatingId};
use overtrick_tournament::{Tally, Tournament, Unit};

use super::assembled::Assembled;
use super::contrast::{Contrast, FEWEST_DIFFERENT};
use super::counted::{Counted, Sides, WIN};

/// The deals of a match whose Elo is compared between rules that score more or less.
///
/// In this number, two, three and four players deal equally often.
const EQUAL_MATCH: u32 = 12;

/// How far one bot is ahead of another, in points and without units.
#[derive(Clone, Debug, PartialEq)]
pub struct Lead {
    /// Points a deal.
    pub points: Contrast,
    /// The lead over the standard deviation of a seat's score, all seats and bots together.
    pub deviations: Option<Contrast>,
    /// The share of games that the bot wins; a shared win counts in parts.
    pub won: Option<Contrast>,
    /// The share of the variance of scores that is due to which of the two plays, as `variance-bot` of a run.
    pub variance: Option<Contrast>,
    /// Elo in matches of twelve deals that are put together from single deals.
    ///
    /// `None` where matches are played, where either bot wins next to none, or where there are too few deals.
    pub elo: Option<Contrast>,
}

/// Returns how far `bot` is ahead of `other` in the deals that they play together in variant 0.
///
/// `None` if there are none.
pub fn lead(tournament: &Tournament, tally: &Tally, bot: BotId, other: BotId) -> Option<Lead> {
    let counted = Counted::new(tournament, 0, tally);
    let points = Contrast::new(&counted.groups_of(bot), &counted.groups_of(other))?;
    let deviations = counted.scores_of(None).and_then(|spread| spread.under(&points));
    let variance = deviations.as_ref().map(explained);
    let wins = counted.wins(None, |line_up, seating, role| counted.bot(line_up, seating, role) == bot);
    let won = Contrast::of_mean(&wins).map(|won| won.times(1.0 / WIN as f64));
    Some(Lead { points, deviations, won, variance, elo: counted.elo_of_two(bot) })
}

/// Returns the share of the variance of scores that a lead of this many standard deviations explains.
fn share_explained(deviations: f64) -> f64 {
    2.0 * deviations.powi(2) / (4.0 + deviations.powi(2))
}

/// Returns the interval of the share of variance that a lead explains.
///
/// The lead lies between `low` and `high` standard deviations.
pub fn explained_between((low, high): (f64, f64)) -> (f64, f64) {
    let least = if low <= 0.0 && high >= 0.0 { 0.0 } else { low.abs().min(high.abs()) };
    // Two bots are never more than two standard deviations apart.
    (share_explained(least), share_explained(low.abs().max(high.abs()).min(2.0)))
}

/// Returns the share of the variance of scores that a lead in standard deviations explains.
///
/// Two bots that sit equally often have means d apart. Then the component of the bots is d²/2, and the
/// component of all else is 1 − d²/4.
fn explained(deviations: &Contrast) -> Contrast {
    let d = deviations.value();
    let whole = 4.0 + d * d;
    Contrast::following(share_explained(d), &[(16.0 * d / whole.powi(2), deviations)])
}

/// The scores of all seats, by group, from which their standard deviation is taken.
pub(super) struct Spread {
    mean: Contrast,
    square: Contrast,
}

impl Spread {
    /// Returns the standard deviation; `None` if all scores are the same.
    fn deviation(&self) -> Option<f64> {
        let variance = self.square.value() - self.mean.value().powi(2);
        // A remainder that rounding leaves of large squares is no variance.
        (variance > 1e-9 * self.square.value()).then(|| variance.sqrt())
    }

    /// Divides a difference in points by the standard deviation; both have errors.
    pub(super) fn under(&self, points: &Contrast) -> Option<Contrast> {
        let deviation = self.deviation()?;
        let value = points.value() / deviation;
        let of_square = -value / (2.0 * deviation.powi(2));
        let of_mean = value * self.mean.value() / deviation.powi(2);
        Some(Contrast::following(value, &[(1.0 / deviation, points), (of_square, &self.square), (of_mean, &self.mean)]))
    }
}

impl Counted<'_> {
    /// Returns the scores of the deals of a line-up that a bot has alone, or of all line-ups.
    pub(super) fn scores_of(&self, own: Option<LineUpId>) -> Option<Spread> {
        let scores = self.groups(|line_up, _, _| own.is_none_or(|own| own == line_up));
        let mut squares = Vec::with_capacity(scores.len());
        for (group, scores) in self.tally.group_ids().zip(&scores) {
            let sum: i128 = self.tally.ends(own, group).squares.of(self.schedule.seats).iter().sum();
            squares.push(GroupSum::new(i64::try_from(sum).unwrap_or(i64::MAX), scores.count));
        }
        Some(Spread { mean: Contrast::of_mean(&scores)?, square: Contrast::of_mean(&squares)? })
    }

    /// Returns by group the wins of the chairs that `which` picks, in parts, and the games.
    ///
    /// It is asked for the first role of each team.
    ///
    /// Only the line-up `own` counts, or every line-up. In matches, roles are those of the first deal.
    fn wins(&self, own: Option<LineUpId>, which: impl Fn(LineUpId, SeatingId, Role) -> bool) -> Vec<GroupSum> {
        let places = self.places();
        let mut groups = vec![GroupSum::default(); self.tally.groups()];
        for (line_up, seating) in self.schedule.cell_ids() {
            if own.is_some_and(|own| own != line_up) {
                continue;
            }
            for (group, wins) in self.tally.group_ids().zip(&mut groups) {
                for (places, count) in places.iter().zip(self.tally.games(line_up, group, seating)) {
                    let (mut winners, mut picked) = (0, 0);
                    for role in self.first_roles() {
                        if places[role] == 0 {
                            winners += 1;
                            picked += i64::from(which(line_up, seating, role));
                        }
                    }
                    *wins += GroupSum::new(picked * WIN / winners * count as i64, count);
                }
            }
        }
        groups
    }

    /// Returns the share of games that a seat of a line-up wins beyond an equal share, with its partner.
    pub(super) fn won_by_seat(&self, line_up: LineUpId, role: Role) -> Option<Contrast> {
        let teams = self.schedule.teams.count();
        let mut beyond = self.wins(Some(line_up), |_, _, own| own.index() == role.index() % teams);
        let teams = teams as i64;
        for wins in &mut beyond {
            wins.sum = teams * wins.sum - WIN * wins.count as i64;
        }
        Some(Contrast::of_mean(&beyond)?.times(1.0 / (teams * WIN) as f64))
    }

    /// Returns the Elo of a bot over the other of two.
    ///
    /// It is taken from matches of equal length that are put together from single deals.
    fn elo_of_two(&self, bot: BotId) -> Option<Contrast> {
        if self.tournament.unit == Unit::Match || self.schedule.members() != 2 {
            return None;
        }
        let assembled = Assembled::under(self, Ending::Deals(EQUAL_MATCH))?;
        let sides = wins_of_two(&assembled, bot);
        for side in &sides {
            if side.iter().filter(|group| group.sum > 0).count() < FEWEST_DIFFERENT {
                return None;
            }
        }
        let ahead = Contrast::new(&sides[0], &sides[1])?;
        let (elo, slope) = elo((1.0 + ahead.value()) / 2.0, self.schedule.teams.count())?;
        Some(Contrast::following(elo, &[(slope / 2.0, &ahead)]))
    }
}

/// Returns by group the wins of a bot and those of its opponent, in parts, and the parts of all games.
fn wins_of_two(assembled: &Assembled, bot: BotId) -> Sides {
    let empty = vec![GroupSum::default(); assembled.groups];
    let mut sides = [empty.clone(), empty];
    for outcome in &assembled.outcomes {
        let mut winners = [0, 0];
        for (entrant, &place) in outcome.entrants.iter().zip(&outcome.places) {
            if place == 0 {
                winners[usize::from(entrant.player != bot.index())] += 1;
            }
        }
        let all = winners[0] + winners[1];
        for &(group, count) in &outcome.counts {
            for (side, winners) in sides.iter_mut().zip(winners) {
                side[group] += GroupSum::new(winners * WIN / all * count as i64, WIN as u64 * count);
            }
        }
    }
    sides
}

/// Returns the Elo of a bot that wins this share of the games of a duel, and its slope in the share.
///
/// `None` if the bot wins all or none. `teams` is the number of teams, of which the bot is one or several.
/// With three, the bot has one chair in half of the games and two in the others. The chance of a chair is that
/// of Bradley & Terry (1952, *Biometrika* 39), and for more than two players that of Luce (1959, *Individual
/// Choice Behavior*).
fn elo(share: f64, teams: usize) -> Option<(f64, f64)> {
    if !(share > 0.0 && share < 1.0) {
        return None;
    }
    let per_log = 400.0 / LN_10;
    if teams == 2 {
        return Some((per_log * (share / (1.0 - share)).ln(), per_log / (share * (1.0 - share))));
    }
    if teams > 3 {
        return Some(elo_of_four(share));
    }
    // For x, the strength over that of the other bot, 2 w (2 + x) (1 + 2x) = x (1 + 2x) + 2x (2 + x). This is a
    // quadratic equation.
    let (a, b, c) = (4.0 * (1.0 - share), 5.0 - 10.0 * share, -4.0 * share);
    let x = (-b + (b * b - 4.0 * a * c).sqrt()) / (2.0 * a);
    let won = (x / (2.0 + x) + 2.0 * x / (1.0 + 2.0 * x)) / 2.0;
    debug_assert!((won - share).abs() < 1e-9);
    let slope = 1.0 / (2.0 + x).powi(2) + 1.0 / (1.0 + 2.0 * x).powi(2);
    Some((per_log * x.ln(), per_log / x / slope))
}

/// The seatings of two bots at a table of four in which the first has one, two and three chairs.
const SEATINGS_BY_CHAIRS: [(f64, f64); 3] = [(1.0, 4.0), (2.0, 6.0), (3.0, 4.0)];

/// Returns the Elo of a bot that wins this share of a duel of four players, and its slope in the share.
///
/// With k of four chairs and a strength of x times the other's, it wins kx / (kx + 4 - k) of the games. The
/// share over all fourteen seatings grows with the logarithm of x, which Newton's method finds.
fn elo_of_four(share: f64) -> (f64, f64) {
    let mut log = libm::log(share / (1.0 - share));
    let mut slope = 0.0;
    for _ in 0..MOST_STEPS {
        let (x, mut won) = (libm::exp(log), 0.0);
        slope = 0.0;
        for (chairs, seatings) in SEATINGS_BY_CHAIRS {
            let chance = chairs * x / (chairs * x + 4.0 - chairs);
            won += seatings / 14.0 * chance;
            slope += seatings / 14.0 * chance * (1.0 - chance);
        }
        let step = (share - won) / slope;
        log += step;
        if step.abs() < 1e-12 {
            break;
        }
    }
    let per_log = 400.0 / LN_10;
    (per_log * log, per_log / slope)
}

/// The most steps of Newton's method. The share is nearly that of a logistic curve, so it takes about five.
const MOST_STEPS: usize = 50;

#[cfg(test)]
mod tests {
    use overtrick_cards::SeedSource;

    use super::*;

    /// Checks Elo against games that are drawn: an exponential race of chairs, whose rates are strengths, is a
    /// game of Luce.
    #[test]
    fn elo_of_four_is_that_of_drawn_games() {
        let mut stream = SeedSource::new(1, "test", "luce").stream(0, 0);
        let x = 10.0_f64.powf(150.0 / 400.0);
        let (mut won, games) = (0, 140_000);
        for game in 0..games {
            // Each of the fourteen seatings in which both bots sit, as bits.
            let seating = 1 + game % 14;
            let times = [0, 1, 2, 3].map(|seat| {
                let uniform = (stream.random_below(1 << 30) as f64 + 0.5) / (1_u64 << 30) as f64;
                -uniform.ln() / if seating >> seat & 1 == 1 { x } else { 1.0 }
            });
            let first = (0..4).min_by(|&one, &other| times[one].total_cmp(&times[other])).unwrap();
            won += seating >> first & 1;
        }
        let (found, slope) = elo(f64::from(won) / f64::from(games), 4).unwrap();
        let se = slope * (0.25 / f64::from(games)).sqrt();
        assert!((found - 150.0).abs() < 4.0 * se, "{found} is not 150, with an error of {se}");
    }

    #[test]
    fn elo_of_a_share_of_wins() {
        assert_eq!(elo(0.5, 2), Some((0.0, 4.0 * 400.0 / LN_10)));
        assert!((elo(10.0 / 11.0, 2).unwrap().0 - 400.0).abs() < 1e-9);
        assert!(elo(0.5, 3).unwrap().0.abs() < 1e-9);
        // Ten times as strong: 10/12 of the games alone against two, 20/21 of those with two chairs.
        let ten = (10.0 / 12.0 + 20.0 / 21.0) / 2.0;
        assert!((elo(ten, 3).unwrap().0 - 400.0).abs() < 1e-9);
        assert!(elo(0.5, 4).unwrap().0.abs() < 1e-9);
        let ten = (4.0 * 10.0 / 13.0 + 6.0 * 20.0 / 22.0 + 4.0 * 30.0 / 31.0) / 14.0;
        assert!((elo(ten, 4).unwrap().0 - 400.0).abs() < 1e-9);
        assert!(elo(1e-9, 4).unwrap().0 < -3000.0 && elo(1.0 - 1e-9, 4).unwrap().0 > 3000.0);
        for (share, seats) in [(0.2, 2), (0.7, 2), (0.3, 3), (0.9, 3), (0.2, 4), (0.6, 4), (0.999, 4)] {
            let ([low, high], slope) =
                ([share - 1e-6, share + 1e-6].map(|share| elo(share, seats).unwrap().0), elo(share, seats).unwrap().1);
            assert!(((high - low) / 2e-6 / slope - 1.0).abs() < 1e-6, "{share} {seats}");
        }
        assert_eq!([elo(0.0, 3), elo(1.0, 2), elo(1.0, 4)], [None; 3]);
    }

    /// Returns a lead in points a deal and the spread of scores over groups that differ.
    ///
    /// All scores are multiplied by `scale`.
    fn spread(scale: i64) -> (Contrast, Spread) {
        let noise = |group: i64| group * 37 % 19 - 9;
        let groups = |part: fn(i64, i64) -> i64, power: u32| -> Vec<GroupSum> {
            (0..32).map(|group| GroupSum::new(scale.pow(power) * part(group, noise(group)), 200)).collect()
        };
        let lead = groups(|_, noise| 150 + 3 * noise, 1);
        let (mean, square) = (groups(|_, noise| 400 + 5 * noise, 1), groups(|_, noise| 3000 + 40 * noise, 2));
        let of = |groups: &[GroupSum]| Contrast::of_mean(groups).unwrap();
        (of(&lead), Spread { mean: of(&mean), square: of(&square) })
    }

    #[test]
    fn a_lead_over_the_standard_deviation_does_not_know_the_size_of_scores() {
        let of = |scale: i64| {
            let (lead, spread) = spread(scale);
            let deviation = (spread.square.value() - spread.mean.value().powi(2)).sqrt();
            let found = spread.under(&lead).unwrap();
            assert!((found.value() - lead.value() / deviation).abs() < 1e-12);
            found
        };
        let (one, ten) = (of(1), of(10));
        assert!((one.value() - ten.value()).abs() < 1e-12);
        let se = |contrast: &Contrast| contrast.estimate().se.unwrap();
        assert!((se(&one) / se(&ten) - 1.0).abs() < 1e-9);
        one.check(32).unwrap();
        // With 36% of the variance explained, the lead is 0.94 standard deviations.
        let (d, share) = (0.94_f64, explained(&Contrast::sum(&[(0.94 / one.value(), &one)])));
        assert!((share.value() - 2.0 * d * d / (4.0 + d * d)).abs() < 1e-12 && (share.value() - 0.362).abs() < 1e-3);
        share.check(32).unwrap();
        assert_eq!(explained_between((-0.5, 1.0)), (0.0, 0.4));
        assert_eq!(explained_between((-1.0, -0.5)), explained_between((0.5, 1.0)));
    }

    #[test]
    fn scores_that_are_all_the_same_have_no_deviation() {
        let all = Contrast::of_mean(&[GroupSum::new(300, 100); 32]).unwrap();
        let spread = Spread { mean: all.clone(), square: Contrast::of_mean(&[GroupSum::new(900, 100); 32]).unwrap() };
        assert_eq!(spread.under(&all), None);
    }

    #[test]
    fn the_error_of_a_share_explained_follows_its_slope() {
        let (one, _) = spread(1);
        for d in [0.3, 0.94, 1.6] {
            let deviations = Contrast::sum(&[(d / one.value(), &one)]);
            let slope = (share_explained(d + 1e-6) - share_explained(d - 1e-6)) / 2e-6;
            let [own, of] = [&explained(&deviations), &deviations].map(|contrast| contrast.estimate().se.unwrap());
            assert!((own / of / slope - 1.0).abs() < 1e-6, "{d}");
        }
    }
}
