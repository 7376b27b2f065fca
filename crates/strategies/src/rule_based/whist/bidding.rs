//! Calls: estimates a declarer's books, and bids, names, discards and keeps by the estimate.

use overtrick_cards::{Card, CardSet, Suit};
use overtrick_game::{Game, Move, Moves, View};
use overtrick_games::whist::{
    Bid, DUMMY, DummyWhist, EXCHANGE, Form, KEEP, Kind, PASS, WhistRules, name_direction, name_trump,
};

use super::Params;
use super::estimate::{Estimator, QueuedHoldings};
use super::position::{CHAIRS, Frame, SeenCards, side};
use super::worth::Suits;
use crate::rule_based::choice::{best_by, best_card, smooth_step};
use crate::rule_based::reading::power;

/// Trumps and a direction that may be named, with the estimate for them.
#[derive(Clone, Copy)]
struct TrumpChoice {
    trump: Option<Suit>,
    downtown: bool,
    estimate: QueuedHoldings,
    /// The number of trumps that the bidder sees in their own hands.
    trumps: u32,
}

impl TrumpChoice {
    /// Returns the choice with these trumps and this direction.
    #[inline(always)]
    fn new(estimator: &mut Estimator<'_>, trump: Option<Suit>, downtown: bool, suits: &mut Suits) -> TrumpChoice {
        let now = estimator.now();
        let own = |chair: &usize| side(*chair) == 0;
        let in_hand = |chair: usize| trump.map_or(0, |trump| now[trump as usize].lane(chair).count_ones());
        let trumps = (0..CHAIRS).filter(own).map(in_hand).sum();
        TrumpChoice { trump, downtown, estimate: estimator.put(now, 0, suits), trumps }
    }

    /// Returns the books that the cards promise, once the suits are computed.
    #[inline(always)]
    fn books(&self, suits: &Suits, params: &Params) -> f32 {
        self.estimate.tricks(suits, params, 13.0, 0)
    }

    /// Returns the choices for all contracts of some kinds.
    #[inline(always)]
    fn all(seen: &SeenCards, kinds: &[Kind], suits: &mut Suits) -> TrumpChoices {
        suits.clear(seen.playing);
        let mut choices: TrumpChoices = [[None; 4]; Kind::ALL.len()];
        for (kind, downtown) in [(Kind::Uptown, false), (Kind::Downtown, true)] {
            let mut knowledge = seen.in_frame(Frame::new(None, downtown));
            let no_trump = TrumpChoice::new(&mut Estimator::new(&knowledge), None, downtown, suits);
            if kinds.contains(&Kind::NoTrump) {
                choices[Kind::NoTrump as usize][usize::from(downtown)] = Some(no_trump);
            }
            if !kinds.contains(&kind) {
                continue;
            }
            for trump in Suit::ALL {
                // Without jokers, the choice of trumps changes no card's lane.
                let choice = if seen.has_jokers() {
                    knowledge = seen.in_frame(Frame::new(Some(trump), downtown));
                    TrumpChoice::new(&mut Estimator::new(&knowledge), Some(trump), downtown, suits)
                } else {
                    knowledge.trump = trump as usize;
                    TrumpChoice::new(
                        &mut Estimator::beside(&knowledge, &no_trump.estimate),
                        Some(trump),
                        downtown,
                        suits,
                    )
                };
                choices[kind as usize][trump as usize] = Some(choice);
            }
        }
        suits.finish();
        choices
    }

    /// Returns the best trumps or direction to name once the dummy is open.
    ///
    /// Many trumps are worth more than the books that they promise, because they keep control.
    #[inline(always)]
    fn best(
        view: &View<'_, DummyWhist>,
        params: &Params,
        suits: &mut Suits,
        may_name: impl Fn(&TrumpChoice) -> bool,
    ) -> TrumpChoice {
        let kind = view.public().bid().map_or(Kind::Uptown, |bid| bid.kind);
        let choices = TrumpChoice::all(&SeenCards::declaring(view), &[kind], suits);
        let fit = |choice: &TrumpChoice| choice.books(suits, params) + 0.2 * choice.trumps as f32;
        best_by(of_kind(&choices, kind).filter(may_name), |choice| fit(&choice)).expect("there is something to name")
    }

    /// Returns the call that names the trumps or the direction.
    fn call(&self) -> Move {
        self.trump.map_or_else(|| name_direction(self.downtown), name_trump)
    }
}

/// Choices of trumps by kind of bid.
type TrumpChoices = [[Option<TrumpChoice>; 4]; Kind::ALL.len()];

/// Returns the choices of one kind.
#[inline(always)]
fn of_kind(choices: &TrumpChoices, kind: Kind) -> impl Iterator<Item = TrumpChoice> {
    choices[kind as usize].into_iter().flatten()
}

/// Returns the books that a declarer may expect with a kind of bid.
///
/// The additions for partner's hand and the choice of trumps are fitted to play.
#[inline(always)]
fn expected(rules: &WhistRules, choices: &TrumpChoices, kind: Kind, params: &Params, suits: &Suits) -> f32 {
    let (mut first, mut second) = (f32::NEG_INFINITY, f32::NEG_INFINITY);
    for choice in of_kind(choices, kind) {
        let books = choice.books(suits, params);
        (first, second) = (first.max(books), second.max(books.min(first)));
    }
    let with_dummy = 0.62 * first + 0.3 * second;
    match rules.form {
        Form::DummyWhist if rules.jokers => 1.9 + with_dummy,
        Form::DummyWhist => 1.4 + with_dummy,
        Form::DoubleDummy => 1.9 + with_dummy,
        Form::Humbug => 0.7 + first,
    }
}

