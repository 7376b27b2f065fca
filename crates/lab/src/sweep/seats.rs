//! All seats of a bot together: the distance of the farthest seat from the mean.

use std::cell::OnceCell;

use overtrick_stats::{Bounded, SeatScale, bonferroni};

use super::bonferroni_family::BonferroniFamily;
use super::by_point::{Bands, ByPoint, MeasuresByPoint, band, difference, difference_by_point, from_base};
use super::effects::Weighted;
use super::farthest::{Farthest, always, farthest};
use super::plan::SweepPlan;
use super::rows::{EffectRow, SweepRow};

/// The seats of a bot on one scale.
pub struct SeatSet<'a> {
    pub bot: usize,
    pub scale: SeatScale,
    /// By seat: the name of the measure.
    names: Vec<&'a str>,
    /// By seat: the values by point.
    values: Vec<&'a ByPoint>,
    /// By point: the farthest seat.
    farthest: Vec<Option<Farthest>>,
}

impl<'a> SeatSet<'a> {
    /// Returns the seats of all bots on all scales.
    pub fn all(plan: &SweepPlan, measured: &'a MeasuresByPoint, bands: &Bands) -> Vec<SeatSet<'a>> {
        let mut all = Vec::new();
        for bot in 0..plan.panel.len() {
            for scale in SeatScale::ALL {
                let (mut names, mut values, mut own_bands) = (Vec::new(), Vec::new(), Vec::new());
                for (key, by_point) in measured {
                    let (owner, name) = key;
                    if *owner == bot && SeatScale::of(name) == Some(scale) {
                        names.push(name.as_str());
                        values.push(by_point);
                        own_bands.push(&bands[key]);
                    }
                }
                if names.is_empty() {
                    continue;
                }
                // All bots use the same draws, so that bots that play alike have the same values.
                let farthest = farthest(&values, &own_bands, plan.seed, &scale.advantage());
                all.push(SeatSet { bot, scale, names, values, farthest });
            }
        }
        all
    }

    /// Returns the distance of the farthest seat from the mean, by point.
    pub fn distances(&self) -> Vec<Option<Bounded>> {
        self.farthest.iter().map(|found| Some(found.as_ref()?.value)).collect()
    }

    /// Returns the rows of the advantage of seats.
    ///
    /// They have the change by tuning if `all` has the same seats of the original bot.
    pub fn rows(&self, plan: &SweepPlan, all: &[SeatSet<'_>]) -> Vec<SweepRow> {
        let measure = self.scale.advantage();
        let differences: Vec<ByPoint> = self.values.iter().map(|by_point| from_base(plan, by_point)).collect();
        let differences = banded(plan, &differences, &format!("differences of {} {measure}", self.bot));
        let before = self.before_tuning(plan, all);
        let mut changes: Vec<ByPoint> = Vec::new();
        if let Some(before) = before {
            for (own, before) in self.values.iter().zip(&before.values) {
                changes.push(difference_by_point(own, before));
            }
        }
        let changes = banded(plan, &changes, &format!("changes of {} {measure}", self.bot));
        let mut rows = Vec::new();
        for (point, found) in self.farthest.iter().enumerate() {
            let Some(found) = found else { continue };
            let (mut difference, mut change) = (None, None);
            if let Some(base) = &self.farthest[plan.base]
                && point != plan.base
            {
                difference = Some(found.less(base, |seat| differences[seat][point]?.interval));
            }
            if let Some(SeatSet { farthest, .. }) = before
                && let Some(before) = &farthest[point]
            {
                change = Some(found.less(before, |seat| changes.get(seat)?[point]?.interval));
            }
            rows.push(SweepRow {
                point,
                bot: self.bot,
                measure: measure.clone(),
                value: found.value,
                difference,
                change,
            });
        }
        rows
    }

    /// Returns the same seats of the bot from before tuning; `None` if this bot is not tuned.
    fn before_tuning<'b, 'c>(&self, plan: &SweepPlan, all: &'b [SeatSet<'c>]) -> Option<&'b SeatSet<'c>> {
        let (before, after) = plan.retuned()?;
        if self.bot != after {
            return None;
        }
        all.iter().find(|other| other.bot == before && other.scale == self.scale)
    }

    /// Returns the interval of the difference in distance between the farthest seats at two points.
    ///
    /// The intervals of all differences of `family` hold at once. `None` if too little is known for
    /// an interval, or if it certainly contains 0.
    pub fn difference(&self, one: usize, other: usize, family: &BonferroniFamily) -> Option<(f64, f64)> {
        let (own, theirs) = (self.farthest[one].as_ref()?, self.farthest[other].as_ref()?);
        let family = family.times(self.values.len());
        let (mut differences, mut signs) = (Vec::new(), Vec::new());
        for by_point in &self.values {
            let difference = difference(&by_point[one], &by_point[other]);
            signs.push(difference.as_ref().map_or(0.0, |difference| family.side(difference)));
            differences.push(difference);
        }
        if !own.may_differ(theirs, &signs) {
            return None;
        }
        let intervals = vec![OnceCell::new(); differences.len()];
        let interval = |seat: usize| bonferroni(differences[seat].as_ref()?, family.count());
        own.less(theirs, |seat| *intervals[seat].get_or_init(|| interval(seat))).interval
    }

    /// Returns the effects on the advantage of seats, from the effects on each seat.
    ///
    /// `sizes` has the size of each effect on each measure.
    pub fn effects(&self, weighted: &[Weighted], sizes: &Bands) -> Vec<EffectRow> {
        let mut rows = Vec::new();
        for (number, weighted) in weighted.iter().enumerate() {
            if let Some(size) = self.effect(number, weighted, sizes) {
                let (measure, effect) = (self.scale.advantage(), weighted.effect.clone());
                rows.push(EffectRow { bot: self.bot, measure, effect, size });
            }
        }
        rows
    }

    /// Returns the size of an effect, the `number`-th in `sizes`.
    ///
    /// If one seat is the farthest at all points of the effect, it is the effect on that seat. If that is
    /// open, there is no effect.
    fn effect(&self, number: usize, weighted: &Weighted, sizes: &Bands) -> Option<Bounded> {
        let points = weighted.weights.iter().filter(|(_, weight)| *weight != 0.0).map(|(point, _)| *point);
        let side = always(&self.farthest, points)?;
        let key = (self.bot, self.names[side.seat].to_owned());
        let size = sizes[&key][number]?;
        let interval = size.interval.map(|interval| side.turned(interval));
        Some(Bounded { value: side.sign * size.value, se: size.se, interval })
    }
}

/// Returns the intervals of the differences of all seats, which hold at once.
fn banded(plan: &SweepPlan, seats: &[ByPoint], name: &str) -> Vec<Vec<Option<Bounded>>> {
    band(plan, &seats.iter().collect::<Vec<_>>(), name)
}
