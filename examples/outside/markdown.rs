//! `bots.md`: the bots of each variant as a table of Markdown.

use std::fmt::Write;

use overtrick::report::{Output, Report};

/// The output.
pub const BOTS: Output = Output {
    name: "bots.md",
    about: "the bots of each variant: points a deal with the two ends of the interval",
    is_reproducible: true,
    write,
};

fn write(report: &Report<'_>) -> Vec<u8> {
    let mut text = "| variant | bot | points a deal | low | high |\n|---|---|---|---|---|\n".to_owned();
    for row in &report.results.bots {
        let figures = [row.mean.value, row.mean.low, row.mean.high];
        let [mean, low, high] = figures.map(|figure| figure.map_or(String::new(), |number| format!("{number:.3}")));
        writeln!(text, "| {} | {} | {mean} | {low} | {high} |", row.variant, row.bot).expect("a text takes all");
    }
    text.into_bytes()
}
