//! The rules of a game file as a page of prose, from which a card player can play.

mod facts;
mod page;
mod passing;
mod play;
mod score;
mod table;
mod trumps;
mod vocabulary;
mod wording;

use overtrick_game::Game;
use overtrick_toml::InputError;

use crate::DeclaredGame;
use crate::source::{GameFile, GameOption, OptionRange, OptionValue, OptionValues};

use facts::GameFacts;
use page::RulesPage;

/// Returns the rules of a game under the values of its options, as Markdown.
///
/// `name` is the heading: the name of the game or of a variant.
///
/// # Errors
/// None for a game that was made from its file.
pub fn rules_page(game: &DeclaredGame, name: &str) -> Result<String, InputError> {
    let file = game.file();
    let values = file.values(&Game::rules(game).0, file.source(), &[])?;
    let facts = GameFacts::of(file, &values)?;
    let mut page = RulesPage::default();
    page.heading(1, name);
    page.paragraph(&introduction(file));
    table::players(&facts, &mut page)?;
    table::deck(&facts, &mut page)?;
    table::deal(&facts, &mut page)?;
    trumps::order(&facts, &mut page)?;
    trumps::rounds(&facts, &mut page)?;
    passing::passing(&facts, &mut page)?;
    play::bids(&facts, &mut page)?;
    play::play(&facts, &mut page)?;
    let penalty = score::score(&facts, &mut page)?;
    play::ending(&facts, penalty, &mut page)?;
    options(file, &values, &mut page);
    Ok(page.finish())
}

fn introduction(file: &GameFile) -> Vec<String> {
    let about = wording::sentence(file.about().trim_end_matches('.'));
    let source = file.keys().source.as_deref().unwrap_or_default();
    let mut sentences = vec![format!("{about}."), format!("The game is `{}`, and follows {source}.", file.name())];
    if !file.options().is_empty() {
        sentences.push("A name in brackets, as in (`name`), is that of an option below.".to_owned());
    }
    sentences
}

/// Writes the table of options, if there are any.
fn options(file: &GameFile, values: &OptionValues, page: &mut RulesPage) {
    if file.options().is_empty() {
        return;
    }
    page.heading(2, "Options");
    let mut rows = Vec::new();
    for GameOption { name, range, about, default } in file.options() {
        let value = values.get(name).unwrap_or(default);
        rows.push(vec![format!("`{name}`"), shown(value), in_range(range), about.clone()]);
    }
    page.table(&["option", "value", "values", "meaning"], &rows);
}

fn shown(value: &OptionValue) -> String {
    match value {
        OptionValue::Integer(value) => value.to_string(),
        OptionValue::Truth(value) => value.to_string(),
        OptionValue::Word(word) => word.clone(),
    }
}

fn in_range(range: &OptionRange) -> String {
    match range {
        OptionRange::Integer { low, high, step: 1 } => format!("{low} to {high}"),
        OptionRange::Integer { low, high, step } => format!("{low} to {high}, multiples of {step}"),
        OptionRange::Truth => "true or false".to_owned(),
        OptionRange::Words(words) => wording::listed(words, "or"),
    }
}
