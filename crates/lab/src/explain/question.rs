//! A question about two bots of a run, and its answer.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use overtrick_run::{RunOutcome, Threads};
use overtrick_stats::{pair_points, pair_widening};
use overtrick_strategies::Bot;
use overtrick_strategy::ids::BotId;
use overtrick_tournament::{Format, Partings, Shadow, Unit, VariantRun, first_start_failure};
use thiserror::Error;

use super::finding::find;
use super::rows::{explain_rows, telling_rows};
use super::sentence::sentence;
use super::{ExplainedVariant, Explanation, FindingRow};

/// A question about two bots of a run.
pub struct ExplainQuestion<'a> {
    outcome: &'a RunOutcome,
    pair: [BotId; 2],
    /// By variant: the deal numbers to replay.
    numbers: Vec<Vec<Range<u64>>>,
    deals: Option<u64>,
}

/// The reason why a run cannot show where two bots part.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ExplainError {
    /// The unit of the run is the match.
    #[error(
        "is of whole matches, in which every deal hangs on the one before; explain a run of the same bots with unit = \"deal\""
    )]
    Matches,
    /// The run is a mirror, in which every bot met only itself.
    #[error("is a mirror, in which no bot met another; explain a duel or a round-robin")]
    Mirror,
    /// Both bots are the same.
    #[error("the two bots are one and the same, {0}; name two")]
    Same(String),
    /// The two bots never sat at one table.
    #[error("{0} and {1} did not meet in this run{2}")]
    NeverMet(String, String, &'static str),
    /// No deals with both bots have been played yet.
    #[error("nothing that {0} and {1} played together is done yet; go on with the run first")]
    Nothing(String, String),
    /// An external bot does not start.
    #[error("{0} does not start: {1}; mend it (`overtrick check` tries it)")]
    Absent(String, String),
}

