//! Names that look alike but differ: an accent may be part of its letter or a character after it.
//!
//! Both spellings are canonically equivalent, and form C of Unicode has one spelling for all of them (Unicode
//! Standard Annex 15, "Unicode Normalization Forms"). Files made on macOS often have form D, others form C.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization;

use super::regularised::listed;

/// Returns a name in Unicode's form C.
///
/// Canonically equivalent names have the same form C.
pub fn composed(name: &str) -> String {
    name.nfc().collect()
}

/// Returns a note on names in several spellings that look alike, if there are any.
///
/// `what` says what the names belong to.
pub(super) fn note(what: &str, names: &[String]) -> Option<String> {
    let mut spellings: BTreeMap<String, usize> = BTreeMap::new();
    for name in names {
        *spellings.entry(composed(name)).or_default() += 1;
    }
    spellings.retain(|_, count| *count > 1);
    let verb = if spellings.len() == 1 { "is" } else { "are" };
    let several = listed(spellings.into_keys(), "and");
    (!several.is_empty()).then(|| {
        format!(
            "{several} {verb} there in spellings that look alike, with accents in the letters and after them (Unicode's \
             forms NFC and NFD), and count as different {what}: a likely mistake; write each in one form"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_that_look_alike_are_noted() {
        let note = |names: &[&str]| note("players", &names.iter().map(|&name| name.to_owned()).collect::<Vec<_>>());
        assert_eq!(note(&["Jose", "Jos\u{e9}", "jos\u{e9}"]), None);
        let one = note(&["Ann", "Jos\u{e9}", "Jose\u{301}"]).unwrap();
        assert!(one.starts_with("Jos\u{e9} is there in spellings that look alike, "), "{one}");
        let two = note(&["\u{c5}ke", "A\u{30a}ke", "\u{212b}ke", "Jos\u{e9}", "Jose\u{301}"]).unwrap();
        assert!(two.starts_with("Jos\u{e9} and \u{c5}ke are there"), "{two}");
    }
}
