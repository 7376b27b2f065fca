//! The design of a variant: seats, contracts, the ends of deals, and their course from trick to trick.

use overtrick_tournament::{Histogram, Tally, Tournament};

use super::Files;
use super::part::{Chart, Part};
use super::source::Row;
use super::standings::{order, point};
use super::svg::{DotRow, Line, Title, dots, histogram, lines};
use super::table::{Cell, Column, Table, TableOf};

/// The most bots of a chart, not counting all bots together.
pub(super) const MOST_BOTS: usize = 12;
/// The most bots of a chart of lines, not counting all bots together.
const MOST_LINES: usize = 4;
/// The most kinds of contract in a chart.
const MOST_KINDS: usize = 10;
/// The most bars of a histogram.
const MOST_BARS: usize = 40;

/// Returns a cell with the name of a row's bot.
fn bot_cell(row: &Row<'_>) -> Cell {
    if row.text("bot") == "all" { Cell::from("all bots") } else { Cell::bot(row.text("bot")) }
}

/// Returns the rows of all bots together and of the best bots, and the number of bots left out.
///
/// The best bots are in the order of the leaderboard.
pub(super) fn of_best<'a>(rows: Vec<Row<'a>>, files: &Files, variant: &str, most: usize) -> (Vec<Row<'a>>, usize) {
    let best = order(files, variant);
    let place = |row: &Row<'_>| match row.text("bot") {
        "all" => 0,
        bot => 1 + best.iter().position(|name| *name == bot).unwrap_or(best.len()),
    };
    let mut rows: Vec<Row<'a>> = rows.into_iter().filter(|row| place(row) <= most).collect();
    rows.sort_by_key(place);
    (rows, best.len().saturating_sub(most))
}

pub(super) fn note(left_out: usize, file: &str) -> Option<String> {
    (left_out > 0).then(|| format!("The best bots are shown; {left_out} more are in {file}."))
}

