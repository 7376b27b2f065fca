//! The sources of the variance of scores: the bots, the seats, the cards, or how they met.
//!
//! These are components of variance of a balanced nested design, by the method of moments (Searle, Casella &
//! McCulloch 1992, *Variance Components*, chapter 4). Every deal is played by the same bots equally often in
//! every seat. So the sums of squares of bots, of seats, and of deals within seats are orthogonal.
//!
//! Errors are those of the jackknife, which recomputes the shares without each group of deals. It uses the
//! logarithm of their odds, which is less skewed (Miller 1974, "The jackknife: a review", *Biometrika* 61).
//! Bots and seats are few, so where their shares are small the intervals are those of a [sum of a few
//! squares](super::squared).

use overtrick_cards::table::{ByRole, Role};
use overtrick_ratings::freedom::freedom;
use overtrick_ratings::interval::{Estimate, NORMAL};
use overtrick_strategy::ids::{BotId, LineUpId};
use overtrick_tournament::Unit;

use super::counted::Counted;
use super::rows::Interval;
use super::squared;

/// The components of bot, seat, cards and rest, or their shares of all.
type Parts = [f64; 4];

/// The sums that the components are made of, over some groups of deals.
#[derive(Clone, Debug, Default)]
struct Sums {
    /// The number of deal numbers.
    numbers: i128,
    /// By role: the sum of its scores.
    roles: ByRole<i128>,
    /// By role: the sum of the squares of its scores.
    squares: ByRole<i128>,
    /// By role: the sum over deal numbers of the square of its score in all games of the number.
    deals: ByRole<i128>,
    /// By bot: the sum and the number of its scores.
    bots: Vec<(i128, i128)>,
}

/// A mean of the squares of a few effects, errors included, with its degrees of freedom.
struct FewEffects {
    square: f64,
    freedom: usize,
}

/// The components of variance that follow from the sums.
struct Components {
    /// The components, which may be below 0.
    parts: Parts,
    bots: FewEffects,
    seats: FewEffects,
    /// Whether cards and rest are distinguished.
    separates_cards: bool,
}

impl Sums {
    /// Adds `times` times other sums to these.
    fn add(&mut self, more: &Sums, times: i128) {
        self.numbers += times * more.numbers;
        for role in Role::ALL {
            self.roles[role] += times * more.roles[role];
            self.squares[role] += times * more.squares[role];
            self.deals[role] += times * more.deals[role];
        }
        self.bots.resize(more.bots.len(), (0, 0));
        for (own, more) in self.bots.iter_mut().zip(&more.bots) {
            *own = (own.0 + times * more.0, own.1 + times * more.1);
        }
    }

    /// Returns the components for `seats` players where each hand of a deal was played `times` times.
    fn components(&self, seats: usize, times: f64) -> Components {
        let numbers = self.numbers as f64;
        let each = numbers * times;
        let all = seats as f64 * each;
        let roles = self.roles.of(seats);
        let mean = roles.iter().map(|&sum| sum as f64).sum::<f64>() / all;
        let (mut seat, mut deal) = (0.0, 0.0);
        for (&sum, &square) in roles.iter().zip(self.deals.of(seats)) {
            seat += each * (sum as f64 / each - mean).powi(2);
            deal += square as f64 / times - sum as f64 * (sum as f64 / each);
        }
        let (mut bots, mut bot, mut uneven) = (0, 0.0, 0.0);
        // A bot that was disqualified has no scores.
        for &(sum, count) in self.bots.iter().filter(|scores| scores.1 > 0) {
            let (sum, count) = (sum as f64, count as f64);
            bots += 1;
            bot += count * (sum / count - mean).powi(2);
            uneven += count * count;
        }
        let squares = self.squares.of(seats).iter().sum::<i128>() as f64;
        let rest = squares - all * mean * mean - seat - deal - bot;

        let (bot_freedom, seat_freedom) = (bots.max(1) - 1, seats - 1);
        let deal_freedom = seats as f64 * (numbers - 1.0);
        let rest_freedom = all - 1.0 - seat_freedom as f64 - deal_freedom - (bots as f64 - 1.0);
        let deal_mean = deal / deal_freedom;
        // Deals that are played once leave no rest.
        let rest_mean = if rest_freedom > 0.0 { rest / rest_freedom } else { deal_mean };
        let (mut of_bot, mut raw_bot) = (0.0, 0.0);
        if bots > 1 {
            let freedom = bot_freedom as f64;
            // Bots of a gauntlet play unequally often.
            let uneven = uneven / all;
            of_bot = (bot / freedom - rest_mean) / ((all - uneven) / freedom);
            raw_bot = bot / (all - uneven);
        }
        let seat_mean = seat / seat_freedom as f64;
        Components {
            parts: [of_bot, (seat_mean - deal_mean) / each, (deal_mean - rest_mean) / times, rest_mean],
            bots: FewEffects { square: raw_bot, freedom: bot_freedom },
            seats: FewEffects { square: seat_mean / each, freedom: seat_freedom },
            separates_cards: rest_freedom > 0.0,
        }
    }
}

