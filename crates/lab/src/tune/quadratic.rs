//! A quadratic fitted to trials.
//!
//! It gives the worth of each parameter near the best, and the best point.
//!
//! Box & Wilson (1951), "On the experimental attainment of optimum conditions", *Journal of the Royal
//! Statistical Society B* 13. A trial gives the difference of two values, so the quadratic has no constant.
//! Where trials say little, products of two parameters are drawn towards zero, and curvatures towards their
//! mean. They are drawn the more, the less they scatter beyond their errors (empirical Bayes: Efron & Morris
//! 1973).

use std::ops::Range;

use nalgebra::{Cholesky, DMatrix, DVector};
use overtrick_tournament::{Flaw, ensure};

use super::constants::{COMMON_DEALS, LEAST_DENSITY, LEAST_ROWS};
use super::trial::TuneTrial;
use crate::pairs::pairs;

/// A box in the space of parameters.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Region {
    /// By dimension: the middle.
    pub middle: Vec<f64>,
    /// By dimension: half the width.
    pub half: Vec<f64>,
}

impl Region {
    /// Returns the box around `middle` with these half-widths, moved so that it lies in the cube.
    ///
    /// Half-widths are at most 0.5.
    pub fn around(middle: &[f64], half: &[f64]) -> Region {
        let middle = middle.iter().zip(half).map(|(at, &half)| at.clamp(half, 1.0 - half)).collect();
        Region { middle, half: half.to_vec() }
    }

    /// Checks that it is a box of this number of dimensions in the cube, except for rounding.
    ///
    /// # Errors
    /// If it is not.
    pub(super) fn check(&self, dimensions: usize) -> Result<(), Flaw> {
        let is_inside = |(middle, half): (&f64, &f64)| {
            (1e-3..=0.5).contains(half) && (half - 1e-9..=1.0 - half + 1e-9).contains(middle)
        };
        let has_dimensions = self.middle.len() == dimensions && self.half.len() == dimensions;
        let is_sound = has_dimensions && self.middle.iter().zip(&self.half).all(is_inside);
        ensure(is_sound, "region lies outside of the parameters' ranges")
    }

    /// Returns the coordinates of a point within the box, from -1 to 1 in each dimension.
    fn relative(&self, point: &[f64]) -> Vec<f64> {
        let coordinate = |(x, (middle, half)): (&f64, (&f64, &f64))| (x - middle) / half.max(1e-9);
        point.iter().zip(self.middle.iter().zip(&self.half)).map(coordinate).collect()
    }

    /// Returns the point with these coordinates within the box.
    pub fn absolute(&self, relative: &[f64]) -> Vec<f64> {
        let point = |(z, (middle, half)): (&f64, (&f64, &f64))| middle + z * half;
        relative.iter().zip(self.middle.iter().zip(&self.half)).map(point).collect()
    }

    /// Returns the point on the other side of the middle.
    pub fn mirrored(&self, point: &[f64]) -> Vec<f64> {
        self.middle.iter().zip(point).map(|(middle, x)| 2.0 * middle - x).collect()
    }

    /// Returns whether a point lies within the box, or outside by at most `more` half-widths.
    fn is_near(&self, point: &[f64], more: f64) -> bool {
        self.relative(point).iter().all(|z| z.abs() <= 1.0 + more)
    }
}

/// A quadratic over a region.
#[derive(Clone, Debug)]
pub struct Quadratic {
    region: Region,
    /// The linear terms, the squares, and then the products in the order of their pairs.
    terms: Vec<f64>,
    /// The standard errors of the terms, as if all margins were independent.
    errors: Vec<f64>,
    /// The distance of the margins from the quadratic beyond their errors, in standard errors.
    pub misfit: f64,
}

fn features(relative: &[f64]) -> Vec<f64> {
    let squares = relative.iter().map(|z| z * z);
    let products = pairs(relative.len()).map(|(a, b)| relative[a] * relative[b]);
    relative.iter().copied().chain(squares).chain(products).collect()
}

