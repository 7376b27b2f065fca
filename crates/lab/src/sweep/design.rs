//! The design of a sweep: the points that are played.

use std::collections::BTreeSet;

use overtrick_cards::SeedSource;
use overtrick_games::Variant;

use super::axis::SweepAxis;
use crate::latin_hypercube::latin_hypercube;

/// The largest number of axes for which the whole grid is played.
pub const GRID_AXES: usize = 3;
/// The largest number of points of a sweep.
pub const MOST_POINTS: u64 = 10_000;
/// The number of samples from which the sample with the points farthest apart is taken.
const SAMPLES: usize = 50;

/// A point of a sweep.
#[derive(Clone)]
pub struct SweepPoint {
    /// By axis: the index of its value; `None` for the base, if the axes do not have its values.
    pub levels: Option<Vec<usize>>,
    /// The variant with these rules.
    pub variant: Variant,
}

/// Returns the number of points of the grid; `None` if it overflows.
pub fn grid_size(axes: &[SweepAxis]) -> Option<u64> {
    axes.iter().try_fold(1u64, |size, axis| size.checked_mul(axis.values.len() as u64))
}

/// Returns all combinations of values; the last axis changes fastest.
pub fn grid(axes: &[SweepAxis]) -> Vec<Vec<usize>> {
    axes.iter().fold(vec![Vec::new()], |points, axis| {
        let with = |point: &Vec<usize>| {
            (0..axis.values.len()).map(|value| [&point[..], &[value]].concat()).collect::<Vec<_>>()
        };
        points.iter().flat_map(with).collect()
    })
}

/// Returns at most `count` points that fill the space of the axes, none of them twice.
///
/// The first points are the middle and both ends of each axis. The others are a Latin hypercube, in which
/// each axis has its values equally often. Of several hypercubes, the one whose points lie farthest apart is
/// taken (Johnson, Moore & Ylvisaker 1990, *Journal of Statistical Planning and Inference* 26).
pub fn filling(axes: &[SweepAxis], count: usize, seed: u64) -> Vec<Vec<usize>> {
    let last = |axis: &SweepAxis| axis.values.len() - 1;
    let middle: Vec<usize> = axes.iter().map(|axis| last(axis) / 2).collect();
    let mut points = vec![middle.clone()];
    for (number, axis) in axes.iter().enumerate() {
        for end in [0, last(axis)] {
            let mut point = middle.clone();
            point[number] = end;
            points.push(point);
        }
    }
    let rest = count.saturating_sub(points.len());
    let mut stream = SeedSource::new(seed, "sweep", "design").stream(0, 0);
    let value = |axis: usize, part: usize, _: &mut _| part * axes[axis].values.len() / rest;
    let (mut farthest, mut distance) = (Vec::new(), f64::NEG_INFINITY);
    for _ in 0..SAMPLES {
        let sample = latin_hypercube(axes.len(), rest, &mut stream, value);
        let own = nearest(axes, &sample);
        if own > distance {
            (farthest, distance) = (sample, own);
        }
    }
    points.extend(farthest);
    let mut seen = BTreeSet::new();
    points.retain(|point| seen.insert(point.clone()));
    points.truncate(count);
    points
}

/// Returns the square of the least distance between two points, where each axis has length 1.
fn nearest(axes: &[SweepAxis], points: &[Vec<usize>]) -> f64 {
    let part =
        |axis: &SweepAxis, one: usize, other: usize| one.abs_diff(other) as f64 / (axis.values.len() - 1).max(1) as f64;
    let distance = |one: &[usize], other: &[usize]| {
        axes.iter().zip(one.iter().zip(other)).map(|(axis, (&one, &other))| part(axis, one, other).powi(2)).sum::<f64>()
    };
    let mut least = f64::INFINITY;
    for (number, one) in points.iter().enumerate() {
        least = points[..number].iter().map(|other| distance(one, other)).fold(least, f64::min);
    }
    least
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axis(values: i64) -> SweepAxis {
        SweepAxis { key: "x".to_owned(), values: (0..values).map(toml::Value::from).collect() }
    }

    #[test]
    fn a_grid_has_all_combinations_in_order() {
        let axes = [axis(2), axis(3)];
        assert_eq!(grid(&axes), [[0, 0], [0, 1], [0, 2], [1, 0], [1, 1], [1, 2]]);
        assert_eq!((grid_size(&axes), grid(&[]).len()), (Some(6), 1));
        assert_eq!(grid_size(&vec![axis(1000); 30]), None);
    }

    #[test]
    fn points_that_fill_the_space_have_all_values_and_both_ends() {
        let axes = [axis(5), axis(4), axis(3), axis(10)];
        let points = filling(&axes, 40, 1);
        assert!((33..=40).contains(&points.len()), "{}", points.len());
        assert_eq!(points[0], [2, 1, 1, 4]);
        for (number, axis) in axes.iter().enumerate() {
            let values: BTreeSet<usize> = points.iter().map(|point| point[number]).collect();
            assert_eq!(values.len(), axis.values.len());
        }
        assert_eq!(filling(&axes, 40, 1), points);
        assert!(filling(&axes, 40, 2) != points);
        let different: BTreeSet<_> = points.iter().collect();
        assert_eq!(different.len(), points.len());
    }
}
