//! The rows of the score, and the condition on which a contract is made.

use overtrick_cards::table::{BySeat, Seat};
use overtrick_toml::InputError;

use super::reason::Reason;
use super::resolver::{Resolver, Scopes};
use super::score_names::PartnerValues;
use crate::expression::{Circumstances, Expression};
use crate::source::{ConditionSetting, ForWord};

/// A row of the score.
#[derive(Clone, Debug)]
pub(super) struct ScoreRow {
    /// The place of the row in the file, from 0.
    pub(super) number: usize,
    pub(super) seats: ForWord,
    pub(super) when: Expression,
    pub(super) points: Expression,
    pub(super) name: Reason,
    pub(super) exceptional: bool,
}

impl ScoreRow {
    /// Returns whether the row counts for a seat. `units` has the seats whose rows are asked together.
    pub(super) fn fits(&self, at: &Circumstances<'_>, units: &BySeat<u8>, seat: Seat) -> bool {
        let is_of = |other: Seat| units[seat] >> other.index() & 1 == 1;
        let is_for = match self.seats {
            ForWord::Each => true,
            ForWord::Declarer => is_of(at.declarer),
            ForWord::Defenders => !is_of(at.declarer),
            ForWord::Dealer => is_of(at.dealer),
        };
        is_for && self.when.holds(at, seat)
    }
}

/// The rows of a group, of which the first that fits counts.
#[derive(Clone, Debug)]
pub(super) struct RowGroup {
    pub(super) name: String,
    pub(super) rows: Vec<ScoreRow>,
}

/// Reads the condition on which a contract is made.
pub(super) fn made(
    resolver: &Resolver<'_>,
    scopes: &Scopes,
    has_declarer: bool,
) -> Result<Option<Expression>, InputError> {
    let key = ["score", "made"];
    match (&resolver.file.keys().score.made, has_declarer) {
        (Some(made), true) => resolver.condition(&key, made, scopes).map(Some),
        (None, false) => Ok(None),
        (Some(_), false) => Err(resolver.error(&key, "needs a declarer, and this game has none; leave it out")),
        (None, true) => {
            let problem = "needs `made`: the condition on which the declarer makes the contract";
            Err(resolver.error(&["score"], problem))
        }
    }
}

/// Reads the rows, by group.
pub(super) fn groups(
    resolver: &Resolver<'_>,
    scopes: &Scopes,
    has_declarer: bool,
    mates: &PartnerValues,
) -> Result<Vec<RowGroup>, InputError> {
    let rows = &resolver.file.listed().rows;
    if rows.is_empty() {
        return Err(resolver.error(&["score"], "has no row; add `[[score.row]]` with `points`"));
    }
    let mut groups: Vec<RowGroup> = Vec::new();
    for (number, keys) in rows.iter().enumerate() {
        let place = number.to_string();
        let at = |key: &'static str| ["score", "row", place.as_str(), key];
        let when = keys.when.as_ref().unwrap_or(&ConditionSetting::Value(true));
        let points = keys.points.as_ref().map_or("0", |points| points.0.as_str());
        let seats = keys.seats.unwrap_or(ForWord::Each);
        if matches!(seats, ForWord::Declarer | ForWord::Defenders) && !has_declarer {
            return Err(resolver.error(&at("for"), "needs a declarer, and this game has none; leave it out"));
        }
        let name = keys.name.clone().unwrap_or_else(|| format!("row {}", number + 1));
        let row = ScoreRow {
            number,
            seats,
            when: resolver.condition(&at("when"), when, scopes)?,
            points: resolver.integer(&at("points"), points, scopes)?,
            name: Reason::read(resolver, &at("name"), &name, scopes)?,
            exceptional: keys.exceptional.unwrap_or(false),
        };
        mates.check(resolver, &at("when"), &row.when)?;
        mates.check(resolver, &at("points"), &row.points)?;
        let name = keys.group.as_deref().unwrap_or("main");
        match groups.iter_mut().find(|group| group.name == name) {
            Some(group) => group.rows.push(row),
            None => groups.push(RowGroup { name: name.to_owned(), rows: vec![row] }),
        }
    }
    Ok(groups)
}
