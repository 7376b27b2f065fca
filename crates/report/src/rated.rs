//! Ratings of players on the terminal.

use overtrick_stats::{PlayerRow, Rated, SeatEffectRow};

use super::format::{number, thousands};
use super::screen::{Column, Screen};
use super::terminal::table;

/// Returns the table of players, the table of seats if they are known, and remarks. Places are counted within
/// components.
pub fn ratings(rated: &Rated) -> String {
    let is_one = rated.components.len() < 2;
    let mut rows = Vec::new();
    for component in rated.players.chunk_by(|one, other| one.component == other.component) {
        for (place, player) in component.iter().enumerate() {
            let mut row = player_row(place, player);
            if !is_one {
                row.insert(0, player.component.to_string());
            }
            rows.push(row);
        }
    }
    let mut columns = vec![
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
    if !is_one {
        columns[0] = Column::figures("place");
        columns.insert(0, Column::figures("component"));
    }
    let screen = Screen::current();
    let (matches, groups) = (thousands(rated.matches as u64), thousands(rated.groups as u64));
    let mut text =
        format!("{matches} matches in {groups} groups; {}\n{}\n", zero(rated), screen.table(&columns, &rows));
    for seats in rated.seats.chunk_by(|one, other| one.component == other.component) {
        let seat = |row: &SeatEffectRow| {
            let figures = [row.elo.value, row.elo.se, row.elo.low, row.elo.high];
            [row.seat.clone()].into_iter().chain(figures.map(|figure| number(figure, 1))).collect()
        };
        let headings = ["seat", "Elo", "SE", "95% low", "95% high"];
        let rows = table(&headings, 1, seats.iter().map(seat));
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

/// Returns the row of a player. `place` is the place within the component, from 0.
fn player_row(place: usize, row: &PlayerRow) -> Vec<String> {
    vec![
        (place + 1).to_string(),
        row.player.clone(),
        number(row.elo.value, 1),
        number(row.elo.se, 1),
        end(row, row.elo.low),
        end(row, row.elo.high),
        row.matches.to_string(),
        row.won.to_string(),
        row.tied.to_string(),
        row.lost.to_string(),
        number(row.theta, 5),
        if row.regularised { "yes" } else { "no" }.to_owned(),
    ]
}

/// Returns an end of a player's interval, or the reason why there is none.
fn end(row: &PlayerRow, figure: Option<f64>) -> String {
    if figure.is_some() { number(figure, 1) } else { row.interval.clone() }
}
