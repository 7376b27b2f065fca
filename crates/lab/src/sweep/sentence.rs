//! What a sweep came to, in sentences.

use overtrick_stats::Banded;

use super::plan::SweepPlan;
use super::rows::SweepRow;
use super::wish::{Judged, Judgement, Verdict, Wanted, Wish};

/// A sentence for each wish, each option, and each axis that changes nothing; `wishes` is by wish and point.
pub fn sentences(plan: &SweepPlan, rows: &[SweepRow], wishes: &[Judgement], dead: &[usize]) -> Vec<String> {
    let of_wish = |(wish, values): (&Wish, &Judgement)| {
        let Some(Judged { value, verdict }) = values[plan.base] else {
            return format!("{}: not measured at the base", wish.measure);
        };
        let bot = &plan.panel[wish.bot].name;
        let head = format!("{} is {} as {bot} plays; {} was wanted", wish.measure, figure(&value), wish.text());
        match verdict {
            None => format!("{head}: {}", extreme(plan, wish, values)),
            Some(verdict) => {
                let at_base = match verdict {
                    Verdict::Met => "met at the base",
                    Verdict::Missed => "missed at the base",
                    Verdict::Open => "at the base it cannot be told",
                };
                format!("{head}: {at_base}{}", elsewhere(plan, values))
            }
        }
    };
    let mut sentences: Vec<String> = plan.wishes.iter().zip(wishes).map(of_wish).collect();
    for option in &plan.restrictions {
        let own = |row: &&SweepRow| (row.point, row.bot) == (plan.base, option.bot) && row.measure == option.measure();
        let bot = &plan.panel[option.bot].name;
        let Some(row) = rows.iter().find(own) else {
            sentences.push(format!("{} is never used by {bot}: no score was different without it", option.name));
            continue;
        };
        let sure = match row.value.interval {
            Some((low, _)) if low > 0.0 => "",
            Some((_, high)) if high < 0.0 => ": better not used",
            _ => ": not told from nothing",
        };
        sentences.push(format!("{} is worth {} points a deal to {bot}{sure}", option.name, figure(&row.value)));
    }
    sentences.extend(dead.iter().map(|&axis| {
        let axis = &plan.axes[axis];
        let values: Vec<String> = (0..axis.values.len()).map(|value| axis.text(value)).collect();
        format!("{} changes nothing: no deal was different with {}", axis.key, values.join(", "))
    }));
    sentences
}

/// A value with its interval.
pub fn figure(value: &Banded) -> String {
    match value.interval {
        Some((low, high)) => {
            let decimals = if high > low { (1.0 - (high - low).log10().floor()).clamp(0.0, 6.0) as usize } else { 3 };
            format!("{:.decimals$} ({low:.decimals$} to {high:.decimals$})", value.value)
        }
        None => format!("{:.3} (too few deals for an interval)", value.value),
    }
}

/// Where else a wish is met.
fn elsewhere(plan: &SweepPlan, values: &[Option<Judged>]) -> String {
    let is_met = |point: &usize| values[*point].is_some_and(|judged| judged.verdict == Some(Verdict::Met));
    let others: Vec<usize> = (0..values.len()).filter(|&point| point != plan.base).collect();
    let met: Vec<usize> = others.iter().copied().filter(is_met).collect();
    if others.is_empty() {
        return String::new();
    }
    if met.is_empty() {
        return ", and nowhere else for sure".to_owned();
    }
    if met.len() == others.len() {
        return ", and everywhere else".to_owned();
    }
    // Along one axis of numbers: from a value on, or up to one.
    let along = plan.axes.len() == 1 && plan.axes[0].numbers().is_some_and(|numbers| numbers.is_sorted());
    if along {
        let axis = &plan.axes[0];
        let level = |point: usize| plan.points[point].levels.as_ref().map(|levels| levels[0]);
        let all: Vec<bool> = (0..axis.values.len())
            .map(|value| (0..values.len()).any(|point| level(point) == Some(value) && is_met(&point)))
            .collect();
        let first = all.iter().position(|met| *met).expect("some are met");
        let last = all.iter().rposition(|met| *met).expect("some are met");
        if all[first..].iter().all(|met| *met) {
            return format!(", met from {} {} on", axis.key, axis.text(first));
        }
        if all[..=last].iter().all(|met| *met) {
            return format!(", met up to {} {}", axis.key, axis.text(last));
        }
    }
    let changes = |point: &usize| plan.point_name(*point).split(", ").count();
    let nearest = *met.iter().min_by_key(|point| changes(point)).expect("some are met");
    format!(", met at {} of {} other points, such as {}", met.len(), others.len(), plan.point_name(nearest))
}

/// Where there is most, or least.
fn extreme(plan: &SweepPlan, wish: &Wish, values: &[Option<Judged>]) -> String {
    let loss = |point: &usize| values[*point].map_or(f64::INFINITY, |judged| wish.loss(judged.value.value));
    let best = (0..values.len()).min_by(|one, other| loss(one).total_cmp(&loss(other))).expect("there are points");
    let value = values[best].map_or_else(String::new, |judged| figure(&judged.value));
    let what = if wish.wanted == Wanted::More { "most" } else { "least" };
    match best == plan.base {
        true => format!("{what} at the base"),
        false => format!("{what} at {}, {value}", plan.point_name(best)),
    }
}
