//! Deviation ratings: what it costs to be a player in place of the best agreement.
//!
//! A referee draws the players of a table at random, in a way that is known. A seat may refuse the draw, and
//! sit down as a player that it names before. The gain of that, for the worst of all players, is made as small
//! as possible. Then that of the worst of the others is, and so on. The gain of a player in the end is its
//! rating: 0 or less, and the less the worse the player is. See Marris et al. (2025), "Deviation ratings: a
//! general, clone-invariant rating method", arXiv:2502.11645. Draws from which no refusal gains are coarse
//! correlated equilibria (Moulin & Vial 1978, *International Journal of Game Theory* 7).
//!
//! Here the seats are alike: the payoff of a player does not depend on where it and the others sit. So all
//! draws of the same players count as one, and there is one rating for each player.

use super::simplex::LinearProgram;

/// Multipliers and slacks above this are not those of rounding.
const NOTHING: f64 = 1e-9;
/// The most that a line-up which some solution draws may fall short by: points are rounded, and so are solutions.
const SPARE: f64 = 1e-7;
/// A number above all gains.
const ABOVE: f64 = 2.0;
/// How much settled gains may be exceeded, each if those before it leave no solution.
///
/// The first mostly does. Where payoffs are nearly in balance, rounding may need the others.
const LEEWAYS: [f64; 4] = [0.0, 1e-11, 1e-9, 1e-7];

/// The payoff of each player at a table, by the others who sit there.
///
/// A player may sit at a table several times.
#[derive(Clone, Debug)]
pub struct PayoffTable {
    players: usize,
    /// By line-up, as [`line_ups`] lists them: the gain of each player over those in the line-up.
    gains: Vec<Vec<f64>>,
}

impl PayoffTable {
    /// Builds the table of games with this number of seats.
    ///
    /// `payoff` is that of a player by the others at the table, who are in ascending order.
    ///
    /// # Panics
    /// If a payoff is not finite.
    pub fn new(players: usize, seats: usize, payoff: impl Fn(usize, &[usize]) -> f64) -> PayoffTable {
        let mut gains = Vec::new();
        for line_up in line_ups(players, seats) {
            let mut gain = vec![0.0; players];
            for seat in 0..seats {
                let mut others = line_up.clone();
                let own = payoff(others.remove(seat), &others);
                for (player, gain) in gain.iter_mut().enumerate() {
                    let other = payoff(player, &others);
                    assert!(own.is_finite() && other.is_finite(), "payoffs against {others:?}: {own}, {other}");
                    *gain += (other - own) / seats as f64;
                }
            }
            gains.push(gain);
        }
        PayoffTable { players, gains }
    }
}

/// Lists all line-ups of players, each in ascending order, with players who sit several times.
fn line_ups(players: usize, seats: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..seats {
        let mut longer = Vec::new();
        for line_up in &all {
            let least = line_up.last().copied().unwrap_or(0);
            longer.extend((least..players).map(|player| [&line_up[..], &[player]].concat()));
        }
        all = longer;
    }
    all
}

/// Returns the deviation rating of each player.
///
/// `None` without players, or if rounding keeps the method from its end.
pub fn deviation_ratings(table: &PayoffTable) -> Option<Vec<f64>> {
    let entries = || table.gains.iter().flatten();
    let largest = entries().fold(0.0_f64, |largest, gain| gain.abs().max(largest));
    if table.players == 0 {
        return None;
    }
    if largest == 0.0 {
        return Some(vec![0.0; table.players]);
    }
    let mut rating = Rating {
        gains: table.gains.iter().map(|gains| gains.iter().map(|gain| gain / largest).collect()).collect(),
        settled: vec![None; table.players],
    };
    while rating.settled.contains(&None) {
        rating.settle()?;
    }
    rating.settled.into_iter().map(|gain| Some(gain? * largest)).collect()
}

/// The line-ups that may still be drawn, and the gains that are settled.
struct Rating {
    /// By line-up: the gain of each player, -1 to 1.
    gains: Vec<Vec<f64>>,
    /// By player.
    settled: Vec<Option<f64>>,
}

