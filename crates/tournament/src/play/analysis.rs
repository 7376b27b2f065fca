//! Double-dummy analysis: the tricks that a play gave away, or points if there are no two sides.

use overtrick_cards::table::{BySeat, Seat};
use overtrick_game::{FullGame, Move, State};
use overtrick_search::solver::{Position, Ranking, Solver};
use overtrick_search::{Endgame, Payoff};

use super::sink::PlayedDeal;
use crate::{JudgedDeal, JudgedPlay, parts_of_a_point};

/// The most memory that the solver may use, in bytes.
const MEMORY: usize = 256 << 20;
/// The most positions visited to analyse one play by points: enough for about the last four tricks.
const POSITIONS: u64 = 50_000;

/// Analyses plays with all cards known.
pub struct Analysis(Solver);

impl Default for Analysis {
    fn default() -> Analysis {
        Analysis::new()
    }
}

impl Analysis {
    /// Makes an analysis that has solved nothing yet.
    pub fn new() -> Analysis {
        Analysis(Solver::new(MEMORY))
    }

    /// Returns the number of tricks that `chosen` gives away if all seats play perfectly from then on.
    ///
    /// This is the loss of the side of the hand to move against its best card. A side that wants to lose
    /// tricks loses by each trick more that it wins. `None` if the play has no two sides or `chosen` is not a
    /// legal card.
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

    /// Analyses each play of a deal: the tricks or points that it gave away.
    ///
    /// Points are counted in a game that never has two sides, as lead over the mean of the others. Plays that
    /// would take too long are left out, and so are deals without sides in a game that has sides. `None` if
    /// the deal cannot be replayed.
    #[cold]
    pub(super) fn judge<G: FullGame>(&mut self, deal: &PlayedDeal<'_, G>) -> Option<JudgedDeal> {
        let game = deal.game;
        let has_sides = !game.contract_kinds().is_empty();
        let parts = parts_of_a_point(game.layout().teams().count());
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
            let lost = match (has_sides, legal.len()) {
                (true, 1) => game.sides(before).map(|_| 0),
                (true, _) => self.given_away(game, before, chosen).map(|tricks| parts * u32::from(tricks)),
                (false, 1) => worth(game, after).map(|_| 0),
                (false, _) => parts_given_away(game, before, after),
            };
            let (trick, seat) = (1 + table.tricks_played(), table.seat_to_move());
            judged.plays.extend(lost.map(|parts| JudgedPlay { trick, seat, parts }));
        });
        is_told.then_some(judged)
    }
}

/// Returns, by seat, the final lead over the mean of the other teams if all seats play for that lead. `None` if
/// that takes too many positions.
fn worth<G: FullGame>(game: &G, state: &State<G::Public>) -> Option<BySeat<f32>> {
    Endgame::new(game, Payoff::new(game.layout().teams(), 1.0), POSITIONS).worth(state)
}

/// Returns the parts of a point of lead that the seat to move lost by its move, against the best move.
fn parts_given_away<G: FullGame>(game: &G, before: &State<G::Public>, after: &State<G::Public>) -> Option<u32> {
    let seat: Seat = before.table.seat_to_move();
    let made = worth(game, after)?[seat];
    let best = worth(game, before)?[seat];
    let parts = parts_of_a_point(game.layout().teams().count()) as f32;
    Some((parts * (best - made)).round() as u32)
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

    /// Returns the lead over the mean of the others, by seat, if every seat makes its first best move.
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

    /// Checks the plays of the last three tricks of random deals, and returns how many gave something away.
    fn check<G: FullGame>(game: &G) -> usize {
        let mut costly = 0;
        for number in 0..60 {
            let mut rng = SeedSource::new(1, "test", "analysis").stream(number, 0);
            let mut state = game.deal(Setup::default(), &mut rng);
            while !game.is_over(&state) {
                let mut after = state;
                game.play_unchecked(&mut after, pick(game.legal(&state), &mut rng, Portable));
                let seat = state.table.seat_to_move();
                if state.table.at(state.table.hand_to_move()).len() <= 3 {
                    let lost = by_hand(game, &state)[seat.index()] - by_hand(game, &after)[seat.index()];
                    let halves = parts_given_away(game, &state, &after).expect("few tricks are left");
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
