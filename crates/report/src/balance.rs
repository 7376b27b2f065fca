//! The tables for designers on the terminal: seats, endings, variance, contracts.

use overtrick_stats::{BalanceRow, ContractRow, Interval, Results, SeatRow};
use overtrick_tournament::Format;

use super::format::{known_percent, number, percent, percent_with_interval, signed_with_interval};
use super::screen::Screen;
use super::table::{Column, TableOf};

/// The most kinds of contract shown. The file has all of them.
const MOST_CONTRACTS: usize = 14;

/// Returns the tables and lines of one variant, with bots under their labels.
///
/// Contracts are listed by kind if a single bot plays only with itself, and otherwise summed over the
/// contracts that bots chose.
pub(super) fn balance(
    variant: &str,
    format: Format,
    results: &Results,
    label: &dyn Fn(&str) -> String,
    screen: Screen,
) -> Vec<String> {
    let seats: Vec<&SeatRow> = results.seats.iter().filter(|row| row.variant == variant).collect();
    let mut parts = vec![
        screen.wrap("advantage of each seat: points a deal above the average seat, ± 95%"),
        seat_table(&seats, label, screen, |row| signed_with_interval(row.advantage, 3)),
    ];
    let of_matches = |row: &BalanceRow| row.variant == variant && row.matches_from == Some("matches");
    if results.balance.iter().any(of_matches) {
        parts.push(screen.wrap("matches won by who has this seat in the first deal (95%)"));
        parts.push(seat_table(&seats, label, screen, |row| percent_with_interval(row.won, 1)));
    }
    for row in results.balance.iter().filter(|row| row.variant == variant) {
        parts.extend(endings(row, format).iter().map(|line| screen.wrap(line)));
    }
    let contracts = || results.contracts.iter().filter(|row| row.variant == variant);
    let by_itself =
        format == Format::Mirror && results.balance.iter().any(|row| row.variant == variant && row.bot == "all");
    if by_itself {
        let every = contracts().filter(|row| row.bot == "all" && row.contract != "chosen" && row.contract != "forced");
        let mut every: Vec<&ContractRow> = every.collect();
        every.sort_by_key(|row| std::cmp::Reverse(row.deals));
        if !every.is_empty() {
            parts.push(contract_table(&every[..every.len().min(MOST_CONTRACTS)], screen));
        }
        if every.len() > MOST_CONTRACTS {
            parts.push(format!("and {} rarer kinds in contracts.csv", every.len() - MOST_CONTRACTS));
        }
    }
    let all_apart = format == Format::Mirror && !by_itself;
    let chosen = contracts().filter(|row| row.contract == "chosen" && !(all_apart && row.bot == "all"));
    let chosen: Vec<&ContractRow> = chosen.collect();
    if !chosen.is_empty() {
        let table = TableOf::<&ContractRow>::new()
            .add(Column::text("bot"), |row| if row.bot == "all" { "all bots".to_owned() } else { label(&row.bot) })
            .add(Column::figures("% of its deals"), |row| known_percent(row.share))
            .add(Column::figures("made (95%)"), |row| percent_with_interval(row.made, 1));
        parts.push(screen.wrap("contracts that bots chose to play"));
        parts.push(screen.show(&table, chosen));
    }
    parts
}

/// Returns a table with a line for each bot and a column for each seat, whose text `figure` returns.
///
/// All bots together come first, if they have something in common.
fn seat_table(
    rows: &[&SeatRow],
    label: &dyn Fn(&str) -> String,
    screen: Screen,
    figure: fn(&SeatRow) -> String,
) -> String {
    let mut seats: Vec<&str> = rows.iter().map(|row| row.seat).collect();
    let count = seats.iter().skip(1).position(|seat| *seat == seats[0]).map_or(seats.len(), |next| next + 1);
    seats.truncate(count);
    let bot = |rows: &&[&SeatRow]| if rows[0].bot == "all" { "all bots".to_owned() } else { label(&rows[0].bot) };
    let mut table = TableOf::new().add(Column::text("bot"), bot);
    for (place, seat) in seats.into_iter().enumerate() {
        table = table.add(Column::figures(seat), move |rows| figure(rows[place]));
    }
    screen.show_all(&table, rows.chunks(count.max(1)))
}

fn endings(row: &BalanceRow, format: Format) -> Vec<String> {
    let whose = if row.bot == "all" { String::new() } else { format!(" of {}", row.bot) };
    let share = |figure| percent_with_interval(figure, 2);
    let mut lines = vec![format!(
        "share of deals{whose}: best score shared {}, special score {}",
        share(row.tied),
        share(row.exceptional)
    )];
    let parts = [row.variance_bot, row.variance_seat, row.variance_deal, row.variance_rest];
    let names = ["bot", "seat", "cards", "how these combine"];
    // If each bot plays only with itself, nothing depends on the bot.
    let told = parts.into_iter().zip(names).skip(usize::from(format == Format::Mirror));
    let known = told.filter(|(part, _)| part.value.is_some());
    let known: Vec<String> = known.map(|(part, name)| format!("{name} {}%", percent(part.value))).collect();
    if !known.is_empty() {
        lines.push(format!("share of the variance of scores{whose}: {}", known.join(", ")));
    }
    lines
}

fn contract_table(rows: &[&ContractRow], screen: Screen) -> String {
    let share = |figure| percent_with_interval(figure, 1);
    let made = |made: Interval| if made.value.is_some() { share(made) } else { "-".to_owned() };
    let table = TableOf::<&&ContractRow>::new()
        .add(Column::text("contract"), |row| row.contract.as_str())
        .add(Column::figures("of deals (95%)"), |row| share(row.share))
        .add(Column::figures("made (95%)"), |row| made(row.made))
        .add(Column::figures("declarer").spare(1), |row| number(row.declarer.value, 2))
        .add(Column::figures("others").spare(1), |row| number(row.others.value, 2));
    screen.show(&table, rows)
}
