//! From the keys of a file to the tables of its game.

mod cards;
mod deck;
mod ending;
mod intern;
mod order;
mod reason;
mod resolver;
mod score;
mod score_table;
mod seating;

pub use deck::DeckOfGame;
pub use ending::ending;
pub use intern::{intern, intern_list};
pub use order::{OrderRules, fixed_trump, order_with};
pub use reason::Reason;
pub use resolver::{BothRead, Resolver, Scopes};
pub use score::{ScoreFacts, ScoreOfSeat, ScoreRules};
pub use score_table::ScoreTable;
pub use seating::{DummyHand, Seating};
