//! The plan of tuning: its config, read, resolved and checked.

use std::path::{Path, PathBuf};

use overtrick_external::process::Isolation;
use overtrick_games::Variant;
use overtrick_strategies::{AnySpec, Bot, Register};
use overtrick_toml::{InputError, Source, key};
use overtrick_tournament::{Header, check_eligible, hide, isolation_of};
use toml::{Table, Value};

use super::constants::{MOST_RACED, MOST_RACED_CHOICES, RACE_GAMES};
use super::field::{FieldTable, games_a_number};
use super::line_ups;
use super::parameters::{self, OWN};
use super::race::TuneRace;
use super::setting::Setting;
use super::space::{ParameterValues, Space, TuneAxis, get};
use super::task::TuneTask;
use super::tune_keys::{Subject, TuneConfig, TuneKeys, to_values, tune_key};

/// The plan of tuning, resolved and checked.
#[derive(Clone)]
pub struct TunePlan {
    /// The name of the plan, which is also the name of the results folder.
    pub name: String,
    /// The master seed.
    pub seed: u64,
    /// The folder for results, if the file names one.
    pub out: Option<PathBuf>,
    /// The bot that tuning starts from.
    pub start: Bot,
    /// The bots to choose from, `start` first; empty if parameters are tuned.
    pub bots: Vec<Bot>,
    /// The variants.
    pub variants: Vec<Variant>,
    /// The bots of the field other than candidate and incumbent.
    pub others: Vec<Bot>,
    /// The tables at which candidates are tried.
    pub tables: Vec<FieldTable>,
    /// The parameters that are tuned.
    pub space: Space,
    /// The start among their settings.
    pub start_point: Setting,
    /// The number of games that may be played.
    pub games: Option<u64>,
    /// The half-width of the 95% interval of the gain that is precise enough, in points a deal.
    pub precision: Option<f64>,
    /// The bots that the result meets in the end, and that tuning does not meet before.
    pub unseen: Vec<Bot>,
    /// The register in which games and strategies are looked up.
    pub register: Register,
}

impl TunePlan {
    /// Reads a tuning config.
    ///
    /// # Errors
    /// If the config or a file that it names is wrong, with file, line and key.
    pub fn read(file: &Path, register: &Register) -> Result<TunePlan, InputError> {
        TunePlan::resolve(&Source::read(file)?, register)
    }

    /// Reads a tuning config from a document.
    ///
    /// # Errors
    /// If the config or a file that it names is wrong, with file, line and key.
    pub fn resolve(source: &Source, register: &Register) -> Result<TunePlan, InputError> {
        let (header, TuneConfig { tune }) = Header::read(source, "tune")?;
        let own = TuneKeys::read(source, &tune)?;
        let (name, seed) = (header.name(source)?, header.seed(source)?);
        let games = own.games(source)?;
        own.check_precision(source)?;
        let variants = own.variants(source, register)?;
        let Subject { start, bots, space, start_point } = own.subject(source, register)?;
        let (others, tables) = line_ups::read(source, own.against.as_ref(), &start, &variants, register)?;
        let unseen = own.unseen(source, &start, &others, &variants, register)?;
        let isolation = header.isolation(source)?;
        let mut plan = TunePlan {
            name,
            seed,
            out: header.out(),
            start,
            bots,
            variants,
            others,
            tables,
            space,
            start_point,
            games,
            precision: own.precision,
            unseen,
            register: register.clone(),
        };
        plan.all_bots().for_each(|bot| bot.spec.isolate(&isolation));
        plan.check(source)?;
        Ok(plan)
    }

    /// Returns all bots, each with its place in the config.
    ///
    /// The place of a bot of the field is the list of all line-ups.
    pub fn entrants(&self) -> Vec<(Vec<String>, &Bot)> {
        let mut all = numbered(&tune_key("bots"), &self.bots);
        if self.bots.is_empty() {
            all.push((tune_key("bot"), &self.start));
        }
        all.extend(self.others.iter().map(|bot| (tune_key("against"), bot)));
        all.extend(numbered(&tune_key("unseen"), &self.unseen));
        all
    }

    /// Returns the isolation of external bots; `None` if no bot is external.
    pub fn isolation(&self) -> Option<&Isolation> {
        isolation_of(self.entrants().into_iter().map(|(_, bot)| bot))
    }

    /// Hides a folder, such as the results folder, from bots.
    pub fn hide(&mut self, folder: &Path) {
        hide(self.all_bots(), folder);
    }

    /// Returns all bots, to change them alike.
    pub fn all_bots(&mut self) -> impl Iterator<Item = &mut Bot> {
        let others = self.bots.iter_mut().chain(&mut self.others).chain(&mut self.unseen);
        others.chain([&mut self.start])
    }

    /// Checks the bots, the settings and the number of games.
    ///
    /// The bots must play the variants, all choices and the ends of all ranges must be allowed, and the games
    /// must be enough.
    fn check(&self, source: &Source) -> Result<(), InputError> {
        for (at, bot) in self.entrants() {
            check_eligible(bot, &self.variants).map_err(|problem| source.error(&at, problem))?;
        }
        let fewer = if self.bots.is_empty() { "parameters" } else { "bots" };
        self.check_settings(source, &key("tune"), &format!("fewer {fewer} or line-ups (`against`)"))
    }

