//! Cards, sets of cards, packs, the luck of the deal, and which card beats which.

mod card;
mod card_set;
mod deck;
mod luck;
mod order;
mod pack;
pub mod select;

pub use card::{Card, ParseCardError, Suit};
pub use card_set::CardSet;
pub use deck::Deck;
pub use luck::{Luck, SEEDING_VERSION, Stream};
pub use order::Order;
pub use pack::Pack;
