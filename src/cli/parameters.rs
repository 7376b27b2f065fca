//! The rows of `overtrick list parameters`: the parameters of strategies, and those that a bot declares.

use super::arguments;
use super::declared::start_to_declare;
use super::host::register;
use super::isolation::say_shortfall;
use crate::games::Variant;
use crate::strategies::{AnySpec, Bot, Parameter};
use crate::toml_source::InputError;
use crate::tournament::{check_eligible, isolation_of};

/// Returns the parameters of a strategy or a bot, or of all strategies; `None` if the command was stopped.
///
/// With a variant, only those of its game are left.
///
/// # Errors
/// If there is no such strategy, bot or variant, or if the bot does not start.
pub fn parameters(of: Option<&str>, variant: Option<&str>) -> Result<Option<Vec<Parameter>>, InputError> {
    let variant = variant.map(|name| arguments::variant("--variant", name)).transpose()?;
    let register = register();
    let strategies: Vec<&str> = match of {
        None => register.strategies().map(|info| info.name).collect(),
        Some(name) => register.strategies().map(|info| info.name).filter(|known| *known == name).collect(),
    };
    let mut rows = Vec::new();
    for strategy in &strategies {
        rows.extend(of_strategy(strategy, variant.as_ref())?);
    }
    match of {
        Some(name) if strategies.is_empty() => of_bot(&bot(name)?, name, variant.as_ref()),
        _ => Ok(Some(rows)),
    }
}

/// Returns the bot of a name that is no strategy.
fn bot(name: &str) -> Result<Bot, InputError> {
    let hint = "Nor is there a bot of that name: `overtrick list bots` has the bots";
    arguments::any_bot(None, name).map_err(|error| match register().list_parameters(name) {
        // If there is a file of the name, it is wrong.
        Err(unknown) if error.file.is_none() && !name.ends_with(".toml") => {
            InputError::plain(format!("{}. {hint}", unknown.problem))
        }
        _ => error,
    })
}

fn of_strategy(name: &str, variant: Option<&Variant>) -> Result<Vec<Parameter>, InputError> {
    match variant {
        Some(variant) => register().parameters_in_game(name, variant.game.name()),
        None => register().list_parameters(name),
    }
}

/// Returns the parameters that an external bot declares, or those of another bot's strategy.
fn of_bot(bot: &Bot, name: &str, variant: Option<&Variant>) -> Result<Option<Vec<Parameter>>, InputError> {
    let variants = variant.map_or(&[][..], std::slice::from_ref);
    check_eligible(bot, variants).map_err(InputError::plain)?;
    let AnySpec::Process(params) = &bot.spec else { return of_strategy(bot.spec.name(), variant).map(Some) };
    if !start_to_declare(bot, arguments::manifest(name)?.as_deref(), variants)? {
        return Ok(None);
    }
    say_shortfall(isolation_of([bot]), false);
    let Some(knobs) = params.declared.knobs() else {
        tell!("note: {} declares no parameters, so it takes any `settings`", bot.name);
        return Ok(Some(Vec::new()));
    };
    Ok(Some(knobs.all().iter().map(Parameter::declared).collect()))
}
