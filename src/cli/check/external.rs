//! Tests external bots for violations of the protocol, and for moves that depend on history.
//!
//! Moves must not change with the size of batches, the order of deals or a restart.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::{Finding, again};
use crate::game::Move;
use crate::games::{OpenGame, Variant};
use crate::protocol::{Fault, Message, VariantSeen};
use crate::strategies::process::trial::{Played, Trial};
use crate::strategies::process::{Params, Session, last_lines};
use crate::toml_source::InputError;

/// The time for the bot to exit when asked.
const GRACE: Duration = Duration::from_secs(1);

/// Tests a bot in a variant, and returns the findings and the end of its standard error.
///
/// The findings are `None` if the bot does not play the variant. Setting `stop` ends all waiting.
///
/// # Errors
/// If the log file cannot be created.
pub fn check(
    params: &Params,
    variant: &Variant,
    deals: u64,
    stop: &Arc<AtomicBool>,
) -> Result<(Option<Finding>, String), InputError> {
    let unable = |error| {
        InputError::plain(format!("no file can be made for what the bot writes to its standard error: {error}"))
    };
    let folder = tempfile::tempdir().map_err(unable)?;
    let log = folder.path().join("log");
    let finding = External { params, variant, deals, log: &log, stop }.find(&variant.game.erased());
    Ok((finding, last_lines(&std::fs::read(&log).unwrap_or_default())))
}

struct External<'a> {
    params: &'a Params,
    variant: &'a Variant,
    deals: u64,
    log: &'a Path,
    stop: &'a Arc<AtomicBool>,
}

impl External<'_> {
    /// Returns the findings about the bot, or `None` if it does not play the variant.
    fn find(self, game: &OpenGame) -> Option<Finding> {
        let seen = VariantSeen::of(game, &self.variant.name, &self.variant.base);
        let trial = Trial::new(game, &self.variant.name);
        let mut finding = Finding::default();
        let plays = self.play(&trial, &seen, &mut finding).unwrap_or_else(|fault| {
            finding.problems.push(fault.to_string());
            true
        });
        plays.then_some(finding)
    }

    fn start(&self) -> Result<Session, Fault> {
        Session::start(self.params, Some(self.log), self.stop)
    }

    /// Plays the variant and adds the findings to `finding`. Returns false if the bot does not play it.
    fn play(&self, trial: &Trial<'_, OpenGame>, seen: &VariantSeen, finding: &mut Finding) -> Result<bool, Fault> {
        let mut session = self.start()?;
        if !session.hello().plays(seen) {
            session.close(GRACE);
            return Ok(false);
        }
        let batch = session.hello().batch.0 as usize;
        session.tell(&Message::Variant(seen.clone()))?;
        let first = trial.play(&mut session, 0..self.deals, batch);
        finding.pace = (first.decisions(), first.waits.iter().map(|(_, time)| *time).sum());
        slips(&first, finding)?;
        let alone = trial.play(&mut session, again(self.deals).rev(), 1);
        for (decisions, time) in &alone.waits {
            finding.clock.note(*time, *decisions);
        }
        slips(&alone, finding)?;
        compare(&first, &alone, "asked one by one, in another order", finding);
        session.close(GRACE);
        let mut session = self.start()?;
        session.tell(&Message::Variant(seen.clone()))?;
        let later = trial.play(&mut session, again(self.deals).rev(), batch);
        slips(&later, finding)?;
        compare(&first, &later, "asked again after a restart, in another order", finding);
        session.close(GRACE);
        Ok(true)
    }
}

/// Adds illegal moves to the findings, and returns a fault that ended the trial as an error.
fn slips(played: &Played, finding: &mut Finding) -> Result<(), Fault> {
    let slip = |(deal, number, fault): &(u64, usize, Fault)| format!("deal {deal}, move {number}: {fault}");
    finding.problems.extend(played.illegal.iter().map(slip));
    played.end.clone().map_or(Ok(()), Err)
}

/// Adds the first move that differs between two plays of the deals to the findings.
fn compare(first: &Played, other: &Played, how: &str, finding: &mut Finding) {
    let differs = |(one, other): (&Vec<Move>, &Vec<Move>)| one.iter().zip(other).position(|(one, other)| one != other);
    let places = first.moves.iter().zip(other.moves.iter().rev()).map(differs).enumerate();
    if let Some((deal, number)) = places.into_iter().find_map(|(deal, number)| Some((deal, number?))) {
        finding.problems.push(format!("deal {deal}, move {number}: another choice when {how}"));
    }
}
