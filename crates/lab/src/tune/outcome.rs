//! The outcome of tuning, in rows of tables.

use overtrick_stats::{Bounded, Figure, Interval, rows};
use overtrick_strategies::Bot;
use overtrick_tournament::{Window, one_against};

use super::arena::Arena;
use super::field::Chair;
use super::objective::numbers_from;
use super::part::all_parameters;
use super::plan::TunePlan;
use super::setting::Setting;
use super::space::ParameterValues;
use super::surface::Interaction;
use super::tuning::{TrialRound, Tuning};
use crate::margin_sums::MarginSums;
use crate::no_result::NoResult;

rows! {
    /// A parameter: where it started, where it ended, and what that is worth.
    pub struct OptimumRow {
        /// The parameter's key.
        parameter: String,
        /// Its value at the start.
        start: String,
        /// Its value in the best that was found.
        best: String,
        /// `changed` or `same`, compared with the start. `unproven` if it is changed, but the best that was
        /// found is not certainly ahead of the start, so that the result is the start. `set back` if a change
        /// was not shown to matter, but others were. `dead` if no value changed any deal. `untried` if one did
        /// so only at the result, too late for the search.
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
    /// Pairs of parameters that matter together by the surface, given by their keys.
    pub interactions: Vec<Interaction<String>>,
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
                    let players = one_against("candidate", bot.name.as_str(), variant.game.layout().teams());
                    let names = players.join(", ");
                    confirm.push(row("unseen", variant.name.clone(), names, &sums));
                }
            }
        }
        let optimum = (0..plan.space.dimensions()).map(|number| optimum_row(plan, tuning, number, is_better)).collect();
        let key = |number: usize| plan.space.axes[tuning.live[number]].key.clone();
        let mut interactions = Vec::new();
        for &Interaction { parameters, term, half_width } in tuning.fitted.iter().flat_map(|fit| &fit.interactions) {
            interactions.push(Interaction { parameters: parameters.map(key), term, half_width });
        }
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

/// Returns the row of the parameter with this index.
fn optimum_row(plan: &TunePlan, tuning: &Tuning, number: usize, is_better: bool) -> OptimumRow {
    let axis = &plan.space.axes[number];
    let start = plan.task().start;
    let best = tuning.best(&plan.task());
    let (mut is_set_back, mut confirmed) = (false, None);
    if let Some(confirm) = tuning.confirmation()
        && let Some(at) = confirm.changed.iter().position(|&changed| changed == number)
    {
        is_set_back = confirm.is_set_back[at];
        confirmed = Some(confirm.worth[at]).filter(|worth| worth.count > 0);
    }
    let live = tuning.live.iter().position(|&live| live == number);
    let optimum = live.and_then(|at| Some(&tuning.fitted.as_ref()?.optima[at]));
    let is_number = matches!(axis.values, ParameterValues::Numbers { .. });
    // An interval without the chosen value comes from a surface that was not believed.
    let holds_best = |&(low, high): &(f64, f64)| low <= best[number] && best[number] <= high && low < high;
    let interval = optimum.and_then(|optimum| optimum.interval).filter(|ends| is_number && holds_best(ends));
    let text = |coordinate: f64| axis.values.value(axis.values.index(coordinate)).to_string();
    let [low, high] = interval.map(|(low, high)| [low, high].map(text)).unwrap_or_default();
    let change = if live.is_none() {
        if tuning.untried().contains(&number) { "untried" } else { "dead" }
    } else if is_set_back {
        "set back"
    } else if best[number] == start[number] {
        "same"
    } else if is_better {
        "changed"
    } else {
        "unproven"
    };
    OptimumRow {
        parameter: axis.key.clone(),
        start: plan.values(&start)[number].to_string(),
        best: plan.values(&best)[number].to_string(),
        change,
        low,
        high,
        worth: Figure(optimum.map(|optimum| optimum.worth.value)),
        worth_half_width: Figure(optimum.and_then(|optimum| optimum.worth.half_width)),
        confirmed: confirmed.map(|worth| worth.estimate()).into(),
    }
}

/// Returns a header, and a row for each trial.
///
/// A row has the stage, the round, the values of all parameters, the setting that it met, the deals, the
/// margin and its standard error. Settings of a race have rows, too.
pub fn trial_rows(plan: &TunePlan, tuning: &Tuning) -> Vec<Vec<String>> {
    let task = plan.task();
    let mut rows = vec![header(plan)];
    let all = |searched: &Setting| all_parameters(&task.start, &tuning.live, searched);
    for (trial, TrialRound { stage, round }) in tuning.trials().iter().zip(&tuning.rounds) {
        let mut row = vec![stage.clone(), round.to_string()];
        row.extend(plan.values(&all(&trial.point)).iter().map(plain));
        row.push(plan.space.text_of(&plan.values(&all(&trial.incumbent))));
        row.extend([trial.numbers.to_string(), rounded(trial.margin), rounded(trial.se())]);
        rows.push(row);
    }
    if let Some(race) = &tuning.race {
        for (setting, sums) in race.settings.iter().zip(&race.margins) {
            let mut row = vec!["race".to_owned(), race.rounds.to_string()];
            row.extend(plan.values(setting).iter().map(plain));
            row.push(plan.space.text_of(&plan.values(&task.start)));
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

/// Formats a number with at most six decimals.
fn rounded(number: f64) -> String {
    // Adding zero turns -0 into 0.
    ((number * 1e6).round() / 1e6 + 0.0).to_string()
}

/// Returns a value without the quotes of TOML.
fn plain(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
