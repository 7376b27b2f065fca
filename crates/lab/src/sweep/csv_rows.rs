//! Rows of a table of results, which a sweep keeps as text.

use serde::{Deserialize, Serialize};

use super::plan::SweepPlan;

/// Rows of CSV without a header.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CsvRows(String);

impl CsvRows {
    /// Returns the rows as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Adds rows.
    pub(super) fn add<R: Serialize>(&mut self, rows: &[R]) {
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        for row in rows {
            writer.serialize(row).expect("plain rows go into memory");
        }
        self.0 += &String::from_utf8(writer.into_inner().expect("memory takes all")).expect("rows are text");
    }

    /// Returns whether they can be rows like `like` about a point.
    ///
    /// The first `text_columns` columns are text, and the others are numbers.
    pub(super) fn are_like<R: Serialize>(&self, like: R, text_columns: usize, plan: &SweepPlan, point: usize) -> bool {
        let mut written = CsvRows::default();
        written.add(&[like]);
        let columns = written.records().expect("rows that were just written")[0].len();
        let Some(rows) = self.records() else { return false };
        let variant = plan.row_name(point);
        let is_bot = |name: &str| name == "all" || plan.panel.iter().any(|bot| bot.name == name);
        let is_number = |field: &str| field.is_empty() || field.parse().is_ok_and(f64::is_finite);
        for row in &rows {
            if row.len() != columns || row[0] != *variant || !is_bot(&row[1]) {
                return false;
            }
            for (column, field) in row.iter().enumerate() {
                let is_sound = if column < text_columns { !field.contains(char::is_control) } else { is_number(field) };
                if !is_sound {
                    return false;
                }
            }
        }
        !rows.is_empty()
    }

    /// Returns the records; `None` if the text is no CSV.
    fn records(&self) -> Option<Vec<csv::StringRecord>> {
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(self.0.as_bytes());
        reader.records().collect::<Result<_, _>>().ok()
    }
}
