//! A game held without its type, which may be any [`FullGame`].
//!
//! All such games have one type, [`OpenGame`], which calls the game inside through a table of functions.
//! Games of other crates need this form, since code compiled here for each game cannot know them.
//!
//! Code that plays few deals uses this form for the games of this crate, too
//! ([`AnyGame::erased`](super::AnyGame::erased)). It is then compiled once, and not once for each game.

mod public;

use std::any::Any;
use std::ops::RangeInclusive;
use std::sync::Arc;

use overtrick_cards::table::{BySeat, Place, Seat, Table};
use overtrick_cards::{Card, CardSet, Generator, Order, Stream};
use overtrick_game::{
    Aside, Contract, ContractKind, ContractResult, Describe, Ending, FieldError, FullGame, Game, IllegalMove, Infer,
    Layout, Move, Moves, Options, Preset, Prizes, PublicExtras, Setup, Sides, State, View,
};
#[cfg(feature = "schema")]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Table as Toml;

use public::{Held, inner, inner_mut, outer};
pub use public::{OpenPublic, ROOM};

/// A game under its rules, without its type.
///
/// It may keep [`ROOM`] bytes in addition to the table. A program with a game that keeps more does not
/// compile.
pub struct OpenGame {
    inside: Arc<dyn Inside>,
    rules: OpenRules,
    layout: Layout,
}

/// The rules of an open game: a table that its own rules have been read from, and written to again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(JsonSchema))]
#[serde(transparent)]
pub struct OpenRules(
    #[cfg_attr(feature = "schema", schemars(with = "serde_json::Map<String, serde_json::Value>"))] Toml,
);

impl Options for OpenRules {
    fn validate(&self) -> Result<(), FieldError> {
        Ok(())
    }
}

impl OpenGame {
    /// Makes an open game of a game that is not an open game itself.
    pub fn of<G: FullGame>(game: G) -> OpenGame {
        OpenGame::shared(Arc::new(game))
    }

    /// Makes an open game of a shared game.
    pub(super) fn shared<G: FullGame>(game: Arc<G>) -> OpenGame {
        OpenGame { rules: OpenRules(game.written_rules()), layout: Game::layout(&*game).clone(), inside: game }
    }

    /// Returns the game inside, if it is a `G`.
    pub fn inside<G: Game>(&self) -> Option<&G> {
        let any: &dyn Any = &*self.inside;
        any.downcast_ref()
    }

    /// Returns the game's description, in one line.
    pub fn about(&self) -> &'static str {
        self.inside.about()
    }

    /// Returns the game inside, without its type.
    pub(super) fn untyped(&self) -> &dyn Inside {
        &*self.inside
    }

    /// Returns the view in the types of the game inside, if that is a `G`.
    pub fn view<'a, G: Game>(view: &View<'a, OpenGame>) -> Option<View<'a, G>> {
        Some(view.of(view.game().inside()?, inner))
    }
}

/// The conversion of an argument for the game inside.
///
/// States and public values get the types of that game, and everything else is unchanged.
trait HandedOn<P> {
    type Inside;
    fn inside(self) -> Self::Inside;
}

impl<'a, P: Held> HandedOn<P> for &'a State<OpenPublic> {
    type Inside = &'a State<P>;
    fn inside(self) -> &'a State<P> {
        inner(self)
    }
}

impl<'a, P: Held> HandedOn<P> for &'a mut State<OpenPublic> {
    type Inside = &'a mut State<P>;
    fn inside(self) -> &'a mut State<P> {
        inner_mut(self)
    }
}

impl<'a, P: Held> HandedOn<P> for &'a OpenPublic {
    type Inside = &'a P;
    fn inside(self) -> &'a P {
        self.get()
    }
}

macro_rules! as_they_are {
    ($($kind:ty),*) => {
        $(impl<'a, P> HandedOn<P> for $kind {
            type Inside = $kind;
            fn inside(self) -> $kind {
                self
            }
        })*
    };
}

as_they_are!(Move, Place, u8, u64, &'a str, &'a BySeat<i32>);

