//! A result of the benchmark and its table on the terminal.

use overtrick_lab::benchmark::{
    AuthorRow, BenchmarkDefinition, BenchmarkResult, BenchmarkRow, BenchmarkScore, StandingRow, Standings,
};
use overtrick_stats::Interval;
use overtrick_toml::printable;

use super::format::{number, signed_with_interval, thousands, with_interval};
use super::screen::Screen;
use super::table::{Column, TableOf};

/// A variant with its score and its duels.
struct OfVariant<'a> {
    score: &'a BenchmarkRow,
    duels: &'a [BenchmarkRow],
}

/// Returns the score in a line, and a table with the lead over each reference in each variant.
pub fn benchmark_text(
    definition: &BenchmarkDefinition,
    result: &BenchmarkResult,
    score: &BenchmarkScore,
    screen: Screen,
) -> String {
    let level = definition.level;
    let level_name = &definition.references[level].bot.name;
    let mut table = TableOf::<OfVariant<'_>>::new()
        .add(Column::text("variant"), |row| row.score.variant.as_str())
        .add_if(definition.scale.is_some(), Column::figures("score"), |row| with_interval(row.score.score, 1))
        .add(Column::figures(format!("Elo over {level_name}")).spare(1), move |row| {
            signed_with_interval(row.duels[level].elo, 0)
        });
    for (index, reference) in definition.references.iter().enumerate() {
        // References before the level are the weaker ones, and are dropped first.
        let spare = if index == level { 2 } else { 3 };
        let title = format!("over {}", reference.bot.name);
        table =
            table.add(Column::figures(title).spare(spare), move |row| signed_with_interval(row.duels[index].ahead, 2));
    }
    let rows = score.rows[1..].chunks(1 + definition.references.len());
    let rows = rows.map(|rows| OfVariant { score: &rows[0], duels: &rows[1..] });
    let about = format!(
        "points a deal ahead of each reference, with 95% intervals over {} parts of the deals",
        thousands(definition.parts)
    );
    let line = screen.wrap(&score_line(definition, result, score.total));
    format!("{line}\n{}\n{}\n", screen.wrap(&about), screen.show(&table, rows))
}

/// Returns the line that others can quote.
fn score_line(definition: &BenchmarkDefinition, result: &BenchmarkResult, total: Interval) -> String {
    let deals = match &result.round {
        None => "open deals".to_owned(),
        Some(round) => format!("round {}", printable(&round.name)),
    };
    let figure = match total.value {
        Some(_) => format!("scores {}", with_interval(total, 2)),
        None => "has played".to_owned(),
    };
    let class = result.bot.class.name();
    format!("{} {figure} in {} (class {class}, {deals})", result.bot.name, definition.title())
}

/// Returns the table of all results, and the authors with several entries.
pub fn standings_text(standings: &Standings, screen: Screen) -> String {
    let is_sealed = standings.rows.iter().any(|row| !row.commitment.is_empty());
    let has_faults = standings.rows.iter().any(|row| row.faults > 0);
    let table = TableOf::<&StandingRow>::new()
        .add(Column::text("round").spare(2), |row| printable(&row.round))
        .add_if(is_sealed, Column::text("commitment").spare(3), |row| row.commitment.clone())
        .add(Column::text("class").spare(1), |row| row.class)
        .add(Column::figures("rank"), |row| row.rank.to_string())
        .add(Column::text("bot"), |row| printable(&row.bot))
        .add(Column::text("author"), |row| printable(&row.author))
        .add(Column::figures("entries").spare(3), |row| row.entries.to_string())
        .add(Column::figures("score ± 95%"), |row| with_interval(row.score, 2))
        .add_if(has_faults, Column::figures("faults").spare(4), |row| thousands(row.faults))
        .add(Column::text("file").spare(5), |row| printable(&row.file));
    let mut text = format!("{}\n", screen.show(&table, &standings.rows));
    if !standings.authors.is_empty() {
        let table = TableOf::<&AuthorRow>::new()
            .add(Column::text("round").spare(1), |row| printable(&row.round))
            .add(Column::text("class").spare(1), |row| row.class)
            .add(Column::text("author"), |row| printable(&row.author))
            .add(Column::figures("entries"), |row| row.entries.to_string())
            .add(Column::figures("mean"), |row| number(row.mean, 2))
            .add(Column::figures("lowest"), |row| number(row.lowest, 2))
            .add(Column::figures("highest"), |row| number(row.highest, 2));
        text += &format!("authors with several entries\n{}\n", screen.show(&table, &standings.authors));
    }
    for note in standings.notes() {
        text += &format!("{}\n", screen.wrap(&format!("note: {}", printable(&note))));
    }
    text
}
