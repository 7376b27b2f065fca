//! The whist family by rule: bids what the hand promises with an average partner, names what fits both hands best, and plays for the side.

mod promise;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sense::{Aim, Sense};
use crate::cards::{Card, CardSet, Stream, Suit};
use crate::game::{FieldError, Game, Move, Moves, RuleSet, View};
use crate::games::whist::{Bid, DUMMY, DummyWhist, EXCHANGE, Form, KEEP, Kind, Phase, name_direction, name_trump};
use crate::games::whist::{PASS, second_hand};
use crate::strategy::Strategy;
use crate::table::{Place, Seat};
use promise::{Promise, promise};

/// How the strategy plays the whist family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {
    /// How many books fewer than it expects it bids with a partner hand unseen, -3 to 6.
    pub caution: f32,
    /// The same in Humbug, where there is no partner, -3 to 6.
    pub caution_alone: f32,
    /// What an ace is worth, in books, 0 to 2; other high cards in proportion.
    pub ace: f32,
    /// What each trump beyond three is worth, in books, 0 to 2.
    pub length: f32,
    /// The share of the books it does not promise that an unseen partner hand wins, 0 to 1.
    pub partner: f32,
    /// What its hand must promise in its best contract for it to be kept in Humbug, in books, 0 to 13.
    pub keep: f32,
    /// What it is worth to keep a card that cannot be beaten, in tricks, 0 to 2.
    pub thrift: f32,
}

impl Default for Params {
    fn default() -> Params {
        Params { caution: -2.2, caution_alone: -2.2, ace: 0.95, length: 0.75, partner: 0.36, keep: 5.0, thrift: 0.6 }
    }
}

impl RuleSet for Params {
    fn validate(&self) -> Result<(), FieldError> {
        FieldError::check("dummy-whist.caution", self.caution, -3.0..=6.0)?;
        FieldError::check("dummy-whist.caution-alone", self.caution_alone, -3.0..=6.0)?;
        FieldError::check("dummy-whist.ace", self.ace, 0.0..=2.0)?;
        FieldError::check("dummy-whist.length", self.length, 0.0..=2.0)?;
        FieldError::check("dummy-whist.partner", self.partner, 0.0..=1.0)?;
        FieldError::check("dummy-whist.keep", self.keep, 0.0..=13.0)?;
        FieldError::check("dummy-whist.thrift", self.thrift, 0.0..=2.0)
    }
}

/// The strategy.
pub struct RuleBased {
    params: Params,
}

impl RuleBased {
    /// The strategy with these parameters.
    pub fn new(params: Params) -> RuleBased {
        RuleBased { params }
    }

    /// The books that `cards` promise in their best contract of a kind, and that contract's trumps and direction.
    fn best(&self, cards: CardSet, kind: Kind) -> Promise {
        let directions: &[bool] = match kind {
            Kind::Uptown => &[false],
            Kind::Downtown => &[true],
            Kind::NoTrump => &[false, true],
        };
        let trumps: Vec<Option<Suit>> =
            if kind == Kind::NoTrump { vec![None] } else { Suit::ALL.map(Some).into_iter().collect() };
        let all = directions.iter().flat_map(|&low| trumps.iter().map(move |&trump| (trump, low)));
        all.map(|(trump, low)| promise(cards, trump, low, &self.params))
            .max_by(|a, b| a.books.total_cmp(&b.books))
            .expect("there is a contract of each kind")
    }

    /// The books that the side of `view` expects to win with its best contract of a kind.
    fn expected(&self, view: &View<'_, DummyWhist>, kind: Kind) -> f32 {
        let own = self.best(view.own(), kind).books;
        match view.game().rules().form {
            // The dead hands hold a good half of the high cards that are missing, but the longer trumps are as good.
            Form::Humbug => own + self.params.partner * 0.8 * (13.0 - own) - self.params.caution_alone,
            _ => own + self.params.partner * (13.0 - own) - self.params.caution,
        }
    }

    fn bid(&self, view: &View<'_, DummyWhist>, legal: Moves) -> Move {
        // What a point is worth differs by kind: no trump scores double, made or set.
        let bids = Bid::all().filter(|bid| legal.contains(bid.call()));
        let mut best: Option<(f32, Bid)> = None;
        for bid in bids {
            let spare = self.expected(view, bid.kind) - 6.0 - f32::from(bid.level);
            let good =
                if spare >= 0.0 { 10.0 + self.expected(view, bid.kind) - 0.1 * f32::from(bid.level) } else { spare };
            if best.is_none_or(|(most, _)| good > most) {
                best = Some((good, bid));
            }
        }
        match best {
            Some((good, bid)) if good >= 0.0 || !legal.contains(PASS) => bid.call(),
            _ => PASS,
        }
    }

