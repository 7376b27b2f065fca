//! A decision as bytes at fixed offsets, for a guest to read.
//!
//! It has the content of the message `decide`, made from the view alone. docs/wasm.md has the table of offsets.

use overtrick_cards::Card;
use overtrick_cards::table::{Move, Place, Seat};
use overtrick_game::{Describe, Moves, View};

/// The version of the layout, and of the functions that a module exports.
pub const VERSION: u32 = 1;
/// The size of a decision in bytes.
pub const SIZE: usize = 480;
/// The byte for no value: no card, no hand, no seat, no level, an unknown call.
pub const NONE: u8 = 255;
/// The answer for card 0: answers from here on name a card by number, not a legal move by index.
///
/// A bot can thus renege where the rules accept it.
pub const CARD_ANSWER: u32 = 256;

/// The offset of each part.
pub mod at {
    #![allow(missing_docs)]
    pub const VERSION: usize = 0;
    pub const SEED: usize = 4;
    pub const LEGAL_CARDS: usize = 8;
    pub const LEGAL_CALLS: usize = 16;
    pub const LEGAL_COUNT: usize = 24;
    pub const SEAT: usize = 25;
    pub const DEALER: usize = 26;
    pub const HAND: usize = 27;
    pub const PLAYERS: usize = 28;
    pub const CIRCLE_COUNT: usize = 29;
    pub const CALL_COUNT: usize = 30;
    pub const PLAY_COUNT: usize = 31;
    pub const CIRCLE: usize = 32;
    pub const DECIDERS: usize = 36;
    pub const WON: usize = 40;
    pub const TRICKS_PLAYED: usize = 44;
    pub const LED: usize = 45;
    pub const WINNING: usize = 46;
    pub const UP_CARD: usize = 47;
    pub const TRUMP: usize = 48;
    pub const LAST_DEAL: usize = 49;
    pub const HAS_CONTRACT: usize = 50;
    pub const DECLARER: usize = 51;
    pub const LEVEL: usize = 52;
    pub const CONTRACT_TRUMP: usize = 53;
    pub const ROW_COUNT: usize = 54;
    pub const COUNTS: usize = 56;
    pub const SEEN: usize = 64;
    pub const CONTRACT_KIND: usize = 128;
    pub const TOTALS: usize = 152;
    pub const DEALS: usize = 164;
    pub const COUNTED: usize = 168;
    pub const LEADERS: usize = 172;
    pub const PLAYS: usize = 192;
    pub const CALLS: usize = 256;
    pub const ROW: usize = 320;
    pub const LEGAL: usize = 352;
}

/// A decision under construction.
struct Bytes([u8; SIZE]);

impl Bytes {
    #[inline(always)]
    fn put<const N: usize>(&mut self, at: usize, bytes: [u8; N]) {
        self.0[at..at + N].copy_from_slice(&bytes);
    }

    /// Writes bytes from `at` on, as far as there is room before `end`.
    #[inline(always)]
    fn list(&mut self, at: usize, end: usize, bytes: impl IntoIterator<Item = u8>) {
        for (byte, value) in self.0[at..end].iter_mut().zip(bytes) {
            *byte = value;
        }
    }
}

/// Returns the bytes of the decision of a `view` with these `legal` moves. `seed` is the bot's random number.
pub fn encode<G: Describe>(view: &View<'_, G>, legal: Moves, seed: u32) -> [u8; SIZE] {
    let mut out = Bytes([0; SIZE]);
    out.put(at::VERSION, VERSION.to_le_bytes());
    out.put(at::SEED, seed.to_le_bytes());
    out.put(at::LEGAL_CARDS, legal.card_set().bits().to_le_bytes());
    out.put(at::LEGAL_CALLS, legal.call_bits().to_le_bytes());
    out.list(at::LEGAL, SIZE, legal.iter().map(byte));
    out.0[at::LEGAL_COUNT] = legal.len() as u8;
    put_seats(&mut out, view);
    put_trick_and_contract(&mut out, view);
    for place in Place::ALL {
        out.0[at::COUNTS + place.index()] = view.count(place) as u8;
        out.put(at::SEEN + 8 * place.index(), view.cards(place).bits().to_le_bytes());
    }
    put_match(&mut out, view);
    put_history(&mut out, view);
    out.0
}

