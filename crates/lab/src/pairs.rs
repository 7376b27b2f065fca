//! Pairs of indices.

/// Returns the pairs of different indices below `count`, the smaller first, in order.
pub fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |one| (one + 1..count).map(move |other| (one, other)))
}
