//! Linear programs whose starting point is known, solved by the simplex method.
//!
//! The method is that of Dantzig (1951). Where it stands still, the pivots are those of Bland (1977), "New
//! finite pivoting rules for the simplex method", *Mathematics of Operations Research* 2, which never run in
//! a circle.

/// Entries below this are those of rounding. All programs here have entries of about 1.
const NOTHING: f64 = 1e-9;
/// The number of pivots in a row without a gain after which the rule changes.
const STANDSTILL: usize = 20;
/// The number of pivots after which only rounding can keep the method from its end.
const MOST_PIVOTS: usize = 100_000;

/// The largest `objective . x` with `rows . x <= bounds` and `x >= 0`.
///
/// No bound is negative, so `x = 0` is a starting point.
pub(crate) struct LinearProgram {
    pub(crate) objective: Vec<f64>,
    pub(crate) rows: Vec<Vec<f64>>,
    pub(crate) bounds: Vec<f64>,
}

/// A solution that is a vertex of the set of solutions.
#[derive(Debug)]
pub(crate) struct Vertex {
    pub(crate) x: Vec<f64>,
    /// By row: its multiplier. A row with a positive multiplier holds with equality in every solution.
    pub(crate) multipliers: Vec<f64>,
}

impl LinearProgram {
    /// Solves the program.
    ///
    /// `None` if its objective has no bound, or if rounding keeps the method from its end.
    pub(crate) fn solve(self) -> Option<Vertex> {
        debug_assert!(self.bounds.iter().all(|&bound| bound >= 0.0), "a starting point");
        let columns = self.objective.len();
        let mut dictionary = Dictionary {
            free: (0..columns).collect(),
            basic: (columns..columns + self.rows.len()).collect(),
            rows: self.rows,
            bounds: self.bounds,
            objective: self.objective,
        };
        let mut still = 0;
        for _ in 0..MOST_PIVOTS {
            let is_bland = still > STANDSTILL;
            let Some(column) = dictionary.entering(is_bland) else { return Some(dictionary.vertex(columns)) };
            let row = dictionary.leaving(column, is_bland)?;
            still = if dictionary.bounds[row] > NOTHING { 0 } else { still + 1 };
            dictionary.pivot(row, column);
        }
        None
    }
}

/// The program solved for its basic variables, in terms of the free ones, which are zero.
///
/// Variables from the number of columns on are the slacks of the rows.
struct Dictionary {
    /// By column.
    free: Vec<usize>,
    /// By row.
    basic: Vec<usize>,
    rows: Vec<Vec<f64>>,
    bounds: Vec<f64>,
    objective: Vec<f64>,
}

impl Dictionary {
    /// Returns the column whose variable is to rise; `None` if none gains.
    fn entering(&self, is_bland: bool) -> Option<usize> {
        let gains = (0..self.free.len()).filter(|&column| self.objective[column] > NOTHING);
        if is_bland {
            return gains.min_by_key(|&column| self.free[column]);
        }
        gains.max_by(|&a, &b| self.objective[a].total_cmp(&self.objective[b]))
    }

    /// Returns the row that first stops the rise of a column's variable; `None` if none does.
    fn leaving(&self, column: usize, is_bland: bool) -> Option<usize> {
        let mut found: Option<usize> = None;
        for (row, entries) in self.rows.iter().enumerate() {
            if entries[column] <= NOTHING {
                continue;
            }
            let Some(other) = found else {
                found = Some(row);
                continue;
            };
            let (own, least) = (self.bounds[row] / entries[column], self.bounds[other] / self.rows[other][column]);
            let is_equal = (own - least).abs() <= 1e-12 * least.abs().max(1.0);
            let is_preferred = match is_bland {
                true => self.basic[row] < self.basic[other],
                false => entries[column] > self.rows[other][column],
            };
            if is_equal && is_preferred || !is_equal && own < least {
                found = Some(row);
            }
        }
        found
    }

    /// Exchanges the variables of a row and a column.
    fn pivot(&mut self, row: usize, column: usize) {
        let pivot = self.rows[row][column];
        self.rows[row].iter_mut().for_each(|entry| *entry /= pivot);
        self.rows[row][column] = 1.0 / pivot;
        self.bounds[row] = (self.bounds[row] / pivot).max(0.0);
        let (own, bound) = (self.rows[row].clone(), self.bounds[row]);
        for other in (0..self.rows.len()).filter(|&other| other != row) {
            let factor = self.rows[other][column];
            if factor != 0.0 {
                exchange(&mut self.rows[other], &own, column, factor);
                // A bound below zero is rounding.
                self.bounds[other] = (self.bounds[other] - factor * bound).max(0.0);
            }
        }
        let factor = self.objective[column];
        exchange(&mut self.objective, &own, column, factor);
        std::mem::swap(&mut self.free[column], &mut self.basic[row]);
    }

    fn vertex(&self, columns: usize) -> Vertex {
        let mut vertex = Vertex { x: vec![0.0; columns], multipliers: vec![0.0; self.rows.len()] };
        for (&variable, &bound) in self.basic.iter().zip(&self.bounds) {
            if variable < columns {
                vertex.x[variable] = bound;
            }
        }
        for (&variable, &gain) in self.free.iter().zip(&self.objective) {
            if variable >= columns {
                vertex.multipliers[variable - columns] = (-gain).max(0.0);
            }
        }
        vertex
    }
}

/// Takes the row of a pivot, times a factor, from another row.
fn exchange(row: &mut [f64], pivot: &[f64], column: usize, factor: f64) {
    row[column] = 0.0;
    for (entry, own) in row.iter_mut().zip(pivot) {
        *entry -= factor * own;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_example() {
        // Chvatal (1983), *Linear Programming*, chapter 2: the largest is 13, at (2, 0, 1).
        let program = LinearProgram {
            objective: vec![5.0, 4.0, 3.0],
            rows: vec![vec![2.0, 3.0, 1.0], vec![4.0, 1.0, 2.0], vec![3.0, 4.0, 2.0]],
            bounds: vec![5.0, 11.0, 8.0],
        };
        let found = program.solve().unwrap();
        for (found, expected) in found.x.iter().zip([2.0, 0.0, 1.0]) {
            assert!((found - expected).abs() < 1e-12);
        }
        // The bounds times their multipliers are the largest, too.
        for (found, expected) in found.multipliers.iter().zip([1.0, 0.0, 1.0]) {
            assert!((found - expected).abs() < 1e-12);
        }
    }

    #[test]
    fn a_program_on_which_the_plain_rule_runs_in_a_circle() {
        // Beale (1955), *Naval Research Logistics Quarterly* 2: the largest is 0.05.
        let program = LinearProgram {
            objective: vec![0.75, -150.0, 0.02, -6.0],
            rows: vec![vec![0.25, -60.0, -0.04, 9.0], vec![0.5, -90.0, -0.02, 3.0], vec![0.0, 0.0, 1.0, 0.0]],
            bounds: vec![0.0, 0.0, 1.0],
        };
        let objective = program.objective.clone();
        let found = program.solve().unwrap();
        let largest: f64 = objective.iter().zip(&found.x).map(|(gain, x)| gain * x).sum();
        assert!((largest - 0.05).abs() < 1e-9, "{largest}");
    }

    #[test]
    fn a_program_without_a_bound_has_no_solution() {
        let program = LinearProgram { objective: vec![1.0], rows: vec![vec![-1.0]], bounds: vec![1.0] };
        assert!(program.solve().is_none());
    }
}
