//! The largest finding: a kind of decision, by up to three features, that carries much of the margin.
//!
//! It is looked for in every second group of deals and measured in the others, which had no part in the choice: so its
//! interval is as honest as that of a kind named beforehand. The search begins with what was chosen (`choice`), since
//! that is what two bots differ in, or with the phase of the deal where no choice alone carries as much, and adds what
//! keeps most of the worth in fewer decisions.

use std::collections::BTreeMap;

use overtrick_stats::{Contrast, Estimate};
use overtrick_tournament::{Partings, Worth};

const PHASE: usize = 0;
const CHOICE: usize = 1;
/// The contract at the end of the deal follows from the choice, and so says nothing of when it was made.
const CONTRACT: usize = 4;
/// A phase is named where it is surely worth this many times what the best choice surely is.
const PHASE_OVER_CHOICE: f64 = 1.75;
/// The least share of the first kind's worth that is kept when features are added...
const KEPT: f64 = 0.6;
/// ...the largest share of the decisions before...
const FEWER: f64 = 0.8;
/// ...and by how many standard errors its worth is above that share of the decisions.
const ABOVE: f64 = 3.0;
/// The most features.
const MOST: usize = 3;
/// How many standard errors worth is discounted by.
const DISCOUNT: f64 = 1.645;

/// A kind of decision, and what it is worth.
pub(super) struct Finding {
    pub(super) conditions: Vec<(&'static str, String)>,
    /// Points a deal, in the half of the groups that it was not found in.
    pub(super) share: Estimate,
    /// The whole margin in that half.
    pub(super) margin: Estimate,
    /// How many such decisions there are in that half.
    pub(super) decisions: u64,
}

type Cell<'a> = (usize, [&'a str; Partings::FEATURES.len()], Worth);

/// The worth of some decisions in the half of the groups that is searched.
#[derive(Clone, Default)]
struct Found {
    points: Vec<i64>,
    decisions: u64,
}

impl Found {
    fn add(&mut self, groups: usize, group: usize, worth: Worth) {
        self.points.resize(groups, 0);
        self.points[group] += worth.points;
        self.decisions += worth.decisions;
    }

    fn sum(&self) -> f64 {
        self.points.iter().sum::<i64>() as f64
    }

    /// The worth, whichever way, less what chance may have added.
    fn sure(&self, chairs: &[u64]) -> f64 {
        let points: Vec<f64> = self.points.iter().map(|&points| points as f64).collect();
        self.sum().abs() - DISCOUNT * error(&points, chairs)
    }

    /// By how many standard errors these decisions are worth more than as many of `all`, of which they are a part.
    fn above(&self, all: &Found, chairs: &[u64]) -> f64 {
        let part = self.decisions as f64 / all.decisions as f64;
        let more = |(&own, &all): (&i64, &i64)| own as f64 - part * all as f64;
        let points: Vec<f64> = self.points.iter().zip(&all.points).map(more).collect();
        points.iter().sum::<f64>() * all.sum().signum() / error(&points, chairs).max(f64::MIN_POSITIVE)
    }
}

/// The standard error of a sum over groups of deals.
fn error(points: &[f64], chairs: &[u64]) -> f64 {
    let (sum, whole) = (points.iter().sum::<f64>(), chairs.iter().sum::<u64>() as f64);
    let square = |(points, &own): (&f64, &u64)| (points - sum * own as f64 / whole).powi(2);
    let groups = chairs.len() as f64;
    (points.iter().zip(chairs).map(square).sum::<f64>() * groups / (groups - 1.0).max(1.0)).sqrt()
}

/// The largest finding; `None` if the two never differ. Its intervals are `times` wider.
pub(super) fn find(partings: &Partings, times: f64) -> Option<Finding> {
    let is_searched = |group: usize| group.is_multiple_of(2);
    let (mut searched, mut measured) = (Vec::new(), Vec::new());
    for (group, &(points, chairs)) in partings.margins().iter().enumerate() {
        if is_searched(group) {
            searched.push(chairs);
        } else {
            measured.push((points, chairs));
        }
    }
    let cells: Vec<Cell<'_>> = partings.cells().filter(|&(group, ..)| is_searched(group)).collect();
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
    Some(Finding {
        conditions: conditions.iter().map(|&(feature, text)| (Partings::FEATURES[feature], text.to_owned())).collect(),
        share: estimate(&shares)?,
        margin: estimate(&measured)?,
        decisions,
    })
}

/// The features that are found in some groups of deals, with these numbers of chairs.
fn search<'a>(cells: &[Cell<'a>], chairs: &[u64]) -> Option<Vec<(usize, &'a str)>> {
    let categories = |conditions: &[(usize, &str)]| {
        let mut found: BTreeMap<(usize, &'a str), Found> = BTreeMap::new();
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
    // What is no more than chance is not distinguished any further.
    while conditions.len() < MOST && sure > 0.0 {
        let more = categories(&conditions);
        let better = |(key, part): (&(usize, &'a str), &Found)| {
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
