//! Reads the knobs that a bot declares in its `hello`, and says what is wrong with them.

use overtrick_toml::{did_you_mean, printable};
use serde_json::{Map, Value as Json};
use toml::Value;

use super::knob::{Knob, KnobRange};
use super::shown;

/// The most knobs of a bot.
pub(super) const MOST_KNOBS: usize = 256;
/// The most choices of a knob.
const MOST_CHOICES: usize = 256;
/// The most characters of a name or a choice.
const LONGEST_NAME: usize = 64;
/// The most characters of a default that is a text, or of a meaning.
const LONGEST_TEXT: usize = 1000;
/// The largest absolute value of a number. Whole numbers up to it are exact in JSON.
const LARGEST: f64 = 9_007_199_254_740_992.0;
/// The shortest range of a number, and the shortest step. Tuning rounds to ten decimals.
const SHORTEST_RANGE: f64 = 1e-6;
const SHORTEST_STEP: f64 = 1e-9;
/// The most values of a number with a step.
const MOST_STEPS: f64 = 1e6;
/// The kinds of knobs.
const KINDS: [&str; 5] = ["number", "integer", "switch", "choice", "text"];
/// The keys of a knob.
const KEYS: [&str; 8] = ["name", "kind", "low", "high", "step", "choices", "default", "about"];

/// Reads a list of knobs.
///
/// # Errors
/// The first key that is wrong, with its remedy.
pub(super) fn read_knobs(written: &Json) -> Result<Vec<Knob>, String> {
    let Json::Array(entries) = written else {
        return Err(format!("`parameters` is {}, but must be a list of objects", quoted(written)));
    };
    if entries.len() > MOST_KNOBS {
        return Err(format!("`parameters` has {} entries, but at most {MOST_KNOBS} are allowed", entries.len()));
    }
    let mut knobs: Vec<Knob> = Vec::new();
    for (number, entry) in (1..).zip(entries) {
        let reader = KnobReader::new(number, entry)?;
        let name = reader.name()?;
        let knob = reader.knob(name).map_err(|problem| format!("{problem} (the parameter {name:?})"))?;
        if knobs.iter().any(|other| other.name == knob.name) {
            return Err(format!(
                "`parameters #{number}.name` is {name:?}, a name that another has: rename one of them"
            ));
        }
        knobs.push(knob);
    }
    Ok(knobs)
}

/// An entry of the list, while it is read.
struct KnobReader<'a> {
    /// The number of the entry, from 1.
    number: usize,
    keys: &'a Map<String, Json>,
}

impl<'a> KnobReader<'a> {
    fn new(number: usize, entry: &'a Json) -> Result<KnobReader<'a>, String> {
        match entry {
            Json::Object(keys) => Ok(KnobReader { number, keys }),
            other => {
                let example = "{\"name\":\"risk\",\"kind\":\"integer\",\"low\":0,\"high\":5,\"default\":0}";
                Err(format!("`parameters #{number}` is {}, but must be an object like {example}", quoted(other)))
            }
        }
    }

    /// Returns the message for a key that is wrong.
    fn wrong(&self, key: &str, problem: &str) -> String {
        format!("`parameters #{}.{key}` {problem}", self.number)
    }

    /// Returns the value of a key; null stands for none.
    fn get(&self, key: &str) -> Option<&'a Json> {
        self.keys.get(key).filter(|value| !value.is_null())
    }

    fn knob(&self, name: &str) -> Result<Knob, String> {
        let range = self.range()?;
        self.check_keys(&range)?;
        let default = self.default(&range)?;
        let knob = Knob::new(name, range, default).about(&self.about()?);
        match knob.refusal(&knob.default) {
            None => Ok(knob),
            Some(problem) => Err(self.wrong("default", &problem)),
        }
    }

    fn name(&self) -> Result<&'a str, String> {
        let Some(name) = self.get("name") else {
            return Err(self.wrong("name", "is missing: give the key of the setting"));
        };
        let plain = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
        match name.as_str() {
            Some(name) if (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(plain) => Ok(name),
            _ => {
                let problem = format!(
                    "is {}, but must be a text of 1 to {LONGEST_NAME} letters A to Z and a to z, digits, `-` and `_`",
                    quoted(name)
                );
                Err(self.wrong("name", &problem))
            }
        }
    }

