//! Bots that are parameters of other bots.

use std::path::Path;
use std::sync::Arc;

use overtrick_game::{FieldError, FullGame};
use overtrick_strategy::Strategy;
use overtrick_toml::{InputError, Source, key};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toml::Value;

use super::{Bot, BuildContext, FindBot, Register};

/// A bot in a parameter.
///
/// Files name it by its name or its file, or write it as a table, as in a config's bots.
#[derive(Clone, Debug, PartialEq)]
pub struct InnerBot(Inner);

#[derive(Clone, Debug, PartialEq)]
enum Inner {
    /// The value as written.
    Written(Value),
    /// The bot, after look-up.
    Found(Arc<Bot>),
}

impl InnerBot {
    /// Returns the bot of this name, not yet looked up.
    pub fn named(name: &str) -> InnerBot {
        InnerBot(Inner::Written(name.into()))
    }

    /// Returns the bot for the value of a parameter, not yet looked up.
    pub(super) fn written(value: Value) -> InnerBot {
        InnerBot(Inner::Written(value))
    }

    /// Returns the bot, or `None` if it has not been looked up yet.
    pub fn bot(&self) -> Option<&Bot> {
        match &self.0 {
            Inner::Written(_) => None,
            Inner::Found(bot) => Some(bot),
        }
    }

    /// Returns the bot for changes, or `None` if it has not been looked up yet.
    pub(super) fn bot_mut(&mut self) -> Option<&mut Bot> {
        match &mut self.0 {
            Inner::Written(_) => None,
            Inner::Found(bot) => Some(Arc::make_mut(bot)),
        }
    }

    /// Looks the bot up with `find`, if that has not been done.
    ///
    /// # Errors
    /// The error of `find` for the value of parameter `key`.
    pub(super) fn resolve(&mut self, key: &str, find: &FindBot<'_>) -> Result<(), InputError> {
        if let Inner::Written(value) = &self.0 {
            self.0 = Inner::Found(Arc::new(find(key, value)?));
        }
        Ok(())
    }

    /// Builds the bot's strategy for a game.
    ///
    /// A bot that has not been looked up is searched among the bots of this crate. Errors name the parameter
    /// `key`.
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

    /// Returns the value of the parameter, with every digit of the bot's own parameters.
    pub(super) fn value(&self) -> Value {
        match &self.0 {
            Inner::Written(value) => value.clone(),
            Inner::Found(bot) => Value::Table(bot.to_table()),
        }
    }
}

/// Returns the error of a bot whose inner bot, its parameter `key`, does not play a game.
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
