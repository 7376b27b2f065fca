//! The last words of a bot: the end of what it wrote to its standard error before its first fault.

use std::sync::{Arc, Mutex, PoisonError};

use overtrick_strategy::protocol::shown;

/// The most lines shown.
const MOST_LINES: usize = 12;
/// The most characters of a line.
const LONGEST: usize = 1000;

/// The last words of a bot, shared by all its processes. Only the first ones are kept.
#[derive(Clone, Debug, Default)]
pub struct LastWords(Arc<Mutex<Option<String>>>);

impl LastWords {
    /// Keeps the end of a standard error, unless it is blank or words were kept before.
    pub fn keep(&self, written: &[u8]) {
        let mut words = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if words.is_none() {
            *words = Some(last_lines(written)).filter(|text| !text.trim().is_empty());
        }
    }

    /// Returns the words, if there are any.
    pub fn get(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Always equal: words are not a setting, so bots with equal settings are equal.
impl PartialEq for LastWords {
    fn eq(&self, _: &LastWords) -> bool {
        true
    }
}

/// Returns the last lines of a standard error in printable form.
pub fn last_lines(written: &[u8]) -> String {
    let words = String::from_utf8_lossy(written);
    let lines: Vec<&str> = words.lines().collect();
    let last = &lines[lines.len().saturating_sub(MOST_LINES)..];
    last.iter().map(|line| shown(line, LONGEST)).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_words_stay() {
        let words = LastWords::default();
        words.keep(b" \n");
        assert_eq!(words.get(), None);
        words.clone().keep(b"first\x1b[2J\nof two");
        words.keep(b"second");
        assert_eq!(words.get().as_deref(), Some("first\\u{1b}[2J\nof two"));
        assert_eq!(last_lines("x\n".repeat(99).as_bytes()).lines().count(), MOST_LINES);
    }
}
