//! The results of a run on the terminal: sentences first, then tables.

use overtrick_stats::{BotRow, Interval, MetaRow, RatingRow, Results, StopRow, p_value_text};
use overtrick_tournament::{Format, Measure, Schedule, Tournament, Unit};

use super::balance::balance;
use super::crosstable::crosstable;
use super::format::{
    known_percent, marked, number, percent_with_interval, signed_with_interval, thousands, with_interval,
};
use super::given_away::given_away;
use super::one_number::{against_elo, against_first, deviating_first};
use super::screen::Screen;
use super::table::{Cell, Column, TableOf};
use super::variant_results::{VariantResults, elo_cell, places_text};

/// Returns a table fitted to the terminal. The first `left` columns hold text, the others figures.
pub fn table<S: Into<String>>(headings: &[&str], left: usize, rows: impl IntoIterator<Item = Vec<S>>) -> String {
    let columns: Vec<Column> = (headings.iter().enumerate())
        .map(|(place, heading)| if place < left { Column::text(*heading) } else { Column::figures(*heading) })
        .collect();
    let rows: Vec<Vec<String>> = rows.into_iter().map(|row| row.into_iter().map(Into::into).collect()).collect();
    Screen::current().table(&columns, &rows)
}

/// Returns the results of every variant, the ratings over all variants, and remarks.
pub fn leaderboard(tournament: &Tournament, results: &Results, screen: Screen) -> String {
    let mut text = String::new();
    let mut say = |line: &str| {
        text.push_str(line);
        text.push('\n');
    };
    for (variant, schedule) in tournament.variants.iter().zip(&tournament.schedules) {
        let variant_text = VariantText { tournament, of: VariantResults::of(results, &variant.name), screen };
        say("");
        for part in variant_text.parts(schedule, results) {
            say(&part);
        }
    }
    let all: Vec<&RatingRow> = results.ratings.iter().filter(|row| row.variant == "all").collect();
    if !all.is_empty() {
        say("");
        say("all variants together, by Elo in matches");
        say(&together(&all, screen));
        let votes: Vec<&MetaRow> = results.meta.iter().filter(|row| row.variant == "all").collect();
        against_elo(&votes).iter().for_each(|remark| say(&screen.wrap(remark)));
    }
    if results.ratings.iter().any(|row| row.elo_from == "deals") {
        say("");
        say(&screen.wrap(
            "Elo is for whole matches, which are put together from the deals played. It is not valid for bots that look at the match score.",
        ));
    }
    results.notes.iter().for_each(|note| say(&screen.wrap(&format!("note: {note}"))));
    text
}

/// Returns the table of ratings over all variants.
fn together(all: &[&RatingRow], screen: Screen) -> String {
    let table = TableOf::<(usize, &RatingRow)>::new()
        .add(Column::figures(""), |(place, _)| (place + 1).to_string())
        .add(Column::text("bot"), |(_, row)| marked(&row.bot, row.faults > 0))
        .add(Column::figures("Elo ± 95%"), |(_, row)| elo_cell(row))
        .add(Column::figures("places"), |(_, row)| places_text(row));
    screen.show(&table, all.iter().copied().enumerate())
}

/// A variant that was played, and the screen that shows its results.
struct VariantText<'a> {
    tournament: &'a Tournament,
    of: VariantResults<'a>,
    screen: Screen,
}

