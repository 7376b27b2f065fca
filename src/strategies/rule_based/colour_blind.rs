//! Colour-blind by rule: it estimates what this trick's row card is worth to each player, and which cards are better
//! kept for the rest of the row.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use wide::f32x4;

use super::choice::Race;
use super::processor::decide_by_processor;
use super::reading::{Powers, Reading, lean, power};
use crate::cards::{Card, CardSet, Order};
use crate::game::{FieldError, Game, Move, Moves, Options, View};
use crate::games::colour_blind::{ColourBlind, ROW_LAST};
use crate::table::{BySeat, Place, Seat};

const TRICKS: usize = 13;
/// Room for the tricks, or the ranks, of which several are computed side by side.
const LANES: usize = 16;

/// How the strategy plays Colour-blind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {
    /// How much it saves its cards for later row cards: the weight of what the rest of the hand can still do, against
    /// this trick. No unit, 0 (thinks of this trick alone) to 2.
    pub thrift: f32,
    /// How purposefully the others are thought to play to this trick: whether they win good row cards and leave bad
    /// ones where they can. No unit, 0 (they play any card) to 1.
    pub respect: f32,
    /// How hard later row cards are thought to be fought over: high cards needed for good ones, low cards for bad ones.
    /// No unit, 0 (as if the others played any card) to 1.
    pub contest: f32,
    /// What a point of the others' average costs, in own points, 0 (only the own score counts) to 2; 1 plays for the
    /// difference.
    pub spite: f32,
    /// How much a low count is thought to recover still, as a share of what the rest of the row may swing it, 0 (points
    /// below the lowest score are free at once) to 3.
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
    /// The strategy with these parameters.
    pub fn new(params: Params) -> RuleBased {
        RuleBased { params }
    }
}

impl RuleBased {
    #[inline(always)]
    fn decide(&mut self, view: &View<'_, ColourBlind>, legal: Moves) -> Move {
        let cards = legal.card_set();
        if let Some(only) = cards.only() {
            return Move::card(only);
        }
        let reading = Reading::of_plain(view, &[ROW_LAST]);
        let stakes = Stakes::new(view, &self.params);
        let mut trick = Trick::new(view, &stakes, &reading);
        let kept = kept(view, self.params.contest, &stakes, reading.unseen);
        let (mut best, mut most) = (cards.first(), f32::NEG_INFINITY);
        for card in cards {
            let value = trick.value(card) + self.params.thrift * kept[card.place_in_lane()];
            if value > most {
                (best, most) = (Some(card), value);
            }
        }
        Move::card(best.expect("there is a card to play"))
    }
}

decide_by_processor!(RuleBased, ColourBlind);

/// What the row cards are worth to each seat.
struct Stakes {
    /// By seat: what it is worth to the seat that decides if that seat wins this trick.
    gain: BySeat<f32>,
    /// By seat: how much it is thought to want this trick itself, 0 to 1.
    wants: BySeat<f32>,
    /// What the later row cards are worth to the seat that decides, ascending.
    later: [f32; LANES],
    /// The number of later row cards.
    left: usize,
}

