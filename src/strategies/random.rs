//! `random`: any legal move, every one equally likely.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{BuildContext, StrategySpec};
use crate::cards::select::{Portable, Select};
use crate::cards::{Card, Stream};
use crate::game::{FieldError, FullGame, Game, Move, Moves, Options, View};
use crate::strategy::{Batch, Strategy};

/// `random` has no parameters.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
pub struct Params {}

impl Options for Params {
    fn validate(&self) -> Result<(), FieldError> {
        Ok(())
    }
}

impl StrategySpec for Params {
    const NAME: &'static str = "random";
    const ABOUT: &'static str = "any legal move, every one equally likely; plays every game";

    fn build<G: FullGame>(&self, _scene: &BuildContext) -> Result<Box<dyn Strategy<G>>, FieldError> {
        Ok(Box::new(Random))
    }
}

/// Chooses uniformly among the legal moves, with one draw for each decision even if only one move is legal.
pub struct Random;

impl<G: Game> Strategy<G> for Random {
    fn choose(&mut self, _view: &View<'_, G>, legal: Moves, rng: &mut Stream) -> Move {
        pick(legal, rng, Portable)
    }

    fn choose_many(&mut self, batch: &mut Batch<'_, G>) {
        #[cfg(target_arch = "x86_64")]
        if let Some(pdep) = crate::cards::select::fast_pdep() {
            #[target_feature(enable = "bmi1,bmi2,lzcnt,popcnt")]
            fn fast<G: Game>(batch: &mut Batch<'_, G>, pdep: crate::cards::select::Pdep) {
                batch.answer_each(|_, legal, rng| pick(legal, rng, pdep));
            }
            // SAFETY: `fast_pdep` saw these features on this processor.
            return unsafe { fast(batch, pdep) };
        }
        batch.answer_each(|_, legal, rng| pick(legal, rng, Portable));
    }
}

/// A move of `legal`, every one equally likely: cards count before calls.
#[inline(always)]
pub(crate) fn pick(legal: Moves, rng: &mut Stream, select: impl Select) -> Move {
    let cards = legal.card_set().bits();
    let calls = legal.call_bits();
    // Most decisions are between cards alone, so the common path counts them once.
    let count = if calls == 0 { cards.count_ones() } else { legal.len() };
    let k = rng.random_below(u64::from(count));
    if calls == 0 || k < u64::from(cards.count_ones()) {
        Move::card(Card::from_index(select.kth_bit(cards, k).trailing_zeros() as u8))
    } else {
        let k = k - u64::from(cards.count_ones());
        Move::call(select.kth_bit(calls, k).trailing_zeros() as u8)
    }
}
