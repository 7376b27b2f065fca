//! The players, the deck and the deal in words.

use overtrick_toml::InputError;

use crate::expression::names_in;
use crate::source::{
    AmountSetting, DummyKeys, FaceWord, FirstDealerWord, PartnersWord, RoleWord, RowLastWord, TurnUpWord,
};

use super::facts::{GameFacts, Stated};
use super::page::RulesPage;
use super::wording::{cards, counted, listed, number, ranks, sentence, suit};

/// Returns a player by the place from the dealer.
pub(super) fn role(word: RoleWord) -> &'static str {
    match word {
        RoleWord::Dealer => "the dealer",
        RoleWord::Forehand => "the player to the dealer's left",
        RoleWord::Middlehand => "the player opposite the dealer",
        RoleWord::Rearhand => "the player to the dealer's right",
    }
}

/// Writes the section on players.
pub(super) fn players(facts: &GameFacts<'_>, page: &mut RulesPage) -> Result<(), InputError> {
    let keys = &facts.resolver.file.keys().seats;
    page.heading(2, "Players");
    let players = facts.amount(&["seats", "players"], &keys.players, 4)?;
    let mut sentences = Vec::new();
    let Stated { value: partners, note } = facts.choice(&["seats", "partners"], &keys.partners, PartnersWord::None)?;
    let four = sentence(&players.counted("player"));
    sentences.push(match partners {
        PartnersWord::None => format!("{four} play, each for themselves{note}."),
        PartnersWord::Opposite => {
            format!("{four} play in two sides. Players who face each other are partners{note}, and score the same.")
        }
    });
    sentences.push("The deal and the turn pass to the left.".to_owned());
    sentences.push(first_dealer(facts)?);
    page.paragraph(&sentences);
    let dummies = &facts.resolver.file.listed().dummies;
    let mut items = Vec::new();
    for (place, dummy) in dummies.iter().enumerate() {
        items.push(dummy_hand(facts, place, dummy)?);
    }
    if !items.is_empty() {
        let hands = i64::try_from(items.len()).unwrap_or(0);
        let are = if hands == 1 { "is" } else { "are" };
        page.paragraph(&[format!("There {are} also {} without a player:", counted(hands, "hand"))]);
        page.list(false, &items);
    }
    Ok(())
}

fn first_dealer(facts: &GameFacts<'_>) -> Result<String, InputError> {
    let keys = &facts.resolver.file.keys().seats;
    let first = facts.choice(&["seats", "first-dealer"], &keys.first_dealer, FirstDealerWord::Seat0)?;
    let note = first.note;
    let fixed = |seat: i32| format!("Seat {seat} deals first{note}.");
    Ok(match first.value {
        FirstDealerWord::Seat0 => fixed(0),
        FirstDealerWord::Seat1 => fixed(1),
        FirstDealerWord::Seat2 => fixed(2),
        FirstDealerWord::Seat3 => fixed(3),
        FirstDealerWord::Random => format!("The first dealer is chosen by lot{note}."),
        FirstDealerWord::FirstOf => {
            let cards = facts.cards(&["seats", "first-of"], keys.first_of.as_deref())?;
            format!(
                "To find the first dealer, the deck is dealt out one by one from seat 0. \
                 The player who gets the first of {cards} deals{note}."
            )
        }
    })
}

fn dummy_hand(facts: &GameFacts<'_>, place: usize, keys: &DummyKeys) -> Result<String, InputError> {
    let place = place.to_string();
    let at = |key: &'static str| ["seats", "dummies", place.as_str(), key];
    let opposite = facts.choice(&at("opposite"), &keys.opposite, RoleWord::Dealer)?;
    let player = facts.choice(&at("played-by"), &keys.played_by, opposite.value)?;
    let face = facts.choice(&at("face"), &keys.face, FaceWord::Up)?;
    let seen = match face.value {
        FaceWord::Up => "Its cards lie face up from the start",
        FaceWord::AfterLead => "Its cards lie face up after the first lead",
        FaceWord::Player => "Only the player who plays its cards sees them",
    };
    Ok(format!(
        "`{}` lies opposite {}{}. Its cards are played by {}{}. {seen}{}.",
        keys.name.as_deref().unwrap_or("dummy"),
        role(opposite.value),
        opposite.note,
        role(player.value),
        player.note,
        face.note
    ))
}

