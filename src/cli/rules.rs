//! `overtrick rules`.

use serde_json::json;

use super::output_format::{OutputFormat, print_json};
use super::{Ended, print};
use crate::games::Variant;
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

pub fn rules(args: &Args) -> Result<Ended, InputError> {
    let variant = Variant::named(&args.variant)?;
    if args.format == OutputFormat::Json {
        let (game, rules) = (variant.game.name(), variant.game.rules());
        let (name, about, base) = (&variant.name, &variant.about, &variant.base);
        print_json(&json!({ "game": game, "name": name, "about": about, "base": base, "rules": rules }));
    } else {
        print(&variant.to_toml());
    }
    Ok(Ended::Done)
}
