//! Finds the k-th set bit of a word, the last step of every random choice of a card.
//!
//! A processor with a fast `pdep` needs one instruction. Elsewhere this is a binary search over bit counts.
//! Both paths find the same bit, so results do not depend on the machine. A caller asks [`fast_pdep`] once
//! for a block of work. It then runs the block compiled for one of the paths, so that the inner loops have no
//! test.

/// A way to find the k-th set bit.
pub trait Select: Copy {
    /// Returns a word with only the `k`-th lowest set bit of `word`, counted from 0.
    ///
    /// `k` must be below the number of set bits.
    fn kth_bit(self, word: u64, k: u64) -> u64;
}

/// Binary search over bit counts, which works on every processor.
#[derive(Clone, Copy)]
pub struct Portable;

impl Select for Portable {
    #[inline(always)]
    fn kth_bit(self, word: u64, k: u64) -> u64 {
        let (mut rest, mut k, mut at) = (word, k as u32, 0);
        for width in [32, 16, 8, 4, 2, 1] {
            let below = (rest & ((1 << width) - 1)).count_ones();
            let up = (k >= below) as u32;
            k -= below * up;
            rest >>= width * up;
            at += width * up;
        }
        1 << at
    }
}

/// The `pdep` path. Only [`fast_pdep`] makes it, after it has detected the instruction.
#[cfg(target_arch = "x86_64")]
#[derive(Clone, Copy)]
pub struct Pdep(());

#[cfg(target_arch = "x86_64")]
impl Select for Pdep {
    #[inline(always)]
    fn kth_bit(self, word: u64, k: u64) -> u64 {
        // SAFETY: a `Pdep` exists only where BMI2 was detected.
        unsafe { std::arch::x86_64::_pdep_u64(1 << k, word) }
    }
}

/// Returns the `pdep` path if this processor has the instruction in hardware.
///
/// It requires BMI2 (with BMI1, LZCNT and POPCNT). AMD families before Zen 3 (0x19) are excluded: there
/// `pdep` is microcode and slower than the search.
#[cfg(target_arch = "x86_64")]
#[inline]
pub fn fast_pdep() -> Option<Pdep> {
    use std::arch::x86_64::__cpuid;
    use std::sync::LazyLock;

    static FAST: LazyLock<bool> = LazyLock::new(|| {
        let here = is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt");
        let signature = __cpuid(1).eax;
        let family = ((signature >> 8) & 15) + ((signature >> 20) & 255);
        let amd = __cpuid(0).ebx == u32::from_le_bytes(*b"Auth");
        here && (!amd || family >= 0x19)
    });
    FAST.then_some(Pdep(()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_paths_find_the_kth_bit(word in 1u64.., k in 0u64..64) {
            let k = k % u64::from(word.count_ones());
            let slow = (0..64).filter(|bit| word >> bit & 1 == 1).nth(k as usize).unwrap();
            prop_assert_eq!(Portable.kth_bit(word, k), 1 << slow);
            #[cfg(target_arch = "x86_64")]
            if let Some(fast) = fast_pdep() {
                prop_assert_eq!(fast.kth_bit(word, k), 1 << slow);
            }
        }
    }
}
