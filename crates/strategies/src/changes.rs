//! Tables of parameters: unfolds keys with dots, and merges changes into a bot's parameters.

use overtrick_toml::key;
use toml::{Table, Value};

/// Returns the table with nested tables in place of keys with dots.
///
/// For example, `"dumbo.ambition" = 0.4` turns into `dumbo = { ambition = 0.4 }`.
///
/// # Errors
/// The key, in parts, that is set in two spellings.
pub fn unfolded(table: &Table) -> Result<Table, Vec<String>> {
    let mut whole = Table::new();
    for (name, value) in table {
        let path = key(name);
        let value = match value {
            Value::Table(inner) => Value::Table(unfolded(inner).map_err(|twice| [path.as_slice(), &twice].concat())?),
            other => other.clone(),
        };
        let nested = path.into_iter().rev().fold(value, |inner, part| Value::Table(Table::from_iter([(part, inner)])));
        let Value::Table(nested) = nested else { unreachable!("a key has a part") };
        join(&mut whole, nested)?;
    }
    Ok(whole)
}

/// Adds the values of `more` to a table, or returns a key that is already there.
fn join(table: &mut Table, more: Table) -> Result<(), Vec<String>> {
    for (name, value) in more {
        match (table.get_mut(&name), value) {
            (None, value) => {
                table.insert(name, value);
            }
            (Some(Value::Table(inner)), Value::Table(more)) => {
                join(inner, more).map_err(|twice| [vec![name], twice].concat())?;
            }
            _ => return Err(vec![name]),
        }
    }
    Ok(())
}

/// Puts the values of `changes` into `table`; inner tables are merged key by key.
pub(super) fn merge(table: &mut Table, changes: Table) {
    for (key, value) in changes {
        match (table.get_mut(&key), value) {
            (Some(Value::Table(inner)), Value::Table(changes)) => merge(inner, changes),
            (_, value) => {
                table.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Table {
        text.parse().unwrap()
    }

    #[test]
    fn a_key_with_dots_is_a_key_of_a_table_in_each_spelling() {
        let nested = table("worlds = 3\n[dumbo]\nambition = 0.4\nruns = 1");
        for text in [
            "\"worlds\" = 3\n\"dumbo.ambition\" = 0.4\n\"dumbo.runs\" = 1",
            "worlds = 3\ndumbo.ambition = 0.4\ndumbo.runs = 1",
            "worlds = 3\n\"dumbo.ambition\" = 0.4\ndumbo = { runs = 1 }",
        ] {
            assert_eq!(unfolded(&table(text)), Ok(nested.clone()), "{text}");
        }
        assert_eq!(unfolded(&table("\"a.b\" = { \"c.d\" = 1 }")), Ok(table("a.b.c.d = 1")));
    }

    #[test]
    fn a_key_in_two_spellings_is_told() {
        for (text, twice) in [
            ("\"dumbo.ambition\" = 0.4\ndumbo = { ambition = 0.4 }", "dumbo.ambition"),
            ("dumbo = 3\n\"dumbo.ambition\" = 0.4", "dumbo"),
            ("a = { \"b.c\" = 1, b = { c = 2 } }", "a.b.c"),
        ] {
            assert_eq!(unfolded(&table(text)), Err(key(twice)), "{text}");
        }
    }

    #[test]
    fn changes_leave_what_they_do_not_name() {
        let mut before = table("worlds = 3\nlist = [1, 2]\n[dumbo]\nambition = 0.4\nruns = 1");
        merge(&mut before, table("list = [3]\ndumbo.ambition = 0.5\nnew = true"));
        assert_eq!(before, table("worlds = 3\nlist = [3]\nnew = true\n[dumbo]\nambition = 0.5\nruns = 1"));
    }
}
