//! Three-handed (cutthroat) Euchre: the maker of trumps plays alone against the two others. Rules EU1-EU29.

mod describe;
mod rules;

use std::ops::RangeInclusive;

use overtrick_cards::table::{BySeat, Place, Seat, Table};
use overtrick_cards::{Card, CardSet, Deck, Generator, Order, Pack, Rank, Stream, Suit};
use overtrick_game::{
    AtTarget, ContractResult, Describe, Ending, FieldError, FirstDealer, Game, IllegalMove, Infer, Layout, Move, Moves,
    Options, Preset, Setup, Sides, State, TieRule, View,
};

pub use rules::{EuchreDealer, EuchreRules, EuchreTies};

const SEATS: usize = 3;
const TRICKS: u8 = 5;

/// The place of the card that is turned up. It stays here unless the dealer takes it.
pub const UP_CARD: Place = Place::Pile4;
/// The rest of the pack, face down (EU6).
pub const STOCK: Place = Place::Pile5;
/// The dealer's discard, which only the dealer has seen (EU11).
pub const DISCARD: Place = Place::Pile6;

/// The call "pass" in either round.
pub const PASS: Move = Move::call(0);
/// "Pick it up" (EU8).
pub const ORDER_UP: Move = Move::call(1);

const FIRST_NAME: u8 = 2;
const LAST_NAME: u8 = 5;
/// The calls that name a suit.
const NAMES: u64 = 0b1111 << FIRST_NAME;

/// Returns the call that names a suit as trumps (EU13).
pub const fn name(suit: Suit) -> Move {
    Move::call(FIRST_NAME + suit as u8)
}

/// The phases of a deal, each named after the call or play that is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Round one: a player may order the dealer to take up the card that was turned up (EU8).
    OrderUp,
    /// The dealer has taken the card and discards (EU11).
    Discard,
    /// Round two: a player names trumps (EU13).
    Name,
    /// Tricks are played.
    Play,
}

/// The public state in addition to the cards: the up-card, the trumps and the maker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Making {
    phase: Phase,
    up_card: Card,
    trump: Suit,
    maker: Seat,
}

impl Making {
    /// Returns the phase, which names the call or play that is due.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Returns the card that was turned up.
    pub fn up_card(&self) -> Card {
        self.up_card
    }

    /// Returns the trump suit, or the suit turned up while there are no trumps.
    pub fn trump(&self) -> Suit {
        self.trump
    }

    /// Returns the seat that made trumps, once there are trumps.
    pub fn maker(&self) -> Option<Seat> {
        matches!(self.phase, Phase::Discard | Phase::Play).then_some(self.maker)
    }
}

/// Three-handed Euchre under given rules.
pub struct Euchre {
    rules: EuchreRules,
    layout: Layout,
    /// The orders of cards, by trump suit.
    orders: Box<[Order; Suit::ALL.len()]>,
    first_jacks: [u64; SEATS],
}

/// Returns the other jack of the right bower's colour (EU17).
pub const fn left_bower(trump: Suit) -> Card {
    Card::new(Rank::Jack, Suit::ALL[3 - trump as usize])
}

/// Returns the order of cards with these trumps.
///
/// The right bower is the highest, then the left bower. The trumps and all plain suits follow from the ace
/// down (EU17-EU19, EU22).
fn order(trump: Suit) -> Order {
    let (right, left) = (Card::new(Rank::Jack, trump), left_bower(trump));
    let suit_of = |card: Card| if card == left { Some(trump) } else { card.suit() };
    Order::with_trumps(Some(trump), suit_of, |card| match card.rank() {
        _ if card == right => 15,
        _ if card == left => 14,
        rank => rank.map_or(0, Rank::strength),
    })
}

