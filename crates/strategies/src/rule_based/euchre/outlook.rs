//! Estimates the effect of a card in this trick and of the hand in later tricks.

use overtrick_cards::table::{Place, Seat};
use overtrick_cards::{Card, CardSet};
use overtrick_game::View;
use overtrick_games::euchre::{DISCARD, Euchre, STOCK, UP_CARD};

use super::Params;
use super::trumps::Trumps;
use crate::rule_based::choice::best_card;
use crate::rule_based::reading::{Powers, Reading};

/// The chances that a suit goes round once more without a ruff, twice more, and so on.
const NEXT_ROUNDS: Powers = Powers::of(0.5);

/// The two sides' cards, as a seat sees them with given trumps and a given maker.
pub(super) struct Outlook<'a> {
    params: &'a Params,
    pub(super) trumps: Trumps,
    me: Seat,
    maker: Seat,
    /// The cards whose place is not known.
    unseen: CardSet,
    /// By seat, then suit: the chance that it holds an unseen card of the suit; zero for `me`.
    share: [[f32; 4]; Place::HANDS],
    /// The up-card in another seat's hand, with the seat.
    taken: Option<(Seat, Card)>,
    /// By suit: the chance that an unseen card of it is held against the own side.
    against: [f32; 4],
    /// By seat except `me`, then suit: the chance that it holds a card of the suit.
    has: [[f32; 4]; Seat::THREE.len()],
}

