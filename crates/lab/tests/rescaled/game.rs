//! Rescaled: each of the five games with planted effects.
//!
//! Scores are multiplied, seats are given points, and in a share of the deals the scores are passed round at
//! random. A strategy plays it as the rule-based bot plays the game inside. It knows nothing of these
//! effects, so the play is always the same.

use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use overtrick_cards::table::{BySeat, Place, Seat, Table};
use overtrick_cards::{CardSet, Generator, Order, Stream};
use overtrick_game::{
    Aside, Contract, ContractKind, ContractResult, Describe, Ending, FieldError, FullGame, Game, IllegalMove, Infer,
    Layout, Move, Moves, Options, Preset, PublicExtras, Setup, Sides, State, View,
};
use overtrick_games::{
    chameleon::Chameleon, colour_blind::ColourBlind, dumbo::Dumbo, euchre::Euchre, whist::DummyWhist,
};
use overtrick_strategies::{Bot, BuildContext, Register, StrategySpec};
use overtrick_strategy::Strategy;

/// The variants, one for each game.
pub const VARIANTS: [&str; 5] =
    ["rescaled-dumbo", "rescaled-euchre", "rescaled-dummy-whist", "rescaled-colour-blind", "rescaled-chameleon"];

/// A game that is rescaled, under its default rules.
pub trait Inside: FullGame {
    /// The name of the rescaled game.
    const OUTER: &'static str;
    /// Its only variant.
    const VARIANT: &'static [Preset];
}

macro_rules! inside {
    ($($game:ty: $name:literal),* $(,)?) => {
        $(impl Inside for $game {
            const OUTER: &'static str = $name;
            const VARIANT: &'static [Preset] = &[Preset { name: $name, about: "with planted effects", rules: "" }];
        })*
    };
}

inside! {
    Dumbo: "rescaled-dumbo",
    Euchre: "rescaled-euchre",
    DummyWhist: "rescaled-dummy-whist",
    ColourBlind: "rescaled-colour-blind",
    Chameleon: "rescaled-chameleon",
}

/// The rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct RescaledRules {
    /// The factor of all scores.
    pub factor: i32,
    /// Points that the dealer is given, before scores are multiplied.
    pub dealer_gift: i32,
    /// Points that forehand is given.
    pub forehand_gift: i32,
    /// Points that rearhand is given.
    pub rearhand_gift: i32,
    /// In how many per cent of deals scores are handed round by lot.
    pub lot: i32,
}

impl Default for RescaledRules {
    fn default() -> RescaledRules {
        RescaledRules { factor: 1, dealer_gift: 0, forehand_gift: 0, rearhand_gift: 0, lot: 0 }
    }
}

impl RescaledRules {
    fn gifts(&self) -> [i32; 3] {
        [self.dealer_gift, self.forehand_gift, self.rearhand_gift]
    }
}

impl Options for RescaledRules {
    fn validate(&self) -> Result<(), FieldError> {
        FieldError::check("factor", self.factor, 1..=10)?;
        for (key, gift) in ["dealer-gift", "forehand-gift", "rearhand-gift"].into_iter().zip(self.gifts()) {
            FieldError::check(key, gift, -100..=100)?;
        }
        FieldError::check("lot", self.lot, 0..=100)
    }
}

/// A rescaled game.
pub struct Rescaled<D: Inside> {
    rules: RescaledRules,
    inside: D,
}

impl<D: Inside> Rescaled<D> {
    /// Returns a hash of the cards in the order of play, which says nothing about skill.
    fn lot(&self, state: &State<D::Public>) -> u64 {
        let plays = state.table.plays().iter();
        plays.fold(0xcbf2_9ce4_8422_2325, |hash, card| {
            let text = card.to_string();
            text.bytes().fold(hash, |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
        }) >> 16
    }
}

impl<D: Inside> Game for Rescaled<D> {
    const NAME: &'static str = D::OUTER;
    const ABOUT: &'static str = "a game with planted effects";
    const PRESETS: &'static [Preset] = D::VARIANT;
    const FOLLOW_RULE: &'static str = D::FOLLOW_RULE;
    const TURN_RULE: &'static str = D::TURN_RULE;

    type Rules = RescaledRules;
    type Public = D::Public;

    fn new(rules: RescaledRules) -> Result<Rescaled<D>, FieldError> {
        rules.validate()?;
        Ok(Rescaled { rules, inside: D::new(D::Rules::default())? })
    }

    fn rules(&self) -> &RescaledRules {
        &self.rules
    }

    fn layout(&self) -> &Layout {
        self.inside.layout()
    }

    fn ending(&self) -> Ending {
        match self.inside.ending() {
            Ending::Target { points, ties } => Ending::Target { points: points * self.rules.factor, ties },
            deals => deals,
        }
    }

    fn first_dealer(&self, luck: impl FnOnce() -> Stream) -> Seat {
        self.inside.first_dealer(luck)
    }

    fn single_deals_are_last(&self) -> bool {
        self.inside.single_deals_are_last()
    }

    fn cycle(&self) -> u32 {
        self.inside.cycle()
    }

    fn counts_totals(&self) -> bool {
        self.inside.counts_totals()
    }

    fn lay_out<R: Generator>(&self, table: &mut Table, setup: Setup, rng: &mut Stream<R>) -> D::Public {
        self.inside.lay_out(table, setup, rng)
    }

    fn legal(&self, state: &State<D::Public>) -> Moves {
        self.inside.legal(state)
    }

    fn play_unchecked(&self, state: &mut State<D::Public>, chosen: Move) {
        self.inside.play_unchecked(state, chosen);
    }

    fn is_over(&self, state: &State<D::Public>) -> bool {
        self.inside.is_over(state)
    }

