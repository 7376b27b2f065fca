//! The parts of a deal that each seat could see, step by step.

use overtrick_cards::Card;
use overtrick_cards::table::{BySeat, Place, Seat};
use overtrick_game::{Contract, Describe, Game, Setup, Standing, View};
use overtrick_games::{OpenGame, Variant};

use super::recording::{DealRecord, Recording};
use crate::{Seeds, Unit};

/// The places of the cards of a deal and the seats that see them, step by step.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DealSight {
    /// The hands that played tricks, in the order of play.
    pub circle: Vec<&'static str>,
    /// The cards as dealt, then the changes by each move.
    pub steps: Vec<SightStep>,
}

/// The changes by a move.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct SightStep {
    /// The cards that have moved, or that other seats see now: the card, its place and, by seat, whether it
    /// is seen.
    ///
    /// The place is `None` once the card has been played.
    pub cards: Vec<(Card, Option<&'static str>, BySeat<bool>)>,
    /// The calls that more seats know now, by index over all calls from 0. A new call is among them.
    pub calls: Vec<(usize, BySeat<bool>)>,
    /// The new contract, if it has changed. All seats know it.
    pub contract: Option<Contract>,
}

/// Plays a deal of a variant again from its record, and notes what every seat sees of it.
///
/// # Panics
/// If the record is not of this variant.
pub fn sight(variant: &Variant, record: &DealRecord) -> DealSight {
    let game: &OpenGame = &variant.game.erased();
    let unit = if record.game.is_some() { Unit::Match } else { Unit::Deal };
    let seeds = Seeds::new(record.luck, &variant.name, game, unit);
    let totals = |seat: Seat| record.totals_before.get(seat.index()).copied().unwrap_or_default();
    let deals = if unit == Unit::Match { record.deal as u32 } else { 0 };
    let standing = Standing { totals: BySeat::from_fn(totals), deals, counted: 0 };
    let number = record.game.unwrap_or(record.deal);
    let (dealer, last_deal) = (record.dealer, record.last_deal);
    let setup = Setup { dealer, last_deal, ..seeds.setup(game, number, &standing) };
    let mut recording = Recording::with(game, &seeds, number, &standing, setup);
    let mut seen = Seen::default();
    let mut steps = vec![seen.look(game, &recording)];
    for made in &record.moves {
        let chosen = recording.read_move(&made.text).expect("a move of this record");
        recording.make(chosen, None).expect("a legal move of this record");
        steps.push(seen.look(game, &recording));
    }
    let names = game.layout().hands;
    DealSight { circle: recording.state().table.circle().map(|hand| names[hand.index()]).collect(), steps }
}

/// The state at the last look.
#[derive(Default)]
struct Seen {
    cards: Vec<(Card, Option<&'static str>, BySeat<bool>)>,
    calls: Vec<BySeat<bool>>,
    contract: Option<Contract>,
}

impl Seen {
    /// Returns the changes since the last look.
    fn look(&mut self, game: &OpenGame, recording: &Recording<'_, OpenGame>) -> SightStep {
        let table = &recording.state().table;
        let views: Vec<_> = Seat::all(game.layout().seats).map(|seat| recording.view(seat)).collect();
        let name = |place: Place| {
            let hand = game.layout().hands.get(place.index()).copied();
            hand.or_else(|| game.aside_name(place)).unwrap_or_else(|| place.name())
        };
        let mut step = SightStep::default();
        let mut cards = Vec::new();
        for place in Place::ALL {
            for card in table.at(place).sorted() {
                let known = by_seat(&views, |view| view.cards(place).contains(card));
                cards.push((card, Some(name(place)), known));
            }
        }
        let gone = |known: &&(Card, Option<_>, _)| known.1.is_some() && cards.iter().all(|now| now.0 != known.0);
        step.cards.extend(self.cards.iter().filter(gone).map(|&(card, ..)| (card, None, by_seat(&views, |_| true))));
        step.cards.extend(cards.iter().filter(|now| !self.cards.contains(now)));
        self.cards = cards;
        let calls: Vec<_> = views.iter().map(View::calls).collect();
        for number in 0..table.calls().len() {
            let known = by_seat(&calls, |calls| calls[number].1.is_some());
            if self.calls.get(number) != Some(&known) {
                step.calls.push((number, known));
            }
            self.calls.resize(self.calls.len().max(number + 1), known);
            self.calls[number] = known;
        }
        let contract = views[0].contract();
        if contract != self.contract {
            (step.contract, self.contract) = (contract, contract);
        }
        step
    }
}

/// Returns, by seat, whether it knows something: `knows` asks the list, which has a value for each seat of the table.
fn by_seat<T>(list: &[T], knows: impl Fn(&T) -> bool) -> BySeat<bool> {
    BySeat::from_fn(|seat: Seat| list.get(seat.index()).is_some_and(&knows))
}
