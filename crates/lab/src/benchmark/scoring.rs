//! The score of a bot, its lead over each reference, and its Elo, each with an interval over parts.
//!
//! The deals of different parts have different numbers, so parts are independent. All duels count in each part.
//! The cards that variants share therefore widen the interval of the score as they should.

use overtrick_stats::ratings::ELO_PER_LOG_STRENGTH;
use overtrick_stats::ratings::freedom::freedom;
use overtrick_stats::{Estimate, GroupSum, Interval, grouped_mean, rows};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::definition::{BenchmarkDefinition, ScaleEnds};
use super::duel_sums::DuelSums;

/// The name of all references or variants together.
const ALL: &str = "all";

rows! {
    /// A duel of a bot with a reference, or a score of the bot.
    pub struct BenchmarkRow {
        /// The variant; `all` for the score of the bot.
        variant: String,
        /// The reference; `all` for the score in a variant.
        reference: String,
        /// The deals, each played in every seating.
        deals: u64,
        /// The points a deal by which the bot is ahead.
        ahead: Interval as [
            ahead,
            /// The standard error of that, over parts of the deals.
            se,
            low,
            high,
        ],
        /// The Elo of the bot above the reference, by how often it scores more at the same table.
        elo: Interval,
        /// The score: 0 and 100 are the levels of two references.
        score: Interval,
        /// The faults of the bot.
        faults: u64,
    }
}

/// The score in a file, rounded to two decimals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ResultScore {
    /// The score: 0 and 100 are the levels of two references.
    pub value: f64,
    /// The lower end of its 95% interval; absent if nothing varies.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

/// The figures of a result.
#[derive(Clone, Debug)]
pub struct BenchmarkScore {
    /// The score of the bot; without a value if the benchmark has no scale.
    pub total: Interval,
    /// The rows: the score, then the score of each variant before its duels.
    pub rows: Vec<BenchmarkRow>,
}

/// A duel with the numbers that its sums are divided by.
struct ScoredDuel<'a> {
    sums: &'a DuelSums,
    ends: Option<ScaleEnds>,
    deals: u64,
    /// The games of each part times the chairs that each bot has in a game, on average.
    chairs: u64,
    /// The pairs of chairs in each part that are compared, times two.
    pairs: u64,
}

impl BenchmarkScore {
    /// Computes the figures of all duels, which are in the order of the definition.
    pub fn new(definition: &BenchmarkDefinition, duels: &[DuelSums]) -> BenchmarkScore {
        let scored: Vec<ScoredDuel<'_>> =
            definition.duels().zip(duels).map(|(place, sums)| ScoredDuel::new(definition, place, sums)).collect();
        let total = score(&scored);
        let mut rows = vec![together(ALL, &scored)];
        for of_variant in scored.chunks(definition.references.len()) {
            rows.push(together(&of_variant[0].sums.variant, of_variant));
            rows.extend(of_variant.iter().map(ScoredDuel::row));
        }
        BenchmarkScore { total, rows }
    }

    /// Returns the score as files of results have it, if there is one.
    pub fn rounded(&self) -> Option<ResultScore> {
        // Adding zero turns -0 into 0.
        let rounded = |figure: f64| (figure * 100.0).round() / 100.0 + 0.0;
        let Interval { value, low, high, .. } = self.total;
        Some(ResultScore { value: rounded(value?), low: low.map(rounded), high: high.map(rounded) })
    }
}

