//! Decides whether a run may stop, and makes the row that reports it.

use overtrick_ratings::Estimate;
use overtrick_tournament::{Look, StoppingRule, Tally, Tournament, VariantRun};

use super::contrast::Contrast;
use super::counted::Counted;
use super::looks::{is_precise, worst_half_width};
use super::rows::{Figure, LookRow, StopRow};
use super::sequential::{Decision, Scale, TestState, test_state};
use super::wins::Differences;

/// The state of the stopping rules of a run.
struct RuleState {
    /// Half the width of the widest interval of a difference.
    ///
    /// `None` if the run does not stop by precision, or if too little was played.
    half_width: Option<f64>,
    test: Option<TestState>,
    /// Whether a rule stops the run.
    stops: bool,
}

/// Asks the stopping rules of a tournament in one of its variants.
///
/// Returns their state, and whether one of them stops the run.
///
/// # Panics
/// If the tournament has no stopping rules.
pub fn look(tournament: &Tournament, variant: usize, tally: &Tally) -> (Look, bool) {
    let counted = Counted::new(tournament, variant, tally);
    let state = counted.rule_state(tournament.stop.expect("a rule to ask"), &counted.differences());
    let llr = state.test.map(|test| test.llr);
    (Look::new(tally.blocks().count, state.half_width, llr), state.stops)
}

/// Returns the looks of the runs of a tournament's variants.
pub(super) fn look_rows(tournament: &Tournament, runs: &[VariantRun]) -> Vec<LookRow> {
    let mut rows = Vec::new();
    for (run, variant) in runs.iter().zip(&tournament.variants) {
        for &Look { blocks, half_width, llr, .. } in &run.looks {
            let (half_width, llr) = (Figure(half_width), Figure(llr));
            rows.push(LookRow { variant: variant.name.clone(), blocks, half_width, llr });
        }
    }
    rows
}

impl Counted<'_> {
    /// Returns the state of the stopping rules; `None` if the tournament has none.
    ///
    /// The interval next to a test is `widening` times wider.
    pub(super) fn stop_row(&self, widening: f64) -> Option<StopRow> {
        let stop = self.tournament.stop?;
        let differences = self.differences();
        let state = self.rule_state(stop, &differences);
        let mut difference = None;
        if state.test.is_some() {
            difference = self.margin().map(|margin| margin.widened(widening));
        }
        // As for all other differences, too few deals in which the two differed say nothing.
        if differences.values().any(|pair| pair.estimate_if_known().half_width.is_none()) {
            difference = difference.map(|margin| Estimate { half_width: None, ..margin });
        }
        Some(StopRow {
            variant: self.variant.to_owned(),
            blocks: self.tally.blocks().count,
            stopped: state.stops,
            half_width: Figure(state.half_width),
            llr: Figure(state.test.map(|test| test.llr)),
            lower_bound: Figure(state.test.map(|test| test.lower_bound)),
            upper_bound: Figure(state.test.map(|test| test.upper_bound)),
            accepted: state.test.and_then(|test| test.decision).map(|decision| match decision {
                Decision::H0 => "H0",
                Decision::H1 => "H1",
            }),
            difference: difference.into(),
        })
    }

    /// Returns how far the first of each two bots is ahead of the second.
    pub(super) fn differences(&self) -> Differences {
        let pairs = self.pairs().into_iter();
        pairs.filter_map(|(pair, [one, other])| Some((pair, Contrast::new(&one, &other)?))).collect()
    }

    /// Asks the stopping rules; `differences` are those of all pairs.
    fn rule_state(&self, stop: StoppingRule, differences: &Differences) -> RuleState {
        let (blocks, scale) = (self.tally.blocks(), self.scale());
        let test = stop.test.map(|test| test_state(test, blocks, scale));
        let stops = test.is_some_and(|test| test.decision.is_some());
        let Some(most) = stop.half_width else { return RuleState { half_width: None, test, stops } };
        let half_width = worst_half_width(differences.values());
        let groups = self.tally.groups().min(self.tournament.groups);
        let is_precise = is_precise(most, half_width, blocks.count, groups, scale.spread);
        RuleState { half_width, test, stops: stops || is_precise }
    }

    /// Returns the mean margin of a duel in points, from its blocks, which are independent of each other.
    fn margin(&self) -> Option<Estimate> {
        let blocks = self.tally.blocks();
        let (n, points) = (blocks.count as f64, f64::from(self.scale().per_point));
        let mean = blocks.margin as f64 / n;
        let squares = blocks.margin_squares as f64 - n * mean * mean;
        let se = (blocks.count > 1).then(|| (squares.max(0.0) / (n - 1.0) / n).sqrt() / points);
        (blocks.count > 0).then(|| Estimate::from_groups(mean / points, se, blocks.count as usize))
    }

    /// Returns the conversion of margins of blocks to points, in a duel.
    pub(super) fn scale(&self) -> Scale {
        let chairs = (self.schedule.seatings.len() * self.schedule.seats / 2) as u32;
        Scale { per_point: chairs, spread: self.spread() }
    }

    /// Returns the highest score of a deal so far less the lowest.
    fn spread(&self) -> u32 {
        let scores = || self.tournament.bot_ids().map(|bot| self.tally.scores(bot));
        let highest = scores().filter_map(|scores| scores.max()).max().unwrap_or(0);
        let lowest = scores().filter_map(|scores| scores.min()).min().unwrap_or(0);
        (highest - lowest) as u32
    }
}
