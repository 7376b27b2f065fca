//! Decides whether to make trumps, and which.

use overtrick_cards::{CardSet, Rank, Suit};
use overtrick_game::{Game, Move, Moves, View};
use overtrick_games::euchre::{Euchre, ORDER_UP, PASS, name};

use super::Params;
use super::outlook::Outlook;
use super::trumps::Trumps;
use crate::rule_based::choice::smooth_step;

/// The rates at which makers fail in rounds one and two. In round two the dealer has to name a suit.
const FAILURES: [f32; 2] = [0.2, 0.6];
/// The rate at which makers win all tricks.
const MARCHES: f32 = 0.1;
/// The rate at which no one orders up after a pass.
const TURNED_DOWN: f32 = 0.65;

/// Returns the average lead of a maker over another player.
///
/// `made` is the chance to make the contract, and `march` the chance to win all tricks.
fn ahead(view: &View<'_, Euchre>, made: f32, march: f32) -> f32 {
    let rules = view.game().rules();
    made * rules.make_points as f32 + march * (rules.march_points - rules.make_points) as f32
        - (1.0 - made) * rules.euchre_points_each as f32
}

/// Returns the worth of making trumps; `taken` says whether the dealer takes up the card.
fn making(view: &View<'_, Euchre>, params: &Params, trump: Suit, taken: bool) -> f32 {
    let outlook = Outlook::new(view, params, Trumps::new(trump), view.seat(), taken);
    let own = view.own();
    let deals = view.seat() == view.dealer();
    // The other suit of the colour that was turned down: players who passed probably lack its bowers.
    let next = trump as usize == 3 - view.public().trump() as usize;
    let (hand, shift) = match (taken, deals) {
        (true, true) => {
            let all = own.with(view.public().up_card());
            (all.without(outlook.discard(all, own)), 0.0)
        }
        (true, false) => (own, -params.gift),
        (false, false) if next => (own, 0.2),
        _ => (own, 0.0),
    };
    let plain = hand - outlook.trumps.suits[trump as usize];
    let (length, aces) = ((hand - plain).len() as f32, (plain & CardSet::rank(Rank::Ace)).len() as f32);
    // The smaller the pack, the more trumps the others hold.
    let density = 10.0 / (view.game().layout().deck.cards().len() - 6) as f32;
    let surplus = outlook.promise(hand, 0.5, 0.0) + density * (1.4 * length + params.ace * aces - 3.0) + shift;
    let chance = |surplus: f32| smooth_step(0.5 + 0.35 * surplus);
    ahead(view, chance(surplus - params.courage), chance(surplus - params.courage - 1.7))
}

/// Returns the worth of another player being the maker, who fails with chance `fails`.
///
/// It is half of a euchre's points, since the third player gains as well.
fn defending(view: &View<'_, Euchre>, fails: f32) -> f32 {
    -0.5 * ahead(view, 1.0 - fails, MARCHES)
}

/// Returns the best suit of `suits` to name in round two, and its worth.
fn best(view: &View<'_, Euchre>, params: &Params, suits: impl Iterator<Item = Suit>) -> (Suit, f32) {
    let worth = |suit| (suit, making(view, params, suit, false));
    suits.map(worth).max_by(|a, b| a.1.total_cmp(&b.1)).expect("a suit can be named")
}

/// Decides in round one whether the dealer takes up the card.
pub(super) fn order_up(view: &View<'_, Euchre>, params: &Params) -> Move {
    let turned = view.public().trump();
    let allowed = view.game().rules().turned_down_allowed;
    let (_, mut later) = best(view, params, Suit::ALL.into_iter().filter(|&suit| allowed || suit != turned));
    if view.seat() != view.dealer() {
        later = later.max(defending(view, FAILURES[1]));
    }
    let passing = TURNED_DOWN * later + (1.0 - TURNED_DOWN) * defending(view, FAILURES[0]);
    if making(view, params, turned, true) > passing { ORDER_UP } else { PASS }
}

/// Names a suit in round two, or passes.
pub(super) fn name_suit(view: &View<'_, Euchre>, params: &Params, legal: Moves) -> Move {
    let (suit, worth) = best(view, params, Suit::ALL.into_iter().filter(|&suit| legal.contains(name(suit))));
    if legal.contains(PASS) && worth <= defending(view, FAILURES[1]) { PASS } else { name(suit) }
}
