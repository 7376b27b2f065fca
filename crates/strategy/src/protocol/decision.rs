//! A decision in the protocol: everything that a [`View`] shows, and nothing else.

use std::ops::Deref;

use overtrick_cards::table::{Move, Place, Seat};
use overtrick_cards::{Card, CardSet};
use overtrick_game::{Describe, Moves, View};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{ByName, Text};

/// A decision that a bot must make.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Decision<'a> {
    /// The number that the answer must repeat.
    pub id: u64,
    /// A random number for the bot, equal in every replay of this decision.
    pub seed: u32,
    /// The legal moves.
    #[serde(borrow)]
    pub legal: Vec<Text<'a>>,
    /// The number of the deal.
    pub deal: u64,
    /// The bot's seat.
    pub seat: usize,
    /// The seat that deals.
    pub dealer: usize,
    /// The hand whose card or call is due; it need not be the seat's own.
    #[serde(borrow)]
    pub hand: Text<'a>,
    /// The cards that the seat sees, by place.
    #[serde(borrow)]
    pub seen: ByName<'a, CardSet>,
    /// The number of cards at each place, seen or not.
    #[serde(borrow)]
    pub counts: ByName<'a, usize>,
    /// The hands that play tricks, in playing order.
    #[serde(borrow)]
    pub circle: Vec<Text<'a>>,
    /// The seat that chooses the cards of a hand, for hands that their owner does not play (dummies).
    #[serde(borrow, default)]
    pub deciders: ByName<'a, usize>,
    /// The calls so far, each with its seat; a call hidden from the bot's seat is null.
    #[serde(borrow)]
    pub calls: Vec<(usize, Option<Text<'a>>)>,
    /// The contract, if it is settled.
    #[serde(borrow, default)]
    pub contract: Option<ContractSeen<'a>>,
    /// The tricks so far; the last may be in progress.
    #[serde(borrow)]
    pub tricks: Vec<TrickSeen<'a>>,
    /// The card that set the suit of the trick in progress, if it has been played.
    #[serde(default)]
    pub led: Option<Card>,
    /// The hand that is winning the trick in progress.
    #[serde(borrow, default)]
    pub winning: Option<Text<'a>>,
    /// The number of tricks won, by hand.
    #[serde(borrow)]
    pub won: ByName<'a, usize>,
    /// The card that was turned up.
    #[serde(default)]
    pub up_card: Option<Card>,
    /// The row, in the order of taking, including the cards already taken.
    #[serde(default)]
    pub row: Vec<Card>,
    /// The trump suit, if it is settled before there is a contract.
    #[serde(borrow, default)]
    pub trump: Option<Text<'a>>,
    /// Whether this is the last deal of a match, with separate rules.
    #[serde(default)]
    pub last_deal: bool,
    /// The match before this deal.
    pub standing: StandingSeen,
}

/// A trick, complete or in progress.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct TrickSeen<'a> {
    /// The hand that led.
    #[serde(borrow)]
    pub leader: Text<'a>,
    /// The cards in playing order.
    pub cards: TrickCards,
    /// The hand that won the trick; absent while it is in progress.
    #[serde(borrow, default)]
    pub winner: Option<Text<'a>>,
}

/// The cards of a trick, at most one for each hand. They are stored inline, because messages hold millions of
/// tricks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "Vec<Card>")]
pub struct TrickCards {
    cards: [Card; Place::COUNT],
    count: u8,
}

impl Deref for TrickCards {
    type Target = [Card];
    fn deref(&self) -> &[Card] {
        &self.cards[..usize::from(self.count)]
    }
}

impl TryFrom<&[Card]> for TrickCards {
    type Error = TooManyCards;
    fn try_from(played: &[Card]) -> Result<TrickCards, TooManyCards> {
        let mut cards = [Card::NONE; Place::COUNT];
        cards.get_mut(..played.len()).ok_or(TooManyCards)?.copy_from_slice(played);
        Ok(TrickCards { cards, count: played.len() as u8 })
    }
}

impl TryFrom<Vec<Card>> for TrickCards {
    type Error = TooManyCards;
    fn try_from(played: Vec<Card>) -> Result<TrickCards, TooManyCards> {
        TrickCards::try_from(&played[..])
    }
}

/// The error for a trick with more cards than hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a trick has at most {} cards", Place::COUNT)]
pub struct TooManyCards;

/// A contract, as in deal records.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ContractSeen<'a> {
    /// The declarer's seat.
    pub declarer: Option<usize>,
    /// The level, for contracts that have one.
    pub level: Option<u8>,
    /// The trump suit's letter, or `NT`.
    #[serde(borrow)]
    pub trump: Option<Text<'a>>,
    /// The kind of contract.
    #[serde(borrow)]
    pub kind: Text<'a>,
}

