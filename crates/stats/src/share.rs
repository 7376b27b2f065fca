//! Shares with intervals that are valid for rare events, too.
//!
//! Cases of one group share their deals. So a share is known as well as from an *effective number* of
//! independent cases: p(1-p) over its clustered variance. See Korn & Graubard (1998), "Confidence intervals
//! for proportions with small expected number of positive counts estimated from survey data", *Survey
//! Methodology* 24. For a comparison with other methods see Dean & Pagano (2015), "Evaluating confidence
//! interval methods for binomial proportions in clustered surveys", *Journal of Survey Statistics and
//! Methodology* 3.
//!
//! From that number, the interval is the mid-P interval of the binomial distribution (Berry & Armitage 1995,
//! "Mid-P confidence intervals: a brief review", *The Statistician* 44). It covers 95% on average, where the
//! exact interval of Clopper & Pearson covers more (Brown, Cai & DasGupta 2001, "Interval estimation for a
//! binomial proportion", *Statistical Science* 16).

use overtrick_ratings::interval::{FEWEST_GROUPS, NORMAL, student_t};
use statrs::function::beta::beta_reg;

/// The probability that a 95% interval leaves out on each side.
const TAIL: f64 = 0.025;

/// The range of the first search around the end of the score interval, in half-widths.
const NEAR: f64 = 0.15;

/// The weight of a deal number whose cases all agree.
///
/// A variance that rests on a handful of successes is hardly known. It is therefore mixed with the variance
/// of such a deal number.
const UNSEEN: f64 = 0.3;

/// The widest interval, from end to end, with which a share is still worth showing.
const WIDEST: f64 = 0.2;

/// A share with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// The share itself.
    pub value: f64,
    /// Both ends; `None` with fewer than [`FEWEST_GROUPS`] groups.
    pub interval: Option<(f64, f64)>,
}

/// Returns the share of successes, from `(successes, cases)` of each group.
///
/// At most `together` cases come from one deal number, so more cannot be bound to agree. `None` if there are
/// no cases.
///
/// With residuals r = x - p n of G groups, the design effect is D = G/(G-1) Σr² / (Σn p(1-p)). The effective
/// number is Σn / D. Where nothing varies it is the number of clusters, Σn / m. Here m is the smaller of Σn²
/// / Σn and `together`.
///
/// The uncertainty of D follows from the scatter of the squares r² around their values under D. It gives
/// degrees of freedom by Satterthwaite (1946), "An approximate distribution of estimates of variance
/// components", *Biometrics Bulletin* 2. By these, the effective number is reduced as (z/t)². Tables leave
/// out events that never occurred. So tail probabilities are conditional on at least one success (and on at
/// least one failure).
pub fn share(groups: impl IntoIterator<Item = (u64, u64)>, together: u64) -> Option<Share> {
    share_of(groups, Cluster::of(together), 1.0)
}

/// Cases that share deals.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cluster {
    /// The number of cases.
    pub together: u64,
    /// How strongly their results can depend on each other.
    ///
    /// It is 1 if they may all be bound to agree. If each case is made of several deals and two cases share
    /// one of them, it is one over the number of deals.
    pub agree: f64,
}

impl Cluster {
    /// Returns a cluster of cases that may all be bound to agree.
    pub fn of(together: u64) -> Cluster {
        Cluster { together, agree: 1.0 }
    }
}

/// Returns the share for any clusters, with an interval `times` times wider.
///
/// The number of cases is divided by the square of `times`.
pub(super) fn share_of(groups: impl IntoIterator<Item = (u64, u64)>, cluster: Cluster, times: f64) -> Option<Share> {
    let groups: Vec<(u64, u64)> = groups.into_iter().filter(|&(_, cases)| cases > 0).collect();
    let (successes, cases) = groups.iter().fold((0, 0), |(all, cases), &(x, n)| (all + x, cases + n));
    // Only a forged tally has more successes than cases.
    if cases == 0 || successes > cases {
        return None;
    }
    let value = successes as f64 / cases as f64;
    let interval = (groups.len() >= FEWEST_GROUPS).then(|| {
        let number = effective_number(&groups, successes, cases, cluster) / (times * times);
        (low_end(value, number), 1.0 - low_end((cases - successes) as f64 / cases as f64, number))
    });
    Some(Share { value, interval })
}

