//! Records of deals: one line of JSON, or a readable text.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use overtrick_cards::{Card, CardSet, Suit};
use overtrick_game::Contract;
use overtrick_tournament::{DealRecord, MoveRecord, Secret, TrickRecord};
use schemars::JsonSchema;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use super::json::AnyObject;

/// The version of the form of records.
const RECORD_VERSION: u32 = 1;

/// A map that keeps its order.
struct Map<'a, T>(&'a [(&'static str, T)]);

impl<T: Serialize> Serialize for Map<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (key, value) in self.0 {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// A deal with all that was in it, from the cards to the scores. Seats are counted from 0.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub(super) struct RecordJson<'a> {
    /// The version of this form.
    #[schemars(extend("const" = RECORD_VERSION))]
    schema_version: u32,
    /// The variant.
    variant: &'a str,
    /// Its rules, as `overtrick rules` prints them.
    #[schemars(with = "AnyObject")]
    rules: &'a toml::Table,
    /// The seed of the tournament.
    seed: u64,
    /// The secret of the tournament, if it had one.
    #[serde(skip_serializing_if = "Option::is_none")]
    secret: Option<Secret>,
    /// The number of the match, if it is a deal of one.
    #[serde(rename = "match", skip_serializing_if = "Option::is_none")]
    match_number: Option<u64>,
    /// The number of the deal, in its match if it belongs to one.
    deal: u64,
    /// The dealer's seat.
    dealer: usize,
    /// The number of players.
    players: usize,
    /// By seat: the bot, or the player.
    seating: &'a [String],
    /// Whether it was played as the last deal of a match; left out if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    last_deal: bool,
    /// The cards of each hand as they were dealt, by the hand's name.
    #[schemars(with = "BTreeMap<String, Vec<String>>")]
    hands: Map<'a, Vec<String>>,
    /// The cards outside the hands, by the name of their place.
    #[schemars(with = "BTreeMap<String, Vec<String>>")]
    table: Map<'a, Vec<String>>,
    /// Calls and plays, in order.
    moves: Vec<MoveLine<'a>>,
    /// The tricks, in order.
    tricks: Vec<TrickLine<'a>>,
    /// The contract, in games that have contracts.
    contract: Option<Contract>,
    /// How many tricks each hand won, by its name.
    #[schemars(with = "BTreeMap<String, u8>")]
    tricks_won: Map<'a, u8>,
    /// By seat: the points of the deal.
    scores: &'a [i32],
    /// By seat: the points of the match before the deal.
    totals_before: &'a [i32],
    /// By seat: the points of the match after the deal.
    totals_after: &'a [i32],
    /// By seat: the place in the match, 0 for the winner, if the deal ended it.
    #[serde(skip_serializing_if = "Option::is_none")]
    places: Option<&'a [u8]>,
    /// The faults of external bots; left out if there were none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faults: Vec<FaultLine<'a>>,
}

/// A call or a play.
#[derive(Serialize, JsonSchema)]
struct MoveLine<'a> {
    /// The seat that decided.
    seat: usize,
    /// The hand that it was made for.
    hand: &'a str,
    /// The call or the card.
    r#move: &'a str,
    /// How many moves were legal.
    legal: u32,
    /// How many tricks it gave away, with all cards known; in records that were judged so.
    #[serde(rename = "given-away", skip_serializing_if = "Option::is_none")]
    given_away: Option<u8>,
}

/// A fault of a bot.
#[derive(Serialize, JsonSchema)]
struct FaultLine<'a> {
    /// The bot's seat.
    seat: usize,
    /// The description of the fault.
    fault: &'a str,
}

/// A trick.
#[derive(Serialize, JsonSchema)]
struct TrickLine<'a> {
    /// The hands in the order in which they played, each with its card.
    plays: Vec<(&'a str, String)>,
    /// The hand that won it.
    winner: &'a str,
}

fn texts(cards: impl IntoIterator<Item = Card>) -> Vec<String> {
    cards.into_iter().map(|card| card.to_string()).collect()
}

