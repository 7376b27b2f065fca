//! CMA-ES, the evolution strategy that adapts the covariance matrix of its samples.
//!
//! Names and constants are those of Hansen (2016), "The CMA evolution strategy: a tutorial"
//! (arXiv:1604.00772). It needs only the order of its candidates, so noise affects it little.

use std::ops::Deref;

use nalgebra::{DMatrix, DVector, SymmetricEigen};
use overtrick_cards::Stream;
use overtrick_tournament::{Flaw, ensure};
use serde::{Deserialize, Serialize};

use super::constants::{LARGEST_COVARIANCE, STEP_SIZES};
use super::random::normal;

/// The distribution from which candidates are drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CmaEs {
    /// The centre of the candidates.
    pub mean: Vec<f64>,
    /// The step size.
    pub sigma: f64,
    /// The covariance matrix, row by row.
    covariance: Vec<f64>,
    /// The evolution path of the covariance matrix.
    p_c: Vec<f64>,
    /// The evolution path of the step size.
    p_sigma: Vec<f64>,
    generations: u32,
}

/// The constants that depend only on the numbers of dimensions and candidates.
struct Constants {
    weights: Vec<f64>,
    mu_eff: f64,
    c_sigma: f64,
    d_sigma: f64,
    c_c: f64,
    c_1: f64,
    c_mu: f64,
    chi: f64,
}

impl Constants {
    fn new(dimensions: usize, lambda: usize) -> Constants {
        // If a space has only one setting to try, that setting is the better half.
        let (n, lambda) = (dimensions as f64, lambda.max(2));
        let mu = lambda / 2;
        let raw: Vec<f64> =
            (1..=mu).map(|rank| libm::log((lambda as f64 + 1.0) / 2.0) - libm::log(rank as f64)).collect();
        let sum: f64 = raw.iter().sum();
        let weights: Vec<f64> = raw.iter().map(|weight| weight / sum).collect();
        let mu_eff = 1.0 / weights.iter().map(|weight| weight * weight).sum::<f64>();
        let c_sigma = (mu_eff + 2.0) / (n + mu_eff + 5.0);
        let c_1 = 2.0 / ((n + 1.3).powi(2) + mu_eff);
        Constants {
            mu_eff,
            c_sigma,
            d_sigma: 1.0 + 2.0 * (((mu_eff - 1.0) / (n + 1.0)).sqrt() - 1.0).max(0.0) + c_sigma,
            c_c: (4.0 + mu_eff / n) / (n + 4.0 + 2.0 * mu_eff / n),
            c_1,
            c_mu: (1.0 - c_1).min(2.0 * (mu_eff - 2.0 + 1.0 / mu_eff) / ((n + 2.0).powi(2) + mu_eff)),
            chi: n.sqrt() * (1.0 - 1.0 / (4.0 * n) + 1.0 / (21.0 * n * n)),
            weights,
        }
    }
}

/// Returns the number of candidates of a generation, twice the usual number without noise.
///
/// For the same games, more candidates on fewer deals each find better settings: the mean of the better half
/// evens out the noise of each.
pub fn candidates(dimensions: usize) -> usize {
    2 * (4 + libm::floor(3.0 * libm::log(dimensions as f64)) as usize)
}

/// Returns whether `mean` can be a mean of points in this number of dimensions.
///
/// Such a mean is a point, except for rounding.
pub(super) fn is_near_point(mean: &[f64], dimensions: usize) -> bool {
    mean.len() == dimensions && mean.iter().all(|coordinate| (-1e-6..=1.0 + 1e-6).contains(coordinate))
}

impl CmaEs {
    /// Returns a distribution of candidates around `mean`, about `sigma` away in each dimension.
    pub fn new(mean: Vec<f64>, sigma: f64) -> CmaEs {
        let n = mean.len();
        let covariance = DMatrix::<f64>::identity(n, n).as_slice().to_vec();
        CmaEs { sigma, covariance, p_c: vec![0.0; n], p_sigma: vec![0.0; n], generations: 0, mean }
    }

