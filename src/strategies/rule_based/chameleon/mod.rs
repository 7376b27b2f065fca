//! The Chameleon family by rule: bids what length and tops promise, misère with low cards, and plays for tricks or against them.

mod hand;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sense::{Aim, Sense};
use crate::cards::{Card, CardSet, Stream, Suit};
use crate::game::{FieldError, Game, Move, Moves, RuleSet, View};
use crate::games::chameleon::{Bid, CONCEDE, Chameleon, LOWEST, PASS, Phase, SIX_IN_DUMMY, name};
use crate::strategy::Strategy;
use crate::table::Place;
use hand::{best_suit, danger, dangers, is_poor, tricks};

/// How the strategy plays the Chameleon family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {
    /// What it expects of the talon before it has seen it, in tricks, -2 to 4.
    pub talon: f32,
    /// How many tricks fewer than it expects it bids, -2 to 4.
    pub caution: f32,
    /// How many tricks more than the next contract needs it must expect to raise its bid, -2 to 4.
    pub raise: f32,
    /// The danger that a hand may hold for misere, once its two worst cards are gone, in steps of rank, 0 to 40.
    pub misere: f32,
    /// The same with two players, where Dummy's cards can be steered by the opponent, 0 to 40.
    pub misere_two: f32,
    /// The same for misere ouverte, 0 to 40.
    pub ouverte: f32,
    /// The tricks that Dummy's hand must promise for six in dummy not to be conceded, 0 to 10.
    pub concede: f32,
    /// What it is worth to keep a card that cannot be beaten, in tricks, 0 to 2.
    pub thrift: f32,
}

impl Default for Params {
    fn default() -> Params {
        Params {
            talon: 0.8,
            caution: -1.2,
            raise: -0.6,
            misere: 3.0,
            misere_two: 1.0,
            ouverte: 0.0,
            concede: 3.5,
            thrift: 0.6,
        }
    }
}

