//! Pieces of comparisons, which workers on other machines can play.
//!
//! The margins of a candidate on a deal number depend only on the bots and that number. So it does not matter
//! where a number is played, or into how many pieces a comparison is cut.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use overtrick_run::{sealed, unsealed};
use overtrick_toml::InputError;
use overtrick_tournament::{MOST_NUMBERS, Numbers, Window};
use serde::{Deserialize, Serialize};

use super::constants::LEAST_GAMES_OF_PIECE;
use super::objective::{NoResult, TuneMargins};
use super::plan::TunePlan;
use super::setting::Setting;

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The forms of a piece and of its result, and the name of both in messages.
const PIECE: &str = "piece 1";
const MARGINS: &str = "margins 1";
const KIND: &str = "piece of tuning";

/// The workers that play pieces of comparisons, while tuning waits for them.
pub trait RemoteWorkers: Send + Sync {
    /// Returns the largest number of pieces into which a comparison is cut.
    fn pieces(&self) -> u64;

    /// Plays pieces by [`play_piece`](super::play_piece), and returns its answers in the order of the pieces.
    ///
    /// # Errors
    /// If `stop` was set, or if a piece cannot be played.
    fn play(&self, pieces: &[Vec<u8>], stop: &Arc<AtomicBool>) -> Result<Vec<Vec<u8>>, NoResult>;
}

/// The settings that are compared.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Comparison {
    /// Settings with another setting, at the tables of the plan.
    Settings { candidates: Vec<Setting>, incumbent: Setting },
    /// A setting with the start, in the company of a bot that tuning has not met, in one variant.
    Unseen { candidate: Setting, bot: usize, variant: usize },
}

/// A comparison on some deal numbers.
#[derive(Serialize, Deserialize)]
pub(super) struct Piece {
    version: String,
    /// The resolved configuration of the plan.
    pub config: String,
    pub comparison: Comparison,
    window: Window,
    /// The first number, and the number after the last.
    range: (u64, u64),
}

/// The result of a piece.
#[derive(Serialize, Deserialize)]
pub(super) struct PlayedPiece {
    pub margins: TuneMargins,
    /// The number of faults of bots.
    pub faults: u64,
}

/// Workers, with the plan that they play pieces for.
#[derive(Clone)]
pub(super) struct RemotePlay {
    pub workers: Arc<dyn RemoteWorkers>,
    /// The resolved configuration of the plan.
    pub config: String,
}

/// Returns the error for a piece that cannot be played, or that came back odd.
fn failed(what: &str, why: &str) -> NoResult {
    let remedy = "all machines need the same build of Overtrick";
    NoResult::Failed(InputError::plain(format!("a piece of tuning {what}: it {why}; {remedy}")))
}

impl Comparison {
    fn candidates(&self) -> usize {
        match self {
            Comparison::Settings { candidates, .. } => candidates.len(),
            Comparison::Unseen { .. } => 1,
        }
    }

    /// Returns whether it can be a comparison of a plan.
    pub fn is_of(&self, plan: &TunePlan) -> bool {
        let is_setting = |point: &Setting| point.is_of(plan.space.dimensions());
        match self {
            Comparison::Settings { candidates, incumbent } => {
                !candidates.is_empty() && candidates.iter().chain([incumbent]).all(is_setting)
            }
            Comparison::Unseen { candidate, bot, variant } => {
                is_setting(candidate) && *bot < plan.unseen.len() && *variant < plan.variants.len()
            }
        }
    }
}

impl Piece {
    /// Reads a piece that [`RemoteWorkers::play`] was given.
    ///
    /// # Errors
    /// If it is no piece that this version can play.
    pub fn read(bytes: &[u8]) -> Result<Piece, NoResult> {
        let piece: Piece = unsealed(PIECE, KIND, bytes).map_err(|why| Piece::refused(&why))?;
        if piece.version != VERSION {
            let theirs = piece.version.escape_debug();
            return Err(Piece::refused(&format!("is of version {theirs}, and this is {VERSION}")));
        }
        let (start, end) = piece.range;
        if start < end && end <= MOST_NUMBERS { Ok(piece) } else { Err(Piece::refused("is damaged: it has no deals")) }
    }

    /// Returns the error for a piece that cannot be played, with the reason.
    pub fn refused(why: &str) -> NoResult {
        failed("cannot be played here", why)
    }

    /// Returns its deal numbers.
    pub fn numbers(&self) -> Numbers {
        self.window.numbers(self.range.0..self.range.1)
    }
}

/// Returns the bytes that are sent back for a piece.
pub(super) fn answer(margins: TuneMargins, faults: u64) -> Vec<u8> {
    sealed(MARGINS, &PlayedPiece { margins, faults })
}

impl RemotePlay {
    /// Has workers play a comparison; `None` if it is too small to be cut.
    ///
    /// `tables` is the number of tables, and `games` the number of games for each deal number.
    ///
    /// # Errors
    /// If [`RemoteWorkers::play`] fails, or if an answer does not fit its piece.
    pub fn compare(
        &self,
        comparison: &Comparison,
        numbers: &Numbers,
        tables: usize,
        games: u64,
        stop: &Arc<AtomicBool>,
    ) -> Result<Option<PlayedPiece>, NoResult> {
        let within = numbers.within();
        let count = within.end - within.start;
        let pieces = (games.saturating_mul(count) / LEAST_GAMES_OF_PIECE).min(count).min(self.workers.pieces());
        if pieces < 2 {
            return Ok(None);
        }
        let bound = |piece: u64| within.start + (u128::from(count) * u128::from(piece) / u128::from(pieces)) as u64;
        let ranges: Vec<(u64, u64)> = (0..pieces).map(|piece| (bound(piece), bound(piece + 1))).collect();
        let piece = |&range: &(u64, u64)| {
            let (version, config, comparison) = (VERSION.to_owned(), self.config.clone(), comparison.clone());
            sealed(PIECE, &Piece { version, config, comparison, window: numbers.window(), range })
        };
        let played = self.workers.play(&ranges.iter().map(piece).collect::<Vec<_>>(), stop)?;
        if stop.load(Ordering::Relaxed) {
            return Err(NoResult::Stopped);
        }
        let odd = |why: &str| failed("came back odd", why);
        if played.len() != ranges.len() {
            return Err(odd("is one of too many or too few"));
        }
        let like = |count: u64| TuneMargins::new(comparison.candidates(), tables, count as usize);
        let mut whole = PlayedPiece { margins: like(count), faults: 0 };
        for (&(start, end), bytes) in ranges.iter().zip(&played) {
            let own: PlayedPiece = unsealed(MARGINS, KIND, bytes).map_err(|why| odd(&why))?;
            if !own.margins.is_like(&like(end - start)) {
                return Err(odd("has other deals"));
            }
            whole.margins.put((start - within.start) as usize, &own.margins);
            whole.faults = whole.faults.saturating_add(own.faults);
        }
        Ok(Some(whole))
    }
}
