//! Plays deals out, so that searching strategies see the result of a move.

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

/// A way to play deals out. Files write a word or a bot.
#[derive(Clone, Debug, PartialEq)]
pub enum RolloutPolicy {
    /// All legal moves with the same probability.
    Random,
    /// Calls and discards of the rule-based strategy, and random cards.
    RuleBasedCalls,
    /// Moves of the rule-based strategy with its default parameters.
    RuleBased,
    /// Moves of a bot.
    Bot(InnerBot),
}

impl RolloutPolicy {
    /// The policies that are not a bot, with the words that files write.
    const WORDS: [(&str, RolloutPolicy); 3] = [
        ("random", RolloutPolicy::Random),
        ("rule-based-calls", RolloutPolicy::RuleBasedCalls),
        ("rule-based", RolloutPolicy::RuleBased),
    ];

    /// Returns the bot, if the policy is one.
    pub(super) fn bot(&self) -> Option<&InnerBot> {
        if let RolloutPolicy::Bot(bot) = self { Some(bot) } else { None }
    }

    /// Returns the same, mutably.
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
        word.expect("every policy but a bot has a word").0.serialize(serializer)
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

/// A player that plays deals out.
pub struct Rollout<G: FullGame> {
    /// Whether the player makes the calls; otherwise they are random.
    calls: bool,
    /// Whether the player plays the cards; otherwise they are random.
    cards: bool,
    /// The bot, or the rule-based player if the game has one.
    player: Option<Box<dyn Strategy<G>>>,
}

impl<G: FullGame> Rollout<G> {
    /// Returns a rollout with this policy.
    ///
    /// # Errors
    /// If `policy` needs the rule-based player and the game has none, or if its bot does not play the game.
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

    /// Returns whether a player gives meaning to calls: a rollout bot, or the game's rule-based player.
    pub fn has_player(&self) -> bool {
        self.player.is_some()
    }

    /// Checks that a player gives meaning to moves, if the parameter `key` trusts them.
    ///
    /// # Errors
    /// If there is no such player and `trust` is not 0.
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

    /// Chooses the move in `state`, where `legal` is not empty.
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

    /// Returns the player's move in `state`.
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
        usual.expect("the caller checked that there is a player")
    }

    /// Returns the player's move, if there is a player.
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
