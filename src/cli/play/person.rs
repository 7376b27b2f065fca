//! The person at the terminal, or a program at the other end of a pipe.

use std::io::{BufRead, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, channel};

use super::super::print;
use crate::cli::signals;
use crate::toml_source::InputError;

/// Input of the person.
pub(super) enum Said {
    /// A line, without surrounding blanks.
    Line(String),
    /// The end of the input.
    End,
    /// Ctrl-C.
    Interrupt,
}

/// The person. A separate thread reads lines, so that Ctrl-C works while a line is awaited.
pub(super) struct Person {
    said: Receiver<Said>,
    interrupted: Arc<AtomicBool>,
    /// Whether to print the input, because no terminal shows it.
    echo: bool,
}

impl Person {
    /// Listens to standard input and for Ctrl-C.
    pub(super) fn sit() -> Result<Person, InputError> {
        let (speaker, said) = channel();
        let interrupted = Arc::new(AtomicBool::new(false));
        let (handler, flag) = (speaker.clone(), Arc::clone(&interrupted));
        let interrupt = move || {
            flag.store(true, Ordering::Relaxed);
            // The receiver is gone if the program is about to end.
            let _ = handler.send(Said::Interrupt);
        };
        signals::watch(interrupt)?;
        let listen = move || {
            let lines = std::io::stdin().lock().split(b'\n').map_while(Result::ok);
            let said = lines.map(|line| Said::Line(String::from_utf8_lossy(&line).trim().to_owned()));
            for said in said.chain([Said::End]) {
                if speaker.send(said).is_err() {
                    return;
                }
            }
        };
        std::thread::Builder::new().spawn(listen).map_err(|error| {
            InputError::plain(format!("your moves cannot be read: {error}. Allow more threads (`ulimit -u`)"))
        })?;
        Ok(Person { said, interrupted, echo: !std::io::stdin().is_terminal() })
    }

    /// Waits for the next input of the person.
    pub(super) fn listen(&self) -> Said {
        let said = self.said.recv().unwrap_or(Said::End);
        if let (Said::Line(line), true) = (&said, self.echo) {
            print(&format!("{line}\n"));
        }
        said
    }

    /// Returns the flag that Ctrl-C sets.
    pub(super) fn interrupted(&self) -> &Arc<AtomicBool> {
        &self.interrupted
    }

    /// Returns whether Ctrl-C was pressed.
    pub(super) fn has_interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}
