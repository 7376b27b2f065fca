//! The effects of calls on a deal, and the reasons why calls are refused.

use overtrick_cards::table::{Place, Seat, Table};
use overtrick_cards::{Card, CardSet};
use overtrick_game::{Game, IllegalMove, Move, State};

use super::bids::{Bid, SIX_IN_DUMMY};
use super::{
    Bidding, Chameleon, DUMMY, DUMMY_TOP, DummyExposed, HAND, OuverteExposed, Phase, TALON_NEXT, TALON_TOP, discards,
};

impl Chameleon {
    /// Records a bid or a pass, and ends the auction when no player is left to bid (CH5, CH6).
    pub(super) fn bid(&self, state: &mut State<Bidding>, seat: Seat, chosen: Move) {
        let State { table, public } = state;
        let seats = self.layout.seats;
        if let Some(bid) = Bid::of(chosen) {
            public.overcalled = public.bid.is_some_and(|best| bid.recolours(best));
            public.bid = Some(bid);
            public.declarer = seat;
        } else {
            public.passed |= 1 << seat.index();
        }
        let left = seats - public.passed.count_ones() as usize;
        if left == 0 {
            self.all_passed(state);
        } else if left == 1 && public.bid.is_some() {
            self.take_talon(state);
        } else {
            let mut next = seat.left(1, seats);
            while public.has_passed(next) {
                next = next.left(1, seats);
            }
            table.give_turn(Place::hand(next));
        }
    }

    /// Continues a deal in which all players passed in the auction (CH6, DC12).
    pub(super) fn all_passed(&self, state: &mut State<Bidding>) {
        if self.rules.with_dummy() {
            state.public.phase = Phase::SixInDummy;
            state.table.give_turn(Place::hand(self.forehand(&state.table)));
        } else {
            self.throw_in(state);
        }
    }

    /// Throws the hands in (CH6, DC18), or turns up trumps in a last deal (CH30, DC20, DC21).
    pub(super) fn throw_in(&self, state: &mut State<Bidding>) {
        let State { table, public } = state;
        if !public.last_deal {
            public.phase = Phase::Over;
            return;
        }
        let exposed = table.at(if self.rules.with_dummy() { DUMMY_TOP } else { TALON_TOP });
        table.expose(exposed);
        public.up_card = exposed.first().expect("a card lies there");
        public.phase = Phase::LastDiscard;
        let first = if self.rules.with_dummy() { self.forehand(table) } else { table.dealer() };
        take(table, TALON_TOP, first);
    }

    /// Records "six in dummy" or a pass (DC12).
    pub(super) fn six_in_dummy(&self, state: &mut State<Bidding>, seat: Seat, chosen: Move) {
        if chosen == SIX_IN_DUMMY {
            let State { table, public } = state;
            public.declarer = seat;
            public.in_dummy = true;
            public.phase = Phase::Naming;
            // The declarer's own ten cards become Dummy, and the declarer takes Dummy's cards (DC13). They
            // still know their former cards.
            let own = Place::hand(seat);
            complete_dummy(table);
            let (discarded, taken) = (table.at(own), table.at(DUMMY));
            table.shift(discarded, own, DUMMY);
            table.shift(taken, DUMMY, own);
            table.show(DUMMY, seat);
        } else if seat == state.table.dealer() {
            self.throw_in(state);
        } else {
            state.table.give_turn(Place::hand(state.table.dealer()));
        }
    }

    /// Gives the declarer the talon and lets them discard (CH13).
    pub(super) fn take_talon(&self, state: &mut State<Bidding>) {
        let State { table, public } = state;
        if self.rules.with_dummy() {
            complete_dummy(table);
            if self.rules.dummy_exposed == DummyExposed::BeforeTalon {
                table.expose(table.at(DUMMY));
            }
        }
        public.phase = Phase::Discard;
        take(table, TALON_TOP, public.declarer);
        take(table, TALON_NEXT, public.declarer);
    }

