//! The design of a variant: seats, contracts, the ends of deals, and their course from trick to trick.

use overtrick_stats::{BalanceRow, ContractRow, CurveRow, Figure, Interval, SeatRow};
use overtrick_tournament::{Histogram, Tally, Tournament};

use super::part::{Chart, Part};
use super::svg::{DotRow, Line, Title, dots, histogram, lines, point};
use super::table::{Cell, Column, Table, TableOf};
use crate::show::variant_results::{BySeatRows, VariantResults, seat_table};

/// The most bots of a chart, not counting all bots together.
pub(super) const MOST_BOTS: usize = 12;
/// The most bots of a chart of lines, not counting all bots together.
const MOST_LINES: usize = 4;
/// The most kinds of contract in a chart.
const MOST_KINDS: usize = 10;
/// The most bars of a histogram.
const MOST_BARS: usize = 40;

/// Returns a cell with the name of a bot, or of all together.
fn bot_cell(name: &str) -> Cell {
    if name == "all" { Cell::from("all bots") } else { Cell::bot(name) }
}

/// Returns the rows of all bots together and of the best bots, and the number of bots left out.
///
/// The best bots are in the order of the leaderboard.
pub(super) fn of_best<'a, R>(
    rows: impl IntoIterator<Item = &'a R>,
    bot: fn(&R) -> &str,
    of: &VariantResults<'_>,
    most: usize,
) -> (Vec<&'a R>, usize) {
    let best = of.order();
    let place = |row: &&R| best.iter().position(|name| *name == bot(row)).unwrap_or(best.len());
    let (mut shown, mut by_bot): (Vec<&R>, Vec<&R>) = rows.into_iter().partition(|row| bot(row) == "all");
    by_bot.retain(|row| place(row) < most);
    by_bot.sort_by_key(place);
    shown.extend(by_bot);
    (shown, best.len().saturating_sub(most))
}

pub(super) fn note(left_out: usize, file: &str) -> Option<String> {
    (left_out > 0).then(|| format!("The best bots are shown; {left_out} more are in {file}."))
}

/// Returns a sentence on the seats in which the first bot scores more than the average bot.
///
/// Only differences that the intervals confirm count.
pub(super) fn seat_sentence(of: &VariantResults<'_>) -> Option<String> {
    let first = of.ratings.first()?.bot.as_str();
    let rows_of = |bot: &str| of.seats.iter().filter(|row| row.bot == bot).copied().collect::<Vec<_>>();
    let (all, own) = (rows_of("all"), rows_of(first));
    let (mut more, mut less, mut open) = (Vec::new(), Vec::new(), Vec::new());
    for (own, all) in own.iter().zip(&all) {
        let [mean, of_all] = [own, all].map(|row| row.mean.rounded());
        let is_more = mean.low.zip(of_all.high).is_some_and(|(low, high)| low > high);
        let is_less = mean.high.zip(of_all.low).is_some_and(|(high, low)| high < low);
        let seats = if is_more {
            &mut more
        } else if is_less {
            &mut less
        } else {
            &mut open
        };
        seats.push(own.seat);
    }
    if all.is_empty() || own.len() != all.len() || more.len() + less.len() == 0 {
        return None;
    }
    if open.is_empty() && less.is_empty() {
        return Some(format!("{first} scores more than the average bot in every seat."));
    }
    let mut parts = Vec::new();
    let mut say = |what: &str, seats: &[&str]| {
        if !seats.is_empty() {
            parts.push(format!("{what} as {}", seats.join(" and ")));
        }
    };
    say("more than the average bot", &more);
    say("less", &less);
    say("about as much", &open);
    Some(format!("{first} scores {}.", parts.join(", ")))
}