/// A trial as an equation for the terms.
#[derive(Clone, Debug)]
struct Equation {
    /// The features of its setting, less the features of the setting that it met.
    difference: DVector<f64>,
    margin: f64,
    weight: f64,
}

/// Returns the features of a trial's setting, less the features of the setting that it met.
fn difference(region: &Region, trial: &TuneTrial) -> DVector<f64> {
    let [own, other] = [&trial.point, &trial.incumbent].map(|point| features(&region.relative(point)));
    DVector::from_iterator(own.len(), own.iter().zip(&other).map(|(a, b)| a - b))
}

impl Quadratic {
    /// Fits the quadratic to the trials in and near a region.
    ///
    /// The deals of a group are left out, if it is given. `None` if there are no differences to fit.
    pub fn fit(region: &Region, trials: &[TuneTrial], without: Option<usize>) -> Option<Quadratic> {
        let near = |trial: &&TuneTrial| region.is_near(&trial.point, 1.0) && region.is_near(&trial.incumbent, 1.0);
        let used: Vec<&TuneTrial> = trials.iter().filter(near).collect();
        let variances = variances(&used);
        let mut rows = Vec::new();
        for (trial, variance) in used.iter().zip(variances) {
            let (sum, count) = trial.without(without);
            let difference = difference(region, trial);
            if count > 0.0 && difference.iter().any(|x| *x != 0.0) {
                rows.push(Equation { difference, margin: sum / count, weight: count / variance });
            }
        }
        let mut fit = Quadratic::solved(region, &rows)?.falling();
        let squares: f64 = rows.iter().map(|row| row.weight * fit.left_over(row).powi(2)).sum();
        // Terms that were drawn to zero take no degrees of freedom. None are subtracted, so the misfit is
        // rather too low.
        let free = rows.len() as f64;
        fit.misfit = (squares - free) / (2.0 * free).sqrt();
        Some(fit)
    }

    /// Returns the quadratic for values that are known to fall to both sides, as near the best.
    ///
    /// Each curvature becomes its mean, given that it is below zero.
    pub fn falling(mut self) -> Quadratic {
        let dimensions = self.region.middle.len();
        let curvatures = self.terms.iter_mut().zip(&self.errors).skip(dimensions).take(dimensions);
        curvatures.for_each(|(term, error)| *term = mean_below_zero(*term, *error));
        self
    }

    /// Fits the quadratic to all trials by their nearness, and returns it with the excess variance.
    ///
    /// A trial counts less the farther it lies from the middle of a region. Its weight is a normal density of
    /// the root mean square of its coordinates in half-widths. This is local regression (Cleveland & Devlin
    /// 1988, *Journal of the American Statistical Association* 83). The deals of a group are left out, if it
    /// is given. The excess variance is the scatter of margins around the quadratic beyond their errors.
    /// `None` if there are too few trials.
    pub fn local(region: &Region, trials: &[TuneTrial], without: Option<usize>) -> Option<(Quadratic, f64)> {
        let all: Vec<&TuneTrial> = trials.iter().collect();
        let dimensions = region.middle.len() as f64;
        let far = |point: &[f64]| region.relative(point).iter().map(|z| z * z).sum::<f64>() / dimensions;
        let density = |trial: &TuneTrial| libm::exp(-0.5 * far(&trial.point).max(far(&trial.incumbent)));
        // By row: its density and its squared error.
        let (mut rows, mut densities, mut errors) = (Vec::new(), Vec::new(), Vec::new());
        for (trial, variance) in trials.iter().zip(variances(&all)) {
            let (density, (sum, count)) = (density(trial), trial.without(without));
            let difference = difference(region, trial);
            if count > 0.0 && density > LEAST_DENSITY && difference.iter().any(|x| *x != 0.0) {
                let error = variance / count;
                rows.push(Equation { difference, margin: sum / count, weight: density / error });
                densities.push(density);
                errors.push(error);
            }
        }
        let sum: f64 = densities.iter().sum();
        let effective = sum * sum / densities.iter().map(|density| density * density).sum::<f64>();
        let terms = rows.first()?.difference.len() as f64;
        if effective < LEAST_ROWS * terms {
            return None;
        }
        let fitted = |rows: &[Equation]| {
            let fit = Quadratic::solved(region, rows)?;
            let left: f64 =
                rows.iter().zip(&densities).map(|(row, density)| density * fit.left_over(row).powi(2)).sum();
            let explained: f64 = densities.iter().zip(&errors).map(|(density, error)| density * error).sum();
            let excess = (left * effective / (effective - terms) - explained) / sum;
            Some((fit, excess.max(0.0)))
        };
        // Scatter that is not chance makes weights more alike.
        let (_, excess) = fitted(&rows)?;
        for (row, (density, error)) in rows.iter_mut().zip(densities.iter().zip(&errors)) {
            row.weight = density / (error + excess);
        }
        fitted(&rows)
    }

