//! The deals of a page: which ones are shown, and all that the viewer needs of them.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Files;
use super::source::Row;
use super::table::{Cell, Heading, Table};
use crate::ids::{LineUpId, SeatingId};
use crate::report::{contract_text, record_json, record_text};
use crate::strategies::Bot;
use crate::table::{BySeat, Seat};
use crate::tournament::{self, DealRecord, SightStep, Tournament, Unit, sight};

/// About how many games a page shows, over all its variants.
const MOST_GAMES: usize = 64;
/// The most deals that are listed.
const MOST_LISTED: usize = 10;
/// The most games of one deal.
const MOST_OF_A_DEAL: usize = 12;
/// The most deals of a match.
const MOST_OF_A_MATCH: usize = 8;

/// A deal, in several games.
#[derive(Serialize)]
pub(super) struct Deal {
    /// Its anchor.
    pub(super) id: String,
    heading: String,
    /// Why it is here, and what is left out of it.
    sentences: Vec<String>,
    table: Table,
    games: Vec<GameText>,
    /// What the viewer shows, as JSON that can stand in a page.
    data: String,
}

/// A game for readers without a script.
#[derive(Serialize)]
struct GameText {
    title: String,
    text: String,
}

/// The deals of a variant.
#[derive(Default, Serialize)]
pub(super) struct Deals {
    pub(super) sentences: Vec<String>,
    /// All deals that made a difference.
    pub(super) swings: Option<Table>,
    deals: Vec<Deal>,
}

/// A number of the schedule that is to be shown, with the rows that name it.
struct Chosen<'a> {
    number: u64,
    rows: Vec<Row<'a>>,
}

/// The deals of a variant that made the difference. `share` is how many variants the page has.
pub(super) fn deals(files: &Files, tournament: &Tournament, variant: usize, id: &str, share: usize) -> Deals {
    let name = &tournament.variants[variant].name;
    let swings = files.swings.of_variant(name);
    let mut all = Deals { sentences: Vec::new(), swings: None, deals: Vec::new() };
    if swings.is_empty() {
        return all;
    }
    let schedule = &tournament.schedules[variant];
    let games = schedule.games_a_number().clamp(1, MOST_OF_A_DEAL);
    let most = (MOST_GAMES / share.max(1) / games).clamp(1, 12);
    let (chosen, outside) = choose(&swings, tournament, most);
    if outside {
        all.sentences.push(
            "Bots outside of the process are not asked to play again for this page: deals of theirs are listed only. `overtrick replay` plays them."
                .to_owned(),
        );
    }
    for chosen in &chosen {
        all.deals.extend(deal(tournament, variant, id, chosen));
    }
    let shown = all.deals.len();
    let link = |row: &Row<'_>| {
        let anchor = anchor(id, row.text("deal"));
        let link = all.deals.iter().any(|deal| deal.id == anchor).then_some(anchor);
        Cell { link, ..Cell::exact(row, "deal") }
    };
    let line = |row: &Row<'_>| {
        vec![
            Cell::bot(row.text("ahead")),
            Cell::bot(row.text("behind")),
            Cell::exact(row, "rank"),
            link(row),
            Cell::exact(row, "difference"),
        ]
    };
    let unit = if tournament.unit == Unit::Match { "match" } else { "deal" };
    let headings = vec![
        Heading::text("ahead"),
        Heading::text("behind"),
        Heading::figures("rank"),
        Heading::figures(unit),
        Heading::figures("difference"),
    ];
    // The first ones of each pair; the file has all.
    let mut listed = swings.clone();
    listed.sort_by_key(|row| row.text("rank").parse::<usize>().unwrap_or(usize::MAX));
    listed.truncate(MOST_LISTED);
    let caption = format!(
        "The {}s in which one bot was farthest ahead of another, points a deal",
        unit.replace("match", "matche")
    );
    all.sentences.push(format!(
        "{shown} of them are shown here; any other: overtrick replay config.toml --variant {name} --deal NUMBER."
    ));
    let mut table = Table::new(caption, headings, listed.iter().map(line).collect(), "swings.csv");
    let more = swings.len() - listed.len();
    table.left_out = (more > 0).then(|| format!("{more} more are in swings.csv."));
    all.swings = Some(table);
    all
}

fn anchor(id: &str, number: &str) -> String {
    format!("{id}-{number}")
}

