//! The number of games that tuning takes.

use statrs::distribution::{ChiSquared, ContinuousCDF};

/// The figures that decide how many blocks of games it takes to find the best parameters.
///
/// This is van den Bergh's design of a search by simultaneous perturbation
/// (<https://github.com/official-stockfish/fishtest/issues/535>), for the margins of any blocks. A block
/// compares two settings, a step to either side. Its margins have this variance, and their mean is `gain`
/// times the difference of the values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sizing {
    /// The number of parameters.
    pub parameters: usize,
    /// The variance of the margin of a block.
    pub variance: f64,
    /// The mean margin of a block for a difference in value of 1.
    pub gain: f64,
    /// The loss in value that may be left in the end, in 95% of cases.
    pub loss: f64,
    /// The distance of the two settings that are compared from the middle, in units of the parameter.
    pub step: f64,
    /// The curvature; the smallest, if parameters differ.
    ///
    /// The value falls by half of it times the square of the distance from the best, in units of the
    /// parameter.
    pub curvature: f64,
}

impl Sizing {
    /// Returns the number of blocks: 3 V q / (16 K² ε c² h).
    ///
    /// V is the variance, K the gain, ε the loss, c the step and h the curvature. The quantile q is the 95%
    /// quantile of chi-squared with a degree of freedom for each parameter.
    ///
    /// ```
    /// use overtrick_lab::tune::Sizing;
    ///
    /// // The engine testers' table: chess games to come within half an Elo of the best of three parameters.
    /// let gain = f64::ln(10.0) / 800.0;
    /// let chess = Sizing { parameters: 3, variance: 0.39, gain, loss: 0.5, step: 200.0 / 6.0, curvature: 0.0004 };
    /// assert_eq!(chess.blocks().round(), 310_414.0);
    /// ```
    pub fn blocks(&self) -> f64 {
        let quantile = ChiSquared::new(self.parameters as f64).expect("at least one parameter").inverse_cdf(0.95);
        let scale = self.gain * self.gain * self.loss * self.step * self.step * self.curvature;
        3.0 * self.variance * quantile / (16.0 * scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_for_chess_engines_is_met_to_the_unit() {
        let blocks = |parameters| {
            let gain = 10f64.ln() / 800.0;
            Sizing { parameters, variance: 0.39, gain, loss: 0.5, step: 200.0 / 6.0, curvature: 0.0004 }.blocks()
        };
        let table = [152_589.0, 237_991.0, 310_414.0, 376_868.0, 439_738.0, 500_158.0];
        assert_eq!([1, 2, 3, 4, 5, 6].map(|parameters| blocks(parameters).round()), table);
    }

    #[test]
    fn half_the_step_takes_twice_the_blocks_where_variance_falls_with_the_step() {
        let at = |step| {
            Sizing { parameters: 4, variance: 0.01 * step, gain: 1.0, loss: 0.005, step, curvature: 0.2 }.blocks()
        };
        assert!((at(0.05) / at(0.1) - 2.0).abs() < 1e-9);
    }
}