/// Returns the part on the worth of each seat.
pub(super) fn seats(of: &VariantResults<'_>, id: &str) -> Part {
    let (rows, left_out) = of_best(of.seats.iter().copied(), |row: &SeatRow| &row.bot, of, MOST_BOTS);
    let bots: Vec<BySeatRows<'_>> = rows.chunk_by(|one, other| one.bot == other.bot).collect();
    let seats: Vec<&str> = bots.first().into_iter().flat_map(|rows| rows.iter().map(|row| row.seat)).collect();
    let mut dotted = Vec::with_capacity(bots.len());
    for rows in &bots {
        let bot = bot_cell(&rows[0].bot);
        let points = rows.iter().map(|row| point(row.advantage)).collect();
        dotted.push(DotRow { is_bot: bot.bot.is_some(), name: bot.text, points });
    }
    let about = format!(
        "For all bots of {} together and for each, a mark for each seat with the 95% interval: points a deal over the average seat.",
        of.name
    );
    let title = Title { id, name: "Value of each seat", about: &about, axis: "points a deal over the average seat" };
    let svg = dots(&title, &seats, &dotted, true);
    let numbers = TableOf::<&SeatRow>::new()
        .add(Column::text("bot"), |row| Cell::bot(&row.bot))
        .add(Column::text("seat"), |row| row.seat)
        .exact("deals", |row| row.deals)
        .interval(["mean", "se", "low", "high"], |row| row.mean)
        .interval(["advantage", "advantage-low", "advantage-high"], |row| row.advantage)
        .interval(["won"], |row| row.won)
        .interval(["tied"], |row| row.tied)
        .interval(["lost"], |row| row.lost);
    let numbers = Table::numbers("seats.csv", numbers, &rows);
    let chart = Chart { name: "Value of each seat".into(), svg, left_out: note(left_out, "seats.csv"), numbers };
    let caption = "Points a deal over the average seat, ± 95%";
    let advantages = seat_table(&bots, bot_cell, |row| Cell::signed(row.advantage, 3));
    let mut tables = vec![Table::new(caption, advantages, bots.iter().copied(), "seats.csv")];
    if of.has_matches() {
        let won = seat_table(&bots, bot_cell, |row| Cell::share(row.won));
        let caption = "Matches won by who has this seat in the first deal (95%)";
        tables.push(Table::new(caption, won, bots.iter().copied(), "seats.csv"));
    }
    Part { charts: vec![chart], tables, ..Part::new("Seats", "seats") }
}

/// Returns the part on the contracts played and their worth.
pub(super) fn contracts(of: &VariantResults<'_>, id: &str) -> Option<Part> {
    let mut kinds = of.contract_kinds();
    kinds.retain(|row| row.deals > 0);
    if kinds.is_empty() {
        return None;
    }
    let left_out = kinds.len().saturating_sub(MOST_KINDS);
    kinds.truncate(MOST_KINDS);
    let left_out = (left_out > 0).then(|| format!("{left_out} rarer kinds are in contracts.csv."));
    let chart = Chart { left_out, ..contract_chart(of.name, &kinds, id) };
    let chosen = of.contracts.iter().filter(|row| row.contract == "chosen").copied();
    let (chosen, _) = of_best(chosen, |row| &row.bot, of, MOST_BOTS);
    let table = |title: &str, name: fn(&ContractRow) -> Cell| {
        TableOf::<&ContractRow>::new()
            .add(Column::text(title), move |row| name(row))
            .add(Column::figures("of its deals (95%)"), |row| Cell::share(row.share))
            .add(Column::figures("made (95%)"), |row| Cell::share(row.made))
            .add(Column::figures("declarer ± 95%"), |row| Cell::number(row.declarer, 2))
            .add(Column::figures("others ± 95%"), |row| Cell::number(row.others, 2))
    };
    let mut tables = Vec::new();
    if !chosen.is_empty() {
        let by_bot = table("declarer", |row| bot_cell(&row.bot));
        tables.push(Table::new("Contracts that bots chose to play", by_bot, chosen, "contracts.csv"));
    }
    let by_kind = table("contract", |row| Cell::from(&row.contract));
    tables.push(Table::new("Contracts, the most frequent first", by_kind, kinds, "contracts.csv"));
    Some(Part { charts: vec![chart], tables, ..Part::new("Contracts", "contracts") })
}

/// Returns the chart of the worth of contracts.
fn contract_chart(variant: &str, kinds: &[&ContractRow], id: &str) -> Chart {
    let mut rows = Vec::with_capacity(kinds.len());
    for row in kinds {
        let points = vec![point(row.declarer), point(row.others)];
        rows.push(DotRow { name: row.contract.clone(), is_bot: false, points });
    }
    let about = format!(
        "For each contract of {variant}, the most frequent first: the mean score of the declarer and of each of the others, with 95% intervals."
    );
    let name = "Value of each contract";
    let title = Title { id, name, about: &about, axis: "points a deal" };
    let numbers = TableOf::<&ContractRow>::new()
        .add(Column::text("contract"), |row| Cell::from(&row.contract))
        .exact("deals", |row| row.deals)
        .interval(["share", "share-low", "share-high"], |row| row.share)
        .interval(["made", "made-low", "made-high"], |row| row.made)
        .interval(["declarer", "declarer-low", "declarer-high"], |row| row.declarer)
        .interval(["others", "others-low", "others-high"], |row| row.others);
    Chart {
        name: name.into(),
        svg: dots(&title, &["declarer", "each of the others"], &rows, true),
        left_out: None,
        numbers: Table::numbers("contracts.csv", numbers, kinds),
    }
}

