//! The Chameleon family by rule.
//!
//! The strategy chooses contracts by their expected points above the others. It plays for tricks, for no
//! tricks, or against a misère.

mod bidding;
mod catch;
mod hand;
mod misere;
mod side_view;
mod tricks;

use overtrick_cards::table::Place;
use overtrick_cards::{Card, CardSet};
use overtrick_game::{FieldError, Game, Move, Moves, Options, View};
use overtrick_games::chameleon::{Bid, Chameleon, PASS, Phase, SIX_IN_DUMMY};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rule_based::processor::decide_by_processor;
use bidding::Bidder;
use hand::{is_poor, spare, tricks};
use side_view::{SideView, against, opposed};

/// How the strategy plays the Chameleon family.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {
    /// Points by which a bid must look better than passing, -100 to 100.
    pub caution: f32,
    /// Chance that others are expected to make what they bid, 0 to 1.
    pub respect: f32,
    /// The cost of a point of the others' average, in own points, 0 to 2.
    pub spite: f32,
    /// Tricks that the talon adds to a hand, -2 to 4.
    pub talon: f32,
    /// Worth of choosing between tricks and misere only after the talon, in points, 0 to 100.
    pub hedge: f32,
    /// Weight of the danger of high cards at misere, 0 to 4.
    pub misere: f32,
    /// Worth of a promised trick relative to this trick, 0 to 2.
    pub thrift: f32,
}

impl Default for Params {
    fn default() -> Params {
        Params { caution: 0.0, respect: 0.7, spite: 1.0, talon: 2.1, hedge: 12.0, misere: 0.65, thrift: 0.8 }
    }
}

impl Options for Params {
    fn validate(&self) -> Result<(), FieldError> {
        FieldError::check("chameleon.caution", self.caution, -100.0..=100.0)?;
        FieldError::check("chameleon.respect", self.respect, 0.0..=1.0)?;
        FieldError::check("chameleon.spite", self.spite, 0.0..=2.0)?;
        FieldError::check("chameleon.talon", self.talon, -2.0..=4.0)?;
        FieldError::check("chameleon.hedge", self.hedge, 0.0..=100.0)?;
        FieldError::check("chameleon.misere", self.misere, 0.0..=4.0)?;
        FieldError::check("chameleon.thrift", self.thrift, 0.0..=2.0)
    }
}

/// The rule-based strategy for the Chameleon family.
pub struct RuleBased {
    params: Params,
}

impl RuleBased {
    /// Returns the strategy with these parameters.
    pub fn new(params: Params) -> RuleBased {
        RuleBased { params }
    }

    #[inline(always)]
    fn play(&self, view: &View<'_, Chameleon>, cards: CardSet) -> Card {
        let (side, hand) = (SideView::new(view), view.hand_to_move().index());
        let misere = matches!(view.public().bid(), Some(Bid::Misere | Bid::MisereOuverte));
        if misere {
            let declarer = Place::hand(view.public().declarer().expect("there was a bid"));
            let next = view.after(declarer);
            let others = [next.index(), view.after(next).index()];
            return match opposed(view) {
                None => misere::duck(&side, hand, others, cards),
                Some(_) => misere::attack(&side, hand, declarer.index(), others, view.count(declarer) as u32, cards),
            };
        }
        tricks::choose(&side, hand, cards, self.params.thrift)
    }

    #[inline(always)]
    fn decide(&mut self, view: &View<'_, Chameleon>, legal: Moves) -> Move {
        if legal.len() == 1 {
            return legal.iter().next().expect("there is a move");
        }
        let (public, own) = (view.public(), view.own());
        let bidder = Bidder::new(&self.params, view.game().rules());
        match (public.phase(), public.bid()) {
            (Phase::Auction, _) => bidder.bid(view, legal),
            (Phase::SixInDummy, _) if is_poor(own) => SIX_IN_DUMMY,
            (Phase::SixInDummy, _) => PASS,
            (Phase::Naming, _) => bidder.name(own, legal),
            (Phase::Discard, Some(bid)) => Move::card(bidder.discard(own, against(view), legal.card_set(), bid)),
            (Phase::Discard | Phase::LastDiscard, _) => {
                Move::card(spare(own, legal.card_set(), |rest| tricks(rest, public.trump())))
            }
            (Phase::Contract, _) => bidder.contract(own, against(view), legal),
            (Phase::Play | Phase::Over, _) => Move::card(self.play(view, legal.card_set())),
        }
    }
}

decide_by_processor!(RuleBased, Chameleon);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule_based::testing::changes_choices;

    #[test]
    fn every_parameter_changes_the_play() {
        let games = [3, 2].map(|players| {
            let rules = overtrick_games::chameleon::ChameleonRules { players, ..Default::default() };
            Chameleon::new(rules).unwrap()
        });
        for (name, params) in [
            ("caution", Params { caution: 15.0, ..Params::default() }),
            ("respect", Params { respect: 0.4, ..Params::default() }),
            ("spite", Params { spite: 0.3, ..Params::default() }),
            ("talon", Params { talon: 1.0, ..Params::default() }),
            ("hedge", Params { hedge: 0.0, ..Params::default() }),
            ("misere", Params { misere: 1.5, ..Params::default() }),
            ("thrift", Params { thrift: 0.3, ..Params::default() }),
        ] {
            params.validate().unwrap();
            let changes = games.iter().any(|game| {
                let (mut usual, mut other) = (RuleBased::new(Params::default()), RuleBased::new(params.clone()));
                changes_choices(game, 600, &mut usual, &mut other)
            });
            assert!(changes, "{name} changes nothing");
        }
    }

    #[test]
    fn a_worthless_hand_from_dummy_is_conceded_if_that_is_cheap() {
        use overtrick_cards::SeedSource;
        use overtrick_cards::table::Seat;
        use overtrick_game::{Setup, Standing};
        use overtrick_games::chameleon::{CONCEDE, ChameleonRules};
        use overtrick_strategy::Strategy;
        let mut conceded = [0; 2];
        for (concession, conceded) in [36, 0].into_iter().zip(&mut conceded) {
            let game = Chameleon::new(ChameleonRules { players: 2, concession, ..Default::default() }).unwrap();
            for number in 0..60 {
                let mut rng = SeedSource::new(1, "test", "concede").stream(number, 0);
                let mut state = game.deal(Setup::default(), &mut rng);
                for call in [PASS, PASS, SIX_IN_DUMMY] {
                    game.play(&mut state, call).unwrap();
                }
                let standing = Standing::default();
                let view = View::new(&game, &state, &standing, Seat::Seat1);
                let chosen = RuleBased::new(Params::default()).choose(&view, game.legal(&state), &mut rng);
                *conceded += usize::from(chosen == CONCEDE);
            }
        }
        assert!(conceded[0] < conceded[1] && conceded[1] < 60, "{conceded:?}");
    }
}
