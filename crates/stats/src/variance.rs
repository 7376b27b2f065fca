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

use overtrick_cards::table::Role;
use overtrick_ratings::freedom::freedom;
use overtrick_ratings::interval::{Estimate, NORMAL};
use overtrick_strategy::ids::{BotId, LineUpId};
use overtrick_tournament::Unit;

use super::counted::Counted;
use super::rows::Interval;
use super::squared;

/// The shares of bot, seat, cards and rest.
pub(super) type VarianceShares = [Interval; 4];

/// The sums that the components are made of, over some groups of deals.
#[derive(Clone, Debug, Default)]
struct Sums {
    /// The number of deal numbers.
    numbers: i128,
    /// By role: the sum of its scores.
    roles: [i128; 3],
    /// By role: the sum of the squares of its scores.
    squares: [i128; 3],
    /// By role: the sum over deal numbers of the square of its score in all games of the number.
    deals: [i128; 3],
    /// By bot that played: the sum and the number of its scores.
    bots: Vec<(i128, i128)>,
}

/// The components of variance that follow from the sums.
struct Components {
    /// The components of bot, seat, deal and rest, which may be below 0.
    parts: [f64; 4],
    /// The components of bot and seat with the errors of their means, and their degrees of freedom.
    raw: [(f64, usize); 2],
    /// Whether cards and rest are distinguished.
    is_told_apart: bool,
}

impl Sums {
    /// Adds `times` times other sums to these.
    fn plus(&self, more: &Sums, times: i128) -> Sums {
        let add = |one: [i128; 3], other: [i128; 3]| std::array::from_fn(|role| one[role] + times * other[role]);
        let bots = more.bots.iter().enumerate().map(|(bot, &(sum, count))| {
            let own = self.bots.get(bot).copied().unwrap_or_default();
            (own.0 + times * sum, own.1 + times * count)
        });
        Sums {
            numbers: self.numbers + times * more.numbers,
            roles: add(self.roles, more.roles),
            squares: add(self.squares, more.squares),
            deals: add(self.deals, more.deals),
            bots: bots.collect(),
        }
    }

    /// Returns the components for `seats` players where each hand of a deal was played `times` times.
    fn components(&self, seats: f64, times: f64) -> Components {
        let numbers = self.numbers as f64;
        let each = numbers * times;
        let all = seats * each;
        let roles = || self.roles.iter().map(|&sum| sum as f64).take(seats as usize);
        let mean = roles().sum::<f64>() / all;
        let seat: f64 = roles().map(|sum| each * (sum / each - mean).powi(2)).sum();
        let of_deals = roles().zip(self.deals).map(|(sum, square)| square as f64 / times - sum * (sum / each));
        let deal: f64 = of_deals.sum();
        // A bot that was disqualified has none.
        let bots: Vec<(f64, f64)> = (self.bots.iter().filter(|&&(_, count)| count > 0))
            .map(|&(sum, count)| (sum as f64, count as f64))
            .collect();
        let bot: f64 = bots.iter().map(|(sum, count)| count * (sum / count - mean).powi(2)).sum();
        let squares = self.squares.iter().sum::<i128>() as f64;
        let rest = squares - all * mean * mean - seat - deal - bot;

        let deal_freedom = seats * (numbers - 1.0);
        let rest_freedom = all - 1.0 - (seats - 1.0) - deal_freedom - (bots.len() as f64 - 1.0);
        let deal_mean = deal / deal_freedom;
        // Deals that are played once leave no rest.
        let rest_mean = if rest_freedom > 0.0 { rest / rest_freedom } else { deal_mean };
        let (of_bot, raw_bot) = if bots.len() > 1 {
            // Bots of a gauntlet play unequally often.
            let uneven: f64 = bots.iter().map(|(_, count)| count * count).sum::<f64>() / all;
            let freedom = bots.len() as f64 - 1.0;
            ((bot / freedom - rest_mean) / ((all - uneven) / freedom), bot / (all - uneven))
        } else {
            (0.0, 0.0)
        };
        let of_seat = (seat / (seats - 1.0) - deal_mean) / each;
        Components {
            parts: [of_bot, of_seat, (deal_mean - rest_mean) / times, rest_mean],
            raw: [(raw_bot, bots.len().max(1) - 1), (seat / (seats - 1.0) / each, seats as usize - 1)],
            is_told_apart: rest_freedom > 0.0,
        }
    }
}

/// Returns each component's share of all; `None` if there is no variance.
fn shares(components: [f64; 4]) -> Option<[f64; 4]> {
    let total: f64 = components.iter().sum();
    (total > 0.0).then(|| components.map(|part| part / total))
}

