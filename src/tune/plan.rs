//! The plan: a tuning config, read, resolved and checked.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::{Table, Value};

use super::field::{Chair, FieldTable};
use super::parameters;
use super::space::{Axis, Point, Space, Values};
use super::tuning::Task;
use crate::games::{Variant, check_name};
use crate::strategies::{Bot, Register};
use crate::toml_source::{InputError, Source, key};
use crate::tournament::{check_eligible, find_bot, find_variant, resolve};

/// The most games of a plan.
const MOST_GAMES: i64 = 1 << 40;
/// The fewest games of a plan: with fewer, there is nothing left to confirm.
const FEWEST_GAMES: i64 = 1000;

/// What is to be tuned, where and how much, resolved and checked.
#[derive(Clone)]
pub struct Plan {
    /// The name, which is also the name of the results' folder.
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
    /// The bots of the field beside candidate and incumbent.
    pub others: Vec<Bot>,
    /// The tables at which candidates are tried.
    pub tables: Vec<FieldTable>,
    /// The parameters that are tuned.
    pub space: Space,
    /// Where the start lies among them.
    pub start_point: Point,
    /// The games that may be played.
    pub games: Option<u64>,
    /// Half the width of the 95% interval of the gain, in points a deal, that is precise enough.
    pub precision: Option<f64>,
    /// Bots that the result meets in the end, and that tuning does not meet before.
    pub unseen: Vec<Bot>,
    /// The games and strategies that names were looked up in.
    pub register: Register,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct Written {
    name: Option<String>,
    seed: Option<i64>,
    out: Option<PathBuf>,
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

/// A line-up as written down.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct WrittenLineUp {
    line_up: Vec<Value>,
    weight: Option<f64>,
}

fn tune(name: &str) -> Vec<String> {
    vec!["tune".to_owned(), name.to_owned()]
}

impl Plan {
    /// Reads a tuning config.
    ///
    /// # Errors
    /// Whatever is wrong with it or with the files that it names, by file, line and key.
    pub fn read(file: &Path, register: &Register) -> Result<Plan, InputError> {
        Plan::resolve(&Source::read(file)?, register)
    }

