//! Colour-blind by rule.
//!
//! The strategy estimates the worth of this trick's row card to each player, and which cards to keep for the
//! rest of the row.

use std::hint::select_unpredictable;

use overtrick_cards::table::{BySeat, Place, Seat};
use overtrick_cards::{Card, CardSet, Order};
use overtrick_game::{FieldError, Game, Move, Moves, Options, View};
use overtrick_games::colour_blind::{ColourBlind, ROW_LAST};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wide::{f32x4, i16x16};

use super::choice::{GROUP, Races};
use super::processor::decide_by_processor;
use super::reading::{Reading, SuitPowers, lean, power};

const TRICKS: usize = 13;
/// The number of lanes for tricks or ranks that are computed together.
const LANES: usize = 16;

/// How the strategy plays Colour-blind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {
    /// Weight of later tricks against this trick, 0 (counts this trick alone) to 2. With a high weight it saves its
    /// cards for later row cards.
    pub thrift: f32,
    /// How purposefully the others are expected to play to this trick, 0 (any card) to 1 (they win good row cards and
    /// leave bad ones if they can).
    pub respect: f32,
    /// How purposefully the others are expected to play to later tricks, 0 (any card) to 1 (only high cards win good
    /// row cards, and only low cards avoid bad ones).
    pub contest: f32,
    /// Cost of a point of the others' average, in own points, 0 (only the own score counts) to 2. 1 plays for the
    /// difference.
    pub spite: f32,
    /// How far a low count is expected to recover, as a multiple of the spread of the rest of the row, 0 (points below
    /// the lowest score cost nothing) to 3.
    pub hope: f32,
}

impl Default for Params {
    fn default() -> Params {
        Params { thrift: 0.96, respect: 0.62, contest: 0.71, spite: 0.55, hope: 2.5 }
    }
}

impl Options for Params {
    fn validate(&self) -> Result<(), FieldError> {
        FieldError::check("colour-blind.thrift", self.thrift, 0.0..=2.0)?;
        FieldError::check("colour-blind.respect", self.respect, 0.0..=1.0)?;
        FieldError::check("colour-blind.contest", self.contest, 0.0..=1.0)?;
        FieldError::check("colour-blind.spite", self.spite, 0.0..=2.0)?;
        FieldError::check("colour-blind.hope", self.hope, 0.0..=3.0)
    }
}

/// The rule-based strategy for Colour-blind.
pub struct RuleBased {
    params: Params,
}

impl RuleBased {
    /// Returns the strategy with these parameters.
    pub fn new(params: Params) -> RuleBased {
        RuleBased { params }
    }

    #[inline(always)]
    fn decide(&mut self, view: &View<'_, ColourBlind>, legal: Moves) -> Move {
        let cards = legal.card_set();
        if let Some(only) = cards.only() {
            return Move::card(only);
        }
        let reading = Reading::of_plain(view, &[ROW_LAST]);
        let stakes = Stakes::new(view, &self.params);
        let trick = PrizeTrick::new(view, &stakes, &reading);
        let kept = kept(view, self.params.contest, &stakes, reading.unseen);
        let (mut best, mut most, mut rest) = (cards.first(), f32::NEG_INFINITY, cards.iter());
        while let Some(mut card) = rest.next() {
            // If the last group is not full, its last card fills it up.
            let (mut group, mut later) = ([card; GROUP], [0.0; GROUP]);
            for number in 0..GROUP {
                group[number] = card;
                later[number] = self.params.thrift * kept[card.place_in_lane()];
                if number + 1 < GROUP {
                    card = rest.next().unwrap_or(card);
                }
            }
            let values = (trick.values(group) + f32x4::from(later)).to_array();
            for number in 0..GROUP {
                if values[number] > most {
                    (best, most) = (Some(group[number]), values[number]);
                }
            }
        }
        Move::card(best.expect("there is a card to play"))
    }
}

decide_by_processor!(RuleBased, ColourBlind);

/// The worth of the row cards to each seat.
struct Stakes {
    /// By seat that wins this trick: the worth to the seat that decides.
    gain: BySeat<f32>,
    /// By seat: how much it probably wants this trick, 0 to 1.
    wants: BySeat<f32>,
    /// The worth of the later row cards to the seat that decides, ascending.
    later: [f32; LANES],
    /// The number of later row cards.
    left: usize,
}

