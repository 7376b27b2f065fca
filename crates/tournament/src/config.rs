//! The configuration of a tournament: reads a config file, resolves its names and checks it.

use std::path::{Path, PathBuf};

use overtrick_external::process::{Isolation, LastWords, Level};
use overtrick_game::Options;
use overtrick_games::{Games, Variant};
use overtrick_strategies::{Bot, Register};
use overtrick_strategy::ids::BotId;
use overtrick_toml::{InputError, Source, did_you_mean, key};
use serde::Deserialize;
use toml::{Table, Value};

use super::eligibility::Origin;
use super::lookup::{find_variant, resolve};
use super::run_name::{out_folder, run_name};
use super::shutting::{hiding, isolation, isolation_of, write_isolation};
use super::window::MOST_NUMBERS;
use super::written_for::written_for;
use super::{
    BotChange, DrawError, FaultPolicy, Format, GivenAway, Luck, ParseSecretError, Schedule, ScheduleError, Secret,
    StoppingRule, Unit, bot_change, eligibility, memory,
};

/// The default number of groups in which tallies are kept.
pub const GROUPS: usize = 256;
/// The default share of the decisions of external bots that are asked again.
const AUDIT: f64 = 0.01;
/// A config file as written. Every key has a default here; required keys are checked later by name.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct Written {
    name: Option<String>,
    seed: Option<i64>,
    secret: Option<String>,
    format: Format,
    unit: Unit,
    deals: Option<i64>,
    matches: Option<i64>,
    stop: Option<Table>,
    faults: Table,
    audit: Option<f64>,
    analyse: Option<i64>,
    groups: Option<i64>,
    candidate: Option<String>,
    anchor: Option<String>,
    out: Option<PathBuf>,
    sandbox: Option<Level>,
    bots_may_read: Vec<PathBuf>,
    variants: Vec<Value>,
    bots: Vec<Value>,
}

/// Values from the command line, which replace values of the config file.
#[derive(Clone, Debug, Default)]
pub struct Overrides {
    /// The master seed.
    pub seed: Option<u64>,
    /// The number of deals (or matches) that every line-up plays.
    pub numbers: Option<u64>,
    /// Changes to the bots, applied in this order.
    pub changes: Vec<BotChange>,
}

/// A tournament, resolved and checked. No part of it depends on another file.
#[derive(Clone)]
#[non_exhaustive]
pub struct Tournament {
    /// The tournament's name, which is also the name of its folder of results.
    pub name: String,
    /// The master seed.
    pub seed: u64,
    /// The secret that cards and seeds follow from, in addition to the seed.
    ///
    /// It is set if the config names one, or by [`Tournament::draw_secret`].
    pub secret: Option<Secret>,
    /// The format, which determines the line-ups.
    pub format: Format,
    /// Whether single deals or matches are simulated.
    pub unit: Unit,
    /// The number of deals or matches that every line-up plays; a maximum if the run may stop earlier.
    pub numbers: u64,
    /// The rule that may stop the run earlier.
    pub stop: Option<StoppingRule>,
    /// The policy for faults.
    pub faults: FaultPolicy,
    /// The share of the decisions of external bots, 0 to 1, that a process without history is asked again.
    pub audit: f64,
    /// The number of deals or matches, from the first, whose plays get a double-dummy analysis. It is at most
    /// [`GivenAway::MOST`].
    pub analyse: u64,
    /// The number of groups in which tallies are kept. It may be below `groups_asked`, so that they fit into
    /// memory.
    pub groups: usize,
    /// The number of groups that the config asks for.
    pub groups_asked: usize,
    /// The candidate, if the format is a gauntlet.
    pub candidate: Option<BotId>,
    /// The bot whose Elo is 0; `None` if the mean Elo is 0.
    pub anchor: Option<BotId>,
    /// The folder for results, if the config names one.
    pub out: Option<PathBuf>,
    /// The variants, in the order of the config file.
    pub variants: Vec<Variant>,
    /// The bots in the order of the config file, indexed by bot id.
    pub bots: Vec<Bot>,
    /// By variant: the line-ups and seatings, without disqualified bots.
    pub schedules: Vec<Schedule>,
    /// The games and strategies in which the names of the file were looked up.
    pub register: Register,
}

impl Tournament {
    /// Reads a config file.
    ///
    /// # Errors
    /// Returns an error with the file, line and key if the config or a file that it names is wrong.
    pub fn read(file: &Path, overrides: Overrides) -> Result<Tournament, InputError> {
        Tournament::read_with(file, overrides, &Register::default())
    }

