//! The reason for a score in records.

use overtrick_cards::CardSet;
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
    /// The cards won of the colour that counts its values.
    GoodCards,
    /// The cards won of the other colour.
    BadCards,
}

/// The parts of a reason that are no numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct ReasonParts<'a> {
    /// The names of the rows.
    pub row: &'a str,
    /// The cards won of the colour that counts its values.
    pub good: CardSet,
    /// The cards won of the other colour.
    pub bad: CardSet,
}

impl Reason {
    /// Reads the text of a reason, or of a part of it, at `key`.
    ///
    /// # Errors
    /// If braces do not match, or if one of them holds no name of a number.
    pub(super) fn read(
        resolver: &Resolver<'_>,
        key: &[&str],
        text: &str,
        scopes: &Scopes,
    ) -> Result<Reason, InputError> {
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, inside)) = rest.split_once('{') {
            let Some((name, after)) = inside.split_once('}') else {
                return Err(resolver.error(key, "has `{` without `}`; close it"));
            };
            pieces.push(ReasonPiece::Text(before.to_owned()));
            if matches!(name, "good-cards" | "bad-cards") && !scopes.has("good") {
                let problem = format!("has `{{{name}}}`, and there is no row; leave it out");
                return Err(resolver.error(key, problem));
            }
            pieces.push(match name {
                "row" => ReasonPiece::Row,
                "good-cards" => ReasonPiece::GoodCards,
                "bad-cards" => ReasonPiece::BadCards,
                "s" if pieces.iter().any(|piece| matches!(piece, ReasonPiece::Value(_))) => ReasonPiece::Plural,
                "s" => return Err(resolver.error(key, "has `{s}` before any number; put the number first")),
                _ => ReasonPiece::Value(resolver.integer(key, name, scopes)?),
            });
            rest = after;
        }
        pieces.push(ReasonPiece::Text(rest.to_owned()));
        Ok(Reason { pieces })
    }

    /// Returns the text for a seat.
    pub(super) fn text(&self, at: &Circumstances<'_>, seat: Seat, parts: ReasonParts<'_>) -> String {
        let mut text = String::new();
        let mut last = 0;
        for piece in &self.pieces {
            match piece {
                ReasonPiece::Text(piece) => text.push_str(piece),
                ReasonPiece::Row => text.push_str(parts.row),
                ReasonPiece::GoodCards => text.push_str(&listed(parts.good)),
                ReasonPiece::BadCards => text.push_str(&listed(parts.bad)),
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

/// Returns cards as text, with a dash for none.
fn listed(cards: CardSet) -> String {
    if cards.is_empty() { "-".to_owned() } else { cards.to_string() }
}
