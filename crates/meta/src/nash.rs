//! Nash averaging: each player against the mix that no player beats.
//!
//! The game in which two opponents each name a player, and one pays the other the advantage, has an
//! equilibrium: a mix of players that no player is ahead of. The value of a player is how far it is ahead of
//! that mix: zero for those in the mix, and mostly less for all others. If there are several equilibria, it
//! is the one of maximum entropy. See Balduzzi, Tuyls, Perolat & Graepel (2018), "Re-evaluating evaluation",
//! *Advances in Neural Information Processing Systems* 31.
//!
//! There, the entropy is that of weights of players. A copy of a player then changes the mix, and with it the
//! values of others, where there are several equilibria. Here it is that of weights of sets of copies, each
//! of which shares its weight equally. So a copy changes the value of no other player.

use super::entropy::most_even;
use super::pair_table::PairTable;
use super::simplex::LinearProgram;
use super::votes::Votes;

/// Weights and slacks below this are those of rounding, where the largest advantage is 1.
const NOTHING: f64 = 1e-9;

/// The Nash average of a table.
#[derive(Clone, Debug, PartialEq)]
pub struct NashAverage {
    /// By player: its weight in the mix. The weights sum to 1.
    pub weights: Vec<f64>,
    /// By player: how far it is ahead of the mix, exactly zero for a player in it.
    pub values: Vec<f64>,
}

impl NashAverage {
    /// Returns whether a player is in the mix.
    pub fn is_in_mix(&self, player: usize) -> bool {
        self.weights[player] > NOTHING
    }
}

/// Computes the Nash average of a table.
///
/// `None` without players, or if rounding keeps the method from its end. The mix has only players of the top
/// cycle, since each of these is ahead of all others.
pub fn nash_average(table: &PairTable) -> Option<NashAverage> {
    if table.players() == 0 {
        return None;
    }
    let copies = table.copies();
    let firsts: Vec<usize> = copies.iter().map(|set| set[0]).collect();
    let different = table.of(&firsts);
    let top = different.top_cycle();
    let largest = different.of(&top).largest();
    // Where the largest is zero, there is one player without copies.
    let scaled = different.of(&top).times(1.0 / if largest > 0.0 { largest } else { 1.0 });
    let mix = equilibrium(&scaled)?;
    let mut average = NashAverage { weights: vec![0.0; table.players()], values: vec![0.0; table.players()] };
    for (&set, weight) in top.iter().zip(mix) {
        for &player in &copies[set] {
            average.weights[player] = weight / copies[set].len() as f64;
        }
    }
    for player in 0..table.players() {
        if !average.is_in_mix(player) {
            average.values[player] = table.against(player, &average.weights);
        }
    }
    Some(average)
}

/// Returns the maximal lottery: the mix that no player beats by a majority of votes.
///
/// See Fishburn (1984), "Probabilistic social choice based on simple voting comparisons", *Review of Economic
/// Studies* 51. Of several, it is the one of maximum entropy. `None` as for [`nash_average`].
pub fn maximal_lottery(votes: &Votes) -> Option<Vec<f64>> {
    Some(nash_average(&votes.margins())?.weights)
}

