//! Ratings of players on the terminal.

use overtrick_stats::{PlayerRow, Rated, SeatEffectRow};

use super::format::{number, thousands};
use super::screen::Screen;
use super::table::{Column, TableOf};

/// Returns the table of players, the table of seats if they are known, and remarks. Places are counted within
/// components.
pub fn ratings(rated: &Rated) -> String {
    let is_one = rated.components.len() < 2;
    let place_column = if is_one { Column::figures("").spare(9) } else { Column::figures("place") };
    let table = TableOf::<(usize, &PlayerRow)>::new()
        .add_if(!is_one, Column::figures("component"), |(_, row)| row.component.to_string())
        .add(place_column, |(place, _)| (place + 1).to_string())
        .add(Column::text("player"), |(_, row)| row.player.as_str())
        .add(Column::figures("Elo"), |(_, row)| number(row.elo.value, 1))
        .add(Column::figures("SE").spare(4), |(_, row)| number(row.elo.se, 1))
        .add(Column::figures("95% low"), |(_, row)| end(row, row.elo.low))
        .add(Column::figures("95% high"), |(_, row)| end(row, row.elo.high))
        .add(Column::figures("matches"), |(_, row)| row.matches.to_string())
        .add(Column::figures("won").spare(3), |(_, row)| row.won.to_string())
        .add(Column::figures("tied").spare(3), |(_, row)| row.tied.to_string())
        .add(Column::figures("lost").spare(3), |(_, row)| row.lost.to_string())
        .add(Column::figures("theta").spare(5), |(_, row)| number(row.theta, 5))
        .add(Column::figures("regularised").spare(5), |(_, row)| if row.regularised { "yes" } else { "no" });
    let components = rated.players.chunk_by(|one, other| one.component == other.component);
    let rows = components.flat_map(|component| component.iter().enumerate());
    let screen = Screen::current();
    let (matches, groups) = (thousands(rated.matches as u64), thousands(rated.groups as u64));
    let mut text = format!("{matches} matches in {groups} groups; {}\n{}\n", zero(rated), screen.show(&table, rows));
    for seats in rated.seats.chunk_by(|one, other| one.component == other.component) {
        let table = TableOf::<&SeatEffectRow>::new()
            .add(Column::text("seat"), |row| row.seat.as_str())
            .add(Column::figures("Elo"), |row| number(row.elo.value, 1))
            .add(Column::figures("SE"), |row| number(row.elo.se, 1))
            .add(Column::figures("95% low"), |row| number(row.elo.low, 1))
            .add(Column::figures("95% high"), |row| number(row.elo.high, 1));
        let rows = screen.show(&table, seats);
        let whose = if is_one { String::new() } else { format!(" in component {}", seats[0].component) };
        text.push_str(&format!("what a seat adds to its player{whose}, over seat {}\n{rows}\n", seats[0].seat));
    }
    for note in &rated.notes {
        text.push_str(&format!("{}\n", screen.wrap(&format!("note: {note}"))));
    }
    text
}

/// Describes the zero of Elo.
fn zero(rated: &Rated) -> String {
    match (&rated.anchor, rated.components.len() > 1) {
        (Some(anchor), false) => format!("{anchor} has Elo 0"),
        (Some(anchor), true) => format!("{anchor} has Elo 0; in other components the mean Elo is 0"),
        (None, false) if rated.mean_of == Some("interval") => {
            "the mean Elo of players with an interval is 0".to_owned()
        }
        (None, false) => "the mean Elo is 0".to_owned(),
        (None, true) => {
            "the mean Elo of each component is 0 (of its players with an interval, if it has any)".to_owned()
        }
    }
}

/// Returns an end of a player's interval, or the reason why there is none.
fn end(row: &PlayerRow, figure: Option<f64>) -> String {
    if figure.is_some() { number(figure, 1) } else { row.interval.clone() }
}