/// Returns the record as one line of JSON.
pub fn record_json(record: &DealRecord) -> String {
    let hands: Vec<_> = record.hands.iter().map(|&(name, cards)| (name, texts(cards.sorted()))).collect();
    let table: Vec<_> = record.table.iter().map(|aside| (aside.name, texts(aside.cards.iter().copied()))).collect();
    let json = RecordJson {
        schema_version: RECORD_VERSION,
        variant: &record.variant,
        rules: &record.rules,
        seed: record.luck.seed,
        secret: record.luck.secret,
        match_number: record.game,
        deal: record.deal,
        dealer: record.dealer.index(),
        players: record.seating.len(),
        seating: &record.seating,
        last_deal: record.last_deal,
        hands: Map(&hands),
        table: Map(&table),
        moves: record.moves.iter().map(move_line).collect(),
        tricks: record.tricks.iter().map(trick_line).collect(),
        contract: record.contract,
        tricks_won: Map(&record.tricks_won),
        scores: &record.scores,
        totals_before: &record.totals_before,
        totals_after: &record.totals_after,
        places: record.places.as_deref(),
        faults: record.faults.iter().map(|(seat, fault)| FaultLine { seat: seat.index(), fault }).collect(),
    };
    serde_json::to_string(&json).expect("a record is plain values")
}

fn move_line(made: &MoveRecord) -> MoveLine<'_> {
    MoveLine {
        seat: made.seat.index(),
        hand: made.hand,
        r#move: &made.text,
        legal: made.legal,
        given_away: made.given_away,
    }
}

fn trick_line(trick: &TrickRecord) -> TrickLine<'_> {
    let plays = trick.plays.iter().map(|&(hand, card)| (hand, card.to_string())).collect();
    TrickLine { plays, winner: trick.winner }
}

/// Formats a hand by suit, spades first: `S AK4   H -   D T92   C QJ`.
pub fn by_suit(cards: CardSet) -> String {
    let mut text = Vec::with_capacity(Suit::ALL.len() + 1);
    for suit in Suit::ALL.into_iter().rev() {
        let of_suit = cards & CardSet::suit(suit);
        let mut ranks: String = of_suit.sorted().iter().map(|card| card.to_string().remove(0)).collect();
        if ranks.is_empty() {
            ranks.push('-');
        }
        text.push(format!("{} {ranks:<13}", suit.letter()));
    }
    let jokers = cards & CardSet::JOKERS;
    if !jokers.is_empty() {
        text.push(jokers.to_string());
    }
    text.join(" ").trim_end().to_owned()
}

/// Formats a contract: `5 uptown H by p1`, `7 NT by p2`, `misere by p0`, `passed-out`.
pub fn contract_text(contract: &Contract) -> String {
    let mut text = String::new();
    if let Some(level) = contract.level {
        text += &format!("{level} ");
    }
    // `10 H` and `10 NT` are complete, and a misère has no trumps.
    let kind = if matches!(contract.kind, "suit" | "no-trump") { "" } else { contract.kind };
    text += kind;
    if let Some(trump) = contract.trump
        && !kind.starts_with("misere")
    {
        text += if kind.is_empty() { "" } else { " " };
        text += trump;
    }
    if let Some(seat) = contract.declarer {
        text += &format!(" by p{}", seat.index());
    }
    text
}

/// Returns the record as text: hands by suit, a line for each trick with its winner, and scores with their
/// reasons.
pub fn record_text(record: &DealRecord) -> String {
    let mut text = String::new();
    write_record(record, &mut text).expect("text goes into memory");
    text
}

fn write_record(record: &DealRecord, out: &mut String) -> fmt::Result {
    let width = (0..record.seating.len()).map(|seat| player(record, seat).len()).max().unwrap_or(0);
    write_deal(record, width, out)?;
    write_moves(record, out)?;
    write_outcome(record, width, out)
}

