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

/// Multipliers above this are not those of rounding.
const NOTHING: f64 = 1e-9;
/// How much a settled gain may be exceeded later. This keeps rounding from leaving no solution.
const LEEWAY: f64 = 1e-11;

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
    let mut settled: Vec<Option<f64>> = vec![None; table.players];
    while settled.contains(&None) {
        let (gain, binding) = smallest_gain(table, largest, &settled)?;
        for player in binding {
            settled[player] = Some(gain);
        }
    }
    settled.into_iter().map(|gain| Some(gain? * largest)).collect()
}

/// Returns the smallest possible gain of the worst player that is not settled yet.
///
/// With it come the players that have this gain in every solution. All gains are over `largest`.
///
/// Let K be above all gains and y = K - e for the gain e of the worst. With the chance of a line-up over y as
/// unknown, the smallest sum is 1/y. Solved is the dual of this program, which starts from a solution.
fn smallest_gain(table: &PayoffTable, largest: f64, settled: &[Option<f64>]) -> Option<(f64, Vec<usize>)> {
    const ABOVE: f64 = 2.0;
    let mut rows = Vec::with_capacity(table.gains.len());
    for gains in &table.gains {
        let mut row = Vec::with_capacity(table.players);
        for (gain, settled) in gains.iter().zip(settled) {
            row.push(settled.map_or(ABOVE, |settled| settled + LEEWAY) - gain / largest);
        }
        rows.push(row);
    }
    let open = |player: &usize| settled[*player].is_none();
    let objective = settled.iter().map(|settled| if settled.is_none() { 1.0 } else { 0.0 }).collect();
    let bounds = vec![1.0; rows.len()];
    let multipliers = LinearProgram { objective, rows, bounds }.solve()?.x;
    let sum: f64 = (0..table.players).filter(open).map(|player| multipliers[player]).sum();
    let binding: Vec<usize> = (0..table.players).filter(open).filter(|&player| multipliers[player] > NOTHING).collect();
    // The sum is 1/y, and y is at most 3.
    (!binding.is_empty()).then(|| (ABOVE - 1.0 / sum, binding))
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
            let mut state = 1 + seed * 7919 + player as u64 * 101 + (others[0].min(others[1]) * 10) as u64;
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
    fn ten_players_at_tables_of_three_are_rated() {
        for seed in 0..3 {
            let table = PayoffTable::new(10, 3, |own, others| payoff(seed, own, others));
            assert_eq!(deviation_ratings(&table).unwrap().len(), 10);
        }
    }
}
