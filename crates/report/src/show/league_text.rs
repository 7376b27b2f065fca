//! A league on the terminal: its progress, and its result.

use overtrick_lab::decimals;
use overtrick_lab::league::{LeagueBotRow, LeaguePlan, LeagueTables, Leaguing};
use overtrick_stats::Interval;

use super::format::{marked, signed_with_interval, thousands};
use super::screen::Screen;
use super::table::{Column, TableOf};
use crate::league_sentence::league_sentence;

/// The most bots that are shown. The file league-bots.csv has all.
const MOST_BOTS: usize = 40;

/// Returns the result for the terminal: the sentence, the bots, what was played, and faults.
pub fn league_text(plan: &LeaguePlan, leaguing: &Leaguing, tables: &LeagueTables, screen: Screen) -> String {
    let sentence = screen.wrap(&league_sentence(plan, leaguing));
    let table = TableOf::<&LeagueBotRow>::new()
        .add(Column::figures("place"), |row| row.place.to_string())
        .add(Column::text("bot"), |row| marked(&row.bot, row.faults + row.irreproducible > 0))
        .add(Column::text("answer"), in_words)
        .add(Column::figures("points a deal\nahead ± 95%"), |row| rating(row.rating))
        .add(Column::figures("deals").spare(1), |row| thousands(row.deals));
    let shown = screen.show(&table, tables.bots.iter().take(MOST_BOTS));
    let mut text = format!("{sentence}\n\n{shown}\n");
    if let Some(more) = tables.bots.len().checked_sub(MOST_BOTS).filter(|&more| more > 0) {
        text += &format!("{more} more bots are in league-bots.csv\n");
    }
    text += &format!("{}\n", screen.wrap(&played(leaguing)));
    for row in &tables.bots {
        text.extend(faults(row).iter().map(|said| format!("{}\n", screen.wrap(said))));
    }
    text
}

/// Returns the faults of a bot in words, a sentence for each kind.
fn faults(row: &LeagueBotRow) -> Vec<String> {
    let (bot, mut said) = (&row.bot, Vec::new());
    if row.faults > 0 {
        let times = thousands(row.faults);
        said.push(format!("(!) {bot} failed to answer {times} times: a random legal move was made in its place"));
    }
    if row.irreproducible > 0 {
        let times = thousands(row.irreproducible);
        said.push(format!(
            "(!) {bot} answered {times} decisions differently when it was asked again: another league may end differently"
        ));
    }
    said
}

/// Returns the part of a bot in the answer, in words.
fn in_words(row: &&LeagueBotRow) -> String {
    match row.round {
        Some(round) => format!("{}, round {round}", row.status),
        None if row.chosen => format!("{}, chosen", row.status),
        None => row.status.to_owned(),
    }
}

/// Returns a rating with its interval, with two digits of it.
fn rating(rating: Interval) -> String {
    let width = rating.ends().and_then(|(low, high)| decimals((high - low) / 2.0));
    signed_with_interval(rating, width.unwrap_or(3))
}

/// Returns the deals and games that were played.
fn played(leaguing: &Leaguing) -> String {
    let spent = leaguing.league.spent();
    let (rounds, deals, games) = (thousands(spent.rounds), thousands(spent.deals), thousands(spent.games));
    let rounds = if spent.rounds == 1 { "1 round".to_owned() } else { format!("{rounds} rounds") };
    format!("{deals} deals in {rounds}: {games} games")
}

/// Returns the progress of a league in a line.
pub fn league_progress(plan: &LeaguePlan, leaguing: &Leaguing) -> String {
    let open = leaguing.open_bots();
    format!("round {}: {open} of {} bots open", leaguing.league.spent().rounds + 1, plan.bots.len())
}
