//! Tuning without a config: all parameters of a bot, in one variant.
//!
//! An external bot has the parameters that it declares when it starts. Other bots have those of their strategy, except
//! for parameters that buy strength with time.

use std::path::Path;

use overtrick_games::Variant;
use overtrick_strategies::{AnySpec, Bot, Parameter, Register};
use overtrick_strategy::protocol::{Knob, KnobRange, Knobs};
use overtrick_toml::{InputError, Source};
use overtrick_tournament::{Header, check_eligible, find_variant};
use toml::{Table, Value};

use super::constants::{MOST_GAMES, MOST_STEPS};
use super::parameters::{self, OWN, kinds};
use super::plan::TunePlan;
use super::space::{ParameterValues, Space, TuneAxis, get};
use super::tune_keys::{TuneConfig, TuneKeys, tune_key};

/// A tuning that needs no config.
#[derive(Clone, Debug)]
pub struct TuneRequest {
    /// The bot to start from. An external bot must have been started once.
    pub bot: Bot,
    /// The variant, by name or as a .toml file.
    pub variant: String,
    /// The bots that candidates meet, as a config writes them.
    pub against: Option<Value>,
    /// The number of games that may be played; the fewest that the tuning takes if absent.
    pub games: Option<u64>,
    /// The master seed.
    pub seed: u64,
}

impl TuneRequest {
    /// Returns the plan.
    ///
    /// # Errors
    /// If the bot has nothing to tune, or if the config that would describe the tuning is wrong. The error then names
    /// the key of that config, and the empty file.
    pub fn plan(&self, register: &Register) -> Result<TunePlan, InputError> {
        let nowhere = Source::parse(Path::new(""), String::new())?;
        let name = Value::from(self.variant.as_str());
        let variant = find_variant(&nowhere, &tune_key("variants"), &name, register.games())?;
        let start = self.start(register)?;
        let mut axes = axes(&start, &variant, register)?;
        if axes.is_empty() {
            return Err(InputError::plain(nothing_to_tune(&start, &variant)));
        }
        axes.sort_by(|one, other| one.key.cmp(&other.key));
        let keys = TuneKeys {
            bot: Some(start.to_table().into()),
            variants: vec![name],
            against: self.against.clone(),
            parameters: Some(parameters::to_table(&Space { axes })),
            games: Some(self.games.map_or(MOST_GAMES, |games| i64::try_from(games).unwrap_or(i64::MAX))),
            ..TuneKeys::default()
        };
        let header = Header::of(&format!("tune-{}-{}", start.name, variant.name), self.seed, None);
        let config = header.to_toml(TuneConfig { tune: Table::try_from(keys).expect("plain values") });
        let mut plan = TunePlan::resolve(&Source::parse(Path::new(""), config)?, register)?;
        if let (Some(before), Some(params)) = (start.spec.process(), plan.start.spec.process_mut()) {
            params.take_over(before);
        }
        if self.games.is_none() {
            plan.games = Some(plan.fewest_games());
        }
        Ok(plan)
    }

    /// Returns the bot with the default of each parameter that it declares and does not set.
    fn start(&self, register: &Register) -> Result<Bot, InputError> {
        let AnySpec::Process(params) = &self.bot.spec else { return Ok(self.bot.clone()) };
        let Some(knobs) = params.declared.knobs() else { return Ok(self.bot.clone()) };
        let settings = Value::Table(knobs.with_defaults(&params.settings));
        register.changed(&self.bot, &self.bot.name, &Table::from_iter([("settings".to_owned(), settings)]))
    }
}

/// Returns the message for a bot without parameters to tune.
fn nothing_to_tune(bot: &Bot, variant: &Variant) -> String {
    let (name, strategy) = (&bot.name, bot.spec.name());
    match &bot.spec {
        AnySpec::Process(_) => format!(
            "{name} declares no parameters that can be tuned: let it declare some in its `hello` (docs/protocol.md), or \
             tune its settings by a config"
        ),
        _ => format!(
            "{name}: the strategy `{strategy}` has no parameters to tune in {} without a config: name them in one, or \
             tune another bot",
            variant.name
        ),
    }
}

