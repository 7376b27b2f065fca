//! The bids, the play and the match in words.

use overtrick_toml::InputError;

use crate::source::{AuctionWord, BarKeys, BarWord, EndWord, LeadWord, MustWord, PartnerWinsWord, RoleWord, TiesWord};

use super::facts::{GameFacts, Stated};
use super::page::RulesPage;
use super::table::role;
use super::wording::sentence;

/// Writes the section on bids, if players bid.
pub(super) fn bids(facts: &GameFacts<'_>, page: &mut RulesPage) -> Result<(), InputError> {
    let keys = &facts.resolver.file.keys().auction;
    let style = facts.choice(&["auction", "style"], &keys.style, AuctionWord::None)?;
    if style.value == AuctionWord::None {
        return Ok(());
    }
    page.heading(2, "Bids");
    let first = facts.choice(&["auction", "first"], &keys.first, RoleWord::Forehand)?;
    let mut sentences = vec![
        format!("Before the play each player in turn bids a number of tricks{}, and all hear it.", style.note),
        sentence(&format!("{} bids first{}.", role(first.value), first.note)),
    ];
    let [low, high] = match &keys.levels[..] {
        [low, high] => {
            [facts.amount_of_deal(&["auction", "levels"], low)?, facts.amount_of_deal(&["auction", "levels"], high)?]
        }
        _ => ["0".to_owned(), facts.cards_of_hand()],
    };
    sentences.push(format!("A bid is {low} to {high}."));
    if let Some(setting) = &keys.sum_not {
        let sum = facts.amount_of_deal(&["auction", "sum-not"], setting)?;
        sentences.push(format!(
            "The bids of all may not sum to {sum}, so the last player may not bid the number that is left to it."
        ));
    }
    if let Some(setting) = &keys.side_most {
        let most = facts.amount_of_deal(&["auction", "side-most"], setting)?;
        sentences.push(format!("Partners may bid at most {most} together."));
    }
    page.paragraph(&sentences);
    Ok(())
}

/// Writes the section on the play.
pub(super) fn play(facts: &GameFacts<'_>, page: &mut RulesPage) -> Result<(), InputError> {
    let keys = &facts.resolver.file.keys().play;
    page.heading(2, "Play");
    let first_card = facts.cards(&["play", "first-card"], keys.first_card.as_deref())?;
    let leads = facts.choice(&["play", "leads"], &keys.leads, LeadWord::Forehand)?;
    let leader = match leads.value {
        LeadWord::Dealer => role(RoleWord::Dealer).to_owned(),
        LeadWord::Forehand => role(RoleWord::Forehand).to_owned(),
        LeadWord::Middlehand => role(RoleWord::Middlehand).to_owned(),
        LeadWord::Rearhand => role(RoleWord::Rearhand).to_owned(),
        LeadWord::Holder => format!("the player who holds {first_card}"),
    };
    let mut sentences = vec![sentence(&format!("{leader} leads to the first trick{}.", leads.note))];
    match (&keys.first_card, leads.value) {
        (Some(_), LeadWord::Holder) => sentences.push("That card must be led.".to_owned()),
        (Some(_), _) => sentences.push(format!("A leader who holds {first_card} must lead it.")),
        (None, _) => {}
    }
    let cite = &facts.resolver.file.keys().cite;
    let rule = |number: &Option<String>| number.as_ref().map_or_else(String::new, |number| format!(" (rule {number})"));
    sentences.push(format!("Each hand plays one card to a trick, in turn{}.", rule(&cite.turn)));
    let duties = duties(facts)?;
    match duties.items.len() {
        0 => sentences.push("Any card may be played to it.".to_owned()),
        1 if duties.follows => {
            sentences.push(format!("Players must follow suit if they can{}{}.", rule(&cite.follow), duties.note));
            sentences.push("If they cannot, they may play any card.".to_owned());
        }
        _ => {}
    }
    sentences.push("The winner of a trick leads to the next.".to_owned());
    page.paragraph(&sentences);
    if duties.items.len() > usize::from(duties.follows) {
        let intro = "Players who do not lead have duties, in this order. Each chooses among the cards that those before \
                     it leave, and binds if one of them meets it:";
        page.paragraph(&[intro.to_owned()]);
        page.list(true, &duties.items);
        page.paragraph(&duties.exception);
    }
    let mut items = Vec::new();
    for (place, bar) in facts.resolver.file.listed().bars.iter().enumerate() {
        items.push(bar_in_words(facts, place, bar)?);
    }
    if !items.is_empty() {
        let unless = "These cards may be played only by a hand without another card that it may play:";
        page.paragraph(&[unless.to_owned()]);
        page.list(true, &items);
    }
    Ok(())
}

/// The duties of players who do not lead, in words.
struct DutiesInWords {
    items: Vec<String>,
    follows: bool,
    /// The option by which players must follow suit, if there is one.
    note: String,
    /// The effect of a partner who wins, if there is one.
    exception: Vec<String>,
}

