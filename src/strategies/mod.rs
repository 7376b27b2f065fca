//! The strategies, and the register that lists them: a new strategy of this crate is a file here and a line below;
//! [`Register`] has those of others, too.

mod bot;
mod built_in;
pub mod ismcts;
mod open;
mod parameters;
pub mod pimc;
pub mod process;
pub mod random;
mod register;
mod rollout;
pub mod rule_based;
#[cfg(test)]
mod testing;

use std::any::Any;
use std::path::Path;
use std::sync::Arc;

use toml::{Table, Value};

use crate::game::{FieldError, FullGame, Game, Options};
use crate::games::{AnyGame, OpenGame, Variant};
use crate::strategy::Strategy;
pub use bot::Bot;
use open::ForInside;
pub use open::OpenSpec;
pub use parameters::Parameter;
use register::Reader;
pub use register::Register;
pub use rollout::{Rollout, RolloutPolicy};

/// A strategy that can be built: its parameters, which are written like rules, and the games that it plays.
pub trait StrategySpec: Options {
    /// The strategy's name.
    const NAME: &'static str;
    /// What it does, in a line.
    const ABOUT: &'static str;
    /// The strategy with these parameters for a game.
    ///
    /// # Errors
    /// The parameter that keeps it from playing that game; without a key if nothing could make it.
    fn build<G: FullGame>(&self, context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError>;

    /// Makes parameters that name files mean the same wherever they are read again; they were read from a file in the
    /// folder `base_dir`.
    ///
    /// # Errors
    /// A field that cannot be made so.
    fn resolve_paths(&mut self, _home: &Path) -> Result<(), FieldError> {
        Ok(())
    }
}

/// What a strategy is told of the run that it is to play in; most need none of it.
#[derive(Clone, Default)]
pub struct BuildContext {
    /// The variant's name.
    pub variant: String,
    /// The preset that its rules start from.
    pub base: String,
    /// The game under its rules, where it may be one of another crate.
    pub game: Option<AnyGame>,
    /// The thread that it plays on.
    pub thread: usize,
    /// The processes that it shares with its likes on other threads.
    pub process_pool: Option<Arc<process::ProcessPool>>,
}

impl BuildContext {
    /// Alone, on one thread.
    pub fn of(variant: &Variant) -> BuildContext {
        BuildContext {
            variant: variant.name.clone(),
            base: variant.base.clone(),
            game: Some(variant.game.clone()),
            ..BuildContext::default()
        }
    }

    /// A strategy made for the game `Own`, if that is the game: how a specification that plays some games only finds
    /// its answer to [`StrategySpec::build`].
    pub fn only_for<Own: Game, G: FullGame>(
        &self,
        strategy: impl Strategy<Own> + 'static,
    ) -> Option<Box<dyn Strategy<G>>> {
        let own: Box<dyn Strategy<Own>> = Box::new(strategy);
        let open: Box<dyn Any> = match &self.game {
            Some(AnyGame::Open(game)) if game.inside::<Own>().is_some() => {
                let strategy: Box<dyn Strategy<OpenGame>> = Box::new(ForInside(own));
                Box::new(strategy)
            }
            _ => Box::new(own),
        };
        open.downcast().ok().map(|strategy| *strategy)
    }

    /// What a specification that plays some games only answers for the game `G` if that is none of them.
    pub fn does_not_play<G: FullGame>(&self) -> FieldError {
        FieldError { key: "", problem: format!("does not play {}", self.game_name::<G>()) }
    }

    /// The name of the game `G`, which is to be played here.
    pub fn game_name<G: Game>(&self) -> &'static str {
        match &self.game {
            Some(AnyGame::Open(game)) => game.name(),
            _ => G::NAME,
        }
    }
}

/// What is known of a strategy before its parameters are settled.
#[derive(Clone, Copy, Debug)]
pub struct StrategyInfo {
    /// Its name.
    pub name: &'static str,
    /// What it does, in a line.
    pub about: &'static str,
}

macro_rules! register {
    ($($kind:ident($spec:ty)),* $(,)?) => {
        /// Any strategy with its parameters fixed.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs)]
        pub enum AnySpec {
            $($kind($spec),)*
            /// One of another crate.
            Open(OpenSpec),
        }

        /// All strategies of this crate.
        pub const STRATEGIES: &[StrategyInfo] = &[$(StrategyInfo::of::<$spec>(),)*];

        /// How they are read, in the same order.
        const READERS: &[Reader] = &[$(Reader {
            read: |table| Ok(AnySpec::$kind(table.spec()?)),
            list: parameters::parameters::<$spec>,
        },)*];

        impl AnySpec {
            /// The strategy for a game.
            ///
            /// # Errors
            /// As those of [`StrategySpec::build`].
            pub fn build<G: FullGame>(&self, context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError> {
                match self {
                    $(AnySpec::$kind(spec) => spec.build(context),)*
                    AnySpec::Open(spec) => spec.build(context),
                }
            }

            /// The strategy's name.
            pub fn name(&self) -> &'static str {
                match self {
                    $(AnySpec::$kind(_) => <$spec as StrategySpec>::NAME,)*
                    AnySpec::Open(spec) => spec.name(),
                }
            }

            /// Every parameter with its value.
            pub fn parameters(&self) -> Table {
                match self {
                    $(AnySpec::$kind(spec) => written(spec),)*
                    AnySpec::Open(spec) => spec.parameters(),
                }
            }
        }
    };
}

register! {
    Random(random::Params),
    RuleBased(rule_based::Params),
    Ismcts(ismcts::Params),
    Pimc(pimc::Params),
    Process(process::Params),
}

impl StrategyInfo {
    const fn of<S: StrategySpec>() -> StrategyInfo {
        StrategyInfo { name: S::NAME, about: S::ABOUT }
    }
}

/// Every parameter with its value.
fn written(spec: &impl StrategySpec) -> Table {
    Table::try_from(spec).map(shortest).expect("parameters are plain values")
}

/// The table with the numbers written as they were given: parameters are 32-bit, and 0.7 is not to come out as
/// 0.699999988.
fn shortest(table: Table) -> Table {
    let value = |value: Value| match value {
        Value::Float(long) if f64::from(long as f32) == long => {
            Value::Float((long as f32).to_string().parse().expect("a number"))
        }
        Value::Table(inner) => Value::Table(shortest(inner)),
        other => other,
    };
    table.into_iter().map(|(key, inner)| (key, value(inner))).collect()
}
