//! The points of a sweep with their rules.

use overtrick_games::Variant;
use overtrick_strategies::Register;
use overtrick_toml::{InputError, Source, key};
use toml::Table;

use super::axis::SweepAxis;
use super::design::SweepPoint;

/// A combination of values that the rules refuse.
#[derive(Clone, Debug, PartialEq)]
pub struct LeftOut {
    /// The name of the combination: its rules and their values.
    pub name: String,
    /// The reason why the rules refuse it.
    pub reason: String,
}

/// Returns the points, the index of the base, and the combinations that the rules refuse.
///
/// If the base is none of these points, it is added as the first.
pub(super) fn points(
    source: &Source,
    levels: Vec<Vec<usize>>,
    axes: &[SweepAxis],
    base: &Variant,
    register: &Register,
) -> Result<(Vec<SweepPoint>, usize, Vec<LeftOut>), InputError> {
    let (mut points, mut left_out, mut last) = (Vec::new(), Vec::new(), None);
    for levels in levels {
        let mut changes = Table::new();
        for (axis, &value) in axes.iter().zip(&levels) {
            changes.insert(axis.key.clone(), axis.values[value].clone());
        }
        match register.games().changed(base, &changes, source, &[key("sweep"), key("axes")].concat()) {
            Ok(variant) => points.push(SweepPoint { levels: Some(levels), variant }),
            Err(mut error) => {
                let value = |(axis, &value): (&SweepAxis, &usize)| format!("{} {}", axis.key, axis.text(value));
                let name = axes.iter().zip(&levels).map(value).collect::<Vec<_>>().join(", ");
                left_out.push(LeftOut { name: name.clone(), reason: error.problem.clone() });
                error.problem += &format!(" (at {name})");
                last = Some(error);
            }
        }
    }
    if let Some(error) = last
        && points.is_empty()
    {
        return Err(error);
    }
    let rules = base.game.rules();
    let found = points.iter().position(|point| point.variant.game.rules() == rules);
    if found.is_none() {
        points.insert(0, SweepPoint { levels: None, variant: base.clone() });
    }
    Ok((points, found.unwrap_or(0), left_out))
}