/// A match before a deal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StandingSeen {
    /// Points by seat.
    pub totals: Vec<i32>,
    /// Deals played.
    pub deals: u32,
    /// Deals that count towards a fixed number of deals.
    pub counted: u32,
}

impl StandingSeen {
    /// Returns the match so far, as `view` shows it.
    pub fn of<G: Describe>(view: &View<'_, G>) -> StandingSeen {
        let mut seen = StandingSeen::default();
        seen.set(view);
        seen
    }

    fn set<G: Describe>(&mut self, view: &View<'_, G>) {
        let standing = view.standing();
        self.totals.clear();
        self.totals.extend_from_slice(standing.totals.of(view.game().layout().seats));
        (self.deals, self.counted) = (standing.deals, standing.counted);
    }
}

/// Puts the texts of the legal moves into `texts`. The texts of cards to play are static strings. Cards to
/// discard have other texts, and a decision never mixes plays and discards.
fn set_texts<G: Describe>(texts: &mut Vec<Text<'static>>, view: &View<'_, G>, legal: Moves) {
    let text = |chosen: Move| view.move_text(chosen).expect("a legal move has a text");
    let first = legal.iter().find(|chosen| chosen.as_card().is_some());
    let is_play = first.is_some_and(|first| first.as_card().map(Card::text) == Some(&text(first)));
    let one = |chosen: Move| match chosen.as_card() {
        Some(card) if is_play => card.text().into(),
        _ => text(chosen).into(),
    };
    set(texts, legal.iter().map(one));
}

/// Replaces the values of a list and reuses its memory.
fn set<T>(list: &mut Vec<T>, values: impl Iterator<Item = T>) {
    list.clear();
    list.extend(values);
}

impl Decision<'static> {
    /// Returns the decision for a `view` and its `legal` moves, with the given `id`, `deal` and `seed`.
    pub fn of<G: Describe>(view: &View<'_, G>, legal: Moves, id: u64, deal: u64, seed: u32) -> Decision<'static> {
        let mut decision = Decision::default();
        decision.set(view, legal, id, deal, seed);
        decision
    }

    /// Turns `self` into the result of [`Decision::of`] and reuses the memory, since a run makes millions of
    /// decisions.
    pub(super) fn set<G: Describe>(&mut self, view: &View<'_, G>, legal: Moves, id: u64, deal: u64, seed: u32) {
        let game = view.game();
        let seats = game.layout().seats;
        let names = Place::ALL.map(|place| game.place_name(place).unwrap_or(place.name()));
        let name = |place: Place| Text::from(names[place.index()]);
        let laid = || Place::ALL.into_iter().filter(|&place| view.count(place) > 0);
        let is_own = |hand: Place| hand.index() < seats && view.decider(hand).index() == hand.index();
        let call = |(seat, call): (Seat, Option<Move>)| {
            (seat.index(), call.and_then(|call| game.text_among_calls(call)).map(Text::from))
        };
        let circle = || view.circle();
        let known = game.public_extras(view.public());
        self.id = id;
        self.deal = deal;
        self.seed = seed;
        self.seat = view.seat().index();
        self.dealer = view.dealer().index();
        self.hand = name(view.hand_to_move());
        set_texts(&mut self.legal, view, legal);
        self.seen.set(laid().map(|place| (name(place), view.cards(place))).filter(|(_, cards)| !cards.is_empty()));
        self.counts.set(laid().map(|place| (name(place), view.count(place))));
        set(&mut self.circle, circle().map(name));
        let others = circle().filter(|&hand| !is_own(hand));
        self.deciders.set(others.map(|hand| (name(hand), view.decider(hand).index())));
        set(&mut self.calls, view.calls().into_iter().map(call));
        self.contract = view.contract().map(|contract| ContractSeen {
            declarer: contract.declarer.map(Seat::index),
            level: contract.level,
            trump: contract.trump.map(Text::from),
            kind: contract.kind.into(),
        });
        let trick = |(number, cards): (usize, &[Card])| TrickSeen {
            leader: name(view.leader(number)),
            cards: cards.try_into().expect("a card for each hand"),
            winner: (number < view.tricks_played()).then(|| name(view.leader(number + 1))),
        };
        set(&mut self.tricks, view.plays().chunks(view.hands_in_trick()).enumerate().map(trick));
        self.led = view.led();
        self.winning = view.winning().map(|(hand, _)| name(hand));
        self.won.set(circle().map(|hand| (name(hand), view.tricks_won(hand))));
        (self.up_card, self.row, self.last_deal) = (known.up_card, known.row, known.last_deal);
        self.trump = known.trump.map(Text::from);
        self.standing.set(view);
    }
}
