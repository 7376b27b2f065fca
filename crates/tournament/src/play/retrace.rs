//! Retraces finished deals, for data that their end does not show.
//!
//! The playing loop counts nothing on the way. Deals that need more are played again from the record on the
//! table.

use overtrick_cards::table::{BySeat, Place, Seat};
use overtrick_game::{FullGame, Move, Moves, State};

use super::sink::PlayedDeal;
use crate::{DealCourse, Decision};

impl<G: FullGame> PlayedDeal<'_, G> {
    /// Plays the deal again as recorded. Shows each position, its legal moves and the position that follows.
    ///
    /// Returns false if that does not lead to the same end. This happens if a game of another crate does not
    /// record all its moves on the table.
    #[cold]
    #[inline(never)]
    pub fn retrace(&self, mut show: impl FnMut(&State<G::Public>, Moves, &State<G::Public>)) -> bool {
        let (game, over) = (self.game, &self.state.table);
        let setup = self.seeds.setup(game, self.id.number, &self.standing);
        let mut state = self.seeds.deal(game, self.seeds.deal_id(self.id.number, &self.standing), setup);
        while !game.is_over(&state) {
            let legal = game.legal(&state);
            let made = |state: &State<G::Public>| (state.table.calls().len(), state.table.plays().len());
            let (calls, plays) = made(&state);
            // A card may be played or discarded; the record that grows shows which it was.
            let call = over.calls().get(calls).map(|&(_, call)| (call, (calls + 1, plays)));
            let play = over.plays().get(plays).map(|&card| (Move::card(card), (calls, plays + 1)));
            let next = [call, play].into_iter().flatten().find_map(|(chosen, recorded)| {
                if !legal.contains(chosen) && !game.renege_moves(&state).contains(chosen) {
                    return None;
                }
                let mut next = state;
                game.play_unchecked(&mut next, chosen);
                (made(&next) == recorded).then_some(next)
            });
            let Some(next) = next else { return false };
            show(&state, legal, &next);
            state = next;
        }
        state == *self.state
    }

    /// Returns the course of the deal; `None` if it cannot be retraced.
    pub(super) fn course(&self) -> Option<DealCourse> {
        let seats = self.game.layout().seats;
        let mut course = DealCourse { best: best(&self.scores, seats), ..DealCourse::default() };
        let is_told = self.retrace(|before, legal, after| {
            let table = &before.table;
            let is_play = after.table.plays().len() > table.plays().len();
            let trick = if is_play { 1 + table.tricks_played() } else { 0 };
            course.decisions.push(Decision { trick, seat: table.seat_to_move(), legal: legal.len() });
            if after.table.tricks_played() > table.tricks_played() {
                course.leaders.push(best(&progress(self.game, after), seats));
            }
        });
        is_told.then_some(course)
    }
}

/// Returns the progress of each seat: its score so far, if the game knows it, or else its tricks.
///
/// Tricks are counted by side. If there is no declarer, they are those of the seat's own hand and of its
/// partner's. The declarer of a contract to win no tricks is ahead until the declarer's side wins a trick.
fn progress<G: FullGame>(game: &G, state: &State<G::Public>) -> BySeat<i32> {
    if let Some(scores) = game.scores_so_far(state) {
        return scores;
    }
    let won = |hand: Place| i32::from(state.table.tricks_won(hand));
    let Some(sides) = game.sides(state) else {
        let own = BySeat::from_fn(|seat| won(Place::hand(seat)));
        return game.layout().teams().combine(own, |one, other| one + other);
    };
    let of_side = |declarers: bool| -> i32 {
        state.table.circle().filter(|&hand| sides.is_declarers(hand) == declarers).map(won).sum()
    };
    BySeat::from_fn(|seat| match (sides.is_declarers(Place::hand(seat)), sides.to_lose) {
        (is_declarer, true) => i32::from(is_declarer == (of_side(true) == 0)),
        (is_declarer, false) => of_side(is_declarer),
    })
}

/// Returns the seats with the highest value as a bit set, which is empty if all are equal.
fn best(values: &BySeat<i32>, seats: usize) -> u8 {
    let highest = values.of(seats).iter().max();
    let meant = Seat::all(seats).filter(|&seat| Some(&values[seat]) == highest);
    let best: u8 = meant.map(|seat| 1 << seat.index()).sum();
    if best.count_ones() as usize == seats { 0 } else { best }
}
