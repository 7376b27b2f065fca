//! Rates players from a file of matches.

use std::collections::BTreeSet;

use overtrick_ratings::{Estimate, Fit, FitError, FitOptions, components, fit};
use overtrick_strategy::ids::BotId;
use schemars::JsonSchema;
use serde::Serialize;

use super::direct::Direct;
use super::pairwise::judge_pairs;
use super::record::Record;
use super::regularised::listed;
use super::rows::{Figure, Interval};
use super::settled::{FEWEST_OWN_GROUPS, HasInterval, Participation, Strengths};
use super::wins::pair_games;
use super::{MatchFile, match_file, regularised, spelling};
use crate::rows;

/// The most players whose pairs are judged for circles.
const MOST_JUDGED: usize = 40;
/// The fewest groups in which two players must have met to be judged.
///
/// A pair that met in fewer has a Student's t with long tails, which would hide the others.
const FEWEST_JUDGED: usize = 16;
/// The most groups in which pairs are judged.
const MOST_GROUPS: usize = 256;
/// The most components that notes on pseudo-results mention.
const MOST_NOTED: usize = 3;

rows! {
    /// One player.
    pub struct PlayerRow {
        /// The player.
        player: String,
        /// The number of the component: players whom matches connect, directly or through others. Elo of
        /// different components cannot be compared.
        component: usize,
        /// Elo; the anchor's is 0, or the mean of all players of the component that have an interval.
        elo: Interval as [
            elo,
            /// Its standard error; none if results leave the Elo open.
            se,
            /// Lower end of its 95% interval, if there is one.
            low,
            /// Upper end of its 95% interval, if there is one.
            high,
        ],
        /// Whether there is an interval: `yes`, `too few` (groups of matches to say), or `open` (results set
        /// no bound).
        interval: String,
        /// Groups of matches that the player took part in.
        groups: usize,
        /// Matches, counted once for each seat.
        matches: u64,
        /// Matches won alone.
        won: u64,
        /// Matches in which the first place was shared.
        tied: u64,
        /// Matches in which another player was better.
        lost: u64,
        /// Log-strength: Elo times ln 10 / 400.
        theta: Figure,
        /// Whether the distance from the others rests on pseudo-results, because the player, or a set of
        /// players, always finished ahead or always behind.
        regularised: bool,
    }

    /// The value of a seat.
    pub struct SeatEffectRow {
        /// The seat.
        seat: String,
        /// The number of the component whose matches say so.
        component: usize,
        /// Elo that it adds to its player, over the first seat.
        elo: Interval as [elo, /** Its standard error, over groups of matches. */ se, low, high],
    }
}

/// Players whom matches connect.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub struct ComponentRow {
    /// The number of the component: that of the anchor is 1, or else the largest, and then by size.
    pub component: usize,
    /// How many players there are.
    pub players: usize,
    /// The number of their matches.
    pub matches: usize,
    /// The number of groups of these.
    pub groups: usize,
    /// The players whose mean Elo is 0: `all` or those with an `interval`; none where the anchor is.
    pub mean_of: Option<&'static str>,
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
    /// Without an anchor: the players of component 1 whose mean is 0, `all` or those with an `interval`.
    pub mean_of: Option<&'static str>,
    /// The components, by number.
    pub components: Vec<ComponentRow>,
    /// The rows of the players: by component, best first.
    pub players: Vec<PlayerRow>,
    /// The rows of the seats, by component; empty if the file has no seats.
    pub seats: Vec<SeatEffectRow>,
    /// Notes for readers of the ratings.
    pub notes: Vec<String>,
}

