//! Finds the places where functions cross a value.

/// Halves a range `halvings` times, and returns what is left.
///
/// The place lies above the middle where `is_above` says so.
pub(super) fn bisect((mut low, mut high): (f64, f64), halvings: usize, is_above: impl Fn(f64) -> bool) -> (f64, f64) {
    for _ in 0..halvings {
        let middle = (low + high) / 2.0;
        if is_above(middle) { low = middle } else { high = middle }
    }
    (low, high)
}

/// Returns the zero of a function that rises from below zero at `low` to above zero at `high`.
///
/// Both ends are given with their values, and the result has eleven digits. The method draws straight lines
/// between both ends; an end that stays counts by half the next time. This is the Illinois method (Dowell &
/// Jarratt 1971, *BIT* 11).
pub(super) fn zero(
    value: impl Fn(f64) -> f64,
    (mut low, mut below): (f64, f64),
    (mut high, mut above): (f64, f64),
) -> f64 {
    let (mut place, mut has_risen) = (low, None);
    for _ in 0..100 {
        let last = place;
        place = (low * above - high * below) / (above - below);
        let found = value(place);
        if found == 0.0 || (place - last).abs() <= 1e-11 * place {
            break;
        }
        let is_below = found < 0.0;
        let share = if has_risen == Some(is_below) { 0.5 } else { 1.0 };
        if is_below {
            (low, below, above) = (place, found, above * share);
        } else {
            (high, above, below) = (place, found, below * share);
        }
        has_risen = Some(is_below);
    }
    place
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zeros_are_found() {
        for shape in [0.3, 1.0, 2.0, 20.0] {
            let value = |x: f64| x.powf(shape) - 0.025;
            let found = zero(value, (0.0, value(0.0)), (1.0, value(1.0)));
            assert!((found / 0.025_f64.powf(1.0 / shape) - 1.0).abs() < 1e-10, "{shape}: {found}");
        }
    }
}
