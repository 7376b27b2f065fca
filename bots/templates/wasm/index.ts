// A bot as a WebAssembly module: it plays the legal move that follows from the seed.

import { LEGAL_COUNT, SEED, VERSION } from "./layout";

// Room for what Overtrick writes: first the text of the variant, later decisions.
const ROOM: i32 = 16384;
const buffer: usize = heap.alloc(ROOM);

// Chooses a move: its place among the legal moves, whose numbers begin at LEGAL.
function choose(at: usize): u32 {
  return load<u32>(at + SEED) % load<u8>(at + LEGAL_COUNT);
}

export function overtrick_version(): i32 {
  return VERSION;
}

// Says where to write a number of bytes. Memory that is taken here, before the first deal, is there in every decision.
export function overtrick_buffer(size: i32): usize {
  if (size > ROOM) unreachable();
  return buffer;
}

// Gets the variant and the settings, as JSON; 1 if it plays the variant.
export function overtrick_setup(text: usize, size: i32): i32 {
  return 1;
}

export function overtrick_decide(at: usize): u32 {
  return choose(at);
}
