//! The summary of all variants of a run.

use overtrick_tournament::{Tournament, Unit};

use super::meetings::Meetings;
use super::part::Part;
use super::source::{CsvFile, Row};
use super::standings::{Measure, elo_cell, order, shade};
use super::table::{Cell, Column, Table, TableOf};
use super::{Files, VariantSection};
use crate::format::signed_with_interval;

/// The most bots that have a column.
const MOST_BOTS: usize = 8;
/// The most variants that a sentence names.
const MOST_NAMED: usize = 6;

/// Returns the summary of a run over its variants; `None` for a single variant.
pub(super) fn summary(files: &Files, tournament: &Tournament, variants: &[VariantSection]) -> Option<Part> {
    if variants.len() < 2 {
        return None;
    }
    let names: Vec<&str> = variants.iter().map(|variant| variant.name.as_str()).collect();
    let mut part = Part::new("All variants", "summary");
    part.sentences = sentences(&files.ratings, &files.pairs, &names);
    part.tables.push(standings(files, tournament, variants));
    part.tables.extend(balance(files, variants));
    Some(part)
}

/// Returns sentences on which bot is first in each variant, and where that is not certain.
fn sentences(ratings: &CsvFile, pairs: &CsvFile, variants: &[&str]) -> Vec<String> {
    let mut firsts: Vec<(&str, usize)> = Vec::new();
    let (mut open, mut behind): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for &variant in variants {
        let ranked = ratings.of_variant(variant);
        let Some(first) = ranked.first().map(|row| row.text("bot")) else { continue };
        match firsts.iter_mut().find(|(bot, _)| *bot == first) {
            Some((_, count)) => *count += 1,
            None => firsts.push((first, 1)),
        }
        let meetings = Meetings::of(&pairs.of_variant(variant));
        let others = || ranked[1..].iter().map(|row| row.text("bot"));
        if others().take(1).filter_map(|next| meetings.between(first, next)).any(|meeting| meeting.is_open()) {
            open.push(variant.to_owned());
        }
        let is_ahead = |other: &&str| meetings.between(first, other).is_some_and(|meeting| meeting.is_behind());
        if let Some(other) = others().find(is_ahead) {
            behind.push(format!("in {variant} {first} is behind {other}"));
        }
    }
    firsts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let mut all = Vec::new();
    match firsts.as_slice() {
        [] => {}
        [(bot, count)] if *count == variants.len() => all.push(format!("{bot} is first in all {count} variants.")),
        [(bot, count), others @ ..] => {
            let others: String = others.iter().map(|(bot, count)| format!(", {bot} in {count}")).collect();
            all.push(format!("{bot} is first in {count} of {} variants{others}.", variants.len()));
        }
    }
    if !open.is_empty() {
        all.push(format!("The first and the next cannot be distinguished in {}.", some_of(&open)));
    }
    if !behind.is_empty() {
        all.push(format!("Where the two meet, {}.", some_of(&behind)));
    }
    all
}

/// Joins the first texts, and gives the number of the others.
fn some_of(texts: &[String]) -> String {
    let named = texts[..texts.len().min(MOST_NAMED)].join(", ");
    match texts.len().saturating_sub(MOST_NAMED) {
        0 => named,
        more => format!("{named} and {more} more"),
    }
}

/// Returns the bots of all variants, ordered by their mean place.
fn columns<'a>(files: &'a Files, variants: &[VariantSection]) -> Vec<&'a str> {
    let mut places: Vec<(&str, usize)> = Vec::new();
    for variant in variants {
        for (place, bot) in order(files, &variant.name).into_iter().enumerate() {
            match places.iter_mut().find(|(known, _)| *known == bot) {
                Some((_, sum)) => *sum += place,
                None => places.push((bot, place)),
            }
        }
    }
    places.sort_by_key(|(_, sum)| *sum);
    places.into_iter().map(|(bot, _)| bot).collect()
}

