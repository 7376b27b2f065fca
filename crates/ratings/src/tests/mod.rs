//! Tests of the whole fit, with shared helpers.

mod alike;
mod coverage;
mod existence;
mod input;
mod known;

use super::*;

/// Builds an outcome from `(player, place)` pairs, without seats.
fn outcome(order: &[(usize, u8)], counts: &[(usize, u64)]) -> Outcome {
    Outcome {
        entrants: order.iter().map(|&(player, _)| Entrant { player, seat: None }).collect(),
        places: order.iter().map(|&(_, place)| place).collect(),
        counts: counts.to_vec(),
    }
}

/// Builds an outcome in which the players of `seats` sit on seats 0, 1, ... and take the given places.
fn seated(seats: &[usize], places: &[u8], counts: &[(usize, u64)]) -> Outcome {
    let entrants = seats.iter().enumerate().map(|(seat, &player)| Entrant { player, seat: Some(seat) });
    Outcome { entrants: entrants.collect(), places: places.to_vec(), counts: counts.to_vec() }
}

fn plain(players: usize, groups: usize, outcomes: &[Outcome]) -> Fit {
    fit(players, groups, outcomes, &FitOptions::default()).unwrap()
}

fn with_seats(players: usize, groups: usize, outcomes: &[Outcome]) -> Fit {
    let options = FitOptions { seat_effects: true, anchor: None, ..FitOptions::default() };
    fit(players, groups, outcomes, &options).unwrap()
}

fn anchored(players: usize, groups: usize, outcomes: &[Outcome]) -> Fit {
    let options = FitOptions { seat_effects: false, anchor: Some(0), ..FitOptions::default() };
    fit(players, groups, outcomes, &options).unwrap()
}

#[track_caller]
fn close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
}

/// Returns the standard error of a log-strength by the model.
fn model_se(fit: &Fit, player: usize) -> f64 {
    fit.model_covariance()[(player, player)].sqrt()
}

/// Returns the standard error of a log-strength over groups.
fn clustered_se(fit: &Fit, player: usize) -> f64 {
    fit.covariance().unwrap()[(player, player)].sqrt()
}

/// Builds wins, losses and ties of `i` against `j`, all in one group.
fn paired(i: usize, j: usize, wins: u64, losses: u64, ties: u64) -> [Outcome; 3] {
    [
        outcome(&[(i, 0), (j, 1)], &[(0, wins)]),
        outcome(&[(i, 1), (j, 0)], &[(0, losses)]),
        outcome(&[(i, 0), (j, 0)], &[(0, ties)]),
    ]
}

/// Builds results in which bots 0 and 1 are one bot under two names.
///
/// Results follow from the seats, but players who sit with bot 2 lose a place to it. There are duels and a
/// three-bot line-up.
fn two_alike() -> Vec<Outcome> {
    let mut outcomes = Vec::new();
    for (group, places) in [[0, 1, 2], [2, 1, 0], [1, 0, 0], [0, 0, 0], [1, 2, 0]].iter().enumerate() {
        let lineups = [
            vec![[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]],
            vec![[0, 0, 2], [0, 2, 0], [2, 0, 0], [0, 2, 2], [2, 0, 2], [2, 2, 0]],
            vec![[1, 1, 2], [1, 2, 1], [2, 1, 1], [1, 2, 2], [2, 1, 2], [2, 2, 1]],
            vec![[0, 0, 1], [0, 1, 0], [1, 0, 0], [0, 1, 1], [1, 0, 1], [1, 1, 0]],
        ];
        for seats in lineups.concat() {
            let mut places = *places;
            let first = (0..3).find(|&seat| seats[seat] == 2 && places[seat] == 1);
            let second = (0..3).find(|&seat| places[seat] == 0);
            if let (Some(a), Some(b)) = (first, second) {
                places.swap(a, b);
            }
            outcomes.push(seated(&seats, &places, &[(group, 1 + group as u64 % 3)]));
        }
    }
    outcomes
}