/// Returns a sentence on the seats in which the first bot scores more than the average bot.
///
/// Only differences that the intervals confirm count.
pub(super) fn seat_sentence(files: &Files, variant: &str) -> Option<String> {
    let first = files.ratings.of_variant(variant).first()?.text("bot");
    let rows = files.seats.of_variant(variant);
    let of = |bot: &str| rows.iter().filter(|row| row.text("bot") == bot).copied().collect::<Vec<_>>();
    let (all, own) = (of("all"), of(first));
    let (mut more, mut less, mut open) = (Vec::new(), Vec::new(), Vec::new());
    for (own, all) in own.iter().zip(&all) {
        let [mean, of_all] = [own, all].map(|row| row.interval("mean"));
        if mean.low.zip(of_all.high).is_some_and(|(low, high)| low > high) {
            &mut more
        } else if mean.high.zip(of_all.low).is_some_and(|(high, low)| high < low) {
            &mut less
        } else {
            &mut open
        }
        .push(own.text("seat"));
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
pub(super) fn seats(files: &Files, variant: &str, id: &str) -> Part {
    let (rows, left_out) = of_best(files.seats.of_variant(variant), files, variant, MOST_BOTS);
    let mut seats: Vec<&str> = rows.iter().map(|row| row.text("seat")).collect();
    let count = seats.iter().skip(1).position(|seat| *seat == seats[0]).map_or(seats.len(), |next| next + 1);
    seats.truncate(count);
    let chunks = || rows.chunks(count.max(1));
    let dot = |rows: &[Row<'_>]| {
        let bot = bot_cell(&rows[0]);
        let points = rows.iter().map(|row| point(row.interval("advantage"))).collect();
        DotRow { is_bot: bot.bot.is_some(), name: bot.text, points }
    };
    let about = format!(
        "For all bots of {variant} together and for each, a mark for each seat with the 95% interval: points a deal over the average seat."
    );
    let title = Title { id, name: "Value of each seat", about: &about, axis: "points a deal over the average seat" };
    let svg = dots(&title, &seats, &chunks().map(dot).collect::<Vec<_>>(), true);
    let figures =
        ["deals", "mean", "se", "low", "high", "advantage", "advantage-low", "advantage-high", "won", "tied", "lost"];
    let numbers = Table::numbers(&rows, &["bot", "seat"], &figures);
    let by_seat = |cell: fn(&Row<'_>) -> Cell| {
        let mut table = TableOf::<&[Row<'_>]>::new().add(Column::text("bot"), |rows| bot_cell(&rows[0]));
        for (place, seat) in seats.iter().enumerate() {
            table = table.add(Column::figures(*seat), move |rows| cell(&rows[place]));
        }
        table
    };
    let caption = "Points a deal over the average seat, ± 95%";
    let advantages = by_seat(|row| Cell::signed(row, "advantage", 3));
    let mut tables = vec![Table::new(caption, advantages, chunks(), "seats.csv")];
    if files.balance.of_variant(variant).iter().any(|row| row.text("matches-from") == "matches") {
        let won = by_seat(|row| Cell::share(row, "won"));
        let caption = "Matches won by who has this seat in the first deal (95%)";
        tables.push(Table::new(caption, won, chunks(), "seats.csv"));
    }
    let chart = Chart { name: "Value of each seat".into(), svg, left_out: note(left_out, "seats.csv"), numbers };
    Part { charts: vec![chart], tables, ..Part::new("Seats", "seats") }
}

/// Returns the part on the contracts played and their worth.
pub(super) fn contracts(files: &Files, variant: &str, id: &str) -> Option<Part> {
    let all = files.contracts.of_variant(variant);
    let is_kind = |row: &Row<'_>| !matches!(row.text("contract"), "chosen" | "forced");
    let mut kinds: Vec<Row<'_>> =
        all.iter().filter(|row| row.text("bot") == "all" && is_kind(row) && row.count("deals") > 0).copied().collect();
    if kinds.is_empty() {
        return None;
    }
    kinds.sort_by_key(|row| std::cmp::Reverse(row.count("deals")));
    let left_out = kinds.len().saturating_sub(MOST_KINDS);
    kinds.truncate(MOST_KINDS);
    let dot = |row: &Row<'_>| DotRow {
        name: row.text("contract").to_owned(),
        is_bot: false,
        points: ["declarer", "others"].map(|side| point(row.interval(side))).into(),
    };
    let about = format!(
        "For each contract of {variant}, the most frequent first: the mean score of the declarer and of each of the others, with 95% intervals."
    );
    let title = Title { id, name: "Value of each contract", about: &about, axis: "points a deal" };
    let svg = dots(&title, &["declarer", "each of the others"], &kinds.iter().map(dot).collect::<Vec<_>>(), true);
    let left_out = (left_out > 0).then(|| format!("{left_out} rarer kinds are in contracts.csv."));
    let figures = [
        "deals",
        "share",
        "share-low",
        "share-high",
        "made",
        "made-low",
        "made-high",
        "declarer",
        "declarer-low",
        "declarer-high",
        "others",
        "others-low",
        "others-high",
    ];
    let chart = Chart {
        name: "Value of each contract".into(),
        svg,
        left_out,
        numbers: Table::numbers(&kinds, &["contract"], &figures),
    };
    let (chosen, _) = of_best(
        all.iter().filter(|row| row.text("contract") == "chosen").copied().collect(),
        files,
        variant,
        MOST_BOTS,
    );
    let table = |title: &str, name: fn(&Row<'_>) -> Cell| {
        TableOf::<Row<'_>>::new()
            .add(Column::text(title), name)
            .add(Column::figures("of its deals (95%)"), |row| Cell::share(row, "share"))
            .add(Column::figures("made (95%)"), |row| Cell::share(row, "made"))
            .add(Column::figures("declarer ± 95%"), |row| Cell::number(row, "declarer", 2))
            .add(Column::figures("others ± 95%"), |row| Cell::number(row, "others", 2))
    };
    let by_bot = table("declarer", bot_cell);
    let by_kind = table("contract", |row| row.text("contract").into());
    let tables = [
        Table::new("Contracts that bots chose to play", by_bot, chosen, "contracts.csv"),
        Table::new("Contracts, the most frequent first", by_kind, kinds, "contracts.csv"),
    ];
    let tables = tables.into_iter().filter(|table| !table.rows.is_empty()).collect();
    Some(Part { charts: vec![chart], tables, ..Part::new("Contracts", "contracts") })
}

/// Returns the part on the ends of deals, the spread of scores and its causes.
pub(super) fn balance(files: &Files, tournament: &Tournament, tally: &Tally, variant: &str, id: &str) -> Part {
    let rows = files.balance.of_variant(variant);
    let several = rows.len() > 1;
    let mut part = Part::new("Balance", "balance");
    let shares = [
        ("tied", "deals in which the best score was shared"),
        ("exceptional", "deals with a special score"),
        ("passed-out", "deals passed out by all"),
        ("variance-bot", "of the variance of scores: bot"),
        ("variance-seat", "of the variance of scores: seat"),
        ("variance-deal", "of the variance of scores: cards"),
        ("variance-rest", "of the variance of scores: how these combine"),
        ("leader-wins", "matches won by the leader at half time"),
        ("comebacks", "matches won by the player who was last at half time"),
    ];
    let numbers = [
        ("sd", "standard deviation of the score of a deal", 2),
        ("win-sd", "standard deviation of a seat's chance to win a deal", 4),
        ("match-deals", "median length of a match, in deals", 1),
        ("match-deals-p95", "length that 95% of matches stay within, in deals", 1),
    ];
    let mut lines: Vec<(String, Cell)> = Vec::new();
    for row in &rows {
        let label = |what: &str| if several { format!("{}: {what}", row.text("bot")) } else { what.to_owned() };
        let is_known = |column: &str| row.figure(column).0.is_some();
        for (column, what) in shares.into_iter().filter(|(column, _)| is_known(column)) {
            lines.push((label(what), Cell::share(row, column)));
        }
        for (column, what, decimals) in numbers.into_iter().filter(|(column, ..)| is_known(column)) {
            let cell = match column {
                "sd" => Cell::plain(row, column, decimals),
                _ => Cell::number(row, column, decimals),
            };
            lines.push((label(what), cell));
        }
    }
    let table = TableOf::<(String, Cell)>::new()
        .add(Column::text("what"), |(what, _)| what.clone())
        .add(Column::figures("how much (95%)"), |(_, cell)| cell.clone());
    part.tables.push(Table::new("How deals and matches go", table, lines, "balance.csv"));
    part.charts.extend(scores(tournament, tally, variant, id));
    let figures = ["deals", "blocks", "sd", "p05", "p25", "p50", "p75", "p95", "tied", "exceptional", "passed-out"];
    part.numbers = Table::numbers(&rows, &["bot"], &figures);
    part
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
        .add(Column::figures("share"), |&(_, &count)| crate::format::number(share(count), 6));
    let table = Table::new("The numbers, from the tallies", table, counts.iter().enumerate(), "tally.bin");
    Some(Chart { name: "Scores of a deal".into(), svg: histogram(&title, &bars), left_out: None, numbers: Some(table) })
}

/// Returns the part on the course of deals from trick to trick.
pub(super) fn curves(files: &Files, variant: &str, id: &str) -> Option<Part> {
    let (rows, left_out) = of_best(files.curves.of_variant(variant), files, variant, MOST_LINES);
    let mut part = Part::new("From trick to trick", "curves");
    let measures = [
        ("moves", "Legal moves", "legal moves at a decision"),
        ("forced", "Forced moves", "share of decisions with one legal move"),
        ("winner-leads", "The winner leads", "share of wins in which the winner leads already"),
        ("lead-changes", "The lead changes", "share of deals in which the lead changes at this trick"),
    ];
    for (measure, name, what) in measures {
        let rows: Vec<Row<'_>> = rows.iter().filter(|row| row.text("measure") == measure).copied().collect();
        let mut all: Vec<Line> = Vec::new();
        for row in &rows {
            let bot = bot_cell(row);
            let (name, is_bot) = (bot.text, bot.bot.is_some());
            if all.last().is_none_or(|line| line.name != name) {
                all.push(Line { name, is_bot, points: Vec::new() });
            }
            let trick = row.text("trick").parse().unwrap_or_default();
            let value = point(row.interval("value")).map(|point| (trick, point));
            all.last_mut().expect("there is one").points.extend(value);
        }
        all.retain(|line| !line.points.is_empty());
        if all.is_empty() {
            continue;
        }
        let about = format!(
            "A line for all bots of {variant} together, with the band of its 95% intervals, and for the best bots: {what}, trick by trick."
        );
        let id = format!("{id}-{measure}");
        let title = Title { id: &id, name, about: &about, axis: "trick (0 = before play)" };
        let numbers = Some(by_trick(&rows, &all));
        part.charts.push(Chart {
            name: name.into(),
            svg: lines(&title, &all),
            left_out: note(left_out, "curves.csv"),
            numbers,
        });
    }
    (!part.charts.is_empty()).then_some(part)
}

/// Returns the numbers of a chart of lines, with a row for each trick. Only the first line has its interval.
fn by_trick(rows: &[Row<'_>], lines: &[Line]) -> Table {
    let mut tricks: Vec<&str> = Vec::new();
    for row in rows {
        if !tricks.contains(&row.text("trick")) {
            tricks.push(row.text("trick"));
        }
    }
    tricks.sort_by_key(|trick| trick.parse::<usize>().unwrap_or_default());
    let mut table = TableOf::<&str>::new().add(Column::text("trick"), |trick| *trick);
    for (number, line) in lines.iter().enumerate() {
        let cell = move |trick: &str, column: &str| {
            let own = |row: &&Row<'_>| row.text("trick") == trick && bot_cell(row).text == line.name;
            rows.iter().find(own).map_or_else(|| Cell::from(""), |row| Cell::exact(row, column))
        };
        let bot = line.is_bot.then(|| line.name.clone());
        table = table
            .add(Column { bot, ..Column::figures(line.name.as_str()) }, move |trick| cell(trick, "value"))
            .add_if(number == 0, Column::figures("low"), move |trick| cell(trick, "low"))
            .add_if(number == 0, Column::figures("high"), move |trick| cell(trick, "high"));
    }
    Table::new("The numbers, as in curves.csv", table, tricks, "curves.csv")
}
