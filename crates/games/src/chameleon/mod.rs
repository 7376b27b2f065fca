//! Chameleon for three and Dummy Chameleon for two (rules CH1-CH31, DC1-DC26).
//!
//! Players bid for tricks, or for none at all. The declarer then takes the talon and may raise the bid.

mod bids;
mod calls;
mod describe;
mod rules;
mod scoring;

use std::ops::RangeInclusive;

use overtrick_cards::table::{BySeat, Place, Seat, Table};
use overtrick_cards::{Card, CardSet, Deck, Generator, Order, Pack, Rank, Strain, Stream, Suit};
use overtrick_game::{
    ContractResult, Describe, Ending, FieldError, Game, IllegalMove, Infer, Layout, Move, Moves, Options, Preset,
    Setup, Sides, State, View,
};

pub use bids::{Bid, CONCEDE, LOWEST, PASS, SIX_IN_DUMMY, name};
use bids::{NAME_OR_CONCEDE, SIX_OR_PASS, named};
pub use rules::{ChameleonRules, DummyExposed, MoVsSlam, OuverteExposed};

const HAND: u32 = 10;
const TRICKS: usize = 10;

/// Dummy, in the game for two.
pub const DUMMY: Place = Place::Hand2;
/// The top card of the talon.
pub const TALON_TOP: Place = Place::Pile4;
/// The card under the top card of the talon.
pub const TALON_NEXT: Place = Place::Pile5;
/// The top card of Dummy in a last deal for two (DC21).
///
/// It stays there until Dummy is needed.
pub const DUMMY_TOP: Place = Place::Hand3;

/// Returns the place of the cards that a seat has discarded.
pub const fn discards(seat: Seat) -> Place {
    [Place::Pile6, Place::Pile7, Place::Hand3][seat as usize]
}

/// The phases of a deal, each named after the call or play that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Bids (CH5).
    Auction,
    /// In the game for two, after both have passed: six in dummy or pass (DC12).
    SixInDummy,
    /// The player who took Dummy's hand names trumps or concedes (DC14).
    Naming,
    /// The declarer, who has taken the talon, discards (CH13).
    Discard,
    /// The declarer announces the contract (CH14).
    Contract,
    /// A player discards in a last deal that all have passed (CH30, DC22).
    ///
    /// The player has taken a card of the talon.
    LastDiscard,
    /// Tricks are played.
    Play,
    /// The hands were thrown in, or conceded.
    Over,
}

/// The public state in addition to the cards: the auction and the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bidding {
    phase: Phase,
    /// The highest bid, later the final contract.
    bid: Option<Bid>,
    declarer: Seat,
    /// The seats that are out of the auction, bit *s* for seat *s*.
    passed: u8,
    /// Whether the number of the highest bid has had its only overcall (CH10).
    overcalled: bool,
    in_dummy: bool,
    /// Whether this is a last deal that is played even if all pass.
    last_deal: bool,
    /// The card exposed for trumps in such a deal, or [`Card::NONE`] in others.
    up_card: Card,
    /// The trumps of the play, once it has begun. Stored because the playing loop needs them for every card.
    strain: Strain,
}

impl Bidding {
    /// Returns the phase, which names the call or play that is due.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns the highest bid so far. After the announcement this is the contract.
    pub fn bid(&self) -> Option<Bid> {
        self.bid
    }

    /// Returns the seat that made the highest bid, or took six in dummy.
    pub fn declarer(&self) -> Option<Seat> {
        (self.bid.is_some() || self.in_dummy).then_some(self.declarer)
    }

    /// Returns whether a seat is out of the auction.
    pub fn has_passed(&self, seat: Seat) -> bool {
        self.passed >> seat.index() & 1 == 1
    }

    /// Returns whether the number of the highest bid has had its only overcall (CH10).
    pub fn overcalled(&self) -> bool {
        self.overcalled
    }

    /// Returns whether the declarer plays the former hand of Dummy (DC13).
    pub fn in_dummy(&self) -> bool {
        self.in_dummy
    }

    /// Returns whether this is a last deal that is played even if all pass (CH30, DC20).
    pub fn last_deal(&self) -> bool {
        self.last_deal
    }

    /// Returns the card exposed for trumps in a last deal that all have passed.
    pub fn up_card(&self) -> Option<Card> {
        (self.up_card != Card::NONE).then_some(self.up_card)
    }