/// Counts, by seat, the pairs of places of the two black jacks (EU4, EU5).
///
/// A pair counts if it gives the first jack to this seat or an earlier seat.
///
/// The pack of `cards` is dealt in turn from seat 0.
fn first_jacks(cards: u64) -> [u64; SEATS] {
    let mut pairs = [0; SEATS];
    for place in 0..cards {
        // The other jack lies at one of the later places.
        (place as usize % SEATS..SEATS).for_each(|seat| pairs[seat] += cards - 1 - place);
    }
    pairs
}

impl Euchre {
    /// Returns the order of cards with these trumps.
    pub fn order_of(&self, trump: Suit) -> &Order {
        &self.orders[trump as usize]
    }

    /// Starts a deal whose cards lie on the table.
    #[inline(always)]
    fn open(table: &mut Table, up_card: Card) -> Making {
        let dealer = table.dealer();
        table.expose(CardSet::of(up_card));
        table.show(DISCARD, dealer);
        // The seat to the dealer's left bids first (EU8).
        table.give_turn(Place::hand(dealer.left(1, SEATS)));
        Making { phase: Phase::OrderUp, up_card, trump: Euchre::up_suit(up_card), maker: dealer }
    }

    fn up_suit(up_card: Card) -> Suit {
        up_card.suit().expect("the pack has no jokers")
    }

    /// Returns the tricks of the maker, and of the two others together.
    fn tricks(state: &State<Making>) -> (u8, u8) {
        let own = state.table.tricks_won(Place::hand(state.public.maker));
        (own, TRICKS - own)
    }

    /// Returns the reason why a call is not allowed in this phase.
    fn why_no_call(&self, state: &State<Making>, chosen: Move) -> IllegalMove {
        let text = self.move_text(state, chosen).unwrap_or_else(|| "this".to_owned());
        let (rule, why) = match state.public.phase {
            Phase::OrderUp => ("EU8", format!("{text}: in round one say `order-up` or `pass`")),
            Phase::Discard => match chosen.as_card() {
                Some(card)
                    if card == state.public.up_card
                        && state.table.at(Place::hand(state.table.dealer())).contains(card) =>
                {
                    ("EU12", format!("{text}: the dealer discards another card than the one taken up"))
                }
                _ => ("EU11", format!("{text}: the dealer discards a card from their own hand")),
            },
            _ if chosen == PASS => ("EU15", "pass: the dealer must name trumps in round two".to_owned()),
            _ if chosen == name(state.public.trump) => ("EU14", format!("{text}: that suit was turned down")),
            _ => ("EU13", format!("{text}: in round two name a suit or, unless you deal, pass")),
        };
        IllegalMove { rule, why }
    }
}

impl Game for Euchre {
    const NAME: &'static str = "euchre";

    const ABOUT: &'static str = "three-handed Euchre: the maker alone against the other two";