    /// Reads a config file that may name games and strategies of other crates, from `register`.
    ///
    /// # Errors
    /// As for [`Tournament::read`].
    pub fn read_with(file: &Path, overrides: Overrides, register: &Register) -> Result<Tournament, InputError> {
        Tournament::resolve_with(&Source::read(file)?, overrides, register)
    }

    /// Reads a configuration from a document.
    ///
    /// # Errors
    /// Returns an error with the file, line and key if the config or a file that it names is wrong.
    pub fn resolve(source: &Source, overrides: Overrides) -> Result<Tournament, InputError> {
        Tournament::resolve_with(source, overrides, &Register::default())
    }

    /// Reads a configuration that may name games and strategies of other crates, from `register`.
    ///
    /// # Errors
    /// As for [`Tournament::resolve`].
    pub fn resolve_with(source: &Source, overrides: Overrides, register: &Register) -> Result<Tournament, InputError> {
        written_for(source, "run")?;
        let written: Written = source.fields(&[], source.table())?;
        let at = |name: &str, problem: String| source.error(&key(name), problem);
        let name = run_name(source, written.name)?;
        let whole = |name: &str, value: i64, low: i64, high: i64| {
            if (low..=high).contains(&value) {
                Ok(value as u64)
            } else {
                Err(at(name, format!("is {value}; it runs from {low} to {high}")))
            }
        };
        let seed = match (overrides.seed, written.seed) {
            (Some(seed), _) => seed,
            (None, Some(seed)) => whole("seed", seed, 0, i64::MAX)?,
            (None, None) => {
                return Err(at("seed", "is missing: give a whole number, so that the run can be repeated".into()));
            }
        };
        let audit = written.audit.unwrap_or(AUDIT);
        if !(0.0..=1.0).contains(&audit) {
            return Err(at("audit", format!("is {audit}; it runs from 0 to 1, a share of the decisions")));
        }
        let analyse = whole("analyse", written.analyse.unwrap_or(0), 0, GivenAway::MOST as i64)?;
        let secret = written.secret.as_deref().map(str::parse).transpose();
        let secret = secret.map_err(|error: ParseSecretError| at("secret", error.to_string()))?;
        let (count_key, count, other_key, other) = match written.unit {
            Unit::Deal => ("deals", written.deals, "matches", written.matches),
            Unit::Match => ("matches", written.matches, "deals", written.deals),
        };
        if other.is_some() {
            return Err(at(other_key, format!("does not go with this unit; write `{count_key}`")));
        }
        let stop = written.stop.as_ref().map(|table| stop(source, table, written.format)).transpose()?;
        let numbers = match (overrides.numbers, count) {
            (Some(numbers), _) => numbers,
            (None, Some(count)) => whole(count_key, count, 1, MOST_NUMBERS as i64)?,
            (None, None) if stop.is_some() => MOST_NUMBERS,
            (None, None) => {
                return Err(at(count_key, "is missing: how many does every line-up play?".into()));
            }
        };
        let asked = whole("groups", written.groups.unwrap_or(GROUPS as i64), 8, 65_536)? as usize;
        memory::check_numbers(written.variants.len(), written.bots.len(), written.format)
            .map_err(|error| at(error.key, error.problem))?;
        let variants = variants(source, &written.variants, register.games())?;
        let mut bots = bots(source, &written.bots, &overrides.changes, &variants, register)?;
        let isolation = isolation(source, written.sandbox, &written.bots_may_read)?;
        bots.iter_mut().for_each(|bot| bot.spec.isolate(&isolation));
        let faults = faults(source, &written.faults)?;
        for params in bots.iter_mut().filter_map(|bot| bot.spec.process_mut()) {
            (params.patience, params.last_words) = (faults.patience(), LastWords::default());
        }
        let bot_of = |at_key: &str, name: &str| {
            let known: Vec<&str> = bots.iter().map(|bot| bot.name.as_str()).collect();
            known.iter().position(|known| *known == name).map(BotId::new).ok_or_else(|| {
                let meant = did_you_mean(name, known.iter().copied());
                at(at_key, format!("{name:?} is none of the bots{meant}; they are {}", known.join(", ")))
            })
        };
        let candidate = match (&written.candidate, written.format) {
            (None, _) => None,
            (Some(_), format) if format != Format::Gauntlet => {
                return Err(at("candidate", "only goes with format = \"gauntlet\"".into()));
            }
            (Some(name), _) => Some(bot_of("candidate", name)?),
        };
        let anchor = match &written.anchor {
            None => None,
            Some(_) if written.format == Format::Mirror => {
                return Err(at("anchor", "does not go with format = \"mirror\", which rates no bot".into()));
            }
            Some(name) => Some(bot_of("anchor", name)?),
        };
        let schedule = |variant: &Variant| {
            let seats = variant.game.layout().seats;
            Schedule::new(written.format, bots.len(), candidate, seats)
                .map_err(|problem| at("bots", format!("{}: {problem}", variant.name)))
        };
        let schedules: Vec<Schedule> = variants.iter().map(schedule).collect::<Result<_, _>>()?;
        let groups = memory::affordable_groups(asked, &variants, &schedules, bots.len());
        memory::check_tallies(groups, &variants, &schedules, bots.len())
            .map_err(|error| at(error.key, error.problem))?;
        if groups < StoppingRule::FEWEST_GROUPS && stop.is_some_and(|stop| stop.half_width.is_some()) {
            let why = if groups < asked {
                format!(
                    "there is memory for only {groups} groups of deals with this number of line-ups. Leave it out and give `{count_key}`"
                )
            } else {
                format!("`groups` is {groups}; give more, or leave it out")
            };
            let problem =
                format!("needs {} groups of deals, so that its intervals hold: {why}", StoppingRule::FEWEST_GROUPS);
            return Err(at("stop.half-width", problem));
        }
        Ok(Tournament {
            name,
            seed,
            secret,
            format: written.format,
            unit: written.unit,
            numbers,
            stop,
            faults,
            audit,
            analyse,
            groups,
            groups_asked: asked,
            candidate,
            anchor,
            out: out_folder(written.out),
            variants,
            bots,
            schedules,
            register: register.clone(),
        })
    }

