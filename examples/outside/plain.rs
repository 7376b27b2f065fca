//! Plain: thirteen tricks, a point each. Rules PL1-PL4.

use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use overtrick::cards::{Card, Deck, Generator, Order, Pack, Rank, Stream};
use overtrick::game::{
    Aside, Describe, Ending, FieldError, Game, Infer, Layout, Move, Moves, Options, Preset, Setup, State,
};
use overtrick::table::{BySeat, Place, Seat, Table};

/// The rules of Plain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct PlainRules {
    /// Points for each trick, 0 to 100 (PL3).
    pub trick_points: i32,
    /// How many deals a match has, 1 to 65536 (PL4).
    pub n_deals: u32,
}

impl Default for PlainRules {
    fn default() -> PlainRules {
        PlainRules { trick_points: 1, n_deals: 6 }
    }
}

impl Options for PlainRules {
    fn validate(&self) -> Result<(), FieldError> {
        FieldError::check("trick-points", self.trick_points, 0..=100)?;
        FieldError::check("n-deals", self.n_deals, 1..=65_536)
    }
}

/// The game.
pub struct Plain {
    rules: PlainRules,
    layout: Layout,
    order: Order,
}

impl Game for Plain {
    const NAME: &'static str = "plain";

    const ABOUT: &'static str = "thirteen tricks, a point each";

    const PRESETS: &'static [Preset] = &[Preset { name: "plain", about: "for three", rules: "" }];

    const FOLLOW_RULE: &'static str = "PL1";

    const TURN_RULE: &'static str = "PL2";

    const IN_STEP: bool = true;

    type Rules = PlainRules;

    type Public = ();

    fn new(rules: PlainRules) -> Result<Plain, FieldError> {
        rules.validate()?;
        let layout =
            Layout { seats: 3, deck: Deck::Full52, cards_each: 13, hands: &["p0", "p1", "p2"], partners: false };
        let order = Order::with_trumps(None, Card::suit, |card| card.rank().map_or(0, Rank::strength));
        Ok(Plain { rules, layout, order })
    }

    fn rules(&self) -> &PlainRules {
        &self.rules
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn ending(&self) -> Ending {
        Ending::Deals(self.rules.n_deals)
    }

    fn first_dealer(&self, _luck: impl FnOnce() -> Stream) -> Seat {
        Seat::Seat0
    }

    fn lay_out<R: Generator>(&self, table: &mut Table, setup: Setup, rng: &mut Stream<R>) {
        let mut pack = Pack::new(Deck::Full52.cards(), rng);
        for hand in [Place::Hand0, Place::Hand1, Place::Hand2] {
            table.lay(hand, pack.take(13));
        }
        // The cards left over are hidden, like all that lie in a place.
        table.lay(Place::Pile4, pack.take(13));
        table.give_turn(Place::hand(setup.dealer.left(1, 3)));
    }

    fn legal(&self, state: &State<()>) -> Moves {
        state.table.legal_plays(&self.order)
    }

    fn play_unchecked(&self, state: &mut State<()>, chosen: Move) {
        state.table.play(chosen.to_card(), &self.order);
    }

    fn is_over(&self, state: &State<()>) -> bool {
        state.table.tricks_played() == 13
    }

    fn scores(&self, state: &State<()>) -> BySeat<i32> {
        BySeat::from_fn(|seat| self.rules.trick_points * i32::from(state.table.tricks_won(Place::hand(seat))))
    }

    fn score_range(&self) -> RangeInclusive<i32> {
        0..=13 * self.rules.trick_points
    }

    fn order(&self, _state: &State<()>) -> Option<&Order> {
        Some(&self.order)
    }
}

impl Describe for Plain {
    fn reasons(&self, state: &State<()>) -> Vec<String> {
        Seat::all(3).map(|seat| format!("{} tricks (PL3)", state.table.tricks_won(Place::hand(seat)))).collect()
    }

    fn asides(&self, _dealt: &State<()>, _over: &State<()>) -> Vec<Aside> {
        Vec::new()
    }
}

impl Infer for Plain {}
