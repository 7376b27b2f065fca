//! Hashes of texts and values, as result files have them.

use serde::Serialize;
use sha2::{Digest, Sha256};

/// Returns the SHA-256 of bytes in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    hex(Sha256::new_with_prefix(bytes))
}

/// Returns the SHA-256 of a value, written as JSON without spaces.
///
/// # Panics
/// If the value has no form in JSON.
pub fn sha256_of(value: &impl Serialize) -> String {
    sha256(&serde_json::to_vec(value).expect("plain values"))
}

/// Returns the digits of a hash.
pub fn hex(hash: Sha256) -> String {
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_hashes() {
        // FIPS 180-2, the examples of one block.
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(sha256_of(&[1, 2]), sha256(b"[1,2]"));
    }
}
