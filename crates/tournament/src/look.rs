//! The course of the stopping rules over a run.

use serde::{Deserialize, Serialize};

/// The state of the stopping rules of one variant at one evaluation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Look {
    /// The number of deal or match numbers played.
    pub blocks: u64,
    /// Half the width of the widest 95% interval of a difference of two bots. `None` if the config gives no
    /// half-width, or if too little has been played.
    pub half_width: Option<f64>,
    /// The log-likelihood ratio of H1 to H0, if the config has a test.
    pub llr: Option<f64>,
}

impl Look {
    /// Makes the state of the rules after `blocks` deal or match numbers.
    pub fn new(blocks: u64, half_width: Option<f64>, llr: Option<f64>) -> Look {
        Look { blocks, half_width, llr }
    }
}
