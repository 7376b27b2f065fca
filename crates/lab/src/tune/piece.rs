//! Pieces of comparisons, which can be played elsewhere: on other machines, say.
//!
//! The margins of a candidate on a deal number depend on nothing but the bots and that number, so it does not matter
//! who plays which numbers, nor into how many pieces they are cut.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use overtrick_cards::SEEDING_VERSION;
use overtrick_run::{sealed, unsealed};
use overtrick_toml::InputError;
use overtrick_tournament::{MOST_NUMBERS, Numbers, Window};
use serde::{Deserialize, Serialize};

use super::objective::{Ended, Margins};
use super::plan::Plan;
use super::space::{Point, is_point};

/// The fewest games of a piece. Fewer are played sooner than they are sent.
const LEAST_GAMES: u64 = 500;

/// The version of the program.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Plays pieces of comparisons elsewhere, while tuning waits for them.
pub trait Elsewhere: Send + Sync {
    /// Into how many pieces a comparison is cut at most.
    fn pieces(&self) -> u64;

    /// Has pieces played by [`play_piece`](super::play_piece), and gives what it gave for each, in their order.
    ///
    /// # Errors
    /// If `stop` was set, or a piece cannot be played.
    fn play(&self, pieces: &[Vec<u8>], stop: &Arc<AtomicBool>) -> Result<Vec<Vec<u8>>, Ended>;
}

/// Who is compared with whom.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum Comparison {
    /// Settings with another one, at the tables of the plan.
    Settings { candidates: Vec<Point>, incumbent: Point },
    /// A setting with the start, in the company of a bot that tuning has not met, in one variant.
    Unseen { candidate: Point, bot: usize, variant: usize },
}

/// A comparison on some deal numbers.
#[derive(Serialize, Deserialize)]
pub(super) struct Piece {
    version: String,
    /// The resolved configuration of the plan.
    pub config: String,
    pub comparison: Comparison,
    window: Window,
    /// The first number, and the one after the last.
    range: (u64, u64),
}

/// What a piece came to.
#[derive(Serialize, Deserialize)]
struct Played {
    margins: Margins,
    /// The faults of bots.
    faults: u64,
}

fn title(what: &str) -> String {
    format!("overtrick {what} 1, seeding {SEEDING_VERSION}\n")
}

/// The error for a piece: it cannot be played, or came back odd.
fn failed(what: &str, why: &str) -> Ended {
    let remedy = "all machines need the same build of Overtrick";
    Ended::Failed(InputError::plain(format!("a piece of tuning {what}: it {why}; {remedy}")))
}

impl Comparison {
    fn candidates(&self) -> usize {
        match self {
            Comparison::Settings { candidates, .. } => candidates.len(),
            Comparison::Unseen { .. } => 1,
        }
    }

    /// Whether it can be one of a plan's.
    pub fn is_of(&self, plan: &Plan) -> bool {
        let is_setting = |point: &Point| is_point(point, plan.space.dimensions());
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
    /// Reads what [`Elsewhere::play`] was given.
    ///
    /// # Errors
    /// If it is no piece that this version can play.
    pub fn read(bytes: &[u8]) -> Result<Piece, Ended> {
        let body = unsealed(&title("piece"), "piece of tuning", bytes).map_err(|why| Piece::refused(&why))?;
        let piece: Piece =
            postcard::from_bytes(body).map_err(|error| Piece::refused(&format!("is damaged: {error}")))?;
        if piece.version != VERSION {
            let theirs = piece.version.escape_debug();
            return Err(Piece::refused(&format!("is of version {theirs}, and this is {VERSION}")));
        }
        let (start, end) = piece.range;
        if start < end && end <= MOST_NUMBERS { Ok(piece) } else { Err(Piece::refused("is damaged: it has no deals")) }
    }

    /// The error for a piece that cannot be played, and why.
    pub fn refused(why: &str) -> Ended {
        failed("cannot be played here", why)
    }

    /// Its deal numbers.
    pub fn numbers(&self) -> Numbers {
        self.window.numbers(self.range.0..self.range.1)
    }
}

/// What is sent back for a piece.
pub(super) fn answer(margins: Margins, faults: u64) -> Vec<u8> {
    sealed(&title("margins"), &Played { margins, faults })
}

/// Has a comparison at so many tables, of which each number takes so many games, played elsewhere. Gives the margins
/// and the faults of bots; `None` if it is too small to be cut.
///
/// # Errors
/// As those of [`Elsewhere::play`], or if what comes back is not what was asked for.
pub(super) fn compare(
    (elsewhere, config): (&dyn Elsewhere, &str),
    comparison: &Comparison,
    numbers: &Numbers,
    (tables, games): (usize, u64),
    stop: &Arc<AtomicBool>,
) -> Result<Option<(Margins, u64)>, Ended> {
    let within = numbers.within();
    let count = within.end - within.start;
    let pieces = (games.saturating_mul(count) / LEAST_GAMES).min(count).min(elsewhere.pieces());
    if pieces < 2 {
        return Ok(None);
    }
    let bound = |piece: u64| within.start + (u128::from(count) * u128::from(piece) / u128::from(pieces)) as u64;
    let ranges: Vec<(u64, u64)> = (0..pieces).map(|piece| (bound(piece), bound(piece + 1))).collect();
    let piece = |&range: &(u64, u64)| {
        let (version, config, comparison) = (VERSION.to_owned(), config.to_owned(), comparison.clone());
        sealed(&title("piece"), &Piece { version, config, comparison, window: numbers.window(), range })
    };
    let played = elsewhere.play(&ranges.iter().map(piece).collect::<Vec<_>>(), stop)?;
    if stop.load(Ordering::Relaxed) {
        return Err(Ended::Stopped);
    }
    let odd = |why: &str| failed("came back odd", why);
    if played.len() != ranges.len() {
        return Err(odd("is one of too many or too few"));
    }
    let like = |count: u64| Margins::new(comparison.candidates(), tables, count as usize);
    let (mut whole, mut faults) = (like(count), 0_u64);
    for (&(start, end), bytes) in ranges.iter().zip(&played) {
        let body = unsealed(&title("margins"), "piece of tuning", bytes).map_err(|why| odd(&why))?;
        let own: Played = postcard::from_bytes(body).map_err(|error| odd(&format!("is damaged: {error}")))?;
        if !own.margins.is_like(&like(end - start)) {
            return Err(odd("has other deals"));
        }
        whole.put((start - within.start) as usize, &own.margins);
        faults = faults.saturating_add(own.faults);
    }
    Ok(Some((whole, faults)))
}
