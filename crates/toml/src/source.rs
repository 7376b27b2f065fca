//! TOML documents that know the lines of their keys.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

use super::messages::{culprit, in_words};
use super::{InputError, in_home};

/// The maximum size of a TOML document in bytes. Parsed, it takes many times that memory.
const LARGEST: usize = 16 << 20;

fn too_large(file: &Path) -> InputError {
    InputError::file(file, format!("has more than {} MiB, and no config needs that much; write less", LARGEST >> 20))
}

/// A TOML document that knows the line of each of its keys.
#[derive(Clone, Debug)]
pub struct Source {
    file: PathBuf,
    text: String,
    table: Table,
}

impl Source {
    /// Reads a file.
    ///
    /// # Errors
    /// If the file cannot be read, is too large or is not TOML.
    pub fn read(file: &Path) -> Result<Source, InputError> {
        let mut text = String::new();
        // One extra byte shows that the file is too large.
        let read = File::open(file).and_then(|open| open.take(LARGEST as u64 + 1).read_to_string(&mut text));
        match read {
            // The limit may have cut a character in two, which is an error of its UTF-8.
            Err(_) if file.metadata().is_ok_and(|data| data.len() > LARGEST as u64) => Err(too_large(file)),
            Err(error) => Err(InputError::unreadable(file, &error)),
            Ok(_) => Source::parse(file, text),
        }
    }

    /// Parses `text` as the content of `file`.
    ///
    /// # Errors
    /// If it is not TOML, or too large.
    pub fn parse(file: &Path, text: String) -> Result<Source, InputError> {
        if text.len() > LARGEST {
            return Err(too_large(file));
        }
        match text.parse::<Table>() {
            Ok(table) => Ok(Source { file: file.to_owned(), text, table }),
            Err(error) => Err(InputError {
                line: error.span().map(|span| line_of(&text, span.start)),
                ..InputError::file(file, error.message().trim_end())
            }),
        }
    }

    /// Returns the file of the document.
    pub fn file(&self) -> &Path {
        &self.file
    }

    /// Returns the path of a file that the document names.
    ///
    /// It is next to the document if it exists there, else in the working folder. A leading `~` is the home
    /// folder.
    pub fn beside(&self, file: &str) -> PathBuf {
        let file = in_home(Path::new(file));
        let near = self.file.parent().unwrap_or(Path::new("")).join(&file);
        if near.exists() { near } else { file }
    }

    /// Returns the text of the document.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the whole document.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Returns an error at a key of this document.
    pub fn error(&self, key: &[String], problem: impl Into<String>) -> InputError {
        let error = InputError { line: self.line(key), ..InputError::file(&self.file, problem) };
        if key.is_empty() { error } else { error.at_key(self.in_full(key)) }
    }

    /// Returns a key for a message: dotted, with list elements counted from 1, as in `bots #2.name`.
    fn in_full(&self, key: &[String]) -> String {
        let mut text = String::new();
        let mut inner: Option<&Value> = None;
        for (depth, part) in key.iter().enumerate() {
            let place = inner.filter(|value| value.is_array()).and_then(|_| part.parse::<usize>().ok());
            match place {
                Some(place) => text.push_str(&format!(" #{}", place + 1)),
                None if depth > 0 => text.extend([".", part]),
                None => text.push_str(part),
            }
            inner = match inner {
                None if depth == 0 => self.table.get(part),
                Some(Value::Array(list)) => place.and_then(|place| list.get(place)),
                Some(Value::Table(table)) => table.get(part),
                _ => None,
            };
        }
        text
    }

    /// Returns the line of a key, or of the innermost existing key on the way to it.
    fn line(&self, key: &[String]) -> Option<usize> {
        let document = DeTable::parse(&self.text).ok()?;
        Some(line_of(&self.text, innermost(document.get_ref(), key)?.offset))
    }

    /// Reads `table`, which is at `at` in this document, as a `T` with a default for every field.
    ///
    /// # Errors
    /// The first key that is unknown or of the wrong type.
    pub fn fields<T: DeserializeOwned>(&self, at: &[String], table: &Table) -> Result<T, InputError> {
        let failure = match T::deserialize(Value::Table(table.clone())) {
            Ok(value) => return Ok(value),
            Err(error) => error,
        };
        // The error has no position: the faulty key is the key that fails alone.
        let (key, message) = culprit::<T>(&[], table).unwrap_or_else(|| (Vec::new(), in_words(failure.message())));
        Err(self.error(&[at, &key].concat(), message.trim_end()))
    }
}

/// The part of a key that exists in a document.
///
/// Of two spellings of a key, the one with more parts counts, and then the later one.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct InnermostKey {
    /// The number of parts that exist.
    depth: usize,
    /// The byte offset of the last of them.
    offset: usize,
}

/// Finds a key in a table. A name with dots spans several parts of the key.
fn innermost(table: &DeTable<'_>, key: &[String]) -> Option<InnermostKey> {
    let found = |depth: usize| {
        let (first, rest) = key.split_at(depth);
        let first = first.join(".");
        let (name, value) = table.iter().find(|(name, _)| *name.get_ref() == first)?;
        Some(innermost_below(depth, name.span().start, value, rest))
    };
    (1..=key.len()).filter_map(found).max()
}

