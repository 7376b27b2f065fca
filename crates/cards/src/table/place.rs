//! The places where cards lie.

use serde::Serialize;

use super::Seat;

/// A place where cards lie.
///
/// The first four are hands, which can take part in tricks. The hand of seat *s* is place *s*. The other
/// places hold further cards of the game (a row, a talon, discards...).
// An enum and not a number: indexing by it needs no bounds check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[repr(u8)]
#[serde(rename_all = "kebab-case")]
#[allow(missing_docs)]
pub enum Place {
    Hand0,
    Hand1,
    Hand2,
    Hand3,
    Pile4,
    Pile5,
    Pile6,
    Pile7,
}

use Place::{Hand0, Hand1, Hand2, Hand3, Pile4, Pile5, Pile6, Pile7};

impl Place {
    /// The number of places on a table.
    pub const COUNT: usize = 8;
    /// The number of places that are hands.
    pub const HANDS: usize = 4;
    /// All places, in order of number: hands first.
    pub const ALL: [Place; Place::COUNT] = [Hand0, Hand1, Hand2, Hand3, Pile4, Pile5, Pile6, Pile7];

    /// Returns the seat's own hand, which is never a dummy.
    #[inline(always)]
    pub const fn hand(seat: Seat) -> Place {
        Place::ALL[seat as usize]
    }

    /// Returns the name of a place to which the game gives no name.
    pub const fn name(self) -> &'static str {
        ["hand0", "hand1", "hand2", "hand3", "aside4", "aside5", "aside6", "aside7"][self as usize]
    }

    /// Returns the place's number, below [`Place::COUNT`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }
}