impl VariantText<'_> {
    /// Returns the sentences and tables, each wrapped to the screen.
    fn parts(&self, schedule: &Schedule, results: &Results) -> Vec<String> {
        let (of, screen) = (&self.of, self.screen);
        let label = |bot: &str| self.label(bot);
        let mut parts = vec![screen.wrap(&self.title(schedule))];
        // A result with faults does not measure the bot that made them.
        parts.extend(self.faults(results).iter().map(|line| screen.wrap(line)));
        parts.extend(of.headlines.iter().map(|row| screen.wrap(&row.text)));
        parts.extend(of.options.iter().map(|row| screen.wrap(&row.text)));
        parts.push(self.standings());
        parts.extend(self.remarks(schedule).iter().map(|remark| screen.wrap(remark)));
        parts.extend(self.one_number().map(|remark| screen.wrap(&remark)));
        let remarks = [against_first, deviating_first].map(|against| against(of, self.tournament.unit));
        parts.extend(remarks.into_iter().flatten().map(|remark| screen.wrap(&remark)));
        // For two bots the sentence has the difference.
        if of.ratings.len() > 2 {
            let (how, table) = crosstable(of, &label, screen);
            parts.extend([screen.wrap(&how), table]);
        }
        parts.extend(balance(of, self.tournament.format, &label, screen));
        parts.extend(given_away(of, &label, screen).into_iter().flatten());
        parts.extend(of.stops.iter().map(|row| screen.wrap(&stop_line(self.tournament, row))));
        parts.extend(self.worth().map(|worth| {
            screen.wrap(&format!("precision: the games of two bots measure their difference as well as {worth} would"))
        }));
        parts
    }

    fn label(&self, bot: &str) -> String {
        let at_fault = self.of.bots.iter().any(|row| row.bot == bot && row.faults > 0);
        marked(bot, at_fault)
    }

    /// Returns the heading: the numbers of deals, line-ups, seatings and games.
    fn title(&self, schedule: &Schedule) -> String {
        let blocks = self.of.balance.first().map_or(0, |row| row.blocks);
        let unit = self.tournament.unit.plural();
        let several = |count: usize, noun: &str| format!("{count} {noun}{}", if count == 1 { "" } else { "s" });
        let times = match schedule.games_a_number() {
            1 => "each played once".to_owned(),
            games => format!(
                "each played {} times ({} in {}): {} games",
                thousands(games as u64),
                several(schedule.line_ups.len(), "line-up"),
                several(schedule.seatings.len(), "seating"),
                thousands(games as u64 * blocks)
            ),
        };
        format!("{}: {} {unit}, {times}", self.of.name, thousands(blocks))
    }

    /// Returns the table of bots, the best first. If no bots met, they are in the order of the config.
    fn standings(&self) -> String {
        let ratings = &self.of.ratings;
        let place = |bot: &str| ratings.iter().position(|row| row.bot == bot);
        let mut bots: Vec<&BotRow> = self.of.bots.clone();
        bots.sort_by_key(|row| place(&row.bot).unwrap_or(usize::MAX));
        let in_matches = self.tournament.unit == Unit::Match;
        let ranked = self.tournament.format != Format::Mirror;
        let has_elo = ratings.iter().any(|row| row.elo.value.is_some());
        // For two bots their difference is enough. In a gauntlet of deals there are no places.
        let has_places = ratings.len() > 2 && ratings.iter().any(|row| row.place_low.is_some());
        let star = if ratings.len() > 2 { "*" } else { "" };
        // In a gauntlet bots do not meet the same others, but all meet the candidate.
        let ahead = || match self.candidate() {
            Some(_) => Column::figures(format!("points over the\ncandidate ± 95%{star}")),
            None => Column::figures(format!("points a deal\nahead ± 95%{star}")),
        };
        // An anchor that was disqualified has no rating, and the mean takes its place.
        let anchor = self.tournament.anchor.map(|bot| self.tournament.bot(bot).name.as_str());
        let anchor = anchor.filter(|name| ratings.iter().any(|row| row.bot == *name)).unwrap_or("the mean");
        let anchor = self.screen.shorten(anchor, 11);
        let elo = || Column::figures(format!("Elo ± 95%{star}\nover {anchor}"));
        let cell = |row: &BotRow, show: fn(&RatingRow) -> Cell| {
            ratings.iter().find(|rating| rating.bot == row.bot).map_or_else(|| Cell::from("-"), |row| show(row))
        };
        let ahead_cell = |&(_, row): &(usize, &BotRow)| cell(row, |row| signed_with_interval(row.ahead_all, 3).into());
        let elo_cell = |&(_, row): &(usize, &BotRow)| cell(row, elo_cell);
        let places = |&(_, row): &(usize, &BotRow)| cell(row, |row| places_text(row).into());
        let table = TableOf::<(usize, &BotRow)>::new()
            .add_if(ranked, Column::figures("").spare(9), |(place, _)| (place + 1).to_string())
            .add(Column::text("bot"), |(_, row)| self.label(&row.bot))
            .add_if(ranked && !in_matches, ahead(), ahead_cell)
            .add_if(ranked && in_matches, elo(), elo_cell)
            .add_if(ranked && has_places, Column::figures("places\n(95%)"), places)
            .add_if(ranked && in_matches, ahead().spare(1), ahead_cell)
            .add_if(ranked && !in_matches && has_elo, elo().spare(1), elo_cell)
            .add(Column::figures("points a deal\nby itself ± 95%").spare(2), |(_, row)| with_interval(row.mean, 3))
            .add(Column::figures("sd").spare(5), |(_, row)| number(row.sd, 2))
            .add_if(in_matches, Column::figures("won (95%)"), |(_, row)| percent_with_interval(row.won, 1))
            .add_if(in_matches, Column::figures("tied %").spare(6), |(_, row)| known_percent(row.tied))
            .add_if(in_matches, Column::figures("lost %").spare(6), |(_, row)| known_percent(row.lost));
        self.screen.show(&table, bots.into_iter().enumerate())
    }

    /// Returns the candidate of a gauntlet.
    fn candidate(&self) -> Option<&str> {
        self.tournament.candidate.map(|bot| self.tournament.bot(bot).name.as_str())
    }

    /// Returns the remarks that a reader of the table needs.
    fn remarks(&self, schedule: &Schedule) -> Vec<String> {
        let ratings = &self.of.ratings;
        let mut remarks = Vec::new();
        if ratings.len() > 2 {
            remarks.push("* for all bots at once".to_owned());
        }
        let lacks_one = |row: &&RatingRow| {
            lacks_interval(row.ahead_all, row.ahead.se) || !row.regularised && lacks_interval(row.all, row.elo.se)
        };
        if ratings.iter().any(lacks_one) {
            remarks.push("a figure without ± has too few deals, or too few wins or losses, for an interval".to_owned());
        }
        if schedule.line_ups.len() < 2 {
            return remarks;
        }
        match self.tournament.format {
            Format::Mirror => {
                remarks.push("each bot played with itself alone: no bot is ahead of another".to_owned());
            }
            Format::Gauntlet => {
                let candidate = self.candidate().unwrap_or_default();
                remarks.push(format!(
                    "a gauntlet: the bots met different opponents, and only {candidate}, the candidate, met them all; so all are compared with \
                     {candidate}"
                ));
            }
            _ => {}
        }
        remarks
    }

    /// Returns a remark if a single number for each bot does not explain the margins between bots.
    fn one_number(&self) -> Option<String> {
        let headline = self.of.headlines.first()?;
        let p = headline.one_number_p.0.filter(|&p| p < 0.05 && headline.cycle.is_empty())?;
        let p = p_value_text(p);
        Some(format!("one number for each bot does not explain all differences (p {p}): look at the pairs"))
    }

    /// Returns the bots with faults, each with its first fault.
    fn faults(&self, results: &Results) -> Vec<String> {
        let mut lines = Vec::new();
        for row in self.of.bots.iter().filter(|row| row.faults > 0) {
            let first = results.faults.iter().find(|fault| fault.variant == self.of.name && fault.bot == row.bot);
            let first =
                first.map_or(String::new(), |fault| format!("; the first in deal {}: {}", fault.deal, fault.what));
            let out = if row.disqualified { ", disqualified" } else { "" };
            lines.push(format!(
                "(!) faults of {}: {} ({}){out}{first}",
                row.bot,
                thousands(row.faults),
                row.fault_kinds
            ));
        }
        lines
    }

    /// Returns the fewest and the most independent deals that would be equally precise for two bots.
    ///
    /// The figures are rounded to two digits.
    fn worth(&self) -> Option<String> {
        let worth = || self.of.pairs.iter().filter_map(|row| row.worth.0);
        let (fewest, most) = (worth().reduce(f64::min)?, worth().reduce(f64::max)?);
        let [fewest, most] = [fewest, most].map(two_digits);
        Some(if fewest == most {
            format!("{fewest} unrelated deals")
        } else {
            format!("{fewest} to {most} unrelated deals (lowest to highest pair)")
        })
    }
}

