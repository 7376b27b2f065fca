//! Alpha-beta over the number of tricks.

use overtrick_cards::Card;

use super::history::History;
use super::lanes::{self, LOOSE};
use super::order::{self, Candidates, Going};
use super::position::{MOST_HANDS, Position};
use super::sure::{self, LeadView};
use super::transpositions::{Bounds, Known, NO_LEAD, Owners, PositionKey, Proof, TranspositionTable};
use super::trick::{CurrentTrick, Spot};

/// The terms that positions must share for results of one to hold for another.
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

/// The number of positions that may still be visited.
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

/// Calls a method of the search for the number of hands in a position.
macro_rules! search {
    ($position:ident, $memory:ident, $limit:ident, $method:ident($($argument:expr)?)) => {
        match $position.count {
            2 => Search::<2>::new($position, $memory, $limit).$method($($argument)?),
            3 => Search::<3>::new($position, $memory, $limit).$method($($argument)?),
            _ => Search::<4>::new($position, $memory, $limit).$method($($argument)?),
        }
    };
}

/// Returns the number of remaining tricks that the counted side wins, or `None` at the limit.
pub(super) fn tricks(position: &Position, memory: &mut TranspositionTable, limit: &mut Limit) -> Option<u8> {
    search!(position, memory, limit, tricks())
}

/// Returns the number of those tricks after each card that can be played, or `None` at the limit.
pub(super) fn moves(
    position: &Position,
    memory: &mut TranspositionTable,
    limit: &mut Limit,
) -> Option<Vec<(Card, u8)>> {
    search!(position, memory, limit, moves())
}

/// Returns a card that costs its side no trick: `preferred` if possible, otherwise the lowest such card.
///
/// `None` at the limit, or if no cards are left.
pub(super) fn best(
    position: &Position,
    preferred: Option<Card>,
    memory: &mut TranspositionTable,
    limit: &mut Limit,
) -> Option<Card> {
    search!(position, memory, limit, best(preferred))
}

struct Search<'a, const N: usize> {
    position: &'a Position,
    memory: &'a mut TranspositionTable,
    limit: &'a mut Limit,
    /// By hand, 1 if the tricks that it wins are counted.
    counts: [u32; N],
    /// By hand, whether it wants the counted side to win tricks.
    eager: [bool; N],
    /// By hand, another hand of its side, or `N`.
    partner: [usize; N],
    /// By hand, the hands of the other side.
    foes: [[bool; N]; N],
    trumps: u64,
    anytime: u64,
    /// Whether there are cards without a suit.
    loose: bool,
    /// Whether both sides want tricks and every card must follow suit. Only then can sure tricks be counted.
    countable: bool,
    /// The only hand of the counted side, if it wants no tricks.
    lone_misere_hand: Option<usize>,
}

impl<'a, const N: usize> Search<'a, N> {
    fn new(position: &'a Position, memory: &'a mut TranspositionTable, limit: &'a mut Limit) -> Self {
        let same = |one: usize, other: usize| position.sides[one] == position.sides[other];
        // The hand opposite comes first, if it is on the same side.
        let steps = [N / 2, 1, N - 1];
        let partner = |hand: usize| {
            let others = steps.map(|step| (hand + step) % N);
            others.into_iter().find(|&other| other != hand && same(hand, other)).unwrap_or(N)
        };
        let loose = position.hands.iter().chain(&position.trick).any(|cards| cards & LOOSE != 0);
        Search {
            memory,
            limit,
            counts: std::array::from_fn(|hand| u32::from(position.sides[hand])),
            eager: std::array::from_fn(|hand| position.sides[hand] != position.fewest),
            partner: std::array::from_fn(partner),
            foes: std::array::from_fn(|hand| std::array::from_fn(|other| !same(hand, other))),
            trumps: position.trumps,
            anytime: position.anytime,
            loose,
            lone_misere_hand: (0..N)
                .find(|&hand| position.sides[hand])
                .filter(|_| position.fewest && !loose && position.sides.iter().filter(|&&own| own).count() == 1),
            countable: !(position.fewest || loose && position.anytime != 0),
            position,
        }
    }