    fn scores(&self, state: &State<D::Public>) -> BySeat<i32> {
        let seats = self.layout().seats;
        let lot = self.lot(state);
        let steps = if lot % 100 < self.rules.lot as u64 { (lot / 100) as usize % seats } else { 0 };
        let own = self.inside.scores(state);
        let gifts = self.rules.gifts();
        let dealer = state.table.dealer();
        BySeat::from_fn(|seat| {
            // There are always three seats in a `BySeat`.
            if seat.index() >= seats {
                return 0;
            }
            let role = (seat.index() + seats - dealer.index()) % seats;
            (own[seat.left(steps, seats)] + gifts[role]) * self.rules.factor
        })
    }

    fn score_range(&self) -> RangeInclusive<i32> {
        let (low, high) = self.inside.score_range().into_inner();
        let gifts = self.rules.gifts();
        let (least, most) = (gifts.iter().min().unwrap(), gifts.iter().max().unwrap());
        (low + least) * self.rules.factor..=(high + most) * self.rules.factor
    }

    fn order(&self, state: &State<D::Public>) -> Option<&Order> {
        self.inside.order(state)
    }

    fn contract_result(&self, over: &State<D::Public>) -> Option<ContractResult> {
        self.inside.contract_result(over)
    }

    fn anytime(&self, public: &D::Public) -> CardSet {
        self.inside.anytime(public)
    }

    fn counts(&self, over: &State<D::Public>) -> bool {
        self.inside.counts(over)
    }

    fn thrown_in_earlier(&self, over: &State<D::Public>) -> Option<bool> {
        self.inside.thrown_in_earlier(over)
    }

    fn renege_moves(&self, state: &State<D::Public>) -> Moves {
        self.inside.renege_moves(state)
    }

    fn call_text(&self, call: u8) -> Option<String> {
        self.inside.call_text(call)
    }

    fn move_text(&self, state: &State<D::Public>, chosen: Move) -> Option<String> {
        self.inside.move_text(state, chosen)
    }

    fn why_not(&self, state: &State<D::Public>, chosen: Move) -> IllegalMove {
        self.inside.why_not(state, chosen)
    }
}

impl<D: Inside> Describe for Rescaled<D> {
    fn move_texts(&self) -> Vec<(Move, String)> {
        self.inside.move_texts()
    }

    fn reasons(&self, state: &State<D::Public>) -> Vec<String> {
        self.inside.reasons(state)
    }

    fn dealt_hand(&self, dealt: &State<D::Public>, hand: Place) -> CardSet {
        self.inside.dealt_hand(dealt, hand)
    }

    fn asides(&self, dealt: &State<D::Public>, over: &State<D::Public>) -> Vec<Aside> {
        self.inside.asides(dealt, over)
    }

    fn contract(&self, state: &State<D::Public>) -> Option<Contract> {
        self.inside.contract(state)
    }

    fn contract_kinds(&self) -> Vec<ContractKind> {
        self.inside.contract_kinds()
    }

    fn is_exceptional(&self, over: &State<D::Public>, _scores: &BySeat<i32>) -> bool {
        self.inside.is_exceptional(over, &self.inside.scores(over))
    }

    fn public_extras(&self, public: &D::Public) -> PublicExtras {
        self.inside.public_extras(public)
    }
}

impl<D: Inside> Infer for Rescaled<D> {
    fn sides(&self, state: &State<D::Public>) -> Option<Sides> {
        self.inside.sides(state)
    }

    fn sealed_calls(&self) -> Moves {
        self.inside.sealed_calls()
    }
}

/// The parameters of a strategy that plays as another bot plays the game inside: none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct InsideParams {}

impl Options for InsideParams {
    fn validate(&self) -> Result<(), FieldError> {
        Ok(())
    }
}

impl StrategySpec for InsideParams {
    const NAME: &'static str = "inside";
    const ABOUT: &'static str = "plays as the rule-based bot plays the game inside";

    fn build<G: FullGame>(&self, context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError> {
        context
            .only_for(PlaysInside::<Dumbo>::new())
            .or_else(|| context.only_for(PlaysInside::<Euchre>::new()))
            .or_else(|| context.only_for(PlaysInside::<DummyWhist>::new()))
            .or_else(|| context.only_for(PlaysInside::<ColourBlind>::new()))
            .or_else(|| context.only_for(PlaysInside::<Chameleon>::new()))
            .ok_or_else(|| context.does_not_play::<G>())
    }
}

/// A strategy for the game inside that plays the rescaled game.
struct PlaysInside<D: Inside>(Box<dyn Strategy<D>>);

impl<D: Inside> PlaysInside<D> {
    fn new() -> PlaysInside<D> {
        let bot = Bot::built_in().find(|bot| bot.name == "rule-based").unwrap();
        PlaysInside(bot.spec.build::<D>(&BuildContext::default()).unwrap())
    }
}

impl<D: Inside> Strategy<Rescaled<D>> for PlaysInside<D> {
    fn choose(&mut self, view: &View<'_, Rescaled<D>>, legal: Moves, rng: &mut Stream) -> Move {
        self.0.choose(&view.of(&view.game().inside, |state| state), legal, rng)
    }
}

/// Returns the register with the rescaled games and the strategy that plays them.
pub fn register() -> Register {
    let register = Register::default().game::<Rescaled<Dumbo>>().unwrap();
    let register = register.game::<Rescaled<Euchre>>().unwrap().game::<Rescaled<DummyWhist>>().unwrap();
    let register = register.game::<Rescaled<ColourBlind>>().unwrap().game::<Rescaled<Chameleon>>().unwrap();
    register.strategy::<InsideParams>().unwrap()
}