impl Counted<'_> {
    /// Returns the shares of the variance of a score that are due to the bot, seat, cards and rest.
    ///
    /// The cards are those of the deal, as the seat holds them. The rest is the interplay of bots and cards.
    ///
    /// All shares are empty in matches, whose deals differ with the line-up. Where every deal is played once,
    /// the cards and the rest cannot be distinguished and are left out.
    ///
    /// `own` is a bot with the line-up that it has alone; `None` stands for all bots. The interval of the
    /// bot's share is `times_wider` times wider, for a test.
    pub(super) fn variance_shares(&self, own: Option<(BotId, LineUpId)>, times_wider: f64) -> VarianceShares {
        let none = [Interval::default(); 4];
        if self.tournament.unit == Unit::Match || self.tally.blocks().count < 2 {
            return none;
        }
        // The number of times that each hand of a deal was played.
        let times = if own.is_some() { 1.0 } else { self.schedule.games_a_number() as f64 };
        let seats = self.schedule.seats as f64;
        let groups = self.variance_sums(own);
        let all = groups.iter().fold(Sums::default(), |all, group| all.plus(group, 1));
        let Components { parts, raw, is_told_apart } = all.components(seats, times);
        let Some(values) = shares(parts.map(|part| part.max(0.0))) else { return none };
        // Errors are those of shares that are not cut off at 0.
        let Some(plain) = shares(parts) else { return none };
        let whole: f64 = parts.iter().sum();
        let without: Vec<[f64; 4]> =
            (groups.iter().filter(|group| group.numbers > 0 && all.numbers - group.numbers > 1))
                .filter_map(|group| shares(all.plus(group, -1).components(seats, times).parts))
                .collect();
        let scores = (all.numbers as f64 * times * seats) as u64;
        std::array::from_fn(|part| {
            if part >= 2 && !is_told_apart {
                return Interval::default();
            }
            let value = values[part];
            let wider = if part == 0 { times_wider } else { 1.0 };
            let without_each: Vec<f64> = without.iter().map(|shares| shares[part]).collect();
            let estimate = jackknife(plain[part], &without_each).if_known(scores).widened(wider);
            let of_few = raw
                .get(part)
                .zip(estimate.half_width)
                .and_then(|(&(raw, freedom), half_width)| squared::interval(raw / whole, half_width / NORMAL, freedom));
            let by_odds = estimate.half_width.and(odds_interval(plain[part], &without, part, wider));
            let ends = of_few.or(by_odds).or(estimate.low().zip(estimate.high()));
            Interval::new(Some(value), ends.map(|(low, high)| (low.clamp(0.0, value), high.clamp(value, 1.0))))
        })
    }

    /// Returns by group the sums over the deals of a bot's own line-up, or over all.
    fn variance_sums(&self, own: Option<(BotId, LineUpId)>) -> Vec<Sums> {
        let is_meant = |line_up: LineUpId| own.is_none_or(|(_, own)| line_up == own);
        let mut groups: Vec<Sums> = (self.tally.group_ids())
            .map(|group| {
                let block = self.tally.blocks().group(group);
                let squares = self.tally.ends(own.map(|(_, line_up)| line_up), group).squares;
                // A deal number with a single game has the squares of that game.
                let deals = if own.is_some() { squares } else { block.role_squares };
                Sums { numbers: i128::from(block.count), squares, deals, ..Sums::default() }
            })
            .collect();
        for role in Role::all(self.schedule.seats) {
            for (group, (sum, _)) in groups.iter_mut().zip(self.groups(|l, _, r| r == role && is_meant(l))) {
                group.roles[role.index()] = i128::from(sum);
            }
        }
        for bot in self.tournament.bot_ids().filter(|&bot| own.is_none_or(|(own, _)| bot == own)) {
            for (group, (sum, count)) in groups.iter_mut().zip(self.groups(|l, s, r| self.bot(l, s, r) == bot)) {
                group.bots.push((i128::from(sum), i128::from(count)));
            }
        }
        groups
    }
}

/// Returns the interval of a share from the errors of the logarithm of its odds.
///
/// It is `wider` times as wide on that scale. `None` if the share is 0 or 1 with any group left out, or if
/// too little is known.
fn odds_interval(share: f64, without: &[[f64; 4]], part: usize, wider: f64) -> Option<(f64, f64)> {
    let log_odds = |share: f64| (share > 0.0 && share < 1.0).then(|| libm::log(share / (1.0 - share)));
    let value = log_odds(share)?;
    let mut without_each = Vec::with_capacity(without.len());
    for shares in without {
        without_each.push(log_odds(shares[part])?);
    }
    let estimate = jackknife(value, &without_each).widened(wider);
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
