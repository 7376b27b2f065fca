//! The traits of a game: its deal, calls, order of cards, exposed cards and scores.
//!
//! The table handles cards, tricks and following suit.

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

use overtrick_cards::table::{BySeat, Place, PlayError, Seat, Table, Teams};
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

/// A deal in progress: the table and the game's additional state.
///
/// The fixed order of fields lets an open game read a deal of another crate's game in place, without its type
/// (`games/open/public.rs`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct State<P> {
    /// The cards and the tricks.
    pub table: Table,
    /// The game's state in addition to the table. All of it is public, and views return all of it. Hidden
    /// information belongs in the table.
    pub public: P,
}

impl<P: Copy> State<P> {
    /// Returns the same deal with the cards that `seat` cannot see dealt again.
    ///
    /// The cards are dealt among the places where they lie.
    ///
    /// The view of `seat` stays the same. Each way to deal them is equally likely, whether or not it fits the
    /// play so far.
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
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Setup {
    /// The seat that deals.
    pub dealer: Seat,
    /// Whether this is known to be the last deal of its match.
    pub last_deal: bool,
    /// The place of the deal in its cycle, from 0 (see [`Game::cycle`]).
    pub deal: u32,
    /// The points before the deal, by seat. They are 0 in single deals.
    pub totals: BySeat<i32>,
}

impl Setup {
    /// Returns the setup of single deal `number` in a game whose first seat deals first.
    pub fn single<G: Game>(game: &G, number: u64, last_deal: bool) -> Setup {
        let dealer = Seat::new((number % game.layout().seats as u64) as usize);
        let deal = Setup::place_in_cycle(number, game.layout().seats, game.cycle());
        Setup { dealer, last_deal, deal, ..Setup::default() }
    }

    /// Returns the place in a cycle of single deal `number`: each of the seats deals once at each place.
    ///
    /// Groups of an estimate have the deals whose numbers leave the same remainder by a power of two. In even cycles
    /// the place would follow from the group. So each round of a cycle begins at another place: it is shifted by the
    /// digits of its number, added, in a base that is the largest power of two in the cycle.
    #[inline(always)]
    pub const fn place_in_cycle(number: u64, seats: usize, cycle: u32) -> u32 {
        // Most games have no cycle, and divisions take time.
        if cycle == 1 {
            return 0;
        }
        let (of_seats, cycle) = (number / seats as u64, cycle as u64);
        let bits = cycle.trailing_zeros();
        let (mut round, mut digits) = (of_seats / cycle, 0);
        while bits > 0 && round > 0 {
            digits += round % (1 << bits);
            round >>= bits;
        }
        ((of_seats + digits * (cycle >> bits)) % cycle) as u32
    }
}

/// The shape of a game under given rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The number of players.
    pub seats: usize,
    /// The pack.
    pub deck: Deck,
    /// The number of cards that each player holds when play begins.
    pub cards_each: usize,
    /// The names of the hands, by [`Place`], for records and messages.
    pub hands: &'static [&'static str],
    /// Whether players who face each other are partners, at a table of four.
    ///
    /// Partners have the same score in every deal.
    pub partners: bool,
}

impl Layout {
    /// Returns the teams at the table.
    pub const fn teams(&self) -> Teams {
        if self.partners { Teams::PARTNERS } else { Teams::alone(self.seats) }
    }
}