    /// Checks that candidates in this number of dimensions can be drawn from it, after these generations.
    ///
    /// # Errors
    /// If it cannot be.
    pub fn check(&self, dimensions: usize, generations: u32) -> Result<(), Flaw> {
        let is_small = |value: &f64| value.abs() <= LARGEST_COVARIANCE;
        let fits = is_near_point(&self.mean, dimensions)
            && self.covariance.len() == dimensions * dimensions
            && [&self.p_c, &self.p_sigma].iter().all(|path| path.len() == dimensions)
            && self.generations == generations;
        ensure(fits, "distribution of candidates does not fit its parameters and generations")?;
        let mut values = self.covariance.iter().chain(&self.p_c).chain(&self.p_sigma);
        let is_bounded = STEP_SIZES.contains(&self.sigma) && values.all(is_small);
        ensure(is_bounded, "distribution of candidates is too wide or too narrow")
    }

    /// Adds a dimension before dimension `axis`.
    ///
    /// Candidates lie around `coordinate` there, about `spread` away from it, regardless of their other
    /// coordinates.
    pub fn widen(&mut self, axis: usize, coordinate: f64, spread: f64) {
        let n = self.mean.len();
        let old = DMatrix::from_row_slice(n, n, &self.covariance);
        let mut wider = old.insert_row(axis, 0.0).insert_column(axis, 0.0);
        wider[(axis, axis)] = (spread / self.sigma).powi(2);
        self.covariance = wider.as_slice().to_vec();
        self.mean.insert(axis, coordinate);
        self.p_c.insert(axis, 0.0);
        self.p_sigma.insert(axis, 0.0);
    }

    /// Returns the standard deviation of candidates, by dimension.
    pub fn spread(&self) -> Vec<f64> {
        let n = self.mean.len();
        (0..n).map(|axis| self.sigma * self.covariance[axis * n + axis].max(0.0).sqrt()).collect()
    }

    /// Returns the axes and lengths of the covariance matrix.
    fn eigen(&self) -> (DMatrix<f64>, DVector<f64>) {
        let n = self.mean.len();
        let eigen = SymmetricEigen::new(DMatrix::from_row_slice(n, n, &self.covariance));
        (eigen.eigenvectors, eigen.eigenvalues.map(|value| value.max(1e-12).sqrt()))
    }

    /// Returns a candidate within the cube; `least` has the least spread in each dimension.
    pub fn sample(&self, least: &[f64], stream: &mut Stream) -> Vec<f64> {
        let n = self.mean.len();
        let (axes, lengths) = self.eigen();
        let z = DVector::from_fn(n, |axis, _| lengths[axis] * normal(stream));
        let y = axes * z;
        let spread = self.spread();
        let coordinate = |axis: usize| {
            let wider = (least[axis] / spread[axis].max(1e-12)).max(1.0);
            (self.mean[axis] + self.sigma * wider * y[axis]).clamp(0.0, 1.0)
        };
        (0..n).map(coordinate).collect()
    }

