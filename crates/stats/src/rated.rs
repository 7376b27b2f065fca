//! The rating of players from a file of matches.

use overtrick_ratings::Estimate;
use overtrick_ratings::{Fit, FitError, FitOptions, fit};
use schemars::JsonSchema;
use serde::Serialize;

use super::record::Record;
use super::regularised::listed;
use super::rows::Figure;
use super::rows::figures;
use super::settled::{FEWEST_OWN_GROUPS, Part, Standing, Strengths};
use super::{MatchFile, match_file, regularised, spelling};

/// One player.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct PlayerRow {
    /// The player.
    pub player: String,
    /// Elo; the anchor's is 0, or the mean of all players that have an interval.
    pub elo: Figure,
    /// Its standard error; none if results leave the Elo open.
    pub se: Figure,
    /// Lower end of its 95% interval, if there is one.
    pub low: Figure,
    /// Upper end of its 95% interval, if there is one.
    pub high: Figure,
    /// Whether there is an interval: `yes`, `too few` (groups of matches to say), or `open` (results set no bound).
    pub interval: String,
    /// Groups of matches that the player took part in.
    pub groups: usize,
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
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
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
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct Rated {
    /// The number of matches.
    pub matches: usize,
    /// The number of groups of matches over which intervals are computed.
    pub groups: usize,
    /// The player whose Elo is fixed at 0, if one is.
    pub anchor: Option<String>,
    /// Without an anchor: the players whose mean is 0, `all` or those with an `interval`.
    pub mean_of: Option<&'static str>,
    /// The rows of the players, best first.
    pub players: Vec<PlayerRow>,
    /// The rows of the seats; empty if the file has no seats.
    pub seats: Vec<SeatEffectRow>,
    /// Notes for readers of the ratings.
    pub notes: Vec<String>,
}

impl Rated {
    /// Rates the players of a file; `anchor` is the number of the one at 0.
    ///
    /// # Errors
    /// If the fit fails.
    pub fn new(file: &MatchFile, anchor: Option<usize>) -> Result<Rated, FitError> {
        let options = FitOptions { seat_effects: !file.seats.is_empty(), anchor, pulls: false };
        let fit = fit(file.players.len(), file.groups, &file.outcomes, &options)?;
        let strengths = Strengths::new(&fit, &file.outcomes, anchor);
        let mut players = player_rows(file, &fit, &strengths);
        // Best first. Stable: equals stay sorted by name.
        players.sort_by(|a, b| b.theta.0.partial_cmp(&a.theta.0).expect("finite strengths"));
        let seat_parts = Part::of(file.seats.len(), &file.outcomes, |entrant| entrant.seat);
        let seat_row = |(seat, effect): (usize, Estimate)| {
            let few = seat_parts[seat].is_small();
            let [elo, se, low, high] =
                figures(Some(Estimate { half_width: effect.half_width.filter(|_| !few), ..effect }));
            SeatEffectRow { seat: file.seats[seat].clone(), elo, se, low, high }
        };
        let mut notes: Vec<String> = regularised::note(&fit, |player| &file.players[player]).into_iter().collect();
        notes.extend(match_file::ignored(&file.ignored));
        notes.extend(spelling::note("players", &file.players));
        notes.extend(spelling::note("seats", &file.seats));
        notes.extend(too_few(file, &strengths, anchor));
        notes.extend(open(file, &strengths));
        Ok(Rated {
            matches: file.outcomes.len(),
            groups: fit.groups(),
            anchor: anchor.map(|player| file.players[player].clone()),
            mean_of: anchor.is_none().then_some(if strengths.from_settled { "interval" } else { "all" }),
            players,
            seats: fit.seat_effects().into_iter().map(seat_row).collect(),
            notes,
        })
    }
}

/// A note that names the players with too few groups for an interval.
fn too_few(file: &MatchFile, strengths: &Strengths, anchor: Option<usize>) -> Option<String> {
    let why = format!("it takes {FEWEST_OWN_GROUPS} groups of matches");
    let names = strengths.named(file, Standing::TooFew);
    match anchor.filter(|&anchor| strengths.standings[anchor] == Standing::TooFew) {
        Some(anchor) => Some(format!("there are no intervals: {why} of the anchor, {}", file.players[anchor])),
        None if names.is_empty() => None,
        None if names.len() == file.players.len() => {
            Some(format!("there are no intervals: {why} of at least two players"))
        }
        None => {
            Some(format!("too few matches for an interval of {}: {why} of a player", listed(names.into_iter(), "and")))
        }
    }
}

/// A note that names the players whose results set no bound on their strength.
fn open(file: &MatchFile, strengths: &Strengths) -> Option<String> {
    let names = strengths.named(file, Standing::Open);
    let whom = listed(names.into_iter(), "and");
    (!whom.is_empty()).then(|| format!("there is no interval of {whom}: results leave open how far off they are"))
}

/// The players, by name.
fn player_rows(file: &MatchFile, fit: &Fit, strengths: &Strengths) -> Vec<PlayerRow> {
    let records = Record::all(file.players.len(), &file.outcomes);
    let row = |(player, name): (usize, &String)| {
        let [elo, se, low, high] = figures(Some(strengths.elo[player]));
        let record = records[player];
        PlayerRow {
            player: name.clone(),
            elo,
            se,
            low,
            high,
            interval: strengths.standings[player].to_string(),
            groups: strengths.elo[player].groups,
            matches: record.games(),
            won: record.won,
            tied: record.tied,
            lost: record.lost,
            theta: strengths.theta[player].into(),
            regularised: fit.regularised(),
        }
    };
    file.players.iter().enumerate().map(row).collect()
}
