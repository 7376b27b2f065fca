//! Compiles decisions for newer processors, too.
//!
//! The program is built for any processor of its kind, so a decision is compiled twice. One version is
//! compiled like the rest of the program, the other for x86-64 with AVX2 and bit-counting instructions. Both
//! choose the same moves.

/// Returns whether the processor has the features of the newer version.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn is_newer() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("popcnt")
}

/// Implements `Strategy` for a type with a function `decide(&mut self, &View, Moves) -> Move`.
///
/// Only code that is inlined into it is compiled twice. So hot functions are `#[inline(always)]`, and hot
/// loops contain no closures and no `array::map`, which often stays a call.
macro_rules! decide_by_processor {
    ($strategy:ty, $game:ty) => {
        impl overtrick_strategy::Strategy<$game> for $strategy {
            fn choose(
                &mut self,
                view: &overtrick_game::View<'_, $game>,
                legal: overtrick_game::Moves,
                _rng: &mut overtrick_cards::Stream,
            ) -> overtrick_game::Move {
                #[cfg(target_arch = "x86_64")]
                if crate::rule_based::processor::is_newer() {
                    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
                    fn newer(
                        strategy: &mut $strategy,
                        view: &overtrick_game::View<'_, $game>,
                        legal: overtrick_game::Moves,
                    ) -> overtrick_game::Move {
                        strategy.decide(view, legal)
                    }
                    // SAFETY: the processor was just seen to have the features that this is compiled for.
                    return unsafe { newer(self, view, legal) };
                }
                self.decide(view, legal)
            }
        }
    };
}

pub(super) use decide_by_processor;
