//! Compares two runs by the score of each bot in both.

use std::ops::Range;

use overtrick_ratings::interval::{Estimate, GroupSum, grouped_mean};
use overtrick_strategy::ids::BotId;
use overtrick_tournament::{Tally, Tournament};

use super::comparison_error::ComparisonError;
use super::contrast::Contrast;
use super::counted::Counted;
use super::rows::{Figure, Interval};
use super::widening::Widening;
use crate::rows;

/// A finished run.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// The tournament.
    pub tournament: &'a Tournament,
    /// The tallies by variant.
    pub tallies: &'a [&'a Tally],
    /// The deal or match numbers that the run has, if some before its last number are missing.
    pub partial: Option<&'a [Range<u64>]>,
}

impl Side<'_> {
    /// Returns the numbers that the run has of a variant.
    fn numbers(&self, variant: &Counted<'_>) -> Vec<Range<u64>> {
        let all = 0..variant.tally.blocks().count;
        self.partial.map_or_else(|| vec![all], <[Range<u64>]>::to_vec)
    }
}

rows! {
    /// One bot in one variant in both runs; scores are points a deal.
    pub struct ComparisonRow {
        /// The first run's variant.
        variant_a: String,
        /// The second run's variant.
        variant_b: String,
        /// The bot.
        bot: String,
        /// Mean score in the first run.
        mean_a: Figure,
        /// Mean score in the second run.
        mean_b: Figure,
        /// The second less the first.
        difference: Interval as [difference, /** Its standard error. */ se, low, high],
        /// Two-sided p-value of the hypothesis that the bot scores the same in both, of this bot alone.
        p: Figure,
        /// The same, corrected for the number of rows (Holm 1979, "A simple sequentially rejective multiple
        /// test procedure", *Scandinavian Journal of Statistics* 6).
        all_p: Figure,
        /// Whether both runs had the same deals, so that the luck of the cards cancels; if not, the two means
        /// are independent.
        paired: bool,
        /// Faults of the bot in both runs together, if it is an external bot.
        faults: u64,
    }
}

/// Compares the scores of the bots that both runs have, variant by variant.
///
/// Bots are matched by name. Variants are matched by name or, if the runs have no name in common, by order.
/// For runs over the same deals, the difference is taken over groups of deals ([`Contrast`]). For runs over
/// different deals, the variances of two independent means add up.
///
/// # Errors
/// Returns the reason why the runs cannot be compared.
pub fn compare(a: Side<'_>, b: Side<'_>) -> Result<Vec<ComparisonRow>, ComparisonError> {
    let (one, other) = (a.tournament, b.tournament);
    if one.unit != other.unit {
        return Err(ComparisonError::Units);
    }
    if one.format != other.format || one.bots.len() != other.bots.len() {
        let field = |side: &Tournament| (side.format, side.bots.len());
        return Err(ComparisonError::Fields(field(one), field(other)));
    }
    let twin = |bot: BotId| other.bot_ids().find(|&twin| other.bot(twin).name == one.bot(bot).name);
    let bots: Vec<(BotId, BotId)> = one.bot_ids().filter_map(|bot| Some((bot, twin(bot)?))).collect();
    if bots.is_empty() {
        return Err(ComparisonError::NoCommonBot);
    }
    let mut rows = Vec::new();
    for (variant_a, variant_b) in variants(one, other)? {
        let (side_a, side_b) =
            (Counted::new(one, variant_a, a.tallies[variant_a]), Counted::new(other, variant_b, b.tallies[variant_b]));
        let paired = same_deals(&side_a, &side_b, [a.numbers(&side_a), b.numbers(&side_b)])?;
        rows.extend(bots.iter().map(|&(bot_a, bot_b)| row((&side_a, bot_a), (&side_b, bot_b), paired)));
    }
    correct(&mut rows);
    Ok(rows)
}

