//! Alpha-beta over the number of tricks.

use super::lanes::{self, LOOSE, SUITS};
use super::memory::{Known, Memory, NO_LEAD, Owners};
use super::position::{MOST_HANDS, Position};
use crate::cards::Card;

/// What positions must have in common for what is known of one to help with another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Terms {
    count: usize,
    sides: [bool; MOST_HANDS],
    fewest: bool,
    trumps: u64,
    anytime: u64,
}

impl Terms {
    pub(super) fn of(position: &Position) -> Terms {
        let &Position { count, sides, fewest, trumps, anytime, .. } = position;
        Terms { count, sides, fewest, trumps, anytime }
    }
}

/// How many more positions may be looked at.
pub(super) struct Limit {
    left: u64,
    exceeded: bool,
}

impl Limit {
    pub(super) fn new(nodes: u64) -> Limit {
        Limit { left: nodes, exceeded: false }
    }

    pub(super) fn left(&self) -> u64 {
        self.left
    }
}

/// How many of the tricks left the counted side wins; `None` if the limit does not allow to find out.
pub(super) fn tricks(position: &Position, memory: &mut Memory, limit: &mut Limit) -> Option<u8> {
    match position.count {
        2 => Search::<2>::new(position, memory, limit).tricks(),
        3 => Search::<3>::new(position, memory, limit).tricks(),
        _ => Search::<4>::new(position, memory, limit).tricks(),
    }
}

/// The same for each card that can be played.
pub(super) fn moves(position: &Position, memory: &mut Memory, limit: &mut Limit) -> Option<Vec<(Card, u8)>> {
    match position.count {
        2 => Search::<2>::new(position, memory, limit).moves(),
        3 => Search::<3>::new(position, memory, limit).moves(),
        _ => Search::<4>::new(position, memory, limit).moves(),
    }
}

/// A position before a lead.
#[derive(Clone, Copy)]
struct Spot<const N: usize> {
    hands: [u64; N],
    /// How many cards each hand has of each suit: four bits for each, hand by hand, suit by suit.
    lengths: u64,
    leader: usize,
    /// Tricks to come.
    left: u32,
}

/// A trick in progress.
#[derive(Clone, Copy)]
struct Trick<const N: usize> {
    /// Its cards, in order.
    cards: [u64; N],
    played: usize,
    /// The lane that must be followed, if any.
    led: u64,
    /// The best card, and whose it is; 0 if none can win.
    best: u64,
    winner: usize,
    /// The lowest card of the winner that was as good as the best.
    floor: u64,
}

/// Whether some number of tricks is won, and the best cards of each suit that this rests on, in a mask that reaches from the top of each lane
/// down.
#[derive(Clone, Copy)]
struct Proof {
    won: bool,
    mattered: u64,
}

struct Search<'a, const N: usize> {
    position: &'a Position,
    memory: &'a mut Memory,
    limit: &'a mut Limit,
    /// By hand: 1 if the tricks that it wins are counted.
    counts: [u32; N],
    /// By hand: whether it wants that tricks are won.
    eager: [bool; N],
    trumps: u64,
    anytime: u64,
    /// Whether there are cards without a suit.
    loose: bool,
}

impl<'a, const N: usize> Search<'a, N> {
    fn new(position: &'a Position, memory: &'a mut Memory, limit: &'a mut Limit) -> Self {
        Search {
            memory,
            limit,
            counts: std::array::from_fn(|hand| u32::from(position.sides[hand])),
            eager: std::array::from_fn(|hand| position.sides[hand] != position.fewest),
            trumps: position.trumps,
            anytime: position.anytime,
            loose: position.hands.iter().chain(&position.trick).any(|cards| cards & LOOSE != 0),
            position,
        }
    }

