//! `overtrick solve`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::output_format::OutputFormat;
use super::{Ended, help, print};
use crate::cards::{Card, CardSet, Strain};
use crate::game::Game;
use crate::games::euchre::{Euchre, EuchreRules};
use crate::games::whist::{DummyWhist, WhistRules};
use crate::report::table;
use crate::search::solver::{Position, PositionError, Ranking, Solver};
use crate::toml_source::{InputError, did_you_mean, in_words as plain_words, read_text};

/// The maximum memory of the solver, in bytes.
const MEMORY: usize = 256 << 20;

/// Find the tricks that each side wins, with all cards known
///
/// A line of the file is a deal, or the cards that are left of one. It is an object with these keys:
///
///   hands   by name of the hand its cards, such as ["AS", "TH"]
///           There are 2 to 4 hands, in the order in which they play. Jokers are BJ and LJ.
///   sides   two lists of names, with every hand in one of them
///   leader  the hand that leads to the trick, or has led
///   trump   the letter of a suit, C, D, H or S, or "NT" or null for none (default: none)
///   order   "high": the ace is best, then the king (default)
///           "low": the ace is best, then the two
///   bowers  true: the jack of trumps, then the other jack of its colour, are the best trumps
///   trick   the cards already played to the trick, in order, which the hands no longer hold
///   jokers  "when-void" or "any-time": when a joker may be played without trumps (default: "when-void")
///           It belongs to no suit then. With trumps, jokers are the best trumps.
///   misere  true: the first side wants no tricks
///
/// For each line, a line with these keys is printed:
///
///   tricks  the number of tricks still to be completed that each side wins, in the order of sides
///   turn    the hand to play
///   moves   by card that it may play, the number of those tricks that its side then wins
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
#[command(after_help = help::examples(&[
    ("A line of JSON for each deal of a file", "solve deals.jsonl"),
    ("A table to read", "solve deals.jsonl --format text"),
]))]
pub struct Args {
    /// The file of deals, or `-` for standard input.
    file: PathBuf,
    /// Print in this format: a line of JSON for each deal, or a table to read.
    #[arg(long, value_parser = OutputFormat::text_or_json(), default_value = "json")]
    format: OutputFormat,
}

/// A line of the file.
#[derive(Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct Line {
    hands: Option<Hands>,
    sides: Option<[Vec<String>; 2]>,
    leader: Option<String>,
    trump: Option<Trump>,
    order: Direction,
    bowers: bool,
    trick: Vec<Card>,
    jokers: Jokers,
    misere: bool,
}

/// Trumps as records write them, in the order of strains.
#[derive(Clone, Copy, Deserialize)]
enum Trump {
    C,
    D,
    H,
    S,
    #[serde(rename = "NT")]
    None,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Direction {
    #[default]
    High,
    Low,
}

#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Jokers {
    #[default]
    WhenVoid,
    AnyTime,
}

/// Hands by name, in the order of the file.
struct Hands(Vec<(String, Vec<Card>)>);

impl<'de> Deserialize<'de> for Hands {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Hands, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Hands;
            fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                out.write_str("an object: by name of the hand its cards")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Hands, A::Error> {
                let mut hands = Vec::new();
                while let Some(hand) = map.next_entry()? {
                    hands.push(hand);
                }
                Ok(Hands(hands))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// A deal to solve.
pub struct Task {
    position: Position,
    /// The hand to play.
    turn: String,
    /// Whether that hand belongs to the first side.
    is_first: bool,
}

/// The result of a deal when all play as well as possible, with all cards known.
#[derive(Serialize, JsonSchema)]
pub struct Solved {
    /// The tricks of the two sides that are still to be completed.
    tricks: [u8; 2],
    /// The hand to play.
    turn: String,
    /// By card that it may play: how many of those tricks its side wins then.
    moves: BTreeMap<String, u8>,
}

impl Solved {
    /// Returns the cells of a table row.
    fn row(&self, number: usize) -> Vec<String> {
        let [first, second] = self.tricks;
        let moves: Vec<String> = self.moves.iter().map(|(card, tricks)| format!("{card} {tricks}")).collect();
        vec![number.to_string(), format!("{first} : {second}"), self.turn.clone(), moves.join(", ")]
    }
}

/// Reads the deals of a file; `-` is standard input.
///
/// # Errors
/// The first fault, with line and key.
pub fn read_deals(file: &Path) -> Result<Vec<Task>, InputError> {
    let text = read_text(file, "save the file as JSON lines in UTF-8")?;
    let orders = Orders::new();
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(number, line)| {
            read(line).and_then(|line| line.task(&orders)).map_err(|fault| fault.at(file, number + 1))
        })
        .collect()
}

impl Task {
    /// Returns the number of tricks that are still to be completed.
    pub fn tricks_left(&self) -> u8 {
        self.position.tricks_left()
    }