/// Returns how far `count` is above the lowest score, at least 0, smoothed over `width`.
///
/// It is smoothed because a count below the lowest score may still rise, and so has some worth.
#[inline(always)]
fn above_floor(count: f32x4, floor: f32, width: f32) -> f32x4 {
    let above = count - floor;
    (above + (above * above + width * width).sqrt()) * 0.5
}

impl Stakes {
    #[inline(always)]
    fn new(view: &View<'_, ColourBlind>, params: &Params) -> Stakes {
        let (game, now) = (view.game(), view.tricks_played());
        let seats = game.layout().seats;
        let mut worths = [0; LANES];
        worths[..TRICKS].copy_from_slice(&view.public().worths());
        let left = TRICKS - 1 - now;
        let (mut keys, mut rest, mut swing) = ([0; LANES], 0, 0);
        for trick in 0..LANES {
            let worth = if trick > now { worths[trick] } else { 0 };
            rest += worth;
            swing += worth * worth;
            // Adding the place makes equal worths distinct.
            keys[trick] = (worth * LANES as i32 + trick as i32) as i16;
        }
        let (rest, swing) = (rest as f32, swing as f32);
        // Sorted by counting, since the branches of a sort would be unpredictable.
        let all = i16x16::from(keys);
        let mut lower = i16x16::ZERO;
        for &key in &keys[now + 1..TRICKS] {
            // A comparison that holds is minus one.
            lower -= i16x16::splat(key).simd_lt(all);
        }
        let lower = lower.to_array();
        let mut later = [0.0; LANES];
        for trick in now + 1..TRICKS {
            later[lower[trick] as usize % LANES] = worths[trick] as f32;
        }

        let stake = worths[now % LANES] as f32;
        let floor = game.rules().lowest_score as f32;
        let width = params.hope * swing.sqrt();
        let others = (seats as i32 - 1) as f32;
        let (mut gain, mut wants) = (BySeat::default(), BySeat::from_fn(|_| 0.5));
        let mut point = 0.0;
        // By seat: the worth of the row cards won so far. The winner of a trick leads to the next.
        let mut count = [0; Place::HANDS];
        for trick in 0..now {
            count[view.leader(trick + 1).index() % Place::HANDS] += worths[trick % LANES];
        }
        for seat in Seat::all(seats) {
            let expected = count[seat.index()] as f32 + rest / seats as i32 as f32;
            let [with, without, more, less] =
                above_floor(f32x4::from([stake, 0.0, 1.0, -1.0]) + expected, floor, width).to_array();
            let own = with - without;
            let slope = 0.5 * (more - less);
            // For two or three points, the chance that a player wants the card is about even.
            wants[seat] += 0.5 * params.respect * own / (own.abs() + 2.5);
            // A point won is a point that another player does not get.
            let (lost, spent) = (-params.spite * own / others, params.spite * slope / (others * others));
            let is_own = seat == view.seat();
            gain[seat] = select_unpredictable(is_own, own, lost);
            point += select_unpredictable(is_own, slope, spent);
        }
        for value in &mut later {
            *value *= point;
        }
        Stakes { gain, wants, later, left }
    }
}

/// Returns, by rank, the worth in later tricks of the hand without a card of that rank.
///
/// The highest card is assumed to be played for the best row card, the next for the next best, and so on.
#[inline(always)]
fn kept(view: &View<'_, ColourBlind>, contest: f32, stakes: &Stakes, unseen: CardSet) -> [f32; LANES] {
    let seats = view.game().layout().seats;
    let (own, number) = (view.own(), unseen.len() as f32);
    // The cards of the hand from the lowest: the rank, and twice the number of unseen cards that it beats.
    // Unseen cards of equal rank count half.
    let (mut ranks, mut beaten) = ([0; LANES], [0; LANES]);
    for card in own {
        let rank = card.place_in_lane();
        let (below, upto) = (CardSet::of_ranks((1 << rank) - 1), CardSet::of_ranks((2 << rank) - 1));
        let before = below | upto & CardSet::from_bits((1 << card.index()) - 1);
        let slot = (own & before).len() as usize % LANES;
        ranks[slot] = rank;
        beaten[slot] = ((unseen & below).len() + (unseen & upto).len()) as i32;
    }
    // By card: the chances to win a good and a bad row card with it.
    let (mut good, mut bad) = ([0.0; LANES + 1], [0.0; LANES + 1]);
    for slot in 0..LANES {
        let beats_one = beaten[slot] as f32 * 0.5 / number;
        let beats_rest = if seats > 2 { beats_one } else { 1.0 };
        let even = beats_rest * beats_one;
        good[slot] = even + contest * (even * beats_one - even);
        bad[slot] = even + contest * (beats_one.sqrt() * beats_rest - even);
    }
    // By row card: its worth with the card in the same place, and with the card one step higher.
    let (mut level, mut higher) = ([0.0; LANES], [0.0; LANES]);
    for slot in 0..LANES {
        let value = stakes.later[slot];
        let is_good = value > 0.0;
        level[slot] = value * if is_good { good[slot] } else { bad[slot] };
        higher[slot] = value * if is_good { good[slot + 1] } else { bad[slot + 1] };
    }
    // Without the lowest card, each row card is matched with the card one step higher. For each next card
    // that is left out instead, one more row card is matched with its own.
    let mut total: f32 = higher.iter().take(stakes.left).sum();
    let mut kept = [0.0; LANES];
    for slot in 0..stakes.left {
        kept[ranks[slot] % LANES] = total;
        total += level[slot] - higher[slot];
    }
    kept[ranks[stakes.left % LANES] % LANES] = total;
    kept
}

