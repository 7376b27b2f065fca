//! The messages to a bot and its replies.

use std::collections::BTreeMap;

use overtrick_cards::Card;
use overtrick_cards::table::Seat;
use overtrick_game::{Describe, State, View};
use serde::{Deserialize, Serialize};

use super::{Decision, Fault, FaultKind, Knobs, LARGEST_BATCH, StandingSeen, Text, VERSION, writing};

/// A message to a bot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Message<'a> {
    /// The first message, which asks for the bot's introduction.
    Hello(Greeting),
    /// The variant of the deals that follow.
    Variant(VariantSeen),
    /// The beginning of a deal.
    Deal(DealStart),
    /// Decisions to make, at most the number that the bot asked for.
    #[serde(skip_serializing)]
    Decide(#[serde(borrow)] Vec<Decision<'a>>),
    /// The end of a deal.
    End(DealEnd),
    /// The request to exit.
    Bye {},
}

impl Message<'_> {
    /// Appends the message and a line end.
    pub fn write(&self, out: &mut Vec<u8>) {
        match self {
            Message::Decide(decisions) => writing::decide(decisions, out),
            other => serde_json::to_writer(&mut *out, other).expect("plain values, and memory takes them"),
        }
        out.push(b'\n');
    }
}

/// The first message, in which the harness introduces itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Greeting {
    /// The version of the protocol.
    pub protocol: u32,
    /// The version of Overtrick.
    pub overtrick: String,
    /// The bot's own settings from its manifest; omitted if there are none.
    #[serde(default, skip_serializing_if = "toml::Table::is_empty")]
    pub settings: toml::Table,
}

impl Default for Greeting {
    fn default() -> Greeting {
        Greeting { protocol: VERSION, overtrick: env!("CARGO_PKG_VERSION").to_owned(), settings: toml::Table::new() }
    }
}

/// A variant with all its rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct VariantSeen {
    /// The name of the variant.
    pub variant: String,
    /// The preset whose rules the variant changes.
    pub base: String,
    /// The game of the variant.
    pub game: String,
    /// The number of players.
    pub players: usize,
    /// The names of the hands, players' hands first.
    pub hands: Vec<String>,
    /// Every card of the pack.
    pub deck: Vec<Card>,
    /// Every rule with its value.
    pub rules: toml::Table,
}

impl VariantSeen {
    /// Returns the message for `game` under the name of its variant.
    pub fn of<G: Describe>(game: &G, variant: &str, base: &str) -> VariantSeen {
        let layout = game.layout();
        VariantSeen {
            variant: variant.to_owned(),
            base: base.to_owned(),
            game: game.name().to_owned(),
            players: layout.seats,
            hands: layout.hands.iter().map(|&name| name.to_owned()).collect(),
            deck: layout.deck.cards().iter().collect(),
            rules: toml::Table::try_from(game.rules()).expect("rules are plain values"),
        }
    }
}

/// A deal about to begin, as a seat of the bot sees it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct DealStart {
    /// The number of the deal in its decisions and its end.
    pub deal: u64,
    /// The bot's seat.
    pub seat: usize,
    /// The seat that deals.
    pub dealer: usize,
    /// The bot's own hand.
    pub own: Vec<Card>,
    /// The match before the deal.
    pub standing: StandingSeen,
}

impl DealStart {
    /// Returns the message for a deal whose first view for the bot is `view`.
    pub fn of<G: Describe>(view: &View<'_, G>, deal: u64) -> DealStart {
        DealStart {
            deal,
            seat: view.seat().index(),
            dealer: view.dealer().index(),
            own: view.own().sorted(),
            standing: StandingSeen::of(view),
        }
    }
}

/// A finished deal, with all cards.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct DealEnd {
    /// The number of the deal.
    pub deal: u64,
    /// The bot's seat.
    pub seat: usize,
    /// The scores of the deal, by seat.
    pub scores: Vec<i32>,
    /// All hands as they were dealt.
    pub hands: BTreeMap<String, Vec<Card>>,
    /// The cards dealt to places that are not hands, by the name of the place.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub table: BTreeMap<String, Vec<Card>>,
}

