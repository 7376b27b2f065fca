//! Tables for people.

use std::time::Duration;

use comfy_table::presets::UTF8_FULL_CONDENSED;
use comfy_table::{CellAlignment, ContentArrangement, Table};

use super::balance::balance;
use crate::arena::{Measure, Tournament, Unit};
use crate::stats::{BotRow, FaultRow, Figure, RatingRow, Results, StopRow};

/// A table under headings; the first `left` columns hold text, the others figures.
pub fn table<S: Into<String>>(headings: &[&str], left: usize, rows: impl IntoIterator<Item = Vec<S>>) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_FULL_CONDENSED).set_content_arrangement(ContentArrangement::Disabled);
    table.set_header(headings.iter().copied());
    for row in rows {
        table.add_row(row.into_iter().map(Into::<String>::into));
    }
    for column in table.column_iter_mut().skip(left) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// A figure with so many decimals; a dash if it is missing.
pub(super) fn number(figure: Figure, decimals: usize) -> String {
    let text = |value: f64| {
        let text = format!("{value:.decimals$}");
        // A loss too small to show is no loss.
        if text.trim_start_matches('-').bytes().all(|c| matches!(c, b'0' | b'.')) {
            text.replace('-', "")
        } else {
            text
        }
    };
    figure.0.map_or("-".into(), text)
}

/// A figure with half the width of its interval; what is missing stays away.
pub(super) fn with_interval(value: Figure, low: Figure, high: Figure, decimals: usize) -> String {
    match low.0.zip(high.0) {
        Some((low, high)) => format!("{} ± {:.decimals$}", number(value, decimals), (high - low) / 2.0),
        None => format!("{} (too few deals)", number(value, decimals)),
    }
}

pub(super) fn percent(figure: Figure) -> String {
    figure.0.map_or("-".into(), |share| format!("{:.1}", share * 100.0))
}

/// A share in percent, with half the width of its interval.
pub(super) fn percent_with_interval(share: Figure, low: Figure, high: Figure, decimals: usize) -> String {
    let percents = |figure: Figure| figure.0.map(|share| share * 100.0);
    match percents(low).zip(percents(high)) {
        Some((low, high)) => {
            format!("{} ± {:.decimals$}%", number(Figure(percents(share)), decimals), (high - low) / 2.0)
        }
        None => format!("{}% (too few deals)", number(Figure(percents(share)), decimals)),
    }
}

/// The leaderboard of every variant, the ratings over all of them, and what there is to note.
pub fn leaderboard(tournament: &Tournament, results: &Results) -> String {
    let mut text = String::new();
    for (variant, schedule) in tournament.variants.iter().zip(&tournament.schedules) {
        let blocks = results.balance.iter().find(|row| row.variant == variant.name).map_or(0, |row| row.blocks);
        let games = schedule.games_a_number() as u64 * blocks;
        let unit = match tournament.unit {
            Unit::Deal => "deals",
            Unit::Match => "matches",
        };
        let line_ups = match schedule.line_ups.len() {
            1 => "1 line-up".to_owned(),
            more => format!("{more} line-ups"),
        };
        text.push_str(&format!("\n{}: {} {unit}, {line_ups}\n", variant.name, thousands(games)));
        text.push_str(&format!("{}\n", standings(&variant.name, results)));
        text.push_str(&balance(&variant.name, tournament.format, results));
        for (row, first) in faults(&variant.name, results) {
            text.push_str(&format!("faults of {}: {} ({})", row.bot, thousands(row.faults), row.fault_kinds));
            text.push_str(if row.disqualified { ", disqualified" } else { "" });
            if let Some(first) = first {
                text.push_str(&format!("; the first in deal {}: {}", first.deal, first.what));
            }
            text.push('\n');
        }
        let stops = results.stops.iter().filter(|row| row.variant == variant.name);
        text.extend(stops.map(|row| format!("{}\n", stop_line(tournament, row))));
        let pairs = results.pairs.iter().filter(|row| row.variant == variant.name);
        let mut effects: Vec<f64> = pairs.filter_map(|row| row.design_effect.0).collect();
        effects.sort_by(f64::total_cmp);
        if let Some(effect) = effects.get(effects.len() / 2) {
            text.push_str(&format!(
                "shared deals in all seatings: a difference between two bots is as sure as from {effect:.1} times as many \
                 independent deals\n"
            ));
        }
    }
    let all: Vec<&RatingRow> = results.ratings.iter().filter(|row| row.variant == "all").collect();
    if !all.is_empty() {
        let rows = all.iter().enumerate().map(|(rank, row)| {
            vec![
                (rank + 1).to_string(),
                row.bot.clone(),
                with_interval(row.elo, row.low, row.high, 1),
                percent(row.superiority_over_next),
            ]
        });
        let headings = ["", "bot", "Elo ± 95%", "better than next %"];
        text.push_str(&format!("\nall variants together\n{}\n", table(&headings, 2, rows)));
    }
    for note in &results.notes {
        text.push_str(&format!("note: {note}\n"));
    }
    text
}

