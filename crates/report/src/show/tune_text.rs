//! Tuning on the terminal: the forecast, the progress, and the result.

use overtrick_lab::decimals;
use overtrick_lab::tune::{ConfirmRow, GainForecast, Interaction, OptimumRow, Stage, TuneOutcome, TunePlan, Tuning};
use overtrick_stats::{Estimate, Interval};

use super::format::{signed_with_interval, thousands};
use super::screen::Screen;
use super::table::{Column, TableOf};
use crate::tune_files::{figure, tune_sentence};

/// The most pairs of parameters that are shown. The file summary.json has all.
const INTERACTIONS: usize = 3;
/// The smallest term of a pair that is shown, in points a deal. Smaller ones round to zero.
const SMALLEST: f64 = 0.0005;

/// Returns the result for the terminal: the sentence, parameters and line-ups.
pub fn tune_text(plan: &TunePlan, tuning: &Tuning, outcome: &TuneOutcome, screen: Screen) -> String {
    let table = parameters_table(outcome);
    let sentence = screen.wrap(&tune_sentence(plan, tuning, outcome));
    let mut text = format!("{sentence}\n\n{}\n", screen.show(&table, &outcome.optimum));
    let line_up = |row: &&ConfirmRow| {
        let what = if row.what == "unseen" { " (new)" } else { "" };
        let variant = if plan.variants.len() > 1 { format!("{}: ", row.variant) } else { String::new() };
        format!("{variant}{}{what}", row.line_up)
    };
    let met: Vec<&ConfirmRow> = outcome.confirm.iter().filter(|row| row.what != "gain").collect();
    if !met.is_empty() {
        let table = TableOf::new()
            .add(Column::text("line-up"), line_up)
            .add(Column::figures("ahead ± 95%"), |row| figure(row))
            .add(Column::figures("deals").spare(1), |row| thousands(row.deals));
        let candidate = if outcome.is_better { "the result" } else { "the best that was tried" };
        let heading = format!(
            "points a deal by which {candidate} (candidate) is ahead of {} (start) at each line-up",
            plan.start.name
        );
        text += &format!("\n{}\n{}\n", screen.wrap(&heading), screen.show(&table, met));
        if outcome.confirm.iter().any(|row| row.what == "unseen") {
            text += &format!("{}\n", screen.wrap("(new): with a bot that tuning did not meet"));
        }
    }
    for said in interactions(&outcome.interactions) {
        text += &format!("{}\n", screen.wrap(&said));
    }
    let untried: Vec<&str> = tuning.untried().iter().map(|&number| plan.space.axes[number].key.as_str()).collect();
    if !untried.is_empty() {
        let said = format!(
            "{} change deals at the result, not where they were tried before: tune again from it",
            untried.join(", ")
        );
        text += &format!("\n{}\n", screen.wrap(&said));
    }
    text
}

/// Returns the table of the parameters.
///
/// Where nothing was shown to be better it has only the values, since the others are of a setting that is
/// not the result.
fn parameters_table<'a>(outcome: &TuneOutcome) -> TableOf<'a, &'a OptimumRow> {
    let table = TableOf::<&OptimumRow>::new()
        .add(Column::text("parameter"), |row| row.parameter.as_str())
        .add(Column::figures("start"), |row| row.start.as_str());
    if !outcome.is_better {
        return table.add(Column::figures("best that\nwas tried"), |row| row.best.as_str());
    }
    let is_only = outcome.optimum.iter().filter(|row| row.change == "changed").count() == 1;
    table
        .add(Column::figures("result"), |row| row.best.as_str())
        .add(Column::text("outcome"), |row| row.change)
        .add(Column::text("best between\n(95%)").spare(2), best_between)
        .add(Column::figures("gain, points\na deal ± 95%").spare(1), move |row| gain(row, is_only))
}

/// Returns the interval of the best value of a parameter, in words.
fn best_between(row: &&OptimumRow) -> String {
    if row.low.is_empty() { String::new() } else { format!("{} to {}", row.low, row.high) }
}

/// Returns the gain by the change of one parameter, in words.
fn gain(row: &OptimumRow, is_only_change: bool) -> String {
    match row.confirmed {
        Interval { value: Some(_), .. } => signed_with_interval(row.confirmed, 3),
        _ if row.change == "changed" && is_only_change => "see above".to_owned(),
        _ if row.change == "changed" => "not tested alone".to_owned(),
        _ => String::new(),
    }
}

