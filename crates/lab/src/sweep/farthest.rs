//! The seat that is farthest from the mean of all seats.
//!
//! Noise influences which seat that is, so the largest estimate is too large on average. The value is
//! therefore corrected ([`Largest`]). The intervals of all seats hold at once. The interval of the farthest
//! seat is the range that they leave open, over all seats that may be the farthest.

use overtrick_stats::{Bounded, Largest};

use super::by_point::ByPoint;

/// A seat on one side of the mean.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeatSide {
    pub seat: usize,
    /// 1 above the mean, -1 below.
    pub sign: f64,
}

impl SeatSide {
    /// Returns the interval of the seat's distance on this side, from the interval of its value.
    pub fn turned(self, (low, high): (f64, f64)) -> (f64, f64) {
        if self.sign > 0.0 { (low, high) } else { (-high, -low) }
    }
}

/// The farthest seat at a point.
#[derive(Clone, Debug)]
pub struct Farthest {
    /// Its distance from the mean.
    pub value: Bounded,
    /// The seats that may be the farthest, each with the side on which it would be.
    pub may_be: Vec<SeatSide>,
}

/// Returns the farthest of these seats, by point.
///
/// `values` and `bands` have the estimates and their intervals, by seat and point. There is at least one seat.
pub fn farthest(values: &[&ByPoint], bands: &[&Vec<Option<Bounded>>], seed: u64, name: &str) -> Vec<Option<Farthest>> {
    let points = values[0].len();
    let Some(any) = values.iter().flat_map(|by_point| by_point.iter().flatten()).next() else {
        return vec![None; points];
    };
    let largest = Largest::new(any.groups(), seed, name);
    (0..points).map(|point| farthest_at(point, values, bands, &largest)).collect()
}

/// Returns the farthest seat at a point; `None` if a seat has no estimate there.
fn farthest_at(
    point: usize,
    values: &[&ByPoint],
    bands: &[&Vec<Option<Bounded>>],
    largest: &Largest,
) -> Option<Farthest> {
    let (mut estimates, mut intervals) = (Vec::new(), Vec::new());
    for (by_point, bands) in values.iter().zip(bands) {
        estimates.push(by_point[point].as_ref()?);
        if let Some(Bounded { interval: Some(interval), .. }) = bands[point] {
            intervals.push(interval);
        }
    }
    let value = largest.of(&estimates)?;
    if intervals.len() < values.len() {
        return Some(Farthest { value: Bounded { value, se: None, interval: None }, may_be: sides(values.len()) });
    }
    Some(of_intervals(value, &intervals))
}

/// Returns the farthest seat, from its value and the intervals of all seats.
fn of_intervals(value: f64, intervals: &[(f64, f64)]) -> Farthest {
    let mut least = 0.0_f64;
    for &(low, high) in intervals {
        least = least.max(low.max(-high).max(0.0));
    }
    let (mut may_be, mut most) = (Vec::new(), least);
    for side in sides(intervals.len()) {
        let (_, high) = side.turned(intervals[side.seat]);
        if high >= least {
            may_be.push(side);
            most = most.max(high);
        }
    }
    Farthest { value: Bounded { value: value.clamp(least, most), se: None, interval: Some((least, most)) }, may_be }
}

/// Returns the sides on which one of `seats` seats can be the farthest.
fn sides(seats: usize) -> Vec<SeatSide> {
    // With two seats, one is as far above the mean as the other is below.
    let counted = if seats == 2 { 1 } else { seats };
    let mut sides = Vec::with_capacity(2 * counted);
    for seat in 0..counted {
        sides.extend([1.0, -1.0].map(|sign| SeatSide { seat, sign }));
    }
    sides
}

impl Farthest {
    /// Returns how much farther this seat is than another point's farthest seat.
    ///
    /// `interval_of_seat` gives the interval of a seat's difference between the points. The result is at most
    /// the difference of the seat that is farthest here. At the other point, the farthest seat is at least as
    /// far out as that seat. The same holds the other way round.
    pub fn less(&self, other: &Farthest, interval_of_seat: impl Fn(usize) -> Option<(f64, f64)>) -> Bounded {
        let value = self.value.value - other.value.value;
        // The corrections of both values may put their difference outside the range that the seats leave
        // open.
        let interval = self.interval_less(other, interval_of_seat).map(|(low, high)| (low.min(value), high.max(value)));
        Bounded { value, se: None, interval }
    }

