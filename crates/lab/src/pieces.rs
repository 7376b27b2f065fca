//! Pieces of work on deal numbers, which workers on other machines can play.
//!
//! The result of a deal number depends only on the work and that number. So it does not matter where a number is
//! played, or into how many pieces the work is cut.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use overtrick_run::{sealed, unsealed};
use overtrick_toml::InputError;
use overtrick_tournament::{MOST_NUMBERS, Numbers, Window};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::no_result::NoResult;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The fewest games of a piece; fewer are played faster than they are sent. (choice)
const LEAST_GAMES_OF_PIECE: u64 = 500;

/// The workers that play pieces, while a command waits for them.
pub trait RemoteWorkers: Send + Sync {
    /// Returns the largest number of pieces into which work is cut.
    fn pieces(&self) -> u64;

    /// Plays pieces by [`play_piece`](crate::tune::play_piece) or [`play_piece`](crate::league::play_piece).
    ///
    /// Returns the answers in the order of the pieces.
    ///
    /// # Errors
    /// If `stop` was set, or if a piece cannot be played.
    fn play(&self, pieces: &[Vec<u8>], stop: &Arc<AtomicBool>) -> Result<Vec<Vec<u8>>, NoResult>;
}

/// Work on deal numbers that can be cut into pieces.
pub(crate) trait RemoteWork: Clone + Serialize + DeserializeOwned {
    /// The form of a piece, with its version.
    const PIECE: &'static str;
    /// The form of its result, with its version.
    const ANSWER: &'static str;
    /// The name of both in messages.
    const KIND: &'static str;
    /// The result.
    type Answer: Serialize + DeserializeOwned;
}

/// Work on some deal numbers.
#[derive(Serialize, Deserialize)]
pub(crate) struct Piece<W> {
    version: String,
    /// The resolved configuration of the plan.
    pub config: String,
    pub work: W,
    window: Window,
    /// The first number, and the number after the last.
    range: (u64, u64),
}

/// The result of a piece.
pub(crate) struct PlayedPiece<A> {
    /// The numbers of the piece, from the first of the work.
    pub numbers: Range<u64>,
    pub answer: A,
}

/// Workers, with the plan that they play pieces for.
#[derive(Clone)]
pub(crate) struct RemotePlay {
    pub workers: Arc<dyn RemoteWorkers>,
    /// The resolved configuration of the plan.
    pub config: String,
}

/// Returns the error for a piece that cannot be played, or that came back odd.
fn failed<W: RemoteWork>(what: &str, why: &str) -> NoResult {
    let (kind, remedy) = (W::KIND, "all machines need the same build of Overtrick");
    NoResult::Failed(InputError::plain(format!("a {kind} {what}: it {why}; {remedy}")))
}

/// Returns the error for a result that does not fit its piece, with the reason.
pub(crate) fn odd<W: RemoteWork>(why: &str) -> NoResult {
    failed::<W>("came back odd", why)
}

/// Returns whether bytes are a piece of this work, by their first line.
pub(crate) fn is_piece_of<W: RemoteWork>(bytes: &[u8]) -> bool {
    bytes.starts_with(format!("overtrick {}", W::PIECE).as_bytes())
}

/// Returns the bytes that are sent back for a piece.
pub(crate) fn answer<W: RemoteWork>(answer: &W::Answer) -> Vec<u8> {
    sealed(W::ANSWER, answer)
}

impl<W: RemoteWork> Piece<W> {
    /// Reads a piece that [`RemoteWorkers::play`] was given.
    ///
    /// # Errors
    /// If it is no piece that this version can play.
    pub fn read(bytes: &[u8]) -> Result<Piece<W>, NoResult> {
        let piece: Piece<W> = unsealed(W::PIECE, W::KIND, bytes).map_err(|why| Piece::<W>::refused(&why))?;
        if piece.version != VERSION {
            let theirs = piece.version.escape_debug();
            return Err(Piece::<W>::refused(&format!("is of version {theirs}, and this is {VERSION}")));
        }
        let (start, end) = piece.range;
        if start < end && end <= MOST_NUMBERS {
            Ok(piece)
        } else {
            Err(Piece::<W>::refused("is damaged: it has no deals"))
        }
    }

    /// Returns the error for a piece that cannot be played, with the reason.
    pub fn refused(why: &str) -> NoResult {
        failed::<W>("cannot be played here", why)
    }

    /// Returns its deal numbers.
    pub fn numbers(&self) -> Numbers {
        self.window.numbers(self.range.0..self.range.1)
    }
}

impl RemotePlay {
    /// Has workers play some work, of `games` games for each deal number; `None` if it is too small to be cut.
    ///
    /// # Errors
    /// If [`RemoteWorkers::play`] fails, or if an answer cannot be read.
    pub fn play<W: RemoteWork>(
        &self,
        work: &W,
        numbers: &Numbers,
        games: u64,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<Vec<PlayedPiece<W::Answer>>>, NoResult> {
        let within = numbers.within();
        let count = within.end - within.start;
        let pieces = (games.saturating_mul(count) / LEAST_GAMES_OF_PIECE).min(count).min(self.workers.pieces());
        if pieces < 2 {
            return Ok(None);
        }
        let bound = |piece: u64| within.start + (u128::from(count) * u128::from(piece) / u128::from(pieces)) as u64;
        let ranges: Vec<(u64, u64)> = (0..pieces).map(|piece| (bound(piece), bound(piece + 1))).collect();
        let piece = |&range: &(u64, u64)| {
            let (version, config, work) = (VERSION.to_owned(), self.config.clone(), work.clone());
            sealed(W::PIECE, &Piece { version, config, work, window: numbers.window(), range })
        };
        let played = self.workers.play(&ranges.iter().map(piece).collect::<Vec<_>>(), stop)?;
        if stop.load(Ordering::Relaxed) {
            return Err(NoResult::Stopped);
        }
        if played.len() != ranges.len() {
            return Err(odd::<W>("is one of too many or too few"));
        }
        let mut answers = Vec::with_capacity(ranges.len());
        for (&(start, end), bytes) in ranges.iter().zip(&played) {
            let answer = unsealed(W::ANSWER, W::KIND, bytes).map_err(|why| odd::<W>(&why))?;
            answers.push(PlayedPiece { numbers: start - within.start..end - within.start, answer });
        }
        Ok(Some(answers))
    }
}
