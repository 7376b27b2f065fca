//! `overtrick rules`.

use std::borrow::Cow;

use overtrick_language::rules_page;
use schemars::JsonSchema;
use serde::Serialize;

use super::output_format::{OutputFormat, print_json};
use super::{Ended, help, print};
use crate::games::{AnyGame, Variant};
use crate::report::{AnyObject, sorted};
use crate::toml_source::InputError;

/// Print the rules of a variant, as options or as a page.
///
/// The options are commented TOML, a file that you can change and pass back as a variant.
#[derive(clap::Args)]
#[command(after_help = help::examples(&[
    ("How the game is played and scored", "rules dumbo --text"),
    ("The same of a game from a file, in words", "rules configs/games/whist.toml --text"),
    ("The options of a variant, for a variant of your own", "rules dumbo"),
]))]
pub struct Args {
    /// The variant, by name or as a .toml file.
    ///
    /// `overtrick list variants` lists the names.
    variant: String,
    /// Print how the game is played and scored: all its rules, with their numbers.
    #[arg(long, conflicts_with = "format")]
    text: bool,
    /// Print in this format: commented TOML, or the same values as JSON.
    #[arg(long, value_parser = OutputFormat::text_or_json(), default_value = "text")]
    format: OutputFormat,
}

/// The pages of the rules, by game.
const PAGES: [(&str, &str); 5] = [
    ("dumbo", include_str!("../../docs/rules/dumbo.md")),
    ("euchre", include_str!("../../docs/rules/euchre.md")),
    ("dummy-whist", include_str!("../../docs/rules/dummy-whist.md")),
    ("colour-blind", include_str!("../../docs/rules/colour-blind.md")),
    ("chameleon", include_str!("../../docs/rules/chameleon.md")),
];

/// Returns the page of rules of the game that a variant belongs to.
///
/// A game from a file has a page of this variant, made from the file.
///
/// # Errors
/// If there is no page, which no game of the program lacks.
pub(super) fn page(variant: &Variant) -> Result<Cow<'static, str>, InputError> {
    if let AnyGame::Declared(game) = &variant.game {
        return rules_page(game, &variant.name).map(Cow::Owned);
    }
    let page = PAGES.iter().find(|(game, _)| *game == variant.game.name());
    let page = page.map(|(_, page)| Cow::Borrowed(*page));
    page.ok_or_else(|| InputError::plain(format!("there is no page of the rules of {}", variant.name)))
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
    if args.text {
        print(&page(&variant)?);
        return Ok(Ended::Done);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_variant_has_a_page_of_rules() {
        for variant in Variant::all() {
            assert!(page(&variant).unwrap().starts_with("# "), "{}", variant.name);
        }
    }
}
