//! The choice of a card.

use overtrick_cards::table::Place;
use overtrick_cards::{Card, CardSet};
use overtrick_game::View;
use overtrick_language::DeclaredGame;

use super::forecast::{MOST_AMOUNTS, ScoreForecast};
use super::hands::HandsInView;
use super::position::{amounts_in_trick, amounts_left, facts_so_far, later_tricks};
use super::stakes::{Stakes, StakesMemory, TrickQuestion};
use super::trick::OpenTrick;
use super::{GameTables, Params};
use crate::rule_based::choice::best_card;

/// The share of the average of the cards to come that later hands are expected to add to a trick.
const ADDED: f32 = 0.7;

/// By hand, then by seat: the worth to the seat if the hand wins the trick.
type Gains = [[f32; Place::HANDS]; Place::HANDS];

/// The cards of the hand to move, with the chance of each to win a later trick.
struct LaterChances {
    by_card: [f32; 64],
    /// Their sum.
    expected: f32,
}

impl LaterChances {
    #[inline(always)]
    fn new(view: &View<'_, DeclaredGame>, hands: &HandsInView, tables: &GameTables, params: &Params) -> LaterChances {
        let (hand, strengths) = (view.hand_to_move().index(), tables.strengths(view));
        let (held, against) = (hands.seen[hand], hands.against(hand));
        let ruff = params.ruff * strengths.shortness(held, against);
        let mut chances = LaterChances { by_card: [0.0; 64], expected: 0.0 };
        for card in held {
            let chance = tables.chance(strengths, card, held, against, ruff);
            chances.by_card[card.index()] = chance;
            chances.expected += chance;
        }
        chances
    }
}

/// The cards in the trick, and the question for its worth.
struct TrickSoFar {
    question: TrickQuestion,
    /// By amount: what the cards in the trick bring, with those that later hands are expected to add.
    amounts: [f32; MOST_AMOUNTS],
    /// The averages of later prizes, in games with a row.
    swing: Option<[f32; 2]>,
}

impl TrickSoFar {
    #[inline(always)]
    fn new(
        view: &View<'_, DeclaredGame>,
        hands: &HandsInView,
        tables: &GameTables,
        params: &Params,
        expected: f32,
    ) -> TrickSoFar {
        let (forecast, hand) = (&tables.forecast, view.hand_to_move().index());
        let prizes = view.game().prizes_by_trick(view.public());
        let facts = facts_so_far(view, forecast, &prizes);
        let in_trick = amounts_in_trick(view, forecast);
        let left = amounts_left(&facts, forecast, &in_trick);
        let now = view.tricks_played();
        let tricks = forecast.tricks - now;
        let mut later = later_tricks(&facts, forecast, tricks - 1);
        later.prizes = prizes;
        // The part of the rest that falls in later tricks.
        let part = (tricks - 1) as f32 / tricks as f32;
        for (later, left) in later.amounts.iter_mut().zip(left) {
            *later = (left as f32 * part).round() as i32;
        }
        later.expected[hand] = Some(expected * part);
        for other in 0..forecast.hands {
            // Hands that lie face up are known, too.
            let (seen, count) = (hands.seen[other], view.count(Place::ALL[other]));
            if other != hand && !seen.is_empty() && usize::try_from(seen.len()).is_ok_and(|seen| seen == count) {
                let rest = tables.expected(tables.strengths(view), seen, hands.against(other), params.ruff);
                later.expected[other] = Some(rest * part);
            }
        }
        let behind = (forecast.hands - view.trick_length() - 1) as f32;
        let to_come = (tricks * forecast.hands - view.trick_length()) as f32;
        let mut amounts = [0.0; MOST_AMOUNTS];
        for ((amount, now), left) in amounts.iter_mut().zip(in_trick).zip(left) {
            *amount = now as f32 + ADDED * behind * left as f32 / to_come;
        }
        let prize = if forecast.has_prizes { prizes[now % prizes.len()] } else { 0 };
        let question = TrickQuestion { facts, hand, later, prize }.rounded(forecast);
        TrickSoFar { question, amounts, swing: prize_swing(forecast, &prizes, now) }
    }
}