    /// The position at the start of its trick but for the cards that were played since, and the trick.
    fn start(&self) -> (Spot<N>, Trick<N>) {
        let position = self.position;
        let hands: [u64; N] = std::array::from_fn(|hand| position.hands[hand]);
        let mut spot = Spot { hands, lengths: 0, leader: position.leader, left: u32::from(position.tricks_left()) };
        let leader = position.leader;
        let mut trick = Trick { cards: [0; N], played: 0, led: 0, best: 0, winner: leader, floor: 0 };
        // As if they were still held.
        for step in 0..position.played {
            spot.hands[(leader + step) % N] |= position.trick[step];
        }
        for hand in 0..N {
            for suit in 0..4 {
                let cards = spot.hands[hand] & lanes::lane(suit);
                spot.lengths |= u64::from(cards.count_ones()) << (16 * suit + 4 * hand);
            }
        }
        for step in 0..position.played {
            self.play(&mut spot, &mut trick, position.trick[step]);
        }
        (spot, trick)
    }

    fn tricks(&mut self) -> Option<u8> {
        let (spot, trick) = self.start();
        self.value(&spot, &trick, spot.left / 2 + 1)
    }

    fn moves(&mut self) -> Option<Vec<(Card, u8)>> {
        let (spot, trick) = self.start();
        let mut found = Vec::new();
        if spot.left == 0 {
            return Some(found);
        }
        let hand = (spot.leader + trick.played) % N;
        let legal = self.legal(spot.hands[hand], trick.led);
        let mut rest = lanes::choices(legal);
        let mut guess = spot.left / 2 + 1;
        while rest != 0 {
            let card = rest & rest.wrapping_neg();
            rest ^= card;
            let (mut next, mut going) = (spot, trick);
            self.play(&mut next, &mut going, card);
            let value = self.value(&next, &going, guess)?;
            guess = u32::from(value).max(1);
            let lowest = if card & LOOSE == 0 { lanes::lowest_equal(legal, card) } else { card };
            let mut equals = if card & LOOSE == 0 { legal & (card | card - lowest) } else { legal & LOOSE };
            while equals != 0 {
                found.push((self.position.cards[equals.trailing_zeros() as usize], value));
                equals &= equals - 1;
            }
        }
        found.sort_unstable_by_key(|&(card, _)| card);
        Some(found)
    }

    /// How many tricks are won, counting the one in progress, asking about `guess` first.
    fn value(&mut self, spot: &Spot<N>, trick: &Trick<N>, guess: u32) -> Option<u8> {
        let (mut lower, mut upper) = (0, spot.left);
        let mut need = guess.clamp(1, spot.left.max(1));
        while lower < upper {
            let won = self.wins(spot, trick, need);
            if self.limit.exceeded {
                return None;
            }
            if won {
                lower = need;
                need += 1;
            } else {
                upper = need - 1;
                need -= 1;
            }
        }
        Some(lower as u8)
    }

    /// Whether `need` tricks are won.
    fn wins(&mut self, spot: &Spot<N>, trick: &Trick<N>, need: u32) -> bool {
        match trick.played {
            0 => self.lead(spot, need).won,
            played if played == N => self.complete(spot, trick, need).won,
            _ => self.follow(spot, trick, need).won,
        }
    }

    /// The cards that may be played from `hand` if `led` must be followed.
    #[inline(always)]
    fn legal(&self, hand: u64, led: u64) -> u64 {
        let following = hand & led;
        if following == 0 { hand } else { following | hand & self.anytime }
    }

    /// Plays a card from the hand whose turn it is.
    #[inline(always)]
    fn play(&self, spot: &mut Spot<N>, trick: &mut Trick<N>, card: u64) {
        let hand = (spot.leader + trick.played) % N;
        let cards = spot.hands[hand];
        if trick.led == 0 && card & SUITS != 0 {
            trick.led = lanes::lane_of(card);
        }
        let worth = card & (trick.led | self.trumps);
        // Of cards that cannot win the last one does.
        if worth >= trick.best {
            trick.best = worth;
            trick.winner = hand;
            trick.floor = lanes::lowest_equal(cards, card);
        }
        trick.cards[trick.played] = card;
        trick.played += 1;
        spot.hands[hand] = cards ^ card;
        if card & SUITS != 0 {
            spot.lengths -= 1 << ((card.trailing_zeros() & 48) + 4 * hand as u32);
        }
    }

