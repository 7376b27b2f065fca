//! The summary of all variants of a run.

use overtrick_stats::{BalanceRow, Interval};
use overtrick_tournament::Tournament;

use super::Subsection;
use super::part::Part;
use super::standings::{Measure, shade};
use super::table::{Cell, Column, Table, TableOf};
use crate::show::variant_results::{VariantResults, elo_cell};

/// The most bots that have a column.
const MOST_BOTS: usize = 8;
/// The most variants that a sentence names.
const MOST_NAMED: usize = 6;

/// A variant with its section, for the rows of tables.
type Played<'a> = (&'a VariantResults<'a>, &'a Subsection);

/// Returns the summary of a run over its variants; `None` for a single variant.
pub(super) fn summary(
    variants: &[VariantResults<'_>],
    tournament: &Tournament,
    sections: &[Subsection],
) -> Option<Part> {
    if variants.len() < 2 {
        return None;
    }
    let played: Vec<Played<'_>> = variants.iter().zip(sections).collect();
    let mut part = Part::new("All variants", "summary");
    part.sentences = sentences(variants);
    part.tables.push(standings(&played, tournament));
    part.tables.extend(balance(&played));
    Some(part)
}

/// Returns sentences on which bot is first in each variant, and where that is not certain.
fn sentences(variants: &[VariantResults<'_>]) -> Vec<String> {
    let mut firsts: Vec<(&str, usize)> = Vec::new();
    let (mut open, mut behind): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
    for variant in variants {
        let Some((first, others)) = variant.ratings.split_first() else { continue };
        let first = first.bot.as_str();
        match firsts.iter_mut().find(|(bot, _)| *bot == first) {
            Some((_, count)) => *count += 1,
            None => firsts.push((first, 1)),
        }
        if let Some(next) = others.first()
            && variant.lead(first, &next.bot).is_some_and(|lead| lead.may_be_zero())
        {
            open.push(variant.name.to_owned());
        }
        let is_behind = |lead: Interval| !lead.may_be_zero() && lead.value.is_some_and(|value| value < 0.0);
        if let Some(other) = others.iter().find(|other| variant.lead(first, &other.bot).is_some_and(is_behind)) {
            behind.push(format!("in {} {first} is behind {}", variant.name, other.bot));
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
fn columns<'a>(variants: &[Played<'a>]) -> Vec<&'a str> {
    let mut places: Vec<(&str, usize)> = Vec::new();
    for (variant, _) in variants {
        for (place, bot) in variant.order().into_iter().enumerate() {
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
fn standings(variants: &[Played<'_>], tournament: &Tournament) -> Table {
    let bots = columns(variants);
    let shown = &bots[..bots.len().min(MOST_BOTS)];
    let is_rated = variants.iter().any(|(variant, _)| !variant.ratings.is_empty());
    let file = if is_rated { "ratings.csv" } else { "bots.csv" };
    let measure = Measure::of(tournament, is_rated);
    let of_bot = |variant: &VariantResults<'_>, bot: &str| {
        let figures = measure.figures(variant);
        let Some(figure) = figures.iter().find(|(name, _)| *name == bot).map(|(_, figure)| *figure) else {
            return Cell::from("-");
        };
        let sizes = figures.iter().filter_map(|(_, figure)| figure.rounded().value).map(f64::abs);
        let largest = if is_rated { sizes.fold(0.0, f64::max) } else { 0.0 };
        let rating = variant.ratings.iter().find(|row| row.bot == bot);
        let cell = match (measure, rating) {
            (Measure::Elo, Some(row)) => elo_cell(row),
            (Measure::Mean, _) => Cell::number(figure, 3),
            _ => Cell::signed(figure, 3),
        };
        Cell { shade: Some(shade(figure.rounded().value, largest)), ..cell }
    };
    let mut table = TableOf::<Played<'_>>::new().add(Column::text("variant"), |(_, section)| link(section));
    for bot in shown {
        table = table.add(Column::of_bot(bot), |(variant, _)| of_bot(variant, bot));
    }
    let how = if is_rated { "How far each bot is ahead" } else { "How much each bot scores" };
    let caption = format!("{how}: {}, ± 95%", measure.what());
    let mut table = Table::new(caption, table, variants.iter().copied(), file);
    let more = bots.len() - shown.len();
    table.left_out = table.left_out.or((more > 0)
        .then(|| format!("The {MOST_BOTS} bots that stand highest on average are shown; {more} more are in {file}.")));
    table
}

/// Compares the balance of the variants; `None` if bots only play with themselves.
fn balance(variants: &[Played<'_>]) -> Option<Table> {
    let mut rows: Vec<(&Subsection, &BalanceRow)> = Vec::new();
    for (variant, section) in variants {
        rows.extend(variant.balance.iter().find(|row| row.bot == "all").map(|row| (*section, *row)));
    }
    let table = TableOf::<(&Subsection, &BalanceRow)>::new()
        .add(Column::text("variant"), |(section, _)| link(section))
        .add(Column::figures("sd of a score"), |(_, row)| Cell::plain(row.sd, 2))
        .add(Column::figures("best score shared (95%)"), |(_, row)| Cell::share(row.tied))
        .add(Column::figures("from the bot"), |(_, row)| Cell::share(row.variance_bot))
        .add(Column::figures("from the seat"), |(_, row)| Cell::share(row.variance_seat))
        .add(Column::figures("from the cards"), |(_, row)| Cell::share(row.variance_deal));
    let caption = "The variants compared: spread of scores, shared best scores, and sources of the spread";
    (!rows.is_empty()).then(|| Table::new(caption, table, rows, "balance.csv"))
}

/// Returns the name of a variant, linked to its section.
fn link(section: &Subsection) -> Cell {
    Cell { link: Some(section.id.clone()), ..Cell::from(&section.name) }
}

#[cfg(test)]
mod tests {
    use overtrick_stats::{PairRow, RatingRow, Results};

    use super::*;

    /// Returns the sentences if `a`, `b`, `c` are ranked in this order, with these differences ± 1.
    fn said(pairs: &[(&str, &str, f64)]) -> Vec<String> {
        let rating = |bot: &&str| {
            let mut row = RatingRow::default();
            (row.variant, row.bot) = ("v".to_owned(), (*bot).to_owned());
            row
        };
        let mut results = Results::default();
        results.ratings = ["a", "b", "c"].iter().map(rating).collect();
        let pair = |&(one, other, difference): &(&str, &str, f64)| {
            let mut row = PairRow::default();
            (row.variant, row.bot_a, row.bot_b) = ("v".to_owned(), one.to_owned(), other.to_owned());
            row.all = Interval::new(Some(difference), Some((difference - 1.0, difference + 1.0)));
            row.difference = row.all;
            row
        };
        results.pairs = pairs.iter().map(pair).collect();
        sentences(&[VariantResults::of(&results, "v")])
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
