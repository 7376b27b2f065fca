//! Messages to and from bots outside the process: one JSON object a line. `docs/protocol.md` describes them for whoever
//! writes a bot.

mod asked;
pub mod bot;
mod deal_key;
mod decision;
mod fault;
mod message;
mod names;
mod writing;

pub use asked::Asked;
pub use deal_key::DealKey;
pub use decision::{ContractSeen, Decision, StandingSeen, TooManyCards, TrickCards, TrickSeen};
pub use fault::{Fault, FaultKind, shown};
pub use message::{Batching, DealEnd, DealStart, Greeting, Hello, Message, Reply, VariantSeen};
pub use names::{ByName, Text};

/// The version of the protocol.
pub const VERSION: u32 = 1;

/// The longest line that a bot may send, in bytes, without its end.
pub const LONGEST_LINE: usize = 1 << 20;

/// The most decisions that a bot may ask for in one message.
pub const LARGEST_BATCH: u32 = 1024;