/// How far `count` lies above the lowest score, at least 0: rounded off within `width`, because a count that may still
/// move is worth something even below.
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
        worths[..TRICKS].copy_from_slice(view.public().worths());
        let left = TRICKS - 1 - now;
        let (mut keys, mut rest, mut swing) = ([0; LANES], 0, 0);
        for trick in 0..LANES {
            let worth = if trick > now { worths[trick] } else { 0 };
            rest += worth;
            swing += worth * worth;
            // The place makes equal worths different.
            keys[trick] = (worth * LANES as i32 + trick as i32) as i16;
        }
        let (rest, swing) = (rest as f32, swing as f32);
        // Sorted by counting, since what the branches of a sort decide cannot be predicted.
        let mut lower = [0; LANES];
        for other in now + 1..TRICKS {
            for trick in 0..LANES {
                lower[trick] += u16::from(keys[other] < keys[trick]);
            }
        }
        let mut later = [0.0; LANES];
        for trick in now + 1..TRICKS {
            later[usize::from(lower[trick]) % LANES] = worths[trick] as f32;
        }

        let stake = worths[now % LANES] as f32;
        let floor = game.rules().lowest_score as f32;
        let width = params.hope * swing.sqrt();
        let others = (seats - 1) as f32;
        let (mut gain, mut wants) = (BySeat::new([0.0; 3]), BySeat::new([0.5; 3]));
        let mut point = 0.0;
        // By seat: what the row cards are worth that it has won; who wins a trick leads to the next.
        let mut count = [0; Place::HANDS];
        for trick in 0..now {
            count[view.leader(trick + 1).index() % Place::HANDS] += worths[trick % LANES];
        }
        for seat in Seat::all(seats) {
            let expected = count[seat.index()] as f32 + rest / seats as f32;
            let [with, without, more, less] =
                above_floor(f32x4::from([stake, 0.0, 1.0, -1.0]) + expected, floor, width).to_array();
            let own = with - without;
            let slope = 0.5 * (more - less);
            // For two or three points, it is about even whether a player wants the card.
            wants[seat] += 0.5 * params.respect * own / (own.abs() + 2.5);
            if seat == view.seat() {
                gain[seat] = own;
                point += slope;
            } else {
                gain[seat] = -params.spite * own / others;
                // A point that is won is one that another player does not get.
                point += params.spite * slope / (others * others);
            }
        }
        for value in &mut later {
            *value *= point;
        }
        Stakes { gain, wants, later, left }
    }
}

/// By rank: what the rest of the hand is worth in the later tricks without a card of that rank, if its highest card is
/// played for the best row card, the next for the next best, and so on.
#[inline(always)]
fn kept(view: &View<'_, ColourBlind>, contest: f32, stakes: &Stakes, unseen: CardSet) -> [f32; LANES] {
    let seats = view.game().layout().seats;
    let (own, number) = (view.own(), unseen.len() as f32);
    // The cards of the hand from the lowest: the rank, and twice the number of unseen cards that it beats, of which
    // equal ones count half.
    let (mut ranks, mut beaten) = ([0; LANES], [0; LANES]);
    for card in own {
        let rank = card.place_in_lane();
        let below = CardSet::of_ranks((1 << rank) - 1);
        let equal = CardSet::of_ranks(1 << rank);
        let before = equal & CardSet::from_bits((1 << card.index()) - 1);
        let slot = (own & (below | before)).len() as usize % LANES;
        ranks[slot] = rank;
        beaten[slot] = 2 * (unseen & below).len() + (unseen & equal).len();
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
    // By row card: what it brings with the card of its own place, and with the card one step higher.
    let (mut level, mut higher) = ([0.0; LANES], [0.0; LANES]);
    for slot in 0..LANES {
        let value = stakes.later[slot];
        let is_good = value > 0.0;
        level[slot] = value * if is_good { good[slot] } else { bad[slot] };
        higher[slot] = value * if is_good { good[slot + 1] } else { bad[slot + 1] };
    }
    // Without the lowest card, each row card is matched with the card one step higher. For each next card that is left
    // out instead, one more row card is matched with its own.
    let mut total: f32 = higher.iter().take(stakes.left).sum();
    let mut kept = [0.0; LANES];
    for slot in 0..stakes.left {
        kept[ranks[slot] % LANES] = total;
        total += level[slot] - higher[slot];
    }
    kept[ranks[stakes.left % LANES] % LANES] = total;
    kept
}

/// A hand that plays to the trick after this one.
#[derive(Clone, Copy)]
struct Follower {
    hand: usize,
    /// How much it is thought to want this trick, 0 to 1.
    wants: f32,
    /// How many cards it holds.
    cards: u32,
    /// The chance that it holds none of some unseen cards of the suit led, by their number.
    miss: Powers,
}

/// The trick in progress, as the seat sees it.
struct Trick<'a> {
    order: &'a Order,
    stakes: &'a Stakes,
    reading: &'a Reading,
    mover: usize,
    led: Option<Card>,
    /// The hand that is winning the trick, and how strong its card is.
    winning: Option<(usize, u8)>,
    /// The hands that play to it after this one, and their number.
    followers: [Follower; 2],
    behind: usize,
    /// The suit for which they are prepared; 4 before the first.
    suit: usize,
    /// What the trick brings if a card is played that does not win; once it is found.
    losing: Option<f32>,
}

