//! CSV: one row type, one file.

use serde::Serialize;
use serde_json::Value;

/// Returns the rows as CSV below a header, in their order. Without rows it is the header alone.
pub fn to_csv<R: Serialize + Default>(rows: &[R]) -> Vec<u8> {
    let write = |rows: &[R]| -> csv::Result<Vec<u8>> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        rows.iter().try_for_each(|row| writer.serialize(row))?;
        Ok(writer.into_inner().expect("memory takes all"))
    };
    let mut text = write(rows).expect("plain rows go into memory");
    if rows.is_empty() {
        // The header comes from the names of the fields, so it needs a row to be written.
        text = write(&[R::default()]).expect("plain rows go into memory");
        text.truncate(text.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1));
    }
    text
}

/// Returns records as CSV, the header first.
pub(super) fn records_to_csv(records: &[Vec<String>]) -> Vec<u8> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for record in records {
        writer.write_record(record).expect("memory takes all");
    }
    writer.into_inner().expect("memory takes all")
}

/// Returns a value as a cell of CSV has it; empty if it is missing.
pub(super) fn cell_text(value: impl Serialize) -> String {
    match serde_json::to_value(value).expect("a plain value") {
        Value::Null => String::new(),
        Value::String(text) => text,
        other => other.to_string(),
    }
}

/// The characters that begin formulas in spreadsheets, including wide forms that some of them treat as equal.
const FORMULAS: [char; 8] = ['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}'];

/// Returns a text that no spreadsheet takes for a formula. A text that begins like a formula gets a `'`
/// before it.
///
/// This is how a user types such a text into a spreadsheet (OWASP, "CSV Injection").
pub fn no_formula(text: &str) -> String {
    if text.starts_with(FORMULAS) { format!("'{text}") } else { text.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use overtrick_stats::SeatRow;

    #[test]
    fn a_table_without_rows_still_has_its_header() {
        let empty = String::from_utf8(to_csv::<SeatRow>(&[])).unwrap();
        assert_eq!(
            empty,
            "variant,bot,seat,deals,mean,se,low,high,advantage,advantage-low,advantage-high,sd,won,won-low,won-high,\
             tied,tied-low,tied-high,lost,lost-low,lost-high\n"
        );
        let one = String::from_utf8(to_csv(&[SeatRow::default()])).unwrap();
        assert_eq!(one, format!("{empty},,,0,,,,,,,,,,,,,,,,,\n"));
    }

    #[test]
    fn formulas_become_texts_and_texts_stay() {
        for text in ["=1+1", "+A1", "-A1", "@SUM(A1)", "\u{ff1d}1"] {
            assert_eq!(no_formula(text), format!("'{text}"));
        }
        for text in ["Ann", "1-1", "'=1", "", "Jean-Luc"] {
            assert_eq!(no_formula(text), text);
        }
    }
}
