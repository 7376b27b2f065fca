//! The largest finding in one sentence.

use overtrick_tournament::Partings;

use super::ExplainRow;
use super::finding::LargestFinding;

/// Returns a sentence on where two bots part.
///
/// Both figures are of the deals in which the finding was measured. If no finding stands out, `rows` has the
/// largest choice of all deals.
pub(super) fn sentence(
    [one, other]: [&str; 2],
    finding: Option<&LargestFinding>,
    rows: &[ExplainRow],
    partings: &Partings,
) -> String {
    let Some(finding) = finding else {
        let [decisions, differing] = partings.decisions();
        return match differing {
            0 => format!("{one} and {other} chose alike at all {decisions} decisions: nothing parts them"),
            _ => format!("{one} and {other} parted in too few groups of deals to say at what"),
        };
    };
    if !finding.stands_out {
        let [margin, largest] = ["margin", "choice"].map(|table| rows.iter().find(|row| row.table == table));
        let largest = largest.zip(margin).map_or_else(String::new, |(largest, margin)| {
            let share = largest.share.value.unwrap_or_default();
            let half =
                largest.share.ends().map_or_else(String::new, |(low, high)| format!(" ± {:.3}", (high - low) / 2.0));
            let whole = margin.share.value.unwrap_or_default();
            format!(
                ". The largest in all deals is: {} ({share:.3}{half} of {whole:.3} points a deal)",
                largest.category
            )
        });
        return format!("no kind of decision stands out{largest}");
    }
    let (share, whole) = (finding.share, finding.margin.mean);
    let by = match share.half_width {
        Some(half) => format!("{:.3} ± {half:.3}", share.mean.abs()),
        None => format!("{:.3}", share.mean.abs()),
    };
    let when = kind(finding);
    let of = format!("{:.3} points a deal", whole.abs());
    let is_part = share.mean.abs() <= whole.abs();
    let text = match (whole > 0.0, share.mean >= 0.0) {
        (true, true) if is_part => format!("{one} gains {by} of its {of} over {other} {when}"),
        (true, true) => format!("{one} gains {by} {when}, loses elsewhere, and is {of} ahead of {other}"),
        (false, false) if is_part => format!("{one} loses {by} of the {of} that it is behind {other} {when}"),
        (false, false) => format!("{one} loses {by} {when}, gains elsewhere, and is {of} behind {other}"),
        (true, false) => format!("{one} is {of} ahead of {other}, though it loses {by} {when}"),
        (false, true) => format!("{one} is {of} behind {other}, though it gains {by} {when}"),
    };
    let text = format!("{text} (one half of the deals found it, the other half measured it; the table is of both)");
    match share.low().zip(share.high()) {
        None => format!("{text}; that rests on too few deals to say how sure it is"),
        Some((low, high)) if low <= 0.0 && high >= 0.0 => format!("{text}; that may still be chance"),
        Some(_) => text,
    }
}

/// Returns the decisions of a finding in words.
fn kind(finding: &LargestFinding) -> String {
    let mut words = Vec::new();
    for (number, (feature, text)) in finding.conditions.iter().enumerate() {
        let plural = if text == "1" { "" } else { "s" };
        words.push(match (*feature, text.as_str()) {
            ("choice", text) if number == 0 => format!("by choosing to {text}"),
            ("choice", text) => format!("choosing to {text}"),
            ("phase", "lead") => "by its leads".to_owned(),
            ("phase", "follow suit") => "by the cards with which it follows suit".to_owned(),
            ("phase", "play off suit") => "by the cards that it plays where it cannot follow suit".to_owned(),
            ("phase", text) => format!("by its choices where the call is {text}"),
            ("seat", text) => format!("as {text}"),
            ("trick", "before play") => "before the play".to_owned(),
            ("trick", text) => format!("in trick {text}"),
            ("side", "-") => "before there is a contract".to_owned(),
            ("side", text) if text.starts_with("de") => format!("as {text}"),
            ("side", text) => format!("in {text}"),
            ("trumps", "-") => "with no trumps named".to_owned(),
            ("trumps", count) => format!("with {count} trump{plural}"),
            ("longest-suit", count) => format!("with a longest suit of {count}"),
            ("shortest-suit", "0") => "with no card of some suit".to_owned(),
            ("shortest-suit", count) => format!("with a shortest suit of {count}"),
            ("high-cards", count) => format!("with {count} ace{plural} or king{plural}"),
            ("place-in-trick", "-") => "outside of tricks".to_owned(),
            ("place-in-trick", "between") => "playing neither first nor last".to_owned(),
            ("place-in-trick", place) => format!("playing {place} to the trick"),
            ("tricks-won", "-") => "before the play".to_owned(),
            ("tricks-won", count) => format!("with {count} trick{plural} won so far"),
            (feature, text) => format!("with {feature} {text}"),
        });
    }
    words.join(", ")
}
