//! The games, and the register that lists them: a new game is a file here and a line below.

pub mod chameleon;
pub mod colour_blind;
pub mod dumbo;
pub mod euchre;
mod variant;
pub mod whist;

use std::ops::RangeInclusive;
use std::sync::Arc;

use toml::Table;

use crate::game::{ContractKind, Ending, FieldError, FullGame, Game, Layout, Options, Preset};
pub use variant::Variant;
pub(crate) use variant::{check_name, check_row_name};

/// Work to be done for a game that is only known by name: [`AnyGame::visit`] calls it with the game's type.
pub trait Visitor {
    /// What the work yields.
    type Output;
    /// Does the work.
    fn visit<G: FullGame>(self, game: &Arc<G>) -> Self::Output;
}

/// What is known of a game before its rules are settled.
#[derive(Clone, Copy, Debug)]
pub struct GameInfo {
    /// Its name.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Its named variants.
    pub presets: &'static [Preset],
}

macro_rules! register {
    ($($kind:ident($game:ty)),* $(,)?) => {
        /// Any game, with its rules resolved.
        #[derive(Clone)]
        #[allow(missing_docs)]
        pub enum AnyGame {
            $($kind(Arc<$game>),)*
        }

        /// All games.
        pub const GAMES: &[GameInfo] = &[$(GameInfo {
            name: <$game as Game>::NAME,
            about: <$game as Game>::ABOUT,
            presets: <$game as Game>::PRESETS,
        },)*];

        impl AnyGame {
            /// Does work that needs the game's type.
            pub fn visit<V: Visitor>(&self, visitor: V) -> V::Output {
                match self {
                    $(AnyGame::$kind(game) => visitor.visit(game),)*
                }
            }

            /// The game named `name` under rules that `read` makes; `None` if there is no such game.
            fn build<R: ReadRules>(name: &str, read: R) -> Option<Result<AnyGame, R::Error>> {
                $(if name == <$game as Game>::NAME {
                    let game = read.read::<<$game as Game>::Rules>().and_then(|rules| {
                        <$game>::new(rules).map_err(|error| read.refuse(error))
                    });
                    return Some(game.map(|game| AnyGame::$kind(Arc::new(game))));
                })*
                None
            }
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

/// Where a rules struct comes from.
trait ReadRules {
    type Error;
    /// The rules.
    fn read<R: Options>(&self) -> Result<R, Self::Error>;
    /// The error for rules that the game does not accept.
    fn refuse(&self, error: FieldError) -> Self::Error;
}

impl AnyGame {
    /// The game's name.
    pub fn name(&self) -> &'static str {
        struct Name;
        impl Visitor for Name {
            type Output = &'static str;
            fn visit<G: FullGame>(self, _game: &Arc<G>) -> &'static str {
                G::NAME
            }
        }
        self.visit(Name)
    }

    /// The game's shape.
    pub fn layout(&self) -> Layout {
        struct Shape;
        impl Visitor for Shape {
            type Output = Layout;
            fn visit<G: FullGame>(self, game: &Arc<G>) -> Layout {
                game.layout().clone()
            }
        }
        self.visit(Shape)
    }

    /// The lowest and the highest score that a seat can have in one deal.
    pub fn score_range(&self) -> RangeInclusive<i32> {
        struct Range;
        impl Visitor for Range {
            type Output = RangeInclusive<i32>;
            fn visit<G: FullGame>(self, game: &Arc<G>) -> RangeInclusive<i32> {
                game.score_range()
            }
        }
        self.visit(Range)
    }

    /// When a match of it ends.
    pub fn ending(&self) -> Ending {
        struct End;
        impl Visitor for End {
            type Output = Ending;
            fn visit<G: FullGame>(self, game: &Arc<G>) -> Ending {
                game.ending()
            }
        }
        self.visit(End)
    }

    /// The kinds of contract that its results are broken down by.
    pub fn contract_kinds(&self) -> Vec<ContractKind> {
        struct Kinds;
        impl Visitor for Kinds {
            type Output = Vec<ContractKind>;
            fn visit<G: FullGame>(self, game: &Arc<G>) -> Vec<ContractKind> {
                game.contract_kinds()
            }
        }
        self.visit(Kinds)
    }

    /// Every rule with its value.
    pub fn rules(&self) -> Table {
        struct Rules;
        impl Visitor for Rules {
            type Output = Table;
            fn visit<G: FullGame>(self, game: &Arc<G>) -> Table {
                Table::try_from(game.rules()).expect("rules are plain values")
            }
        }
        self.visit(Rules)
    }
}