/// Returns the equilibrium of maximum entropy of a table whose largest advantage is 1.
fn equilibrium(table: &PairTable) -> Option<Vec<f64>> {
    let players = table.players();
    // With 2 added to every payoff, the value of the game is 2, and x / sum(x) is a mix that no player beats if
    // x is as large as possible with all payoffs against it at most 1 (Dantzig 1951).
    let row = |player: usize| (0..players).map(|other| table.advantage(player, other) + 2.0).collect();
    let program = LinearProgram {
        objective: vec![1.0; players],
        rows: (0..players).map(row).collect(),
        bounds: vec![1.0; players],
    };
    let vertex = program.solve()?;
    let sum: f64 = vertex.x.iter().sum();
    let mix: Vec<f64> = vertex.x.iter().map(|x| x / sum).collect();
    // If every player is either in the mix or behind it, the mix lies inside the set of all equilibria. As a
    // vertex it can only do so if it is the only one (Goldman & Tucker 1956).
    let is_only = (0..players).all(|player| (mix[player] > NOTHING) != (table.against(player, &mix) < -NOTHING));
    if is_only { Some(mix) } else { most_even(table) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds a table from the rows of a matrix.
    pub(crate) fn table<const N: usize>(rows: [[f64; N]; N]) -> PairTable {
        PairTable::new(N, |one, other| rows[one][other])
    }

    fn assert_close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (one, other) in found.iter().zip(expected) {
            assert!((one - other).abs() < 1e-6, "{found:?} {expected:?}");
        }
    }

    #[test]
    fn known_answers() {
        // The first three are those of nash_averaging_test.py of OpenSpiel (Lanctot et al. 2019).
        let circle = nash_average(&table([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])).unwrap();
        assert_close(&circle.weights, &[1.0 / 3.0; 3]);
        assert_close(&circle.values, &[0.0; 3]);
        let chain = nash_average(&table([[0.0, -1.0, -1.0], [1.0, 0.0, -1.0], [1.0, 1.0, 0.0]])).unwrap();
        assert_close(&chain.weights, &[0.0, 0.0, 1.0]);
        assert_close(&chain.values, &[-1.0, -1.0, 0.0]);
        let four = nash_average(&table([
            [0.0, 234.0, 34.0, -270.0],
            [-234.0, 0.0, -38.0, -464.0],
            [-34.0, 38.0, 0.0, -270.0],
            [270.0, 464.0, 270.0, 0.0],
        ]));
        let four = four.unwrap();
        assert_close(&four.weights, &[0.0, 0.0, 0.0, 1.0]);
        assert_close(&four.values, &[-270.0, -464.0, -270.0, 0.0]);
        // In a circle of steps a, b, c, each player has the weight of the step between the other two.
        let uneven = nash_average(&table([[0.0, 2.0, -3.0], [-2.0, 0.0, 5.0], [3.0, -5.0, 0.0]])).unwrap();
        assert_close(&uneven.weights, &[0.5, 0.3, 0.2]);
        // All are alike.
        let equals = nash_average(&PairTable::new(4, |_, _| 0.0)).unwrap();
        assert_close(&equals.weights, &[0.25; 4]);
        assert_eq!(nash_average(&PairTable::new(0, |_, _| 0.0)), None);
        assert_close(&nash_average(&PairTable::new(1, |_, _| 0.0)).unwrap().weights, &[1.0]);
    }

    #[test]
    fn of_several_equilibria_the_most_even_is_taken() {
        // 0 and 1 are level, and beat 2 by 1 and by 3.
        let level = nash_average(&table([[0.0, 0.0, 1.0], [0.0, 0.0, 3.0], [-1.0, -3.0, 0.0]])).unwrap();
        assert_close(&level.weights, &[0.5, 0.5, 0.0]);
        assert_close(&level.values, &[0.0, 0.0, -2.0]);
        // 0 and 1 are level. 2 beats 1 by as much as 0 beats 2, so half or more of the mix is 0.
        let bound = nash_average(&table([[0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])).unwrap();
        assert_close(&bound.weights, &[0.5, 0.5, 0.0]);
        // 2 beats 1 by three times as much, so three quarters or more are 0: the bound decides.
        let bound = nash_average(&table([[0.0, 0.0, 1.0], [0.0, 0.0, -3.0], [-1.0, 3.0, 0.0]])).unwrap();
        assert_close(&bound.weights, &[0.75, 0.25, 0.0]);
        assert_close(&bound.values, &[0.0; 3]);
    }

    /// Returns numbers from -`most` to `most`, by the generator of Park & Miller (1988).
    fn numbers(seed: u64, most: u64) -> impl FnMut() -> f64 {
        let mut state = 1 + seed;
        move || {
            state = state * 48_271 % 2_147_483_647;
            (state % (2 * most + 1)) as f64 - most as f64
        }
    }

    /// Checks the definition: no player beats the mix.
    fn check(table: &PairTable) -> NashAverage {
        let average = nash_average(table).expect("a solution");
        let sum: f64 = average.weights.iter().sum();
        assert!((sum - 1.0).abs() < 1e-9 && average.weights.iter().all(|&weight| weight >= 0.0), "{average:?}");
        for player in 0..table.players() {
            let ahead = table.against(player, &average.weights);
            assert!(ahead < 1e-6 * table.largest().max(1.0), "{player} by {ahead}: {table:?} {average:?}");
            assert!((ahead - average.values[player]).abs() < 1e-6 * table.largest().max(1.0), "{average:?}");
        }
        average
    }

    #[test]
    fn a_copy_changes_no_other_value() {
        // Small numbers make many ties, and so several equilibria; large ones make none.
        for (seed, most) in (0..300).map(|seed| (seed, [1, 2, 3, 1_000_000][seed as usize % 4])) {
            let mut number = numbers(seed, most);
            let players = 2 + seed as usize % 7;
            let table = PairTable::new(players, |_, _| number());
            let (alone, copied) = (check(&table), seed as usize % players);
            let own = |player: usize| if player == players { copied } else { player };
            let with_copy = PairTable::new(players + 1, |one, other| table.advantage(own(one), own(other)));
            let twice = check(&with_copy);
            for player in 0..players {
                let off = (alone.values[player] - twice.values[player]).abs();
                assert!(off <= 1e-6 * table.largest(), "{seed} {player}: {alone:?} {twice:?}");
                // Equal players share the weight of their set, to which the copy may belong.
                let of_set = |average: &NashAverage, sets: Vec<Vec<usize>>| -> f64 {
                    let set = sets.into_iter().find(|set| set.contains(&player)).expect("a set for each");
                    set.into_iter().map(|player| average.weights[player]).sum()
                };
                let off = (of_set(&alone, table.copies()) - of_set(&twice, with_copy.copies())).abs();
                assert!(off < 1e-6, "{seed} {player}: {alone:?} {twice:?}");
            }
            assert_eq!(twice.weights[players], twice.weights[copied]);
        }
    }

    #[test]
    fn forty_players_have_a_mix() {
        for seed in 0..10 {
            let mut number = numbers(seed, 1000);
            check(&PairTable::new(40, |_, _| number()));
            let mut number = numbers(seed, 1);
            check(&PairTable::new(40, |_, _| number()));
        }
    }

    #[test]
    fn lotteries_of_three_ballots() {
        let lottery = |ballots: [[usize; 3]; 3]| {
            let mut votes = Votes::new(3);
            ballots.iter().for_each(|ballot| votes.add_ballot(ballot, 1.0));
            maximal_lottery(&votes).unwrap()
        };
        assert_close(&lottery([[0, 1, 2], [0, 2, 1], [1, 0, 2]]), &[1.0, 0.0, 0.0]);
        assert_close(&lottery([[0, 1, 2], [1, 2, 0], [2, 0, 1]]), &[1.0 / 3.0; 3]);
    }
}
