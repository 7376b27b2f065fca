//! The strategies, and the register that lists them: a new strategy of this crate is a file here and a line below;
//! [`Register`] has those of others, too.

mod belief;
mod bot;
mod built_in;
mod changes;
mod inner;
pub mod ismcts;
mod lookup;
mod numbers;
pub mod onnx;
mod open;
mod parameter_change;
mod parameters;
pub mod pimc;
mod pinned;
pub mod process;
pub mod python;
pub mod random;
mod register;
pub mod restricted;
mod rollout;
pub mod rule_based;
#[cfg(test)]
mod testing;
mod unknown_bot;
pub mod wasm;

use std::any::Any;
use std::path::Path;
use std::sync::Arc;

use toml::{Table, Value};

use crate::game::{FieldError, FullGame, Game, Options};
use crate::games::{AnyGame, OpenGame, Variant};
use crate::strategy::Strategy;
use crate::toml_source::InputError;
pub use bot::Bot;
#[cfg(feature = "tournament")]
pub(crate) use changes::unfolded;
pub use inner::InnerBot;
#[cfg(feature = "tournament")]
pub(crate) use lookup::{beside, places};
pub use numbers::Questions;
use open::ForInside;
pub use open::OpenSpec;
pub use parameter_change::ParameterChange;
#[cfg(feature = "tournament")]
pub(crate) use parameter_change::is_key;
pub use parameters::Parameter;
use register::Reader;
pub use register::Register;
pub use rollout::{Rollout, RolloutPolicy};
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

/// Facts about the run that a strategy is built for; most strategies need none of them.
#[derive(Clone, Default)]
pub struct BuildContext {
    /// The variant's name.
    pub variant: String,
    /// The preset that its rules start from.
    pub base: String,
    /// The game under its rules; `None` where it cannot be one of another crate.
    pub game: Option<AnyGame>,
    /// The number of the thread that the strategy plays on, from 0.
    pub thread: usize,
    /// The share of decisions of bots from outside that are to be asked again.
    pub audit: f64,
    /// The processes that the strategy shares with its copies on other threads.
    pub process_pool: Option<Arc<process::ProcessPool>>,
}

impl BuildContext {
    /// The context of a strategy that plays `variant` on one thread, without shared processes.
    pub fn of(variant: &Variant) -> BuildContext {
        BuildContext {
            variant: variant.name.clone(),
            base: variant.base.clone(),
            game: Some(variant.game.clone()),
            ..BuildContext::default()
        }
    }

    /// `strategy`, which plays the game `Own`, as a strategy for the game `G` if `Own` is the game to be played. A
    /// specification that plays only some games answers [`StrategySpec::build`] with it.
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

    /// The error of a specification that does not play the game `G`.
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
    #[cfg(feature = "tournament")]
    pub(crate) fn absence(&self) -> Option<crate::protocol::Fault> {
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
    pub(crate) fn process_mut(&mut self) -> Option<&mut process::Params> {
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

/// Every parameter with its value.
fn written(spec: &impl StrategySpec) -> Table {
    Table::try_from(spec).map(shortest).expect("parameters are plain values")
}

/// The table with each number in the shortest form that reads back as the same 32-bit value, so that 0.7 does not
/// become 0.699999988.
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
