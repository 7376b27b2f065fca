//! The expected score, from the tricks so far and the tricks to come.
//!
//! Each hand is taken to win every trick to come with the same chance, its share of the strength left. So the chance
//! that two hands end level is a trinomial sum.

use super::Params;
use crate::games::dumbo::{DUMBO, DumboRules, Outcome};
use crate::strategies::rule_based::reading::power;
use crate::table::{BySeat, Place, Seat};

const HANDS: usize = Place::HANDS;

/// Chances below this are ignored.
pub(super) const NEGLIGIBLE: f32 = 0.01;

/// The reciprocals of the whole numbers up to 13; the first is never asked for.
const INVERSE: [f32; 14] = {
    let mut inverse = [0.0; 14];
    let mut number = 1;
    while number < inverse.len() {
        inverse[number] = 1.0 / number as f32;
        number += 1;
    }
    inverse
};

/// The pairs of hands.
const PAIRS: usize = 6;

/// The seat for which a deal is valued, and the rules by which. It remembers along a decision what its cards share.
pub(super) struct Judge<'a> {
    pub(super) rules: &'a DumboRules,
    pub(super) params: &'a Params,
    seat: Seat,
    pub(super) dealer: Seat,
    /// By hand: the tricks that it has won before this one.
    won: [u8; HANDS],
    /// By tricks that the players still win: the value of the deal that ends so; not a number before it is known.
    ends: [f32; 64],
    /// The number of tricks after this one.
    left: u32,
    /// By hand: the chance to win each of the tricks to come, except perhaps the next.
    share: [f32; HANDS],
    /// By pair: the chance to end level if another hand wins this trick; not a number before it is known.
    levels: [f32; PAIRS],
    /// By winner of this trick: the expected value; not a number before it is known.
    values: [f32; HANDS],
}

impl<'a> Judge<'a> {
    /// The judge of a decision before which the hands have won these tricks.
    #[inline(always)]
    pub(super) fn new(
        rules: &'a DumboRules,
        params: &'a Params,
        seat: Seat,
        dealer: Seat,
        won: [u8; HANDS],
    ) -> Judge<'a> {
        let (ends, levels, values) = ([f32::NAN; 64], [f32::NAN; PAIRS], [f32::NAN; HANDS]);
        Judge { rules, params, seat, dealer, won, ends, left: 0, share: [0.0; HANDS], levels, values }
    }

    /// Turns to the deals with `left` tricks to come after this one, of which the hands win these shares.
    #[inline(always)]
    pub(super) fn begin(&mut self, left: u32, share: [f32; HANDS]) {
        // Touching cards of one hand leave the same shares.
        if (self.left, self.share) != (left, share) {
            (self.left, self.share) = (left, share);
            (self.levels, self.values) = ([f32::NAN; PAIRS], [f32::NAN; HANDS]);
        }
    }

    /// The value of a deal in which `winner` wins this trick; `next` has, by hand, the chance to win the next one.
    #[inline(always)]
    pub(super) fn after(&mut self, winner: usize, next: [f32; HANDS]) -> f32 {
        let mut more = [0; HANDS];
        more[winner] = 1;
        match self.left {
            0 => self.ended(more),
            // With so few tricks left all cases are tried, since the approximation is worst here.
            1 | 2 => {
                let mut value = 0.0;
                for (hand, chance) in next.into_iter().enumerate() {
                    if chance >= NEGLIGIBLE {
                        let mut more = more;
                        more[hand] += 1;
                        value += chance * if self.left == 1 { self.ended(more) } else { self.last(more) };
                    }
                }
                value
            }
            _ => {
                if self.values[winner].is_nan() {
                    self.values[winner] = self.expected(winner);
                }
                self.values[winner]
            }
        }
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
        let end = usize::from(more[0] + 4 * more[1] + 16 * more[2]) % 64;
        if self.ends[end].is_nan() {
            self.ends[end] = self.score(more);
        }
        self.ends[end]
    }

    /// What a deal scores that ends with these tricks since the decision.
    fn score(&self, more: [u8; HANDS]) -> f32 {
        let won: [u8; HANDS] = std::array::from_fn(|hand| self.won[hand] + more[hand]);
        let tricks = BySeat::new([won[0], won[1], won[2]]);
        self.weigh(Seat::ALL.map(|seat| {
            let outcome = Outcome::of(seat, tricks, won[DUMBO.index()], self.dealer);
            let bonus = match outcome {
                Outcome::Match => self.rules.match_bonus,
                Outcome::ZeroMatch => self.rules.zero_match_bonus,
                _ => 0,
            };
            outcome.score(self.rules, tricks[seat]) as f32 + (self.params.ambition - 1.0) * bonus as f32
        }))
    }

    /// The chance that two hands, the pair number `pair`, end level if `winner` wins this trick.
    #[inline(always)]
    fn level(&mut self, winner: usize, pair: usize, a: usize, b: usize) -> f32 {
        let won = |hand: usize| self.won[hand] + u8::from(hand == winner);
        if winner == a || winner == b {
            return level(self.left, (won(a), self.share[a]), (won(b), self.share[b]));
        }
        if self.levels[pair].is_nan() {
            self.levels[pair] = level(self.left, (won(a), self.share[a]), (won(b), self.share[b]));
        }
        self.levels[pair]
    }

    /// The value of a deal that is far from its end. Ties and matches are taken as independent; sweeps are left out.
    #[inline(always)]
    fn expected(&mut self, winner: usize) -> f32 {
        let dumbo = DUMBO.index();
        let [first, second, third] =
            [self.level(winner, 0, 0, 1), self.level(winner, 1, 0, 2), self.level(winner, 2, 1, 2)];
        let ties = [first + second, first + third, second + third];
        let matches =
            [self.level(winner, 3, 0, dumbo), self.level(winner, 4, 1, dumbo), self.level(winner, 5, 2, dumbo)];
        let Judge { rules, params, share, left, .. } = self;
        let mut scores = [0.0; 3];
        for (hand, score) in scores.iter_mut().enumerate() {
            let won = |hand: usize| self.won[hand] + u8::from(hand == winner);
            let mut bonus = rules.match_bonus as f32 * matches[hand];
            if won(hand) + won(dumbo) == 0 {
                let none = power(1.0 - share[hand] - share[dumbo], *left);
                bonus += (rules.zero_match_bonus - rules.match_bonus) as f32 * none;
            }
            let tricks = f32::from(won(hand)) + *left as f32 * share[hand];
            let apart = (1.0 - params.tie_fear * ties[hand]).max(0.0);
            *score = apart * (rules.trick_points as f32 * tricks + params.ambition * bonus)
                + (1.0 - apart) * rules.tie_score as f32;
        }
        self.weigh(scores)
    }
}

