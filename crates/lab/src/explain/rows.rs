//! Tables of the decisions at which two bots differ: the margin, and its shares by each feature.

use std::collections::BTreeMap;

use overtrick_stats::{Contrast, GroupSum, Interval, rows};
use overtrick_tournament::{Partings, TellingGame, Tournament, Worth};
use schemars::JsonSchema;
use serde::Serialize;

rows! {
    /// A category of decisions at which two bots differ, and its share of the margin.
    pub struct ExplainRow {
        /// The variant.
        variant: String,
        /// The bot that is explained.
        bot_a: String,
        /// The bot that it is compared with.
        bot_b: String,
        /// The table: `margin` for the whole, or the feature by which decisions are distinguished. Each table
        /// adds up to the margin.
        table: &'static str,
        /// The category.
        category: String,
        /// In how many games the two first part at such a decision.
        partings: u64,
        /// At how many decisions of the first bot, of all, the second would have chosen otherwise.
        decisions: u64,
        /// The worth of the first bot's choices at these decisions over all games, in points, where the
        /// second plays on.
        points: i64,
        /// The same in points a deal.
        share: Interval as [share, low, high],
    }
}

/// A game in which choosing otherwise made a great difference.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub struct TellingRow {
    /// By how many points the margin of the first bot is larger than it would have been with the second's choice; less
    /// than 0 where it is smaller.
    pub points: i64,
    /// The number of the deal.
    pub deal: u64,
    /// By seat: the bots.
    pub seating: Vec<String>,
    /// The phase of the deal in which they differ.
    pub phase: String,
    /// The trick, or `before play`.
    pub trick: String,
    /// The choice of the first bot, and the choice that the second would have made.
    pub choice: String,
}

/// Returns the rows of a variant, the margin first, with intervals `times` wider.
pub(super) fn explain_rows(partings: &Partings, variant: &str, bots: [&str; 2], times: f64) -> Vec<ExplainRow> {
    let [bot_a, bot_b] = bots;
    let chairs: Vec<u64> = partings.margins().iter().map(|&(_, chairs)| chairs).collect();
    let row = |table, category: &str, worth: Worth, points: &[i64]| {
        let groups: Vec<GroupSum> =
            points.iter().zip(&chairs).map(|(&points, &chairs)| GroupSum::new(points, chairs)).collect();
        let share = Contrast::of_mean(&groups).map(|share| share.estimate_if_known().widened(times));
        ExplainRow {
            variant: variant.to_owned(),
            bot_a: bot_a.to_owned(),
            bot_b: bot_b.to_owned(),
            table,
            category: category.to_owned(),
            partings: worth.partings,
            decisions: worth.decisions,
            points: worth.points,
            share: share.into(),
        }
    };
    let margin: Vec<i64> = partings.margins().iter().map(|&(points, _)| points).collect();
    let [_, parted] = partings.games();
    let [_, differing] = partings.decisions();
    let whole = Worth { points: margin.iter().sum(), partings: parted, decisions: differing };
    let mut rows = vec![row("margin", "all", whole, &margin)];
    for (feature, &table) in Partings::FEATURES.iter().enumerate() {
        let mut categories: BTreeMap<&str, (Worth, Vec<i64>)> = BTreeMap::new();
        for (group, texts, worth) in partings.cells() {
            let nothing = || (Worth::default(), vec![0; chairs.len()]);
            let (sum, points) = categories.entry(texts[feature]).or_insert_with(nothing);
            *sum += worth;
            points[group] += worth.points;
        }
        let of = |(text, (worth, points)): (&str, (Worth, Vec<i64>))| row(table, text, worth, &points);
        let mut of_table: Vec<ExplainRow> = categories.into_iter().map(of).collect();
        // The sort is stable: equal rows stay in the order of their texts.
        of_table.sort_by_key(|row| (std::cmp::Reverse(row.points.abs()), std::cmp::Reverse(row.decisions)));
        // With a single category, there is nothing to distinguish. Phase and choice are always shown.
        if of_table.len() > 1 || [Partings::PHASE, Partings::CHOICE].contains(&feature) {
            rows.extend(of_table);
        }
    }
    rows
}

/// Returns the games with the largest differences.
///
/// First come the games that the first bot gained by, then those that it lost by.
pub(super) fn telling_rows(partings: &Partings, tournament: &Tournament, variant: usize) -> Vec<TellingRow> {
    let schedule = &tournament.schedules[variant];
    let row = |game: &TellingGame| {
        let bots = schedule.bots(game.id.line_up, game.id.seating);
        TellingRow {
            points: game.points,
            deal: game.id.number,
            seating: bots.of(schedule.seats).iter().map(|&bot| tournament.bot(bot).name.clone()).collect(),
            phase: game.situation[Partings::PHASE].clone(),
            trick: game.situation[Partings::TRICK].clone(),
            choice: game.situation[Partings::CHOICE].clone(),
        }
    };
    partings.telling().map(row).collect()
}
