//! Effects: what a value of a rule changes, and what two rules change together, over all other values.

use overtrick_stats::Contrast;

use super::axis::Axis;
use super::design::Point;
use super::surface::{self, Term};

/// What is known of an effect before it is worked out: its name, and the weight of each point.
pub struct Weighted {
    /// The name.
    pub effect: Effect,
    /// The points that count, each with its weight.
    pub weights: Vec<(usize, f64)>,
}

/// An effect of rules on a measure.
#[derive(Clone, Debug, PartialEq)]
pub enum Effect {
    /// A value of a rule, against the mean of all values of that rule.
    Value {
        /// The rule's axis.
        axis: usize,
        /// The number of the value.
        value: usize,
    },
    /// A value of one rule together with a value of another, beyond what both do alone.
    Pair {
        /// By rule: the axis, and the number of the value.
        both: [(usize, usize); 2],
    },
    /// The change from the lowest to the highest value of a rule, on a surface.
    Slope {
        /// The rule's axis.
        axis: usize,
    },
    /// How far both ends of a rule are above its middle, on a surface.
    Bend {
        /// The rule's axis.
        axis: usize,
    },
    /// What two rules at the same end are above both at different ends, on a surface.
    Product {
        /// The axes of the rules.
        axes: [usize; 2],
    },
}

/// The effects of all axes, each as a weighted sum of the points.
pub fn effects(axes: &[Axis], points: &[Point], is_grid: bool) -> Vec<Weighted> {
    let played: Vec<(usize, &Vec<usize>)> =
        points.iter().enumerate().filter_map(|(number, point)| Some((number, point.levels.as_ref()?))).collect();
    if !is_grid {
        let weighted = |(term, weights): (Term, Vec<f64>)| Weighted {
            effect: match term {
                Term::Linear(axis) => Effect::Slope { axis },
                Term::Square(axis) => Effect::Bend { axis },
                Term::Level(axis, value) => Effect::Value { axis, value },
                Term::Product(one, other) => Effect::Product { axes: [one, other] },
            },
            weights: played.iter().map(|(number, _)| *number).zip(weights).collect(),
        };
        return surface::weights(axes, points).into_iter().flatten().map(weighted).collect();
    }
    let all = 1.0 / played.len() as f64;
    let open: Vec<usize> = (0..axes.len()).filter(|&axis| axes[axis].values.len() > 1).collect();
    // The share of the mean of all points with a value, less the mean of all.
    let share = |axis: usize, value: usize, levels: &[usize]| {
        if levels[axis] == value { axes[axis].values.len() as f64 - 1.0 } else { -1.0 }
    };
    let mut found = Vec::new();
    for &axis in &open {
        for value in 0..axes[axis].values.len() {
            let weights = played.iter().map(|&(number, levels)| (number, all * share(axis, value, levels))).collect();
            found.push(Weighted { effect: Effect::Value { axis, value }, weights });
        }
    }
    for (place, &one) in open.iter().enumerate() {
        for &other in &open[place + 1..] {
            for (a, b) in (0..axes[one].values.len()).flat_map(|a| (0..axes[other].values.len()).map(move |b| (a, b))) {
                let weight = |levels: &[usize]| all * share(one, a, levels) * share(other, b, levels);
                let weights = played.iter().map(|&(number, levels)| (number, weight(levels))).collect();
                found.push(Weighted { effect: Effect::Pair { both: [(one, a), (other, b)] }, weights });
            }
        }
    }
    found
}

impl Weighted {
    /// The effect on a measure that was taken at these points; `None` if it is missing at one that counts.
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

    fn axis(key: &str, values: &[i64]) -> Axis {
        Axis { key: key.to_owned(), values: values.iter().map(|&value| toml::Value::from(value)).collect() }
    }

    fn points(levels: Vec<Vec<usize>>) -> Vec<Point> {
        let variant = Variant::preset("dumbo").unwrap();
        levels.into_iter().map(|levels| Point { levels: Some(levels), variant: variant.clone() }).collect()
    }

    /// The effects on a measure with these values.
    fn values(weighted: &[Weighted], measured: &[f64]) -> Vec<(Effect, f64)> {
        let of = |one: &Weighted| one.weights.iter().map(|&(point, weight)| weight * measured[point]).sum::<f64>();
        weighted.iter().map(|one| (one.effect.clone(), of(one))).collect()
    }

    #[test]
    fn effects_of_a_grid_are_those_of_the_analysis_of_variance() {
        let axes = [axis("a", &[0, 10]), axis("b", &[1, 2, 3])];
        let points = points(super::super::design::grid(&axes));
        // 5 + 2 for the second value of a, 1, 0 and 4 by value of b, and 6 more for a's second with b's third.
        let measured = [6.0, 5.0, 9.0, 8.0, 7.0, 17.0];
        let found = values(&effects(&axes, &points, true), &measured);
        let of = |effect: Effect| found.iter().find(|(other, _)| *other == effect).unwrap().1;
        let mean = measured.iter().sum::<f64>() / 6.0;
        assert!((of(Effect::Value { axis: 0, value: 1 }) - (32.0 / 3.0 - mean)).abs() < 1e-12);
        assert!((of(Effect::Value { axis: 1, value: 2 }) - (13.0 - mean)).abs() < 1e-12);
        // The cell less its row's mean, less its column's, and the mean of all.
        let cell = 17.0 - 32.0 / 3.0 - 13.0 + mean;
        assert!((of(Effect::Pair { both: [(0, 1), (1, 2)] }) - cell).abs() < 1e-12);
        assert_eq!(found.len(), 2 + 3 + 6);
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
        for (effect, value) in values(&effects(&axes, &points, false), &measured) {
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
