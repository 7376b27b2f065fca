//! The terminal: its width, and whether it shows more than ASCII. Tables are fitted to its width, and no row
//! is ever broken.

use comfy_table::presets::{ASCII_FULL_CONDENSED, UTF8_FULL_CONDENSED};
use comfy_table::{CellAlignment, ContentArrangement, Table};
// Names of bots and variants contain hyphens.
use textwrap::WordSplitter::NoHyphenation;

use super::table::{Column, TableOf};

/// The character for a space at which no line ends.
const JOINT: char = '\u{a0}';

/// The width if the output is not a terminal.
const USUAL_WIDTH: usize = 80;
/// The shortest width to which a column of text is shortened.
const SHORTEST: usize = 8;

/// A terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Screen {
    /// The number of characters in a line.
    pub width: usize,
    /// Whether only ASCII can be shown.
    pub ascii: bool,
}

impl Screen {
    /// Returns the terminal of standard output, by `COLUMNS` and the locale (`LC_ALL`, `LC_CTYPE`, `LANG`).
    pub fn current() -> Screen {
        let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        let columns = set("COLUMNS").and_then(|columns| columns.parse().ok()).filter(|&width| width > 0);
        let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
        Screen {
            width: columns.or_else(terminal).unwrap_or(USUAL_WIDTH),
            ascii: !cfg!(windows) && !locale.is_some_and(|locale| is_utf8(&locale)),
        }
    }

    /// Returns a text in the characters that can be shown.
    pub fn plain(self, text: &str) -> String {
        if self.ascii { text.replace('±', "+-").replace('…', "...").replace('µ', "u") } else { text.to_owned() }
    }

    /// Wraps a paragraph. Lines after the first are indented by two.
    pub fn wrap(self, text: &str) -> String {
        let options =
            textwrap::Options::new(self.width).subsequent_indent("  ").break_words(false).word_splitter(NoHyphenation);
        fill(&self.plain(text), options)
    }

    /// Wraps a paragraph, with all lines indented by four.
    pub fn indent(self, text: &str) -> String {
        let options = textwrap::Options::new(self.width).initial_indent("    ").subsequent_indent("    ");
        fill(&self.plain(text), options.break_words(false).word_splitter(NoHyphenation))
    }

    /// Returns a table that fits. If it is too wide, spare columns are dropped, and then the longest words
    /// are shortened.
    pub fn table(self, columns: &[Column], rows: &[Vec<String>]) -> String {
        let mut shown: Vec<usize> = (0..columns.len()).collect();
        let rows: Vec<Vec<String>> = rows.iter().map(|row| row.iter().map(|cell| self.plain(cell)).collect()).collect();
        let heading = |column: usize| self.plain(&columns[column].title);
        let mut widths: Vec<usize> = (0..columns.len())
            .map(|column| {
                rows.iter().map(|row| row[column].as_str()).chain(heading(column).lines()).map(width).max().unwrap_or(0)
            })
            .collect();
        let total =
            |shown: &[usize], widths: &[usize]| shown.iter().map(|&column| widths[column] + 3).sum::<usize>() + 1;
        while total(&shown, &widths) > self.width {
            // Among equals, the rightmost column is dropped first.
            match shown
                .iter()
                .copied()
                .filter(|&column| columns[column].spare > 0)
                .max_by_key(|&column| columns[column].spare)
            {
                Some(least) => shown.retain(|&column| column != least),
                None => break,
            }
        }
        while total(&shown, &widths) > self.width {
            let words = shown.iter().copied().filter(|&column| !columns[column].is_figure && widths[column] > SHORTEST);
            let Some(longest) = words.max_by_key(|&column| widths[column]) else { break };
            let excess = total(&shown, &widths) - self.width;
            widths[longest] = widths[longest].saturating_sub(excess).max(SHORTEST);
        }
        let mut table = Table::new();
        let style = if self.ascii { ASCII_FULL_CONDENSED } else { UTF8_FULL_CONDENSED };
        table.load_style(style).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(shown.iter().map(|&column| heading(column)));
        for row in &rows {
            table.add_row(shown.iter().map(|&column| self.shorten(&row[column], widths[column])));
        }
        for (place, &column) in shown.iter().enumerate() {
            if let Some(place) = table.column_mut(place).filter(|_| columns[column].is_figure) {
                place.set_cell_alignment(CellAlignment::Right);
            }
        }
        table.to_string()
    }

    /// Returns a table of these rows that fits.
    pub(super) fn show<R>(self, table: &TableOf<'_, R>, rows: impl IntoIterator<Item = R>) -> String {
        self.table(&table.columns, &texts(table, rows))
    }

    /// Returns the tables of these rows that are needed to show all columns, one below the other.
    pub(super) fn show_all<R>(self, table: &TableOf<'_, R>, rows: impl IntoIterator<Item = R>) -> String {
        self.tables(&table.columns, &texts(table, rows)).join("\n")
    }

    /// Returns the tables that are needed to show all columns. Each starts with the first column and is as
    /// wide as fits.
    fn tables(self, columns: &[Column], rows: &[Vec<String>]) -> Vec<String> {
        let Some((first, others)) = columns.split_first() else { return Vec::new() };
        let of = |column: usize| rows.iter().map(move |row| self.plain(&row[column]));
        let wide = |column: usize| {
            let heading = self.plain(&columns[column].title);
            of(column).chain([heading]).map(|text| width(&text)).max().unwrap_or(0) + 3
        };
        // The first column may be shortened, but not to fit more columns next to it.
        let leading = wide(0).min(self.width / 2);
        let (mut tables, mut left) = (Vec::new(), 1..=others.len());
        while !left.is_empty() {
            let mut taken = Vec::new();
            let mut total = leading + 1;
            while let Some(column) = left.clone().next() {
                total += wide(column);
                if total > self.width && !taken.is_empty() {
                    break;
                }
                taken.push(column);
                left.next();
            }
            let shown: Vec<Column> =
                [first].into_iter().chain(taken.iter().map(|&column| &columns[column])).cloned().collect();
            let line = |row: &Vec<String>| [0].iter().chain(&taken).map(|&column| row[column].clone()).collect();
            tables.push(self.table(&shown, &rows.iter().map(line).collect::<Vec<_>>()));
        }
        tables
    }

