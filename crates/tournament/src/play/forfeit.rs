//! The score of a deal that bots have forfeited.

use overtrick_cards::table::{BySeat, Seat};
use overtrick_game::Game;

/// Gives the lowest score that the game allows to the seats that `forfeited` a deal, and to their partners.
///
/// Returns, by seat, whether it got that score.
pub(super) fn forfeit<G: Game>(game: &G, forfeited: BySeat<bool>, scores: &mut BySeat<i32>) -> BySeat<bool> {
    let teams = game.layout().teams();
    let lose = teams.combine(forfeited, |one, other| one || other);
    for seat in Seat::all(teams.seats()).filter(|&seat| lose[seat]) {
        scores[seat] = *game.score_range().start();
    }
    lose
}
