//! A view: what one seat may know at its turn, and nothing else.

use overtrick_cards::table::{BySight, Move, Moves, Place, Play, Seat, Trick};
use overtrick_cards::{Card, CardSet, Order};

use super::{Contract, Describe, Game, IllegalMove, Standing, State, World};

const HANDS: [Place; Place::HANDS] = [Place::Hand0, Place::Hand1, Place::Hand2, Place::Hand3];

/// A seat's view of a deal. It borrows the state but gives out only what the seat may know: cards in places it may look
/// into, cards that lie face up, and what happened in public.
pub struct View<'a, G: Game> {
    game: &'a G,
    state: &'a State<G::Public>,
    standing: &'a Standing,
    seat: Seat,
}

impl<G: Game> Clone for View<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for View<'_, G> {}

impl<'a, G: Game> View<'a, G> {
    /// The view of `seat`.
    #[inline(always)]
    pub fn new(game: &'a G, state: &'a State<G::Public>, standing: &'a Standing, seat: Seat) -> View<'a, G> {
        View { game, state, standing, seat }
    }

    /// The same view for the game `game`; `read` turns the state of this game into one of that game. It is there for
    /// open games alone: a strategy that used it would see hidden cards.
    #[doc(hidden)]
    pub fn of<H: Game>(
        &self,
        game: &'a H,
        read: impl FnOnce(&'a State<G::Public>) -> &'a State<H::Public>,
    ) -> View<'a, H> {
        View { game, state: read(self.state), standing: self.standing, seat: self.seat }
    }

    /// The game: its rules and its orders.
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// Which card beats which; `None` while calls have not decided that yet.
    pub fn order(&self) -> Option<&'a Order> {
        self.game.order(self.state)
    }

