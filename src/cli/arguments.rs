//! Arguments that name bots and variants, and the errors in them.

use std::path::{Path, PathBuf};

use toml::Value;

use super::host::register;
use crate::games::Variant;
use crate::strategies::{Bot, places};
use crate::toml_source::{InputError, Source, did_you_mean};
use crate::tournament::{check_eligible, find_variant};

/// Returns an error in an option.
pub fn in_option(name: &str, problem: String) -> InputError {
    InputError::plain(problem).at_key(name)
}

/// Returns the error of the file that an argument names, or else of the argument.
///
/// An argument without the name of an option is known by its own text, which the problem quotes.
fn in_argument(option: Option<&str>, error: InputError) -> InputError {
    match (error.file.as_deref(), option) {
        (Some(file), _) if file != Path::new("") => error,
        (_, Some(name)) => in_option(name, error.problem),
        (_, None) => InputError::plain(error.problem),
    }
}

/// Returns the index of a name among the `known` ones; `kind` says what it names.
///
/// # Errors
/// If it is not among them.
pub fn index_of<'n>(name: &str, known: impl Iterator<Item = &'n str> + Clone, kind: &str) -> Result<usize, InputError> {
    known.clone().position(|own| own == name).ok_or_else(|| {
        let (meant, all) = (did_you_mean(name, known.clone()), known.collect::<Vec<_>>().join(", "));
        InputError::plain(format!("{name:?} is no {kind}{meant}. It has {all}"))
    })
}

/// Returns an empty document without a file. Errors in it concern arguments.
pub fn nowhere() -> Result<Source, InputError> {
    Source::parse(Path::new(""), String::new())
}

/// Returns the variant that an option names.
///
/// # Errors
/// If there is no such variant, or if its file is wrong.
pub fn variant(option: &str, text: &str) -> Result<Variant, InputError> {
    let found = find_variant(&nowhere()?, &[], &Value::from(text), register().games());
    found.map_err(|error| in_argument(Some(option), error))
}

/// Returns the variant that an argument names, or all variants without one.
///
/// # Errors
/// If there is no such variant, or if its file is wrong.
pub fn variants(name: Option<&str>) -> Result<Vec<Variant>, InputError> {
    name.map_or_else(|| Ok(Variant::all()), |name| Ok(vec![Variant::named(name)?]))
}

/// Returns the bot that an argument names, for any variants.
///
/// # Errors
/// If there is no such bot, or if its file is wrong.
pub fn any_bot(option: Option<&str>, text: &str) -> Result<Bot, InputError> {
    register().find_bot(&nowhere()?, &[], &Value::from(text)).map_err(|error| in_argument(option, error))
}

/// Returns the file of the bot that an argument names; `None` if the bot is built in.
///
/// # Errors
/// None: the document of arguments is sound.
pub fn manifest(text: &str) -> Result<Option<PathBuf>, InputError> {
    Ok(places(&nowhere()?, text).into_iter().find(|file| file.exists()))
}

/// Returns the bot that an argument names: one of an option, or one that stands alone.
///
/// # Errors
/// If there is no such bot, if its file is wrong, or if it does not play the variant.
pub fn bot(option: Option<&str>, text: &str, variant: &Variant) -> Result<Bot, InputError> {
    bot_of_all(option, text, std::slice::from_ref(variant))
}

/// Returns the bot that an argument names, for several variants.
///
/// # Errors
/// If there is no such bot, if its file is wrong, or if it does not play all variants.
pub fn bot_of_all(option: Option<&str>, text: &str, variants: &[Variant]) -> Result<Bot, InputError> {
    let bot = any_bot(option, text)?;
    check_eligible(&bot, variants).map_err(|problem| in_argument(option, InputError::plain(problem)))?;
    Ok(bot)
}
