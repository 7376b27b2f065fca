//! Dumbo by rule: estimates, for each card, who wins the trick and the final tricks of each hand.

mod card_value;
mod deal_value;
mod level;
mod prospects;

use overtrick_cards::Card;
use overtrick_game::{FieldError, Move, Moves, Options, View};
use overtrick_games::dumbo::Dumbo;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rule_based::choice::GROUP;
use crate::rule_based::processor::decide_by_processor;
use crate::rule_based::reading::{Reading, SuitPowers};
use card_value::CardValuer;
use prospects::Prospects;

/// The number of groups that hold a hand's cards.
const GROUPS: usize = 4;

/// How the strategy plays Dumbo.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {
    /// Weight of the bonus for matching Dumbo's number, 0 (plays for tricks alone) to 3. At 1 the bonus counts as in
    /// the rules.
    pub ambition: f32,
    /// Weight of the chance of a tie before the last three tricks, 0 to 2. With a high weight it keeps away early from
    /// the others' numbers.
    pub tie_fear: f32,
    /// Power to which the share of cards that a card beats is raised for its chance to win a trick, 1 (a middle card
    /// wins its share) to 8 (hardly any card but aces and kings wins).
    pub top_trust: f32,
    /// How purposefully the others are expected to play, 0 (any card) to 1. It is the effect of each trick above or
    /// below Dumbo's number on a player's wish to duck or to win.
    pub respect: f32,
    /// How often a hand without the suit is expected to snap, 0 to 5. At 1 it snaps as often as if it played any card.
    pub snap_fear: f32,
    /// Cost of a point of the others' average, in own points, 0 (only the own score counts) to 2. 1 plays for the
    /// difference.
    pub spite: f32,
}

impl Default for Params {
    fn default() -> Params {
        Params { ambition: 1.15, tie_fear: 0.96, top_trust: 4.6, respect: 0.54, snap_fear: 4.0, spite: 0.97 }
    }
}

impl Options for Params {
    fn validate(&self) -> Result<(), FieldError> {
        FieldError::check("dumbo.ambition", self.ambition, 0.0..=3.0)?;
        FieldError::check("dumbo.tie-fear", self.tie_fear, 0.0..=2.0)?;
        FieldError::check("dumbo.top-trust", self.top_trust, 1.0..=8.0)?;
        FieldError::check("dumbo.respect", self.respect, 0.0..=1.0)?;
        FieldError::check("dumbo.snap-fear", self.snap_fear, 0.0..=5.0)?;
        FieldError::check("dumbo.spite", self.spite, 0.0..=2.0)
    }
}

/// The rule-based strategy for Dumbo.
pub struct RuleBased {
    params: Params,
    prospects: Prospects,
}

impl RuleBased {
    /// Returns the strategy with these parameters.
    pub fn new(params: Params) -> RuleBased {
        RuleBased { prospects: Prospects::new(params.top_trust), params }
    }

    #[inline(always)]
    fn decide(&mut self, view: &View<'_, Dumbo>, legal: Moves) -> Move {
        let cards = legal.card_set();
        if let Some(only) = cards.only() {
            return Move::card(only);
        }
        let reading = Reading::of_plain(view, &[]);
        let [a, b, c, d] = reading.share;
        let misses = [SuitPowers::misses(a), SuitPowers::misses(b), SuitPowers::misses(c), SuitPowers::misses(d)];
        let mut valuer = CardValuer::new(view, &self.params, &self.prospects, &reading, &misses);
        // Of equivalent cards only the lowest is valued.
        let (mut groups, mut number) = ([[cards.first().unwrap_or(Card::NONE); GROUP]; GROUPS], 0);
        let mut lower = None;
        for card in cards {
            if !lower.replace(card).is_some_and(|lower| valuer.alike(lower, card)) {
                groups[number / GROUP][number % GROUP] = card;
                number += 1;
            }
        }
        let (mut best, mut most) = (groups[0][0], f32::NEG_INFINITY);
        for group in &groups {
            let values = valuer.values(*group, number);
            for place in 0..number.min(GROUP) {
                if values[place] > most {
                    (best, most) = (group[place], values[place]);
                }
            }
            number = number.saturating_sub(GROUP);
            if number == 0 {
                break;
            }
        }
        Move::card(best)
    }
}

