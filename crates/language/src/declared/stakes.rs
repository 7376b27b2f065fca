//! The prizes that are left in games with a row, for the solver.

use overtrick_cards::table::{Place, Seat};
use overtrick_game::{Prizes, State};
use overtrick_toml::InputError;

use crate::compile::{DeckOfGame, Resolver, ScoreRules, ScoreShape};
use crate::source::CompeteWord;

use super::{DeclaredGame, DeclaredPublic, ROW_LAST, pile};

/// Returns the lowest score of a game for two in which the highest rank of any suit wins the next card of a row.
///
/// `None` for all other games.
pub(super) fn lowest_of_row(
    resolver: &Resolver<'_>,
    deck: &DeckOfGame,
    shape: &ScoreShape<'_>,
    score: &ScoreRules,
) -> Result<Option<i32>, InputError> {
    let Some(points) = shape.row_points.filter(|_| shape.seating.hands() == 2) else { return Ok(None) };
    let keys = &resolver.file.keys().trumps;
    let competes = match &keys.compete {
        Some(compete) => resolver.choice(&["trumps", "compete"], compete)? == CompeteWord::All,
        None => false,
    };
    let is_plain = keys.suit.is_none() && keys.top.is_none() && deck.plain.iter().all(|ranks| ranks.is_sorted());
    Ok(if competes && is_plain { score.floor_of_row(points) } else { None })
}

impl DeclaredGame {
    /// Returns the rest of the play, in games for two in which cards of all suits compete for a row.
    ///
    /// The score must be the values won, or the lowest score if they are less.
    pub(super) fn prizes_left(&self, state: &State<DeclaredPublic>) -> Option<Prizes> {
        let (table, public) = (&state.table, &state.public);
        let lowest = self.lowest_of_row?;
        let value = |card| self.row_values.value(public.flipped, card);
        let played = table.tricks_played();
        let mut points = [0; DeclaredPublic::ROW];
        for (points, card) in points.iter_mut().zip(&public.row[played..self.tricks]) {
            *points = value(*card);
        }
        if self.dealing.last_trick_takes && played < self.tricks {
            points[self.tricks - 1 - played] += table.at(ROW_LAST).first().map_or(0, value);
        }
        let total = |seat| self.row_values.total(public.flipped, table.at(pile(seat)));
        Some(Prizes {
            hands: [Place::Hand0, Place::Hand1].map(|hand| table.at(hand)),
            turn: table.hand_to_move().index(),
            led: (table.trick_length() > 0).then(|| table.led()),
            points,
            totals: [Seat::Seat0, Seat::Seat1].map(total),
            lowest,
        })
    }
}
