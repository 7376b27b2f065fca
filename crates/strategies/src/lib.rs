//! The strategies, and the register that lists them.
//!
//! A new strategy in this crate needs a file and a line in `register!`. [`Register`] also takes strategies of
//! other crates.

mod belief;
mod bot;
mod built_in;
mod changes;
mod external;
mod inner;
pub mod ismcts;
mod lookup;
mod open;
mod parameter_change;
mod parameters;
pub mod pimc;
pub mod random;
mod register;
pub mod restricted;
mod rollout;
pub mod rule_based;
#[cfg(test)]
mod testing;
mod unknown_bot;

use std::any::{Any, TypeId};
use std::path::Path;

pub use bot::Bot;
pub use changes::unfolded;
pub use inner::InnerBot;
pub use lookup::{beside, places};
pub use open::OpenSpec;
use overtrick_external::written;
pub use overtrick_external::{BuildContext, Questions, onnx, process, python, wasm};
use overtrick_game::{FieldError, FullGame, Options};
use overtrick_games::{TypeVisitor, visit_type};
use overtrick_strategy::Strategy;
use overtrick_toml::InputError;
pub use parameter_change::ParameterChange;
pub use parameter_change::is_key;
pub use parameters::Parameter;
use register::Reader;
pub use register::Register;
pub use rollout::{Rollout, RolloutPolicy};
use toml::{Table, Value};
pub use unknown_bot::UnknownBot;

/// The specification of a strategy: its parameters and how to build it.
///
/// Files write the parameters in the same way as rules.
pub trait StrategySpec: Options {
    /// The name of the strategy.
    const NAME: &'static str;
    /// A description of the strategy in one line.
    const ABOUT: &'static str;
    /// The parameters that buy strength with time. A tuning without a config leaves them alone.
    const EFFORT: &'static [&'static str] = &[];
    /// Builds the strategy for a game.
    ///
    /// # Errors
    /// The parameter that keeps the strategy from playing that game. The error has no key if no parameters
    /// would help.
    fn build<G: FullGame>(&self, context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError>;

    /// Returns every parameter with its value, as in a manifest. An inner bot keeps every digit of its
    /// parameters.
    fn parameters(&self) -> Table {
        let mut table = written(self);
        table.extend(self.inner().map(|(key, bot)| (key.to_owned(), bot.value())));
        table
    }

    /// Makes paths among the parameters absolute, so that they stay valid in other folders.
    ///
    /// The argument is the folder of the file from which the parameters were read.
    ///
    /// # Errors
    /// A path that cannot be made absolute.
    fn resolve_paths(&mut self, _home: &Path) -> Result<(), FieldError> {
        Ok(())
    }

    /// Returns whether the bot can have faults: false only if [`Strategy::may_fault`] is false for each game.
    fn may_fault(&self) -> bool {
        true
    }

    /// Returns the key and value of the parameter that names an inner bot, if there is one.
    fn inner(&self) -> Option<(&'static str, &InnerBot)> {
        None
    }

    /// Returns the same, mutably.
    fn inner_mut(&mut self) -> Option<(&'static str, &mut InnerBot)> {
        None
    }
}

/// A function that finds a bot from the key and the value of a parameter.
pub type FindBot<'a> = dyn Fn(&str, &Value) -> Result<Bot, InputError> + 'a;

/// A strategy's name and description, which do not depend on its parameters.
#[derive(Clone, Copy, Debug)]
pub struct StrategyInfo {
    /// The name of the strategy.
    pub name: &'static str,
    /// A description of the strategy in one line.
    pub about: &'static str,
}

