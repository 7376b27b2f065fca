//! A deal in the viewer: its data, and its text for readers without a script.

use std::collections::BTreeMap;

use overtrick_cards::Card;
use overtrick_cards::table::{BySeat, Seat};
use overtrick_games::Variant;
use overtrick_tournament::{DealRecord, DealSight, SightStep, sight};
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::table::{Cell, Column, Table, TableOf};
use crate::{contract_text, record_json, record_text};

/// A deal with several games.
#[derive(Serialize)]
pub(super) struct Deal {
    /// The anchor of the deal.
    pub(super) id: String,
    heading: String,
    /// The reason why it is shown, and the parts left out.
    sentences: Vec<String>,
    table: Table,
    games: Vec<GameText>,
    /// Whether its games are open at first.
    is_open: bool,
    /// The data of the viewer, as JSON that is safe in a page.
    data: String,
}

/// A game for readers without a script.
#[derive(Serialize)]
struct GameText {
    title: String,
    text: String,
}

/// The heading of a deal.
pub(super) struct DealHeading {
    pub(super) id: String,
    pub(super) text: String,
    pub(super) sentences: Vec<String>,
    /// Whether its plays should have a double-dummy analysis.
    pub(super) analyse: bool,
    /// Whether its games are open at first.
    pub(super) is_open: bool,
    /// Whether there is a config with which the deal can be played again.
    pub(super) has_config: bool,
}

impl Deal {
    /// Makes a deal or a match from the games in `records`, at least one.
    pub(super) fn new(heading: DealHeading, variant: &Variant, records: &[DealRecord]) -> Deal {
        let DealHeading { id, text: title, mut sentences, analyse, is_open, has_config } = heading;
        if analyse || records.iter().any(DealRecord::is_judged) {
            let judged = if records.iter().any(DealRecord::is_judged) {
                "Plays that gave away tricks are marked: with all cards known, and the best play from then on, another \
                 card would have won its side more."
            } else {
                "There was no play between two sides to judge."
            };
            sentences.push(judged.to_owned());
        }
        let data = serde_json::to_string(&ViewerDeal::new(variant, &id, has_config, records)).expect("plain values");
        Deal {
            heading: title,
            sentences,
            table: scores(records),
            games: records.iter().enumerate().map(|(number, record)| text(number, record)).collect(),
            is_open,
            data: super::text::embedded(&data),
            id,
        }
    }
}

fn text(number: usize, record: &DealRecord) -> GameText {
    GameText { title: format!("Game {}: {}", number + 1, record.seating.join(", ")), text: record_text(record) }
}

/// Returns the table of seatings and scores.
fn scores(records: &[DealRecord]) -> Table {
    let seats = records[0].seating.len();
    let cell = |record: &DealRecord, seat: usize| {
        let deals = if seat == record.dealer.index() { ", dealer" } else { "" };
        let lost = record.given_away().map(|given_away| format!("; tricks given away: {}", given_away[seat]));
        let lost = lost.unwrap_or_default();
        let text = format!("{}{deals}: {}{lost}", record.seating[seat], record.scores[seat]);
        Cell { text, ..Cell::bot(&record.seating[seat]) }
    };
    let mut table = TableOf::<(usize, &DealRecord)>::new();
    table = table.add(Column::text("game"), |(number, _)| (number + 1).to_string());
    for seat in 0..seats {
        table = table.add(Column::text(format!("seat p{seat}")), move |(_, record)| cell(record, seat));
    }
    Table::up_to(usize::MAX, "Its games: who sat where, and the scores", table, records.iter().enumerate(), "")
}

/// The data of the viewer. Data that all games share is given once.
///
/// The fields are in alphabetical order, as the keys within are.
#[derive(Serialize)]
struct ViewerDeal<'a> {
    /// Whether there is a config with which the deal can be played again.
    config: bool,
    games: Vec<ViewerGame>,
    id: &'a str,
    layouts: Vec<ViewerLayout<'a>>,
    shared: Map<String, Value>,
}

/// A game of a deal.
#[derive(Serialize)]
struct ViewerGame {
    /// The number of its layout.
    layout: usize,
    /// The tricks that each move gave away, a digit for each, if that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<String>,
    /// Seat, hand, number of legal moves and text of each move, separated by bars.
    moves: String,
    /// The keys of its record that are nowhere else.
    rest: Map<String, Value>,
    /// The changes by each move, by its number from 1.
    sight: BTreeMap<String, Vec<Value>>,
    /// The hands that won the tricks.
    winners: Vec<Option<usize>>,
}

