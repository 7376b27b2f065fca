//! The keys of a tournament's config, each checked by itself.

use overtrick_game::Options;
use overtrick_games::{Games, Variant};
use overtrick_strategies::{Bot, Register};
use overtrick_strategy::ids::BotId;
use overtrick_toml::{InputError, Source, did_you_mean, key};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::eligibility::Origin;
use super::lookup::{find_variant, resolve};
use super::whole_number::whole_number;
use super::window::MOST_NUMBERS;
use super::{
    BotChange, FaultPolicy, Format, GivenAway, ParseSecretError, Schedule, Secret, StoppingRule, Unit, bot_change,
    eligibility, memory,
};

/// The default number of groups in which tallies are kept.
pub(super) const GROUPS: usize = 256;
/// The default share of the decisions of external bots that are asked again.
pub(super) const AUDIT: f64 = 0.01;

/// The keys of a tournament's config after its header, as written.
///
/// Every key has a default here. Required keys are checked later by name.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", default)]
pub(super) struct RunKeys {
    pub(super) secret: Option<String>,
    pub(super) format: Format,
    pub(super) unit: Unit,
    pub(super) deals: Option<i64>,
    pub(super) matches: Option<i64>,
    pub(super) stop: Option<Table>,
    pub(super) faults: Table,
    pub(super) audit: Option<f64>,
    pub(super) analyse: Option<i64>,
    pub(super) groups: Option<i64>,
    pub(super) copies: Option<bool>,
    pub(super) candidate: Option<String>,
    pub(super) anchor: Option<String>,
    pub(super) variants: Vec<Value>,
    pub(super) bots: Vec<Value>,
}

impl RunKeys {
    /// Returns the share of the decisions of external bots that are asked again, 0 to 1.
    pub(super) fn audit(&self, source: &Source) -> Result<f64, InputError> {
        let audit = self.audit.unwrap_or(AUDIT);
        if !(0.0..=1.0).contains(&audit) {
            let problem = format!("is {audit}, but must be 0 to 1, a share of the decisions");
            return Err(source.error(&key("audit"), problem));
        }
        Ok(audit)
    }

    /// Returns the number of deals or matches that get a double-dummy analysis.
    pub(super) fn analyse(&self, source: &Source) -> Result<u64, InputError> {
        whole_number(source, &key("analyse"), self.analyse.unwrap_or(0), 0..=GivenAway::MOST as i64)
    }

    /// Returns the secret, if the config has one.
    pub(super) fn secret(&self, source: &Source) -> Result<Option<Secret>, InputError> {
        let secret = self.secret.as_deref().map(str::parse).transpose();
        secret.map_err(|error: ParseSecretError| source.error(&key("secret"), error.to_string()))
    }

    /// Checks that the number of the other unit is not given.
    pub(super) fn check_unit(&self, source: &Source) -> Result<(), InputError> {
        let (other_key, other) = match self.unit {
            Unit::Deal => ("matches", self.matches),
            Unit::Match => ("deals", self.deals),
        };
        if other.is_none() {
            return Ok(());
        }
        let problem = format!("does not go with this unit; write `{}`", self.unit.plural());
        Err(source.error(&key(other_key), problem))
    }

    /// Returns whether line-ups in which a bot sits twice are played too.
    pub(super) fn copies(&self, source: &Source) -> Result<bool, InputError> {
        let copies = self.copies.unwrap_or(false);
        if copies && self.format != Format::RoundRobin {
            let problem = format!(
                "adds line-ups to a round-robin, and this is format = \"{}\"; leave one of the two out",
                self.format.name()
            );
            return Err(source.error(&key("copies"), problem));
        }
        Ok(copies)
    }

    /// Returns the rule that may stop a run early.
    pub(super) fn stop(&self, source: &Source) -> Result<Option<StoppingRule>, InputError> {
        let Some(table) = &self.stop else { return Ok(None) };
        let at = key("stop");
        let stop: StoppingRule = source.fields(&at, table)?;
        let fits = stop.validate().and_then(|()| stop.suits(self.format));
        fits.map_err(|error| {
            let inner = (!error.key.is_empty()).then(|| key(error.key));
            source.error(&[at, inner.unwrap_or_default()].concat(), error.problem)
        })?;
        Ok(Some(stop))
    }

    /// Returns the number of deals or matches that each line-up plays.
    ///
    /// Without that key, a run that `may_stop` by a rule has the most that there are.
    pub(super) fn numbers(&self, source: &Source, may_stop: bool) -> Result<u64, InputError> {
        let at = key(self.unit.plural());
        let numbers = match self.unit {
            Unit::Deal => self.deals,
            Unit::Match => self.matches,
        };
        match numbers {
            Some(numbers) => whole_number(source, &at, numbers, 1..=MOST_NUMBERS as i64),
            None if may_stop => Ok(MOST_NUMBERS),
            None => Err(source.error(&at, "is missing: how many does every line-up play?")),
        }
    }

    /// Returns the number of groups that the config asks for.
    pub(super) fn groups(&self, source: &Source) -> Result<usize, InputError> {
        let groups = self.groups.unwrap_or(GROUPS as i64);
        Ok(whole_number(source, &key("groups"), groups, 8..=65_536)? as usize)
    }

