//! Intervals of integers, and the arithmetic on them.

/// The largest absolute value of a step of an expression: 2^30.
///
/// Sums and differences of two such values, and their negatives, fit 32 bits.
pub const LIMIT: i64 = 1 << 30;

/// All integers from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IntegerInterval {
    /// The lowest value.
    pub low: i64,
    /// The highest value, at least `low`.
    pub high: i64,
}

impl IntegerInterval {
    /// The values of a condition: 0 and 1.
    pub const CONDITION: IntegerInterval = IntegerInterval { low: 0, high: 1 };

    /// Makes the interval from `low` to `high`.
    pub fn new(low: impl Into<i64>, high: impl Into<i64>) -> IntegerInterval {
        let (low, high) = (low.into(), high.into());
        debug_assert!(low <= high);
        IntegerInterval { low, high }
    }

    /// Makes the interval of one value.
    pub fn of(value: impl Into<i64>) -> IntegerInterval {
        let value = value.into();
        IntegerInterval { low: value, high: value }
    }

    /// Makes the interval of the truth values for which a condition may hold or not.
    fn truth(can_hold: bool, can_fail: bool) -> IntegerInterval {
        IntegerInterval::new(!can_fail, can_hold)
    }

    /// Returns whether a value lies in the interval.
    pub fn contains(self, value: i64) -> bool {
        (self.low..=self.high).contains(&value)
    }

    /// Returns the value of an interval that has one.
    pub fn only(self) -> Option<i64> {
        (self.low == self.high).then_some(self.low)
    }

    /// Returns the end with the larger absolute value.
    pub fn farthest(self) -> i64 {
        if self.low.abs() > self.high.abs() { self.low } else { self.high }
    }

    /// Returns whether every value is within [`LIMIT`].
    pub fn fits(self) -> bool {
        self.farthest().abs() <= LIMIT
    }

    /// Returns the smallest interval with all values of both.
    pub fn or(self, other: IntegerInterval) -> IntegerInterval {
        IntegerInterval { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    pub(super) fn plus(self, other: IntegerInterval) -> IntegerInterval {
        IntegerInterval { low: self.low + other.low, high: self.high + other.high }
    }

    pub(super) fn minus(self, other: IntegerInterval) -> IntegerInterval {
        IntegerInterval { low: self.low - other.high, high: self.high - other.low }
    }

    pub(super) fn times(self, other: IntegerInterval) -> IntegerInterval {
        let ends = [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        ends.into_iter().map(IntegerInterval::of).reduce(IntegerInterval::or).unwrap_or(self)
    }

    /// Returns the quotients by positive divisors, rounded down.
    pub(super) fn div(self, divisor: IntegerInterval) -> IntegerInterval {
        let ends = [self.low, self.high].map(|end| {
            IntegerInterval::of(end.div_euclid(divisor.low)).or(IntegerInterval::of(end.div_euclid(divisor.high)))
        });
        ends[0].or(ends[1])
    }

    /// Returns the remainders by positive divisors.
    pub(super) fn modulo(self, divisor: IntegerInterval) -> IntegerInterval {
        // No remainder is taken where all values are below the divisors.
        if self.low >= 0 && self.high < divisor.low {
            return self;
        }
        IntegerInterval { low: 0, high: divisor.high - 1 }
    }

    pub(super) fn abs(self) -> IntegerInterval {
        let low = if self.contains(0) { 0 } else { self.low.abs().min(self.high.abs()) };
        IntegerInterval { low, high: self.farthest().abs() }
    }

    pub(super) fn min(self, other: IntegerInterval) -> IntegerInterval {
        IntegerInterval { low: self.low.min(other.low), high: self.high.min(other.high) }
    }

    pub(super) fn max(self, other: IntegerInterval) -> IntegerInterval {
        IntegerInterval { low: self.low.max(other.low), high: self.high.max(other.high) }
    }

    pub(super) fn negative(self) -> IntegerInterval {
        IntegerInterval { low: -self.high, high: -self.low }
    }

    pub(super) fn not(self) -> IntegerInterval {
        IntegerInterval::of(1).minus(self)
    }

    pub(super) fn less(self, other: IntegerInterval) -> IntegerInterval {
        IntegerInterval::truth(self.low < other.high, self.high >= other.low)
    }

    pub(super) fn equal(self, other: IntegerInterval) -> IntegerInterval {
        let can_hold = self.low <= other.high && other.low <= self.high;
        let can_fail = self.only().is_none() || self.only() != other.only();
        IntegerInterval::truth(can_hold, can_fail)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every result of two values of small intervals lies in the interval of the results, and both its ends are
    /// reached where the operation is monotone.
    #[test]
    fn intervals_hold_all_results() {
        let ends = || (-4i64..=4).flat_map(|low| (low..=4).map(move |high| IntegerInterval::new(low, high)));
        type OfIntervals = fn(IntegerInterval, IntegerInterval) -> IntegerInterval;
        type OfValues = fn(i64, i64) -> i64;
        let exact: [(OfIntervals, OfValues); 5] = [
            (IntegerInterval::plus, |a, b| a + b),
            (IntegerInterval::minus, |a, b| a - b),
            (IntegerInterval::times, |a, b| a * b),
            (IntegerInterval::less, |a, b| i64::from(a < b)),
            (IntegerInterval::equal, |a, b| i64::from(a == b)),
        ];
        let positive: [(OfIntervals, OfValues); 2] =
            [(IntegerInterval::div, i64::div_euclid), (IntegerInterval::modulo, i64::rem_euclid)];
        for a in ends() {
            for b in ends() {
                let results = |by: OfValues| {
                    let all = (a.low..=a.high).flat_map(|x| (b.low..=b.high).map(move |y| by(x, y)));
                    all.map(IntegerInterval::of).reduce(IntegerInterval::or).unwrap()
                };
                for (of_intervals, of_values) in exact {
                    assert_eq!(of_intervals(a, b), results(of_values), "{a:?} {b:?}");
                }
                for (of_intervals, of_values) in positive.into_iter().filter(|_| b.low > 0) {
                    let (found, real) = (of_intervals(a, b), results(of_values));
                    assert_eq!(found.or(real), found, "{a:?} {b:?}");
                }
                if b.low > 0 {
                    assert_eq!(a.div(b), results(i64::div_euclid));
                }
            }
            let one = (a.low..=a.high).map(|x| IntegerInterval::of(x.abs())).reduce(IntegerInterval::or).unwrap();
            assert_eq!((a.abs(), a.negative().negative()), (one, a));
        }
    }
}
