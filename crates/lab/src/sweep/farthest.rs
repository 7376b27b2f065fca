//! The seat that is farthest from the mean of all seats.
//!
//! Noise influences which seat that is, so the largest estimate is too large on average. The value is
//! therefore corrected ([`Largest`]). The intervals of all seats hold at once. The interval of the farthest
//! seat is the range that they leave open, over all seats that may be the farthest.

use overtrick_stats::{Banded, Contrast, Largest};

use super::by_point::ByPoint;

/// A seat on one side of the mean: 1 above, -1 below.
pub type SeatSide = (usize, f64);

/// The farthest seat at a point.
#[derive(Clone, Debug)]
pub struct Farthest {
    /// Its distance from the mean.
    pub value: Banded,
    /// The seats that may be the farthest, each with the side on which it would be.
    pub may_be: Vec<SeatSide>,
}

/// Returns the farthest of these seats, by point.
///
/// Each seat has its estimates and their intervals, by point.
pub fn farthest(seats: &[(&ByPoint, &Vec<Option<Banded>>)], seed: u64, name: &str) -> Vec<Option<Farthest>> {
    let first = seats.iter().flat_map(|(by_point, _)| by_point.iter().flatten()).next();
    let Some(first) = first else { return seats.first().map_or(Vec::new(), |(own, _)| vec![None; own.len()]) };
    let largest = Largest::new(first.groups(), seed, name);
    let at = |point: usize| {
        let estimates: Vec<&Contrast> =
            seats.iter().map(|(by_point, _)| by_point[point].as_ref()).collect::<Option<_>>()?;
        let value = largest.of(&estimates)?;
        let bands: Option<Vec<(f64, f64)>> =
            seats.iter().map(|(_, bands)| bands[point].and_then(|band| band.interval)).collect();
        Some(of_bands(value, bands.as_deref(), seats.len()))
    };
    (0..seats[0].0.len()).map(at).collect()
}

/// Returns the farthest seat, from its value and the intervals of all seats if they are known.
fn of_bands(value: f64, bands: Option<&[(f64, f64)]>, seats: usize) -> Farthest {
    // With two seats, one is as far above the mean as the other is below.
    let counted = if seats == 2 { 1 } else { seats };
    let sides = || (0..counted).flat_map(|seat| [(seat, 1.0), (seat, -1.0)]);
    let Some(bands) = bands else {
        return Farthest { value: Banded { value, se: None, interval: None }, may_be: sides().collect() };
    };
    let least = bands.iter().map(|&(low, high)| low.max(-high).max(0.0)).fold(0.0, f64::max);
    let most = |&(seat, side): &SeatSide| if side > 0.0 { bands[seat].1 } else { -bands[seat].0 };
    let may_be: Vec<SeatSide> = sides().filter(|side| most(side) >= least).collect();
    let high = may_be.iter().map(most).fold(least, f64::max);
    let value = Banded { value: value.clamp(least, high), se: None, interval: Some((least, high)) };
    Farthest { value, may_be }
}

impl Farthest {
    /// Returns how much farther this seat is than another point's farthest seat.
    ///
    /// `apart` gives the interval of the difference between the points, by seat. The result is at most the
    /// difference of the seat that is farthest here. At the other point, the farthest seat is at least as far
    /// out as that seat. The same holds the other way round.
    pub fn less(&self, other: &Farthest, apart: impl Fn(usize) -> Option<(f64, f64)>) -> Banded {
        let value = self.value.value - other.value.value;
        let of_side = |&(seat, side): &SeatSide| {
            apart(seat).map(|(low, high)| if side > 0.0 { (low, high) } else { (-high, -low) })
        };
        let high = self.may_be.iter().map(|side| Some(of_side(side)?.1)).reduce(|one, more| Some(one?.max(more?)));
        let low = other.may_be.iter().map(|side| Some(of_side(side)?.0)).reduce(|one, more| Some(one?.min(more?)));
        let of_values = |(own, theirs): ((f64, f64), (f64, f64))| (own.0 - theirs.1, own.1 - theirs.0);
        let of_values = self.value.interval.zip(other.value.interval).map(of_values);
        let both = |((low, high), (least, most)): ((f64, f64), (f64, f64))| (low.max(least), high.min(most));
        let interval = low.flatten().zip(high.flatten()).zip(of_values).map(both);
        // The corrections of both values may put their difference outside the range that the seats leave
        // open.
        Banded { value, se: None, interval: interval.map(|(low, high)| (low.min(value), high.max(value))) }
    }

