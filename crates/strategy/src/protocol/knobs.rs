//! The knobs of a bot: all parameters that it declares.

use std::fmt;

use overtrick_toml::did_you_mean;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value as Json;
use toml::{Table, Value};

use super::knob::Knob;
use super::knob_reader::read_knobs;

/// All parameters that a bot declares.
///
/// A list with a mistake is read as one, so that [`Hello::read`](super::Hello::read) can name the key that is wrong.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Knobs {
    all: Vec<Knob>,
    /// The first mistake, if there is one. The list is then empty.
    flaw: Option<String>,
}

/// A setting that a declaration does not allow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SettingRefusal {
    /// The name of the setting.
    pub name: String,
    /// The reason.
    pub problem: String,
}

impl fmt::Display for SettingRefusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "`settings.{}` {}", self.name, self.problem)
    }
}

impl From<Vec<Knob>> for Knobs {
    fn from(all: Vec<Knob>) -> Knobs {
        Knobs { all, flaw: None }
    }
}

impl Knobs {
    /// Returns all knobs, in the order in which they were declared.
    pub fn all(&self) -> &[Knob] {
        &self.all
    }

    /// Returns the first mistake of a list that was read, with its remedy.
    pub fn flaw(&self) -> Option<&str> {
        self.flaw.as_deref()
    }

    /// Returns the knob of a name.
    pub fn get(&self, name: &str) -> Option<&Knob> {
        self.all.iter().find(|knob| knob.name == name)
    }

    /// Returns the reason why a setting of this name cannot have a value; `None` if it can.
    pub fn refusal(&self, name: &str, value: &Value) -> Option<String> {
        if let Some(knob) = self.get(name) {
            return knob.refusal(value);
        }
        let names: Vec<&str> = self.all.iter().map(|knob| knob.name.as_str()).collect();
        let meant = did_you_mean(name, names.iter().copied());
        Some(match names.as_slice() {
            [] => "is no parameter of the bot, which declares none: take it out".to_owned(),
            names => format!("is no parameter of the bot{meant}, which declares {}", names.join(", ")),
        })
    }

    /// Checks settings against the declaration.
    ///
    /// # Errors
    /// The first setting that is unknown, of the wrong kind or out of range.
    pub fn check(&self, settings: &Table) -> Result<(), SettingRefusal> {
        for (name, value) in settings {
            if let Some(problem) = self.refusal(name, value) {
                return Err(SettingRefusal { name: name.clone(), problem });
            }
        }
        Ok(())
    }

    /// Returns the settings with the default of each knob that they do not set.
    pub fn with_defaults(&self, settings: &Table) -> Table {
        let mut all: Table = self.all.iter().map(|knob| (knob.name.clone(), knob.default.clone())).collect();
        all.extend(settings.clone());
        all
    }

    /// Returns how another declaration of the same bot differs from this one, if it does.
    pub fn difference(&self, other: &Knobs) -> Option<String> {
        let changed = self.all.iter().find(|knob| other.get(&knob.name) != Some(knob));
        if let Some(Knob { name, range, default, .. }) = changed {
            return Some(match other.get(name) {
                None => format!("`{name}` is missing"),
                Some(now) if now.range != *range => format!("`{name}` is {}, and was {range}", now.range),
                Some(now) if now.default != *default => {
                    format!("`{name}` starts at {}, and at {default} before", now.default)
                }
                Some(_) => format!("`{name}` has another meaning (`about`)"),
            });
        }
        let added = other.all.iter().find(|knob| self.get(&knob.name).is_none())?;
        Some(format!("`{}` was not there before", added.name))
    }
}

impl Serialize for Knobs {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.all.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Knobs {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Knobs, D::Error> {
        Ok(match read_knobs(&Json::deserialize(from)?) {
            Ok(all) => Knobs { all, flaw: None },
            Err(flaw) => Knobs { all: Vec::new(), flaw: Some(flaw) },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn knobs() -> Knobs {
        let risk = Knob::integer("risk", 0..=5, 2);
        let lead = Knob::choice("lead", &["high", "low"], "low");
        vec![risk, Knob::number("nerve", 0.0..=1.0, 0.5), Knob::switch("bold", false), lead, Knob::text("book", "")]
            .into()
    }

    #[test]
    fn settings_must_be_those_that_are_declared() {
        let said = |settings: &str| knobs().check(&settings.parse().unwrap()).map_err(|refusal| refusal.to_string());
        for fine in ["", "risk = 5\nnerve = 1\nbold = true\nlead = \"high\"\nbook = \"x y\"", "nerve = 0.25"] {
            assert_eq!(said(fine), Ok(()));
        }
        for (settings, problem) in [
            (
                "rsik = 3",
                "rsik` is no parameter of the bot (did you mean risk?), which declares risk, nerve, bold, lead, book",
            ),
            ("risk = 6", "risk` is 6, but must be 0 to 5"),
            ("risk = 1.0", "risk` is 1.0, but must be a whole number, 0 to 5"),
            ("risk = \"3\"", "risk` is \"3\", but must be a whole number, 0 to 5"),
            ("nerve = -0.5", "nerve` is -0.5, but must be 0 to 1"),
            ("nerve = { x = 1 }", "nerve` is { x = 1 }, but must be a number, 0 to 1"),
            ("bold = 1", "bold` is 1, but must be true or false"),
            ("lead = \"hihg\"", "lead` is \"hihg\", but must be one of \"high\", \"low\""),
            ("book = 1", "book` is 1, but must be a text"),
        ] {
            assert_eq!(said(settings), Err(format!("`settings.{problem}")), "{settings}");
        }
    }

    #[test]
    fn defaults_stand_for_settings_that_are_missing() {
        let all = knobs().with_defaults(&"risk = 4\nbook = \"x\"".parse().unwrap());
        let expected = "bold = false\nbook = \"x\"\nlead = \"low\"\nnerve = 0.5\nrisk = 4";
        assert_eq!(all, expected.parse().unwrap());
        assert_eq!(knobs().check(&all), Ok(()));
    }

    #[test]
    fn a_difference_names_the_parameter() {
        let one = |knob: Knob| Knobs::from(vec![knob]);
        let risk = || Knob::integer("risk", 0..=5, 2);
        for (now, difference) in [
            (Knob::integer("risk", 0..=5, 3), "`risk` starts at 3, and at 2 before"),
            (risk().about("x"), "`risk` has another meaning (`about`)"),
            (Knob::switch("risk", true), "`risk` is true or false, and was a whole number, 0 to 5"),
        ] {
            assert_eq!(one(risk()).difference(&one(now)).as_deref(), Some(difference));
        }
        assert_eq!(one(risk()).difference(&one(risk())), None);
    }
}
