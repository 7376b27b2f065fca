//! Dummy Whist, Double Dummy and Humbug (rules WH1-WH45, DD1-DD9, HB1-HB11).
//!
//! Players bid for books over six in an auction of one round. The contract says whether high or low cards
//! win.

mod bids;
mod calls;
mod describe;
mod rules;
mod scoring;

use std::ops::RangeInclusive;

use overtrick_cards::table::{BySeat, Place, Seat, Table};
use overtrick_cards::{Card, CardSet, Deck, Generator, Order, Pack, Rank, Stream, Suit};
use overtrick_game::{
    ContractResult, Describe, Ending, FieldError, Game, IllegalMove, Infer, Layout, Move, Moves, Options, Preset,
    Setup, Sides, State, View,
};

pub use bids::{Bid, EXCHANGE, KEEP, Kind, PASS, name_direction, name_trump};
use bids::{CHOICES, DIRECTIONS, TRUMPS};
pub use rules::{
    DefenderDummy, DummyDiscard, Form, HumbugChoice, JokerPlay, RenegeMode, SetPenalty, TrumpMethod, WhistRules,
    WhistTies,
};

const TRICKS: u8 = 13;

/// The dummy of Dummy Whist.
pub const DUMMY: Place = Place::Hand3;
/// The place of the cards that the declarer has discarded from a dummy with jokers.
pub const DISCARDED: Place = Place::Pile4;

/// Returns the second hand of a seat in the games for two.
///
/// It is the player's dummy in Double Dummy. In Humbug it is the dead hand that the player may take.
pub const fn second_hand(seat: Seat) -> Place {
    Place::ALL[2 + seat as usize]
}

/// The phases of a deal, each named after the call or play that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// In Humbug: keep or exchange (HB2).
    Choice,
    /// Bids (WH6).
    Auction,
    /// The declarer discards from the dummy (WH14).
    Discard,
    /// The declarer names trumps, or the direction (WH18).
    Declaration,
    /// Tricks are played.
    Play,
}

/// The public state in addition to the cards: the auction and the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contracting {
    phase: Phase,
    bid: Option<Bid>,
    /// The highest bidder. Seat 0 while there is no bid, and where trumps are turned up.
    declarer: Seat,
    /// Whether the declarer had to bid because all others had passed (WH7).
    forced: bool,
    trump: Option<Suit>,
    downtown: bool,
    /// In Humbug, the number of players who keep their hands, once both have chosen.
    kept: u8,
}

impl Contracting {
    /// Returns the phase, which names the call or play that is due.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns the best bid so far.
    pub fn bid(&self) -> Option<Bid> {
        self.bid
    }

    /// Returns the seat that made the best bid.
    pub fn declarer(&self) -> Option<Seat> {
        self.bid.map(|_| self.declarer)
    }

    /// Returns whether the declarer had to bid because all others had passed (WH7).
    pub fn forced(&self) -> bool {
        self.forced
    }

    /// Returns the trump suit, once it is named.
    pub fn trump(&self) -> Option<Suit> {
        self.trump
    }

    /// Returns whether low cards win.
    pub fn downtown(&self) -> bool {
        self.downtown
    }

    /// Returns the number of players who keep their hands in Humbug, once both have chosen.
    pub fn kept(&self) -> u8 {
        self.kept
    }
}

/// Dummy Whist, Double Dummy or Humbug under given rules.
pub struct DummyWhist {
    rules: WhistRules,
    layout: Layout,
    /// The orders of cards, by direction, then by trump suit, with no trump last.
    orders: Vec<Order>,
    /// By best bid, the bids that better it. Index 0 is for no bid, and the others are the numbers of calls.
    better: [u64; 1 + bids::BIDS as usize],
}

