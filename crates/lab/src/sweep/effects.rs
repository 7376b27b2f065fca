//! Effects: the changes by a value of a rule, and by two rules together.

use std::collections::BTreeMap;

use overtrick_stats::Contrast;

use super::axis::SweepAxis;
use super::design::SweepPoint;
use super::surface::{self, SurfaceTerm};
use crate::pairs::pairs;

/// An effect before it is computed: its name, and the weight of each point.
pub struct Weighted {
    /// The name of the effect.
    pub effect: Effect,
    /// The points that count, each with its weight.
    pub weights: Vec<(usize, f64)>,
}

/// A value of a rule, compared with another value of the rule.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ValueChange {
    /// The axis of the rule.
    pub axis: usize,
    /// The index of the value.
    pub value: usize,
    /// The index of the value that it is compared with.
    pub against: usize,
}

/// An effect of rules on a measure.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// A value of a rule, compared with another value of the rule.
    Value(ValueChange),
    /// A value of one rule together with a value of another, beyond the effects of both alone.
    Pair([ValueChange; 2]),
    /// The change from the lowest to the highest value of a rule, on a surface.
    Slope {
        /// The axis of the rule.
        axis: usize,
    },
    /// The mean of both ends of a rule less its middle, on a surface.
    Bend {
        /// The axis of the rule.
        axis: usize,
    },
    /// The joint effect of two rules, on a surface.
    ///
    /// It is the mean with both at the same end, less the mean with them at different ends.
    Product {
        /// The axes of the rules.
        axes: [usize; 2],
    },
}

/// Returns the effects of all axes, each once, as weighted sums of the points.
///
/// On a grid, values are compared with those of the base. If the base is not one of the combinations, they
/// are compared with the first of each axis. Such an effect is a mean over the values of the other axes at
/// which everything that it compares was played.
///
/// Other points have the effects of a surface: slopes, bends and products of numeric axes, and values of
/// other axes compared with the first.
pub fn effects(axes: &[SweepAxis], points: &[SweepPoint], base: usize, is_grid: bool) -> Vec<Weighted> {
    let played: Vec<(usize, &Vec<usize>)> =
        points.iter().enumerate().filter_map(|(number, point)| Some((number, point.levels.as_ref()?))).collect();
    if !is_grid {
        let weighted = |(term, weights): (SurfaceTerm, Vec<f64>)| Weighted {
            effect: match term {
                SurfaceTerm::Linear(axis) => Effect::Slope { axis },
                SurfaceTerm::Square(axis) => Effect::Bend { axis },
                SurfaceTerm::Level(axis, value) => Effect::Value(ValueChange { axis, value, against: 0 }),
                SurfaceTerm::Product(one, other) => Effect::Product { axes: [one, other] },
            },
            weights: played.iter().map(|(number, _)| *number).zip(weights).collect(),
        };
        return surface::weights(axes, points).into_iter().flatten().map(weighted).collect();
    }
    let usual: Vec<usize> = points[base].levels.clone().unwrap_or_else(|| vec![0; axes.len()]);
    let grid = Grid { places: played.iter().map(|&(number, levels)| (&levels[..], number)).collect() };
    let changes = |axis: usize| {
        let against = usual[axis];
        let others = (0..axes[axis].values.len()).filter(move |&value| value != against);
        others.map(move |value| ValueChange { axis, value, against })
    };
    let mut found = Vec::new();
    for change in (0..axes.len()).flat_map(changes) {
        found.push(Weighted { effect: Effect::Value(change), weights: grid.weights(&[change]) });
    }
    for (one, other) in pairs(axes.len()) {
        for a in changes(one) {
            for b in changes(other) {
                found.push(Weighted { effect: Effect::Pair([a, b]), weights: grid.weights(&[a, b]) });
            }
        }
    }
    // If the rules refuse every combination that an effect needs, there is no such effect.
    found.retain(|weighted| !weighted.weights.is_empty());
    found
}

/// The points of a grid, by their values; some may be missing.
struct Grid<'a> {
    places: BTreeMap<&'a [usize], usize>,
}

impl Grid<'_> {
    /// Returns the weights of the mean difference between two values on each of some axes.
    ///
    /// With two axes, this is the difference of differences. Each mean is over the values of all other axes
    /// at which everything was played.
    fn weights(&self, changes: &[ValueChange]) -> Vec<(usize, f64)> {
        let mut corners = Vec::new();
        let has_values = |levels: &&&[usize]| changes.iter().all(|change| levels[change.axis] == change.value);
        for levels in self.places.keys().filter(has_values) {
            let mut own = Vec::new();
            // Bit i of a corner is set where change i is undone, which turns the sign.
            for corner in 0..1_usize << changes.len() {
                let (mut at, mut sign) = (levels.to_vec(), 1.0);
                for (bit, change) in changes.iter().enumerate() {
                    if corner >> bit & 1 == 1 {
                        at[change.axis] = change.against;
                        sign = -sign;
                    }
                }
                own.extend(self.places.get(&at[..]).map(|&point| (point, sign)));
            }
            if own.len() == 1 << changes.len() {
                corners.push(own);
            }
        }
        let each = 1.0 / corners.len() as f64;
        corners.into_iter().flatten().map(|(point, sign)| (point, sign * each)).collect()
    }
}

