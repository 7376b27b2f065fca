//! The passing of cards in words.

use overtrick_toml::InputError;

use super::facts::GameFacts;
use super::page::RulesPage;
use super::wording::{counted, listed};
use crate::source::{ChoiceSetting, PassWord};

/// Writes the section on passing, if cards are passed.
pub(super) fn passing(facts: &GameFacts<'_>, page: &mut RulesPage) -> Result<(), InputError> {
    let keys = &facts.resolver.file.keys().passing;
    let cards = facts.amount(&["passing", "cards"], &keys.cards, 0)?;
    if cards.value == 0 {
        return Ok(());
    }
    page.heading(2, "Passing");
    let count = counted(i64::from(cards.value), "card");
    let mut sentences =
        vec![format!("Before the play each player chooses {count}{}, and no one else sees them.", cards.note)];
    let mut directions = Vec::new();
    for setting in &keys.to {
        let to = facts.choice(&["passing", "to"], &Some(setting.clone()), PassWord::Left)?;
        directions.push(format!("{}{}", direction(to.value), to.note));
    }
    match &directions[..] {
        [] => sentences.push("When all have chosen, the cards go to the player on the left.".to_owned()),
        [only] => sentences.push(format!("When all have chosen, the cards go {only}.")),
        _ => {
            sentences.push("When all have chosen, the cards move.".to_owned());
            let deals = listed(&directions, "and");
            sentences.push(format!("From deal to deal they go {deals}, and then from the first again."));
            if keys.to.iter().any(|to| matches!(to, ChoiceSetting::Value(PassWord::None))) {
                sentences.push("In a deal in which they go to no one, no cards are chosen.".to_owned());
            }
        }
    }
    page.paragraph(&sentences);
    Ok(())
}

fn direction(to: PassWord) -> &'static str {
    match to {
        PassWord::Left => "to the left",
        PassWord::Right => "to the right",
        PassWord::Across => "to the player opposite",
        PassWord::None => "to no one",
    }
}