fn duties(facts: &GameFacts<'_>) -> Result<DutiesInWords, InputError> {
    let keys = &facts.resolver.file.keys().play;
    let cite = &facts.resolver.file.keys().cite.follow;
    let rule = cite.as_ref().map_or_else(String::new, |number| format!(" (rule {number})"));
    let (items, note, exception) = (Vec::new(), String::new(), Vec::new());
    let mut words = DutiesInWords { items, follows: keys.must.is_none(), note, exception };
    for setting in keys.must.iter().flatten() {
        let duty = facts.choice(&["play", "must"], &Some(setting.clone()), MustWord::Follow)?;
        if duty.value == MustWord::Follow {
            words.follows = true;
            words.note.clone_from(&duty.note);
        }
        let text = match duty.value {
            MustWord::Follow => format!("Follow suit{rule}"),
            MustWord::Trump => "Play a trump, if the hand cannot follow suit".to_owned(),
            MustWord::Beat => "Play a card that would win the trick so far".to_owned(),
            MustWord::BeatIfTrump => "Play a card that would win the trick so far, if a trump wins it".to_owned(),
        };
        words.items.push(format!("{text}{}.", duty.note));
    }
    if keys.must.is_none() {
        words.items.push("Follow suit.".to_owned());
    }
    let free = facts.choice(&["play", "partner-wins"], &keys.partner_wins, PartnerWinsWord::Bound)?;
    let more = if words.follows { "only the first duty binds" } else { "any card may be played" };
    words.exception = match free.value {
        PartnerWinsWord::Bound => Vec::new(),
        PartnerWinsWord::Free => vec![format!("While the partner's card wins the trick, {more}{}.", free.note)],
        PartnerWinsWord::FreeIfVoid => vec![format!(
            "While the partner's card wins the trick, a hand that cannot follow suit may play any card{}.",
            free.note
        )],
    };
    Ok(words)
}

fn bar_in_words(facts: &GameFacts<'_>, place: usize, keys: &BarKeys) -> Result<String, InputError> {
    let place = place.to_string();
    let at = |key: &'static str| ["play", "bar", place.as_str(), key];
    let cards = sentence(&facts.cards(&at("cards"), keys.cards.as_deref())?);
    let Stated { value: when, note } = facts.choice(&at("when"), &keys.when, BarWord::Any)?;
    let plays = match when {
        BarWord::Lead => "as a lead",
        BarWord::FirstTrick => "in the first trick",
        BarWord::Any => "in any trick",
    };
    let until = match &keys.until_played {
        Some(text) => {
            let cards = facts.cards(&at("until-played"), Some(text))?;
            format!(", until one of these has been played: {cards}")
        }
        None => String::new(),
    };
    Ok(format!("{cards}, {plays}{note}{until}."))
}

/// Writes the section on the match.
pub(super) fn ending(facts: &GameFacts<'_>, penalty: bool, page: &mut RulesPage) -> Result<(), InputError> {
    let keys = &facts.resolver.file.keys().end;
    page.heading(2, "Match");
    let end = facts.choice(&["match", "end"], &keys.end, EndWord::Target)?;
    let note = &end.note;
    if end.value == EndWord::Deals {
        let deals = facts.amount(&["match", "deals"], &keys.deals, 0)?;
        page.paragraph(&[
            format!("A match has {}{note}.", deals.counted("deal")),
            "The highest total wins.".to_owned(),
        ]);
        return Ok(());
    }
    let target = facts.amount(&["match", "target"], &keys.target, 0)?;
    let points = target.counted("point");
    let mut sentences = if penalty {
        vec![
            format!("A match ends when a player has {points} or more{note}."),
            "The lowest number of points wins.".to_owned(),
        ]
    } else {
        let who = if facts.seating.partners { "side" } else { "player" };
        let mut event = format!("A match ends when a {who} has {points} or more");
        if keys.loss_at.is_some() {
            let loss = facts.amount(&["match", "loss-at"], &keys.loss_at, 0)?;
            event.push_str(&format!(", or {loss} or fewer"));
        }
        vec![format!("{event}{note}."), "The highest total wins.".to_owned()]
    };
    let ties = facts.choice(&["match", "ties"], &keys.ties, TiesWord::ExtraDeal)?;
    let effect = match ties.value {
        TiesWord::ExtraDeal => "If the lead is shared then, another deal is played",
        TiesWord::Shared => "If the lead is shared then, so is the win",
        TiesWord::Seat => "If the lead is shared then, the first of them to the left of the last dealer wins",
        TiesWord::PlayOn => {
            sentences.pop();
            "If several get there in one deal, they play on until one of them leads alone and wins"
        }
    };
    sentences.push(format!("{effect}{}.", ties.note));
    page.paragraph(&sentences);
    Ok(())
}
