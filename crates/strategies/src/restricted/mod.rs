//! `restricted`: another bot that may not make some moves.
//!
//! The loss in score measures the worth of those moves to the bot (Jaffe et al. 2012, "Evaluating competitive
//! game balance with restricted play").

mod pattern;

use overtrick_cards::Stream;
use overtrick_game::{FieldError, FullGame, Move, Moves, Options, View};
use overtrick_strategy::protocol::{Fault, FaultKind};
use overtrick_strategy::{Batch, ExternalBot, Strategy};
use overtrick_toml::did_you_mean;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Bot, BuildContext, InnerBot, StrategySpec};
use pattern::Pattern;

/// The parameters of `restricted`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {
    /// The bot that chooses among the moves that are left: a name, a file, or a table as in the bots of a config.
    #[schemars(with = "String")]
    bot: InnerBot,
    /// The moves that it may not make, by their text in records: `*` stands for any text, `?` for one character, and a
    /// call need not be named as a whole ("misere" is "bid misere" and "contract misere"). Where all legal moves would
    /// be forbidden, none is.
    forbid: Vec<String>,
}

impl Default for Params {
    fn default() -> Params {
        Params { bot: InnerBot::named("rule-based"), forbid: Vec::new() }
    }
}

impl Options for Params {
    fn validate(&self) -> Result<(), FieldError> {
        Ok(())
    }
}

impl StrategySpec for Params {
    const NAME: &'static str = "restricted";
    const ABOUT: &'static str = "another bot that may not make some moves; plays what that plays";

    fn build<G: FullGame>(&self, context: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError> {
        let patterns: Vec<Pattern> = self.forbid.iter().map(|text| Pattern::new(text)).collect();
        let suspects = match &context.game {
            Some(game) => suspects(&patterns, &game.move_texts(), game.name())?,
            None => Move::all().fold(Moves::NONE, Moves::with),
        };
        let bot = self.bot.build("bot", context)?;
        Ok(Box::new(Restricted { bot, patterns, suspects }))
    }

    fn inner(&self) -> Option<(&'static str, &InnerBot)> {
        Some(("bot", &self.bot))
    }

    fn inner_mut(&mut self) -> Option<(&'static str, &mut InnerBot)> {
        Some(("bot", &mut self.bot))
    }
}

impl Params {
    /// Returns the bot inside, or `None` if it has not been looked up yet, as in the default.
    pub fn bot(&self) -> Option<&Bot> {
        self.bot.bot()
    }

    /// Returns whether a move with this text, a call or a card, is forbidden.
    pub fn forbids(&self, text: &str, is_call: bool) -> bool {
        self.forbid.iter().any(|pattern| Pattern::new(pattern).fits(text, is_call))
    }

    /// Returns the patterns of the forbidden moves.
    pub fn forbid(&self) -> &[String] {
        &self.forbid
    }
}

/// Returns the moves of a game that have a forbidden text. A pattern that fits no text is refused.
fn suspects(patterns: &[Pattern], texts: &[(Move, String)], game: &str) -> Result<Moves, FieldError> {
    let mut suspects = Moves::NONE;
    for pattern in patterns {
        let fitting = texts.iter().filter(|(made, text)| pattern.fits(text, made.as_call().is_some()));
        let found = fitting.fold(Moves::NONE, |found, (made, _)| found.with(*made));
        if found.is_empty() {
            // Texts of two characters are similar to each other, so they are no suggestions.
            let long = texts.iter().map(|(_, text)| text.as_str()).filter(|text| text.len() > 2);
            let meant = did_you_mean(pattern.written(), long);
            let last = &texts.last().expect("a game has moves").1;
            let problem = format!(
                "has {pattern}, which no move of {game} matches{meant}; moves are written as in `overtrick replay`, such \
                 as {:?} or {last:?}",
                texts[0].1
            );
            return Err(FieldError { key: "forbid", problem });
        }
        suspects = found.iter().fold(suspects, Moves::with);
    }
    Ok(suspects)
}

/// The strategy: the bot that chooses, and the moves that are hidden from it.
struct Restricted<G: FullGame> {
    bot: Box<dyn Strategy<G>>,
    patterns: Vec<Pattern>,
    /// The moves whose text must be checked; all other moves are allowed.
    suspects: Moves,
}

impl<G: FullGame> Restricted<G> {
    fn forbids(&self, view: &View<'_, G>, made: Move) -> bool {
        let fits = |text: String| self.patterns.iter().any(|pattern| pattern.fits(&text, made.as_call().is_some()));
        self.suspects.contains(made) && view.move_text(made).is_some_and(fits)
    }

    /// Returns the legal moves that are allowed, or all of them if none is.
    fn left(&self, view: &View<'_, G>, legal: Moves) -> Moves {
        let left = legal.iter().filter(|&made| self.forbids(view, made)).fold(legal, Moves::without);
        if left.is_empty() { legal } else { left }
    }

    /// Returns the move that the inner bot chose among `left`, or a fault if the move is forbidden.
    ///
    /// Only external bots can choose such a move: with reneges allowed, they may make moves that they were
    /// not shown.
    fn watched(&self, view: &View<'_, G>, left: Moves, chosen: Move) -> Result<Move, Fault> {
        if left.contains(chosen) || !self.forbids(view, chosen) {
            return Ok(chosen);
        }
        let text = view.move_text(chosen).unwrap_or_default();
        Err(Fault::new(FaultKind::IllegalMove, format!("{text} is forbidden to this bot (`forbid`)")))
    }
}

impl<G: FullGame> Strategy<G> for Restricted<G> {
    fn choose(&mut self, view: &View<'_, G>, legal: Moves, rng: &mut Stream) -> Move {
        self.bot.choose(view, self.left(view, legal), rng)
    }

    fn try_choose(&mut self, view: &View<'_, G>, legal: Moves, rng: &mut Stream) -> Result<Move, Fault> {
        let left = self.left(view, legal);
        let chosen = self.bot.try_choose(view, left, rng)?;
        self.watched(view, left, chosen)
    }

    fn choose_many(&mut self, batch: &mut Batch<'_, G>) {
        if !self.bot.may_fault() {
            return batch.answer_each(|view, legal, rng| self.choose(view, legal, rng));
        }
        let mut legal = Vec::with_capacity(batch.len());
        for nth in 0..batch.len() {
            let (view, moves, _) = batch.question(nth);
            let left = self.left(&view, moves);
            legal.push(moves);
            batch.offer(nth, left);
        }
        self.bot.choose_many(batch);
        for (nth, moves) in legal.into_iter().enumerate() {
            let (view, left, _) = batch.question(nth);
            let watched = batch.answered(nth).map(|chosen| self.watched(&view, left, chosen));
            batch.offer(nth, moves);
            if let Some(Err(fault)) = watched {
                batch.answer(nth, Err(fault));
            }
        }
    }

    fn gains_by_batches(&self) -> bool {
        self.bot.gains_by_batches()
    }

    fn may_fault(&self) -> bool {
        self.bot.may_fault()
    }

    fn external(&mut self) -> Option<&mut dyn ExternalBot<G>> {
        self.bot.external()
    }
}
