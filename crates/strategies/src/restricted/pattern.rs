//! Patterns of move texts.

use std::fmt;

/// A pattern of move texts: `*` stands for any text and `?` for one character. Case does not matter.
///
/// The kind of a call may be left out: `misere` is both "bid misere" and "contract misere".
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Pattern {
    written: String,
    letters: Vec<char>,
}

impl Pattern {
    pub(super) fn new(written: &str) -> Pattern {
        Pattern { written: written.to_owned(), letters: written.to_lowercase().chars().collect() }
    }

    /// Returns the pattern as written.
    pub(super) fn written(&self) -> &str {
        &self.written
    }

    /// Returns whether the pattern fits the text of a move, a call or a card.
    pub(super) fn fits(&self, text: &str, is_call: bool) -> bool {
        let fits = |text: &str| fits(&self.letters, &text.to_lowercase().chars().collect::<Vec<_>>());
        fits(text) || is_call && text.split_once(' ').is_some_and(|(_, said)| fits(said))
    }
}

impl fmt::Display for Pattern {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:?}", self.written)
    }
}

/// Returns whether a pattern fits a whole text.
///
/// Only the last `*` so far ever needs to cover more text. So the time is at most proportional to the product
/// of the lengths.
fn fits(pattern: &[char], text: &[char]) -> bool {
    let (mut at, mut read) = (0, 0);
    // The index after the last star, and the text position at which that star ends.
    let mut star: Option<(usize, usize)> = None;
    while read < text.len() {
        match (pattern.get(at), star) {
            (Some('*'), _) => {
                at += 1;
                star = Some((at, read));
            }
            (Some(&letter), _) if letter == '?' || letter == text[read] => {
                at += 1;
                read += 1;
            }
            (_, Some((after, end))) => {
                (at, read) = (after, end + 1);
                star = Some((after, end + 1));
            }
            _ => return false,
        }
    }
    pattern[at..].iter().all(|&letter| letter == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_text_and_question_marks_for_a_character() {
        for (pattern, text, expected) in [
            ("AS", "AS", true),
            ("as", "AS", true),
            ("AS", "discard AS", false),
            ("*AS", "discard AS", true),
            ("?S", "AS", true),
            ("?S", "S", false),
            ("*", "", true),
            ("", "", true),
            ("", "AS", false),
            ("a*b*c", "aXbYbZc", true),
            ("a*b*c", "aXbYbZ", false),
            ("**?", "x", true),
            ("**?", "", false),
            ("bid 7*", "bid 7 H", true),
            ("bid 7*", "bid 17 H", false),
            ("*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false),
        ] {
            assert_eq!(Pattern::new(pattern).fits(text, false), expected, "{pattern} {text}");
        }
    }

    #[test]
    fn the_kind_of_a_call_may_be_left_out() {
        assert!(["bid misere", "contract misere"].iter().all(|call| Pattern::new("Misere").fits(call, true)));
        assert!(!Pattern::new("misere").fits("bid misere-ouverte", true));
        assert!(!Pattern::new("AS").fits("discard AS", false));
    }
}