macro_rules! register {
    ($($kind:ident($spec:ty)),* $(,)?) => {
        /// A strategy with its parameters fixed.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs)]
        pub enum AnySpec {
            $($kind($spec),)*
            /// A strategy of another crate.
            Open(OpenSpec),
        }

        /// All strategies of this crate.
        pub const STRATEGIES: &[StrategyInfo] = &[$(StrategyInfo::of::<$spec>(),)*];

        /// The functions that read the strategies' parameters, in the order of `STRATEGIES`.
        const READERS: &[Reader] = &[$(Reader {
            read: |table| Ok(AnySpec::$kind(table.spec()?)),
            list: parameters::parameters::<$spec>,
        },)*];

        impl AnySpec {
            /// Builds the strategy for any type of game; all strategies are compiled where this is called.
            ///
            /// # Errors
            /// The errors of [`StrategySpec::build`].
            pub fn build_generic<G: FullGame>(&self, context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError> {
                match self {
                    $(AnySpec::$kind(spec) => spec.build(context),)*
                    AnySpec::Open(spec) => spec.build(context),
                }
            }

            /// Returns the name of the strategy.
            pub fn name(&self) -> &'static str {
                match self {
                    $(AnySpec::$kind(_) => <$spec as StrategySpec>::NAME,)*
                    AnySpec::Open(spec) => spec.name(),
                }
            }

            /// Returns every parameter with its value.
            pub fn parameters(&self) -> Table {
                match self {
                    $(AnySpec::$kind(spec) => StrategySpec::parameters(spec),)*
                    AnySpec::Open(spec) => spec.parameters(),
                }
            }

            /// Returns whether the bot can have faults.
            pub fn may_fault(&self) -> bool {
                match self {
                    $(AnySpec::$kind(spec) => spec.may_fault(),)*
                    AnySpec::Open(spec) => spec.may_fault(),
                }
            }

            /// Returns the bot inside, or `None` if there is none or it has not been looked up yet.
            fn inner(&self) -> Option<&Bot> {
                match self {
                    $(AnySpec::$kind(spec) => spec.inner()?.1.bot(),)*
                    AnySpec::Open(_) => None,
                }
            }

            /// Returns the same, mutably.
            fn inner_mut(&mut self) -> Option<&mut Bot> {
                match self {
                    $(AnySpec::$kind(spec) => spec.inner_mut()?.1.bot_mut(),)*
                    AnySpec::Open(_) => None,
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
    Restricted(restricted::Params),
    Wasm(wasm::Params),
    Python(python::Params),
    Onnx(onnx::Params),
}

impl AnySpec {
    /// Builds the strategy for a game of this workspace, or for an [`OpenGame`](overtrick_games::OpenGame).
    ///
    /// # Errors
    /// The errors of [`StrategySpec::build`], and an error for other types of games. For these, wrap the game
    /// in an open game, or call [`AnySpec::build_generic`].
    pub fn build<G: FullGame>(&self, context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError> {
        let built = self.build_for(TypeId::of::<G>(), context).ok_or_else(|| context.does_not_play::<G>())??;
        Ok(*built.downcast().expect("a strategy for the game that was asked for"))
    }

    /// Returns a `Box<dyn Strategy<G>>` for the type `G` that `game` identifies.
    ///
    /// It is not generic. So all strategies are compiled in this crate, and not in each crate that builds
    /// one.
    fn build_for(&self, game: TypeId, context: &BuildContext) -> Option<Result<Box<dyn Any>, FieldError>> {
        struct Build<'a>(&'a AnySpec, &'a BuildContext);
        impl TypeVisitor for Build<'_> {
            type Output = Result<Box<dyn Any>, FieldError>;
            fn visit<G: FullGame>(self) -> Result<Box<dyn Any>, FieldError> {
                self.0.build_generic::<G>(self.1).map(|strategy| Box::new(strategy) as Box<dyn Any>)
            }
        }
        visit_type(game, Build(self, context))
    }

    /// Returns the process behind the strategy or its inner bot, if there is one.
    pub fn process(&self) -> Option<&process::Params> {
        match self {
            AnySpec::Process(params) => Some(params),
            _ => self.inner()?.spec.process(),
        }
    }

    /// Returns the WebAssembly module behind the strategy or its inner bot, if there is one.
    pub fn wasm(&self) -> Option<&wasm::Params> {
        match self {
            AnySpec::Wasm(params) => Some(params),
            _ => self.inner()?.spec.wasm(),
        }
    }

    /// Returns whether a run of the bot needs a secret, because its code is not known.
    ///
    /// Such a bot could derive hidden cards from the cards that it sees, or from a table made in advance.
    pub fn needs_secret(&self) -> bool {
        self.process().is_some() || self.wasm().is_some()
    }

    /// Returns why a WebAssembly module, a net or Python code behind the strategy is missing, if it is.
    pub fn absence(&self) -> Option<overtrick_strategy::protocol::Fault> {
        match self {
            AnySpec::Wasm(params) => params.program().err(),
            AnySpec::Python(params) => params.callable().err(),
            AnySpec::Onnx(params) => params.is_there().err(),
            _ => self.inner()?.spec.absence(),
        }
    }

    /// Sets the isolation of the process behind the strategy or its inner bot.
    pub fn isolate(&mut self, isolation: &process::Isolation) {
        if let Some(params) = self.process_mut() {
            params.isolation = isolation.clone();
        }
    }

    /// Returns the settings of the process behind the strategy or its inner bot.
    pub fn process_mut(&mut self) -> Option<&mut process::Params> {
        match self {
            AnySpec::Process(params) => Some(params),
            _ => self.inner_mut()?.spec.process_mut(),
        }
    }
}

impl StrategyInfo {
    const fn of<S: StrategySpec>() -> StrategyInfo {
        StrategyInfo { name: S::NAME, about: S::ABOUT }
    }
}
