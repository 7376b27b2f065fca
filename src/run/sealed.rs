//! Sealed files: they begin with a line of text that says what they are and which version wrote them. A checksum and
//! the length of the rest follow, so that a file that is damaged or cut off is recognised.

use xxhash_rust::xxh3::xxh3_128;

/// The bytes that the checksum and the length take.
const SEAL: usize = 16 + 8;

/// The content of a file with this title, a line that begins with `overtrick `.
pub(crate) fn sealed(title: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = title.as_bytes().to_vec();
    bytes.extend(xxh3_128(body).to_le_bytes());
    bytes.extend((body.len() as u64).to_le_bytes());
    bytes.extend(body);
    bytes
}

/// The body of a file that should have this title; `kind` says what it is.
///
/// # Errors
/// Why it cannot be read.
pub(crate) fn unsealed<'a>(title: &str, kind: &str, bytes: &'a [u8]) -> Result<&'a [u8], String> {
    let line = bytes.iter().position(|&byte| byte == b'\n').and_then(|end| bytes.split_at_checked(end + 1));
    let ours = |line: &[u8]| line.starts_with(b"overtrick ");
    let Some((line, rest)) = line.filter(|(line, _)| ours(line)) else {
        return Err(format!("is no {kind} that overtrick wrote"));
    };
    if line != title.as_bytes() {
        let [theirs, own] = [line, title.as_bytes()].map(|line| String::from_utf8_lossy(line).trim_end().to_owned());
        return Err(format!("was written by another version that this one cannot read (\"{theirs}\", not \"{own}\")"));
    }
    let Some((seal, body)) = rest.split_at_checked(SEAL) else {
        return Err("is cut off".to_owned());
    };
    let (sum, length) = seal.split_at(16);
    match length.try_into().map(u64::from_le_bytes) {
        Ok(length) if length == body.len() as u64 => {}
        _ => return Err("is cut off, or has more in it than was written".to_owned()),
    }
    if sum != xxh3_128(body).to_le_bytes() {
        return Err("is damaged: its checksum is wrong".to_owned());
    }
    Ok(body)
}
