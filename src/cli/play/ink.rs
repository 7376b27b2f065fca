//! Colour, on terminals that show it.

use std::io::IsTerminal;

/// The colouring of text.
#[derive(Clone, Copy)]
pub(super) struct Ink {
    coloured: bool,
}

impl Ink {
    /// No colour.
    #[cfg(test)]
    pub(super) const PLAIN: Ink = Ink { coloured: false };

    /// Returns colour if standard output is a terminal, unless `NO_COLOR` is set or the terminal is `dumb`.
    pub(super) fn current() -> Ink {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let plain = set("NO_COLOR").is_some() || set("TERM").is_some_and(|terminal| terminal == "dumb");
        Ink { coloured: !plain && std::io::stdout().is_terminal() }
    }

    /// Returns a text in bold.
    pub(super) fn bold(self, text: &str) -> String {
        self.with("1", text)
    }

    /// Returns the text of a move, in red for a red card.
    pub(super) fn of_move(self, text: &str) -> String {
        let red = text.len() == 2 && text.ends_with(['D', 'H']);
        if red { self.with("31", text) } else { text.to_owned() }
    }

    fn with(self, code: &str, text: &str) -> String {
        if self.coloured { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }
}
