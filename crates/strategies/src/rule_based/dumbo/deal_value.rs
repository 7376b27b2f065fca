//! The expected score, from the tricks so far and the remaining tricks.
//!
//! Each hand is assumed to win every remaining trick with the same chance, its share of the remaining
//! strength.

use overtrick_cards::table::{BySeat, Place, Seat};
use overtrick_game::Game;
use overtrick_games::dumbo::{DUMBO, Dumbo};
use wide::f32x4;

use super::Params;
use super::level::Levels;
use crate::rule_based::choice::SURE;

const HANDS: usize = Place::HANDS;

/// The number of last tricks in which the next leader and that hand's cards matter.
pub(super) const LATE: u32 = 2;

/// Chances below this value are ignored.
pub(super) const NEGLIGIBLE: f32 = 0.01;

/// Returns a chance, or zero if it is negligible.
#[inline(always)]
fn noticed(chance: f32) -> f32 {
    if chance >= NEGLIGIBLE { chance } else { 0.0 }
}

/// By player's hand: the numbers of its pairs with the other two players' hands and with Dumbo's.
const PAIRS_OF: [[usize; 3]; 3] = [[0, 1, 3], [0, 2, 4], [1, 2, 5]];

/// Values deals for one seat. It caches values that the cards of a decision share.
pub(super) struct DealValuer<'a> {
    pub(super) game: &'a Dumbo,
    pub(super) params: &'a Params,
    seat: Seat,
    pub(super) dealer: Seat,
    /// By hand: the tricks won before this one.
    won: [u8; HANDS],
    /// The number of tricks after this one.
    left: u32,
    /// By hand: the chance to win each remaining trick, except perhaps the next.
    share: [f32; HANDS],
    levels: Levels,
    /// With two tricks left: the final value, by winner of this, the next and the last trick.
    endings: [[f32x4; HANDS]; HANDS],
    /// With few tricks left: the expected value, by winner of this trick and of the next.
    by_next: [f32x4; HANDS],
    /// By winner of this trick: the expected value, if the end is far.
    values: [f32; HANDS],
}

