//! A sweep on the terminal.

use overtrick_lab::sweep::{EffectRow, GRID_AXES, SweepOutcome, SweepPlan, value_text};
use overtrick_tournament::Unit;

use super::format::{half_or_ends, signed, thousands, with_ends};
use super::screen::Screen;
use super::table::{Column, TableOf};
use crate::effect_name::EffectName;

/// The most points that are listed.
const POINTS: usize = 24;
/// The most effects that are shown for a measure.
const EFFECTS: usize = 5;
/// The title of the points that no other point beats.
const BEST_TRADE_OFFS: &str = "best trade-offs (no other rules do as well by every wish and certainly better by one)";

/// Returns the measures that are shown without wishes: the most important ones without units.
///
/// A game is about winning matches, not about the best score in a single deal. So measures of deals are
/// points relative to the spread of scores.
pub(super) const fn usual(unit: Unit) -> [&'static str; 4] {
    match unit {
        Unit::Deal => ["skill-sd", "seat-advantage-sd", "tied", "exceptional"],
        Unit::Match => ["skill-won", "seat-advantage-won", "tied", "exceptional"],
    }
}

/// Returns the result for the terminal: a table of points, the largest effects, and the sentences.
pub fn sweep_text(plan: &SweepPlan, outcome: &SweepOutcome, screen: Screen) -> String {
    let shown = shown(plan);
    let mut text = format!("{}\n", screen.wrap(&heading(plan)));
    if plan.points.len() <= POINTS {
        text += &format!("{}\n", points(plan, outcome, &shown, screen));
    } else {
        text += "sweep.csv has the measures of each point\n";
    }
    let effects = effects(plan, outcome, &shown, screen);
    if !effects.is_empty() {
        let over = match plan.axes.len() {
            1 => "",
            2..=GRID_AXES => ", averaged over the other rules",
            _ => ", by a fitted surface",
        };
        let title = screen.wrap(&format!("largest effects on each measure, in the measure's own unit{over}"));
        text += &format!("\n{title}\n{effects}\n");
    }
    if !outcome.sentences.is_empty() {
        text.push('\n');
    }
    for sentence in &outcome.sentences {
        text += &format!("{}\n", screen.wrap(sentence));
    }
    if !outcome.unbeaten.is_empty() && plan.points.len() > 1 {
        let names: Vec<String> = outcome.unbeaten.iter().take(6).map(|&point| plan.point_name(point)).collect();
        let more = outcome.unbeaten.len().saturating_sub(names.len());
        let more = if more > 0 { format!(" and {more} more (pareto.csv)") } else { String::new() };
        text += &format!("{}\n", screen.wrap(&format!("{BEST_TRADE_OFFS}: {}{more}", names.join("; "))));
    }
    text
}

/// Says what was played: the points, the deals or matches at each, the bots, and the rules of the base.
fn heading(plan: &SweepPlan) -> String {
    let base = &plan.points[plan.base].variant;
    let rules = base.game.rules();
    let mut own = Vec::new();
    for axis in &plan.axes {
        if let Some(value) = rules.get(&axis.key) {
            own.push(format!("{} {}", axis.key, value_text(value)));
        }
    }
    let unit = if plan.unit == Unit::Match { "matches" } else { "deals" };
    let bots: Vec<&str> = plan.panel.iter().map(|bot| bot.name.as_str()).collect();
    let own = if own.is_empty() { String::new() } else { format!("; the base has {}", own.join(", ")) };
    format!(
        "{}: {} points, {} {unit} at each, bots: {}{own}",
        base.name,
        plan.points.len(),
        thousands(plan.numbers),
        bots.join(", "),
    )
}

/// Returns the measures that are shown, each with its bot: the wishes, or else the usual measures.
fn shown(plan: &SweepPlan) -> Vec<(usize, String)> {
    if !plan.wishes.is_empty() {
        return plan.wishes.iter().map(|wish| (wish.bot, wish.measure.clone())).collect();
    }
    let last = plan.panel.len() - 1;
    usual(plan.unit).map(|measure| (last, measure.to_owned())).to_vec()
}

/// Says which bot is measured, and against which one its skill is.
pub(super) fn measured_with<'a>(bot: &str, mut measures: impl Iterator<Item = &'a str>) -> String {
    let skill = if measures.any(|measure| measure.starts_with("skill")) {
        ", and skill against the bot before it in the panel"
    } else {
        ""
    };
    format!("measured with {bot} at every seat{skill}")
}

fn points(plan: &SweepPlan, outcome: &SweepOutcome, shown: &[(usize, String)], screen: Screen) -> String {
    let value = |point: usize, (bot, measure): &(usize, String)| {
        let own =
            |row: &&overtrick_lab::sweep::SweepRow| row.point == point && row.bot == *bot && row.measure == *measure;
        outcome.rows.iter().find(own).map(|row| row.value)
    };
    let there: Vec<&(usize, String)> =
        shown.iter().filter(|one| (0..plan.points.len()).any(|point| value(point, one).is_some())).collect();
    // A column names its bot if several bots are shown.
    let is_mixed = there.iter().any(|(bot, _)| *bot != there[0].0);
    let mut table = TableOf::new().add(Column::text("rules"), |&point: &usize| plan.point_name(point));
    for one in &there {
        let (bot, measure) = one;
        let title = if is_mixed { format!("{measure} ({})", plan.panel[*bot].name) } else { measure.clone() };
        let cell = move |&point: &usize| value(point, one).map_or("-".to_owned(), |value| with_ends(value.into(), 3));
        table = table.add(Column::figures(title), cell);
    }
    let table = screen.show_all(&table, 0..plan.points.len());
    match there.first().filter(|_| !is_mixed && plan.panel.len() > 1) {
        Some((bot, _)) => {
            let how = measured_with(&plan.panel[*bot].name, there.iter().map(|(_, measure)| measure.as_str()));
            format!("{}\n{table}", screen.wrap(&how))
        }
        None => table,
    }
}

/// Returns the largest effects on each of the shown measures, among effects that are distinguished from 0.
///
/// Sizes of effects on different measures cannot be compared.
fn effects(plan: &SweepPlan, outcome: &SweepOutcome, shown: &[(usize, String)], screen: Screen) -> String {
    let is_sure = |row: &&EffectRow| row.size.interval.is_some_and(|(low, high)| low > 0.0 || high < 0.0);
    let mut largest: Vec<(&str, &EffectRow)> = Vec::new();
    for (bot, measure) in shown {
        let own = outcome.effects.iter().filter(|row| row.bot == *bot && row.measure == *measure);
        let mut found: Vec<&EffectRow> = own.filter(is_sure).collect();
        found.sort_by(|one, other| other.size.value.abs().total_cmp(&one.size.value.abs()));
        largest.extend(found.into_iter().take(EFFECTS).map(|row| (measure.as_str(), row)));
    }
    if largest.is_empty() {
        return String::new();
    }
    let table = TableOf::<(&str, &EffectRow)>::new()
        .add(Column::text("measure"), |&(measure, _)| measure)
        .add(Column::text("effect of"), |(_, row)| EffectName::of(plan, &row.effect).in_words())
        .add(Column::figures("size (95%)"), |(_, row)| half_or_ends(signed, row.size.into(), 3, false));
    screen.show(&table, largest)
}
