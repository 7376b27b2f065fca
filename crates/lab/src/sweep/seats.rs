//! All seats of a bot together: the distance of the farthest seat from the mean.

use std::cell::OnceCell;

use overtrick_stats::{Banded, Contrast, SeatScale, among};

use super::apart::Apart;
use super::by_point::{Bands, ByPoint, MeasuresByPoint, apart, band, from_base};
use super::effects::Weighted;
use super::farthest::{Farthest, always, farthest};
use super::plan::SweepPlan;
use super::rows::{EffectRow, SweepRow};

/// The seats of a bot on one scale.
pub struct SeatSet<'a> {
    pub bot: usize,
    pub scale: SeatScale,
    /// The name of each measure, and its values by point.
    seats: Vec<(&'a str, &'a ByPoint)>,
    /// By point: the farthest seat.
    farthest: Vec<Option<Farthest>>,
}

impl<'a> SeatSet<'a> {
    /// Returns the seats of all bots on all scales.
    pub fn all(plan: &SweepPlan, measured: &'a MeasuresByPoint, bands: &Bands) -> Vec<SeatSet<'a>> {
        let mut all = Vec::new();
        for bot in 0..plan.panel.len() {
            for scale in SeatScale::ALL {
                let is_own = |(own, name): &(usize, String)| *own == bot && SeatScale::of(name) == Some(scale);
                let own: Vec<(&(usize, String), &ByPoint)> = measured.iter().filter(|(key, _)| is_own(key)).collect();
                if own.is_empty() {
                    continue;
                }
                let with_bands: Vec<_> = own.iter().map(|&(key, by_point)| (by_point, &bands[key])).collect();
                // All bots use the same draws, so that bots that play alike have the same values.
                let farthest = farthest(&with_bands, plan.seed, &scale.advantage());
                let seats = own.iter().map(|(key, by_point)| (key.1.as_str(), *by_point)).collect();
                all.push(SeatSet { bot, scale, seats, farthest });
            }
        }
        all
    }

    /// Returns the distance of the farthest seat from the mean, by point.
    pub fn values(&self) -> Vec<Option<Banded>> {
        self.farthest.iter().map(|found| found.as_ref().map(|found| found.value)).collect()
    }

    /// Returns the rows of the advantage of seats.
    ///
    /// They have the change by tuning if `all` has the same seats of the original bot.
    pub fn rows(&self, plan: &SweepPlan, all: &[SeatSet<'_>]) -> Vec<SweepRow> {
        let measure = self.scale.advantage();
        let differences: Vec<ByPoint> = self.seats.iter().map(|(_, by_point)| from_base(plan, by_point)).collect();
        let differences = self.banded(plan, &differences, &format!("differences of {} {measure}", self.bot));
        let before = plan
            .retuned()
            .filter(|(_, after)| *after == self.bot)
            .and_then(|(before, _)| all.iter().find(|own| (own.bot, own.scale) == (before, self.scale)));
        let changes: Vec<ByPoint> = before.map_or_else(Vec::new, |before| {
            self.seats.iter().zip(&before.seats).map(|((_, own), (_, before))| apart(own, before)).collect()
        });
        let changes = self.banded(plan, &changes, &format!("changes of {} {measure}", self.bot));
        let base = self.farthest[plan.base].as_ref();
        let row = |(point, found): (usize, &Option<Farthest>)| {
            let found = found.as_ref()?;
            let ends = |of: &[Vec<Option<Banded>>], seat: usize| of[seat][point].and_then(|band| band.interval);
            let is_other = point != plan.base;
            let difference = base.filter(|_| is_other).map(|base| found.less(base, |seat| ends(&differences, seat)));
            let before = before.and_then(|before| before.farthest[point].as_ref());
            let change = before.map(|before| found.less(before, |seat| ends(&changes, seat)));
            Some(SweepRow { point, bot: self.bot, measure: measure.clone(), value: found.value, difference, change })
        };
        self.farthest.iter().enumerate().filter_map(row).collect()
    }

    /// Returns the intervals of the differences of all seats, which hold at once.
    fn banded(&self, plan: &SweepPlan, seats: &[ByPoint], name: &str) -> Vec<Vec<Option<Banded>>> {
        band(plan, &seats.iter().collect::<Vec<_>>(), name)
    }

    /// Returns the interval of the difference in distance between the farthest seats at two points.
    ///
    /// The intervals of all differences that `apart` is about hold at once. `None` if too little is known for
    /// an interval, or if it certainly contains 0.
    pub fn difference(&self, one: usize, other: usize, apart: &Apart) -> Option<(f64, f64)> {
        let (own, theirs) = (self.farthest[one].as_ref()?, self.farthest[other].as_ref()?);
        let of_seat = |(_, by_point): &(&str, &ByPoint)| Some(by_point[one].as_ref()?.less(by_point[other].as_ref()?));
        let differences: Vec<Option<Contrast>> = self.seats.iter().map(of_seat).collect();
        let apart = apart.times(self.seats.len());
        let sides: Vec<f64> =
            differences.iter().map(|seat| seat.as_ref().map_or(0.0, |seat| apart.side(seat))).collect();
        if !own.may_be_apart(theirs, &sides) {
            return None;
        }
        let intervals = vec![OnceCell::new(); self.seats.len()];
        let interval = |seat: usize| among(differences[seat].as_ref()?, apart.count());
        own.less(theirs, |seat| *intervals[seat].get_or_init(|| interval(seat))).interval
    }

    /// Returns the effects on the advantage of seats, from the effects on each seat.
    ///
    /// If one seat is the farthest at all points of an effect, the effect is the effect on that seat. If that
    /// is open, there is no effect. `sizes` has the size of each effect on each measure.
    pub fn effects(&self, weighted: &[Weighted], sizes: &Bands) -> Vec<EffectRow> {
        let sizes: Vec<&Vec<Option<Banded>>> =
            self.seats.iter().map(|(name, _)| &sizes[&(self.bot, (*name).to_owned())]).collect();
        let of = |(number, weighted): (usize, &Weighted)| {
            let points = weighted.weights.iter().filter(|(_, weight)| *weight != 0.0).map(|(point, _)| *point);
            let (seat, side) = always(&self.farthest, points)?;
            let Banded { value, se, interval } = sizes[seat][number]?;
            let turned = |(low, high): (f64, f64)| if side > 0.0 { (low, high) } else { (-high, -low) };
            let size = Banded { value: side * value, se, interval: interval.map(turned) };
            Some(EffectRow { bot: self.bot, measure: self.scale.advantage(), effect: weighted.effect.clone(), size })
        };
        weighted.iter().enumerate().filter_map(of).collect()
    }
}