    /// Returns the trump suit of the play.
    #[inline]
    pub fn trump(&self) -> Option<Suit> {
        self.up_card().map_or_else(|| self.bid.and_then(Bid::trump), Card::suit)
    }

    /// Starts the play, once its trumps are decided.
    fn begin_play(&mut self) {
        self.phase = Phase::Play;
        self.strain = self.trump().into();
    }
}

/// Chameleon or Dummy Chameleon under given rules.
pub struct Chameleon {
    rules: ChameleonRules,
    layout: Layout,
    /// The orders of cards, by strain.
    orders: Box<[Order; Strain::ALL.len()]>,
    /// By highest bid, the bids that are higher. Index 0 is for no bid, and the others are the numbers of
    /// calls.
    higher: [u64; 1 + bids::BIDS as usize],
    /// By highest bid, its overcalls at the same number.
    overcalls: [u64; 1 + bids::BIDS as usize],
    /// By bid, the contracts that confirm or raise it.
    contracts: [u64; 1 + bids::BIDS as usize],
}

/// Returns the index of a bid in the tables above.
#[inline]
fn slot(bid: Option<Bid>) -> usize {
    bid.and_then(|bid| bid.call().as_call()).map_or(0, usize::from)
}

/// Returns the set of `calls`, bit *i* for call *i*.
fn bits(calls: impl Iterator<Item = Move>) -> u64 {
    calls.fold(0, |bits, call| bits | call.call_bit())
}

impl Chameleon {
    /// Returns the order of cards with these trumps (CH19).
    pub fn order_of(&self, trump: Option<Suit>) -> &Order {
        &self.orders[Strain::from(trump) as usize]
    }

    /// Returns the order of cards in the play of a deal, once it has begun.
    #[inline(always)]
    fn order_in_play(&self, public: &Bidding) -> &Order {
        &self.orders[public.strain as usize]
    }

    /// Returns the seat to the dealer's left, which bids and leads first (CH3, CH18).
    fn forehand(&self, table: &Table) -> Seat {
        table.dealer().left(1, self.layout.seats)
    }

    /// Starts a deal whose cards lie on the table.
    #[inline(always)]
    fn open(&self, table: &mut Table, last_deal: bool) -> Bidding {
        let (dealer, forehand) = (table.dealer(), self.forehand(table));
        if self.rules.with_dummy() {
            // Dummy lies to the dealer's right (DC1, DC2).
            table.set_circle(&[Place::hand(dealer), Place::hand(forehand), DUMMY]);
        }
        table.give_turn(Place::hand(forehand));
        Bidding {
            phase: Phase::Auction,
            bid: None,
            declarer: dealer,
            passed: 0,
            overcalled: false,
            in_dummy: false,
            last_deal,
            up_card: Card::NONE,
            strain: Strain::NoTrump,
        }
    }

    /// Returns whether this is the play of a last deal that all have passed.
    fn is_last_play(public: &Bidding) -> bool {
        public.up_card != Card::NONE
    }
}

impl Game for Chameleon {
    const NAME: &'static str = "chameleon";

    const ABOUT: &'static str = "bid for tricks or none, take the talon, choose again; for three or two";