    fn range(&self) -> Result<KnobRange, String> {
        let Some(kind) = self.get("kind") else {
            return Err(self.wrong("kind", &format!("is missing: give one of {}", KINDS.join(", "))));
        };
        match kind.as_str() {
            Some("number") => self.numbers(),
            Some("integer") => self.integers(),
            Some("switch") => Ok(KnobRange::Switch),
            Some("choice") => self.choices().map(KnobRange::Choice),
            Some("text") => Ok(KnobRange::Text),
            other => {
                let meant = did_you_mean(other.unwrap_or_default(), KINDS);
                let problem = format!("is {}{meant}, but must be one of {}", quoted(kind), KINDS.join(", "));
                Err(self.wrong("kind", &problem))
            }
        }
    }

    /// Checks that there is no key that this kind of knob does not have.
    ///
    /// Unknown keys are left alone, since later versions may have more.
    fn check_keys(&self, range: &KnobRange) -> Result<(), String> {
        let own: &[&str] = match range {
            KnobRange::Number { .. } | KnobRange::Integer { .. } => &["low", "high", "step"],
            KnobRange::Choice(_) => &["choices"],
            KnobRange::Switch | KnobRange::Text => &[],
        };
        let every = ["name", "kind", "default", "about"];
        let is_extra = |key: &&str| self.get(key).is_some() && !own.contains(key) && !every.contains(key);
        match KEYS.into_iter().find(|key| is_extra(key)) {
            None => Ok(()),
            Some(key) => Err(self.wrong(key, &format!("does not go with the kind {:?}: leave it out", range.kind()))),
        }
    }

    /// Returns the number at a key, if there is one.
    fn number(&self, key: &str) -> Result<Option<f64>, String> {
        let Some(value) = self.get(key) else { return Ok(None) };
        match value.as_f64() {
            Some(number) if number.abs() <= LARGEST => Ok(Some(number)),
            _ => Err(self.wrong(key, &format!("is {}, but must be a number, -2^53 to 2^53", quoted(value)))),
        }
    }

    fn needed_number(&self, key: &str) -> Result<f64, String> {
        let end = if key == "low" { "least" } else { "greatest" };
        self.number(key)?.ok_or_else(|| self.wrong(key, &format!("is missing: give the {end} value")))
    }

    fn numbers(&self) -> Result<KnobRange, String> {
        let (low, high, step) = (self.needed_number("low")?, self.needed_number("high")?, self.number("step")?);
        if high - low < SHORTEST_RANGE {
            let problem = format!("is {low}, but must be at least {SHORTEST_RANGE} below `high`, {high}");
            return Err(self.wrong("low", &problem));
        }
        if let Some(step) = step {
            if !(SHORTEST_STEP..=high - low).contains(&step) {
                let problem = format!("is {step}, but must be {SHORTEST_STEP} to {}", high - low);
                return Err(self.wrong("step", &problem));
            }
            if (high - low) / step > MOST_STEPS {
                let problem = format!("is {step}, which gives more than {MOST_STEPS} values: give a longer one");
                return Err(self.wrong("step", &problem));
            }
        }
        Ok(KnobRange::Number { low, high, step })
    }

    fn integers(&self) -> Result<KnobRange, String> {
        let KnobRange::Number { low, high, step } = self.numbers()? else { unreachable!("a range of numbers") };
        let [low, high] = [("low", low), ("high", high)].map(|(key, number)| self.whole(key, number));
        let step = step.map(|step| self.whole("step", step)).transpose()?;
        Ok(KnobRange::Integer { low: low?, high: high?, step })
    }

    /// Returns a number of a key as a whole number.
    fn whole(&self, key: &str, number: f64) -> Result<i64, String> {
        if number.fract() != 0.0 {
            return Err(
                self.wrong(key, &format!("is {number}, but must be a whole number, as the kind is \"integer\""))
            );
        }
        // It is at most 2^53.
        Ok(number as i64)
    }

