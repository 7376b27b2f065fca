//! The games, and the register that lists them.
//!
//! A new game of this crate needs a file here and a line below. [`Games`] also has games of other crates.
//!
//! The following program plays a deal, move by move:
//!
//! ```
#![doc = include_str!("../examples/play_a_deal.rs")]
//! ```

pub mod chameleon;
pub mod colour_blind;
pub mod dumbo;
pub mod encoding;
pub mod euchre;
mod file_games;
mod open;
mod option_comments;
mod register;
mod variant;
pub mod whist;

use std::any::TypeId;
use std::ops::RangeInclusive;
use std::sync::Arc;

pub use file_games::is_game_file;
use open::Inside;
pub use open::{OpenGame, OpenPublic, OpenRules, ROOM};
use overtrick_game::{ContractKind, Ending, FullGame, Game, Layout, Move, Preset};
use overtrick_language::DeclaredGame;
pub use register::Games;
use register::MakeGame;
use toml::Table;
pub use variant::Variant;
pub use variant::{check_name, check_row_name};

/// Work that needs the type of a game known only by name. [`AnyGame::visit`] calls it with that type.
pub trait Visitor {
    /// The result of the work.
    type Output;
    /// Does the work.
    fn visit<G: FullGame>(self, game: &Arc<G>) -> Self::Output;
}

/// The description of a game before its rules are chosen.
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    /// The game's name.
    pub name: &'static str,
    /// The game's description, in one line.
    pub about: &'static str,
    /// The game's named variants.
    pub presets: &'static [Preset],
}

macro_rules! register {
    ($($kind:ident($game:ty)),* $(,)?) => {
        /// Any game, with its rules resolved.
        #[derive(Clone)]
        #[allow(missing_docs)]
        pub enum AnyGame {
            $($kind(Arc<$game>),)*
            /// A game that a file declares.
            Declared(Arc<DeclaredGame>),
            /// A game of another crate.
            Open(Arc<OpenGame>),
        }

        /// All games of this crate.
        pub const GAMES: &[GameInfo] = &[$(GameInfo::of::<$game>(),)*];

        /// The functions that make the games from written rules, in the order of `GAMES`.
        const MAKERS: &[MakeGame] = &[$(|rules| Ok(AnyGame::$kind(Arc::new(rules.game()?))),)*];

        impl AnyGame {
            /// Calls `visitor` with the game's type.
            pub fn visit<V: Visitor>(&self, visitor: V) -> V::Output {
                match self {
                    $(AnyGame::$kind(game) => visitor.visit(game),)*
                    AnyGame::Declared(game) => visitor.visit(game),
                    AnyGame::Open(game) => visitor.visit(game),
                }
            }

            /// Returns the game itself, without its type.
            fn inside(&self) -> &dyn Inside {
                match self {
                    $(AnyGame::$kind(game) => &**game,)*
                    AnyGame::Declared(game) => &**game,
                    AnyGame::Open(game) => game.untyped(),
                }
            }

            /// Returns the same game without its type.
            ///
            /// Code that visits a game is compiled once for each type. Use this form where few deals are
            /// played: it plays the same, at a fraction of the speed.
            pub fn erased(&self) -> Arc<OpenGame> {
                match self {
                    $(AnyGame::$kind(game) => Arc::new(OpenGame::shared(Arc::clone(game))),)*
                    AnyGame::Declared(game) => Arc::new(OpenGame::shared(Arc::clone(game))),
                    AnyGame::Open(game) => Arc::clone(game),
                }
            }
        }

        /// Calls `visitor` with the type of game that `game` names, if it is a type of this crate.
        pub fn visit_type<V: TypeVisitor>(game: TypeId, visitor: V) -> Option<V::Output> {
            $(if game == TypeId::of::<$game>() {
                return Some(visitor.visit::<$game>());
            })*
            if game == TypeId::of::<DeclaredGame>() {
                return Some(visitor.visit::<DeclaredGame>());
            }
            (game == TypeId::of::<OpenGame>()).then(|| visitor.visit::<OpenGame>())
        }
    };
}

register! {
    Dumbo(dumbo::Dumbo),
    Euchre(euchre::Euchre),
    DummyWhist(whist::DummyWhist),
    ColourBlind(colour_blind::ColourBlind),
    Chameleon(chameleon::Chameleon),
}

impl GameInfo {
    const fn of<G: Game>() -> GameInfo {
        GameInfo { name: G::NAME, about: G::ABOUT, presets: G::PRESETS }
    }
}

/// Work that needs a type of game known only at run time.
pub trait TypeVisitor {
    /// The result of the work.
    type Output;
    /// Does the work.
    fn visit<G: FullGame>(self) -> Self::Output;
}

impl AnyGame {
    /// Makes a game of another crate an [`AnyGame`].
    pub fn open<G: FullGame>(game: G) -> AnyGame {
        AnyGame::Open(Arc::new(OpenGame::of(game)))
    }

    /// Returns the game's name.
    pub fn name(&self) -> &'static str {
        self.inside().name()
    }

    /// Returns the game's description, in one line.
    pub fn about(&self) -> &'static str {
        self.inside().about()
    }

    /// Returns the game's shape.
    pub fn layout(&self) -> Layout {
        self.inside().layout().clone()
    }

    /// Returns the lowest and the highest score that a seat can have in one deal.
    pub fn score_range(&self) -> RangeInclusive<i32> {
        self.inside().score_range()
    }

    /// Returns the condition that ends a match of this game.
    pub fn ending(&self) -> Ending {
        self.inside().ending()
    }

    /// Returns the number of deals after which the rules of a deal repeat.
    pub fn cycle(&self) -> u32 {
        self.inside().cycle()
    }

    /// Returns whether the score of a deal depends on the points before it.
    pub fn counts_totals(&self) -> bool {
        self.inside().counts_totals()
    }

    /// Returns the kinds of contract that results are broken down by.
    pub fn contract_kinds(&self) -> Vec<ContractKind> {
        self.inside().contract_kinds()
    }

    /// Returns every move of some deal, with each text that it has.
    pub fn move_texts(&self) -> Vec<(Move, String)> {
        self.inside().move_texts()
    }

    /// Returns every rule with its value.
    pub fn rules(&self) -> Table {
        self.inside().written_rules()
    }
}
