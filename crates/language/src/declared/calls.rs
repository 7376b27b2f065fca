//! The calls by which trumps are made, and the discard.

use overtrick_cards::CardSet;
use overtrick_cards::table::{Place, Table};
use overtrick_game::{Game, IllegalMove, Move, Moves, State};

use super::{DISCARD, DeclaredGame, DeclaredPhase, DeclaredPublic, UP_CARD};
use crate::compile::{PASS_CALL, TrumpRounds, intern};

impl DeclaredGame {
    /// Begins the rounds in which trumps are made.
    #[inline(always)]
    pub(super) fn begin_rounds(&self, rounds: &TrumpRounds, table: &mut Table, public: &mut DeclaredPublic) {
        let dealer = table.dealer();
        public.phase = DeclaredPhase::Round;
        public.trump = public.turned.suit();
        if let Some(taker) = rounds.taker {
            table.show(DISCARD, self.seat(dealer, taker));
        }
        table.give_turn(Place::hand(self.seat(dealer, 1)));
    }

    /// Returns the legal moves before cards are played.
    #[inline(always)]
    pub(super) fn legal_before_play(&self, rounds: &TrumpRounds, state: &State<DeclaredPublic>) -> Moves {
        let (table, public) = (&state.table, &state.public);
        let round = &rounds.rounds[usize::from(public.round)];
        if public.phase == DeclaredPhase::Discard {
            let kept = if round.may_discard_taken { CardSet::EMPTY } else { CardSet::of(public.turned) };
            return Moves::cards(table.at(table.hand_to_move()) - kept);
        }
        let turned = public.trump.map_or(0, |suit| suit as usize);
        let is_last = table.seat_to_move() == table.dealer();
        Moves::calls(round.legal[turned][usize::from(is_last)])
    }

    /// Makes a legal call or discard.
    #[inline(always)]
    pub(super) fn call_unchecked(&self, table: &mut Table, public: &mut DeclaredPublic, chosen: Move) {
        let Some(rounds) = &self.rounds else { return self.bid_unchecked(table, public, chosen) };
        let (seat, dealer) = (table.seat_to_move(), table.dealer());
        let round = &rounds.rounds[usize::from(public.round)];
        table.call(chosen);
        let next = match chosen.as_call() {
            None => {
                table.shift(CardSet::of(chosen.to_card()), Place::hand(seat), DISCARD);
                if round.may_discard_taken {
                    // Only the taker knows whether they kept the card.
                    table.cover(CardSet::of(public.turned));
                }
                self.begin_play(table, public)
            }
            Some(PASS_CALL) => {
                public.round += u8::from(seat == dealer);
                return table.give_turn(Place::hand(seat.left(1, self.players())));
            }
            Some(call) => {
                public.declarer = Some(seat);
                public.trump = rounds.calls[usize::from(call)].suit.or(public.trump);
                public.order = public.trump.map_or(0, |suit| suit as u8);
                match round.taker {
                    Some(taker) => {
                        table.shift(CardSet::of(public.turned), UP_CARD, Place::hand(self.seat(dealer, taker)));
                        public.phase = DeclaredPhase::Discard;
                        Place::hand(self.seat(dealer, taker))
                    }
                    None => self.begin_play(table, public),
                }
            }
        };
        table.give_turn(next);
    }

    /// Begins the play, and returns the hand that leads.
    #[inline(always)]
    pub(super) fn begin_play(&self, table: &Table, public: &mut DeclaredPublic) -> Place {
        public.phase = DeclaredPhase::Play;
        self.first_leader(table)
    }

    /// Returns the reason why a call or a discard is not allowed.
    pub(super) fn why_no_call(&self, state: &State<DeclaredPublic>, chosen: Move) -> IllegalMove {
        let text = self.move_text(state, chosen).unwrap_or_else(|| "this".to_owned());
        let public = &state.public;
        let why = match (public.phase, chosen.as_card()) {
            (DeclaredPhase::Discard, Some(card)) if card == public.turned => {
                format!("{text}: the taker discards another card than the one taken up")
            }
            (DeclaredPhase::Discard, _) => format!("{text}: the taker discards a card from their own hand"),
            _ if chosen.as_call() == Some(PASS_CALL) => "pass: the last player must make trumps".to_owned(),
            _ => format!("{text}: is no call of this round, or names the suit turned down"),
        };
        let rule = intern(&format!("trumps.rounds {}", public.round + 1));
        IllegalMove { rule, why }
    }
}
