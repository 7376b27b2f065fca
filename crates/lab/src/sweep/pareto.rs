//! The points that no other beats on what is wanted.

use super::wish::SweepWish;

/// Returns the numbers of the points that no other point beats.
///
/// `values` is by wish and point. For a wish and two points, `difference` gives the interval of the first
/// point's value less the second's.
///
/// A point beats another if it is nowhere worse, by its measured values, and somewhere certainly better: the
/// interval of the difference excludes 0. Points at which a wish was not measured are left out.
pub fn unbeaten(
    wishes: &[SweepWish],
    values: &[Vec<Option<f64>>],
    difference: impl Fn(usize, usize, usize) -> Option<(f64, f64)>,
) -> Vec<usize> {
    let points = values.first().map_or(0, Vec::len);
    let mut candidates: Vec<MeasuredPoint> = Vec::new();
    for point in 0..points {
        if let Some(losses) = losses(wishes, values, point) {
            candidates.push(MeasuredPoint { point, losses });
        }
    }
    let differs = |wish: usize, one: usize, other: usize| {
        difference(wish, one, other).is_some_and(|(low, high)| low > 0.0 || high < 0.0)
    };
    let beats = |one: &MeasuredPoint, other: &MeasuredPoint| {
        let is_better = |wish: usize| one.losses[wish] < other.losses[wish];
        (0..wishes.len()).all(|wish| one.losses[wish] <= other.losses[wish])
            && (0..wishes.len()).any(|wish| is_better(wish) && differs(wish, one.point, other.point))
    };
    // The best points by the first wish beat most others, so they are compared first: a difference takes
    // long.
    let mut best_first: Vec<&MeasuredPoint> = candidates.iter().collect();
    best_first.sort_by(|one, other| one.losses[0].total_cmp(&other.losses[0]));
    let is_beaten = |candidate: &MeasuredPoint| best_first.iter().any(|other| beats(other, candidate));
    candidates.iter().filter(|candidate| !is_beaten(candidate)).map(|candidate| candidate.point).collect()
}

/// A point at which all wishes were measured, with its loss by each wish.
struct MeasuredPoint {
    point: usize,
    losses: Vec<f64>,
}

/// Returns the losses of a point by wish; `None` if a wish was not measured there.
fn losses(wishes: &[SweepWish], values: &[Vec<Option<f64>>], point: usize) -> Option<Vec<f64>> {
    let mut losses = Vec::with_capacity(wishes.len());
    for (wish, values) in wishes.iter().zip(values) {
        losses.push(wish.loss(values[point]?));
    }
    Some(losses)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::Wanted;

    #[test]
    fn a_point_is_beaten_by_one_that_is_nowhere_worse_and_somewhere_better_for_sure() {
        let wish = |measure: &str, wanted| SweepWish { measure: measure.to_owned(), bot: 0, wanted };
        let wishes = [wish("tied", Wanted::Within { min: None, max: Some(0.5) }), wish("skill-sd", Wanted::More)];
        let tied = vec![Some(0.2), Some(0.4), Some(0.9), Some(0.2), Some(0.9)];
        let skill = vec![Some(1.0), Some(1.0), Some(3.0), Some(2.0), Some(2.9)];
        // A half-width of 0.01 distinguishes a difference of 0.1 from 0, and 0.2 does not.
        let unbeaten = |values: &[Vec<Option<f64>>], half: f64| {
            unbeaten(&wishes, values, |wish, one, other| {
                let difference = values[wish][one]? - values[wish][other]?;
                Some((difference - half, difference + half))
            })
        };
        // Points 0 and 1 have less skill than 3. Point 4 has less than 2, with equal ties. Points 2 and 3
        // each have an advantage.
        let mut values = [tied, skill];
        assert_eq!(unbeaten(&values, 0.01), [2, 3]);
        assert_eq!(unbeaten(&values, 0.2), [2, 3, 4]);
        values[1][3] = None;
        assert_eq!(unbeaten(&values, 0.01), [0, 1, 2]);
    }
}
