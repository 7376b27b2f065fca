//! Errors in the user's input.

use std::fmt;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::{home_remedy, printable, printable_lines};

/// An error in the user's input, as one clear message.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputError {
    /// The file, if a file is at fault.
    pub file: Option<PathBuf>,
    /// The line, counted from 1, if it is known.
    pub line: Option<usize>,
    /// The key, dotted, if a key is at fault.
    pub key: Option<String>,
    /// The problem and its remedy.
    pub problem: String,
    /// The kind of system error, if the system refused a file, a folder or a thread. The user's text is then
    /// not at fault.
    pub refused: Option<ErrorKind>,
}

impl InputError {
    /// Returns an error that is not about a file.
    pub fn plain(problem: impl Into<String>) -> InputError {
        InputError { file: None, line: None, key: None, problem: problem.into(), refused: None }
    }

    /// Returns an error about a whole file or folder.
    pub fn file(path: &Path, problem: impl Into<String>) -> InputError {
        InputError::plain(problem).in_file(path)
    }

    /// Returns the error for a file that cannot be read.
    pub fn unreadable(path: &Path, error: &std::io::Error) -> InputError {
        let problem = match error.kind() {
            ErrorKind::NotFound => match home_remedy(path) {
                Some(remedy) => format!("there is no such file; {remedy}"),
                None => "there is no such file".to_owned(),
            },
            ErrorKind::IsADirectory => "is a folder, and must be a file".to_owned(),
            _ => format!("cannot be read: {error}"),
        };
        InputError::file(path, problem).by_system(error)
    }

    /// Returns the same error with the file that is wrong.
    pub fn in_file(self, file: &Path) -> InputError {
        InputError { file: Some(file.to_owned()), ..self }
    }

    /// Returns the same error with the key or the option that is wrong.
    pub fn at_key(self, key: impl Into<String>) -> InputError {
        InputError { key: Some(key.into()), ..self }
    }

    /// Returns the same error with the line that is wrong, counted from 1.
    pub fn at_line(self, line: usize) -> InputError {
        InputError { line: Some(line), ..self }
    }

    /// Returns the same error, with the system at fault.
    pub fn by_system(self, error: &std::io::Error) -> InputError {
        InputError { refused: Some(error.kind()), ..self }
    }
}

/// Writes the message with all text that may come from outside made printable.
impl fmt::Display for InputError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            let name = if file == Path::new(STANDARD_INPUT) { "standard input".into() } else { file.to_string_lossy() };
            out.write_str(&printable(&name))?;
            if let Some(line) = self.line {
                write!(out, ":{line}")?;
            }
            out.write_str(": ")?;
        }
        if let Some(key) = &self.key {
            write!(out, "`{}`: ", printable(key))?;
        }
        out.write_str(&printable_lines(&self.problem))
    }
}

/// The file name that stands for standard input.
pub const STANDARD_INPUT: &str = "-";

/// Reads a file, or standard input if it is `-`.
///
/// `remedy` is the advice for text that is not UTF-8.
///
/// # Errors
/// If it cannot be read, or is not UTF-8.
pub fn read_text(file: &Path, remedy: &str) -> Result<String, InputError> {
    let bytes = if file == Path::new(STANDARD_INPUT) {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(file)
    };
    let bytes = bytes.map_err(|error| InputError::unreadable(file, &error))?;
    String::from_utf8(bytes).map_err(|error| {
        let sound = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + sound.iter().filter(|&&byte| byte == b'\n').count();
        InputError::file(file, format!("is not UTF-8 text; {remedy}")).at_line(line)
    })
}
