//! The plan of tuning: its config, read, resolved and checked.

use std::path::{Path, PathBuf};

use overtrick_external::process::{Isolation, Level};
use overtrick_games::Variant;
use overtrick_strategies::{Bot, Register};
use overtrick_toml::{InputError, Source, key};
use overtrick_tournament::{
    check_eligible, find_variant, hiding, isolation, isolation_of, out_folder, resolve, run_name, write_isolation,
    written_for,
};
use serde::Deserialize;
use toml::{Table, Value};

use super::constants::{MOST_GAMES, MOST_RACED, MOST_RACED_CHOICES, RACE_GAMES};
use super::field::{FieldTable, games_a_number};
use super::line_ups;
use super::parameters;
use super::race::TuneRace;
use super::setting::Setting;
use super::space::{ParameterValues, Space, TuneAxis, get};
use super::tuning::{TuneTask, least_games};

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
    /// The place of the start among them.
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

#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct WrittenTuneFile {
    name: Option<String>,
    seed: Option<i64>,
    out: Option<PathBuf>,
    sandbox: Option<Level>,
    bots_may_read: Vec<PathBuf>,
    tune: Table,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct WrittenTune {
    bot: Option<Value>,
    bots: Vec<Value>,
    variants: Vec<Value>,
    against: Option<Value>,
    parameters: Table,
    games: Option<i64>,
    precision: Option<f64>,
    unseen: Option<Vec<Value>>,
}

fn tune(name: &str) -> Vec<String> {
    vec!["tune".to_owned(), name.to_owned()]
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
        written_for(source, "tune")?;
        let written: WrittenTuneFile = source.fields(&[], source.table())?;
        let at = key("tune");
        if written.tune.is_empty() {
            return Err(source.error(&at, "is missing: a table with `bot`, `variants` and `parameters`"));
        }
        let own: WrittenTune = source.fields(&at, &written.tune)?;
        let name = run_name(source, written.name)?;
        let seed = read_seed(source, written.seed)?;
        let games = own.read_games(source)?;
        if own.variants.is_empty() {
            return Err(source.error(&tune("variants"), "is missing: a list of names or files"));
        }
        let variant = |at: &[String], value: &Value| find_variant(source, at, value, register.games());
        let variants = resolve(source, &tune("variants"), &own.variants, variant, |variant| &variant.name)?;
        let (start, bots, (space, start_point)) = subject(source, &own, register)?;
        let (others, tables) = line_ups::read(source, own.against.as_ref(), &start, &variants, register)?;
        let unseen = match &own.unseen {
            Some(values) => line_ups::each(&tune("unseen"), values, |at, value| register.find_bot(source, at, value))?,
            None => default_unseen(&start, &others, &variants),
        };
        let isolation = isolation(source, written.sandbox, &written.bots_may_read)?;
        let mut plan = TunePlan {
            name,
            seed,
            out: out_folder(written.out),
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
        plan.isolate(&isolation);
        plan.check(source)?;
        Ok(plan)
    }

    /// Returns all bots, each with its place in the config.
    ///
    /// The place of a bot of the field is the list of all line-ups.
    pub fn entrants(&self) -> Vec<(Vec<String>, &Bot)> {
        let mut all = numbered(&tune("bots"), &self.bots);
        if self.bots.is_empty() {
            all.push((tune("bot"), &self.start));
        }
        all.extend(self.others.iter().map(|bot| (tune("against"), bot)));
        all.extend(numbered(&tune("unseen"), &self.unseen));
        all
    }

    /// Returns the isolation of external bots; `None` if no bot is external.
    pub fn isolation(&self) -> Option<&Isolation> {
        isolation_of(self.entrants().into_iter().map(|(_, bot)| bot))
    }

    /// Hides a folder, such as the results folder, from bots.
    pub fn hide(&mut self, folder: &Path) {
        if let Some(isolation) = self.isolation().map(|isolation| hiding(isolation, folder)) {
            self.isolate(&isolation);
        }
    }

    /// Isolates all external bots.
    pub fn isolate(&mut self, isolation: &Isolation) {
        self.all_bots().for_each(|bot| bot.spec.isolate(isolation));
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
            let last = axis.values.count() - 1;
            let tried =
                if matches!(axis.values, ParameterValues::Choices(_)) { (0..=last).collect() } else { vec![0, last] };
            for value in tried {
                let point = self.start_point.with(number, axis.values.place(value));
                let bot = self.bot_at(&point).map_err(|error| error.problem);
                bot.and_then(|bot| check_eligible(&bot, &self.variants)).map_err(|problem| {
                    let at = [within("parameters"), key(&axis.key)].concat();
                    source.error(&at, format!("allows {}: {problem}", axis.values.value(value)))
                })?;
            }
        }
        Ok(())
    }

    /// Returns the bot with the parameters of a point.
    ///
    /// # Errors
    /// If the strategy does not allow these values together.
    pub fn bot_at(&self, point: &Setting) -> Result<Bot, InputError> {
        if let Some(bot) = self.bots.get(self.space.axes[0].values.number(point[0])) {
            return Ok(bot.clone());
        }
        // The start's values stay as they are, even between two values that are tried.
        let (mut axes, mut places) = (Vec::new(), Vec::new());
        for (number, axis) in self.space.axes.iter().enumerate() {
            if point[number] != self.start_point[number] {
                axes.push(axis.clone());
                places.push(point[number]);
            }
        }
        let changes = Space { axes }.table(&places);
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
        least_games(task, |candidates| games_a_number(&self.tables, candidates))
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
        let bot = |bot: &Bot| Value::Table(bot.to_table());
        let bots = |bots: &[Bot]| Value::Array(bots.iter().map(bot).collect());
        let variant = |variant: &Variant| {
            Value::Table(Table::from_iter([
                ("name".to_owned(), Value::from(variant.name.as_str())),
                ("about".to_owned(), Value::from(variant.about.as_str())),
                ("base".to_owned(), Value::from(variant.base.as_str())),
                ("rules".to_owned(), Value::Table(variant.game.rules())),
            ]))
        };
        let mut tune = Table::from_iter([
            ("variants".to_owned(), Value::Array(self.variants.iter().map(variant).collect())),
            ("against".to_owned(), line_ups::to_value(&self.tables, &self.others, &self.variants)),
            ("unseen".to_owned(), bots(&self.unseen)),
        ]);
        if self.bots.is_empty() {
            tune.insert("bot".to_owned(), bot(&self.start));
            tune.insert("parameters".to_owned(), Value::Table(parameters::to_table(&self.space)));
        } else {
            tune.insert("bots".to_owned(), bots(&self.bots));
        }
        if let Some(games) = self.games {
            tune.insert("games".to_owned(), Value::from(games as i64));
        }
        if let Some(precision) = self.precision {
            tune.insert("precision".to_owned(), Value::from(precision));
        }
        let mut whole = Table::from_iter([
            ("name".to_owned(), Value::from(self.name.as_str())),
            ("seed".to_owned(), Value::from(self.seed as i64)),
            ("tune".to_owned(), Value::Table(tune)),
        ]);
        if let Some(isolation) = self.isolation() {
            write_isolation(isolation, &mut whole);
        }
        toml::to_string(&whole).expect("a configuration is plain values")
    }
}