impl<'a> ScoredDuel<'a> {
    fn new(
        definition: &BenchmarkDefinition,
        (variant, reference): (usize, usize),
        sums: &'a DuelSums,
    ) -> ScoredDuel<'a> {
        let deals = definition.references[reference].deals;
        let (length, games) = (deals / definition.parts, definition.games_a_deal(variant));
        let seats = definition.seats(variant);
        let ends = definition.scale.as_ref().map(|scale| scale[variant][reference]);
        // A bot has half of the chairs in all seatings together. In each seating of two or three players in which
        // both sit, one less than all chairs make the pairs of the bot and the reference.
        ScoredDuel { sums, ends, deals, chairs: length * games * seats / 2, pairs: 2 * length * games * (seats - 1) }
    }

    /// Returns the lead over the reference, in points a deal.
    fn ahead(&self) -> Estimate {
        let groups: Vec<GroupSum> = self.sums.margins.iter().map(|&sum| GroupSum::new(sum, self.chairs)).collect();
        grouped_mean(&groups).expect("parts have deals").if_known(self.deals)
    }

    /// Returns the Elo above the reference; without a value if one of them is always ahead.
    fn elo(&self) -> Interval {
        let ahead = self.sums.ahead.iter().map(|&times| i64::try_from(times).unwrap_or(i64::MAX));
        let groups: Vec<GroupSum> = ahead.map(|times| GroupSum::new(times, self.pairs)).collect();
        let share = grouped_mean(&groups).expect("parts have deals").if_known(self.deals);
        let is_open = |share: f64| share > 0.0 && share < 1.0;
        if !is_open(share.mean) {
            return Interval::default();
        }
        let ends = share.ends().filter(|&(low, high)| is_open(low) && is_open(high));
        // Elo rises with the share, so the ends of the one are those of the other.
        Interval::new(Some(share.mean), ends).map(|share| ELO_PER_LOG_STRENGTH * libm::log(share / (1.0 - share)))
    }

    /// Returns the score of a part, if there is a scale.
    fn part_score(&self, part: usize) -> Option<f64> {
        let ScaleEnds { zero, hundred } = self.ends?;
        let ahead = self.sums.margins[part] as f64 / self.chairs as f64;
        Some(100.0 * (ahead - zero) / (hundred - zero))
    }

    fn row(&self) -> BenchmarkRow {
        BenchmarkRow {
            variant: self.sums.variant.clone(),
            reference: self.sums.reference.clone(),
            deals: self.deals,
            ahead: self.ahead().into(),
            elo: self.elo(),
            score: score(std::slice::from_ref(self)),
            faults: self.sums.faults,
        }
    }
}

