//! Wishes for measures of a game, and verdicts on them.

use overtrick_stats::{Bounded, SeatScale};
use overtrick_strategies::Bot;
use overtrick_toml::{InputError, Source, did_you_mean};
use serde::{Deserialize, Serialize};
use toml::Value;

/// The measures of a bot's lead over the previous bot: in points a deal, and without units.
pub const SKILLS: [&str; 5] = ["skill", "skill-sd", "skill-won", "skill-variance", "skill-elo"];

/// The value of `in` for a wish that is in points.
const POINTS: &str = "points";

/// The wanted value of a measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Wanted {
    /// A value within a band; a missing end is open.
    Within {
        /// The lower end.
        min: Option<f64>,
        /// The upper end.
        max: Option<f64>,
    },
    /// The largest possible value.
    More,
    /// The smallest possible value.
    Less,
}

/// A wish for the value of a measure, as one bot of the panel plays.
#[derive(Clone, Debug, PartialEq)]
pub struct SweepWish {
    /// The name of the measure.
    pub measure: String,
    /// The number of the bot in the panel.
    pub bot: usize,
    /// The wanted value.
    pub wanted: Wanted,
}

/// A verdict on whether a wish is met at a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WishVerdict {
    /// The whole interval lies within the band.
    Met,
    /// The whole interval lies outside the band.
    Missed,
    /// The interval reaches over an end of the band, or there is no interval.
    Open,
}

/// The measured value of a wish at a point, with the verdict.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JudgedWish {
    /// The value.
    pub value: Bounded,
    /// Whether the wish is met; `None` if the largest or smallest possible value is wanted.
    pub verdict: Option<WishVerdict>,
}

/// The measured values of a wish, by point; `None` where it was not measured.
pub type Judgement = Vec<Option<JudgedWish>>;

impl WishVerdict {
    /// Returns the name of the verdict in files.
    pub const fn name(self) -> &'static str {
        match self {
            WishVerdict::Met => "met",
            WishVerdict::Missed => "missed",
            WishVerdict::Open => "open",
        }
    }
}

/// The keys of a wish, as written.
#[derive(Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
struct WishKeys {
    min: Option<f64>,
    max: Option<f64>,
    bot: Option<String>,
    want: Option<String>,
    r#in: Option<String>,
}

/// Returns the measures without units that replace a measure in points.
///
/// `None` if the measure is not in points.
fn without_units(measure: &str) -> Option<String> {
    match measure {
        "points" => Some("a share such as tied".to_owned()),
        "skill" => Some("skill-sd, skill-won or skill-variance".to_owned()),
        _ if SeatScale::of(measure) == Some(SeatScale::Points) => Some(format!("{measure}-won or {measure}-sd")),
        _ => measure.strip_prefix("worth ").map(|option| format!("\"worth-sd {option}\"")),
    }
}

/// Returns the number of the bot of this name in the panel.
///
/// Without a name, it is the last bot. `at` is the place of the name.
pub(super) fn in_panel(source: &Source, at: &[String], name: Option<&str>, panel: &[Bot]) -> Result<usize, InputError> {
    let Some(name) = name else { return Ok(panel.len() - 1) };
    panel.iter().position(|bot| bot.name == name).ok_or_else(|| {
        let names: Vec<&str> = panel.iter().map(|bot| bot.name.as_str()).collect();
        source.error(at, format!("{name:?} is none of the panel: {}", names.join(", ")))
    })
}

/// Checks that the wish at `at` is in points only if it says so.
///
/// If all scores of a game are doubled, its points double, but it is the same game.
fn check_points(source: &Source, at: &[String], measure: &str, scale: Option<&str>) -> Result<(), InputError> {
    match (without_units(measure), scale) {
        (Some(_), Some(POINTS)) | (None, None) => Ok(()),
        (Some(better), None) => {
            let problem = format!(
                "is in points, which grow with the size of scores; want {better} instead, or add `in = \"points\"`"
            );
            Err(source.error(at, problem))
        }
        (Some(_), Some(other)) => Err(source.error(at, format!("has in = {other:?}; it is in \"points\""))),
        (None, Some(_)) => Err(source.error(at, "has `in`, but is a measure without units; leave `in` out")),
    }
}

