//! A worker: plays pieces of a league that another program leads.

use std::path::Path;
use std::sync::Arc;

use overtrick_run::Threads;
use overtrick_strategies::Register;
use overtrick_toml::Source;

use super::arena::{LeagueArena, LeagueControl};
use super::piece::RoundWork;
use super::plan::LeaguePlan;
use crate::no_result::NoResult;
use crate::pieces::{Piece, answer, is_piece_of};

/// Returns whether bytes are a piece of a league.
pub fn is_piece(bytes: &[u8]) -> bool {
    is_piece_of::<RoundWork>(bytes)
}

/// Plays a piece that [`RemoteWorkers::play`](crate::tune::RemoteWorkers::play) was given.
///
/// Returns the bytes to send back. Games and strategies of other crates are looked up in `register`.
///
/// # Errors
/// If it is no piece that this version can play, if it was stopped, or if a bot cannot play.
pub fn play_piece(
    bytes: &[u8],
    register: &Register,
    threads: &Threads,
    control: &Arc<LeagueControl>,
) -> Result<Vec<u8>, NoResult> {
    let piece = Piece::<RoundWork>::read(bytes)?;
    let plan = LeaguePlan::resolve(&Source::parse(Path::new("configuration"), piece.config.clone())?, register)?;
    if !piece.work.is_of(&plan) {
        return Err(Piece::<RoundWork>::refused("is damaged: its round does not fit its plan"));
    }
    let arena = LeagueArena::new(&plan, threads, control);
    let played = arena.play_here(&piece.work.round, &piece.numbers().within())?;
    Ok(answer::<RoundWork>(&played))
}
