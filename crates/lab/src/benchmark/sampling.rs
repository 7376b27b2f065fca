//! Chooses the parts of a result that are played again.

use std::collections::BTreeSet;

use super::definition::BenchmarkDefinition;

/// A part of a duel that is played again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ReplaySample {
    /// The index of the variant.
    pub variant: usize,
    /// The index of the reference.
    pub reference: usize,
    /// The index of the part.
    pub part: u64,
}

/// Returns the number of parts of all duels.
pub fn all_parts(definition: &BenchmarkDefinition) -> u64 {
    u64::try_from(definition.duels().count()).expect("few duels") * definition.parts
}

/// Returns different parts, in order, which `draw` chooses: it returns a number below its argument.
pub fn samples(definition: &BenchmarkDefinition, count: u64, draw: &mut dyn FnMut(u64) -> u64) -> Vec<ReplaySample> {
    let all = all_parts(definition);
    // Floyd's algorithm: each set of parts is equally likely.
    let mut chosen = BTreeSet::new();
    for last in all - count.min(all)..all {
        let number = draw(last + 1);
        if !chosen.insert(number) {
            chosen.insert(last);
        }
    }
    let references = u64::try_from(definition.references.len()).expect("few references");
    let mut samples = Vec::with_capacity(chosen.len());
    for number in chosen {
        let (duel, part) = (number / definition.parts, number % definition.parts);
        let [variant, reference] =
            [duel / references, duel % references].map(|index| usize::try_from(index).expect("few duels"));
        samples.push(ReplaySample { variant, reference, part });
    }
    samples
}

#[cfg(test)]
mod tests {
    use super::super::definition::tests::{SMALL, resolved};
    use super::*;

    #[test]
    fn samples_are_different_parts() {
        let definition = resolved(SMALL).unwrap();
        assert_eq!(all_parts(&definition), 40);
        let mut state = 1_u64;
        let mut times = [0; 40];
        for _ in 0..4000 {
            let chosen = samples(&definition, 5, &mut |below| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                (state >> 33) % below
            });
            assert!(chosen.len() == 5 && chosen.is_sorted_by(|one, other| one < other), "{chosen:?}");
            for sample in chosen {
                times[(sample.variant * 2 + sample.reference) * 10 + sample.part as usize] += 1;
            }
        }
        // Each part is drawn 500 times on average, with a standard deviation of 21.
        assert!(times.iter().all(|times| (390..610).contains(times)), "{times:?}");
    }
}