    /// What the game keeps beside the cards, all of it public.
    pub fn public(&self) -> &'a G::Public {
        &self.state.public
    }

    /// The match so far.
    pub fn standing(&self) -> &'a Standing {
        self.standing
    }

    /// The seat whose view this is.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// The seat that deals.
    pub fn dealer(&self) -> Seat {
        self.state.table.dealer()
    }

    /// The hand whose card or call is due; it need not be the seat's own.
    pub fn hand_to_move(&self) -> Place {
        self.state.table.hand_to_move()
    }

    /// The cards at a place as far as the seat sees them.
    pub fn cards(&self, place: Place) -> CardSet {
        self.state.table.seen_at(place, self.seat)
    }

    /// The seat's own hand.
    pub fn own(&self) -> CardSet {
        self.cards(Place::hand(self.seat))
    }

    /// How many cards lie at a place.
    pub fn count(&self, place: Place) -> usize {
        self.state.table.at(place).len() as usize
    }

    /// The cards that the seat has not seen: they lie in places that it may not look into.
    pub fn unseen(&self) -> CardSet {
        let seen = Place::ALL.into_iter().fold(CardSet::EMPTY, |all, place| all | self.cards(place));
        self.state.table.cards() - seen
    }

    /// The seat that chooses the cards of a hand.
    pub fn decider(&self, hand: Place) -> Seat {
        self.state.table.decider(hand)
    }

    /// The hand that plays after `hand`.
    pub fn after(&self, hand: Place) -> Place {
        self.state.table.after(hand)
    }

    /// How many hands play to a trick.
    pub fn hands_in_trick(&self) -> usize {
        self.state.table.hands_in_trick()
    }

    /// The card that set the suit of the trick in progress; `None` before it is played.
    pub fn led(&self) -> Option<Card> {
        let led = self.state.table.led();
        (led != Card::NONE).then_some(led)
    }

    /// The hand that is winning the trick in progress and how strong its card is there (see [`Order`]).
    pub fn winning(&self) -> Option<(Place, u8)> {
        self.state.table.winning()
    }

    /// How many cards lie in the trick in progress.
    pub fn trick_length(&self) -> usize {
        self.state.table.trick_length()
    }

    /// The hands that play tricks, in the order in which they play, from seat 0's own.
    pub fn circle(&self) -> impl Iterator<Item = Place> + use<G> {
        self.state.table.circle()
    }

    /// The tricks so far; the last may be in progress.
    pub fn tricks(&self) -> Vec<Trick> {
        self.state.table.tricks()
    }

    /// The hand that led to trick `number`, counted from 0; the trick must have begun.
    pub fn leader(&self, number: usize) -> Place {
        self.state.table.leader(number)
    }

    /// The cards in the trick in progress, in the order in which they were played.
    pub fn trick(&self) -> Vec<Play> {
        match self.state.table.tricks().pop() {
            Some(trick) if trick.winner.is_none() => trick.plays,
            _ => Vec::new(),
        }
    }

    /// Every card played so far, in order.
    pub fn plays(&self) -> &'a [Card] {
        self.state.table.plays()
    }

    /// How many calls and plays there have been.
    pub fn step(&self) -> usize {
        self.state.table.calls().len() + self.state.table.plays().len()
    }

    /// How many tricks a hand has won.
    pub fn tricks_won(&self, hand: Place) -> usize {
        usize::from(self.state.table.tricks_won(hand))
    }

    /// How many tricks are over.
    pub fn tricks_played(&self) -> usize {
        self.state.table.tricks_played()
    }

    /// The calls so far, with the seat that made each. Another seat's discard or sealed call is `None`: it is known
    /// that there was one, but not which.
    pub fn calls(&self) -> Vec<(Seat, Option<Move>)> {
        let table = &self.state.table;
        let known = |(number, &(seat, call)): (usize, &(Seat, Move))| {
            let hidden = seat != self.seat && (call.as_card().is_some() || table.is_sealed(number));
            (seat, (!hidden).then_some(call))
        };
        table.calls().iter().enumerate().map(known).collect()
    }

    /// The text form of a move that is due now.
    pub fn move_text(&self, chosen: Move) -> Option<String> {
        self.game.move_text(self.state, chosen)
    }

    /// The move that a text stands for now, legal or not.
    pub fn read_move(&self, text: &str) -> Option<Move> {
        self.game.read_move(self.state, text)
    }

    /// Why a move of the hand to move is not legal.
    pub fn why_not(&self, chosen: Move) -> IllegalMove {
        self.game.why_not(self.state, chosen)
    }

    /// The moves that are taken though they are not legal (see [`Game::renege_moves`]).
    pub fn renege_moves(&self) -> Moves {
        self.game.renege_moves(self.state)
    }

    /// The deal as it would be in `world`, which must fit the view: a full state to play on, of which the seat has this
    /// same view.
    pub fn imagine(&self, world: &World) -> State<G::Public> {
        let mut state = *self.state;
        state.table.rearrange(self.seat, world.places());
        if self.has_sealed_call() {
            state.table.reseal(self.seat, world.sealed());
        }
        state
    }

    /// Whether another seat has made a call that this one does not know, not counting discards.
    pub fn has_sealed_call(&self) -> bool {
        let table = &self.state.table;
        let sealed = |(number, &(seat, _)): (usize, &(Seat, Move))| seat != self.seat && table.is_sealed(number);
        table.calls().iter().enumerate().any(sealed)
    }

    /// Everything that the view shows, as one value: two views are equal exactly if their facts are.
    pub fn facts(&self) -> Facts<G::Public> {
        let table = &self.state.table;
        Facts {
            seat: self.seat,
            dealer: self.dealer(),
            hand_to_move: self.hand_to_move(),
            standing: *self.standing,
            public: self.state.public,
            sight: table.seen(self.seat),
            led: self.led(),
            winning: self.winning(),
            calls: self.calls(),
            tricks: self.tricks(),
            tricks_won: HANDS.map(|hand| table.tricks_won(hand)),
            unseen: self.unseen(),
            deciders: HANDS.map(|hand| table.decider(hand)),
        }
    }
}

impl<G: Describe> View<'_, G> {
    /// The contract, once there is one, in games with contracts.
    pub fn contract(&self) -> Option<Contract> {
        self.game.contract(self.state)
    }

    /// The cards that are trumps, or that would be if a call that is due now made them so.
    pub fn trumps(&self) -> CardSet {
        self.game.trumps(self.state)
    }
}

/// Everything that a [`View`] shows, as one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Facts<P> {
    seat: Seat,
    dealer: Seat,
    hand_to_move: Place,
    standing: Standing,
    public: P,
    sight: BySight,
    led: Option<Card>,
    winning: Option<(Place, u8)>,
    calls: Vec<(Seat, Option<Move>)>,
    tricks: Vec<Trick>,
    tricks_won: [u8; Place::HANDS],
    unseen: CardSet,
    deciders: [Seat; Place::HANDS],
}
