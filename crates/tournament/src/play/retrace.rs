//! Goes through a deal that is over once more, for what cannot be read from its end: the playing loop counts nothing on
//! the way, so deals of which more is to be known are played again from the record that they leave on the table.

use overtrick_cards::table::{BySeat, Place, Seat};
use overtrick_game::{FullGame, Move, Moves, State};

use super::sink::PlayedDeal;
use crate::{DealCourse, Decision};

impl<G: FullGame> PlayedDeal<'_, G> {
    /// Plays the deal again as it went, and shows each position with its legal moves and what became of it. False if
    /// that does not lead to the same end: the game, of another crate, does not record all its moves on the table.
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
            // A card may be played or discarded: what the record grows by tells which it was.
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

    /// The course of the deal; `None` if it cannot be told.
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

/// How far each seat has come: the score so far, if the game knows it, else the tricks won by the seat's side or, where
/// everybody plays alone, by the seat's own hand. The declarer of a contract to win no tricks is ahead until one is
/// won.
fn progress<G: FullGame>(game: &G, state: &State<G::Public>) -> BySeat<i32> {
    if let Some(scores) = game.scores_so_far(state) {
        return scores;
    }
    let won = |hand: Place| i32::from(state.table.tricks_won(hand));
    let Some(sides) = game.sides(state) else {
        return BySeat::from_fn(|seat| won(Place::hand(seat)));
    };
    let of_side = |declarers: bool| -> i32 {
        state.table.circle().filter(|&hand| sides.is_declarers(hand) == declarers).map(won).sum()
    };
    BySeat::from_fn(|seat| match (sides.is_declarers(Place::hand(seat)), sides.to_lose) {
        (is_declarer, true) => i32::from(is_declarer == (of_side(true) == 0)),
        (is_declarer, false) => of_side(is_declarer),
    })
}

/// The seats with the highest value, a bit each; none if all are level.
fn best(values: &BySeat<i32>, seats: usize) -> u8 {
    let highest = values.of(seats).iter().max();
    let meant = Seat::all(seats).filter(|&seat| Some(&values[seat]) == highest);
    let best: u8 = meant.map(|seat| 1 << seat.index()).sum();
    if best.count_ones() as usize == seats { 0 } else { best }
}