/// Returns whether a figure has too few results for an interval.
///
/// The candidate's own lead, the anchor's Elo and the difference of equal results are exact: their error is 0.
fn lacks_interval(figure: Interval, se: Option<f64>) -> bool {
    figure.value.is_some() && figure.ends().is_none() && se != Some(0.0)
}

/// Rounds a number of deals to two digits.
fn two_digits(number: f64) -> String {
    let unit = 10_f64.powf((number.max(1.0).log10().floor() - 1.0).max(0.0));
    thousands(((number / unit).round() * unit) as u64)
}

/// Returns a line that says whether a rule stopped the run early, and which.
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
        let [h0, h1] = [(test.lower, "or less"), (test.upper, "or more")]
            .map(|(bound, side)| format!("{first} less {second} is {bound} {measure} {side}"));
        let verdict = match row.accepted {
            Some("H0") => format!("rejects H1 ({h1})"),
            Some(_) => format!("rejects H0 ({h0})"),
            None => format!("has rejected neither H0 ({h0}) nor H1 ({h1})"),
        };
        parts.push(format!(
            "the test {verdict} (log-likelihood ratio {}, bounds {} and {}); the plain estimate is {} {}",
            number(row.llr, 2),
            number(row.lower_bound, 2),
            number(row.upper_bound, 2),
            with_interval(row.difference, 4),
            if tournament.unit == Unit::Match { "points a match" } else { "points a deal" }
        ));
    }
    let ended = if row.stopped { "stopped" } else { "not stopped" };
    let unit = tournament.unit.plural();
    format!("{ended} after {} {unit}: {}", thousands(row.blocks), parts.join("; "))
}
