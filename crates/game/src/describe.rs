//! The trait by which records, messages and tables of results describe a game.

use overtrick_cards::table::{BySeat, Move, Moves, Place};
use overtrick_cards::{Card, CardSet, Rank, Strain, Suit};

use super::{Contract, ContractKind, Game, State};

/// Cards that were dealt to a place that is not a hand, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aside {
    /// The name of the place in records: `row`, `talon`, `up-card`...
    pub name: &'static str,
    /// The cards.
    pub cards: Vec<Card>,
}

/// Public facts that follow neither from the cards in sight nor from the calls and the contract; messages to bots carry
/// them under these names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublicExtras {
    /// The card that was turned up, wherever it is now.
    pub up_card: Option<Card>,
    /// The row in the order in which its cards are taken, those that have been taken included.
    pub row: Vec<Card>,
    /// The trump suit's letter, where it is settled before there is a contract.
    pub trump: Option<&'static str>,
    /// Whether this is the last deal of a match and follows rules of its own.
    pub last_deal: bool,
}

/// What is said of a game: in records of deals, in messages to bots, in the tables of results.
pub trait Describe: Game {
    /// Every move that some deal under these rules has, with every text that it has there. Games whose rules leave out
    /// some of their calls, or whose cards have other texts when they are not played, have [`texts_of`] make it.
    fn move_texts(&self) -> Vec<(Move, String)> {
        texts_of(self, Moves::calls(!0), false)
    }

    /// Why each seat scored what it did, with the rule's number.
    fn reasons(&self, state: &State<Self::Public>) -> Vec<String>;

    /// The hand as it was dealt, for a record.
    fn dealt_hand(&self, dealt: &State<Self::Public>, hand: Place) -> CardSet {
        dealt.table.at(hand)
    }

    /// The cards that were dealt to places that are not hands; `over` is the same deal at its end.
    fn asides(&self, dealt: &State<Self::Public>, over: &State<Self::Public>) -> Vec<Aside>;

    /// The contract, in games with contracts.
    fn contract(&self, _state: &State<Self::Public>) -> Option<Contract> {
        None
    }

    /// The cards that are trumps, or that would be if a call that is due now made them so; none where no suit is spoken
    /// of. What is said of a hand counts them.
    fn trumps(&self, state: &State<Self::Public>) -> CardSet {
        let letter = self.contract(state).and_then(|contract| contract.trump);
        let letter = letter.or_else(|| self.public_extras(&state.public).trump);
        let Some(suit) = Suit::ALL.into_iter().find(|suit| Some(Strain::from(*suit).name()) == letter) else {
            return CardSet::EMPTY;
        };
        // A ten is no bower.
        self.order(state).map_or(CardSet::suit(suit), |order| order.follow(Card::new(Rank::Ten, suit)))
    }

    /// The kinds of contract that results are broken down by; none in games without contracts.
    fn contract_kinds(&self) -> Vec<ContractKind> {
        Vec::new()
    }

    /// Whether a deal that is over, with these scores, ended in one of the game's exceptional scores, which
    /// `balance.csv` counts. Always false in games without such scores.
    fn is_exceptional(&self, _over: &State<Self::Public>, _scores: &BySeat<i32>) -> bool {
        false
    }

    /// By seat: the score if no more tricks were played, where each trick has a score of its own. By default none: who
    /// leads in the course of a deal is then told by the tricks won.
    fn scores_so_far(&self, _state: &State<Self::Public>) -> Option<BySeat<i32>> {
        None
    }

    /// Remarks on the table for readers of a replay, one a line, printed before the first move.
    fn remarks(&self, _dealt: &State<Self::Public>, _deal: u64) -> Vec<String> {
        Vec::new()
    }

    /// The name of a place that is not a hand, as records and messages use it; `None` for a hand and where the game has
    /// no name.
    fn aside_name(&self, _place: Place) -> Option<&'static str> {
        None
    }

    /// Public facts that follow neither from the cards in sight nor from the calls and the contract.
    fn public_extras(&self, _public: &Self::Public) -> PublicExtras {
        PublicExtras::default()
    }
}

/// The texts of the cards of a game's pack when they are played, and when they are discarded if there are `discards`;
/// then those of its `calls`.
pub fn texts_of<G: Game>(game: &G, calls: Moves, discards: bool) -> Vec<(Move, String)> {
    let cards = || game.layout().deck.cards().iter();
    let played = cards().map(|card| (Move::card(card), card.to_string()));
    let discarded = cards().filter(|_| discards).map(|card| (Move::card(card), format!("discard {card}")));
    let called = calls.iter().filter_map(|call| Some((call, game.call_text(call.as_call()?)?)));
    played.chain(discarded).chain(called).collect()
}
