//! The faults of external bots: processes, WebAssembly modules and code of Python programs.

use std::fmt;

use overtrick_toml::push_printable;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The kinds of fault, which are counted separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FaultKind {
    /// A signal ended the process.
    Crash,
    /// The process exited, or closed its output.
    Exit,
    /// The process could not be started, or exited or stayed silent before its `hello`.
    NoStart,
    /// The `hello` was not valid, or has values that the harness does not support.
    WrongHandshake,
    /// A line that is not a message of the protocol.
    Garbage,
    /// A line longer than [`LONGEST_LINE`](super::LONGEST_LINE).
    LongLine,
    /// A line that is not UTF-8.
    #[serde(rename = "not-utf-8")]
    NotUtf8,
    /// A move for a decision that was not asked for, or that has been answered.
    WrongId,
    /// A move that the rules forbid, or a text that is not a move.
    IllegalMove,
    /// No answer in time.
    TimeOut,
    /// The bot exceeded its memory limit.
    MemoryLimit,
    /// A different answer from a process without history, when a decision was asked again.
    Irreproducible,
    /// A WebAssembly module used up its fuel for a decision.
    OutOfFuel,
    /// A WebAssembly module trapped: it did something that ends its run, such as reading outside its memory.
    Trap,
    /// Code in the process failed: a Python callable raised an exception, or returned no list of moves.
    Failure,
}

impl FaultKind {
    /// Every kind.
    pub const ALL: [FaultKind; 15] = [
        FaultKind::Crash,
        FaultKind::Exit,
        FaultKind::NoStart,
        FaultKind::WrongHandshake,
        FaultKind::Garbage,
        FaultKind::LongLine,
        FaultKind::NotUtf8,
        FaultKind::WrongId,
        FaultKind::IllegalMove,
        FaultKind::TimeOut,
        FaultKind::MemoryLimit,
        FaultKind::Irreproducible,
        FaultKind::OutOfFuel,
        FaultKind::Trap,
        FaultKind::Failure,
    ];

    /// Returns the name of the kind in tables and messages.
    pub const fn name(self) -> &'static str {
        match self {
            FaultKind::Crash => "crash",
            FaultKind::Exit => "exit",
            FaultKind::NoStart => "no-start",
            FaultKind::WrongHandshake => "wrong-handshake",
            FaultKind::Garbage => "garbage",
            FaultKind::LongLine => "long-line",
            FaultKind::NotUtf8 => "not-utf-8",
            FaultKind::WrongId => "wrong-id",
            FaultKind::IllegalMove => "illegal-move",
            FaultKind::TimeOut => "time-out",
            FaultKind::MemoryLimit => "memory-limit",
            FaultKind::Irreproducible => "irreproducible",
            FaultKind::OutOfFuel => "out-of-fuel",
            FaultKind::Trap => "trap",
            FaultKind::Failure => "failure",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.name())
    }
}

/// A fault of an external bot.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{kind}: {what}")]
pub struct Fault {
    /// The kind of fault.
    pub kind: FaultKind,
    /// A description, which quotes the faulty line, shortened, if there is one.
    pub what: String,
}

/// The maximum number of bytes of a faulty line that a message quotes.
const QUOTED: usize = 200;

/// The maximum number of characters in the description of a fault.
const LONGEST: usize = 300;

/// Returns text from a bot in a form that is safe to show on a terminal.
///
/// It is cut after `longest` characters. Control characters and characters that change the direction of
/// writing are escaped.
pub fn shown(text: &str, longest: usize) -> String {
    let mut shown = String::new();
    for (count, letter) in text.chars().enumerate() {
        if count == longest {
            shown.push_str("...");
            break;
        }
        push_printable(letter, &mut shown);
    }
    shown
}

impl Fault {
    /// Returns a fault without a line to quote.
    pub fn new(kind: FaultKind, what: impl Into<String>) -> Fault {
        Fault { kind, what: shown(&what.into(), LONGEST) }
    }

    /// Returns a fault in a line that the bot sent.
    pub fn in_line(kind: FaultKind, what: impl fmt::Display, line: &[u8]) -> Fault {
        let start = &line[..line.len().min(QUOTED)];
        let more = if line.len() > QUOTED { "..." } else { "" };
        let mut quoted = String::with_capacity(QUOTED);
        for &byte in start {
            match byte {
                b' '..=b'~' => quoted.push(char::from(byte)),
                _ => quoted.extend(byte.escape_ascii().map(char::from)),
            }
        }
        // The description may quote the line, too.
        let what = shown(&what.to_string(), LONGEST - QUOTED / 2);
        Fault { kind, what: shown(&format!("{what}; the line: {quoted}{more}"), 2 * LONGEST) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_bot_writes_gives_the_terminal_no_orders_and_has_an_end() {
        let fault = Fault::new(FaultKind::Garbage, "unknown key \u{1b}[2J\u{202e}");
        assert_eq!(fault.what, "unknown key \\u{1b}[2J\\u{202e}");
        let long = "x".repeat(1 << 20);
        let fault = Fault::in_line(FaultKind::Garbage, format!("unknown field `{long}`"), long.as_bytes());
        assert!(fault.what.len() <= 600, "{}", fault.what.len());
        assert!(fault.what.ends_with("xxx..."));
    }
}