/// Returns the chance to win at least `books` books if `mean` are expected.
fn chance(books: f32, mean: f32) -> f32 {
    /// The largest error of an estimate, in books.
    const SPREAD: f32 = 4.0;
    smooth_step(0.5 + (mean + 0.5 - books) / (2.0 * SPREAD))
}

/// Returns, by number of books, the chance to win exactly that number if `mean` are expected.
#[inline(always)]
fn chances_of(mean: f32) -> [f32; 14] {
    let (mut chances, mut reached) = ([0.0; 14], 1.0);
    for (books, exactly) in chances.iter_mut().enumerate() {
        let more = if books == 13 { 0.0 } else { chance(books as f32 + 1.0, mean) };
        *exactly = reached - more;
        reached = more;
    }
    chances
}

/// Returns the worth of a bid to a declarer, in points ahead of another player.
///
/// `chances` has the chance of each number of books.
#[inline(always)]
fn worth(rules: &WhistRules, bid: Bid, chances: &[f32; 14]) -> f32 {
    let mut worth = 0.0;
    for (books, chance) in chances.iter().enumerate() {
        let [own, others] = rules.contract_scores(bid.level, bid.kind == Kind::NoTrump, books as i32);
        worth += chance * (own - others) as f32;
    }
    worth
}

/// Chooses a bid or a pass.
#[inline(always)]
pub(super) fn bid(view: &View<'_, DummyWhist>, legal: Moves, params: &Params, suits: &mut Suits) -> Move {
    let (seen, rules) = (SeenCards::declaring(view), view.game().rules());
    let choices = TrumpChoice::all(&seen, &Kind::ALL, suits);
    let (mut means, mut chances) = ([0.0; 3], [[0.0; 14]; 3]);
    for kind in Kind::ALL {
        let mean = expected(rules, &choices, kind, params, suits);
        (means[kind as usize], chances[kind as usize]) = (mean, chances_of(mean));
    }
    let may_pass = legal.contains(PASS);
    let seats = view.game().layout().seats;
    let later = ((view.dealer().index() + seats - view.seat().index()) % seats) as u32;
    let weighed = legal.iter().filter_map(|call| {
        let bid = Bid::of(call)?;
        if may_pass && chance(f32::from(6 + bid.level), means[bid.kind as usize]) < params.surety {
            return None;
        }
        // A higher bid is overbid less often by each of the later players.
        let height = f32::from(bid.level) - if bid.kind == Kind::NoTrump { 0.5 } else { 1.0 };
        let stands = power((0.4 * height).clamp(0.05, 1.0), later);
        let gain = stands * (worth(rules, bid, &chances[bid.kind as usize]) + params.envy);
        (gain > 0.0 || !may_pass).then_some((call, gain))
    });
    best_by(weighed, |(_, gain)| gain).map_or(PASS, |(call, _)| call)
}

/// Names trumps or the direction.
#[inline(always)]
pub(super) fn declare(view: &View<'_, DummyWhist>, legal: Moves, params: &Params, suits: &mut Suits) -> Move {
    TrumpChoice::best(view, params, suits, |choice| legal.contains(choice.call())).call()
}

/// Chooses the dummy's most dispensable card.
#[inline(always)]
pub(super) fn discard(view: &View<'_, DummyWhist>, cards: CardSet, params: &Params, suits: &mut Suits) -> Card {
    let TrumpChoice { trump, downtown, .. } = TrumpChoice::best(view, params, suits, |_| true);
    let frame = Frame::new(trump, downtown);
    let seen = SeenCards::declaring(view);
    let knowledge = seen.in_frame(frame);
    let mut estimator = Estimator::new(&knowledge);
    let mut estimates = [None; 64];
    suits.clear(seen.playing);
    for card in cards {
        let (mut rest, mut changed) = (knowledge.now, 0);
        if let Some((suit, bit)) = frame.spot(card) {
            rest[suit].take(knowledge.chairs[DUMMY.index()], bit);
            changed = 1 << suit;
        }
        estimates[card.index()] = Some(estimator.put(&rest, changed, suits));
    }
    suits.finish();
    let value = |card: Card| estimates[card.index()].map_or(0.0, |rest| rest.tricks(suits, params, 13.0, 0));
    best_card(cards, value)
}

/// Decides whether to keep a hand in Humbug.
#[inline(always)]
pub(super) fn keep(view: &View<'_, DummyWhist>, params: &Params, suits: &mut Suits) -> Move {
    let seen = SeenCards::declaring(view);
    let (books, needed) = if view.game().rules().turns_up() {
        let trump = view.public().trump();
        suits.clear(seen.playing);
        let knowledge = seen.in_frame(Frame::new(trump, false));
        let choice = TrumpChoice::new(&mut Estimator::new(&knowledge), trump, false, suits);
        suits.finish();
        (choice.books(suits, params), params.keep_turned)
    } else {
        let choices = TrumpChoice::all(&seen, &Kind::ALL, suits);
        let all = Kind::ALL.into_iter().flat_map(|kind| of_kind(&choices, kind));
        (all.map(|choice| choice.books(suits, params)).fold(0.0, f32::max), params.keep)
    };
    if books >= needed { KEEP } else { EXCHANGE }
}
