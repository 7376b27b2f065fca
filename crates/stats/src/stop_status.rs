//! Decides whether a run may stop, and makes the row that reports it.

use overtrick_ratings::Estimate;
use overtrick_tournament::{Look, StoppingRule, Tally, Tournament, VariantRun};

use super::contrast::Contrast;
use super::counted::Counted;
use super::looks::{is_precise, worst_half_width};
use super::rows::{Figure, LookRow, StopRow};
use super::sequential::{Decision, Scale, test_state};
use super::widening::Widening;

/// Asks the stopping rules of a tournament in one of its variants.
///
/// Returns their state, and whether one of them stops the run.
///
/// # Panics
/// If the tournament has no stopping rules.
pub fn look(tournament: &Tournament, variant: usize, tally: &Tally) -> (Look, bool) {
    let stop = tournament.stop.expect("a rule to ask");
    let StopRow { blocks, stopped, half_width, llr, .. } = Counted::new(tournament, variant, tally).stop_row(stop, 1.0);
    (Look::new(blocks, half_width.0, llr.0), stopped)
}

/// Returns the looks of the runs of a tournament's variants.
pub fn look_rows(tournament: &Tournament, runs: &[VariantRun]) -> Vec<LookRow> {
    let rows = runs.iter().zip(&tournament.variants).flat_map(|(run, variant)| {
        run.looks.iter().map(|look| LookRow {
            variant: variant.name.clone(),
            blocks: look.blocks,
            half_width: Figure(look.half_width),
            llr: Figure(look.llr),
        })
    });
    rows.collect()
}

/// Returns the state of a tournament's stopping rules in one of its variants; `None` if it has none.
pub fn stop_row(tournament: &Tournament, variant: usize, tally: &Tally) -> Option<StopRow> {
    let stop = tournament.stop?;
    let counted = Counted::new(tournament, variant, tally);
    Some(counted.stop_row(stop, Widening::of(&counted).times()))
}

impl Counted<'_> {
    /// Returns the row; the interval next to a test is `widening` times wider.
    fn stop_row(&self, stop: StoppingRule, widening: f64) -> StopRow {
        let blocks = self.tally.blocks();
        let scale = self.scale();
        let differences: Vec<Contrast> =
            self.pairs().values().filter_map(|[side_a, side_b]| Contrast::new(side_a, side_b)).collect();
        let worst = worst_half_width(&differences);
        let precise = stop.half_width.map(|half_width| {
            let groups = self.tally.groups().min(self.tournament.groups);
            is_precise(half_width, worst, blocks.count, groups, scale.spread)
        });
        let test = stop.test.map(|test| test_state(test, blocks, scale));
        let decision = test.and_then(|state| state.decision);
        let mut difference = test.and_then(|_| self.margin(scale.per_point)).map(|margin| margin.widened(widening));
        // As for all other differences, too few deals in which the two differed say nothing.
        if differences.iter().any(|pair| pair.estimate_if_known().half_width.is_none()) {
            difference = difference.map(|margin| Estimate { half_width: None, ..margin });
        }
        StopRow {
            variant: self.variant.to_owned(),
            blocks: blocks.count,
            stopped: precise == Some(true) || decision.is_some(),
            half_width: Figure(worst.filter(|_| stop.half_width.is_some())),
            llr: Figure(test.map(|state| state.llr)),
            lower_bound: Figure(test.map(|state| state.lower_bound)),
            upper_bound: Figure(test.map(|state| state.upper_bound)),
            accepted: decision.map(|decision| match decision {
                Decision::H0 => "H0",
                Decision::H1 => "H1",
            }),
            difference: difference.into(),
        }
    }

    /// Returns the mean margin of a duel in points, from its blocks, which are independent of each other.
    fn margin(&self, chairs: u32) -> Option<Estimate> {
        let blocks = self.tally.blocks();
        let (n, points) = (blocks.count as f64, f64::from(chairs));
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