    /// Returns the range that the seats leave open for the difference to another point's farthest seat.
    fn interval_less(
        &self,
        other: &Farthest,
        interval_of_seat: impl Fn(usize) -> Option<(f64, f64)>,
    ) -> Option<(f64, f64)> {
        let (own, theirs) = (self.value.interval?, other.value.interval?);
        let (_, high) = hull(&self.may_be, &interval_of_seat)?;
        let (low, _) = hull(&other.may_be, &interval_of_seat)?;
        Some((low.max(own.0 - theirs.1), high.min(own.1 - theirs.0)))
    }

    /// Returns whether the interval of the difference to another point's farthest seat may exclude 0.
    ///
    /// By seat, `signs` has the side on which the interval of the seat's difference may lie: 1 above, -1
    /// below, 0 if it contains 0.
    pub fn may_differ(&self, other: &Farthest, signs: &[f64]) -> bool {
        let (Some(own), Some(theirs)) = (self.value.interval, other.value.interval) else { return false };
        own.0 > theirs.1
            || own.1 < theirs.0
            || other.may_be.iter().all(|side| side.sign * signs[side.seat] > 0.0)
            || self.may_be.iter().all(|side| side.sign * signs[side.seat] < 0.0)
    }
}

/// Returns the smallest interval that contains the intervals of all these sides.
///
/// `None` if there is no side, or if an interval is not known.
fn hull(sides: &[SeatSide], interval_of_seat: impl Fn(usize) -> Option<(f64, f64)>) -> Option<(f64, f64)> {
    let mut hull: Option<(f64, f64)> = None;
    for side in sides {
        let (low, high) = side.turned(interval_of_seat(side.seat)?);
        hull = match hull {
            Some((least, most)) => Some((least.min(low), most.max(high))),
            None => Some((low, high)),
        };
    }
    hull
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

    #[test]
    fn intervals_are_those_of_the_seats_that_may_be_the_farthest() {
        let first = SeatSide { seat: 0, sign: 1.0 };
        let clear = of_intervals(2.0, &[(1.5, 2.5), (-1.4, -0.6), (-1.4, -0.6)]);
        assert_eq!((clear.value.interval, &clear.may_be[..]), (Some((1.5, 2.5)), &[first][..]));
        let open = of_intervals(0.1, &[(-0.2, 0.4), (-0.3, 0.2), (-0.4, 0.1)]);
        assert_eq!((open.value.interval, open.may_be.len()), (Some((0.0, 0.4)), 6));
        assert_eq!(sides(2), [first, SeatSide { seat: 0, sign: -1.0 }]);
        assert_eq!(always(&[Some(clear.clone()), Some(clear.clone())], 0..2), Some(first));
        assert_eq!(always(&[Some(clear), Some(open)], 0..2), None);
    }

    #[test]
    fn where_one_seat_is_the_farthest_the_difference_is_its_own() {
        let one = of_intervals(2.0, &[(1.5, 2.5), (-1.4, -0.6), (-1.4, -0.6)]);
        let other = of_intervals(1.0, &[(0.9, 1.1), (-0.6, -0.4), (-0.6, -0.4)]);
        let interval_of_seat = |seat: usize| Some([(0.95, 1.05), (-0.7, -0.3), (-0.7, -0.3)][seat]);
        assert_eq!(one.less(&other, interval_of_seat).interval, Some((0.95, 1.05)));
        assert_eq!(
            other.less(&one, |seat| interval_of_seat(seat).map(|(low, high)| (-high, -low))).interval,
            Some((-1.05, -0.95))
        );
        // In a fair game, any seat may be the farthest, so the largest distance that the game may have
        // counts.
        let fair = of_intervals(0.1, &[(-0.2, 0.4), (-0.3, 0.2), (-0.4, 0.1)]);
        let interval_of_seat = |seat: usize| Some([(1.7, 2.1), (-1.1, -0.7), (-1.1, -0.7)][seat]);
        assert_eq!(one.less(&fair, interval_of_seat).interval, Some((1.1, 2.1)));
        assert_eq!(one.less(&other, |_| None).interval, None);
    }
}
