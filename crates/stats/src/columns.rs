//! The columns of rows: a field is one column, and an [`Interval`] is several.

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Serialize;
use serde::ser::SerializeStruct;

use super::figure::{Figure, Interval};

/// The columns of a field: their keys in files, and their descriptions, which may be empty.
pub type Keys = [(&'static str, &'static str)];

/// The type of a field of a row.
pub trait Columns {
    /// Writes the value under the keys of its columns.
    ///
    /// # Errors
    /// If the writer fails.
    fn write<R: SerializeStruct>(&self, keys: &Keys, row: &mut R) -> Result<(), R::Error>;

    /// Adds the columns to the schema of a row; `about` describes the field.
    fn describe(keys: &Keys, about: &str, row: &mut Schema, generator: &mut SchemaGenerator);
}

impl<T: Serialize + JsonSchema> Columns for T {
    fn write<R: SerializeStruct>(&self, keys: &Keys, row: &mut R) -> Result<(), R::Error> {
        row.serialize_field(keys[0].0, self)
    }

    fn describe(keys: &Keys, about: &str, row: &mut Schema, generator: &mut SchemaGenerator) {
        add_column(row, keys[0].0, about, generator.subschema_for::<T>());
    }
}

/// The columns are the ends, the value and the ends, or the value, its standard error and the ends.
impl Columns for Interval {
    fn write<R: SerializeStruct>(&self, keys: &Keys, row: &mut R) -> Result<(), R::Error> {
        let figures = [self.value, self.se, self.low, self.high].map(Figure);
        let shown: &[usize] = match keys.len() {
            2 => &[2, 3],
            3 => &[0, 2, 3],
            _ => &[0, 1, 2, 3],
        };
        keys.iter().zip(shown).try_for_each(|((key, _), &figure)| row.serialize_field(key, &figures[figure]))
    }

    fn describe(keys: &Keys, about: &str, row: &mut Schema, generator: &mut SchemaGenerator) {
        let last = keys.len() - 1;
        for (place, &(key, own)) in keys.iter().enumerate() {
            let about = match place {
                _ if !own.is_empty() => own,
                0 => about,
                _ if place == last => "Upper end of its 95% interval.",
                _ if place + 1 == last => "Lower end of its 95% interval.",
                _ => "Its standard error, over groups of deals.",
            };
            add_column(row, key, about, generator.subschema_for::<Figure>());
        }
    }
}

/// Adds a column, which every row has, to the schema of a row.
fn add_column(row: &mut Schema, key: &str, about: &str, mut column: Schema) {
    column.insert("description".to_owned(), about.into());
    let row = row.ensure_object();
    row["properties"][key] = column.into();
    row["required"].as_array_mut().expect("a list").push(key.into());
}

/// Returns a name with `-` in place of `_`, as keys in files have it.
pub const fn dashed<const LENGTH: usize>(name: &str) -> [u8; LENGTH] {
    let mut bytes = [b'-'; LENGTH];
    let mut at = 0;
    while at < LENGTH {
        if name.as_bytes()[at] != b'_' {
            bytes[at] = name.as_bytes()[at];
        }
        at += 1;
    }
    bytes
}

/// Defines types of rows: structs with public fields that are written to CSV and JSON, with a JSON Schema.
///
/// The keys are the names of the fields in kebab case. An [`Interval`] `won` has the keys `won`, `won-low` and
/// `won-high`. After `as` stand other keys: two for the ends; three for the value and the ends; four for the
/// value, the standard error and the ends. A doc comment before a key replaces the usual description.
#[macro_export]
macro_rules! rows {
    // The key of a field, in kebab case, and its end.
    (@key $field:ident $($end:literal)?) => {{
        const NAME: &str = concat!(stringify!($field) $(, $end)?);
        const BYTES: [u8; NAME.len()] = $crate::columns::dashed(NAME);
        const KEY: &str = match std::str::from_utf8(&BYTES) {
            Ok(key) => key,
            Err(_) => panic!("a name is UTF-8"),
        };
        KEY
    }};
    // The keys of a field: those that are listed, or else all that its type may need.
    (@keys $field:ident) => {
        [
            ($crate::rows!(@key $field), ""),
            ($crate::rows!(@key $field "-low"), ""),
            ($crate::rows!(@key $field "-high"), ""),
        ]
    };
    (@keys $field:ident $($(#[doc = $own:literal])* $key:ident)+) => {
        [$(($crate::rows!(@key $key), concat!($($own, "\n"),*))),+]
    };
    ($($(#[doc = $about:literal])+ pub struct $Row:ident {
        $($(#[doc = $doc:literal])+ $field:ident: $Type:ty
            $(as [$($(#[doc = $own:literal])* $key:ident),+ $(,)?])?,)+
    })+) => {$(
        $(#[doc = $about])+
        #[derive(Clone, Debug, Default, PartialEq)]
        #[non_exhaustive]
        pub struct $Row {
            $($(#[doc = $doc])+ pub $field: $Type,)+
        }

        impl serde::Serialize for $Row {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                use serde::ser::SerializeStruct as _;
                let fields = [$(stringify!($field)),+];
                let mut row = serializer.serialize_struct(stringify!($Row), fields.len())?;
                $($crate::columns::Columns::write(
                    &self.$field,
                    &$crate::rows!(@keys $field $($($(#[doc = $own])* $key)+)?),
                    &mut row,
                )?;)+
                row.end()
            }
        }

        impl schemars::JsonSchema for $Row {
            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($Row).into()
            }

            fn schema_id() -> std::borrow::Cow<'static, str> {
                concat!(module_path!(), "::", stringify!($Row)).into()
            }

            fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                let about = concat!($($about, "\n"),+);
                let mut row = schemars::json_schema!({
                    "type": "object", "description": about, "properties": {}, "required": []
                });
                $(<$Type as $crate::columns::Columns>::describe(
                    &$crate::rows!(@keys $field $($($(#[doc = $own])* $key)+)?),
                    concat!($($doc, "\n"),+),
                    &mut row,
                    generator,
                );)+
                row
            }
        }
    )+};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_an_interval_say_which_figure_they_are() {
        let described = |keys: &Keys| -> Vec<String> {
            let mut row: Schema = schemars::json_schema!({ "properties": {}, "required": [] });
            Interval::describe(keys, "The figure.", &mut row, &mut SchemaGenerator::default());
            let row = row.as_value();
            let about = |key: &str| row["properties"][key]["description"].as_str().unwrap().to_owned();
            keys.iter().map(|(key, _)| about(key)).collect()
        };
        let (low, high) = ("Lower end of its 95% interval.", "Upper end of its 95% interval.");
        let all = described(&[("won", ""), ("se", ""), ("low", ""), ("high", "")]);
        assert_eq!(all, ["The figure.", "Its standard error, over groups of deals.", low, high]);
        assert_eq!(described(&[("won", ""), ("low", "Own."), ("high", "")]), ["The figure.", "Own.", high]);
    }
}
