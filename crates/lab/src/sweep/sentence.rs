//! The outcome of a sweep, in sentences.

use overtrick_stats::{Bounded, percent_text};
use overtrick_tournament::Unit;

use super::design::SweepPoint;
use super::plan::SweepPlan;
use super::points::LeftOut;
use super::restriction::{Restriction, USED_DEALS};
use super::rows::SweepRow;
use super::wish::{JudgedWish, Judgement, SweepWish, Wanted, WishVerdict};
use crate::decimals;

/// The largest number of points that a sentence names as left out for one reason.
const MOST_LEFT_OUT: usize = 8;

/// Returns the sentences of an outcome:
///
/// - one for each wish,
/// - up to two for each option,
/// - one for each axis that changes nothing,
/// - one for each reason why points are left out.
///
/// `wishes` is by wish and point.
pub fn sentences(plan: &SweepPlan, rows: &[SweepRow], wishes: &[Judgement], dead: &[usize]) -> Vec<String> {
    let mut sentences = Vec::new();
    for (wish, values) in plan.wishes.iter().zip(wishes) {
        sentences.push(of_wish(plan, wish, values));
    }
    for option in &plan.restrictions {
        sentences.extend(used(plan, option, rows));
        sentences.push(worth(plan, option, rows));
    }
    let unit = if plan.unit == Unit::Match { "match" } else { "deal" };
    for &axis in dead {
        let axis = &plan.axes[axis];
        let values: Vec<String> = (0..axis.values.len()).map(|value| axis.text(value)).collect();
        sentences.push(format!("{} changes nothing: no {unit} was different with {}", axis.key, values.join(", ")));
    }
    sentences.extend(left_out(&plan.left_out));
    sentences
}

/// Says where a wish is met, or where the measure is largest or smallest.
fn of_wish(plan: &SweepPlan, wish: &SweepWish, values: &Judgement) -> String {
    let Some(JudgedWish { value, verdict }) = values[plan.base] else {
        return format!("{}: not measured at the base", wish.measure);
    };
    let bot = &plan.panel[wish.bot].name;
    let points = if wish.is_in_points() { " points" } else { "" };
    let measured = figure(&value);
    let head = format!("{} with {bot}: {measured}{points} at the base rules. Wanted: {}", wish.measure, wish.text());
    let at_base = match verdict {
        None => return format!("{head}. {}", extreme(plan, wish, values)),
        Some(WishVerdict::Met) => "met",
        Some(WishVerdict::Missed) => "missed",
        Some(WishVerdict::Open) => "undecided",
    };
    format!("{head}. At the base this is {at_base}{}", elsewhere(plan, values))
}

/// Returns the row of a measure of an option at the base.
fn at_base<'a>(plan: &SweepPlan, option: &Restriction, measure: &str, rows: &'a [SweepRow]) -> Option<&'a SweepRow> {
    rows.iter().find(|row| (row.point, row.bot) == (plan.base, option.bot) && row.measure == measure)
}

/// Says in how many deals an option is used, even if matches are played.
///
/// `None` for external bots.
fn used(plan: &SweepPlan, option: &Restriction, rows: &[SweepRow]) -> Option<String> {
    let bot = &plan.panel[option.bot];
    if bot.spec.process().is_some() {
        return None;
    }
    let played = USED_DEALS.min(plan.numbers);
    Some(match at_base(plan, option, &option.used_measure(), rows) {
        Some(row) if row.value.value > 0.0 => {
            format!("{} is used by {} in {} of deals", option.name, bot.name, percent(&row.value))
        }
        _ => format!("{} is never used by {}: not in the first {played} {}", option.name, bot.name, plan.unit.plural()),
    })
}

/// Says how much an option is worth, as opposed to how often it is used.
fn worth(plan: &SweepPlan, option: &Restriction, rows: &[SweepRow]) -> String {
    let bot = &plan.panel[option.bot].name;
    let Some(row) = at_base(plan, option, &option.worth_measure(), rows) else {
        return format!("{} makes no difference to {bot}: no score was different without it", option.name);
    };
    let sure = match row.value.interval {
        Some((low, _)) if low > 0.0 => "",
        Some((_, high)) if high < 0.0 => ": better not used",
        _ => ": not distinguished from 0",
    };
    format!("{} is worth {} points a deal to {bot}{sure}", option.name, figure(&row.value))
}

