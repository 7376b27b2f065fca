//! The parameters of the model, in one vector.

use std::collections::BTreeSet;

use nalgebra::DVector;

use super::records::Record;

/// The place of each parameter in the parameter vector.
///
/// First come the log-strengths of all players, then the effects of all seats but the first, then the log
/// deltas of all tie sizes.
pub(super) struct Parameters {
    pub players: usize,
    /// Seats that occur, ascending; empty without seat effects.
    seats: Vec<usize>,
    /// Tie sizes that occur, ascending.
    pub tie_sizes: Vec<usize>,
}

impl Parameters {
    /// Finds the parameters of the records of `players` players.
    pub fn of(players: usize, records: &[Record]) -> Parameters {
        let mut seats = BTreeSet::new();
        let mut tie_sizes = BTreeSet::new();
        for record in records {
            seats.extend(record.order.iter().filter_map(|placed| placed.seat));
            tie_sizes.extend(record.stages().map(|(_, chosen)| chosen).filter(|&size| size > 1));
        }
        Parameters { players, seats: Vec::from_iter(seats), tie_sizes: Vec::from_iter(tie_sizes) }
    }

    /// Returns the parameters of `players` strengths alone.
    pub fn of_strengths(players: usize) -> Parameters {
        Parameters { players, seats: Vec::new(), tie_sizes: Vec::new() }
    }

    /// Returns the number of parameters.
    pub fn len(&self) -> usize {
        self.first_delta() + self.tie_sizes.len()
    }

    /// Returns the parameter of the first tie size.
    pub fn first_delta(&self) -> usize {
        self.players + self.seats.len().saturating_sub(1)
    }

    /// Returns the parameters that add up to the log-strength of an entrant.
    pub fn of_entrant(&self, player: usize, seat: Option<usize>) -> Vec<usize> {
        let mut parameters = vec![player];
        if let Some(seat) = seat
            && let Ok(position) = self.seats.binary_search(&seat)
            && position > 0
        {
            parameters.push(self.players + position - 1);
        }
        parameters
    }

    /// Returns the parameter of a tie size; `None` if the size does not occur.
    pub fn of_tie(&self, size: usize) -> Option<usize> {
        let position = self.tie_sizes.binary_search(&size).ok()?;
        Some(self.first_delta() + position)
    }

    /// Returns the log-strengths in a parameter vector.
    pub fn theta<'a>(&self, values: &'a DVector<f64>) -> &'a [f64] {
        &values.as_slice()[..self.players]
    }

    /// Returns `(seat, effect)` from a parameter vector; the first effect is zero.
    pub fn gamma(&self, values: &DVector<f64>) -> Vec<(usize, f64)> {
        let mut gamma = Vec::with_capacity(self.seats.len());
        for (position, &seat) in self.seats.iter().enumerate() {
            let effect = if position == 0 { 0.0 } else { values[self.players + position - 1] };
            gamma.push((seat, effect));
        }
        gamma
    }

    /// Returns `(tie size, log delta)` from a parameter vector.
    pub fn log_delta(&self, values: &DVector<f64>) -> Vec<(usize, f64)> {
        let deltas = &values.as_slice()[self.first_delta()..];
        self.tie_sizes.iter().copied().zip(deltas.iter().copied()).collect()
    }
}
