//! The policy for faults of external bots.

use std::time::Duration;

use overtrick_external::process::Patience;
use overtrick_game::FieldError;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The action when a bot has a fault.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum FaultAction {
    /// A random legal move is made in the bot's place, drawn from its own stream, and play goes on.
    #[default]
    RandomMove,
    /// The deal is played again from the start with `rule-based` in the offender's seat, so that the others' scores are
    /// those of a proper deal; the offender scores the lowest that the variant allows.
    ForfeitDeal,
    /// As `random-move`, until the bot has had too many faults in a variant; then the variant is played again without
    /// its line-ups, as if it had never been entered.
    Disqualify,
}

/// The default number of faults that disqualifies a bot.
const LIMIT: u32 = 10;

/// The table `faults` of a config.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct FaultPolicy {
    /// The action that follows a fault.
    #[serde(default)]
    pub policy: FaultAction,
    /// With `disqualify`: the number of faults in one variant that disqualifies a bot.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
    /// The total time in seconds that a run waits in vain for a bot; ten minutes if absent.
    ///
    /// After that the run gives the bot up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waiting: Option<f64>,
}

impl Default for FaultPolicy {
    fn default() -> FaultPolicy {
        FaultPolicy { policy: FaultAction::RandomMove, limit: None, waiting: None }
    }
}

impl FaultPolicy {
    /// Checks the ranges.
    ///
    /// # Errors
    /// Returns the key and the problem.
    pub fn validate(&self) -> Result<(), FieldError> {
        FieldError::check("waiting", self.waiting.unwrap_or(1.0), 0.001..=31_536_000.0)?;
        match (self.policy, self.limit) {
            (_, None) => Ok(()),
            (FaultAction::Disqualify, Some(limit)) => FieldError::check("limit", limit, 1..=10_000),
            _ => Err(FieldError { key: "limit", problem: "only goes with policy = \"disqualify\"".to_owned() }),
        }
    }

    /// Returns the patience that a run has with each bot.
    pub fn patience(&self) -> Patience {
        Patience::of(Duration::from_secs_f64(self.waiting.unwrap_or(Patience::DEFAULT)))
    }

    /// Returns the number of faults that disqualifies a bot; `None` under other policies.
    pub fn limit(&self) -> Option<u64> {
        (self.policy == FaultAction::Disqualify).then(|| u64::from(self.limit.unwrap_or(LIMIT)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_goes_with_disqualification_alone() {
        let policy = |policy, limit| FaultPolicy { policy, limit, waiting: None };
        assert!(policy(FaultAction::ForfeitDeal, Some(3)).validate().is_err());
        assert!(policy(FaultAction::Disqualify, Some(0)).validate().is_err());
        assert_eq!(policy(FaultAction::Disqualify, None).limit(), Some(10));
        assert_eq!(policy(FaultAction::RandomMove, None).limit(), None);
    }
}
