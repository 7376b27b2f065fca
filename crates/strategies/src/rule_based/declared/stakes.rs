//! The worth of a trick to each seat, by the hand that wins it.

use overtrick_cards::table::{BySeat, Place, Seat};
use overtrick_language::CardAmount;
use overtrick_language::compile::ScoreFacts;

use super::forecast::{LaterTricks, MOST_AMOUNTS, ScoreForecast, WAYS, add_amount, add_prize};

/// The stakes that are kept, a power of two.
const KEPT: usize = 1 << 12;
/// The words of a question.
const WORDS: usize = 20;
/// The parts into which the rest of an amount is divided, by which amounts are rounded.
const PARTS: i32 = 4;
/// The steps of expected tricks that count as different, in a trick.
const STEPS: f32 = 2.0;

/// The score of a deal that ends with given facts.
pub type ScoreOf<'a> = dyn Fn(&ScoreFacts) -> BySeat<i32> + 'a;

/// The worth of a trick.
#[derive(Clone, Copy, Debug)]
pub struct Stakes {
    /// By hand that wins the trick, then by seat: the seat's lead.
    pub win: [[f32; Place::HANDS]; Place::HANDS],
    /// By amount, hand that wins it, then seat: the effect of a unit, against the average of all hands.
    pub unit: [[[f32; Place::HANDS]; Place::HANDS]; MOST_AMOUNTS],
    /// By seat: the effect of one later trick more for the hand to move.
    pub later: [f32; Place::HANDS],
}

/// The facts on which the worth of a trick depends.
#[derive(Clone, Copy, Debug)]
pub struct TrickQuestion {
    /// The dealer, the tricks, the bids and the amounts so far.
    pub facts: ScoreFacts,
    /// The hand to move.
    pub hand: usize,
    /// The later tricks.
    pub later: LaterTricks,
    /// The prize of the trick.
    pub prize: i32,
}

impl TrickQuestion {
    /// Rounds the numbers, so that many positions ask the same question.
    ///
    /// Amounts are rounded the less, the less of them is left. Numbers that do not count are left out.
    pub fn rounded(mut self, forecast: &ScoreForecast) -> TrickQuestion {
        for expected in self.later.expected.iter_mut().flatten() {
            *expected = (*expected * STEPS).round() / STEPS;
        }
        if !forecast.counts_tricks {
            self.facts.won = [0; Place::HANDS];
        }
        for (amount, left) in forecast.amounts.iter().zip(&mut self.later.amounts) {
            let step = (left.abs() / PARTS).max(1);
            *left = (*left + step / 2).div_euclid(step) * step;
            let by_seat = won_amount(&mut self.facts, amount);
            for (_, won) in by_seat.iter_mut() {
                *won = (*won + step / 2).div_euclid(step) * step;
            }
        }
        self
    }

    /// Returns the question as words, equal exactly for equal questions of one game.
    fn words(&self, forecast: &ScoreForecast) -> [u64; WORDS] {
        let (facts, later) = (&self.facts, &self.later);
        let mut words = Packing { words: [0; WORDS], bits: 0 };
        words.add(later.tricks as i32, 8);
        words.add(self.hand as i32, 2);
        words.add(facts.dealer.index() as i32, 2);
        words.add(facts.declarer.map_or(4, |declarer| declarer.index() as i32), 4);
        for hand in 0..Place::HANDS {
            words.add(i32::from(facts.won[hand]), 8);
            words.add(i32::from(facts.bids[Seat::new(hand)]), 8);
            words.add(later.expected[hand].map_or(-1, |expected| (expected * STEPS) as i32), 8);
        }
        for (amount, left) in forecast.amounts.iter().zip(later.amounts) {
            words.add(left, 16);
            words.add_seats(won_so_far(facts, amount));
        }
        if forecast.counts_totals {
            for (_, total) in facts.totals.iter() {
                words.add(*total, 32);
            }
        }
        if forecast.has_prizes {
            words.add(self.prize, 8);
            words.add_seats(&facts.good);
            words.add_seats(&facts.bad);
            for prize in later.prizes {
                words.add(prize, 8);
            }
        }
        words.words
    }
}

/// Numbers that are packed into words.
struct Packing {
    words: [u64; WORDS],
    bits: usize,
}

impl Packing {
    /// Adds the lowest bits of a number. No number lies in two words.
    #[inline(always)]
    fn add(&mut self, number: i32, bits: usize) {
        if self.bits % 64 + bits > 64 {
            self.bits += 64 - self.bits % 64;
        }
        let low = u64::from(number.cast_unsigned()) & ((1 << bits) - 1);
        self.words[self.bits / 64 % WORDS] ^= low << (self.bits % 64);
        self.bits += bits;
    }

    #[inline(always)]
    fn add_seats(&mut self, numbers: &BySeat<i32>) {
        for (_, number) in numbers.iter() {
            self.add(*number, 16);
        }
    }
}

/// The stakes of many questions, kept under the questions.
///
/// They depend on the question alone, so it does not matter which are kept.
pub struct StakesMemory {
    questions: Vec<[u64; WORDS]>,
    answers: Vec<Stakes>,
}

impl StakesMemory {
    /// Returns a memory without stakes.
    pub fn new() -> StakesMemory {
        StakesMemory { questions: Vec::new(), answers: Vec::new() }
    }

