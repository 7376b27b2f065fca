//! Two structs whose keys stand in one table.

use serde::de::value::Error as ValueError;
use serde::de::{DeserializeOwned, Deserializer, Error, Visitor};
use serde::{Deserialize, Serialize, forward_to_deserialize_any};
use toml::{Table, Value};

/// Two structs whose keys stand in one table, which has no other keys.
///
/// Neither struct may deny unknown keys itself, since it also meets the keys of the other. With serde's
/// `flatten` the error for an unknown key would not list the known keys.
#[derive(Clone, Debug, Serialize)]
pub struct Joined<First, Second> {
    /// The struct whose keys are listed first.
    #[serde(flatten)]
    pub first: First,
    /// The struct whose keys are listed second.
    #[serde(flatten)]
    pub second: Second,
}

impl<'de, First: DeserializeOwned, Second: DeserializeOwned> Deserialize<'de> for Joined<First, Second> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let table = Table::deserialize(from)?;
        let known = [keys::<First>(), keys::<Second>()].concat();
        if let Some(unknown) = table.keys().find(|name| !known.contains(&name.as_str())) {
            let known = known.join("`, `");
            return Err(D::Error::custom(format!("unknown field `{unknown}`, expected one of `{known}`")));
        }
        Ok(Joined { first: part(&table)?, second: part(&table)? })
    }
}

/// Reads the keys of `T` in a table.
fn part<T: DeserializeOwned, E: Error>(table: &Table) -> Result<T, E> {
    T::deserialize(Value::Table(table.clone())).map_err(|error| E::custom(error.message()))
}

/// Returns the keys of a struct; none if `T` is no struct.
fn keys<T: DeserializeOwned>() -> &'static [&'static str] {
    let mut keys: &[&str] = &[];
    // There is nothing to read, so this fails once the keys are known.
    let _ = T::deserialize(KeyList { keys: &mut keys });
    keys
}

/// A deserializer without content, which notes the keys that it is asked for.
struct KeyList<'a> {
    keys: &'a mut &'static [&'static str],
}

impl<'de> Deserializer<'de> for KeyList<'_> {
    type Error = ValueError;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ValueError> {
        *self.keys = fields;
        self.deserialize_any(visitor)
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, ValueError> {
        Err(ValueError::custom("there is no content"))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::Source;

    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case", default)]
    struct Head {
        file_name: Option<String>,
        seed: i64,
    }

    #[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(rename_all = "kebab-case", default)]
    struct Body {
        deals: Option<i64>,
        bots: Vec<Value>,
    }

    fn read(text: &str) -> Result<Joined<Head, Body>, String> {
        let source = Source::parse(Path::new("a.toml"), text.to_owned()).unwrap();
        source.fields(&[], source.table()).map_err(|error| error.to_string())
    }

    #[test]
    fn each_struct_reads_and_writes_its_own_keys() {
        let joined = read("deals = 5\nseed = 3\nbots = [1]").unwrap();
        assert_eq!(joined.first, Head { file_name: None, seed: 3 });
        assert_eq!(joined.second, Body { deals: Some(5), bots: vec![Value::from(1)] });
        let table = Table::try_from(&joined).unwrap();
        assert_eq!(toml::to_string(&table).unwrap(), "bots = [1]\ndeals = 5\nseed = 3\n");
    }

    #[test]
    fn errors_have_line_and_key_and_the_keys_of_both() {
        let unknown = read("deals = 5\nsed = 3").err().unwrap();
        let known = "choose one of `file-name`, `seed`, `deals`, `bots`";
        assert_eq!(unknown, format!("a.toml:2: `sed`: unknown key `sed` (did you mean seed?), {known}"));
        let kind = read("deals = 5\nseed = []").err().unwrap();
        assert!(kind.starts_with("a.toml:2: `seed`: is of the wrong kind: "), "{kind}");
        let kind = read("seed = 5\n\n bots = 3").err().unwrap();
        assert!(kind.starts_with("a.toml:3: `bots`: is of the wrong kind: "), "{kind}");
    }
}
