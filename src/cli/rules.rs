//! `overtrick rules`.

use schemars::JsonSchema;
use serde::Serialize;

use super::output_format::{OutputFormat, print_json};
use super::{Ended, print};
use crate::games::Variant;
use crate::report::{AnyObject, sorted};
use crate::toml_source::InputError;

/// Print a variant's rules as commented TOML, to be changed and fed back.
#[derive(clap::Args)]
pub struct Args {
    /// A variant's name (see `overtrick list variants`) or a variant file.
    variant: String,
    /// How to print: the commented TOML, or the same values as JSON.
    #[arg(long, value_parser = OutputFormat::text_or_json(), default_value = "text")]
    format: OutputFormat,
}

/// A variant with its rules.
#[derive(Serialize, JsonSchema)]
pub(super) struct Rules<'a> {
    /// The game that it is a variant of.
    game: &'a str,
    /// The variant.
    name: &'a str,
    /// The description of the variant.
    about: &'a str,
    /// The named variant that its rules start from.
    base: &'a str,
    /// The rules, all of them; which there are depends on the game.
    #[schemars(with = "AnyObject")]
    rules: toml::Table,
}

pub fn rules(args: &Args) -> Result<Ended, InputError> {
    let variant = Variant::named(&args.variant)?;
    if args.format == OutputFormat::Json {
        print_json(&sorted(&Rules {
            game: variant.game.name(),
            name: &variant.name,
            about: &variant.about,
            base: &variant.base,
            rules: variant.game.rules(),
        }));
    } else {
        print(&variant.to_toml());
    }
    Ok(Ended::Done)
}
