//! The options of a game file as commented TOML.

use overtrick_game::Game;
use overtrick_language::DeclaredGame;
use overtrick_language::source::OptionRange;

/// Formats the options of a game as TOML, each under its meaning and its values.
pub(super) fn commented_options(game: &DeclaredGame) -> String {
    let values = &game.rules().0;
    let mut text = String::new();
    for option in game.file().options() {
        let range = match &option.range {
            OptionRange::Integer { low, high, step: 1 } => format!("{low} to {high}"),
            OptionRange::Integer { low, high, step } => format!("{low} to {high} in steps of {step}"),
            OptionRange::Truth => "true or false".to_owned(),
            OptionRange::Words(words) => words.iter().map(|word| format!("{word:?}")).collect::<Vec<_>>().join(", "),
        };
        let value = values.get(&option.name).cloned().unwrap_or_else(|| option.default.to_toml());
        text.push_str(&format!("# {}: {range}.\n{} = {value}\n", option.about, option.name));
    }
    text
}
