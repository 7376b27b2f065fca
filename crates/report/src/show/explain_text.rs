//! The decisions at which two bots differ, on the terminal.

use overtrick_lab::explain::{ExplainRow, ExplainedVariant, Explanation, TellingRow};

use super::format::{thousands, with_interval};
use super::screen::Screen;
use super::table::{Column, TableOf};

/// The most categories of a table that are shown. The file explain.csv has all of them.
const MOST_ROWS: usize = 5;
/// The most games of each sign that are shown. The file explain.json has all of them.
const MOST_GAMES: usize = 3;

/// Returns an explanation: for each variant the sentence, the tables and the games with the largest differences.
///
/// `config` is the file for `overtrick replay`.
pub fn explanation(explanation: &Explanation, config: &str, screen: Screen) -> String {
    let mut text = String::new();
    for note in &explanation.notes {
        text += &screen.wrap(&format!("note: {note}"));
        text += "\n";
    }
    for variant in &explanation.variants {
        text += &of_variant(variant, explanation, config, screen);
    }
    text
}

fn of_variant(variant: &ExplainedVariant, explanation: &Explanation, config: &str, screen: Screen) -> String {
    let ExplainedVariant { games, parted, decisions, differing, rows, .. } = variant;
    let Explanation { bot_a, bot_b, .. } = explanation;
    let [games, parted, decisions, differing] = [games, parted, decisions, differing].map(|count| thousands(*count));
    let mut text = format!("\n{}\n", screen.wrap(&format!("{}: {}.", variant.variant, variant.sentence)));
    let counts = format!(
        "{bot_b} was asked at each of {bot_a}'s {decisions} decisions. It chose differently at {differing}, in {parted} of \
         {games} games. Worth: points a deal that {bot_a}'s choices gained, if {bot_b} plays on after each."
    );
    text += &format!("{}\n", screen.wrap(&counts));
    let table = TableOf::<Line>::new()
        .add(Column::text("decisions where the two differ"), |line| line.decisions.clone())
        .add(Column::figures("first").spare(1), |line| thousands(line.partings))
        .add(Column::figures("differ").spare(2), |line| thousands(line.differing))
        .add(Column::figures("worth ± 95%"), |line| line.share.clone());
    text += &format!("{}\n", screen.show(&table, lines(rows)));
    let mut has_more = false;
    for (title, is_own) in [("helped", true), ("hurt", false)] {
        let own: Vec<&TellingRow> = variant.telling.iter().filter(|row| (row.points > 0) == is_own).collect();
        has_more |= own.len() > MOST_GAMES;
        if !own.is_empty() {
            text +=
                &screen.wrap(&format!("The games in which choosing differently from {bot_b} {title} {bot_a} most:"));
            text += "\n";
            for row in own.into_iter().take(MOST_GAMES) {
                let when = match row.trick.as_str() {
                    "-" | "before play" => row.phase.clone(),
                    trick => format!("trick {trick}"),
                };
                let command = replay_command(config, &variant.variant, row);
                text += &format!("  {:+} points, {when}: {}\n    {command}\n", row.points, row.choice);
            }
        }
    }
    if has_more {
        text += "explain.json has more of these games\n";
    }
    text
}

/// A line of the table of decisions.
struct Line {
    decisions: String,
    partings: u64,
    differing: u64,
    share: String,
}

impl Line {
    fn new(decisions: String, row: &ExplainRow) -> Line {
        let share = with_interval(row.share, 4);
        Line { decisions, partings: row.partings, differing: row.decisions, share }
    }
}

/// Returns the lines of a variant: the whole margin, then table by table the largest shares.
fn lines(rows: &[ExplainRow]) -> Vec<Line> {
    let margin = rows.iter().filter(|row| row.table == "margin");
    let mut lines: Vec<Line> = margin.map(|row| Line::new("the whole margin".to_owned(), row)).collect();
    for table in rows.chunk_by(|one, other| one.table == other.table).filter(|table| table[0].table != "margin") {
        let name = table[0].table;
        let shown = if table.len() > MOST_ROWS + 1 { MOST_ROWS } else { table.len() };
        lines.extend(table[..shown].iter().map(|row| Line::new(format!("{name}: {}", row.category), row)));
        if shown < table.len() {
            let rest = &table[shown..];
            lines.push(Line {
                decisions: format!("{name}: {} others", rest.len()),
                partings: rest.iter().map(|row| row.partings).sum(),
                differing: rest.iter().map(|row| row.decisions).sum(),
                share: format!("{:.4}", rest.iter().filter_map(|row| row.share.value).sum::<f64>()),
            });
        }
    }
    lines
}

/// Returns the command that shows a game.
pub fn replay_command(config: &str, variant: &str, row: &TellingRow) -> String {
    let seating = row.seating.join(",");
    let [config, variant, seating] = [config, variant, &seating].map(quoted);
    format!("overtrick replay {config} --variant {variant} --deal {} --lineup {seating}", row.deal)
}

/// Returns a word quoted for a shell.
pub fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_alphanumeric() || "-_./,+:".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}
