//! Balance at best play: a bot of the panel is tuned again for the rules of each point.

use overtrick_games::Variant;
use overtrick_stats::Bounded;
use overtrick_strategies::{Bot, Register};
use overtrick_toml::{InputError, Source, key};
use overtrick_tournament::{Flaw, ensure};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::wish::in_panel;
use crate::tune::{self, MarginSums, Tuning, against_itself, parameters_to_table, read_parameters, whole_games};

/// The mark behind the name of a bot that was tuned for a point. No other bot's name has it.
const MARK: &str = "*";

/// A bot of the panel that is tuned again at each point.
#[derive(Clone)]
pub struct Retune {
    /// The number in the panel of the bot as it is before tuning.
    pub bot: usize,
    /// The number of games that tuning may take at each point.
    pub games: u64,
    /// The plan of tuning for the base.
    plan: tune::TunePlan,
}

/// The result of tuning at a point.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RetunedBot {
    /// The parameters with which the bot plays on.
    ///
    /// They are the original ones unless others were certainly ahead.
    pub setting: tune::Setting,
    /// Whether these parameters are certainly ahead of the original ones.
    pub is_better: bool,
    /// The lead of the best parameters found, in points a deal, on fresh deals.
    ///
    /// It is empty if the search found nothing other than its start.
    pub gain: MarginSums,
}

/// The keys of the table `retune`, as written.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct RetuneKeys {
    bot: Option<String>,
    games: Option<i64>,
    parameters: Table,
}

/// Returns the name of a bot that was tuned for a point.
pub fn retuned_name(name: &str) -> String {
    format!("{name}{MARK}")
}

impl Retune {
    /// Reads the table at `at`.
    ///
    /// Without `bot`, it is about the last bot of the panel that has parameters, which is the most skilled.
    /// The seed is the seed of the sweep, whose deals have other numbers.
    pub(super) fn read(
        source: &Source,
        at: &[String],
        written: &Table,
        panel: &[Bot],
        base: &Variant,
        seed: u64,
        register: &Register,
    ) -> Result<Retune, InputError> {
        let within = |name: &str| [at, &key(name)].concat();
        let own: RetuneKeys = source.fields(at, written)?;
        let has_parameters = |bot: &Bot| Ok(!register.list_parameters(bot.spec.name())?.is_empty());
        let bot = match &own.bot {
            Some(name) => {
                let bot = in_panel(source, &within("bot"), Some(name), panel)?;
                if !has_parameters(&panel[bot])? {
                    let problem = format!("{name} has no parameters to tune; name another bot of the panel");
                    return Err(source.error(&within("bot"), problem));
                }
                bot
            }
            None => {
                let tuneable: Vec<bool> = panel.iter().map(has_parameters).collect::<Result<_, InputError>>()?;
                tuneable.iter().rposition(|tuneable| *tuneable).ok_or_else(|| {
                    source.error(&within("bot"), "is missing, and no bot of the panel has parameters to tune")
                })?
            }
        };
        let Some(games) = own.games else {
            let problem = "is missing: how many games may tuning play at each point?";
            return Err(source.error(&within("games"), problem));
        };
        let games = whole_games(source, &within("games"), games)?;
        let start = panel[bot].clone();
        let (space, start_point) = read_parameters(source, at, &own.parameters, &start, register)?;
        let plan = tune::TunePlan {
            name: base.name.clone(),
            seed,
            out: None,
            start,
            bots: Vec::new(),
            variants: vec![base.clone()],
            others: Vec::new(),
            tables: against_itself(base),
            space,
            start_point,
            games: Some(games),
            precision: None,
            unseen: Vec::new(),
            register: register.clone(),
        };
        Ok(Retune { bot, games, plan })
    }

    /// Checks that all settings play each variant, and that the games are enough.
    pub(super) fn check(&self, source: &Source, at: &[String], variants: &[Variant]) -> Result<(), InputError> {
        variants.iter().try_for_each(|variant| self.plan(variant).check_settings(source, at, "fewer parameters"))
    }

    /// Returns all of its bots, to change them alike.
    pub(super) fn all_bots(&mut self) -> impl Iterator<Item = &mut Bot> {
        self.plan.all_bots()
    }

    /// Returns the plan of tuning for a variant.
    ///
    /// Candidates play against the setting that they must beat.
    pub(super) fn plan(&self, variant: &Variant) -> tune::TunePlan {
        tune::TunePlan { variants: vec![variant.clone()], tables: against_itself(variant), ..self.plan.clone() }
    }

    /// Returns the tuned bot under its old name.
    ///
    /// # Errors
    /// If the strategy does not allow these values together.
    pub(super) fn bot(&self, retuned: &RetunedBot) -> Result<Bot, InputError> {
        self.plan.bot_at(&retuned.setting)
    }

    /// Checks that `retuned` has a setting of its parameters.
    ///
    /// # Errors
    /// If it has not, with the reason.
    pub(super) fn check_setting(&self, retuned: &RetunedBot) -> Result<(), Flaw> {
        ensure(retuned.setting.is_of(self.plan.start_point.len()), "tuned bot does not fit its parameters")?;
        retuned.gain.check()
    }

    /// Returns the key, the original value and the final value of each parameter.
    pub fn parameters(&self, retuned: &RetunedBot) -> Vec<(&str, Value, Value)> {
        let [before, after] = [&self.plan.start_point, &retuned.setting].map(|point| self.plan.values(point));
        let keys = self.keys().into_iter();
        keys.zip(before.into_iter().zip(after)).map(|(key, (before, after))| (key, before, after)).collect()
    }

    /// Returns the keys of the parameters.
    pub fn keys(&self) -> Vec<&str> {
        self.plan.space.axes.iter().map(|axis| axis.key.as_str()).collect()
    }

    /// Returns the table as a config has it.
    pub(super) fn to_table(&self) -> Table {
        let keys = RetuneKeys {
            bot: Some(self.plan.start.name.clone()),
            games: Some(self.games as i64),
            parameters: parameters_to_table(&self.plan.space),
        };
        Table::try_from(keys).expect("plain values")
    }
}

impl RetunedBot {
    /// Returns the gain with its interval; `None` if there was nothing to confirm.
    ///
    /// If a gain is claimed, both are conditional on the claim.
    pub fn banded(&self) -> Option<Bounded> {
        if self.gain.count == 0 {
            return None;
        }
        let se = Some(self.gain.se());
        Some(match self.gain.claimed() {
            Some(held) => Bounded { se, ..held },
            None => Bounded { value: self.gain.mean(), se, interval: self.gain.interval() },
        })
    }

    /// Returns the result of a tuning that is over.
    pub(super) fn of(tuning: &Tuning, task: &tune::TuneTask) -> RetunedBot {
        let gain = tuning.confirmation().map(|confirm| confirm.gain).unwrap_or_default();
        let is_better = gain.is_above_zero();
        let setting = if is_better { tuning.best(task) } else { task.start.clone() };
        RetunedBot { setting, is_better, gain }
    }
}
