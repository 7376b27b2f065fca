//! Numbers in tables, alone and with intervals.

use overtrick_ratings::Estimate;
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// A number that may be missing, rounded to six decimals in files.
#[derive(Clone, Copy, Debug, Default, PartialEq, JsonSchema)]
#[schemars(inline)]
pub struct Figure(pub Option<f64>);

impl Serialize for Figure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0 {
            Some(value) => serializer.serialize_f64(rounded(value)),
            None => serializer.serialize_none(),
        }
    }
}

/// Rounds a number as files have it.
fn rounded(value: f64) -> f64 {
    // Adding zero turns -0 into 0.
    (value * 1e6).round() / 1e6 + 0.0
}

impl Figure {
    /// Returns the number as files have it.
    pub fn rounded(self) -> Figure {
        Figure(self.0.map(rounded))
    }
}

impl From<f64> for Figure {
    fn from(value: f64) -> Figure {
        Figure(Some(value))
    }
}

impl From<Option<f64>> for Figure {
    fn from(value: Option<f64>) -> Figure {
        Figure(value)
    }
}

/// An estimate with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounded {
    /// The estimate.
    pub value: f64,
    /// Its standard error, if it is known.
    pub se: Option<f64>,
    /// The ends of its interval; `None` where too little is known for an interval.
    pub interval: Option<(f64, f64)>,
}

impl Bounded {
    /// Returns whether there is an interval and it excludes 0.
    pub fn excludes_zero(&self) -> bool {
        self.interval.is_some_and(|(low, high)| low > 0.0 || high < 0.0)
    }
}

/// A number with its 95% interval, as rows have it. In files it is several columns ([`rows!`](crate::rows!)).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Interval {
    /// The number, if it is known.
    pub value: Option<f64>,
    /// Its standard error, if it is known. Not all files have it.
    pub se: Option<f64>,
    /// The lower end of the interval; `None` without an interval.
    pub low: Option<f64>,
    /// The upper end of the interval; `None` without an interval.
    pub high: Option<f64>,
}

impl Interval {
    /// Builds a number without a standard error from itself and the ends of its interval.
    pub fn new(value: Option<f64>, ends: Option<(f64, f64)>) -> Interval {
        let (low, high) = ends.unzip();
        Interval { value, se: None, low, high }
    }

    /// Returns the lower and the upper end, if there is an interval.
    pub fn ends(&self) -> Option<(f64, f64)> {
        self.low.zip(self.high)
    }

    /// Returns whether 0 lies within the interval, or the interval is not known.
    pub fn may_be_zero(&self) -> bool {
        self.ends().is_none_or(|(low, high)| low <= 0.0 && high >= 0.0)
    }

    /// Returns the number and the ends of its interval as files have them.
    pub fn rounded(self) -> Interval {
        self.map(rounded)
    }

    /// Returns the interval of another figure, which rises with this one.
    pub fn map(self, figure: impl Fn(f64) -> f64) -> Interval {
        let [value, low, high] = [self.value, self.low, self.high].map(|end| end.map(&figure));
        Interval { value, se: None, low, high }
    }

    /// Returns the difference seen from the other side.
    pub fn turned(self) -> Interval {
        let [value, low, high] = [self.value, self.high, self.low].map(|end| end.map(|end| -end));
        Interval { value, low, high, ..self }
    }
}

impl From<Estimate> for Interval {
    fn from(estimate: Estimate) -> Interval {
        Interval { value: Some(estimate.mean), se: estimate.se, low: estimate.low(), high: estimate.high() }
    }
}

impl From<Bounded> for Interval {
    fn from(known: Bounded) -> Interval {
        Interval { se: known.se, ..Interval::new(Some(known.value), known.interval) }
    }
}

impl<T: Into<Interval>> From<Option<T>> for Interval {
    fn from(known: Option<T>) -> Interval {
        known.map(Into::into).unwrap_or_default()
    }
}
