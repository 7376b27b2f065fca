//! Plays a deal out, as searching strategies do to see where a move leads.

use std::borrow::Cow;

use overtrick_cards::Stream;
use overtrick_cards::select::Portable;
use overtrick_game::{FieldError, FullGame, Move, Moves, Standing, State, View};
use overtrick_strategy::Strategy;
use overtrick_strategy::pick;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toml::Value;

use super::{BuildContext, InnerBot, StrategySpec, rule_based};

/// How deals are played out. Files write a word, or the bot.
#[derive(Clone, Debug, PartialEq)]
pub enum RolloutPolicy {
    /// Every legal move is equally likely.
    Random,
    /// Calls and discards as the rule-based strategy makes them, cards at random.
    RuleBasedCalls,
    /// As the rule-based strategy plays with its default parameters.
    RuleBased,
    /// As a bot plays.
    Bot(InnerBot),
}

impl RolloutPolicy {
    /// Those that are not a bot, by the word that files write.
    const WORDS: [(&str, RolloutPolicy); 3] = [
        ("random", RolloutPolicy::Random),
        ("rule-based-calls", RolloutPolicy::RuleBasedCalls),
        ("rule-based", RolloutPolicy::RuleBased),
    ];

    /// The bot, if it is one.
    pub(super) fn bot(&self) -> Option<&InnerBot> {
        if let RolloutPolicy::Bot(bot) = self { Some(bot) } else { None }
    }

    /// The same, to be changed.
    pub(super) fn bot_mut(&mut self) -> Option<&mut InnerBot> {
        if let RolloutPolicy::Bot(bot) = self { Some(bot) } else { None }
    }
}

impl Serialize for RolloutPolicy {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if let RolloutPolicy::Bot(bot) = self {
            return bot.serialize(serializer);
        }
        let word = RolloutPolicy::WORDS.iter().find(|(_, policy)| policy == self);
        word.expect("all others have a word").0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for RolloutPolicy {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<RolloutPolicy, D::Error> {
        let value = Value::deserialize(from)?;
        let word = RolloutPolicy::WORDS.into_iter().find(|(word, _)| value.as_str() == Some(word));
        Ok(word.map_or(RolloutPolicy::Bot(InnerBot::written(value)), |(_, policy)| policy))
    }
}

impl JsonSchema for RolloutPolicy {
    fn schema_name() -> Cow<'static, str> {
        "RolloutPolicy".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let words = RolloutPolicy::WORDS.map(|(word, _)| word);
        json_schema!({ "enum": words, "title": "a bot" })
    }
}

/// Plays deals out.
pub struct Rollout<G: FullGame> {
    /// Whether the player makes the calls, and plays the cards; else they are random.
    calls: bool,
    cards: bool,
    /// The rule-based player, if the game has one, or the bot.
    player: Option<Box<dyn Strategy<G>>>,
}

impl<G: FullGame> Rollout<G> {
    /// A player of this kind.
    ///
    /// # Errors
    /// If `policy` needs the rule-based player and the game has none, or a bot that does not play the game.
    pub fn new(policy: &RolloutPolicy, context: &BuildContext) -> Result<Rollout<G>, FieldError> {
        let (calls, cards) = match policy {
            RolloutPolicy::Random => (false, false),
            RolloutPolicy::RuleBasedCalls => (true, false),
            RolloutPolicy::RuleBased | RolloutPolicy::Bot(_) => (true, true),
        };
        let player = match policy {
            RolloutPolicy::Bot(bot) => Some(bot.build("rollout", context)?),
            _ => rule_based::Params::default().build(context).ok(),
        };
        if player.is_none() && calls {
            let game = context.game_name::<G>();
            let problem = format!("asks for a rule-based player, and {game} has none: write \"random\"");
            return Err(FieldError { key: "rollout", problem });
        }
        Ok(Rollout { calls, cards, player })
    }

    /// Whether there is somebody who says what calls mean: a bot that plays deals out, or the game's rule-based player.
    pub fn has_player(&self) -> bool {
        self.player.is_some()
    }

    /// Checks that there is somebody who says what moves mean, if a bot with the parameter `key` trusts them.
    ///
    /// # Errors
    /// If there is nobody and `trust` is not 0.
    pub fn check_trust(&self, key: &'static str, trust: f32, context: &BuildContext) -> Result<(), FieldError> {
        if trust == 0.0 || self.has_player() {
            return Ok(());
        }
        let game = context.game_name::<G>();
        let problem = format!(
            "is {trust}, but {game} has no rule-based player, who would say what moves mean: write 0, or a bot as \
             `rollout`"
        );
        Err(FieldError { key, problem })
    }

    /// The move that is made in `state`, in which `legal` is not empty.
    #[inline]
    pub fn choose(
        &mut self,
        game: &G,
        state: &State<G::Public>,
        standing: &Standing,
        legal: Moves,
        rng: &mut Stream,
    ) -> Move {
        let by_player = if game.order(state).is_none() { self.calls } else { self.cards };
        if !by_player {
            return pick(legal, rng, Portable);
        }
        self.by_player(game, state, standing, legal, rng)
    }

    /// The move that the player makes in `state`.
    ///
    /// # Panics
    /// If there is no player.
    pub fn by_player(
        &mut self,
        game: &G,
        state: &State<G::Public>,
        standing: &Standing,
        legal: Moves,
        rng: &mut Stream,
    ) -> Move {
        let usual = self.usual(&View::new(game, state, standing, state.table.seat_to_move()), legal, rng);
        usual.expect("who asks has seen that there is a player")
    }

    /// The move that the player makes, if there is one.
    #[inline]
    pub fn usual(&mut self, view: &View<'_, G>, legal: Moves, rng: &mut Stream) -> Option<Move> {
        let player = self.player.as_mut()?;
        if legal.len() == 1 {
            return legal.iter().next();
        }
        Some(player.choose(view, legal, rng))
    }

    /// Plays on to the end of the deal.
    pub fn finish(&mut self, game: &G, state: &mut State<G::Public>, standing: &Standing, rng: &mut Stream) {
        game.play_out(state, |state| self.choose(game, state, standing, game.legal(state), rng));
    }
}
