//! `python`: a bot that is code of the Python program that runs the tournament.
//!
//! The program provides its bots by name before it reads a config, which can then name them. Elsewhere the
//! config is still valid, for example in results read on the command line, but the bots cannot play.

use std::collections::HashMap;
use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use overtrick_game::{FieldError, FullGame, Options};
use overtrick_games::encoding::Encoding;
use overtrick_strategy::Strategy;
use overtrick_strategy::protocol::{Fault, FaultKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use toml::Table;

use super::numbers::{Learned, Player, Questions};
use crate::{BuildContext, written};

/// Code of the Python program.
pub trait Callable: Send + Sync {
    /// Returns the answers to decisions in a variant, in order: indices into the moves of the encoding.
    ///
    /// # Errors
    /// The reason why there are no answers.
    fn choose_many(&self, variant: &str, questions: Questions) -> Result<Vec<i64>, Fault>;
}

/// The provided bots, by name.
static PROVIDED: Mutex<Option<HashMap<String, Arc<dyn Callable>>>> = Mutex::new(None);

fn provided<T>(act: impl FnOnce(&mut HashMap<String, Arc<dyn Callable>>) -> T) -> T {
    act(PROVIDED.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default())
}

/// A bot that a config can name until this value is dropped.
pub struct Provided(String);

impl Provided {
    /// Provides a bot under `name`. If another bot has that name, on another thread for example, a number is appended.
    pub fn new(name: &str, callable: Arc<dyn Callable>) -> Provided {
        provided(|all| {
            let numbered = (2..).map(|number| format!("{name} #{number}"));
            let mut names = std::iter::once(name.to_owned()).chain(numbered);
            let name = names.find(|name| !all.contains_key(name)).expect("numbers do not end");
            all.insert(name.clone(), callable);
            Provided(name)
        })
    }

    /// Returns the name, which is the value of the parameter `callable`.
    pub fn name(&self) -> &str {
        &self.0
    }
}

impl Drop for Provided {
    fn drop(&mut self) {
        provided(|all| all.remove(&self.0));
    }
}

/// Which bot of the program it is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {
    /// The name of the bot in the Python program, which sets it.
    pub callable: String,
    /// The bot, if it is there.
    #[serde(skip)]
    found: Found,
}

/// A bot of the program, or none.
#[derive(Clone, Default)]
struct Found(Option<Arc<dyn Callable>>);

impl fmt::Debug for Found {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(if self.0.is_some() { "there" } else { "not there" })
    }
}

impl PartialEq for Found {
    /// Always equal: the name identifies the bot.
    fn eq(&self, _: &Found) -> bool {
        true
    }
}

impl Options for Params {
    fn validate(&self) -> Result<(), FieldError> {
        Ok(())
    }
}

impl Params {
    /// The name of the strategy.
    pub const NAME: &'static str = "python";
    /// The description of the strategy, in one line.
    pub const ABOUT: &'static str = "code of the Python program that has the tournament played";

    /// Returns the strategy that asks the code.
    ///
    /// # Errors
    /// None: missing code is reported when the bot starts.
    pub fn build<G: FullGame>(&self, context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError> {
        let code = Code { callable: self.callable().cloned(), variant: context.variant.clone() };
        Ok(Box::new(Player::new(code)))
    }

    /// Returns every parameter with its value.
    pub fn parameters(&self) -> Table {
        written(self)
    }

    /// Looks up the code that the program provides under the name, if there is any.
    ///
    /// # Errors
    /// None.
    pub fn resolve_paths(&mut self, _base_dir: &Path) -> Result<(), FieldError> {
        self.found = Found(provided(|all| all.get(&self.callable).cloned()));
        Ok(())
    }
}

impl Params {
    /// Returns the bot.
    ///
    /// # Errors
    /// [`FaultKind::NoStart`] if the program that plays does not provide it.
    pub fn callable(&self) -> Result<&Arc<dyn Callable>, Fault> {
        self.found.0.as_ref().ok_or_else(|| {
            let what = format!(
                "{:?} is code of a Python program, which must have this played itself: `overtrick.run` with an \
                 `overtrick.Bot`",
                self.callable
            );
            Fault::new(FaultKind::NoStart, what)
        })
    }
}

/// The program's code, as a player of one variant.
struct Code {
    callable: Result<Arc<dyn Callable>, Fault>,
    variant: String,
}

impl Code {
    fn ask(&self, questions: Questions) -> Result<Vec<i64>, Fault> {
        let due = questions.len();
        let answers = self.callable.as_ref().map_err(Fault::clone)?.choose_many(&self.variant, questions)?;
        if answers.len() != due {
            let what = format!("it gave {} answers to {due} decisions", answers.len());
            return Err(Fault::new(FaultKind::Failure, what));
        }
        Ok(answers)
    }
}

impl Learned for Code {
    const IS_EXTERNAL: bool = true;

    fn answer(
        &mut self,
        _encoding: &Encoding,
        count: usize,
        gather: &dyn Fn(Range<usize>) -> Questions,
    ) -> Vec<Result<i64, Fault>> {
        match self.ask(gather(0..count)) {
            Ok(answers) => answers.into_iter().map(Ok).collect(),
            Err(fault) if count == 1 => vec![Err(fault)],
            // A single decision may be the cause. The others must not suffer from it or depend on the batch size.
            Err(_) => (0..count).map(|nth| self.ask(gather(nth..nth + 1)).map(|answers| answers[0])).collect(),
        }
    }
}
