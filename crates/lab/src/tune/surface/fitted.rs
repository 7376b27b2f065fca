//! The final results of a surface, with intervals over groups of deals.

use overtrick_stats::Estimate;
use overtrick_tournament::{Flaw, ensure};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Surface;
use crate::pairs::pairs;
use crate::tune::constants::{ROUNDING, TRIAL_GROUPS};
use crate::tune::quadratic::Quadratic;
use crate::tune::setting::Setting;

/// A value of the final fit, with the half-width of its 95% interval if it is known.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct FittedValue {
    /// The value.
    pub value: f64,
    /// The half-width.
    pub half_width: Option<f64>,
}

/// Two parameters that matter together.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[schemars(rename = "Interaction")]
pub struct Interaction<P> {
    /// Their keys.
    pub parameters: [P; 2],
    /// The points a deal between the corners of the region.
    #[schemars(with = "Option<f64>")]
    pub term: f64,
    /// Half the width of the 95% interval.
    #[schemars(with = "Option<f64>")]
    pub half_width: f64,
}

/// The results of the surface for a parameter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParameterOptimum {
    /// The 95% interval of the best coordinate, within the region, if it is known.
    pub interval: Option<(f64, f64)>,
    /// The loss in value at the ends of the region.
    ///
    /// It is the mean of both ends, with the other parameters at their best.
    pub worth: FittedValue,
}

/// The results of a fitted surface.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FittedSurface {
    /// The results by parameter.
    pub optima: Vec<ParameterOptimum>,
    /// The expected lead of the best point over the start.
    ///
    /// It is too high, because the best was chosen by the same deals.
    pub gain: FittedValue,
    /// The pairs of parameters that matter together, given by their indices.
    pub interactions: Vec<Interaction<usize>>,
}

impl FittedSurface {
    /// Checks that it has the results of this number of parameters.
    ///
    /// # Errors
    /// If it has not.
    pub(in crate::tune) fn check(&self, dimensions: usize) -> Result<(), Flaw> {
        let is_sound = self.optima.len() == dimensions
            && self.interactions.iter().all(|found| found.parameters[0] < found.parameters[1])
            && self.interactions.iter().all(|found| found.parameters[1] < dimensions);
        ensure(is_sound, "fitted surface does not fit its parameters")
    }
}

impl Surface {
    /// Returns the final results of the surface, with intervals over groups of deals.
    pub fn fitted(&self, start: &Setting) -> Option<FittedSurface> {
        let dimensions = self.best.len();
        let figures = self.figures_with_errors(start)?;
        let (best, rest) = figures.split_at(dimensions);
        let (worth, rest) = rest.split_at(dimensions);
        let (gain, products) = rest.split_first().expect("a gain after the worths");
        let mut optima = Vec::new();
        for axis in 0..dimensions {
            let (middle, half) = (self.region.middle[axis], self.region.half[axis]);
            let within = |coordinate: f64| coordinate.clamp(middle - half, middle + half);
            let FittedValue { value, half_width } = best[axis];
            optima.push(ParameterOptimum {
                interval: half_width.map(|error| (within(value - error), within(value + error))),
                worth: worth[axis],
            });
        }
        let mut interactions = Vec::new();
        for ((one, other), &FittedValue { value: term, half_width }) in pairs(dimensions).zip(products) {
            if let Some(half_width) = half_width.filter(|half_width| term.abs() > *half_width) {
                interactions.push(Interaction { parameters: [one, other], term, half_width });
            }
        }
        Some(FittedSurface { optima, gain: *gain, interactions })
    }

    /// Returns the figures of the final fit.
    ///
    /// For the half-widths, the fit is repeated without each group of deals (the jackknife: Efron & Stein
    /// 1981, *Annals of Statistics* 9).
    fn figures_with_errors(&self, start: &Setting) -> Option<Vec<FittedValue>> {
        let values = self.figures(&self.final_fit(None)?, start);
        let mut parts = Vec::new();
        for group in 0..TRIAL_GROUPS {
            parts.extend(self.final_fit(Some(group)).map(|fit| self.figures(&fit, start)));
        }
        let groups = parts.len() as f64;
        let numbers = self.trials.iter().map(|trial| trial.numbers).sum();
        let with_error = |(at, &value): (usize, &f64)| {
            let mean = parts.iter().map(|part| part[at]).sum::<f64>() / groups;
            let squares = parts.iter().map(|part| (part[at] - mean).powi(2)).sum::<f64>();
            // A value that all groups agree on has no error except rounding.
            let se = (squares * (groups - 1.0) / groups).sqrt();
            let se = if se > ROUNDING { se } else { 0.0 };
            let half_width = Estimate::from_groups(value, Some(se), parts.len()).if_known(numbers).half_width;
            FittedValue { value, half_width }
        };
        Some(values.iter().enumerate().map(with_error).collect())
    }

    /// Returns the figures of a fit in a row.
    ///
    /// They are the best coordinate by parameter, the worth by parameter, the gain, and by pair of parameters the
    /// term of their product between the corners of the region.
    fn figures(&self, fit: &Quadratic, start: &Setting) -> Vec<f64> {
        let mut figures = fit.best(&[&self.best]);
        figures.extend((0..self.best.len()).map(|axis| self.worth(fit, axis)));
        figures.push(fit.value(&self.best) - fit.value(start));
        figures.extend(fit.products().iter().map(|term| 4.0 * term));
        figures
    }

    /// Returns the mean loss at both ends of the region on an axis.
    fn worth(&self, fit: &Quadratic, axis: usize) -> f64 {
        let [low, high] = [-1.0, 1.0].map(|side| {
            let mut point = self.best.to_vec();
            point[axis] = self.region.middle[axis] + side * self.region.half[axis];
            fit.value(&self.best) - fit.value(&point)
        });
        (low + high) / 2.0
    }
}
