//! The ids of bots, line-ups, seatings and groups of deals.
//!
//! Each kind is a separate type, so that a bot cannot be passed where a line-up is meant. An id is an index
//! in the smallest integer with room for all ids of its kind.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Defines types of ids, each with its integer.
macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident($number:ty);)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name($number);

        impl $name {
            /// The highest possible id.
            pub const LAST: Self = Self(<$number>::MAX);

            /// Returns the id with this index.
            ///
            /// # Panics
            /// If the index is above the index of [`Self::LAST`].
            #[inline(always)]
            pub const fn new(index: usize) -> Self {
                assert!(index <= Self::LAST.index(), concat!("an index too high for a ", stringify!($name)));
                Self(index as $number)
            }

            /// Returns the index, counted from 0.
            #[inline(always)]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// Returns the ids of `count` bots, line-ups, seatings or groups, in order.
            #[inline]
            pub fn all(count: usize) -> impl Iterator<Item = Self> {
                (0..count).map(Self::new)
            }
        }

        /// Writes the bare index.
        impl fmt::Display for $name {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(out)
            }
        }
    )*};
}

ids! {
    /// A bot, as an index into the bots of a tournament or an evaluation.
    BotId(u16);
    /// A line-up, as an index into the line-ups of a schedule.
    LineUpId(u32);
    /// A seating, as an index into the seatings of a schedule.
    SeatingId(u8);
    /// A group of deals: all deals whose numbers leave the same remainder.
    GroupId(u16);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_shown_and_written_as_its_index() {
        let bots: Vec<BotId> = BotId::all(3).collect();
        assert_eq!(bots.iter().map(|bot| bot.index()).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!((bots[2].to_string(), format!("{:?}", bots[2])), ("2".to_owned(), "BotId(2)".to_owned()));
        assert_eq!(serde_json::to_string(&bots).unwrap(), "[0,1,2]");
        assert_eq!(serde_json::from_str::<Vec<BotId>>("[0,1,2]").unwrap(), bots);
    }

    #[test]
    #[should_panic(expected = "an index too high for a BotId")]
    fn an_index_that_does_not_fit_is_refused() {
        BotId::new(BotId::LAST.index() + 1);
    }
}
