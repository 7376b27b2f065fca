//! Reads TOML and reports errors with file, line, key and remedy.

mod alike;
mod home;
mod joined;
mod printable;

pub use alike::{did_you_mean, did_you_mean_file, toml_files};
pub use home::{home_remedy, in_home};
pub use joined::Joined;
pub use printable::{printable, printable_lines, push_printable};

use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use thiserror::Error;
use toml::de::{DeTable, DeValue};
use toml::{Spanned, Table, Value};

/// An error in the user's input, as one clear message.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputError {
    /// The file, if a file is at fault.
    pub file: Option<PathBuf>,
    /// The line, counted from 1, if it is known.
    pub line: Option<usize>,
    /// The key, dotted, if a key is at fault.
    pub key: Option<String>,
    /// The problem and its remedy.
    pub problem: String,
    /// The kind of system error, if the system refused a file, a folder or a thread. The user's text is then
    /// not at fault.
    pub refused: Option<std::io::ErrorKind>,
}

impl InputError {
    /// Returns an error that is not about a file.
    pub fn plain(problem: impl Into<String>) -> InputError {
        InputError { file: None, line: None, key: None, problem: problem.into(), refused: None }
    }

    /// Returns an error about a whole file or folder.
    pub fn file(path: &Path, problem: impl Into<String>) -> InputError {
        InputError { file: Some(path.to_owned()), ..InputError::plain(problem) }
    }

    /// Returns the error for a file that cannot be read.
    pub fn unreadable(path: &Path, error: &std::io::Error) -> InputError {
        let problem = match error.kind() {
            std::io::ErrorKind::NotFound => match home_remedy(path) {
                Some(remedy) => format!("there is no such file; {remedy}"),
                None => "there is no such file".to_owned(),
            },
            std::io::ErrorKind::IsADirectory => "is a folder, and must be a file".to_owned(),
            _ => format!("cannot be read: {error}"),
        };
        InputError::file(path, problem).by_system(error)
    }

    /// Returns the same error with the key or the option that is wrong.
    pub fn at_key(self, key: impl Into<String>) -> InputError {
        InputError { key: Some(key.into()), ..self }
    }

    /// Returns the same error with the line that is wrong, counted from 1.
    pub fn at_line(self, line: usize) -> InputError {
        InputError { line: Some(line), ..self }
    }

    /// Returns the same error, with the system at fault.
    pub fn by_system(self, error: &std::io::Error) -> InputError {
        InputError { refused: Some(error.kind()), ..self }
    }
}

/// Writes the message with all text that may come from outside made printable.
impl fmt::Display for InputError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            let name = if file == Path::new(STANDARD_INPUT) { "standard input".into() } else { file.to_string_lossy() };
            out.write_str(&printable(&name))?;
            if let Some(line) = self.line {
                write!(out, ":{line}")?;
            }
            out.write_str(": ")?;
        }
        if let Some(key) = &self.key {
            write!(out, "`{}`: ", printable(key))?;
        }
        out.write_str(&printable_lines(&self.problem))
    }
}

/// The file name that stands for standard input.
pub const STANDARD_INPUT: &str = "-";

/// Reads a file, or standard input if it is `-`.
///
/// `remedy` is the advice for text that is not UTF-8.
pub fn read_text(file: &Path, remedy: &str) -> Result<String, InputError> {
    use std::io::Read;

    let bytes = if file == Path::new(STANDARD_INPUT) {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(file)
    };
    let bytes = bytes.map_err(|error| InputError::unreadable(file, &error))?;
    String::from_utf8(bytes).map_err(|error| {
        let sound = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = 1 + sound.iter().filter(|&&byte| byte == b'\n').count();
        InputError { line: Some(line), ..InputError::file(file, format!("is not UTF-8 text; {remedy}")) }
    })
}

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
        use std::io::Read;

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

    /// Returns the whole document.
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Returns an error at a key of this document.
    pub fn error(&self, key: &[String], problem: impl Into<String>) -> InputError {
        InputError {
            line: self.line(key),
            key: (!key.is_empty()).then(|| self.in_full(key)),
            ..InputError::file(&self.file, problem)
        }
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
        let at = offset(document.get_ref(), key)?;
        Some(line_of(&self.text, at))
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
        let (key, message) = culprit::<T>(table).unwrap_or_else(|| (Vec::new(), in_words(failure.message())));
        let path: Vec<String> = at.iter().cloned().chain(key).collect();
        Err(self.error(&path, message.trim_end()))
    }
}

