//! The cards that may not be played yet, and the card that must be led first.

use overtrick_cards::{Card, CardSet};
use overtrick_toml::InputError;

use super::cards;
use super::deck::DeckOfGame;
use super::resolver::Resolver;
use crate::source::{BarKeys, BarWord};

/// The largest number of bars, one bit each in the state of a deal.
const MOST_BARS: usize = 8;

/// A bar: cards that may not be played yet, unless the hand has no other legal card.
#[derive(Clone, Debug)]
struct PlayBar {
    cards: CardSet,
    when: BarWord,
    /// The text of the cards of which the first one played ends the bar.
    until: Option<String>,
}

/// The moment of a play, as far as bars depend on it.
#[derive(Clone, Copy, Debug)]
pub struct PlayMoment {
    /// The number of tricks played before.
    pub tricks: usize,
    /// Whether the card leads to its trick.
    pub leads: bool,
    /// The bars that have ended, one bit for each.
    pub ended: u8,
}

/// The reason why bars forbid a card.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BarRefusal {
    /// The key that forbids it.
    pub key: String,
    /// The end of a sentence that begins with the card.
    pub why: String,
}

/// The demands on a play beyond following suit. Each binds only if a card of the hand meets it.
#[derive(Clone, Debug)]
pub struct PlayBars {
    bars: Vec<PlayBar>,
    /// The card that must be led first.
    first: Option<Card>,
    /// By card, the bars that it ends if it is played.
    ended_by: [u8; 64],
}

impl PlayBars {
    /// The bit of the first card in [`PlayBars::binding`].
    pub const FIRST_CARD: u16 = 1 << 15;

    /// Makes the bars of a file.
    ///
    /// # Errors
    /// The first wrong key.
    pub fn of(resolver: &Resolver<'_>, deck: &DeckOfGame) -> Result<PlayBars, InputError> {
        let keys = &resolver.file.listed().bars;
        if keys.len() > MOST_BARS {
            let problem = format!("are {}, and {MOST_BARS} fit; put some of them into one", keys.len());
            return Err(resolver.error(&["play", "bar"], problem));
        }
        let mut all = PlayBars { bars: Vec::new(), first: first_card(resolver, deck)?, ended_by: [0; 64] };
        for (number, keys) in keys.iter().enumerate() {
            all.add(resolver, deck, keys, number)?;
        }
        Ok(all)
    }

    fn add(
        &mut self,
        resolver: &Resolver<'_>,
        deck: &DeckOfGame,
        keys: &BarKeys,
        number: usize,
    ) -> Result<(), InputError> {
        let place = number.to_string();
        let at = |key: &'static str| ["play", "bar", place.as_str(), key];
        let read = |key, text: &str| {
            let text = resolver.text(&at(key), text)?;
            cards::card_set(text, deck.cards).map_err(|problem| resolver.error(&at(key), problem))
        };
        let cards = match &keys.cards {
            Some(text) => read("cards", text)?,
            None => CardSet::EMPTY,
        };
        if cards.is_empty() {
            return Err(resolver.error(&at("cards")[..3], "needs `cards`: the cards that may not be played yet"));
        }
        if let Some(text) = &keys.until_played {
            for card in read("until-played", text)? {
                self.ended_by[card.index()] |= 1 << number;
            }
        }
        let when = match &keys.when {
            Some(when) => resolver.choice(&at("when"), when)?,
            None => BarWord::Any,
        };
        self.bars.push(PlayBar { cards, when, until: keys.until_played.clone() });
        Ok(())
    }

    /// Returns the card that must be led first.
    #[inline(always)]
    pub fn first(&self) -> Option<Card> {
        self.first
    }