    /// Makes a tournament of single deals of one variant, without a config file.
    ///
    /// # Errors
    /// If there are too few or too many bots for the format.
    pub fn of(
        seed: u64,
        format: Format,
        deals: u64,
        variant: Variant,
        bots: Vec<Bot>,
        register: &Register,
    ) -> Result<Tournament, ScheduleError> {
        let schedules = vec![Schedule::new(format, bots.len(), None, variant.game.layout().seats)?];
        let variants = vec![variant];
        Ok(Tournament {
            name: variants[0].name.clone(),
            seed,
            secret: None,
            format,
            unit: Unit::Deal,
            numbers: deals,
            stop: None,
            faults: FaultPolicy::default(),
            audit: AUDIT,
            analyse: 0,
            groups: memory::affordable_groups(GROUPS, &variants, &schedules, bots.len()),
            groups_asked: GROUPS,
            candidate: None,
            anchor: None,
            out: None,
            variants,
            bots,
            schedules,
            register: register.clone(),
        })
    }

    /// Returns the config with everything resolved, so that it gives the same results anywhere.
    pub fn to_toml(&self) -> String {
        let variant = |variant: &Variant| {
            Value::Table(Table::from_iter([
                ("name".to_owned(), Value::from(variant.name.as_str())),
                ("about".to_owned(), Value::from(variant.about.as_str())),
                ("base".to_owned(), Value::from(variant.base.as_str())),
                ("rules".to_owned(), Value::Table(variant.game.rules())),
            ]))
        };
        let unit = match self.unit {
            Unit::Deal => "deal",
            Unit::Match => "match",
        };
        let whole = |number: u64| Value::from(number as i64);
        let mut table = Table::from_iter([
            ("name".to_owned(), Value::from(self.name.as_str())),
            ("seed".to_owned(), whole(self.seed)),
            ("format".to_owned(), Value::from(self.format.name())),
            ("unit".to_owned(), Value::from(unit)),
            (format!("{unit}{}", if self.unit == Unit::Deal { "s" } else { "es" }), whole(self.numbers)),
            ("groups".to_owned(), whole(self.groups as u64)),
            ("variants".to_owned(), Value::Array(self.variants.iter().map(variant).collect())),
            ("bots".to_owned(), Value::Array(self.bots.iter().map(|bot| Value::Table(bot.to_table())).collect())),
        ]);
        if let Some(secret) = self.secret {
            table.insert("secret".to_owned(), Value::from(secret.to_string()));
        }
        if self.has_processes() {
            table.insert("audit".to_owned(), Value::from(self.audit));
        }
        if self.analyse > 0 {
            table.insert("analyse".to_owned(), whole(self.analyse));
        }
        table.insert("faults".to_owned(), Value::try_from(self.faults).expect("plain values"));
        if let Some(stop) = &self.stop {
            table.insert("stop".to_owned(), Value::try_from(stop).expect("plain values"));
        }
        if let Some(isolation) = self.isolation() {
            write_isolation(isolation, &mut table);
        }
        for (key, bot) in [("candidate", self.candidate), ("anchor", self.anchor)] {
            if let Some(bot) = bot {
                table.insert(key.to_owned(), Value::from(self.bot(bot).name.as_str()));
            }
        }
        toml::to_string(&table).expect("a configuration is plain values")
    }

