//! The effects of calls on a deal, and the reasons why calls are refused.

use overtrick_cards::table::{Place, Seat, Table};
use overtrick_cards::{Card, CardSet};
use overtrick_game::{Game, IllegalMove, Move, State};

use super::bids::{self, Bid, EXCHANGE, KEEP, Kind, Named, PASS, named};
use super::{Contracting, DISCARDED, DUMMY, DefenderDummy, DummyWhist, Form, HumbugChoice, Phase, TRICKS, second_hand};

impl DummyWhist {
    /// Begins the tricks.
    ///
    /// The declarer leads from their own hand (WH28). With a turn-up the non-dealer leads (HB7).
    pub(super) fn begin_play(&self, table: &mut Table, contracting: &mut Contracting) {
        contracting.phase = Phase::Play;
        let leader = match contracting.bid {
            Some(_) => contracting.declarer,
            None => table.dealer().left(1, self.layout.seats),
        };
        table.give_turn(Place::hand(leader));
    }

    /// Carries out a choice between two hands (HB2, HB4).
    pub(super) fn take(&self, table: &mut Table, seat: Seat, choice: Move) {
        if choice == EXCHANGE {
            let (own, dead) = (Place::hand(seat), second_hand(seat));
            let (thrown_in, taken) = (table.at(own), table.at(dead));
            table.shift(thrown_in, own, dead);
            table.shift(taken, dead, own);
            table.show(dead, seat);
        }
    }

    /// Records the choice of `seat`.
    ///
    /// A secret choice changes nothing on the table until both are known (HB5).
    pub(super) fn choose(&self, state: &mut State<Contracting>, seat: Seat, choice: Move) {
        let State { table, public } = state;
        let secret = self.rules.humbug_choice == HumbugChoice::Simultaneous;
        if seat != table.dealer() {
            if !secret {
                self.take(table, seat, choice);
            }
            table.give_turn(Place::hand(table.dealer()));
            return;
        }
        let (forehand, first) = table.calls()[0];
        if secret {
            self.take(table, forehand, first);
        }
        self.take(table, seat, choice);
        table.unseal();
        public.kept = u8::from(first == KEEP) + u8::from(choice == KEEP);
        if self.rules.turns_up() {
            self.begin_play(table, public);
        } else {
            public.phase = Phase::Auction;
            table.give_turn(Place::hand(forehand));
        }
    }

    /// Records a bid or a pass, and ends the auction after the dealer's turn (WH6).
    pub(super) fn bid(&self, state: &mut State<Contracting>, seat: Seat, chosen: Move) {
        let State { table, public } = state;
        if let Some(bid) = Bid::of(chosen) {
            public.forced = public.bid.is_none() && seat == table.dealer();
            public.bid = Some(bid);
            public.declarer = seat;
        }
        if seat != table.dealer() {
            table.give_turn(Place::hand(seat.left(1, self.layout.seats)));
            return;
        }
        let declarer = public.declarer;
        public.downtown = public.bid.is_some_and(|bid| bid.kind == Kind::Downtown);
        public.phase = Phase::Declaration;
        table.give_turn(Place::hand(declarer));
        match self.rules.form {
            Form::DummyWhist => {
                // The dummy sits opposite the declarer, who plays its cards (WH3, WH4).
                let left = |steps| Place::hand(declarer.left(steps, 3));
                table.set_circle(&[left(0), left(1), DUMMY, left(2)]);
                table.entrust(DUMMY, declarer);
                if table.at(DUMMY).len() > u32::from(TRICKS) {
                    public.phase = Phase::Discard;
                    table.show(DUMMY, declarer);
                    table.show(DISCARDED, declarer);
                    table.give_turn(DUMMY);
                } else {
                    table.expose(table.at(DUMMY));
                }
            }
            Form::DoubleDummy => {
                table.expose(table.at(second_hand(declarer)));
                if self.rules.defender_dummy_exposed == DefenderDummy::BeforeDeclaration {
                    table.expose(table.at(second_hand(declarer.left(1, 2))));
                }
            }
            Form::Humbug => {}
        }
    }

    /// Moves a card that the declarer discards from the dummy (WH14, WH16).
    pub(super) fn discard(&self, state: &mut State<Contracting>, card: Card) {
        let State { table, public } = state;
        table.shift(CardSet::of(card), DUMMY, DISCARDED);
        if table.at(DUMMY).len() == u32::from(TRICKS) {
            table.expose(table.at(DUMMY));
            public.phase = Phase::Declaration;
            table.give_turn(Place::hand(public.declarer));
        }
    }

    /// Records trumps or the direction, and begins the play (WH18).
    pub(super) fn declare(&self, state: &mut State<Contracting>, chosen: Move) {
        let State { table, public } = state;
        match named(chosen) {
            Some(Named::Trump(suit)) => public.trump = Some(suit),
            Some(Named::Direction { downtown }) => public.downtown = downtown,
            None => {}
        }
        if self.rules.form == Form::DoubleDummy {
            table.expose(table.at(second_hand(public.declarer.left(1, 2))));
        }
        self.begin_play(table, public);
    }

    pub(super) fn why_no_call(&self, state: &State<Contracting>, chosen: Move) -> IllegalMove {
        let public = &state.public;
        let text = self.move_text(state, chosen).unwrap_or_else(|| "this".to_owned());
        let (rule, why) = match (public.phase, Bid::of(chosen)) {
            (Phase::Choice, _) => ("HB2", format!("{text}: say `keep` or `exchange`")),
            (Phase::Discard, _) => ("WH15", format!("{text}: the declarer discards a card of the dummy")),
            (Phase::Auction, None) if chosen == PASS => {
                ("WH7", "pass: the dealer must bid if all others have passed".to_owned())
            }
            (Phase::Auction, None) => ("WH6", format!("{text}: bid or pass")),
            (Phase::Auction, Some(bid)) if bid.level < self.rules.min_bid => {
                ("WH9", format!("{text}: the lowest bid is {}", self.rules.min_bid))
            }
            (Phase::Auction, Some(bid)) => {
                let best = public.bid.map_or(String::new(), |best| {
                    format!(" better {}", &bids::call_text(best.call()).unwrap_or_default()[4..])
                });
                let rule = match public.bid {
                    Some(best) if best.level > bid.level => "WH10",
                    Some(Bid { kind: Kind::NoTrump, .. }) => "WH11",
                    _ => "WH12",
                };
                (rule, format!("{text} does not{best}"))
            }
            _ if named(chosen).is_some() => ("WH19", format!("{text}: {}", self.what_to_name(public))),
            _ => ("WH18", format!("{text}: {}", self.what_to_name(public))),
        };
        IllegalMove { rule, why }
    }

    pub(super) fn what_to_name(&self, public: &Contracting) -> &'static str {
        match public.bid {
            Some(Bid { kind: Kind::NoTrump, .. }) => "after a bid of no trump the declarer names uptown or downtown",
            _ => "the declarer names a trump suit",
        }
    }
}
