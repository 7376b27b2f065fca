//! A benchmark in progress: the duels that are played, as a checkpoint has them.

use overtrick_run::Progress;
use overtrick_tournament::{Flaw, ensure};
use serde::{Deserialize, Serialize};

use super::definition::BenchmarkDefinition;
use super::duel_check::check_duel;
use super::duel_sums::DuelSums;
use super::entry::BenchmarkEntry;
use super::result_file::BenchmarkId;
use super::round::PlayedRound;

/// The duels played so far, in the order of the definition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenchmarkProgress {
    /// The sums of each.
    pub duels: Vec<DuelSums>,
}

impl BenchmarkProgress {
    /// Returns the number of games played so far.
    pub fn games(&self, definition: &BenchmarkDefinition) -> u64 {
        let played = definition.duels().take(self.duels.len());
        played.map(|(variant, reference)| definition.games_of(variant, reference)).sum()
    }

    /// Returns the lines that a checkpoint must have to be of this benchmark, bot and round.
    pub fn config(definition: &BenchmarkDefinition, bot: &BenchmarkEntry, round: Option<&PlayedRound>) -> String {
        let BenchmarkId { name, version, sha256 } = BenchmarkId::of(definition);
        let mut lines = format!("benchmark = \"{name} {version} {sha256}\"\n");
        lines += &format!("bot = \"{} {}\"\n", bot.name, bot.sha256);
        if let Some(round) = round {
            lines += &format!("round = \"{} {}\"\n", round.name, round.commitment);
        }
        lines
    }
}

impl Progress for BenchmarkProgress {
    type Plan = BenchmarkDefinition;

    const FORM: &'static str = "benchmark 1";
    const FILE: &'static str = "checkpoint of a benchmark";

    fn check(&self, definition: &BenchmarkDefinition) -> Result<(), Flaw> {
        ensure(self.duels.len() <= definition.duels().count(), "duels are too many")?;
        for ((variant, reference), sums) in definition.duels().zip(&self.duels) {
            ensure(check_duel(definition, variant, reference, sums).is_ok(), "duels are not those of the benchmark")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::definition::tests::{SMALL, resolved};
    use super::super::result_file::tests::made_up;
    use super::*;

    #[test]
    fn a_checkpoint_has_the_first_duels_of_its_benchmark() {
        let definition = resolved(SMALL).unwrap();
        let result = made_up("cautious", 3, None);
        let mut progress = BenchmarkProgress { duels: result.duels[..3].to_vec() };
        assert!(progress.check(&definition).is_ok());
        // Two duels of 40 deals in both seatings of two, and one in the six of three.
        assert_eq!(progress.games(&definition), 40 * (2 + 2 + 6));
        progress.duels.swap(0, 1);
        assert!(progress.check(&definition).is_err());
        progress.duels = result.duels.iter().chain(&result.duels).cloned().collect();
        assert!(progress.check(&definition).is_err());
    }

    #[test]
    fn a_checkpoint_names_benchmark_bot_and_round() {
        let definition = resolved(SMALL).unwrap();
        let entry = made_up("cautious", 3, None).bot;
        let config = BenchmarkProgress::config(&definition, &entry, None);
        assert!(config.starts_with("benchmark = \"small 1 "), "{config}");
        assert!(config.contains(&format!("bot = \"cautious {}\"", entry.sha256)), "{config}");
    }
}
