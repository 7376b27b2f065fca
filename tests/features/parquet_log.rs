//! `--log` with a file in Parquet.

use std::fs;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;

use crate::fixtures::sandbox::{Row, Sandbox, rows};

/// Checks that a log in Parquet has the rows of the one in CSV, and the same bytes for any number of threads. Returns
/// the number of row groups.
fn check_same_rows(variants: &[&str], deals: u32) -> usize {
    let sandbox = Sandbox::new();
    let bots = ["rule-based", "random", "cautious"];
    sandbox.write("games.toml", &format!("seed = 11\ndeals = {deals}\nvariants = {variants:?}\nbots = {bots:?}\n"));
    for (threads, name) in [("1", "1.parquet"), ("2", "2.parquet"), ("2", "2.csv")] {
        let args = ["run", "games.toml", "--out", "out", "--threads", threads, "--log", name, "--quiet", "--force"];
        let (code, _, stderr) = sandbox.run(&args);
        assert_eq!((code, stderr.as_str()), (0, ""), "{name}");
    }
    let [one, two] = ["1", "2"].map(|name| fs::read(sandbox.path(&format!("{name}.parquet"))).unwrap());
    assert!(one == two);
    let file = SerializedFileReader::new(fs::File::open(sandbox.path("1.parquet")).unwrap()).unwrap();
    let expected = rows(&sandbox.path("2.csv"));
    let mut count = 0;
    for (row, expected) in file.get_row_iter(None).unwrap().zip(&expected) {
        let row = row.unwrap();
        let columns = row.get_column_iter().map(|(name, field)| (name.clone(), text_of(field)));
        assert_eq!(&columns.collect::<Row>(), expected);
        count += 1;
    }
    assert_eq!(count, expected.len());
    file.num_row_groups()
}

fn text_of(field: &Field) -> String {
    match field {
        Field::Null => String::new(),
        Field::Str(text) => text.clone(),
        other => other.to_string(),
    }
}

#[test]
fn parquet_has_the_rows_of_csv() {
    let variants = ["dumbo", "euchre-32", "dummy-whist", "humbug", "colour-blind-2", "chameleon"];
    assert_eq!(check_same_rows(&variants, 40), variants.len());
}

#[test]
#[ignore = "long: more deals than a row group holds"]
fn parquet_has_the_rows_of_csv_with_several_row_groups_for_a_variant() {
    assert!(check_same_rows(&["dumbo"], 6000) > 1);
}
