//! The tables for designers on the terminal: seats, endings, variance, contracts.

use overtrick_stats::{BalanceRow, ContractRow};
use overtrick_tournament::Format;

use super::format::{known_percent, known_share, number, percent, percent_with_interval, signed_with_interval};
use super::screen::Screen;
use super::table::{Cell, Column, TableOf};
use super::variant_results::{BySeatRows, VariantResults, seat_table};

/// The most kinds of contract shown. The file has all of them.
const MOST_CONTRACTS: usize = 14;

/// Returns the tables and lines of one variant, with bots under their labels.
///
/// Contracts are listed by kind if a single bot plays only with itself, and otherwise summed over the
/// contracts that bots chose.
pub(super) fn balance(
    of: &VariantResults<'_>,
    format: Format,
    label: &dyn Fn(&str) -> String,
    screen: Screen,
) -> Vec<String> {
    let bot = |name: &str| Cell::from(if name == "all" { "all bots".to_owned() } else { label(name) });
    let bots: Vec<BySeatRows<'_>> = of.seats.chunk_by(|one, other| one.bot == other.bot).collect();
    let advantages = seat_table(&bots, bot, |row| signed_with_interval(row.advantage, 3).into());
    let mut parts = vec![
        screen.wrap("advantage of each seat: points a deal above the average seat, ± 95%"),
        screen.show_all(&advantages, bots.iter().copied()),
    ];
    if of.has_matches() {
        let won = seat_table(&bots, bot, |row| known_share(row.won).into());
        parts.push(screen.wrap("matches won by who has this seat in the first deal (95%)"));
        parts.push(screen.show_all(&won, bots.iter().copied()));
    }
    for row in &of.balance {
        parts.extend(endings(row, format).iter().map(|line| screen.wrap(line)));
    }
    let is_mirror = format == Format::Mirror;
    let by_itself = is_mirror && of.balance.iter().any(|row| row.bot == "all");
    if by_itself {
        let every = of.contract_kinds();
        if !every.is_empty() {
            parts.push(contract_table(&every[..every.len().min(MOST_CONTRACTS)], screen));
        }
        if every.len() > MOST_CONTRACTS {
            parts.push(format!("and {} rarer kinds in contracts.csv", every.len() - MOST_CONTRACTS));
        }
    }
    let mut chosen = Vec::new();
    for row in of.contracts.iter().filter(|row| row.contract == "chosen") {
        // Bots that play only with themselves have nothing in common.
        if by_itself || !is_mirror || row.bot != "all" {
            chosen.push(*row);
        }
    }
    if !chosen.is_empty() {
        let table = TableOf::<&ContractRow>::new()
            .add(Column::text("bot"), |row| bot(&row.bot))
            .add(Column::figures("% of its deals"), |row| known_percent(row.share))
            .add(Column::figures("made (95%)"), |row| percent_with_interval(row.made, 1));
        parts.push(screen.wrap("contracts that bots chose to play"));
        parts.push(screen.show(&table, chosen));
    }
    parts
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
    let names = ["bot", "seat", "cards", "all else"];
    // If each bot plays only with itself, nothing depends on the bot.
    let mut known = Vec::new();
    for (part, name) in parts.into_iter().zip(names).skip(usize::from(format == Format::Mirror)) {
        if part.value.is_some() {
            known.push(format!("{name} {}%", percent(part.value)));
        }
    }
    if !known.is_empty() {
        lines.push(format!("share of the variance of scores{whose}: {}", known.join(", ")));
    }
    lines
}

fn contract_table(rows: &[&ContractRow], screen: Screen) -> String {
    let table = TableOf::<&ContractRow>::new()
        .add(Column::text("contract"), |row| row.contract.as_str())
        .add(Column::figures("of deals (95%)"), |row| percent_with_interval(row.share, 1))
        .add(Column::figures("made (95%)"), |row| known_share(row.made))
        .add(Column::figures("declarer").spare(1), |row| number(row.declarer.value, 2))
        .add(Column::figures("others").spare(1), |row| number(row.others.value, 2));
    screen.show(&table, rows.iter().copied())
}
