//! The designer's tables on the terminal: seats, endings, variance, contracts.

use super::terminal::{number, percent, percent_with_interval, table, with_interval};
use crate::arena::Format;
use crate::stats::{BalanceRow, ContractRow, Results, SeatRow};

/// The most kinds of contract that are shown: the others are in the file.
const MOST_CONTRACTS: usize = 14;

/// The tables of one variant; contracts one by one where each bot only plays with itself, else those that bots chose.
pub fn balance(variant: &str, format: Format, results: &Results) -> String {
    let seats = results.seats.iter().filter(|row| row.variant == variant);
    let mut text = format!("{}\n", seat_table(seats));
    for row in results.balance.iter().filter(|row| row.variant == variant) {
        text.push_str(&endings(row));
    }
    let contracts = || results.contracts.iter().filter(|row| row.variant == variant);
    if format == Format::Mirror {
        let every = contracts().filter(|row| row.bot == "all" && row.contract != "chosen" && row.contract != "forced");
        let mut every: Vec<&ContractRow> = every.collect();
        every.sort_by_key(|row| std::cmp::Reverse(row.deals));
        if !every.is_empty() {
            text.push_str(&format!("{}\n", contract_table(&every[..every.len().min(MOST_CONTRACTS)])));
        }
        if every.len() > MOST_CONTRACTS {
            text.push_str(&format!("and {} rarer kinds in contracts.csv\n", every.len() - MOST_CONTRACTS));
        }
    }
    let made = |row: &ContractRow| {
        let made = percent_with_interval(row.made, row.made_low, row.made_high, 1);
        format!("{} {}% of its deals, made {made}", row.bot, percent(row.share))
    };
    let chosen: Vec<String> = contracts().filter(|row| row.contract == "chosen").map(made).collect();
    if !chosen.is_empty() {
        text.push_str(&format!("contracts chosen: {}\n", chosen.join("; ")));
    }
    text
}

fn seat_table<'a>(rows: impl Iterator<Item = &'a SeatRow>) -> comfy_table::Table {
    let line = |row: &SeatRow| {
        vec![
            row.seat.to_owned(),
            with_interval(row.mean, row.low, row.high, 3),
            with_interval(row.advantage, row.advantage_low, row.advantage_high, 3),
            number(row.sd, 2),
            percent_with_interval(row.won, row.won_low, row.won_high, 1),
            percent(row.tied),
            percent(row.lost),
        ]
    };
    let headings = ["seat", "points a deal ± 95%", "advantage ± 95%", "sd", "won ± 95%", "tied %", "lost %"];
    table(&headings, 1, rows.map(line))
}

fn endings(row: &BalanceRow) -> String {
    let share = |value, low, high| percent_with_interval(value, low, high, 2);
    let mut text = format!(
        "deals: {} tied, {} exceptional\n",
        share(row.tied, row.tied_low, row.tied_high),
        share(row.exceptional, row.exceptional_low, row.exceptional_high)
    );
    let parts = [row.variance_bot, row.variance_seat, row.variance_deal, row.variance_rest];
    let names = ["the bot", "the seat", "the cards", "the rest"];
    let known = parts.into_iter().zip(names).filter(|(part, _)| part.0.is_some());
    let known: Vec<String> = known.map(|(part, name)| format!("{name} {}%", percent(part))).collect();
    if !known.is_empty() {
        text.push_str(&format!("variance of a score: {}\n", known.join(", ")));
    }
    text
}

fn contract_table(rows: &[&ContractRow]) -> comfy_table::Table {
    let line = |row: &&ContractRow| {
        let share = |value, low, high| percent_with_interval(value, low, high, 1);
        vec![
            row.contract.clone(),
            share(row.share, row.share_low, row.share_high),
            if row.made.0.is_some() { share(row.made, row.made_low, row.made_high) } else { "-".to_owned() },
            number(row.declarer, 2),
            number(row.others, 2),
        ]
    };
    table(&["contract", "of deals ± 95%", "made ± 95%", "declarer", "others"], 1, rows.iter().map(line))
}