    /// Solves the deal.
    pub fn solve(&self, solver: &mut Solver) -> Solved {
        let left = self.tricks_left();
        let own = solver.tricks(&self.position);
        let of_mover = |tricks: u8| if self.is_first { tricks } else { left - tricks };
        let moves = solver.moves(&self.position);
        Solved {
            tricks: [own, left - own],
            turn: self.turn.clone(),
            moves: moves.into_iter().map(|(card, tricks)| (card.to_string(), of_mover(tricks))).collect(),
        }
    }
}

/// Runs the command.
pub(super) fn solve(args: &Args) -> Result<Ended, InputError> {
    let mut solver = Solver::new(MEMORY);
    let mut rows = Vec::new();
    for task in read_deals(&args.file)? {
        let solved = task.solve(&mut solver);
        if args.format == OutputFormat::Json {
            print(&format!("{}\n", serde_json::to_string(&solved).expect("plain values")));
        } else {
            rows.push(solved.row(rows.len() + 1));
        }
    }
    if args.format != OutputFormat::Json {
        let headings = ["deal", "tricks of the sides", "to play", "each card and the tricks of its side"];
        print(&format!("{}\n", table(&headings, 4, rows)));
    }
    Ok(Ended::Done)
}

/// A fault of a line, perhaps in one key.
struct Fault {
    key: Option<String>,
    problem: String,
}

impl Fault {
    fn new(key: &str, problem: impl Into<String>) -> Fault {
        Fault { key: Some(key.to_owned()), problem: problem.into() }
    }

    fn at(self, file: &Path, line: usize) -> InputError {
        let error = InputError::file(file, self.problem).at_line(line);
        match self.key {
            Some(key) => error.at_key(key),
            None => error,
        }
    }
}

fn read(text: &str) -> Result<Line, Fault> {
    let problem = |error: &serde_json::Error| {
        let words = error.to_string();
        plain_words(words.rsplit_once(" at line ").map_or(&words, |(words, _)| words))
    };
    let error = match serde_json::from_str::<Line>(text) {
        Ok(line) => return Ok(line),
        Err(error) => error,
    };
    // The error has no position: the faulty key is the key that fails alone.
    let keys: Map<String, Value> = serde_json::from_str(text).map_err(|error| Fault {
        key: None,
        problem: format!("is no JSON object (column {}): {}", error.column(), problem(&error)),
    })?;
    let culprit = keys.into_iter().find_map(|(key, value)| {
        let alone = Map::from_iter([(key.clone(), value)]);
        let error = serde_json::from_value::<Line>(Value::Object(alone)).err()?;
        Some(Fault::new(&key, problem(&error)))
    });
    Err(culprit.unwrap_or(Fault { key: None, problem: problem(&error) }))
}

/// The orders that lines can request, from the games that define them.
struct Orders {
    whist: DummyWhist,
    euchre: Euchre,
}

impl Orders {
    fn new() -> Orders {
        Orders {
            whist: DummyWhist::new(WhistRules::default()).expect("default rules"),
            euchre: Euchre::new(EuchreRules::default()).expect("default rules"),
        }
    }
}

impl Line {
    /// Returns the order of cards as a ranking for the solver.
    fn ranking(&self, orders: &Orders) -> Result<Ranking, Fault> {
        let trump = self.trump.and_then(|trump| Strain::ALL[trump as usize].suit());
        let low = self.order == Direction::Low;
        let refuse = |problem: &str| Err(Fault::new("bowers", problem));
        let order = match trump {
            None if self.bowers => return refuse("needs a trump suit. Set `trump`, or leave it out"),
            Some(_) if self.bowers && low => return refuse("goes with `order` \"high\" only. Leave one out"),
            Some(trump) if self.bowers => orders.euchre.order_of(trump),
            _ => orders.whist.order_of(trump, low),
        };
        let is_anytime = self.jokers == Jokers::AnyTime && trump.is_none();
        let anytime = if is_anytime { CardSet::JOKERS } else { CardSet::EMPTY };
        Ok(Ranking::of(order, anytime).expect("an order with one trump suit or none"))
    }

