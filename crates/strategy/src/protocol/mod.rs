//! Messages to and from external bots, one JSON object per line.
//!
//! `docs/protocol.md` describes them for authors of bots.

mod asked;
pub mod bot;
mod deal_key;
mod decision;
mod fault;
mod knob;
mod knob_reader;
mod knobs;
mod message;
mod names;
mod writing;

pub use asked::Asked;
pub use deal_key::DealKey;
pub use decision::{ContractSeen, Decision, StandingSeen, TooManyCards, TrickCards, TrickSeen};
pub use fault::{Fault, FaultKind, shown};
pub use knob::{Knob, KnobRange};
pub use knobs::{Knobs, SettingRefusal};
pub use message::{Batching, DealEnd, DealStart, Greeting, Hello, Message, Reply, VariantSeen};
pub use names::{ByName, Text};

/// The version of the protocol.
pub const VERSION: u32 = 1;

/// The maximum length of a line from a bot, in bytes, without its line end.
pub const LONGEST_LINE: usize = 1 << 20;

/// The maximum number of decisions that a bot may ask for in one message.
pub const LARGEST_BATCH: u32 = 1024;
