//! Measures at all points of a sweep, with intervals that hold at once.

use std::collections::BTreeMap;

use overtrick_stats::{Bounded, Contrast, SeatScale, explained_between, simultaneous};

use super::plan::SweepPlan;

const SKILL_SD: &str = "skill-sd";
const SKILL_VARIANCE: &str = "skill-variance";

/// A measure of one bot, by point.
pub type ByPoint = Vec<Option<Contrast>>;

/// Measures by bot and name.
pub type MeasuresByPoint = BTreeMap<(usize, String), ByPoint>;

/// Intervals of measures by bot, name and point, or of effects on them by bot, name and effect.
pub type Bands = BTreeMap<(usize, String), Vec<Option<Bounded>>>;

/// Returns one value less another; `None` if either is missing.
pub fn difference(one: &Option<Contrast>, other: &Option<Contrast>) -> Option<Contrast> {
    Some(one.as_ref()?.less(other.as_ref()?))
}

/// Returns one measure less another, by point.
pub fn difference_by_point(one: &ByPoint, other: &ByPoint) -> ByPoint {
    one.iter().zip(other).map(|(one, other)| difference(one, other)).collect()
}

/// Returns a measure less its value at the base; `None` at the base itself.
pub fn from_base(plan: &SweepPlan, by_point: &ByPoint) -> ByPoint {
    let base = &by_point[plan.base];
    let mut differences: ByPoint = by_point.iter().map(|value| difference(value, base)).collect();
    differences[plan.base] = None;
    differences
}

/// Returns the intervals of all measures.
pub fn bands(plan: &SweepPlan, measured: &MeasuresByPoint) -> Bands {
    let mut bands = Bands::new();
    for (bot, names) in families(measured) {
        let family: Vec<&ByPoint> = names.iter().map(|name| &measured[&(bot, name.clone())]).collect();
        let banded = band(plan, &family, &format!("values of {bot} {}", names[0]));
        for (name, banded) in names.into_iter().zip(banded) {
            bands.insert((bot, name), banded);
        }
    }
    // A share of variance follows from the lead in standard deviations, so its ends follow from those of the
    // lead. Where the lead is close to 0, the share's own error says nothing.
    for bot in 0..plan.panel.len() {
        let [deviations, variance] = [SKILL_SD, SKILL_VARIANCE].map(|name| (bot, name.to_owned()));
        let Some(leads) = bands.get(&deviations).cloned() else { continue };
        let Some(shares) = bands.get_mut(&variance) else { continue };
        for (share, lead) in shares.iter_mut().zip(leads) {
            if let Some(share) = share {
                let interval = lead.and_then(|lead| lead.interval);
                share.interval = interval.map(explained_between);
            }
        }
    }
    bands
}

/// Returns the measures that differences and effects are computed from.
///
/// These are all of `measured`, except shares of variance whose lead is not distinguished from 0. Near 0, a
/// share behaves like the square of the lead, so the error of a difference says nothing.
pub fn comparable(mut measured: MeasuresByPoint, bands: &Bands) -> MeasuresByPoint {
    for ((bot, name), by_point) in &mut measured {
        if name != SKILL_VARIANCE {
            continue;
        }
        let Some(leads) = bands.get(&(*bot, SKILL_SD.to_owned())) else { continue };
        for (share, lead) in by_point.iter_mut().zip(leads) {
            if !lead.is_some_and(|lead| lead.excludes_zero()) {
                *share = None;
            }
        }
    }
    measured
}

/// Returns the families of measures whose intervals hold at once, by bot.
///
/// All seats on one scale form a family. Every other measure is a family by itself.
fn families(measured: &MeasuresByPoint) -> Vec<(usize, Vec<String>)> {
    let mut families: Vec<(usize, Vec<String>)> = Vec::new();
    for (bot, name) in measured.keys() {
        let scale = SeatScale::of(name);
        let of_scale = families.iter_mut().find(|(other, names)| other == bot && SeatScale::of(&names[0]) == scale);
        match of_scale {
            Some((_, names)) if scale.is_some() => names.push(name.clone()),
            _ => families.push((*bot, vec![name.clone()])),
        }
    }
    families
}

/// Returns the intervals of a family, which hold at once, by measure and point.
pub fn band(plan: &SweepPlan, family: &[&ByPoint], name: &str) -> Vec<Vec<Option<Bounded>>> {
    let all: Vec<&Contrast> = family.iter().flat_map(|by_point| by_point.iter().flatten()).collect();
    let mut banded = simultaneous(&all, plan.seed, name).into_iter();
    let mut bands = Vec::with_capacity(family.len());
    for by_point in family {
        let mut own = vec![None; by_point.len()];
        for (band, contrast) in own.iter_mut().zip(*by_point) {
            if contrast.is_some() {
                *band = banded.next();
            }
        }
        bands.push(own);
    }
    bands
}

/// Returns the intervals of a measure that is a family by itself, by point.
pub fn band_alone(plan: &SweepPlan, by_point: &ByPoint, name: &str) -> Vec<Option<Bounded>> {
    band(plan, &[by_point], name).remove(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use overtrick_stats::GroupSum;

    #[test]
    fn shares_of_variance_are_compared_where_the_lead_is_known() {
        let contrast = Contrast::of_mean(&[1, 2, 3].map(|sum| GroupSum::new(sum, 2)));
        let lead = |low: f64, high: f64| Some(Bounded { value: 0.0, se: None, interval: Some((low, high)) });
        let key = |name: &str| (0, name.to_owned());
        let by_point = vec![contrast; 3];
        let measured = MeasuresByPoint::from([(key(SKILL_SD), by_point.clone()), (key(SKILL_VARIANCE), by_point)]);
        let bands = Bands::from([(key(SKILL_SD), vec![lead(-0.1, 0.1), lead(0.1, 0.3), lead(-0.3, -0.1)])]);
        let comparable = comparable(measured, &bands);
        let has = |name: &str| -> Vec<bool> { comparable[&key(name)].iter().map(Option::is_some).collect() };
        assert_eq!(has(SKILL_VARIANCE), [false, true, true]);
        assert_eq!(has(SKILL_SD), [true; 3]);
    }
}