impl DealEnd {
    /// Returns the message to `seat` for a deal that began as `dealt` and ended as `over`.
    pub fn of<G: Describe>(
        game: &G,
        dealt: &State<G::Public>,
        over: &State<G::Public>,
        seat: Seat,
        deal: u64,
    ) -> DealEnd {
        let hand = |(name, place): (&str, _)| (name.to_owned(), game.dealt_hand(dealt, place).sorted());
        let asides = game.asides(dealt, over).into_iter();
        DealEnd {
            deal,
            seat: seat.index(),
            scores: game.scores(over).of(game.layout().seats).to_vec(),
            hands: game.hand_names().map(hand).collect(),
            table: asides.map(|aside| (aside.name.to_owned(), aside.cards)).collect(),
        }
    }
}

/// A bot's introduction.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Hello {
    /// The bot's name for itself.
    pub name: String,
    /// The version of the protocol that the bot speaks.
    pub protocol: u32,
    /// The variants that the bot plays: names of variants, presets or games, or `all`.
    pub variants: Vec<String>,
    /// The maximum number of decisions in one message.
    #[serde(default)]
    pub batch: Batching,
    /// Whether the bot gets messages at the beginning and the end of deals.
    #[serde(default = "yes")]
    pub deals: bool,
    /// The parameters that the bot declares; `None` if it leaves them open, so that any settings will do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parameters: Option<Knobs>,
}

/// A bot without a name that plays nothing, to fill in.
impl Default for Hello {
    fn default() -> Hello {
        Hello {
            name: String::new(),
            protocol: VERSION,
            variants: Vec::new(),
            batch: Batching::default(),
            deals: true,
            parameters: None,
        }
    }
}

fn yes() -> bool {
    true
}

/// The maximum number of decisions that a bot takes in one message; 1 by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Batching(pub u32);

impl Default for Batching {
    fn default() -> Batching {
        Batching(1)
    }
}

impl Hello {
    /// Returns whether the bot plays a variant.
    pub fn plays(&self, variant: &VariantSeen) -> bool {
        let named = |name: &String| [&variant.variant, &variant.base, &variant.game].contains(&name) || name == "all";
        self.variants.iter().any(named)
    }

    /// Checks that the harness supports the values of the introduction.
    ///
    /// # Errors
    /// [`FaultKind::WrongHandshake`].
    fn check(self, line: &[u8]) -> Result<Hello, Fault> {
        let wrong = |what: String| Err(Fault::in_line(FaultKind::WrongHandshake, what, line));
        if self.protocol != VERSION {
            return wrong(format!("the bot speaks protocol {}, overtrick {VERSION}", self.protocol));
        }
        if !(1..=LARGEST_BATCH).contains(&self.batch.0) {
            return wrong(format!("`batch` is {}, but must be 1 to {LARGEST_BATCH}", self.batch.0));
        }
        if self.variants.is_empty() {
            return wrong("`variants` is empty; name what the bot plays, or \"all\"".to_owned());
        }
        if let Some(flaw) = self.parameters.as_ref().and_then(Knobs::flaw) {
            // The message names the key, and a line with many parameters would hide it.
            return Err(Fault::new(FaultKind::WrongHandshake, flaw));
        }
        Ok(self)
    }

    /// Reads a bot's first line.
    ///
    /// # Errors
    /// [`FaultKind::WrongHandshake`], or the fault of the line.
    pub fn read(line: &[u8]) -> Result<Hello, Fault> {
        match Reply::read(line) {
            Ok(Reply::Hello(hello)) => hello.check(line),
            Ok(Reply::Moves(_)) => Err(Fault::in_line(FaultKind::WrongHandshake, "`moves` before `hello`", line)),
            Err(fault) if fault.kind == FaultKind::Garbage => Err(Fault { kind: FaultKind::WrongHandshake, ..fault }),
            Err(fault) => Err(fault),
        }
    }
}

/// A reply of a bot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reply<'a> {
    /// The bot's introduction.
    Hello(Hello),
    /// Moves, each with the number of its decision.
    Moves(#[serde(borrow)] Vec<(u64, Text<'a>)>),
}

impl Reply<'_> {
    /// Reads a line, without its line end.
    ///
    /// # Errors
    /// [`FaultKind::NotUtf8`] or [`FaultKind::Garbage`].
    pub fn read(line: &[u8]) -> Result<Reply<'_>, Fault> {
        let text = std::str::from_utf8(line)
            .map_err(|error| Fault::in_line(FaultKind::NotUtf8, format!("not UTF-8: {error}"), line))?;
        serde_json::from_str(text)
            .map_err(|error| Fault::in_line(FaultKind::Garbage, format!("no message: {error}"), line))
    }
}