/// Returns a sentence for each reason, with the names of the points that are left out.
fn left_out(points: &[LeftOut]) -> Vec<String> {
    let mut reasons: Vec<&str> = Vec::new();
    for point in points {
        if !reasons.contains(&point.reason.as_str()) {
            reasons.push(&point.reason);
        }
    }
    let mut sentences = Vec::with_capacity(reasons.len());
    for reason in reasons {
        let own = points.iter().filter(|point| point.reason == reason);
        let names: Vec<&str> = own.map(|point| point.name.as_str()).collect();
        let shown = names.len().min(MOST_LEFT_OUT);
        let more = if names.len() > shown { format!(" and {} more", names.len() - shown) } else { String::new() };
        let names = names[..shown].join("; ");
        sentences.push(format!("left out, as the rules refuse it ({reason}): {names}{more}"));
    }
    sentences
}

/// Returns a share in per cent, with its interval.
fn percent(value: &Bounded) -> String {
    match value.interval {
        Some((low, high)) => percent_text(value.value, low.max(0.0), high.min(1.0), 1),
        None => format!("{:.1}%", 100.0 * value.value),
    }
}

/// Returns a value with its interval, as text.
pub fn figure(value: &Bounded) -> String {
    match value.interval {
        Some((low, high)) => {
            let decimals = decimals(high - low).unwrap_or(3);
            format!("{:.decimals$} ({low:.decimals$} to {high:.decimals$})", value.value)
        }
        None => format!("{:.3} (too few deals for an interval)", value.value),
    }
}

/// Says where else a wish is met.
fn elsewhere(plan: &SweepPlan, values: &[Option<JudgedWish>]) -> String {
    let others = values.len() - 1;
    let met: Vec<usize> = (0..values.len()).filter(|&point| point != plan.base && is_met(values, point)).collect();
    if others == 0 {
        return String::new();
    }
    if met.is_empty() {
        return ". It is certainly met under no other rules".to_owned();
    }
    if met.len() == others {
        return ". It is certainly met under all other rules".to_owned();
    }
    if let Some(text) = along_axis(plan, values) {
        return text;
    }
    let changes = |point: &usize| plan.point_name(*point).split(", ").count();
    let nearest = *met.iter().min_by_key(|point| changes(point)).expect("some are met");
    format!(". It is certainly met at {} of {others} other points, such as {}", met.len(), plan.point_name(nearest))
}

/// Returns whether a wish is met at a point.
fn is_met(values: &[Option<JudgedWish>], point: usize) -> bool {
    values[point].is_some_and(|judged| judged.verdict == Some(WishVerdict::Met))
}

/// Says from which value on, or up to which value, a wish is met.
///
/// `None` if there is not just one axis of increasing numbers, or if there is no such value. The wish is met at
/// some point.
fn along_axis(plan: &SweepPlan, values: &[Option<JudgedWish>]) -> Option<String> {
    let [axis] = &plan.axes[..] else { return None };
    if !axis.numbers()?.is_sorted() {
        return None;
    }
    let mut met = vec![false; axis.values.len()];
    for (point, SweepPoint { levels, .. }) in plan.points.iter().enumerate() {
        if let Some(levels) = levels
            && is_met(values, point)
        {
            met[levels[0]] = true;
        }
    }
    let first = met.iter().position(|met| *met).expect("some are met");
    let last = met.iter().rposition(|met| *met).expect("some are met");
    if met[first..].iter().all(|met| *met) {
        return Some(format!(". It is certainly met from {} {} on", axis.key, axis.text(first)));
    }
    if met[..=last].iter().all(|met| *met) {
        return Some(format!(". It is certainly met up to {} {}", axis.key, axis.text(last)));
    }
    None
}

/// Says where a measure is largest, or smallest.
fn extreme(plan: &SweepPlan, wish: &SweepWish, values: &[Option<JudgedWish>]) -> String {
    let loss = |point: usize| values[point].map_or(f64::INFINITY, |judged| wish.loss(judged.value.value));
    let best = (0..values.len()).min_by(|&one, &other| loss(one).total_cmp(&loss(other))).expect("there are points");
    let what = if wish.wanted == Wanted::More { "Highest" } else { "Lowest" };
    if best == plan.base {
        return format!("{what} measured: this");
    }
    let value = values[best].map_or_else(String::new, |judged| figure(&judged.value));
    format!("{what} measured: {value} at {}", plan.point_name(best))
}
