//! Texts that live as long as the program, each held once.
//!
//! Traits of games ask for such texts. A sweep makes many games of one file, and must not leak with each.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

static TEXTS: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
static LISTS: Mutex<Option<HashSet<&'static [&'static str]>>> = Mutex::new(None);

/// Returns the text for the rest of the program.
pub fn intern(text: &str) -> &'static str {
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let texts = texts.get_or_insert_default();
    if let Some(known) = texts.get(text) {
        return known;
    }
    let leaked: &'static str = Box::leak(text.to_owned().into_boxed_str());
    texts.insert(leaked);
    leaked
}

/// Returns the list of texts for the rest of the program.
pub fn intern_list(list: &[&str]) -> &'static [&'static str] {
    let list: Vec<&'static str> = list.iter().map(|text| intern(text)).collect();
    let mut lists = LISTS.lock().unwrap_or_else(PoisonError::into_inner);
    let lists = lists.get_or_insert_default();
    if let Some(known) = lists.get(&list[..]) {
        return known;
    }
    let leaked: &'static [&'static str] = Box::leak(list.into_boxed_slice());
    lists.insert(leaked);
    leaked
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_held_once() {
        let made = ["held", "once"].map(str::to_owned);
        let (one, other) = (intern(&made[0]), intern("held"));
        assert!(std::ptr::eq(one, other) && one == "held");
        let list = intern_list(&[&made[0], &made[1]]);
        assert!(std::ptr::eq(list, intern_list(&["held", "once"])) && list == ["held", "once"]);
    }
}