/// Finds the rest of a key below a value, of which `depth` parts exist, the last at `offset`.
fn innermost_below(depth: usize, offset: usize, value: &Spanned<DeValue<'_>>, rest: &[String]) -> InnermostKey {
    let inner = match (value.get_ref(), rest) {
        (DeValue::Table(table), _) => innermost(table, rest),
        (DeValue::Array(array), [index, rest @ ..]) => {
            let element = index.parse::<usize>().ok().and_then(|index| array.get(index));
            element.map(|element| innermost_below(1, element.span().start, element, rest))
        }
        _ => None,
    };
    inner.map_or(InnermostKey { depth, offset }, |inner| InnermostKey { depth: depth + inner.depth, ..inner })
}

/// Returns the line, counted from 1, of a byte offset.
pub fn line_of(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|&byte| byte == b'\n').count()
}

/// Splits the dotted path of a key.
pub fn key(dotted: &str) -> Vec<String> {
    dotted.split('.').map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Deserialize;

    #[derive(Debug, Default, Deserialize)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
    struct Outer {
        number: u32,
        inner: Inner,
        list: Vec<Value>,
    }

    #[derive(Debug, Default, Deserialize)]
    #[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
    struct Inner {
        nerve: f64,
    }

    fn read(text: &str) -> Result<Outer, String> {
        let source = Source::parse(Path::new("a.toml"), text.to_owned()).map_err(|e| e.to_string())?;
        source.fields(&[], source.table()).map_err(|e| e.to_string())
    }

    #[test]
    fn good_text_is_read() {
        let outer = read("number = 3\nlist = [1]\n[inner]\nnerve = 0.5").unwrap();
        assert_eq!((outer.number, outer.inner.nerve, outer.list.len()), (3, 0.5, 1));
    }

    #[test]
    fn errors_name_file_line_and_key() {
        let message = read("number = 3\n\n[inner]\nnerves = 0.5").unwrap_err();
        assert!(message.starts_with("a.toml:4: `inner.nerves`: unknown key"), "{message}");
        let message = read("number = \"x\"").unwrap_err();
        assert!(message.starts_with("a.toml:1: `number`: is of the wrong kind"), "{message}");
        let message = read("list = [1]\nnumbr = 3").unwrap_err();
        assert!(message.starts_with("a.toml:2: `numbr`: unknown key"), "{message}");
        let message = read("[inner]\nnerve = ").unwrap_err();
        assert!(message.starts_with("a.toml:2: "), "{message}");
    }

    #[test]
    fn the_name_most_like_a_misspelt_one_is_offered() {
        let message = read("[inner]\nnerves = 0.5").unwrap_err();
        assert!(message.contains("unknown key `nerves` (did you mean nerve?), expected `nerve`"), "{message}");
        let message = read("nubmer = 3").unwrap_err();
        assert!(message.contains("unknown key `nubmer` (did you mean number?), choose one of `number`"), "{message}");
        assert!(!read("zzz = 3").unwrap_err().contains("did you mean"));
    }

    #[test]
    fn keys_and_choices_of_strangers_give_no_orders() {
        let message = read("\"\\u001b[2J\\nerror: x\" = 1").unwrap_err();
        assert!(!message.contains(char::is_control), "{message}");
        assert!(message.contains("unknown key `\\u{1b}[2J\\nerror: x`"), "{message}");
        let error = InputError::file(Path::new("a\u{7}b"), "first\nsecond\u{1b}").at_key("k\u{202e}\n");
        assert_eq!(error.to_string(), "a\\u{7}b: `k\\u{202e}\\n`: first\nsecond\\u{1b}");
    }

    #[test]
    fn a_document_has_an_end() {
        let text = "# ".to_owned() + &"x".repeat(LARGEST);
        let message = read(&text).unwrap_err();
        assert_eq!(message, "a.toml: has more than 16 MiB, and no config needs that much; write less");
    }

    #[test]
    fn elements_of_lists_are_counted_from_1() {
        let text = "bots = [\"a\", {name = \"b\"}]\n[[rules]]\nlist = [1, 2]";
        let source = Source::parse(Path::new("a.toml"), text.to_owned()).unwrap();
        let shown = |dotted: &str| source.error(&key(dotted), "no").key.unwrap();
        assert_eq!(shown("bots.0"), "bots #1");
        assert_eq!(shown("bots.1.name"), "bots #2.name");
        assert_eq!(shown("rules.0.list.1"), "rules #1.list #2");
        assert_eq!(shown("groups.7.x"), "groups.7.x");
    }

    #[test]
    fn elements_of_arrays_have_lines_too() {
        let text = "list = [\n  1,\n  {a = 2},\n]\n[[more]]\nb = 1\n[[more]]\nb = 2";
        let source = Source::parse(Path::new("a.toml"), text.to_owned()).unwrap();
        assert_eq!(source.line(&key("list.1.a")), Some(3));
        assert_eq!(source.line(&key("more.1.b")), Some(8));
        assert_eq!(source.line(&key("missing")), None);
    }

    #[test]
    fn keys_with_dots_in_them_have_lines_too() {
        let text = "[inner]\nx = 1\n\"y.z\" = 2\n\"u.v\" = {\n\"w.x\" = 3\n}\n\n[\"inner.x\"]\nq = 4";
        let source = Source::parse(Path::new("a.toml"), text.to_owned()).unwrap();
        assert_eq!(source.line(&key("inner.y.z")), Some(3));
        assert_eq!(source.line(&key("inner.u.v.w.x")), Some(5));
        assert_eq!(source.line(&key("inner.u.v.missing")), Some(4));
        // A key that exists in two spellings has the line of the later one.
        assert_eq!((source.line(&key("inner.x")), source.line(&key("inner.x.q"))), (Some(8), Some(9)));
        assert_eq!(source.line(&key("inner.y")), Some(1));
    }
}
