//! The strategies, and the register that lists them: a new strategy of this crate is a file here and a line below;
//! [`Register`] has those of others, too.

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

/// The specification of a strategy: its parameters, which files write as they write rules, and how it is built for a
/// game.
pub trait StrategySpec: Options {
    /// The strategy's name.
    const NAME: &'static str;
    /// What the strategy does, in one line.
    const ABOUT: &'static str;
    /// The strategy with these parameters for a game.
    ///
    /// # Errors
    /// The parameter that keeps the strategy from playing that game; an error without a key if it plays the game with
    /// no parameters.
    fn build<G: FullGame>(&self, context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError>;

    /// Every parameter with its value, as a manifest writes it. A bot among them keeps every digit of its own.
    fn parameters(&self) -> Table {
        let mut table = written(self);
        table.extend(self.inner().map(|(key, bot)| (key.to_owned(), bot.value())));
        table
    }

    /// Makes paths among the parameters absolute, so that they mean the same wherever they are read again; they were
    /// read from a file in the folder `base_dir`.
    ///
    /// # Errors
    /// A path that cannot be made absolute.
    fn resolve_paths(&mut self, _home: &Path) -> Result<(), FieldError> {
        Ok(())
    }

    /// The parameter that names another bot, which the strategy asks for moves, with its key; `None` if there is none.
    fn inner(&self) -> Option<(&'static str, &InnerBot)> {
        None
    }

    /// The same, to be changed.
    fn inner_mut(&mut self) -> Option<(&'static str, &mut InnerBot)> {
        None
    }
}

/// Finds the bot that the value of a parameter, given with its key, stands for.
pub type FindBot<'a> = dyn Fn(&str, &Value) -> Result<Bot, InputError> + 'a;

/// What is known of a strategy before its parameters are chosen.
#[derive(Clone, Copy, Debug)]
pub struct StrategyInfo {
    /// Its name.
    pub name: &'static str,
    /// What the strategy does, in one line.
    pub about: &'static str,
}

macro_rules! register {
    ($($kind:ident($spec:ty)),* $(,)?) => {
        /// Any strategy with its parameters fixed.
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
            /// Returns the strategy for any type of game; all strategies are compiled where this is called.
            ///
            /// # Errors
            /// As those of [`StrategySpec::build`].
            pub fn build_generic<G: FullGame>(&self, context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError> {
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
                    $(AnySpec::$kind(spec) => StrategySpec::parameters(spec),)*
                    AnySpec::Open(spec) => spec.parameters(),
                }
            }

            /// The bot that a parameter names; `None` if there is none, or if it has only been written so far.
            fn inner(&self) -> Option<&Bot> {
                match self {
                    $(AnySpec::$kind(spec) => spec.inner()?.1.bot(),)*
                    AnySpec::Open(_) => None,
                }
            }

            /// The same, to be changed.
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
    /// Returns the strategy for a game of this workspace, or for an [`OpenGame`](overtrick_games::OpenGame).
    ///
    /// # Errors
    /// As those of [`StrategySpec::build`]. A type of game that is neither is not played: hold the game in an open
    /// game, or call [`AnySpec::build_generic`].
    pub fn build<G: FullGame>(&self, context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError> {
        let built = self.build_for(TypeId::of::<G>(), context).ok_or_else(|| context.does_not_play::<G>())??;
        Ok(*built.downcast().expect("a strategy for the game that was asked for"))
    }

    /// Returns a `Box<dyn Strategy<G>>` for the type `G` that `game` stands for. It is not generic, so that all
    /// strategies are compiled in this crate, and not in each that builds one.
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

    /// The process that the strategy asks for moves, or that of the bot inside it; `None` if there is none.
    pub fn process(&self) -> Option<&process::Params> {
        match self {
            AnySpec::Process(params) => Some(params),
            _ => self.inner()?.spec.process(),
        }
    }
}

impl AnySpec {
    /// The WebAssembly module that the strategy asks for moves, or that of the bot inside it; `None` if there is none.
    pub fn wasm(&self) -> Option<&wasm::Params> {
        match self {
            AnySpec::Wasm(params) => Some(params),
            _ => self.inner()?.spec.wasm(),
        }
    }

    /// Why what the strategy asks for moves is not there, be it a WebAssembly module, a net or code of a program.
    pub fn absence(&self) -> Option<overtrick_strategy::protocol::Fault> {
        match self {
            AnySpec::Wasm(params) => params.program().err(),
            AnySpec::Python(params) => params.callable().err(),
            AnySpec::Onnx(params) => params.is_there().err(),
            _ => self.inner()?.spec.absence(),
        }
    }
}

impl AnySpec {
    /// Has the process that the strategy asks for moves shut in as `isolation` says.
    pub fn isolate(&mut self, isolation: &process::Isolation) {
        if let Some(params) = self.process_mut() {
            params.isolation = isolation.clone();
        }
    }

    /// The settings of the process that the strategy asks for moves.
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
