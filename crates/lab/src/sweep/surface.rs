//! The effects of many axes: a quadratic surface fitted to the points.
//!
//! Box & Wilson (1951), "On the experimental attainment of optimum conditions", *Journal of the Royal Statistical
//! Society B* 13. An effect is a weighted sum of the measures at all points, so its error comes from the same deals.
//!
//! Tuning fits differences of noisy values and draws terms together (`tune/quadratic.rs`), which is no weighted
//! sum of the values. It has no values in no order either.

use nalgebra::{DMatrix, DVector};

use super::axis::SweepAxis;
use super::design::SweepPoint;
use crate::pairs::pairs;

/// A term of the surface.
#[derive(Clone, Debug, PartialEq)]
pub enum SurfaceTerm {
    /// The slope of an axis of numbers.
    Linear(usize),
    /// The curvature of an axis of at least three numbers.
    Square(usize),
    /// A value of an axis without numbers, compared with the first value.
    Level(usize, usize),
    /// The joint effect of two axes of numbers.
    Product(usize, usize),
}

/// Returns the terms of the surface of these axes, except the constant.
pub fn terms(axes: &[SweepAxis]) -> Vec<SurfaceTerm> {
    let is_number = |axis: &SweepAxis| axis.numbers().is_some();
    let mut terms = Vec::new();
    for (number, axis) in axes.iter().enumerate().filter(|(_, axis)| axis.values.len() > 1) {
        if is_number(axis) {
            terms.push(SurfaceTerm::Linear(number));
            terms.extend((axis.values.len() > 2).then_some(SurfaceTerm::Square(number)));
        } else {
            terms.extend((1..axis.values.len()).map(|value| SurfaceTerm::Level(number, value)));
        }
    }
    let numbers: Vec<usize> =
        (0..axes.len()).filter(|&number| is_number(&axes[number]) && axes[number].values.len() > 1).collect();
    terms.extend(pairs(numbers.len()).map(|(one, other)| SurfaceTerm::Product(numbers[one], numbers[other])));
    terms
}

/// Returns the weights of the points for each term.
///
/// `None` if the points do not distinguish the terms. Only points that have levels have weights. The weighted
/// sum of the measures is the effect of the term:
///
/// - for `Linear`, the change from the lowest to the highest number,
/// - for `Square`, the mean of both ends less the middle,
/// - for `Level`, the difference from the first value,
/// - for `Product`, the mean with both axes at the same end, less the mean with them at different ends.
pub fn weights(axes: &[SweepAxis], points: &[SweepPoint]) -> Option<Vec<(SurfaceTerm, Vec<f64>)>> {
    let terms = terms(axes);
    let played: Vec<&Vec<usize>> = points.iter().filter_map(|point| point.levels.as_ref()).collect();
    // The place of a number on a scale from -1, the lowest, to 1, the highest.
    let place = |axis: usize, value: usize| {
        let numbers = axes[axis].numbers().expect("terms with places are of numbers");
        let (low, high) = numbers.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), &x| (l.min(x), h.max(x)));
        (2.0 * numbers[value] - low - high) / (high - low)
    };
    let entry = |term: &SurfaceTerm, levels: &[usize]| match *term {
        SurfaceTerm::Linear(axis) => place(axis, levels[axis]),
        SurfaceTerm::Square(axis) => place(axis, levels[axis]).powi(2),
        SurfaceTerm::Level(axis, value) => f64::from(levels[axis] == value),
        SurfaceTerm::Product(one, other) => place(one, levels[one]) * place(other, levels[other]),
    };
    let design = DMatrix::from_fn(played.len(), terms.len() + 1, |row, column| match column {
        0 => 1.0,
        _ => entry(&terms[column - 1], played[row]),
    });
    // (X'X)^-1 X' from the singular values. One of them is 0 if the points do not distinguish the terms.
    let svd = design.svd(true, true);
    let least = svd.singular_values.min();
    if least < 1e-9 * svd.singular_values.max() {
        return None;
    }
    let inverse = svd.pseudo_inverse(1e-12).ok()?;
    let scale =
        |term: &SurfaceTerm| if matches!(term, SurfaceTerm::Linear(_) | SurfaceTerm::Product(..)) { 2.0 } else { 1.0 };
    let row = |(number, term): (usize, &SurfaceTerm)| {
        let weights: DVector<f64> = inverse.row(number + 1).transpose() * scale(term);
        (term.clone(), weights.iter().copied().collect())
    };
    Some(terms.iter().enumerate().map(row).collect())
}
