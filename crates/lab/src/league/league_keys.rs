//! The keys of a league config, each checked by itself.

use overtrick_games::Variant;
use overtrick_league::LeagueQuestion;
use overtrick_strategies::{Bot, Register};
use overtrick_toml::{InputError, Source, did_you_mean, key};
use overtrick_tournament::{check_eligible, find_variant, resolve, whole_number};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use crate::tune::whole_games;

/// The largest number of bots: with more, games that are the same are not played together.
pub(super) const MOST_BOTS: usize = 512;
/// The default of `error`.
const ERROR: f64 = 0.05;
/// The ways to ask a question, for messages.
const QUESTIONS: &str = "\"best\", \"ranking\", { top = 5 } or { better-than = \"BOT\" }";

/// The keys of a league config after its header, as written.
#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct LeagueConfig {
    pub(super) league: Table,
}

/// The keys of the table `league`, as written.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub(super) struct LeagueKeys {
    pub(super) variant: Option<Value>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) bots: Vec<Value>,
    pub(super) grid: Option<Table>,
    pub(super) question: Option<Value>,
    pub(super) error: Option<f64>,
    pub(super) resolution: Option<f64>,
    pub(super) games: Option<i64>,
}

/// The keys of a question that has a value, as written.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct QuestionKeys {
    top: Option<i64>,
    better_than: Option<String>,
}

/// Returns the path of a key of the table `league`.
pub(super) fn league_key(name: &str) -> Vec<String> {
    vec!["league".to_owned(), name.to_owned()]
}

impl LeagueKeys {
    /// Reads the table `league` of a config.
    pub(super) fn read(source: &Source, table: &Table) -> Result<LeagueKeys, InputError> {
        let at = key("league");
        if table.is_empty() {
            return Err(source.error(&at, "is missing: a table with `variant`, `bots` or `grid`, and `question`"));
        }
        source.fields(&at, table)
    }

    /// Returns the variant.
    pub(super) fn variant(&self, source: &Source, register: &Register) -> Result<Variant, InputError> {
        let at = league_key("variant");
        match &self.variant {
            None => Err(source.error(&at, "is missing: the variant that is played, by name, file or table")),
            Some(Value::Array(_)) => {
                let problem = "is a list, and a league has one variant, since its error rate is for one answer; \
                               write a config for each variant";
                Err(source.error(&at, problem))
            }
            Some(value) => find_variant(source, &at, value, register.games()),
        }
    }

    /// Returns the bots that are listed.
    ///
    /// Without a grid there must be some.
    pub(super) fn listed(
        &self,
        source: &Source,
        variant: &Variant,
        register: &Register,
    ) -> Result<Vec<Bot>, InputError> {
        let at = league_key("bots");
        if self.bots.is_empty() {
            let problem = "is missing: a list of names or files, or a `grid` of settings";
            return if self.grid.is_some() { Ok(Vec::new()) } else { Err(source.error(&at, problem)) };
        }
        let find = |at: &[String], value: &Value| register.find_bot(source, at, value);
        let bots = resolve(source, &at, &self.bots, find, |bot| &bot.name)?;
        for (number, bot) in bots.iter().enumerate() {
            let at = [&at[..], &[number.to_string()]].concat();
            check_eligible(bot, std::slice::from_ref(variant)).map_err(|problem| source.error(&at, problem))?;
        }
        Ok(bots)
    }

    /// Returns the question about these bots.
    pub(super) fn question(&self, source: &Source, bots: &[Bot]) -> Result<LeagueQuestion, InputError> {
        let at = league_key("question");
        let Some(value) = &self.question else {
            return Err(source.error(&at, format!("is missing: {QUESTIONS}")));
        };
        match value {
            Value::String(text) if text == "best" => Ok(LeagueQuestion::Best),
            Value::String(text) if text == "ranking" => Ok(LeagueQuestion::Ranking),
            Value::Table(table) => {
                let keys: QuestionKeys = source.fields(&at, table)?;
                match (keys.top, &keys.better_than) {
                    (Some(top), None) => top_question(source, top, bots.len()),
                    (None, Some(name)) => better_than(source, name, bots),
                    (None, None) => Err(source.error(&at, format!("asks nothing: write {QUESTIONS}"))),
                    (Some(_), Some(_)) => {
                        let problem = "asks two questions; ask `top` or `better-than`, and write a config for each";
                        Err(source.error(&at, problem))
                    }
                }
            }
            other => Err(source.error(&at, format!("is {other}, and must be {QUESTIONS}"))),
        }
    }

    /// Returns the probability with which any part of the answer may be wrong.
    pub(super) fn error(&self, source: &Source) -> Result<f64, InputError> {
        let error = self.error.unwrap_or(ERROR);
        if (1e-9..=0.5).contains(&error) {
            return Ok(error);
        }
        let problem = format!("is {error}, but must be 0.000000001 to 0.5, as 0.05 for 5%");
        Err(source.error(&league_key("error"), problem))
    }

    /// Returns the difference in points a deal below which two bots count as equal.
    ///
    /// Without `games` there must be one, or a league of equal bots would not end.
    pub(super) fn resolution(&self, source: &Source) -> Result<f64, InputError> {
        let at = league_key("resolution");
        match self.resolution {
            Some(resolution) if !(1e-6..=1e3).contains(&resolution) => {
                let problem = format!("is {resolution}, but must be 0.000001 to 1000, in points a deal");
                Err(source.error(&at, problem))
            }
            None if self.games.is_none() => {
                let problem = "is missing: which difference in points a deal is too small to matter? Or give `games`";
                Err(source.error(&at, problem))
            }
            given => Ok(given.unwrap_or(0.0)),
        }
    }

    /// Returns the number of games that may be played, if the config limits it.
    pub(super) fn games(&self, source: &Source) -> Result<Option<u64>, InputError> {
        self.games.map(|games| whole_games(source, &league_key("games"), games)).transpose()
    }
}

fn top_question(source: &Source, top: i64, bots: usize) -> Result<LeagueQuestion, InputError> {
    let at = key("league.question.top");
    let most = i64::try_from(bots).unwrap_or(i64::MAX) - 1;
    if top > most {
        let problem = format!("is {top}, and there are {bots} bots; ask for at most {most}");
        return Err(source.error(&at, problem));
    }
    let top = whole_number(source, &at, top, 1..=most)?;
    Ok(LeagueQuestion::Top(usize::try_from(top).expect("fewer than there are bots")))
}

fn better_than(source: &Source, name: &str, bots: &[Bot]) -> Result<LeagueQuestion, InputError> {
    let names = || bots.iter().map(|bot| bot.name.as_str());
    match names().position(|known| known == name) {
        Some(bot) => Ok(LeagueQuestion::BetterThan(bot)),
        None => {
            let meant = did_you_mean(name, names());
            let problem = format!("is {name:?}, which is none of the bots{meant}; add it to `bots`");
            Err(source.error(&key("league.question.better-than"), problem))
        }
    }
}

/// Returns a question as a config writes it.
pub(super) fn question_value(question: LeagueQuestion, bots: &[Bot]) -> Value {
    let table = |keys: QuestionKeys| Value::try_from(keys).expect("plain values");
    match question {
        LeagueQuestion::Best => "best".into(),
        LeagueQuestion::Ranking => "ranking".into(),
        LeagueQuestion::Top(top) => {
            let top = Some(i64::try_from(top).expect("fewer than there are bots"));
            table(QuestionKeys { top, better_than: None })
        }
        LeagueQuestion::BetterThan(bot) => table(QuestionKeys { top: None, better_than: Some(bots[bot].name.clone()) }),
    }
}
