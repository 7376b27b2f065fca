//! The worth of an option to a bot that meets itself without it: a bot of strategy `restricted`.

use overtrick_strategies::{AnySpec, Bot};

use super::rows::{Interval, OptionRow, PairRow};

/// Returns the options of which a run shows the worth.
///
/// There is an option for each two bots that are equal except for moves that the second may not make.
pub(super) fn option_rows(bots: &[Bot], pairs: &[PairRow]) -> Vec<OptionRow> {
    let find = |name: &str| bots.iter().find(|bot| bot.name == name);
    let mut rows = Vec::new();
    for pair in pairs {
        let (Some(a), Some(b)) = (find(&pair.bot_a), find(&pair.bot_b)) else { continue };
        if let Some(option) = option(b, a) {
            rows.push(OptionRow::new(pair, option, [a, b], |figure| figure));
        } else if let Some(option) = option(a, b) {
            rows.push(OptionRow::new(pair, option, [b, a], Interval::turned));
        }
    }
    rows
}

/// Returns the moves that only the second bot may make, if the two are otherwise equal.
fn option(without: &Bot, with: &Bot) -> Option<String> {
    let AnySpec::Restricted(params) = &without.spec else { return None };
    let is_same = params.bot()?.spec == with.spec && !params.forbid().is_empty();
    is_same.then(|| params.forbid().join(", "))
}

impl OptionRow {
    /// Builds the row of an option of the first bot, which the second lacks.
    ///
    /// `seen` turns the figures of the pair to the first bot. The sentence judges by the interval that holds
    /// together with those of all pairs, since a run may have many options.
    fn new(pair: &PairRow, option: String, bots: [&Bot; 2], seen: fn(Interval) -> Interval) -> OptionRow {
        let [bot, without] = bots.map(|bot| bot.name.clone());
        let text = sentence(&option, &bot, &without, seen(pair.all));
        OptionRow { variant: pair.variant.clone(), option, bot, without, worth: seen(pair.difference), text }
    }
}

fn sentence(option: &str, bot: &str, without: &str, found: Interval) -> String {
    let worth = found.value.unwrap_or_default();
    let whom = "against these opponents";
    let Some((low, high)) = found.ends() else {
        if worth == 0.0 && found.se == Some(0.0) {
            return format!("{option} makes no difference to {bot} {whom}: {without} scored exactly like it");
        }
        return format!(
            "{option} is worth {worth:.3} points a deal to {bot} {whom}, over too few deals to say how sure that is \
             (without it: {without})"
        );
    };
    let points = format!("{worth:.3} ± {:.3} points a deal", (high - low) / 2.0);
    if low > 0.0 {
        format!("{option} is worth {points} to {bot} {whom} (without it: {without})")
    } else if high < 0.0 {
        format!("{bot} does better without {option} {whom}: it is worth {points} (without it: {without})")
    } else {
        format!("{option} is worth {points} to {bot} {whom}, not distinguished from 0 (without it: {without})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sentence_says_what_the_interval_says() {
        let said = |figures| sentence("misere*", "full", "less", figures);
        let unknown = |worth: f64, se: f64| Interval { se: Some(se), ..Interval::new(Some(worth), None) };
        let interval = |worth: f64| Interval::new(Some(worth), Some((worth - 0.1, worth + 0.1)));
        for (figures, expected) in [
            (
                interval(0.4),
                "misere* is worth 0.400 ± 0.100 points a deal to full against these opponents (without it: less)",
            ),
            (
                interval(0.05),
                "misere* is worth 0.050 ± 0.100 points a deal to full against these opponents, not distinguished from 0 \
                 (without it: less)",
            ),
            (
                interval(-0.3),
                "full does better without misere* against these opponents: it is worth -0.300 ± 0.100 points a deal \
                 (without it: less)",
            ),
            (
                unknown(0.0, 0.0),
                "misere* makes no difference to full against these opponents: less scored exactly like it",
            ),
            (
                unknown(0.2, 0.1),
                "misere* is worth 0.200 points a deal to full against these opponents, over too few deals to say how sure \
                 that is (without it: less)",
            ),
        ] {
            assert_eq!(said(figures), expected);
        }
    }
}
