//! The traits of a game: its deal, calls, order of cards, exposed cards and scores. Cards, tricks and following suit
//! are the table's.

mod contract;
mod describe;
mod ending;
mod half_time;
mod infer;
mod prizes;
mod rules;
mod sides;
mod view;
mod world;

use std::fmt::Debug;
use std::ops::RangeInclusive;

use overtrick_cards::table::{BySeat, Place, PlayError, Seat, Table};
use overtrick_cards::{CardSet, Deck, Generator, Order, Stream};

pub use contract::{Contract, ContractKind, ContractResult};
pub use describe::{Aside, Describe, PublicExtras, texts_of};
pub use ending::{AtTarget, DealResult, EndMode, Ending, FirstDealer, MOST_DEALS, Standing, TieRule};
pub use half_time::HalfTime;
pub use infer::Infer;
pub use overtrick_cards::table::{Move, Moves};
pub use prizes::Prizes;
pub use rules::{Described, FieldError, IllegalMove, Options, Preset};
pub use sides::Sides;
pub use view::{Facts, View};
pub use world::World;

/// A deal in progress: the table, and what the game keeps beside it. The fields stand in this order, so that a deal of
/// a game of another crate can be read in place without its type (`games/open/public.rs`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct State<P> {
    /// The cards and the tricks.
    pub table: Table,
    /// What the game keeps beside the table. All of it is public knowledge: views give it out whole. What is hidden
    /// lies in a place of the table.
    pub public: P,
}

impl<P: Copy> State<P> {
    /// The same deal with the cards that `seat` cannot see dealt out anew among the places where they lie: whoever
    /// looks from that seat cannot tell the two apart. Each way to deal them is equally likely, whether or not it fits
    /// what was played.
    pub fn redealt(&self, seat: Seat, rng: &mut Stream) -> State<P> {
        let mut other = *self;
        other.table.redeal_hidden(seat, |cards| {
            for last in (1..cards.len()).rev() {
                cards.swap(last, rng.random_below(last as u64 + 1) as usize);
            }
        });
        other
    }
}

/// The circumstances of a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Who deals.
    pub dealer: Seat,
    /// Whether this is known to be the last deal of its match.
    pub last_deal: bool,
}

/// The shape of a game under given rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The number of players.
    pub seats: usize,
    /// The pack.
    pub deck: Deck,
    /// How many cards each player holds when play begins.
    pub cards_each: usize,
    /// The names of the hands, by [`Place`]; records and messages use them.
    pub hands: &'static [&'static str],
}