decide_by_processor!(RuleBased, Dumbo);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule_based::testing::{changes_choices, lead_over_random, watch};
    use overtrick_cards::table::Place;
    use overtrick_game::Game;
    use overtrick_games::dumbo::{DUMBO, DumboRules};

    fn games() -> impl Iterator<Item = Dumbo> {
        ["before-lead", "after-lead", "dealer-only"].into_iter().map(|exposed| {
            let rules = toml::from_str::<DumboRules>(&format!("dumbo-exposed = \"{exposed}\"")).unwrap();
            Dumbo::new(rules).unwrap()
        })
    }

    #[test]
    fn it_beats_random_play_whatever_is_seen_of_dumbo() {
        for game in games() {
            // About 3.4, with a standard error of 0.2.
            let lead = lead_over_random(&game, 150, || RuleBased::new(Params::default()));
            assert!(lead > 2.0, "{lead}");
        }
    }

    #[test]
    fn it_fears_no_snaps_where_there_are_none() {
        let game = Dumbo::new(DumboRules { snapping: false, ..DumboRules::default() }).unwrap();
        let fearing = |snap_fear| RuleBased::new(Params { snap_fear, ..Params::default() });
        assert!(!changes_choices(&game, 20, &mut fearing(0.0), &mut fearing(5.0)));
        let lead = lead_over_random(&game, 150, || RuleBased::new(Params::default()));
        assert!(lead > 2.0, "{lead}");
    }

    /// Counts wins and choices of the strategy at the last trick but one.
    ///
    /// It counts where the strategy plays last from its own hand, and Dumbo is not winning the trick. The
    /// first pair is for one trick less than Dumbo, the second for the same number.
    fn wins_when_last(game: &Dumbo) -> [(u32, u32); 2] {
        let mut counts = [(0, 0); 2];
        let mut strategy = RuleBased::new(Params::default());
        watch(game, 10_000, &mut strategy, |view, legal, chosen| {
            let (hand, own) = (view.hand_to_move(), Place::hand(view.seat()));
            let (Some(led), Some((holder, best))) = (view.led(), view.winning()) else {
                return;
            };
            let order = view.order().unwrap();
            let wins = |played: Move| order.strength(led, played.as_card().unwrap()) >= best;
            let gap = view.tricks_won(own) as i32 - view.tricks_won(DUMBO) as i32;
            let due = view.trick_length() == 3 && view.tricks_played() == 11;
            if due
                && hand == own
                && holder != DUMBO
                && (-1..=0).contains(&gap)
                && legal.iter().any(wins)
                && !legal.iter().all(wins)
            {
                let (won, times) = &mut counts[usize::from(gap == 0)];
                *times += 1;
                *won += u32::from(wins(chosen));
            }
        });
        counts
    }

    #[test]
    fn it_wins_below_dumbos_number_and_ducks_at_it() {
        let game = games().next().unwrap();
        let [(won, times), at_it] = wins_when_last(&game);
        assert!(times > 10 && won * 2 > times, "{won} of {times}");
        let (won, times) = at_it;
        assert!(times > 10 && won * 2 < times, "{won} of {times}");
    }

    #[test]
    fn every_parameter_changes_play() {
        let game = games().next().unwrap();
        for text in ["ambition = 0", "tie-fear = 0", "top-trust = 2", "respect = 1", "snap-fear = 0", "spite = 0"] {
            let other: Params = toml::from_str(text).unwrap();
            other.validate().unwrap();
            let changed =
                changes_choices(&game, 20, &mut RuleBased::new(Params::default()), &mut RuleBased::new(other));
            assert!(changed, "{text}");
        }
    }

    #[test]
    fn parameters_out_of_range_are_refused() {
        for text in ["ambition = -1", "tie-fear = 3", "top-trust = 0", "respect = 2", "snap-fear = 6", "spite = nan"] {
            let params: Params = toml::from_str(text).unwrap();
            let key = text.split_once(' ').unwrap().0;
            assert_eq!(params.validate().unwrap_err().key, format!("dumbo.{key}"));
        }
    }
}