impl<'a> Outlook<'a> {
    /// Returns the outlook if `maker` plays with these trumps.
    ///
    /// `taken` says whether the dealer has the up-card, or will have it.
    pub(super) fn new(
        view: &View<'_, Euchre>,
        params: &'a Params,
        trumps: Trumps,
        maker: Seat,
        taken: bool,
    ) -> Outlook<'a> {
        let Reading { mut unseen, mut share } = Reading::new(view, &[STOCK, DISCARD]);
        let (me, dealer, up_card) = (view.seat(), view.dealer(), view.public().up_card());
        // If the dealer may have discarded it unseen, it is assumed to be in hand still.
        let taken = taken && dealer != me && !view.plays().contains(&up_card);
        let taken = taken.then_some((dealer, up_card));
        if taken.is_some() {
            unseen -= CardSet::of(up_card);
        }
        if maker != me {
            // The maker holds more trumps than a player does on average: the odds of each are 2.5 times as high. The
            // factor was set by hand.
            let t = trumps.suit;
            let even = share[maker.index()][t];
            let more = 2.5 * even / (1.0 + 1.5 * even);
            let rest = if even < 1.0 { (1.0 - more) / (1.0 - even) } else { 1.0 };
            for (seat, share) in share.iter_mut().enumerate() {
                share[t] = if seat == maker.index() { more } else { share[t] * rest };
            }
        }
        let mut against = [0.0; 4];
        for seat in Seat::THREE {
            if seat != me && (me == maker || seat == maker) {
                against.iter_mut().zip(share[seat.index()]).for_each(|(sum, share)| *sum += share);
            }
        }
        let has = [[0.0; 4]; Seat::THREE.len()];
        let mut outlook = Outlook { params, trumps, me, maker, unseen, share, taken, against, has };
        for seat in Seat::THREE.into_iter().filter(|&seat| seat != me) {
            outlook.has[seat.index()] = [0, 1, 2, 3].map(|suit| outlook.holds(seat, trumps.suits[suit], suit));
        }
        outlook
    }

    fn opposes(&self, seat: Seat) -> bool {
        seat != self.me && (self.me == self.maker || seat == self.maker)
    }

    /// Returns the up-card, if `seat` is known to hold it.
    fn known(&self, seat: Seat) -> CardSet {
        match self.taken {
            Some((holder, card)) if holder == seat => CardSet::of(card),
            _ => CardSet::EMPTY,
        }
    }

    /// Returns the chance that `seat` holds one of `cards`, all of suit number `suit`.
    fn holds(&self, seat: Seat, cards: CardSet, suit: usize) -> f32 {
        if !self.known(seat).is_disjoint(cards) {
            return 1.0;
        }
        1.0 - Powers::of(1.0 - self.share[seat.index()][suit]).at((cards & self.unseen).len())
    }

    /// Returns the chance that an opponent ruffs a lead of suit number `suit`.
    ///
    /// `trumps` is the chance that an opponent who may have a trump still has it.
    fn ruffed(&self, suit: usize, trumps: f32) -> f32 {
        let mut escapes = 1.0;
        for seat in Seat::THREE.into_iter().filter(|&seat| self.opposes(seat)) {
            let has = &self.has[seat.index()];
            escapes *= 1.0 - (1.0 - has[suit]) * trumps * has[self.trumps.suit];
        }
        1.0 - escapes
    }

    /// Returns the number of tricks that the cards of `hand` promise their side.
    ///
    /// `lead` is the chance to be on lead, and `drawn` how far the opponents' trumps are about to be drawn.
    pub(super) fn promise(&self, hand: CardSet, lead: f32, drawn: f32) -> f32 {
        let Outlook { params, trumps, .. } = self;
        let voids = (0..4).filter(|&suit| suit != trumps.suit && (hand & trumps.suits[suit]).is_empty()).count();
        let opposing_card = match self.taken {
            Some((seat, card)) if self.opposes(seat) => CardSet::of(card),
            _ => CardSet::EMPTY,
        };
        let ruff = if self.me == self.maker { params.ruff } else { (2.0 * params.ruff).min(1.0) };
        // By number of void suits: the part of the chance to ruff that is left. Set by hand.
        let ruff = ruff * [0.0, 0.5, 0.9, 1.0][voids];
        let mut tricks = 0.0;
        for suit in 0..4 {
            let own = hand & trumps.suits[suit];
            let plain = suit != trumps.suit;
            if own.is_empty() {
                continue;
            }
            let reach = params.idle + (1.0 - params.idle) * lead;
            let safe = if plain { reach * (1.0 - self.ruffed(suit, 1.0 - drawn)) } else { 1.0 };
            let missing = Powers::of(1.0 - self.against[suit]);
            for card in own.iter() {
                let above = trumps.above(card);
                let (cover, higher) = ((above & own).len(), (above & self.unseen).len());
                let none = missing.at(higher);
                let known = (above & opposing_card).len();
                let top = if known == 0 { none } else { 0.0 };
                tricks += if plain {
                    top * safe * NEXT_ROUNDS.at(cover)
                } else {
                    // One higher trump falls when trumps are led, and a low trump may still ruff.
                    let one = match known {
                        _ if drawn == 0.0 => 0.0,
                        1 => none,
                        _ => higher as f32 * self.against[suit] * missing.at(higher.saturating_sub(1)),
                    };
                    let won = (top + one).min(1.0);
                    won + (1.0 - won) * ruff
                };
            }
        }
        tricks
    }

    /// Returns the chance that `seat`, which has still to play, beats `best` in a trick that `led` leads.
    fn beats(&self, seat: Seat, led: Card, best: Card) -> f32 {
        let trumps = self.trumps;
        let (suit, trump) = (trumps.suit_of(led), trumps.suit);
        let best_suit = trumps.suit_of(best);
        let followed = if best_suit == suit { self.holds(seat, trumps.above(best), suit) } else { 0.0 };
        if suit == trump {
            return followed;
        }
        let void = 1.0 - self.has[seat.index()][suit];
        let enough = if best_suit == trump { trumps.above(best) } else { trumps.suits[trump] };
        followed + void * self.holds(seat, enough, trump)
    }

    /// Returns the chances that the own side wins the trick with `card`, and that the seat itself does.
    fn trick(&self, view: &View<'_, Euchre>, card: Card) -> [f32; 2] {
        let order = view.game().order_of(view.public().trump());
        let length = view.trick_length();
        let mut holder = self.me;
        let (mut best, mut led) = (card, card);
        if length > 0 {
            let plays = view.plays();
            let trick = &plays[plays.len() - length..];
            led = trick[0];
            let (winner, strength) = view.winning().expect("a card was led");
            if strength > order.strength(led, card) {
                holder = Seat::THREE[winner.index() % Seat::THREE.len()];
                best = if order.strength(led, trick[0]) == strength { trick[0] } else { trick[length - 1] };
            }
        }
        let mut lost = f32::from(u8::from(self.opposes(holder)));
        let mut mine = f32::from(u8::from(holder == self.me));
        let mut raised = 0.0;
        let mut seat = self.me;
        for _ in length + 1..Seat::THREE.len() {
            seat = seat.left(1, Seat::THREE.len());
            // If a hand in between has beaten the best card, its card is stronger than that. Of two cards
            // that beat the same card, each is equally likely to be stronger, so half of the chance remains.
            let beats = self.beats(seat, led, best);
            let wins = beats * (1.0 - 0.5 * raised);
            raised += (1.0 - raised) * beats;
            if self.opposes(seat) {
                lost += (1.0 - lost) * wins;
                mine *= 1.0 - wins;
            } else {
                lost *= 1.0 - wins;
            }
        }
        [1.0 - lost, mine]
    }

    /// Returns the best card to play.
    pub(super) fn best(&self, view: &View<'_, Euchre>, cards: CardSet) -> Card {
        let own = view.own();
        let leads = view.trick_length() == 0;
        let value = |card: Card| {
            let [won, mine] = self.trick(view, card);
            let draws = leads && self.trumps.suit_of(card) == self.trumps.suit;
            let drawn = if draws && self.me == self.maker { self.params.draw } else { 0.0 };
            won + self.params.thrift * self.promise(own.without(card), mine, drawn)
        };
        best_card(cards, value)
    }

    /// Returns the card of `cards` that the dealer's `hand` misses least.
    pub(super) fn discard(&self, hand: CardSet, cards: CardSet) -> Card {
        best_card(cards, |card| self.promise(hand.without(card), 0.5, 0.0))
    }
}

/// Returns whether the dealer took up the card.
pub(super) fn was_taken(view: &View<'_, Euchre>) -> bool {
    view.count(UP_CARD) == 0
}
