//! The deal so far, as a forecast of its scores needs it.

use overtrick_cards::table::{Place, Seat};
use overtrick_game::View;
use overtrick_language::compile::ScoreFacts;
use overtrick_language::{DeclaredGame, DeclaredPublic};

use super::forecast::{LaterTricks, MOST_AMOUNTS, ScoreForecast, add_amount, add_prize};

/// The number that stands for a bid that is still due.
const NO_BID: i8 = -1;

/// Returns the facts of the deal so far, with the cards won.
#[inline(always)]
pub fn facts_so_far(
    view: &View<'_, DeclaredGame>,
    forecast: &ScoreForecast,
    prizes: &[i32; DeclaredPublic::ROW],
) -> ScoreFacts {
    let public = view.public();
    let won = Place::ALL.first_chunk().map_or([0; Place::HANDS], |hands: &[Place; Place::HANDS]| {
        hands.map(|hand| u8::try_from(view.tricks_won(hand)).unwrap_or(0))
    });
    let mut facts =
        ScoreFacts { declarer: public.declarer(), totals: public.totals(), ..ScoreFacts::of(view.dealer(), won) };
    for seat in Seat::ALL {
        facts.bids[seat] = public.bid(seat).and_then(|bid| i8::try_from(bid).ok()).unwrap_or(NO_BID);
    }
    if forecast.amounts.is_empty() && !forecast.has_prizes {
        return facts;
    }
    let tricks = view.plays().chunks_exact(forecast.hands).take(view.tricks_played());
    for (number, cards) in tricks.enumerate() {
        let winner = view.leader(number + 1).index();
        for amount in &forecast.amounts {
            let mut sum = 0;
            for card in cards {
                sum += amount.by_card[card.index()];
            }
            if sum != 0 {
                add_amount(&mut facts, amount, winner, sum);
            }
        }
        if forecast.has_prizes {
            add_prize(&mut facts, winner, prizes[number % DeclaredPublic::ROW]);
        }
    }
    facts
}

/// Returns, by amount, its sum over the cards in the trick in progress.
#[inline(always)]
pub fn amounts_in_trick(view: &View<'_, DeclaredGame>, forecast: &ScoreForecast) -> [i32; MOST_AMOUNTS] {
    let mut sums = [0; MOST_AMOUNTS];
    let plays = view.plays();
    for (sum, amount) in sums.iter_mut().zip(&forecast.amounts) {
        for card in &plays[plays.len() - view.trick_length()..] {
            *sum += amount.by_card[card.index()];
        }
    }
    sums
}

/// Returns, by amount, what is neither won nor in the trick in progress.
pub fn amounts_left(
    facts: &ScoreFacts,
    forecast: &ScoreForecast,
    in_trick: &[i32; MOST_AMOUNTS],
) -> [i32; MOST_AMOUNTS] {
    let mut left = [0; MOST_AMOUNTS];
    for (number, amount) in forecast.amounts.iter().enumerate() {
        let by_seat = amount.count.map_or(&facts.amounts.points, |count| &facts.amounts.counts[count]);
        let won: i32 = by_seat.of(forecast.hands).iter().sum();
        left[number] = forecast.dealt[number] - won - in_trick[number];
    }
    left
}

/// Returns the later tricks, without what is expected of hands that are known.
///
/// Players who bid are expected to win what they lack. Others win more if they have won more.
pub fn later_tricks(facts: &ScoreFacts, forecast: &ScoreForecast, tricks: usize) -> LaterTricks {
    let mut weights = [0.0; Place::HANDS];
    let even = tricks as f32 / forecast.hands as f32;
    for (hand, weight) in weights.iter_mut().enumerate().take(forecast.hands) {
        let (won, bid) = (f32::from(facts.won[hand]), facts.bids[Seat::new(hand)]);
        *weight = if bid == NO_BID {
            let declares = facts.declarer.is_some_and(|declarer| declarer.index() == hand);
            2.0 + won + if declares { 2.0 } else { 0.0 }
        } else {
            (f32::from(bid) - won).max(0.0) + 0.2 * even
        };
    }
    LaterTricks { tricks, weights, ..LaterTricks::NONE }
}
