//! Maximises the log-likelihood by Newton's method.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

use super::likelihood::{Evaluation, Likelihood};
use super::symmetry::Classes;

/// The length, in units of log-strength, below which a step is the last.
///
/// Convergence is quadratic, so the remaining error is of the order of its square.
const LAST_STEP: f64 = 1e-6;

/// The least gain of a step, as a share of the gain that the slope at its start promises.
///
/// On the parabola by which Newton's method approximates the likelihood, the gain is half. A step that gains
/// much less has gone too far, perhaps to where the likelihood is too flat to return.
const WORTHWHILE: f64 = 0.25;

/// The most steps; after them, the likelihood is taken to have no maximum.
///
/// Towards an infinite maximum each step adds about one unit of log-odds, without end. A chance is rounded to
/// 1 after 36 of them. Results that happened once in 10^10 times need about 25.
const MOST_STEPS: usize = 32;

/// The most steps where pseudo-results on all parameters ensure that there is a maximum.
const MOST_STEPS_TO_A_SURE_MAXIMUM: usize = 500;

/// A direction is flat if it holds less than this share of the possible information.
const FLAT: f64 = 1e-12;

/// The share of the information that may be pure rounding.
const ROUNDING: f64 = 1e-14;

/// The place where the maximum was found.
pub(super) struct Optimum {
    pub parameters: DVector<f64>,
    /// The inverse information there, pseudo-results included.
    ///
    /// Without any, it fixes the sum of all log-strengths arbitrarily.
    pub inverse: DMatrix<f64>,
    /// The log-likelihood there, without pseudo-results.
    pub log_likelihood: f64,
    /// The number of parameters, from the first, that had pseudo-results.
    pub phantoms: usize,
    /// The number of steps taken.
    pub iterations: usize,
}

/// Maximises the likelihood with pseudo-results on the first `phantoms` parameters.
///
/// Each of these gets half a win and half a loss against a phantom of log-strength zero. The search begins at
/// `start`. `alike` keeps the strengths of symmetric players equal to the last bit. `None` if there is no
/// maximum, or none that can be distinguished from a flat likelihood.
pub(super) fn maximise(
    likelihood: &Likelihood,
    alike: &Classes,
    phantoms: usize,
    start: DVector<f64>,
) -> Option<Optimum> {
    let objective = Objective { likelihood, phantoms, choices: likelihood.choices() };
    let sure = objective.sure();
    let most_steps = if sure { MOST_STEPS_TO_A_SURE_MAXIMUM } else { MOST_STEPS };
    let mut at = start;
    let mut here = objective.evaluate(&at);
    for iterations in 1..=most_steps {
        let mut step = objective.factor(&here.information)?.solve(&here.gradient);
        alike.average(&mut step.as_mut_slice()[..likelihood.parameters().players]);
        // Pseudo-results leave far-off plains nearly flat, where steps never get short.
        let exhausted = sure && here.gradient.dot(&step) < objective.precision(&here) / 1e3;
        if step.amax() < LAST_STEP || exhausted {
            at += step;
            let there = likelihood.evaluate(&at);
            let log_likelihood = there.value;
            return Some(Optimum {
                inverse: objective.factor(&objective.complete(there, &at).information)?.inverse(),
                parameters: at,
                log_likelihood,
                phantoms,
                iterations,
            });
        }
        (at, here) = objective.climb(&at, &here, step)?;
    }
    None
}

/// The function that is maximised: the likelihood with pseudo-results.
struct Objective<'a> {
    likelihood: &'a Likelihood,
    /// The number of parameters, from the first, that have pseudo-results.
    phantoms: usize,
    /// The number of choices in the data: the scale of values and information.
    choices: f64,
}

impl Objective<'_> {
    /// Returns whether pseudo-results on all parameters guarantee a maximum.
    fn sure(&self) -> bool {
        self.phantoms == self.likelihood.parameters().len()
    }

    fn evaluate(&self, at: &DVector<f64>) -> Evaluation {
        self.complete(self.likelihood.evaluate(at), at)
    }

    /// Adds the pseudo-results to the likelihood, and a term that makes the information invertible.
    fn complete(&self, mut here: Evaluation, at: &DVector<f64>) -> Evaluation {
        for p in 0..self.phantoms {
            // Half the logs of the chances to win and to lose, 1/(1 + e^-x) and 1/(1 + e^x).
            let half = at[p].abs() / 2.0;
            here.value -= half + (-2.0 * half).exp().ln_1p();
            here.gradient[p] -= (at[p] / 2.0).tanh() / 2.0;
            here.information[(p, p)] += half.cosh().powi(-2) / 4.0;
            if self.sure() {
                here.information[(p, p)] += ROUNDING * self.choices;
            }
        }
        if self.phantoms == 0 {
            // Adding the same amount to all strengths changes nothing. Pretending to know their sum, about as
            // well as anything else, moves no difference.
            let players = self.likelihood.parameters().players;
            let mut strengths = here.information.view_mut((0, 0), (players, players));
            let known = (1.0 + strengths.trace()) / (players * players) as f64;
            strengths.add_scalar_mut(known);
        }
        here
    }

    /// Returns the difference of values below which there is only rounding.
    fn precision(&self, here: &Evaluation) -> f64 {
        1e-12 * (self.choices + here.value.abs())
    }

    /// Goes along the step, halving it until the gain is worthwhile.
    fn climb(
        &self,
        from: &DVector<f64>,
        here: &Evaluation,
        mut step: DVector<f64>,
    ) -> Option<(DVector<f64>, Evaluation)> {
        while step.amax() >= LAST_STEP {
            let to = from + &step;
            let there = self.evaluate(&to);
            let wanted = here.value + WORTHWHILE * here.gradient.dot(&step);
            if there.value >= wanted - self.precision(here) {
                return Some((to, there));
            }
            step /= 2.0;
        }
        None
    }

    /// Factors the information; `None` if some direction is flat.
    fn factor(&self, information: &DMatrix<f64>) -> Option<Factor> {
        let least = if self.sure() { 0.0 } else { FLAT };
        let diagonal = information.diagonal();
        if diagonal.min() <= least * self.choices {
            return None;
        }
        // With a unit diagonal, a pivot is the share of a parameter's information that no other parameter
        // explains.
        let scale = diagonal.map(|entry| entry.sqrt().recip());
        let scaled = DMatrix::from_fn(scale.len(), scale.len(), |i, j| information[(i, j)] * scale[i] * scale[j]);
        let root = Cholesky::new(scaled)?;
        let ample = root.l_dirty().diagonal().min().powi(2) > least;
        ample.then_some(Factor { root, scale })
    }
}

/// An information matrix, factored after scaling.
struct Factor {
    root: Cholesky<f64, Dyn>,
    scale: DVector<f64>,
}

impl Factor {
    /// Returns the inverse times a vector.
    fn solve(&self, vector: &DVector<f64>) -> DVector<f64> {
        self.root.solve(&vector.component_mul(&self.scale)).component_mul(&self.scale)
    }

    fn inverse(&self) -> DMatrix<f64> {
        let mut inverse = self.root.inverse();
        for (j, mut column) in inverse.column_iter_mut().enumerate() {
            column.component_mul_assign(&(&self.scale * self.scale[j]));
        }
        inverse
    }
}
