//! Foreign text on a page, which is shown as text regardless of its content.

use std::fmt::Write;

/// Replaces invisible characters, and characters that change the text direction, by their code point:
/// `⟨U+202E⟩`.
pub(super) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        if is_hidden(letter) {
            write!(shown, "⟨U+{:04X}⟩", u32::from(letter)).expect("text goes into memory");
        } else {
            shown.push(letter);
        }
    }
    shown
}

/// Returns true if a character is invisible or sets the direction of others.
fn is_hidden(letter: char) -> bool {
    let direction = matches!(letter, '\u{061c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    direction || (letter.is_control() && letter != '\n')
}

/// Escapes text for use between tags or in an attribute.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in visible(text).chars() {
        match letter {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            other => safe.push(other),
        }
    }
    safe
}

/// Escapes JSON for use in a script element. Nothing in it looks like the element's end, and nothing is
/// invisible.
pub(super) fn embedded(json: &str) -> String {
    let mut safe = String::with_capacity(json.len());
    for letter in json.chars() {
        if matches!(letter, '<' | '>' | '&') || is_hidden(letter) {
            let mut units = [0; 2];
            for unit in letter.encode_utf16(&mut units) {
                write!(safe, "\\u{unit:04x}").expect("text goes into memory");
            }
        } else {
            safe.push(letter);
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_gets_out_of_its_place() {
        let hostile = "</script><b>\"'&\u{202e}\u{0}\u{7}\r";
        assert_eq!(escaped(hostile), "&lt;/script&gt;&lt;b&gt;&quot;&#39;&amp;⟨U+202E⟩⟨U+0000⟩⟨U+0007⟩⟨U+000D⟩");
        let json = serde_json::to_string(hostile).unwrap();
        let safe = embedded(&json);
        assert!(!safe.contains(['<', '>', '&', '\u{202e}']), "{safe}");
        assert_eq!(serde_json::from_str::<String>(&safe).unwrap(), hostile);
    }
}