/// Writes the section on the deck.
pub(super) fn deck(facts: &GameFacts<'_>, page: &mut RulesPage) -> Result<(), InputError> {
    let keys = &facts.resolver.file.keys().deck;
    page.heading(2, "Cards");
    let deck_ranks = facts.text(&["deck", "ranks"], keys.ranks.as_deref(), "23456789TJQKA")?;
    let suits: Vec<String> =
        keys.suits.as_deref().unwrap_or("CDHS").chars().filter_map(suit).map(str::to_owned).collect();
    let in_suits = if suits.len() == 1 { "suit" } else { "suits" };
    let mut sentences = vec![
        format!("The deck has {}.", counted(i64::from(facts.deck.cards.len()), "card")),
        format!("The {in_suits} {} {}.", if suits.len() == 1 { "is" } else { "are" }, listed(&suits, "and")),
        format!("The ranks are, from the lowest: {}{}.", ranks(&deck_ranks.value), deck_ranks.note),
    ];
    if deck_ranks.value.contains('T') {
        sentences.push("T is the ten.".to_owned());
    }
    for (letter, order) in &keys.suit_ranks {
        let suit = letter.chars().next().and_then(suit).unwrap_or(letter);
        sentences.push(format!("In {suit} they are, from the lowest: {}.", ranks(order)));
    }
    let jokers = facts.amount(&["deck", "jokers"], &keys.jokers, 0)?;
    match jokers.value {
        0 => {}
        1 => sentences.push(format!("There is also {}{}.", cards("BJ"), jokers.note)),
        _ => sentences.push(format!("There are also {}{}.", cards("BJ LJ"), jokers.note)),
    }
    let without = facts.text(&["deck", "without"], keys.without.as_deref(), "")?;
    if !without.value.trim().is_empty() {
        sentences.push(format!("Left out are {}{}.", cards(&without.value), without.note));
    }
    page.paragraph(&sentences);
    Ok(())
}

/// Writes the section on the deal.
pub(super) fn deal(facts: &GameFacts<'_>, page: &mut RulesPage) -> Result<(), InputError> {
    let keys = &facts.resolver.file.keys().deal;
    page.heading(2, "Deal");
    let dealing = &facts.dealing;
    let who = if facts.seating.dummies.is_empty() { "player" } else { "hand" };
    let mut sentences = hands(facts, who)?;
    let row = facts.amount(&["deal", "row"], &keys.row, 0)?;
    if row.value > 0 {
        let cards = sentence(&row.counted("card"));
        sentences.push(format!("{cards} lie face up in a row, as prizes. The winner of each trick takes the next."));
    }
    let last = facts.amount(&["deal", "row-last"], &keys.row_last, 0)?;
    if last.value > 0 {
        let to = facts.choice(&["deal", "row-last-to"], &keys.row_last_to, RowLastWord::None)?;
        let taken = match to.value {
            RowLastWord::None => "no player takes it",
            RowLastWord::LastTrick => "the winner of the last trick takes it, too",
        };
        sentences
            .push(format!("One more card{} lies face down at the end of the row, and {taken}{}.", last.note, to.note));
    }
    let turn_up = facts.choice(&["deal", "turn-up"], &keys.turn_up, TurnUpWord::None)?;
    match turn_up.value {
        TurnUpWord::None => {}
        TurnUpWord::Next => sentences.push(format!("The next card is turned up{}.", turn_up.note)),
        TurnUpWord::DealersLast => sentences.push(format!(
            "The last card of the dealer is turned up{}. It belongs to the dealer's hand, and all see it.",
            turn_up.note
        )),
    }
    sentences.push(match i64::from(dealing.rest) {
        1.. if dealing.changes() => "Cards that are left lie face down and out of play.".to_owned(),
        0 => "All cards are dealt.".to_owned(),
        1 => "One card is left. It lies face down and out of play.".to_owned(),
        rest => format!("{} cards are left. They lie face down and out of play.", sentence(&number(rest))),
    });
    page.paragraph(&sentences);
    Ok(())
}

/// Returns the sentences on the sizes of hands.
fn hands(facts: &GameFacts<'_>, who: &str) -> Result<Vec<String>, InputError> {
    let keys = &facts.resolver.file.keys().deal;
    let dealing = &facts.dealing;
    if !dealing.changes() && keys.hands.is_empty() {
        let hand = facts.amount(&["deal", "hand"], &keys.hand, i32::try_from(dealing.hand).unwrap_or(0))?;
        return Ok(vec![format!("Each {who} gets {}.", hand.counted("card"))]);
    }
    let mut options = Vec::new();
    for setting in &keys.hands {
        if let AmountSetting::Text(text) = setting {
            options.extend(names_in(text.trim_start_matches('=')));
        }
    }
    options.sort();
    options.dedup();
    let options: Vec<String> =
        options.iter().filter(|name| is_option(facts, name)).map(|name| format!("`{name}`")).collect();
    let note = if options.is_empty() { String::new() } else { format!(" ({})", options.join(", ")) };
    let sizes: Vec<String> = dealing.by_deal().iter().map(u32::to_string).collect();
    Ok(vec![
        format!("The number of cards of each {who} changes from deal to deal of a match{note}: {}.", sizes.join(", ")),
        "After the last of these deals the numbers begin with the first again.".to_owned(),
    ])
}

fn is_option(facts: &GameFacts<'_>, name: &str) -> bool {
    facts.resolver.file.options().iter().any(|option| option.name == name)
}
