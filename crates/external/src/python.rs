//! `python`: a bot that is code of the Python program which has the tournament played.
//!
//! The program provides its bots under names before it has a config read; a config can name them then. Read elsewhere,
//! such as results of that program on the command line, the config is valid, and the bots are not there to play.

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

/// Code of the program.
pub trait Callable: Send + Sync {
    /// The answers to decisions in a variant, in their order: places among the moves of the encoding.
    ///
    /// # Errors
    /// Why there are none.
    fn choose_many(&self, variant: &str, questions: Questions) -> Result<Vec<i64>, Fault>;
}

/// The bots that are provided, by name.
static PROVIDED: Mutex<Option<HashMap<String, Arc<dyn Callable>>>> = Mutex::new(None);

fn provided<T>(act: impl FnOnce(&mut HashMap<String, Arc<dyn Callable>>) -> T) -> T {
    act(PROVIDED.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert_default())
}

/// A bot that can be named until this is dropped.
pub struct Provided(String);

impl Provided {
    /// Provides a bot under `name`, or under that name with a number behind it if another thread has a bot of that
    /// name.
    pub fn new(name: &str, callable: Arc<dyn Callable>) -> Provided {
        provided(|all| {
            let numbered = (2..).map(|number| format!("{name} #{number}"));
            let mut names = std::iter::once(name.to_owned()).chain(numbered);
            let name = names.find(|name| !all.contains_key(name)).expect("numbers do not end");
            all.insert(name.clone(), callable);
            Provided(name)
        })
    }

    /// The name, which the parameter `callable` takes.
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
    /// The name says which bot it is.
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
    /// What the strategy does, in one line.
    pub const ABOUT: &'static str = "code of the Python program that has the tournament played";

    /// Returns the strategy that asks the code.
    ///
    /// # Errors
    /// None: code that is not there is reported when the bot is started.
    pub fn build<G: FullGame>(&self, context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError> {
        let code = Code { callable: self.callable().cloned(), variant: context.variant.clone() };
        Ok(Box::new(Player::new(code)))
    }

    /// Returns every parameter with its value.
    pub fn parameters(&self) -> Table {
        written(self)
    }

    /// Finds the code that the program has provided under the name; there may be none.
    ///
    /// # Errors
    /// None.
    pub fn resolve_paths(&mut self, _home: &Path) -> Result<(), FieldError> {
        self.found = Found(provided(|all| all.get(&self.callable).cloned()));
        Ok(())
    }
}

impl Params {
    /// The bot.
    ///
    /// # Errors
    /// [`FaultKind::NoStart`] if the program that has it is not the one that plays.
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

/// The program's code, asked in one variant.
struct Code {
    callable: Result<Arc<dyn Callable>, Fault>,
    variant: String,
}

impl Code {
    fn ask(&self, questions: Questions) -> Result<Vec<i64>, Fault> {
        let due = questions.len();
        let answers = self.callable.as_ref().map_err(Fault::clone)?.choose_many(&self.variant, questions)?;
        match answers.len() == due {
            true => Ok(answers),
            false => {
                let what = format!("it gave {} answers to {due} decisions", answers.len());
                Err(Fault::new(FaultKind::Failure, what))
            }
        }
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
            // The fault is that of one decision, perhaps; the others are not to suffer, nor is their number to matter.
            Err(_) => (0..count).map(|nth| self.ask(gather(nth..nth + 1)).map(|answers| answers[0])).collect(),
        }
    }
}
