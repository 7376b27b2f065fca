//! Lists of cards in text: patterns with spaces between them.

use overtrick_cards::{Card, CardSet, Rank, Suit};

/// Returns the rank of a letter.
fn rank_of(letter: char) -> Option<Rank> {
    Rank::ALL.into_iter().find(|rank| rank.letter() == letter)
}

/// Returns the suit of a letter.
fn suit_of(letter: char) -> Option<Suit> {
    Suit::ALL.into_iter().find(|suit| suit.letter() == letter)
}

/// Reads different ranks, lowest first.
///
/// # Errors
/// The problem, if a letter is no rank or comes twice, or if there is none.
pub fn ranks(text: &str) -> Result<Vec<Rank>, String> {
    let mut found = Vec::new();
    for letter in text.chars() {
        let Some(rank) = rank_of(letter) else {
            return Err(format!("has `{}`, which is no rank; write letters of 23456789TJQKA", letter.escape_debug()));
        };
        if found.contains(&rank) {
            return Err(format!("has {rank} twice; leave one out"));
        }
        found.push(rank);
    }
    if found.is_empty() {
        return Err("has no rank; write letters of 23456789TJQKA".to_owned());
    }
    Ok(found)
}

/// Reads different suits.
///
/// # Errors
/// The problem, if a letter is no suit or comes twice, or if there is none.
pub fn suits(text: &str) -> Result<Vec<Suit>, String> {
    let mut found = Vec::new();
    for letter in text.chars() {
        let Some(suit) = suit_of(letter) else {
            return Err(format!("has `{}`, which is no suit; write letters of CDHS", letter.escape_debug()));
        };
        if found.contains(&suit) {
            return Err(format!("has {letter} twice; leave one out"));
        }
        found.push(suit);
    }
    if found.is_empty() {
        return Err("has no suit; write letters of CDHS".to_owned());
    }
    Ok(found)
}

/// Returns the other suit of the same colour.
pub fn same_colour(suit: Suit) -> Suit {
    match suit {
        Suit::Clubs => Suit::Spades,
        Suit::Diamonds => Suit::Hearts,
        Suit::Hearts => Suit::Diamonds,
        Suit::Spades => Suit::Clubs,
    }
}

/// Reads one pattern: the cards of `deck` that it names.
///
/// `trump` is the suit that `J.` and `J~` refer to.
fn pattern(text: &str, deck: CardSet, trump: Option<Suit>) -> Result<CardSet, String> {
    let letters: Vec<char> = text.chars().collect();
    let no_pattern = || {
        format!("`{}` names no cards; write `QS` for a card, `*H` for a suit or `A*` for a rank", text.escape_debug())
    };
    let &[first, second] = &letters[..] else { return Err(no_pattern()) };
    let of_rank = |rank: char| if rank == '*' { Some(!CardSet::EMPTY) } else { rank_of(rank).map(CardSet::rank) };
    let named = if let Ok(card) = text.parse::<Card>() {
        CardSet::of(card)
    } else if matches!(second, '.' | '~') {
        let Some(trump) = trump else {
            return Err(format!("`{text}` refers to a trump suit, and there is none; name the card"));
        };
        let suit = if second == '.' { trump } else { same_colour(trump) };
        of_rank(first).ok_or_else(no_pattern)? & CardSet::suit(suit)
    } else {
        let suit = if second == '*' { Some(!CardSet::EMPTY) } else { suit_of(second).map(CardSet::suit) };
        of_rank(first).ok_or_else(no_pattern)? & suit.ok_or_else(no_pattern)?
    };
    let found = named & deck;
    if found.is_empty() {
        return Err(format!("names {text}, which the deck does not have; leave it out"));
    }
    Ok(found)
}

/// Reads patterns as a set of cards of `deck`.
///
/// # Errors
/// The problem, if a pattern has no meaning or names no card of the deck.
pub fn card_set(text: &str, deck: CardSet) -> Result<CardSet, String> {
    text.split_whitespace().try_fold(CardSet::EMPTY, |all, one| Ok(all | pattern(one, deck, None)?))
}

/// Reads patterns that each name one card of `deck`.
///
/// # Errors
/// The problem, if a pattern names no card or several, or a card that was named before.
pub fn card_list(text: &str, deck: CardSet, trump: Option<Suit>) -> Result<Vec<Card>, String> {
    let mut found = Vec::new();
    for one in text.split_whitespace() {
        let Some(card) = pattern(one, deck, trump)?.only() else {
            return Err(format!("`{one}` names several cards, and their order is unknown; name each of them"));
        };
        if found.contains(&card) {
            return Err(format!("has {card} twice; leave one out"));
        }
        found.push(card);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use overtrick_cards::Deck;

    #[test]
    fn patterns_name_cards_of_the_deck() {
        let deck = Deck::Short32.cards();
        let named = |text: &str| card_set(text, deck).map(|cards| cards.to_string());
        assert_eq!(named("QS").unwrap(), "QS");
        assert_eq!(named("*H 7C").unwrap(), "AH KH QH JH TH 9H 8H 7H 7C");
        assert_eq!(named("A*").unwrap(), "AS AH AD AC");
        assert_eq!(card_set("**", Deck::Jokers54.cards()).unwrap(), Deck::Jokers54.cards());
        assert_eq!(named("").unwrap(), "");
        for (text, part) in [
            ("2C", "names 2C, which the deck does not have"),
            ("5*", "names 5*, which"),
            ("BJ", "names BJ, which"),
            ("QX", "`QX` names no cards"),
            ("Q", "`Q` names no cards"),
            ("J.", "`J.` refers to a trump suit, and there is none"),
        ] {
            assert!(named(text).unwrap_err().contains(part), "{text}");
        }
    }

    #[test]
    fn a_list_has_its_order_and_follows_the_trump_suit() {
        let deck = Deck::Jokers54.cards();
        let listed = |text: &str, trump| card_list(text, deck, trump).map(|cards| format!("{cards:?}"));
        assert_eq!(listed("BJ LJ J. J~", Some(Suit::Hearts)).unwrap(), "[BJ, LJ, JH, JD]");
        assert_eq!(listed("J. J~ QC", Some(Suit::Clubs)).unwrap(), "[JC, JS, QC]");
        assert!(listed("J*", None).unwrap_err().contains("`J*` names several cards"));
        assert!(listed("JC J.", Some(Suit::Clubs)).unwrap_err().contains("has JC twice"));
    }

    #[test]
    fn ranks_and_suits_are_letters() {
        assert_eq!(ranks("A2K").unwrap(), [Rank::Ace, Rank::Two, Rank::King]);
        assert_eq!(suits("SD").unwrap(), [Suit::Spades, Suit::Diamonds]);
        assert!(ranks("A1").unwrap_err().contains("has `1`, which is no rank"));
        assert!(ranks("AKA").unwrap_err().contains("has A twice"));
        assert!(ranks("").is_err() && suits("").is_err());
        assert!(suits("CX").unwrap_err().contains("no suit") && suits("CC").unwrap_err().contains("twice"));
    }
}