    /// Checks that there is memory for this number of variants and bots.
    pub(super) fn check_size(&self, source: &Source) -> Result<(), InputError> {
        memory::check_numbers(self.variants.len(), self.bots.len(), self.format)
            .map_err(|error| source.error(&key(error.key), error.problem))
    }

    /// Finds the variants by their names, or reads their tables.
    pub(super) fn variants(&self, source: &Source, games: &Games) -> Result<Vec<Variant>, InputError> {
        let find = |at: &[String], value: &Value| find_variant(source, at, value, games);
        resolve(source, &key("variants"), &self.variants, find, |variant| &variant.name)
    }

    /// Returns the bots with `changes` applied, and checks that all of them can play `variants`.
    pub(super) fn bots(
        &self,
        source: &Source,
        changes: &[BotChange],
        variants: &[Variant],
        register: &Register,
    ) -> Result<Vec<Bot>, InputError> {
        let find = |at: &[String], value: &Value| register.find_bot(source, at, value);
        let mut bots = resolve(source, &key("bots"), &self.bots, find, |bot| &bot.name)?;
        let changed = bot_change::apply(changes, &mut bots, source, register)?;
        let mut origins: Vec<Origin<'_>> = Vec::new();
        for number in 0..bots.len() {
            let own = changed.iter().zip(changes).filter(|(bot, _)| **bot == number);
            origins.push(Origin { value: self.bots.get(number), changes: own.map(|(_, change)| change).collect() });
        }
        eligibility::check(source, &origins, &bots, variants)?;
        Ok(bots)
    }

    /// Returns the policy for faults.
    pub(super) fn faults(&self, source: &Source) -> Result<FaultPolicy, InputError> {
        let at = key("faults");
        let policy: FaultPolicy = source.fields(&at, &self.faults)?;
        policy.validate().map_err(|error| source.error(&[at, key(error.key)].concat(), error.problem))?;
        Ok(policy)
    }

    /// Returns the candidate of a gauntlet, if the config names one.
    pub(super) fn candidate(&self, source: &Source, bots: &[Bot]) -> Result<Option<BotId>, InputError> {
        let Some(name) = &self.candidate else { return Ok(None) };
        let at = key("candidate");
        if self.format != Format::Gauntlet {
            return Err(source.error(&at, "only goes with format = \"gauntlet\""));
        }
        bot_of(source, &at, name, bots).map(Some)
    }

    /// Returns the bot whose Elo is 0, if the config names one.
    pub(super) fn anchor(&self, source: &Source, bots: &[Bot]) -> Result<Option<BotId>, InputError> {
        let Some(name) = &self.anchor else { return Ok(None) };
        let at = key("anchor");
        if self.format == Format::Mirror {
            return Err(source.error(&at, "does not go with format = \"mirror\", which rates no bot"));
        }
        bot_of(source, &at, name, bots).map(Some)
    }

    /// Returns the schedule of a variant for a number of bots.
    pub(super) fn schedule(
        &self,
        source: &Source,
        candidate: Option<BotId>,
        variant: &Variant,
        bots: usize,
    ) -> Result<Schedule, InputError> {
        let schedule = Schedule::new(self.format, bots, candidate, variant.game.layout().teams());
        let has_copies = self.copies == Some(true);
        schedule
            .and_then(|schedule| if has_copies { schedule.with_copies(bots) } else { Ok(schedule) })
            .map_err(|problem| source.error(&key("bots"), format!("{}: {problem}", variant.name)))
    }

    /// Checks that there are enough groups to stop by `half-width`, if `stop` does.
    ///
    /// The config asks for `asked` groups, and there is memory for `groups`.
    pub(super) fn check_groups(
        &self,
        source: &Source,
        stop: Option<StoppingRule>,
        asked: usize,
        groups: usize,
    ) -> Result<(), InputError> {
        let least = StoppingRule::FEWEST_GROUPS;
        if groups >= least || stop.is_none_or(|stop| stop.half_width.is_none()) {
            return Ok(());
        }
        let why = if groups < asked {
            let key = self.unit.plural();
            format!(
                "there is memory for only {groups} groups of deals with this number of line-ups. Leave it out and \
                 give `{key}`"
            )
        } else {
            format!("`groups` is {groups}; give more, or leave it out")
        };
        let problem = format!("needs {least} groups of deals, so that its intervals hold: {why}");
        Err(source.error(&key("stop.half-width"), problem))
    }
}

/// Returns the number of the bot that the key at `at` names.
fn bot_of(source: &Source, at: &[String], name: &str, bots: &[Bot]) -> Result<BotId, InputError> {
    bots.iter().position(|bot| bot.name == name).map(BotId::new).ok_or_else(|| {
        let known: Vec<&str> = bots.iter().map(|bot| bot.name.as_str()).collect();
        let meant = did_you_mean(name, known.iter().copied());
        source.error(at, format!("{name:?} is none of the bots{meant}; they are {}", known.join(", ")))
    })
}
