//! The largest finding: a kind of decision that carries much of the margin.
//!
//! It is given by up to three features. Every second group of deals is searched, and the finding is measured
//! in the others. These had no part in the choice, so the interval is as honest as if the kind had been named
//! beforehand. The search begins with the choice (`choice`), since that is where two bots differ. It begins
//! with the phase of the deal if a phase carries clearly more. Then it adds the features that keep most of
//! the worth in fewer decisions.

use std::collections::BTreeMap;

use overtrick_stats::{Contrast, Estimate};
use overtrick_tournament::{Partings, Worth};

const PHASE: usize = 0;
const CHOICE: usize = 1;
/// The final contract follows from the choice, so it does not show when the choice was made.
const CONTRACT: usize = 4;
/// The least ratio of a phase's certain worth to the best choice's for which the phase is named.
const PHASE_OVER_CHOICE: f64 = 1.75;
/// The least share of the first kind's worth that must remain when features are added.
const KEPT: f64 = 0.6;
/// The largest share of the decisions that another feature may keep.
const FEWER: f64 = 0.8;
/// The least excess of the worth over the share of the decisions, in standard errors.
const ABOVE: f64 = 3.0;
/// The largest number of features.
const MOST: usize = 3;
/// The number of standard errors by which worth is discounted.
const DISCOUNT: f64 = 1.645;

/// A kind of decision and its worth.
pub(super) struct LargestFinding {
    pub(super) conditions: Vec<(&'static str, String)>,
    /// The worth in points a deal, in the half of the groups that was not searched.
    pub(super) share: Estimate,
    /// The whole margin in that half.
    pub(super) margin: Estimate,
    /// The number of such decisions in that half.
    pub(super) decisions: u64,
}

type PartingCell<'a> = (usize, [&'a str; Partings::FEATURES.len()], Worth);

/// The worth of some decisions in the half of the groups that is searched.
#[derive(Clone, Default)]
struct SearchedWorth {
    points: Vec<i64>,
    decisions: u64,
}

impl SearchedWorth {
    fn add(&mut self, groups: usize, group: usize, worth: Worth) {
        self.points.resize(groups, 0);
        self.points[group] += worth.points;
        self.decisions += worth.decisions;
    }

    fn sum(&self) -> f64 {
        self.points.iter().sum::<i64>() as f64
    }

    /// Returns the absolute worth, less the part that chance may have added.
    fn sure(&self, chairs: &[u64]) -> f64 {
        let points: Vec<f64> = self.points.iter().map(|&points| points as f64).collect();
        self.sum().abs() - DISCOUNT * error(&points, chairs)
    }

    /// Returns how far the worth exceeds the share in `all`, in standard errors.
    ///
    /// These decisions are a part of `all`.
    fn above(&self, all: &SearchedWorth, chairs: &[u64]) -> f64 {
        let part = self.decisions as f64 / all.decisions as f64;
        let more = |(&own, &all): (&i64, &i64)| own as f64 - part * all as f64;
        let points: Vec<f64> = self.points.iter().zip(&all.points).map(more).collect();
        points.iter().sum::<f64>() * all.sum().signum() / error(&points, chairs).max(f64::MIN_POSITIVE)
    }
}

/// Returns the standard error of a sum over groups of deals.
fn error(points: &[f64], chairs: &[u64]) -> f64 {
    let (sum, whole) = (points.iter().sum::<f64>(), chairs.iter().sum::<u64>() as f64);
    let square = |(points, &own): (&f64, &u64)| (points - sum * own as f64 / whole).powi(2);
    let groups = chairs.len() as f64;
    (points.iter().zip(chairs).map(square).sum::<f64>() * groups / (groups - 1.0).max(1.0)).sqrt()
}

/// Returns the largest finding, with intervals `times` wider.
///
/// `None` if the bots never differ in the groups that are searched.
pub(super) fn find(partings: &Partings, times: f64) -> Option<LargestFinding> {
    let is_searched = |group: usize| group.is_multiple_of(2);
    let (mut searched, mut measured) = (Vec::new(), Vec::new());
    for (group, &(points, chairs)) in partings.margins().iter().enumerate() {
        if is_searched(group) {
            searched.push(chairs);
        } else {
            measured.push((points, chairs));
        }
    }
    let cells: Vec<PartingCell<'_>> = partings.cells().filter(|&(group, ..)| is_searched(group)).collect();
    let conditions = search(&cells, &searched)?;
    let mut shares: Vec<(i64, u64)> = measured.iter().map(|&(_, chairs)| (0, chairs)).collect();
    let mut decisions = 0;
    for (group, texts, worth) in partings.cells().filter(|&(group, ..)| !is_searched(group)) {
        if conditions.iter().all(|&(feature, text)| texts[feature] == text) {
            shares[group / 2].0 += worth.points;
            decisions += worth.decisions;
        }
    }
    let estimate = |groups: &[(i64, u64)]| Some(Contrast::of_mean(groups)?.estimate_if_known().widened(times));
    Some(LargestFinding {
        conditions: conditions.iter().map(|&(feature, text)| (Partings::FEATURES[feature], text.to_owned())).collect(),
        share: estimate(&shares)?,
        margin: estimate(&measured)?,
        decisions,
    })
}

/// Returns the features of the finding.
///
/// `cells` are those of the groups that are searched, and `chairs` has the number of chairs in each group.
fn search<'a>(cells: &[PartingCell<'a>], chairs: &[u64]) -> Option<Vec<(usize, &'a str)>> {
    let categories = |conditions: &[(usize, &str)]| {
        let mut found: BTreeMap<(usize, &'a str), SearchedWorth> = BTreeMap::new();
        for (group, texts, worth) in cells {
            if conditions.iter().all(|&(feature, text)| texts[feature] == text) {
                for (feature, text) in texts.iter().enumerate() {
                    found.entry((feature, text)).or_default().add(chairs.len(), group / 2, *worth);
                }
            }
        }
        found
    };
    let all = categories(&[]);
    let best = |of: usize| {
        let own = all.iter().filter(|((feature, _), _)| *feature == of);
        own.map(|(&key, found)| (key, found.sure(chairs), found)).max_by(|a, b| a.1.total_cmp(&b.1))
    };
    let (choice, phase) = (best(CHOICE)?, best(PHASE)?);
    let is_phase = phase.1 > 0.0 && phase.1 >= PHASE_OVER_CHOICE * choice.1;
    let (first, sure, first_found) = if is_phase { phase } else { choice };
    let (mut conditions, mut found) = (vec![first], first_found.clone());
    // A worth within chance is not narrowed down further.
    while conditions.len() < MOST && sure > 0.0 {
        let more = categories(&conditions);
        let better = |(key, part): (&(usize, &'a str), &SearchedWorth)| {
            let is_new = ![PHASE, CONTRACT].contains(&key.0) && conditions.iter().all(|used| used.0 != key.0);
            let keeps = part.sum() * first_found.sum().signum() >= KEPT * first_found.sum().abs();
            let is_less = part.decisions as f64 <= FEWER * found.decisions as f64;
            let above = part.above(&found, chairs);
            (is_new && keeps && is_less && above >= ABOVE).then(|| (*key, above, part.clone()))
        };
        let Some((key, _, part)) = more.iter().filter_map(better).max_by(|a, b| a.1.total_cmp(&b.1)) else { break };
        conditions.push(key);
        found = part;
    }
    Some(conditions)
}
