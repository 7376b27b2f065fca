//! Sealed files: they begin with a line of text that names their kind and the version that wrote them.
//!
//! A checksum and the length of the rest follow, so that a damaged or truncated file is recognised.

use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::Path;

use overtrick_cards::SEEDING_VERSION;
use serde::Serialize;
use serde::de::DeserializeOwned;
use xxhash_rust::xxh3::{Xxh3, xxh3_128};

use super::Extent;

/// The number of bytes of the checksum and the length.
const SEAL: usize = 16 + 8;

/// Returns the first line of a file of this form, such as `tuning 1`: the form ends with its version.
fn title(form: &str) -> String {
    format!("overtrick {form}, seeding {SEEDING_VERSION}\n")
}

/// Returns the content of a file of this form with the bytes of `value`.
pub fn sealed(form: &str, value: &impl Serialize) -> Vec<u8> {
    let mut content = Vec::new();
    write_sealed(form, value, &mut content).expect("memory takes all");
    content
}

/// Writes the same content to `out`.
///
/// The value is serialised twice, once for the checksum, so that its bytes are never in memory as a whole.
///
/// # Errors
/// The error of the system.
pub(super) fn write_sealed(form: &str, value: &impl Serialize, out: impl Write) -> io::Result<()> {
    let mut sum = Sum { state: Xxh3::new(), length: 0 };
    write_bytes(value, BufWriter::new(&mut sum))?;
    let mut out = BufWriter::new(out);
    let head = [title(form).as_bytes(), &sum.state.digest128().to_le_bytes(), &sum.length.to_le_bytes()].concat();
    out.write_all(&head)?;
    write_bytes(value, out)
}

/// A writer that keeps only the checksum and the length of its input.
struct Sum {
    state: Xxh3,
    length: u64,
}

impl Write for Sum {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.state.update(bytes);
        self.length += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn write_bytes(value: &impl Serialize, out: impl Write) -> io::Result<()> {
    let mut out = Noting { out, written: Ok(()) };
    let is_done = postcard::to_io(value, &mut out).is_ok();
    let Noting { mut out, written } = out;
    written?;
    assert!(is_done, "plain values");
    out.flush()
}

/// A writer that keeps the error of the system, which `postcard` does not pass on.
struct Noting<W> {
    out: W,
    written: io::Result<()>,
}

impl<W: Write> Noting<W> {
    fn note<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        result.map_err(|error| {
            let kind = error.kind();
            self.written = Err(error);
            kind.into()
        })
    }
}

impl<W: Write> Write for Noting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes);
        self.note(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        self.note(flushed)
    }
}

/// Returns the value in the content of a file of this form; `kind` names the file in messages.
///
/// # Errors
/// The reason why it cannot be read.
pub fn unsealed<T: DeserializeOwned>(form: &str, kind: &str, bytes: &[u8]) -> Result<T, String> {
    let body = body(&title(form), kind, bytes)?;
    postcard::from_bytes(body).map_err(|error| format!("is damaged: {error}"))
}

/// Reads the bytes of a file; returns `None` if it does not exist.
pub(super) fn read_bytes(file: &Path) -> io::Result<Option<Vec<u8>>> {
    match std::fs::read(file) {
        Ok(bytes) => Ok(Some(bytes)),
        // If there is a file in place of its folder, it does not exist either.
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Returns the problem with a file that has the right checksum and an impossible content.
pub(super) fn changed(flaw: &str) -> String {
    format!("is damaged or was changed: its {flaw}")
}

/// Checks the fields of a file that messages quote, or that are used before the rest.
///
/// # Errors
/// The problem.
pub(super) fn check_header(version: &str, config: &str, extent: &Extent) -> Result<(), String> {
    let is_odd = |letter: char| letter.is_ascii_control() && !['\n', '\t'].contains(&letter);
    if version.contains(char::is_control) || config.contains(is_odd) {
        return Err(changed("version or configuration has control characters"));
    }
    if extent.is_possible() { Ok(()) } else { Err(changed("shard numbers are impossible")) }
}

/// Returns the bytes behind the seal of a file that should have this title.
fn body<'a>(title: &str, kind: &str, bytes: &'a [u8]) -> Result<&'a [u8], String> {
    let end = bytes.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let (line, rest) = bytes.split_at(end);
    if !line.starts_with(b"overtrick ") {
        return Err(format!("is no {kind} that overtrick wrote"));
    }
    if line != title.as_bytes() {
        let [theirs, own] = [line, title.as_bytes()].map(|line| String::from_utf8_lossy(line).trim_end().to_owned());
        return Err(format!("was written by another version that this one cannot read (\"{theirs}\", not \"{own}\")"));
    }
    let Some((seal, body)) = rest.split_at_checked(SEAL) else { return Err("is cut off".to_owned()) };
    let (sum, length) = seal.split_at(16);
    match length.try_into().map(u64::from_le_bytes) {
        Ok(length) if length == body.len() as u64 => {}
        _ => return Err("is damaged: its length is wrong".to_owned()),
    }
    if sum != xxh3_128(body).to_le_bytes() {
        return Err("is damaged: its checksum is wrong".to_owned());
    }
    Ok(body)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk that is full.
    struct Full;

    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Small contents are still in the buffer after the last write, so only the flush reports that the disk is full.
    #[test]
    fn a_full_disk_is_an_error_however_much_is_written() {
        for length in [1, 100, 100_000] {
            let error = write_sealed("test 1", &vec![7_u8; length], Full).unwrap_err();
            assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{length}");
        }
    }

    /// TOML writes the controls beyond ASCII as they are, in a bot's settings for example.
    #[test]
    fn a_header_may_have_the_letters_of_any_configuration() {
        let check = |config: &str| check_header("0.1.0", config, &Extent::Whole);
        assert_eq!(check("a = \"\u{85}\"\n\tb = 1\n"), Ok(()));
        assert!(check("a = \"\u{1b}[31m\"").is_err());
    }

    #[test]
    fn what_is_written_is_read() {
        let value: Vec<(u64, String)> = (0..100).map(|number| (number << (number % 60), number.to_string())).collect();
        let read: Vec<(u64, String)> = unsealed("test 1", "test", &sealed("test 1", &value)).unwrap();
        assert_eq!(read, value);
    }

    #[test]
    fn a_file_has_its_bytes_or_does_not_exist() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        assert_eq!(read_bytes(&file).unwrap(), None);
        std::fs::write(&file, b"bytes").unwrap();
        assert_eq!(read_bytes(&file).unwrap(), Some(b"bytes".to_vec()));
        assert_eq!(read_bytes(&file.join("inside")).unwrap(), None);
        assert!(read_bytes(folder.path()).is_err());
    }
}