/// Returns each component's share of all; `None` if there is no variance.
fn shares(components: Parts) -> Option<Parts> {
    let total: f64 = components.iter().sum();
    (total > 0.0 && total.is_finite()).then(|| components.map(|part| part / total))
}

/// The shares of variance, with what their errors are made of.
struct Shares {
    /// The shares of components that are cut off at 0.
    cut_off: Parts,
    /// The shares of components that are not. Errors are those of these.
    plain: Parts,
    /// The same without each group of deals.
    without: Vec<Parts>,
    /// The sum of the components.
    total: f64,
    /// The number of scores.
    scores: u64,
}

impl Shares {
    /// Returns a share with an interval `times` times wider.
    ///
    /// `few` are the effects if they are few.
    fn interval(&self, part: usize, few: Option<FewEffects>, times: f64) -> Interval {
        let (value, plain) = (self.cut_off[part], self.plain[part]);
        let without: Vec<f64> = self.without.iter().map(|shares| shares[part]).collect();
        let estimate = jackknife(plain, &without).if_known(self.scores).widened(times);
        let mut ends = None;
        if let Some(half_width) = estimate.half_width {
            ends = few.and_then(|few| squared::interval(few.square / self.total, half_width / NORMAL, few.freedom));
            ends = ends.or_else(|| odds_interval(plain, &without, times)).or(estimate.ends());
        }
        Interval::new(Some(value), ends.map(|(low, high)| (low.clamp(0.0, value), high.clamp(value, 1.0))))
    }
}

impl Counted<'_> {
    /// Returns the shares of the variance of a score that are due to the bot, seat, cards and rest.
    ///
    /// All shares are empty in matches, whose deals differ with the line-up. Where every deal is played once,
    /// the cards and the rest cannot be distinguished and are left out.
    ///
    /// `own` is a bot with the line-up that it has alone; `None` stands for all bots. The interval of the
    /// bot's share is `times_wider` times wider, for a test.
    pub(super) fn variance_shares(&self, own: Option<(BotId, LineUpId)>, times_wider: f64) -> [Interval; 4] {
        let none = [Interval::default(); 4];
        if self.tournament.unit == Unit::Match || self.tally.blocks().count < 2 {
            return none;
        }
        // Partners have equal scores, so the first seat of each team stands for it. The number of times that each
        // hand of a deal was played.
        let times = if own.is_some() { 1.0 } else { self.schedule.games_a_number() as f64 };
        let seats = self.schedule.teams.count();
        let groups = self.variance_sums(own);
        let mut all = Sums::default();
        for group in &groups {
            all.add(group, 1);
        }
        let components = all.components(seats, times);
        let parts = components.parts;
        let cut_off = shares(parts.map(|part| part.max(0.0)));
        let (Some(cut_off), Some(plain)) = (cut_off, shares(parts)) else { return none };
        let mut without = Vec::with_capacity(groups.len());
        for group in &groups {
            if group.numbers > 0 && all.numbers - group.numbers > 1 {
                let mut rest = all.clone();
                rest.add(group, -1);
                without.extend(shares(rest.components(seats, times).parts));
            }
        }
        let scores = (all.numbers as f64 * times * seats as f64) as u64;
        let shares = Shares { cut_off, plain, without, total: parts.iter().sum(), scores };
        let bot = shares.interval(0, Some(components.bots), times_wider);
        let seat = shares.interval(1, Some(components.seats), 1.0);
        if components.separates_cards {
            [bot, seat, shares.interval(2, None, 1.0), shares.interval(3, None, 1.0)]
        } else {
            [bot, seat, Interval::default(), Interval::default()]
        }
    }

    /// Returns by group the sums over the deals of a bot's own line-up, or over all.
    fn variance_sums(&self, own: Option<(BotId, LineUpId)>) -> Vec<Sums> {
        let (bot, line_up) = own.unzip();
        let mut groups = Vec::with_capacity(self.tally.groups());
        for group in self.tally.group_ids() {
            let block = self.tally.blocks().group(group);
            let squares = self.tally.ends(line_up, group).squares;
            // A deal number with a single game has the squares of that game.
            let deals = if own.is_some() { squares } else { block.role_squares };
            groups.push(Sums { numbers: i128::from(block.count), squares, deals, ..Sums::default() });
        }
        for role in self.first_roles() {
            let scores = self.groups(|l, _, r| r == role && line_up.is_none_or(|own| l == own));
            for (group, scores) in groups.iter_mut().zip(scores) {
                group.roles[role] = i128::from(scores.sum);
            }
        }
        let partners = self.schedule.teams.size() as i128;
        for bot in self.bots(bot) {
            for (group, scores) in groups.iter_mut().zip(self.groups_of(bot)) {
                group.bots.push((i128::from(scores.sum) / partners, i128::from(scores.count) / partners));
            }
        }
        groups
    }
}