    /// Reads a tuning config from a document.
    ///
    /// # Errors
    /// Whatever is wrong with it or with the files that it names, by file, line and key.
    pub fn resolve(source: &Source, register: &Register) -> Result<Plan, InputError> {
        let written: Written = source.fields(&[], source.table())?;
        let at = key("tune");
        if written.tune.is_empty() {
            return Err(source.error(&at, "is missing: a table with `bot`, `variants` and `parameters`"));
        }
        let own: WrittenTune = source.fields(&at, &written.tune)?;
        let file_name = || source.file().file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let name = written.name.unwrap_or_else(file_name);
        check_name(&name).map_err(|problem| source.error(&key("name"), problem))?;
        let seed = match written.seed {
            Some(seed) => u64::try_from(seed)
                .map_err(|_| source.error(&key("seed"), format!("is {seed}; it runs from 0 to {}", i64::MAX)))?,
            None => {
                let hint = "is missing: give a whole number, so that the result can be repeated";
                return Err(source.error(&key("seed"), hint));
            }
        };
        let games = match own.games {
            Some(games) if !(FEWEST_GAMES..=MOST_GAMES).contains(&games) => {
                let problem = format!("is {games}; it runs from {FEWEST_GAMES} to {MOST_GAMES}");
                return Err(source.error(&tune("games"), problem));
            }
            games => games.map(|games| games as u64),
        };
        if let Some(precision) = own.precision.filter(|precision| !(1e-6..=1e3).contains(precision)) {
            let problem = format!("is {precision}; it runs from 0.000001 to 1000, in points a deal");
            return Err(source.error(&tune("precision"), problem));
        }
        if games.is_none() && own.precision.is_none() {
            let hint = "is missing: how many games may be played? Or give `precision`, in points a deal";
            return Err(source.error(&tune("games"), hint));
        }
        if own.variants.is_empty() {
            return Err(source.error(&tune("variants"), "is missing: a list of names or files"));
        }
        let variant = |at: &[String], value: &Value| find_variant(source, at, value, register.games());
        let variants = resolve(source, &tune("variants"), &own.variants, variant, |variant| &variant.name)?;
        let (start, bots, space) = subject(source, &own, register)?;
        let start_point = if bots.is_empty() { parameters::start(source, &start, &space)? } else { vec![0.0] };
        let (others, tables) = field(source, own.against.as_ref(), &start, &variants, register)?;
        let unseen = match &own.unseen {
            Some(values) => each(&tune("unseen"), values, |at, value| find_bot(source, at, value, register))?,
            None => default_unseen(&start, &others, &variants),
        };
        let plan = Plan {
            name,
            seed,
            out: written.out,
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
        plan.check(source)?;
        Ok(plan)
    }

    /// Checks that the bots can play the variants, and that the ends of all ranges are allowed.
    fn check(&self, source: &Source) -> Result<(), InputError> {
        let subject = if self.bots.is_empty() { "bot" } else { "bots" };
        let all = [
            (&[self.start.clone()][..], subject),
            (&self.bots, subject),
            (&self.others, "against"),
            (&self.unseen, "unseen"),
        ];
        for (bots, name) in all {
            for bot in bots {
                check_eligible(bot, &self.variants).map_err(|problem| source.error(&tune(name), problem))?;
            }
        }
        if !self.bots.is_empty() {
            return Ok(());
        }
        for (number, axis) in self.space.axes.iter().enumerate() {
            for end in 0..axis.values.count().min(64) {
                // Of many numbers the first and the last.
                let value = if axis.values.is_coarse() { end } else { end % 2 * (axis.values.count() - 1) };
                let mut point = self.start_point.clone();
                point[number] = axis.values.place(value);
                self.bot_at(&point).map_err(|error| {
                    let parameter = ["tune".to_owned(), "parameters".to_owned()].into_iter().chain(key(&axis.key));
                    source.error(&parameter.collect::<Vec<_>>(), error.problem)
                })?;
            }
        }
        Ok(())
    }

    /// The bot with the parameters of a point.
    ///
    /// # Errors
    /// If the strategy does not allow these values together.
    pub fn bot_at(&self, point: &Point) -> Result<Bot, InputError> {
        if let Some(bot) = self.bots.get(self.space.axes[0].values.number(point[0])) {
            return Ok(bot.clone());
        }
        self.register.changed(&self.start, &self.start.name, &self.space.table(point))
    }

    /// What the stages of tuning have to know.
    pub fn task(&self) -> Task {
        Task {
            space: self.space.clone(),
            start: self.start_point.clone(),
            seed: self.seed,
            games: self.games,
            precision: self.precision,
            is_race: self.is_race(),
        }
    }

    /// Whether there are few enough settings to try each of them.
    fn is_race(&self) -> bool {
        let is_choice = |axis: &Axis| matches!(axis.values, Values::Choices(_));
        self.space.axes.iter().all(is_choice) && self.space.settings().is_some_and(|settings| settings <= 256)
    }

    /// The configuration with everything resolved, so that it runs anywhere and gives the same results.
    pub fn to_toml(&self) -> String {
        let bot = |bot: &Bot| Value::Table(bot.to_table());
        let bots = |bots: &[Bot]| Value::Array(bots.iter().map(bot).collect());
        let chair = |chair: &Chair| match chair {
            Chair::Candidate => Value::from(CANDIDATE),
            Chair::Incumbent => Value::from(INCUMBENT),
            Chair::Other(number) => bot(&self.others[*number]),
        };
        let first = self.tables.iter().filter(|table| table.variant == 0);
        let against = first.map(|table| {
            let chairs = Value::Array(table.chairs.iter().map(chair).collect());
            Value::Table(Table::from_iter([("line-up".to_owned(), chairs), ("weight".to_owned(), table.weight.into())]))
        });
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
            ("against".to_owned(), Value::Array(against.collect())),
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
        let whole = Table::from_iter([
            ("name".to_owned(), Value::from(self.name.as_str())),
            ("seed".to_owned(), Value::from(self.seed as i64)),
            ("tune".to_owned(), Value::Table(tune)),
        ]);
        toml::to_string(&whole).expect("a configuration is plain values")
    }
}

/// Reads each element of a list.
fn each<T>(
    at: &[String],
    values: &[Value],
    mut read: impl FnMut(&[String], &Value) -> Result<T, InputError>,
) -> Result<Vec<T>, InputError> {
    let place = |number: usize| [at, &[number.to_string()]].concat();
    values.iter().enumerate().map(|(number, value)| read(&place(number), value)).collect()
}

/// What is tuned: the bot to start from, the bots to choose from, and the space.
fn subject(source: &Source, own: &WrittenTune, register: &Register) -> Result<(Bot, Vec<Bot>, Space), InputError> {
    match (&own.bot, own.bots.as_slice()) {
        (Some(_), [_, ..]) => {
            let problem = "does not go with `bot`: tune the parameters of one bot, or choose among several";
            Err(source.error(&tune("bots"), problem))
        }
        (None, []) => Err(source.error(&tune("bot"), "is missing: the bot to start from, by name or file")),
        (None, [_]) => Err(source.error(&tune("bots"), "names one bot; give at least two to choose from")),
        (Some(value), []) => {
            let start = find_bot(source, &tune("bot"), value, register)?;
            let space = parameters::space(source, &own.parameters, &start, register)?;
            Ok((start, Vec::new(), space))
        }
        (None, values) => {
            if !own.parameters.is_empty() {
                let problem = "do not go with `bots`, a choice among several; give one `bot`";
                return Err(source.error(&tune("parameters"), problem));
            }
            let find = |at: &[String], value: &Value| find_bot(source, at, value, register);
            let bots = resolve(source, &tune("bots"), values, find, |bot| &bot.name)?;
            let names = bots.iter().map(|bot| Value::from(bot.name.as_str())).collect();
            let space = Space { axes: vec![Axis { key: "bot".to_owned(), values: Values::Choices(names) }] };
            Ok((bots[0].clone(), bots, space))
        }
    }
}

/// The chair of a candidate in a line-up.
const CANDIDATE: &str = "candidate";
/// The chair of the setting that a candidate is compared with.
const INCUMBENT: &str = "itself";
/// The default of `against`.
const MIXED: &str = "mixed";

/// The bots of the field and the tables.
fn field(
    source: &Source,
    against: Option<&Value>,
    start: &Bot,
    variants: &[Variant],
    register: &Register,
) -> Result<(Vec<Bot>, Vec<FieldTable>), InputError> {
    let at = tune("against");
    let mut others: Vec<Bot> = Vec::new();
    let mut chair_of = |at: &[String], value: &Value| -> Result<Chair, InputError> {
        match value.as_str() {
            Some(CANDIDATE) => return Ok(Chair::Candidate),
            Some(INCUMBENT) => return Ok(Chair::Incumbent),
            _ => {}
        }
        let bot = find_bot(source, at, value, register)?;
        let known = others.iter().position(|other| *other == bot);
        Ok(Chair::Other(known.unwrap_or_else(|| {
            others.push(bot);
            others.len() - 1
        })))
    };
    let mut tables = Vec::new();
    let mut add = |variant: usize, chairs: Vec<Chair>, weight: f64| tables.push(FieldTable { variant, chairs, weight });
    let seats = |variant: &Variant| variant.game.layout().seats;
    match against {
        None => mixed(&mut add, &mut others, start, variants),
        Some(Value::String(text)) if text == MIXED => mixed(&mut add, &mut others, start, variants),
        Some(Value::String(text)) if text == INCUMBENT => {
            for (number, variant) in variants.iter().enumerate() {
                duels(seats(variant)).into_iter().for_each(|chairs| add(number, chairs, 1.0));
            }
        }
        Some(Value::Array(values)) if !values.is_empty() => {
            for (place, value) in values.iter().enumerate() {
                let at = [&at[..], &[place.to_string()]].concat();
                let line_up = match value {
                    Value::Table(table) if table.contains_key("line-up") => Some(table),
                    _ => None,
                };
                let Some(table) = line_up else {
                    let chair = chair_of(&at, value)?;
                    for (number, variant) in variants.iter().enumerate() {
                        let chairs = [vec![Chair::Candidate], vec![chair; seats(variant) - 1]].concat();
                        add(number, chairs, 1.0);
                    }
                    continue;
                };
                let written: WrittenLineUp = source.fields(&at, table)?;
                let weight = written.weight.unwrap_or(1.0);
                if !(weight > 0.0 && weight.is_finite()) {
                    let at = [at, key("weight")].concat();
                    return Err(source.error(&at, format!("is {weight}; it must be above 0")));
                }
                let at = [at, key("line-up")].concat();
                let chairs = each(&at, &written.line_up, &mut chair_of)?;
                if !chairs.contains(&Chair::Candidate) || chairs.iter().all(|chair| *chair == Chair::Candidate) {
                    let problem = format!("needs {CANDIDATE:?} and somebody else, such as {INCUMBENT:?} or a bot");
                    return Err(source.error(&at, problem));
                }
                for (number, variant) in variants.iter().enumerate() {
                    if seats(variant) != chairs.len() {
                        let (name, seats, chairs) = (&variant.name, seats(variant), chairs.len());
                        return Err(source.error(&at, format!("has {chairs} players, and {name} seats {seats}")));
                    }
                    add(number, chairs.clone(), weight);
                }
            }
        }
        Some(_) => {
            let problem = format!("is neither {MIXED:?}, {INCUMBENT:?} nor a list of bots and line-ups");
            return Err(source.error(&at, problem));
        }
    }
    for variant in 0..variants.len() {
        let sum: f64 = tables.iter().filter(|table| table.variant == variant).map(|table| table.weight).sum();
        tables.iter_mut().filter(|table| table.variant == variant).for_each(|table| table.weight /= sum);
    }
    Ok((others, tables))
}

/// The line-ups of a duel.
fn duels(seats: usize) -> Vec<Vec<Chair>> {
    let duel = |own: usize| [vec![Chair::Candidate; own], vec![Chair::Incumbent; seats - own]].concat();
    (1..seats).map(duel).collect()
}

/// The field that there is by default: duels with the incumbent, and line-ups with a bot of another kind.
fn mixed(add: &mut impl FnMut(usize, Vec<Chair>, f64), others: &mut Vec<Bot>, start: &Bot, variants: &[Variant]) {
    // The first that is another strategy than the bot itself and plays all variants; else one that plays anything.
    let is_other = |bot: &Bot| bot.spec != start.spec && check_eligible(bot, variants).is_ok();
    let name = if start.spec.name() == "rule-based" { "cautious" } else { "rule-based" };
    let find = |name: &str| Bot::built_in().find(|bot| bot.name == name);
    let other = find(name).filter(is_other).or_else(|| find("random"));
    let other_chair = Chair::Other(others.len());
    others.extend(other);
    for (number, variant) in variants.iter().enumerate() {
        let seats = variant.game.layout().seats;
        let mut line_ups = duels(seats);
        line_ups.push([vec![Chair::Candidate], vec![other_chair; seats - 1]].concat());
        if seats == 3 {
            line_ups.push(vec![Chair::Candidate, Chair::Incumbent, other_chair]);
        }
        line_ups.into_iter().for_each(|chairs| add(number, chairs, 1.0));
    }
}

/// The bots that a result meets by default: cheap ones that are not in the field.
fn default_unseen(start: &Bot, others: &[Bot], variants: &[Variant]) -> Vec<Bot> {
    let fits = |bot: &Bot| {
        ["random", "cautious", "rule-based"].contains(&bot.name.as_str())
            && bot.spec != start.spec
            && !others.iter().any(|other| other.spec == bot.spec)
            && check_eligible(bot, variants).is_ok()
    };
    Bot::built_in().filter(fits).collect()
}
