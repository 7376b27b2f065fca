//! A worker: plays pieces of a tuning that another program leads.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use overtrick_run::Threads;
use overtrick_strategies::Register;
use overtrick_toml::Source;

use super::arena::{Arena, TuneControl};
use super::piece::{Comparison, PlayedComparison};
use super::plan::TunePlan;
use crate::no_result::NoResult;
use crate::pieces::{Piece, answer};

/// Plays a piece that [`RemoteWorkers::play`](super::RemoteWorkers::play) was given, and returns the bytes to send
/// back.
///
/// Games and strategies of other crates that the plan names are looked up in `register`.
///
/// # Errors
/// If it is no piece that this version can play, if it was stopped, or if a bot cannot play.
pub fn play_piece(
    bytes: &[u8],
    register: &Register,
    threads: &Threads,
    control: &Arc<TuneControl>,
) -> Result<Vec<u8>, NoResult> {
    let piece = Piece::<Comparison>::read(bytes)?;
    let plan = TunePlan::resolve(&Source::parse(Path::new("configuration"), piece.config.clone())?, register)?;
    if !piece.work.is_of(&plan) {
        return Err(Piece::<Comparison>::refused("is damaged: its comparison does not fit its plan"));
    }
    let before = control.faults.load(Ordering::Relaxed);
    let margins = Arena::unweighted(&plan, threads, control).play(&piece.work, &piece.numbers())?;
    let faults = control.faults.load(Ordering::Relaxed) - before;
    Ok(answer::<Comparison>(&PlayedComparison { margins, faults }))
}
