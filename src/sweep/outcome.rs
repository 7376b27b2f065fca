//! What a sweep came to.

use std::collections::BTreeMap;

use super::effects::{Effect, effects};
use super::pareto::unbeaten;
use super::plan::SweepPlan;
use super::sentence;
use super::sweeping::Sweeping;
use super::wish::Verdict;
use crate::stats::{Banded, Contrast, simultaneous};

/// Measures of seats begin with this.
const SEAT: &str = "seat-";
/// The measure of all seats: how far the seat that is farthest from the mean is from it.
pub const SEAT_ADVANTAGE: &str = "seat-advantage";

/// A measure at a point, as a bot of the panel plays.
#[derive(Clone, Debug)]
pub struct SweepRow {
    /// The number of the point.
    pub point: usize,
    /// The number of the bot in the panel.
    pub bot: usize,
    /// What is measured.
    pub measure: String,
    /// Its value; the intervals of all points hold at once.
    pub value: Banded,
    /// Its difference from the base, on the same deals where the deck is the same; the intervals of all points hold at
    /// once.
    pub difference: Option<Banded>,
}

/// An effect on a measure.
#[derive(Clone, Debug)]
pub struct EffectRow {
    /// The number of the bot in the panel.
    pub bot: usize,
    /// What is measured.
    pub measure: String,
    /// Which effect.
    pub effect: Effect,
    /// Its size; the intervals of all effects on this measure hold at once.
    pub size: Banded,
}

/// What a sweep came to.
#[derive(Clone, Debug)]
pub struct SweepOutcome {
    /// The measures, point by point.
    pub rows: Vec<SweepRow>,
    /// The effects.
    pub effects: Vec<EffectRow>,
    /// By wish and point: the value, and whether the wish is met; nothing where it was not measured.
    pub wishes: Vec<Vec<Option<(Banded, Option<Verdict>)>>>,
    /// The points that no other beats on what is wanted; empty if nothing is wanted.
    pub unbeaten: Vec<usize>,
    /// The axes that change nothing: no deal of any bot was different.
    pub dead: Vec<usize>,
    /// What it came to, a sentence for each wish and each axis that changes nothing.
    pub sentences: Vec<String>,
}

/// A measure by point, as one bot plays.
type ByPoint = Vec<Option<Contrast>>;

impl SweepOutcome {
    /// The outcome of a sweep that is over.
    pub fn new(plan: &SweepPlan, sweeping: &Sweeping) -> SweepOutcome {
        let mut measured = measured(plan, sweeping);
        let dead = dead(plan, &measured);
        let mut bands: BTreeMap<(usize, String), Vec<Option<Banded>>> = BTreeMap::new();
        for (bot, names) in families(&measured) {
            let family: Vec<&ByPoint> = names.iter().map(|name| &measured[&(bot, name.clone())]).collect();
            let banded = band(plan, &family, &format!("values of {bot} {}", names[0]));
            bands.extend(names.into_iter().map(|name| (bot, name)).zip(banded));
        }
        for bot in 0..plan.panel.len() {
            let (own, values) = farthest_seat(plan, bot, &measured, &bands);
            measured.insert((bot, SEAT_ADVANTAGE.to_owned()), own);
            bands.insert((bot, SEAT_ADVANTAGE.to_owned()), values);
        }
        let mut rows = Vec::new();
        let mut found = Vec::new();
        let weighted = effects(&plan.axes, &plan.points, plan.is_grid);
        for ((bot, measure), by_point) in &measured {
            let name = format!("{bot} {measure}");
            let from_base = |point: &Option<Contrast>| {
                Some(Contrast::sum(&[(1.0, point.as_ref()?), (-1.0, by_point[plan.base].as_ref()?)]))
            };
            let mut differences: ByPoint = by_point.iter().map(from_base).collect();
            differences[plan.base] = None;
            let differences = band(plan, &[&differences], &format!("differences of {name}")).remove(0);
            let values = &bands[&(*bot, measure.clone())];
            for (point, (value, difference)) in values.iter().zip(differences).enumerate() {
                rows.extend(value.map(|value| SweepRow {
                    point,
                    bot: *bot,
                    measure: measure.clone(),
                    value,
                    difference,
                }));
            }
            let sizes: ByPoint = weighted.iter().map(|effect| effect.of(by_point)).collect();
            let sizes = band(plan, &[&sizes], &format!("effects on {name}")).remove(0);
            for (effect, size) in weighted.iter().zip(sizes) {
                let effect = effect.effect.clone();
                found.extend(size.map(|size| EffectRow { bot: *bot, measure: measure.clone(), effect, size }));
            }
        }
        rows.sort_by_key(|row| row.point);
        let values = |number: usize| {
            let wish = &plan.wishes[number];
            let values = bands.get(&(wish.bot, wish.measure.clone()));
            let value = |point: usize| {
                let value = values?[point]?;
                Some((value, wish.verdict(&value)))
            };
            (0..plan.points.len()).map(value).collect()
        };
        let wishes: Vec<Vec<_>> = (0..plan.wishes.len()).map(values).collect();
        let wanted: Vec<ByPoint> = plan
            .wishes
            .iter()
            .map(|wish| {
                let by_point = measured.get(&(wish.bot, wish.measure.clone()));
                by_point.cloned().unwrap_or_else(|| vec![None; plan.points.len()])
            })
            .collect();
        let unbeaten = if plan.wishes.is_empty() { Vec::new() } else { unbeaten(&plan.wishes, &wanted) };
        let sentences = sentence::sentences(plan, &wishes, &dead);
        SweepOutcome { rows, effects: found, wishes, unbeaten, dead, sentences }
    }
}