/// Returns the part on the ends of deals, the spread of scores and its causes.
pub(super) fn balance(of: &VariantResults<'_>, tournament: &Tournament, tally: &Tally, id: &str) -> Part {
    let mut lines: Vec<(String, Cell)> = Vec::new();
    for row in &of.balance {
        let whose = if of.balance.len() > 1 { format!("{}: ", row.bot) } else { String::new() };
        lines.extend(balance_lines(row).into_iter().map(|(what, cell)| (format!("{whose}{what}"), cell)));
    }
    let table = TableOf::<(String, Cell)>::new()
        .add(Column::text("what"), |(what, _)| what.clone())
        .add(Column::figures("how much (95%)"), |(_, cell)| cell.clone());
    let numbers = TableOf::<&BalanceRow>::new()
        .add(Column::text("bot"), |row| Cell::bot(&row.bot))
        .exact("deals", |row| row.deals)
        .exact("blocks", |row| row.blocks)
        .exact("sd", |row| row.sd)
        .exact("p05", |row| row.p05)
        .exact("p25", |row| row.p25)
        .exact("p50", |row| row.p50)
        .exact("p75", |row| row.p75)
        .exact("p95", |row| row.p95)
        .exact("tied", |row| Figure(row.tied.value))
        .exact("exceptional", |row| Figure(row.exceptional.value))
        .exact("passed-out", |row| Figure(row.passed_out.value));
    Part {
        tables: vec![Table::new("How deals and matches go", table, lines, "balance.csv")],
        charts: scores(tournament, tally, of.name, id).into_iter().collect(),
        numbers: Table::numbers("balance.csv", numbers, &of.balance),
        ..Part::new("Balance", "balance")
    }
}

/// Returns what is known of a row of the balance, each figure with its name.
fn balance_lines(row: &BalanceRow) -> Vec<(&'static str, Cell)> {
    let shares = [
        (row.tied, "deals in which the best score was shared"),
        (row.exceptional, "deals with a special score"),
        (row.passed_out, "deals passed out by all"),
        (row.variance_bot, "of the variance of scores: bot"),
        (row.variance_seat, "of the variance of scores: seat"),
        (row.variance_deal, "of the variance of scores: cards"),
        (row.variance_rest, "of the variance of scores: all else (how these combine, and chance in bots' choices)"),
        (row.leader_wins, "matches won by the leader at half time"),
        (row.comebacks, "matches won by the player who was last at half time"),
    ];
    let numbers = [
        (Interval::new(row.sd.0, None), "standard deviation of the score of a deal", 2),
        (row.win_sd, "standard deviation of a seat's chance to win a deal", 4),
        (row.match_deals, "median length of a match, in deals", 1),
        (row.match_deals_p95, "length that 95% of matches stay within, in deals", 1),
    ];
    let mut lines = Vec::new();
    for (share, what) in shares {
        lines.extend(share.value.map(|_| (what, Cell::share(share))));
    }
    for (number, what, decimals) in numbers {
        lines.extend(number.value.map(|_| (what, Cell::number(number, decimals))));
    }
    lines
}

