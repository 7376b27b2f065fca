//! Players' roles in a deal: their seats counted from the dealer.

use super::per_player::{MAX_SEATS, Numbered, PerPlayer, numbered};
use super::{BySeat, Seat};

/// A player's role in a deal: the number of seats to the dealer's left.
///
/// A seat affects a deal only through its role, so figures that compare deals with different dealers are
/// counted by role.
// An enum and not a number: indexing by it needs no bounds check.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Role {
    /// The player who deals.
    #[default]
    Dealer,
    /// The player to the dealer's left. In games for two this is the opponent.
    Forehand,
    /// The player two seats to the dealer's left: rearhand of three, middlehand of four.
    Role2,
    /// The player three seats to the dealer's left: rearhand of four.
    Role3,
}

impl Role {
    /// All roles, in order of number.
    pub const ALL: [Role; MAX_SEATS] = [Role::Dealer, Role::Forehand, Role::Role2, Role::Role3];

    /// Returns the number of seats from the dealer to this role, counted to the left.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Returns the roles at a table of `seats`, from the dealer.
    pub fn all(seats: usize) -> impl Iterator<Item = Role> + Clone {
        Role::ALL.into_iter().take(seats)
    }

    /// Returns the role's name at a table of `seats`: `dealer`, `forehand`, `middlehand` or `rearhand`.
    ///
    /// Rearhand is to the dealer's right, and middlehand opposite the dealer at a table of four.
    pub const fn name(self, seats: usize) -> &'static str {
        match self {
            Role::Dealer => "dealer",
            Role::Forehand => "forehand",
            Role::Role2 if seats > 3 => "middlehand",
            Role::Role2 | Role::Role3 => "rearhand",
        }
    }

    /// Returns the role of the player at `seat`, at a table of `seats`.
    #[inline(always)]
    pub const fn of(seat: Seat, dealer: Seat, seats: usize) -> Role {
        // `seats - dealer` steps to the left are `dealer` steps to the right.
        Role::ALL[seat.left(seats - dealer.index(), seats).index()]
    }

    /// Returns the seat of the player who has this role, at a table of `seats`.
    #[inline(always)]
    pub const fn seat(self, dealer: Seat, seats: usize) -> Seat {
        dealer.left(self.index(), seats)
    }
}

/// One value for each role. Games for fewer players leave the last at their default.
pub type ByRole<T> = PerPlayer<Role, T>;

numbered!(Role, "role");

impl<T: Copy> BySeat<T> {
    /// Returns the same values by role, counted from `dealer` at a table of `seats`.
    ///
    /// ```
    /// use overtrick_cards::table::{ByRole, BySeat, Seat};
    /// let scores = BySeat::new([10, 20, 30]);
    /// assert_eq!(scores.by_role(Seat::Seat1, 3), ByRole::new([20, 30, 10]));
    /// ```
    #[inline]
    pub fn by_role(&self, dealer: Seat, seats: usize) -> ByRole<T> {
        ByRole::from_fn(|role| {
            let steps = dealer.index() + role.index();
            // Values beyond the seats of a smaller table have no role and stay where they are.
            let seat =
                if role.index() >= seats { role.index() } else { steps - if steps >= seats { seats } else { 0 } };
            self[Seat::new(seat)]
        })
    }
}

impl<T: Copy> ByRole<T> {
    /// Returns the same values by seat. The inverse of [`BySeat::by_role`].
    #[inline]
    pub fn by_seat(&self, dealer: Seat, seats: usize) -> BySeat<T> {
        BySeat::from_fn(|seat| {
            let steps = seat.index() + seats - dealer.index();
            let role =
                if seat.index() >= seats { seat.index() } else { steps - if steps >= seats { seats } else { 0 } };
            self[Role::ALL[role]]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_are_counted_from_the_dealer() {
        for seats in [2, 3, 4] {
            for dealer in Seat::all(seats) {
                assert_eq!(Role::of(dealer, dealer, seats), Role::Dealer);
                assert_eq!(Role::of(dealer.left(1, seats), dealer, seats), Role::Forehand);
                for seat in Seat::all(seats) {
                    assert_eq!(Role::of(seat, dealer, seats).seat(dealer, seats), seat, "{seats} seats, {dealer:?}");
                }
            }
        }
        let names = |seats| Role::all(seats).map(|role| role.name(seats)).collect::<Vec<_>>();
        assert_eq!(names(2), ["dealer", "forehand"]);
        assert_eq!(names(3), ["dealer", "forehand", "rearhand"]);
        assert_eq!(names(4), ["dealer", "forehand", "middlehand", "rearhand"]);
        assert_eq!(Role::of(Seat::Seat0, Seat::Seat1, 3).name(3), "rearhand");
    }

    #[test]
    fn values_by_role_are_those_of_the_seats() {
        let values = BySeat::new(["a", "b", "c", "d"]);
        for seats in [2, 3, 4] {
            for dealer in Seat::all(seats) {
                let by_role = values.by_role(dealer, seats);
                for seat in Seat::all(seats) {
                    assert_eq!(by_role[Role::of(seat, dealer, seats)], values[seat], "{seats} seats, {dealer:?}");
                }
                assert_eq!(by_role.by_seat(dealer, seats), values);
            }
        }
        // Values beyond the seats of a smaller table stay where they are.
        assert_eq!(values.by_role(Seat::Seat1, 2), ByRole::new(["b", "a", "c", "d"]));
        assert_eq!(values.by_role(Seat::Seat1, 3), ByRole::new(["b", "c", "a", "d"]));
    }
}
