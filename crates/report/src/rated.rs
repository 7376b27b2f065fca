//! Ratings of players on the terminal.

use overtrick_stats::{Figure, PlayerRow, Rated, SeatEffectRow};

use super::format::{number, thousands};
use super::screen::{Column, Screen};
use super::terminal::table;

/// The table of the players, the table of the seats if they are known, and remarks.
pub fn ratings(rated: &Rated) -> String {
    let player = |(rank, row): (usize, &PlayerRow)| {
        vec![
            (rank + 1).to_string(),
            row.player.clone(),
            number(row.elo, 1),
            number(row.se, 1),
            end(row, row.low),
            end(row, row.high),
            row.matches.to_string(),
            row.won.to_string(),
            row.tied.to_string(),
            row.lost.to_string(),
            number(row.theta, 5),
            if row.regularised { "yes" } else { "no" }.to_owned(),
        ]
    };
    let columns = [
        Column::figures("").spare(9),
        Column::text("player"),
        Column::figures("Elo"),
        Column::figures("SE").spare(4),
        Column::figures("95% low"),
        Column::figures("95% high"),
        Column::figures("matches"),
        Column::figures("won").spare(3),
        Column::figures("tied").spare(3),
        Column::figures("lost").spare(3),
        Column::figures("theta").spare(5),
        Column::figures("regularised").spare(5),
    ];
    let screen = Screen::current();
    let zero = match &rated.anchor {
        Some(anchor) => format!("{anchor} has Elo 0"),
        None if rated.mean_of == Some("interval") => "the mean Elo of players with an interval is 0".to_owned(),
        None => "the mean Elo is 0".to_owned(),
    };
    let (matches, groups) = (thousands(rated.matches as u64), thousands(rated.groups as u64));
    let rows: Vec<Vec<String>> = rated.players.iter().enumerate().map(player).collect();
    let mut text = format!("{matches} matches in {groups} groups; {zero}\n{}\n", screen.table(&columns, &rows));
    if let Some(first) = rated.seats.first() {
        let seat = |row: &SeatEffectRow| {
            vec![row.seat.clone(), number(row.elo, 1), number(row.se, 1), number(row.low, 1), number(row.high, 1)]
        };
        let headings = ["seat", "Elo", "SE", "95% low", "95% high"];
        let seats = table(&headings, 1, rated.seats.iter().map(seat));
        text.push_str(&format!("what a seat adds to its player, over seat {}\n{seats}\n", first.seat));
    }
    for note in &rated.notes {
        text.push_str(&format!("{}\n", screen.wrap(&format!("note: {note}"))));
    }
    text
}

/// An end of a player's interval, or why there is none.
fn end(row: &PlayerRow, figure: Figure) -> String {
    if figure.0.is_some() { number(figure, 1) } else { row.interval.clone() }
}