    /// Returns the terms that fit weighted rows best.
    fn solved(region: &Region, rows: &[Equation]) -> Option<Quadratic> {
        let dimensions = region.middle.len();
        let total: f64 = rows.iter().map(|row| row.weight).sum();
        let scale = rows.iter().map(|row| row.margin * row.margin * row.weight).sum::<f64>() / total;
        if rows.is_empty() || scale <= 0.0 {
            return None;
        }
        let count = rows[0].difference.len();
        let (mut normal, mut right) = (DMatrix::zeros(count, count), DVector::zeros(count));
        for row in rows {
            normal.ger(row.weight, &row.difference, &row.difference, 1.0);
            right.axpy(row.margin * row.weight, &row.difference, 1.0);
        }
        let weak = DMatrix::identity(count, count) / (100.0 * scale);
        let (terms, errors) = solve(&normal + &weak, &right)?;
        let (terms, errors) = solve(normal + weak + precision(&terms, &errors, dimensions, scale), &right)?;
        Some(Quadratic { region: region.clone(), terms, errors, misfit: 0.0 })
    }

    /// Returns how far a row's margin is above the quadratic.
    fn left_over(&self, row: &Equation) -> f64 {
        row.margin - row.difference.iter().zip(&self.terms).map(|(x, term)| x * term).sum::<f64>()
    }

    /// Returns the value of a point, less the value of the middle of the region.
    pub fn value(&self, point: &[f64]) -> f64 {
        features(&self.region.relative(point)).iter().zip(&self.terms).map(|(x, term)| x * term).sum()
    }

    /// Returns the term of a dimension's square, per squared half-width of the region, with its error.
    pub fn curvature(&self, dimension: usize) -> (f64, f64) {
        let at = self.region.middle.len() + dimension;
        (self.terms[at], self.errors[at])
    }

    /// Returns the terms of the products by pair of dimensions, per product of half-widths.
    pub fn products(&self) -> &[f64] {
        &self.terms[2 * self.region.middle.len()..]
    }

    /// Returns the best point of the region, searched from its middle and from `starts`.
    pub fn best(&self, starts: &[&[f64]]) -> Vec<f64> {
        let middle = self.region.middle.clone();
        let starts = starts.iter().map(|start| start.to_vec()).chain([middle]);
        let ascended = starts.map(|start| {
            let mut relative: Vec<f64> = self.region.relative(&start).iter().map(|z| z.clamp(-1.0, 1.0)).collect();
            for _ in 0..200 {
                let before = relative.clone();
                (0..relative.len()).for_each(|dimension| relative[dimension] = self.best_along(&relative, dimension));
                if before.iter().zip(&relative).all(|(a, b)| (a - b).abs() < 1e-9) {
                    break;
                }
            }
            self.region.absolute(&relative)
        });
        // Among equals the first is kept, so that parameters without effect stay where they are.
        let better = |best: Vec<f64>, other: Vec<f64>| {
            if self.value(&other) > self.value(&best) + 1e-12 { other } else { best }
        };
        ascended.reduce(better).expect("at least the middle")
    }

