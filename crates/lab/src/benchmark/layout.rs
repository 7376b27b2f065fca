//! Writes JSON with one line for each inner object, since a result has thousands of numbers.

use std::io::{self, Write};

use serde::Serialize;
use serde_json::Serializer;
use serde_json::ser::Formatter;

/// The deepest level whose elements have a line each.
const DEEPEST_LINES: usize = 2;

/// A writer of JSON whose upper levels are indented, and whose lower levels are lines.
#[derive(Default)]
struct UpperLevels {
    level: usize,
    /// Whether the list or object that ends has any element.
    has_elements: bool,
}

impl UpperLevels {
    fn begin<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        self.level += 1;
        self.has_elements = false;
        out.write_all(bracket)
    }

    fn end<W: ?Sized + Write>(&mut self, out: &mut W, bracket: &[u8]) -> io::Result<()> {
        let has_lines = self.level <= DEEPEST_LINES && self.has_elements;
        self.level -= 1;
        self.has_elements = true;
        if has_lines {
            self.new_line(out)?;
        }
        out.write_all(bracket)
    }

    fn begin_element<W: ?Sized + Write>(&mut self, out: &mut W, is_first: bool) -> io::Result<()> {
        if !is_first {
            out.write_all(b",")?;
        }
        if self.level <= DEEPEST_LINES { self.new_line(out) } else { Ok(()) }
    }

    fn new_line<W: ?Sized + Write>(&self, out: &mut W) -> io::Result<()> {
        out.write_all(b"\n")?;
        (0..self.level).try_for_each(|_| out.write_all(b"  "))
    }
}

impl Formatter for UpperLevels {
    fn begin_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin(out, b"[")
    }

    fn end_array<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, b"]")
    }

    fn begin_array_value<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.begin_element(out, first)
    }

    fn end_array_value<W: ?Sized + Write>(&mut self, _out: &mut W) -> io::Result<()> {
        self.has_elements = true;
        Ok(())
    }

    fn begin_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.begin(out, b"{")
    }

    fn end_object<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        self.end(out, b"}")
    }

    fn begin_object_key<W: ?Sized + Write>(&mut self, out: &mut W, first: bool) -> io::Result<()> {
        self.begin_element(out, first)
    }

    fn begin_object_value<W: ?Sized + Write>(&mut self, out: &mut W) -> io::Result<()> {
        out.write_all(if self.level <= DEEPEST_LINES { b": " } else { b":" })
    }

    fn end_object_value<W: ?Sized + Write>(&mut self, _out: &mut W) -> io::Result<()> {
        self.has_elements = true;
        Ok(())
    }
}

/// Returns a value as JSON with a line for each object in a list.
///
/// # Panics
/// If the value has no form in JSON.
pub fn lines_of_json(value: &impl Serialize) -> Vec<u8> {
    let mut text = Vec::new();
    value.serialize(&mut Serializer::with_formatter(&mut text, UpperLevels::default())).expect("plain values");
    text.push(b'\n');
    text
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn inner_objects_are_lines() {
        let value = json!({ "a": [{ "b": [1, 2], "c": {} }, { "b": [] }], "d": {}, "e": { "f": [[3], 4] } });
        let text = String::from_utf8(lines_of_json(&value)).unwrap();
        let lines = [
            "{",
            "  \"a\": [",
            "    {\"b\":[1,2],\"c\":{}},",
            "    {\"b\":[]}",
            "  ],",
            "  \"d\": {},",
            "  \"e\": {",
            "    \"f\": [[3],4]",
            "  }",
            "}",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), lines);
        assert_eq!(serde_json::from_str::<Value>(&text).unwrap(), value);
    }
}
