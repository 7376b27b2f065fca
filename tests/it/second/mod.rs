//! The rules a second time, written from their text alone, as plainly as can be: cards are texts, hands are lists of
//! them, everything is searched from end to end. It is what the fast games are checked against.

pub mod bids;
pub mod cards;
pub mod chameleon;
pub mod colour_blind;
pub mod dumbo;
pub mod euchre;
pub mod fast;
pub mod starts;
pub mod tricks;
pub mod whist;

use chameleon::Chameleon;
use colour_blind::ColourBlind;
use dumbo::Dumbo;
use euchre::Euchre;
use whist::Whist;

/// One trick: its plays as (hand, card), and the hand that won it.
pub type Trick = (Vec<(String, String)>, String);

/// Declarer, level, trump, kind.
pub type Contract = (Option<usize>, Option<i64>, Option<String>, String);

/// Cards by the name of the place where they lie.
pub type Places = Vec<(String, Vec<String>)>;

/// A deal before its first move.
#[derive(Clone, Debug)]
pub struct Start {
    /// `dumbo`, `colour-blind`, `euchre`, `dummy-whist` or `chameleon`.
    pub game: String,
    /// Every option of the game, resolved.
    pub rules: toml::Table,
    pub dealer: usize,
    /// Whether this is the last deal of a match.
    pub last_deal: bool,
    /// The hands as dealt.
    pub hands: Places,
    /// The cards elsewhere: `talon` (top first), `up-card`, `stock`, `row` (as it is taken), `row-last`, `discarded`.
    pub table: Places,
}

impl Start {
    /// The cards at a place of the table, none if the place does not exist.
    pub fn on_table(&self, place: &str) -> Vec<String> {
        self.table.iter().find(|(name, _)| name == place).map_or(Vec::new(), |(_, cards)| cards.clone())
    }

    /// The text of an option.
    pub fn text(&self, key: &str) -> String {
        self.option(key).as_str().unwrap_or_else(|| panic!("{key} is no text")).to_string()
    }

    /// The number of an option.
    pub fn number(&self, key: &str) -> i64 {
        self.option(key).as_integer().unwrap_or_else(|| panic!("{key} is no number"))
    }

    /// The numbers of an option that is a list.
    pub fn numbers(&self, key: &str) -> Vec<i64> {
        let list = self.option(key).as_array().unwrap_or_else(|| panic!("{key} is no list"));
        list.iter().map(|n| n.as_integer().unwrap_or_else(|| panic!("{key} is no list of numbers"))).collect()
    }

    /// Whether an option is on.
    pub fn is_on(&self, key: &str) -> bool {
        self.option(key).as_bool().unwrap_or_else(|| panic!("{key} is neither true nor false"))
    }

    fn option(&self, key: &str) -> &toml::Value {
        self.rules.get(key).unwrap_or_else(|| panic!("the rules of {} lack {key}", self.game))
    }
}

/// The questions that each of the five games answers.
trait Game {
    fn is_over(&self) -> bool;
    fn seat(&self) -> usize;
    fn hand(&self) -> String;
    fn legal(&self) -> Vec<String>;
    fn accepted(&self) -> Vec<String> {
        self.legal()
    }
    /// Does an accepted move.
    fn apply(&mut self, text: &str);
    fn table(&self) -> &tricks::Table;
    fn scores(&self) -> Vec<i64>;
    fn contract(&self) -> Option<Contract>;
    /// Whether a seat knows that this card lies at this place, where it does lie.
    fn knows(&self, seat: usize, place: &str, card: &str) -> bool;
}

#[derive(Clone)]
enum Which {
    Dumbo(Dumbo),
    ColourBlind(ColourBlind),
    Euchre(Euchre),
    Whist(Whist),
    Chameleon(Chameleon),
}

/// A deal of any game, from its first move to its score.
#[derive(Clone)]
pub struct Second(Which);

impl Second {
    pub fn new(start: &Start) -> Second {
        Second(match start.game.as_str() {
            "dumbo" => Which::Dumbo(Dumbo::new(start)),
            "colour-blind" => Which::ColourBlind(ColourBlind::new(start)),
            "euchre" => Which::Euchre(Euchre::new(start)),
            "dummy-whist" => Which::Whist(Whist::new(start)),
            "chameleon" => Which::Chameleon(Chameleon::new(start)),
            other => panic!("there is no game {other}"),
        })
    }

    pub fn is_over(&self) -> bool {
        self.game().is_over()
    }

    /// The seat that decides.
    pub fn seat(&self) -> usize {
        self.game().seat()
    }

    /// The hand whose card or call it is.
    pub fn hand(&self) -> String {
        self.game().hand()
    }

    /// The proper moves, sorted.
    pub fn legal(&self) -> Vec<String> {
        sorted(if self.is_over() { Vec::new() } else { self.game().legal() })
    }

    /// The moves that are accepted, sorted: the proper ones and, where reneging is allowed, the reneges.
    pub fn accepted(&self) -> Vec<String> {
        sorted(if self.is_over() { Vec::new() } else { self.game().accepted() })
    }

    pub fn apply(&mut self, text: &str) {
        let accepted = self.accepted();
        assert!(accepted.iter().any(|move_| move_ == text), "{text} is not among {accepted:?}");
        match &mut self.0 {
            Which::Dumbo(game) => game.apply(text),
            Which::ColourBlind(game) => game.apply(text),
            Which::Euchre(game) => game.apply(text),
            Which::Whist(game) => game.apply(text),
            Which::Chameleon(game) => game.apply(text),
        }
    }

    /// The tricks that are complete.
    pub fn tricks(&self) -> Vec<Trick> {
        self.game().table().done.clone()
    }

    /// One score a seat, once the deal is over.
    pub fn scores(&self) -> Vec<i64> {
        assert!(self.is_over(), "a deal has no scores before it is over");
        self.game().scores()
    }

    /// The contract, once the deal is over, in a game that has one.
    pub fn contract(&self) -> Option<Contract> {
        assert!(self.is_over(), "a deal has no contract before it is over");
        self.game().contract()
    }

    /// Returns a seat's knowledge of the cards that are not played yet: an entry for every hand (sorted, often empty),
    /// and one for every other place (`discarded`, `up-card`, `row`) where the seat knows a card. A card is listed
    /// once, where it lies now. Cards that a seat could work out are not listed, only those that it saw and that cannot
    /// have moved since.
    pub fn sees(&self, seat: usize) -> Places {
        let game = self.game();
        let mut entries = Vec::new();
        for (place, cards) in &game.table().places {
            let known: Vec<String> = cards.iter().filter(|card| game.knows(seat, place, card)).cloned().collect();
            if tricks::is_hand(place) || !known.is_empty() {
                let name = if tricks::is_discards(place) { tricks::DISCARDED } else { place };
                entries.push((name.to_string(), sorted(known)));
            }
        }
        entries
    }

    fn game(&self) -> &dyn Game {
        match &self.0 {
            Which::Dumbo(game) => game,
            Which::ColourBlind(game) => game,
            Which::Euchre(game) => game,
            Which::Whist(game) => game,
            Which::Chameleon(game) => game,
        }
    }
}

fn sorted(mut texts: Vec<String>) -> Vec<String> {
    texts.sort();
    texts
}