impl RuleSet for Params {
    fn validate(&self) -> Result<(), FieldError> {
        FieldError::check("chameleon.talon", self.talon, -2.0..=4.0)?;
        FieldError::check("chameleon.caution", self.caution, -2.0..=4.0)?;
        FieldError::check("chameleon.raise", self.raise, -2.0..=4.0)?;
        FieldError::check("chameleon.misere", self.misere, 0.0..=40.0)?;
        FieldError::check("chameleon.misere-two", self.misere_two, 0.0..=40.0)?;
        FieldError::check("chameleon.ouverte", self.ouverte, 0.0..=40.0)?;
        FieldError::check("chameleon.concede", self.concede, 0.0..=10.0)?;
        FieldError::check("chameleon.thrift", self.thrift, 0.0..=2.0)
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

    /// The cheapest legal bid that the hand is good for; pass if there is none.
    fn bid(&self, own: CardSet, seats: usize, legal: Moves) -> Move {
        let params = &self.params;
        let reach = |suit: Suit| tricks(own, Some(suit)) + params.talon - params.caution;
        let dangers = dangers(own, 2);
        let spare = |bid: &Bid| match *bid {
            Bid::Tricks { level, trump: Some(suit) } => reach(suit) - f32::from(level),
            Bid::Tricks { .. } => -1.0,
            Bid::Misere if seats == 2 => params.misere_two - dangers,
            Bid::Misere => params.misere - dangers,
            Bid::MisereOuverte => params.ouverte - dangers,
        };
        let mut best: Option<(f32, Bid)> = None;
        for bid in Bid::all().filter(|bid| legal.contains(bid.call())) {
            let spare = spare(&bid);
            // A misère that can be made is worth more than seven tricks.
            let good = spare + if bid == Bid::Misere { 2.0 } else { 0.0 };
            if spare >= 0.0 && best.is_none_or(|(most, _)| good > most) {
                best = Some((good, bid));
            }
        }
        best.map_or(PASS, |(_, bid)| bid.call())
    }

    /// The card that is missed the least under a bid; without one, for tricks with the given trumps.
    fn discard(&self, hand: CardSet, bid: Option<Bid>, trump: Option<Suit>) -> Card {
        let misere = matches!(bid, Some(Bid::Misere | Bid::MisereOuverte));
        let keep = |card: Card| {
            let left = hand - CardSet::of(card);
            if misere { -dangers(left, 0) - 0.01 * danger(left, card) } else { tricks(left, trump) }
        };
        let length = |card: Card| card.suit().map_or(0, |suit| (hand & CardSet::suit(suit)).len());
        let mut best = hand.first().expect("there are cards to discard");
        let (mut most, mut short) = (keep(best), length(best));
        for card in hand.iter().skip(1) {
            let (value, length) = (keep(card), length(card));
            // Of equals from the shorter suit: a void ruffs.
            if value > most || (value == most && length < short && card.suit() != trump) {
                (best, most, short) = (card, value, length);
            }
        }
        best
    }

    /// The contract: the bid, or the highest number of tricks that the hand is good for.
    fn contract(&self, own: CardSet, bid: Bid, legal: Moves) -> Move {
        if let Bid::Tricks { level, trump } = bid {
            let good = tricks(own, trump) - self.params.raise;
            for higher in (level + 1..=10).rev().filter(|&higher| good >= f32::from(higher)) {
                let call = Bid::Tricks { level: higher, trump }.contract_call();
                if legal.contains(call) {
                    return call;
                }
            }
        }
        bid.contract_call()
    }

    fn play(&self, view: &View<'_, Chameleon>, cards: CardSet) -> Card {
        let order = view.order().expect("cards are played under an order");
        let (public, me) = (view.public(), view.seat());
        let hands = if view.hands_in_trick() == 3 { 3 } else { 2 };
        let ours = std::array::from_fn(|hand| {
            let place = Place::ALL[hand];
            let ours = match public.declarer() {
                Some(declarer) if declarer != me => place != Place::hand(declarer),
                // The declarer plays alone, and in a last deal everybody does.
                _ => place == Place::hand(me),
            };
            hand < hands && ours
        });
        let misere = matches!(public.bid(), Some(Bid::Misere | Bid::MisereOuverte));
        let aim = if misere { Aim::Lose } else { Aim::Win };
        Sense::new(view, order, ours, self.params.thrift).choose(cards, aim)
    }
}

impl Strategy<Chameleon> for RuleBased {
    fn choose(&mut self, view: &View<'_, Chameleon>, legal: Moves, _luck: &mut Stream) -> Move {
        let (public, own) = (view.public(), view.own());
        match public.phase() {
            Phase::Auction => self.bid(own, view.game().layout().seats, legal),
            Phase::SixInDummy => {
                if is_poor(own) && best_suit(own).1 < f32::from(LOWEST) - 3.0 {
                    SIX_IN_DUMMY
                } else {
                    PASS
                }
            }
            Phase::Naming => {
                let (suit, promise) = best_suit(own);
                if promise + self.params.talon >= self.params.concede { name(suit) } else { CONCEDE }
            }
            Phase::Discard => Move::card(self.discard(own, public.bid(), public.trump())),
            Phase::LastDiscard => Move::card(self.discard(own, None, public.trump())),
            Phase::Contract => match public.bid() {
                Some(bid) => self.contract(own, bid, legal),
                None => PASS,
            },
            Phase::Play | Phase::Over => Move::card(self.play(view, legal.card_set())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strategies::rule_based::testing::changed_choices;

    #[test]
    fn every_parameter_changes_the_play() {
        let games = [3, 2].map(|players| {
            let rules = crate::games::chameleon::ChameleonRules { players, ..Default::default() };
            Chameleon::new(rules).unwrap()
        });
        for (name, params) in [
            ("talon", Params { talon: -1.0, ..Params::default() }),
            ("caution", Params { caution: 1.0, ..Params::default() }),
            ("raise", Params { raise: 1.5, ..Params::default() }),
            ("misere", Params { misere: 0.0, ..Params::default() }),
            ("misere_two", Params { misere_two: 6.0, ..Params::default() }),
            ("ouverte", Params { ouverte: 6.0, ..Params::default() }),
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

    #[test]
    fn a_worthless_hand_from_dummy_is_conceded_as_the_parameter_says() {
        use crate::cards::Luck;
        use crate::game::{Setup, Standing};
        use crate::table::Seat;
        let rules = crate::games::chameleon::ChameleonRules { players: 2, ..Default::default() };
        let game = Chameleon::new(rules).unwrap();
        let mut conceded = [0; 2];
        for number in 0..60 {
            let mut luck = Luck::new(1, "test", "concede").stream(number, 0);
            let mut state = game.deal(Setup { dealer: Seat::Seat0, last_deal: false }, &mut luck);
            for call in [PASS, PASS, SIX_IN_DUMMY] {
                game.try_move(&mut state, call).unwrap();
            }
            let standing = Standing::default();
            let view = View::new(&game, &state, &standing, Seat::Seat1);
            for (concede, conceded) in [3.5, 6.0].into_iter().zip(&mut conceded) {
                let mut strategy = RuleBased::new(Params { concede, ..Params::default() });
                *conceded += usize::from(strategy.choose(&view, game.legal(&state), &mut luck) == CONCEDE);
            }
        }
        assert!(0 < conceded[0] && conceded[0] < conceded[1] && conceded[1] < 60, "{conceded:?}");
    }
}
