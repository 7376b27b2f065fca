//! A bot as a WebAssembly module: it plays the first legal move that follows from the seed.

#![allow(dead_code)]

mod layout;

use std::ptr::addr_of_mut;

/// Room for what Overtrick writes: first the text of the variant, later decisions.
const ROOM: usize = 16 << 10;
static mut BUFFER: [u8; ROOM] = [0; ROOM];

/// A decision, read by offsets.
struct Decision([u8; layout::SIZE]);

impl Decision {
    fn number(&self, at: usize) -> usize {
        usize::from(self.0[at])
    }

    fn seed(&self) -> u32 {
        u32::from_le_bytes([self.0[layout::SEED], self.0[layout::SEED + 1], self.0[layout::SEED + 2], self.0[layout::SEED + 3]])
    }

    /// The legal moves: cards below 64 (16 for each suit from clubs up, the two is 0), calls from 64 up.
    fn legal(&self) -> &[u8] {
        &self.0[layout::LEGAL..][..self.number(layout::LEGAL_COUNT)]
    }
}

/// Chooses a move: its place in `decision.legal()`.
fn choose(decision: &Decision) -> usize {
    decision.seed() as usize % decision.legal().len()
}

#[unsafe(no_mangle)]
pub extern "C" fn overtrick_version() -> u32 {
    layout::VERSION
}

/// Says where to write a number of bytes. Memory that is taken here, before the first deal, is there in every decision.
#[unsafe(no_mangle)]
pub extern "C" fn overtrick_buffer(size: u32) -> *mut u8 {
    assert!(size as usize <= ROOM, "the buffer is too small");
    addr_of_mut!(BUFFER).cast()
}

/// Gets the variant and the settings, as JSON; 1 if it plays the variant.
#[unsafe(no_mangle)]
pub extern "C" fn overtrick_setup(_text: *const u8, _size: u32) -> u32 {
    1
}

/// # Safety
/// Overtrick has written a decision there.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn overtrick_decide(at: *const u8) -> u32 {
    let decision = Decision(unsafe { at.cast::<[u8; layout::SIZE]>().read() });
    choose(&decision) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_chooses_a_legal_move() {
        let mut bytes = [0; layout::SIZE];
        bytes[layout::LEGAL_COUNT] = 5;
        bytes[layout::SEED] = 7;
        assert_eq!(unsafe { overtrick_decide(bytes.as_ptr()) }, 2);
        assert_eq!((overtrick_version(), overtrick_setup(bytes.as_ptr(), 0)), (1, 1));
        assert!(!overtrick_buffer(layout::SIZE as u32).is_null());
    }
}
