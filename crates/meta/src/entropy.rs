//! The equilibrium of maximum entropy, where there are several.
//!
//! The equilibria are the mixes p with `A p <= 0`, for the table A. A linear program finds the players that
//! have a weight in some equilibrium, and a mix in which all of them have one. From there, Newton's method
//! goes along a barrier to the maximum (Boyd & Vandenberghe 2004, *Convex Optimization*, chapter 11).

use super::dense::{null_space, solve};
use super::pair_table::PairTable;
use super::simplex::LinearProgram;

/// The weight of the barrier at the end, about the error of the entropy.
const LEAST_BARRIER: f64 = 1e-13;
/// The most steps of Newton's method for a weight of the barrier.
const MOST_STEPS: usize = 60;

/// Returns the equilibrium of maximum entropy of a table whose largest advantage is 1.
///
/// `None` if rounding keeps the method from its end.
pub(crate) fn most_even(table: &PairTable) -> Option<Vec<f64>> {
    let players = table.players();
    let (inside, start) = inner_mix(table)?;
    let outside: Vec<usize> = (0..players).filter(|player| !inside.contains(player)).collect();
    let part = |player: usize| -> Vec<f64> { inside.iter().map(|&other| table.advantage(player, other)).collect() };
    // No player in the mix is ahead of it or behind it, and the weights keep their sum.
    let mut kept: Vec<Vec<f64>> = inside.iter().map(|&player| part(player)).collect();
    kept.push(vec![1.0; inside.len()]);
    let mut hill = Hill {
        directions: null_space(kept, inside.len()),
        behind: outside.iter().map(|&player| part(player).iter().map(|ahead| -ahead).collect()).collect(),
        barrier: 1.0,
    };
    let mut mix = start;
    while !hill.directions.is_empty() && hill.barrier > LEAST_BARRIER {
        hill.climb(&mut mix)?;
        hill.barrier *= 0.1;
    }
    let sum: f64 = mix.iter().sum();
    let mut weights = vec![0.0; players];
    for (&player, weight) in inside.iter().zip(&mix) {
        weights[player] = weight / sum;
    }
    Some(weights)
}

/// Returns the players with a weight in some equilibrium, and an equilibrium inside the set of all.
///
/// Every player either has a weight in some equilibrium or is behind one (Goldman & Tucker 1956). So the largest
/// sum of `u` and `w` with `A (u + v) + w <= 0`, `u <= 1` and `w <= 1` is the number of players. Then `u + v`
/// is such an equilibrium, up to its sum. This is the program of Freund, Roundy & Todd (1985), "Identifying the
/// set of always-active constraints in a system of linear inequalities by a single linear program".
fn inner_mix(table: &PairTable) -> Option<(Vec<usize>, Vec<f64>)> {
    let players = table.players();
    let unit = |place: usize| {
        let mut row = vec![0.0; 3 * players];
        row[place] = 1.0;
        row
    };
    let (mut rows, mut bounds) = (Vec::with_capacity(3 * players), vec![0.0; players]);
    for player in 0..players {
        let mut row = unit(2 * players + player);
        for other in 0..players {
            row[other] = table.advantage(player, other);
            row[players + other] = row[other];
        }
        rows.push(row);
    }
    for player in 0..players {
        rows.push(unit(player));
        rows.push(unit(2 * players + player));
        bounds.extend([1.0, 1.0]);
    }
    let mut objective = vec![1.0; 3 * players];
    objective[players..2 * players].fill(0.0);
    let x = LinearProgram { objective, rows, bounds }.solve()?.x;
    let inside: Vec<usize> = (0..players).filter(|&player| x[player] > 0.5).collect();
    let is_split = (0..players).all(|player| (x[player] > 0.5) != (x[2 * players + player] > 0.5));
    let sizes: Vec<f64> = inside.iter().map(|&player| x[player] + x[players + player]).collect();
    let sum: f64 = sizes.iter().sum();
    is_split.then(|| (inside, sizes.iter().map(|size| size / sum).collect()))
}

/// The entropy, with a barrier where a player outside would be ahead of the mix.
struct Hill {
    /// The ways in which the mix may move.
    directions: Vec<Vec<f64>>,
    /// By player outside: how far each player in the mix is ahead of it.
    behind: Vec<Vec<f64>>,
    barrier: f64,
}

impl Hill {
    /// Climbs to the top for the present barrier; `None` if rounding prevents it.
    fn climb(&self, mix: &mut Vec<f64>) -> Option<()> {
        for _ in 0..MOST_STEPS {
            let (slope, bend) = self.slope_and_bend(mix);
            let step = solve(bend, slope.clone())?;
            let gain: f64 = slope.iter().zip(&step).map(|(slope, step)| slope * step).sum();
            if gain < 1e-22 {
                break;
            }
            let height = self.height(mix).expect("a mix inside");
            let mut length = 1.0;
            let next = loop {
                let next = self.moved(mix, &step, length);
                let is_higher = |own: f64| own >= height + 0.1 * length * gain;
                if self.height(&next).is_some_and(is_higher) {
                    break next;
                }
                length *= 0.5;
                // The top is as near as rounding allows.
                if length < 1e-10 {
                    return Some(());
                }
            };
            *mix = next;
        }
        Some(())
    }

    /// Returns the mix after a step, which is given in the directions.
    fn moved(&self, mix: &[f64], step: &[f64], length: f64) -> Vec<f64> {
        let mut moved = mix.to_vec();
        for (direction, step) in self.directions.iter().zip(step) {
            for (weight, part) in moved.iter_mut().zip(direction) {
                *weight += length * step * part;
            }
        }
        moved
    }

    /// Returns the height; `None` outside of the set of equilibria.
    fn height(&self, mix: &[f64]) -> Option<f64> {
        let mut height = 0.0;
        for &weight in mix {
            if weight <= 0.0 {
                return None;
            }
            height -= weight * libm::log(weight);
        }
        for behind in &self.behind {
            let ahead = dot(behind, mix);
            if ahead <= 0.0 {
                return None;
            }
            height += self.barrier * libm::log(ahead);
        }
        Some(height)
    }

    /// Returns the slope in each direction, and how fast it falls along each other.
    fn slope_and_bend(&self, mix: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
        let ahead: Vec<f64> = self.behind.iter().map(|behind| dot(behind, mix)).collect();
        let (mut slopes, mut bends) = (Vec::new(), Vec::new());
        for one in &self.directions {
            let mut slope = 0.0;
            for (weight, part) in mix.iter().zip(one) {
                slope -= (libm::log(*weight) + 1.0) * part;
            }
            for (behind, ahead) in self.behind.iter().zip(&ahead) {
                slope += self.barrier * dot(behind, one) / ahead;
            }
            let mut row = Vec::new();
            for other in &self.directions {
                let mut bend = 0.0;
                for ((weight, one), other) in mix.iter().zip(one).zip(other) {
                    bend += one * other / weight;
                }
                for (behind, ahead) in self.behind.iter().zip(&ahead) {
                    bend += self.barrier * dot(behind, one) * dot(behind, other) / (ahead * ahead);
                }
                row.push(bend);
            }
            slopes.push(slope);
            bends.push(row);
        }
        (slopes, bends)
    }
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}