    /// Checks that all choices and ends of ranges are allowed, and that the games are enough.
    ///
    /// They stand in the table at `at`. `or_else` names a remedy other than more games.
    pub fn check_settings(&self, source: &Source, at: &[String], or_else: &str) -> Result<(), InputError> {
        let within = |name: &str| [at, &[name.to_owned()]].concat();
        let least = self.least_games(&self.task());
        if let Some(games) = self.games.filter(|&games| games < least) {
            let problem = format!("is {games}; this takes at least {least}: give more, or {or_else}");
            return Err(source.error(&within("games"), problem));
        }
        if !self.bots.is_empty() {
            return Ok(());
        }
        for (number, axis) in self.space.axes.iter().enumerate() {
            for value in axis.values.ends_or_choices() {
                let point = self.start_point.with(number, axis.values.coordinate(value));
                let bot = self.bot_at(&point).map_err(|error| error.problem);
                bot.and_then(|bot| check_eligible(&bot, &self.variants)).map_err(|problem| {
                    let at = [within("parameters"), key(&axis.key)].concat();
                    source.error(&at, format!("allows {}: {problem}", axis.values.value(value)))
                })?;
            }
        }
        Ok(())
    }

    /// Checks the values of an external bot's own parameters against its declaration.
    ///
    /// A bot declares its parameters when it starts, so it must have been started once. `source` is the config.
    ///
    /// # Errors
    /// The first value that the declaration does not allow.
    pub fn check_declared(&self, source: &Source) -> Result<(), InputError> {
        let AnySpec::Process(params) = &self.start.spec else { return Ok(()) };
        let Some(knobs) = params.declared.knobs() else { return Ok(()) };
        for axis in &self.space.axes {
            let Some(name) = axis.key.strip_prefix(OWN) else { continue };
            for value in axis.values.ends_or_choices() {
                let value = axis.values.value(value);
                if let Some(problem) = knobs.refusal(name, &value) {
                    let at = [tune_key("parameters"), key(&axis.key)].concat();
                    return Err(source.error(&at, format!("allows {value}: {problem}")));
                }
            }
        }
        Ok(())
    }

    /// Returns the bot with the parameters of a point.
    ///
    /// # Errors
    /// If the strategy does not allow these values together.
    pub fn bot_at(&self, point: &Setting) -> Result<Bot, InputError> {
        if let Some(bot) = self.bots.get(self.space.axes[0].values.index(point[0])) {
            return Ok(bot.clone());
        }
        // The start's values stay as they are, even between two values that are tried.
        let (mut axes, mut coordinates) = (Vec::new(), Vec::new());
        for (number, axis) in self.space.axes.iter().enumerate() {
            if point[number] != self.start_point[number] {
                axes.push(axis.clone());
                coordinates.push(point[number]);
            }
        }
        let changes = Space { axes }.table(&coordinates);
        self.register.changed(&self.start, &self.start.name, &changes)
    }

    /// Returns the values at a point, by parameter.
    pub fn values(&self, point: &Setting) -> Vec<Value> {
        let parameters = self.start.spec.parameters();
        let of_start = |number: usize| get(&parameters, &self.space.axes[number].key).filter(|_| self.bots.is_empty());
        let values = self.space.values(point).into_iter().enumerate();
        values
            .map(|(number, value)| match of_start(number) {
                Some(own) if point[number] == self.start_point[number] => own.clone(),
                _ => value,
            })
            .collect()
    }

    /// Returns the task for the stages of tuning.
    pub fn task(&self) -> TuneTask {
        let task = TuneTask {
            space: self.space.clone(),
            start: self.start_point.clone(),
            seed: self.seed,
            games: self.games,
            precision: self.precision,
            is_race: self.is_race(),
        };
        let left = |games: u64| games - self.games_with_unseen(games, self.least_games(&task));
        TuneTask { games: self.games.map(left), ..task }
    }

    /// Returns the fewest games that tuning takes.
    pub(super) fn least_games(&self, task: &TuneTask) -> u64 {
        task.least_games(&|candidates| games_a_number(&self.tables, candidates))
    }

    /// Returns the fewest games with which the plan can be played.
    pub fn fewest_games(&self) -> u64 {
        // With no budget to spare, numbers are not raced.
        let plan = TunePlan { games: Some(0), ..self.clone() };
        plan.least_games(&plan.task())
    }

    /// Returns whether each setting is tried.
    ///
    /// This is so with few choices, or with few values of numbers and enough games.
    fn is_race(&self) -> bool {
        let is_choice = |axis: &TuneAxis| matches!(axis.values, ParameterValues::Choices(_));
        let Some(settings) = self.space.settings() else { return false };
        if self.space.axes.iter().all(is_choice) {
            return settings <= MOST_RACED_CHOICES;
        }
        let least = TuneRace::least_games(games_a_number(&self.tables, settings));
        settings <= MOST_RACED && self.games.is_none_or(|games| games >= RACE_GAMES * 2 * least)
    }

    /// Returns the configuration with everything resolved, which runs anywhere and gives the same results.
    pub fn to_toml(&self) -> String {
        let mut own = TuneKeys {
            variants: self.variants.iter().map(|variant| variant.to_table().into()).collect(),
            against: Some(line_ups::to_value(&self.tables, &self.others, &self.variants)),
            games: self.games.map(|games| games as i64),
            precision: self.precision,
            unseen: Some(to_values(&self.unseen)),
            ..TuneKeys::default()
        };
        if self.bots.is_empty() {
            own.bot = Some(self.start.to_table().into());
            own.parameters = Some(parameters::to_table(&self.space));
        } else {
            own.bots = to_values(&self.bots);
        }
        let tune = Table::try_from(own).expect("plain values");
        Header::of(&self.name, self.seed, self.isolation()).to_toml(TuneConfig { tune })
    }
}

/// Returns bots with their places in a list.
fn numbered<'a>(list: &[String], bots: &'a [Bot]) -> Vec<(Vec<String>, &'a Bot)> {
    bots.iter().enumerate().map(|(number, bot)| ([list, &[number.to_string()]].concat(), bot)).collect()
}
