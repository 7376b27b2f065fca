//! Forecasts of the scores of a deal, from imagined ways in which the later tricks fall.

use overtrick_cards::table::{BySeat, Place, Seat, Teams};
use overtrick_cards::{SeedSource, Stream};
use overtrick_game::Game;
use overtrick_language::compile::ScoreFacts;
use overtrick_language::{CardAmount, DeclaredGame, DeclaredPublic};

/// The number of ways in which later tricks are imagined to fall.
pub const WAYS: usize = 8;
/// The quantiles of the normal distribution at the middles of eight equal parts.
const QUANTILES: [f32; WAYS] = [-1.534, -0.887, -0.489, -0.157, 0.157, 0.489, 0.887, 1.534];
/// The largest number of later tricks.
const MOST_TRICKS: usize = 26;
/// The random numbers of a way: for tricks, then for cards.
const NUMBERS: usize = 2 * 64;
/// The most amounts that cards bring: their values, and eight numbers of cards.
pub const MOST_AMOUNTS: usize = 9;
/// The spread of the tricks of a hand that is known, relative to tricks that fall by chance.
const STEADINESS: f32 = 0.8;

/// The tricks that are left after the trick in progress, or all tricks before the play.
#[derive(Clone, Copy, Debug)]
pub struct LaterTricks {
    /// The number of tricks.
    pub tricks: usize,
    /// By hand: the number of tricks that it is expected to win, where its cards are known.
    pub expected: [Option<f32>; Place::HANDS],
    /// By hand: the share of the other tricks that it gets.
    pub weights: [f32; Place::HANDS],
    /// The amounts that the cards in these tricks bring.
    pub amounts: [i32; MOST_AMOUNTS],
    /// The prizes of all tricks of the deal; the last `tricks` of those that are played count.
    pub prizes: [i32; DeclaredPublic::ROW],
}

impl LaterTricks {
    /// No tricks.
    pub const NONE: LaterTricks = LaterTricks {
        tricks: 0,
        expected: [None; Place::HANDS],
        weights: [0.0; Place::HANDS],
        amounts: [0; MOST_AMOUNTS],
        prizes: [0; DeclaredPublic::ROW],
    };
}

/// Everything about a game that forecasts of its scores need.
pub struct ScoreForecast {
    teams: Teams,
    seats: usize,
    /// The number of hands that play.
    pub hands: usize,
    /// The number of tricks of a deal.
    pub tricks: usize,
    /// The amounts that cards bring.
    pub amounts: Vec<CardAmount>,
    /// By amount: its sum over the cards that are dealt to hands.
    pub dealt: [i32; MOST_AMOUNTS],
    /// By amount: a typical size of what a card brings.
    pub steps: [i32; MOST_AMOUNTS],
    /// Whether the score depends on the number of tricks of a hand.
    pub counts_tricks: bool,
    /// Whether each trick wins a prize of a row.
    pub has_prizes: bool,
    /// Whether the score depends on the points before the deal.
    pub counts_totals: bool,
    /// By way: random numbers from 0 to 1.
    numbers: Box<[[f32; NUMBERS]; WAYS]>,
    /// By way: the later tricks in a random order.
    orders: [[usize; MOST_TRICKS]; WAYS],
}

impl ScoreForecast {
    /// Makes the forecast of deals of a game. `hands` is the number of hands that play, and `tricks` that of tricks.
    pub fn of(game: &DeclaredGame, hands: usize, tricks: usize) -> ScoreForecast {
        let layout = game.layout();
        let amounts = game.card_amounts();
        let (mut dealt, mut steps) = ([0; MOST_AMOUNTS], [1; MOST_AMOUNTS]);
        let cards = layout.deck.cards();
        let part = (hands * tricks) as f32 / cards.len() as f32;
        for (number, amount) in amounts.iter().enumerate() {
            let (mut sum, mut size, mut some) = (0, 0, 0);
            for card in cards {
                let own = amount.by_card[card.index()];
                (sum, size, some) = (sum + own, size + own.abs(), some + i32::from(own != 0));
            }
            dealt[number] = (sum as f32 * part).round() as i32;
            steps[number] = (size / some.max(1)).max(1);
        }
        let mut rng = SeedSource::new(1, "rule-based", "forecast").stream(0, 0);
        let mut numbers = Box::new([[0.0; NUMBERS]; WAYS]);
        let mut orders = [[0; MOST_TRICKS]; WAYS];
        for way in 0..WAYS {
            for number in &mut numbers[way] {
                *number = rng.random_below(1 << 20) as f32 / (1 << 20) as f32;
            }
            orders[way] = shuffled(&mut rng);
        }
        let (teams, seats, has_prizes) = (layout.teams(), layout.seats, game.has_prizes());
        ScoreForecast {
            teams,
            seats,
            hands,
            tricks,
            amounts,
            dealt,
            steps,
            counts_tricks: game.counts_tricks(),
            has_prizes,
            counts_totals: game.counts_totals(),
            numbers,
            orders,
        }
    }