/// Writes who sits where, and the hands in the order of play.
fn put_seats<G: Describe>(out: &mut Bytes, view: &View<'_, G>) {
    out.put(
        at::SEAT,
        [
            view.seat().index() as u8,
            view.dealer().index() as u8,
            view.hand_to_move().index() as u8,
            view.game().layout().seats as u8,
            view.hands_in_trick() as u8,
        ],
    );
    out.put(at::CIRCLE, [NONE; 12]);
    out.list(at::CIRCLE, at::DECIDERS, view.circle().map(|hand| hand.index() as u8));
    for hand in view.circle() {
        out.0[at::DECIDERS + hand.index()] = view.decider(hand).index() as u8;
        out.0[at::WON + hand.index()] = view.tricks_won(hand) as u8;
    }
}

/// Writes the trick in progress, the contract, and the cards of the row.
fn put_trick_and_contract<G: Describe>(out: &mut Bytes, view: &View<'_, G>) {
    let known = view.game().public_extras(view.public());
    let winning = view.winning().map_or(NONE, |(hand, _)| hand.index() as u8);
    let (mut declarer, mut level, mut trump, mut kind) = (NONE, NONE, None, "");
    let contract = view.contract();
    if let Some(contract) = &contract {
        declarer = contract.declarer.map_or(NONE, |seat| seat.index() as u8);
        level = contract.level.unwrap_or(NONE);
        (trump, kind) = (contract.trump, contract.kind);
    }
    out.put(
        at::TRICKS_PLAYED,
        [
            view.tricks_played() as u8,
            card_byte(view.led()),
            winning,
            card_byte(known.up_card),
            strain(known.trump),
            u8::from(known.last_deal),
            u8::from(contract.is_some()),
            declarer,
            level,
            strain(trump),
            known.row.len() as u8,
        ],
    );
    out.list(at::CONTRACT_KIND, at::TOTALS, kind.bytes());
    out.put(at::ROW, [NONE; at::LEGAL - at::ROW]);
    out.list(at::ROW, at::LEGAL, known.row.iter().map(|card| card.index() as u8));
}

/// Writes the standing of the match.
fn put_match<G: Describe>(out: &mut Bytes, view: &View<'_, G>) {
    let standing = view.standing();
    let seats = view.game().layout().seats;
    for (seat, total) in standing.totals.of(seats).iter().enumerate() {
        out.put(at::TOTALS + 4 * seat, total.to_le_bytes());
    }
    out.put(at::DEALS, standing.deals.to_le_bytes());
    out.put(at::COUNTED, standing.counted.to_le_bytes());
}

/// Writes the plays and calls so far, with their numbers.
fn put_history<G: Describe>(out: &mut Bytes, view: &View<'_, G>) {
    let (plays, calls) = (view.plays(), view.calls());
    out.put(at::CALL_COUNT, [calls.len() as u8, plays.len() as u8]);
    out.put(at::LEADERS, [NONE; at::PLAYS - at::LEADERS]);
    if !plays.is_empty() {
        // After a complete trick, its winner follows as the leader of the next trick.
        out.list(at::LEADERS, at::PLAYS, (0..=view.tricks_played()).map(|number| view.leader(number).index() as u8));
    }
    out.put(at::PLAYS, [NONE; at::CALLS - at::PLAYS]);
    out.list(at::PLAYS, at::CALLS, plays.iter().map(|card| card.index() as u8));
    out.put(at::CALLS, [NONE; at::ROW - at::CALLS]);
    let pair = |(seat, call): (Seat, Option<Move>)| [seat.index() as u8, call.map_or(NONE, byte)];
    out.list(at::CALLS, at::ROW, calls.into_iter().flat_map(pair));
}

/// Returns a move's number: a card's number, or 64 plus a call's number.
fn byte(chosen: Move) -> u8 {
    match chosen.as_card() {
        Some(card) => card.index() as u8,
        None => 64 + chosen.as_call().unwrap_or_default(),
    }
}

/// Returns a card's number; `NONE` for no card.
fn card_byte(card: Option<Card>) -> u8 {
    card.map_or(NONE, |card| card.index() as u8)
}

/// Returns the index of a trump suit by its letter, clubs first; 4 for no trump, `NONE` if unknown.
fn strain(letter: Option<&str>) -> u8 {
    match letter {
        Some("C") => 0,
        Some("D") => 1,
        Some("H") => 2,
        Some("S") => 3,
        Some("NT") => 4,
        _ => NONE,
    }
}
