//! The view of one seat: everything that it may know at its turn, and nothing else.

use overtrick_cards::table::{Move, Moves, Place, Play, Seat, SeenPlace, Trick};
use overtrick_cards::{Card, CardSet, Order};

use super::{Contract, Describe, Game, IllegalMove, Standing, State, World};

const HANDS: [Place; Place::HANDS] = [Place::Hand0, Place::Hand1, Place::Hand2, Place::Hand3];

/// A seat's view of a deal.
///
/// It borrows the state, but returns only facts that the seat may know. These are the cards in places that it
/// may look into, the cards that lie face up, and all public moves.
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
    /// Makes the view of `seat`.
    #[inline(always)]
    pub fn new(game: &'a G, state: &'a State<G::Public>, standing: &'a Standing, seat: Seat) -> View<'a, G> {
        View { game, state, standing, seat }
    }

    /// Makes the same view for the game `game`. `read` converts the state of this game.
    ///
    /// Only for open games: a strategy that used it would see hidden cards.
    #[doc(hidden)]
    pub fn of<H: Game>(
        &self,
        game: &'a H,
        read: impl FnOnce(&'a State<G::Public>) -> &'a State<H::Public>,
    ) -> View<'a, H> {
        View { game, state: read(self.state), standing: self.standing, seat: self.seat }
    }

    /// Returns the game: its rules and its orders.
    pub fn game(&self) -> &'a G {
        self.game
    }

    /// Returns the order of cards, or `None` while calls have not decided it.
    pub fn order(&self) -> Option<&'a Order> {
        self.game.order(self.state)
    }

    /// Returns the game's state in addition to the cards, all of it public.
    pub fn public(&self) -> &'a G::Public {
        &self.state.public
    }

    /// Returns the state of the match so far.
    pub fn standing(&self) -> &'a Standing {
        self.standing
    }

    /// Returns the seat whose view this is.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// Returns the seat that deals.
    pub fn dealer(&self) -> Seat {
        self.state.table.dealer()
    }

    /// Returns the hand whose card or call is due. It need not be the seat's own hand.
    pub fn hand_to_move(&self) -> Place {
        self.state.table.hand_to_move()
    }

    /// Returns the cards at a place that the seat sees.
    pub fn cards(&self, place: Place) -> CardSet {
        self.state.table.seen_at(place, self.seat)
    }

    /// Returns the seat's own hand.
    pub fn own(&self) -> CardSet {
        self.cards(Place::hand(self.seat))
    }

    /// Returns the number of cards at a place.
    pub fn count(&self, place: Place) -> usize {
        self.state.table.at(place).len() as usize
    }

    /// Returns the cards that lie where the seat cannot see them.
    pub fn unseen(&self) -> CardSet {
        let seen = Place::ALL.into_iter().fold(CardSet::EMPTY, |all, place| all | self.cards(place));
        self.state.table.cards() - seen
    }

    /// Returns the seat that chooses the cards of a hand.
    pub fn decider(&self, hand: Place) -> Seat {
        self.state.table.decider(hand)
    }

    /// Returns the hand that plays after `hand`.
    pub fn after(&self, hand: Place) -> Place {
        self.state.table.after(hand)
    }

    /// Returns the number of hands that play to a trick.
    pub fn hands_in_trick(&self) -> usize {
        self.state.table.hands_in_trick()
    }

    /// Returns the card that set the suit of the trick in progress, or `None` before it is played.
    pub fn led(&self) -> Option<Card> {
        let led = self.state.table.led();
        (led != Card::NONE).then_some(led)
    }

    /// Returns the hand that is winning the trick in progress, and the strength of its card (see [`Order`]).
    pub fn winning(&self) -> Option<(Place, u8)> {
        self.state.table.winning()
    }

    /// Returns the number of cards in the trick in progress.
    pub fn trick_length(&self) -> usize {
        self.state.table.trick_length()
    }

    /// Returns the hands that play tricks, in playing order from the hand of seat 0.
    pub fn circle(&self) -> impl Iterator<Item = Place> + use<G> {
        self.state.table.circle()
    }

    /// Returns the tricks so far. The last may be in progress.
    pub fn tricks(&self) -> Vec<Trick> {
        self.state.table.tricks()
    }

    /// Returns the hand that led to trick `number`, counted from 0. The trick must have begun.
    pub fn leader(&self, number: usize) -> Place {
        self.state.table.leader(number)
    }

    /// Returns the cards in the trick in progress, in the order in which they were played.
    pub fn trick(&self) -> Vec<Play> {
        match self.state.table.tricks().pop() {
            Some(trick) if trick.winner.is_none() => trick.plays,
            _ => Vec::new(),
        }
    }

    /// Returns the cards played so far, in order.
    pub fn plays(&self) -> &'a [Card] {
        self.state.table.plays()
    }

    /// Returns the number of calls and plays so far.
    pub fn step(&self) -> usize {
        self.state.table.calls().len() + self.state.table.plays().len()
    }

    /// Returns the number of tricks that a hand has won.
    pub fn tricks_won(&self, hand: Place) -> usize {
        usize::from(self.state.table.tricks_won(hand))
    }

    /// Returns the number of completed tricks.
    pub fn tricks_played(&self) -> usize {
        self.state.table.tricks_played()
    }

    /// Returns the calls so far, each with its caller.
    ///
    /// A discard or sealed call of another seat is `None`: the seat knows that it was made, but not which. A passed
    /// card is known to the seats that passed it and that have it.
    pub fn calls(&self) -> Vec<(Seat, Option<Move>)> {
        let table = &self.state.table;
        let known = |(number, &(seat, call)): (usize, &(Seat, Move))| {
            (seat, (!table.hides_call(number, self.seat)).then_some(call))
        };
        table.calls().iter().enumerate().map(known).collect()
    }

    /// Returns the text of a move that is due now.
    pub fn move_text(&self, chosen: Move) -> Option<String> {
        self.game.move_text(self.state, chosen)
    }

    /// Returns the move, legal or not, that a text means now.
    pub fn read_move(&self, text: &str) -> Option<Move> {
        self.game.read_move(self.state, text)
    }

    /// Returns the rule and the reason that refuse a move of the hand to move.
    pub fn why_not(&self, chosen: Move) -> IllegalMove {
        self.game.why_not(self.state, chosen)
    }

    /// Returns the moves that are accepted although they are illegal (see [`Game::renege_moves`]).
    pub fn renege_moves(&self) -> Moves {
        self.game.renege_moves(self.state)
    }

    /// Returns the deal as it would be in `world`, which must fit the view.
    ///
    /// The result is a full state to play on, of which the seat has the same view.
    pub fn imagine(&self, world: &World) -> State<G::Public> {
        let mut state = *self.state;
        state.table.rearrange(self.seat, world.places());
        if self.has_sealed_call() {
            state.table.reseal(self.seat, world.sealed());
        }
        state
    }

    /// Returns whether another seat has made a call that this seat does not know. Discards do not count.
    pub fn has_sealed_call(&self) -> bool {
        let table = &self.state.table;
        let sealed = |(number, &(seat, _)): (usize, &(Seat, Move))| seat != self.seat && table.is_sealed(number);
        table.calls().iter().enumerate().any(sealed)
    }

    /// Returns everything that the view shows, as one value. Two views are equal exactly if their facts are.
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
    /// Returns the contract, once there is one, in games with contracts.
    pub fn contract(&self) -> Option<Contract> {
        self.game.contract(self.state)
    }

    /// Returns the trumps, or the trumps if a call that is due now is made.
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
    sight: [SeenPlace; Place::COUNT],
    led: Option<Card>,
    winning: Option<(Place, u8)>,
    calls: Vec<(Seat, Option<Move>)>,
    tricks: Vec<Trick>,
    tricks_won: [u8; Place::HANDS],
    unseen: CardSet,
    deciders: [Seat; Place::HANDS],
}
