//! The rating of players from a file of matches.

use serde::Serialize;

use super::interval::{Estimate, FEWEST_GROUPS};
use super::ratings::{Fit, FitError, FitOptions, fit};
use super::record::Record;
use super::results::figures;
use super::rows::Figure;
use super::{MatchFile, regularised};

/// One player.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct PlayerRow {
    /// The player.
    pub player: String,
    /// Elo; the mean of all players is 0, or the anchor's.
    pub elo: Figure,
    /// Its standard error, over groups of matches.
    pub se: Figure,
    /// Lower end of its 95% interval.
    pub low: Figure,
    /// Upper end of its 95% interval.
    pub high: Figure,
    /// Matches, counted once for each seat.
    pub matches: u64,
    /// Matches won alone.
    pub won: u64,
    /// Matches in which the first place was shared.
    pub tied: u64,
    /// Matches in which somebody was better.
    pub lost: u64,
    /// Log-strength: Elo times ln 10 / 400.
    pub theta: Figure,
    /// Whether pseudo-results had to be added, because somebody always finished ahead or always behind.
    pub regularised: bool,
}

/// What a seat is worth.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct SeatEffectRow {
    /// The seat.
    pub seat: String,
    /// Elo that it adds to its player, over the first seat.
    pub elo: Figure,
    /// Its standard error, over groups of matches.
    pub se: Figure,
    /// Lower end of its 95% interval.
    pub low: Figure,
    /// Upper end of its 95% interval.
    pub high: Figure,
}

/// Ratings of the players of a file.
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "kebab-case")]
pub struct Rated {
    /// How many matches.
    pub matches: usize,
    /// How many groups of matches intervals are taken over.
    pub groups: usize,
    /// The player whose Elo is fixed at 0, if one is.
    pub anchor: Option<String>,
    /// Best first.
    pub players: Vec<PlayerRow>,
    /// By seat; none if the file does not tell seats.
    pub seats: Vec<SeatEffectRow>,
    /// What a reader should know.
    pub notes: Vec<String>,
}

impl Rated {
    /// Rates the players of a file; `anchor` is the number of the one at 0.
    ///
    /// # Errors
    /// If the fit fails.
    pub fn new(file: &MatchFile, anchor: Option<usize>) -> Result<Rated, FitError> {
        let options = FitOptions { seat_effects: !file.seats.is_empty(), anchor };
        let fit = fit(file.players.len(), file.groups, &file.outcomes, &options)?;
        let mut players = player_rows(file, &fit);
        // Best first. Stable: equals stay sorted by name.
        players.sort_by(|a, b| b.theta.0.partial_cmp(&a.theta.0).expect("finite strengths"));
        let seat_row = |(seat, effect): (usize, Estimate)| {
            let [elo, se, low, high] = figures(Some(effect));
            SeatEffectRow { seat: file.seats[seat].clone(), elo, se, low, high }
        };
        let mut notes: Vec<String> = regularised::note(&fit, |player| &file.players[player]).into_iter().collect();
        if fit.groups() < FEWEST_GROUPS {
            let groups = fit.groups();
            notes.push(format!(
                "there are no intervals: they take {FEWEST_GROUPS} groups of matches, and here are {groups}"
            ));
        }
        Ok(Rated {
            matches: file.outcomes.len(),
            groups: fit.groups(),
            anchor: anchor.map(|player| file.players[player].clone()),
            players,
            seats: fit.seat_effects().into_iter().map(seat_row).collect(),
            notes,
        })
    }
}

/// The players, by name.
fn player_rows(file: &MatchFile, fit: &Fit) -> Vec<PlayerRow> {
    let records = Record::all(file.players.len(), &file.outcomes);
    let row = |(player, name): (usize, &String)| {
        let [elo, se, low, high] = figures(Some(fit.elo(player)));
        let record = records[player];
        PlayerRow {
            player: name.clone(),
            elo,
            se,
            low,
            high,
            matches: record.games(),
            won: record.won,
            tied: record.tied,
            lost: record.lost,
            theta: fit.theta()[player].into(),
            regularised: fit.regularised(),
        }
    };
    file.players.iter().enumerate().map(row).collect()
}
