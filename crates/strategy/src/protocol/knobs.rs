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
                Some(now) if now.default != *default => format!("`{name}` starts at {}, and at {default} before", now.default),
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