impl Rated {
    /// Rates the players of a file, each component by itself.
    ///
    /// `anchor` is the number of the player at 0.
    ///
    /// # Errors
    /// If a fit fails.
    pub fn new(file: &MatchFile, anchor: Option<usize>) -> Result<Rated, FitError> {
        let mut rated = Rated {
            matches: file.outcomes.len(),
            groups: file.groups,
            anchor: anchor.map(|player| file.players[player].clone()),
            ..Rated::default()
        };
        let (mut strengths_of_all, mut pseudo, mut cycles) = (Vec::new(), Vec::new(), Vec::new());
        let parts = parts(file, anchor)?;
        for (number, Part { file, anchor }) in parts.iter().enumerate() {
            let component = number + 1;
            let options = FitOptions { seat_effects: !file.seats.is_empty(), anchor: *anchor, keep_influences: false };
            let fit = fit(file.players.len(), file.groups, &file.outcomes, &options)?;
            let strengths = Strengths::new(&fit, &file.outcomes, *anchor);
            let mut players = player_rows(file, &fit, &strengths, component);
            // Best first. The sort is stable, so equals stay sorted by name.
            players.sort_by(|a, b| b.theta.0.partial_cmp(&a.theta.0).expect("finite strengths"));
            rated.players.extend(players);
            rated.seats.extend(seat_rows(file, &fit, component));
            rated.components.push(ComponentRow {
                component,
                players: file.players.len(),
                matches: file.outcomes.len(),
                groups: groups(file),
                mean_of: anchor.is_none().then_some(if strengths.from_settled { "interval" } else { "all" }),
            });
            if let Some(note) = regularised::note(&fit, |player| &file.players[player]) {
                pseudo.push(if parts.len() == 1 { note } else { format!("component {component}: {note}") });
            }
            cycles.extend(cycle(file));
            strengths_of_all.push(strengths);
        }
        rated.mean_of = rated.components.first().and_then(|component| component.mean_of);
        let more = pseudo.len().saturating_sub(MOST_NOTED);
        pseudo.truncate(MOST_NOTED);
        rated.notes.extend(not_compared(&parts));
        rated.notes.extend(cycles);
        rated.notes.extend(pseudo);
        if more > 0 {
            rated.notes.push(format!("ratings of {more} other components rest on added pseudo-results, too"));
        }
        rated.notes.extend(match_file::ignored(&file.ignored));
        rated.notes.extend(spelling::note("players", &file.players));
        rated.notes.extend(spelling::note("seats", &file.seats));
        let named = |which: HasInterval| -> Vec<String> {
            let of_one = |(part, strengths): (&Part, &Strengths)| strengths.named(&part.file, which);
            parts.iter().zip(&strengths_of_all).flat_map(of_one).collect()
        };
        let anchor_name = rated.anchor.as_deref();
        let few = named(HasInterval::TooFew);
        let anchor_few = anchor_name.filter(|&anchor| few.iter().any(|name| name == anchor));
        rated.notes.extend(too_few(&few, file.players.len(), anchor_few, parts.len()));
        rated.notes.extend(open(named(HasInterval::Open)));
        Ok(rated)
    }
}

/// Returns a note that names players who beat one another in a circle, so that no order holds.
///
/// `None` if there is no circle, or if there are too many players to judge pairs.
fn cycle(file: &MatchFile) -> Option<String> {
    if file.players.len() > MOST_JUDGED {
        return None;
    }
    let groups = file.groups.min(MOST_GROUPS);
    let mut won = pair_games(&file.outcomes, groups).won;
    won.retain(|_, share| share.estimate().groups >= FEWEST_JUDGED);
    let players: Vec<BotId> = BotId::all(file.players.len()).collect();
    let direct = Direct::new(&players, &judge_pairs(won, 1.0, 0, "rate"), |_| None, 0, "rate");
    let circle = direct.cycle_text(|player| &file.players[player])?;
    Some(format!("no order holds: {circle}, all pairs at once; ratings have an order all the same"))
}

/// A component of a file.
struct Part {
    /// Its players and matches, as if there were no others.
    file: MatchFile,
    /// The number of the anchor, if it is one of these players.
    anchor: Option<usize>,
}

/// Returns the components of a file, the anchor's first and then by size.
fn parts(file: &MatchFile, anchor: Option<usize>) -> Result<Vec<Part>, FitError> {
    let mut parts = Vec::new();
    for component in components(file.players.len(), &file.outcomes)? {
        parts.push(Part {
            anchor: anchor.and_then(|anchor| component.players.binary_search(&anchor).ok()),
            file: MatchFile {
                players: component.players.iter().map(|&player| file.players[player].clone()).collect(),
                seats: file.seats.clone(),
                outcomes: component.outcomes,
                groups: file.groups,
                ignored: Vec::new(),
            },
        });
    }
    // The sort is stable, so equals stay in the order of their first players.
    parts.sort_by_key(|part| (part.anchor.is_none(), std::cmp::Reverse(part.file.players.len())));
    Ok(parts)
}

