//! Changes to a tournament's bots from outside its config.

use std::fmt;
use std::str::FromStr;

use overtrick_games::check_row_name;
use overtrick_strategies::{Bot, ParameterChange, Register, is_key, places};
use overtrick_toml::{InputError, Source};

/// A change to a bot, as the option `--set` writes it.
///
/// `rule-based:dumbo.ambition=0.4` changes the bot `rule-based`, and adds it if there is none.
/// `bold=rule-based:dumbo.ambition=0.4` adds a bot `bold`, a copy of `rule-based` with that change.
#[derive(Clone, Debug, PartialEq)]
pub struct BotChange {
    /// The name of the bot that is changed or added. It may be a file if the bot is added under its own name.
    bot: String,
    /// The name or file of the bot that a new bot starts from, if there is one.
    base: Option<String>,
    change: ParameterChange,
    /// The text of the option.
    text: String,
}

impl BotChange {
    /// Returns the name or file of the bot that is changed or added.
    pub fn bot(&self) -> &str {
        &self.bot
    }

    /// Returns the name or file of the bot that a new bot starts from, if the change has one.
    pub fn base(&self) -> Option<&str> {
        self.base.as_deref()
    }

    /// Returns the same change, applied to a bot that exists already.
    pub fn without_base(&self) -> BotChange {
        BotChange { base: None, ..self.clone() }
    }

    /// Returns true if it sets the parameter with this dotted key, or a table that contains the parameter.
    pub(super) fn sets(&self, key: &str) -> bool {
        self.change.sets(key)
    }

    /// Returns an error that names this change.
    pub fn error(&self, problem: impl Into<String>) -> InputError {
        InputError::plain(problem).at_key(format!("--set {self}"))
    }

    /// Returns true if both changes name the same bot and the same base.
    fn is_alike(&self, other: &BotChange) -> bool {
        self.bot == other.bot && self.base == other.base
    }
}

impl FromStr for BotChange {
    type Err = String;

    fn from_str(text: &str) -> Result<BotChange, String> {
        // A file name or a value may contain colons, but the key between them has none.
        let parts = text.match_indices(':').map(|(at, _)| (&text[..at], &text[at + 1..]));
        let keyed = |rest: &str| rest.split_once('=').is_some_and(|(key, _)| is_key(key));
        let found = parts.into_iter().find(|(who, rest)| !who.is_empty() && keyed(rest));
        let (who, rest) =
            found.ok_or("write BOT:KEY=VALUE, such as rule-based:dumbo.ambition=0.4, or NEW=BOT:KEY=VALUE")?;
        let (bot, base) = match who.split_once('=') {
            None => (who, None),
            Some((new, base)) => {
                check_row_name(new)?;
                (new, Some(base.to_owned()))
            }
        };
        Ok(BotChange { bot: bot.to_owned(), base, change: rest.parse()?, text: text.to_owned() })
    }
}

impl fmt::Display for BotChange {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

/// Applies the changes in order to the bots that the config `source` lists. Returns the index of the bot
/// that each change applies to.
pub(super) fn apply(
    changes: &[BotChange],
    bots: &mut Vec<Bot>,
    source: &Source,
    register: &Register,
) -> Result<Vec<usize>, InputError> {
    let mut added: Vec<&BotChange> = Vec::new();
    let mut targets = Vec::new();
    let listed = bots.len();
    for change in changes {
        let made = added.iter().position(|earlier| earlier.is_alike(change)).map(|nth| listed + nth);
        let target = match made.or_else(|| index_of(&change.bot, bots)) {
            Some(_) if made.is_none() && change.base.is_some() => return Err(change.error(taken(&change.bot))),
            Some(target) => target,
            None => {
                bots.push(new_bot(change, bots, source, register)?);
                added.push(change);
                bots.len() - 1
            }
        };
        let bot = &bots[target];
        bots[target] =
            register.changed(bot, &bot.name, &change.change.table()).map_err(|error| change.error(error.problem))?;
        targets.push(target);
    }
    Ok(targets)
}

fn index_of(name: &str, bots: &[Bot]) -> Option<usize> {
    bots.iter().position(|bot| bot.name == name)
}

/// Returns the bot that a change adds, with the parameters that it starts from.
fn new_bot(change: &BotChange, bots: &[Bot], source: &Source, register: &Register) -> Result<Bot, InputError> {
    let text = change.base.as_ref().unwrap_or(&change.bot);
    let found = match index_of(text, bots) {
        Some(index) => bots[index].clone(),
        None => {
            Bot::find(text, &places(source, text), register).map_err(|problem| change.error(problem.to_string()))??
        }
    };
    let name = if change.base.is_some() { change.bot.clone() } else { found.name.clone() };
    if index_of(&name, bots).is_some() {
        return Err(change.error(taken(&name)));
    }
    Ok(Bot { name, ..found })
}

fn taken(name: &str) -> String {
    format!(
        "there is a bot {name:?} already; write {name}:KEY=VALUE to change that one, or give the new one another name"
    )
}
