//! The changes from tuning a bot for each point, in sentences.

use overtrick_stats::{Bounded, SeatScale};
use overtrick_tournament::Unit;

use super::plan::SweepPlan;
use super::retune::RetunedBot;
use super::rows::SweepRow;
use super::sentence::figure;
use super::sweeping::PointResult;

/// Returns the sentences on tuning; none if no bot is tuned at each point.
///
/// The first says where tuning found something. There is another for each measure that a wish is about.
/// Without wishes, the other is about the advantage of seats.
pub fn retuned_sentences(plan: &SweepPlan, points: &[PointResult], rows: &[SweepRow]) -> Vec<String> {
    let Some((before, after)) = plan.retuned() else { return Vec::new() };
    let mut sentences = vec![found(plan, before, after, points)];
    // If nothing was found, nothing can have changed.
    if !points.iter().any(is_better) {
        return sentences;
    }
    let scale = if plan.unit == Unit::Match { SeatScale::Won } else { SeatScale::Deviations };
    let usual = scale.advantage();
    let mut measures: Vec<&str> = Vec::new();
    for wish in &plan.wishes {
        let is_tuned = [before, after].contains(&wish.bot);
        if is_tuned && !measures.contains(&wish.measure.as_str()) {
            measures.push(&wish.measure);
        }
    }
    if plan.wishes.is_empty() {
        measures.push(&usual);
    }
    for measure in measures {
        sentences.extend(changed(plan, measure, before, after, rows));
    }
    sentences
}

fn is_better(point: &PointResult) -> bool {
    point.retuned.as_ref().is_some_and(|retuned| retuned.is_better)
}

/// Says at how many points tuning found something, and where most.
fn found(plan: &SweepPlan, before: usize, after: usize, points: &[PointResult]) -> String {
    let (name, retuned) = (&plan.panel[before].name, &plan.panel[after].name);
    let head = format!("{retuned} is {name} tuned for the rules of each point");
    let gain = |point: usize| points[point].retuned.as_ref().and_then(RetunedBot::banded);
    let value = |point: usize| gain(point).map_or(0.0, |gain| gain.value);
    let better: Vec<usize> = (0..points.len()).filter(|&point| is_better(&points[point])).collect();
    let Some(&most) = better.iter().max_by(|one, other| value(**one).total_cmp(&value(**other))) else {
        return format!("{head}; no improvement was found, so it stays as it is everywhere");
    };
    let figure = match gain(most) {
        Some(gain) => figure(&Bounded { se: None, ..gain }),
        None => String::new(),
    };
    let (better, all, place) = (better.len(), points.len(), place(plan, most));
    let rest = if better < all { ", unchanged at the others" } else { "" };
    format!(
        "{head}: better at {better} of {all} points, each by a test for that point alone{rest}; as it came out, most {place}, ahead of {name} by {figure} points a deal"
    )
}

/// Says how much tuning changed a measure; `None` if no change of it is known.
///
/// It names the point with the largest change that is distinguished from 0.
fn changed(plan: &SweepPlan, measure: &str, before: usize, after: usize, rows: &[SweepRow]) -> Option<String> {
    let (mut all, mut certain, mut most) = (0, 0, None);
    let mut largest = f64::NEG_INFINITY;
    for row in rows.iter().filter(|row| row.bot == after && row.measure == measure) {
        let Some(change) = row.change else { continue };
        all += 1;
        if !change.excludes_zero() {
            continue;
        }
        certain += 1;
        if change.value.abs() >= largest {
            (largest, most) = (change.value.abs(), Some(row));
        }
    }
    if all == 0 {
        return None;
    }
    let name = &plan.panel[before].name;
    let Some(row) = most else {
        return Some(format!("retuned for its rules, {name} changes {measure} at no point with certainty"));
    };
    let old = rows.iter().find(|old| old.bot == before && old.point == row.point && old.measure == measure)?;
    let count = match all {
        1 => String::new(),
        _ => format!("; it changes with certainty at {certain} of {all} points"),
    };
    let (new, old, place) = (figure(&row.value), figure(&old.value), place(plan, row.point));
    Some(format!("retuned for its rules, {name} makes {measure} {new} instead of {old} {place}{count}"))
}

/// Returns where a point is, for a sentence.
fn place(plan: &SweepPlan, point: usize) -> String {
    if point == plan.base { "at the base".to_owned() } else { format!("at {}", plan.point_name(point)) }
}
