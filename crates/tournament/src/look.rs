//! How the rules of a run that may stop early went along.

use serde::{Deserialize, Serialize};

/// How the stopping rules stood when they were asked, in one variant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Look {
    /// Deal or match numbers played.
    pub blocks: u64,
    /// Half the width of the widest 95% interval of a difference of two bots, where the config gives a half-width and
    /// enough was seen.
    pub half_width: Option<f64>,
    /// The log-likelihood ratio of H1 to H0, where the config has a test.
    pub llr: Option<f64>,
}

impl Look {
    /// The state of the rules after `blocks` deal or match numbers.
    pub fn new(blocks: u64, half_width: Option<f64>, llr: Option<f64>) -> Look {
        Look { blocks, half_width, llr }
    }
}
