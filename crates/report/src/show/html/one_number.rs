//! Whether one number for each bot is enough, in a variant and over all.

use overtrick_stats::{MetaRow, Results, p_value_text};
use overtrick_tournament::{Tournament, Unit};

use super::part::Part;
use super::table::{Cell, Column, Table, TableOf};
use crate::show::format::{number, percent, with_ends};
use crate::show::one_number::{is_mixed, mix_text, unit_text};
use crate::show::variant_results::VariantResults;

const HEADING: &str = "Is one number enough?";
const ANCHOR: &str = "meta";

/// Returns the part of the variant with this number; `None` unless three or more bots all met.
pub(super) fn one_number(variant: &VariantResults<'_>, tournament: &Tournament, number: usize) -> Option<Part> {
    let (whole, bots) = variant.meta.split_first()?;
    if tournament.schedules[number].line_ups.len() > 1 || tournament.unit == Unit::Match {
        return Some(of_line_ups(whole, bots, tournament.unit));
    }
    let mut part = Part::new(HEADING, ANCHOR);
    part.sentences.push("Yes: all bots sat at one table, and there differences add up.".to_owned());
    part.tables.extend(deviation_table(bots, tournament.unit));
    Some(part)
}

/// Returns the part of a variant in which differences need not add up.
///
/// It has a table only if the Nash mix has several bots.
fn of_line_ups(whole: &MetaRow, bots: &[&MetaRow], unit: Unit) -> Part {
    let mut part = Part::new(HEADING, ANCHOR);
    let mut text = format!("{} {}", explained(whole), circles(whole, unit));
    let mut mixed = bots.iter().filter(|row| is_mixed(row));
    match (mixed.next(), mixed.next()) {
        (Some(only), None) => {
            text.push_str(&format!(" The Nash mix, which no bot is ahead of, is {} alone", only.bot));
            let often =
                only.chosen.0.map(|share| format!("; it is in that mix in {}% of resamples", percent(Some(share))));
            text.push_str(&often.unwrap_or_default());
            text.push('.');
        }
        (Some(_), Some(_)) => {
            text.push_str(&format!(" The Nash mix, which no bot is ahead of, is {}.", mix_text(bots)));
            part.tables.push(mix_table(bots, unit));
        }
        _ => {}
    }
    part.sentences.push(text);
    part.tables.extend(deviation_table(bots, unit));
    part
}

/// Returns the table of deviation ratings, best first; `None` in runs without line-ups of copies.
fn deviation_table(bots: &[&MetaRow], unit: Unit) -> Option<Table> {
    let mut rated: Vec<&MetaRow> = bots.iter().filter(|row| row.deviation.value.is_some()).copied().collect();
    if rated.is_empty() {
        return None;
    }
    let value = |row: &MetaRow| row.deviation.value.unwrap_or(f64::MIN);
    rated.sort_by(|a, b| value(b).total_cmp(&value(a)));
    let table = TableOf::<&MetaRow>::new()
        .add(Column::text("bot"), |row| Cell::bot(&row.bot))
        .add(Column::figures("deviation rating ± 95%"), |row| with_ends(row.deviation.rounded(), 3));
    let caption =
        format!("Deviation ratings, which no bot that is entered twice can move: 0 at best, {}", unit_text(unit));
    Some(Table::new(caption, table, rated, "meta.csv"))
}

/// Says whether one number for each bot explains the differences of all pairs.
fn explained(whole: &MetaRow) -> String {
    match whole.one_number_p.0 {
        Some(p) if p < 0.05 => {
            format!("One number for each bot does not explain all differences (p {}).", p_value_text(p))
        }
        Some(p) => format!("One number for each bot may explain all differences (p {}).", p_value_text(p)),
        None => "Whether one number for each bot explains all differences is not known.".to_owned(),
    }
}

/// Names a cycle, or says of which size it would have been named.
fn circles(whole: &MetaRow, unit: Unit) -> String {
    if !whole.cycle.is_empty() {
        return format!("There is a cycle: {}.", whole.cycle);
    }
    match whole.nameable.0 {
        Some(step) => format!(
            "There is no sign of cycles: one of three bots with steps of {} {} would be found with a chance of 80%.",
            number(step, 3),
            unit_text(unit)
        ),
        None => "Too little is known to find cycles.".to_owned(),
    }
}

