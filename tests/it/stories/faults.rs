//! Faults and their places, which follow from the seed of a story.

use overtrick::cards::Stream;

use super::calls::{Call, Deed};

/// The harm done to a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Harm {
    /// It fails once: an error of the device.
    Broken,
    /// It fails once for lack of room.
    NoRoom,
    /// From here on nothing more can be written.
    Full,
    /// Not all is written.
    Short,
    /// The program is killed before it.
    Kill,
    /// The program is killed in its midst, when part is written.
    Tear,
    /// The power fails before it.
    Outage,
    /// The power fails in its midst.
    TornOutage,
}

impl Harm {
    pub const ALL: [Harm; 8] =
        [Harm::Broken, Harm::NoRoom, Harm::Full, Harm::Short, Harm::Kill, Harm::Tear, Harm::Outage, Harm::TornOutage];

    /// Whether it can be done to a call.
    fn suits(self, call: &Call) -> bool {
        match self {
            Harm::Short | Harm::Tear | Harm::TornOutage => {
                matches!(call.deed, Deed::Write { address: Some(_), length: 2.., .. })
            }
            Harm::Full => matches!(call.deed, Deed::Write { .. }),
            Harm::Broken | Harm::NoRoom | Harm::Kill | Harm::Outage => true,
        }
    }

    /// Whether the program goes on and sees an error.
    pub fn is_error(self) -> bool {
        matches!(self, Harm::Broken | Harm::NoRoom | Harm::Full)
    }

    /// Whether the program is killed by it.
    pub fn is_deadly(self) -> bool {
        !self.is_error() && self != Harm::Short
    }

    /// Whether data that was not synced may be lost.
    pub fn is_outage(self) -> bool {
        matches!(self, Harm::Outage | Harm::TornOutage)
    }

    /// The error that a call gets which is hit.
    pub fn code(self) -> i32 {
        if self == Harm::Broken { libc::EIO } else { libc::ENOSPC }
    }
}

/// A fault of a story: harm to one of the calls that it suits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    pub harm: Harm,
    /// Only calls on files whose names have this in them count.
    word: &'static str,
    /// How many such calls go well before it.
    before: usize,
    /// The part of a call that is done, if not all is: one of 256.
    share: u8,
}

impl Fault {
    /// Draws a fault for a program that is likely to make these `calls`. As many meet files of work in progress as meet
    /// any file: there are fewer of those, and they matter most.
    pub fn draw(stream: &mut Stream, calls: &[Call]) -> Fault {
        let harm = Harm::ALL[stream.random_below(Harm::ALL.len() as u64) as usize];
        let word = ["", "", "checkpoint", "checkpoint", ".rows"][stream.random_below(5) as usize];
        let fault = Fault { harm, word, before: 0, share: stream.random_below(256) as u8 };
        let all = Fault { word: "", ..fault };
        let count = |fault: &Fault| calls.iter().filter(|call| fault.counts(call)).count() as u64;
        let fault = if count(&fault) > 0 { fault } else { all };
        // Some come too late.
        Fault { before: stream.random_below(count(&fault) + 1) as usize, ..fault }
    }

    /// Whether a call is one of those among which it is found.
    pub fn counts(&self, call: &Call) -> bool {
        self.harm.suits(call) && call.file.contains(self.word)
    }

    /// Whether it meets a call after this number of others.
    pub fn meets(&self, counted: usize) -> bool {
        counted == self.before
    }

    /// How much of a write is done.
    pub fn part(&self, length: usize) -> usize {
        (length * usize::from(self.share) / 256).clamp(1, length - 1)
    }
}