    fn task(self, orders: &Orders) -> Result<Task, Fault> {
        let ranking = self.ranking(orders)?;
        let missing = |key: &str, meaning: &str| Fault::new(key, format!("is missing. {meaning}"));
        let Hands(hands) = self.hands.as_ref().ok_or(missing("hands", "It holds the cards of each hand by name"))?;
        let sides = self.sides.as_ref().ok_or(missing("sides", "It has two lists of hands"))?;
        let leader = self.leader.as_ref().ok_or(missing("leader", "It names the hand that leads"))?;
        let names: Vec<&str> = hands.iter().map(|(name, _)| name.as_str()).collect();
        if !Position::HANDS.contains(&names.len()) {
            return Err(in_words(&PositionError::Hands(names.len()), &names));
        }
        let cards = cards_by_side(hands, sides, &names)?;
        let find = |key: &str, name: &str| {
            let unknown = || {
                let meant = did_you_mean(name, names.iter().copied());
                let known = names.join(", ");
                Fault::new(key, format!("{name:?} is none of the hands{meant}. They are {known}"))
            };
            names.iter().position(|own| *own == name).ok_or_else(unknown)
        };
        for name in sides.iter().flatten() {
            find("sides", name)?;
        }
        let leader = find("leader", leader)?;
        if self.bowers && cards.iter().any(|(hand, _)| !hand.is_disjoint(CardSet::JOKERS)) {
            return Err(Fault::new("bowers", "leaves no place for jokers. Take BJ and LJ out of the hands"));
        }
        let position =
            Position::new(&cards, leader, &self.trick, &ranking).map_err(|error| in_words(&error, &names))?;
        let turn = (leader + self.trick.len()) % names.len();
        Ok(Task {
            position: if self.misere { position.to_lose() } else { position },
            turn: names[turn].to_owned(),
            is_first: cards[turn].1,
        })
    }
}

/// Returns the cards of each hand, and whether it is on the first side.
fn cards_by_side(
    hands: &[(String, Vec<Card>)],
    sides: &[Vec<String>; 2],
    names: &[&str],
) -> Result<Vec<(CardSet, bool)>, Fault> {
    let mut cards = Vec::new();
    for (number, (name, hand)) in hands.iter().enumerate() {
        let key = format!("hands.{name}");
        if names[..number].contains(&name.as_str()) {
            return Err(Fault::new(&key, "is there twice. Give each hand a different name"));
        }
        let set: CardSet = hand.iter().copied().collect();
        if let Some(card) = hand.iter().enumerate().find_map(|(at, card)| hand[..at].contains(card).then_some(card)) {
            return Err(Fault::new(&key, format!("has {card} twice. Leave one out")));
        }
        let times = sides.iter().flatten().filter(|side| *side == name).count();
        if times != 1 {
            let known = names.join(", ");
            let problem =
                format!("has {name} {times} times. Every hand of {known} belongs to one side, and is named once");
            return Err(Fault::new("sides", problem));
        }
        cards.push((set, sides[0].contains(name)));
    }
    Ok(cards)
}

/// Returns the fault of a position, with the names of its hands.
fn in_words(error: &PositionError, names: &[&str]) -> Fault {
    match *error {
        PositionError::Hands(count) => Fault::new("hands", format!("has {count}. A trick takes 2, 3 or 4")),
        PositionError::Twice(card) => {
            Fault::new("hands", format!("{card} is there twice, counting `trick`. Leave one out"))
        }
        PositionError::Uneven { hand, cards, due, .. } => {
            let problem = format!(
                "has {cards} cards and should have {due}: all hands have as many as the leader, but for the cards in `trick`"
            );
            Fault::new(&format!("hands.{}", names[hand]), problem)
        }
        PositionError::TrickOver(count) => {
            let problem = format!("has {count} cards and is over. Leave it out, and let its winner be the leader");
            Fault::new("trick", problem)
        }
        PositionError::Reneged { hand, card } => {
            let problem =
                format!("{card} does not follow suit, and {} still could. Correct one of the two", names[hand]);
            Fault::new("trick", problem)
        }
        _ => Fault::new("hands", error.to_string()),
    }
}
