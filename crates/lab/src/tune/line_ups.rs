//! The line-ups of a tuning config: reading them, and writing them as a config has them.

use overtrick_games::Variant;
use overtrick_strategies::{Bot, Register};
use overtrick_toml::{InputError, Source, key};
use overtrick_tournament::check_eligible;
use serde::Deserialize;
use toml::{Table, Value};

use super::field::{Chair, FieldTable};

/// The name of a candidate in a line-up.
const CANDIDATE: &str = "candidate";
/// The name of the setting that a candidate is compared with.
const INCUMBENT: &str = "itself";
/// The default of `against`.
const MIXED: &str = "mixed";

/// A line-up as a config writes it.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct WrittenLineUp {
    line_up: Vec<Value>,
    weight: Option<f64>,
    /// The variant that it is for; all variants if `None`.
    variant: Option<String>,
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
    let mut others: Vec<Bot> = Vec::new();
    let mut chair_of = |at: &[String], value: &Value| -> Result<Chair, InputError> {
        match value.as_str() {
            Some(CANDIDATE) => return Ok(Chair::Candidate),
            Some(INCUMBENT) => return Ok(Chair::Incumbent),
            _ => {}
        }
        let bot = register.find_bot(source, at, value)?;
        check_eligible(&bot, variants).map_err(|problem| source.error(at, problem))?;
        let known = others.iter().position(|other| *other == bot);
        Ok(Chair::Other(known.unwrap_or_else(|| {
            others.push(bot);
            others.len() - 1
        })))
    };
    let mut tables = Vec::new();
    let mut add = |variant: usize, chairs: Vec<Chair>, weight: f64| tables.push(FieldTable { variant, chairs, weight });
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
                match value {
                    Value::Table(table) if table.contains_key("line-up") => {
                        line_up(source, &at, table, variants, &mut chair_of, &mut add)?;
                    }
                    Value::String(text) if text == CANDIDATE => {
                        let problem =
                            format!("is the bot itself; write {INCUMBENT:?} for the setting that it starts from");
                        return Err(source.error(&at, problem));
                    }
                    _ => {
                        let chair = chair_of(&at, value)?;
                        for (number, variant) in variants.iter().enumerate() {
                            let chairs = [vec![Chair::Candidate], vec![chair; seats(variant) - 1]].concat();
                            add(number, chairs, 1.0);
                        }
                    }
                }
            }
        }
        Some(_) => {
            let problem = format!("is neither {MIXED:?}, {INCUMBENT:?} nor a list of bots and line-ups");
            return Err(source.error(&at, problem));
        }
    }
    match (0..variants.len()).find(|&number| tables.iter().all(|table| table.variant != number)) {
        Some(without) => Err(source.error(&at, format!("has no line-up for {}", variants[without].name))),
        None => Ok((others, tables)),
    }
}

/// Reads a line-up with a chair for each seat.
fn line_up(
    source: &Source,
    at: &[String],
    table: &Table,
    variants: &[Variant],
    chair_of: &mut impl FnMut(&[String], &Value) -> Result<Chair, InputError>,
    add: &mut impl FnMut(usize, Vec<Chair>, f64),
) -> Result<(), InputError> {
    let written: WrittenLineUp = source.fields(at, table)?;
    let within = |name: &str| [at, &key(name)].concat();
    let weight = written.weight.unwrap_or(1.0);
    if !(weight > 0.0 && weight.is_finite()) {
        return Err(source.error(&within("weight"), format!("is {weight}; it must be above 0")));
    }
    let is_meant = |variant: &Variant| written.variant.as_ref().is_none_or(|name| *name == variant.name);
    if !variants.iter().any(is_meant) {
        let names: Vec<&str> = variants.iter().map(|variant| variant.name.as_str()).collect();
        let problem = format!("is none of the variants of `tune.variants`: {}", names.join(", "));
        return Err(source.error(&within("variant"), problem));
    }
    let at = within("line-up");
    let chairs = each(&at, &written.line_up, chair_of)?;
    if !chairs.contains(&Chair::Candidate) || chairs.iter().all(|chair| *chair == Chair::Candidate) {
        let problem = format!("needs {CANDIDATE:?} and another player, such as {INCUMBENT:?} or a bot");
        return Err(source.error(&at, problem));
    }
    for (number, variant) in variants.iter().enumerate().filter(|(_, variant)| is_meant(variant)) {
        if seats(variant) != chairs.len() {
            let (name, seats, chairs) = (&variant.name, seats(variant), chairs.len());
            let hint = if variants.len() > 1 { "; `variant` says which variant a line-up is for" } else { "" };
            return Err(source.error(&at, format!("has {chairs} players, and {name} seats {seats}{hint}")));
        }
        add(number, chairs.clone(), weight);
    }
    Ok(())
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

fn seats(variant: &Variant) -> usize {
    variant.game.layout().seats
}

/// Returns the tables of a variant, at which candidates play the setting that they must beat.
///
/// There is a table for each number of candidates. The variant is the plan's only one.
pub fn against_itself(variant: &Variant) -> Vec<FieldTable> {
    duels(seats(variant)).into_iter().map(|chairs| FieldTable { variant: 0, chairs, weight: 1.0 }).collect()
}

fn duels(seats: usize) -> Vec<Vec<Chair>> {
    let duel = |own: usize| [vec![Chair::Candidate; own], vec![Chair::Incumbent; seats - own]].concat();
    (1..seats).map(duel).collect()
}

/// Adds the default field: duels with the incumbent, and line-ups with a bot of another kind.
fn mixed(add: &mut impl FnMut(usize, Vec<Chair>, f64), others: &mut Vec<Bot>, start: &Bot, variants: &[Variant]) {
    // A bot with another strategy that plays all variants, or else a bot that plays anything.
    let is_other = |bot: &Bot| bot.spec != start.spec && check_eligible(bot, variants).is_ok();
    let name = if start.spec.name() == "rule-based" { "cautious" } else { "rule-based" };
    let find = |name: &str| Bot::built_in().find(|bot| bot.name == name);
    let other = find(name).filter(is_other).or_else(|| find("random"));
    let other_chair = Chair::Other(others.len());
    others.extend(other);
    for (number, variant) in variants.iter().enumerate() {
        let seats = seats(variant);
        let mut line_ups = duels(seats);
        line_ups.push([vec![Chair::Candidate], vec![other_chair; seats - 1]].concat());
        if seats == 3 {
            line_ups.push(vec![Chair::Candidate, Chair::Incumbent, other_chair]);
        }
        line_ups.into_iter().for_each(|chairs| add(number, chairs, 1.0));
    }
}

/// Returns the tables as a config writes them, each with its variant if there are several.
pub fn to_value(tables: &[FieldTable], others: &[Bot], variants: &[Variant]) -> Value {
    let chair = |chair: &Chair| match chair {
        Chair::Candidate => Value::from(CANDIDATE),
        Chair::Incumbent => Value::from(INCUMBENT),
        Chair::Other(number) => Value::Table(others[*number].to_table()),
    };
    let one = |table: &FieldTable| {
        let chairs = Value::Array(table.chairs.iter().map(chair).collect());
        let mut written =
            Table::from_iter([("line-up".to_owned(), chairs), ("weight".to_owned(), table.weight.into())]);
        if variants.len() > 1 {
            written.insert("variant".to_owned(), Value::from(variants[table.variant].name.as_str()));
        }
        Value::Table(written)
    };
    Value::Array(tables.iter().map(one).collect())
}