/// Returns the row of several duels together, which has a score.
fn together(variant: &str, duels: &[ScoredDuel<'_>]) -> BenchmarkRow {
    BenchmarkRow {
        variant: variant.to_owned(),
        reference: ALL.to_owned(),
        deals: duels.iter().map(|duel| duel.deals).sum(),
        score: score(duels),
        faults: duels.iter().map(|duel| duel.sums.faults).sum(),
        ..BenchmarkRow::default()
    }
}

/// Returns the mean score over duels, with its interval over parts.
fn score(duels: &[ScoredDuel<'_>]) -> Interval {
    let parts = duels[0].sums.margins.len();
    let mut scores = Vec::with_capacity(parts);
    for part in 0..parts {
        let mut sum = 0.0;
        for duel in duels {
            let Some(score) = duel.part_score(part) else { return Interval::default() };
            sum += score;
        }
        scores.push(sum / duels.len() as f64);
    }
    let count = parts as f64;
    let mean = scores.iter().sum::<f64>() / count;
    let residuals = || scores.iter().map(|score| score - mean);
    let squares: f64 = residuals().map(|residual| residual * residual).sum();
    let se = (squares / (count * (count - 1.0))).sqrt();
    let deals = duels.iter().map(|duel| duel.deals).sum();
    Estimate::with_freedom(mean, Some(se), parts, freedom(residuals()).max(1.0)).if_known(deals).into()
}

#[cfg(test)]
mod tests {
    use super::super::definition::tests::{SMALL, resolved};
    use super::*;

    fn sums(variant: &str, reference: &str, margins: [i64; 10], ahead: u64) -> DuelSums {
        DuelSums {
            variant: variant.to_owned(),
            reference: reference.to_owned(),
            faults: 1,
            margins: margins.to_vec(),
            ahead: vec![ahead; 10],
        }
    }

    /// The duels of the small benchmark. A part has 4 deals: 8 games for two, and 24 games for three.
    fn duels() -> Vec<DuelSums> {
        let level = [0; 10];
        vec![
            sums("colour-blind-2", "random", [80, 88, 72, 80, 80, 96, 64, 80, 80, 80], 12),
            sums("colour-blind-2", "rule-based", level, 8),
            sums("euchre-24", "random", [72; 10], 72),
            sums("euchre-24", "rule-based", level, 48),
        ]
    }

    #[test]
    fn known_scores() {
        let definition = resolved(&SMALL.replace("deals = 40", "deals = 400")).unwrap();
        // Ten times the deals have ten times the sums.
        let mut duels = duels();
        for duel in &mut duels {
            duel.margins.iter_mut().for_each(|margin| *margin *= 10);
            duel.ahead.iter_mut().for_each(|ahead| *ahead *= 10);
        }
        let score = BenchmarkScore::new(&definition, &duels);
        let row = |variant: &str, reference: &str| {
            score.rows.iter().find(|row| row.variant == variant && row.reference == reference).unwrap().clone()
        };
        // 80 points over 8 chairs, of which 20 are a score of 100.
        let first = row("colour-blind-2", "random");
        assert_eq!((first.deals, first.ahead.value, first.score.value), (400, Some(10.0), Some(50.0)));
        // The residuals are 1, -1, 2 and -2 points a deal: the variance over parts is 10/9, and there is no skew.
        let se = (10.0_f64 / 9.0 / 10.0).sqrt();
        assert!((first.ahead.se.unwrap() - se).abs() < 1e-12, "{first:?}");
        // 2.262157 is the quantile of Student's t with 9 degrees of freedom.
        assert!((first.ahead.low.unwrap() - (10.0 - 2.262_157 * se)).abs() < 1e-6, "{first:?}");
        // It is ahead in three quarters of the pairs: Elo 400 log10 3.
        assert!((first.elo.value.unwrap() - 190.848_502).abs() < 1e-6, "{first:?}");
        assert_eq!(
            (row("colour-blind-2", "rule-based").score.value, row("euchre-24", "random").ahead.value),
            (Some(100.0), Some(2.0))
        );
        assert_eq!(row("colour-blind-2", "rule-based").elo.value, Some(0.0));
        assert_eq!(
            (row("euchre-24", "all").score.value, row("colour-blind-2", "all").score.value),
            (Some(100.0), Some(75.0))
        );
        assert_eq!((score.total.value, row("all", "all").faults, row("all", "all").deals), (Some(87.5), 4, 1600));
        // Only one of four duels varies, so the interval is a quarter of its interval.
        let half = (first.score.high.unwrap() - 50.0) / 4.0;
        assert!((score.total.high.unwrap() - 87.5 - half).abs() < 1e-9, "{score:?}");
        let rounded = score.rounded().unwrap();
        assert_eq!((rounded.value, rounded.high), (87.5, Some(((87.5 + half) * 100.0).round() / 100.0)));
    }

    #[test]
    fn there_is_no_score_without_a_scale_and_no_interval_where_nothing_varies() {
        let bare = SMALL.split("[scale]").next().unwrap();
        let score = BenchmarkScore::new(&resolved(bare).unwrap(), &duels());
        assert_eq!((score.total, score.rounded()), (Interval::default(), None));
        assert_eq!(score.rows.iter().find(|row| row.reference == "random").unwrap().ahead.value, Some(10.0));
        // Level with all: halfway up with random, and at 100 with rule-based.
        let still = BenchmarkScore::new(&resolved(SMALL).unwrap(), &vec![duels().swap_remove(1); 4]);
        assert_eq!((still.total.value, still.total.low), (Some(50.0), None));
    }
}
