//! A decision to be made: all that a [`View`] shows, written out, and nothing else.

use std::ops::Deref;

use overtrick_cards::table::{Move, Place, Seat};
use overtrick_cards::{Card, CardSet};
use overtrick_game::{Describe, Moves, View};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{ByName, Text};

/// A decision to be made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Decision<'a> {
    /// The number that the answer must give.
    pub id: u64,
    /// A random number for the bot: the same wherever and whenever this decision is played again.
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
    /// By place: the cards that the seat sees there.
    #[serde(borrow)]
    pub seen: ByName<'a, CardSet>,
    /// By place: how many cards lie there, seen or not.
    #[serde(borrow)]
    pub counts: ByName<'a, usize>,
    /// The hands that play tricks, in the order in which they play.
    #[serde(borrow)]
    pub circle: Vec<Text<'a>>,
    /// The seat that chooses the cards of a hand, where that is not its owner: dummies.
    #[serde(borrow, default)]
    pub deciders: ByName<'a, usize>,
    /// The calls so far, with the seat that made each; a call that the seat may not know is null.
    #[serde(borrow)]
    pub calls: Vec<(usize, Option<Text<'a>>)>,
    /// The contract, once it is settled.
    #[serde(borrow, default)]
    pub contract: Option<ContractSeen<'a>>,
    /// The tricks so far; the last may be in progress.
    #[serde(borrow)]
    pub tricks: Vec<TrickSeen<'a>>,
    /// The card that set the suit of the trick in progress; absent before it is played.
    #[serde(default)]
    pub led: Option<Card>,
    /// The hand that is winning the trick in progress.
    #[serde(borrow, default)]
    pub winning: Option<Text<'a>>,
    /// By hand: the tricks that it has won.
    #[serde(borrow)]
    pub won: ByName<'a, usize>,
    /// The card that was turned up.
    #[serde(default)]
    pub up_card: Option<Card>,
    /// The row, in the order in which it is taken, with the cards that have been.
    #[serde(default)]
    pub row: Vec<Card>,
    /// The trump suit, where it is settled before there is a contract.
    #[serde(borrow, default)]
    pub trump: Option<Text<'a>>,
    /// Whether this is the last deal of a match and follows rules of its own.
    #[serde(default)]
    pub last_deal: bool,
    /// The match so far.
    pub standing: StandingSeen,
}

/// A trick, whole or in progress.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct TrickSeen<'a> {
    /// The hand that led.
    #[serde(borrow)]
    pub leader: Text<'a>,
    /// The cards in the order in which they were played.
    pub cards: TrickCards,
    /// The hand that won it; absent while it is in progress.
    #[serde(borrow, default)]
    pub winner: Option<Text<'a>>,
}

/// The cards of a trick, one for each hand at most. They take no memory of their own, for messages have millions.
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

/// A trick has more cards than there can be hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a trick has at most {} cards", Place::COUNT)]
pub struct TooManyCards;

/// A contract: as in deal records.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ContractSeen<'a> {
    /// The declarer's seat.
    pub declarer: Option<usize>,
    /// The level, where contracts have one.
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
    /// Those that count towards a fixed number of deals.
    pub counted: u32,
}

impl StandingSeen {
    /// The match so far, as `view` shows it.
    pub fn of<G: Describe>(view: &View<'_, G>) -> StandingSeen {
        let mut seen = StandingSeen::default();
        seen.set(view);
        seen
    }

    /// Becomes the match so far, as `view` shows it.
    fn set<G: Describe>(&mut self, view: &View<'_, G>) {
        let standing = view.standing();
        self.totals.clear();
        self.totals.extend_from_slice(standing.totals.of(view.game().layout().seats));
        (self.deals, self.counted) = (standing.deals, standing.counted);
    }
}

/// Puts the texts of the legal moves into `texts`. Those of cards to be played are at hand; cards to be discarded are
/// named otherwise, and a decision has only the ones or the others.
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

/// Puts `values` in the place of those of a list, in its memory.
fn set<T>(list: &mut Vec<T>, values: impl Iterator<Item = T>) {
    list.clear();
    list.extend(values);
}

impl Decision<'static> {
    /// The decision for a `view` and its `legal` moves; `id`, `deal` and `seed` go into the fields of these names.
    pub fn of<G: Describe>(view: &View<'_, G>, legal: Moves, id: u64, deal: u64, seed: u32) -> Decision<'static> {
        let mut decision = Decision::default();
        decision.set(view, legal, id, deal, seed);
        decision
    }

    /// Becomes the decision that [`Decision::of`] gives, in the memory of the one that it was: a run makes millions.
    pub(super) fn set<G: Describe>(&mut self, view: &View<'_, G>, legal: Moves, id: u64, deal: u64, seed: u32) {
        let game = view.game();
        let seats = game.layout().seats;
        let names = Place::ALL.map(|place| {
            let hand = || game.layout().hands.get(place.index()).copied();
            game.aside_name(place).or_else(hand).unwrap_or(place.name())
        });
        let name = |place: Place| Text::from(names[place.index()]);
        let laid = || Place::ALL.into_iter().filter(|&place| view.count(place) > 0);
        let is_own = |hand: Place| hand.index() < seats && view.decider(hand).index() == hand.index();
        let call = |(seat, call): (Seat, Option<Move>)| {
            let text = |call: Move| match (call.as_card(), call.as_call()) {
                // A card among the calls is a discard.
                (Some(card), _) => Some(format!("discard {card}")),
                (_, call) => game.call_text(call?),
            };
            (seat.index(), call.and_then(text).map(Text::from))
        };
        let circle = || view.circle();
        let known = game.public_extras(view.public());
        (self.id, self.deal, self.seed) = (id, deal, seed);
        (self.seat, self.dealer) = (view.seat().index(), view.dealer().index());
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