/// Returns the number of groups that hold matches.
fn groups(file: &MatchFile) -> usize {
    let counts = file.outcomes.iter().flat_map(|outcome| &outcome.counts);
    let groups: BTreeSet<usize> = counts.filter(|&&(_, times)| times > 0).map(|&(group, _)| group).collect();
    groups.len()
}

/// Returns a note on components, if there are several.
fn not_compared(parts: &[Part]) -> Option<String> {
    let set = |part: &Part| format!("({})", listed(part.file.players.iter().cloned(), "and"));
    (parts.len() > 1).then(|| {
        format!(
            "no matches connect {}: each of these {} components is rated and ranked by itself, and ratings of different \
             ones cannot be compared",
            listed(parts.iter().map(set), "and"),
            parts.len()
        )
    })
}

/// Returns a note that names the players with too few groups for an interval.
///
/// They are out of `all` players in `components` components; `anchor` is one of them.
fn too_few(names: &[String], all: usize, anchor: Option<&str>, components: usize) -> Option<String> {
    let why = format!("it takes {FEWEST_OWN_GROUPS} groups of matches");
    match anchor {
        Some(anchor) => {
            let place = if components > 1 { " in component 1" } else { "" };
            Some(format!("there are no intervals{place}: {why} of the anchor, {anchor}"))
        }
        None if names.is_empty() => None,
        None if names.len() == all => Some(format!("there are no intervals: {why} of at least two players")),
        None => {
            let whom = listed(names.iter().cloned(), "and");
            Some(format!("too few matches for an interval of {whom}: {why} of a player"))
        }
    }
}

/// Returns a note that names the players whose results set no bound on their strength.
fn open(names: Vec<String>) -> Option<String> {
    let whom = listed(names.into_iter(), "and");
    (!whom.is_empty()).then(|| format!("there is no interval of {whom}: results leave open how far off they are"))
}

/// Returns the rows of the players of a component, by name.
fn player_rows(file: &MatchFile, fit: &Fit, strengths: &Strengths, component: usize) -> Vec<PlayerRow> {
    let records = Record::all(file.players.len(), &file.outcomes);
    let row = |(player, name): (usize, &String)| {
        let record = records[player];
        PlayerRow {
            player: name.clone(),
            component,
            elo: strengths.elo[player].into(),
            interval: strengths.has_interval[player].name().to_owned(),
            groups: strengths.elo[player].groups,
            matches: record.games(),
            won: record.won,
            tied: record.tied,
            lost: record.lost,
            theta: strengths.theta[player].into(),
            regularised: fit.is_regularised(player),
        }
    };
    file.players.iter().enumerate().map(row).collect()
}

/// Returns the rows of the seats of a component.
fn seat_rows(file: &MatchFile, fit: &Fit, component: usize) -> Vec<SeatEffectRow> {
    let parts = Participation::of(file.seats.len(), &file.outcomes, |entrant| entrant.seat);
    let effects = fit.seat_effects();
    // All effects are measured from the first seat.
    let few = |seat: usize| parts[seat].is_small() || parts[seat].is_one_sided();
    let is_open = fit.is_all_regularised() || effects.first().is_some_and(|&(first, _)| few(first));
    let row = |(seat, effect): (usize, Estimate)| {
        let is_known = !is_open && !few(seat);
        let shown = Estimate { half_width: effect.half_width.filter(|_| is_known), ..effect };
        SeatEffectRow { seat: file.seats[seat].clone(), component, elo: shown.into() }
    };
    effects.into_iter().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_with_too_few_matches_are_named_unless_all_have() {
        let names = |count: usize| ["a", "b", "c"][..count].iter().map(|&name| name.to_owned()).collect::<Vec<_>>();
        let note = |count: usize, anchor: Option<&str>, components: usize| {
            too_few(&names(count), 3, anchor, components).unwrap_or_default()
        };
        assert_eq!(note(0, None, 1), "");
        let of_two = "too few matches for an interval of a and b: it takes 10 groups of matches of a player";
        assert_eq!(note(2, None, 1), of_two);
        let of_all = "there are no intervals: it takes 10 groups of matches of at least two players";
        assert_eq!(note(3, None, 1), of_all);
        let of_anchor = "there are no intervals: it takes 10 groups of matches of the anchor, c";
        assert_eq!(note(0, Some("c"), 1), of_anchor);
        assert!(note(0, Some("c"), 2).contains("no intervals in component 1: "));
    }
}
