//! The number of decimals of a figure.

/// Returns the number of decimals that show two digits of a size, at most six.
///
/// A size is, for example, the width of an interval. `None` if it is not above 0.
pub fn decimals(size: f64) -> Option<usize> {
    (size > 0.0).then(|| (1.0 - size.log10().floor()).clamp(0.0, 6.0) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_digits_of_a_size_are_shown() {
        let of = |sizes: [f64; 5]| sizes.map(decimals);
        assert_eq!(of([250.0, 25.0, 2.5, 0.25, 0.025]), [Some(0), Some(0), Some(1), Some(2), Some(3)]);
        assert_eq!(of([1e-9, 0.0, -1.0, f64::NAN, f64::INFINITY]), [Some(6), None, None, None, Some(0)]);
    }
}
