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

use overtrick_ratings::interval::{FEWEST_GROUPS, GroupSum, NORMAL, student_t};
use statrs::function::beta::beta_reg;

use super::figure::Bounded;
use super::roots::zero;

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

/// Returns the share of cases that are successes, from their sums by group.
///
/// At most `together` cases come from one deal number, so more cannot be bound to agree. `None` if there are
/// no cases. There is no interval with fewer than [`FEWEST_GROUPS`] groups.
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
pub fn share(groups: &[GroupSum], together: u64) -> Option<Bounded> {
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
pub(super) fn share_of(groups: &[GroupSum], cluster: Cluster, times: f64) -> Option<Bounded> {
    let all = GroupSum::total(groups);
    // Only a forged tally has more successes than cases.
    if all.count == 0 || all.sum > all.count as i64 {
        return None;
    }
    let cases = all.count as f64;
    let value = all.sum as f64 / cases;
    let mut interval = None;
    if groups.iter().filter(|group| group.count > 0).count() >= FEWEST_GROUPS {
        let number = effective_number(groups, all, cluster) / (times * times);
        let failures = (all.count as i64 - all.sum) as f64 / cases;
        interval = Some((low_end(value, number), 1.0 - low_end(failures, number)));
    }
    Some(Bounded { value, se: None, interval })
}

/// Returns the number of independent cases that would give the same information.
fn effective_number(groups: &[GroupSum], all: GroupSum, Cluster { together, agree }: Cluster) -> f64 {
    let (n, mut count, mut squared_sizes) = (all.count as f64, 0.0, 0.0);
    let (mut residuals, mut squares) = (Vec::with_capacity(groups.len()), 0.0);
    for group in groups.iter().filter(|group| group.count > 0) {
        // Residuals times the total are whole numbers, so equal shares leave exactly nothing.
        let whole = i128::from(group.sum) * i128::from(all.count) - i128::from(all.sum) * i128::from(group.count);
        let residual = whole as f64 / n;
        residuals.push((group.count as f64, residual));
        squared_sizes += (group.count as f64).powi(2);
        squares += residual.powi(2);
        count += 1.0;
    }
    // Only a forged tally has no deals together.
    let cluster = (squared_sizes / n).min(together.max(1) as f64);
    let squares = count / (count - 1.0) * squares;
    if squares == 0.0 {
        return n / cluster;
    }
    let p = all.sum as f64 / n;
    let variance = p * (1.0 - p);
    let unseen = UNSEEN * agree * cluster;
    let squares = squares + unseen * cluster;
    let effect = squares / (n * variance + unseen);
    let mut scatter = 0.0;
    for (size, r) in residuals {
        // The contribution of a group to the error of the design effect, by linearisation. It is zero where
        // all groups are single cases.
        scatter += (r * r - effect * (size * variance + (1.0 - 2.0 * p) * r)).powi(2);
    }
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
