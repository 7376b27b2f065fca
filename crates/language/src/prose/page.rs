//! The layout of a page of rules: headings, paragraphs, lists and tables, as Markdown.

/// The last column of prose.
const WIDTH: usize = 100;

/// A page of rules, while it is written.
#[derive(Debug, Default)]
pub(super) struct RulesPage {
    text: String,
}

/// Returns `text` in lines of at most [`WIDTH`] columns, of which all but the first are indented.
fn wrap(text: &str, indent: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= WIDTH => {
                line.push(' ');
                line.push_str(word);
            }
            Some(_) => lines.push(format!("{}{word}", " ".repeat(indent))),
            None => lines.push(word.to_owned()),
        }
    }
    lines.join("\n")
}

impl RulesPage {
    /// Adds a block, with an empty line before it.
    fn add(&mut self, block: &str) {
        if !self.text.is_empty() {
            self.text.push('\n');
        }
        self.text.push_str(block);
        self.text.push('\n');
    }

    /// Adds a heading of a level.
    pub(super) fn heading(&mut self, level: usize, text: &str) {
        self.add(&format!("{} {text}", "#".repeat(level)));
    }

    /// Adds sentences as one paragraph, if there are any.
    pub(super) fn paragraph(&mut self, sentences: &[String]) {
        if !sentences.is_empty() {
            self.add(&wrap(&sentences.join(" "), 0));
        }
    }

    /// Adds a list, numbered or not.
    pub(super) fn list(&mut self, numbered: bool, items: &[String]) {
        let mut lines = Vec::new();
        for (number, item) in items.iter().enumerate() {
            let mark = if numbered { format!("{}.", number + 1) } else { "-".to_owned() };
            lines.push(wrap(&format!("{mark} {item}"), mark.len() + 1));
        }
        if !lines.is_empty() {
            self.add(&lines.join("\n"));
        }
    }

    /// Adds a table. Columns without a heading are left out.
    pub(super) fn table(&mut self, headings: &[&str], rows: &[Vec<String>]) {
        let row = |cells: Vec<String>| {
            let shown = cells.into_iter().zip(headings).filter(|(_, heading)| !heading.is_empty());
            let cells: Vec<String> = shown.map(|(cell, _)| cell.replace('|', "\\|").replace('\n', " ")).collect();
            format!("| {} |", cells.join(" | "))
        };
        let mut lines = vec![row(headings.iter().map(|heading| (*heading).to_owned()).collect())];
        lines.push(format!("|{}", "---|".repeat(headings.iter().filter(|heading| !heading.is_empty()).count())));
        lines.extend(rows.iter().cloned().map(row));
        self.add(&lines.join("\n"));
    }

    /// Returns the text.
    pub(super) fn finish(self) -> String {
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_wrapped_and_tables_are_not() {
        let mut page = RulesPage::default();
        page.heading(1, "hearts");
        page.paragraph(&["one two three".to_owned(), "four ".repeat(25)]);
        page.paragraph(&[]);
        page.list(true, &["five ".repeat(25), "six".to_owned()]);
        page.table(&["a", "", "b"], &[vec!["1|2".to_owned(), "left out".to_owned(), "x\ny".to_owned()]]);
        let text = page.finish();
        assert!(text.starts_with("# hearts\n\none two three four"), "{text}");
        assert!(text.lines().all(|line| line.chars().count() <= WIDTH), "{text}");
        assert!(text.contains("\n   five") && text.contains("\n2. six\n"), "{text}");
        assert!(text.ends_with("\n\n| a | b |\n|---|---|\n| 1\\|2 | x y |\n"), "{text}");
    }
}