/// Returns a sentence for each of the pairs of parameters that matter most together.
pub(super) fn interactions(pairs: &[Interaction<String>]) -> Vec<String> {
    let mut largest: Vec<&Interaction<String>> = pairs.iter().filter(|pair| pair.term.abs() >= SMALLEST).collect();
    largest.sort_by(|one, other| other.term.abs().total_cmp(&one.term.abs()));
    largest.truncate(INTERACTIONS);
    let mut sentences = Vec::new();
    for Interaction { parameters: [one, other], term, half_width } in largest {
        let size = format!("{term:+.3} ± {half_width:.3} points a deal");
        sentences.push(format!("{one} and {other} matter together: {size} from corner to corner"));
    }
    sentences
}

/// Returns the findings of the pilot in words: the forecast, and the parameters that have no effect.
pub fn pilot_text(plan: &TunePlan, tuning: &Tuning, games_a_second: f64) -> String {
    let Some(pilot) = &tuning.pilot else {
        return String::new();
    };
    let named = |numbers: &[usize]| {
        let keys: Vec<&str> = numbers.iter().map(|&number| plan.space.axes[number].key.as_str()).collect();
        keys.join(", ")
    };
    let (start, dead) = (&plan.start.name, tuning.dead());
    let later: Vec<usize> = tuning.live.iter().copied().filter(|&number| pilot.parameters[number].is_dead).collect();
    let mut text = String::new();
    if !later.is_empty() {
        let them = if later.len() == 1 { "it is" } else { "they are" };
        let (named, deals) = (named(&later), thousands(pilot.numbers));
        text += &format!(
            "{named}: none of the first {deals} deals changed; one changed later, at {start} or at another setting, so \
             {them} searched\n"
        );
    }
    if !dead.is_empty() {
        let deals = thousands(tuning.deals_probed());
        let them = if dead.len() == 1 { "it is" } else { "they are" };
        let again = if tuning.live.is_empty() { String::new() } else { format!(": {them} looked at again later") };
        text += &format!("none of {deals} deals changed with {}{again}\n", named(&dead));
    }
    if !tuning.live.is_empty() {
        let games = plan.budget(tuning.budget).saturating_sub(tuning.games);
        let time = time_in_words((games as f64 / games_a_second.max(1.0)).max(1.0));
        text += &format!("forecast: about {time}{}\n", precision_in_words(tuning.forecast()));
    }
    if tuning.began_at_better() {
        text += &format!("the search begins at another setting, clearly better than {start}\n");
    }
    text
}

/// Returns the precision that the gain will have, in words, as far as it is known.
fn precision_in_words(forecast: Option<GainForecast>) -> String {
    let Some(GainForecast { near, far }) = forecast else {
        return "; how precise the gain will be is not known yet".to_owned();
    };
    let (near, far) = (two_digits(near), two_digits(far));
    if near == far { format!(" for ± {far} points a deal") } else { format!(" for ± {near} to {far} points a deal") }
}

/// Formats a number with two digits.
fn two_digits(number: f64) -> String {
    let decimals = decimals(number).unwrap_or(0);
    format!("{number:.decimals$}")
}

/// Returns a time in words, to about two digits.
fn time_in_words(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s => format!("{:.1} h", s / 3600.0),
    }
}

/// Returns the progress of tuning in a line: stage, best so far, spread.
pub fn tune_progress(tuning: &Tuning) -> String {
    match &tuning.stage {
        Stage::Pilot => "pilot".to_owned(),
        Stage::Search(search) => {
            let spread = search.distribution.spread().iter().fold(0.0, |a: f64, b| a.max(*b));
            format!("search, generation {}, spread {spread:.2}", search.generations + 1)
        }
        Stage::Surface(surface) => format!("surface, round {}", surface.rounds + 1),
        Stage::Race(race) => format!("race, round {}: {} left", race.rounds + 1, race.alive.len()),
        Stage::Confirm(confirm) => match confirm.gain.estimate() {
            Estimate { half_width: None, .. } => "confirm".to_owned(),
            gain => format!("confirm: {}", signed_with_interval(gain.into(), 3)),
        },
        Stage::Over(_) => "over".to_owned(),
    }
}