/// Returns the order of cards with these trumps.
///
/// Cards rank from the ace down to the two, or downtown from the ace and the two up to the king (WH20, WH21).
/// Jokers are the best trumps (WH22-WH24). At no trump they belong to no suit and never win (WH25, WH27).
fn order(trump: Option<Suit>, downtown: bool) -> Order {
    let suit_of = |card: Card| if card.is_joker() { trump } else { card.suit() };
    Order::with_trumps(trump, suit_of, |card| match card.rank() {
        None => {
            if card == Card::BIG_JOKER {
                15
            } else {
                14
            }
        }
        Some(rank) if downtown && rank != Rank::Ace => Rank::Ace as u8 - rank as u8,
        Some(rank) => rank.strength(),
    })
}

impl DummyWhist {
    /// Returns the order of cards with these trumps and this direction.
    pub fn order_of(&self, trump: Option<Suit>, downtown: bool) -> &Order {
        &self.orders[usize::from(downtown) * 5 + trump.map_or(4, |suit| suit as usize)]
    }

    /// Starts a deal whose cards lie on the table. `up_card` is the card turned up, if any.
    #[inline(always)]
    fn open(&self, table: &mut Table, up_card: Option<Card>) -> Contracting {
        let dealer = table.dealer();
        let mut public = Contracting {
            phase: Phase::Auction,
            bid: None,
            declarer: Seat::Seat0,
            forced: false,
            trump: None,
            downtown: false,
            kept: 0,
        };
        match self.rules.form {
            Form::DummyWhist => {}
            Form::DoubleDummy => {
                // Each player's dummy sits opposite that player. The dealer's opponent sits to the dealer's
                // left (DD3).
                let other = dealer.left(1, 2);
                table.set_circle(&[Place::hand(dealer), Place::hand(other), second_hand(dealer), second_hand(other)]);
            }
            Form::Humbug => {
                public.phase = Phase::Choice;
                if self.rules.humbug_choice == HumbugChoice::Simultaneous {
                    table.seal();
                }
                if let Some(up_card) = up_card {
                    public.trump = up_card.suit();
                    table.expose(CardSet::of(up_card));
                }
            }
        }
        table.give_turn(Place::hand(dealer.left(1, self.layout.seats)));
        public
    }

    fn order_in_play(&self, contracting: &Contracting) -> &Order {
        self.order_of(contracting.trump, contracting.downtown)
    }
}

impl Game for DummyWhist {
    const NAME: &'static str = "dummy-whist";

    const ABOUT: &'static str = "bid whist with a dummy; Double Dummy and Humbug for two";