impl<'a> ExplainQuestion<'a> {
    /// Asks where the bots of `pair` part, in the first `deals` deal numbers or in all that were played.
    ///
    /// # Errors
    /// If the run cannot show it, with the reason.
    pub fn new(
        outcome: &'a RunOutcome,
        pair: [BotId; 2],
        deals: Option<u64>,
    ) -> Result<ExplainQuestion<'a>, ExplainError> {
        let RunOutcome { tournament, extent, runs, .. } = outcome;
        let [one, other] = pair.map(|bot| tournament.bot(bot).name.clone());
        if pair[0] == pair[1] {
            return Err(ExplainError::Same(one));
        }
        if tournament.unit == Unit::Match {
            return Err(ExplainError::Matches);
        }
        if tournament.format == Format::Mirror {
            return Err(ExplainError::Mirror);
        }
        let met = |variant: usize| {
            let line_ups = &tournament.schedules[variant].line_ups;
            line_ups.iter().any(|members| pair.iter().all(|bot| members.contains(bot)))
        };
        if !(0..tournament.variants.len()).any(met) {
            let is_gauntlet = tournament.format == Format::Gauntlet;
            let why = if is_gauntlet { ": a gauntlet for two seats the candidate and one other" } else { "" };
            return Err(ExplainError::NeverMet(one, other, why));
        }
        let numbers = |(variant, run): (usize, &VariantRun)| {
            let (mut ranges, mut left) = (Vec::new(), deals.unwrap_or(u64::MAX));
            for range in extent.ranges(tournament.numbers).into_iter().filter(|_| met(variant)) {
                let end = range.end.min(run.next).min(range.start.saturating_add(left));
                if range.start < end {
                    left -= end - range.start;
                    ranges.push(range.start..end);
                }
            }
            ranges
        };
        let numbers: Vec<Vec<Range<u64>>> = runs.iter().enumerate().map(numbers).collect();
        if numbers.iter().all(Vec::is_empty) {
            return Err(ExplainError::Nothing(one, other));
        }
        Ok(ExplainQuestion { outcome, pair, numbers, deals })
    }

    /// Returns the count of deal numbers to replay, over all variants.
    pub fn deals(&self) -> u64 {
        self.numbers.iter().map(|ranges| count(ranges)).sum()
    }

    /// Replays the deals and explains them; `None` if `stop` was set.
    ///
    /// From time to time, `progress` gets the count of deal numbers that are done.
    ///
    /// # Errors
    /// If an external bot does not start.
    pub fn answer(
        &self,
        threads: &Threads,
        stop: &Arc<AtomicBool>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Option<Explanation>, ExplainError> {
        let tournament = &self.outcome.tournament;
        let [bot_a, bot_b] = self.pair.map(|bot| tournament.bot(bot).name.clone());
        // Disqualified bots are in no line-up, so they need not start.
        let line_ups = tournament.schedules.iter().flat_map(|schedule| &schedule.line_ups);
        let seated: BTreeSet<BotId> = line_ups.filter(|members| self.is_of_both(members)).flatten().copied().collect();
        let seated: Vec<Bot> = seated.into_iter().map(|bot| tournament.bot(bot).clone()).collect();
        if let Some((bot, failure)) = first_start_failure(&seated, &tournament.variants, threads.pool(), stop) {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            return Err(ExplainError::Absent(seated[bot.index()].name.clone(), failure.fault.to_string()));
        }
        let mut explanation = Explanation { bot_a, bot_b, notes: self.notes(), ..Explanation::default() };
        let mut done = 0;
        for (variant, numbers) in self.numbers.iter().enumerate().filter(|(_, numbers)| !numbers.is_empty()) {
            let shadow = Shadow {
                tournament,
                variant,
                pair: self.pair,
                numbers,
                pool: threads.pool(),
                stop,
                progress: &mut |more| progress(done + more),
            };
            let Some(partings) = shadow.play() else { return Ok(None) };
            done += count(numbers);
            explanation.notes.extend(self.notes_on(variant, &partings));
            explanation.variants.push(self.explain_variant(variant, &partings));
        }
        Ok(Some(explanation))
    }

    /// Returns where the two bots part in a variant, from its games that were replayed.
    fn explain_variant(&self, variant: usize, partings: &Partings) -> ExplainedVariant {
        let RunOutcome { tournament, runs, .. } = self.outcome;
        let name = &tournament.variants[variant].name;
        let bots = self.pair.map(|bot| tournament.bot(bot).name.as_str());
        let times = pair_widening(tournament, variant, &runs[variant].tally);
        let finding = find(partings, times);
        let rows = explain_rows(partings, name, bots, times);
        let [games, parted] = partings.games();
        let [decisions, differing] = partings.decisions();
        ExplainedVariant {
            variant: name.clone(),
            sentence: sentence(bots, finding.as_ref(), &rows, partings),
            deals: count(&self.numbers[variant]),
            games,
            parted,
            decisions,
            differing,
            chairs: partings.margins().iter().map(|&(_, chairs)| chairs).sum(),
            finding: finding.filter(|finding| finding.stands_out).map(|finding| FindingRow {
                share: finding.share.into(),
                margin: finding.margin.into(),
                decisions: finding.decisions,
                conditions: finding.conditions,
            }),
            rows,
            telling: telling_rows(partings, tournament, variant),
        }
    }

    /// Returns the notes on a variant whose games were replayed.
    fn notes_on(&self, variant: usize, partings: &Partings) -> Vec<String> {
        let RunOutcome { tournament, runs, .. } = self.outcome;
        let (name, tally) = (&tournament.variants[variant].name, &runs[variant].tally);
        let mut notes = Vec::new();
        let is_all = count(&self.numbers[variant]) == tally.blocks().count;
        let points: i64 = partings.margins().iter().map(|&(points, _)| points).sum();
        if is_all && pair_points(tournament, variant, tally, self.pair) != points {
            notes.push(format!(
                "{name}: played again, the deals ended otherwise than in the run: some bot does not choose by what it \
                 is shown alone; this explains the deals as they were played now"
            ));
        }
        if partings.faults() > 0 {
            notes.push(format!("{name}: bots had {} faults", partings.faults()));
        }
        notes
    }

    /// Returns whether both bots sit in a line-up.
    fn is_of_both(&self, members: &[BotId]) -> bool {
        self.pair.iter().all(|bot| members.contains(bot))
    }

    /// Returns the notes that a reader of the explanation needs.
    fn notes(&self) -> Vec<String> {
        let RunOutcome { tournament, extent, is_finished, runs, .. } = self.outcome;
        let mut notes = Vec::new();
        if !is_finished {
            let left = tournament.variants[runs.len()..].iter().map(|variant| variant.name.as_str());
            let left: Vec<&str> = left.collect();
            let missing = if left.is_empty() { String::new() } else { format!("; nothing yet of {}", left.join(", ")) };
            notes.push(format!(
                "the run is not finished: this explains the deals so far{missing} (go on with --resume)"
            ));
        }
        notes.extend(extent.note(tournament.numbers, tournament.unit));
        for (variant, numbers) in self.numbers.iter().enumerate() {
            if numbers.is_empty() && runs[variant].next > runs[variant].start {
                notes.push(format!("{}: the two did not meet there", tournament.variants[variant].name));
            }
        }
        if let Some(deals) = self.deals.filter(|&deals| deals < tournament.numbers) {
            notes.push(format!("only the first {deals} deals are used, so margins differ from pairs.csv"));
        }
        notes
    }
}

fn count(ranges: &[Range<u64>]) -> u64 {
    ranges.iter().map(|range| range.end - range.start).sum()
}