/// The bots with faults in a variant, each with the first of them.
fn faults<'a>(variant: &str, results: &'a Results) -> Vec<(&'a BotRow, Option<&'a FaultRow>)> {
    let faulty = results.bots.iter().filter(|row| row.variant == variant && row.faults > 0);
    let first = |row: &BotRow| results.faults.iter().find(|fault| fault.variant == variant && fault.bot == row.bot);
    faulty.map(|row| (row, first(row))).collect()
}

/// What stopped a run, or that nothing did.
fn stop_line(tournament: &Tournament, row: &StopRow) -> String {
    let mut parts = Vec::new();
    if let Some(half_width) = tournament.stop.and_then(|stop| stop.half_width) {
        parts.push(format!(
            "the widest interval of a difference is ± {}, ± {half_width} was asked for",
            number(row.half_width, 4)
        ));
    }
    if let Some(test) = tournament.stop.and_then(|stop| stop.test) {
        let measure = match test.measure {
            Measure::Points if tournament.unit == Unit::Match => "points a match",
            Measure::Points => "points a deal",
            Measure::Normalised => "standard deviations of a block",
        };
        let [first, second] = [0, 1].map(|bot| tournament.bots[bot].name.as_str());
        let [h0, h1] = [test.lower, test.upper].map(|bound| format!("{first} ahead of {second} by {bound} {measure}"));
        let verdict = match row.accepted {
            Some("H0") => format!("accepts H0 ({h0}) against H1 (by {})", test.upper),
            Some(_) => format!("accepts H1 ({h1}) against H0 (by {})", test.lower),
            None => format!("has not decided between H0 ({h0}) and H1 (by {})", test.upper),
        };
        parts.push(format!(
            "the test {verdict} (log-likelihood ratio {}, bounds {} and {}); the plain estimate is {} {}",
            number(row.llr, 2),
            number(row.lower_bound, 2),
            number(row.upper_bound, 2),
            with_interval(row.difference, row.low, row.high, 4),
            if tournament.unit == Unit::Match { "points a match" } else { "points a deal" }
        ));
    }
    let ended = if row.stopped { "stopped" } else { "not stopped" };
    format!("{ended} after {} numbers: {}", thousands(row.blocks), parts.join("; "))
}

/// The bots of one variant, best first.
fn standings(variant: &str, results: &Results) -> Table {
    let of_variant = |row: &&BotRow| row.variant == variant;
    let rating = |bot: &str| results.ratings.iter().position(|row| row.variant == variant && row.bot == bot);
    let mut bots: Vec<&BotRow> = results.bots.iter().filter(of_variant).collect();
    bots.sort_by_key(|row| rating(&row.bot));
    let rows = bots.iter().enumerate().map(|(rank, row)| {
        let rating = rating(&row.bot).map(|number| &results.ratings[number]);
        vec![
            (rank + 1).to_string(),
            row.bot.clone(),
            rating.map_or("-".into(), |rating| with_interval(rating.elo, rating.low, rating.high, 1)),
            with_interval(row.mean, row.low, row.high, 3),
            number(row.sd, 2),
            percent_with_interval(row.won, row.won_low, row.won_high, 1),
            percent(row.tied),
            percent(row.lost),
            rating.map_or("-".into(), |rating| percent(rating.superiority_over_next)),
        ]
    });
    let headings =
        ["", "bot", "Elo ± 95%", "points a deal ± 95%", "sd", "won ± 95%", "tied %", "lost %", "better than next %"];
    table(&headings, 2, rows)
}

/// A duration with three digits or so.
pub fn time_text(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let units = [(1.0, "s"), (1e3, "ms"), (1e6, "µs"), (1e9, "ns")];
    let (scale, unit) = units.into_iter().find(|(scale, _)| seconds * scale >= 1.0).unwrap_or((1e9, "ns"));
    let value = seconds * scale;
    let decimals = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.decimals$} {unit}")
}

/// A whole number with its thousands apart.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!(["7", "1 000", "12 345 678"], [7, 1000, 12_345_678].map(thousands).each_ref().map(String::as_str));
    }

    #[test]
    fn a_figure_without_an_interval_says_so() {
        let none = Figure(None);
        assert_eq!(with_interval(1.5.into(), none, none, 2), "1.50 (too few deals)");
        assert_eq!(with_interval(1.5.into(), 1.0.into(), 2.0.into(), 2), "1.50 ± 0.50");
    }
}