fn read_seed(source: &Source, written: Option<i64>) -> Result<u64, InputError> {
    let Some(seed) = written else {
        let hint = "is missing: give a whole number, so that the result can be repeated";
        return Err(source.error(&key("seed"), hint));
    };
    let refused = |_| source.error(&key("seed"), format!("is {seed}; it runs from 0 to {}", i64::MAX));
    u64::try_from(seed).map_err(refused)
}

impl WrittenTune {
    /// Reads the number of games; without it there must be a precision.
    fn read_games(&self, source: &Source) -> Result<Option<u64>, InputError> {
        if let Some(games) = self.games.filter(|games| !(1..=MOST_GAMES).contains(games)) {
            return Err(source.error(&tune("games"), format!("is {games}; it runs from 1 to {MOST_GAMES}")));
        }
        if let Some(precision) = self.precision.filter(|precision| !(1e-6..=1e3).contains(precision)) {
            let problem = format!("is {precision}; it runs from 0.000001 to 1000, in points a deal");
            return Err(source.error(&tune("precision"), problem));
        }
        if self.games.is_none() && self.precision.is_none() {
            let hint = "is missing: how many games may be played? Or give `precision`, in points a deal";
            return Err(source.error(&tune("games"), hint));
        }
        Ok(self.games.map(|games| games as u64))
    }
}

/// Returns bots with their places in a list.
fn numbered<'a>(list: &[String], bots: &'a [Bot]) -> Vec<(Vec<String>, &'a Bot)> {
    bots.iter().enumerate().map(|(number, bot)| ([list, &[number.to_string()]].concat(), bot)).collect()
}

/// The start, the bots to choose from, and the space with the place of the start.
type Subject = (Bot, Vec<Bot>, (Space, Setting));

fn subject(source: &Source, own: &WrittenTune, register: &Register) -> Result<Subject, InputError> {
    match (&own.bot, own.bots.as_slice()) {
        (Some(_), [_, ..]) => {
            let problem = "does not go with `bot`: tune the parameters of one bot, or choose among several";
            Err(source.error(&tune("bots"), problem))
        }
        (None, []) => Err(source.error(&tune("bot"), "is missing: the bot to start from, by name or file")),
        (None, [_]) => Err(source.error(&tune("bots"), "names one bot; give at least two to choose from")),
        (Some(value), []) => {
            let start = register.find_bot(source, &tune("bot"), value)?;
            let space = parameters::read(source, &key("tune"), &own.parameters, &start, register)?;
            Ok((start, Vec::new(), space))
        }
        (None, values) => {
            if !own.parameters.is_empty() {
                let problem = "do not go with `bots`, a choice among several; give one `bot`";
                return Err(source.error(&tune("parameters"), problem));
            }
            let find = |at: &[String], value: &Value| register.find_bot(source, at, value);
            let bots = resolve(source, &tune("bots"), values, find, |bot| &bot.name)?;
            let names = bots.iter().map(|bot| Value::from(bot.name.as_str())).collect();
            let space =
                Space { axes: vec![TuneAxis { key: "bot".to_owned(), values: ParameterValues::Choices(names) }] };
            Ok((bots[0].clone(), bots, (space, vec![0.0].into())))
        }
    }
}

/// Returns the bots that a result meets by default: cheap bots that are not in the field.
fn default_unseen(start: &Bot, others: &[Bot], variants: &[Variant]) -> Vec<Bot> {
    let fits = |bot: &Bot| {
        ["random", "cautious", "rule-based"].contains(&bot.name.as_str())
            && bot.spec != start.spec
            && !others.iter().any(|other| other.spec == bot.spec)
            && check_eligible(bot, variants).is_ok()
    };
    Bot::built_in().filter(fits).collect()
}
