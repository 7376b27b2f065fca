//! From the keys of a file to the tables of its game.

mod cards;
mod deck;
mod order;
mod resolver;

pub use deck::DeckOfGame;
pub use order::{OrderRules, fixed_trump, order_with};
pub use resolver::{BothRead, Resolver, Scopes};
