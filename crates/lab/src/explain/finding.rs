//! The largest finding: a kind of decision that carries much of the margin.
//!
//! It is given by up to three features. Every second group of deals is searched, and the finding is measured
//! in the others. These had no part in the choice, so the interval is as honest as if the kind had been named
//! beforehand. The search begins with the choice (`choice`), since that is where two bots differ. It begins
//! with the phase of the deal if a phase carries clearly more. Then it adds the features that keep most of
//! the worth in fewer decisions.

use std::collections::BTreeMap;

use overtrick_stats::{Contrast, Estimate, GroupSum};
use overtrick_tournament::{Partings, Worth};

/// The features by which a finding is not narrowed down.
///
/// It may begin with the phase, and the final contract follows from the choice.
const NOT_ADDED: [usize; 2] = [Partings::PHASE, Partings::CONTRACT];
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
    /// Whether the worth in the half that was searched is beyond chance.
    pub(super) stands_out: bool,
}

/// The worth of the decisions of a group of deals that are alike in all features.
struct PartingCell<'a> {
    /// The number of the group among those that are searched, or among the others.
    group: usize,
    /// The categories, by feature.
    texts: [&'a str; Partings::FEATURES.len()],
    worth: Worth,
}

impl PartingCell<'_> {
    /// Returns whether the decisions are of the kind that all these conditions name.
    fn has(&self, conditions: &[Condition<'_>]) -> bool {
        conditions.iter().all(|condition| self.texts[condition.feature] == condition.text)
    }
}

/// A feature with its category.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Condition<'a> {
    feature: usize,
    text: &'a str,
}

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
        let mut excess = Vec::with_capacity(chairs.len());
        for (&own, &all) in self.points.iter().zip(&all.points) {
            excess.push(own as f64 - part * all as f64);
        }
        excess.iter().sum::<f64>() * all.sum().signum() / error(&excess, chairs).max(f64::MIN_POSITIVE)
    }

    /// Returns whether a part keeps most of the worth of `first` in clearly fewer decisions than these.
    fn is_narrowed_by(&self, part: &SearchedWorth, first: &SearchedWorth) -> bool {
        let keeps = part.sum() * first.sum().signum() >= KEPT * first.sum().abs();
        keeps && part.decisions as f64 <= FEWER * self.decisions as f64
    }
}

/// Returns the standard error of a sum over groups of deals.
fn error(points: &[f64], chairs: &[u64]) -> f64 {
    let (sum, whole) = (points.iter().sum::<f64>(), chairs.iter().sum::<u64>() as f64);
    let mut squares = 0.0;
    for (points, &own) in points.iter().zip(chairs) {
        squares += (points - sum * own as f64 / whole).powi(2);
    }
    let groups = chairs.len() as f64;
    (squares * groups / (groups - 1.0).max(1.0)).sqrt()
}

/// Returns the largest finding, with intervals `times` wider.
///
/// `None` if the bots never differ in the groups that are searched.
pub(super) fn find(partings: &Partings, times: f64) -> Option<LargestFinding> {
    let (mut searched, mut margins) = (Vec::new(), Vec::new());
    for (group, &(points, chairs)) in partings.margins().iter().enumerate() {
        if group.is_multiple_of(2) {
            searched.push(chairs);
        } else {
            margins.push(GroupSum::new(points, chairs));
        }
    }
    let (mut cells, mut measured) = (Vec::new(), Vec::new());
    for (group, texts, worth) in partings.cells() {
        let half = if group.is_multiple_of(2) { &mut cells } else { &mut measured };
        half.push(PartingCell { group: group / 2, texts, worth });
    }
    let (conditions, stands_out) = search(&cells, &searched)?;
    let mut shares: Vec<GroupSum> = margins.iter().map(|margin| GroupSum::new(0, margin.count)).collect();
    let mut decisions = 0;
    for cell in measured.iter().filter(|cell| cell.has(&conditions)) {
        shares[cell.group].sum += cell.worth.points;
        decisions += cell.worth.decisions;
    }
    let name = |condition: &Condition<'_>| (Partings::FEATURES[condition.feature], condition.text.to_owned());
    Some(LargestFinding {
        conditions: conditions.iter().map(name).collect(),
        share: Contrast::of_mean(&shares)?.estimate_if_known().widened(times),
        margin: Contrast::of_mean(&margins)?.estimate_if_known().widened(times),
        decisions,
        stands_out,
    })
}

/// The decisions of each category of each feature.
type Categories<'a> = BTreeMap<Condition<'a>, SearchedWorth>;

/// Returns the decisions of the given kind, by category of each feature.
///
/// `groups` is the number of groups.
fn categories<'a>(cells: &[PartingCell<'a>], conditions: &[Condition<'_>], groups: usize) -> Categories<'a> {
    let mut found = Categories::new();
    for cell in cells.iter().filter(|cell| cell.has(conditions)) {
        for (feature, text) in cell.texts.into_iter().enumerate() {
            found.entry(Condition { feature, text }).or_default().add(groups, cell.group, cell.worth);
        }
    }
    found
}

/// A condition that a finding may have.
struct Candidate<'a, 'f> {
    condition: Condition<'a>,
    found: &'f SearchedWorth,
    /// The figure by which the best candidate is chosen.
    merit: f64,
}

/// Returns the candidate with the highest merit; of equal ones, the last.
fn best<'a, 'f>(candidates: Vec<Candidate<'a, 'f>>) -> Option<Candidate<'a, 'f>> {
    candidates.into_iter().max_by(|one, other| one.merit.total_cmp(&other.merit))
}

/// Returns the category of a feature whose worth is most certain.
fn surest<'a, 'f>(all: &'f Categories<'a>, feature: usize, chairs: &[u64]) -> Option<Candidate<'a, 'f>> {
    let mut candidates = Vec::new();
    for (&condition, found) in all {
        if condition.feature == feature {
            candidates.push(Candidate { condition, found, merit: found.sure(chairs) });
        }
    }
    best(candidates)
}

/// Returns the conditions of the finding, and whether its worth is beyond chance.
///
/// `cells` are those of the groups that are searched, and `chairs` has the number of chairs in each group.
fn search<'a>(cells: &[PartingCell<'a>], chairs: &[u64]) -> Option<(Vec<Condition<'a>>, bool)> {
    let all = categories(cells, &[], chairs.len());
    let (choice, phase) = (surest(&all, Partings::CHOICE, chairs)?, surest(&all, Partings::PHASE, chairs)?);
    let is_phase = phase.merit > 0.0 && phase.merit >= PHASE_OVER_CHOICE * choice.merit;
    let first = if is_phase { phase } else { choice };
    let (mut conditions, mut found) = (vec![first.condition], first.found.clone());
    // A worth within chance is not narrowed down further.
    while conditions.len() < MOST && first.merit > 0.0 {
        let more = categories(cells, &conditions, chairs.len());
        let mut candidates = Vec::new();
        for (&condition, part) in &more {
            let is_used = conditions.iter().any(|used| used.feature == condition.feature);
            if is_used || NOT_ADDED.contains(&condition.feature) || !found.is_narrowed_by(part, first.found) {
                continue;
            }
            let merit = part.above(&found, chairs);
            if merit >= ABOVE {
                candidates.push(Candidate { condition, found: part, merit });
            }
        }
        let Some(next) = best(candidates) else { break };
        conditions.push(next.condition);
        found = next.found.clone();
    }
    Some((conditions, first.merit > 0.0))
}
