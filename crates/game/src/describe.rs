//! The trait that describes a game in records, messages and tables of results.

use overtrick_cards::table::{BySeat, Move, Moves, Place};
use overtrick_cards::{Card, CardSet, Rank, Strain, Suit};

use super::{Contract, ContractKind, Game, State};

/// Cards that were dealt to a place that is not a hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Aside {
    /// The name of the place in records: `row`, `talon`, `up-card`...
    pub name: &'static str,
    /// The cards, in order.
    pub cards: Vec<Card>,
}

/// Public facts that follow neither from the visible cards nor from the calls and the contract.
///
/// Messages to bots have them under these names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PublicExtras {
    /// The card that was turned up, even if it has moved since.
    pub up_card: Option<Card>,
    /// The row in the order in which its cards are taken, including those already taken.
    pub row: Vec<Card>,
    /// The trump suit's letter, where it is fixed before there is a contract.
    pub trump: Option<&'static str>,
    /// Whether this is the last deal of a match and follows special rules.
    pub last_deal: bool,
}

/// The description of a game in records of deals, messages to bots and tables of results.
pub trait Describe: Game {
    /// Returns every move of some deal under these rules, with each text that it has.
    ///
    /// Some rules leave out calls, and some cards have another text when they are not played. Such games call
    /// [`texts_of`] with the right arguments.
    fn move_texts(&self) -> Vec<(Move, String)> {
        texts_of(self, Moves::calls(!0), false)
    }

    /// Returns the reason for the score of each seat, with the number of the rule.
    fn reasons(&self, state: &State<Self::Public>) -> Vec<String>;

    /// Returns the hand as it was dealt, for a record.
    fn dealt_hand(&self, dealt: &State<Self::Public>, hand: Place) -> CardSet {
        dealt.table.at(hand)
    }

    /// Returns the cards dealt to places that are not hands. `over` is the same deal at its end.
    fn asides(&self, dealt: &State<Self::Public>, over: &State<Self::Public>) -> Vec<Aside>;

    /// Returns the contract, in games with contracts.
    fn contract(&self, _state: &State<Self::Public>) -> Option<Contract> {
        None
    }

    /// Returns the trumps, or the trumps if a call that is due now is made.
    ///
    /// Empty where no suit is named. Descriptions of a hand count these cards.
    fn trumps(&self, state: &State<Self::Public>) -> CardSet {
        let letter = self.contract(state).and_then(|contract| contract.trump);
        let letter = letter.or_else(|| self.public_extras(&state.public).trump);
        let Some(suit) = Suit::ALL.into_iter().find(|suit| Some(Strain::from(*suit).name()) == letter) else {
            return CardSet::EMPTY;
        };
        // Follows the ten, since it is never a bower.
        self.order(state).map_or(CardSet::suit(suit), |order| order.follow(Card::new(Rank::Ten, suit)))
    }

    /// Returns the kinds of contract that results are broken down by. Empty in games without contracts.
    fn contract_kinds(&self) -> Vec<ContractKind> {
        Vec::new()
    }

    /// Returns whether a finished deal with these scores ended in an exceptional score of the game.
    ///
    /// `balance.csv` counts such deals. Always false in games without exceptional scores.
    fn is_exceptional(&self, _over: &State<Self::Public>, _scores: &BySeat<i32>) -> bool {
        false
    }

    /// Returns each seat's score if no more tricks were played, where tricks score separately.
    ///
    /// By default `None`: the tricks won then decide who leads during a deal.
    fn scores_so_far(&self, _state: &State<Self::Public>) -> Option<BySeat<i32>> {
        None
    }

    /// Returns remarks on the table for readers of a replay.
    ///
    /// They are printed before the first move, one on each line.
    fn remarks(&self, _dealt: &State<Self::Public>, _deal: u64) -> Vec<String> {
        Vec::new()
    }

    /// Returns the name in records and messages of a place that is not a hand.
    ///
    /// `None` for a hand, and where the game has no name.
    fn aside_name(&self, _place: Place) -> Option<&'static str> {
        None
    }

    /// Returns the name of a hand or another place in records and messages.
    ///
    /// `None` where the game has no name.
    fn place_name(&self, place: Place) -> Option<&'static str> {
        self.aside_name(place).or_else(|| self.layout().hands.get(place.index()).copied())
    }

    /// Returns the text of a move among the calls, where a card is a discard.
    fn text_among_calls(&self, made: Move) -> Option<String> {
        match made.as_card() {
            Some(card) => Some(format!("discard {card}")),
            None => self.call_text(made.as_call()?),
        }
    }

    /// Returns public facts that follow neither from the visible cards nor from the calls and the contract.
    fn public_extras(&self, _public: &Self::Public) -> PublicExtras {
        PublicExtras::default()
    }
}

/// Lists the texts of all moves: played cards, discarded cards, then calls.
///
/// Discards are listed if `discards` is set. `calls` selects the calls, and a call without a text is left
/// out.
pub fn texts_of<G: Describe>(game: &G, calls: Moves, discards: bool) -> Vec<(Move, String)> {
    let cards = || game.layout().deck.cards().iter();
    let played = cards().map(|card| (Move::card(card), card.to_string()));
    let discarded = cards().filter(|_| discards).map(Move::card);
    let among_calls = discarded.chain(calls.iter()).filter_map(|made| Some((made, game.text_among_calls(made)?)));
    played.chain(among_calls).collect()
}
