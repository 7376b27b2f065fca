//! What a game promises: the deal, the calls, the order, what is exposed when, and the score. Cards, tricks and following suit are
//! the table's.

mod ending;
mod rules;
mod sides;
mod view;
mod world;

use std::fmt::Debug;
use std::ops::RangeInclusive;

use serde::Serialize;

use crate::cards::{Card, CardSet, Deck, Order, Stream};
use crate::table::{BySeat, Place, Seat, Slip, Table};

pub use crate::table::{Move, Moves};
pub use ending::{AtTarget, Closing, EndMode, Ending, FirstDealer, MOST_DEALS, Standing, TieRule};
pub use rules::{FieldError, IllegalMove, Preset, RuleSet};
pub use sides::Sides;
pub use view::{Facts, View};
pub use world::World;

/// A deal in progress: the table, and what the game keeps beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct State<P> {
    /// The cards and the tricks.
    pub table: Table,
    /// What the game keeps beside the table. All of it is public knowledge: views give it out whole. What is hidden lies in a
    /// place of the table.
    pub public: P,
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

/// Cards that the deal put somewhere else than in a hand, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aside {
    /// The name that records give it: `row`, `talon`, `up-card`...
    pub name: &'static str,
    /// The cards.
    pub cards: Vec<Card>,
}

/// What everybody knows that neither the cards in sight nor the calls and the contract tell, in words of messages to bots.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Known {
    /// The card that was turned up, wherever it is now.
    pub up_card: Option<Card>,
    /// The row, in the order in which it is taken, with the cards that have been.
    pub row: Vec<Card>,
    /// The trump suit's letter, where it is settled before there is a contract.
    pub trump: Option<&'static str>,
    /// Whether this is the last deal of a match and follows rules of its own.
    pub last_deal: bool,
}

/// What the declarer has undertaken, or why there is none. Serialises to the `contract` of a deal record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Contract {
    /// Who plays it.
    pub declarer: Option<Seat>,
    /// How high, where contracts have a level.
    pub level: Option<u8>,
    /// The trump suit's letter, or `NT`.
    pub trump: Option<&'static str>,
    /// What kind: `suit`, `misere`, `passed-out`...
    pub kind: &'static str,
}

/// A kind of contract, for the tables of results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContractKind {
    /// Its name.
    pub name: String,
    /// Whether the declarer had no choice but to declare something; `None` for a deal without a declarer.
    pub forced: Option<bool>,
}

/// What became of a deal's contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undertaking {
    /// Its kind: an index into [`Game::contract_kinds`].
    pub kind: u8,
    /// Who undertook it; `None` for a deal that nobody plays against the others.
    pub declarer: Option<Seat>,
    /// Whether the declarer made it; false where there is no declarer.
    pub made: bool,
}