/// A hand that plays to the trick after this hand.
#[derive(Clone, Copy)]
struct Follower {
    hand: usize,
    /// How much it probably wants this trick, 0 to 1.
    wants: f32,
    /// The number of cards that it holds.
    cards: u32,
    /// The chance that it holds none of some unseen cards, by suit and number.
    miss: SuitPowers,
}

/// The trick in progress, as the seat sees it.
struct PrizeTrick<'a> {
    order: &'a Order,
    stakes: &'a Stakes,
    unseen: CardSet,
    mover: usize,
    led: Option<Card>,
    /// The hand that is winning the trick (at first the mover), and the strength of its card.
    winning: (usize, u8),
    /// The hands that play to it after this one, and their number.
    followers: [Follower; 2],
    behind: usize,
}

impl<'a> PrizeTrick<'a> {
    #[inline(always)]
    fn new(view: &View<'a, ColourBlind>, stakes: &'a Stakes, reading: &Reading) -> PrizeTrick<'a> {
        let mut hand = view.hand_to_move();
        let mover = hand.index() % Place::HANDS;
        let empty = Follower { hand: 0, wants: 0.0, cards: 0, miss: SuitPowers::NONE };
        let (mut followers, behind) = ([empty; 2], view.hands_in_trick() - view.trick_length() - 1);
        for follower in followers.iter_mut().take(behind) {
            hand = view.after(hand);
            follower.hand = hand.index() % Place::HANDS;
            follower.wants = stakes.wants[view.decider(hand)];
            follower.cards = view.count(hand) as u32;
            follower.miss = SuitPowers::misses(reading.share[follower.hand]);
        }
        PrizeTrick {
            order: view.order().expect("the order never changes"),
            stakes,
            unseen: reading.unseen,
            mover,
            led: view.led(),
            winning: view.winning().map_or((mover, 0), |(hand, best)| (hand.index() % Place::HANDS, best)),
            followers,
            behind,
        }
    }

    /// Returns the worth of this trick for each card played.
    #[inline(always)]
    fn values(&self, cards: [Card; GROUP]) -> f32x4 {
        let (holder, strongest) = self.winning;
        let (mut suits, mut best, mut wins) = ([0; GROUP], [0; GROUP], [0.0; GROUP]);
        for (number, card) in cards.into_iter().enumerate() {
            let led = self.led.unwrap_or(card);
            let own = self.order.strength(led, card);
            suits[number] = led.lane();
            best[number] = own.max(strongest);
            wins[number] = if own >= strongest { 1.0 } else { 0.0 };
        }
        let mut races = Races::NEW;
        for follower in self.followers.iter().take(self.behind) {
            races.plays_next(follower.hand, self.beats(follower, suits, best));
        }
        let chances = races.chances(self.mover, holder, wins.into());
        let [a, b, c] = self.stakes.gain.into_array();
        chances[0] * a + chances[1] * b + chances[2] * c
    }

    /// Returns, by card, the chance that the next hand beats strength `best` after a lead of `suits`.
    #[inline(always)]
    fn beats(&self, follower: &Follower, suits: [usize; GROUP], best: [u8; GROUP]) -> f32x4 {
        let ([mut none_good, mut none_bad], mut counts) = ([[0.0; GROUP]; 2], [[0; GROUP]; 4]);
        for number in 0..GROUP {
            let suit = suits[number];
            let follow = self.unseen & CardSet::lane(suit);
            // A card's strength is its rank plus one, and of equal cards the last one wins.
            let enough = CardSet::of_ranks(u16::MAX << best[number].saturating_sub(1));
            let (all, good) = (follow.len(), (follow & enough).len());
            none_good[number] = follower.miss.at(suit, good);
            none_bad[number] = follower.miss.at(suit, all - good);
            let others = (self.unseen - follow) & enough;
            let of = [good, all.max(1), others.len(), (self.unseen - follow).len().max(1)];
            for (counts, count) in counts.iter_mut().zip(of) {
                counts[number] = count as i32;
            }
        }
        let [good, all, good_others, others] = counts.map(|counts| f32x4::from_i32x4(counts.into()));
        let (none_good, none_bad, wants) = (f32x4::from(none_good), f32x4::from(none_bad), follower.wants);
        let void = none_good * none_bad;
        let even = (f32x4::ONE - void) * good / all;
        let followed = lean((f32x4::ONE - none_good) * none_bad, even, f32x4::ONE - none_good, wants);
        let even = good_others / others;
        // A hand that wants to lose wins only if all its cards win; a hand that wants to win, unless none
        // wins.
        let far = power(if wants < 0.5 { even } else { f32x4::ONE - even }, follower.cards);
        let far = if wants < 0.5 { far } else { f32x4::ONE - far };
        followed + ((void * lean(far, even, far, wants)) & void.simd_ge(0.01))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule_based::testing::{changes_choices, lead_over_random, watch};
    use overtrick_games::colour_blind::ColourBlindRules;

    fn games() -> impl Iterator<Item = ColourBlind> {
        ColourBlind::PRESETS.iter().map(|preset| {
            let rules: ColourBlindRules = toml::from_str(preset.rules).unwrap();
            ColourBlind::new(rules).unwrap()
        })
    }

    #[test]
    fn it_beats_random_play_in_every_variant() {
        for game in games() {
            // 25 to 33, with a standard error below 1.
            let lead = lead_over_random(&game, 100, || RuleBased::new(Params::default()));
            assert!(lead > 20.0, "{lead}");
        }
    }

    #[test]
    fn the_last_player_takes_a_king_and_refuses_one() {
        for game in games() {
            // By colour of the row card, bad and good: the number of right decisions, and of real choices.
            let mut counts = [(0, 0); 2];
            watch(&game, 400, &mut RuleBased::new(Params::default()), |view, legal, chosen| {
                let now = view.tricks_played();
                let worth = view.game().worth(view.public(), view.public().cards()[now]);
                let last = view.trick_length() + 1 == view.hands_in_trick();
                let (Some(led), Some((_, best))) = (view.led(), view.winning()) else {
                    return;
                };
                let order = view.order().unwrap();
                let wins = |played: Move| order.strength(led, played.as_card().unwrap()) >= best;
                // Early in the deal, when a count below zero may still recover.
                if now < 6 && last && worth.abs() >= 10 && legal.iter().any(wins) && !legal.iter().all(wins) {
                    let (right, times) = &mut counts[usize::from(worth > 0)];
                    *times += 1;
                    *right += i32::from(wins(chosen) == (worth > 0));
                }
            });
            for (right, times) in counts {
                assert!(times > 5 && right * 10 >= times * 9, "{right} of {times}");
            }
        }
    }

    #[test]
    fn every_parameter_changes_play() {
        let game = games().next().unwrap();
        for text in ["thrift = 0", "respect = 0", "contest = 1", "spite = 0", "hope = 0"] {
            let other: Params = toml::from_str(text).unwrap();
            other.validate().unwrap();
            let changed =
                changes_choices(&game, 20, &mut RuleBased::new(Params::default()), &mut RuleBased::new(other));
            assert!(changed, "{text}");
        }
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        for text in ["thrift = 3", "respect = -1", "contest = 2", "spite = nan", "hope = 4"] {
            let params: Params = toml::from_str(text).unwrap();
            let key = text.split_once(' ').unwrap().0;
            assert_eq!(params.validate().unwrap_err().key, format!("colour-blind.{key}"));
        }
    }
}
