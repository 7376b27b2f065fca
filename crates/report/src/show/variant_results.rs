//! The results of one variant, and what the terminal and pages show of them in the same way.

use overtrick_stats::{
    BalanceRow, BotRow, ContractRow, CurveRow, Figure, GivenAwayRow, HeadlineRow, Interval, LookRow, MetaRow,
    OptionRow, PairRow, RatingRow, Results, SeatRow, StopRow, SwingRow,
};

use super::format::signed_with_interval;
use super::table::{Cell, Column, TableOf};

/// The rows of one variant in the tables of results.
pub(super) struct VariantResults<'a> {
    pub(super) name: &'a str,
    pub(super) headlines: Vec<&'a HeadlineRow>,
    pub(super) bots: Vec<&'a BotRow>,
    /// The best bot first; empty if no bots met.
    pub(super) ratings: Vec<&'a RatingRow>,
    pub(super) pairs: Vec<&'a PairRow>,
    /// The variant as a whole, then its bots, the best first; empty unless three or more bots all met.
    pub(super) meta: Vec<&'a MetaRow>,
    pub(super) options: Vec<&'a OptionRow>,
    pub(super) seats: Vec<&'a SeatRow>,
    pub(super) contracts: Vec<&'a ContractRow>,
    pub(super) balance: Vec<&'a BalanceRow>,
    pub(super) curves: Vec<&'a CurveRow>,
    pub(super) swings: Vec<&'a SwingRow>,
    pub(super) given_away: Vec<&'a GivenAwayRow>,
    pub(super) stops: Vec<&'a StopRow>,
    pub(super) looks: Vec<&'a LookRow>,
}

impl<'a> VariantResults<'a> {
    /// Returns the rows of the variant `name`.
    pub(super) fn of(results: &'a Results, name: &'a str) -> VariantResults<'a> {
        macro_rules! of_variant {
            ($($table:ident),+) => {
                VariantResults { name, $($table: results.$table.iter().filter(|row| row.variant == name).collect()),+ }
            };
        }
        of_variant!(
            headlines, bots, ratings, pairs, meta, options, seats, contracts, balance, curves, swings, given_away,
            stops, looks
        )
    }

    /// Returns the bots, the best first. If no bots met, they are in the order of the config.
    pub(super) fn order(&self) -> Vec<&'a str> {
        let mut order: Vec<&str> = self.ratings.iter().map(|row| row.bot.as_str()).collect();
        for row in &self.bots {
            if !order.contains(&row.bot.as_str()) {
                order.push(&row.bot);
            }
        }
        order
    }

    /// Returns the lead of a bot over another, with its interval for all pairs at once.
    ///
    /// It is `None` if they never met.
    pub(super) fn lead(&self, one: &str, other: &str) -> Option<Interval> {
        let pair = |a: &str, b: &str| self.pairs.iter().find(|row| row.bot_a == a && row.bot_b == b);
        pair(one, other).map(|row| row.all).or_else(|| pair(other, one).map(|row| row.all.turned()))
    }

    /// Returns whether whole matches were played, so that there are shares of matches won.
    pub(super) fn has_matches(&self) -> bool {
        self.balance.iter().any(|row| row.matches_from == Some("matches"))
    }

    /// Returns the contracts of all bots together by kind, the most frequent first.
    pub(super) fn contract_kinds(&self) -> Vec<&'a ContractRow> {
        let is_kind = |row: &&&ContractRow| row.bot == "all" && !matches!(row.contract.as_str(), "chosen" | "forced");
        let mut kinds: Vec<&ContractRow> = self.contracts.iter().filter(is_kind).copied().collect();
        kinds.sort_by_key(|row| std::cmp::Reverse(row.deals));
        kinds
    }

    /// Returns what plays gave away in a role, over all tricks together.
    pub(super) fn given_away_as(&self, role: &str) -> Vec<&'a GivenAwayRow> {
        self.given_away.iter().filter(|row| row.role == role && row.trick.is_none()).copied().collect()
    }
}

/// Returns a cell with the Elo and its interval for all bots at once.
///
/// It is a dash if the Elo rests on pseudo-results, which show the order of bots but not the distance.
pub(super) fn elo_cell(row: &RatingRow) -> Cell {
    let text = if row.regularised { "-".to_owned() } else { signed_with_interval(row.all.rounded(), 1) };
    Cell::shown(Figure(row.elo.value), text)
}

/// Formats the range of places that a bot may have, such as `1-4`.
pub(super) fn places_text(row: &RatingRow) -> String {
    match row.place_low.zip(row.place_high) {
        None => "-".to_owned(),
        Some((low, high)) if low == high => low.to_string(),
        Some((low, high)) => format!("{low}-{high}"),
    }
}

/// The rows of a bot, one for each seat.
pub(super) type BySeatRows<'a> = &'a [&'a SeatRow];

/// Returns the table of a figure by bot and seat.
pub(super) fn seat_table<'a>(
    bots: &[BySeatRows<'a>],
    bot: impl Fn(&str) -> Cell + 'a,
    figure: fn(&SeatRow) -> Cell,
) -> TableOf<'a, BySeatRows<'a>> {
    let mut table = TableOf::new().add(Column::text("bot"), move |rows: &BySeatRows<'a>| bot(&rows[0].bot));
    for (place, row) in bots.first().into_iter().flat_map(|rows| rows.iter()).enumerate() {
        table = table.add(Column::figures(row.seat), move |rows: &BySeatRows<'a>| figure(rows[place]));
    }
    table
}