/// A trick-taking card game with its rules resolved: its moves and its scores.
///
/// [`Game::play`] checks a move. `play_unchecked` and the other methods trust their caller: moves must be
/// legal, and a deal to score must be over. [`Describe`] has the descriptions for records and messages, and
/// [`Infer`] the methods for search.
pub trait Game: Sized + Send + Sync + 'static {
    /// The game's name.
    const NAME: &'static str;

    /// The game's description, in one line.
    const ABOUT: &'static str;

    /// The game's named variants. The first has the default rules.
    const PRESETS: &'static [Preset];

    /// The number of the rule that obliges players to follow suit.
    const FOLLOW_RULE: &'static str;

    /// The number of the rule that says whose turn it is.
    ///
    /// It is cited for cards that may not be played at all.
    const TURN_RULE: &'static str;

    /// Whether all deals have the same number of calls and the same number of plays.
    ///
    /// Deals that are played side by side then stay in step.
    const IN_STEP: bool = false;

    /// The type of the game's rules.
    type Rules: Options;

    /// The type of the game's state in addition to the table, all of it public.
    type Public: Copy + PartialEq + Eq + Debug + Send + Sync;

    /// Returns [`Game::NAME`], or the name of the game inside for a wrapped game of another crate.
    fn name(&self) -> &'static str {
        Self::NAME
    }

    /// Returns [`Game::ABOUT`], or the description of this game where its type has many.
    fn about(&self) -> &'static str {
        Self::ABOUT
    }

    /// Returns [`Game::FOLLOW_RULE`], or the rule of this game where its type has many.
    fn follow_rule(&self) -> &'static str {
        Self::FOLLOW_RULE
    }

    /// Returns [`Game::TURN_RULE`], or the rule of this game where its type has many.
    fn turn_rule(&self) -> &'static str {
        Self::TURN_RULE
    }

    /// Returns [`Game::IN_STEP`], or the same of this game where its type has many.
    #[inline(always)]
    fn in_step(&self) -> bool {
        Self::IN_STEP
    }

    /// Makes the game under `rules`.
    ///
    /// # Errors
    /// If the rules are out of range or exclude each other.
    fn new(rules: Self::Rules) -> Result<Self, FieldError>;

    /// Returns the rules that the game was made with.
    fn rules(&self) -> &Self::Rules;

    /// Returns the number of players, the pack and the hands.
    fn layout(&self) -> &Layout;

    /// Returns the condition that ends a match of this game.
    fn ending(&self) -> Ending;

    /// Returns the seat that deals first. `rng` decides where the rules say so.
    fn first_dealer(&self, rng: impl FnOnce() -> Stream) -> Seat;

    /// Returns whether a deal that is simulated alone is played as the last of a match.
    fn single_deals_are_last(&self) -> bool {
        false
    }

    /// Returns the number of deals after which the rules of a deal repeat, at least 1.
    ///
    /// It is 1 if all deals of a match have the same rules. Single deals go through the cycle.
    fn cycle(&self) -> u32 {
        1
    }

    /// Returns whether the score of a deal depends on the points before it.
    fn counts_totals(&self) -> bool {
        false
    }

    /// Shuffles and deals onto an empty table, and returns the game's additional state.
    ///
    /// On the table each player sees their own hand, and it is the dealer's turn. All cards of a tournament
    /// come from one kind of stream, and the game must not depend on which.
    fn lay_out<R: Generator>(&self, table: &mut Table, setup: Setup, rng: &mut Stream<R>) -> Self::Public;

    /// Makes a new deal.
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

    /// Returns the legal moves of the hand whose turn it is. Never empty before the deal is over.
    fn legal(&self, state: &State<Self::Public>) -> Moves;

    /// Makes a legal move.
    fn play_unchecked(&self, state: &mut State<Self::Public>, chosen: Move);

    /// Returns whether the deal has ended.
    fn is_over(&self, state: &State<Self::Public>) -> bool;

    /// Returns the points of every seat in a finished deal.
    fn scores(&self, state: &State<Self::Public>) -> BySeat<i32>;

    /// Returns the lowest and the highest score that a seat can have in one deal.
    fn score_range(&self) -> RangeInclusive<i32>;

    /// Returns the order of cards, or `None` while calls have not decided it.
    fn order(&self, state: &State<Self::Public>) -> Option<&Order>;

    /// Returns the result of a finished deal's contract, in games with contracts.
    fn contract_result(&self, _over: &State<Self::Public>) -> Option<ContractResult> {
        None
    }

    /// Returns the cards that may be played even if the hand could follow suit.
    ///
    /// Called once there is an [`order`](Self::order).
    ///
    /// Empty in most games.
    fn anytime(&self, _public: &Self::Public) -> CardSet {
        CardSet::EMPTY
    }

    /// Returns whether a finished deal counts towards the number of deals of a match.
    fn counts(&self, _over: &State<Self::Public>) -> bool {
        true
    }

    /// Returns whether a last deal would have counted if thrown in earlier in the match.
    ///
    /// The deal is over and was played as the last of a match. `None` if it would have been played in the
    /// same way earlier.
    fn thrown_in_earlier(&self, _over: &State<Self::Public>) -> Option<bool> {
        None
    }

    /// Returns the illegal moves that are accepted because the rules punish them in the score.
    ///
    /// Empty in most games.
    fn renege_moves(&self, _state: &State<Self::Public>) -> Moves {
        Moves::NONE
    }

    /// Returns the text of call number `call`, or `None` if the game has no such call. Cards have their own
    /// text.
    fn call_text(&self, _call: u8) -> Option<String> {
        None
    }

    /// Returns the text of a move in the phase of `state`.
    fn move_text(&self, _state: &State<Self::Public>, chosen: Move) -> Option<String> {
        match (chosen.as_card(), chosen.as_call()) {
            (Some(card), _) => Some(card.to_string()),
            (_, Some(call)) => self.call_text(call),
            _ => None,
        }
    }

    /// Returns the move, legal or not, that a text means in the phase of `state`.
    fn read_move(&self, state: &State<Self::Public>, text: &str) -> Option<Move> {
        Move::all().find(|&candidate| self.move_text(state, candidate).as_deref() == Some(text))
    }

    /// Returns the rule and the reason that refuse an illegal move. Games with calls override this.
    fn why_not(&self, state: &State<Self::Public>, chosen: Move) -> IllegalMove {
        self.why_no_play(state, chosen)
    }

    /// Returns the rule and the reason that refuse an illegal move while a card is due.
    fn why_no_play(&self, state: &State<Self::Public>, chosen: Move) -> IllegalMove {
        let text = self.move_text(state, chosen).unwrap_or_else(|| "this".to_owned());
        let order = self.order(state).expect("cards are played under an order");
        let (rule, why) = match state.table.play_error(chosen, order) {
            Some(PlayError::MustFollow(led)) => {
                (self.follow_rule(), format!("{text} does not follow suit to {led}, and the hand can"))
            }
            Some(PlayError::NotHeld) => (self.turn_rule(), format!("{text} is not in the hand that is to play")),
            Some(PlayError::NotAPlay) | None => (self.turn_rule(), format!("{text} is no play")),
        };
        IllegalMove { rule, why }
    }

    /// Makes a move if it is legal.
    ///
    /// # Errors
    /// The rule that forbids the move. The state is unchanged.
    fn play(&self, state: &mut State<Self::Public>, chosen: Move) -> Result<(), IllegalMove> {
        if self.is_over(state) {
            let why = "the deal is over".to_owned();
            let rule = self.turn_rule();
            return Err(IllegalMove { rule, why });
        }
        if !self.legal(state).contains(chosen) && !self.renege_moves(state).contains(chosen) {
            return Err(self.why_not(state, chosen));
        }
        self.play_unchecked(state, chosen);
        Ok(())
    }

    /// Plays a deal to its end with the moves that `choose` returns.
    ///
    /// The moves are checked only if debug assertions are on. Otherwise they are trusted, as in
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

    /// Returns the hands with their names.
    fn hand_names(&self) -> impl Iterator<Item = (&'static str, Place)> {
        self.layout().hands.iter().copied().zip(Place::ALL)
    }
}

