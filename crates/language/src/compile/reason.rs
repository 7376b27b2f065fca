//! The reason for a score in records.

use overtrick_cards::table::Seat;
use overtrick_toml::InputError;

use super::resolver::{Resolver, Scopes};
use crate::expression::{Circumstances, Expression};

/// A text with values in it.
#[derive(Clone, Debug)]
pub struct Reason {
    pieces: Vec<ReasonPiece>,
}

#[derive(Clone, Debug)]
enum ReasonPiece {
    Text(String),
    Value(Expression),
    /// An `s`, unless the value before is 1.
    Plural,
    /// The names of the rows.
    Row,
}

impl Reason {
    /// Reads the text of a reason.
    ///
    /// # Errors
    /// If braces do not match, or if one of them holds no name of a number.
    pub(super) fn read(resolver: &Resolver<'_>, text: &str, scopes: &Scopes) -> Result<Reason, InputError> {
        let key = ["score", "reason"];
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, inside)) = rest.split_once('{') {
            let Some((name, after)) = inside.split_once('}') else {
                return Err(resolver.error(&key, "has `{` without `}`; close it"));
            };
            pieces.push(ReasonPiece::Text(before.to_owned()));
            pieces.push(match name {
                "row" => ReasonPiece::Row,
                "s" if pieces.iter().any(|piece| matches!(piece, ReasonPiece::Value(_))) => ReasonPiece::Plural,
                "s" => return Err(resolver.error(&key, "has `{s}` before any number; put the number first")),
                _ => ReasonPiece::Value(resolver.integer(&key, name, scopes)?),
            });
            rest = after;
        }
        pieces.push(ReasonPiece::Text(rest.to_owned()));
        Ok(Reason { pieces })
    }

    /// Returns the text for a seat. `row` has the names of its rows.
    pub(super) fn text(&self, at: &Circumstances<'_>, seat: Seat, row: &str) -> String {
        let mut text = String::new();
        let mut last = 0;
        for piece in &self.pieces {
            match piece {
                ReasonPiece::Text(piece) => text.push_str(piece),
                ReasonPiece::Row => text.push_str(row),
                ReasonPiece::Plural if last == 1 => {}
                ReasonPiece::Plural => text.push('s'),
                ReasonPiece::Value(expression) => {
                    last = expression.value(at, seat);
                    text.push_str(&last.to_string());
                }
            }
        }
        text
    }
}
