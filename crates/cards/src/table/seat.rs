//! Players' seats at the table.

use super::per_player::{MAX_SEATS, Numbered, PerPlayer, numbered};

/// A player's seat, numbered 0 to 3 clockwise. Games for two use 0 and 1, games for three 0 to 2.
// An enum and not a number: indexing by it needs no bounds check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Seat {
    #[default]
    Seat0,
    Seat1,
    Seat2,
    Seat3,
}

impl Seat {
    /// All seats, in order of number.
    pub const ALL: [Seat; MAX_SEATS] = [Seat::Seat0, Seat::Seat1, Seat::Seat2, Seat::Seat3];

    /// The seats of a table for three.
    pub const THREE: [Seat; 3] = [Seat::Seat0, Seat::Seat1, Seat::Seat2];

    /// Returns the seat with a number below [`MAX_SEATS`].
    ///
    /// # Panics
    /// If the number is higher.
    #[inline(always)]
    pub const fn new(number: usize) -> Seat {
        Seat::ALL[number]
    }

    /// Returns the seat's number, 0 to 3.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the seat `steps` to the left (clockwise) at a table of `seats`.
    #[inline(always)]
    pub const fn left(self, steps: usize, seats: usize) -> Seat {
        let place = self.index() + steps;
        // One subtraction is nearly always enough, and a division would take longer than the rest of the
        // function.
        Seat::new(if place < seats {
            place
        } else if place < 2 * seats {
            place - seats
        } else {
            place % seats
        })
    }

    /// Returns the seats of a table of `seats`, from 0.
    pub fn all(seats: usize) -> impl Iterator<Item = Seat> + Clone {
        Seat::ALL.into_iter().take(seats)
    }
}

/// One value for each seat. Games for fewer players leave the last at their default.
pub type BySeat<T> = PerPlayer<Seat, T>;

numbered!(Seat, "seat");