/// The methods of [`Game`] that are forwarded to the game inside.
macro_rules! of_game {
    ($what:ident) => {
        $what! { Game;
            fn name() -> &'static str;
            fn ending() -> Ending;
            fn single_deals_are_last() -> bool;
            fn cycle() -> u32;
            fn counts_totals() -> bool;
            fn legal(state: &State<OpenPublic>) -> Moves;
            fn play_unchecked(state: &mut State<OpenPublic>, chosen: Move);
            fn play(state: &mut State<OpenPublic>, chosen: Move) -> Result<(), IllegalMove>;
            fn is_over(state: &State<OpenPublic>) -> bool;
            fn scores(over: &State<OpenPublic>) -> BySeat<i32>;
            fn score_range() -> RangeInclusive<i32>;
            fn order(state: &State<OpenPublic>) -> Option<&Order>;
            fn contract_result(over: &State<OpenPublic>) -> Option<ContractResult>;
            fn anytime(public: &OpenPublic) -> CardSet;
            fn counts(over: &State<OpenPublic>) -> bool;
            fn thrown_in_earlier(over: &State<OpenPublic>) -> Option<bool>;
            fn renege_moves(state: &State<OpenPublic>) -> Moves;
            fn call_text(call: u8) -> Option<String>;
            fn move_text(state: &State<OpenPublic>, chosen: Move) -> Option<String>;
            fn read_move(state: &State<OpenPublic>, text: &str) -> Option<Move>;
            fn why_not(state: &State<OpenPublic>, chosen: Move) -> IllegalMove;
            fn why_no_play(state: &State<OpenPublic>, chosen: Move) -> IllegalMove;
        }
    };
}

/// The methods of [`Describe`] that are forwarded.
macro_rules! of_describe {
    ($what:ident) => {
        $what! { Describe;
            fn move_texts() -> Vec<(Move, String)>;
            fn reasons(over: &State<OpenPublic>) -> Vec<String>;
            fn dealt_hand(dealt: &State<OpenPublic>, hand: Place) -> CardSet;
            fn asides(dealt: &State<OpenPublic>, over: &State<OpenPublic>) -> Vec<Aside>;
            fn contract(state: &State<OpenPublic>) -> Option<Contract>;
            fn trumps(state: &State<OpenPublic>) -> CardSet;
            fn contract_kinds() -> Vec<ContractKind>;
            fn is_exceptional(over: &State<OpenPublic>, scores: &BySeat<i32>) -> bool;
            fn scores_so_far(state: &State<OpenPublic>) -> Option<BySeat<i32>>;
            fn remarks(dealt: &State<OpenPublic>, deal: u64) -> Vec<String>;
            fn aside_name(place: Place) -> Option<&'static str>;
            fn public_extras(public: &OpenPublic) -> PublicExtras;
        }
    };
}

/// The methods of [`Infer`] that are forwarded.
macro_rules! of_infer {
    ($what:ident) => {
        $what! { Infer;
            fn sides(state: &State<OpenPublic>) -> Option<Sides>;
            fn prizes(state: &State<OpenPublic>) -> Option<Prizes>;
            fn sealed_calls() -> Moves;
        }
    };
}

macro_rules! declared {
    ($of:ident; $(fn $name:ident($($arg:ident: $kind:ty),*) $(-> $out:ty)?;)*) => {
        $(fn $name(&self $(, $arg: $kind)*) $(-> $out)?;)*
    };
}

macro_rules! by_the_game {
    ($of:ident; $(fn $name:ident($($arg:ident: $kind:ty),*) $(-> $out:ty)?;)*) => {
        $(fn $name(&self $(, $arg: $kind)*) $(-> $out)? {
            <G as $of>::$name(self $(, HandedOn::<G::Public>::inside($arg))*)
        })*
    };
}

macro_rules! by_what_is_inside {
    ($of:ident; $(fn $name:ident($($arg:ident: $kind:ty),*) $(-> $out:ty)?;)*) => {
        $(fn $name(&self $(, $arg: $kind)*) $(-> $out)? {
            self.inside.$name($($arg),*)
        })*
    };
}

