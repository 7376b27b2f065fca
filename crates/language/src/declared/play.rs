//! The moves and scores of a declared game.

use std::ops::RangeInclusive;

use overtrick_cards::table::{BySeat, Place, Seat, Table};
use overtrick_cards::{Card, CardSet, Generator, Order, Pack, Stream};
use overtrick_game::{
    ContractResult, Describe, Ending, FieldError, Game, IllegalMove, Layout, Move, Moves, Preset, Setup, State,
};

use super::{DeclaredGame, DeclaredPhase, DeclaredPublic, FileRules, MatchCourse, REST, ROW, ROW_LAST, UP_CARD, pile};
use crate::compile::{DutyTrick, PlayMoment, TrumpRounds, intern};
use crate::source::{FaceWord, MustWord};

impl DeclaredGame {
    /// Follows up a play: a dummy is turned up, or the winner of a trick takes a prize.
    #[inline(never)]
    fn after_play(&self, table: &mut Table, public: &DeclaredPublic, winner: Option<Place>) {
        if table.plays().len() == 1 {
            for dummy in self.seating.dummies.iter().filter(|dummy| dummy.face == FaceWord::AfterLead) {
                table.expose(table.at(dummy.place));
            }
        }
        let Some(winner) = winner.filter(|_| self.dealing.row) else { return };
        let pile = pile(Seat::new(winner.index()));
        let prize = public.row[table.tricks_played() - 1];
        table.shift(CardSet::of(prize), ROW, pile);
        if table.tricks_played() == self.tricks && self.dealing.last_trick_takes {
            let last = table.at(ROW_LAST);
            table.shift(last, ROW_LAST, pile);
            table.expose(last);
        }
    }

    /// Returns the reason why a card of the hand, which follows suit as it must, may not be played.
    fn why_forbidden(&self, state: &State<DeclaredPublic>, chosen: Move) -> Option<IllegalMove> {
        let card = chosen.as_card()?;
        let (hand, trick) = (state.table.at(state.table.hand_to_move()), self.duty_trick(state));
        if !hand.contains(card) {
            return None;
        }
        if let Some(duty) = self.duties.refusal(trick, hand, card) {
            let why = match duty {
                // The trait has the reason.
                MustWord::Follow => return None,
                MustWord::Trump => format!("{card} is no trump, and the hand has one"),
                MustWord::Beat | MustWord::BeatIfTrump => {
                    format!("{card} does not beat {}, and the hand can", self.winning_card(state))
                }
            };
            return Some(IllegalMove { rule: "play.must", why });
        }
        let refusal = self.bars.refusal(moment(state), self.duties.allowed(trick, hand), card)?;
        Some(IllegalMove { rule: intern(&refusal.key), why: format!("{card} {}", refusal.why) })
    }

    /// Returns the card that wins the trick so far.
    fn winning_card(&self, state: &State<DeclaredPublic>) -> Card {
        let (table, order) = (&state.table, self.order_in_force(&state.public));
        let (played, led) = (table.plays().len(), table.led());
        let strength = |card: &Card| order.strength(if order.follow(led).is_empty() { *card } else { led }, *card);
        let trick = &table.plays()[played - table.trick_length()..];
        trick.iter().copied().max_by_key(strength).unwrap_or(Card::NONE)
    }

    /// Returns the trick in progress as the duties of the hand to move need it.
    #[inline(always)]
    pub(super) fn duty_trick(&self, state: &State<DeclaredPublic>) -> DutyTrick {
        let (table, led) = (&state.table, state.table.led());
        let winning = table.winning();
        DutyTrick {
            order: usize::from(state.public.order),
            led,
            follow: self.order_in_force(&state.public).follow(led),
            best: winning.map(|(_, best)| best),
            partner_wins: winning.is_some_and(|(winner, _)| self.are_partners(winner, table.hand_to_move())),
        }
    }

    /// Returns whether two hands belong to partners.
    #[inline(always)]
    pub(super) fn are_partners(&self, hand: Place, other: Place) -> bool {
        self.seating.partners && hand.index() ^ other.index() == 2
    }