    const PRESETS: &'static [Preset] = &[
        Preset { name: "dummy-whist", about: "three players and a dummy", rules: "" },
        Preset {
            name: "dummy-whist-downtown",
            about: "three and a dummy; downtown outranks uptown",
            rules: "downtown-outranks-uptown = true",
        },
        Preset {
            name: "dummy-whist-jokers",
            about: "three and a dummy of fifteen, with two jokers",
            rules: "jokers = true",
        },
        Preset { name: "double-dummy", about: "for two, each with a dummy", rules: "form = \"double-dummy\"" },
        Preset { name: "humbug", about: "for two, who may exchange their hands; auction", rules: "form = \"humbug\"" },
        Preset {
            name: "humbug-turn-up",
            about: "for two, who may exchange their hands; the last card dealt makes trumps",
            rules: "form = \"humbug\"\ntrump-method = \"turn-up\"",
        },
    ];

    const FOLLOW_RULE: &'static str = "WH29";

    const TURN_RULE: &'static str = "WH29";

    const IN_STEP: bool = true;

    type Rules = WhistRules;

    type Public = Contracting;

    fn new(rules: WhistRules) -> Result<DummyWhist, FieldError> {
        rules.validate()?;
        let mut better = [0; 1 + bids::BIDS as usize];
        for (best, bits) in better.iter_mut().enumerate() {
            let best = Bid::of(Move::call(best as u8));
            for bid in Bid::all().filter(|bid| bid.level >= rules.min_bid) {
                if best.is_none_or(|best| bid.betters(best, &rules)) {
                    *bits |= bid.call().call_bit();
                }
            }
        }
        let trumps = Suit::ALL.map(Some).into_iter().chain([None]);
        Ok(DummyWhist {
            layout: Layout {
                seats: rules.seats(),
                deck: if rules.jokers { Deck::Jokers54 } else { Deck::Full52 },
                cards_each: usize::from(TRICKS),
                partners: false,
                hands: match rules.form {
                    Form::DummyWhist => &["p0", "p1", "p2", "dummy"],
                    Form::DoubleDummy => &["p0", "p1", "dummy0", "dummy1"],
                    Form::Humbug => &["p0", "p1", "dead0", "dead1"],
                },
            },
            orders: [false, true]
                .into_iter()
                .flat_map(|low| trumps.clone().map(move |trump| order(trump, low)))
                .collect(),
            better,
            rules,
        })
    }

    fn rules(&self) -> &WhistRules {
        &self.rules
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn ending(&self) -> Ending {
        self.rules.ending()
    }

    fn first_dealer(&self, rng: impl FnOnce() -> Stream) -> Seat {
        self.rules.first_dealer.draw(self.layout.seats, rng)
    }

    #[inline(always)]
    fn lay_out<R: Generator>(&self, table: &mut Table, setup: Setup, rng: &mut Stream<R>) -> Contracting {
        let mut pack = Pack::new(self.layout.deck.cards(), rng);
        for hand in [Place::Hand0, Place::Hand1, Place::Hand2] {
            table.lay(hand, pack.take(u32::from(TRICKS)));
        }
        let blind = self.rules.dummy_discard == DummyDiscard::Blind;
        table.lay(Place::Hand3, pack.take(if blind { u32::from(TRICKS) } else { u32::MAX }));
        table.lay(DISCARDED, pack.take(u32::MAX));
        // The last card dealt goes to the dealer. Each of the dealer's cards is equally likely to be that
        // card (HB7).
        let up_card = self.rules.turns_up().then(|| rng.card(table.at(Place::hand(setup.dealer))));
        self.open(table, up_card)
    }

    #[inline(always)]
    fn legal(&self, state: &State<Contracting>) -> Moves {
        let (table, public) = (&state.table, &state.public);
        match public.phase {
            Phase::Play if self.rules.jokers => {
                table.legal_plays_with_anytime(self.order_in_play(public), self.anytime(public))
            }
            Phase::Play => table.legal_plays_with_anytime(self.order_in_play(public), CardSet::EMPTY),
            Phase::Auction => {
                let best = public.bid.and_then(|bid| bid.call().as_call()).unwrap_or(0);
                let forced = best == 0 && table.seat_to_move() == table.dealer();
                let pass = if forced { 0 } else { PASS.call_bit() };
                Moves::calls(self.better[usize::from(best)] | pass)
            }
            Phase::Discard => Moves::cards(table.at(DUMMY)),
            Phase::Declaration => match public.bid {
                Some(Bid { kind: Kind::NoTrump, .. }) => Moves::calls(DIRECTIONS),
                _ => Moves::calls(TRUMPS),
            },
            Phase::Choice => Moves::calls(CHOICES),
        }
    }

    #[inline(always)]
    fn play_unchecked(&self, state: &mut State<Contracting>, chosen: Move) {
        if state.public.phase == Phase::Play {
            state.table.play(chosen.to_card(), self.order_in_play(&state.public));
            return;
        }
        let seat = state.table.seat_to_move();
        state.table.call(chosen);
        match state.public.phase {
            Phase::Choice => self.choose(state, seat, chosen),
            Phase::Auction => self.bid(state, seat, chosen),
            Phase::Discard => self.discard(state, chosen.to_card()),
            _ => self.declare(state, chosen),
        }
    }

    #[inline(always)]
    fn is_over(&self, state: &State<Contracting>) -> bool {
        state.table.tricks_played() == usize::from(TRICKS)
    }

    fn scores(&self, state: &State<Contracting>) -> BySeat<i32> {
        self.score(state)
    }

    fn score_range(&self) -> RangeInclusive<i32> {
        self.extreme_scores()
    }

    fn order(&self, state: &State<Contracting>) -> Option<&Order> {
        (state.public.phase == Phase::Play).then(|| self.order_in_play(&state.public))
    }

    fn anytime(&self, contracting: &Contracting) -> CardSet {
        let free = contracting.trump.is_none() && self.rules.nt_joker_play == JokerPlay::AnyTime;
        if free { CardSet::JOKERS } else { CardSet::EMPTY }
    }

    fn renege_moves(&self, state: &State<Contracting>) -> Moves {
        let hand = state.table.hand_to_move();
        let liable = self.rules.allow_renege && state.public.phase == Phase::Play && hand.index() < self.layout.seats;
        Moves::cards(if liable { state.table.at(hand) } else { CardSet::EMPTY })
    }

    #[inline]
    fn contract_result(&self, over: &State<Contracting>) -> Option<ContractResult> {
        let public = &over.public;
        let Some(bid) = public.bid else {
            return Some(ContractResult { kind: 2 * bids::BIDS, declarer: None, made: false });
        };
        let number = bid.level * 3 + bid.kind as u8;
        let made = self.books(over)[0] >= scoring::SIX + i32::from(bid.level);
        let kind = number + if public.forced { bids::BIDS } else { 0 };
        Some(ContractResult { kind, declarer: Some(public.declarer), made })
    }

    fn call_text(&self, call: u8) -> Option<String> {
        bids::call_text(Move::call(call))
    }

    fn move_text(&self, state: &State<Contracting>, chosen: Move) -> Option<String> {
        match chosen.as_card() {
            Some(card) if state.public.phase != Phase::Discard => Some(card.to_string()),
            _ => self.text_among_calls(chosen),
        }
    }

    fn why_not(&self, state: &State<Contracting>, chosen: Move) -> IllegalMove {
        match state.public.phase {
            Phase::Play => {
                let mut illegal = self.why_no_play(state, chosen);
                if state.table.plays().is_empty() {
                    // Nothing is led yet, so the lead itself is wrong.
                    illegal.rule = if state.public.bid.is_some() { "WH28" } else { "HB7" };
                }
                illegal
            }
            _ => self.why_no_call(state, chosen),
        }
    }
}