/// A trick-taking card game with its rules resolved: what can be done, and what it scores.
///
/// [`Game::play`] checks a move; `play_unchecked` and the rest trust their caller: the move must be legal, a deal that
/// is scored must be over. What records and messages say of a game is [`Describe`], what search asks of it [`Infer`].
pub trait Game: Sized + Send + Sync + 'static {
    /// The game's name.
    const NAME: &'static str;

    /// What the game is, in one line.
    const ABOUT: &'static str;

    /// The game's named variants; the first has the default rules.
    const PRESETS: &'static [Preset];

    /// The number of the rule that obliges players to follow suit.
    const FOLLOW_RULE: &'static str;

    /// The number of the rule that says whose turn it is, and so what may be played at all.
    const TURN_RULE: &'static str;

    /// Whether all deals have as many calls and as many cards to play, so that deals that are played side by side stay
    /// in step.
    const IN_STEP: bool = false;

    /// The type of the game's rules.
    type Rules: Options;

    /// The type of what the game keeps beside the table, all of it public.
    type Public: Copy + PartialEq + Eq + Debug + Send + Sync;

    /// The game's name: [`Game::NAME`], or for a wrapped game of another crate the name of the game inside.
    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// The game under `rules`.
    ///
    /// # Errors
    /// If the rules are out of range or exclude each other.
    fn new(rules: Self::Rules) -> Result<Self, FieldError>;

    /// The rules that the game was made with.
    fn rules(&self) -> &Self::Rules;

    /// The number of players, the pack and the hands.
    fn layout(&self) -> &Layout;

    /// When a match of this game ends.
    fn ending(&self) -> Ending;

    /// Who deals first; `rng` decides where the rules leave it to the lot.
    fn first_dealer(&self, rng: impl FnOnce() -> Stream) -> Seat;

    /// Whether a deal that is simulated by itself is played as the last of a match.
    fn single_deals_are_last(&self) -> bool {
        false
    }

    /// Shuffles and deals onto a fresh table, on which everyone sees their own hand and it is the dealer's turn;
    /// returns what the game keeps beside it. (In every tournament the cards come from one kind of stream; which one
    /// is no matter of the game.)
    fn lay_out<R: Generator>(&self, table: &mut Table, setup: Setup, rng: &mut Stream<R>) -> Self::Public;

    /// A new deal.
    fn deal<R: Generator>(&self, setup: Setup, rng: &mut Stream<R>) -> State<Self::Public> {
        let mut table = Table::new(self.layout().seats, setup.dealer);
        let public = self.lay_out(&mut table, setup, rng);
        State { table, public }
    }

    /// Makes a new deal in the memory of an old one.
    #[inline(always)]
    fn deal_again<R: Generator>(&self, state: &mut State<Self::Public>, setup: Setup, rng: &mut Stream<R>) {
        state.table = Table::new(self.layout().seats, setup.dealer);
        state.public = self.lay_out(&mut state.table, setup, rng);
    }

    /// The moves open to the hand whose turn it is: never empty before the deal is over.
    fn legal(&self, state: &State<Self::Public>) -> Moves;

    /// Makes a legal move.
    fn play_unchecked(&self, state: &mut State<Self::Public>, chosen: Move);

    /// Whether the deal has ended.
    fn is_over(&self, state: &State<Self::Public>) -> bool;

    /// The points of every seat in a deal that is over.
    fn scores(&self, state: &State<Self::Public>) -> BySeat<i32>;

    /// The lowest and the highest score that a seat can have in one deal.
    fn score_range(&self) -> RangeInclusive<i32>;

    /// Which card beats which; `None` while calls have not decided that yet.
    fn order(&self, state: &State<Self::Public>) -> Option<&Order>;

    /// The result of the contract of a deal that is over, in games with contracts.
    fn contract_result(&self, _over: &State<Self::Public>) -> Option<ContractResult> {
        None
    }

    /// The cards that may be played at any time, whether or not the hand could follow suit, once there is an
    /// [`order`](Self::order). None in most games.
    fn anytime(&self, _public: &Self::Public) -> CardSet {
        CardSet::EMPTY
    }

    /// Whether a deal that is over counts towards the number of deals of a match.
    fn counts(&self, _over: &State<Self::Public>) -> bool {
        true
    }

    /// For a deal that is over and was played as the last of a match, but would have been thrown in earlier in the
    /// match: whether it would then have counted towards the number of deals. `None` if it would have gone the same
    /// way.
    fn thrown_in_earlier(&self, _over: &State<Self::Public>) -> Option<bool> {
        None
    }

    /// The moves that are not legal but are accepted all the same, because the rules punish them in the score. None in
    /// most games.
    fn renege_moves(&self, _state: &State<Self::Public>) -> Moves {
        Moves::NONE
    }

    /// The text form of call number `call`; `None` if the game has no such call. Cards have their own text.
    fn call_text(&self, _call: u8) -> Option<String> {
        None
    }

    /// The text form of a move in the phase that `state` is in.
    fn move_text(&self, _state: &State<Self::Public>, chosen: Move) -> Option<String> {
        match (chosen.as_card(), chosen.as_call()) {
            (Some(card), _) => Some(card.to_string()),
            (_, Some(call)) => self.call_text(call),
            _ => None,
        }
    }

    /// The move that a text stands for in the phase that `state` is in, legal or not.
    fn read_move(&self, state: &State<Self::Public>, text: &str) -> Option<Move> {
        Move::all().find(|&candidate| self.move_text(state, candidate).as_deref() == Some(text))
    }

    /// Why an illegal move is refused: the rule and the reason. Games with calls override this to say more.
    fn why_not(&self, state: &State<Self::Public>, chosen: Move) -> IllegalMove {
        self.why_no_play(state, chosen)
    }

    /// Why an illegal move is refused while a card is to be played.
    fn why_no_play(&self, state: &State<Self::Public>, chosen: Move) -> IllegalMove {
        let text = self.move_text(state, chosen).unwrap_or_else(|| "this".to_owned());
        let order = self.order(state).expect("cards are played under an order");
        let (rule, why) = match state.table.play_error(chosen, order) {
            Some(PlayError::MustFollow(led)) => {
                (Self::FOLLOW_RULE, format!("{text} does not follow suit to {led}, and the hand can"))
            }
            Some(PlayError::NotHeld) => (Self::TURN_RULE, format!("{text} is not in the hand that is to play")),
            Some(PlayError::NotAPlay) | None => (Self::TURN_RULE, format!("{text} is no play")),
        };
        IllegalMove { rule, why }
    }

    /// Makes a move if it is legal.
    ///
    /// # Errors
    /// The rule that forbids it; the state is as it was.
    fn play(&self, state: &mut State<Self::Public>, chosen: Move) -> Result<(), IllegalMove> {
        if self.is_over(state) {
            let why = "the deal is over".to_owned();
            let rule = Self::TURN_RULE;
            return Err(IllegalMove { rule, why });
        }
        if !self.legal(state).contains(chosen) && !self.renege_moves(state).contains(chosen) {
            return Err(self.why_not(state, chosen));
        }
        self.play_unchecked(state, chosen);
        Ok(())
    }

    /// Plays a deal out: `choose` says the next move until the deal is over.
    ///
    /// The moves are checked only if debug assertions are on; otherwise they are trusted, as in
    /// [`play_unchecked`](Self::play_unchecked).
    #[inline]
    fn play_out(&self, state: &mut State<Self::Public>, mut choose: impl FnMut(&State<Self::Public>) -> Move) {
        while !self.is_over(state) {
            let chosen = choose(state);
            debug_assert!(
                self.legal(state).contains(chosen) || self.renege_moves(state).contains(chosen),
                "{chosen:?}"
            );
            self.play_unchecked(state, chosen);
        }
    }

    /// The hands with their names.
    fn hand_names(&self) -> impl Iterator<Item = (&'static str, Place)> {
        self.layout().hands.iter().copied().zip(Place::ALL)
    }
}

/// A game that implements all that tournaments, bots outside of the process and search need.
pub trait FullGame: Describe + Infer {}

impl<G: Describe + Infer> FullGame for G {}