    /// Learns from the candidates of a generation, the best first; only the better half counts.
    pub fn learn(&mut self, best_first: &[impl Deref<Target = [f64]>]) {
        let n = self.mean.len();
        let Constants { weights, mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, chi } = Constants::new(n, best_first.len());
        let old = DVector::from_column_slice(&self.mean);
        let steps: Vec<DVector<f64>> = best_first
            .iter()
            .take(weights.len())
            .map(|point| (DVector::from_column_slice(point) - &old) / self.sigma)
            .collect();
        let step = steps.iter().zip(&weights).fold(DVector::zeros(n), |sum, (step, &weight)| sum + step * weight);
        self.generations += 1;
        let (axes, lengths) = self.eigen();
        let whitened = &axes * (axes.transpose() * &step).component_div(&lengths);
        let p_sigma = DVector::from_column_slice(&self.p_sigma) * (1.0 - c_sigma)
            + whitened * (c_sigma * (2.0 - c_sigma) * mu_eff).sqrt();
        let length = p_sigma.norm();
        let settled = (1.0 - (1.0 - c_sigma).powi(2 * self.generations as i32)).sqrt();
        // While the step size grows fast, the covariance matrix does not follow its path.
        let is_steady = length / settled < (1.4 + 2.0 / (n as f64 + 1.0)) * chi;
        let h_sigma = if is_steady { 1.0 } else { 0.0 };
        let p_c = DVector::from_column_slice(&self.p_c) * (1.0 - c_c)
            + &step * (h_sigma * (c_c * (2.0 - c_c) * mu_eff).sqrt());
        let matrix = DMatrix::from_row_slice(n, n, &self.covariance);
        let decay = 1.0 - c_1 - c_mu + (1.0 - h_sigma) * c_1 * c_c * (2.0 - c_c);
        let mut next = matrix * decay + &p_c * p_c.transpose() * c_1;
        for (step, &weight) in steps.iter().zip(&weights) {
            next += step * step.transpose() * (c_mu * weight);
        }
        let next = (&next + next.transpose()) * 0.5;
        self.mean = (old + step * self.sigma).as_slice().to_vec();
        self.sigma *= libm::exp((c_sigma / d_sigma) * (length / chi - 1.0)).min(std::f64::consts::E);
        self.sigma = self.sigma.clamp(*STEP_SIZES.start(), *STEP_SIZES.end());
        // A symmetric matrix is the same row by row and column by column.
        self.covariance = next.as_slice().to_vec();
        (self.p_c, self.p_sigma) = (p_c.as_slice().to_vec(), p_sigma.as_slice().to_vec());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use overtrick_cards::SeedSource;

    /// Returns how far a function is from its minimum after some generations.
    ///
    /// The minimum is 0, at 0.3 in all dimensions.
    fn minimised(value: impl Fn(&[f64]) -> f64, dimensions: usize, generations: u64) -> f64 {
        let mut search = CmaEs::new(vec![0.7; dimensions], 0.2);
        for generation in 0..generations {
            let mut stream = SeedSource::new(4, "test", "cma-es").stream(generation, 0);
            let mut all: Vec<Vec<f64>> =
                (0..candidates(dimensions)).map(|_| search.sample(&vec![0.0; dimensions], &mut stream)).collect();
            all.sort_by(|a, b| value(a).total_cmp(&value(b)));
            search.learn(&all);
        }
        value(&search.mean)
    }

    #[test]
    fn known_functions_are_minimised() {
        let sphere = |point: &[f64]| point.iter().map(|x| (x - 0.3).powi(2)).sum::<f64>();
        assert!(minimised(sphere, 5, 80) < 1e-3);
        let ellipsoid = |point: &[f64]| {
            (0..).zip(point).map(|(axis, x)| 100f64.powf(f64::from(axis) / 4.0) * (x - 0.3).powi(2)).sum::<f64>()
        };
        assert!(minimised(ellipsoid, 5, 150) < 1e-2);
        // Rosenbrock's valley, with its minimum at 0.3, where x = 1.
        let valley = |point: &[f64]| {
            let x: Vec<f64> = point.iter().map(|x| x / 0.3).collect();
            x.windows(2).map(|x| 100.0 * (x[1] - x[0] * x[0]).powi(2) + (1.0 - x[0]).powi(2)).sum::<f64>()
        };
        assert!(minimised(valley, 2, 200) < 1e-1);
    }

    #[test]
    fn a_dimension_is_added_and_searched() {
        let value = |point: &[f64]| point.iter().map(|x| (x - 0.3).powi(2)).sum::<f64>();
        let mut search = CmaEs::new(vec![0.7; 2], 0.2);
        for generation in 0..160 {
            if generation == 40 {
                let before = search.spread();
                search.widen(1, 0.9, 0.25);
                let after = search.spread();
                assert_eq!((after[0], after[2]), (before[0], before[1]));
                assert!((after[1] - 0.25).abs() < 1e-12 && search.mean[1] == 0.9, "{after:?}");
                search.check(3, 40).unwrap();
            }
            let mut stream = SeedSource::new(4, "test", "wider").stream(generation, 0);
            let least = vec![0.0; search.mean.len()];
            let mut all: Vec<Vec<f64>> = (0..candidates(3)).map(|_| search.sample(&least, &mut stream)).collect();
            all.sort_by(|a, b| value(a).total_cmp(&value(b)));
            search.learn(&all);
        }
        assert!(value(&search.mean) < 1e-3, "{:?}", search.mean);
    }

    #[test]
    fn one_dimension_is_searched_too() {
        assert!(minimised(|point| (point[0] - 0.3).abs(), 1, 60) < 0.02);
    }
}
