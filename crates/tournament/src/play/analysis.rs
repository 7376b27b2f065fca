//! Analysis with all cards known: how many tricks a play gave away, or how many points where there are no two sides.

use overtrick_cards::table::{BySeat, Seat};
use overtrick_game::{FullGame, Move, State};
use overtrick_search::solver::{Position, Ranking, Solver};
use overtrick_search::{Endgame, Payoff};

use super::sink::PlayedDeal;
use crate::{JudgedDeal, JudgedPlay};

/// The most memory that the solver may use, in bytes.
const MEMORY: usize = 256 << 20;
/// The most positions that are looked at to judge one play by points: enough for the last four tricks or so.
const POSITIONS: u64 = 50_000;

/// Judges plays with all cards known.
pub struct Analysis(Solver);

impl Default for Analysis {
    fn default() -> Analysis {
        Analysis::new()
    }
}

impl Analysis {
    /// An analysis that has solved nothing yet.
    pub fn new() -> Analysis {
        Analysis(Solver::new(MEMORY))
    }

    /// The number of tricks that `chosen` gives away: how many fewer the side of the hand to move wins than after the
    /// best card (how many more, if it wants to lose tricks), if all play as well as possible from then on. `None` if
    /// the play has no two sides or `chosen` is not a legal card.
    pub(super) fn given_away<G: FullGame>(&mut self, game: &G, state: &State<G::Public>, chosen: Move) -> Option<u8> {
        let (sides, card) = (game.sides(state)?, chosen.as_card()?);
        let ranking = Ranking::of(game.order(state)?, game.anytime(&state.public))?;
        let position = Position::of(&state.table, &ranking, |hand| sides.is_declarers(hand));
        let position = if sides.to_lose { position.to_lose() } else { position };
        let moves = self.0.moves(&position);
        let (_, tricks) = *moves.iter().find(|(other, _)| *other == card)?;
        let all = moves.iter().map(|&(_, tricks)| tricks);
        let wants_many = sides.is_declarers(state.table.hand_to_move()) != sides.to_lose;
        let best = if wants_many { all.max() } else { all.min() };
        best.map(|best| best.abs_diff(tricks))
    }

    /// What each play of a deal gave away: tricks or, in a game that never has two sides, points of the lead over the
    /// mean of the others. Plays that would take too long to judge are left out, as are those of deals without sides
    /// in a game that has them. `None` if the deal cannot be gone through again.
    #[cold]
    pub(super) fn judge<G: FullGame>(&mut self, deal: &PlayedDeal<'_, G>) -> Option<JudgedDeal> {
        let game = deal.game;
        let has_sides = !game.contract_kinds().is_empty();
        let mut judged = JudgedDeal::default();
        let is_told = deal.retrace(|before, legal, after| {
            let (table, played) = (&before.table, after.table.plays());
            if played.len() == table.plays().len() {
                return;
            }
            let chosen = Move::card(*played.last().expect("it has just been played"));
            if let (true, Some(sides)) = (table.plays().is_empty(), game.sides(before)) {
                judged.declarers = sides.by_seat(table);
            }
            let halves = match (has_sides, legal.len()) {
                (true, 1) => game.sides(before).map(|_| 0),
                (true, _) => self.given_away(game, before, chosen).map(|tricks| 2 * u32::from(tricks)),
                (false, 1) => worth(game, after).map(|_| 0),
                (false, _) => halves_given_away(game, before, after),
            };
            let (trick, seat) = (1 + table.tricks_played(), table.seat_to_move());
            judged.plays.extend(halves.map(|halves| JudgedPlay { trick, seat, halves }));
        });
        is_told.then_some(judged)
    }
}

/// By seat: its lead over the mean of the others in the end, if all play for that lead from here on. `None` if it takes
/// too many positions to tell.
fn worth<G: FullGame>(game: &G, state: &State<G::Public>) -> Option<BySeat<f32>> {
    Endgame::new(game, Payoff::new(game.layout().seats, 1.0), POSITIONS).worth(state)
}

/// How many halves of a point fewer the seat to move is ahead after the move that was made than after the best one.
fn halves_given_away<G: FullGame>(game: &G, before: &State<G::Public>, after: &State<G::Public>) -> Option<u32> {
    let seat: Seat = before.table.seat_to_move();
    let made = worth(game, after)?[seat];
    let best = worth(game, before)?[seat];
    Some((2.0 * (best - made)).round() as u32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use overtrick_cards::SeedSource;
    use overtrick_cards::select::Portable;
    use overtrick_game::{Game, Setup};
    use overtrick_games::colour_blind::{ColourBlind, ColourBlindRules};
    use overtrick_games::dumbo::{Dumbo, DumboRules};
    use overtrick_strategy::pick;

    /// By seat: the lead over the mean of the others, if every seat makes the first of its best moves.
    fn by_hand<G: FullGame>(game: &G, state: &State<G::Public>) -> [f64; 3] {
        if game.is_over(state) {
            let scores = game.scores(state).into_array().map(f64::from);
            let seats = game.layout().seats;
            let sum: f64 = scores[..seats].iter().sum();
            return scores.map(|own| own - (sum - own) / (seats - 1) as f64);
        }
        let seat = state.table.seat_to_move().index();
        let after = |chosen| {
            let mut after = *state;
            game.play_unchecked(&mut after, chosen);
            by_hand(game, &after)
        };
        let all: Vec<[f64; 3]> = game.legal(state).iter().map(after).collect();
        let best = all.iter().map(|worth| worth[seat]).fold(f64::NEG_INFINITY, f64::max);
        *all.iter().find(|worth| worth[seat] == best).expect("one is the best")
    }

    /// Judges the plays of the last three tricks of random deals, and gives how many gave away something.
    fn check<G: FullGame>(game: &G) -> usize {
        let mut costly = 0;
        for number in 0..60 {
            let mut rng = SeedSource::new(1, "test", "analysis").stream(number, 0);
            let mut state = game.deal(Setup { dealer: Seat::Seat0, last_deal: false }, &mut rng);
            while !game.is_over(&state) {
                let mut after = state;
                game.play_unchecked(&mut after, pick(game.legal(&state), &mut rng, Portable));
                let seat = state.table.seat_to_move();
                if state.table.at(state.table.hand_to_move()).len() <= 3 {
                    let lost = by_hand(game, &state)[seat.index()] - by_hand(game, &after)[seat.index()];
                    let halves = halves_given_away(game, &state, &after).expect("few tricks are left");
                    assert_eq!(f64::from(halves), 2.0 * lost, "deal {number}");
                    costly += usize::from(halves > 0);
                }
                state = after;
            }
        }
        costly
    }

    #[test]
    fn points_given_away_are_those_of_all_lines_of_play() {
        assert!(check(&Dumbo::new(DumboRules::default()).unwrap()) > 20);
        for players in [2, 3] {
            let rules = ColourBlindRules { players, ..ColourBlindRules::default() };
            assert!(check(&ColourBlind::new(rules).unwrap()) > 20);
        }
    }
}