/// A trick-taking card game with its rules resolved.
///
/// `apply` and the rest trust their caller: a move must be legal, a deal that is scored must be over. [`Game::try_move`] is the
/// checked entrance.
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

    /// Whether all deals have as many calls and as many cards to play, so that deals that are played side by side stay in step.
    const IN_STEP: bool = false;

    /// Its rules.
    type Rules: RuleSet;
    /// What it keeps beside the table, all of it public.
    type Public: Copy + PartialEq + Eq + Debug + Send + Sync;

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

    /// Who deals first; `luck` decides where the rules leave it to the lot.
    fn first_dealer(&self, luck: impl FnOnce() -> Stream) -> Seat;

    /// Whether a deal that is simulated by itself is played as the last of a match.
    fn single_deals_are_last(&self) -> bool {
        false
    }

    /// Shuffles and deals onto a fresh table, on which everyone sees their own hand and it is the dealer's turn; returns what the
    /// game keeps beside it.
    fn lay_out(&self, table: &mut Table, setup: Setup, luck: &mut Stream) -> Self::Public;

    /// A new deal.
    fn deal(&self, setup: Setup, luck: &mut Stream) -> State<Self::Public> {
        let mut table = Table::new(self.layout().seats, setup.dealer);
        let public = self.lay_out(&mut table, setup, luck);
        State { table, public }
    }

    /// A new deal in place of an old one, whose memory it takes.
    #[inline(always)]
    fn deal_again(&self, state: &mut State<Self::Public>, setup: Setup, luck: &mut Stream) {
        state.table = Table::new(self.layout().seats, setup.dealer);
        state.public = self.lay_out(&mut state.table, setup, luck);
    }

    /// The moves open to the hand whose turn it is: never empty before the deal is over.
    fn legal(&self, state: &State<Self::Public>) -> Moves;

    /// Makes a legal move.
    fn apply(&self, state: &mut State<Self::Public>, chosen: Move);

    /// Whether the deal has ended.
    fn is_over(&self, state: &State<Self::Public>) -> bool;

    /// The score of every seat in a deal that is over.
    fn scores(&self, state: &State<Self::Public>) -> BySeat<i32>;

    /// Why each seat scored what it did, with the rule's number.
    fn reasons(&self, state: &State<Self::Public>) -> Vec<String>;

    /// The lowest and the highest score that a seat can have in one deal.
    fn score_range(&self) -> RangeInclusive<i32>;

    /// Which card beats which, once that is settled.
    fn order(&self, state: &State<Self::Public>) -> Option<&Order>;

    /// The cards that need not follow suit even if they could, once it is settled which card beats which: none, as a rule.
    fn anytime(&self, _public: &Self::Public) -> CardSet {
        CardSet::EMPTY
    }

    /// The deal that has come to `state` as it was before its first move: what the calls in it were made on. Where the table no longer
    /// tells a card from another (which of their cards the declarer took from the talon), `luck` decides. `None` in games
    /// without calls, and where what happened cannot be undone.
    fn opening(&self, _state: &State<Self::Public>, _luck: &mut Stream) -> Option<State<Self::Public>> {
        None
    }

    /// The two sides of the play, once cards are played, in games that have two. Where those of a side score for their own tricks, too,
    /// that is held to be a small matter beside what is at stake between the sides.
    fn sides(&self, _state: &State<Self::Public>) -> Option<Sides> {
        None
    }

    /// The cards among those that `view` does not show that may lie at a place, as far as the game knows more than which suits a hand
    /// has shown out of: all cards, as a rule. It depends on what the view tells and on nothing else.
    fn may_lie(&self, _view: &View<'_, Self>, _place: Place) -> CardSet {
        !CardSet::EMPTY
    }

    /// Whether a card that did not follow suit when it was played shows that its hand could not: always, unless the rules or the
    /// card give a choice.
    fn shows_void(&self, _view: &View<'_, Self>, _play: Card) -> bool {
        true
    }

    /// The calls that a seat may have made where its call is sealed: what the others may take it for.
    fn sealed_calls(&self) -> Moves {
        Moves::NONE
    }

    /// The hand as it was dealt, for a record.
    fn dealt_hand(&self, dealt: &State<Self::Public>, hand: Place) -> CardSet {
        dealt.table.at(hand)
    }

    /// What lies elsewhere than in hands after the deal; `over` is the same deal at its end.
    fn asides(&self, dealt: &State<Self::Public>, over: &State<Self::Public>) -> Vec<Aside>;

    /// The contract, in games that have one.
    fn contract(&self, _state: &State<Self::Public>) -> Option<Contract> {
        None
    }

    /// The kinds of contract that results are broken down by; none in games without contracts.
    fn contract_kinds(&self) -> Vec<ContractKind> {
        Vec::new()
    }

    /// What became of the contract of a deal that is over, in games that have contracts.
    fn undertaking(&self, _over: &State<Self::Public>) -> Option<Undertaking> {
        None
    }

    /// Whether a deal that is over, with these scores, ended in one of the game's exceptional scores, for the designer's tables; never, in games without
    /// such.
    fn is_exceptional(&self, _over: &State<Self::Public>, _scores: &BySeat<i32>) -> bool {
        false
    }

    /// Whether a deal that is over counts towards the number of deals of a match.
    fn counts(&self, _over: &State<Self::Public>) -> bool {
        true
    }

    /// Of a deal that is over and was played as the last of a match: whether it would have been thrown in anywhere else, and whether it
    /// would then have counted towards the number of deals. `None` where it would have gone the same way.
    fn thrown_in_earlier(&self, _over: &State<Self::Public>) -> Option<bool> {
        None
    }

    /// The moves that are taken without a murmur though they are not legal, because the rules punish them in the score: none, as a
    /// rule.
    fn punishable(&self, _state: &State<Self::Public>) -> Moves {
        Moves::NONE
    }

    /// What to tell a reader about the table before the first move, a line each.
    fn remarks(&self, _dealt: &State<Self::Public>, _deal: u64) -> Vec<String> {
        Vec::new()
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
        let (rule, why) = match state.table.slip(chosen, order) {
            Some(Slip::MustFollow(led)) => {
                (Self::FOLLOW_RULE, format!("{text} does not follow suit to {led}, and the hand can"))
            }
            Some(Slip::NotHeld) => (Self::TURN_RULE, format!("{text} is not in the hand that is to play")),
            Some(Slip::NotAPlay) | None => (Self::TURN_RULE, format!("{text} is no play")),
        };
        IllegalMove { rule, why }
    }

    /// Makes a move if it is legal.
    ///
    /// # Errors
    /// The rule that forbids it; the state is as it was.
    fn try_move(&self, state: &mut State<Self::Public>, chosen: Move) -> Result<(), IllegalMove> {
        if self.is_over(state) {
            let why = "the deal is over".to_owned();
            let rule = Self::TURN_RULE;
            return Err(IllegalMove { rule, why });
        }
        if !self.legal(state).contains(chosen) && !self.punishable(state).contains(chosen) {
            return Err(self.why_not(state, chosen));
        }
        self.apply(state, chosen);
        Ok(())
    }

    /// The name of a place that is not a hand, as records and messages use it; `None` for a hand and where the game has no name.
    fn aside_name(&self, _place: Place) -> Option<&'static str> {
        None
    }

    /// What everybody knows that neither the cards in sight nor the calls and the contract tell.
    fn known(&self, _public: &Self::Public) -> Known {
        Known::default()
    }

    /// The hands by name.
    fn hand_names(&self) -> impl Iterator<Item = (&'static str, Place)> {
        self.layout().hands.iter().copied().zip(Place::ALL)
    }
}
