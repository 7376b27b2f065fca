//! Cards that proved good in similar situations, which are tried first.

/// The card that was last good in each situation.
///
/// Another situation may overwrite it. It is forgotten with the rest of the memory, so that a search always
/// takes the same course.
pub(super) struct History {
    slots: Vec<HistorySlot>,
}

#[derive(Clone, Copy, Default)]
struct HistorySlot {
    check: u32,
    generation: u16,
    card: u8,
}

impl History {
    const SLOTS: usize = 1 << 15;

    pub(super) fn new() -> History {
        History { slots: vec![HistorySlot::default(); History::SLOTS] }
    }

    /// Forgets everything, for when the numbers of generations start again.
    pub(super) fn clear(&mut self) {
        self.slots.fill(HistorySlot::default());
    }

    /// Returns the number of a situation, a hash of three words.
    #[inline(always)]
    pub(super) fn situation(one: u64, two: u64, three: u64) -> u64 {
        let mixed = (one ^ two.rotate_left(23)).wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ three;
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        mixed ^ mixed >> 32
    }

    /// Returns the card for a situation as a bit, or 0 if there is none.
    #[inline(always)]
    pub(super) fn look_up(&self, situation: u64, generation: u16) -> u64 {
        let slot = self.slots[situation as usize & (History::SLOTS - 1)];
        let known = slot.generation == generation && slot.check == (situation >> 32) as u32;
        u64::from(known) << slot.card
    }

    #[inline(always)]
    pub(super) fn note(&mut self, situation: u64, generation: u16, card: u64) {
        let check = (situation >> 32) as u32;
        let slot = HistorySlot { check, generation, card: card.trailing_zeros() as u8 };
        self.slots[situation as usize & (History::SLOTS - 1)] = slot;
    }
}