    /// Returns a text in at most `width` characters. Dots stand for the missing part.
    pub fn shorten(self, text: &str, width: usize) -> String {
        let dots = if self.ascii { "..." } else { "…" };
        if text.chars().count() <= width {
            return text.to_owned();
        }
        text.chars().take(width.saturating_sub(dots.chars().count())).chain(dots.chars()).collect()
    }
}

/// Returns a text in lines that fit. A number with separated thousands is never broken.
fn fill(text: &str, options: textwrap::Options<'_>) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut joined = String::with_capacity(text.len());
    for (place, &letter) in letters.iter().enumerate() {
        let is_digit = |at: Option<usize>| at.and_then(|at| letters.get(at)).is_some_and(char::is_ascii_digit);
        let is_inside = letter == ' '
            && is_digit(place.checked_sub(1))
            && (1..=3).all(|after| is_digit(Some(place + after)))
            && !is_digit(Some(place + 4));
        joined.push(if is_inside { JOINT } else { letter });
    }
    textwrap::fill(&joined, options).replace(JOINT, " ")
}

/// Returns the texts of the cells of these rows.
fn texts<R>(table: &TableOf<'_, R>, rows: impl IntoIterator<Item = R>) -> Vec<Vec<String>> {
    rows.into_iter().map(|row| table.row(&row).into_iter().map(|cell| cell.text).collect()).collect()
}

fn width(text: &str) -> usize {
    text.chars().count()
}

fn is_utf8(locale: &str) -> bool {
    let locale = locale.to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn columns() -> [Column; 4] {
        [
            Column::text("bot"),
            Column::figures("ahead ± 95%"),
            Column::figures("sd").spare(2),
            Column::figures("points").spare(1),
        ]
    }

    fn lines(width: usize, ascii: bool, name: &str) -> Vec<String> {
        let row = [name, "0.131 ± 0.005", "2.13", "1.500"].map(str::to_owned).to_vec();
        Screen { width, ascii }.table(&columns(), &[row]).lines().map(str::to_owned).collect()
    }

    #[test]
    fn a_table_that_is_too_wide_loses_spare_columns_and_then_letters() {
        assert!(lines(80, false, "rule-based")[1].contains("sd"));
        let narrow = lines(40, false, "rule-based");
        assert!(narrow[1].contains("points") && !narrow[1].contains("sd"), "{narrow:?}");
        let narrower = lines(30, false, "a-very-long-name-of-a-bot");
        assert!(!narrower[1].contains("points") && narrower[3].contains("a-very-lo…"), "{narrower:?}");
        for width in [28, 30, 37, 44, 60] {
            let all = lines(width, false, "a-very-long-name-of-a-bot");
            // Never broken, and never wider.
            assert!(all.len() == 5 && all.iter().all(|line| line.chars().count() <= width), "{width}: {all:?}");
        }
    }

    #[test]
    fn numbers_are_not_broken_at_their_thousands() {
        let screen = Screen { width: 20, ascii: false };
        assert_eq!(screen.wrap("in 6 seatings): 120 000 games"), "in 6 seatings):\n  120 000 games");
        // Two numbers side by side are two words.
        assert_eq!(screen.wrap("of the deals 20 and 3000 12"), "of the deals 20 and\n  3000 12");
    }

    #[test]
    fn no_column_is_left_out_of_tables() {
        let headings = ["seat-advantage-won", "skill-variance", "seat-dealer-won", "tied", "exceptional"];
        let figures = headings.iter().map(|heading| Column::figures(*heading));
        let columns: Vec<Column> = [Column::text("rules")].into_iter().chain(figures).collect();
        let row: Vec<String> =
            ["match-bonus 20, tie-score -4", "0.1", "0.2", "0.3", "0.4", "0.5"].map(str::to_owned).to_vec();
        for width in [40, 60, 80, 200] {
            let tables = Screen { width, ascii: false }.tables(&columns, std::slice::from_ref(&row));
            let text = tables.join("\n");
            assert!(text.lines().all(|line| line.chars().count() <= width), "{text}");
            assert!(headings.iter().all(|heading| text.contains(heading)), "{width}: {text}");
            assert_eq!(tables.len() == 1, width == 200, "{width}");
        }
        assert!(Screen { width: 80, ascii: false }.tables(&columns[..1], &[]).is_empty());
    }

    #[test]
    fn without_utf_8_there_is_nothing_but_ascii() {
        let all = lines(38, true, "a-very-long-name-of-a-bot");
        assert!(
            all.iter().all(|line| line.is_ascii()) && all[3].contains("0.131 +- 0.005") && all[3].contains("..."),
            "{all:?}"
        );
        assert!(is_utf8("C.UTF-8") && is_utf8("de_DE.utf8") && !is_utf8("C") && !is_utf8("POSIX"));
    }

    #[test]
    fn sentences_are_wrapped_between_words() {
        let screen = Screen { width: 20, ascii: true };
        assert_eq!(screen.wrap("one is ahead of two by 1 ± 2 points"), "one is ahead of two\n  by 1 +- 2 points");
    }
}