/// Returns the table of the Nash mix.
fn mix_table(bots: &[&MetaRow], unit: Unit) -> Table {
    let table = TableOf::<&MetaRow>::new()
        .add(Column::text("bot"), |row| Cell::bot(&row.bot))
        .add(Column::figures("weight (95%)"), |row| Cell::share(row.weight))
        .add(Column::figures("chosen %"), |row| Cell::shown(row.chosen, percent(row.chosen.0)))
        .add(Column::figures("ahead of the mix ± 95%"), |row| with_ends(row.skill.rounded(), 3));
    let caption = format!("The Nash mix, and how far each bot is ahead of it, {}", unit_text(unit));
    Table::new(caption, table, bots.iter().copied(), "meta.csv")
}

/// Adds the votes of variants to the summary of a run. A table is added only where votes and Elo differ.
pub(super) fn add_votes(part: &mut Part, results: &Results) {
    let all: Vec<&MetaRow> = results.meta.iter().filter(|row| row.variant == "all").collect();
    let Some(first) = all.first() else { return };
    let count = first.variants.split("; ").count();
    let winner = all.iter().find(|row| row.condorcet == Some(true));
    part.sentences.push(match winner {
        Some(winner) => format!(
            "By votes of {count} variants, {} beats every other bot in more of them than it is beaten in.",
            winner.bot
        ),
        None => format!("By votes of {count} variants, no bot beats every other bot."),
    });
    let mut by_elo = all.clone();
    by_elo.sort_by(|a, b| b.elo.0.unwrap_or(f64::MIN).total_cmp(&a.elo.0.unwrap_or(f64::MIN)));
    let is_same = by_elo.iter().zip(1..).all(|(row, place)| row.ranked_pairs == Some(place));
    if winner.is_some() && is_same {
        return;
    }
    let table = TableOf::<&MetaRow>::new()
        .add(Column::text("bot"), |row| Cell::bot(&row.bot))
        .exact("ranked pairs", |row| row.ranked_pairs)
        .exact("Schulze", |row| row.schulze)
        .add(Column::figures("maximal lottery %"), |row| Cell::shown(row.lottery, percent(row.lottery.0)))
        .add(Column::figures("Elo"), |row| Cell::plain(row.elo, 1));
    let caption = format!("Places by votes of {count} variants, and Elo over all");
    part.tables.push(Table::new(caption, table, all, "meta.csv"));
}

#[cfg(test)]
mod tests {
    use overtrick_stats::{Figure, Interval};

    use super::*;

    fn row(bot: &str, weight: f64) -> MetaRow {
        let mut row = MetaRow::default();
        (row.variant, row.bot) = ("v".to_owned(), bot.to_owned());
        row.weight = Interval::new(Some(weight), Some((0.0, 1.0)));
        row.chosen = Figure(Some(0.75));
        row
    }

    fn part(mut whole: MetaRow, bots: Vec<MetaRow>) -> Part {
        whole.variant = "v".to_owned();
        let mut results = Results::default();
        results.meta = [vec![whole], bots].concat();
        let variant = VariantResults::of(&results, "v");
        of_line_ups(variant.meta[0], &variant.meta[1..], Unit::Deal)
    }

    #[test]
    fn a_mix_of_one_bot_has_no_table() {
        let mut whole = MetaRow::default();
        (whole.one_number_p, whole.nameable) = (Figure(Some(0.3)), Figure(Some(0.0351)));
        let one = part(whole.clone(), vec![row("a", 1.0), row("b", 0.0)]);
        assert!(one.tables.is_empty());
        assert_eq!(
            one.sentences,
            [
                "One number for each bot may explain all differences (p = 0.300). There is no sign of cycles: one of three bots with \
                 steps of 0.035 points a deal would be found with a chance of 80%. The Nash mix, which no bot is ahead of, is a \
                 alone; it is in that mix in 75.0% of resamples."
            ]
        );
        whole.cycle = "a beats b, b beats c and c beats a".to_owned();
        let several = part(whole, vec![row("a", 0.5), row("b", 0.3), row("c", 0.2)]);
        assert_eq!(several.tables[0].rows.len(), 3);
        assert!(several.sentences[0].contains(
            "There is a cycle: a beats b, b beats c and c beats a. The Nash mix, which no bot is ahead of, is a mix"
        ));
        let rated = |bot: &str, rating: f64| {
            let mut row = row(bot, 1.0);
            row.deviation = Interval::new(Some(rating), Some((rating - 0.1, rating)));
            row
        };
        let of_copies = part(MetaRow::default(), vec![rated("a", -0.25), rated("b", 0.0)]);
        let ratings = of_copies.tables.last().unwrap();
        assert!(ratings.caption.starts_with("Deviation ratings") && ratings.rows.len() == 2);
        assert_eq!(ratings.rows[0][0].text, "b");
        let unknown = part(MetaRow::default(), Vec::new());
        assert!(unknown.sentences[0].ends_with("is not known. Too little is known to find cycles."));
    }
}