    /// Returns the stakes of a question.
    #[inline]
    pub fn ask(&mut self, forecast: &ScoreForecast, question: &TrickQuestion, scores: &ScoreOf<'_>) -> &Stakes {
        let words = question.words(forecast);
        let mut hash = 0_u64;
        for word in words {
            hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        }
        let place = (hash >> 20) as usize % KEPT;
        if self.questions.is_empty() {
            self.questions = vec![[u64::MAX; WORDS]; KEPT];
            self.answers = vec![Stakes::NONE; KEPT];
        }
        if self.questions[place] != words {
            self.questions[place] = words;
            self.answers[place] = Stakes::of(forecast, question, scores);
        }
        &self.answers[place]
    }
}

impl Stakes {
    const NONE: Stakes = Stakes {
        win: [[0.0; Place::HANDS]; Place::HANDS],
        unit: [[[0.0; Place::HANDS]; Place::HANDS]; MOST_AMOUNTS],
        later: [0.0; Place::HANDS],
    };

    /// Returns the stakes of a question.
    #[inline(never)]
    pub fn of(forecast: &ScoreForecast, question: &TrickQuestion, scores: &ScoreOf<'_>) -> Stakes {
        let mut stakes = Stakes::NONE;
        let all = question.later.tricks as f32;
        let expected = question.later.expected[question.hand].unwrap_or(0.0);
        let ends = [(expected - 0.5).max(0.0), (expected + 0.5).min(all)];
        for (number, end) in ends.into_iter().enumerate() {
            let mut later = question.later;
            later.expected[question.hand] = Some(end);
            for way in 0..WAYS {
                stakes.add_wins(forecast, question, &later, way, [-1.0, 1.0][number], scores);
                if way % 2 == number {
                    stakes.add_units(forecast, question, &later, way, scores);
                }
            }
        }
        if ends[1] > ends[0] {
            stakes.later = stakes.later.map(|change| change / (ends[1] - ends[0]));
        }
        stakes.centre_units(forecast.hands);
        stakes
    }

    /// Adds the leads if each hand wins the trick. `sign` says whether later tricks are more or fewer.
    fn add_wins(
        &mut self,
        forecast: &ScoreForecast,
        question: &TrickQuestion,
        later: &LaterTricks,
        way: usize,
        sign: f32,
        scores: &ScoreOf<'_>,
    ) {
        let mut facts = question.facts;
        forecast.add_later(way, later, &mut facts);
        let each_differs = forecast.counts_tricks || forecast.has_prizes;
        let (part, change) = (1.0 / (2 * WAYS) as f32, sign / (WAYS * forecast.hands) as f32);
        let mut leads = [0.0; Place::HANDS];
        for hand in 0..forecast.hands {
            if hand == 0 || each_differs {
                let mut won = facts;
                won.won[hand] += 1;
                add_prize(&mut won, hand, question.prize);
                leads = forecast.leads(&scores(&won));
            }
            for (seat, lead) in leads.iter().enumerate() {
                self.win[hand][seat] += lead * part;
                self.later[seat] += lead * change;
            }
        }
    }

    /// Adds the leads if a typical part of each amount goes to each hand in this trick, and not later.
    fn add_units(
        &mut self,
        forecast: &ScoreForecast,
        question: &TrickQuestion,
        later: &LaterTricks,
        way: usize,
        scores: &ScoreOf<'_>,
    ) {
        for (number, amount) in forecast.amounts.iter().enumerate() {
            let (mut rest, step) = (*later, forecast.steps[number]);
            if rest.amounts[number] >= step {
                rest.amounts[number] -= step;
            }
            let mut facts = question.facts;
            forecast.add_later(way, &rest, &mut facts);
            for hand in 0..forecast.hands {
                let mut won = facts;
                won.won[hand] += 1;
                add_prize(&mut won, hand, question.prize);
                add_amount(&mut won, amount, hand, step);
                let leads = forecast.leads(&scores(&won));
                for (unit, lead) in self.unit[number][hand].iter_mut().zip(leads) {
                    *unit += lead / (WAYS as f32 * step as f32);
                }
            }
        }
    }

    /// Makes the effects of amounts relative to the average of all hands.
    fn centre_units(&mut self, hands: usize) {
        for unit in &mut self.unit {
            for seat in 0..Place::HANDS {
                let sum: f32 = unit.iter().take(hands).map(|by_seat| by_seat[seat]).sum();
                for by_seat in unit.iter_mut().take(hands) {
                    by_seat[seat] -= sum / hands as f32;
                }
            }
        }
    }
}

/// Returns, by seat, an amount that is won.
fn won_so_far<'a>(facts: &'a ScoreFacts, amount: &CardAmount) -> &'a BySeat<i32> {
    match amount.count {
        Some(number) => &facts.amounts.counts[number],
        None => &facts.amounts.points,
    }
}

/// Returns the same, mutably.
fn won_amount<'a>(facts: &'a mut ScoreFacts, amount: &CardAmount) -> &'a mut BySeat<i32> {
    match amount.count {
        Some(number) => &mut facts.amounts.counts[number],
        None => &mut facts.amounts.points,
    }
}
