//! The ranking of bots: the leaderboard and the crosstable.

use overtrick_stats::{BotRow, Figure, Interval, PairRow, RatingRow};
use overtrick_tournament::{Format, Tournament, Unit};

use super::part::{Chart, Part};
use super::svg::{DotRow, Title, dots};
use super::table::{Cell, Column, Table, TableOf};
use crate::show::format::signed_with_interval;
use crate::show::variant_results::{VariantResults, elo_cell, places_text};

/// The most bots of a chart of dots.
const MOST_DOTS: usize = 40;
/// The most bots of a crosstable.
const MOST_CROSSED: usize = 24;

/// The figure by which bots are ordered.
///
/// Where bots are rated, its interval is for all bots at once.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// Points, as no bots met.
    Mean,
    /// Points over those it met.
    Ahead,
    /// Points over the candidate.
    OverCandidate,
    Elo,
}

impl Measure {
    /// Returns the measure for a tournament. `is_rated` if any two bots met.
    pub(super) fn of(tournament: &Tournament, is_rated: bool) -> Measure {
        match (is_rated, tournament.unit, tournament.format) {
            (false, ..) => Measure::Mean,
            (true, Unit::Match, _) => Measure::Elo,
            (true, _, Format::Gauntlet) => Measure::OverCandidate,
            (true, ..) => Measure::Ahead,
        }
    }

    /// Returns its name on an axis.
    fn axis(self) -> &'static str {
        match self {
            Measure::Mean => "points a deal",
            Measure::Ahead => "points a deal ahead of those it met",
            Measure::OverCandidate => "points a deal over the candidate",
            Measure::Elo => "Elo in matches",
        }
    }

    /// Returns its name in a sentence.
    pub(super) fn what(self) -> &'static str {
        if self == Measure::Mean { "points a deal of each bot by itself" } else { self.axis() }
    }

    /// Returns the measure of each bot, in the order of their table.
    pub(super) fn figures<'a>(self, variant: &VariantResults<'a>) -> Vec<(&'a str, Interval)> {
        match self {
            Measure::Mean => variant.bots.iter().map(|row| (row.bot.as_str(), row.mean)).collect(),
            Measure::Elo => variant.ratings.iter().map(|row| (row.bot.as_str(), row.all)).collect(),
            _ => variant.ratings.iter().map(|row| (row.bot.as_str(), row.ahead_all)).collect(),
        }
    }
}

/// Returns the leaderboard.
pub(super) fn leaderboard(variant: &VariantResults<'_>, tournament: &Tournament, id: &str) -> Part {
    let table = standings(variant);
    let rows = variant.order().into_iter().enumerate();
    let table = Table::new("The bots, best first", table, rows, "bots.csv and ratings.csv");
    let charts = vec![chart(variant, tournament, id)];
    Part { tables: vec![table], charts, ..Part::new("Leaderboard", "bots") }
}

/// Returns the chart of the measure by which bots are ordered.
fn chart(variant: &VariantResults<'_>, tournament: &Tournament, id: &str) -> Chart {
    let is_rated = !variant.ratings.is_empty();
    let measure = Measure::of(tournament, is_rated);
    let figures = measure.figures(variant);
    let shown = figures.iter().take(MOST_DOTS);
    let rows: Vec<DotRow> = shown.map(|(name, figure)| DotRow::new(name, true, *figure)).collect();
    let interval = if is_rated {
        "an interval, all of which hold at once in 95%"
    } else {
        "an interval that holds by itself in 95%"
    };
    let about = format!("A dot for each bot of {}, best first, with {interval}: {}.", variant.name, measure.what());
    let name = "How far each is ahead";
    let title = Title { id, name, about: &about, axis: measure.axis() };
    let left_out =
        (figures.len() > MOST_DOTS).then(|| format!("The chart has the first {MOST_DOTS} of {} bots.", figures.len()));
    Chart { name: name.into(), svg: dots(&title, &[""], &rows, is_rated), left_out, numbers: numbers(variant) }
}

/// Returns the numbers of the chart.
fn numbers(variant: &VariantResults<'_>) -> Option<Table> {
    if variant.ratings.is_empty() {
        let table = TableOf::<&BotRow>::new()
            .add(Column::text("bot"), |row| Cell::bot(&row.bot))
            .interval(["mean", "low", "high"], |row| row.mean);
        return Table::numbers("bots.csv", table, &variant.bots);
    }
    let table = TableOf::<&RatingRow>::new()
        .add(Column::text("bot"), |row| Cell::bot(&row.bot))
        .exact("ahead", |row| Figure(row.ahead.value))
        .exact("ahead-se", |row| Figure(row.ahead.se))
        .interval(["ahead-all-low", "ahead-all-high"], |row| row.ahead_all)
        .exact("elo", |row| Figure(row.elo.value))
        .exact("se", |row| Figure(row.elo.se))
        .interval(["all-low", "all-high"], |row| row.all)
        .exact("p-next", |row| row.p_next);
    Table::numbers("ratings.csv", table, &variant.ratings)
}