impl SweepWish {
    /// Reads the wish at `at`.
    ///
    /// Without `bot`, it is about the last bot of the panel. `measures` has the names of all measures.
    pub(super) fn read(
        source: &Source,
        at: &[String],
        measure: &str,
        written: &Value,
        panel: &[Bot],
        measures: &[String],
    ) -> Result<SweepWish, InputError> {
        if !measures.iter().any(|known| known == measure) {
            if let (true, [bot]) = (measure.split('-').next() == Some("skill"), panel) {
                let problem = format!("compares two bots, and `panel` has only {}: add a bot to `panel`", bot.name);
                return Err(source.error(at, problem));
            }
            let meant = did_you_mean(measure, measures.iter().map(String::as_str));
            let problem = format!("there is no measure {measure:?}{meant}; there are {}", measures.join(", "));
            return Err(source.error(at, problem));
        }
        let written = match written {
            Value::String(text) => WishKeys { want: Some(text.clone()), ..WishKeys::default() },
            Value::Table(table) => source.fields(at, table)?,
            _ => return Err(source.error(at, "is neither a table with `min` or `max` nor \"more\" or \"less\"")),
        };
        check_points(source, at, measure, written.r#in.as_deref())?;
        let bot = in_panel(source, at, written.bot.as_deref(), panel)?;
        let wanted = match (written.want.as_deref(), written.min, written.max) {
            (Some("more"), None, None) => Wanted::More,
            (Some("less"), None, None) => Wanted::Less,
            (Some(_), None, None) => return Err(source.error(at, "is neither \"more\" nor \"less\"")),
            (Some(_), ..) => return Err(source.error(at, "has `want` and a band; give one of them")),
            (None, None, None) => return Err(source.error(at, "wants nothing: give `min`, `max` or both")),
            (None, Some(min), Some(max)) if min > max => {
                return Err(source.error(at, format!("has min = {min} and max = {max}; min may not be above max")));
            }
            (None, min, max) => Wanted::Within { min, max },
        };
        Ok(SweepWish { measure: measure.to_owned(), bot, wanted })
    }

    /// Returns the wish as a config has it.
    pub(super) fn to_value(&self, panel: &[Bot]) -> Value {
        let mut keys = WishKeys {
            bot: Some(panel[self.bot].name.clone()),
            r#in: self.is_in_points().then(|| POINTS.to_owned()),
            ..WishKeys::default()
        };
        match self.wanted {
            Wanted::Within { min, max } => (keys.min, keys.max) = (min, max),
            Wanted::More => keys.want = Some("more".to_owned()),
            Wanted::Less => keys.want = Some("less".to_owned()),
        }
        Value::try_from(keys).expect("plain values")
    }

    /// Returns whether the wish is in points, which grow with the size of scores.
    pub fn is_in_points(&self) -> bool {
        without_units(&self.measure).is_some()
    }

    /// Returns the wanted value in words.
    pub fn text(&self) -> String {
        match self.wanted {
            Wanted::Within { min: Some(min), max: Some(max) } => format!("between {min} and {max}"),
            Wanted::Within { min: Some(min), .. } => format!("at least {min}"),
            Wanted::Within { max: Some(max), .. } => format!("at most {max}"),
            Wanted::Within { .. } => "anything".to_owned(),
            Wanted::More => "as much as possible".to_owned(),
            Wanted::Less => "as little as possible".to_owned(),
        }
    }

    /// Returns the verdict on a value; `None` if the largest or smallest possible value is wanted.
    pub fn verdict(&self, value: &Bounded) -> Option<WishVerdict> {
        let Wanted::Within { min, max } = self.wanted else { return None };
        let Some((low, high)) = value.interval else { return Some(WishVerdict::Open) };
        let (min, max) = (min.unwrap_or(f64::NEG_INFINITY), max.unwrap_or(f64::INFINITY));
        Some(if low >= min && high <= max {
            WishVerdict::Met
        } else if high < min || low > max {
            WishVerdict::Missed
        } else {
            WishVerdict::Open
        })
    }

    /// Returns how far a value is from the wanted value; smaller is better.
    ///
    /// Within the band, it is 0.
    pub fn loss(&self, value: f64) -> f64 {
        match self.wanted {
            Wanted::Within { min, max } => {
                let below = min.map_or(0.0, |min| min - value);
                let above = max.map_or(0.0, |max| value - max);
                below.max(above).max(0.0)
            }
            Wanted::More => -value,
            Wanted::Less => value,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_need_the_whole_interval() {
        let wish =
            SweepWish { measure: "tied".to_owned(), bot: 0, wanted: Wanted::Within { min: Some(0.1), max: Some(0.3) } };
        let verdict = |value: f64, half: Option<f64>| {
            let interval = half.map(|half| (value - half, value + half));
            wish.verdict(&Bounded { value, se: None, interval }).unwrap()
        };
        assert_eq!(verdict(0.2, Some(0.05)), WishVerdict::Met);
        assert_eq!(verdict(0.2, Some(0.15)), WishVerdict::Open);
        assert_eq!(verdict(0.4, Some(0.05)), WishVerdict::Missed);
        assert_eq!(verdict(0.0, Some(0.05)), WishVerdict::Missed);
        assert_eq!(verdict(0.2, None), WishVerdict::Open);
        assert_eq!([0.0, 0.2, 0.5].map(|value| (10.0 * wish.loss(value)).round()), [1.0, 0.0, 2.0]);
        assert_eq!(wish.text(), "between 0.1 and 0.3");
    }
}
