//! The grid of a league config: a bot for each setting of the parameters of one bot.

use overtrick_games::Variant;
use overtrick_strategies::{Bot, Register};
use overtrick_toml::{InputError, Source, key};
use overtrick_tournament::check_eligible;
use serde::Deserialize;
use toml::{Table, Value};

use super::league_keys::{MOST_BOTS, league_key};
use crate::tune::{Setting, Space, read_space};

/// The keys of a grid, as written.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct GridKeys {
    bot: Option<Value>,
    parameters: Table,
}

/// Returns a bot for each setting of the grid of a league config.
///
/// The last parameter changes fastest. A bot has the values of its setting in its name, as in `courage-1.5-ace-0.7`.
///
/// # Errors
/// If the grid is empty or too large, or if the bot cannot play the variant with one of the values.
pub fn read(source: &Source, table: &Table, variant: &Variant, register: &Register) -> Result<Vec<Bot>, InputError> {
    let at = league_key("grid");
    let keys: GridKeys = source.fields(&at, table)?;
    let within = |name: &str| [&at[..], &[name.to_owned()]].concat();
    let Some(value) = &keys.bot else {
        return Err(source.error(&within("bot"), "is missing: the bot whose parameters vary, by name or file"));
    };
    let bot = register.find_bot(source, &within("bot"), value)?;
    let space = read_space(source, &at, &keys.parameters, &bot, register)?;
    let Some(settings) = space.settings().filter(|&settings| settings <= MOST_BOTS) else {
        let problem = format!("has more than {MOST_BOTS} settings; give fewer values, or longer steps");
        return Err(source.error(&within("parameters"), problem));
    };
    let bots = GridBots { source, variant, register, bot: &bot, space: &space };
    bots.check_values()?;
    (0..settings).map(|number| bots.at(&space.setting(number))).collect()
}

/// The bots of a grid.
struct GridBots<'a> {
    source: &'a Source,
    variant: &'a Variant,
    register: &'a Register,
    bot: &'a Bot,
    space: &'a Space,
}

impl GridBots<'_> {
    /// Checks each value of each parameter, with the first values of the others.
    fn check_values(&self) -> Result<(), InputError> {
        let first = self.space.setting(0);
        for (number, axis) in self.space.axes.iter().enumerate() {
            let at = [league_key("grid"), key("parameters"), key(&axis.key)].concat();
            for value in 0..axis.values.count() {
                let setting = first.with(number, axis.values.coordinate(value));
                self.built(&setting).map_err(|problem| {
                    self.source.error(&at, format!("has {}: {problem}", axis.values.value(value)))
                })?;
            }
        }
        Ok(())
    }

    /// Returns the bot of a setting.
    ///
    /// # Errors
    /// If the strategy does not allow these values together.
    fn at(&self, setting: &Setting) -> Result<Bot, InputError> {
        let at = [league_key("grid"), key("parameters")].concat();
        self.built(setting)
            .map_err(|problem| self.source.error(&at, format!("have {} together: {problem}", self.space.text(setting))))
    }

    fn built(&self, setting: &Setting) -> Result<Bot, String> {
        let changes = self.space.table(setting);
        let bot = self.register.changed(self.bot, &self.name(setting), &changes).map_err(|error| error.problem)?;
        check_eligible(&bot, std::slice::from_ref(self.variant))?;
        Ok(Bot { about: self.space.text(setting), ..bot })
    }

    /// Returns the name of the bot of a setting: by parameter, the end of its key and its value.
    fn name(&self, setting: &Setting) -> String {
        let mut parts = Vec::new();
        for (axis, value) in self.space.axes.iter().zip(self.space.values(setting)) {
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            parts.push(format!("{}-{}", plain(&self.short(&axis.key)), plain(&text)));
        }
        parts.join("-")
    }

    /// Returns the end of a key after its last dot, unless another key has the same.
    fn short(&self, key: &str) -> String {
        let end = |key: &str| key.rsplit('.').next().unwrap_or_default().to_owned();
        let same = self.space.axes.iter().filter(|axis| end(&axis.key) == end(key)).count();
        if same > 1 { key.to_owned() } else { end(key) }
    }
}

/// Returns a text with a `-` for each stretch of characters that names may not have.
fn plain(text: &str) -> String {
    let mut name = String::new();
    for letter in text.chars() {
        if letter.is_ascii_alphanumeric() || ['-', '_', '.'].contains(&letter) {
            name.push(letter);
        } else if !name.ends_with('-') {
            name.push('-');
        }
    }
    name
}
