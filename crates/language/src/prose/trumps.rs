//! Trumps, the order of cards, and the rounds in which trumps are made, in words.

use overtrick_cards::CardSet;
use overtrick_toml::InputError;

use crate::compile::TrumpSource;
use crate::source::{CompeteWord, LastWord, RoundKeys, RoundSuitWord, TrumpWord};

use super::facts::GameFacts;
use super::page::RulesPage;
use super::table::role;
use super::wording::{cards, counted, ranks, sentence};

/// Writes the section on the order of cards.
pub(super) fn order(facts: &GameFacts<'_>, page: &mut RulesPage) -> Result<(), InputError> {
    let keys = &facts.resolver.file.keys().trumps;
    page.heading(2, "Trumps and the winner of a trick");
    let suit = facts.choice(&["trumps", "suit"], &keys.suit, TrumpWord::None)?;
    let note = suit.note;
    let fixed = |suit: &str| format!("{suit} are trumps{note}.");
    let mut sentences = vec![match suit.value {
        TrumpWord::None if keys.top.is_some() => format!("There is no trump suit{note}."),
        TrumpWord::None => format!("There are no trumps{note}."),
        TrumpWord::Clubs => fixed("Clubs"),
        TrumpWord::Diamonds => fixed("Diamonds"),
        TrumpWord::Hearts => fixed("Hearts"),
        TrumpWord::Spades => fixed("Spades"),
        TrumpWord::Turned => format!("The suit of the card turned up is trumps{note}."),
        TrumpWord::Rounds => {
            format!("A player makes a suit trumps{note}, as the next section says, and is then the declarer.")
        }
    }];
    if let Some(order) = &keys.ranks {
        sentences.push(format!("In the trump suit the ranks are, from the lowest: {}.", ranks(order)));
    }
    let has_trumps = suit.value != TrumpWord::None || keys.top.is_some();
    if let Some(top) = &keys.top {
        let belong = match suit.value {
            TrumpWord::None => "They are trumps, and belong to no other suit.",
            _ => "They belong to the trump suit.",
        };
        sentences.push(format!("The highest trumps are, from the best: {}. {belong}", cards(top)));
    }
    let compete = facts.choice(&["trumps", "compete"], &keys.compete, CompeteWord::Led)?;
    let mut wins = match compete.value {
        CompeteWord::Led => format!("the highest card of the suit that was led wins{}.", compete.note),
        CompeteWord::All => format!(
            "the highest card of any suit wins{}. Of equally high cards, the last one played wins.",
            compete.note
        ),
    };
    let snap = facts.flag(&["trumps", "snap"], &keys.snap, false)?;
    if snap.value {
        wins.push_str(&format!(
            " A card of another suit with the rank that was led beats the suit that was led{}. \
             Of several such cards, the last one wins.",
            snap.note
        ));
    }
    if has_trumps {
        sentences.push("The highest trump in a trick wins it.".to_owned());
        sentences.push(format!("Without a trump, {wins}"));
    } else {
        sentences.push(sentence(&wins));
    }
    let top = keys.top.as_deref().unwrap_or_default();
    if CardSet::JOKERS.iter().any(|joker| facts.deck.cards.contains(joker) && !top.contains(&joker.to_string())) {
        sentences.push("A joker that is no trump is the lowest card, and belongs to no suit.".to_owned());
        sentences.push("If it is led, the next card sets the suit.".to_owned());
    }
    page.paragraph(&sentences);
    Ok(())
}

/// Writes the section on the rounds in which trumps are made, if they are.
pub(super) fn rounds(facts: &GameFacts<'_>, page: &mut RulesPage) -> Result<(), InputError> {
    if facts.trumps != TrumpSource::Rounds {
        return Ok(());
    }
    page.heading(2, "Making trumps");
    let rounds = &facts.resolver.file.listed().rounds;
    let order = "In each round, every player from the dealer's left says the call or passes, until one calls.";
    let number = match rounds.len() {
        1 => "There is one round:".to_owned(),
        many => format!("There are {}:", counted(i64::try_from(many).unwrap_or(0), "round")),
    };
    page.paragraph(&[order.to_owned(), number]);
    let mut items = Vec::new();
    for (place, keys) in rounds.iter().enumerate() {
        items.push(round(facts, place, keys)?);
    }
    page.list(true, &items);
    Ok(())
}

fn round(facts: &GameFacts<'_>, place: usize, keys: &RoundKeys) -> Result<String, InputError> {
    let place = place.to_string();
    let at = |key: &'static str| ["trumps", "rounds", place.as_str(), key];
    let call = keys.call.as_deref().unwrap_or_default();
    let suit = facts.choice(&at("suit"), &keys.suit, RoundSuitWord::Any)?;
    let mut sentences = vec![match suit.value {
        RoundSuitWord::Turned => format!("`{call}` makes the suit of the card turned up trumps{}.", suit.note),
        RoundSuitWord::Any => {
            format!("`{call}` names a suit, which becomes trumps{}. In records it is `{call} H` for hearts.", suit.note)
        }
    }];
    let not_turned = facts.flag(&at("not-turned"), &keys.not_turned, false)?;
    if not_turned.value {
        sentences.push(format!("The suit of the card turned up may not be named{}.", not_turned.note));
    }
    let last = facts.choice(&at("last"), &keys.last, LastWord::Free)?;
    if last.value == LastWord::Must {
        sentences.push(format!("The dealer, who is the last, may not pass{}.", last.note));
    }
    if let Some(taker) = &keys.taker {
        let taker = facts.choice(&at("taker"), &Some(taker.clone()), crate::source::RoleWord::Dealer)?;
        let may = facts.flag(&at("may-discard-taken"), &keys.may_discard_taken, true)?;
        sentences.push(format!(
            "Then {} takes the card turned up{} and discards a card face down.",
            role(taker.value),
            taker.note
        ));
        let which = if may.value { "It may be" } else { "It may not be" };
        sentences.push(format!("{which} the card that was taken{}.", may.note));
    }
    let kind = keys.kind.clone().unwrap_or_else(|| call.to_owned());
    let dealer_kind = keys.dealer_kind.clone().unwrap_or_else(|| format!("{call} by the dealer"));
    sentences.push(format!("Results name such a contract `{kind}`, or `{dealer_kind}` if the dealer makes it."));
    Ok(sentences.join(" "))
}
