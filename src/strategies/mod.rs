//! The strategies, and the register that lists them: a new strategy is a file here and a line below.

mod bot;
mod built_in;
pub mod ismcts;
mod parameters;
pub mod pimc;
pub mod process;
pub mod random;
mod rollout;
pub mod rule_based;
#[cfg(test)]
mod testing;

use std::any::Any;
use std::path::Path;
use std::sync::Arc;

use toml::{Table, Value};

use crate::game::{FieldError, FullGame, Game, Options};
use crate::games::Variant;
use crate::strategy::Strategy;
pub use bot::Bot;
pub(crate) use bot::no_strategy;
pub use parameters::Parameter;
pub use rollout::Rollout;

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

    /// Makes parameters that name files mean the same wherever they are read again; they were read from a file in the folder `base_dir`.
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
    /// The thread that it plays on.
    pub thread: usize,
    /// The processes that it shares with its likes on other threads.
    pub process_pool: Option<Arc<process::ProcessPool>>,
}

impl BuildContext {
    /// Alone, on one thread.
    pub fn of(variant: &Variant) -> BuildContext {
        BuildContext { variant: variant.name.clone(), base: variant.base.clone(), ..BuildContext::default() }
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
        }

        /// All strategies.
        pub const STRATEGIES: &[StrategyInfo] = &[$(StrategyInfo {
            name: <$spec as StrategySpec>::NAME,
            about: <$spec as StrategySpec>::ABOUT,
        },)*];

        impl AnySpec {
            /// The strategy for a game.
            ///
            /// # Errors
            /// As those of [`StrategySpec::build`].
            pub fn build<G: FullGame>(&self, context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError> {
                match self {
                    $(AnySpec::$kind(spec) => spec.build(context),)*
                }
            }

            /// The strategy's name.
            pub fn name(&self) -> &'static str {
                match self {
                    $(AnySpec::$kind(_) => <$spec as StrategySpec>::NAME,)*
                }
            }

            /// What parameters the strategy named `name` has; `None` if there is none of this name.
            pub fn list_parameters(name: &str) -> Option<Vec<Parameter>> {
                $(if name == <$spec as StrategySpec>::NAME {
                    return Some(parameters::parameters::<$spec>());
                })*
                None
            }

            /// Every parameter with its value.
            pub fn parameters(&self) -> Table {
                match self {
                    $(AnySpec::$kind(spec) => Table::try_from(spec).map(shortest),)*
                }
                .expect("parameters are plain values")
            }

            /// The strategy named `name` with parameters that `read` makes; `None` if there is none of this name.
            fn read<R: ReadParameters>(name: &str, read: R) -> Option<Result<AnySpec, R::Error>> {
                $(if name == <$spec as StrategySpec>::NAME {
                    let spec = read.read::<$spec>().and_then(|mut spec| {
                        let settled = spec.validate().and_then(|()| spec.resolve_paths(read.base_dir()));
                        settled.map(|()| AnySpec::$kind(spec)).map_err(|error| read.refuse(error))
                    });
                    return Some(spec);
                })*
                None
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

/// Where parameters come from.
trait ReadParameters {
    type Error;
    /// The parameters.
    fn read<R: Options>(&self) -> Result<R, Self::Error>;
    /// The folder of the file that they are in.
    fn base_dir(&self) -> &Path;
    /// The error for parameters out of range.
    fn refuse(&self, error: FieldError) -> Self::Error;
}

/// A strategy made for the game `Own`, if that is the game `G`: how a specification that plays some games only finds its answer to
/// [`StrategySpec::build`].
pub fn only_for<Own: Game, G: FullGame>(strategy: impl Strategy<Own> + 'static) -> Option<Box<dyn Strategy<G>>> {
    let boxed: Box<dyn Strategy<Own>> = Box::new(strategy);
    let any: Box<dyn Any> = Box::new(boxed);
    any.downcast::<Box<dyn Strategy<G>>>().ok().map(|strategy| *strategy)
}

/// What a specification that plays some games only answers for the game `G` if that is none of them.
pub fn does_not_play<G: FullGame>() -> FieldError {
    FieldError { key: "", problem: format!("does not play {}", G::NAME) }
}

/// The table with the numbers written as they were given: parameters are 32-bit, and 0.7 is not to come out as 0.699999988.
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