/// Returns the chart of the frequency of each score, over all bots and seats.
fn scores(tournament: &Tournament, tally: &Tally, variant: &str, id: &str) -> Option<Chart> {
    let all: Vec<&Histogram> = tournament.bot_ids().map(|bot| tally.scores(bot)).collect();
    let low = all.iter().filter_map(|scores| scores.min()).min()?;
    let high = all.iter().filter_map(|scores| scores.max()).max()?;
    let total: u64 = all.iter().map(|scores| scores.count()).sum();
    let wide = ((high - low + 1) as usize).div_ceil(MOST_BARS).max(1) as i64;
    let mut counts = vec![0_u64; ((high - low) / wide + 1) as usize];
    for (score, count) in all.iter().flat_map(|scores| scores.iter()) {
        counts[((score - low) / wide) as usize] += count;
    }
    let name = |number: usize| {
        let first = low + number as i64 * wide;
        if wide == 1 { first.to_string() } else { format!("{first} to {}", first + wide - 1) }
    };
    let share = |count: u64| count as f64 / total as f64;
    let bars: Vec<(String, f64)> = (counts.iter().enumerate())
        .map(|(number, &count)| ((low + number as i64 * wide).to_string(), share(count)))
        .collect();
    let about = format!("Bars for the scores of a deal in {variant}, over all bots and seats: the share of each.");
    let axis = if wide == 1 { "score of a deal".to_owned() } else { format!("score of a deal, in steps of {wide}") };
    let title = Title { id, name: "Scores of a deal", about: &about, axis: &axis };
    let value = |text: String| Cell { value: Some(text.clone()), ..Cell::from(text) };
    let table = TableOf::<(usize, &u64)>::new()
        .add(Column::figures("score"), |&(number, _)| value(name(number)))
        .add(Column::figures("times"), |(_, count)| value(count.to_string()))
        .add(Column::figures("share"), |&(_, &count)| crate::show::format::number(share(count), 6));
    let table = Table::new("The numbers, from the tallies", table, counts.iter().enumerate(), "tally.bin");
    Some(Chart { name: "Scores of a deal".into(), svg: histogram(&title, &bars), left_out: None, numbers: Some(table) })
}

/// Returns the part on the course of deals from trick to trick.
pub(super) fn curves(of: &VariantResults<'_>, id: &str) -> Option<Part> {
    let (rows, left_out) = of_best(of.curves.iter().copied(), |row: &CurveRow| &row.bot, of, MOST_LINES);
    let mut part = Part::new("From trick to trick", "curves");
    let measures = [
        ("moves", "Legal moves", "legal moves at a decision"),
        ("forced", "Forced moves", "share of decisions with one legal move"),
        ("winner-leads", "The winner leads", "share of wins in which the winner leads already"),
        ("lead-changes", "The lead changes", "share of deals in which the lead changes at this trick"),
    ];
    for (measure, name, what) in measures {
        let rows: Vec<&CurveRow> = rows.iter().filter(|row| row.measure == measure).copied().collect();
        let mut all: Vec<Line> = Vec::new();
        for rows in rows.chunk_by(|one, other| one.bot == other.bot) {
            let bot = bot_cell(&rows[0].bot);
            let points = rows.iter().filter_map(|row| Some((row.trick as f64, point(row.value)?))).collect();
            all.push(Line { name: bot.text, is_bot: bot.bot.is_some(), points });
        }
        all.retain(|line| !line.points.is_empty());
        if all.is_empty() {
            continue;
        }
        let numbers = Some(by_trick(&rows, &all));
        let about = format!(
            "A line for all bots of {} together, with the band of its 95% intervals, and for the best bots: {what}, trick by trick.",
            of.name
        );
        let id = format!("{id}-{measure}");
        let title = Title { id: &id, name, about: &about, axis: "trick (0 = before play)" };
        let svg = lines(&title, &all);
        part.charts.push(Chart { name: name.into(), svg, left_out: note(left_out, "curves.csv"), numbers });
    }
    (!part.charts.is_empty()).then_some(part)
}

/// Returns the numbers of a chart of lines, with a row for each trick. Only the first line has its interval.
fn by_trick(rows: &[&CurveRow], lines: &[Line]) -> Table {
    let mut tricks: Vec<usize> = rows.iter().map(|row| row.trick).collect();
    tricks.sort_unstable();
    tricks.dedup();
    let mut table = TableOf::<usize>::new().add(Column::text("trick"), |trick| trick.to_string());
    for (number, line) in lines.iter().enumerate() {
        let value = move |&trick: &usize| {
            let own = rows.iter().find(|row| row.trick == trick && bot_cell(&row.bot).text == line.name);
            own.map(|row| row.value).unwrap_or_default()
        };
        let bot = line.is_bot.then(|| line.name.clone());
        let column = Column { bot, ..Column::figures(line.name.as_str()) };
        table = table.add(column, move |trick| Cell::exact(Figure(value(trick).value)));
        if number == 0 {
            table = table
                .exact("low", move |trick| Figure(value(trick).low))
                .exact("high", move |trick| Figure(value(trick).high));
        }
    }
    Table::new("The numbers, as in curves.csv", table, tricks, "curves.csv")
}
