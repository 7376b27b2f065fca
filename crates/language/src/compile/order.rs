//! The order of cards in a trick, from the keys of trumps.

use overtrick_cards::{Card, CardSet, Order, Rank, Suit};
use overtrick_toml::InputError;

use super::cards;
use super::deck::{DeckOfGame, same_ranks};
use super::resolver::Resolver;
use crate::source::{CompeteWord, TrumpWord};

/// The cards that compete for a trick, and their order.
#[derive(Clone, Debug)]
pub struct OrderRules<'a> {
    /// The deck, with the order of its plain suits.
    pub deck: &'a DeckOfGame,
    /// The trump suit.
    pub trump: Option<Suit>,
    /// The order of ranks in the trump suit, lowest first.
    pub trump_ranks: Vec<Rank>,
    /// The highest trumps, best first.
    pub top: Vec<Card>,
    /// Whether a card of the rank that was led, in another suit, beats the suit that was led.
    pub snap: bool,
    /// Whether cards of all suits compete.
    pub all_compete: bool,
}

/// The suit that a card belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Belonging {
    Plain(Suit),
    Trumps,
}

/// The place of a rank in an order, counted from 1, or 0 if it has none.
fn height(ranks: &[Rank], rank: Rank) -> usize {
    ranks.iter().position(|other| *other == rank).map_or(0, |place| place + 1)
}

/// The source of the trump suit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrumpSource {
    /// A suit, or no trumps.
    Fixed(Option<Suit>),
    /// The card that is turned up.
    Turned,
    /// A call.
    Rounds,
}

impl TrumpSource {
    /// Returns the trump suits that there can be, by number of the order.
    pub fn suits(self) -> Vec<Option<Suit>> {
        match self {
            TrumpSource::Fixed(trump) => vec![trump],
            TrumpSource::Turned | TrumpSource::Rounds => Suit::ALL.map(Some).to_vec(),
        }
    }
}

/// Returns the source of a file's trump suit.
///
/// # Errors
/// If the option of the key is wrong.
pub fn trump_source(resolver: &Resolver<'_>) -> Result<TrumpSource, InputError> {
    let Some(setting) = &resolver.file.keys().trumps.suit else { return Ok(TrumpSource::Fixed(None)) };
    Ok(match resolver.choice(&["trumps", "suit"], setting)? {
        TrumpWord::None => TrumpSource::Fixed(None),
        TrumpWord::Clubs => TrumpSource::Fixed(Some(Suit::Clubs)),
        TrumpWord::Diamonds => TrumpSource::Fixed(Some(Suit::Diamonds)),
        TrumpWord::Hearts => TrumpSource::Fixed(Some(Suit::Hearts)),
        TrumpWord::Spades => TrumpSource::Fixed(Some(Suit::Spades)),
        TrumpWord::Turned => TrumpSource::Turned,
        TrumpWord::Rounds => TrumpSource::Rounds,
    })
}

/// Returns the order of a file's cards with this trump suit.
///
/// # Errors
/// The first wrong key of the table `trumps`.
pub fn order_with(resolver: &Resolver<'_>, deck: &DeckOfGame, trump: Option<Suit>) -> Result<Order, InputError> {
    let rules = order_rules(resolver, deck, trump)?;
    rules.order().map_err(|problem| resolver.error(&["trumps", "top"], problem))
}

/// Returns the rules of that order.
///
/// # Errors
/// The first wrong key of the table `trumps`.
pub fn order_rules<'a>(
    resolver: &Resolver<'_>,
    deck: &'a DeckOfGame,
    trump: Option<Suit>,
) -> Result<OrderRules<'a>, InputError> {
    let keys = &resolver.file.keys().trumps;
    let at = |key: &'static str| move |problem: String| resolver.error(&["trumps", key], problem);
    let plain = || trump.map_or_else(Vec::new, |suit| deck.plain[suit as usize].clone());
    let trump_ranks = match (&keys.ranks, trump) {
        (Some(text), Some(suit)) => {
            let ranks = cards::ranks(text).map_err(at("ranks"))?;
            same_ranks(&ranks, &deck.plain[suit as usize]).map_err(at("ranks"))?;
            ranks
        }
        (Some(_), None) => {
            return Err(at("ranks")("is for a trump suit, and there is none; set `trumps.suit`".to_owned()));
        }
        (None, _) => plain(),
    };
    let top = cards::card_list(keys.top.as_deref().unwrap_or_default(), deck.cards, trump).map_err(at("top"))?;
    let snap = keys.snap.as_ref().map_or(Ok(false), |snap| resolver.flag(&["trumps", "snap"], snap))?;
    let compete = match &keys.compete {
        Some(compete) => resolver.choice(&["trumps", "compete"], compete)?,
        None => CompeteWord::Led,
    };
    let all_compete = compete == CompeteWord::All;
    if snap && all_compete {
        return Err(at("snap")("does nothing where cards of all suits compete; leave out one of the two".to_owned()));
    }
    Ok(OrderRules { deck, trump, trump_ranks, top, snap, all_compete })
}

impl OrderRules<'_> {
    fn belonging(&self, card: Card) -> Option<Belonging> {
        if self.top.contains(&card) {
            return Some(Belonging::Trumps);
        }
        let suit = card.suit()?;
        Some(if Some(suit) == self.trump { Belonging::Trumps } else { Belonging::Plain(suit) })
    }

    /// Returns the trumps.
    pub fn trumps(&self) -> CardSet {
        self.deck.cards.iter().filter(|card| self.belonging(*card) == Some(Belonging::Trumps)).collect()
    }

    /// Returns the number of heights in plain suits.
    fn plain_heights(&self) -> usize {
        self.deck.plain.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// Returns the number of heights in the trump suit below the top.
    fn trump_heights(&self) -> usize {
        self.trump.map_or(0, |_| self.trump_ranks.len())
    }

    /// Returns the order.
    ///
    /// # Errors
    /// The problem, if there are more strengths than fit.
    pub fn order(&self) -> Result<Order, String> {
        // Strength 0 is for cards that cannot win.
        let strengths = self.plain_heights() + usize::from(self.snap) + self.trump_heights() + self.top.len();
        let most = Order::STRENGTHS - 1;
        if strengths > most {
            return Err(format!("has {strengths} strengths in a trick, and {most} fit; shorten `top` or the ranks"));
        }
        Ok(Order::new(|card| self.belonging(card), |led, card| u8::try_from(self.strength(led, card)).unwrap_or(0)))
    }

    fn strength(&self, led: Card, card: Card) -> usize {
        let above_plain = self.plain_heights() + usize::from(self.snap);
        if let Some(place) = self.top.iter().position(|top| *top == card) {
            return above_plain + self.trump_heights() + self.top.len() - place;
        }
        let Some(rank) = card.rank() else { return 0 };
        match self.belonging(card) {
            Some(Belonging::Trumps) => above_plain + height(&self.trump_ranks, rank),
            Some(Belonging::Plain(suit)) => {
                let competes = self.all_compete || self.belonging(led) == Some(Belonging::Plain(suit));
                if competes {
                    height(&self.deck.plain[suit as usize], rank)
                } else if self.snap && led.rank() == Some(rank) {
                    above_plain
                } else {
                    0
                }
            }
            None => 0,
        }
    }
}
