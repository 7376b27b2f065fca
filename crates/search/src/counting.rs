//! Counts and draws arrangements of cards in rooms of fixed sizes.
//!
//! Each room restricts the cards that may lie there.
//!
//! Cards that may lie in the same rooms form a *group*. The rooms are filled in order. A choice for a room is
//! the number of cards that it takes from each group. A binomial coefficient gives the ways to choose these
//! cards. Once a room is full, groups that differed only in that room become one group. So the number of ways
//! to fill the remaining rooms depends only on the sizes of the remaining groups.
//!
//! A room that can be filled from one group only needs no choice. So cards without restrictions need no
//! table, and neither do any cards in two rooms.
//!
//! Nothing overflows. Every number here counts ways to fill some of the rooms, which is at most the number of
//! ways to fill all rooms without restrictions. For a pack of 54 in five rooms that is below 5^54 < 2^126.

#[cfg(test)]
mod tests;

use std::collections::HashMap;

use overtrick_cards::{CardSet, Pack, Stream};

/// The largest number of rooms of [`Arrangements`].
pub const MAX_ROOMS: usize = 5;

/// The number of groups. A group's number has bit *i* set if its cards may lie in the *i*-th room not yet
/// filled.
const GROUPS: usize = 1 << MAX_ROOMS;

/// The number of cards in each group.
type Sizes = [u8; GROUPS];

/// The number of cards of each group that go to the room being filled.
///
/// The index is the group's number divided by two, since that room is bit 0 of the number.
type Taken = [u8; GROUPS / 2];

/// A room: the number of its cards, and the cards that may lie there.
#[derive(Clone, Copy, Default)]
pub struct Room {
    /// The number of cards in the room.
    pub size: u8,
    /// The cards that may lie there.
    pub may: CardSet,
}

/// One way to fill a room.
struct Choice {
    /// The number of arrangements with this choice or an earlier choice of the same fork.
    up_to: u128,
    /// The number of cards of each group that go to the room.
    taken: Taken,
    /// The number of the next fork, if there is one.
    next: u32,
}

/// The ways to fill a room: none, one or several.
enum Filled {
    NoWay,
    OneWay(Taken),
    ManyWays,
}

/// The choices for a room that can be filled in more than one way.
type Fork = Vec<Choice>;

/// All arrangements of cards in rooms.
pub struct Arrangements {
    len: usize,
    /// The sizes of the rooms in the order in which they are filled.
    sizes: [u8; MAX_ROOMS],
    /// In the same order, the indices of the rooms in the caller's list.
    numbers: [u8; MAX_ROOMS],
    groups: [CardSet; GROUPS],
    count: u128,
    forks: Vec<Fork>,
    first: u32,
}

impl Arrangements {
    /// Counts the arrangements of `cards` in `rooms`.
    ///
    /// Together the rooms hold all cards, and each room holds at least one.
    ///
    /// # Panics
    /// If there are more than [`MAX_ROOMS`].
    pub fn new(cards: CardSet, rooms: &[Room]) -> Arrangements {
        debug_assert_eq!(rooms.iter().map(|room| u32::from(room.size)).sum::<u32>(), cards.len());
        debug_assert!(rooms.iter().all(|room| room.size > 0), "forks are known by the cards that are left");
        let groups = grouped(cards, rooms.iter());
        // Rooms with few ways to fill them come first, which keeps the number of different rests small. The
        // last two rooms take the remaining cards.
        let mut order = [0, 1, 2, 3, 4];
        let order = &mut order[..rooms.len()];
        order.sort_by_key(|&room| {
            let sources = (0..1 << rooms.len()).filter(|group| group >> room & 1 == 1 && !groups[*group].is_empty());
            (u32::from(rooms[room].size) * (sources.count() as u32).saturating_sub(1), rooms[room].size)
        });
        let mut arrangements = Arrangements {
            len: rooms.len(),
            sizes: [0; MAX_ROOMS],
            numbers: [0; MAX_ROOMS],
            groups: grouped(cards, order.iter().map(|&room| &rooms[room])),
            count: 0,
            forks: Vec::new(),
            first: 0,
        };
        for (position, &room) in order.iter().enumerate() {
            arrangements.sizes[position] = rooms[room].size;
            arrangements.numbers[position] = room as u8;
        }
        let sizes = arrangements.groups.map(|group| group.len() as u8);
        if sizes[0] == 0 {
            (arrangements.count, arrangements.first) = arrangements.ways(0, sizes, &mut HashMap::new());
        }
        arrangements
    }

    /// Returns the number of arrangements.
    pub fn count(&self) -> u128 {
        self.count
    }

