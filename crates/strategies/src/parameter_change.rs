//! A parameter with its new value, as written on a command line.

use std::fmt;
use std::str::FromStr;

use toml::{Table, Value};

/// A parameter with its new value, read from a text such as `dumbo.ambition=0.4`.
///
/// The value is TOML, or a single word, which is a text.
///
/// ```
/// use overtrick_strategies::{Bot, ParameterChange, Register};
///
/// let register = Register::default();
/// let rules = Bot::find("rule-based", &[], &register)??;
/// let change: ParameterChange = "dumbo.ambition=0.5".parse()?;
/// let bold = register.changed(&rules, "bold", &change.table())?;
/// # assert_eq!(bold.spec.parameters()["dumbo"]["ambition"].as_float(), Some(0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterChange {
    key: String,
    value: Value,
    /// The text from which it was read.
    text: String,
}

impl ParameterChange {
    /// Returns the table that makes the change in a manifest's parameters.
    pub fn table(&self) -> Table {
        Table::from_iter([(self.key.clone(), self.value.clone())])
    }

    /// Returns whether it sets the parameter with this dotted key, or a table around the parameter.
    pub fn sets(&self, key: &str) -> bool {
        key.strip_prefix(&self.key).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    }
}

impl FromStr for ParameterChange {
    type Err = String;

    fn from_str(text: &str) -> Result<ParameterChange, String> {
        let (key, written) =
            text.split_once('=').ok_or("there is no `=`: write KEY=VALUE, such as dumbo.ambition=0.4")?;
        if !is_key(key) {
            return Err(format!("{key:?} is no key of a parameter; write KEY=VALUE, such as dumbo.ambition=0.4"));
        }
        Ok(ParameterChange { key: key.to_owned(), value: value(written)?, text: text.to_owned() })
    }
}

impl fmt::Display for ParameterChange {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

/// Returns whether a text is a key that TOML accepts without quotes, with dots for tables.
pub fn is_key(text: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    text.split('.').all(|part| !part.is_empty() && part.chars().all(plain))
}

fn value(text: &str) -> Result<Value, String> {
    if let Ok(value) = text.parse() {
        return Ok(value);
    }
    let in_word = |letter: char| letter.is_alphanumeric() || "-_./".contains(letter);
    // A text that begins like a number and is not a number is probably a mistake.
    if text.starts_with(|first: char| first.is_alphabetic() || first == '/') && text.chars().all(in_word) {
        return Ok(Value::from(text));
    }
    Err(format!(
        "{text:?} is no value; write a number, true or false, a list such as [1, 2], a word, or a text in \"quotes\""
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_toml_or_a_word() {
        let read = |text: &str| text.parse::<ParameterChange>().unwrap();
        for (text, value) in [
            ("a.b=0.4", Value::from(0.4)),
            ("a.b=-3", Value::from(-3)),
            ("a.b=true", Value::from(true)),
            ("a.b=rule-based", Value::from("rule-based")),
            ("a.b=/usr/bin/x", Value::from("/usr/bin/x")),
            ("a.b=\"x=1: y\"", Value::from("x=1: y")),
            ("a.b=[\"x\", \"y\"]", Value::from(vec!["x", "y"])),
            ("a.b={ c = 1 }", Value::Table("c = 1".parse().unwrap())),
        ] {
            assert_eq!(read(text).table(), Table::from_iter([("a.b".to_owned(), value)]), "{text}");
            assert_eq!(read(text).to_string(), text);
        }
        for (text, problem) in [
            ("worlds", "there is no `=`"),
            ("=3", "\"\" is no key"),
            ("a..b=3", "\"a..b\" is no key"),
            ("a b=3", "\"a b\" is no key"),
            ("a=", "\"\" is no value"),
            ("a=[1, 2", "\"[1, 2\" is no value"),
            ("a=0,4", "\"0,4\" is no value"),
            ("a=two words", "\"two words\" is no value"),
            ("a=1\nb = 2", "is no value"),
            ("a=2x", "\"2x\" is no value"),
        ] {
            let message = text.parse::<ParameterChange>().unwrap_err();
            assert!(message.contains(problem) && message.contains("write"), "{text}: {message}");
        }
    }

    #[test]
    fn it_sets_its_own_key_and_those_within() {
        let change: ParameterChange = "a.b=1".parse().unwrap();
        assert_eq!(["a.b", "a.b.c", "a", "a.bc", ""].map(|key| change.sets(key)), [true, true, false, false, false]);
    }
}
