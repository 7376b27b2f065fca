//! Latin hypercubes: random points that cover every axis evenly.
//!
//! McKay, Beckman & Conover (1979), "A comparison of three methods for selecting values of input variables in
//! the analysis of output from a computer code", *Technometrics* 21.

use overtrick_cards::Stream;
use overtrick_stats::uniform;

/// Returns `count` points: each axis has one of them in each of `count` parts.
///
/// The parts of an axis are in a random order. `place` turns the index of an axis and of a part into a
/// coordinate, and may draw from the stream.
pub fn latin_hypercube<T: Clone>(
    axes: usize,
    count: usize,
    stream: &mut Stream,
    mut place: impl FnMut(usize, usize, &mut Stream) -> T,
) -> Vec<Vec<T>> {
    let mut points = vec![Vec::with_capacity(axes); count];
    for axis in 0..axes {
        let mut parts: Vec<usize> = (0..count).collect();
        for last in (1..count).rev() {
            parts.swap(last, (uniform(stream) * (last + 1) as f64) as usize);
        }
        for (point, part) in points.iter_mut().zip(parts) {
            point.push(place(axis, part, stream));
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use overtrick_cards::SeedSource;

    #[test]
    fn each_part_of_each_axis_has_one_point() {
        let mut stream = SeedSource::new(1, "test", "latin hypercube").stream(0, 0);
        let points = latin_hypercube(3, 10, &mut stream, |axis, part, _| (axis, part));
        for axis in 0..3 {
            let mut parts: Vec<(usize, usize)> = points.iter().map(|point| point[axis]).collect();
            assert!(!parts.is_sorted(), "the order is random");
            parts.sort_unstable();
            assert_eq!(parts, (0..10).map(|part| (axis, part)).collect::<Vec<_>>());
        }
    }
}