/// Returns the number of independent cases that would give the same information.
fn effective_number(groups: &[(u64, u64)], successes: u64, cases: u64, Cluster { together, agree }: Cluster) -> f64 {
    let n = cases as f64;
    let cluster = (groups.iter().map(|&(_, n)| (n as f64).powi(2)).sum::<f64>() / n).min(together as f64);
    // Residuals times the total are whole numbers, so equal shares leave exactly nothing.
    let residual = |&(x, n): &(u64, u64)| {
        (i128::from(x) * i128::from(cases) - i128::from(successes) * i128::from(n)) as f64 / cases as f64
    };
    let count = groups.len() as f64;
    let squares = count / (count - 1.0) * groups.iter().map(|group| residual(group).powi(2)).sum::<f64>();
    if squares == 0.0 {
        return n / cluster;
    }
    let p = successes as f64 / n;
    let variance = p * (1.0 - p);
    let unseen = UNSEEN * agree * cluster;
    let squares = squares + unseen * cluster;
    let effect = squares / (n * variance + unseen);
    // The contribution of a group to the error of the design effect, by linearisation. It is zero where all
    // groups are single cases.
    let scatter = |group: &(u64, u64)| {
        let r = residual(group);
        r * r - effect * (group.1 as f64 * variance + (1.0 - 2.0 * p) * r)
    };
    let scatter: f64 = groups.iter().map(|group| scatter(group).powi(2)).sum();
    let freedom = (2.0 * squares * squares / scatter).clamp(1.0, 1e6);
    let student = student_t(1.0 - TAIL, freedom);
    n / effect * (NORMAL / student).powi(2)
}

/// Returns the lower end of the interval of a share of `cases` independent cases.
///
/// `cases` need not be a whole number.
fn low_end(share: f64, cases: f64) -> f64 {
    // Half the chance of exactly this number of successes and all of the chance of more, given that there is
    // at least one. The chance to leave out is subtracted.
    let successes = share * cases;
    let excess = |p: f64| {
        let at_least = beta_reg(successes, cases - successes + 1.0, p);
        let more = if share < 1.0 { beta_reg(successes + 1.0, cases - successes, p) } else { 0.0 };
        (at_least + more) / 2.0 / -(cases * (-p).ln_1p()).exp_m1() - TAIL
    };
    // The search begins below the last decimal that is reported.
    let lowest = 1e-9;
    if share <= lowest || excess(lowest) > 0.0 {
        return 0.0;
    }
    let (mut low, mut high) = ((lowest, -TAIL), (share, 0.5 - TAIL));
    // The end lies near that of the score interval (Wilson 1927), most often between these two places.
    let square = NORMAL * NORMAL / cases;
    let deviation = (square * (share * (1.0 - share) + square / 4.0)).sqrt();
    let score = (share + square / 2.0 - deviation) / (1.0 + square);
    for near in [score - NEAR * (share - score), score + NEAR * (share - score)] {
        if low.0 < near && near < high.0 {
            let end = (near, excess(near));
            if end.1 < 0.0 { low = end } else { high = end }
        }
    }
    zero(excess, low, high)
}

/// Returns the zero of a function that rises from below zero at `low` to above zero at `high`.
///
/// Both ends are given with their values, and the result has eleven digits. The method draws straight lines
/// between both ends; an end that stays counts by half the next time. This is the Illinois method (Dowell &
/// Jarratt 1971, *BIT* 11).
fn zero(value: impl Fn(f64) -> f64, (mut low, mut below): (f64, f64), (mut high, mut above): (f64, f64)) -> f64 {
    let (mut place, mut has_risen) = (low, None);
    for _ in 0..100 {
        let last = place;
        place = (low * above - high * below) / (above - below);
        let found = value(place);
        if found == 0.0 || (place - last).abs() <= 1e-11 * place {
            break;
        }
        let is_below = found < 0.0;
        let share = if has_risen == Some(is_below) { 0.5 } else { 1.0 };
        if is_below {
            (low, below, above) = (place, found, above * share);
        } else {
            (high, above, below) = (place, found, below * share);
        }
        has_risen = Some(is_below);
    }
    place
}

/// Returns whether an interval of a share is narrow enough for the share to be shown to people.
pub fn worth_showing(low: f64, high: f64) -> bool {
    high - low <= WIDEST
}

/// Writes a share and its interval in percent, such as `4.2% (2.9 to 6.1)`.
pub fn percent_text(value: f64, low: f64, high: f64, decimals: usize) -> String {
    let [value, low, high] = [value, low, high].map(|share| share * 100.0);
    format!("{value:.decimals$}% ({low:.decimals$} to {high:.decimals$})")
}

#[cfg(test)]
mod tests;
