//! The solver's memory: results for whole classes of positions.
//!
//! Positions before a lead are in the same class on these conditions:
//!
//! - The same hand leads.
//! - Every hand has the same number of cards of each suit.
//! - The same hands hold the *relevant* cards: in each suit some of the best cards, on which the result
//!   depends.
//!
//! The holders of the smaller cards do not affect the result, so one entry holds for all ways to deal them
//! (Ginsberg's partition search).

use super::history::History;

/// The owners of all cards, as two bits for each card.
///
/// The bits are in two words that are laid out like hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owners(pub(super) [u64; 2]);

/// A class of positions with its known bounds.
#[derive(Clone, Copy)]
struct Entry {
    owners: [u64; 2],
    /// The cards on which the result depends: in each suit none or some of the best.
    relevant: u64,
    /// The known lower and upper bounds on the tricks won.
    lower: u8,
    upper: u8,
    /// The bit number of a lead that proved one of these bounds, or [`NO_LEAD`].
    lead: u8,
}

impl Entry {
    const NONE: Entry = Entry { owners: [0; 2], relevant: 0, lower: 0, upper: 0, lead: NO_LEAD };
}

/// A list of the classes with the same lengths and leader.
///
/// The classes are contiguous in memory, since reading them is most of the work.
#[derive(Clone, Copy, Default)]
struct Slot {
    lengths: u64,
    leader: u16,
    /// The generation in which the list was made. A slot of an older generation is free.
    generation: u16,
    first: u32,
    count: u32,
    /// The size class. The list has room for `SMALLEST << size` classes.
    size: u32,
}

impl Slot {
    fn range(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// The number of classes that a new list has room for.
const SMALLEST: usize = 2;

/// The knowledge about winning some number of tricks in a position.
#[derive(Clone, Copy, Debug)]
pub(super) enum Known {
    /// Whether the tricks are won, and the cards on which that depends.
    Settled(bool, u64),
    /// A lead that was good in a similar position, as a bit number, or [`NO_LEAD`].
    Unsettled(u8),
}

/// The classes of positions with known results.
pub(super) struct TranspositionTable {
    slots: Vec<Slot>,
    /// The number of used slots.
    lists: usize,
    generation: u16,
    entries: Vec<Entry>,
    /// By size class, the starts of lists that have moved to a larger room. New lists reuse them.
    vacant: [Vec<u32>; 32],
    /// The largest number of entries.
    limit: usize,
    pub(super) history: History,
}

/// The number that stands for no lead.
pub(super) const NO_LEAD: u8 = 64;

impl TranspositionTable {
    const FIRST_SLOTS: usize = 1 << 10;

    /// Makes an empty memory that grows up to `bytes` bytes.
    pub(super) fn new(bytes: usize) -> TranspositionTable {
        // A list has at least one entry, and slots are at least a quarter full when they grow.
        let each = size_of::<Entry>() + 4 * size_of::<Slot>();
        TranspositionTable {
            slots: vec![Slot::default(); TranspositionTable::FIRST_SLOTS],
            lists: 0,
            generation: 1,
            entries: Vec::new(),
            vacant: Default::default(),
            limit: (bytes / each).clamp(1 << 10, u32::MAX as usize),
            history: History::new(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.lists = 0;
        self.entries.clear();
        self.vacant.iter_mut().for_each(Vec::clear);
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.fill(Slot::default());
            self.history.clear();
            self.generation = 1;
        }
    }

    /// Returns the generation of the entries, which changes whenever the table is cleared.
    pub(super) fn generation(&self) -> u16 {
        self.generation
    }

    /// Returns the slot of a list, or the free slot for a new list.
    #[inline(always)]
    fn slot(&self, lengths: u64, leader: u16) -> usize {
        let mask = self.slots.len() - 1;
        let hash = (lengths ^ u64::from(leader).rotate_right(5)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut place = (hash ^ hash >> 32) as usize & mask;
        loop {
            let slot = &self.slots[place];
            if slot.generation != self.generation || slot.lengths == lengths && slot.leader == leader {
                return place;
            }
            place = (place + 1) & mask;
        }
    }

    /// Looks up what is known about winning `need` tricks.
    #[inline(always)]
    pub(super) fn look_up(&self, lengths: u64, leader: u16, owners: Owners, need: u32) -> Known {
        let slot = &self.slots[self.slot(lengths, leader)];
        let mut lead = NO_LEAD;
        if slot.generation != self.generation {
            return Known::Unsettled(lead);
        }
        for entry in self.entries[slot.range()].iter().rev() {
            if ((entry.owners[0] ^ owners.0[0]) | (entry.owners[1] ^ owners.0[1])) & entry.relevant == 0 {
                if u32::from(entry.lower) >= need {
                    return Known::Settled(true, entry.relevant);
                }
                if u32::from(entry.upper) < need {
                    return Known::Settled(false, entry.relevant);
                }
                if lead == NO_LEAD {
                    lead = entry.lead;
                }
            }
        }
        Known::Unsettled(lead)
    }

    /// Records a result for all positions in which the cards of `relevant` are held as in `owners`.
    ///
    /// At least `need` of the `left` remaining tricks are won or, if `won` is false, fewer than `need`.
    #[inline(always)]
    #[allow(clippy::too_many_arguments)]
    pub(super) fn note(
        &mut self,
        lengths: u64,
        leader: u16,
        owners: Owners,
        relevant: u64,
        need: u32,
        left: u32,
        won: bool,
        lead: u8,
    ) {
        if self.entries.len() >= self.limit {
            self.clear();
        }
        let (lower, upper) = if won { (need as u8, left as u8) } else { (0, need as u8 - 1) };
        let mut place = self.slot(lengths, leader);
        if self.slots[place].generation != self.generation {
            if self.lists * 2 >= self.slots.len() {
                self.grow();
                place = self.slot(lengths, leader);
            }
            self.lists += 1;
            let first = self.room(0);
            self.slots[place] = Slot { lengths, leader, generation: self.generation, first, count: 0, size: 0 };
        }
        let owners = owners.0.map(|plane| plane & relevant);
        let slot = self.slots[place];
        for entry in &mut self.entries[slot.range()] {
            if entry.relevant == relevant && entry.owners == owners {
                entry.lower = entry.lower.max(lower);
                entry.upper = entry.upper.min(upper);
                if lead != NO_LEAD {
                    entry.lead = lead;
                }
                return;
            }
        }
        if slot.count as usize == SMALLEST << slot.size {
            let first = self.room(slot.size + 1);
            self.entries.copy_within(slot.range(), first as usize);
            self.vacant[slot.size as usize].push(slot.first);
            self.slots[place].first = first;
            self.slots[place].size += 1;
        }
        let slot = &mut self.slots[place];
        self.entries[(slot.first + slot.count) as usize] = Entry { owners, relevant, lower, upper, lead };
        slot.count += 1;
    }

    /// Finds room for a list of this size class, and returns its start.
    fn room(&mut self, size: u32) -> u32 {
        self.vacant[size as usize].pop().unwrap_or_else(|| {
            let first = self.entries.len();
            self.entries.resize(first + (SMALLEST << size), Entry::NONE);
            first as u32
        })
    }

    #[cold]
    fn grow(&mut self) {
        let old = std::mem::take(&mut self.slots);
        self.slots = vec![Slot::default(); old.len() * 2];
        for slot in old.into_iter().filter(|slot| slot.generation == self.generation) {
            let place = self.slot(slot.lengths, slot.leader);
            self.slots[place] = slot;
        }
    }
}
