//! Makes text from outside printable; no other code removes control sequences.
//!
//! Keys, choices, columns and folder names in files may come from strangers, and errors quote them.

/// Returns the text with control characters and marks of writing direction escaped.
pub fn printable(text: &str) -> String {
    escaped(text, |_| false)
}

/// Returns the same for a text of several lines, whose line ends and tabs stay.
pub fn printable_lines(text: &str) -> String {
    escaped(text, |letter| ['\n', '\t'].contains(&letter))
}

fn escaped(text: &str, stays: impl Fn(char) -> bool) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if stays(letter) { shown.push(letter) } else { push_printable(letter, &mut shown) }
    }
    shown
}

/// Appends a character to a text, escaped if it is not safe to show.
pub fn push_printable(letter: char, text: &mut String) {
    match letter {
        '\u{61c}'
        | '\u{200e}'
        | '\u{200f}'
        | '\u{2028}'
        | '\u{2029}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2066}'..='\u{2069}' => text.extend(letter.escape_unicode()),
        _ if letter.is_control() => text.extend(letter.escape_default()),
        _ => text.push(letter),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_gets_no_orders() {
        assert_eq!(printable("a\u{1b}[2J\rb\n\u{9b}3m"), "a\\u{1b}[2J\\rb\\n\\u{9b}3m");
        assert_eq!(printable("\u{202e}\u{2067}\u{2028}"), "\\u{202e}\\u{2067}\\u{2028}");
        assert_eq!(printable_lines("a\n\tb\u{7}"), "a\n\tb\\u{7}");
        // Plain letters and symbols stay, spaces included.
        let plain = "Ä ö 東 ♠ \u{a0} \\u{1b} \"x\" `y`";
        assert_eq!(printable(plain), plain);
    }
}