impl Weighted {
    /// Returns the effect on a measure, by point.
    ///
    /// `None` if the measure is missing at a point that counts.
    pub fn of(&self, measured: &[Option<Contrast>]) -> Option<Contrast> {
        let term = |&(point, weight): &(usize, f64)| Some((weight, measured[point].as_ref()?));
        let terms: Vec<(f64, &Contrast)> = self.weights.iter().map(term).collect::<Option<_>>()?;
        Some(Contrast::sum(&terms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use overtrick_games::Variant;

    fn axis(key: &str, values: &[i64]) -> SweepAxis {
        SweepAxis { key: key.to_owned(), values: values.iter().map(|&value| toml::Value::from(value)).collect() }
    }

    fn change(axis: usize, value: usize, against: usize) -> ValueChange {
        ValueChange { axis, value, against }
    }

    fn points(levels: Vec<Vec<usize>>) -> Vec<SweepPoint> {
        let variant = Variant::preset("dumbo").unwrap();
        levels.into_iter().map(|levels| SweepPoint { levels: Some(levels), variant: variant.clone() }).collect()
    }

    /// Returns the effects on a measure with these values.
    fn values(weighted: &[Weighted], measured: &[f64]) -> Vec<(Effect, f64)> {
        let of = |one: &Weighted| one.weights.iter().map(|&(point, weight)| weight * measured[point]).sum::<f64>();
        weighted.iter().map(|one| (one.effect.clone(), of(one))).collect()
    }

    /// 5, plus 2 for a's second value, plus 1, 0 or 4 by value of b, plus 6 for a's second with b's third.
    const MEASURED: [f64; 6] = [6.0, 5.0, 9.0, 8.0, 7.0, 17.0];

    #[test]
    fn effects_of_a_grid_are_differences_from_the_base_each_of_them_once() {
        let axes = [axis("a", &[0, 10]), axis("b", &[1, 2, 3])];
        let points = points(super::super::design::grid(&axes));
        // The base is the first value of a with the second of b.
        let found = values(&effects(&axes, &points, 1, true), &MEASURED);
        let of = |effect: Effect| found.iter().find(|(other, _)| *other == effect).unwrap().1;
        let close = |effect: Effect, value: f64| assert!((of(effect) - value).abs() < 1e-12);
        close(Effect::Value(change(0, 1, 0)), 32.0 / 3.0 - 20.0 / 3.0);
        close(Effect::Value(change(1, 2, 1)), 13.0 - 6.0);
        close(Effect::Pair([change(0, 1, 0), change(1, 2, 1)]), (17.0 - 9.0) - (7.0 - 5.0));
        assert_eq!(found.len(), 1 + 2 + 2);
    }

    #[test]
    fn effects_of_a_grid_with_a_hole_compare_what_was_played() {
        let axes = [axis("a", &[0, 10]), axis("b", &[1, 2, 3])];
        let mut points = points(super::super::design::grid(&axes));
        points.remove(5);
        let found = values(&effects(&axes, &points, 0, true), &MEASURED[..5]);
        let of = |effect: Effect| found.iter().find(|(other, _)| *other == effect).map(|(_, value)| *value);
        // Without a's second value at b's third, a is compared at the first two values of b.
        assert_eq!(of(Effect::Value(change(0, 1, 0))), Some(2.0));
        assert_eq!(of(Effect::Value(change(1, 2, 0))), Some(3.0));
        assert_eq!(of(Effect::Pair([change(0, 1, 0), change(1, 1, 0)])), Some(0.0));
        assert_eq!(of(Effect::Pair([change(0, 1, 0), change(1, 2, 0)])), None);
    }

    #[test]
    fn a_surface_finds_slopes_bends_and_products() {
        let axes = [axis("a", &[0, 5, 10]), axis("b", &[1, 2]), axis("c", &[0, 1, 2]), axis("d", &[0, 1])];
        let points = points(super::super::design::grid(&axes));
        let measured: Vec<f64> = points
            .iter()
            .map(|point| {
                let levels: Vec<f64> = point.levels.as_ref().unwrap().iter().map(|&level| level as f64).collect();
                let a = levels[0] - 1.0;
                7.0 + 1.5 * a + 0.5 * a * a - (2.0 * levels[1] - 1.0) * 2.0 + a * (2.0 * levels[3] - 1.0) * 0.25
            })
            .collect();
        for (effect, value) in values(&effects(&axes, &points, 0, false), &measured) {
            let expected = match effect {
                Effect::Slope { axis: 0 } => 3.0,
                Effect::Slope { axis: 1 } => -4.0,
                Effect::Bend { axis: 0 } => 0.5,
                Effect::Product { axes: [0, 3] } => 0.5,
                _ => 0.0,
            };
            assert!((value - expected).abs() < 1e-9, "{effect:?}: {value}");
        }
    }
}
