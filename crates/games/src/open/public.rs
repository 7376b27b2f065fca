//! The public state of a game of another crate, held without its type.
//!
//! All unsafe code for such games is here. A value is only read as the type that it was made from, which is
//! checked each time.

use std::any::TypeId;
use std::fmt::{self, Debug};
use std::mem::{MaybeUninit, align_of, offset_of, size_of};

use overtrick_game::State;

/// The number of bytes that a game of another crate may keep in addition to the table.
pub const ROOM: usize = 128;

/// A value that can be held: the bounds of [`Game::Public`](overtrick_game::Game::Public).
pub trait Held: Copy + Eq + Debug + Send + Sync + 'static {}

impl<P: Copy + Eq + Debug + Send + Sync + 'static> Held for P {}

/// The state that a game of another crate keeps in addition to the table.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct OpenPublic {
    /// A value of the type `kind`, from the first byte on.
    bytes: Bytes,
    kind: &'static Kind,
}

#[derive(Clone, Copy)]
#[repr(C, align(8))]
struct Bytes([MaybeUninit<u8>; ROOM]);

/// The type of a value, with functions that compare two values and format a value.
struct Kind {
    id: TypeId,
    eq: fn(&OpenPublic, &OpenPublic) -> bool,
    debug: fn(&OpenPublic, &mut fmt::Formatter<'_>) -> fmt::Result,
}

/// Returns the reason why values of type `P` cannot be held, if there is one.
const fn misfit<P>() -> Option<&'static str> {
    if size_of::<P>() > ROOM {
        return Some("a game of another crate may keep 128 bytes in addition to the table, and this `Public` has more");
    }
    if align_of::<P>() > align_of::<Bytes>() {
        return Some("the `Public` of a game of another crate may be aligned to 8 bytes at most");
    }
    None
}

/// The conditions on a type for holding its values, and for reading states with them in place.
struct Fits<P>(P);

impl<P> Fits<P> {
    const CHECKED: () = {
        if let Some(why) = misfit::<P>() {
            panic!("{}", why);
        }
        assert!(offset_of!(State<P>, table) == offset_of!(State<OpenPublic>, table));
        assert!(offset_of!(State<P>, public) == offset_of!(State<OpenPublic>, public));
        assert!(align_of::<State<P>>() <= align_of::<State<OpenPublic>>());
        // A write over a state, including padding, must not reach `kind`.
        assert!(size_of::<State<P>>() <= offset_of!(State<OpenPublic>, public) + offset_of!(OpenPublic, kind));
    };
}

impl OpenPublic {
    pub(super) fn new<P: Held>(value: P) -> OpenPublic {
        const { Fits::<P>::CHECKED };
        let kind = const {
            &Kind {
                id: TypeId::of::<P>(),
                eq: |one, other| one.get::<P>() == other.get::<P>(),
                debug: |one, out| one.get::<P>().fmt(out),
            }
        };
        let mut bytes = Bytes([MaybeUninit::uninit(); ROOM]);
        // SAFETY: `Fits` has checked that the value fits, and that no type is aligned more strictly than the
        // bytes.
        unsafe { (&raw mut bytes).cast::<P>().write(value) };
        OpenPublic { bytes, kind }
    }

    /// Returns the value.
    ///
    /// # Panics
    /// If the value has another type.
    pub(super) fn get<P: Held>(&self) -> &P {
        self.check::<P>();
        // SAFETY: the bytes hold a `P`. `new` wrote a value of the type in `kind`, and `inner_mut` lends the
        // bytes as that type only.
        unsafe { &*(&raw const self.bytes).cast() }
    }

    fn check<P: Held>(&self) {
        assert!(self.kind.id == TypeId::of::<P>(), "a state of another game");
    }
}

/// Returns the state with the game's types.
///
/// # Panics
/// If it is a state of another game.
#[inline]
pub(super) fn inner<P: Held>(state: &State<OpenPublic>) -> &State<P> {
    const { Fits::<P>::CHECKED };
    state.public.check::<P>();
    // SAFETY: `State` is `repr(C)`. `Fits` has checked that table and value lie where a `State<P>` has them,
    // and that it is not larger. `check` has just checked that the value is a `P`.
    unsafe { &*(&raw const *state).cast() }
}

/// Returns the state with the game's types, mutably.
///
/// # Panics
/// If it is a state of another game.
#[inline]
pub(super) fn inner_mut<P: Held>(state: &mut State<OpenPublic>) -> &mut State<P> {
    const { Fits::<P>::CHECKED };
    state.public.check::<P>();
    // SAFETY: as for `inner`. In addition, any write leaves a `P` in the bytes and does not reach `kind`.
    unsafe { &mut *(&raw mut *state).cast() }
}

/// Returns the state without the game's types.
pub(super) fn outer<P: Held>(state: &State<P>) -> State<OpenPublic> {
    State { table: state.table, public: OpenPublic::new(state.public) }
}

impl PartialEq for OpenPublic {
    fn eq(&self, other: &OpenPublic) -> bool {
        self.kind.id == other.kind.id && (self.kind.eq)(self, other)
    }
}

impl Eq for OpenPublic {}

impl Debug for OpenPublic {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.kind.debug)(self, out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use overtrick_cards::table::{Seat, Table};

    /// A type with padding and the strictest alignment allowed.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    struct Kept(u64, u8, Option<&'static str>);

    /// A type of the largest size allowed.
    type Full = [u64; ROOM / 8];

    fn table() -> Table {
        Table::new(3, Seat::Seat1)
    }

    #[test]
    fn a_state_is_read_and_changed_in_place() {
        let state = State { table: table(), public: Kept(1, 2, Some("three")) };
        let mut held = outer(&state);
        let copy = held;
        assert_eq!(*inner::<Kept>(&held), state);
        *inner_mut(&mut held) = State { public: Kept(4, 5, None), ..state };
        assert_eq!(*inner::<Kept>(&held), State { public: Kept(4, 5, None), ..state });
        assert!(held != copy && copy == outer(&state));
        assert_eq!(format!("{:?}", held.public), format!("{:?}", Kept(4, 5, None)));
    }

    #[test]
    fn the_least_and_the_most_fit() {
        assert_eq!(*inner::<()>(&outer(&State { table: table(), public: () })), State { table: table(), public: () });
        let full = State { table: table(), public: [7; ROOM / 8] };
        let mut held = outer::<Full>(&full);
        inner_mut::<Full>(&mut held).public[ROOM / 8 - 1] = u64::MAX;
        assert_eq!((held.public.get::<Full>()[0], held.public.get::<Full>()[ROOM / 8 - 1]), (7, u64::MAX));
        assert_eq!(held, { held });
    }

    #[test]
    fn more_does_not() {
        assert_eq!(misfit::<Full>(), None);
        assert!(misfit::<[u64; ROOM / 8 + 1]>().unwrap().contains("may keep 128 bytes") && ROOM == 128);
        assert!(misfit::<u128>().unwrap().contains("aligned to 8 bytes"));
    }

    #[test]
    fn values_of_two_types_are_never_equal() {
        assert_ne!(OpenPublic::new(1_u8), OpenPublic::new(1_i8));
        assert_eq!(OpenPublic::new(1_u8), OpenPublic::new(1_u8));
    }

    #[test]
    #[should_panic(expected = "a state of another game")]
    fn a_state_of_another_game_is_not_read() {
        inner::<i8>(&outer(&State { table: table(), public: 1_u8 }));
    }
}
