//! The keys of a tuning config, each checked by itself.

use overtrick_games::Variant;
use overtrick_strategies::{Bot, Register};
use overtrick_toml::{InputError, Source, key};
use overtrick_tournament::{check_eligible, find_variant, resolve, whole_number};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::constants::MOST_GAMES;
use super::line_ups;
use super::parameters;
use super::setting::Setting;
use super::space::{ParameterValues, Space, TuneAxis};

/// The keys of a tuning config after its header, as written.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct TuneConfig {
    pub(super) tune: Table,
}

/// The keys of the table `tune`, as written.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct TuneKeys {
    pub(super) bot: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) bots: Vec<Value>,
    pub(super) variants: Vec<Value>,
    pub(super) against: Option<Value>,
    pub(super) parameters: Option<Table>,
    pub(super) games: Option<i64>,
    pub(super) precision: Option<f64>,
    pub(super) unseen: Option<Vec<Value>>,
}

/// The bots and parameters among which tuning chooses.
pub(super) struct Subject {
    pub(super) start: Bot,
    /// The bots to choose from; empty if parameters are tuned.
    pub(super) bots: Vec<Bot>,
    pub(super) space: Space,
    pub(super) start_point: Setting,
}

/// Returns the path of a key of the table `tune`.
pub(super) fn tune_key(name: &str) -> Vec<String> {
    vec!["tune".to_owned(), name.to_owned()]
}

/// Returns the number of games at `at`, if it is one that a config may have.
pub fn whole_games(source: &Source, at: &[String], games: i64) -> Result<u64, InputError> {
    whole_number(source, at, games, 1..=MOST_GAMES)
}

/// Returns bots as a config has them.
pub(super) fn to_values(bots: &[Bot]) -> Vec<Value> {
    bots.iter().map(|bot| bot.to_table().into()).collect()
}

impl TuneKeys {
    /// Reads the table `tune` of a config.
    pub(super) fn read(source: &Source, table: &Table) -> Result<TuneKeys, InputError> {
        let at = key("tune");
        if table.is_empty() {
            return Err(source.error(&at, "is missing: a table with `bot`, `variants` and `parameters`"));
        }
        source.fields(&at, table)
    }

    /// Returns the number of games that may be played, if the config limits it.
    pub(super) fn games(&self, source: &Source) -> Result<Option<u64>, InputError> {
        self.games.map(|games| whole_games(source, &tune_key("games"), games)).transpose()
    }

    /// Checks the precision, and that it or the number of games is given.
    pub(super) fn check_precision(&self, source: &Source) -> Result<(), InputError> {
        match self.precision {
            Some(precision) if !(1e-6..=1e3).contains(&precision) => {
                let problem = format!("is {precision}, but must be 0.000001 to 1000, in points a deal");
                Err(source.error(&tune_key("precision"), problem))
            }
            None if self.games.is_none() => {
                let hint = "is missing: how many games may be played? Or give `precision`, in points a deal";
                Err(source.error(&tune_key("games"), hint))
            }
            _ => Ok(()),
        }
    }

    /// Returns the variants.
    pub(super) fn variants(&self, source: &Source, register: &Register) -> Result<Vec<Variant>, InputError> {
        let at = tune_key("variants");
        if self.variants.is_empty() {
            return Err(source.error(&at, "is missing: a list of names or files"));
        }
        let find = |at: &[String], value: &Value| find_variant(source, at, value, register.games());
        resolve(source, &at, &self.variants, find, |variant| &variant.name)
    }

    /// Returns the bots and parameters among which tuning chooses.
    pub(super) fn subject(&self, source: &Source, register: &Register) -> Result<Subject, InputError> {
        match (&self.bot, self.bots.as_slice()) {
            (Some(_), [_, ..]) => {
                let problem = "does not go with `bot`: tune the parameters of one bot, or choose among several";
                Err(source.error(&tune_key("bots"), problem))
            }
            (None, []) => Err(source.error(&tune_key("bot"), "is missing: the bot to start from, by name or file")),
            (None, [_]) => Err(source.error(&tune_key("bots"), "names one bot; give at least two to choose from")),
            (Some(value), []) => self.parameters_of(value, source, register),
            (None, values) => self.choice(values, source, register),
        }
    }

    /// Returns the parameters of one bot.
    fn parameters_of(&self, bot: &Value, source: &Source, register: &Register) -> Result<Subject, InputError> {
        let start = register.find_bot(source, &tune_key("bot"), bot)?;
        let parameters = self.parameters.clone().unwrap_or_default();
        let (space, start_point) = parameters::read(source, &key("tune"), &parameters, &start, register)?;
        Ok(Subject { start, bots: Vec::new(), space, start_point })
    }

    /// Returns the choice among several bots.
    fn choice(&self, values: &[Value], source: &Source, register: &Register) -> Result<Subject, InputError> {
        if self.parameters.as_ref().is_some_and(|parameters| !parameters.is_empty()) {
            let problem = "do not go with `bots`, a choice among several; give one `bot`";
            return Err(source.error(&tune_key("parameters"), problem));
        }
        let find = |at: &[String], value: &Value| register.find_bot(source, at, value);
        let bots = resolve(source, &tune_key("bots"), values, find, |bot| &bot.name)?;
        let names = bots.iter().map(|bot| Value::from(bot.name.as_str())).collect();
        let space = Space { axes: vec![TuneAxis { key: "bot".to_owned(), values: ParameterValues::Choices(names) }] };
        Ok(Subject { start: bots[0].clone(), bots, space, start_point: vec![0.0].into() })
    }

    /// Returns the bots that the result meets in the end.
    ///
    /// By default they are cheap bots that are not in the field: neither `start` nor `others`.
    pub(super) fn unseen(
        &self,
        source: &Source,
        start: &Bot,
        others: &[Bot],
        variants: &[Variant],
        register: &Register,
    ) -> Result<Vec<Bot>, InputError> {
        if let Some(values) = &self.unseen {
            return line_ups::each(&tune_key("unseen"), values, |at, value| register.find_bot(source, at, value));
        }
        let fits = |bot: &Bot| {
            ["random", "cautious", "rule-based"].contains(&bot.name.as_str())
                && bot.spec != start.spec
                && !others.iter().any(|other| other.spec == bot.spec)
                && check_eligible(bot, variants).is_ok()
        };
        Ok(Bot::built_in().filter(fits).collect())
    }
}