    /// Returns whether following suit is all that is demanded.
    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.bars.is_empty() && self.first.is_none()
    }

    /// Returns the bars that a card ends if it is played.
    #[inline(always)]
    pub fn ended_by(&self, card: Card) -> u8 {
        self.ended_by[card.index() % 64]
    }

    /// Returns the cards that each demand of a moment asks for, in order. The first card comes first.
    fn demands(&self, at: PlayMoment) -> impl Iterator<Item = (Option<&PlayBar>, CardSet)> {
        let first = self.first.filter(|_| at.leads && at.tricks == 0).map(|card| (None, CardSet::of(card)));
        let active = move |(number, bar): &(usize, &PlayBar)| {
            let applies = match bar.when {
                BarWord::Lead => at.leads,
                BarWord::FirstTrick => at.tricks == 0,
                BarWord::Any => true,
            };
            applies && at.ended >> number & 1 == 0
        };
        let bars = self.bars.iter().enumerate().filter(active).map(|(_, bar)| (Some(bar), !bar.cards));
        first.into_iter().chain(bars)
    }

    /// Returns the cards of a bar.
    pub fn cards_of(&self, number: usize) -> CardSet {
        self.bars[number].cards
    }

    /// Returns the demands that forbid a card which follows suit.
    ///
    /// Each bar has a bit by its number, and the first card has [`PlayBars::FIRST_CARD`].
    pub fn binding(&self, at: PlayMoment, following: CardSet) -> u16 {
        let (mut allowed, mut binding) = (following, 0);
        for (bar, wanted) in self.demands(at) {
            let left = allowed & wanted;
            if left.is_empty() || left == allowed {
                continue;
            }
            allowed = left;
            binding |= match bar {
                Some(bar) => 1 << self.number(bar),
                None => PlayBars::FIRST_CARD,
            };
        }
        binding
    }

    /// Returns the number of a bar, counted from 0.
    fn number(&self, bar: &PlayBar) -> usize {
        self.bars.iter().position(|other| std::ptr::eq(other, bar)).unwrap_or(0)
    }

    /// Returns the cards that may be played of those that follow suit as they must.
    #[inline(never)]
    pub fn allowed(&self, at: PlayMoment, following: CardSet) -> CardSet {
        self.demands(at).fold(following, |allowed, (_, wanted)| {
            let left = allowed & wanted;
            if left.is_empty() { allowed } else { left }
        })
    }

    /// Returns the cards that a hand cannot have held when it played `card`.
    ///
    /// `following` has the cards that follow suit, if the card does, and all cards otherwise.
    pub fn not_held(&self, at: PlayMoment, following: CardSet, card: Card) -> CardSet {
        let (mut allowed, mut out) = (following, CardSet::EMPTY);
        for (_, wanted) in self.demands(at) {
            // A demand binds exactly if the hand has a card that meets it.
            if wanted.contains(card) {
                allowed &= wanted;
            } else {
                out |= allowed & wanted;
            }
        }
        out
    }

    /// Returns the reason why `card`, which follows suit as it must, may not be played.
    pub fn refusal(&self, at: PlayMoment, following: CardSet, card: Card) -> Option<BarRefusal> {
        let mut allowed = following;
        for (bar, wanted) in self.demands(at) {
            let left = allowed & wanted;
            if !left.is_empty() && !left.contains(card) {
                return Some(bar.map_or_else(|| self.not_first(), |bar| self.barred(bar)));
            }
            allowed = if left.is_empty() { allowed } else { left };
        }
        None
    }

    fn not_first(&self) -> BarRefusal {
        let first = self.first.map(|card| card.to_string()).unwrap_or_default();
        BarRefusal { key: "play.first-card".to_owned(), why: format!("may not be led before {first}") }
    }

    fn barred(&self, bar: &PlayBar) -> BarRefusal {
        let number = self.number(bar) + 1;
        let may_not = if bar.when == BarWord::Lead { "may not be led" } else { "may not be played" };
        let mut why = match bar.when {
            BarWord::FirstTrick => format!("{may_not} to the first trick"),
            _ => may_not.to_owned(),
        };
        if let Some(until) = &bar.until {
            why.push_str(&format!(" before one of {until} is played"));
        }
        BarRefusal { key: format!("play.bar {number}"), why }
    }
}

/// Reads the card that must be led first.
fn first_card(resolver: &Resolver<'_>, deck: &DeckOfGame) -> Result<Option<Card>, InputError> {
    let key = ["play", "first-card"];
    let Some(text) = &resolver.file.keys().play.first_card else { return Ok(None) };
    let text = resolver.text(&key, text)?;
    let named = cards::card_list(text, deck.cards, None).map_err(|problem| resolver.error(&key, problem))?;
    match named[..] {
        [card] => Ok(Some(card)),
        _ => Err(resolver.error(&key, format!("names {} cards, and must name one", named.len()))),
    }
}