    const PRESETS: &'static [Preset] = &[
        Preset { name: "euchre-32", about: "with 32 cards, seven to ace", rules: "" },
        Preset { name: "euchre-24", about: "with 24 cards, nine to ace", rules: "deck = 24" },
    ];

    const FOLLOW_RULE: &'static str = "EU21";

    const TURN_RULE: &'static str = "EU20";

    type Rules = EuchreRules;

    type Public = Making;

    fn new(rules: EuchreRules) -> Result<Euchre, FieldError> {
        rules.validate()?;
        Ok(Euchre {
            layout: Layout {
                seats: SEATS,
                deck: if rules.deck == 24 { Deck::Short24 } else { Deck::Short32 },
                cards_each: usize::from(TRICKS),
                hands: &["p0", "p1", "p2"],
                partners: false,
            },
            orders: Box::new(Suit::ALL.map(order)),
            first_jacks: first_jacks(u64::from(rules.deck)),
            rules,
        })
    }

    fn rules(&self) -> &EuchreRules {
        &self.rules
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn ending(&self) -> Ending {
        let rules = &self.rules;
        let ties = match rules.tie_rule {
            EuchreTies::ExtraDeal => AtTarget::PlayOn,
            EuchreTies::Highest => AtTarget::Highest(TieRule::HighestThenExtraDeal),
        };
        rules.end_mode.ending(rules.n_deals, rules.target, ties)
    }

    #[inline]
    fn first_dealer(&self, rng: impl FnOnce() -> Stream) -> Seat {
        let by_name = match self.rules.first_dealer {
            EuchreDealer::BlackJack => {
                // One draw has the same distribution as dealing out the pack.
                let [first, second, all] = self.first_jacks;
                let pair = rng().random_below(all);
                return Seat::new(usize::from(pair >= first) + usize::from(pair >= second));
            }
            EuchreDealer::Seat0 => FirstDealer::Seat0,
            EuchreDealer::Seat1 => FirstDealer::Seat1,
            EuchreDealer::Seat2 => FirstDealer::Seat2,
            EuchreDealer::Random => FirstDealer::Random,
        };
        by_name.draw(SEATS, rng)
    }

    #[inline(always)]
    fn lay_out<R: Generator>(&self, table: &mut Table, _setup: Setup, rng: &mut Stream<R>) -> Making {
        let mut pack = Pack::new(self.layout.deck.cards(), rng);
        for seat in Seat::THREE {
            table.lay(Place::hand(seat), pack.take(u32::from(TRICKS)));
        }
        let up_card = pack.take_one().expect("the pack has more than fifteen cards");
        table.lay(UP_CARD, CardSet::of(up_card));
        table.lay(STOCK, pack.take(u32::MAX));
        Euchre::open(table, up_card)
    }

    #[inline(always)]
    fn legal(&self, state: &State<Making>) -> Moves {
        let (table, making) = (&state.table, &state.public);
        match making.phase {
            Phase::Play => table.legal_plays_with_anytime(&self.orders[making.trump as usize], CardSet::EMPTY),
            Phase::OrderUp => Moves::calls(PASS.call_bit() | ORDER_UP.call_bit()),
            Phase::Discard => {
                let hand = table.at(table.hand_to_move());
                let kept = if self.rules.may_discard_upcard { CardSet::EMPTY } else { CardSet::of(making.up_card) };
                Moves::cards(hand - kept)
            }
            Phase::Name => {
                let stuck = table.seat_to_move() == table.dealer();
                let pass = if stuck { 0 } else { PASS.call_bit() };
                let barred = if self.rules.turned_down_allowed { 0 } else { name(making.trump).call_bit() };
                Moves::calls((NAMES | pass) & !barred)
            }
        }
    }

    #[inline(always)]
    fn play_unchecked(&self, state: &mut State<Making>, chosen: Move) {
        let State { table, public: making } = state;
        if making.phase == Phase::Play {
            table.play(chosen.to_card(), &self.orders[making.trump as usize]);
            return;
        }
        let (seat, dealer) = (table.seat_to_move(), table.dealer());
        let (left, forehand) = (seat.left(1, SEATS), dealer.left(1, SEATS));
        table.call(chosen);
        let next = match making.phase {
            Phase::Discard => {
                table.shift(CardSet::of(chosen.to_card()), Place::hand(dealer), DISCARD);
                if self.rules.may_discard_upcard {
                    // Only the dealer knows whether they kept the up-card.
                    table.cover(CardSet::of(making.up_card));
                }
                making.phase = Phase::Play;
                forehand
            }
            Phase::OrderUp if chosen == ORDER_UP => {
                making.maker = seat;
                table.shift(CardSet::of(making.up_card), UP_CARD, Place::hand(dealer));
                making.phase = Phase::Discard;
                dealer
            }
            Phase::OrderUp => {
                if seat == dealer {
                    making.phase = Phase::Name;
                }
                left
            }
            _ => match chosen.as_call() {
                Some(number @ FIRST_NAME..=LAST_NAME) => {
                    making.maker = seat;
                    making.trump = Suit::ALL[usize::from(number - FIRST_NAME)];
                    making.phase = Phase::Play;
                    forehand
                }
                _ => left,
            },
        };
        table.give_turn(Place::hand(next));
    }

    #[inline(always)]
    fn is_over(&self, state: &State<Making>) -> bool {
        state.table.tricks_played() == usize::from(TRICKS)
    }

    #[inline]
    fn scores(&self, state: &State<Making>) -> BySeat<i32> {
        let rules = &self.rules;
        let (own, _) = Euchre::tricks(state);
        let [alone, each] = match own {
            5 => [rules.march_points, 0],
            3..=4 => [rules.make_points, 0],
            _ => [0, rules.euchre_points_each],
        };
        let score = |seat: Seat| if seat == state.public.maker { alone } else { each };
        BySeat::new([score(Seat::Seat0), score(Seat::Seat1), score(Seat::Seat2)])
    }

    fn score_range(&self) -> RangeInclusive<i32> {
        let rules = &self.rules;
        0..=rules.make_points.max(rules.march_points).max(rules.euchre_points_each)
    }

    fn order(&self, state: &State<Making>) -> Option<&Order> {
        (state.public.phase == Phase::Play).then(|| self.order_of(state.public.trump))
    }

    #[inline]
    fn contract_result(&self, over: &State<Making>) -> Option<ContractResult> {
        let (making, table) = (&over.public, &over.table);
        let first_round = table.at(UP_CARD).is_empty();
        let by_dealer = making.maker == table.dealer();
        let kind = u8::from(!first_round) * 2 + u8::from(by_dealer);
        let (own, _) = Euchre::tricks(over);
        Some(ContractResult { kind, declarer: Some(making.maker), made: own >= 3 })
    }

    fn call_text(&self, call: u8) -> Option<String> {
        match call {
            0 => Some("pass".to_owned()),
            1 => Some("order-up".to_owned()),
            FIRST_NAME..=LAST_NAME => Some(format!("name {}", Suit::ALL[usize::from(call - FIRST_NAME)].letter())),
            _ => None,
        }
    }

    fn move_text(&self, state: &State<Making>, chosen: Move) -> Option<String> {
        match chosen.as_card() {
            Some(card) if state.public.phase != Phase::Discard => Some(card.to_string()),
            _ => self.text_among_calls(chosen),
        }
    }

    fn why_not(&self, state: &State<Making>, chosen: Move) -> IllegalMove {
        match state.public.phase {
            Phase::Play => self.why_no_play(state, chosen),
            _ => self.why_no_call(state, chosen),
        }
    }
}

