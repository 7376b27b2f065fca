//! The line-ups of a tuning config: reading them, and writing them as a config has them.

use overtrick_cards::table::Teams;
use overtrick_games::Variant;
use overtrick_strategies::{Bot, Register};
use overtrick_toml::{InputError, Source, key};
use overtrick_tournament::{check_eligible, one_against};
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::field::{Chair, FieldTable};

/// The name of a candidate in a line-up.
const CANDIDATE: &str = "candidate";
/// The name of the setting that a candidate is compared with.
const INCUMBENT: &str = "itself";
/// The default of `against`.
const MIXED: &str = "mixed";

/// The keys of a line-up, as written.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct LineUpKeys {
    line_up: Vec<Value>,
    weight: Option<f64>,
    /// The variant that it is for; all variants if `None`.
    variant: Option<String>,
}

/// The field while it is read: its bots and tables so far.
struct FieldReader<'a> {
    source: &'a Source,
    variants: &'a [Variant],
    register: &'a Register,
    others: Vec<Bot>,
    tables: Vec<FieldTable>,
}

/// Reads `against`: the bots of the field, and the tables.
pub fn read(
    source: &Source,
    against: Option<&Value>,
    start: &Bot,
    variants: &[Variant],
    register: &Register,
) -> Result<(Vec<Bot>, Vec<FieldTable>), InputError> {
    let at = key("tune.against");
    let mut field = FieldReader { source, variants, register, others: Vec::new(), tables: Vec::new() };
    match against {
        None => field.add_mixed(start),
        Some(Value::String(text)) if text == MIXED => field.add_mixed(start),
        Some(Value::String(text)) if text == INCUMBENT => field.add_duels(),
        Some(Value::Array(values)) if !values.is_empty() => {
            for (place, value) in values.iter().enumerate() {
                field.read_opponent(&[&at[..], &[place.to_string()]].concat(), value)?;
            }
        }
        Some(_) => {
            let problem = format!("is neither {MIXED:?}, {INCUMBENT:?} nor a list of bots and line-ups");
            return Err(source.error(&at, problem));
        }
    }
    for (number, variant) in variants.iter().enumerate() {
        if field.tables.iter().all(|table| table.variant != number) {
            return Err(source.error(&at, format!("has no line-up for {}", variant.name)));
        }
    }
    Ok((field.others, field.tables))
}