    fn choices(&self) -> Result<Vec<String>, String> {
        let Some(written) = self.get("choices") else {
            return Err(self.wrong("choices", "is missing: give a list of at least two texts"));
        };
        let listed = written.as_array().filter(|listed| (2..=MOST_CHOICES).contains(&listed.len()));
        let Some(listed) = listed else {
            let problem = format!("is {}, but must be a list of 2 to {MOST_CHOICES} texts", quoted(written));
            return Err(self.wrong("choices", &problem));
        };
        let mut choices: Vec<String> = Vec::new();
        for choice in listed {
            let Some(text) = choice.as_str().filter(|text| is_line(text, LONGEST_NAME)) else {
                let problem = format!(
                    "has {}, but each must be a text of 1 to {LONGEST_NAME} printable characters",
                    quoted(choice)
                );
                return Err(self.wrong("choices", &problem));
            };
            if choices.iter().any(|other| other == text) {
                return Err(self.wrong("choices", &format!("has {text:?} twice: take one of them out")));
            }
            choices.push(text.to_owned());
        }
        Ok(choices)
    }

    fn default(&self, range: &KnobRange) -> Result<Value, String> {
        let Some(written) = self.get("default") else {
            return Err(self.wrong("default", "is missing: give the value with which the bot plays without settings"));
        };
        match (range, written) {
            (KnobRange::Number { .. }, Json::Number(_)) => Ok(self.number("default")?.unwrap_or_default().into()),
            (KnobRange::Integer { .. }, Json::Number(_)) => {
                Ok(self.whole("default", self.number("default")?.unwrap_or_default())?.into())
            }
            (KnobRange::Text, Json::String(text)) if !text.is_empty() && !is_line(text, LONGEST_TEXT) => {
                let problem = format!("must be a text of at most {LONGEST_TEXT} printable characters");
                Err(self.wrong("default", &problem))
            }
            (_, Json::String(text)) => Ok(text.as_str().into()),
            (_, Json::Bool(is_on)) => Ok((*is_on).into()),
            (range, other) => Err(self.wrong("default", &format!("is {}, but must be {range}", quoted(other)))),
        }
    }

    /// Returns the meaning in one printable line.
    fn about(&self) -> Result<String, String> {
        let Some(written) = self.get("about") else { return Ok(String::new()) };
        match written.as_str().filter(|text| text.chars().count() <= LONGEST_TEXT) {
            Some(text) => Ok(printable(&text.split_whitespace().collect::<Vec<_>>().join(" "))),
            None => {
                let problem =
                    format!("is {}, but must be a text of at most {LONGEST_TEXT} characters", quoted(written));
                Err(self.wrong("about", &problem))
            }
        }
    }
}

/// Returns whether a text is printable, and has between one and `longest` characters.
fn is_line(text: &str, longest: usize) -> bool {
    (1..=longest).contains(&text.chars().count()) && printable(text) == text
}

/// Returns a value of a message as an error shows it.
fn quoted(value: &Json) -> String {
    const SHOWN: usize = 60;
    shown(&value.to_string(), SHOWN)
}

#[cfg(test)]
mod tests {
    use super::super::{Hello, Knobs};
    use super::*;

    /// Reads a `hello` with these parameters.
    fn read(parameters: &str) -> Result<Option<Knobs>, String> {
        let line = format!(
            "{{\"hello\":{{\"name\":\"x\",\"protocol\":1,\"variants\":[\"all\"],\"parameters\":{parameters}}}}}"
        );
        Hello::read(line.as_bytes()).map(|hello| hello.parameters).map_err(|fault| fault.to_string())
    }