impl Infer for DummyWhist {
    fn opening(&self, state: &State<Contracting>, _rng: &mut Stream) -> Option<State<Contracting>> {
        let State { table, public } = state;
        let mut places = table.hands_before_play();
        if self.rules.dummy_discard != DummyDiscard::Blind {
            let discarded = std::mem::take(&mut places[DISCARDED.index()]);
            places[DUMMY.index()] |= discarded;
        }
        let secret = public.phase == Phase::Choice && self.rules.humbug_choice == HumbugChoice::Simultaneous;
        for (seat, _) in table.calls().iter().filter(|(_, call)| *call == EXCHANGE && !secret) {
            places.swap(seat.index(), second_hand(*seat).index());
        }
        let dealer = table.dealer();
        let up_card = (places[dealer.index()] & table.open()).first().filter(|_| self.rules.turns_up());
        let mut table = Table::laid(self.layout.seats, dealer, &places);
        let public = self.open(&mut table, up_card);
        Some(State { table, public })
    }

    fn shows_void(&self, view: &View<'_, DummyWhist>, play: Card) -> bool {
        // It shows nothing where players may renege, or for a joker that may be played at any time (WH26,
        // WH34).
        !self.rules.allow_renege && !self.anytime(view.public()).contains(play)
    }

    /// Returns the declarer's hands and the other hands.
    ///
    /// With a turn-up these are the hands of seat 0 and of seat 1 (HB7).
    fn sides(&self, state: &State<Contracting>) -> Option<Sides> {
        let (table, public) = (&state.table, &state.public);
        let declarers = std::array::from_fn(|hand| table.decider(Place::ALL[hand]) == public.declarer);
        (public.phase == Phase::Play).then_some(Sides { declarers, to_lose: false })
    }

    fn sealed_calls(&self) -> Moves {
        Moves::calls(CHOICES)
    }
}
