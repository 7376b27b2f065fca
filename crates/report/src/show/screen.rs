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
/// The characters that a column adds to its cells: the rule before them, and the space around them.
const RULES: usize = 3;
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
        let mut widths = self.widths(columns, rows);
        let mut shown: Vec<usize> = (0..columns.len()).collect();
        self.drop_spare(columns, &widths, &mut shown);
        self.narrow(columns, &mut widths, &shown);
        self.draw(columns, rows, &widths, &shown)
    }

    /// Returns a table of these rows that fits.
    pub(super) fn show<R>(self, table: &TableOf<'_, R>, rows: impl IntoIterator<Item = R>) -> String {
        self.table(&table.columns, &texts(table, rows))
    }

    /// Returns the tables of these rows that are needed to show all columns, one below the other.
    ///
    /// Each starts with the first column and is as wide as fits.
    pub(super) fn show_all<R>(self, table: &TableOf<'_, R>, rows: impl IntoIterator<Item = R>) -> String {
        self.tables(&table.columns, &texts(table, rows)).join("\n")
    }

    fn tables(self, columns: &[Column], rows: &[Vec<String>]) -> Vec<String> {
        let widths = self.widths(columns, rows);
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut total = self.width;
        for column in 1..columns.len() {
            total += widths[column] + RULES;
            if total > self.width {
                groups.push(vec![0]);
                // The first column may be shortened, but not to fit more columns next to it.
                total = (widths[0] + RULES).min(self.width / 2) + 1 + widths[column] + RULES;
            }
            groups.last_mut().expect("a group was begun").push(column);
        }
        let mut tables = Vec::with_capacity(groups.len());
        for group in groups {
            let columns: Vec<Column> = group.iter().map(|&column| columns[column].clone()).collect();
            let cells = |row: &Vec<String>| group.iter().map(|&column| row[column].clone()).collect();
            let rows: Vec<Vec<String>> = rows.iter().map(cells).collect();
            tables.push(self.table(&columns, &rows));
        }
        tables
    }

    /// Returns the widths of the columns as far as nothing is shortened.
    fn widths(self, columns: &[Column], rows: &[Vec<String>]) -> Vec<usize> {
        let mut widths = Vec::with_capacity(columns.len());
        for (number, column) in columns.iter().enumerate() {
            let heading = self.plain(&column.title).lines().map(width).max().unwrap_or(0);
            let cells = rows.iter().map(|row| width(&self.plain(&row[number])));
            widths.push(cells.fold(heading, usize::max));
        }
        widths
    }

    /// Drops spare columns until the table fits. Among equals, the rightmost column is dropped first.
    fn drop_spare(self, columns: &[Column], widths: &[usize], shown: &mut Vec<usize>) {
        while total(widths, shown) > self.width {
            let Some(&least) = shown.iter().max_by_key(|&&column| columns[column].spare) else { return };
            if columns[least].spare == 0 {
                return;
            }
            shown.retain(|&column| column != least);
        }
    }

    /// Makes the longest columns of words narrower until the table fits.
    fn narrow(self, columns: &[Column], widths: &mut [usize], shown: &[usize]) {
        while total(widths, shown) > self.width {
            let words = shown.iter().filter(|&&column| !columns[column].is_figure && widths[column] > SHORTEST);
            let Some(&longest) = words.max_by_key(|&&column| widths[column]) else { return };
            let excess = total(widths, shown) - self.width;
            widths[longest] = widths[longest].saturating_sub(excess).max(SHORTEST);
        }
    }

    /// Draws these columns of a table in these widths.
    fn draw(self, columns: &[Column], rows: &[Vec<String>], widths: &[usize], shown: &[usize]) -> String {
        let mut table = Table::new();
        let style = if self.ascii { ASCII_FULL_CONDENSED } else { UTF8_FULL_CONDENSED };
        table.load_style(style).set_content_arrangement(ContentArrangement::Disabled);
        table.set_header(shown.iter().map(|&column| self.plain(&columns[column].title)));
        for row in rows {
            table.add_row(shown.iter().map(|&column| self.shorten(&self.plain(&row[column]), widths[column])));
        }
        for (place, &column) in shown.iter().enumerate() {
            if let Some(place) = table.column_mut(place).filter(|_| columns[column].is_figure) {
                place.set_cell_alignment(CellAlignment::Right);
            }
        }
        table.to_string()
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

/// Returns the width of a table with these columns.
fn total(widths: &[usize], shown: &[usize]) -> usize {
    shown.iter().map(|&column| widths[column] + RULES).sum::<usize>() + 1
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