    /// Counts the ways in which groups of these sizes fill the rooms after the first `filled`.
    ///
    /// Also returns the first fork there.
    fn ways(&mut self, filled: usize, mut sizes: Sizes, known: &mut HashMap<Sizes, u32>) -> (u128, u32) {
        let mut ways = 1;
        for filled in filled..self.len {
            let left = self.len - filled;
            match fill(self.sizes[filled], left, |group| sizes[group]) {
                Filled::NoWay => return (0, 0),
                Filled::OneWay(taken) => {
                    ways *= choices_of_cards(&sizes, &taken);
                    sizes = merged(&sizes, &taken);
                }
                Filled::ManyWays => {
                    let fork = known.get(&sizes).copied().unwrap_or_else(|| self.fork(filled, sizes, known));
                    return (ways * total(&self.forks[fork as usize]), fork);
                }
            }
        }
        (ways, 0)
    }

    /// Computes the choices for a room that can be filled in more than one way.
    ///
    /// Returns the number of the fork.
    fn fork(&mut self, filled: usize, sizes: Sizes, known: &mut HashMap<Sizes, u32>) -> u32 {
        let sources: Vec<usize> = splittable(self.len - filled).filter(|&group| sizes[group] > 0).collect();
        let mut fork = Fork::new();
        let mut taken: Taken = [0; GROUPS / 2];
        taken[0] = sizes[1];
        spread(&sources, &sizes, self.sizes[filled] - sizes[1], &mut taken, &mut |taken| {
            let (rest, next) = self.ways(filled + 1, merged(&sizes, taken), known);
            if rest > 0 {
                let up_to = total(&fork) + choices_of_cards(&sizes, taken) * rest;
                fork.push(Choice { up_to, taken: *taken, next });
            }
        });
        let number = self.forks.len() as u32;
        self.forks.push(fork);
        // The first fork occurs only once, so it is not remembered.
        if filled > 0 {
            known.insert(sizes, number);
        }
        number
    }

    /// Lists all arrangements, with the cards in each room. Only for small counts.
    pub fn all(&self) -> Vec<[CardSet; MAX_ROOMS]> {
        let mut list = ArrangementList { arrangements: self, found: Vec::new() };
        if self.count > 0 {
            list.rooms(0, self.groups, self.first, [CardSet::EMPTY; MAX_ROOMS]);
        }
        list.found
    }

    /// Draws an arrangement, with all arrangements equally likely, and returns the cards in each room.
    ///
    /// # Panics
    /// If there is none.
    pub fn draw(&self, rng: &mut Stream) -> [CardSet; MAX_ROOMS] {
        assert!(self.count > 0, "no arrangement of the cards fits");
        let mut groups = self.groups;
        let mut next = self.first;
        let mut rooms = [CardSet::EMPTY; MAX_ROOMS];
        for filled in 0..self.len {
            let left = self.len - filled;
            let taken = match fill(self.sizes[filled], left, |group| groups[group].len() as u8) {
                Filled::OneWay(taken) => taken,
                Filled::ManyWays => {
                    let fork = &self.forks[next as usize];
                    let at = rng.random_below_wide(total(fork));
                    let choice = &fork[fork.partition_point(|choice| choice.up_to <= at)];
                    next = choice.next;
                    choice.taken
                }
                Filled::NoWay => unreachable!("only ways that lead on were counted"),
            };
            let mut room = CardSet::EMPTY;
            for group in 0..1 << (left - 1) {
                let cards = groups[2 * group + 1];
                let part = pick(cards, u32::from(taken[group]), rng);
                room |= part;
                groups[group] = groups[2 * group] | (cards - part);
            }
            rooms[usize::from(self.numbers[filled])] = room;
        }
        rooms
    }
}

/// A list of all arrangements, and the state of making it.
struct ArrangementList<'a> {
    arrangements: &'a Arrangements,
    found: Vec<[CardSet; MAX_ROOMS]>,
}

impl ArrangementList<'_> {
    /// Adds all arrangements with these cards in the first `filled` rooms.
    fn rooms(&mut self, filled: usize, groups: [CardSet; GROUPS], next: u32, rooms: [CardSet; MAX_ROOMS]) {
        let arrangements = self.arrangements;
        if filled == arrangements.len {
            return self.found.push(rooms);
        }
        let left = arrangements.len - filled;
        match fill(arrangements.sizes[filled], left, |group| groups[group].len() as u8) {
            Filled::OneWay(taken) => self.groups(filled, 0, groups, &taken, next, rooms),
            Filled::ManyWays => {
                for choice in &arrangements.forks[next as usize] {
                    self.groups(filled, 0, groups, &choice.taken, choice.next, rooms);
                }
            }
            Filled::NoWay => unreachable!("only ways that lead on were counted"),
        }
    }

    /// Takes cards for the room after the first `filled`, from the groups with number `from` or higher.
    fn groups(
        &mut self,
        filled: usize,
        from: usize,
        groups: [CardSet; GROUPS],
        taken: &Taken,
        next: u32,
        rooms: [CardSet; MAX_ROOMS],
    ) {
        if from == 1 << (self.arrangements.len - filled - 1) {
            return self.rooms(filled + 1, groups, next, rooms);
        }
        let cards = groups[2 * from + 1];
        for part in choices(cards, u32::from(taken[from])) {
            let (mut groups, mut rooms) = (groups, rooms);
            rooms[usize::from(self.arrangements.numbers[filled])] |= part;
            groups[from] = groups[2 * from] | (cards - part);
            self.groups(filled, from + 1, groups, taken, next, rooms);
        }
    }
}

