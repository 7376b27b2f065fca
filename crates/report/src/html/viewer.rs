//! A deal in the viewer: its data, and its text for readers without a script.

use std::collections::BTreeMap;

use overtrick_cards::table::{BySeat, Seat};
use overtrick_games::Variant;
use overtrick_tournament::{DealRecord, SightStep, sight};
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
            let told = match records.iter().any(DealRecord::is_judged) {
                true => {
                    "Plays that gave away tricks are marked: with all cards known, and the best play from then on, another \
                     card would have won its side more."
                }
                false => "There was no play between two sides to judge.",
            };
            sentences.push(told.to_owned());
        }
        Deal {
            heading: title,
            sentences,
            table: scores(records),
            games: records.iter().enumerate().map(|(number, record)| text(number, record)).collect(),
            is_open,
            data: super::text::embedded(&data(variant, &id, has_config, records).to_string()),
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

/// Returns the data of the viewer. Data that all games share is given once.
fn data(variant: &Variant, id: &str, has_config: bool, records: &[DealRecord]) -> Value {
    let read = |record: &DealRecord| -> Map<String, Value> {
        serde_json::from_str(&record_json(record)).expect("a record is JSON")
    };
    let shared_keys = ["schema-version", "variant", "rules", "seed", "deal", "players"];
    let mut first = read(&records[0]);
    let own_deals = records[0].game.is_some();
    let shared: Map<String, Value> = (shared_keys.iter().filter(|key| !own_deals || **key != "deal"))
        .filter_map(|&key| Some((key.to_owned(), first.remove(key)?)))
        .collect();
    let mut layouts: Vec<Value> = Vec::new();
    let games: Vec<Value> = records
        .iter()
        .map(|record| {
            let mut rest = read(record);
            let seen = sight(variant, record);
            let mut steps = seen.steps.into_iter();
            let hands: Vec<Value> = record
                .hands
                .iter()
                .map(|(name, cards)| json!([name, words(cards.sorted().iter().map(ToString::to_string))]))
                .collect();
            let layout = json!({
                "hands": hands,
                "table": record.table.iter().map(|aside| json!([aside.name, words(aside.cards.iter().map(ToString::to_string))])).collect::<Vec<_>>(),
                "sight": changes(&steps.next().expect("how it was dealt"), record, None, 0),
                "circle": seen.circle,
                "remarks": record.remarks,
            });
            let number = layouts.iter().position(|known| *known == layout).unwrap_or_else(|| {
                layouts.push(layout);
                layouts.len() - 1
            });
            let told = ["hands", "table", "moves", "tricks"].into_iter().chain(shared.keys().map(String::as_str));
            told.for_each(|key| drop(rest.remove(key)));
            // The totals of a single deal follow from its scores.
            if record.totals_before.iter().all(|&total| total == 0) && record.totals_after == record.scores {
                ["totals-before", "totals-after"].into_iter().for_each(|key| drop(rest.remove(key)));
            }
            let index = |hand: &str| record.hands.iter().position(|(name, _)| *name == hand);
            let moves = record.moves.iter().map(|made| {
                let hand = index(made.hand).unwrap_or_default();
                format!("{},{hand},{},{}", made.seat.index(), made.legal, made.text)
            });
            let moves = moves.collect::<Vec<_>>().join("|");
            let sight: BTreeMap<String, Value> = (1..)
                .zip(steps)
                .map(|(number, step): (usize, SightStep)| {
                    (number.to_string(), changes(&step, record, Some(&record.moves[number - 1].text), number - 1))
                })
                .filter(|(_, change)| change.as_array().is_some_and(|parts| !parts.is_empty()))
                .collect();
            let winners: Vec<Option<usize>> = record.tricks.iter().map(|trick| index(trick.winner)).collect();
            let mut game = json!({"layout": number, "rest": rest, "moves": moves, "winners": winners, "sight": sight});
            if record.is_judged() {
                game["lost"] = record.moves.iter().map(|made| made.given_away.map_or('-', digit)).collect::<String>().into();
            }
            game
        })
        .collect();
    json!({"id": id, "config": has_config, "shared": shared, "layouts": layouts, "games": games})
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

fn words(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<_>>().join(" ")
}

/// Returns the changes by a step, as an array of lists.
///
/// These are `["at", place, seats that see, cards]`, `["call", number, seats]` and `["contract", text]`. The
/// card that is played by `made` is left out, and so is a new call that all seats know.
///
/// The last argument is the number of calls before the step.
fn changes(step: &SightStep, record: &DealRecord, made: Option<&str>, told: usize) -> Value {
    let seats = record.seating.len();
    let everybody = (1 << seats) - 1;
    let mut places: Vec<(Sight<'_>, Vec<String>)> = Vec::new();
    for (card, place, seen) in &step.cards {
        let (text, key) = (card.to_string(), (*place, bits(seen, seats)));
        if place.is_none() && made == Some(&text) {
            continue;
        }
        match places.iter_mut().find(|(known, _)| *known == key) {
            Some((_, cards)) => cards.push(text),
            None => places.push((key, vec![text])),
        }
    }
    let at = places.into_iter().map(|((place, seen), cards)| json!(["at", place, seen, cards.join(" ")]));
    let calls = step.calls.iter().map(|(number, known)| (number, bits(known, seats)));
    let calls = calls.filter(|(number, known)| *known != everybody || **number < told);
    let calls = calls.map(|(number, known)| json!(["call", number, known]));
    let contract = step.contract.iter().map(|contract| json!(["contract", contract_text(contract)]));
    Value::Array(at.chain(calls).chain(contract).collect())
}