    /// Returns the seed and the secret that all random choices follow from.
    pub fn luck(&self) -> Luck {
        Luck { seed: self.seed, secret: self.secret }
    }

    /// Returns true if a bot plays for which the run should have a secret.
    pub fn has_strangers(&self) -> bool {
        self.bots.iter().any(|bot| bot.spec.needs_secret())
    }

    /// Returns true if a bot plays in a process, where it may remember. It must meet no deal twice.
    pub fn has_processes(&self) -> bool {
        self.bots.iter().any(|bot| bot.spec.process().is_some())
    }

    /// Draws a secret, unless there is one already or no external bot plays.
    ///
    /// # Errors
    /// If the system provides no random numbers.
    pub fn draw_secret(&mut self) -> Result<(), DrawError> {
        if self.secret.is_none() && self.has_strangers() {
            self.secret = Some(Secret::draw()?);
        }
        Ok(())
    }

    /// Returns the isolation of the external bots; `None` if all bots run inside the process.
    pub fn isolation(&self) -> Option<&Isolation> {
        isolation_of(&self.bots)
    }

    /// Hides a folder, such as the folder of results, from external bots.
    pub fn hide(&mut self, folder: &Path) {
        let Some(isolation) = self.isolation().map(|isolation| hiding(isolation, folder)) else { return };
        self.bots.iter_mut().for_each(|bot| bot.spec.isolate(&isolation));
    }

    /// Returns the ids of all bots, in order.
    pub fn bot_ids(&self) -> impl Iterator<Item = BotId> {
        BotId::all(self.bots.len())
    }

    /// Returns the bot with this id.
    pub fn bot(&self, id: BotId) -> &Bot {
        &self.bots[id.index()]
    }

    /// Removes the line-ups of a bot from a variant. Returns false and changes nothing if no line-up would be
    /// left.
    pub fn drop_bot(&mut self, variant: usize, bot: BotId) -> bool {
        let line_ups = &mut self.schedules[variant].line_ups;
        let others: Vec<_> = line_ups.iter().filter(|line_up| !line_up.contains(&bot)).cloned().collect();
        let left = !others.is_empty();
        if left {
            *line_ups = others;
        }
        left
    }

    /// Returns the number of games in the tournament: numbers times line-ups times seatings, over all
    /// variants.
    pub fn games(&self) -> u64 {
        self.schedules.iter().map(|schedule| schedule.games_a_number() as u64 * self.numbers).sum()
    }
}

/// Reads the rule that may stop a run early.
fn stop(source: &Source, table: &Table, format: Format) -> Result<StoppingRule, InputError> {
    let at = key("stop");
    let stop: StoppingRule = source.fields(&at, table)?;
    let fits = stop.validate().and_then(|()| stop.suits(format));
    fits.map_err(|error| {
        let inner = (!error.key.is_empty()).then(|| key(error.key));
        source.error(&[at, inner.unwrap_or_default()].concat(), error.problem)
    })?;
    Ok(stop)
}

fn faults(source: &Source, table: &Table) -> Result<FaultPolicy, InputError> {
    let at = key("faults");
    let policy: FaultPolicy = source.fields(&at, table)?;
    policy.validate().map_err(|error| source.error(&[at, key(error.key)].concat(), error.problem))?;
    Ok(policy)
}

fn variants(source: &Source, values: &[Value], games: &Games) -> Result<Vec<Variant>, InputError> {
    let find = |at: &[String], value: &Value| find_variant(source, at, value, games);
    resolve(source, &key("variants"), values, find, |variant| &variant.name)
}

/// Reads the bots of the config, applies `changes`, and checks that all of them can play `variants`.
fn bots(
    source: &Source,
    values: &[Value],
    changes: &[BotChange],
    variants: &[Variant],
    register: &Register,
) -> Result<Vec<Bot>, InputError> {
    let find = |at: &[String], value: &Value| register.find_bot(source, at, value);
    let mut bots = resolve(source, &key("bots"), values, find, |bot| &bot.name)?;
    let changed = bot_change::apply(changes, &mut bots, source, register)?;
    let origins: Vec<Origin<'_>> = (0..bots.len())
        .map(|number| {
            let own = changed.iter().zip(changes).filter(|(bot, _)| **bot == number);
            Origin { value: values.get(number), changes: own.map(|(_, change)| change).collect() }
        })
        .collect();
    eligibility::check(source, &origins, &bots, variants)?;
    Ok(bots)
}