    /// Returns the best coordinate in one dimension, given the others.
    fn best_along(&self, relative: &[f64], dimension: usize) -> f64 {
        let n = relative.len();
        let mut by_others = 0.0;
        for ((one, other), term) in pairs(n).zip(self.products()) {
            if one == dimension {
                by_others += term * relative[other];
            } else if other == dimension {
                by_others += term * relative[one];
            }
        }
        let slope = self.terms[dimension] + by_others;
        let square = self.terms[n + dimension];
        let value = |z: f64| slope * z + square * z * z;
        if square < 0.0 {
            return (-slope / (2.0 * square)).clamp(-1.0, 1.0);
        }
        [relative[dimension], -1.0, 1.0]
            .into_iter()
            .reduce(|a, b| if value(b) > value(a) { b } else { a })
            .expect("three")
    }
}

/// Returns the variance of the margin of each trial.
///
/// It is the trial's own variance, drawn towards a common variance that grows with the distance of the
/// settings, since few deals say little.
fn variances(trials: &[&TuneTrial]) -> Vec<f64> {
    let all: f64 = trials.iter().map(|trial| trial.variance).sum();
    let distances: f64 = trials.iter().map(|trial| trial.distance()).sum();
    let slope = all / distances.max(1e-9);
    let mean = all / trials.len().max(1) as f64;
    let variance = |trial: &&TuneTrial| {
        let (own, common) = (trial.numbers as f64, slope * trial.distance());
        ((own * trial.variance + COMMON_DEALS * common) / (own + COMMON_DEALS)).max(1e-3 * mean).max(1e-12)
    };
    trials.iter().map(variance).collect()
}

/// Returns the terms with the largest posterior density, and their standard errors.
fn solve(matrix: DMatrix<f64>, right: &DVector<f64>) -> Option<(Vec<f64>, Vec<f64>)> {
    let cholesky = Cholesky::new(matrix)?;
    let terms = cholesky.solve(right);
    let errors = cholesky.inverse().diagonal().map(|variance| variance.max(0.0).sqrt());
    Some((terms.as_slice().to_vec(), errors.as_slice().to_vec()))
}

/// Returns the variance of some terms around their mean that their errors do not explain.
///
/// A scatter of the squared errors by one standard deviation counts as explained, too.
fn beyond(terms: &[f64], errors: &[f64], which: Range<usize>, mean: f64) -> f64 {
    let count = which.len() as f64;
    let squares: f64 = which.clone().map(|at| (terms[at] - mean).powi(2)).sum();
    let explained: f64 = which.map(|at| errors[at] * errors[at]).sum();
    ((squares - explained * (1.0 + (2.0 / count).sqrt())) / count).max(0.0)
}

/// Returns the mean of a normal distribution, given that it is below zero.
fn mean_below_zero(mean: f64, deviation: f64) -> f64 {
    let z = -mean / deviation;
    let density = libm::exp(-z * z / 2.0) / std::f64::consts::TAU.sqrt();
    let below = libm::erfc(-z / std::f64::consts::SQRT_2) / 2.0;
    // Far out, both are tiny, and their ratio is about -z.
    if z < -6.0 { -deviation / -z } else { mean - deviation * density / below }
}

