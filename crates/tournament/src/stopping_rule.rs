//! The rules of a config that may stop a run early. Their statistics are in the crate `stats`.

use overtrick_game::{FieldError, Options};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Format;

/// When a run stops, in each variant by itself. If both rules are set, the one that is met first stops it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct StoppingRule {
    /// Stop when, for every two bots, half the width of the 95% interval of their difference is at most this, in points
    /// a deal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub half_width: Option<f64>,
    /// Stop a duel when a sequential test has decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub test: Option<SequentialTest>,
}

/// A test of two hypotheses about a duel: the first bot is ahead of the second by `lower`, or by `upper`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct SequentialTest {
    /// The measure in which the two bounds are given.
    pub measure: Measure,
    /// The difference if H0 holds.
    pub lower: f64,
    /// The difference if H1 holds.
    pub upper: f64,
    /// The risk of accepting H1 where H0 holds.
    pub alpha: f64,
    /// The risk of accepting H0 where H1 holds.
    pub beta: f64,
}

/// The measure of a test's bounds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// The mean difference in points a deal (a match, in a tournament of matches).
    #[default]
    Points,
    /// The mean margin of a block over its standard deviation: how long a test takes depends on the bounds alone.
    Normalised,
}

impl Default for SequentialTest {
    fn default() -> SequentialTest {
        SequentialTest { measure: Measure::Points, lower: 0.0, upper: 0.0, alpha: 0.05, beta: 0.05 }
    }
}

fn refuse(key: &'static str, problem: &str) -> Result<(), FieldError> {
    Err(FieldError { key, problem: problem.to_owned() })
}

impl Options for StoppingRule {
    fn validate(&self) -> Result<(), FieldError> {
        if self.half_width.is_none() && self.test.is_none() {
            return refuse("", "says nothing; give `half-width` or `test`");
        }
        if self.half_width.is_some_and(|half_width| !(half_width > 0.0 && half_width.is_finite())) {
            return refuse("half-width", "must be a number of points above 0");
        }
        let Some(test) = self.test else { return Ok(()) };
        FieldError::check("test.lower", test.lower, -1e6..=1e6)?;
        FieldError::check("test.upper", test.upper, -1e6..=1e6)?;
        if test.lower >= test.upper {
            return refuse("test.upper", "must be above `lower`");
        }
        for (key, risk) in [("test.alpha", test.alpha), ("test.beta", test.beta)] {
            if !(1e-6..0.5).contains(&risk) {
                return refuse(key, "is a probability, from 0.000001 to below 0.5");
            }
        }
        Ok(())
    }
}

impl StoppingRule {
    /// The fewest groups of deals for a run that stops by `half-width`.
    ///
    /// With fewer groups, a run stops where the spread looks small by chance. With eight, 95% intervals cover
    /// the truth in 90% of the runs (docs/statistics.md).
    pub const FEWEST_GROUPS: usize = 32;

    /// Checks that the rule suits a format.
    ///
    /// # Errors
    /// Returns the key that does not suit it, and the reason.
    pub fn suits(&self, format: Format) -> Result<(), FieldError> {
        if self.test.is_some() && format != Format::Duel {
            return refuse("test", "a sequential test is of two bots; it needs format = \"duel\"");
        }
        if self.half_width.is_some() && format == Format::Mirror {
            return refuse("half-width", "is of differences between bots, and there are none in format = \"mirror\"");
        }
        Ok(())
    }
}