impl<'a> Trick<'a> {
    #[inline(always)]
    fn new(view: &View<'a, ColourBlind>, stakes: &'a Stakes, reading: &'a Reading) -> Trick<'a> {
        let mut hand = view.hand_to_move();
        let nobody = Follower { hand: 0, wants: 0.0, cards: 0, miss: Powers::of(0.0) };
        let (mut followers, behind) = ([nobody; 2], view.hands_in_trick() - view.trick_length() - 1);
        for follower in followers.iter_mut().take(behind) {
            hand = view.after(hand);
            follower.hand = hand.index() % Place::HANDS;
            follower.wants = stakes.wants[view.decider(hand)];
            follower.cards = view.count(hand) as u32;
        }
        Trick {
            order: view.order().expect("the order never changes"),
            stakes,
            reading,
            mover: view.hand_to_move().index() % Place::HANDS,
            led: view.led(),
            winning: view.winning().map(|(hand, best)| (hand.index() % Place::HANDS, best)),
            followers,
            behind,
            suit: 4,
            losing: None,
        }
    }

    /// What this trick brings if `card` is played.
    #[inline(always)]
    fn value(&mut self, card: Card) -> f32 {
        let led = self.led.unwrap_or(card);
        let own = self.order.strength(led, card);
        let (holder, best) = match self.winning {
            Some((hand, best)) if best > own => (hand, best),
            _ => (self.mover, own),
        };
        // All cards that do not win leave the trick alike.
        if let (true, Some(value)) = (holder != self.mover, self.losing) {
            return value;
        }
        if self.suit != led.lane() {
            self.suit = led.lane();
            for follower in self.followers.iter_mut().take(self.behind) {
                follower.miss = Powers::of(1.0 - self.reading.share[follower.hand][self.suit % 4]);
            }
        }
        let mut race = Race::new(holder);
        for follower in self.followers.iter().take(self.behind) {
            race.plays_next(follower.hand, self.beats(follower, best));
        }
        let gains = race.chances().into_iter().zip(self.stakes.gain.into_array());
        let value = gains.map(|(chance, gain)| chance * gain).sum();
        if holder != self.mover {
            self.losing = Some(value);
        }
        value
    }

    /// The chance that a hand, next to play, beats a card of strength `best`.
    #[inline(always)]
    fn beats(&self, follower: &Follower, best: u8) -> f32 {
        let unseen = self.reading.unseen;
        let (follow, others) = (unseen & CardSet::lane(self.suit), unseen - CardSet::lane(self.suit));
        // A card's strength is its rank plus one, and among equals the last one wins.
        let low = best.saturating_sub(1);
        let enough = CardSet::of_ranks(u16::MAX << low);
        let wants = follower.wants;
        let (all, good) = (follow.len(), (follow & enough).len());
        let none_good = follower.miss.at(good);
        let none_bad = follower.miss.at(all - good);
        let void = none_good * none_bad;
        let even = (1.0 - void) * good as f32 / all.max(1) as f32;
        let followed = lean((1.0 - none_good) * none_bad, even, 1.0 - none_good, wants);
        if void < 0.01 {
            return followed;
        }
        let even = (others & enough).len() as f32 / others.len().max(1) as f32;
        // A hand that wants to lose wins only if all of its cards do; one that wants to win, unless none does.
        let far = if wants < 0.5 { power(even, follower.cards) } else { 1.0 - power(1.0 - even, follower.cards) };
        followed + void * lean(far, even, far, wants)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::colour_blind::ColourBlindRules;
    use crate::strategies::rule_based::testing::{changed_choices, lead_over_random, watch};

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
            // By colour of the row card, bad and good: how often the strategy did right, and how often it had the
            // choice.
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
                // Early, when a count that goes below zero may still recover.
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
                changed_choices(&game, 20, &mut RuleBased::new(Params::default()), &mut RuleBased::new(other));
            assert!(changed > 0, "{text}");
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