    fn tricks(&mut self) -> Option<u8> {
        let (spot, trick) = Spot::start(self.position);
        self.value(&spot, &trick, self.first_guess(&spot))
    }

    fn moves(&mut self) -> Option<Vec<(Card, u8)>> {
        let (spot, trick) = Spot::start(self.position);
        let mut found = Vec::new();
        let mut guess = self.first_guess(&spot);
        for (choice, cards) in self.choices(&spot, &trick) {
            let (mut next, mut going) = (spot, trick);
            next.play(&mut going, choice, self.trumps);
            let value = self.value(&next, &going, guess)?;
            guess = u32::from(value).max(1);
            found.extend(cards.iter().map(|&card| (card, value)));
        }
        found.sort_unstable_by_key(|&(card, _)| card);
        Some(found)
    }

    fn best(&mut self, preferred: Option<Card>) -> Option<Card> {
        let (spot, trick) = Spot::start(self.position);
        let eager = self.eager[(spot.leader + trick.played) % N];
        let value = self.value(&spot, &trick, self.first_guess(&spot))?;
        let mut choices = self.choices(&spot, &trick);
        choices.sort_unstable_by_key(|(_, cards)| (!preferred.is_some_and(|card| cards.contains(&card)), cards[0]));
        let need = u32::from(value) + u32::from(!eager);
        let last = choices.len().checked_sub(1)?;
        for (number, (choice, cards)) in choices.into_iter().enumerate() {
            let (mut next, mut going) = (spot, trick);
            next.play(&mut going, choice, self.trumps);
            let mut wins = || need == 0 || need <= spot.left && self.wins(&next, &going, need);
            // One choice keeps the value of the position, so the last choice needs no proof.
            let keeps = number == last || wins() == eager;
            if self.limit.exceeded {
                return None;
            }
            if keeps {
                return preferred.filter(|card| cards.contains(card)).or(Some(cards[0]));
            }
        }
        None
    }

    /// Returns the choices of the hand to move, each with the cards that it represents in ascending order.
    fn choices(&self, spot: &Spot<N>, trick: &CurrentTrick<N>) -> Vec<(u64, Vec<Card>)> {
        let legal = self.legal(spot.hands[(spot.leader + trick.played) % N], trick.led);
        let equals = |choice: u64| {
            let cards = if choice & LOOSE == 0 {
                legal & (choice | (choice - lanes::lowest_equal(legal, choice)))
            } else {
                legal & LOOSE
            };
            let mut cards: Vec<Card> =
                lanes::each(cards).map(|card| self.position.cards[card.trailing_zeros() as usize]).collect();
            cards.sort_unstable();
            cards
        };
        lanes::each(lanes::choices(legal)).map(|choice| (choice, equals(choice))).collect()
    }

    /// Returns the number of tricks to ask about first. A side that wants no tricks rarely takes many.
    fn first_guess(&self, spot: &Spot<N>) -> u32 {
        if self.position.fewest { 2 } else { spot.left / 2 + 1 }
    }