/// Corrects p-values for the number of rows, by Holm's method.
fn correct(rows: &mut [ComparisonRow]) {
    let mut order: Vec<(usize, f64)> = Vec::new();
    for (number, row) in rows.iter().enumerate() {
        order.extend(row.p.0.map(|p| (number, p)));
    }
    order.sort_by(|a, b| a.1.total_cmp(&b.1));
    let all = order.len();
    let mut least = 0.0_f64;
    for (rank, (number, p)) in order.into_iter().enumerate() {
        least = least.max((p * (all - rank) as f64).min(1.0));
        rows[number].all_p = Figure(Some(least));
    }
}

/// Returns the pairs of variants to compare, by number in each run.
fn variants(one: &Tournament, other: &Tournament) -> Result<Vec<(usize, usize)>, ComparisonError> {
    let twin = |name: &str| other.variants.iter().position(|variant| variant.name == name);
    let named: Vec<(usize, usize)> =
        one.variants.iter().enumerate().filter_map(|(number, variant)| Some((number, twin(&variant.name)?))).collect();
    let pairs = match (named.is_empty(), one.variants.len() == other.variants.len()) {
        (false, _) => named,
        (true, true) => (0..one.variants.len()).map(|number| (number, number)).collect(),
        (true, false) => return Err(ComparisonError::NoCommonVariant),
    };
    for &(a, b) in &pairs {
        let (a, b) = (&one.variants[a], &other.variants[b]);
        if a.game.name() != b.game.name() || a.game.layout().seats != b.game.layout().seats {
            return Err(ComparisonError::Games(a.name.clone(), b.name.clone()));
        }
    }
    Ok(pairs)
}

/// Returns whether both were played with the same cards; if not, they are independent.
fn same_deals(a: &Counted<'_>, b: &Counted<'_>, ranges: [Vec<Range<u64>>; 2]) -> Result<bool, ComparisonError> {
    let (one, other) = (a.tournament, b.tournament);
    if one.luck() != other.luck() || a.game.layout().deck.name() != b.game.layout().deck.name() {
        return Ok(false);
    }
    let variant = || a.variant.to_owned();
    let numbers = (a.tally.blocks().count, b.tally.blocks().count);
    if numbers.0 != numbers.1 {
        return Err(ComparisonError::Numbers { variant: variant(), unit: one.unit, numbers });
    }
    if ranges[0] != ranges[1] {
        return Err(ComparisonError::MissingShards(variant()));
    }
    let groups = (a.tally.groups(), b.tally.groups());
    if groups.0 != groups.1 {
        return Err(ComparisonError::Groups { variant: variant(), groups });
    }
    Ok(true)
}

fn row((a, bot_a): (&Counted<'_>, BotId), (b, bot_b): (&Counted<'_>, BotId), paired: bool) -> ComparisonRow {
    let (groups_a, groups_b) = (a.groups_of(bot_a), b.groups_of(bot_b));
    let (mean_a, mean_b) = (mean(a, &groups_a), mean(b, &groups_b));
    let difference = match (mean_a, mean_b) {
        _ if paired => Contrast::new(&groups_b, &groups_a).map(|contrast| contrast.estimate_if_known()),
        (Some(mean_a), Some(mean_b)) => Some(Estimate::independent_difference(&mean_b, &mean_a)),
        _ => None,
    };
    let p = difference.and_then(|difference| difference.p());
    ComparisonRow {
        variant_a: a.variant.to_owned(),
        variant_b: b.variant.to_owned(),
        bot: a.tournament.bot(bot_a).name.clone(),
        mean_a: Figure(mean_a.map(|mean| mean.mean)),
        mean_b: Figure(mean_b.map(|mean| mean.mean)),
        difference: difference.into(),
        p: Figure(p),
        all_p: Figure(None),
        paired,
        faults: 0,
    }
}

/// Returns the mean of scores of a run, with an interval that allows for its test.
fn mean(side: &Counted<'_>, groups: &[GroupSum]) -> Option<Estimate> {
    let mean = grouped_mean(groups)?.if_known(GroupSum::total(groups).count);
    Some(Widening::of(side).widen(mean, groups))
}
