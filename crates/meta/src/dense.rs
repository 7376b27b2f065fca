//! Small systems of linear equations.

/// Entries below this are those of rounding. All systems here have entries of about 1.
const NOTHING: f64 = 1e-9;

/// Solves a system of as many equations as unknowns; `None` if its matrix is singular.
pub(crate) fn solve(mut rows: Vec<Vec<f64>>, mut right: Vec<f64>) -> Option<Vec<f64>> {
    let size = rows.len();
    for column in 0..size {
        let pivot = (column..size).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
        if rows[pivot][column] == 0.0 {
            return None;
        }
        rows.swap(column, pivot);
        right.swap(column, pivot);
        for row in column + 1..size {
            let factor = rows[row][column] / rows[column][column];
            let (above, below) = rows.split_at_mut(row);
            subtract(&mut below[0], &above[column], factor);
            right[row] -= factor * right[column];
        }
    }
    for column in (0..size).rev() {
        let known: f64 = (column + 1..size).map(|other| rows[column][other] * right[other]).sum();
        right[column] = (right[column] - known) / rows[column][column];
    }
    Some(right)
}

/// Returns a basis of the vectors that all rows of a matrix map to zero.
pub(crate) fn null_space(mut rows: Vec<Vec<f64>>, columns: usize) -> Vec<Vec<f64>> {
    // By row: the column that it determines.
    let mut determined: Vec<usize> = Vec::new();
    while determined.len() < rows.len() {
        let next = determined.len();
        let Some((row, column)) = largest(&rows[next..], columns) else { break };
        rows.swap(next, next + row);
        let factor = rows[next][column];
        rows[next].iter_mut().for_each(|entry| *entry /= factor);
        for other in (0..rows.len()).filter(|&other| other != next) {
            let (factor, pivot) = (rows[other][column], rows[next].clone());
            subtract(&mut rows[other], &pivot, factor);
        }
        determined.push(column);
    }
    let mut basis = Vec::new();
    for free in (0..columns).filter(|column| !determined.contains(column)) {
        let mut vector = vec![0.0; columns];
        vector[free] = 1.0;
        for (row, &column) in rows.iter().zip(&determined) {
            vector[column] = -row[free];
        }
        basis.push(vector);
    }
    basis
}

/// Returns the row and column of the largest entry; `None` if all are those of rounding.
fn largest(rows: &[Vec<f64>], columns: usize) -> Option<(usize, usize)> {
    let mut place = None;
    let mut size = NOTHING;
    for (row, entries) in rows.iter().enumerate() {
        for (column, entry) in entries.iter().enumerate().take(columns) {
            if entry.abs() > size {
                (place, size) = (Some((row, column)), entry.abs());
            }
        }
    }
    place
}

/// Subtracts another row, times a factor, from a row.
fn subtract(row: &mut [f64], other: &[f64], factor: f64) {
    for (entry, other) in row.iter_mut().zip(other) {
        *entry -= factor * other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn worked_examples() {
        let rows = vec![vec![0.0, 2.0, 1.0], vec![1.0, -1.0, 0.0], vec![3.0, 0.0, -1.0]];
        let found = solve(rows, vec![7.0, -1.0, 0.0]).unwrap();
        for (found, expected) in found.iter().zip([1.0, 2.0, 3.0]) {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert_eq!(solve(vec![vec![1.0, 2.0], vec![2.0, 4.0]], vec![1.0, 2.0]), None);
    }

    #[test]
    fn the_null_space_has_all_that_is_mapped_to_zero() {
        let rows = vec![vec![1.0, 2.0, 3.0, 0.0], vec![2.0, 4.0, 6.0, 0.0]];
        let basis = null_space(rows.clone(), 4);
        assert_eq!(basis.len(), 3);
        for vector in &basis {
            for row in &rows {
                let image: f64 = row.iter().zip(vector).map(|(a, b)| a * b).sum();
                assert!(image.abs() < 1e-12);
            }
        }
        assert!(null_space(vec![vec![1.0, 0.0], vec![0.0, 1.0]], 2).is_empty());
    }
}