    /// Returns the number of tricks won, including the trick in progress. Asks about `guess` first.
    fn value(&mut self, spot: &Spot<N>, trick: &CurrentTrick<N>, guess: u32) -> Option<u8> {
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

    /// Returns whether the counted side wins `need` tricks from this spot in the trick.
    fn wins(&mut self, spot: &Spot<N>, trick: &CurrentTrick<N>, need: u32) -> bool {
        match trick.played {
            0 => self.lead(spot, need).won,
            played if played == N => self.complete(spot, trick, need).won,
            _ => self.follow(spot, trick, need).won,
        }
    }

    /// Returns the cards that may be played from `hand` if `led` must be followed.
    #[inline(always)]
    fn legal(&self, hand: u64, led: u64) -> u64 {
        let following = hand & led;
        if following == 0 { hand } else { following | hand & self.anytime }
    }

    /// Proves whether `need` tricks are won from a lead on.
    fn lead(&mut self, spot: &Spot<N>, need: u32) -> Proof {
        if need == 0 || need > spot.left {
            return Proof { won: need == 0, relevant: 0 };
        }
        if self.limit.left == 0 {
            self.limit.exceeded = true;
            return Proof { won: false, relevant: 0 };
        }
        self.limit.left -= 1;
        let key = self.key(spot);
        let owners = owners(&spot.hands);
        let mut lead = match self.memory.look_up(key, owners, need) {
            Known::Settled(proof) => return proof,
            Known::Unsettled(lead) => lead,
        };
        let leader = spot.leader;
        let eager = self.eager[leader];
        let own = spot.hands[leader];
        let seen = LeadView {
            hands: &spot.hands,
            own: leader,
            partner: self.partner[leader],
            foes: self.foes[leader],
            trumps: self.trumps,
            lengths: spot.lengths,
        };
        if let Some(proof) = self.settled_by_sure_tricks(spot, &seen, need) {
            return proof;
        }
        let fresh = CurrentTrick::led_by(leader);
        let mut proof = Proof { won: !eager, relevant: 0 };
        let mut rest = lanes::choices(own);
        let situation = History::situation(own, leader as u64, 0);
        let mut killer = rest & self.memory.history.look_up(situation, self.memory.generation());
        if killer == 0 && lead != NO_LEAD {
            killer = rest & 1 << lead;
        }
        lead = NO_LEAD;
        let mut candidates = Candidates::new();
        let mut weighed = false;
        while rest != 0 {
            let card = if killer != 0 {
                killer
            } else {
                if !weighed {
                    weighed = true;
                    if self.position.fewest {
                        candidates.add_all(rest, 0, true);
                    } else {
                        order::leads(&seen, rest, &mut candidates);
                    }
                }
                candidates.next(rest)
            };
            rest ^= card;
            let known = std::mem::take(&mut killer) != 0;
            let (mut next, mut trick) = (*spot, fresh);
            next.play(&mut trick, card, self.trumps);
            let answer = self.follow(&next, &trick, need);
            if self.limit.exceeded {
                return answer;
            }
            if answer.won == eager {
                proof = answer;
                lead = card.trailing_zeros() as u8;
                if !known {
                    let generation = self.memory.generation();
                    self.memory.history.note(situation, generation, card);
                }
                break;
            }
            proof.relevant |= answer.relevant;
            rest &= lanes::unlike(card, answer.relevant);
        }
        self.memory.note(key, owners, Bounds::of(proof, need, spot.left, lead));
        proof
    }

    /// Proves without playing cards whether `need` tricks are won, if that is possible.
    ///
    /// `need` sure tricks of the counted side prove that they are won. Sure tricks of the other side prove
    /// that they are not, if too few others are left. The first sure tricks are those of the leader's side,
    /// which is the counted side if the leader is eager.
    #[inline(always)]
    fn settled_by_sure_tricks(&self, spot: &Spot<N>, seen: &LeadView<'_, N>, need: u32) -> Option<Proof> {
        if self.countable {
            let eager = self.eager[spot.leader];
            let sure = seen.quick_tricks();
            if eager && sure.tricks >= need || !eager && spot.left - sure.tricks.min(spot.left) < need {
                return Some(Proof { won: eager, relevant: sure.relevant });
            }
            let sure = seen.later_tricks();
            if !eager && sure.tricks >= need || eager && spot.left - sure.tricks.min(spot.left) < need {
                return Some(Proof { won: !eager, relevant: sure.relevant });
            }
        }
        let lone = self.lone_misere_hand.filter(|&hand| hand != spot.leader)?;
        if spot.hands[lone] & self.trumps != 0 {
            return None;
        }
        let others = spot.hands.iter().fold(0, |all, hand| all | hand) & !spot.hands[lone];
        sure::stays_out(spot.hands[lone], others).map(|relevant| Proof { won: false, relevant })
    }

    /// Returns the key of a position before a lead.
    #[inline(always)]
    fn key(&self, spot: &Spot<N>) -> PositionKey {
        let mut leader = spot.leader as u16;
        if self.loose {
            for (hand, cards) in spot.hands.iter().enumerate() {
                leader |= ((cards & LOOSE).count_ones() << (4 + 3 * hand)) as u16;
            }
        }
        PositionKey { lengths: spot.lengths, leader }
    }

    /// Proves whether `need` tricks are won from the middle of a trick on.
    fn follow(&mut self, spot: &Spot<N>, trick: &CurrentTrick<N>, need: u32) -> Proof {
        let hand = (spot.leader + trick.played) % N;
        let eager = self.eager[hand];
        let own = spot.hands[hand];
        let mut proof = Proof { won: !eager, relevant: 0 };
        let mut rest = lanes::choices(self.legal(own, trick.led));
        let is_forced = rest & (rest - 1) == 0;
        // A killer is a card that settled a similar situation, so it is tried first.
        let (mut killer, mut situation) = (rest, 0);
        if !is_forced {
            let what = (hand | trick.played << 4 | trick.winner << 8) as u64;
            situation = if own & trick.led != 0 {
                let Owners([one, two]) = owners(&spot.hands);
                History::situation(one & trick.led | trick.best.rotate_left(32), two & trick.led, what)
            } else {
                History::situation(own, trick.best, what)
            };
            killer = rest & self.memory.history.look_up(situation, self.memory.generation());
        }
        let mut candidates = Candidates::new();
        let mut weighed = false;
        while rest != 0 {
            let card = if killer != 0 {
                killer
            } else {
                if !weighed {
                    weighed = true;
                    self.weigh(spot, trick, hand, rest, &mut candidates);
                }
                candidates.next(rest)
            };
            rest ^= card;
            let known = std::mem::take(&mut killer) != 0;
            let (mut next, mut going) = (*spot, *trick);
            next.play(&mut going, card, self.trumps);
            let answer =
                if going.played == N { self.complete(&next, &going, need) } else { self.follow(&next, &going, need) };
            if self.limit.exceeded || answer.won == eager {
                if !known && !is_forced {
                    let generation = self.memory.generation();
                    self.memory.history.note(situation, generation, card);
                }
                return answer;
            }
            proof.relevant |= answer.relevant;
            rest &= lanes::unlike(card, answer.relevant);
        }
        proof
    }

    /// Weighs the cards that `hand` may play to a trick.
    #[inline(always)]
    fn weigh(&self, spot: &Spot<N>, trick: &CurrentTrick<N>, hand: usize, choices: u64, candidates: &mut Candidates) {
        let (mut foes, mut friends, mut ruffs) = (0, 0, false);
        for step in trick.played + 1..N {
            let other = (spot.leader + step) % N;
            let cards = spot.hands[other];
            if self.foes[hand][other] {
                foes |= cards;
                ruffs |= cards & trick.led == 0 && cards & self.trumps != 0;
            } else {
                friends |= cards;
            }
        }
        ruffs &= trick.led != self.trumps;
        let ours = !self.foes[hand][trick.winner];
        let going = Going { led: trick.led, trumps: self.trumps, best: trick.best, ours, foes, friends, ruffs };
        if self.position.fewest {
            order::follows_to_lose(&going, choices, candidates);
        } else {
            order::follows(&going, spot.hands[hand], choices, candidates);
        }
    }

    /// Proves whether `need` tricks are won, including the trick that has just been completed.
    fn complete(&mut self, spot: &Spot<N>, trick: &CurrentTrick<N>, need: u32) -> Proof {
        let won = self.counts[trick.winner];
        let (next, gone) = spot.after(trick);
        let mut proof = self.lead(&next, need.saturating_sub(won));
        for &card in gone.iter().rev() {
            proof.relevant = lanes::open_up(proof.relevant, card);
        }
        // The rank of the winning card is relevant only if another card of its suit was played to the trick.
        let rivals = trick.cards.iter().fold(0, |all, card| all | card) & lanes::lane_of(trick.best | 1 << 63);
        if trick.best != 0 && rivals & (rivals - 1) != 0 {
            proof.relevant |= lanes::lane_of(trick.best) & trick.floor.wrapping_neg();
        }
        proof
    }
}

#[inline(always)]
fn owners<const N: usize>(hands: &[u64; N]) -> Owners {
    let hand = |number: usize| if number < N { hands[number] } else { 0 };
    Owners([hand(1) | hand(3), hand(2) | hand(3)])
}
