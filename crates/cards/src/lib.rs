//! Cards, sets of cards, packs, shuffling and dealing, and the order of cards.

mod card;
mod card_set;
mod deck;
mod order;
mod pack;
mod rank;
mod rng;
pub mod select;
mod strain;
pub mod table;

pub use card::{Card, ParseCardError, Suit};
pub use card_set::{CardSet, Cards};
pub use deck::Deck;
pub use order::Order;
pub use pack::Pack;
pub use rank::Rank;
pub use rng::{ChaCha, Generator, Pcg, SEEDING_VERSION, SeedSource, Stream};
pub use strain::Strain;
