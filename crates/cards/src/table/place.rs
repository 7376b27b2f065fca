//! Where cards lie.

use serde::Serialize;

use super::Seat;

/// A place where cards lie. The first four are hands, which may take part in tricks; the others are whatever the game
/// lays down besides (a row, a talon, discards...). The seats' own hands come first: the hand of seat *s* is place *s*.
// An enum and not a number: an index by it needs no bounds check.
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
    /// How many places a table has.
    pub const COUNT: usize = 8;
    /// How many of the places are hands.
    pub const HANDS: usize = 4;
    /// Every place, in order of number: hands first.
    pub const ALL: [Place; Place::COUNT] = [Hand0, Hand1, Hand2, Hand3, Pile4, Pile5, Pile6, Pile7];

    /// The hand of a seat's own, which is never a dummy's.
    #[inline(always)]
    pub const fn hand(seat: Seat) -> Place {
        Place::ALL[seat as usize]
    }

    /// The name of a place for which the game has none of its own.
    pub const fn name(self) -> &'static str {
        ["hand0", "hand1", "hand2", "hand3", "aside4", "aside5", "aside6", "aside7"][self as usize]
    }

    /// The place's number, below [`Place::COUNT`].
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }
}
