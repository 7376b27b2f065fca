//! The expected score, from the tricks so far and the tricks to come.
//!
//! Each hand is taken to win every trick to come with the same chance, its share of the strength left.

use wide::f32x4;

use super::Params;
use super::level::Levels;
use crate::game::Game;
use crate::games::dumbo::{DUMBO, Dumbo};
use crate::strategies::rule_based::choice::SURE;
use crate::table::{BySeat, Place, Seat};

const HANDS: usize = Place::HANDS;

/// The number of last tricks in which it counts who leads to the next one, and what that hand has left to lead.
pub(super) const LATE: u32 = 2;

/// Chances below this are ignored.
pub(super) const NEGLIGIBLE: f32 = 0.01;

/// The ways in which the players may win the tricks that are left when all ends are tried; see [`Judge::ended`].
pub(super) const ENDS: usize = 64;

/// By player's hand: the numbers of its pairs with the other two players' hands and with Dumbo's.
const PAIRS_OF: [[usize; 3]; 3] = [[0, 1, 3], [0, 2, 4], [1, 2, 5]];

/// The seat for which a deal is valued, and the rules by which. It remembers along a decision what its cards share.
pub(super) struct Judge<'a> {
    pub(super) game: &'a Dumbo,
    pub(super) params: &'a Params,
    seat: Seat,
    pub(super) dealer: Seat,
    /// By hand: the tricks that it has won before this one.
    won: [u8; HANDS],
    /// The number of tricks after this one.
    left: u32,
    /// By hand: the chance to win each of the tricks to come, except perhaps the next.
    share: [f32; HANDS],
    levels: Levels,
    /// By tricks that the players still win: the value of the deal that ends so; not a number before it is known.
    ends: &'a mut [f32; ENDS],
    /// By winner of this trick: the expected value, where the end is far.
    values: [f32; HANDS],
}

impl<'a> Judge<'a> {
    /// The judge of a decision with `left` tricks to come after this one, before which the hands have won these tricks.
    /// `ends` is memory to write into.
    #[inline(always)]
    pub(super) fn new(
        game: &'a Dumbo,
        params: &'a Params,
        seat: Seat,
        dealer: Seat,
        left: u32,
        won: [u8; HANDS],
        ends: &'a mut [f32; ENDS],
    ) -> Judge<'a> {
        if left <= LATE {
            ends.fill(f32::NAN);
        }
        let (share, levels) = ([f32::NAN; HANDS], Levels::new(left, won));
        Judge { game, params, seat, dealer, won, left, share, levels, ends, values: [0.0; HANDS] }
    }

    /// Turns to the deals of which the hands win these shares.
    #[inline(always)]
    pub(super) fn begin(&mut self, share: [f32; HANDS]) {
        // Touching cards of one hand leave the same shares.
        if self.share != share {
            self.share = share;
            if self.left > LATE {
                self.values = self.expected();
            }
        }
    }

    /// By winner of this trick: the value of a deal whose end is far.
    #[inline(always)]
    pub(super) fn by_winner(&self) -> [f32; HANDS] {
        self.values
    }

    /// The value of a deal with few tricks to come, in which `winner` wins this trick; `next` has, by hand, the chance
    /// to win the next one. All cases are tried, since the approximation is worst here.
    #[inline(always)]
    pub(super) fn after(&mut self, winner: usize, next: [f32; HANDS]) -> f32 {
        let mut value = 0.0;
        for (hand, chance) in next.into_iter().enumerate() {
            if chance >= NEGLIGIBLE {
                let mut more = [0; HANDS];
                more[winner] += 1;
                more[hand] += 1;
                value += chance * if self.left == 1 { self.ended(more) } else { self.last(more) };
            }
        }
        value
    }

    /// The value of a deal with one trick to come, of which the hands have won `more` since the decision.
    #[inline(always)]
    fn last(&mut self, more: [u8; HANDS]) -> f32 {
        let mut value = 0.0;
        for (hand, chance) in self.share.into_iter().enumerate() {
            if chance >= NEGLIGIBLE {
                let mut more = more;
                more[hand] += 1;
                value += chance * self.ended(more);
            }
        }
        value
    }

    /// The seat's own score less what the others' scores cost.
    #[inline(always)]
    fn weigh(&self, scores: [f32; 3]) -> f32 {
        let [a, b, c] = scores;
        let own = scores[self.seat.index()];
        own - self.params.spite * 0.5 * (a + b + c - own)
    }

    /// The value of a deal that ends with these tricks since the decision.
    #[inline(always)]
    fn ended(&mut self, more: [u8; HANDS]) -> f32 {
        let end = usize::from(more[0] + 4 * more[1] + 16 * more[2]) % ENDS;
        if self.ends[end].is_nan() {
            self.ends[end] = self.score(more);
        }
        self.ends[end]
    }

    /// What a deal scores that ends with these tricks since the decision.
    #[inline(always)]
    fn score(&self, more: [u8; HANDS]) -> f32 {
        let mut won = self.won;
        for hand in 0..HANDS {
            won[hand] += more[hand];
        }
        let [a, b, c, dumbo] = won;
        let scores = self.game.scores_of(BySeat::new([a, b, c]), self.dealer).into_array();
        let rules = self.game.rules();
        let matching = u32::from(a == dumbo) + u32::from(b == dumbo) + u32::from(c == dumbo);
        let bonus = if dumbo == 0 { rules.zero_match_bonus } else { rules.match_bonus };
        let more = if matching == 1 { (self.params.ambition - 1.0) * bonus as f32 } else { 0.0 };
        let mut values = [0.0; 3];
        for hand in 0..3 {
            values[hand] = scores[hand] as f32 + if won[hand] == dumbo { more } else { 0.0 };
        }
        self.weigh(values)
    }

    /// By winner of this trick: the value of a deal that is far from its end. Ties and matches are taken as
    /// independent; sweeps are left out.
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
        let [a, b, c] = scores;
        let own = scores[self.seat.index() % 3];
        (own - (a + b + c - own) * (params.spite * 0.5)).to_array()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::dumbo::DumboRules;

    fn value(won: [u8; HANDS], left: u32, params: &Params) -> f32 {
        let game = Dumbo::new(DumboRules::default()).unwrap();
        let (seat, dealer) = (Seat::Seat0, Seat::Seat1);
        // One of the tricks is that of the decision.
        let winner = won.iter().position(|&won| won > 0).unwrap();
        let mut before = won;
        before[winner] -= 1;
        let mut ends = [0.0; ENDS];
        let mut judge = Judge::new(&game, params, seat, dealer, left, before, &mut ends);
        judge.begin([0.25; HANDS]);
        match left {
            0 => judge.ended(std::array::from_fn(|hand| u8::from(hand == winner))),
            1..=LATE => judge.after(winner, [0.25; HANDS]),
            _ => judge.by_winner()[winner],
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