    /// Moves a discard to its place, and starts the next phase after a player's last discard.
    pub(super) fn discard(&self, state: &mut State<Bidding>, seat: Seat, card: Card) {
        let State { table, public } = state;
        let hand = Place::hand(seat);
        table.shift(CardSet::of(card), hand, discards(seat));
        if table.at(hand).len() > HAND {
            return;
        }
        if public.phase == Phase::Discard {
            public.phase = Phase::Contract;
        } else if self.rules.with_dummy() && seat != table.dealer() {
            take(table, TALON_NEXT, table.dealer());
        } else {
            if self.rules.with_dummy() {
                // Dummy is not played (DC23).
                let (dealer, forehand) = (Place::hand(table.dealer()), Place::hand(self.forehand(table)));
                table.set_circle(&[dealer, forehand]);
            } else {
                // Only the dealer knows whether they kept the up-card.
                table.cover(CardSet::of(public.up_card));
            }
            public.begin_play();
            table.give_turn(Place::hand(self.forehand(table)));
        }
    }

    /// Records the contract, exposes hands as it requires, and gives forehand the lead (CH18, CH20, CH22).
    pub(super) fn announce(&self, state: &mut State<Bidding>, contract: Bid) {
        let State { table, public } = state;
        public.bid = Some(contract);
        public.begin_play();
        let own = Place::hand(public.declarer);
        if self.rules.with_dummy() {
            // The declarer's opponent plays Dummy (DC8).
            table.entrust(DUMMY, public.declarer.left(1, 2));
            table.expose(table.at(DUMMY));
        }
        if contract.level() == Some(10) {
            let hands = [Place::Hand0, Place::Hand1, Place::Hand2];
            hands.into_iter().for_each(|hand| table.expose(table.at(hand)));
        }
        if contract == Bid::MisereOuverte && self.rules.ouverte_exposed == OuverteExposed::BeforeLead {
            table.expose(table.at(own));
        }
        table.give_turn(Place::hand(self.forehand(table)));
    }

    pub(super) fn why_no_call(&self, state: &State<Bidding>, chosen: Move) -> IllegalMove {
        let public = &state.public;
        let text = self.move_text(state, chosen).unwrap_or_else(|| "this".to_owned());
        let best = public.bid.map_or_else(String::new, Bid::text);
        let (rule, why) = match public.phase {
            Phase::Auction => match Bid::of(chosen) {
                None => ("CH7", format!("{text}: bid a suit, misere or misere-ouverte, or pass")),
                Some(bid) if public.bid.is_some_and(|best| bid.level().is_some() && bid.level() == best.level()) => {
                    let why = if public.overcalled {
                        "that number has been overcalled once, and no more is allowed".to_owned()
                    } else {
                        format!("{best} is overcalled at the same number by the other colour only")
                    };
                    ("CH10", format!("{text}: {why}"))
                }
                Some(Bid::MisereOuverte | Bid::Tricks { level: 10, .. }) => {
                    ("CH9", format!("{text} is not higher than {best}"))
                }
                Some(_) => ("CH8", format!("{text} is not higher than {best}")),
            },
            Phase::SixInDummy => ("DC12", format!("{text}: say `six-in-dummy` or `pass`")),
            Phase::Naming => ("DC14", format!("{text}: name a trump suit or `concede`")),
            Phase::Discard => ("CH13", format!("{text}: the declarer discards a card from their own hand")),
            Phase::LastDiscard if self.rules.with_dummy() => ("DC22", format!("{text}: discard a card of the hand")),
            Phase::LastDiscard => ("CH30", format!("{text}: the dealer discards a card from their own hand")),
            _ => match (Bid::of_contract(chosen), public.bid) {
                (Some(Bid::Tricks { level, .. }), Some(Bid::Tricks { level: own, .. })) if level == own => {
                    ("CH16", format!("{text}: {best} can become no trump at the same number, but no other suit"))
                }
                (Some(_), _) => ("CH17", format!("{text} is not higher than {best}")),
                (None, _) => ("CH14", format!("{text}: announce a contract, {best} or a higher one")),
            },
        };
        IllegalMove { rule, why }
    }
}

/// Lets a seat take a card of the talon. It is then that seat's turn to discard.
fn take(table: &mut Table, from: Place, seat: Seat) {
    table.shift(table.at(from), from, Place::hand(seat));
    table.show(discards(seat), seat);
    table.give_turn(Place::hand(seat));
}

/// Adds Dummy's top card, which a last deal keeps apart, to its other cards.
fn complete_dummy(table: &mut Table) {
    table.shift(table.at(DUMMY_TOP), DUMMY_TOP, DUMMY);
}
