//! What a game promises: the deal, the calls, the order, what is exposed when, and the score. Cards, tricks and
//! following suit are the table's.
//!
//! A deal, move by move:
//!
//! ```
#![doc = include_str!("../../examples/play_a_deal.rs")]
//! ```

mod contract;
mod describe;
mod ending;
mod infer;
mod rules;
mod sides;
mod view;
mod world;

use std::fmt::Debug;
use std::ops::RangeInclusive;

use crate::cards::{CardSet, Deck, Order, Stream};
use crate::table::{BySeat, Place, PlayError, Seat, Table};

pub use crate::table::{Move, Moves};
pub use contract::{Contract, ContractKind, ContractResult};
pub use describe::{Aside, Describe, PublicExtras};
pub use ending::{AtTarget, DealResult, EndMode, Ending, FirstDealer, MOST_DEALS, Standing, TieRule};
pub use infer::Infer;
pub use rules::{FieldError, IllegalMove, Options, Preset};
pub use sides::Sides;
pub use view::{Facts, View};
pub use world::World;

/// A deal in progress: the table, and what the game keeps beside it. In this order, so that a deal of a game of another
/// crate can be read in place without its type (`games/open/public.rs`).
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
    /// How many players.
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

    /// What it is, in a line.
    const ABOUT: &'static str;

    /// Its named variants; the first has the default rules.
    const PRESETS: &'static [Preset];

    /// The number of the rule that obliges players to follow suit.
    const FOLLOW_RULE: &'static str;

    /// The number of the rule that says whose turn it is, and so what may be played at all.
    const TURN_RULE: &'static str;

    /// Whether all deals have as many calls and as many cards to play, so that deals that are played side by side stay
    /// in step.
    const IN_STEP: bool = false;

    /// Its rules.
    type Rules: Options;

    /// What it keeps beside the table, all of it public.
    type Public: Copy + PartialEq + Eq + Debug + Send + Sync;

    /// Its name: [`Game::NAME`], which a game of another crate has from within.
    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// The game under `rules`.
    ///
    /// # Errors
    /// If the rules are out of range or exclude each other.
    fn new(rules: Self::Rules) -> Result<Self, FieldError>;

    /// Its rules.
    fn rules(&self) -> &Self::Rules;

    /// Its shape.
    fn layout(&self) -> &Layout;

    /// When a match of it ends.
    fn ending(&self) -> Ending;

    /// Who deals first; `rng` decides where the rules leave it to the lot.
    fn first_dealer(&self, rng: impl FnOnce() -> Stream) -> Seat;

    /// Whether a deal that is simulated by itself is played as the last of a match.
    fn single_deals_are_last(&self) -> bool {
        false
    }

    /// Shuffles and deals onto a fresh table, on which everyone sees their own hand and it is the dealer's turn;
    /// returns what the game keeps beside it.
    fn lay_out(&self, table: &mut Table, setup: Setup, rng: &mut Stream) -> Self::Public;

    /// A new deal.
    fn deal(&self, setup: Setup, rng: &mut Stream) -> State<Self::Public> {
        let mut table = Table::new(self.layout().seats, setup.dealer);
        let public = self.lay_out(&mut table, setup, rng);
        State { table, public }
    }

    /// A new deal in place of an old one, whose memory it takes.
    #[inline(always)]
    fn deal_again(&self, state: &mut State<Self::Public>, setup: Setup, rng: &mut Stream) {
        state.table = Table::new(self.layout().seats, setup.dealer);
        state.public = self.lay_out(&mut state.table, setup, rng);
    }

    /// The moves open to the hand whose turn it is: never empty before the deal is over.
    fn legal(&self, state: &State<Self::Public>) -> Moves;

    /// Makes a legal move.
    fn play_unchecked(&self, state: &mut State<Self::Public>, chosen: Move);

    /// Whether the deal has ended.
    fn is_over(&self, state: &State<Self::Public>) -> bool;

    /// The score of every seat in a deal that is over.
    fn scores(&self, state: &State<Self::Public>) -> BySeat<i32>;

    /// The lowest and the highest score that a seat can have in one deal.
    fn score_range(&self) -> RangeInclusive<i32>;

    /// Which card beats which, once that is settled.
    fn order(&self, state: &State<Self::Public>) -> Option<&Order>;

    /// What became of the contract of a deal that is over, in games that have contracts.
    fn contract_result(&self, _over: &State<Self::Public>) -> Option<ContractResult> {
        None
    }

    /// The cards that need not follow suit even if they could, once it is settled which card beats which: none, as a
    /// rule.
    fn anytime(&self, _public: &Self::Public) -> CardSet {
        CardSet::EMPTY
    }

    /// Whether a deal that is over counts towards the number of deals of a match.
    fn counts(&self, _over: &State<Self::Public>) -> bool {
        true
    }

    /// Of a deal that is over and was played as the last of a match: whether it would have been thrown in anywhere
    /// else, and whether it would then have counted towards the number of deals. `None` where it would have gone the
    /// same way.
    fn thrown_in_earlier(&self, _over: &State<Self::Public>) -> Option<bool> {
        None
    }

    /// The moves that are taken without a murmur though they are not legal, because the rules punish them in the score:
    /// none, as a rule.
    fn renege_moves(&self, _state: &State<Self::Public>) -> Moves {
        Moves::NONE
    }

    /// The text form of a call; `None` where the number means nothing. Cards have their own text.
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

    /// Why a move that is not legal is not: the rule and the reason. Games with calls say more than this.
    fn why_not(&self, state: &State<Self::Public>, chosen: Move) -> IllegalMove {
        self.why_no_play(state, chosen)
    }

    /// Why a move that is not legal is not, where a card is to be played.
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
    /// The moves are not checked, as in [`play_unchecked`](Self::play_unchecked), but where debug assertions are on.
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

    /// The hands by name.
    fn hand_names(&self) -> impl Iterator<Item = (&'static str, Place)> {
        self.layout().hands.iter().copied().zip(Place::ALL)
    }
}

/// A game with all that tournaments, bots outside of the process and search ask of it.
pub trait FullGame: Describe + Infer {}

impl<G: Describe + Infer> FullGame for G {}
