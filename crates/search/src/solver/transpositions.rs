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

/// The lengths and the leader of a position before a lead.
#[derive(Clone, Copy)]
pub(super) struct PositionKey {
    /// The number of cards of each hand in each suit, in four bits each.
    pub(super) lengths: u64,
    /// The leader, and in the upper bits the number of cards without a suit in each hand.
    pub(super) leader: u16,
}

/// A proof of whether some number of tricks is won.
///
/// `relevant` has the best cards of each suit on which the proof depends, from the top of each lane down.
#[derive(Clone, Copy, Debug)]
pub(super) struct Proof {
    pub(super) won: bool,
    pub(super) relevant: u64,
}

/// Bounds on the tricks won in a class of positions.
#[derive(Clone, Copy)]
pub(super) struct Bounds {
    /// The cards on which the bounds depend: in each suit none or some of the best.
    relevant: u64,
    lower: u8,
    upper: u8,
    /// The bit number of a lead that proved one of the bounds, or [`NO_LEAD`].
    lead: u8,
}

impl Bounds {
    /// Returns the bounds after a proof of whether `need` of the `left` remaining tricks are won.
    #[inline(always)]
    pub(super) fn of(proof: Proof, need: u32, left: u32, lead: u8) -> Bounds {
        let (lower, upper) = if proof.won { (need as u8, left as u8) } else { (0, need as u8 - 1) };
        Bounds { relevant: proof.relevant, lower, upper, lead }
    }
}

/// A class of positions with its known bounds.
#[derive(Clone, Copy)]
struct Entry {
    owners: [u64; 2],
    bounds: Bounds,
}

impl Entry {
    const NONE: Entry = Entry { owners: [0; 2], bounds: Bounds { relevant: 0, lower: 0, upper: 0, lead: NO_LEAD } };
}

/// A list of the classes with the same lengths and leader.
///
/// The classes are contiguous in memory, since reading them is most of the work.
#[derive(Clone, Copy, Default)]
struct Slot {
    /// These two are the [`PositionKey`], apart because it would be larger by its padding.
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
    /// It is proved whether they are won.
    Settled(Proof),
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
    fn slot(&self, PositionKey { lengths, leader }: PositionKey) -> usize {
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
    pub(super) fn look_up(&self, key: PositionKey, owners: Owners, need: u32) -> Known {
        let slot = &self.slots[self.slot(key)];
        let mut lead = NO_LEAD;
        if slot.generation != self.generation {
            return Known::Unsettled(lead);
        }
        for entry in self.entries[slot.range()].iter().rev() {
            let known = &entry.bounds;
            if ((entry.owners[0] ^ owners.0[0]) | (entry.owners[1] ^ owners.0[1])) & known.relevant == 0 {
                if u32::from(known.lower) >= need {
                    return Known::Settled(Proof { won: true, relevant: known.relevant });
                }
                if u32::from(known.upper) < need {
                    return Known::Settled(Proof { won: false, relevant: known.relevant });
                }
                if lead == NO_LEAD {
                    lead = known.lead;
                }
            }
        }
        Known::Unsettled(lead)
    }

    /// Records bounds for all positions in which the relevant cards are held as in `owners`.
    #[inline(always)]
    pub(super) fn note(&mut self, key: PositionKey, owners: Owners, bounds: Bounds) {
        if self.entries.len() >= self.limit {
            self.clear();
        }
        let mut place = self.slot(key);
        if self.slots[place].generation != self.generation {
            if self.lists * 2 >= self.slots.len() {
                self.grow();
                place = self.slot(key);
            }
            self.lists += 1;
            let first = self.room(0);
            let PositionKey { lengths, leader } = key;
            self.slots[place] = Slot { lengths, leader, generation: self.generation, first, count: 0, size: 0 };
        }
        let owners = owners.0.map(|plane| plane & bounds.relevant);
        let slot = self.slots[place];
        for entry in &mut self.entries[slot.range()] {
            let known = &mut entry.bounds;
            if known.relevant == bounds.relevant && entry.owners == owners {
                known.lower = known.lower.max(bounds.lower);
                known.upper = known.upper.min(bounds.upper);
                if bounds.lead != NO_LEAD {
                    known.lead = bounds.lead;
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
        self.entries[(slot.first + slot.count) as usize] = Entry { owners, bounds };
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
            let place = self.slot(PositionKey { lengths: slot.lengths, leader: slot.leader });
            self.slots[place] = slot;
        }
    }
}