    /// The cards of the declarer's two hands, as far as he sees them.
    fn both(view: &View<'_, DummyWhist>) -> CardSet {
        let partner = match view.game().rules().form {
            Form::DummyWhist => view.cards(DUMMY),
            Form::DoubleDummy => view.cards(second_hand(view.seat())),
            Form::Humbug => CardSet::EMPTY,
        };
        view.own() | partner
    }

    fn name(&self, view: &View<'_, DummyWhist>) -> Move {
        let kind = view.public().bid().map_or(Kind::Uptown, |bid| bid.kind);
        let found = self.best(RuleBased::both(view), kind);
        found.trump.map_or_else(|| name_direction(found.downtown), name_trump)
    }

    /// The dummy's card that is missed the least.
    fn discard(&self, view: &View<'_, DummyWhist>, cards: CardSet) -> Card {
        let kind = view.public().bid().map_or(Kind::Uptown, |bid| bid.kind);
        let both = RuleBased::both(view);
        let found = self.best(both, kind);
        let order = view.game().order_of(found.trump, found.downtown);
        let worth = |card: Card| {
            let suit = (cards & order.follow(card)).len();
            let trump = card.suit() == found.trump && found.trump.is_some();
            u32::from(order.strength(card, card)) * 4 + suit + if trump { 100 } else { 0 }
        };
        cards.iter().min_by_key(|&card| worth(card)).expect("there are cards to discard")
    }

    fn play(&self, view: &View<'_, DummyWhist>, cards: CardSet) -> Card {
        let order = view.order().expect("cards are played under an order");
        let declarer = view.public().declarer();
        let side = |seat: Seat| declarer.map_or(seat == Seat::Seat0, |declarer| seat == declarer);
        let mine = side(view.seat());
        let ours = std::array::from_fn(|hand| {
            let seat = view.decider(Place::ALL[hand]);
            let in_play = view.hands_in_trick() == 4 || hand < 2;
            in_play && side(seat) == mine
        });
        Sense::new(view, order, ours, self.params.thrift).choose(cards, Aim::Win)
    }
}

impl Strategy<DummyWhist> for RuleBased {
    fn choose(&mut self, view: &View<'_, DummyWhist>, legal: Moves, _luck: &mut Stream) -> Move {
        match view.public().phase() {
            Phase::Choice => {
                let kinds: &[Kind] =
                    if view.game().rules().turns_up() { &[Kind::Uptown] } else { &[Kind::Uptown, Kind::Downtown] };
                let books = kinds.iter().map(|&kind| self.best(view.own(), kind).books).fold(0.0, f32::max);
                if books >= self.params.keep { KEEP } else { EXCHANGE }
            }
            Phase::Auction => self.bid(view, legal),
            Phase::Declaration => self.name(view),
            Phase::Discard => Move::card(self.discard(view, legal.card_set())),
            Phase::Play => Move::card(self.play(view, legal.card_set())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategies::rule_based::testing::changed_choices;

    #[test]
    fn every_parameter_changes_the_play() {
        let games = [Form::DummyWhist, Form::Humbug].map(|form| {
            let rules = crate::games::whist::WhistRules { form, ..Default::default() };
            DummyWhist::new(rules).unwrap()
        });
        for (name, params) in [
            ("caution", Params { caution: 1.0, ..Params::default() }),
            ("caution_alone", Params { caution_alone: 1.0, ..Params::default() }),
            ("ace", Params { ace: 0.6, ..Params::default() }),
            ("length", Params { length: 0.2, ..Params::default() }),
            ("partner", Params { partner: 0.1, ..Params::default() }),
            ("keep", Params { keep: 8.0, ..Params::default() }),
            ("thrift", Params { thrift: 0.1, ..Params::default() }),
        ] {
            params.validate().unwrap();
            let changed: usize = (games.iter())
                .map(|game| {
                    let (mut usual, mut other) = (RuleBased::new(Params::default()), RuleBased::new(params.clone()));
                    changed_choices(game, 600, &mut usual, &mut other)
                })
                .sum();
            assert!(changed > 0, "{name} changes nothing");
        }
    }
}