    #[test]
    fn every_kind_is_read_and_written_back() {
        let written = r#"[{"name":"a","kind":"number","low":0.0,"high":1.0,"step":0.25,"default":0.5,"about":"x y"},
            {"name":"b","kind":"integer","low":-3,"high":9,"default":0},{"name":"c","kind":"switch","default":true},
            {"name":"d","kind":"choice","choices":["one","two"],"default":"two"},
            {"name":"e","kind":"text","default":""}]"#;
        let knobs = read(written).unwrap().unwrap();
        let first = Knob::number("a", 0.0..=1.0, 0.5).about("x y");
        let step = KnobRange::Number { low: 0.0, high: 1.0, step: Some(0.25) };
        let built = vec![
            Knob { range: step, ..first },
            Knob::integer("b", -3..=9, 0),
            Knob::switch("c", true),
            Knob::choice("d", &["one", "two"], "two"),
            Knob::text("e", ""),
        ];
        assert_eq!(knobs.all(), built);
        let compact: String = written.split_inclusive('\n').map(|line| line.trim()).collect();
        assert_eq!(serde_json::to_string(&knobs).unwrap(), compact);
    }

    #[test]
    fn numbers_may_be_written_in_either_way_and_null_is_nothing() {
        let knobs = read(r#"[{"name":"a","kind":"number","low":0,"high":2,"default":1,"step":null,"later":[1]}]"#);
        assert_eq!(knobs.unwrap().unwrap().all(), [Knob::number("a", 0.0..=2.0, 1.0)]);
        let knobs = read(r#"[{"name":"a","kind":"integer","low":0.0,"high":2e0,"default":1.0,"step":1}]"#);
        let range = KnobRange::Integer { low: 0, high: 2, step: Some(1) };
        assert_eq!(knobs.unwrap().unwrap().all(), [Knob { range, ..Knob::integer("a", 0..=2, 1) }]);
        assert_eq!((read("null"), read("[]")), (Ok(None), Ok(Some(Knobs::default()))));
    }

    #[test]
    fn a_meaning_is_one_printable_line() {
        let knobs = read("[{\"name\":\"a\",\"kind\":\"switch\",\"default\":true,\"about\":\"a\\n  b\\u001b[2J\"}]");
        assert_eq!(knobs.unwrap().unwrap().all()[0].about, "a b\\u{1b}[2J");
    }

    /// Checks that a knob with these keys is refused, with this message about a key.
    fn refused(keys: &str, message: &str) {
        let said =
            read(&format!("[{{\"name\":\"first\",\"kind\":\"switch\",\"default\":true}},{{{keys}}}]")).unwrap_err();
        assert!(said.starts_with(&format!("wrong-handshake: `parameters #2.{message}")), "{keys}: {said}");
        assert!(!said.contains(char::is_control), "{said:?}");
    }

    #[test]
    fn every_wrong_key_is_named_with_its_remedy() {
        let named = |rest: &str| format!("\"name\":\"x\",{rest}");
        for (keys, message) in [
            (r#""kind":"number""#, "name` is missing: give the key of the setting"),
            (r#""name":"a b""#, "name` is \"a b\", but must be a text of 1 to 64 letters"),
            (r#""name":"""#, "name` is \"\", but must be"),
            (r#""name":7"#, "name` is 7, but must be"),
            ("\"name\":\"a\\u001b\"", "name` is \"a\\u001b\", but must be"),
        ] {
            refused(keys, message);
        }
        for (rest, message) in [
            (r#""default":1"#, "kind` is missing: give one of number, integer, switch, choice, text"),
            (r#""kind":"nubmer""#, "kind` is \"nubmer\" (did you mean number?), but must be one of number, "),
            (r#""kind":3"#, "kind` is 3, but must be one of"),
            (r#""kind":"number","high":1,"default":1"#, "low` is missing: give the least value"),
            (r#""kind":"number","low":1,"default":1"#, "high` is missing: give the greatest value"),
            (r#""kind":"number","low":"0","high":1"#, "low` is \"0\", but must be a number, -2^53 to 2^53"),
            (r#""kind":"number","low":0,"high":1e300"#, "high` is 1e+300, but must be a number, -2^53 to 2^53"),
            (r#""kind":"number","low":2,"high":2"#, "low` is 2, but must be at least 0.000001 below `high`, 2"),
            (r#""kind":"number","low":0,"high":1,"step":0"#, "step` is 0, but must be 0.000000001 to 1"),
            (r#""kind":"number","low":0,"high":1,"step":2"#, "step` is 2, but must be 0.000000001 to 1"),
            (
                r#""kind":"number","low":0,"high":9,"step":1e-6"#,
                "step` is 0.000001, which gives more than 1000000 values",
            ),
            (r#""kind":"number","low":0,"high":1"#, "default` is missing: give the value with which the bot plays"),
            (r#""kind":"number","low":0,"high":1,"default":2"#, "default` is 2, but must be 0 to 1"),
            (r#""kind":"number","low":0,"high":1,"default":"x""#, "default` is \"x\", but must be a number, 0 to 1"),
            (r#""kind":"number","low":0,"high":1,"default":[1]"#, "default` is [1], but must be a number, 0 to 1"),
            (r#""kind":"integer","low":0.5,"high":1"#, "low` is 0.5, but must be a whole number, as the kind is"),
            (r#""kind":"integer","low":0,"high":3,"step":1.5"#, "step` is 1.5, but must be a whole number"),
            (r#""kind":"integer","low":0,"high":3,"default":0.5"#, "default` is 0.5, but must be a whole number"),
            (r#""kind":"switch","default":1"#, "default` is 1, but must be true or false"),
            (r#""kind":"switch","default":true,"low":0"#, "low` does not go with the kind \"switch\": leave it out"),
            (r#""kind":"number","low":0,"high":1,"choices":[]"#, "choices` does not go with the kind \"number\""),
            (r#""kind":"choice","default":"a""#, "choices` is missing: give a list of at least two texts"),
            (r#""kind":"choice","choices":["a"]"#, "choices` is [\"a\"], but must be a list of 2 to 256 texts"),
            (r#""kind":"choice","choices":["a",1]"#, "choices` has 1, but each must be a text of 1 to 64 printable"),
            (r#""kind":"choice","choices":["a","b","a"]"#, "choices` has \"a\" twice: take one of them out"),
            (
                r#""kind":"choice","choices":["a","b"],"default":"c""#,
                "default` is \"c\", but must be one of \"a\", \"b\"",
            ),
            (r#""kind":"text","default":7"#, "default` is 7, but must be a text"),
            (r#""kind":"text","default":"a\u0007""#, "default` must be a text of at most 1000 printable characters"),
            (r#""kind":"text","default":"a","about":3"#, "about` is 3, but must be a text of at most 1000 characters"),
        ] {
            refused(&named(rest), message);
        }
        let said = read(r#"[{"name":"x","kind":"switch","default":7}]"#).unwrap_err();
        assert!(said.ends_with("must be true or false (the parameter \"x\")"), "{said}");
        refused(r#""name":"first","kind":"switch","default":true"#, "name` is \"first\", a name that another has");
    }

    #[test]
    fn a_declaration_has_an_end() {
        assert!(read("7").unwrap_err().contains("`parameters` is 7, but must be a list of objects"));
        assert!(read("[7]").unwrap_err().contains("`parameters #1` is 7, but must be an object like {\"name\""));
        let many = |count: usize| {
            let knob = |number: usize| format!("{{\"name\":\"k{number}\",\"kind\":\"switch\",\"default\":true}}");
            read(&format!("[{}]", (0..count).map(knob).collect::<Vec<_>>().join(",")))
        };
        assert_eq!(many(MOST_KNOBS).unwrap().unwrap().all().len(), MOST_KNOBS);
        assert!(many(MOST_KNOBS + 1).unwrap_err().contains("has 257 entries, but at most 256 are allowed"));
        let long = "x".repeat(LONGEST_TEXT);
        let knob =
            |about: &str| format!("[{{\"name\":\"a\",\"kind\":\"switch\",\"default\":true,\"about\":\"{about}\"}}]");
        assert!(read(&knob(&long)).is_ok());
        let said = read(&knob(&format!("{long}x"))).unwrap_err();
        assert!(said.contains("`parameters #1.about` is \"xxx") && said.len() < 400, "{said}");
    }
}
