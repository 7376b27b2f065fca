//! The page of a sweep: the effects of rules on a game, singly, together, and against each other.

mod effects;
mod points;
mod responses;
mod results;
mod retuned;

pub use self::results::SweepResults;

use self::results::Values;
use super::{ResultsSection, Subsection};
use crate::show::format::thousands;

/// Returns the section of a sweep.
pub(super) fn section(number: usize, label: Option<String>, results: &SweepResults) -> ResultsSection {
    let summary = &results.summary;
    let id = format!("r{number}");
    let values = Values::of(results);
    let chart = |what: &str| format!("{id}-c-{what}");
    let part = |number: usize, name: String, about: &str, parts, sentences| Subsection {
        id: format!("{id}-{number}"),
        name,
        about: about.to_owned(),
        sentences,
        parts,
        ..Subsection::default()
    };
    let parts = [
        Some(points::table(&values)),
        points::trade_off(&values, &chart("pareto")),
        points::heat_maps(&values, &chart("heat")),
        effects::effects(&values, &chart("effects")),
        retuned::retuned(&values, &chart("retuned")),
    ];
    let text = "All intervals of a measure hold at once in 95% of cases.";
    let sentences = summary.sentences.iter().map(|text| format!("{text}.")).collect();
    let parts: Vec<_> = parts.into_iter().flatten().collect();
    let mut subsections = vec![part(0, "Result".to_owned(), text, parts, sentences)];
    for (axis, number) in summary.axes.iter().zip(1..) {
        let parts = responses::along(&values, &axis.rule, &chart(&format!("a{number}")));
        let text = "Each measure as this rule changes.";
        subsections.push(part(number, format!("Along {}", axis.rule), text, vec![parts], Vec::new()));
    }
    let points = if summary.points == 1 { "one point".to_owned() } else { format!("{} points", summary.points) };
    let numbers = match summary.matches {
        Some(matches) => format!("{} matches", thousands(matches)),
        None => format!("{} deals", thousands(summary.deals.unwrap_or_default())),
    };
    let extent = format!(
        "Swept: {} at {points}, {numbers} at each; bots: {}; {} games.",
        results.variant,
        summary.panel.join(", "),
        thousands(summary.games)
    );
    let faults = (summary.faults > 0).then(|| format!("Bots had {} faults.", summary.faults));
    ResultsSection {
        name: summary.name.clone(),
        label,
        extent,
        command: "sweep config.toml".to_owned(),
        version: summary.overtrick.clone(),
        seed: summary.seed,
        subsections,
        notes: faults.into_iter().collect(),
        config: Some(results.config.clone()),
        id,
        ..ResultsSection::default()
    }
}
