//! The outcome of tuning, in rows of tables.

use overtrick_stats::{Bounded, Figure, Interval, rows};
use overtrick_strategies::Bot;
use overtrick_tournament::Window;

use super::arena::Arena;
use super::field::Chair;
use super::objective::{NoResult, numbers_from};
use super::part::whole;
use super::plan::TunePlan;
use super::setting::Setting;
use super::space::{ParameterValues, TuneAxis};
use super::tuning::Tuning;
use crate::margin_sums::MarginSums;

rows! {
    /// A parameter: where it started, where it ended, and what that is worth.
    pub struct OptimumRow {
        /// The parameter's key.
        parameter: String,
        /// Its value at the start.
        start: String,
        /// Its value in the best that was found.
        best: String,
        /// Whether that is the start's value: `set back` if a change was not shown to matter but others were,
        /// `dead` if no value changed any deal, `untried` if one did at the result alone, so that it was not
        /// searched, `same` if the best was that of the start. Else `changed`, or `unproven` if the best that
        /// was found is not certainly ahead of the start, so that the result is the start.
        change: &'static str,
        /// The lower end of the 95% interval of the best value, by the surface.
        low: String,
        /// The upper end.
        high: String,
        /// The cost of the ends of the range that was looked at against the best, in points a deal, by the
        /// surface.
        worth: Figure,
        /// Half the width of its 95% interval.
        worth_half_width: Figure,
        /// The worth of the change in the company of the others, on deals that tuning had not seen, in points
        /// a deal.
        confirmed: Interval as [
            confirmed,
            /// The lower end of its 95% interval.
            confirmed_low,
            /// The upper end.
            confirmed_high,
        ],
    }

    /// How far the result is ahead of the start on deals that tuning had not seen.
    pub struct ConfirmRow {
        /// `gain` over all tables, `line-up` at one of them, `unseen` with a bot that tuning had not met.
        what: &'static str,
        /// The variant; empty for all.
        variant: String,
        /// The bots at the table; empty for all.
        line_up: String,
        /// The number of deals, each played in all seatings.
        deals: u64,
        /// The gain in points a deal. Where a gain over all tables is claimed, those over all and at each are
        /// what holds given that claim; the mean is too high then.
        gain: Interval as [
            gain,
            /// The standard error of the mean.
            se,
            /// The lower end of the 95% interval of the gain; missing where too few deals were different.
            low,
            /// The upper end.
            high,
        ],
        /// The mean over the deals.
        mean: Figure,
    }
}

/// The outcome of tuning.
#[derive(Clone, Debug)]
pub struct TuneOutcome {
    /// The result: a bot that is certainly ahead of the start, or the start.
    pub best: Bot,
    /// Whether the result is certainly ahead of the start.
    pub is_better: bool,
    /// The rows of all parameters.
    pub optimum: Vec<OptimumRow>,
    /// The gain over all tables, at each table, and with bots that tuning had not met.
    pub confirm: Vec<ConfirmRow>,
    /// Pairs of parameters that matter together, by the surface.
    ///
    /// They are the keys, the points a deal between the corners of the region, and the half-width of the 95%
    /// interval.
    pub interactions: Vec<(String, String, f64, f64)>,
    /// The number of games that were played.
    pub games: u64,
    /// The number of times that bots failed to answer, and a random legal move was made.
    pub faults: u64,
}

impl TuneOutcome {
    /// Returns the outcome of tuning that is over.
    ///
    /// The result meets the bots of the plan that tuning has not met.
    ///
    /// # Errors
    /// If it was stopped, or if a bot cannot play.
    pub fn new(plan: &TunePlan, tuning: &Tuning, arena: &Arena<'_>) -> Result<TuneOutcome, NoResult> {
        let task = plan.task();
        let is_better = tuning.confirmation().is_some_and(|confirm| confirm.gain.is_above_zero());
        let found = tuning.best(&task);
        let mut best = if is_better { plan.bot_at(&found)? } else { plan.start.clone() };
        if is_better && plan.bots.is_empty() {
            best.name = format!("{}-tuned", plan.start.name);
            let was = if plan.start.about.is_empty() { String::new() } else { format!(": {}", plan.start.about) };
            best.about = format!("tuned from {}{was}", plan.start.name);
        }
        let mut confirm = Vec::new();
        let mut games = tuning.games;
        if let Some(confirmation) = tuning.confirmation() {
            let gain = &confirmation.gain;
            confirm.push(row("gain", String::new(), String::new(), gain).given(gain.claimed()));
            for (number, (table, sums)) in plan.tables.iter().zip(&confirmation.tables).enumerate() {
                let variant = plan.variants[table.variant].name.clone();
                let row = row("line-up", variant, line_up(plan, &table.chairs), sums);
                confirm.push(row.given(confirmation.claimed_at(number)));
            }
            let deals_with_unseen = plan.deals_with_unseen(tuning.budget);
            for (unseen, bot) in plan.unseen.iter().enumerate() {
                for (number, variant) in plan.variants.iter().enumerate() {
                    let deals = deals_with_unseen[number];
                    if deals == 0 {
                        continue;
                    }
                    games += plan.games_of_meeting(number) * deals;
                    let numbers = numbers_from(Window::Confirm, confirmation.next, deals)?;
                    let sums = arena.meet(&found, unseen, number, &numbers)?;
                    let others = vec![bot.name.clone(); variant.game.layout().seats - 1];
                    let names = format!("candidate, {}", others.join(", "));
                    confirm.push(row("unseen", variant.name.clone(), names, &sums));
                }
            }
        }
        let optimum = optimum(plan, tuning, is_better);
        let key = |number: usize| plan.space.axes[tuning.live[number]].key.clone();
        let interactions = tuning.fitted.iter().flat_map(|fitted| &fitted.interactions);
        let interactions = interactions.map(|&(a, b, term, half)| (key(a), key(b), term, half)).collect();
        Ok(TuneOutcome { best, is_better, optimum, confirm, interactions, games, faults: arena.faults() })
    }
}

