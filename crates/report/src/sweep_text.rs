//! A sweep on the terminal.

use overtrick_lab::sweep::{Effect, EffectRow, SweepOutcome, SweepPlan};
use overtrick_stats::{Banded, Figure, SEAT_ADVANTAGE};

use super::format::{signed, with_interval};
use super::screen::{Column, Screen};

/// Up to so many points are shown one by one.
const POINTS: usize = 24;
/// The most effects that are shown.
const EFFECTS: usize = 10;

/// The result for the terminal: a table of points, the largest effects, and the sentences.
pub fn sweep_text(plan: &SweepPlan, outcome: &SweepOutcome, screen: Screen) -> String {
    let shown = shown(plan);
    let mut text = String::new();
    if plan.points.len() <= POINTS {
        text += &format!("{}\n", points(plan, outcome, &shown, screen));
    } else {
        let points = plan.points.len();
        text += &format!("{points} points; sweep.csv has the measures of each\n");
    }
    let effects = effects(plan, outcome, &shown, screen);
    if !effects.is_empty() {
        text += &format!("\nlargest effects\n{effects}\n");
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
        text += &format!("{}\n", screen.wrap(&format!("beaten by no other point: {}{more}", names.join("; "))));
    }
    text
}

/// The measures that are shown, each with its bot: those that are wished for, or else those that tell most.
fn shown(plan: &SweepPlan) -> Vec<(usize, String)> {
    if !plan.wishes.is_empty() {
        return plan.wishes.iter().map(|wish| (wish.bot, wish.measure.clone())).collect();
    }
    let last = plan.panel.len() - 1;
    ["skill", SEAT_ADVANTAGE, "tied", "exceptional"].map(|measure| (last, measure.to_owned())).to_vec()
}

fn points(plan: &SweepPlan, outcome: &SweepOutcome, shown: &[(usize, String)], screen: Screen) -> String {
    let value = |point: usize, (bot, measure): &(usize, String)| {
        let own =
            |row: &&overtrick_lab::sweep::SweepRow| row.point == point && row.bot == *bot && row.measure == *measure;
        outcome.rows.iter().find(own).map(|row| row.value)
    };
    let there: Vec<&(usize, String)> =
        shown.iter().filter(|one| (0..plan.points.len()).any(|point| value(point, one).is_some())).collect();
    let rows: Vec<Vec<String>> = (0..plan.points.len())
        .map(|point| {
            let figures =
                there.iter().map(|one| value(point, one).map_or("-".to_owned(), |value| with_half_width(&value)));
            [plan.point_name(point)].into_iter().chain(figures).collect()
        })
        .collect();
    // A column names the bot where not all are as the same one plays.
    let is_mixed = there.iter().any(|(bot, _)| *bot != there[0].0);
    let headings: Vec<String> = there
        .iter()
        .map(|(bot, measure)| match is_mixed {
            true => format!("{measure} ({})", plan.panel[*bot].name),
            false => measure.clone(),
        })
        .collect();
    let figures =
        headings.iter().zip(0..).map(|(heading, number): (&String, u8)| Column::figures(heading).spare(number));
    let columns: Vec<Column<'_>> = [Column::text("rules")].into_iter().chain(figures).collect();
    let table = screen.table(&columns, &rows);
    match there.first().filter(|_| !is_mixed && plan.panel.len() > 1) {
        Some((bot, _)) => format!("as {} plays\n{table}", plan.panel[*bot].name),
        None => table,
    }
}

/// A value with half the width of its interval.
fn with_half_width(value: &Banded) -> String {
    let ends = value.interval.unzip();
    with_interval(Figure(Some(value.value)), Figure(ends.0), Figure(ends.1), 3)
}

/// The largest effects on the shown measures, of those that are told from nothing.
fn effects(plan: &SweepPlan, outcome: &SweepOutcome, shown: &[(usize, String)], screen: Screen) -> String {
    let is_shown = |row: &&EffectRow| shown.iter().any(|(bot, measure)| row.bot == *bot && row.measure == *measure);
    let is_sure = |row: &&EffectRow| row.size.interval.is_some_and(|(low, high)| low > 0.0 || high < 0.0);
    let mut found: Vec<&EffectRow> = outcome.effects.iter().filter(is_shown).filter(is_sure).collect();
    found.sort_by(|one, other| other.size.value.abs().total_cmp(&one.size.value.abs()));
    let line = |row: &&EffectRow| {
        let size = signed(Figure(Some(row.size.value)), 3);
        let (low, high) = row.size.interval.expect("those that are told from nothing have one");
        let ends = format!("{} to {}", signed(Figure(Some(low)), 3), signed(Figure(Some(high)), 3));
        vec![row.measure.clone(), effect_text(plan, &row.effect), size, ends]
    };
    if found.is_empty() {
        return String::new();
    }
    let columns =
        [Column::text("measure"), Column::text("effect of"), Column::figures("size"), Column::figures("95%").spare(1)];
    screen.table(&columns, &found.iter().take(EFFECTS).map(line).collect::<Vec<_>>())
}

/// An effect in words.
fn effect_text(plan: &SweepPlan, effect: &Effect) -> String {
    let key = |axis: usize| &plan.axes[axis].key;
    let value = |axis: usize, value: usize| format!("{} {}", key(axis), plan.axes[axis].text(value));
    match *effect {
        Effect::Value { axis, value: number } => value(axis, number),
        Effect::Pair { both: [(one, a), (other, b)] } => format!("{} with {}", value(one, a), value(other, b)),
        Effect::Slope { axis } => format!("{} from lowest to highest", key(axis)),
        Effect::Bend { axis } => format!("{} at its ends against its middle", key(axis)),
        Effect::Product { axes: [one, other] } => format!("{} with {}", key(one), key(other)),
    }
}