/// Returns the interval of a share from the errors of the logarithm of its odds.
///
/// It is `times` times as wide on that scale. `None` if the share is 0 or 1 with any group left out, or if
/// too little is known.
fn odds_interval(share: f64, without: &[f64], times: f64) -> Option<(f64, f64)> {
    let log_odds = |share: f64| (share > 0.0 && share < 1.0).then(|| libm::log(share / (1.0 - share)));
    let without = without.iter().map(|&share| log_odds(share)).collect::<Option<Vec<f64>>>()?;
    let estimate = jackknife(log_odds(share)?, &without).widened(times);
    let share_of = |log_odds: f64| 1.0 / (1.0 + libm::exp(-log_odds));
    Some((share_of(estimate.low()?), share_of(estimate.high()?)))
}

/// Returns an estimate with the error from its values without each group.
fn jackknife(value: f64, without: &[f64]) -> Estimate {
    let groups = without.len();
    let mean = without.iter().sum::<f64>() / groups as f64;
    let residuals = || without.iter().map(|without| mean - without);
    let squares: f64 = residuals().map(|residual| residual * residual).sum();
    let se = (groups >= 2).then(|| ((groups as f64 - 1.0) / groups as f64 * squares).sqrt());
    Estimate::with_freedom(value, se, groups, freedom(residuals()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The scores of two bots in two deals, each played in both seatings, by seat, deal and bot.
    ///
    /// They are sums of effects of bots of 3, of seats of 5, of deals in the first and in the second seat of 1 and 2,
    /// and of a rest of 4 in the first seat that is orthogonal to all of these.
    fn sums() -> Sums {
        let mut sums = Sums { numbers: 2, bots: vec![(0, 0); 2], ..Sums::default() };
        for (seat, role) in Role::all(2).enumerate() {
            for deal in [1, -1] {
                let mut both = 0;
                for (bot, of_bot) in [3, -3].into_iter().enumerate() {
                    let rest = if seat == 0 { 4 * deal * of_bot / 3 } else { 0 };
                    let score = of_bot + [5, -5][seat] + [1, -2][seat] * deal + rest;
                    sums.roles[role] += score;
                    sums.squares[role] += score * score;
                    sums.bots[bot] = (sums.bots[bot].0 + score, sums.bots[bot].1 + 1);
                    both += score;
                }
                sums.deals[role] += both * both;
            }
        }
        sums
    }

    #[test]
    fn components_are_those_of_the_table_of_a_nested_design() {
        // Sums of squares: bots 8 * 9, seats 8 * 25, deals 4 * (1 + 4), rest 4 * 16, with 1, 1, 2 and 3 degrees of
        // freedom.
        let (bot, seat, deal, rest) = (72.0, 200.0, 20.0 / 2.0, 64.0 / 3.0);
        let found = sums().components(2, 2.0);
        let wanted = [(bot - rest) / 4.0, (seat - deal) / 4.0, (deal - rest) / 2.0, rest];
        for (found, wanted) in found.parts.into_iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-12, "{found} is not {wanted}");
        }
        assert_eq!((found.bots.square, found.bots.freedom), (18.0, 1));
        assert_eq!((found.seats.square, found.seats.freedom), (50.0, 1));
        assert!(found.separates_cards);
        // One of two equal halves is left when the other is taken out.
        let (mut twice, once) = (sums(), sums());
        twice.add(&once, 1);
        twice.add(&once, -1);
        assert_eq!(twice.components(2, 2.0).parts, found.parts);
    }

    #[test]
    fn the_odds_of_a_share_have_an_interval_that_is_symmetrical_in_their_logarithm() {
        let without = [0.4, 0.6].repeat(10);
        let (low, high) = odds_interval(0.5, &without, 1.0).unwrap();
        assert!(0.0 < low && low < 0.5 && (low + high - 1.0).abs() < 1e-12, "{low} {high}");
        let logarithm = |share: f64| (share / (1.0 - share)).ln();
        let (lower, higher) = odds_interval(0.5, &without, 2.0).unwrap();
        assert!((logarithm(higher) / logarithm(high) - 2.0).abs() < 1e-9 && lower < low);
        assert_eq!(odds_interval(0.5, &[0.0, 0.6], 1.0), None);
        assert_eq!(odds_interval(1.0, &without, 1.0), None);
    }

    #[test]
    fn the_share_of_a_few_effects_has_the_interval_of_their_squares() {
        // With a thousand groups Student's t is as good as normal.
        let groups = 1000;
        let without: Vec<Parts> =
            (0..groups).map(|group| [if group % 2 == 0 { 0.304 } else { 0.296 }, 0.0, 0.0, 0.7]).collect();
        let shares = Shares {
            cut_off: [0.3, 0.0, 0.0, 0.7],
            plain: [0.3, 0.0, 0.0, 0.7],
            without,
            total: 10.0,
            scores: 1 << 40,
        };
        let se = 0.004 * f64::from(groups - 1).sqrt();
        let (low, high) = squared::interval(0.3, se, 2).unwrap();
        let found = shares.interval(0, Some(FewEffects { square: 3.0, freedom: 2 }), 1.0);
        assert!((found.low.unwrap() - low).abs() < 1e-3 && (found.high.unwrap() - high).abs() < 1e-3, "{found:?}");
    }
}
