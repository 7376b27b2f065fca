//! Where a decision has what: docs/wasm.md of Overtrick has the whole table.

pub const VERSION: u32 = 1;
pub const SIZE: usize = 480;
pub const SEED: usize = 4;
pub const LEGAL_CARDS: usize = 8;
pub const LEGAL_CALLS: usize = 16;
pub const LEGAL_COUNT: usize = 24;
pub const SEAT: usize = 25;
pub const HAND: usize = 27;
pub const PLAY_COUNT: usize = 31;
pub const LED: usize = 45;
pub const WINNING: usize = 46;
pub const SEEN: usize = 64;
pub const PLAYS: usize = 192;
pub const LEGAL: usize = 352;