/// Returns the best card of `cards` to play.
#[inline(always)]
pub fn best_play(
    view: &View<'_, DeclaredGame>,
    cards: CardSet,
    tables: &GameTables,
    params: &Params,
    memory: &mut StakesMemory,
) -> Card {
    let (forecast, strengths, seat) = (&tables.forecast, tables.strengths(view), view.seat().index());
    let order = view.order().expect("cards are played under an order");
    let hands = HandsInView::new(view, strengths, forecast.hands);
    let chances = LaterChances::new(view, &hands, tables, params);
    let so_far = TrickSoFar::new(view, &hands, tables, params, chances.expected);
    let stakes = memory.ask(forecast, &so_far.question, &|facts| view.game().scores_of(facts));
    let gains = gains(stakes, forecast, &so_far.amounts);
    let spread = spread(&gains, forecast.hands);
    let mut trick = OpenTrick::new(view, order, strengths, &hands);
    trick.set_wants(|other, holder| {
        let own = view.decider(Place::ALL[other]).index();
        let gain = gains[other][own] - gains[holder][own] - 0.1 * spread;
        0.5 + 0.5 * params.respect * gain / (gain.abs() + 0.2 * spread + 1e-6)
    });
    best_card(cards, |card| {
        let mut value = 0.0;
        for (hand, wins) in trick.chances(card).into_iter().enumerate().take(forecast.hands) {
            let mut worth = gains[hand][seat];
            for (number, amount) in forecast.amounts.iter().enumerate() {
                worth += params.feed * amount.by_card[card.index()] as f32 * stakes.unit[number][hand][seat];
            }
            value += wins * worth;
        }
        let chance = chances.by_card[card.index()];
        let cost = match so_far.swing {
            Some([good, bad]) => good * (2.0 * chance - 1.0).max(0.0) + bad * (1.0 - 2.0 * chance).max(0.0),
            None => stakes.later[seat] * chance,
        };
        value - if cost > 0.0 { params.keep } else { params.shed } * cost
    })
}

/// Returns the worth of the trick. `amounts` has those of its cards.
#[inline(always)]
fn gains(stakes: &Stakes, forecast: &ScoreForecast, amounts: &[f32; MOST_AMOUNTS]) -> Gains {
    let mut gains = stakes.win;
    for (unit, amount) in stakes.unit.iter().zip(amounts).take(forecast.amounts.len()) {
        for (gains, unit) in gains.iter_mut().zip(unit) {
            for (gain, unit) in gains.iter_mut().zip(unit) {
                *gain += amount * unit;
            }
        }
    }
    gains
}

/// Returns the largest difference that the winner of the trick makes to a seat.
#[inline(always)]
fn spread(gains: &Gains, hands: usize) -> f32 {
    let mut spread = 0.0_f32;
    for seat in 0..Place::HANDS {
        let (mut low, mut high) = (f32::INFINITY, f32::NEG_INFINITY);
        for gain in gains.iter().take(hands) {
            (low, high) = (low.min(gain[seat]), high.max(gain[seat]));
        }
        spread = spread.max(high - low);
    }
    spread
}

/// Returns the averages of later prizes above 0, and of those below 0 without their sign, in games with a row.
///
/// A card that surely wins goes to a good prize, and one that surely loses to a bad one.
fn prize_swing(forecast: &ScoreForecast, prizes: &[i32], now: usize) -> Option<[f32; 2]> {
    if !forecast.has_prizes {
        return None;
    }
    let (mut good, mut bad) = (0, 0);
    for prize in &prizes[now + 1..forecast.tricks] {
        good += *prize.max(&0);
        bad -= *prize.min(&0);
    }
    let left = (forecast.tricks - now - 1).max(1) as f32;
    Some([good as f32 / left, bad as f32 / left])
}
