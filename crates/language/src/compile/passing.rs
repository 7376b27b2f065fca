//! The cards that players pass before the play.

use overtrick_cards::table::MAX_CALLS;
use overtrick_toml::InputError;

use super::resolver::Resolver;
use super::seating::Seating;
use crate::source::PassWord;

/// Passing: each player chooses cards, and then all of them move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Passing {
    /// The number of cards that each player passes.
    pub cards: usize,
    /// By deal of the cycle, the number of seats from a player to the one who gets the cards. 0 if none are passed.
    steps: Vec<usize>,
}

impl Passing {
    /// Makes the passing of a file, if there is any. `hand` is the number of cards of a hand.
    ///
    /// # Errors
    /// The first wrong key of the table `passing`.
    pub fn of(resolver: &Resolver<'_>, seating: &Seating, hand: u32) -> Result<Option<Passing>, InputError> {
        let keys = &resolver.file.keys().passing;
        let cards = match &keys.cards {
            Some(setting) => resolver.amount(&["passing", "cards"], setting)?,
            None => 0,
        };
        let mut steps = Vec::new();
        for setting in &keys.to {
            let to = resolver.choice(&["passing", "to"], setting)?;
            steps.push(steps_to(resolver, to, seating.players)?);
        }
        let cards = usize::try_from(cards).unwrap_or(0);
        if cards == 0 {
            // An option may set the number.
            let is_unused = !keys.to.is_empty() && keys.cards.is_none();
            let problem = "does nothing without cards to pass; set `passing.cards`";
            return if is_unused { Err(resolver.error(&["passing", "to"], problem)) } else { Ok(None) };
        }
        let at_cards = |problem: String| Err(resolver.error(&["passing", "cards"], problem));
        if u32::try_from(cards).is_ok_and(|cards| cards > hand) {
            return at_cards(format!("is {cards}, and each hand has {hand}; lower it"));
        }
        if cards * seating.players > MAX_CALLS - seating.players {
            let most = MAX_CALLS / seating.players - 1;
            return at_cards(format!("is {cards}, and {most} fit for {} players; lower it", seating.players));
        }
        if !seating.dummies.is_empty() {
            return at_cards("does not go with dummies yet; leave one out".to_owned());
        }
        if steps.is_empty() {
            steps.push(1);
        }
        Ok(Some(Passing { cards, steps }))
    }

    /// Returns the number of deals after which the directions repeat.
    pub fn cycle(&self) -> u32 {
        u32::try_from(self.steps.len()).unwrap_or(1)
    }

    /// Returns the number of seats from a player to the one who gets the cards; 0 if none are passed.
    pub fn steps(&self, deal: u32) -> usize {
        self.steps[usize::try_from(deal % self.cycle()).unwrap_or(0)]
    }
}

fn steps_to(resolver: &Resolver<'_>, to: PassWord, players: usize) -> Result<usize, InputError> {
    match to {
        PassWord::None => Ok(0),
        PassWord::Left => Ok(1),
        PassWord::Right => Ok(players - 1),
        PassWord::Across if players == 4 => Ok(2),
        PassWord::Across => {
            let problem = format!("has \"across\", and no one sits opposite among {players} players; leave it out");
            Err(resolver.error(&["passing", "to"], problem))
        }
    }
}
