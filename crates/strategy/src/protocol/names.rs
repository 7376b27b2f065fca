//! Texts that are borrowed from a line where possible, and maps by name.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, Index};

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

/// A text, borrowed from its message unless it contains escapes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl Deref for Text<'_> {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Text<'a> {
        Text(Cow::Borrowed(text))
    }
}

impl From<String> for Text<'_> {
    fn from(text: String) -> Self {
        Text(Cow::Owned(text))
    }
}

impl PartialEq<&str> for Text<'_> {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self)
    }
}

/// Values by name, in the given order. They are few, so a look-up scans all of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ByName<'a, T>(Vec<(Text<'a>, T)>);

impl<T> Default for ByName<'_, T> {
    fn default() -> Self {
        ByName(Vec::new())
    }
}

impl<'a, T> ByName<'a, T> {
    /// Returns the value of a name.
    pub fn get(&self, name: &str) -> Option<&T> {
        self.iter().find_map(|(own, value)| (own == name).then_some(value))
    }

    /// Returns the names with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &T)> {
        self.0.iter().map(|(name, value)| (&**name, value))
    }

    /// Replaces all values and reuses the memory.
    pub(super) fn set(&mut self, values: impl Iterator<Item = (Text<'a>, T)>) {
        self.0.clear();
        self.0.extend(values);
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T> Index<&str> for ByName<'_, T> {
    type Output = T;
    fn index(&self, name: &str) -> &T {
        self.get(name).unwrap_or_else(|| panic!("there is no {name:?}"))
    }
}

impl<'a, T> FromIterator<(Text<'a>, T)> for ByName<'a, T> {
    fn from_iter<I: IntoIterator<Item = (Text<'a>, T)>>(values: I) -> Self {
        ByName(values.into_iter().collect())
    }
}

impl<'de: 'a, 'a, T: Deserialize<'de>> Deserialize<'de> for ByName<'a, T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Values<'a, T>(PhantomData<(&'a (), T)>);
        impl<'de: 'a, 'a, T: Deserialize<'de>> Visitor<'de> for Values<'a, T> {
            type Value = ByName<'a, T>;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a map")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ByName<'a, T>, A::Error> {
                let mut values = Vec::with_capacity(8);
                while let Some(entry) = map.next_entry()? {
                    values.push(entry);
                }
                Ok(ByName(values))
            }
        }
        deserializer.deserialize_map(Values(PhantomData))
    }
}