impl<'a> DealValuer<'a> {
    /// Returns the valuer of a decision with `left` tricks after this one and `won` before it.
    #[inline(always)]
    pub(super) fn new(
        game: &'a Dumbo,
        params: &'a Params,
        seat: Seat,
        dealer: Seat,
        left: u32,
        won: [u8; HANDS],
    ) -> DealValuer<'a> {
        let (share, levels, nothing) = ([f32::NAN; HANDS], Levels::new(left, won), [f32x4::ZERO; HANDS]);
        DealValuer {
            game,
            params,
            seat,
            dealer,
            won,
            left,
            share,
            levels,
            endings: [nothing; HANDS],
            by_next: nothing,
            values: [0.0; HANDS],
        }
    }

    /// Prepares for deals in which the hands win these shares of the remaining tricks.
    #[inline(always)]
    pub(super) fn begin(&mut self, share: [f32; HANDS]) {
        // Neighbouring cards of one hand leave the same shares.
        if self.share != share {
            if (1..=LATE).contains(&self.left) && self.share[0].is_nan() {
                self.try_ends();
            }
            self.share = share;
            if self.left > LATE {
                self.values = self.expected();
            } else if self.left == 2 {
                self.by_next = self.expected_by_next();
            }
        }
    }

    /// Values the possible ends of deals with few tricks left.
    ///
    /// It runs on demand and not in `new`, so that its results need not be moved.
    #[inline(always)]
    fn try_ends(&mut self) {
        let mut more = [0; HANDS];
        for one in 0..HANDS {
            more[one] += 1;
            if self.left == 1 {
                self.by_next[one] = self.scores(more);
            } else {
                // The order of the two winners does not matter.
                for another in 0..=one {
                    more[another] += 1;
                    self.endings[one][another] = self.scores(more);
                    self.endings[another][one] = self.endings[one][another];
                    more[another] -= 1;
                }
            }
            more[one] -= 1;
        }
    }

    /// Returns, by winner of this trick, the value of a deal whose end is far.
    #[inline(always)]
    pub(super) fn by_winner(&self) -> [f32; HANDS] {
        self.values
    }

    /// Returns the value of a deal with few tricks left, in which `winner` wins this trick.
    ///
    /// `next` has, by hand, the chance to win the next trick. All cases are tried, since the approximation is
    /// worst here.
    #[inline(always)]
    pub(super) fn after(&self, winner: usize, next: [f32; HANDS]) -> f32 {
        let (mut value, by_next) = (0.0, self.by_next[winner].to_array());
        for hand in 0..HANDS {
            value += noticed(next[hand]) * by_next[hand];
        }
        value
    }

    /// Returns the expected value by winner of this trick and of the next, with two tricks left.
    #[inline(always)]
    fn expected_by_next(&self) -> [f32x4; HANDS] {
        let mut expected = [f32x4::ZERO; HANDS];
        for (expected, endings) in expected.iter_mut().zip(&self.endings) {
            for (endings, share) in endings.iter().zip(self.share) {
                *expected += *endings * noticed(share);
            }
        }
        expected
    }

    /// Returns the seat's own score minus the cost of the others' scores.
    #[inline(always)]
    fn weigh(&self, scores: [f32x4; 3]) -> f32x4 {
        let [a, b, c] = scores;
        let own = scores[self.seat.index() % 3];
        own - (a + b + c - own) * (self.params.spite * 0.5)
    }

    /// Returns, by winner of the last trick, the value of a deal.
    ///
    /// `more` are the tricks from this decision on, before the last.
    #[inline(always)]
    fn scores(&self, more: [u8; HANDS]) -> f32x4 {
        let mut scores = [f32x4::ZERO; HANDS];
        for (winner, scores) in scores.iter_mut().enumerate() {
            let mut won = [0; HANDS];
            for hand in 0..HANDS {
                won[hand] = self.won[hand] + more[hand] + u8::from(hand == winner);
            }
            let [a, b, c, _] = won;
            let [a, b, c] = self.game.scores_of(BySeat::new([a, b, c]), self.dealer).into_array();
            *scores = f32x4::from_i32x4([a, b, c, 0].into());
        }
        // From winners to seats.
        let scores = f32x4::transpose(scores);
        let won = |hand: usize| f32x4::splat((self.won[hand] + more[hand]).into()) + f32x4::from(SURE[hand]);
        let (rules, dumbo) = (self.game.rules(), won(DUMBO.index()));
        let level = [won(0).simd_eq(dumbo), won(1).simd_eq(dumbo), won(2).simd_eq(dumbo)];
        let one = f32x4::ONE;
        let alone = ((level[0] & one) + (level[1] & one) + (level[2] & one)).simd_eq(one);
        let zero_match = f32x4::splat(rules.zero_match_bonus as f32);
        let bonus = dumbo.simd_eq(f32x4::ZERO).bitselect(zero_match, f32x4::splat(rules.match_bonus as f32));
        let more = alone & (bonus * (self.params.ambition - 1.0));
        let mut values = [f32x4::ZERO; 3];
        for hand in 0..3 {
            values[hand] = scores[hand] + (level[hand] & more);
        }
        self.weigh(values)
    }

    /// Returns, by winner of this trick, the value of a deal that is far from its end.
    ///
    /// Ties and matches are taken as independent, and sweeps are left out.
    #[inline(always)]
    fn expected(&self) -> [f32; HANDS] {
        let (rules, params) = (self.game.rules(), self.params);
        let (levels, others) = self.levels.chances(self.share);
        let won = |hand: usize| f32x4::splat(self.won[hand].into()) + f32x4::from(SURE[hand]);
        let won_by_dumbo = won(DUMBO.index());
        let mut scores = [f32x4::ZERO; 3];
        for hand in 0..3 {
            let [one, another, matching] = PAIRS_OF[hand];
            let won = won(hand);
            let none = f32x4::splat(others[matching]) & (won + won_by_dumbo).simd_eq(f32x4::ZERO);
            let bonus = levels[matching] * rules.match_bonus as f32
                + none * (rules.zero_match_bonus - rules.match_bonus) as f32;
            let tricks = won + self.left as f32 * self.share[hand];
            let apart = (f32x4::ONE - (levels[one] + levels[another]) * params.tie_fear).fast_max(f32x4::ZERO);
            scores[hand] = apart * (tricks * rules.trick_points as f32 + bonus * params.ambition)
                + (f32x4::ONE - apart) * rules.tie_score as f32;
        }
        self.weigh(scores).to_array()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use overtrick_games::dumbo::DumboRules;

    fn value(won: [u8; HANDS], left: u32, params: &Params) -> f32 {
        let game = Dumbo::new(DumboRules::default()).unwrap();
        let (seat, dealer) = (Seat::Seat0, Seat::Seat1);
        // One of the tricks won is the trick of the decision.
        let winner = won.iter().position(|&won| won > 0).unwrap();
        let mut before = won;
        before[winner] -= 1;
        let mut valuer = DealValuer::new(&game, params, seat, dealer, left, before);
        valuer.begin([0.25; HANDS]);
        match left {
            0 => valuer.scores([0; HANDS]).to_array()[winner],
            1..=LATE => valuer.after(winner, [0.25; HANDS]),
            _ => valuer.by_winner()[winner],
        }
    }

    #[test]
    fn an_ended_deal_has_the_value_of_its_score() {
        let alone = Params { ambition: 1.0, spite: 0.0, ..Params::default() };
        assert_eq!(value([3, 2, 5, 3], 0, &alone), 13.0);
        assert_eq!(value([3, 3, 5, 2], 0, &alone), 0.0);
        assert_eq!(value([0, 5, 8, 0], 0, &alone), 20.0);
        let spiteful = Params { spite: 1.0, ..alone };
        assert_eq!(value([3, 2, 5, 3], 0, &spiteful), 13.0 - 3.5);
    }

    #[test]
    fn it_steers_to_dumbos_number() {
        let params = Params::default();
        for (left, level, above, below) in [
            (0, [4, 0, 5, 4], [5, 0, 5, 3], [3, 0, 5, 5]),
            (2, [3, 0, 5, 3], [4, 0, 5, 2], [2, 0, 5, 4]),
            (3, [2, 0, 6, 2], [3, 0, 6, 1], [1, 0, 6, 3]),
        ] {
            let level = value(level, left, &params);
            assert!(level > value(above, left, &params), "{left} left");
            assert!(level > value(below, left, &params), "{left} left");
        }
    }
}
