//! A bot that is the parameter of another one.

use std::path::Path;
use std::sync::Arc;

use overtrick_game::{FieldError, FullGame};
use overtrick_strategy::Strategy;
use overtrick_toml::{InputError, Source, key};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toml::Value;

use super::{Bot, BuildContext, FindBot, Register};

/// A bot that a parameter names: by its name, its file, or a table as in the bots of a config.
#[derive(Clone, Debug, PartialEq)]
pub struct InnerBot(Inner);

#[derive(Clone, Debug, PartialEq)]
enum Inner {
    /// As it was written.
    Written(Value),
    /// As it was found.
    Found(Arc<Bot>),
}

impl InnerBot {
    /// The bot of this name.
    pub fn named(name: &str) -> InnerBot {
        InnerBot(Inner::Written(name.into()))
    }

    /// The bot that the value of a parameter stands for.
    pub(super) fn written(value: Value) -> InnerBot {
        InnerBot(Inner::Written(value))
    }

    /// The bot; `None` if it has only been written so far.
    pub fn bot(&self) -> Option<&Bot> {
        match &self.0 {
            Inner::Written(_) => None,
            Inner::Found(bot) => Some(bot),
        }
    }

    /// The bot, to be changed; `None` if it has only been written so far.
    pub(super) fn bot_mut(&mut self) -> Option<&mut Bot> {
        match &mut self.0 {
            Inner::Written(_) => None,
            Inner::Found(bot) => Some(Arc::make_mut(bot)),
        }
    }

    /// Looks the bot up, if that has not been done: `find` gives the one that the value of parameter `key` stands for.
    ///
    /// # Errors
    /// What is wrong with such a bot.
    pub(super) fn resolve(&mut self, key: &str, find: &FindBot<'_>) -> Result<(), InputError> {
        if let Inner::Written(value) = &self.0 {
            self.0 = Inner::Found(Arc::new(find(key, value)?));
        }
        Ok(())
    }

    /// The bot's strategy for a game; it is looked up among those of this crate if that has not been done yet. Errors
    /// name the parameter `key`.
    ///
    /// # Errors
    /// If there is no such bot, or it does not play the game.
    pub(super) fn build<G: FullGame>(
        &self,
        key: &'static str,
        context: &BuildContext,
    ) -> Result<Box<dyn Strategy<G>>, FieldError> {
        let bot = match &self.0 {
            Inner::Found(bot) => Arc::clone(bot),
            Inner::Written(value) => {
                let nowhere = Source::parse(Path::new(""), String::new());
                let found = nowhere.and_then(|nowhere| Register::default().find_bot(&nowhere, &self::key(key), value));
                Arc::new(found.map_err(|error| FieldError { key, problem: error.problem })?)
            }
        };
        bot.spec.build_generic(context).map_err(|error| misfit(key, &bot, &error))
    }

    /// The value of the parameter, in which the bot's own parameters keep every digit.
    pub(super) fn value(&self) -> Value {
        match &self.0 {
            Inner::Written(value) => value.clone(),
            Inner::Found(bot) => Value::Table(bot.to_table()),
        }
    }
}

/// The error of a bot whose inner one, its parameter `key`, does not play a game.
fn misfit(key: &'static str, bot: &Bot, error: &FieldError) -> FieldError {
    let (name, problem) = (&bot.name, &error.problem);
    let problem = if error.key.is_empty() {
        format!("is {name}, whose strategy `{}` {problem}", bot.spec.name())
    } else {
        format!("is {name}, whose parameter `{}` {problem}", error.key)
    };
    FieldError { key, problem }
}

impl Serialize for InnerBot {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for InnerBot {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<InnerBot, D::Error> {
        Value::deserialize(from).map(InnerBot::written)
    }
}