    /// Returns the cards that may be played, where following suit is not all that is demanded.
    ///
    /// `following` has the cards that follow suit, or the hand if it has none.
    #[inline(never)]
    fn demanded(&self, state: &State<DeclaredPublic>, following: CardSet) -> CardSet {
        let left = if self.duties.are_plain() {
            following
        } else {
            self.duties.allowed(self.duty_trick(state), state.table.at(state.table.hand_to_move()))
        };
        if self.bars.is_empty() { left } else { self.bars.allowed(moment(state), left) }
    }

    /// Returns the order in force, or the first one before there is one.
    #[inline(always)]
    fn order_in_force(&self, public: &DeclaredPublic) -> &Order {
        &self.orders[usize::from(public.order)]
    }
}

/// Returns the moment of the play that is due.
#[inline(always)]
pub(super) fn moment(state: &State<DeclaredPublic>) -> PlayMoment {
    let table = &state.table;
    PlayMoment { tricks: table.tricks_played(), leads: table.trick_length() == 0, ended: state.public.ended }
}

impl Game for DeclaredGame {
    const NAME: &'static str = "a game of a file";

    const ABOUT: &'static str = "the game that a file declares";

    const PRESETS: &'static [Preset] = &[];

    // The file has the numbers of rules.
    const FOLLOW_RULE: &'static str = "";

    const TURN_RULE: &'static str = "";

    type Rules = FileRules;

    type Public = DeclaredPublic;

