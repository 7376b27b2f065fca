//! Calls: estimates how many books a declarer may expect, and bids, names, discards and keeps by that.

use super::Params;
use super::outlook;
use super::position::{Frame, Position};
use crate::cards::{Card, CardSet, Suit};
use crate::game::{Game, Move, Moves, View};
use crate::games::whist::{
    Bid, DUMMY, DummyWhist, EXCHANGE, Form, KEEP, Kind, PASS, WhistRules, name_direction, name_trump,
};
use crate::strategies::rule_based::choice::{best_by, best_card};
use crate::strategies::rule_based::reading::power;
use crate::table::Place;

/// The outlook of the seat that decides as declarer with some trumps and some direction.
#[derive(Clone, Copy)]
struct Look {
    trump: Option<Suit>,
    downtown: bool,
    /// The books that the cards promise.
    books: f32,
    /// The number of trumps that the bidder sees in their own hands.
    trumps: u32,
}

impl Look {
    fn new(view: &View<'_, DummyWhist>, trump: Option<Suit>, downtown: bool, params: &Params) -> Look {
        let position = Position::declaring(view, Frame::new(trump, downtown));
        let own = |hand: &usize| position.ours[*hand];
        let in_hand = |hand: usize| trump.map_or(0, |trump| position.held[hand][trump as usize].count_ones());
        let trumps = (0..Place::HANDS).filter(own).map(in_hand).sum();
        Look { trump, downtown, books: outlook::tricks(&position, params, 13.0, 0), trumps }
    }

    /// All contracts of a kind.
    fn all(view: &View<'_, DummyWhist>, kind: Kind, params: &Params) -> impl Iterator<Item = Look> {
        let (suits, directions) = if kind == Kind::NoTrump { (0, 2) } else { (4, 0) };
        let suited = Suit::ALL.into_iter().take(suits).map(move |suit| (Some(suit), kind == Kind::Downtown));
        let plain = [false, true].into_iter().take(directions).map(|downtown| (None, downtown));
        suited.chain(plain).map(move |(trump, downtown)| Look::new(view, trump, downtown, params))
    }

    /// The trumps or direction to name once the dummy is open. Many trumps are worth more than the books they promise,
    /// because they keep control.
    fn best(view: &View<'_, DummyWhist>, params: &Params, may_name: impl Fn(&Look) -> bool) -> Look {
        let kind = view.public().bid().map_or(Kind::Uptown, |bid| bid.kind);
        let fit = |look: &Look| look.books + 0.2 * look.trumps as f32;
        let better = |a: Look, b: Look| if fit(&b) > fit(&a) { b } else { a };
        Look::all(view, kind, params).filter(may_name).reduce(better).expect("there is something to name")
    }

    /// The call that names its trumps or its direction.
    fn call(&self) -> Move {
        self.trump.map_or_else(|| name_direction(self.downtown), name_trump)
    }
}

/// The books that a declarer may expect with a kind of bid. What partner's hand and the choice of trumps add to what
/// the own hand promises is fitted to play.
fn expected(view: &View<'_, DummyWhist>, kind: Kind, params: &Params) -> f32 {
    let (mut first, mut second) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
    for Look { books, .. } in Look::all(view, kind, params) {
        (first, second) = (first.max(books), second.max(books.min(first)));
    }
    let rules = view.game().rules();
    match rules.form {
        Form::Humbug => first + 0.3,
        _ => {
            let jokers = if rules.jokers { 0.5 } else { 0.0 };
            let no_trump = if kind == Kind::NoTrump { 0.35 } else { 0.0 };
            1.4 + 0.62 * first + 0.3 * second + jokers - no_trump
        }
    }
}

/// The chance to win at least `books` books if `mean` are expected.
fn chance(books: f32, mean: f32) -> f32 {
    /// The largest error of an estimate, in books.
    const SPREAD: f32 = 4.0;
    let part = (0.5 + (mean + 0.5 - books) / (2.0 * SPREAD)).clamp(0.0, 1.0);
    part * part * (3.0 - 2.0 * part)
}

/// What a bid is worth to a declarer who expects `mean` books, as points ahead of another player.
fn worth(rules: &WhistRules, bid: Bid, mean: f32) -> f32 {
    let mut worth = 0.0;
    let mut more = 1.0;
    for books in 0..=13u8 {
        let reached = more;
        more = if books == 13 { 0.0 } else { chance(f32::from(books + 1), mean) };
        let [own, others] = rules.contract_scores(bid.level, bid.kind == Kind::NoTrump, i32::from(books));
        worth += (reached - more) * (own - others) as f32;
    }
    worth
}

/// A bid, or a pass.
pub(super) fn bid(view: &View<'_, DummyWhist>, legal: Moves, params: &Params) -> Move {
    let means = Kind::ALL.map(|kind| expected(view, kind, params));
    let may_pass = legal.contains(PASS);
    let seats = view.game().layout().seats;
    let later = ((view.dealer().index() + seats - view.seat().index()) % seats) as u32;
    let weighed = legal.iter().filter_map(|call| {
        let bid = Bid::of(call)?;
        let mean = means[bid.kind as usize];
        // A higher bid is less often bettered by each of those who come after.
        let height = f32::from(bid.level) - if bid.kind == Kind::NoTrump { 0.5 } else { 1.0 };
        let stands = power((0.4 * height).clamp(0.05, 1.0), later);
        let gain = stands * (worth(view.game().rules(), bid, mean) + params.envy);
        let allowed = gain > 0.0 && chance(f32::from(6 + bid.level), mean) >= params.surety;
        (allowed || !may_pass).then_some((call, gain))
    });
    best_by(weighed, |(_, gain)| gain).map_or(PASS, |(call, _)| call)
}

/// Names trumps or the direction.
pub(super) fn declare(view: &View<'_, DummyWhist>, legal: Moves, params: &Params) -> Move {
    Look::best(view, params, |look| legal.contains(look.call())).call()
}

/// The card of the dummy that is missed the least.
pub(super) fn discard(view: &View<'_, DummyWhist>, cards: CardSet, params: &Params) -> Card {
    let Look { trump, downtown, .. } = Look::best(view, params, |_| true);
    let frame = Frame::new(trump, downtown);
    let all = Position::declaring(view, frame);
    best_card(cards, |card| {
        let mut rest = all;
        if let Some((suit, bit)) = frame.spot(card) {
            rest.held[DUMMY.index()][suit] &= !bit;
        }
        outlook::tricks(&rest, params, 13.0, 0)
    })
}

/// Whether to keep a hand in Humbug.
pub(super) fn keep(view: &View<'_, DummyWhist>, params: &Params) -> Move {
    let (books, needed) = if view.game().rules().turns_up() {
        (Look::new(view, view.public().trump(), false, params).books, params.keep_turned)
    } else {
        let all = Kind::ALL.into_iter().flat_map(|kind| Look::all(view, kind, params));
        (all.map(|look| look.books).fold(0.0, f32::max), params.keep)
    };
    if books >= needed { KEEP } else { EXCHANGE }
}