    /// Returns whether the interval of the difference to another point's farthest seat may exclude 0.
    ///
    /// By seat, `sides` has the side on which the interval of the seat's difference may lie: 1 above, -1
    /// below, 0 if it contains 0.
    pub fn may_be_apart(&self, other: &Farthest, sides: &[f64]) -> bool {
        let Some((own, theirs)) = self.value.interval.zip(other.value.interval) else { return false };
        let is_farther = |(seat, side): &SeatSide| side * sides[*seat] > 0.0;
        let is_nearer = |(seat, side): &SeatSide| side * sides[*seat] < 0.0;
        let may_be_farther = own.0 > theirs.1 || other.may_be.iter().all(is_farther);
        may_be_farther || own.1 < theirs.0 || self.may_be.iter().all(is_nearer)
    }
}

/// Returns the side that is certainly the farthest at all of these points, if any.
pub fn always(found: &[Option<Farthest>], points: impl Iterator<Item = usize>) -> Option<SeatSide> {
    let mut only = None;
    for point in points {
        let [side] = found[point].as_ref()?.may_be[..] else { return None };
        if only.is_some_and(|only| only != side) {
            return None;
        }
        only = Some(side);
    }
    only
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(value: f64, bands: &[(f64, f64)]) -> Farthest {
        of_bands(value, Some(bands), bands.len())
    }

    #[test]
    fn intervals_are_those_of_the_seats_that_may_be_the_farthest() {
        let clear = of(2.0, &[(1.5, 2.5), (-1.4, -0.6), (-1.4, -0.6)]);
        assert_eq!((clear.value.interval, &clear.may_be[..]), (Some((1.5, 2.5)), &[(0, 1.0)][..]));
        let open = of(0.1, &[(-0.2, 0.4), (-0.3, 0.2), (-0.4, 0.1)]);
        assert_eq!((open.value.interval, open.may_be.len()), (Some((0.0, 0.4)), 6));
        let unknown = of_bands(1.0, None, 2);
        assert_eq!((unknown.value.interval, unknown.may_be.len()), (None, 2));
        assert_eq!(always(&[Some(clear.clone()), Some(clear.clone())], 0..2), Some((0, 1.0)));
        assert_eq!(always(&[Some(clear), Some(open)], 0..2), None);
    }

    #[test]
    fn where_one_seat_is_the_farthest_the_difference_is_its_own() {
        let one = of(2.0, &[(1.5, 2.5), (-1.4, -0.6), (-1.4, -0.6)]);
        let other = of(1.0, &[(0.9, 1.1), (-0.6, -0.4), (-0.6, -0.4)]);
        let apart = |seat: usize| Some([(0.95, 1.05), (-0.7, -0.3), (-0.7, -0.3)][seat]);
        assert_eq!(one.less(&other, apart).interval, Some((0.95, 1.05)));
        assert_eq!(
            other.less(&one, |seat| apart(seat).map(|(low, high)| (-high, -low))).interval,
            Some((-1.05, -0.95))
        );
        // In a fair game, any seat may be the farthest, so the largest distance that the game may have
        // counts.
        let fair = of(0.1, &[(-0.2, 0.4), (-0.3, 0.2), (-0.4, 0.1)]);
        let apart = |seat: usize| Some([(1.7, 2.1), (-1.1, -0.7), (-1.1, -0.7)][seat]);
        assert_eq!(one.less(&fair, apart).interval, Some((1.1, 2.1)));
        assert_eq!(one.less(&other, |_| None).interval, None);
    }
}