/// Returns the columns of the leaderboard. A row is a bot with its place.
fn standings<'a>(variant: &'a VariantResults<'_>) -> TableOf<'a, (usize, &'a str)> {
    let is_rated = !variant.ratings.is_empty();
    let has_faults = variant.bots.iter().any(|row| row.faults > 0);
    let rating = |bot: &str, cell: fn(&RatingRow) -> Cell| {
        let row = variant.ratings.iter().find(|row| row.bot == bot);
        row.map_or_else(|| Cell::from("-"), |row| cell(row))
    };
    let own = |bot: &str| *variant.bots.iter().find(|row| row.bot == bot).expect("a row for each bot");
    let faults = |row: &BotRow| {
        let out = if row.disqualified { "; disqualified" } else { "" };
        Cell::shown(row.faults, format!("{} {}{out}", row.faults, row.fault_kinds).trim().to_owned())
    };
    TableOf::<(usize, &str)>::new()
        .add(Column::figures("place"), |(place, _)| (place + 1).to_string())
        .add(Column::text("bot"), |(_, bot)| Cell::bot(bot))
        .add_if(is_rated, Column::figures("ahead ± 95%"), move |(_, bot)| {
            rating(bot, |row| Cell::signed(row.ahead_all, 3))
        })
        .add_if(is_rated, Column::figures("places (95%)"), move |(_, bot)| rating(bot, |row| places_text(row).into()))
        .add_if(is_rated, Column::figures("Elo ± 95%"), move |(_, bot)| rating(bot, elo_cell))
        .add(Column::figures("points a deal ± 95%"), move |(_, bot)| Cell::number(own(bot).mean, 3))
        .add(Column::figures("sd"), move |(_, bot)| Cell::plain(own(bot).sd, 2))
        .add(Column::figures("won (95%)"), move |(_, bot)| Cell::share(own(bot).won))
        .add(Column::figures("tied %"), move |(_, bot)| Cell::percent(own(bot).tied))
        .add(Column::figures("lost %"), move |(_, bot)| Cell::percent(own(bot).lost))
        .add_if(has_faults, Column::text("faults"), move |(_, bot)| faults(own(bot)))
}

/// Returns the shade of a figure in a heat map. `largest` is the largest absolute figure.
pub(super) fn shade(value: Option<f64>, largest: f64) -> String {
    let level = value.filter(|_| largest > 0.0).map_or(0, |value| (value.abs() / largest * 4.0).ceil() as usize);
    let side = if value.unwrap_or_default() < 0.0 { 'n' } else { 'p' };
    format!("{side}{level}")
}

/// Returns the crosstable of all bots, as a heat map.
pub(super) fn crosstable(variant: &VariantResults<'_>) -> Option<Part> {
    let all = variant.order();
    let names = &all[..all.len().min(MOST_CROSSED)];
    let is_shown = |row: &&&PairRow| names.contains(&row.bot_a.as_str()) && names.contains(&row.bot_b.as_str());
    let shown: Vec<&PairRow> = variant.pairs.iter().filter(is_shown).copied().collect();
    if shown.is_empty() {
        return None;
    }
    let sizes = shown.iter().filter_map(|row| row.all.rounded().value);
    let largest = sizes.map(f64::abs).fold(0.0, f64::max);
    let cell = |one: &str, other: &str| {
        let Some(lead) = variant.lead(one, other).map(Interval::rounded) else {
            return Cell::from(if one == other { "·" } else { "" });
        };
        let mark = if lead.may_be_zero() { " ~" } else { "" };
        let text = signed_with_interval(lead, 3) + mark;
        Cell { shade: Some(shade(lead.value, largest)), ..Cell::shown(Figure(lead.value), text) }
    };
    let mut table = TableOf::<&str>::new().add(Column::text("row ahead of column"), |name| Cell::bot(name));
    for other in names {
        table = table.add(Column::of_bot(other), |name| cell(name, other));
    }
    let caption =
        "Points a deal by which the row is ahead of the column, ± 95% for all pairs at once; ~ cannot be distinguished";
    let mut table = Table::new(caption, table, names.iter().copied(), "pairs.csv");
    if all.len() > names.len() {
        table.left_out = Some(format!("The first {MOST_CROSSED} of {} bots; all are in pairs.csv.", all.len()));
    }
    let numbers = TableOf::<&PairRow>::new()
        .add(Column::text("bot-a"), |row| Cell::bot(&row.bot_a))
        .add(Column::text("bot-b"), |row| Cell::bot(&row.bot_b))
        .exact("deals", |row| row.deals)
        .interval(["difference", "se", "low", "high"], |row| row.difference)
        .interval(["all-low", "all-high"], |row| row.all)
        .exact("p", |row| row.p)
        .exact("all-p", |row| row.all_p)
        .exact("design-effect", |row| row.design_effect);
    let numbers = Table::numbers("pairs.csv", numbers, &shown);
    Some(Part { tables: vec![table], numbers, ..Part::new("Every bot against every other", "pairs") })
}