    /// Returns by how much each seat is ahead of the average player of other teams.
    pub fn leads(&self, scores: &BySeat<i32>) -> [f32; Place::HANDS] {
        let mut leads = [0.0; Place::HANDS];
        let all: i32 = scores.of(self.seats).iter().sum();
        for (number, lead) in leads.iter_mut().enumerate().take(self.seats) {
            let mut own = 0;
            for other in 0..self.seats {
                own += if self.is_team(number, other) { scores[Seat::new(other)] } else { 0 };
            }
            let others = (self.seats - self.teams.size()) as f32;
            *lead = scores[Seat::new(number)] as f32 - (all - own) as f32 / others;
        }
        leads
    }

    /// Returns whether two seats are the same or partners.
    #[inline(always)]
    pub fn is_team(&self, seat: usize, other: usize) -> bool {
        self.teams.of(seat) == self.teams.of(other)
    }

    /// Adds the later tricks of a way to what the hands have won.
    pub fn add_later(&self, way: usize, later: &LaterTricks, facts: &mut ScoreFacts) {
        let winners = self.winners(way, later);
        let winners = &winners[..later.tricks];
        for (number, &winner) in winners.iter().enumerate() {
            facts.won[winner] += 1;
            if self.has_prizes {
                let trick = self.tricks - later.tricks + number;
                add_prize(facts, winner, later.prizes[trick % DeclaredPublic::ROW]);
            }
        }
        if winners.is_empty() {
            return;
        }
        let mut numbers = self.numbers[way].iter().skip(64).cycle();
        for (number, amount) in self.amounts.iter().enumerate() {
            let mut left = later.amounts[number];
            // Half of the average of a trick, and at least the whole unit.
            let lots = i32::try_from(2 * later.tricks).unwrap_or(1);
            let lot = (left.abs() + lots - 1) / lots * left.signum();
            while left != 0 {
                let some = if left.abs() < lot.abs() { left } else { lot };
                let place = numbers.next().copied().unwrap_or(0.0) * later.tricks as f32;
                add_amount(facts, amount, winners[place as usize % winners.len()], some);
                left -= some;
            }
        }
    }

    /// Returns the winner of each later trick.
    fn winners(&self, way: usize, later: &LaterTricks) -> [usize; MOST_TRICKS] {
        let mut in_turn = [0; MOST_TRICKS];
        let mut filled = 0;
        for hand in 0..self.hands {
            let Some(expected) = later.expected[hand] else { continue };
            let all = later.tricks as f32;
            let spread = STEADINESS * (expected * (1.0 - expected / all.max(1.0))).max(0.0).sqrt();
            // Other known hands take the same quantiles in another order.
            let quantile = QUANTILES[(way * (2 * hand + 1) + hand) % WAYS];
            let won = (expected + quantile * spread).round().clamp(0.0, (later.tricks - filled) as f32);
            for winner in in_turn.iter_mut().skip(filled).take(won as usize) {
                *winner = hand;
            }
            filled += won as usize;
        }
        let sum: f32 = (0..self.hands).map(|hand| self.weight(later, hand)).sum();
        for (place, number) in in_turn.iter_mut().zip(&self.numbers[way]).take(later.tricks).skip(filled) {
            let mut left = number * sum;
            for hand in 0..self.hands {
                let weight = self.weight(later, hand);
                if weight > 0.0 && left >= 0.0 {
                    *place = hand;
                }
                left -= weight;
            }
        }
        let mut winners = [0; MOST_TRICKS];
        let order = self.orders[way].iter().filter(|place| **place < later.tricks);
        for (place, winner) in order.zip(in_turn) {
            winners[*place] = winner;
        }
        winners
    }

    /// Returns the share of a hand in the tricks that known hands leave.
    fn weight(&self, later: &LaterTricks, hand: usize) -> f32 {
        if later.expected[hand].is_some() { 0.0 } else { later.weights[hand] }
    }
}

/// Adds an amount to what the cards won by a hand bring.
pub fn add_amount(facts: &mut ScoreFacts, amount: &CardAmount, hand: usize, some: i32) {
    let seat = Seat::new(hand);
    match amount.count {
        Some(number) => facts.amounts.counts[number][seat] += some,
        None => facts.amounts.points[seat] += some,
    }
}

/// Adds a prize of a row to what a seat has won.
pub fn add_prize(facts: &mut ScoreFacts, hand: usize, prize: i32) {
    let seat = Seat::new(hand);
    if prize > 0 {
        facts.good[seat] += prize;
    } else {
        facts.bad[seat] -= prize;
    }
}

/// Returns the numbers of tricks in a random order.
fn shuffled(rng: &mut Stream) -> [usize; MOST_TRICKS] {
    let mut order = std::array::from_fn(|number| number);
    for last in (1..MOST_TRICKS).rev() {
        let other = rng.random_below(last as u64 + 1) as usize;
        order.swap(last, other);
    }
    order
}
