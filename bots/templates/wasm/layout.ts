// Where a decision has what: docs/wasm.md of Overtrick has the whole table.

export const VERSION: i32 = 1;
export const SIZE: i32 = 480;
export const SEED: i32 = 4;
export const LEGAL_CARDS: i32 = 8;
export const LEGAL_CALLS: i32 = 16;
export const LEGAL_COUNT: i32 = 24;
export const SEAT: i32 = 25;
export const HAND: i32 = 27;
export const PLAY_COUNT: i32 = 31;
export const LED: i32 = 45;
export const WINNING: i32 = 46;
export const SEEN: i32 = 64;
export const PLAYS: i32 = 192;
export const LEGAL: i32 = 352;