    const PRESETS: &'static [Preset] = &[
        Preset { name: "chameleon", about: "for three; hands that all pass are thrown in", rules: "" },
        Preset {
            name: "chameleon-variant",
            about: "for three; a last deal is played even if all pass",
            rules: "last-deal-variant = true",
        },
        Preset { name: "dummy-chameleon", about: "for two, with Dummy", rules: "players = 2" },
        Preset {
            name: "dummy-chameleon-variant",
            about: "for two, with Dummy; a last deal is played even if both pass twice",
            rules: "players = 2\nlast-deal-variant = true",
        },
    ];

    const FOLLOW_RULE: &'static str = "CH18";

    const TURN_RULE: &'static str = "CH18";

    type Rules = ChameleonRules;

    type Public = Bidding;

    fn new(rules: ChameleonRules) -> Result<Chameleon, FieldError> {
        rules.validate()?;
        let table = |open: &dyn Fn(Option<Bid>) -> u64| {
            let mut table = [0; 1 + bids::BIDS as usize];
            for best in [None].into_iter().chain(Bid::all().map(Some)) {
                table[slot(best)] = open(best);
            }
            table
        };
        let order = |strain: Strain| {
            Order::with_trumps(strain.suit(), Card::suit, |card| card.rank().map_or(0, Rank::strength))
        };
        Ok(Chameleon {
            layout: Layout {
                seats: rules.seats(),
                deck: Deck::Short32,
                cards_each: HAND as usize,
                partners: false,
                hands: if rules.with_dummy() { &["p0", "p1", "dummy"] } else { &["p0", "p1", "p2"] },
            },
            orders: Box::new(Strain::ALL.map(order)),
            higher: table(&|best| {
                let higher = |bid: &Bid| best.is_none_or(|best| bid.rank(&rules) > best.rank(&rules));
                bits(Bid::all().filter(higher).map(Bid::call))
            }),
            overcalls: table(&|best| {
                bits(Bid::all().filter(|bid| best.is_some_and(|best| bid.recolours(best))).map(Bid::call))
            }),
            contracts: table(&|best| {
                let open = |contract: &Bid| best.is_some_and(|bid| contract.confirms_or_raises(bid, &rules));
                bits(Bid::contracts().filter(open).map(Bid::contract_call))
            }),
            rules,
        })
    }

    fn rules(&self) -> &ChameleonRules {
        &self.rules
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn ending(&self) -> Ending {
        Ending::Deals(self.rules.n_deals)
    }

    fn first_dealer(&self, rng: impl FnOnce() -> Stream) -> Seat {
        self.rules.first_dealer.draw(self.layout.seats, rng)
    }

    fn single_deals_are_last(&self) -> bool {
        self.rules.last_deal_variant
    }

    #[inline(always)]
    fn lay_out<R: Generator>(&self, table: &mut Table, setup: Setup, rng: &mut Stream<R>) -> Bidding {
        let mut pack = Pack::new(Deck::Short32.cards(), rng);
        for hand in [Place::Hand0, Place::Hand1, Place::Hand2] {
            table.lay(hand, pack.take(HAND));
        }
        table.lay(TALON_TOP, pack.take(1));
        table.lay(TALON_NEXT, pack.take(1));
        let last_deal = setup.last_deal && self.rules.last_deal_variant;
        if last_deal && self.rules.with_dummy() {
            let top = CardSet::of(rng.card(table.at(DUMMY)));
            table.shift(top, DUMMY, DUMMY_TOP);
        }
        self.open(table, last_deal)
    }

    #[inline(always)]
    fn legal(&self, state: &State<Bidding>) -> Moves {
        let (table, public) = (&state.table, &state.public);
        match public.phase {
            Phase::Play => table.legal_plays_with_anytime(self.order_in_play(public), CardSet::EMPTY),
            Phase::Auction => {
                let slot = slot(public.bid);
                let overcalls = if public.overcalled { 0 } else { self.overcalls[slot] };
                Moves::calls(self.higher[slot] | overcalls | PASS.call_bit())
            }
            Phase::Discard | Phase::LastDiscard => Moves::cards(table.at(table.hand_to_move())),
            Phase::Contract => Moves::calls(self.contracts[slot(public.bid)]),
            Phase::SixInDummy => Moves::calls(SIX_OR_PASS),
            Phase::Naming => Moves::calls(NAME_OR_CONCEDE),
            Phase::Over => Moves::NONE,
        }
    }

    #[inline(always)]
    fn play_unchecked(&self, state: &mut State<Bidding>, chosen: Move) {
        if state.public.phase == Phase::Play {
            let State { table, public } = state;
            let completed = table.play(chosen.to_card(), self.order_in_play(public));
            if completed.is_some() && public.bid == Some(Bid::MisereOuverte) && table.tricks_played() == 1 {
                // From now on the hand of a misère ouverte is face up under either option (CH22).
                table.expose(table.at(Place::hand(public.declarer)));
            }
            return;
        }
        let seat = state.table.seat_to_move();
        state.table.call(chosen);
        match state.public.phase {
            Phase::Auction => self.bid(state, seat, chosen),
            Phase::SixInDummy => self.six_in_dummy(state, seat, chosen),
            Phase::Naming => match named(chosen) {
                Some(suit) => {
                    state.public.bid = Some(Bid::Tricks { level: LOWEST, strain: suit.into() });
                    self.take_talon(state);
                }
                None => state.public.phase = Phase::Over,
            },
            Phase::Contract => {
                let contract = Bid::of_contract(chosen).expect("a legal call announces a contract");
                self.announce(state, contract);
            }
            _ => self.discard(state, seat, chosen.to_card()),
        }
    }

    #[inline(always)]
    fn is_over(&self, state: &State<Bidding>) -> bool {
        state.table.tricks_played() == TRICKS || state.public.phase == Phase::Over
    }

    fn scores(&self, state: &State<Bidding>) -> BySeat<i32> {
        self.score(state)
    }

    fn score_range(&self) -> RangeInclusive<i32> {
        self.extreme_scores()
    }

    fn order(&self, state: &State<Bidding>) -> Option<&Order> {
        (state.public.phase == Phase::Play).then(|| self.order_in_play(&state.public))
    }

    fn contract_result(&self, over: &State<Bidding>) -> Option<ContractResult> {
        Some(self.undertaken(over))
    }

    fn counts(&self, over: &State<Bidding>) -> bool {
        let thrown_in = over.public.phase == Phase::Over && !over.public.in_dummy;
        self.rules.passed_deal_counts || !thrown_in
    }

    fn thrown_in_earlier(&self, over: &State<Bidding>) -> Option<bool> {
        Chameleon::is_last_play(&over.public).then_some(self.rules.passed_deal_counts)
    }

    fn call_text(&self, call: u8) -> Option<String> {
        bids::call_text(Move::call(call))
    }

    fn move_text(&self, state: &State<Bidding>, chosen: Move) -> Option<String> {
        let discarding = matches!(state.public.phase, Phase::Discard | Phase::LastDiscard);
        match chosen.as_card() {
            Some(card) if !discarding => Some(card.to_string()),
            _ => self.text_among_calls(chosen),
        }
    }

    fn why_not(&self, state: &State<Bidding>, chosen: Move) -> IllegalMove {
        match state.public.phase {
            Phase::Play => self.why_no_play(state, chosen),
            _ => self.why_no_call(state, chosen),
        }
    }
}