/// Returns a table with a row for each variant and a column for each bot.
fn standings(files: &Files, tournament: &Tournament, variants: &[VariantSection]) -> Table {
    let bots = columns(files, variants);
    let shown = &bots[..bots.len().min(MOST_BOTS)];
    let is_rated = !files.ratings.rows().is_empty();
    let (file, file_name) = if is_rated { (&files.ratings, "ratings.csv") } else { (&files.bots, "bots.csv") };
    let measure = Measure::of(tournament, is_rated);
    let in_elo = is_rated && tournament.unit == Unit::Match;
    let cell = |row: &Row<'_>| match (is_rated, in_elo) {
        (false, _) => Cell::number(row, measure.column, 3),
        (true, false) => Cell::shown(row, measure.column, signed_with_interval(measure.of_row(row), 3)),
        (true, true) => elo_cell(row),
    };
    let of_bot = |rows: &[Row<'_>], bot: &str| {
        let size = |row: &Row<'_>| row.figure(measure.column).0;
        let sizes = rows.iter().filter_map(size).map(f64::abs);
        let largest = if is_rated { sizes.fold(0.0, f64::max) } else { 0.0 };
        let row = rows.iter().find(|row| row.text("bot") == bot);
        row.map_or_else(|| Cell::from("-"), |row| Cell { shade: Some(shade(size(row), largest)), ..cell(row) })
    };
    let mut table =
        TableOf::<(&VariantSection, Vec<Row<'_>>)>::new().add(Column::text("variant"), |(one, _)| link(one));
    for bot in shown {
        table = table.add(Column::of_bot(bot), |(_, rows)| of_bot(rows, bot));
    }
    let rows = variants.iter().map(|variant| (variant, file.of_variant(&variant.name)));
    let caption = format!("How far each bot is ahead: {}, ± 95%", measure.what);
    let caption = if is_rated { caption } else { format!("How much each bot scores: {}, ± 95%", measure.what) };
    let mut table = Table::new(caption, table, rows, file_name);
    let more = bots.len() - shown.len();
    table.left_out = table.left_out.or((more > 0).then(|| {
        format!("The {MOST_BOTS} bots that stand highest on average are shown; {more} more are in {file_name}.")
    }));
    table
}

/// Compares the balance of the variants; `None` if bots only play with themselves.
fn balance<'a>(files: &'a Files, variants: &'a [VariantSection]) -> Option<Table> {
    let of_all = |variant: &'a VariantSection| {
        let rows = files.balance.of_variant(&variant.name);
        Some((variant, rows.into_iter().find(|row| row.text("bot") == "all")?))
    };
    let rows: Vec<(&VariantSection, Row<'_>)> = variants.iter().filter_map(of_all).collect();
    let mut table = TableOf::<(&VariantSection, Row<'_>)>::new()
        .add(Column::text("variant"), |(variant, _)| link(variant))
        .add(Column::figures("sd of a score"), |(_, row)| Cell::plain(row, "sd", 2));
    let shares = [
        ("best score shared (95%)", "tied"),
        ("from the bot", "variance-bot"),
        ("from the seat", "variance-seat"),
        ("from the cards", "variance-deal"),
    ];
    for (title, column) in shares {
        table = table.add(Column::figures(title), move |(_, row)| Cell::share(row, column));
    }
    let caption = "The variants compared: spread of scores, shared best scores, and sources of the spread";
    (!rows.is_empty()).then(|| Table::new(caption, table, rows, "balance.csv"))
}

/// Returns the name of a variant, linked to its section.
fn link(variant: &VariantSection) -> Cell {
    Cell { link: Some(variant.id.clone()), ..Cell::from(&variant.name) }
}

#[cfg(test)]
mod tests {
    use overtrick_stats::{Interval, PairRow, RatingRow};

    use super::*;

    /// Returns the sentences if `a`, `b`, `c` are ranked in this order, with these differences ± 1.
    fn said(pairs: &[(&str, &str, f64)]) -> Vec<String> {
        let rating = |bot: &&str| {
            let mut row = RatingRow::default();
            (row.variant, row.bot) = ("v".to_owned(), (*bot).to_owned());
            row
        };
        let ratings: Vec<RatingRow> = ["a", "b", "c"].iter().map(rating).collect();
        let pair = |&(one, other, difference): &(&str, &str, f64)| {
            let mut row = PairRow::default();
            (row.variant, row.bot_a, row.bot_b) = ("v".to_owned(), one.to_owned(), other.to_owned());
            row.all = Interval::new(Some(difference), Some((difference - 1.0, difference + 1.0)));
            row.difference = row.all;
            row
        };
        let pairs: Vec<PairRow> = pairs.iter().map(pair).collect();
        sentences(&CsvFile::of("ratings.csv", &ratings), &CsvFile::of("pairs.csv", &pairs), &["v"])
    }

    #[test]
    fn who_is_first_is_not_all_that_is_said_of_them() {
        let first = "a is first in all 1 variants.";
        assert_eq!(said(&[("b", "a", -3.0), ("a", "c", 3.0)]), [first]);
        assert_eq!(said(&[("b", "a", -0.5)]), [first, "The first and the next cannot be distinguished in v."]);
        // In a cycle, the first is behind a bot that is not the next.
        assert_eq!(said(&[("a", "b", 9.0), ("a", "c", -3.0)]), [first, "Where the two meet, in v a is behind c."]);
        assert_eq!(said(&[("c", "a", 3.0)]), [first, "Where the two meet, in v a is behind c."]);
    }

    #[test]
    fn many_texts_are_cut() {
        let texts: Vec<String> = (0..8).map(|number| number.to_string()).collect();
        assert_eq!(some_of(&texts[..2]), "0, 1");
        assert_eq!(some_of(&texts), "0, 1, 2, 3, 4, 5 and 2 more");
    }
}