/// The chance that two hands end level: each is given with the tricks that it has won and its chance for each of the
/// `left` to come.
#[inline(always)]
fn level(left: u32, one: (u8, f32), other: (u8, f32)) -> f32 {
    let ((behind, catching_up), (ahead, staying)) = if one.0 < other.0 { (one, other) } else { (other, one) };
    let short = u32::from(ahead - behind);
    if short > left {
        return 0.0;
    }
    // The value is kept above zero, because terms are computed by dividing by it.
    let neither = (1.0 - catching_up - staying).max(0.02);
    // The first term is that in which the hand ahead wins no more tricks. For each next term the hand ahead and the
    // hand behind win one more trick each.
    let mut rest = left - short;
    let mut term = power(catching_up, short) * power(neither, rest);
    for step in 0..short {
        term *= (left - step) as f32 * INVERSE[step as usize + 1];
    }
    let ratio = catching_up * staying / (neither * neither);
    let mut sum = term;
    let mut pairs = 1;
    while rest >= 2 {
        term *= ratio * (rest * (rest - 1)) as f32 * INVERSE[pairs] * INVERSE[pairs + short as usize];
        sum += term;
        rest -= 2;
        pairs += 1;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The chance to end level, from every way in which the tricks can be divided.
    fn tried(left: u32, one: (u8, f32), other: (u8, f32)) -> f32 {
        if left == 0 {
            return f32::from(u8::from(one.0 == other.0));
        }
        let neither = 1.0 - one.1 - other.1;
        one.1 * tried(left - 1, (one.0 + 1, one.1), other)
            + other.1 * tried(left - 1, one, (other.0 + 1, other.1))
            + neither * tried(left - 1, one, other)
    }

    #[test]
    fn the_chance_to_end_level_counts_every_way() {
        for (left, a, b) in [(1, 0, 0), (3, 2, 2), (4, 0, 3), (7, 3, 1), (9, 0, 0), (2, 3, 0)] {
            let (one, other) = ((a, 0.3), (b, 0.25));
            let difference = level(left, one, other) - tried(left, one, other);
            assert!(difference.abs() < 1e-5, "{left} left, {a} against {b}");
        }
    }

    fn value(won: [u8; HANDS], left: u32, params: &Params) -> f32 {
        let rules = DumboRules::default();
        let (seat, dealer) = (Seat::Seat0, Seat::Seat1);
        // One of the tricks is that of the decision.
        let winner = won.iter().position(|&won| won > 0).unwrap();
        let mut before = won;
        before[winner] -= 1;
        let mut judge = Judge::new(&rules, params, seat, dealer, before);
        judge.begin(left, [0.25; HANDS]);
        judge.after(winner, [0.25; HANDS])
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