    /// Whether `need` tricks are won from a lead on.
    fn lead(&mut self, spot: &Spot<N>, need: u32) -> Proof {
        if need == 0 || need > spot.left {
            return Proof { won: need == 0, mattered: 0 };
        }
        if self.limit.left == 0 {
            self.limit.exceeded = true;
            return Proof { won: false, mattered: 0 };
        }
        self.limit.left -= 1;
        let key = self.key(spot);
        let owners = owners(&spot.hands);
        let mut lead = match self.memory.look_up(spot.lengths, key, owners, need) {
            Known::Settled(won, mattered) => return Proof { won, mattered },
            Known::Unsettled(lead) => lead,
        };
        let leader = spot.leader;
        let eager = self.eager[leader];
        let fresh = Trick { cards: [0; N], played: 0, led: 0, best: 0, winner: leader, floor: 0 };
        let mut proof = Proof { won: !eager, mattered: 0 };
        let mut rest = lanes::choices(spot.hands[leader]);
        let mut first = if lead == NO_LEAD { 0 } else { rest & 1 << lead };
        lead = NO_LEAD;
        while rest != 0 {
            let card = if first != 0 { first } else { 1 << (63 - rest.leading_zeros()) };
            first = 0;
            rest ^= card;
            let (mut next, mut trick) = (*spot, fresh);
            self.play(&mut next, &mut trick, card);
            let answer = self.follow(&next, &trick, need);
            if self.limit.exceeded {
                return answer;
            }
            if answer.won == eager {
                proof = answer;
                lead = card.trailing_zeros() as u8;
                break;
            }
            proof.mattered |= answer.mattered;
        }
        self.memory.note(spot.lengths, key, owners, proof.mattered, need, spot.left, proof.won, lead);
        proof
    }

    /// The leader, and who holds the cards without a suit.
    #[inline(always)]
    fn key(&self, spot: &Spot<N>) -> u32 {
        let mut key = spot.leader as u32;
        if self.loose {
            for (hand, cards) in spot.hands.iter().enumerate() {
                key |= (cards & LOOSE).count_ones() << (4 + 4 * hand);
            }
        }
        key
    }

    /// Whether `need` tricks are won from the middle of a trick on.
    fn follow(&mut self, spot: &Spot<N>, trick: &Trick<N>, need: u32) -> Proof {
        let hand = (spot.leader + trick.played) % N;
        let eager = self.eager[hand];
        let mut proof = Proof { won: !eager, mattered: 0 };
        let mut rest = lanes::choices(self.legal(spot.hands[hand], trick.led));
        while rest != 0 {
            let card = 1 << (63 - rest.leading_zeros());
            rest ^= card;
            let (mut next, mut going) = (*spot, *trick);
            self.play(&mut next, &mut going, card);
            let answer =
                if going.played == N { self.complete(&next, &going, need) } else { self.follow(&next, &going, need) };
            if self.limit.exceeded || answer.won == eager {
                return answer;
            }
            proof.mattered |= answer.mattered;
        }
        proof
    }

    /// Whether `need` tricks are won, counting the one that has just been completed.
    fn complete(&mut self, spot: &Spot<N>, trick: &Trick<N>, need: u32) -> Proof {
        let won = self.counts[trick.winner];
        let mut next = Spot { leader: trick.winner, left: spot.left - 1, ..*spot };
        let mut gone = trick.cards;
        for step in 0..N {
            let card = gone[step];
            for hand in &mut next.hands {
                *hand = lanes::close_up(*hand, card);
            }
            for later in &mut gone[step + 1..] {
                *later = lanes::close_up(*later, card);
            }
        }
        let mut proof = self.lead(&next, need.saturating_sub(won));
        for &card in gone.iter().rev() {
            proof.mattered = lanes::open_up(proof.mattered, card);
        }
        // The rank of the card that won mattered if there was another of its suit.
        let rivals = trick.cards.iter().fold(0, |all, card| all | card) & lanes::lane_of(trick.best | 1 << 63);
        if trick.best != 0 && rivals & (rivals - 1) != 0 {
            proof.mattered |= lanes::lane_of(trick.best) & trick.floor.wrapping_neg();
        }
        proof
    }
}

/// Who holds which card.
#[inline(always)]
fn owners<const N: usize>(hands: &[u64; N]) -> Owners {
    let hand = |number: usize| if number < N { hands[number] } else { 0 };
    Owners([hand(1) | hand(3), hand(2) | hand(3)])
}