impl ConfirmRow {
    /// Returns the row with figures conditional on a claimed gain, if there is a claim.
    fn given(self, claimed: Option<Bounded>) -> ConfirmRow {
        match claimed {
            Some(held) => ConfirmRow { gain: Interval { se: self.gain.se, ..held.into() }, ..self },
            None => self,
        }
    }
}

fn row(what: &'static str, variant: String, line_up: String, sums: &MarginSums) -> ConfirmRow {
    ConfirmRow { what, variant, line_up, deals: sums.count, gain: sums.estimate().into(), mean: sums.mean().into() }
}

/// Returns the bots of a table; `start` sits where the candidate's opponent of the same kind does.
fn line_up(plan: &TunePlan, chairs: &[Chair]) -> String {
    let name = |chair: &Chair| match chair {
        Chair::Candidate => "candidate",
        Chair::Incumbent => "start",
        Chair::Other(number) => &plan.others[*number].name,
    };
    chairs.iter().map(name).collect::<Vec<_>>().join(", ")
}

fn optimum(plan: &TunePlan, tuning: &Tuning, is_better: bool) -> Vec<OptimumRow> {
    let task = plan.task();
    let best = tuning.best(&task);
    let confirm = tuning.confirmation();
    let untried = tuning.untried();
    let (starts, found) = (plan.values(&task.start), plan.values(&best));
    let one = |number: usize| {
        let axis = &plan.space.axes[number];
        let value = |place: f64| axis.values.value(axis.values.number(place)).to_string();
        let changed = confirm.and_then(|confirm| confirm.changed.iter().position(|&other| other == number));
        let is_set_back = changed.is_some_and(|at| confirm.is_some_and(|confirm| confirm.is_set_back[at]));
        let place = tuning.live.iter().position(|&live| live == number);
        let is_same = best[number] == task.start[number];
        let worth = changed.and_then(|at| confirm.map(|confirm| confirm.worth[at])).filter(|worth| worth.count > 0);
        let fitted = place.and_then(|place| Some(&tuning.fitted.as_ref()?.optima[place]));
        let is_number = matches!(axis.values, ParameterValues::Numbers { .. });
        // An interval without the chosen value comes from a surface that was not believed.
        let holds_best = |&(low, high): &(f64, f64)| low <= best[number] && best[number] <= high && low < high;
        let between = fitted.and_then(|fitted| fitted.interval).filter(|ends| is_number && holds_best(ends));
        OptimumRow {
            parameter: axis.key.clone(),
            best: found[number].to_string(),
            start: starts[number].to_string(),
            change: match (place, is_set_back, is_same) {
                (None, ..) if untried.contains(&number) => "untried",
                (None, ..) => "dead",
                (_, true, _) => "set back",
                (_, _, true) => "same",
                _ if is_better => "changed",
                _ => "unproven",
            },
            low: between.map(|(low, _)| value(low)).unwrap_or_default(),
            high: between.map(|(_, high)| value(high)).unwrap_or_default(),
            worth: Figure(fitted.map(|fitted| fitted.worth.0)),
            worth_half_width: Figure(fitted.and_then(|fitted| fitted.worth.1)),
            confirmed: worth.map(|worth| worth.estimate()).into(),
        }
    };
    (0..plan.space.dimensions()).map(one).collect()
}

/// Returns a header, and a row for each trial.
///
/// A row has the stage, the round, the values of all parameters, the setting that it met, the deals, the
/// margin and its standard error. Settings of a race have rows, too.
pub fn trial_rows(plan: &TunePlan, tuning: &Tuning) -> Vec<Vec<String>> {
    let task = plan.task();
    let mut rows = vec![header(plan)];
    for (trial, (stage, round)) in tuning.trials().iter().zip(&tuning.rounds) {
        let mut row = vec![stage.clone(), round.to_string()];
        row.extend(plan.values(&whole(&task.start, &tuning.live, &trial.point)).iter().map(plain));
        row.push(text(plan, &whole(&task.start, &tuning.live, &trial.incumbent)));
        row.extend([trial.numbers.to_string(), rounded(trial.margin), rounded(trial.se())]);
        rows.push(row);
    }
    if let Some(race) = &tuning.race {
        for (setting, sums) in race.settings.iter().zip(&race.margins) {
            let mut row = vec!["race".to_owned(), race.rounds.to_string()];
            row.extend(plan.values(setting).iter().map(plain));
            row.push(text(plan, &task.start));
            row.extend([sums.count.to_string(), rounded(sums.mean()), rounded(sums.se())]);
            rows.push(row);
        }
    }
    rows
}

fn header(plan: &TunePlan) -> Vec<String> {
    let fixed = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let parameters = plan.space.axes.iter().map(|axis| axis.key.clone()).collect();
    [fixed(&["stage", "round"]), parameters, fixed(&["against", "deals", "margin", "se"])].concat()
}

/// Returns a setting as text: `dumbo.ambition = 0.4, ...`.
fn text(plan: &TunePlan, setting: &Setting) -> String {
    let one = |(axis, value): (&TuneAxis, &toml::Value)| format!("{} = {value}", axis.key);
    plan.space.axes.iter().zip(&plan.values(setting)).map(one).collect::<Vec<_>>().join(", ")
}

/// Formats a number with at most six decimals.
fn rounded(number: f64) -> String {
    // Adding zero turns -0 into 0.
    ((number * 1e6).round() / 1e6 + 0.0).to_string()
}

/// Returns a value without the quotes of TOML.
fn plain(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
