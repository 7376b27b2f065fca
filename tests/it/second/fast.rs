//! From a deal of the fast implementation to one of this.

use overtrick::cards::CardSet;
use overtrick::game::{FullGame, Setup, State};
use overtrick::table::Place;

use super::{Places, Start};

/// The cards as sorted texts.
pub fn texts(cards: CardSet) -> Vec<String> {
    let mut texts: Vec<String> = cards.iter().map(|card| card.to_string()).collect();
    texts.sort();
    texts
}

/// The deal as the second implementation starts from it.
pub fn start<G: FullGame>(game: &G, setup: Setup, dealt: &State<G::Public>) -> Start {
    let rules = toml::Table::try_from(game.rules()).unwrap();
    let mut table: Places = (game.asides(dealt, dealt).into_iter())
        .map(|aside| (aside.name.to_owned(), aside.cards.iter().map(|card| card.to_string()).collect()))
        .collect();
    if G::NAME == "chameleon" && !dealt.table.at(Place::Hand3).is_empty() {
        // The top card of Dummy, which a last deal keeps apart.
        table.push(("up-card".to_owned(), texts(dealt.table.at(Place::Hand3))));
    }
    Start {
        game: G::NAME.to_owned(),
        rules,
        dealer: setup.dealer.index(),
        last_deal: setup.last_deal,
        hands: (game.hand_names()).map(|(name, hand)| (name.to_owned(), texts(game.dealt_hand(dealt, hand)))).collect(),
        table,
    }
}
