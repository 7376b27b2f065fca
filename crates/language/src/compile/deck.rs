//! The deck of a game, and the order of ranks in its plain suits.

use overtrick_cards::{Card, CardSet, Rank, Suit};
use overtrick_toml::InputError;

use super::cards;
use super::resolver::Resolver;

/// The cards of a game, with the order of ranks in plain suits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeckOfGame {
    /// The cards.
    pub cards: CardSet,
    /// By suit, the ranks from the lowest.
    pub plain: [Vec<Rank>; Suit::ALL.len()],
}

impl DeckOfGame {
    /// Makes the deck of a file.
    ///
    /// # Errors
    /// The first wrong key of the table `deck`.
    pub fn of(resolver: &Resolver<'_>) -> Result<DeckOfGame, InputError> {
        let keys = &resolver.file.keys().deck;
        let at = |key: &'static str| move |problem: String| resolver.error(&["deck", key], problem);
        let text = resolver.text(&["deck", "ranks"], keys.ranks.as_deref().unwrap_or("23456789TJQKA"))?;
        let ranks = cards::ranks(text).map_err(at("ranks"))?;
        let suits = cards::suits(keys.suits.as_deref().unwrap_or("CDHS")).map_err(at("suits"))?;
        let natural = ranks.iter().flat_map(|rank| suits.iter().map(|suit| Card::new(*rank, *suit)));
        let mut found: CardSet = natural.collect();
        let jokers = keys.jokers.as_ref().map_or(Ok(0), |jokers| resolver.amount(&["deck", "jokers"], jokers))?;
        if jokers > 0 {
            found = found.with(Card::BIG_JOKER);
        }
        if jokers > 1 {
            found = found.with(Card::LITTLE_JOKER);
        }
        let without = resolver.text(&["deck", "without"], keys.without.as_deref().unwrap_or_default())?;
        let without = cards::card_set(without, found).map_err(at("without"))?;
        let found = found - without;
        if found.is_empty() {
            return Err(resolver.error(&["deck", "without"], "leaves no card; leave some in"));
        }
        let mut plain = Suit::ALL.map(|_| ranks.clone());
        for (letter, order) in &keys.suit_ranks {
            let at = |problem: String| resolver.error(&["deck", "suit-ranks", letter], problem);
            let &[suit] = &cards::suits(letter).map_err(at)?[..] else {
                return Err(at("is no suit; write C, D, H or S".to_owned()));
            };
            let order = cards::ranks(order).map_err(at)?;
            same_ranks(&order, &ranks).map_err(at)?;
            plain[suit as usize] = order;
        }
        Ok(DeckOfGame { cards: found, plain })
    }
}

/// Checks that an order has the ranks of the deck and no others.
///
/// # Errors
/// The problem, with the first rank that is missing or too many.
pub fn same_ranks(order: &[Rank], ranks: &[Rank]) -> Result<(), String> {
    if let Some(missing) = ranks.iter().find(|rank| !order.contains(rank)) {
        return Err(format!("leaves out {missing}, which the deck has; give it a place"));
    }
    if let Some(extra) = order.iter().find(|rank| !ranks.contains(rank)) {
        return Err(format!("has {extra}, which the deck does not have; leave it out"));
    }
    Ok(())
}
