//! One value for each player, by seat or by role.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

use serde::{Deserialize, Serialize};

/// The largest number of players in any game.
pub const MAX_SEATS: usize = 4;

/// A way to number the players: [`Seat`](super::Seat) or [`Role`](super::Role).
pub trait Numbered: Copy {
    /// Every seat or role, in order of number.
    const ALL: [Self; MAX_SEATS];

    /// Returns the number of the seat or role, below [`MAX_SEATS`].
    fn number(self) -> usize;
}

/// Numbers the variants of an enum, and writes and reads a variant as its number.
macro_rules! numbered {
    ($kind:ident, $word:literal) => {
        impl Numbered for $kind {
            const ALL: [$kind; MAX_SEATS] = $kind::ALL;
            #[inline(always)]
            fn number(self) -> usize {
                self.index()
            }
        }

        impl serde::Serialize for $kind {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_u8(*self as u8)
            }
        }

        impl<'de> serde::Deserialize<'de> for $kind {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<$kind, D::Error> {
                let number = <u8 as serde::Deserialize>::deserialize(deserializer)?;
                let found = $kind::ALL.into_iter().find(|known| *known as u8 == number);
                found.ok_or_else(|| serde::de::Error::custom(format!(concat!("there is no ", $word, " {}"), number)))
            }
        }
    };
}

pub(super) use numbered;

/// One value for each player: [`BySeat`](super::BySeat) or [`ByRole`](super::ByRole).
///
/// A list by role is indexed by roles only, and a list by seat by seats only. The other index does not
/// compile:
///
/// ```compile_fail
/// use overtrick_cards::table::{ByRole, Seat};
/// let scores = ByRole::new([3, 1, 2]);
/// let score = scores[Seat::Seat0];
/// ```
///
/// Games for fewer players leave the last values at their default. `iter`, `map` and `zip` include them, and
/// [`of`](PerPlayer::of) leaves them out.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PerPlayer<I, T> {
    values: [T; MAX_SEATS],
    index: PhantomData<I>,
}

impl<I: Numbered, T> PerPlayer<I, T> {
    /// Makes a list of these values, in order of seat or role number.
    #[inline(always)]
    pub const fn full(values: [T; MAX_SEATS]) -> PerPlayer<I, T> {
        PerPlayer { values, index: PhantomData }
    }

    /// Makes a list of the values of the first `N` seats or roles. The others are at their default.
    #[inline(always)]
    pub fn new<const N: usize>(values: [T; N]) -> PerPlayer<I, T>
    where
        T: Copy + Default,
    {
        const { assert!(N <= MAX_SEATS) };
        PerPlayer::from_fn(|player: I| if player.number() < N { values[player.number()] } else { T::default() })
    }

    /// Makes a list from the value that `make` returns for each seat or role.
    #[inline(always)]
    pub fn from_fn(mut make: impl FnMut(I) -> T) -> PerPlayer<I, T> {
        // Written out here and below: `array::map` stays a loop with a guard against panics, which costs time
        // in the playing loop.
        let [a, b, c, d] = I::ALL;
        PerPlayer::full([make(a), make(b), make(c), make(d)])
    }

    /// Returns the values of the first `seats` seats or roles: all players of such a table.
    #[inline(always)]
    pub fn of(&self, seats: usize) -> &[T] {
        &self.values[..seats]
    }

    /// Returns the values of the first `N` seats or roles.
    ///
    /// ```
    /// use overtrick_cards::table::BySeat;
    /// let [own, other] = BySeat::new([5, 8]).into_array();
    /// assert_eq!((own, other), (5, 8));
    /// ```
    #[inline(always)]
    pub fn into_array<const N: usize>(self) -> [T; N]
    where
        T: Copy,
    {
        const { assert!(N <= MAX_SEATS) };
        std::array::from_fn(|number| self.values[number])
    }

    /// Returns every seat or role with its value.
    #[inline(always)]
    pub fn iter(&self) -> impl Iterator<Item = (I, &T)> {
        I::ALL.into_iter().zip(&self.values)
    }

    /// Returns every seat or role with a mutable reference to its value.
    #[inline(always)]
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (I, &mut T)> {
        I::ALL.into_iter().zip(&mut self.values)
    }

    /// Applies `make` to each value.
    #[inline(always)]
    pub fn map<U>(self, mut make: impl FnMut(T) -> U) -> PerPlayer<I, U> {
        let [a, b, c, d] = self.values;
        PerPlayer::full([make(a), make(b), make(c), make(d)])
    }

    /// Pairs each value with the value of `other` for the same seat or role.
    #[inline(always)]
    pub fn zip<U>(self, other: PerPlayer<I, U>) -> PerPlayer<I, (T, U)> {
        let ([a, b, c, d], [w, x, y, z]) = (self.values, other.values);
        PerPlayer::full([(a, w), (b, x), (c, y), (d, z)])
    }
}

impl<I: Numbered, T> Index<I> for PerPlayer<I, T> {
    type Output = T;
    #[inline(always)]
    fn index(&self, of: I) -> &T {
        &self.values[of.number()]
    }
}

impl<I: Numbered, T> IndexMut<I> for PerPlayer<I, T> {
    #[inline(always)]
    fn index_mut(&mut self, of: I) -> &mut T {
        &mut self.values[of.number()]
    }
}

/// Formats the list as its values.
impl<I, T: fmt::Debug> fmt::Debug for PerPlayer<I, T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.values.fmt(out)
    }
}

#[cfg(test)]
mod tests {
    use crate::table::{ByRole, BySeat, Role, Seat};

    #[test]
    fn values_go_with_their_numbers() {
        let mut tricks = BySeat::from_fn(|seat| 10 * seat.index());
        tricks[Seat::Seat2] += 1;
        assert_eq!(tricks, BySeat::new([0, 10, 21, 30]));
        let numbered: Vec<_> = tricks.iter().map(|(seat, &n)| (seat.index(), n)).collect();
        assert_eq!(numbered, [(0, 0), (1, 10), (2, 21), (3, 30)]);
        assert_eq!((tricks.of(2), tricks.into_array()), (&[0, 10][..], [0, 10, 21]));
        assert_eq!(tricks.map(|n| n + 1), BySeat::new([1, 11, 22, 31]));
        assert_eq!(tricks.zip(BySeat::new(["a", "b", "c"]))[Seat::Seat1], (10, "b"));
        assert_eq!(ByRole::new([5, 6, 7])[Role::Role2], 7);
        assert_eq!(BySeat::new([5, 6]), BySeat::new([5, 6, 0, 0]));
        assert_eq!(format!("{tricks:?}"), "[0, 10, 21, 30]");
    }

    /// Serde writes checkpoints of runs, so the form must be the values and nothing else.
    #[test]
    fn it_is_written_as_a_bare_list() {
        let text = serde_json::to_string(&BySeat::new([1, 2, 3, 4])).unwrap();
        assert_eq!(text, "[1,2,3,4]");
        assert_eq!(serde_json::from_str::<BySeat<i32>>(&text).unwrap(), BySeat::new([1, 2, 3, 4]));
    }
}