/// Returns the parameters to tune, with all their values.
fn axes(bot: &Bot, variant: &Variant, register: &Register) -> Result<Vec<TuneAxis>, InputError> {
    match &bot.spec {
        AnySpec::Process(params) => {
            let knobs = params.declared.knobs().map_or(&[][..], Knobs::all);
            Ok(knobs.iter().filter_map(|knob| declared_axis(knob, &params.settings)).collect())
        }
        // These have limits and files, and no parameters of play.
        AnySpec::Wasm(_) | AnySpec::Onnx(_) | AnySpec::Python(_) => Ok(Vec::new()),
        spec => {
            let listed = register.parameters_in_game(spec.name(), variant.game.name())?;
            let own = spec.parameters();
            Ok(listed.iter().filter_map(|row| listed_axis(row, &own, bot, variant, register)).collect())
        }
    }
}

/// Returns a parameter that an external bot declares; `None` if it cannot be tuned.
fn declared_axis(knob: &Knob, settings: &Table) -> Option<TuneAxis> {
    let start = settings.get(&knob.name).unwrap_or(&knob.default);
    let values = match &knob.range {
        KnobRange::Number { low, high, step } => numbers(*low, *high, *step, false, start),
        KnobRange::Integer { low, high, step } => {
            numbers(*low as f64, *high as f64, step.map(|step| step as f64), true, start)
        }
        KnobRange::Switch => ParameterValues::Choices(vec![false.into(), true.into()]),
        KnobRange::Choice(choices) => {
            ParameterValues::Choices(choices.iter().map(|choice| choice.as_str().into()).collect())
        }
        KnobRange::Text => return None,
    };
    Some(TuneAxis { key: format!("{OWN}{}", knob.name), values })
}

/// Returns a parameter of a strategy; `None` if it cannot be tuned.
fn listed_axis(row: &Parameter, own: &Table, bot: &Bot, variant: &Variant, register: &Register) -> Option<TuneAxis> {
    let start = get(own, &row.parameter).filter(|_| !row.is_effort)?;
    let axis = |values| TuneAxis { key: row.parameter.clone(), values };
    if let Some(choices) = kinds(row) {
        let plays = |choice: &Value| {
            let changes = Space { axes: vec![axis(ParameterValues::Choices(vec![choice.clone()]))] }.table(&[0.0]);
            let changed = register.changed(bot, &bot.name, &changes);
            changed.is_ok_and(|bot| check_eligible(&bot, std::slice::from_ref(variant)).is_ok())
        };
        let choices: Vec<Value> = choices.into_iter().filter(plays).collect();
        return (choices.len() > 1 && choices.contains(start)).then(|| axis(ParameterValues::Choices(choices)));
    }
    let (low, high) = row.low.zip(row.high)?;
    Some(axis(numbers(low, high, None, start.is_integer(), start)))
}

/// Returns the numbers of a range that are tried.
///
/// A range of many whole numbers has longer steps. The start lies between the first and the last number.
fn numbers(low: f64, high: f64, step: Option<f64>, whole: bool, start: &Value) -> ParameterValues {
    let coarse = || (whole && high - low > MOST_STEPS).then(|| libm::ceil((high - low) / MOST_STEPS));
    let step = step.or_else(coarse);
    let values = ParameterValues::numbers(low, high, step, whole);
    let ParameterValues::Numbers { step, count, .. } = values else { return values };
    if values.nearest(start).is_some() {
        return values;
    }
    // The steps end before the start, so they begin later.
    ParameterValues::Numbers { low: high - step * f64::from(count - 1), step, count, whole }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn values(values: &ParameterValues) -> (Value, Value, usize) {
        (values.value(0), values.value(values.count() - 1), values.count())
    }

    #[test]
    fn steps_reach_the_start() {
        let whole = |step, start: i64| values(&numbers(1.0, 10.0, step, true, &start.into()));
        assert_eq!(whole(None, 3), (1.into(), 10.into(), 10));
        assert_eq!(whole(Some(4.0), 9), (1.into(), 9.into(), 3));
        assert_eq!(whole(Some(4.0), 10), (2.into(), 10.into(), 3));
        let (low, high, count) = values(&numbers(0.0, 1e9 + 7.0, None, true, &1_000_000_007.into()));
        assert!(count as f64 <= MOST_STEPS + 1.0 && low.as_integer() < Some(2000), "{low} {count}");
        assert_eq!(high, 1_000_000_007.into());
        assert_eq!(values(&numbers(-1.0, 1.0, None, false, &0.5.into())), ((-1.0).into(), 1.0.into(), 2001));
    }
}