/// Returns the subsets of `cards` with `count` cards.
fn choices(cards: CardSet, count: u32) -> Vec<CardSet> {
    let mut sets = vec![(CardSet::EMPTY, cards)];
    for needed in (0..count).rev() {
        // Each set grows by a card that comes after all of its cards, and leaves as many as are needed then.
        let longer = |(set, later): (CardSet, CardSet)| {
            let mut later = later;
            let sets = later.iter().map(move |card| {
                later -= CardSet::of(card);
                (set | CardSet::of(card), later)
            });
            sets.take_while(move |(_, later)| later.len() >= needed)
        };
        sets = sets.into_iter().flat_map(longer).collect();
    }
    sets.into_iter().map(|(set, _)| set).collect()
}

/// Groups the cards by the rooms that they may lie in.
fn grouped<'a>(cards: CardSet, rooms: impl Iterator<Item = &'a Room>) -> [CardSet; GROUPS] {
    let mut groups = [CardSet::EMPTY; GROUPS];
    groups[0] = cards;
    for (number, room) in rooms.enumerate() {
        for group in 0..1 << number {
            let all = groups[group];
            groups[group] = all - room.may;
            groups[group | 1 << number] = all & room.may;
        }
    }
    groups
}

/// Returns the groups that may lie in the first of `left` rooms and in others.
fn splittable(left: usize) -> impl Iterator<Item = usize> {
    (3..1 << left).step_by(2)
}

/// Finds the ways to fill the first of `left` rooms, of size `size`.
#[inline(always)]
fn fill(size: u8, left: usize, group_size: impl Fn(usize) -> u8) -> Filled {
    let mut taken: Taken = [0; GROUPS / 2];
    // Cards that may lie in this room only.
    taken[0] = group_size(1);
    let Some(open) = size.checked_sub(taken[0]) else {
        return Filled::NoWay;
    };
    let mut sources = splittable(left).filter(|&group| group_size(group) > 0);
    match (sources.next(), sources.next()) {
        (Some(_), Some(_)) => return Filled::ManyWays,
        (Some(only), None) if open <= group_size(only) => taken[only / 2] = open,
        (None, _) if open == 0 => {}
        _ => return Filled::NoWay,
    }
    Filled::OneWay(taken)
}

/// Calls `visit` with every way to take `open` cards from `sources`.
fn spread(sources: &[usize], sizes: &Sizes, open: u8, taken: &mut Taken, visit: &mut impl FnMut(&Taken)) {
    let Some((&source, others)) = sources.split_first() else {
        return visit(taken);
    };
    let elsewhere = others.iter().map(|&group| sizes[group]).sum();
    for count in open.saturating_sub(elsewhere)..=open.min(sizes[source]) {
        taken[source / 2] = count;
        spread(others, sizes, open - count, taken, visit);
    }
}

/// Returns the sizes of the groups after `taken` went to the first room.
///
/// Groups that differed in that room only become one group.
fn merged(sizes: &Sizes, taken: &Taken) -> Sizes {
    let mut merged = [0; GROUPS];
    for (group, taken) in taken.iter().enumerate() {
        merged[group] = sizes[2 * group] + sizes[2 * group + 1] - taken;
    }
    merged
}

/// Returns the number of ways to choose the cards that are taken.
fn choices_of_cards(sizes: &Sizes, taken: &Taken) -> u128 {
    let choices = |(group, &taken): (usize, &u8)| u128::from(binomial(sizes[2 * group + 1], taken));
    taken.iter().enumerate().filter(|(_, taken)| **taken > 0).map(choices).product()
}

/// Returns the number of arrangements that go through a fork.
fn total(fork: &Fork) -> u128 {
    fork.last().map_or(0, |choice| choice.up_to)
}

/// Draws `count` of the cards, with all choices equally likely.
fn pick(cards: CardSet, count: u32, rng: &mut Stream) -> CardSet {
    let mut pack = Pack::new(cards, rng);
    match cards.len() - count {
        rest if rest < count => cards - pack.take(rest),
        _ if count == 0 => CardSet::EMPTY,
        _ => pack.take(count),
    }
}

fn binomial(n: u8, k: u8) -> u64 {
    const MOST: usize = 64;
    static TABLE: [[u64; MOST]; MOST] = {
        let mut table = [[0; MOST]; MOST];
        let mut n = 0;
        while n < MOST {
            table[n][0] = 1;
            let mut k = 1;
            while k <= n {
                table[n][k] = table[n - 1][k - 1] + table[n - 1][k];
                k += 1;
            }
            n += 1;
        }
        table
    };
    TABLE[usize::from(n)][usize::from(k)]
}
