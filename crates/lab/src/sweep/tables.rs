//! The tables and lists of a sweep config, one by one.

use overtrick_games::Variant;
use overtrick_strategies::{Bot, Register};
use overtrick_toml::{InputError, Source};
use overtrick_tournament::resolve;
use toml::{Table, Value};

use super::axis::{ReadAxis, SweepAxis};
use super::extent::are_about_matches;
use super::restriction::Restriction;
use super::retune::Retune;
use super::wish::{SKILLS, SweepWish};

/// Returns the path of a key of the table `sweep`.
pub(super) fn sweep(name: &str) -> Vec<String> {
    vec!["sweep".to_owned(), name.to_owned()]
}

/// Checks that a whole number lies in a range, given by both ends.
pub(super) fn within(source: &Source, at: &[String], value: i64, [low, high]: [i64; 2]) -> Result<i64, InputError> {
    if (low..=high).contains(&value) {
        Ok(value)
    } else {
        Err(source.error(at, format!("is {value}; it runs from {low} to {high}")))
    }
}

/// Reads the axes, and whether any of them changes the end of matches.
pub(super) fn read_axes(
    source: &Source,
    written: &Table,
    base: &Variant,
    register: &Register,
) -> Result<(Vec<SweepAxis>, bool), InputError> {
    let (mut axes, mut is_about_matches) = (Vec::new(), false);
    for (name, value) in written {
        let at = [sweep("axes"), vec![name.clone()]].concat();
        let ReadAxis { axis, variants } = SweepAxis::read(source, &at, name, value, base, register.games())?;
        is_about_matches |= are_about_matches(&variants);
        axes.push(axis);
    }
    Ok((axes, is_about_matches))
}

/// Reads the options whose worth is measured; `variants` has the variants of all points.
pub(super) fn read_restrictions(
    source: &Source,
    written: &Table,
    panel: &[Bot],
    variants: &[Variant],
    register: &Register,
) -> Result<Vec<Restriction>, InputError> {
    let mut restrictions = Vec::new();
    for (name, value) in written {
        let at = [sweep("restrict"), vec![name.clone()]].concat();
        let restriction = Restriction::read(source, &at, name, value, panel, register)?;
        restriction.check(source, &at, variants)?;
        restrictions.push(restriction);
    }
    Ok(restrictions)
}

/// Reads the wishes; a bot that is tuned at each point is the last of the panel.
pub(super) fn read_wishes(
    source: &Source,
    written: &Table,
    panel: &[Bot],
    retune: Option<&Retune>,
    measures: &[String],
) -> Result<Vec<SweepWish>, InputError> {
    let is_first = |bot: usize| bot == 0 || (bot + 1 == panel.len() && retune.is_some_and(|own| own.bot == 0));
    let mut wishes = Vec::new();
    for (name, value) in written {
        let at = [sweep("want"), vec![name.clone()]].concat();
        let wish = SweepWish::read(source, &at, name, value, panel, measures)?;
        if SKILLS.contains(&wish.measure.as_str()) && is_first(wish.bot) {
            let bot = &panel[wish.bot].name;
            let problem = format!("{bot} is the first of the panel, and {name} is the lead over the one before");
            return Err(source.error(&at, problem));
        }
        wishes.push(wish);
    }
    Ok(wishes)
}

pub(super) fn read_panel(source: &Source, written: &[Value], register: &Register) -> Result<Vec<Bot>, InputError> {
    if written.is_empty() {
        let problem = "is missing: a list of bots, the least skilled first, by name or file";
        return Err(source.error(&sweep("panel"), problem));
    }
    let bot = |at: &[String], value: &Value| register.find_bot(source, at, value);
    resolve(source, &sweep("panel"), written, bot, |bot| &bot.name)
}
