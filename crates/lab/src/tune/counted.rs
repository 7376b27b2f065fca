//! The counts of the comparisons of a stage, which counts read from a file must agree with.

use overtrick_tournament::{Flaw, MOST_NUMBERS, ensure};

use super::trial::TuneTrial;

/// The counts of the comparisons of a stage.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StageCounts {
    /// The number of generations or rounds.
    pub rounds: u32,
    /// The number of deal numbers.
    pub numbers: u64,
    /// The number of games.
    pub games: u64,
}

impl StageCounts {
    /// Returns the counts of the generations of a search.
    ///
    /// `rounds` has the generation of each trial. All candidates of a generation meet the same setting on the
    /// same numbers. `games` gives the games for each deal number, by number of candidates.
    ///
    /// # Errors
    /// If the trials do not form generations.
    pub fn generations(
        trials: &[TuneTrial],
        rounds: &[(String, u32)],
        games: &dyn Fn(usize) -> u64,
    ) -> Result<StageCounts, Flaw> {
        let mut counted = StageCounts::default();
        let mut left = trials;
        for same in rounds.chunk_by(|one, other| one == other) {
            let (own, rest) = left.split_at(same.len());
            left = rest;
            let is_same = |trial: &TuneTrial| trial.numbers == own[0].numbers && trial.incumbent == own[0].incumbent;
            ensure(own.iter().all(is_same), "trials of a generation are not on the same deals")?;
            counted.add(games(own.len()), own[0].numbers);
            ensure(same[0].1 == counted.rounds, "generations are not in order")?;
        }
        counted.check()
    }

    /// Returns the counts of the comparisons of a surface, each on separate numbers.
    ///
    /// # Errors
    /// If they have more numbers than there are.
    pub fn singles(trials: &[TuneTrial], games: &dyn Fn(usize) -> u64) -> Result<StageCounts, Flaw> {
        let mut counted = StageCounts::default();
        trials.iter().for_each(|trial| counted.add(games(1), trial.numbers));
        counted.check()
    }

    fn add(&mut self, each: u64, numbers: u64) {
        self.rounds += 1;
        self.numbers = self.numbers.saturating_add(numbers);
        self.games = self.games.saturating_add(each.saturating_mul(numbers));
    }

    fn check(self) -> Result<StageCounts, Flaw> {
        ensure(self.numbers <= MOST_NUMBERS && self.games < u64::MAX / 4, "trials have more deals than there are")?;
        Ok(self)
    }
}