    fn name(&self) -> &'static str {
        self.texts.name
    }

    fn about(&self) -> &'static str {
        self.texts.about
    }

    fn follow_rule(&self) -> &'static str {
        self.texts.follow
    }

    fn turn_rule(&self) -> &'static str {
        self.texts.turn
    }

    #[inline(always)]
    fn in_step(&self) -> bool {
        self.rounds.is_none() && self.cycle() == 1
    }

    fn new(_rules: FileRules) -> Result<DeclaredGame, FieldError> {
        let problem = "do not say which file they are of: make the game by DeclaredGame::of".to_owned();
        Err(FieldError { key: "", problem })
    }

    fn rules(&self) -> &FileRules {
        &self.rules
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn ending(&self) -> Ending {
        self.ending
    }

    fn first_dealer(&self, rng: impl FnOnce() -> Stream) -> Seat {
        self.seating.first_dealer(rng)
    }

    fn cycle(&self) -> u32 {
        self.cycle
    }

    fn counts_totals(&self) -> bool {
        self.score.reads_totals()
    }

    #[inline(always)]
    fn lay_out<R: Generator>(&self, table: &mut Table, setup: Setup, rng: &mut Stream<R>) -> DeclaredPublic {
        let mut pack = Pack::new(self.cards, rng);
        let size = self.dealing.hand_of(setup.deal);
        let mut turned = Card::NONE;
        for hand in &Place::ALL[..self.layout.hands.len()] {
            let is_turned = self.dealing.dealers_last && *hand == Place::hand(table.dealer());
            let mut cards = pack.take(size - u32::from(is_turned));
            if is_turned {
                turned = pack.take_one().unwrap_or(Card::NONE);
                cards |= CardSet::of(turned);
            }
            table.lay(*hand, cards);
        }
        let mut row = [Card::NONE; DeclaredPublic::ROW];
        if self.dealing.row {
            let cards = row.iter_mut().take(self.tricks);
            cards.for_each(|card| *card = pack.take_one().unwrap_or(Card::NONE));
            table.lay(ROW, row[..self.tricks].iter().copied().collect());
        }
        if self.dealing.row_last {
            table.lay(ROW_LAST, pack.take(1));
        }
        if self.dealing.turned {
            turned = pack.take_one().unwrap_or(Card::NONE);
            table.lay(UP_CARD, CardSet::of(turned));
        }
        if self.dealing.rest > 0 {
            table.lay(REST, pack.take(u32::MAX));
        }
        let course = MatchCourse { deal: setup.deal as u16, tricks: size as u8, totals: setup.totals };
        self.open(table, course, turned, row)
    }

    #[inline(always)]
    fn legal(&self, state: &State<DeclaredPublic>) -> Moves {
        if let Some(bids) = self.bids_of(&state.public)
            && state.public.phase == DeclaredPhase::Bid
        {
            return self.legal_bids(bids, state);
        }
        if let Some(passing) = &self.passing
            && state.public.phase == DeclaredPhase::Pass
        {
            return self.legal_passes(passing, state);
        }
        let legal = match &self.rounds {
            Some(rounds) if state.public.phase != DeclaredPhase::Play => return self.legal_before_play(rounds, state),
            // Without a branch on voids, which mispredicts where deals are out of step.
            Some(_) => state.table.legal_plays_with_anytime(self.order_in_force(&state.public), CardSet::EMPTY),
            None => state.table.legal_plays(self.order_in_force(&state.public)),
        };
        if self.is_plain { legal } else { Moves::cards(self.demanded(state, legal.card_set())) }
    }

    #[inline(always)]
    fn play_unchecked(&self, state: &mut State<DeclaredPublic>, chosen: Move) {
        if let Some(passing) = &self.passing
            && state.public.phase == DeclaredPhase::Pass
        {
            return self.pass_unchecked(passing, state, chosen);
        }
        let State { table, public } = state;
        if public.phase != DeclaredPhase::Play {
            self.call_unchecked(table, public, chosen);
            return;
        }
        if !self.bars.is_empty() {
            public.ended |= self.bars.ended_by(chosen.to_card());
        }
        let winner = table.play(chosen.to_card(), self.order_in_force(public));
        if self.watches_plays {
            self.after_play(table, public, winner);
        }
    }

    #[inline(always)]
    fn is_over(&self, state: &State<DeclaredPublic>) -> bool {
        state.table.tricks_played() == usize::from(state.public.tricks)
    }

    #[inline]
    fn scores(&self, state: &State<DeclaredPublic>) -> BySeat<i32> {
        let facts = self.facts(&state.table, &state.public);
        match &self.table {
            Some(table) => table.scores(&facts),
            None => self.score.results(&facts).map(|result| result.points),
        }
    }

    fn score_range(&self) -> RangeInclusive<i32> {
        match &self.table {
            Some(table) => table.range(),
            None => self.score.range(),
        }
    }

    fn order(&self, state: &State<DeclaredPublic>) -> Option<&Order> {
        (state.public.phase == DeclaredPhase::Play).then(|| self.order_in_force(&state.public))
    }

    #[inline]
    fn contract_result(&self, over: &State<DeclaredPublic>) -> Option<ContractResult> {
        let declarer = over.public.declarer?;
        let by_dealer = declarer == over.table.dealer();
        let made = self.score.is_made(&self.facts(&over.table, &over.public));
        Some(ContractResult { kind: 2 * over.public.round + u8::from(by_dealer), declarer: Some(declarer), made })
    }

    fn call_text(&self, call: u8) -> Option<String> {
        let Some(TrumpRounds { calls, .. }) = &self.rounds else { return self.bid_text(call) };
        calls.get(usize::from(call)).map(|call| call.text.to_owned())
    }

    fn move_text(&self, state: &State<DeclaredPublic>, chosen: Move) -> Option<String> {
        match chosen.as_card() {
            Some(card) if !matches!(state.public.phase, DeclaredPhase::Discard | DeclaredPhase::Pass) => {
                Some(card.to_string())
            }
            _ => self.text_among_calls(chosen),
        }
    }

    fn why_not(&self, state: &State<DeclaredPublic>, chosen: Move) -> IllegalMove {
        match state.public.phase {
            DeclaredPhase::Play => self.why_forbidden(state, chosen).unwrap_or_else(|| self.why_no_play(state, chosen)),
            DeclaredPhase::Bid => self.why_no_bid(state, chosen),
            DeclaredPhase::Pass => self.why_no_pass(state, chosen),
            _ => self.why_no_call(state, chosen),
        }
    }
}
