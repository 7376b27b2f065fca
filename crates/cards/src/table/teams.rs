//! Teams: the seats that share their scores.

use super::{Numbered, PerPlayer};

/// The teams at a table: each seat alone, or two sides of partners who face each other.
///
/// Teams are numbered from 0. The seats of team *n* are *n* and those that follow in steps of
/// [`count`](Teams::count), and the same holds of roles, which number the teams from the dealer's.
///
/// ```
/// use overtrick_cards::table::Teams;
/// let sides = [0, 1, 2, 3].map(|seat| Teams::PARTNERS.of(seat));
/// assert_eq!(sides, [0, 1, 0, 1]);
/// assert_eq!([0, 1, 2].map(|seat| Teams::alone(3).of(seat)), [0, 1, 2]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Teams {
    seats: usize,
    count: usize,
}

impl Teams {
    /// The sides of four players, with partners opposite each other.
    pub const PARTNERS: Teams = Teams { seats: 4, count: 2 };

    /// Returns the teams of `seats` players who play for themselves.
    pub const fn alone(seats: usize) -> Teams {
        Teams { seats, count: seats }
    }

    /// Returns the number of seats.
    #[inline(always)]
    pub const fn seats(self) -> usize {
        self.seats
    }

    /// Returns the number of teams.
    #[inline(always)]
    pub const fn count(self) -> usize {
        self.count
    }

    /// Returns the number of seats of a team.
    pub const fn size(self) -> usize {
        self.seats / self.count
    }

    /// Returns whether seats have partners.
    pub const fn has_partners(self) -> bool {
        self.count < self.seats
    }

    /// Returns the team of the seat or role with this number.
    #[inline(always)]
    pub const fn of(self, number: usize) -> usize {
        number % self.count
    }

    /// Gives each seat or role the value of the first of its team.
    pub fn spread<I: Numbered, T: Copy + Default>(self, values: PerPlayer<I, T>) -> PerPlayer<I, T> {
        let firsts = values.of(self.count);
        let own =
            |player: I| if player.number() < self.seats { firsts[self.of(player.number())] } else { T::default() };
        PerPlayer::from_fn(own)
    }

    /// Combines the values of partners: each seat or role gets the result for its team.
    pub fn combine<I: Numbered, T: Copy + Default>(
        self,
        values: PerPlayer<I, T>,
        add: impl Fn(T, T) -> T,
    ) -> PerPlayer<I, T> {
        if !self.has_partners() {
            return values;
        }
        let values = values.of(self.seats);
        let own = |player: I| {
            let of_team = values.iter().skip(self.of(player.number())).step_by(self.count);
            of_team.copied().reduce(&add).unwrap_or_default()
        };
        PerPlayer::from_fn(own)
    }
}

/// The teams of this number of players who play for themselves.
impl From<usize> for Teams {
    fn from(seats: usize) -> Teams {
        Teams::alone(seats)
    }
}

#[cfg(test)]
mod tests {
    use crate::table::{ByRole, BySeat, Teams};

    #[test]
    fn partners_share_values_and_others_keep_theirs() {
        let values = BySeat::new([1, 2, 4, 8]);
        let sum = |one, other| one + other;
        assert_eq!(Teams::PARTNERS.combine(values, sum), BySeat::new([5, 10, 5, 10]));
        assert_eq!(Teams::PARTNERS.spread(values), BySeat::new([1, 2, 1, 2]));
        assert_eq!((Teams::PARTNERS.size(), Teams::PARTNERS.has_partners()), (2, true));
        for seats in [2, 3, 4] {
            let alone = Teams::from(seats);
            assert_eq!(alone.combine(values, sum), values);
            assert_eq!(alone.spread(values).of(seats), values.of(seats));
            assert_eq!((alone.count(), alone.size(), alone.has_partners()), (seats, 1, false));
        }
        assert_eq!(Teams::alone(2).spread(ByRole::new([1, 2, 4])), ByRole::new([1, 2]));
    }
}
