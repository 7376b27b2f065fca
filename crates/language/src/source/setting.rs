//! The values that keys take: a number, truth value or word, or the text of an expression.

use std::fmt;
use std::marker::PhantomData;

#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::StrDeserializer;
use serde::de::{Deserialize, DeserializeOwned, Deserializer, Error, Visitor};

/// A whole number from `LOW` to `HIGH`, or `"=EXPRESSION"` of options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AmountSetting<const LOW: i32, const HIGH: i32> {
    /// The number.
    Value(i32),
    /// The text with its `=`.
    Text(String),
}

/// True or false, or `"=CONDITION"` of options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FlagSetting {
    /// The truth value.
    Value(bool),
    /// The text with its `=`.
    Text(String),
}

/// A word of `T`, or `"=NAME"` of an option whose values are words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChoiceSetting<T> {
    /// The word.
    Value(T),
    /// The text with its `=`.
    Text(String),
}

/// An expression with an integer: its text, or a whole number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormulaSetting(pub String);

/// A condition: its text, or true or false.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConditionSetting {
    /// A condition that always holds or never.
    Value(bool),
    /// The text of the condition.
    Text(String),
}

/// The kinds of value that a key takes, for the visitor of all settings.
struct SettingVisitor<T, Make> {
    expected: &'static str,
    make: Make,
    result: PhantomData<T>,
}

/// A value as TOML has it.
enum RawSetting<'a> {
    Integer(i64),
    Truth(bool),
    Text(&'a str),
}

impl<T, Make: FnOnce(RawSetting<'_>) -> Result<Option<T>, String>> Visitor<'_> for SettingVisitor<T, Make> {
    type Value = T;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.expected)
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<T, E> {
        let unexpected = serde::de::Unexpected::Signed(value);
        let expected = self.expected;
        let made = (self.make)(RawSetting::Integer(value)).map_err(E::custom)?;
        made.ok_or_else(|| E::invalid_type(unexpected, &expected))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<T, E> {
        let expected = self.expected;
        let made = (self.make)(RawSetting::Truth(value)).map_err(E::custom)?;
        made.ok_or_else(|| E::invalid_type(serde::de::Unexpected::Bool(value), &expected))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<T, E> {
        let expected = self.expected;
        let made = (self.make)(RawSetting::Text(value)).map_err(E::custom)?;
        made.ok_or_else(|| E::invalid_type(serde::de::Unexpected::Str(value), &expected))
    }
}

/// Reads a setting. `make` returns `None` for a value of the wrong kind.
fn read<'de, D: Deserializer<'de>, T>(
    from: D,
    expected: &'static str,
    make: impl FnOnce(RawSetting<'_>) -> Result<Option<T>, String>,
) -> Result<T, D::Error> {
    from.deserialize_any(SettingVisitor { expected, make, result: PhantomData })
}

/// Returns the problem of a text that has no `=`.
fn no_equals_sign(text: &str, kind: &str) -> String {
    format!("is the text {text:?}; write {kind}, or \"=NAME\" for the value of an option")
}

impl<'de, const LOW: i32, const HIGH: i32> Deserialize<'de> for AmountSetting<LOW, HIGH> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        read(from, "a whole number or \"=EXPRESSION\"", |raw| match raw {
            RawSetting::Integer(value) => match i32::try_from(value) {
                Ok(value) if (LOW..=HIGH).contains(&value) => Ok(Some(AmountSetting::Value(value))),
                _ => Err(format!("is {value}, and must be {LOW} to {HIGH}")),
            },
            RawSetting::Text(text) if text.starts_with('=') => Ok(Some(AmountSetting::Text(text.to_owned()))),
            RawSetting::Text(text) => Err(no_equals_sign(text, "a number")),
            RawSetting::Truth(_) => Ok(None),
        })
    }
}

impl<'de> Deserialize<'de> for FlagSetting {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        read(from, "true, false or \"=NAME\"", |raw| match raw {
            RawSetting::Truth(value) => Ok(Some(FlagSetting::Value(value))),
            RawSetting::Text(text) if text.starts_with('=') => Ok(Some(FlagSetting::Text(text.to_owned()))),
            RawSetting::Text(text) => Err(no_equals_sign(text, "true or false")),
            RawSetting::Integer(_) => Ok(None),
        })
    }
}

impl<'de, T: DeserializeOwned> Deserialize<'de> for ChoiceSetting<T> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        read(from, "a word or \"=NAME\"", |raw| match raw {
            RawSetting::Text(text) if text.starts_with('=') => Ok(Some(ChoiceSetting::Text(text.to_owned()))),
            RawSetting::Text(text) => word(text).map(|word| Some(ChoiceSetting::Value(word))),
            RawSetting::Integer(_) | RawSetting::Truth(_) => Ok(None),
        })
    }
}

/// Reads a word.
///
/// # Errors
/// The message of serde, with the words that there are.
pub fn word<T: DeserializeOwned>(text: &str) -> Result<T, String> {
    T::deserialize(StrDeserializer::<serde::de::value::Error>::new(text)).map_err(|error| error.to_string())
}

impl<'de> Deserialize<'de> for FormulaSetting {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        read(from, "a whole number or an expression", |raw| match raw {
            RawSetting::Integer(value) => Ok(Some(FormulaSetting(value.to_string()))),
            RawSetting::Text(text) => Ok(Some(FormulaSetting(text.to_owned()))),
            RawSetting::Truth(_) => Ok(None),
        })
    }
}

impl<'de> Deserialize<'de> for ConditionSetting {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        read(from, "true, false or a condition", |raw| match raw {
            RawSetting::Truth(value) => Ok(Some(ConditionSetting::Value(value))),
            RawSetting::Text(text) => Ok(Some(ConditionSetting::Text(text.to_owned()))),
            RawSetting::Integer(_) => Ok(None),
        })
    }
}

/// Implements the schema of a setting, which is the first or a text.
#[cfg(feature = "schema")]
macro_rules! schema_of {
    ([$($generics:tt)*] $kind:ty, $generator:ident => $schema:expr) => {
        impl $($generics)* JsonSchema for $kind {
            fn inline_schema() -> bool {
                true
            }
            fn schema_name() -> std::borrow::Cow<'static, str> {
                std::any::type_name::<Self>().into()
            }
            fn json_schema($generator: &mut SchemaGenerator) -> Schema {
                $schema
            }
        }
    };
}

#[cfg(feature = "schema")]
schema_of!([<const LOW: i32, const HIGH: i32>] AmountSetting<LOW, HIGH>, _generator => json_schema!({
    "anyOf": [{ "type": "integer", "minimum": LOW, "maximum": HIGH }, { "type": "string", "pattern": "^=" }]
}));

#[cfg(feature = "schema")]
schema_of!([] FlagSetting, _generator => json_schema!({
    "anyOf": [{ "type": "boolean" }, { "type": "string", "pattern": "^=" }]
}));

#[cfg(feature = "schema")]
schema_of!([<T: JsonSchema>] ChoiceSetting<T>, generator => {
    let words = generator.subschema_for::<T>();
    json_schema!({ "anyOf": [words, { "type": "string", "pattern": "^=" }] })
});

#[cfg(feature = "schema")]
schema_of!([] FormulaSetting, _generator => json_schema!({ "type": ["integer", "string"] }));

#[cfg(feature = "schema")]
schema_of!([] ConditionSetting, _generator => json_schema!({ "type": ["boolean", "string"] }));