/// The cards of a deal as they were dealt.
#[derive(PartialEq, Serialize)]
struct ViewerLayout<'a> {
    circle: Vec<&'static str>,
    hands: Vec<(&'static str, String)>,
    remarks: &'a [String],
    sight: Vec<Value>,
    table: Vec<(&'static str, String)>,
}

impl<'a> ViewerDeal<'a> {
    fn new(variant: &Variant, id: &'a str, config: bool, records: &'a [DealRecord]) -> ViewerDeal<'a> {
        let is_match = records[0].game.is_some();
        let mut shared = keys(&records[0]);
        shared.retain(|key, _| match key.as_str() {
            "schema-version" | "variant" | "rules" | "seed" | "players" => true,
            "deal" => !is_match,
            _ => false,
        });
        let mut deal = ViewerDeal { config, games: Vec::new(), id, layouts: Vec::new(), shared };
        for record in records {
            let DealSight { circle, steps, .. } = sight(variant, record);
            let layout = ViewerLayout::new(record, circle, &steps[0]);
            let known = deal.layouts.iter().position(|known| *known == layout);
            let number = known.unwrap_or(deal.layouts.len());
            if known.is_none() {
                deal.layouts.push(layout);
            }
            deal.games.push(ViewerGame::new(record, number, &steps[1..], &deal.shared));
        }
        deal
    }
}

/// Returns the keys of a record as written.
fn keys(record: &DealRecord) -> Map<String, Value> {
    serde_json::from_str(&record_json(record)).expect("a record is JSON")
}

impl<'a> ViewerLayout<'a> {
    fn new(record: &'a DealRecord, circle: Vec<&'static str>, dealt: &SightStep) -> ViewerLayout<'a> {
        let hands = record.hands.iter().map(|&(name, cards)| (name, words(&cards.sorted()))).collect();
        let table = record.table.iter().map(|aside| (aside.name, words(&aside.cards))).collect();
        ViewerLayout { circle, hands, remarks: &record.remarks, sight: changes(dealt, record, None), table }
    }
}

impl ViewerGame {
    /// Makes a game with the number of its layout. `steps` are the changes by its moves.
    fn new(record: &DealRecord, layout: usize, steps: &[SightStep], shared: &Map<String, Value>) -> ViewerGame {
        let mut rest = keys(record);
        // The totals of a single deal follow from its scores.
        let has_totals = record.totals_before.iter().any(|&total| total != 0) || record.totals_after != record.scores;
        rest.retain(|key, _| match key.as_str() {
            "hands" | "table" | "moves" | "tricks" => false,
            "totals-before" | "totals-after" => has_totals,
            _ => !shared.contains_key(key),
        });
        let hand_number = |hand: &str| record.hands.iter().position(|(name, _)| *name == hand);
        let mut moves = Vec::with_capacity(record.moves.len());
        for made in &record.moves {
            let hand = hand_number(made.hand).unwrap_or_default();
            moves.push(format!("{},{hand},{},{}", made.seat.index(), made.legal, made.text));
        }
        let mut sight = BTreeMap::new();
        for (number, step) in steps.iter().enumerate() {
            let changes = changes(step, record, Some(number));
            if !changes.is_empty() {
                sight.insert((number + 1).to_string(), changes);
            }
        }
        let lost = || record.moves.iter().map(|made| made.given_away.map_or('-', digit)).collect();
        ViewerGame {
            layout,
            lost: record.is_judged().then(lost),
            moves: moves.join("|"),
            rest,
            sight,
            winners: record.tricks.iter().map(|trick| hand_number(trick.winner)).collect(),
        }
    }
}

/// Returns a number of tricks as one digit, with letters from ten on.
fn digit(tricks: u8) -> char {
    char::from_digit(tricks.into(), 36).expect("fewer tricks than digits")
}

/// A place (`None` for played cards), and the seats that see the cards there, as bits.
type Sight<'a> = (Option<&'a str>, u32);

/// Returns the seats that see something, as bits.
fn bits(seen: &BySeat<bool>, seats: usize) -> u32 {
    Seat::all(seats).filter(|&seat| seen[seat]).map(|seat| 1 << seat.index()).sum()
}

fn words(cards: &[Card]) -> String {
    cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ")
}

/// Returns the changes by a step, as lists. `made` is the number of the move that made them.
///
/// These are `["at", place, seats that see, cards]`, `["call", number, seats]` and `["contract", text]`. The
/// card that the move plays is left out, and so is a new call that all seats know.
fn changes(step: &SightStep, record: &DealRecord, made: Option<usize>) -> Vec<Value> {
    let seats = record.seating.len();
    let all_seats = (1 << seats) - 1;
    let played = made.map(|number| record.moves[number].text.as_str());
    let mut places: Vec<(Sight<'_>, Vec<String>)> = Vec::new();
    for (card, place, seen) in &step.cards {
        let (text, key) = (card.to_string(), (*place, bits(seen, seats)));
        if place.is_none() && played == Some(&text) {
            continue;
        }
        match places.iter_mut().find(|(known, _)| *known == key) {
            Some((_, cards)) => cards.push(text),
            None => places.push((key, vec![text])),
        }
    }
    let mut changes = Vec::new();
    for ((place, seen), cards) in places {
        changes.push(json!(["at", place, seen, cards.join(" ")]));
    }
    for (number, known) in &step.calls {
        let known = bits(known, seats);
        if known != all_seats || *number < made.unwrap_or_default() {
            changes.push(json!(["call", number, known]));
        }
    }
    changes.extend(step.contract.iter().map(|contract| json!(["contract", contract_text(contract)])));
    changes
}