impl Infer for Chameleon {
    fn opening(&self, state: &State<Bidding>, rng: &mut Stream) -> Option<State<Bidding>> {
        let State { table, public } = state;
        if public.in_dummy || Chameleon::is_last_play(public) {
            return None;
        }
        let mut places = table.hands_before_play();
        if places[TALON_TOP.index()].is_empty() {
            let own = places[public.declarer.index()] | std::mem::take(&mut places[discards(public.declarer).index()]);
            let top = CardSet::of(rng.card(own));
            let next = CardSet::of(rng.card(own - top));
            places[TALON_TOP.index()] = top;
            places[TALON_NEXT.index()] = next;
            places[public.declarer.index()] = own - top - next;
        }
        if self.rules.with_dummy() && public.last_deal && places[DUMMY_TOP.index()].is_empty() {
            let top = CardSet::of(rng.card(places[DUMMY.index()]));
            places[DUMMY_TOP.index()] = top;
            places[DUMMY.index()] = places[DUMMY.index()] - top;
        }
        let mut table = Table::laid(self.layout.seats, table.dealer(), &places);
        let public = self.open(&mut table, public.last_deal);
        Some(State { table, public })
    }

    fn may_lie(&self, view: &View<'_, Chameleon>, place: Place) -> CardSet {
        // The card exposed in a last deal stays face up unless the dealer took it and may have discarded it (CH30).
        let dealer = view.dealer();
        let dealers = place == Place::hand(dealer) || place == discards(dealer);
        if dealers { !CardSet::EMPTY } else { !CardSet::of(view.public().up_card) }
    }

    fn sides(&self, state: &State<Bidding>) -> Option<Sides> {
        let public = &state.public;
        // In a last deal that all have passed, all players play for themselves.
        let declarer = if Chameleon::is_last_play(public) {
            self.rules.with_dummy().then_some(Seat::Seat0)
        } else {
            public.declarer()
        };
        let to_lose = matches!(public.bid, Some(Bid::Misere | Bid::MisereOuverte));
        let declarers = |declarer: Seat| std::array::from_fn(|hand| hand == declarer.index());
        let sides = declarer.map(|declarer| Sides { declarers: declarers(declarer), to_lose });
        sides.filter(|_| public.phase == Phase::Play)
    }
}
