//! From the keys of a file to the tables of its game.

mod bars;
mod card_values;
mod cards;
mod dealing;
mod deck;
mod ending;
mod exact_bids;
mod intern;
mod order;
mod passing;
mod reason;
mod resolver;
mod rounds;
mod row_values;
mod score;
mod score_names;
mod score_rows;
mod score_table;
mod seating;

pub use bars::{BarRefusal, PlayBars, PlayMoment};
pub use card_values::{CardCount, CardValues};
pub use dealing::Dealing;
pub use deck::DeckOfGame;
pub use ending::ending;
pub use exact_bids::{ExactBids, NO_BID};
pub use intern::{intern, intern_list};
pub use order::{OrderRules, TrumpSource, order_with, trump_source};
pub use passing::Passing;
pub use reason::Reason;
pub use resolver::{BothRead, Resolver, Scopes};
pub use rounds::{PASS_CALL, TrumpCall, TrumpRound, TrumpRounds, check_suits};
pub use row_values::RowValues;
pub use score::{ScoreFacts, ScoreOfSeat, ScoreRules};
pub use score_names::ScoreShape;
pub use score_table::ScoreTable;
pub use seating::{DummyHand, Seating};