/// A game with all traits that tournaments, external bots and search need.
pub trait FullGame: Describe + Infer {}

impl<G: Describe + Infer> FullGame for G {}

#[cfg(test)]
mod tests {
    use super::Setup;

    /// In order, and in each of the groups of an estimate.
    #[test]
    fn single_deals_have_all_places_of_a_cycle() {
        for (seats, cycle) in [(2, 2), (3, 3), (3, 4), (4, 2), (4, 3), (4, 4), (4, 6), (4, 12), (4, 13), (4, 19)] {
            let place = |number: usize| Setup::place_in_cycle(number as u64, seats, cycle as u32) as usize;
            for first in (0..64).map(|round| round * seats * cycle) {
                let mut deals = vec![0; seats * cycle];
                for number in first..first + seats * cycle {
                    deals[place(number) * seats + number % seats] += 1;
                }
                assert!(deals.iter().all(|&count| count == 1), "{seats} {cycle} {deals:?}");
            }
            for groups in [8, 16, 32, 64, 256] {
                for group in 0..groups {
                    let mut deals = vec![0; cycle];
                    for number in (group..groups * cycle * 32).step_by(groups) {
                        deals[place(number)] += 1;
                    }
                    let even = deals.iter().all(|count| (16..=48).contains(count));
                    assert!(even, "{seats} {cycle} {groups} {deals:?}");
                }
            }
        }
    }
}