impl Infer for Euchre {
    fn opening(&self, state: &State<Making>, _rng: &mut Stream) -> Option<State<Making>> {
        let (dealer, up_card) = (state.table.dealer(), state.public.up_card);
        let mut places = state.table.hands_before_play();
        if places[UP_CARD.index()].is_empty() {
            let own = places[dealer.index()] | std::mem::take(&mut places[DISCARD.index()]);
            places[UP_CARD.index()] = CardSet::of(up_card);
            places[dealer.index()] = own.without(up_card);
        }
        let mut table = Table::laid(SEATS, dealer, &places);
        let public = Euchre::open(&mut table, up_card);
        Some(State { table, public })
    }

    fn may_lie(&self, view: &View<'_, Euchre>, place: Place) -> CardSet {
        // The up-card stays face up unless the dealer took it and may have discarded it (EU12).
        let dealers = place == Place::hand(view.dealer()) || place == DISCARD;
        if dealers { !CardSet::EMPTY } else { !CardSet::of(view.public().up_card) }
    }

    fn sides(&self, state: &State<Making>) -> Option<Sides> {
        let making = &state.public;
        let declarers = std::array::from_fn(|hand| hand == making.maker.index());
        (making.phase == Phase::Play).then_some(Sides { declarers, to_lose: false })
    }
}