/// Returns the precision (inverse covariance) of the priors.
///
/// Squares scatter around an unknown mean, and products around zero, both by the part that their errors do
/// not explain.
fn precision(terms: &[f64], errors: &[f64], dimensions: usize, scale: f64) -> DMatrix<f64> {
    let mut precision = DMatrix::zeros(terms.len(), terms.len());
    if dimensions == 1 {
        return precision;
    }
    let (squares, products) = (dimensions..2 * dimensions, 2 * dimensions..terms.len());
    let weight: f64 = squares.clone().map(|at| 1.0 / (errors[at] * errors[at])).sum();
    let mean = squares.clone().map(|at| terms[at] / (errors[at] * errors[at])).sum::<f64>() / weight;
    let variance = beyond(terms, errors, squares.clone(), mean).max(0.04 * mean * mean) + 1e-9 * scale;
    for a in squares.clone() {
        for b in squares.clone() {
            precision[(a, b)] = (f64::from(u8::from(a == b)) - 1.0 / dimensions as f64) / variance;
        }
    }
    let variance = beyond(terms, errors, products.clone(), 0.0) + 1e-9 * scale;
    products.for_each(|at| precision[(at, at)] = 1.0 / variance);
    precision
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tune::random::{normal, stream, uniform};

    /// Returns trials of random points against the middle, with margins of 400 deals each.
    fn trials(value: impl Fn(&[f64]) -> f64, dimensions: usize, count: u64, deviation: f64) -> Vec<TuneTrial> {
        let middle = vec![0.5; dimensions];
        (0..count)
            .map(|number| {
                let mut stream = stream(3, "test quadratic", number);
                let point: Vec<f64> = (0..dimensions).map(|_| uniform(&mut stream)).collect();
                let mean = value(&point) - value(&middle);
                let margins: Vec<f64> = (0..400).map(|_| mean + deviation * normal(&mut stream)).collect();
                TuneTrial::new(&point.into(), &middle.clone().into(), &margins)
            })
            .collect()
    }

    #[test]
    fn a_quadratic_is_found_again() {
        let value = |x: &[f64]| -(x[0] - 0.4).powi(2) - 2.0 * (x[1] - 0.7).powi(2) + 0.8 * x[0] * x[1];
        let all = Region::around(&[0.5, 0.5], &[0.5, 0.5]);
        let fit = Quadratic::fit(&all, &trials(value, 2, 60, 0.02), None).unwrap();
        // In half-widths: a quarter of -1, -2 and 0.8.
        assert!((fit.curvature(0).0 + 0.25).abs() < 0.01 && (fit.curvature(1).0 + 0.5).abs() < 0.01);
        assert!((fit.products()[0] - 0.2).abs() < 0.01);
        let best = fit.best(&[]);
        assert!((best[0] - 0.738).abs() < 0.02 && (best[1] - 0.848).abs() < 0.02, "{best:?}");
    }

    #[test]
    fn a_local_fit_says_how_far_values_lie_off_it() {
        let all = Region::around(&[0.5, 0.5], &[0.5, 0.5]);
        let bent = |x: &[f64]| -(x[0] - 0.4).powi(2) - 2.0 * (x[1] - 0.7).powi(2);
        let (fit, excess) = Quadratic::local(&all, &trials(bent, 2, 200, 0.2), None).unwrap();
        assert!((fit.value(&[0.4, 0.7]) - fit.value(&[0.2, 0.7]) - 0.04).abs() < 0.01);
        // Squared errors are 0.0001, and deviations of 0.1 to either side stand out from them.
        assert!(excess < 3e-5, "{excess}");
        let off = |x: &[f64]| bent(x) + if (97.0 * x[0] + 89.0 * x[1]) as i64 % 2 == 0 { 0.1 } else { -0.1 };
        let (_, excess) = Quadratic::local(&all, &trials(off, 2, 200, 0.2), None).unwrap();
        assert!((0.006..0.014).contains(&excess), "{excess}");
        assert!(Quadratic::local(&all, &trials(bent, 2, 5, 0.2), None).is_none());
    }

    #[test]
    fn the_best_of_a_slope_is_at_the_border_and_what_does_not_matter_stays() {
        let value = |x: &[f64]| x[0];
        let all = Region::around(&[0.5, 0.5], &[0.5, 0.5]);
        let fit = Quadratic::fit(&all, &trials(value, 2, 60, 0.0), None).unwrap();
        let best = fit.best(&[&[0.3, 0.5]]);
        assert!((best[0] - 1.0).abs() < 1e-6 && (best[1] - 0.5).abs() < 0.01, "{best:?}");
        assert!(Quadratic::fit(&all, &trials(|_| 0.0, 2, 60, 0.0), None).is_none());
    }
}