/// A game without a static type: the methods of the three traits, with states of [`OpenPublic`].
pub(super) trait Inside: Any + Send + Sync {
    of_game!(declared);
    of_describe!(declared);
    of_infer!(declared);
    fn about(&self) -> &'static str;
    fn layout(&self) -> &Layout;
    fn written_rules(&self) -> Toml;
    fn commented_rules(&self) -> String;
    fn first_dealer(&self, rng: &mut dyn FnMut() -> Stream) -> Seat;
    fn lay_out(&self, table: &mut Table, setup: Setup, rng: &mut Stream<&mut dyn Generator>) -> OpenPublic;
    fn opening(&self, state: &State<OpenPublic>, luck: &mut Stream) -> Option<State<OpenPublic>>;
    fn may_lie(&self, view: &View<'_, OpenGame>, place: Place) -> CardSet;
    fn shows_void(&self, view: &View<'_, OpenGame>, play: Card) -> bool;
}

impl<G: FullGame> Inside for G {
    of_game!(by_the_game);
    of_describe!(by_the_game);
    of_infer!(by_the_game);

    fn about(&self) -> &'static str {
        Game::about(self)
    }

    fn layout(&self) -> &Layout {
        Game::layout(self)
    }

    fn written_rules(&self) -> Toml {
        Toml::try_from(Game::rules(self)).expect("rules are plain values")
    }

    fn commented_rules(&self) -> String {
        super::variant::commented(Game::rules(self))
    }

    fn first_dealer(&self, rng: &mut dyn FnMut() -> Stream) -> Seat {
        Game::first_dealer(self, rng)
    }

    fn lay_out(&self, table: &mut Table, setup: Setup, rng: &mut Stream<&mut dyn Generator>) -> OpenPublic {
        OpenPublic::new(Game::lay_out(self, table, setup, rng))
    }

    fn opening(&self, state: &State<OpenPublic>, luck: &mut Stream) -> Option<State<OpenPublic>> {
        Infer::opening(self, inner(state), luck).as_ref().map(outer)
    }

    fn may_lie(&self, view: &View<'_, OpenGame>, place: Place) -> CardSet {
        Infer::may_lie(self, &view.of(self, inner), place)
    }

    fn shows_void(&self, view: &View<'_, OpenGame>, play: Card) -> bool {
        Infer::shows_void(self, &view.of(self, inner), play)
    }
}

impl Game for OpenGame {
    const NAME: &'static str = "a game of another crate";

    const ABOUT: &'static str = "what another crate says";

    const PRESETS: &'static [Preset] = &[];

    // The inner game makes the messages that cite rule numbers, so its numbers apply.
    const FOLLOW_RULE: &'static str = "";

    const TURN_RULE: &'static str = "";

    type Rules = OpenRules;

    type Public = OpenPublic;

    fn new(_rules: OpenRules) -> Result<OpenGame, FieldError> {
        let problem = "do not say whose they are: make the game, and an open game of it by OpenGame::of".to_owned();
        Err(FieldError { key: "", problem })
    }

    fn rules(&self) -> &OpenRules {
        &self.rules
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn about(&self) -> &'static str {
        self.inside.about()
    }

    fn first_dealer(&self, rng: impl FnOnce() -> Stream) -> Seat {
        let mut rng = Some(rng);
        self.inside.first_dealer(&mut || rng.take().expect("a game can ask once")())
    }

    fn lay_out<R: Generator>(&self, table: &mut Table, setup: Setup, rng: &mut Stream<R>) -> OpenPublic {
        self.inside.lay_out(table, setup, &mut rng.untyped())
    }

    of_game!(by_what_is_inside);
}

impl Describe for OpenGame {
    of_describe!(by_what_is_inside);
}

impl Infer for OpenGame {
    of_infer!(by_what_is_inside);

    fn opening(&self, state: &State<OpenPublic>, luck: &mut Stream) -> Option<State<OpenPublic>> {
        self.inside.opening(state, luck)
    }

    fn may_lie(&self, view: &View<'_, OpenGame>, place: Place) -> CardSet {
        self.inside.may_lie(view, place)
    }

    fn shows_void(&self, view: &View<'_, OpenGame>, play: Card) -> bool {
        self.inside.shows_void(view, play)
    }
}