/// The first deals of every two bots in turn, and whether some were passed over since a bot is outside of the process.
fn choose<'a>(swings: &[Row<'a>], tournament: &Tournament, most: usize) -> (Vec<Chosen<'a>>, bool) {
    let is_outside = |name: &str| tournament.bots.iter().any(|bot| bot.name == name && bot.spec.process().is_some());
    let mut by_rank: Vec<&Row<'a>> = swings.iter().collect();
    by_rank.sort_by_key(|row| row.text("rank").parse::<usize>().unwrap_or(usize::MAX));
    let (mut chosen, mut outside): (Vec<Chosen<'a>>, bool) = (Vec::new(), false);
    for row in by_rank {
        if is_outside(row.text("ahead")) || is_outside(row.text("behind")) {
            outside = true;
            continue;
        }
        let number = row.text("deal").parse().unwrap_or_default();
        match chosen.iter().position(|known| known.number == number) {
            Some(known) => chosen[known].rows.push(*row),
            None if chosen.len() < most => chosen.push(Chosen { number, rows: vec![*row] }),
            None => {}
        }
    }
    (chosen, outside)
}

/// Plays a number again in all seatings of the line-ups with the two bots that it is about.
fn deal(tournament: &Tournament, variant: usize, id: &str, chosen: &Chosen<'_>) -> Vec<Deal> {
    let schedule = &tournament.schedules[variant];
    let name = &tournament.variants[variant].name;
    let pair = ["ahead", "behind"].map(|column| chosen.rows[0].text(column));
    let seated = |line_up: LineUpId, seating: SeatingId| -> Vec<Bot> {
        let bots = schedule.bots(line_up, seating);
        bots.of(schedule.seats).iter().map(|&bot| tournament.bot(bot).clone()).collect()
    };
    let both = |line_up: &LineUpId| {
        let members = &schedule.line_ups[line_up.index()];
        pair.iter().all(|name| members.iter().any(|&bot| tournament.bot(bot).name == **name))
    };
    let inside = |bots: &[Bot]| bots.iter().all(|bot| bot.spec.process().is_none());
    let games = schedule
        .line_up_ids()
        .filter(both)
        .flat_map(|line_up| schedule.played(line_up).iter().map(move |&seating| (line_up, seating)));
    let games: Vec<Vec<Bot>> = games.map(|(line_up, seating)| seated(line_up, seating)).collect();
    let playable: Vec<&Vec<Bot>> = games.iter().filter(|bots| inside(bots)).collect();
    let most = if tournament.unit == Unit::Match { 1 } else { MOST_OF_A_DEAL };
    let shown = &playable[..playable.len().min(most)];
    let mut records: Vec<DealRecord> = Vec::new();
    for bots in shown {
        let played = tournament::replay(tournament, variant, chosen.number, bots, false);
        records.extend(played.into_iter().take(MOST_OF_A_MATCH));
    }
    if records.is_empty() {
        return Vec::new();
    }
    let mut sentences: Vec<String> = Vec::new();
    for row in &chosen.rows {
        sentences.push(format!(
            "{} was ahead of {} by {} points, number {} of their deals.",
            row.text("ahead"),
            row.text("behind"),
            crate::report::format::number(row.figure("difference"), 2),
            row.text("rank")
        ));
    }
    if games.len() > shown.len() {
        sentences.push(format!("{} of its {} games with both are shown.", shown.len(), games.len()));
    }
    let unit = if tournament.unit == Unit::Match { "Match" } else { "Deal" };
    let id = anchor(id, &chosen.number.to_string());
    let data = data(tournament, variant, &id, &records);
    vec![Deal {
        heading: format!("{unit} {} of {name}", chosen.number),
        sentences,
        table: scores(&records),
        games: records.iter().enumerate().map(|(number, record)| text(number, record)).collect(),
        data: super::text::embedded(&data.to_string()),
        id,
    }]
}

fn text(number: usize, record: &DealRecord) -> GameText {
    GameText { title: format!("Game {}: {}", number + 1, record.seating.join(", ")), text: record_text(record) }
}

/// Who sat where, and what they scored.
fn scores(records: &[DealRecord]) -> Table {
    let seats = records[0].seating.len();
    let headings = (0..seats).map(|seat| Heading::text(format!("seat p{seat}")));
    let headings = std::iter::once(Heading::text("game")).chain(headings).collect();
    let line = |(number, record): (usize, &DealRecord)| {
        let seat = |seat: usize| {
            let deals = if seat == record.dealer.index() { ", dealer" } else { "" };
            let text = format!("{}{deals}: {}", record.seating[seat], record.scores[seat]);
            Cell { text, ..Cell::bot(&record.seating[seat]) }
        };
        std::iter::once(Cell::text((number + 1).to_string())).chain((0..seats).map(seat)).collect()
    };
    let rows = records.iter().enumerate().map(line).collect();
    Table::new("Its games: who sat where, and the scores", headings, rows, "swings.csv")
}

/// What the viewer shows. What all games share stands once.
fn data(tournament: &Tournament, variant: usize, id: &str, records: &[DealRecord]) -> Value {
    let read = |record: &DealRecord| -> Map<String, Value> {
        serde_json::from_str(&record_json(record)).expect("a record is JSON")
    };
    let shared_keys = ["schema-version", "variant", "rules", "seed", "deal", "players"];
    let mut first = read(&records[0]);
    let own_deals = tournament.unit == Unit::Match;
    let shared: Map<String, Value> = (shared_keys.iter().filter(|key| !own_deals || **key != "deal"))
        .filter_map(|&key| Some((key.to_owned(), first.remove(key)?)))
        .collect();
    let mut layouts: Vec<Value> = Vec::new();
    let games: Vec<Value> = records
        .iter()
        .map(|record| {
            let mut rest = read(record);
            let seen = sight(tournament, variant, record);
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
            for key in ["hands", "table", "moves", "tricks"].iter().chain(shared.keys().map(String::as_str).collect::<Vec<_>>().iter()) {
                rest.remove(*key);
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
            json!({"layout": number, "rest": rest, "moves": moves, "winners": winners, "sight": sight})
        })
        .collect();
    json!({"id": id, "unit": tournament.unit.plural(), "shared": shared, "layouts": layouts, "games": games})
}

/// A place (none for cards that were played), and the seats that see what lies there.
type Sight<'a> = (Option<&'a str>, u32);

/// The seats that see something, as bits.
fn bits(seen: &BySeat<bool>, seats: usize) -> u32 {
    Seat::all(seats).filter(|&seat| seen[seat]).map(|seat| 1 << seat.index()).sum()
}

fn words(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<_>>().join(" ")
}

/// What a step changes, as an array of lists: `["at", place, seats that see, cards]`, `["call", number, seats]` and
/// `["contract", text]`. The card that is played by `made` goes without saying, as does a call that all hear.
///
/// `told` is how many calls there were before it.
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
