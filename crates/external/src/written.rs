//! Parameters as a manifest writes them.

use serde::Serialize;
use toml::{Table, Value};

/// Returns every parameter with its value.
///
/// # Panics
/// If the parameters are not plain values.
pub fn written(parameters: &impl Serialize) -> Table {
    Table::try_from(parameters).map(shortest).expect("parameters are plain values")
}

/// Returns the table with each number in the shortest form that reads back as the same 32-bit value, so that 0.7 does
/// not become 0.699999988.
pub fn shortest(table: Table) -> Table {
    let value = |value: Value| match value {
        Value::Float(long) if f64::from(long as f32) == long => {
            Value::Float((long as f32).to_string().parse().expect("a number"))
        }
        Value::Table(inner) => Value::Table(shortest(inner)),
        other => other,
    };
    table.into_iter().map(|(key, inner)| (key, value(inner))).collect()
}