/// Returns the name of the player at a seat, and whether they deal.
fn player(record: &DealRecord, seat: usize) -> String {
    let deals = if seat == record.dealer.index() { " (dealer)" } else { "" };
    format!("{}{deals}", record.seating[seat])
}

/// Writes the deal and its cards; names of players are `width` wide.
fn write_deal(record: &DealRecord, width: usize, out: &mut String) -> fmt::Result {
    let title = match record.game {
        Some(game) => format!("match {game}, deal {}", record.deal),
        None => format!("deal {}", record.deal),
    };
    writeln!(out, "{}, {title}, seed {}", record.variant, record.luck.seed)?;
    for (number, (hand, cards)) in record.hands.iter().enumerate() {
        let who = if number < record.seating.len() { player(record, number) } else { String::new() };
        writeln!(out, "  {hand:<6} {who:<width$}  {}", by_suit(*cards))?;
    }
    for aside in &record.table {
        writeln!(out, "  {:<6} {:<width$}  {}", aside.name, "", texts(aside.cards.iter().copied()).join(" "))?;
    }
    for remark in &record.remarks {
        writeln!(out, "  {remark}")?;
    }
    Ok(())
}

/// Writes the calls, and the tricks with the plays that gave tricks away.
fn write_moves(record: &DealRecord, out: &mut String) -> fmt::Result {
    let calls = record.moves.len() - record.tricks.iter().map(|trick| trick.plays.len()).sum::<usize>();
    for made in &record.moves[..calls] {
        writeln!(out, "  {:<6} {}", made.hand, made.text)?;
    }
    let hand_width = record.hands.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let judged = record.is_judged();
    let mut made = record.moves[calls..].iter();
    for (number, trick) in record.tricks.iter().enumerate() {
        let mut plays = Vec::with_capacity(trick.plays.len());
        for &(hand, card) in &trick.plays {
            let mark = if hand == trick.winner { '*' } else { ' ' };
            let lost = match made.next().and_then(|made| made.given_away) {
                Some(tricks) if tricks > 0 => format!("-{tricks} "),
                _ if judged => "   ".to_owned(),
                _ => String::new(),
            };
            plays.push(format!("{hand:>hand_width$} {card}{mark}{lost}"));
        }
        writeln!(out, "{:>4}. {} {}", number + 1, plays.join(" "), trick.winner)?;
    }
    if !record.tricks.is_empty() {
        writeln!(out, "  (* wins the trick; the last column names the winner)")?;
    }
    let Some(given_away) = record.given_away() else { return Ok(()) };
    let by_seat: Vec<String> =
        given_away.iter().enumerate().map(|(seat, tricks)| format!("p{seat} {tricks}")).collect();
    writeln!(
        out,
        "  analysis: -1 gave away a trick of its side, with all cards known; given away: {}",
        by_seat.join(", ")
    )
}

/// Writes the contract, the scores, the faults and the winners of the match.
fn write_outcome(record: &DealRecord, width: usize, out: &mut String) -> fmt::Result {
    if let Some(contract) = &record.contract {
        writeln!(out, "  contract: {}", contract_text(contract))?;
    }
    let won: Vec<String> = record.tricks_won.iter().map(|(hand, tricks)| format!("{hand} {tricks}")).collect();
    writeln!(out, "  tricks: {}", won.join(", "))?;
    for (seat, score) in record.scores.iter().enumerate() {
        write!(out, "  p{seat} {:<width$} {score:>5}  {}", record.seating[seat], record.reasons[seat])?;
        if record.game.is_some() {
            write!(out, "; total {}", record.totals_after[seat])?;
        }
        writeln!(out)?;
    }
    for (seat, fault) in &record.faults {
        writeln!(out, "  fault of p{}: {fault}", seat.index())?;
    }
    let Some(places) = &record.places else { return Ok(()) };
    let mut winners = Vec::new();
    for (seat, &place) in places.iter().enumerate() {
        if place == 0 {
            winners.push(format!("p{seat} {}", record.seating[seat]));
        }
    }
    writeln!(out, "  the match is won by {}", winners.join(" and "))
}