/// What was measured, by bot and measure; points with different decks share no deals.
fn measured(plan: &SweepPlan, sweeping: &Sweeping) -> BTreeMap<(usize, String), ByPoint> {
    let deck = |point: usize| plan.points[point].variant.game.layout().deck.name();
    let mut decks: Vec<&str> = (0..plan.points.len()).map(deck).collect();
    decks.sort_unstable();
    decks.dedup();
    let mut measured: BTreeMap<(usize, String), ByPoint> = BTreeMap::new();
    for (point, result) in sweeping.points.iter().enumerate() {
        let part = decks.iter().position(|own| *own == deck(point)).expect("all decks are listed");
        for measure in &result.measures {
            let by_point = measured.entry((measure.bot.index(), measure.name.clone()));
            let by_point = by_point.or_insert_with(|| vec![None; plan.points.len()]);
            by_point[point] = Some(measure.contrast.among(part, decks.len()));
        }
    }
    // Contracts that nobody ever played tell nothing.
    measured.retain(|_, by_point| by_point.iter().flatten().any(|contrast| !contrast.is_nothing()));
    measured
}

/// The measures whose intervals hold at once, by bot: all seats together, every other by itself.
fn families(measured: &BTreeMap<(usize, String), ByPoint>) -> Vec<(usize, Vec<String>)> {
    let mut families: Vec<(usize, Vec<String>)> = Vec::new();
    for (bot, name) in measured.keys() {
        match families.last_mut() {
            Some((own, names)) if own == bot && names[0].starts_with(SEAT) && name.starts_with(SEAT) => {
                names.push(name.clone());
            }
            _ => families.push((*bot, vec![name.clone()])),
        }
    }
    families
}

/// The intervals of a family, which hold at once: by measure and point.
fn band(plan: &SweepPlan, family: &[&ByPoint], name: &str) -> Vec<Vec<Option<Banded>>> {
    let all: Vec<&Contrast> = family.iter().flat_map(|by_point| by_point.iter().flatten()).collect();
    let mut banded = simultaneous(&all, plan.seed, name).into_iter();
    let mut next = |contrast: &Option<Contrast>| contrast.as_ref().and_then(|_| banded.next());
    family.iter().map(|by_point| by_point.iter().map(&mut next).collect()).collect()
}

/// The seat that is farthest from the mean of all: as a measure, and its interval from those of all seats, which hold
/// at once.
fn farthest_seat(
    plan: &SweepPlan,
    bot: usize,
    measured: &BTreeMap<(usize, String), ByPoint>,
    bands: &BTreeMap<(usize, String), Vec<Option<Banded>>>,
) -> (ByPoint, Vec<Option<Banded>>) {
    let seats: Vec<&(usize, String)> =
        measured.keys().filter(|(own, name)| *own == bot && name.starts_with(SEAT)).collect();
    let at = |point: usize| {
        let own = seats.iter().filter_map(|key| measured[*key][point].as_ref());
        let farthest = own.max_by(|one, other| one.value().abs().total_cmp(&other.value().abs()))?;
        let farthest = Contrast::sum(&[(farthest.value().signum(), farthest)]);
        let ends = seats.iter().filter_map(|key| bands[*key][point]).map(|band| band.interval);
        let most = |ends: Option<(f64, f64)>| ends.map(|(low, high)| (low.max(-high).max(0.0), high.max(-low)));
        let interval = ends.map(most).reduce(|one, other| {
            one.zip(other).map(|((low, high), (other_low, other_high))| (low.max(other_low), high.max(other_high)))
        });
        let banded = Banded { value: farthest.value(), se: None, interval: interval.flatten() };
        Some((farthest, banded))
    };
    (0..plan.points.len())
        .map(at)
        .map(|found| found.map_or((None, None), |(own, band)| (Some(own), Some(band))))
        .unzip()
}

/// The axes of which no value changed anything: wherever two points differ in that axis alone, everything measured is
/// the same deal by deal.
fn dead(plan: &SweepPlan, measured: &BTreeMap<(usize, String), ByPoint>) -> Vec<usize> {
    let levels: Vec<(usize, &Vec<usize>)> =
        plan.points.iter().enumerate().filter_map(|(number, point)| Some((number, point.levels.as_ref()?))).collect();
    let is_dead = |axis: &usize| {
        let mut seen = false;
        for (place, (one, own)) in levels.iter().enumerate() {
            for (other, theirs) in &levels[place + 1..] {
                let differs = |number: usize| own[number] != theirs[number];
                if !(0..plan.axes.len()).all(|number| differs(number) == (number == *axis)) {
                    continue;
                }
                seen = true;
                let is_same = |by_point: &ByPoint| match (&by_point[*one], &by_point[*other]) {
                    (Some(one), Some(other)) => Contrast::sum(&[(1.0, one), (-1.0, other)]).is_nothing(),
                    (None, None) => true,
                    _ => false,
                };
                if !measured.values().all(is_same) {
                    return false;
                }
            }
        }
        seen
    };
    (0..plan.axes.len()).filter(is_dead).collect()
}