impl Rating {
    /// Settles the smallest possible gain of the worst of the other players. `None` if rounding prevents it.
    ///
    /// Settled are the players that have this gain in every solution. Line-ups that no solution draws are left out
    /// from then on, so that no multiplier of a settled gain must rise without a bound to rule them out.
    fn settle(&mut self) -> Option<()> {
        let (rows, multipliers) = LEEWAYS.into_iter().find_map(|leeway| self.solved(leeway))?;
        let sum: f64 = self.open().map(|player| multipliers[player]).sum();
        let binding: Vec<usize> = self.open().filter(|&player| multipliers[player] > NOTHING).collect();
        for player in binding {
            // The sum is 1/y, and y is at most 3.
            self.settled[player] = Some(ABOVE - 1.0 / sum);
        }
        let product = |row: &Vec<f64>| row.iter().zip(&multipliers).map(|(entry, own)| entry * own).sum::<f64>();
        let mut rows = rows.iter();
        self.gains.retain(|_| rows.next().is_some_and(|row| 1.0 - product(row) <= SPARE));
        Some(())
    }

    /// Returns the players whose gain is not settled.
    fn open(&self) -> impl Iterator<Item = usize> {
        (0..self.settled.len()).filter(|&player| self.settled[player].is_none())
    }

    /// Returns the rows of the program for the smallest gain of the worst, and the multipliers of the players.
    ///
    /// Let K be above all gains and y = K - e for the gain e of the worst. With the chance of a line-up over y as
    /// unknown, the smallest sum is 1/y. Solved is the dual of this program, which starts from a solution. It has
    /// none if settled gains may not be exceeded by this much.
    fn solved(&self, leeway: f64) -> Option<(Vec<Vec<f64>>, Vec<f64>)> {
        let mut rows = Vec::with_capacity(self.gains.len());
        for gains in &self.gains {
            let most = self.settled.iter().map(|settled| settled.map_or(ABOVE, |settled| settled + leeway));
            rows.push(gains.iter().zip(most).map(|(gain, most)| most - gain).collect::<Vec<f64>>());
        }
        let objective = self.settled.iter().map(|settled| if settled.is_none() { 1.0 } else { 0.0 }).collect();
        let bounds = vec![1.0; rows.len()];
        let multipliers = LinearProgram { objective, rows: rows.clone(), bounds }.solve()?.x;
        self.open().any(|player| multipliers[player] > NOTHING).then_some((rows, multipliers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nash::nash_average;
    use crate::pair_table::PairTable;

    fn assert_close(found: &[f64], expected: &[f64]) {
        assert_eq!(found.len(), expected.len());
        for (one, other) in found.iter().zip(expected) {
            assert!((one - other).abs() < 1e-6, "{found:?} {expected:?}");
        }
    }

    /// Returns the ratings of a game of two in which the loser pays the winner.
    fn of_two(rows: &[&[f64]]) -> Vec<f64> {
        let table = PayoffTable::new(rows.len(), 2, |player, others| rows[player][others[0]]);
        deviation_ratings(&table).unwrap()
    }

    #[test]
    fn known_answers_at_tables_of_two() {
        assert_close(&of_two(&[&[0.0, -1.0, 1.0], &[1.0, 0.0, -1.0], &[-1.0, 1.0, 0.0]]), &[0.0; 3]);
        assert_close(&of_two(&[&[0.0, -1.0, -1.0], &[1.0, 0.0, -1.0], &[1.0, 1.0, 0.0]]), &[-1.0, -1.0, 0.0]);
        assert_close(&of_two(&[&[0.0, 0.0], &[0.0, 0.0]]), &[0.0; 2]);
        assert!(deviation_ratings(&PayoffTable::new(0, 2, |_, _| 0.0)).is_none());
    }

    #[test]
    fn at_tables_of_two_they_are_the_values_of_nash_averaging() {
        // With a single equilibrium there is nothing to select.
        for seed in 0..60_u64 {
            let mut state = 1 + seed;
            let table = PairTable::new(2 + seed as usize % 5, |_, _| {
                state = state * 48_271 % 2_147_483_647;
                state as f64 / 1e9 - 1.0
            });
            let payoffs = PayoffTable::new(table.players(), 2, |player, others| table.advantage(player, others[0]));
            assert_close(&deviation_ratings(&payoffs).unwrap(), &nash_average(&table).unwrap().values);
        }
    }

    #[test]
    fn a_player_that_is_always_best_has_0_and_the_others_what_they_lose_to_it() {
        // Each has its strength less the mean of the others.
        let strengths = [3.0, 1.0, 2.5, 0.0];
        let table = PayoffTable::new(4, 3, |player, others| {
            strengths[player] - (strengths[others[0]] + strengths[others[1]]) / 2.0
        });
        assert_close(&deviation_ratings(&table).unwrap(), &[0.0, -2.0, -0.5, -3.0]);
    }

    /// Returns a payoff at tables of three that depends on who else sits there, with sums of 0 in each.
    fn payoff(seed: u64, player: usize, others: &[usize]) -> f64 {
        let raw = |player: usize, others: [usize; 2]| {
            let mut state = 1 + seed * 7919 + (player * 4096 + others[0].min(others[1]) * 64) as u64;
            state += others[0].max(others[1]) as u64;
            for _ in 0..4 {
                state = state * 48_271 % 2_147_483_647;
            }
            state as f64 / 1e9 - 1.0
        };
        let [one, other] = [others[0], others[1]];
        let sum = raw(player, [one, other]) + raw(one, [player, other]) + raw(other, [player, one]);
        raw(player, [one, other]) - sum / 3.0
    }

    #[test]
    fn a_copy_changes_no_rating_at_tables_of_three() {
        for seed in 0..40 {
            let players = 2 + seed as usize % 4;
            let alone = deviation_ratings(&PayoffTable::new(players, 3, |own, others| payoff(seed, own, others)));
            let alone = alone.unwrap();
            let copied = seed as usize / 4 % players;
            let own = |player: usize| if player == players { copied } else { player };
            let twice = PayoffTable::new(players + 1, 3, |player, others| {
                let mut others = [own(others[0]), own(others[1])];
                others.sort_unstable();
                payoff(seed, own(player), &others)
            });
            let twice = deviation_ratings(&twice).unwrap();
            assert_close(&twice[..players], &alone);
            assert!((twice[players] - alone[copied]).abs() < 1e-6);
            // In every game some agreement is worth no refusal.
            assert!(alone.iter().all(|&rating| rating < 1e-9), "{alone:?}");
        }
    }

    #[test]
    fn rounding_keeps_no_players_without_a_rating() {
        // A method that lets settled gains be exceeded by 1e-11 fails with twelve players and these seeds.
        for (players, seeds) in [(5, [0, 1, 2, 3]), (12, [319, 383, 730, 1680])] {
            for seed in seeds {
                let table = PayoffTable::new(players, 3, |own, others| payoff(1000 * seed, own, others));
                let ratings = deviation_ratings(&table);
                let ratings = ratings.unwrap_or_else(|| panic!("{players} players, seed {seed}"));
                assert!(ratings.len() == players && ratings.iter().all(|&rating| rating < 1e-9), "{ratings:?}");
            }
        }
    }

    #[test]
    fn payoffs_that_are_nearly_in_balance_are_rated() {
        // Three in a circle and a last, all with noise. Points are cut off at 1e-7, so that sums of a table are not 0.
        // With these seeds the program has no solution unless settled gains may be exceeded.
        for seed in [1242, 1638, 3155, 3419, 3881] {
            let random = |one: usize, other: usize| {
                let mut state = 1 + seed * 1_000_003 + (one * 64 + other) as u64 * 7919;
                for _ in 0..5 {
                    state = state * 48_271 % 2_147_483_647;
                }
                state as f64 / 1_073_741_823.5 - 1.0
            };
            let ahead = |one: usize, other: usize| match (one, other) {
                _ if one == other => 0.0,
                (_, 3) => 1.0 + 0.5 * random(one, 3),
                _ if (one + 1) % 3 == other => 0.5 + 0.5 * random(one, other),
                _ => 0.0,
            };
            let table = PayoffTable::new(4, 3, |own, others| {
                let sum: f64 = others.iter().map(|&other| ahead(own, other) - ahead(other, own)).sum();
                (1e7 * sum).trunc() / 2e7
            });
            let ratings = deviation_ratings(&table).unwrap_or_else(|| panic!("seed {seed}"));
            assert!(ratings[3] < -0.1 && ratings.iter().all(|&rating| rating < 1e-6), "{ratings:?}");
        }
    }
}
