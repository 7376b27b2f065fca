//! Checks outcomes and brings them into one canonical form.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use super::{FitError, MOST_ENTRANTS, Outcome};

/// An entrant at its place. Sorting by place first makes every tied set a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Placed {
    pub place: u8,
    pub player: usize,
    /// Absent unless seat effects are fitted: otherwise seats do not distinguish results.
    pub seat: Option<usize>,
}

/// A distinct finishing order.
#[derive(Clone, Debug)]
pub(super) struct Record {
    /// Sorted.
    pub order: Vec<Placed>,
    /// `(group, times)`, sorted by group, each group once, no zeros, not empty.
    pub counts: Vec<(usize, u64)>,
}

impl Record {
    /// Returns the number of times that this order happened.
    pub fn total(&self) -> u64 {
        self.counts.iter().map(|&(_, times)| times).sum()
    }

    /// Returns the choices that led to this order, from the first place down.
    ///
    /// Each has the entrants still standing, and the number of them, listed first, who took the next place.
    pub fn stages(&self) -> impl Iterator<Item = (&[Placed], usize)> {
        let mut standing = &self.order[..];
        self.order.chunk_by(|a, b| a.place == b.place).map(move |tied| {
            let stage = (standing, tied.len());
            standing = &standing[tied.len()..];
            stage
        })
    }
}

type Merged = BTreeMap<Vec<Placed>, Vec<(usize, u64)>>;

/// Returns the records of orders that happened.
fn records(merged: Merged) -> Vec<Record> {
    let mut records = Vec::with_capacity(merged.len());
    for (order, mut counts) in merged {
        if !counts.is_empty() {
            counts.sort_unstable();
            records.push(Record { order, counts: add_up(counts) });
        }
    }
    records
}

/// Returns the records between the members of a sorted set.
///
/// The members are numbered by their place in the set, and other players are left out. A record with fewer
/// than two different members is left out, too.
pub(super) fn within(records_of_all: &[Record], set: &[usize]) -> Vec<Record> {
    let mut merged = Merged::new();
    for record in records_of_all {
        let mut order: Vec<Placed> = Vec::new();
        for placed in &record.order {
            if let Ok(player) = set.binary_search(&placed.player) {
                order.push(Placed { player, ..*placed });
            }
        }
        if order.iter().all(|placed| placed.player == order[0].player) {
            continue;
        }
        // Renumber the places, so that none is skipped.
        let (mut place, mut before) = (0, order[0].place);
        for placed in &mut order {
            if placed.place != before {
                (place, before) = (place + 1, placed.place);
            }
            placed.place = place;
        }
        order.sort_unstable();
        merged.entry(order).or_default().extend(&record.counts);
    }
    records(merged)
}

/// Checks all outcomes and merges those that are the same result for the model.
pub(super) fn canonical(
    players: usize,
    groups: usize,
    outcomes: &[Outcome],
    seat_effects: bool,
) -> Result<Vec<Record>, FitError> {
    if players == 0 {
        return Err(FitError::NoPlayers);
    }
    let mut merged = Merged::new();
    for (index, outcome) in outcomes.iter().enumerate() {
        check(players, groups, index, outcome)?;
        let mut order = Vec::with_capacity(outcome.entrants.len());
        for (entrant, &place) in outcome.entrants.iter().zip(&outcome.places) {
            let mut seat = None;
            if seat_effects {
                seat = Some(entrant.seat.ok_or(FitError::MissingSeat { outcome: index })?);
            }
            order.push(Placed { place, player: entrant.player, seat });
        }
        order.sort_unstable();
        let counts = outcome.counts.iter().filter(|&&(_, times)| times > 0);
        merged.entry(order).or_default().extend(counts);
    }
    let records = records(merged);
    let mut played = vec![false; players];
    for placed in records.iter().flat_map(|record| &record.order) {
        played[placed.player] = true;
    }
    match played.iter().position(|&played| !played) {
        Some(player) => Err(FitError::NeverPlayed { player }),
        None => Ok(records),
    }
}

/// Checks everything that does not depend on the options of the fit.
fn check(players: usize, groups: usize, index: usize, outcome: &Outcome) -> Result<(), FitError> {
    let entrants = outcome.entrants.len();
    if !(2..=MOST_ENTRANTS).contains(&entrants) {
        return Err(FitError::EntrantCount { outcome: index, entrants });
    }
    if let Some(stranger) = outcome.entrants.iter().find(|e| e.player >= players) {
        return Err(FitError::UnknownPlayer { outcome: index, player: stranger.player });
    }
    if let Some(&(group, _)) = outcome.counts.iter().find(|&&(group, _)| group >= groups) {
        return Err(FitError::UnknownGroup { outcome: index, group });
    }
    let mut places = outcome.places.clone();
    places.sort_unstable();
    places.dedup();
    let dense = places.iter().enumerate().all(|(rank, &place)| rank == usize::from(place));
    if outcome.places.len() != entrants || !dense {
        return Err(FitError::Places { outcome: index });
    }
    Ok(())
}

/// Adds up the values that have the same key; the list is sorted by key.
pub(super) fn add_up<T: AddAssign>(sorted: Vec<(usize, T)>) -> Vec<(usize, T)> {
    let mut sums: Vec<(usize, T)> = Vec::with_capacity(sorted.len());
    for (key, value) in sorted {
        match sums.last_mut() {
            Some((last, sum)) if *last == key => *sum += value,
            _ => sums.push((key, value)),
        }
    }
    sums
}