impl FieldReader<'_> {
    fn add(&mut self, variant: usize, chairs: Vec<Chair>, weight: f64) {
        self.tables.push(FieldTable { variant, chairs, weight });
    }

    /// Reads an element of the list: a line-up, or a bot on all chairs but the candidate's.
    fn read_opponent(&mut self, at: &[String], value: &Value) -> Result<(), InputError> {
        match value {
            Value::Table(table) if table.contains_key("line-up") => self.read_line_up(at, table),
            Value::String(text) if text == CANDIDATE => {
                let problem = format!("is the bot itself; write {INCUMBENT:?} for the setting that it starts from");
                Err(self.source.error(at, problem))
            }
            _ => {
                let chair = self.read_chair(at, value)?;
                for (number, variant) in self.variants.iter().enumerate() {
                    self.add(number, alone(chair, variant), 1.0);
                }
                Ok(())
            }
        }
    }

    /// Reads a line-up with a chair for each seat, or for each side of partners.
    fn read_line_up(&mut self, at: &[String], table: &Table) -> Result<(), InputError> {
        let written: LineUpKeys = self.source.fields(at, table)?;
        let within = |name: &str| [at, &key(name)].concat();
        let weight = written.weight.unwrap_or(1.0);
        if !(weight > 0.0 && weight.is_finite()) {
            return Err(self.source.error(&within("weight"), format!("is {weight}; it must be above 0")));
        }
        let is_meant = |variant: &Variant| written.variant.as_ref().is_none_or(|name| *name == variant.name);
        if !self.variants.iter().any(is_meant) {
            let names: Vec<&str> = self.variants.iter().map(|variant| variant.name.as_str()).collect();
            let problem = format!("is none of the variants of `tune.variants`: {}", names.join(", "));
            return Err(self.source.error(&within("variant"), problem));
        }
        let at = within("line-up");
        let chairs = each(&at, &written.line_up, |at, value| self.read_chair(at, value))?;
        if !chairs.contains(&Chair::Candidate) || chairs.iter().all(|chair| *chair == Chair::Candidate) {
            let problem = format!("needs {CANDIDATE:?} and another player, such as {INCUMBENT:?} or a bot");
            return Err(self.source.error(&at, problem));
        }
        for (number, variant) in self.variants.iter().enumerate().filter(|(_, variant)| is_meant(variant)) {
            let teams = teams(variant);
            if teams.count() != chairs.len() {
                let (name, seats, chairs) = (&variant.name, teams.seats(), chairs.len());
                if teams.has_partners() {
                    let problem = format!("has {chairs} players, and {name} seats {} sides of partners", teams.count());
                    return Err(self.source.error(&at, problem + "; name a player for each side"));
                }
                let hint = if self.variants.len() > 1 { "; `variant` says which variant a line-up is for" } else { "" };
                return Err(self.source.error(&at, format!("has {chairs} players, and {name} seats {seats}{hint}")));
            }
            self.add(number, chairs.clone(), weight);
        }
        Ok(())
    }

    /// Reads the player on a chair; a bot joins the field unless it is in it.
    fn read_chair(&mut self, at: &[String], value: &Value) -> Result<Chair, InputError> {
        match value.as_str() {
            Some(CANDIDATE) => return Ok(Chair::Candidate),
            Some(INCUMBENT) => return Ok(Chair::Incumbent),
            _ => {}
        }
        let bot = self.register.find_bot(self.source, at, value)?;
        check_eligible(&bot, self.variants).map_err(|problem| self.source.error(at, problem))?;
        let known = self.others.iter().position(|other| *other == bot);
        Ok(Chair::Other(known.unwrap_or_else(|| {
            self.others.push(bot);
            self.others.len() - 1
        })))
    }

    /// Adds duels with the incumbent.
    fn add_duels(&mut self) {
        for (number, variant) in self.variants.iter().enumerate() {
            duels(variant).into_iter().for_each(|chairs| self.add(number, chairs, 1.0));
        }
    }

    /// Adds the default field: duels with the incumbent, and line-ups with a bot of another kind.
    fn add_mixed(&mut self, start: &Bot) {
        // A bot with another strategy that plays all variants, or else a bot that plays anything.
        let is_other = |bot: &Bot| bot.spec != start.spec && check_eligible(bot, self.variants).is_ok();
        let name = if start.spec.name() == "rule-based" { "cautious" } else { "rule-based" };
        let find = |name: &str| Bot::built_in().find(|bot| bot.name == name);
        let other = find(name).filter(is_other).or_else(|| find("random"));
        let other_chair = Chair::Other(self.others.len());
        self.others.extend(other);
        for (number, variant) in self.variants.iter().enumerate() {
            let mut line_ups = duels(variant);
            line_ups.push(alone(other_chair, variant));
            if teams(variant).count() > 2 {
                let mut mixed = alone(other_chair, variant);
                mixed[1] = Chair::Incumbent;
                line_ups.push(mixed);
            }
            line_ups.into_iter().for_each(|chairs| self.add(number, chairs, 1.0));
        }
    }
}

/// Returns the chairs of a table at which a candidate meets one kind of player.
fn alone(other: Chair, variant: &Variant) -> Vec<Chair> {
    one_against(Chair::Candidate, other, teams(variant))
}

/// Reads each element of a list.
pub fn each<T>(
    at: &[String],
    values: &[Value],
    mut read: impl FnMut(&[String], &Value) -> Result<T, InputError>,
) -> Result<Vec<T>, InputError> {
    let place = |number: usize| [at, &[number.to_string()]].concat();
    values.iter().enumerate().map(|(number, value)| read(&place(number), value)).collect()
}

fn teams(variant: &Variant) -> Teams {
    variant.game.layout().teams()
}

/// Returns the tables of a variant, at which candidates play the setting that they must beat.
///
/// There is a table for each number of candidates. The variant is the plan's only one.
pub fn against_itself(variant: &Variant) -> Vec<FieldTable> {
    duels(variant).into_iter().map(|chairs| FieldTable { variant: 0, chairs, weight: 1.0 }).collect()
}

fn duels(variant: &Variant) -> Vec<Vec<Chair>> {
    let seats = teams(variant).count();
    let duel = |own: usize| [vec![Chair::Candidate; own], vec![Chair::Incumbent; seats - own]].concat();
    (1..seats).map(duel).collect()
}

/// Returns the tables as a config writes them, each with its variant if there are several.
pub fn to_value(tables: &[FieldTable], others: &[Bot], variants: &[Variant]) -> Value {
    let chair = |chair: &Chair| match chair {
        Chair::Candidate => Value::from(CANDIDATE),
        Chair::Incumbent => Value::from(INCUMBENT),
        Chair::Other(number) => Value::Table(others[*number].to_table()),
    };
    let name = |variant: usize| (variants.len() > 1).then(|| variants[variant].name.clone());
    let one = |table: &FieldTable| {
        let line_up = table.chairs.iter().map(chair).collect();
        let keys = LineUpKeys { line_up, weight: Some(table.weight), variant: name(table.variant) };
        Value::try_from(keys).expect("plain values")
    };
    Value::Array(tables.iter().map(one).collect())
}
