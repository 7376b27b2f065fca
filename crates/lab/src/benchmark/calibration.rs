//! Recognises reference bots by their play, so that a change of a program never changes a benchmark unnoticed.

use overtrick_run::{Observer, SoFar};
use overtrick_toml::InputError;
use overtrick_tournament::LoggedDeal;
use sha2::{Digest, Sha256};

use super::arena::BenchmarkArena;
use super::definition::BenchmarkDefinition;
use super::hashing::hex;

/// An observer that hashes all scores, in the order of deals and seatings.
#[derive(Default)]
struct ScoreHash {
    hash: Sha256,
}

impl Observer for ScoreHash {
    fn wants_deals(&self) -> bool {
        true
    }

    fn deals(&mut self, so_far: &SoFar<'_>, deals: &[LoggedDeal]) -> Result<(), InputError> {
        let seats = so_far.tournament.schedules[so_far.variant].seats;
        for deal in deals {
            deal.scores.of(seats).iter().for_each(|score| self.hash.update(score.to_le_bytes()));
        }
        Ok(())
    }
}

impl BenchmarkArena<'_> {
    /// Returns the hash of the play of a reference; `None` if it was stopped.
    ///
    /// It plays some deals of each variant with the first reference. The hash also depends on rules, scores and
    /// cards.
    fn plays(&self, definition: &BenchmarkDefinition, reference: usize) -> Result<Option<String>, InputError> {
        let mut scores = ScoreHash::default();
        let pair = [&definition.references[reference], &definition.references[0]];
        for variant in 0..definition.variants.len() {
            if !self.calibrate(definition, variant, pair, &mut scores)? {
                return Ok(None);
            }
        }
        Ok(Some(hex(scores.hash)))
    }
}

/// Checks that all references play as when the benchmark was defined, and returns the hashes of their play.
///
/// `None` if it was stopped.
///
/// # Errors
/// The first reference whose play differs.
pub fn check_references(
    definition: &BenchmarkDefinition,
    arena: &BenchmarkArena<'_>,
) -> Result<Option<Vec<String>>, InputError> {
    let mut all = Vec::new();
    for (number, reference) in definition.references.iter().enumerate() {
        let Some(found) = arena.plays(definition, number)? else { return Ok(None) };
        if let Some(wanted) = reference.plays.as_ref().filter(|wanted| **wanted != found) {
            return Err(InputError::plain(format!(
                "{}: the reference {} does not play as it did when the benchmark was defined: its games make {found}, \
                 not {wanted}. Use the program that the benchmark came with",
                definition.title(),
                reference.bot.name
            )));
        }
        all.push(found);
    }
    Ok(Some(all))
}

#[cfg(test)]
mod tests {
    use overtrick_run::Threads;

    use super::super::arena::BenchmarkControl;
    use super::super::definition::tests::{SMALL, resolved};
    use super::*;

    #[test]
    fn a_reference_that_plays_otherwise_is_recognised() {
        let (threads, control) = (Threads::new(1).unwrap(), BenchmarkControl::default());
        let arena = BenchmarkArena { threads: &threads, control: &control, on_games: &|_| () };
        let small = resolved(SMALL).unwrap();
        let found = check_references(&small, &arena).unwrap().unwrap();
        assert_ne!(found[0], found[1]);
        let with = |plays: &str| SMALL.replace("[scale]", &format!("plays = {plays:?}\n[scale]"));
        let same = check_references(&resolved(&with(&found[1])).unwrap(), &arena).unwrap().unwrap();
        assert_eq!(same, found);
        // The same bot under another parameter plays otherwise.
        let other = with(&found[1])
            .replace("strategy = \"rule-based\" }", "strategy = \"rule-based\", parameters.euchre.courage = 5.0 }");
        let error = check_references(&resolved(&other).unwrap(), &arena).unwrap_err().to_string();
        assert!(error.starts_with("small 1: the reference rule-based does not play as it did"), "{error}");
        control.stop.store(true, std::sync::atomic::Ordering::Relaxed);
        assert_eq!(check_references(&small, &arena), Ok(None));
    }
}
