//! Sentences on where one number for each bot is not enough.

use overtrick_stats::{Interval, MetaRow};
use overtrick_tournament::Unit;

use super::format::{number, percent};
use super::variant_results::VariantResults;

/// Returns the unit of differences between bots, by how they are judged.
pub(super) fn unit_text(unit: Unit) -> &'static str {
    match unit {
        Unit::Deal => "points a deal",
        Unit::Match => "wins less losses a match",
    }
}

/// Returns the bots of the Nash mix, with their weights if they are several.
pub(super) fn mix_text(bots: &[&MetaRow]) -> String {
    let mut mixed: Vec<&MetaRow> = bots.iter().filter(|row| is_mixed(row)).copied().collect();
    mixed.sort_by(|a, b| b.weight.value.unwrap_or(0.0).total_cmp(&a.weight.value.unwrap_or(0.0)));
    if let [only] = mixed[..] {
        return only.bot.clone();
    }
    let named = |row: &&MetaRow| format!("{} ({}%)", row.bot, percent(row.weight.value));
    format!("a mix of {}", mixed.iter().map(named).collect::<Vec<_>>().join(", "))
}

/// Returns whether a bot is in the Nash mix.
pub(super) fn is_mixed(row: &MetaRow) -> bool {
    row.weight.rounded().value.is_some_and(|weight| weight > 0.0)
}

/// Returns a sentence if the first bot is behind the Nash mix beyond chance.
pub(super) fn against_first(variant: &VariantResults<'_>, unit: Unit) -> Option<String> {
    let (own, bots) = first_of(variant)?;
    let by = behind_text(own.skill, unit)?;
    Some(format!("{} is first, but {} is ahead of it by {by}", own.bot, mix_text(bots)))
}

/// Returns a sentence if the deviation rating of the first bot is below 0 beyond chance.
pub(super) fn deviating_first(variant: &VariantResults<'_>, unit: Unit) -> Option<String> {
    let (own, _) = first_of(variant)?;
    let by = behind_text(own.deviation, unit)?;
    Some(format!("{} is first, but its deviation rating is below 0 by {by}", own.bot))
}

/// Returns the row of the first bot, and those of all bots.
fn first_of<'a>(variant: &'a VariantResults<'a>) -> Option<(&'a MetaRow, &'a [&'a MetaRow])> {
    let first = &variant.ratings.first()?.bot;
    let (_, bots) = variant.meta.split_first()?;
    let own = bots.iter().copied().find(|row| row.bot == *first)?;
    Some((own, bots))
}

/// Returns how far a figure is below 0, if it is beyond chance.
fn behind_text(figure: Interval, unit: Unit) -> Option<String> {
    let Interval { value: Some(value), low: Some(low), high: Some(high), .. } = figure.turned() else { return None };
    let [by, from, to] = [value, low, high].map(|figure| number(figure, 3));
    (low > 0.0).then(|| format!("{by} {} (95%: {from} to {to})", unit_text(unit)))
}

/// Returns a sentence if the votes of variants have another first bot than Elo over all of them.
pub(super) fn against_elo(all: &[&MetaRow]) -> Option<String> {
    let with_elo = all.iter().filter(|row| row.elo.0.is_some());
    let first = with_elo.max_by(|a, b| a.elo.0.unwrap_or(0.0).total_cmp(&b.elo.0.unwrap_or(0.0)))?;
    let leading: Vec<&str> = all.iter().filter(|row| row.ranked_pairs == Some(1)).map(|row| row.bot.as_str()).collect();
    (!leading.contains(&first.bot.as_str())).then(|| {
        let are = if leading.len() == 1 { "is" } else { "are" };
        format!("{} is first by Elo, but by votes of variants {} {are} first", first.bot, leading.join(", "))
    })
}

#[cfg(test)]
mod tests {
    use overtrick_stats::{Figure, RatingRow, Results};

    use super::*;

    /// Returns the row of a bot with this weight, and this skill with its interval.
    fn row(bot: &str, weight: f64, skill: f64, ends: (f64, f64)) -> MetaRow {
        let mut row = MetaRow::default();
        (row.variant, row.bot) = ("v".to_owned(), bot.to_owned());
        row.weight = Interval::new(Some(weight), None);
        row.skill = Interval::new(Some(skill), Some(ends));
        row
    }

    fn said(rows: Vec<MetaRow>) -> Option<String> {
        said_by(against_first, rows)
    }

    fn said_by(against: fn(&VariantResults<'_>, Unit) -> Option<String>, rows: Vec<MetaRow>) -> Option<String> {
        let mut results = Results::default();
        let mut first = RatingRow::default();
        (first.variant, first.bot) = ("v".to_owned(), "a".to_owned());
        results.ratings = vec![first];
        results.meta = vec![row("all", 0.0, 0.0, (0.0, 0.0))];
        results.meta.extend(rows);
        against(&VariantResults::of(&results, "v"), Unit::Deal)
    }

    #[test]
    fn a_first_bot_behind_the_mix_is_reported_beyond_chance_only() {
        let others = || [row("b", 0.25, 0.0, (-0.5, 0.0)), row("c", 0.75, 0.0, (-0.5, 0.0))];
        let all = |ends| [&[row("a", 0.0, -0.3, ends)][..], &others()].concat();
        assert_eq!(
            said(all((-0.5, -0.125))).unwrap(),
            "a is first, but a mix of c (75.0%), b (25.0%) is ahead of it by 0.300 points a deal (95%: 0.125 to 0.500)"
        );
        assert_eq!(said(all((-0.5, 0.0))), None);
        let one = vec![row("a", 0.0, -0.3, (-0.5, -0.1)), row("b", 1.0, 0.0, (0.0, 0.0))];
        assert!(said(one).unwrap().starts_with("a is first, but b is ahead of it by 0.300 points a deal"));
        assert_eq!(said(vec![row("a", 1.0, 0.0, (0.0, 0.0))]), None);
    }

    #[test]
    fn a_first_bot_that_is_not_at_the_top_of_deviation_ratings_is_reported_beyond_chance_only() {
        let first = |high: f64| {
            let mut first = row("a", 1.0, 0.0, (0.0, 0.0));
            first.deviation = Interval::new(Some(-0.3), Some((-0.5, high)));
            said_by(deviating_first, vec![first, row("b", 0.0, 0.0, (0.0, 0.0))])
        };
        assert_eq!(
            first(-0.125).unwrap(),
            "a is first, but its deviation rating is below 0 by 0.300 points a deal (95%: 0.125 to 0.500)"
        );
        assert_eq!(first(0.0), None);
        assert_eq!(said_by(deviating_first, vec![row("a", 1.0, 0.0, (0.0, 0.0))]), None);
    }

    #[test]
    fn votes_with_another_first_are_reported() {
        let row = |bot: &str, elo: Option<f64>, place| {
            let mut row = MetaRow::default();
            (row.bot, row.elo, row.ranked_pairs) = (bot.to_owned(), Figure(elo), Some(place));
            row
        };
        let said = |rows: &[MetaRow]| against_elo(&rows.iter().collect::<Vec<_>>());
        assert_eq!(
            said(&[row("a", Some(3.0), 1), row("b", Some(9.0), 2)]).unwrap(),
            "b is first by Elo, but by votes of variants a is first"
        );
        assert_eq!(said(&[row("b", Some(9.0), 1), row("a", Some(3.0), 1)]), None);
        assert_eq!(said(&[row("b", None, 1), row("a", None, 2)]), None);
    }
}
