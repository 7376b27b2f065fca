//! How far tuning is, with what the checkpoint has to know beside.

use serde::{Deserialize, Serialize};

use super::tuning::Tuning;
use crate::run::Progress;

/// Tuning in progress, as its checkpoint has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TuneSnapshot {
    /// How far it is.
    pub tuning: Tuning,
    /// The faults of bots so far.
    pub faults: u64,
}

impl Progress for TuneSnapshot {
    const FORM: &'static str = "tuning 2";
    const FILE: &'static str = "checkpoint of tuning";
}
