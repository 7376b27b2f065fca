//! Derives the covariance of strengths from the derivatives of the likelihood.
//!
//! Only differences of strengths are identified. They are reported relative to an anchor or to the mean of
//! all players. Both are computed from differences, so equal strengths stay exactly equal. A difference
//! without error has a variance of exactly zero.

use nalgebra::DMatrix;

/// Returns the sandwich estimator `H^-1 M H^-1 G/(G-1)`.
///
/// It is computed from the inverse information, the summed products of group scores, and the number of
/// groups, at least two.
pub(super) fn sandwich(inverse: &DMatrix<f64>, score_products: &DMatrix<f64>, groups: usize) -> DMatrix<f64> {
    let g = groups as f64;
    inverse * score_products * inverse * (g / (g - 1.0))
}

/// Returns the part of the covariance of all parameters that concerns the strengths of players.
pub(super) fn of_players(covariance: &DMatrix<f64>, players: usize) -> DMatrix<f64> {
    covariance.view((0, 0), (players, players)).into_owned()
}

/// Returns strengths less that of the anchor or, without an anchor, less their mean.
pub(super) fn relative_strengths(theta: &[f64], anchor: Option<usize>) -> Vec<f64> {
    let origin = theta[anchor.unwrap_or(0)];
    let mut relative: Vec<f64> = theta.iter().map(|value| value - origin).collect();
    if anchor.is_none() {
        let mean = relative.iter().sum::<f64>() / relative.len() as f64;
        for value in &mut relative {
            *value -= mean;
        }
    }
    relative
}

/// Returns the covariance of [`relative_strengths`] from the covariance of strengths.
pub(super) fn relative(covariance: &DMatrix<f64>, anchor: Option<usize>) -> DMatrix<f64> {
    let (n, v) = (covariance.nrows(), covariance);
    let origin = anchor.unwrap_or(0);
    let differences =
        DMatrix::from_fn(n, n, |i, j| (v[(i, j)] - v[(i, origin)]) - (v[(origin, j)] - v[(origin, origin)]));
    if anchor.is_some() {
        return differences;
    }
    let rows: Vec<f64> = (0..n).map(|i| differences.row(i).sum() / n as f64).collect();
    let columns: Vec<f64> = (0..n).map(|j| differences.column(j).sum() / n as f64).collect();
    let mean = rows.iter().sum::<f64>() / n as f64;
    DMatrix::from_fn(n, n, |i, j| (differences[(i, j)] - rows[i]) - (columns[j] - mean))
}