/// Returns the byte offset of a key, or of the last existing key on the way to it.
fn offset(table: &DeTable<'_>, key: &[String]) -> Option<usize> {
    innermost(table, key).map(|(_, offset)| offset)
}

/// Returns the number of parts of `key` that exist, and the byte offset of the last. A name with dots spans
/// several.
fn innermost(table: &DeTable<'_>, key: &[String]) -> Option<(usize, usize)> {
    let found = |count: usize| {
        let (first, rest) = key.split_at(count);
        let first = first.join(".");
        let (name, value) = table.iter().find(|(name, _)| *name.get_ref() == first)?;
        let inner = innermost_in(value, rest).map(|(more, offset)| (count + more, offset));
        Some(inner.unwrap_or((count, name.span().start)))
    };
    (1..=key.len()).filter_map(found).max()
}

fn innermost_in(value: &Spanned<DeValue<'_>>, key: &[String]) -> Option<(usize, usize)> {
    let (first, rest) = key.split_first()?;
    match value.get_ref() {
        DeValue::Table(table) => innermost(table, key),
        DeValue::Array(array) => {
            let element = array.get(first.parse::<usize>().ok()?)?;
            let inner = innermost_in(element, rest).map(|(more, offset)| (1 + more, offset));
            Some(inner.unwrap_or((1, element.span().start)))
        }
        _ => None,
    }
}

/// Returns the line, counted from 1, of a byte offset.
pub fn line_of(text: &str, offset: usize) -> usize {
    1 + text.bytes().take(offset).filter(|&byte| byte == b'\n').count()
}

/// Returns the innermost key of `table` that does not fit `T`, and its error message.
fn culprit<T: DeserializeOwned>(table: &Table) -> Option<(Vec<String>, String)> {
    /// Reads `inner`, wrapped in the tables of `path`, as a `T`.
    fn try_at<T: DeserializeOwned>(path: &[String], inner: Value) -> Result<T, toml::de::Error> {
        let wrap = |inner, name: &String| Value::Table(Table::from_iter([(name.clone(), inner)]));
        T::deserialize(path.iter().rev().fold(inner, wrap))
    }
    fn search<T: DeserializeOwned>(path: &[String], table: &Table) -> Option<(Vec<String>, String)> {
        for (name, value) in table {
            let here: Vec<String> = path.iter().cloned().chain([name.clone()]).collect();
            let Err(error) = try_at::<T>(&here, value.clone()) else {
                continue;
            };
            // An empty table that fails too is itself unknown or misplaced.
            if let Value::Table(inner) = value
                && try_at::<T>(&here, Value::Table(Table::new())).is_ok()
                && let Some(found) = search::<T>(&here, inner)
            {
                return Some(found);
            }
            return Some((here, in_words(error.message())));
        }
        None
    }
    search::<T>(&[], table)
}

/// Returns a deserializer's error message without the names of Rust types.
pub fn in_words(message: &str) -> String {
    let message = printable(message.trim_end());
    let mut text = message.clone();
    // As in: "unknown field `nerves`, expected one of `rng`, `nerve`"
    if message.starts_with("unknown ") {
        let mut names = message.split('`').skip(1).step_by(2);
        let unknown = names.next().unwrap_or_default();
        let end = message.find("`,").map_or(message.len(), |comma| comma + 1);
        text.insert_str(end, &did_you_mean(unknown, names));
    }
    for (typed, plain) in [
        ("unknown variant ", "unknown choice "),
        ("unknown field ", "unknown key "),
        (", there are no fields", ": nothing can be set here"),
        ("expected one of ", "choose one of "),
        ("invalid type: ", "is of the wrong kind: "),
        ("invalid value: ", "is out of range: "),
        ("a sequence", "a list"),
        ("a map", "a table"),
        ("a boolean", "true or false"),
    ] {
        text = text.replace(typed, plain);
    }
    // `expected u8` and similar words are at the end.
    let (start, last) = text.rsplit_once(' ').unwrap_or(("", &text));
    let plain = match last {
        "i8" | "i16" | "i32" | "i64" => "a whole number",
        "u8" | "u16" | "u32" | "u64" | "usize" => "a whole number, 0 or more",
        "f32" | "f64" => "a number",
        _ => return text,
    };
    format!("{start} {plain}")
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
